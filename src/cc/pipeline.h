// SPDX-License-Identifier: MIT
#ifndef CC_PIPELINE_H
#define CC_PIPELINE_H
#include "bytecode/wire.h"
#include "frontend/front_end.h"
#include "report/finding.h"

#include <stdio.h>

/**
 * From source to bytecode. Fills *a; its strings live in `arena` and in the four strings,
 * which the caller frees.
 */
struct cc_output {
    struct str log, module, object, native, proof;
};
void cc_pipeline(const struct wire_request *r, struct arena *arena, struct cc_output *out,
                 struct wire_answer *a);

/** WIRE_CODE: a kernel as machine code that computes what the interpreter would. */
void cc_machine_code(const struct wire_request *r, struct arena *arena, struct cc_output *out,
                     struct wire_answer *a);

/**
 * The parallel regions of the kernels whose names match the glob (NULL: all), as a text or as
 * Graphviz's pictures.
 */
enum cc_regions { CC_TEXT, CC_DOT };
struct err *cc_regions(const struct wire_request *r, enum cc_regions form, const char *glob,
                       struct str *log, struct str *out);
/** Reports possible barrier-divergence where `o` says (out, reports, command); *found: how many. */
struct err *cc_lint(const struct wire_request *r, struct str *log, struct rep_options *o,
                    unsigned *found);

/** The front end's part of all of these; `a` keeps what the module borrows. */
enum fe_status cc_compile(const struct wire_request *r, struct arena *a, struct fe_module *m,
                          struct str *log);
#endif
