// SPDX-License-Identifier: MIT
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H
#include "bytecode/question.h"
#include "cli/host.h"

#include <jansson.h>

/** `cldbg verify`: the question, and runs that may refute unproved properties. */

/** The finding of a launch in which a comment `cldbg-assume` is false (check/fault_details.c). */
#define VERIFY_ASSUMPTION_TITLE "an assumption does not hold"

/** Sizes of a launch: lo..hi in each dimension. */
struct verify_sizes {
    size_t lo[3], hi[3];
};
/**
 * Reads "16..256,8"; the option then has the largest sizes, as those of `cldbg run`. "any" in place
 * of a size is 1 to 2^30.
 */
struct err *verify_read_sizes(struct dev_option_set *s, enum dev_option o,
                              struct verify_sizes *out);

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
    // A buffer whose number of elements is factor · the number of work-items (count_of 0) or the
    // value of argument count_of - 1. factor 0: a fixed number.
    uint64_t factor;
    unsigned count_of;
    uint64_t value; // of a scalar that is not open and that a size needs
};
struct verify_job {
    struct arena *arena;
    const struct dev_option_set *options;
    const char *file, *kernel;
    struct cmd_range range; // the largest
    struct verify_sizes global, local;
    unsigned nargs;
    struct verify_arg *args;
    struct proof_question question;
    struct proof_answer answer;
    const char *refuted[PROOF_PROPERTIES]; // the title of a finding, or NULL
    const char *place[PROOF_PROPERTIES];   // "kernel.cl:3:4"
    const char *command[PROOF_PROPERTIES]; // the run that found it
    const char *capture[PROOF_PROPERTIES]; // a file with its launch, or NULL: `command` names it
    unsigned runs;
    const char *keep; // where a run's capture goes if it refutes something new, or NULL
    json_t *found;    // reports of the runs that refuted something, merged
    bool wants_all;   // … and of all other runs with findings
};

/** The values of a run that may vary. */
struct verify_values {
    size_t global[3], local[3];
    size_t least; // the least global size of the first dimension, with this local one
    uint64_t *of; // by argument; only of open ones
};
/** "int[4*n]=0": takes factor and count_of from the spec, which keeps no number of elements. */
struct err *verify_read_count(struct verify_job *j, const struct cmd_kernel *k, unsigned i);
/** The elements of such a buffer in a run; 0: too many for a run. */
uint64_t verify_count(const struct verify_job *j, unsigned i, const struct verify_values *v);
/** The spec with a number of elements. */
const char *verify_spec(struct verify_job *j, unsigned i, uint64_t count);
/** Ranges of sizes become those that a launch can have: groups are whole. */
struct err *verify_whole_groups(struct verify_job *j);
/** The largest local size up to `most` that a launch can have, or the least one. */
size_t verify_local_size(const struct verify_job *j, unsigned d, size_t most);
/** Reads the sizes and --arg. */
struct err *verify_read_args(struct verify_job *j, const struct cmd_kernel *k);
/** The folder for captures of launches that refute a property. */
const char *verify_captures(const struct verify_job *j);
/** Runs the kernel with different values; fills refuted, place, command and capture. */
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
