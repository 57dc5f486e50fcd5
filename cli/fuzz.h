// SPDX-License-Identifier: MIT
#ifndef CLI_FUZZ_H
#define CLI_FUZZ_H
#include "base/map.h"
#include "base/vec.h"
#include "cli/verify.h"

/**
 * Coverage-guided fuzzing of one kernel, as in AFL (Zalewski 2013) and libFuzzer: inputs that reach
 * a block or a direction of a branch for the first time are kept and mutated further. An input is
 * the values of the open arguments and the sizes of the launch. Launches are made in this process,
 * with all checks; a launch with a new finding is minimized and captured, and counts only if
 * `cldbg run` finds it again.
 */

struct fuzz_input {
    uint8_t *data; // of the open arguments, one after the other
    size_t global[3], local[3];
};
/** The bytes of an open argument in an input. */
struct fuzz_part {
    unsigned arg;
    size_t at, count;         // first byte; elements
    struct cmd_scalar scalar; // type of its elements
    bool has_range;
    int64_t lo, hi;
};
struct fuzz {
    struct verify_job *job;
    struct cmd_kernel *kernel;
    struct verify_sizes global, local;
    bool all_contents;                     // buffers with given contents are open, too
    bool shows_report;                     // prints the report of each finding
    const char *folder;                    // of captures
    uint64_t seed, seconds, most_launches; // most_launches 0: no limit

    uint64_t random;
    struct cmd_arg *args; // of the kernel; those of parts point into the current input
    VEC(struct fuzz_part) parts;
    size_t size;             // bytes of an input's data
    VEC(int64_t) dictionary; // numbers that the kernel may compare with
    VEC(struct fuzz_input) corpus;
    struct map known, shown; // hash of a finding's id and location → 1
    uint64_t launches, findings;
};

// fuzz_input.c
/** Finds the open arguments and the dictionary. */
struct err *fuzz_prepare(struct fuzz *f);
/** The first input: contents as given, smallest values. */
struct fuzz_input fuzz_first(const struct fuzz *f);
struct fuzz_input fuzz_copy(const struct fuzz *f, const struct fuzz_input *from);
void fuzz_mutate(struct fuzz *f, struct fuzz_input *input);
/** Sets an element of a part, inside the part's range. */
void fuzz_set(const struct fuzz_part *p, struct fuzz_input *input, size_t element, int64_t value);
bool fuzz_is(const struct fuzz_part *p, const struct fuzz_input *input, size_t element,
             int64_t value);
/** The first input, with what the model of a candidate says of arguments and buffers. */
struct fuzz_input fuzz_of_model(const struct fuzz *f, const struct proof_verdict *v);
/** Prints the values of scalar arguments, and the sizes if they vary. */
void fuzz_show_input(const struct fuzz *f, const struct fuzz_input *input);
/** Sets the sizes of buffers that follow from the launch or from arguments. */
void fuzz_set_counts(struct fuzz *f, const struct fuzz_input *input);
void fuzz_release(struct fuzz *f);

// fuzz_search.c
/**
 * Launches with the models of candidates, then searches until the time is over. Findings go to the
 * job as from other runs.
 */
struct err *fuzz_search(struct fuzz *f);
/** Options for the driver of a process that fuzzes: nothing is printed, coverage is counted. */
struct err *fuzz_options(const struct dev_option_set *s, struct dev_option_set *out);
#endif
