// SPDX-License-Identifier: MIT
#ifndef DEVICES_COMPILED_DEVICE_H
#define DEVICES_COMPILED_DEVICE_H
#include "devices/dev.h"
#include "devices/launch_key.h"
#include "devices/native_device.h"
#include "devices/native_code.h"

#include <pthread.h>

/** The parts of the compiled engine: compiled_device.c, and compiled_check.c for --engine=check. */

/** By an earlier launch, or (data decides something in the kernel) by the proof engine. */
enum compiled_proof_state {
    COMPILED_UNKNOWN,
    COMPILED_ASKING,
    COMPILED_PROVED,
    COMPILED_UNPROVED,
};
/** What is known of launches with that key. */
struct compiled_proof {
    struct str key;
    uint64_t hash;
    enum compiled_proof_state state;
    uint32_t checks; // PROVED: nat_shape.checks that its code must have
    char *text; // PROVED: their names, or NULL: the engine proved all; UNPROVED: what it did not
    struct proof_range *ranges;           // PROVED by the engine: what it may write, by argument
    uint64_t patience;                    // how long the engine is to be asked, in ns
    unsigned anomalies;                   // how often a check failed
    uint64_t interpreted_ns, compiled_ns; // the least time of such launches; 0: none yet
    unsigned compiled;                    // how many ran as machine code
    struct dev_written *written;          // by argument; never changed once known
};
enum compiled_state { COMPILED_ABSENT, COMPILED_MAKING, COMPILED_READY, COMPILED_FAILED };
struct compiled_code {
    struct nat_shape shape;
    enum compiled_state state;
    const struct native_code *code;
    struct nat_code_info info;
    char *why; // FAILED
};
struct compiled_kernel {
    char *name;
    uint32_t nargs;
    bool is_analyzed;
    struct bc_dependence depends;
    char *why;    // what data decides, as the end of a sentence; NULL: nothing
    char *beyond; // why then neither proofs nor checks help, or NULL
    VEC(struct compiled_proof *) proofs;
    VEC(struct compiled_code *) codes;
    uint64_t interpreted_ns; // in clean launches
    unsigned asked, used;    // obligations: proofs that were asked for; launches that had one
    bool needs_stamps;       // a launch had several stores to one cell of a NAT_COUNTED buffer
    struct rep_record *equal[NAT_MARKS]; // by argument: the same-value race on it that the
                                         // interpreter reported, or NULL
    unsigned unproved; // how often the proof engine did not prove a launch, or no code was made
    const char *how;   // the last launch ran as machine code: the names of its checks, or NULL
    const char *told;  // --verbose: what was printed last, of `how` or the reason
};
struct compiled_program {
    const struct bc_module *module; // NULL: unloaded, threads that make code are left
    uint32_t nkernels;
    void *checked;               // dev_interp's
    struct native_program *code; // or NULL
    struct dev_blob bitcode;     // of the program, if it is known to be that of the module
    const char *why;             // why no launch of it can be proved, or NULL
    char *why_text;
    uint64_t alignment; // of buffers, for all accesses
    pid_t pid;          // a child that the app forks has none of the threads
    struct compiled_kernel *kernels;
    pthread_mutex_t lock; // guards what follows, and the kernels; taken with no other lock inside
    pthread_cond_t made;
    unsigned users; // the program that is loaded, and threads: the last one frees it
};

void compiled_unload(void *program);
void compiled_hold(struct compiled_program *p);
void compiled_release(struct compiled_program *p); // the caller does not use p any more
/**
 * Machine code for the launch. NULL: not available now; *why has the reason. Only --engine=auto
 * does not wait until it is made.
 */
const struct compiled_code *compiled_code_for(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct nat_shape *shape, const char **why);
/** The same for a thread that can wait for it. */
const struct compiled_code *compiled_code_now(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct nat_shape *shape, const char **why);
/** The arguments whose buffers are not wholly written, as nat_shape.marks; false: not possible. */
bool compiled_marks(const struct vm_launch *l, uint32_t *marks);
/** After machine code marked what it wrote. */
void compiled_count_marks(const struct vm_launch *l, uint32_t marks);
/** When a kernel has been interpreted for so long, it is compiled. */
uint64_t compiled_threshold_ns(void);
/**
 * compiled_effort.c. Whether a proof or machine code may be made now that may take `least` ns, and
 * for how long; then compiled_effort_end says how long it took.
 */
bool compiled_effort_begin(uint64_t least, uint64_t *budget);
void compiled_effort_end(uint64_t took);
/** Limits the seconds of a question to a budget in ns. */
void compiled_limit(struct proof_question *q, uint64_t budget);
/** A launch was interpreted for so long, or would have been. */
void compiled_effort_earn(uint64_t took);
uint64_t compiled_now(void);

/**
 * While a launch that nothing proves yet is interpreted, the proof engine is asked about it; if it
 * proves the launch, the groups that have not begun run as machine code. See compiled_takeover.c.
 */
struct compiled_takeover *compiled_takeover_begin(struct compiled_program *p,
                                                  struct compiled_kernel *k,
                                                  const struct vm_launch *l);
const struct vm_takeover *compiled_takeover_hook(struct compiled_takeover *t); // t NULL: NULL
/** The launch has ended; returns how many groups ran as machine code. */
uint64_t compiled_takeover_end(struct compiled_takeover *t);

/** Copies what the question borrows from a launch. */
void compiled_own_values(struct arena *a, struct proof_question *q);
struct err *compiled_ask(const struct compiled_program *p, const struct proof_question *q,
                         struct arena *a, struct proof_answer *out);
/** Asks the proof engine (bytecode/question.h): whether it proves all. */
bool compiled_prove(const struct compiled_program *p, const struct proof_question *q);
/** The same of a launch, before it. */
bool compiled_is_proved(const struct compiled_program *p, const struct vm_launch *l);
/** After it: reports an internal error if something was found although the engine proved it. */
void compiled_check_found(const struct compiled_program *p, const struct vm_launch *l,
                          bool is_proved);

/** Under the lock. NULL: there is none; there are too many. */
struct compiled_proof *compiled_find_proof(const struct compiled_kernel *k, const struct str *key);
struct compiled_proof *compiled_new_proof(struct compiled_kernel *k, const struct str *key,
                                          uint32_t nargs);
/**
 * Runs a proved launch as machine code; knows: the proof says what it writes. False: it has to be
 * interpreted, *why says why.
 */
bool compiled_run_proved(struct compiled_program *p, struct compiled_kernel *k,
                         const struct vm_launch *l, struct compiled_proof *v, bool knows,
                         const char **why);
/**
 * compiled_versions.c. The shape of code that makes these checks, with the limits of the launch.
 */
struct nat_shape compiled_shape(const struct compiled_program *p, const struct compiled_kernel *k,
                                const struct vm_launch *l, uint32_t checks);
/**
 * Under the lock: the version of the kernel's code for a launch of that shape, which may have wider
 * limits. It may still have to be made.
 */
struct compiled_code *compiled_version(struct compiled_kernel *k, const struct nat_shape *shape);
/** A launch of a kernel in which data decides something: compiled_obligations.c. */
struct err *compiled_launch_obliged(struct compiled_program *p, struct compiled_kernel *k,
                                    const struct vm_launch *l, const struct str *key,
                                    const char **why);
void compiled_name_checks(uint32_t checks, struct str *out);

// compiled_equal.c: races of equal values
/** After the interpreter ran the launch: remembers which of them it reported. */
void compiled_learn(struct compiled_program *p, struct compiled_kernel *k,
                    const struct vm_launch *l);
/**
 * After machine code ran it: reports these races again. False: one of them is new, so that the
 * interpreter has to report it; nothing was reported.
 */
bool compiled_repeat(struct compiled_program *p, const struct compiled_kernel *k,
                     const struct vm_launch *l, const struct native_job *job);
/** Whether machine code found exactly what the interpreter reported of the launch. */
bool compiled_found_same(const struct compiled_program *p, const struct compiled_kernel *k,
                         const struct vm_launch *l, const struct native_job *job);

typedef struct err *compiled_interpret_fn(struct compiled_program *p, struct compiled_kernel *k,
                                          const struct vm_launch *l, const struct str *key,
                                          bool *is_clean);
/**
 * --engine=check: interprets the launch, and if it is clean, runs it as machine code on a copy of
 * memory as it was and compares. is_proved: an earlier launch says that it is clean. Disagreement
 * is reported as an internal error.
 */
struct err *compiled_check(struct compiled_program *p, struct compiled_kernel *k,
                           const struct vm_launch *l, bool is_proved,
                           compiled_interpret_fn *interpret, const struct str *key);
/**
 * The same if data decides something. checks: those of machine code that may run the launch, which
 * must fail if the interpreter finds something; 0: it may not.
 */
struct err *compiled_check_obliged(struct compiled_program *p, struct compiled_kernel *k,
                                   const struct vm_launch *l, uint32_t checks);
#endif
