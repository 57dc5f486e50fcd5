// SPDX-License-Identifier: MIT
#ifndef INTERP_SERIALIZED_ATOMICS_H
#define INTERP_SERIALIZED_ATOMICS_H
#include "bytecode/bytecode.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Atomics of work-items that run together, with the outcome of running them one after another: see
 * serialized_atomics.c. Between two barriers; items are numbers in the work-group.
 */
struct vm_serial;
struct vm_serial *vm_serial_create(uint32_t items);
void vm_serial_destroy(struct vm_serial *s); // NULL is fine

/** What work-items are to find in memory: it comes from an attempt that failed. */
struct vm_serial_plan;
uint64_t vm_serial_plan_bytes(const struct vm_serial_plan *p);
void vm_serial_plan_free(struct vm_serial_plan *p); // NULL is fine

/**
 * An interval between barriers begins, of which nothing is known (plan NULL), or something. The
 * plan is borrowed.
 */
void vm_serial_begin(struct vm_serial *s, const struct vm_serial_plan *plan);
/** An item's operation at p, of m->elem bytes; gives the old value. */
uint64_t vm_serial_operate(struct vm_serial *s, const struct bc_mem *m, char *p, uint32_t item,
                           uint64_t v, uint64_t compare, bool *changed);
/**
 * The interval ends: true when it went as it would have in order; memory is as it was left then.
 * The next one begins, without a plan. False: all must be undone and done again.
 */
bool vm_serial_end(struct vm_serial *s);
/** It cannot be done so: no further attempt is worth while, nor is the rest of this one. */
bool vm_serial_is_impossible(const struct vm_serial *s);
/** After false: a plan for the next attempt; the caller's. */
struct vm_serial_plan *vm_serial_next_plan(struct vm_serial *s);
#endif
