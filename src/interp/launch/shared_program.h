// SPDX-License-Identifier: MIT
#ifndef INTERP_SHARED_PROGRAM_H
#define INTERP_SHARED_PROGRAM_H
#include "interp/core/idle_gangs.h"
#include "interp/decode/code.h"
#include "interp/vm.h"

#include <pthread.h>

struct vm_program {
    const struct bc_module *module;
    pthread_mutex_t lock;   // guards codes
    struct vm_code **codes; // by kernel
    uint8_t *unit;          // by site: see units() in shared_program.c
    bool copies_structs;    // some code copies structs, possibly with undefined members, to global
                            // memory
    bool sub_groups;        // some code uses sub-groups: gangs hold whole ones
    char **storage;         // constant and program-scope objects, by object
    uint8_t *suits;         // by kernel: enum vm_suits
    struct vm_idle_gangs idle;
};
enum vm_suits { VM_SUITS_UNKNOWN, VM_SUITS_NOT, VM_SUITS };

struct vm_code *vm_program_code(struct vm_program *p, const struct bc_kernel *k, uint32_t lanes,
                                unsigned mode);
/** vm_packing_suits, computed once. */
bool vm_program_packs(struct vm_program *p, const struct bc_kernel *k);
#endif
