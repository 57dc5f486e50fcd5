// SPDX-License-Identifier: MIT
#ifndef BYTECODE_QUESTION_H
#define BYTECODE_QUESTION_H
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * What is asked of the proof engine (src/proof) and what it answers. Both cross the pipe to
 * cldbg-cc (wire.h), so nothing here depends on LLVM.
 *
 * A question describes a set of launches of one kernel: the sizes are those given, each scalar
 * argument has one value, a range of values, or any, and buffers have any contents. An answer of
 * PROOF_PROVED holds for every launch of the set, any contents and any schedule.
 */

enum proof_property {
#define PROPERTY(name, id, text) PROOF_##name,
#include "bytecode/properties.def"
    PROOF_PROPERTIES
};
/** "local-races", "no data race on local memory" */
const char *proof_property_id(enum proof_property p);
const char *proof_property_text(enum proof_property p);

enum proof_arg_kind {
    PROOF_ANY,              // a scalar of any value
    PROOF_VALUE,            // a scalar, vector or struct: these `size` bytes
    PROOF_RANGE,            // an integer: lo..hi, as numbers of its type
    PROOF_BUFFER,           // global or constant memory
    PROOF_NULL,             // a null pointer
    PROOF_LOCAL,            // local memory of `size` bytes
    PROOF_IMAGE,            // memory of its own
    PROOF_CLAMPING_SAMPLER, // of any addressing mode but CLK_ADDRESS_NONE
    PROOF_OPAQUE,           // another sampler, a pipe, a queue…: what uses it is unknown
};
struct proof_arg {
    enum proof_arg_kind kind;
    const void *bytes; // VALUE
    uint64_t size;     // VALUE, BUFFER, LOCAL: bytes
    int64_t lo, hi;    // RANGE, both included
    // BUFFER: the memory object (any number) and the first byte in it, which is aligned to 128
    // unless `start` says otherwise. Buffers of one object overlap where their bytes do; those of
    // different objects do not.
    uint64_t object, start;
    uint64_t image[3]; // IMAGE: sizes in the order of coordinates: of an array, layers come last
    // BUFFER, if unit is not 0: its size is unit · the number of work-items (size_of 0) or the
    // value of argument size_of - 1, which is not negative; `size` is the largest
    uint64_t unit;
    uint32_t size_of;
    bool defined;               // BUFFER: every byte was written before the launch
    bool read_only, write_only; // BUFFER: a store, or a load, is an error
};

/**
 * What the asker checks while the kernel runs, so that proofs may assume it up to the first failure
 * (bits). It must check each access, division or conversion of the kind.
 */
enum proof_check {
    PROOF_CHECK_BOUNDS = 1,      // the offset of an access in its object, its alignment, and the
                                 // indices of arrays in objects
    PROOF_CHECK_DIVISIONS = 2,   // divisors
    PROOF_CHECK_CONVERSIONS = 4, // from floating point to integers
    PROOF_CHECK_LOCAL = 8,       // local memory: races, and reads of bytes that were not written
    PROOF_CHECK_GLOBAL = 16,     // races on global memory
    PROOF_CHECK_PRIVATE = 32,    // private memory: reads of bytes that were not written
};

/** A place in the source, in any file. */
struct proof_line {
    uint32_t line, column;
};

struct proof_question {
    const char *kernel;                      // its symbol
    uint32_t work_dim;                       // 0, only in the helper process: any
    uint64_t global[3], local[3], offset[3]; // unused dimensions: 1, 1, 0. The last group of a
                                             // dimension may be smaller
    uint64_t fewest[3];      // not 0: the global size is any multiple of the local one from this to
                             // `global`
    uint64_t least_local[3]; // not 0: the local size is any from this to `local` of which the
                             // global size is a multiple
    uint32_t sub_group; // work-items of a sub-group: a power of two, unless the kernel requires
                        // another size
    uint32_t nargs;
    const struct proof_arg *args;
    uint32_t effort;  // of one solver query: Z3's rlimit in thousands; 0: the default
    uint32_t seconds; // for all together, after which the rest is unknown; 0: no limit
    uint32_t wanted;  // bit 1 << property: those to decide; the others become unknown. 0: all
    bool no_solver;   // closed forms only: milliseconds
    uint32_t checks;  // enum proof_check
    bool assumes;     // comments cldbg-assume hold; else they are to be proved
    uint32_t ndropped;
    const struct proof_line *dropped; // the question is about the program without these barriers
};

enum proof_result {
    PROOF_UNKNOWN,   // see reason
    PROOF_PROVED,    // for every launch of the question
    PROOF_CANDIDATE, // the solver has a model, which may be spurious: run it
};
struct proof_place {
    const char *file, *function; // NULL: not known
    uint32_t line, column;
};
/** Of a candidate: a scalar argument (size 0), or `size` bytes at `offset` of a buffer. */
struct proof_model_value {
    uint32_t arg, size;
    uint64_t offset, bits;
};
struct proof_verdict {
    enum proof_result result;
    const char *reason;          // why not proved: a sentence without its period; NULL if proved
    const char *help;            // what would help, or NULL
    struct proof_place place[2]; // the access or loop, and the other side of a race
    uint32_t nvalues;            // CANDIDATE: the model
    const struct proof_model_value *values;
};
/** Bytes of a buffer argument, from the first one of the argument on. */
struct proof_range {
    uint64_t from, to;
};
struct proof_answer {
    struct proof_verdict of[PROOF_PROPERTIES];
    struct proof_place kernel; // its definition
    uint32_t nargs;
    const struct proof_range *written; // by argument: no other bytes are written, if PROOF_BOUNDS
                                       // is proved (and not assumed)
    uint32_t queries, solved;          // asked of the solver; decided in closed form before it
    uint32_t milliseconds;             // that the proofs took
};
static inline bool proof_all_proved(const struct proof_answer *a)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        if (a->of[p].result != PROOF_PROVED) return false;
    return true;
}

/** As bytes for the wire; texts and lists of what is read live in the arena. */
void proof_put_question(struct str *out, const struct proof_question *q);
void proof_put_answer(struct str *out, const struct proof_answer *a);
struct err *proof_get_question(const void *data, size_t size, struct arena *a,
                               struct proof_question *out);
struct err *proof_get_answer(const void *data, size_t size, struct arena *a,
                             struct proof_answer *out);
#endif
