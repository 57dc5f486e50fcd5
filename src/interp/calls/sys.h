// SPDX-License-Identifier: MIT
#ifndef INTERP_SYS_H
#define INTERP_SYS_H
#include "builtins/builtins.h"
#include "interp/calls/collective.h"
#include "interp/core/gang.h"

/** Operands (made by decode.c) and handlers of the instructions that are not loops over lanes. */

struct vm_lanefn {
    bi_lane_fn *fn;
    uint32_t ndst, nsrc;
    bool once; // all uniform
    uint32_t dst[BI_MAX_LANE_DST], src[BI_MAX_LANE_SRC];
};

struct vm_printf_arg {
    uint8_t type, ncomp; // enum bc_type of a component
    uint32_t varying;    // bits
    uint32_t *off;
};
struct vm_printf {
    const char *format;
    uint32_t nargs;
    struct vm_printf_arg *args;
    uint32_t dst;
    bool has_dst, dst_varying;
};

struct vm_async {
    uint32_t arg[5], dst; // operands: to, from, count, stride, event; the last two are 0 if absent
    uint8_t varying;      // bits
    uint32_t elem, read_site, write_site;
    bool has_stride, stride_is_to, has_event, has_dst;
};

struct vm_image_op {
    uint8_t what; // enum bc_image
    uint8_t ncoord, nvalue;
    uint8_t varying; // bits: coordinates, then from bit 4 values
    bool image_varying, sampler_varying, has_sampler;
    uint32_t image, sampler, coord[3], value[4]; // operands
};

struct vm_collect {
    uint32_t off[4];      // a, b, c, dst
    uint8_t has, varying; // bits, in that order
    struct vm_collective how;
    bool by_all; // all lanes of the sub-group must take part
};

struct vm_barrier {
    struct vm_operands flags; // off 0: none
    unsigned kind;            // enum bc_barrier
    unsigned scope;
};

/**
 * One work-item's atomic operation on m->elem bytes of memory that is not private. Returns the old
 * value.
 */
uint64_t vm_atomic_operate(const struct bc_mem *m, char *p, uint64_t v, uint64_t compare,
                           bool *changed);
vm_handler vm_op_atomic, vm_op_printf, vm_op_async_copy, vm_op_lanefn, vm_op_image;
#define REGULAR(n, f, x, e, handler) vm_handler vm_op_##handler; // p: struct vm_operands
#include "bytecode/ops.def"
vm_handler vm_op_collect_group, vm_op_collect_sub_group;
vm_handler vm_op_copy_slot, vm_op_set_slot;
vm_handler vm_op_wi_uniform, vm_op_wi_first, vm_op_wi_linear;
/**
 * Under a debugger: performs a collective for the members `who` of a sub-group, the n work-items
 * from `first` on. They exchange values and continue after it.
 */
struct vm_group;
void vm_collect_stepped(struct vm_group *grp, uint32_t first, uint32_t n, const bool who[]);
#endif
