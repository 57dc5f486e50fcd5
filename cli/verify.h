// SPDX-License-Identifier: MIT
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include "bytecode/question.h"
#include "cli/host.h"

#include <jansson.h>

/** `cldbg verify`: the question, and runs that may refute unproved properties. */

/** The finding of a launch in which a comment `cldbg-assume` is false (check/fault_details.c). */
#define VERIFY_ASSUMPTION_TITLE "an assumption does not hold"

/** An argument of the question, and how runs give it. */
struct verify_arg {
    const char *spec;   // as it was written
    struct cmd_arg arg; // read, unless the value is open
    bool is_open;       // any value, or lo..hi
    bool is_any;
    bool any_contents;    // a buffer with =any
    bool has_range;       // lo..hi: of the value, or of the elements of a buffer
    struct cmd_type type; // open: a scalar
    int64_t lo, hi;
};
struct verify_job {
    struct arena *arena;
    const struct dev_option_set *options;
    const char *file, *kernel;
    struct cmd_range range;
    unsigned nargs;
    struct verify_arg *args;
    struct proof_question question;
    struct proof_answer answer;
    const char *refuted[PROOF_PROPERTIES]; // the title of a finding, or NULL
    const char *place[PROOF_PROPERTIES];   // "kernel.cl:3:4"
    const char *command[PROOF_PROPERTIES]; // the run that found it
    unsigned runs;
    json_t *found;  // reports of the runs that refuted something, merged
    bool wants_all; // … and of all other runs with findings
};

/** Reads the sizes and --arg. */
struct err *verify_read_args(struct verify_job *j, const struct cmd_kernel *k);
/** Runs the kernel with different values; fills refuted, place and command. */
struct err *verify_search(struct verify_job *j);
/** Whether some property is neither proved nor refuted. */
bool verify_is_left(const struct verify_job *j);
/**
 * Runs `cldbg run` with these arguments (a list that ends with NULL), for a run that may refute a
 * property. *found: whether it did; text: its report, or NULL.
 */
struct err *verify_run(struct verify_job *j, const char *const *words, bool *found,
                       struct str *text);
#endif
