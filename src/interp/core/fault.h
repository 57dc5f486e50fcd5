// SPDX-License-Identifier: MIT
#ifndef INTERP_FAULT_H
#define INTERP_FAULT_H
#include "base/bits.h"
#include "check/check.h"
#include "interp/core/gang.h"
#include "interp/definedness/undef.h"

/**
 * Faults: lanes that do something wrong. A lane costs a few instructions here: the lanes of one
 * instruction and work-group that fail alike are one run, and runs at the same place (with the same
 * calls, on the same object) are one record of the worker, which keeps the example with the
 * smallest work-item. Records become findings when the launch ends.
 */
enum vm_fault_kind {
    VM_FAULT_NOT,
    VM_FAULT_NULL,
    VM_FAULT_WILD,
    VM_FAULT_SPACE,
    VM_FAULT_RELEASED,
    VM_FAULT_BOUNDS,
    VM_FAULT_ALIGN,
    VM_FAULT_READ_ONLY,
    VM_FAULT_WRITE_ONLY,
    VM_FAULT_SUBOBJECT,
    VM_FAULT_OVERLAP,
    VM_FAULT_NOT_WAITED,
    VM_FAULT_EVENT,
    VM_FAULT_SUB_GROUP,
    VM_FAULT_UNFENCED,
    VM_FAULT_ID,
    VM_FAULT_COMPONENT,
    VM_FAULT_UNREACHABLE,
    VM_FAULT_DIV,
    VM_FAULT_CONVERT,
    VM_FAULT_UNDEF_BRANCH,
    VM_FAULT_UNDEF_ADDRESS,
    VM_FAULT_UNDEF_PRINT,
    VM_FAULT_UNDEF_STORE,
    VM_FAULT_UNDEF_ATOMIC,
};

struct vm_fault_run {
    const struct bc_insn *src;
    uint32_t site, object, lane; // of the first lane
    enum vm_fault_kind kind;
    int64_t offset; // DIV: the divisor; CONVERT: the bits of the value, as a double; OVERLAP: bytes
                    // from source to destination; SUB_GROUP: its lanes, size: those here, at[0]: an
                    // item that is not; ID: the id, size: of how many work-items; EVENT: 1 if it
                    // was waited for before, else no copy returned it
    uint64_t size, count;
    struct vm_origin origin; // UNDEF
    int32_t at[3];           // images: the pixel
};

/** Adds a failing lane to the run; what does not go on with it ends the run before. */
void vm_fault_lane(struct vm_gang *g, struct vm_fault_run *run, const struct bc_insn *src,
                   uint32_t site, enum vm_fault_kind k, uint32_t object, uint32_t lane,
                   int64_t offset, uint64_t size);
void vm_fault_end(struct vm_gang *g, struct vm_fault_run *run);

/** Makes a finding of a record. */
struct chk_launch;

struct vm_fault_record;

void vm_fault_report(const struct chk_launch *l, const struct vm_fault_record *r);

/** Failing lanes at one place: see fault.h. */
struct vm_fault_record {
    struct vm_fault_record *next;
    struct vm_fault_run run; // the example
    struct chk_item item;
    uint32_t calls[CHK_MAX_CALLS]; // locs of the calls, innermost first
    unsigned ncalls;
    uint64_t count;
    struct bits groups; // in which it was seen
    struct bits bytes;  // UNDEF, of an object: where the values came from, each by its first byte
};

/** Out of line: the lanes of `bad` do something wrong. */
void vm_fault_div(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_convert(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);
void vm_fault_index(struct vm_gang *g, const struct vm_insn *ip, const uint8_t *bad);

/** An operand that is uniform: as vm_isa.check_index and vm_isa.check_range. */
vm_handler vm_op_index_once, vm_op_check_once, vm_op_trap;
#endif
