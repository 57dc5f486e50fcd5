// SPDX-License-Identifier: MIT
#ifndef DEVICES_PROOF_REPORT_H
#define DEVICES_PROOF_REPORT_H
#include "bytecode/question.h"

#include <jansson.h>

/** What was decided about a kernel in launches of one shape (`cldbg verify`, --verify). */
struct proof_decision {
    enum { DECIDED_UNKNOWN, DECIDED_PROVED, DECIDED_REFUTED } result;
    const struct proof_verdict *verdict;   // UNKNOWN: why
    const char *because;                   // UNKNOWN without a verdict: why
    const char *finding, *place, *command; // REFUTED: its title; where, or NULL; a command
    const char *capture;                   // REFUTED: a file with the launch, or NULL
};
struct proof_report {
    const char *kernel;
    const struct proof_place *place; // of its definition; NULL or without a line: not known
    unsigned dims;
    const uint64_t *global, *local, *offset; // by dimension
    const uint64_t
        *fewest; // NULL, or of the question: global sizes from this to `global`, if not 0
    const uint64_t *least_local; // the same of local sizes
    bool was_searched;           // runs were made that could refute what is not proved
    bool any_scalars; // for all values of scalar arguments, otherwise for those of the launches
    struct proof_decision of[PROOF_PROPERTIES];
};

/** The properties, each with its verdict, as lines of text; `all`: the proved ones, too. */
void proof_report_text(struct str *out, const struct proof_report *r, bool all);
/** An element of "proofs": doc/REPORT-FORMATS.md. */
json_t *proof_report_json(const struct proof_report *r);
/** No data race and no barrier divergence. */
bool proof_report_is_race_free(const struct proof_report *r);
#endif
