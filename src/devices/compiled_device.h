// SPDX-License-Identifier: MIT
#ifndef DEVICES_COMPILED_DEVICE_H
#define DEVICES_COMPILED_DEVICE_H
#include "devices/dev.h"
#include "devices/launch_key.h"
#include "devices/native_code.h"

#include <pthread.h>

/** The parts of the compiled engine: compiled_device.c, and compiled_check.c for --engine=check. */

/** A launch that was interpreted with all checks, and clean. */
struct compiled_proof {
    struct str key;
    uint64_t hash;
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
    bool is_analyzed;
    struct bc_dependence depends;
    char *why; // what data decides, as the end of a sentence; NULL: nothing
    VEC(struct compiled_proof *) proofs;
    VEC(struct compiled_code *) codes;
    uint64_t interpreted_ns; // in clean launches
    const char *told;        // --verbose
};
struct compiled_program {
    const struct bc_module *module;
    void *checked;               // dev_interp's
    struct native_program *code; // or NULL
    struct dev_blob bitcode;     // of a program built from source
    const char *why;             // why no launch of it can be proved, or NULL
    char *why_text;
    uint64_t alignment; // of buffers, for all accesses
    pid_t pid;
    struct compiled_kernel *kernels;
    pthread_mutex_t lock; // guards what follows, and the kernels; taken with no other lock inside
    pthread_cond_t made;
    unsigned making; // threads that make code
};

void compiled_unload(void *program);
/**
 * Machine code for the launch. NULL: there is none now, *why says why. Only --engine=auto does not
 * wait until it is made.
 */
const struct compiled_code *compiled_code_for(struct compiled_program *p, struct compiled_kernel *k,
                                              const struct vm_launch *l, const char **why);

/** Asks the proof engine (bytecode/question.h) about the launch, before it. */
bool compiled_is_proved(const struct compiled_program *p, const struct vm_launch *l);
/** After it: reports an internal error if something was found although the engine proved it. */
void compiled_check_found(const struct compiled_program *p, const struct vm_launch *l,
                          bool is_proved);

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
#endif
