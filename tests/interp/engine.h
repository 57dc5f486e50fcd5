// SPDX-License-Identifier: MIT
#ifndef TESTS_INTERP_ENGINE_H
#define TESTS_INTERP_ENGINE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "interp/vm.h"

#include <cmocka.h>
#include <string.h>

/**
 * For tests of the engine: a kernel in assembler is run over a range, and what it reports is caught
 * here (this program has a rep_add of its own) as text, one line a finding.
 */
struct engine {
    struct bc_module *m;
    struct vm_program *p;
    struct vm_arg args[8];
    struct vm_launch l;
    struct vm_stats st;
    struct str out; // of printf
};

/** Kernel 0 of the text; arguments still to be set; one dimension of `global` by `local`. */
void engine_open(struct engine *e, const char *text, uint64_t global, uint64_t local);
void engine_buffer(struct engine *e, unsigned arg, void *p, size_t size);
void engine_value(struct engine *e, unsigned arg, const void *value); // kept by reference
void engine_run(struct engine *e); // findings are forgotten before; fails the test on an err
void engine_close(struct engine *e);

/** The findings of the last run: "id|title|file:line|lx,ly,lz|count|notes…\n" */
const char *engine_findings(void);
unsigned engine_count(void); // how many
#endif
