// SPDX-License-Identifier: MIT
#ifndef INTERP_FAULT_H
#define INTERP_FAULT_H
#include "base/bits.h"
#include "check/check.h"
#include "interp/core/gang.h"
#include "interp/definedness/undef.h"

/**
 * Faults: errors of lanes. A faulting lane costs only a few instructions. The lanes of one
 * instruction and work-group with the same fault form one run. Runs at the same location (with the
 * same calls, on the same object) form one record of the worker, which keeps the example with the
 * smallest work-item. Records become findings when the launch ends.
 */
struct vm_fault_run {
    struct chk_fault fault; // of the first lane
    uint32_t lane;
    uint64_t count;
    uint64_t repeats;     // of `count`: not counted
    const uint32_t *rows; // undefined values of a vector: the rows of the `nrows` components before
    unsigned nrows;       // this one. A lane counts once for each origin
};

/** Adds a failing lane to the run; a fault of another kind or object ends the run and begins one.
 */
void vm_fault_lane(struct vm_gang *g, struct vm_fault_run *run, uint32_t lane,
                   const struct chk_fault *fault);
void vm_fault_end(struct vm_gang *g, struct vm_fault_run *run);

/** Converts a record to a finding. */
struct chk_launch;

struct vm_fault_record;

void vm_fault_report(const struct chk_launch *l, const struct vm_fault_record *r);

/** Failing lanes at one location. */
struct vm_fault_record {
    struct vm_fault_record *next;
    struct vm_fault_run run; // the example
    struct chk_item item;
    uint32_t calls[CHK_MAX_CALLS]; // locs of the calls, innermost first
    unsigned ncalls;
    uint64_t count;
    struct bits groups; // in which it was seen
    struct bits bytes;  // UNDEF: the first byte of each undefined value in the source object
    struct chk_writers writers; // of local memory; n is 0: not known
};

/** Adds failing lanes of another process to the record of their location. */
void vm_fault_add(struct vm_worker *w, const struct vm_fault_record *r);

/** Slow path: the lanes of `bad` are at fault. */
void vm_fault_div(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_convert(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_index(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);

/** For a uniform operand: like vm_isa.check_index and vm_isa.check_range. */
vm_handler vm_op_index_once, vm_op_check_once, vm_op_trap;
#endif
