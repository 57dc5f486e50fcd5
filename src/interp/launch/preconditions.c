// SPDX-License-Identifier: MIT
// Function specialization: tests whether the preconditions of a kernel's specialized variant
// (bc_kernel.preconditions) hold for every work-item of a launch, by the intervals of ids and
// arguments.
#include "interp/launch/preconditions.h"

#include "interp/vm.h"

#include <string.h>

typedef __int128 number; // holds signed and unsigned 64-bit values

/** The bound: an argument plus a constant, computed as in the kernel, or a constant. */
static number bound(const struct vm_launch *l, const struct bc_precondition *g)
{
    uint64_t x = (uint64_t)g->value;
    if (g->arg_bits) {
        uint64_t arg = 0;
        memcpy(&arg, l->args[g->arg].value, g->arg_bits / 8u);
        x += arg;
        if (g->arg_bits == 32)
            x = g->arg_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)x : (uint32_t)x;
    }
    if (g->is_wide) return g->is_signed ? (number)(int64_t)x : (number)x;
    return g->is_signed ? (number)(int32_t)(uint32_t)x : (number)(uint32_t)x;
}

static bool holds(const struct vm_launch *l, const struct bc_precondition *g)
{
    const bool global = g->id == BC_GLOBAL_ID;
    const number first = global ? l->offset[g->dim] : 0,
                 n = global ? l->global[g->dim] : l->local[g->dim];
    const number low = first + g->plus, high = first + n - 1 + g->plus, right = bound(l, g);
    if (low < 0 || high > (g->is_narrow ? INT32_MAX : INT64_MAX) ||
        (g->is_narrow && first + n - 1 > INT32_MAX))
        return false; // the sum may wrap around
    switch (g->test) {
    case BC_PRECONDITION_LT: return high < right;
    case BC_PRECONDITION_LE: return high <= right;
    case BC_PRECONDITION_GT: return low > right;
    default: return low >= right;
    }
}

bool vm_preconditions_hold(const struct vm_launch *l)
{
    const struct bc_kernel *k = l->kernel;
    if (!k->specialized || l->debugger) return false;
    for (uint32_t i = 0; i < k->npreconditions; i++)
        if (!holds(l, &k->preconditions[i])) return false;
    return true;
}
