// SPDX-License-Identifier: MIT
// Classes of memory accesses (uniform, contiguous, strided, gather), for statistics; compiled once
// for each instruction set. Code with statistics has an additional instruction before each load,
// store and atomic; other code does not pay for it.
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/lanes/lane_addresses.h"
#include "interp/launch/counters.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

static enum vm_class named(uint64_t step, uint64_t bytes)
{
    return !step ? VM_CLASS_UNIFORM : step == bytes ? VM_CLASS_CONTIGUOUS : VM_CLASS_STRIDED;
}

/** The class of the active lanes among 16. */
static enum vm_class class_of(const uint64_t a[VM_NEIGHBORS], const uint8_t *mask, uint32_t n,
                              uint64_t bytes)
{
    uint64_t differ = 0;
    if (n == VM_NEIGHBORS) {
        const uint64_t step = a[1] - a[0];
        for (uint32_t i = 0; i < VM_NEIGHBORS; i++) differ |= a[i] ^ (a[0] + i * step);
        return differ ? VM_CLASS_GATHER : named(step, bytes);
    }
    if (n == 1) return VM_CLASS_UNIFORM;
    uint32_t one = 0, two;
    while (!mask[one]) one++;
    for (two = one + 1; !mask[two];) two++;
    const int64_t step = (int64_t)(a[two] - a[one]) / (int64_t)(two - one);
    for (uint32_t i = two; i < VM_NEIGHBORS; i++)
        if (mask[i]) differ |= a[i] ^ (a[one] + (i - one) * (uint64_t)step);
    return differ ? VM_CLASS_GATHER : named((uint64_t)step, bytes);
}

static enum vm_count_space space_of(const struct vm_object *o)
{
    switch ((enum vm_object_kind)o->kind) {
    case VM_OBJ_PRIVATE: return VM_COUNT_PRIVATE;
    case VM_OBJ_LOCAL: return VM_COUNT_LOCAL;
    case VM_OBJ_CONSTANT: return VM_COUNT_CONSTANT;
    default: return o->space == BC_CONSTANT ? VM_COUNT_CONSTANT : VM_COUNT_GLOBAL;
    }
}

static void add(struct vm_gang *g, const struct vm_access *x, enum vm_count_space space,
                const uint64_t classes[VM_CLASSES])
{
    uint64_t *const all = g->worker->stats.accesses[space], *const own =
                                                                g->worker->site_accesses[x->site];
    for (int c = 0; c < VM_CLASSES; c++) {
        all[c] += classes[c];
        if (space != VM_COUNT_PRIVATE) own[c] += classes[c];
    }
}

/**
 * One base for all lanes and an index of 32 bits: the indices alone determine the class of 16
 * active lanes.
 */
INLINE void count_indices(struct vm_gang *g, const struct vm_access *x,
                          uint64_t classes[VM_CLASSES])
{
    const uint32_t *const idx = ALIGNED((const uint32_t *)(g->r + x->index_off));
    for (uint32_t from = 0; from < g->nlanes; from += VM_NEIGHBORS) {
        const uint32_t m = active16(g->mask + from), step = idx[from + 1] - idx[from],
                       first = idx[from];
        if (m == ALL16) {
            uint32_t differ = 0;
            LANES for (uint32_t i = 0; i < VM_NEIGHBORS; i++)
                differ |= idx[from + i] ^ (first + i * step);
            classes[differ ? VM_CLASS_GATHER
                           : named((uint64_t)((int64_t)(int32_t)step * x->scale), x->bytes)] +=
                VM_NEIGHBORS;
        } else if (m) {
            uint64_t a[VM_NEIGHBORS];
            const uint32_t n = (uint32_t)__builtin_popcount(m);
            if (n > 1) lane_addresses(g, x, from, a);
            classes[n > 1 ? class_of(a, g->mask + from, n, x->bytes) : VM_CLASS_UNIFORM] += n;
        }
    }
}

vm_handler CAT(vm_count_, VM_ISA);
const struct vm_insn *CAT(vm_count_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    if (!x->base_varying && (!x->index_varying || x->index != BC_IDX_I64)) {
        uint64_t classes[VM_CLASSES] = {0};
        if (!x->index_varying) classes[VM_CLASS_UNIFORM] += g->nactive;
        else count_indices(g, x, classes);
        add(g, x, space_of(vm_object_of(g, *(const uint64_t *)(g->r + x->base_off))), classes);
        return ip + 1;
    }
    for (uint32_t from = 0; from < g->nlanes; from += VM_NEIGHBORS) {
        const uint32_t m = active16(g->mask + from);
        if (!m) continue;
        uint64_t a[VM_NEIGHBORS], classes[VM_CLASSES] = {0};
        const uint32_t n = (uint32_t)__builtin_popcount(m);
        lane_addresses(g, x, from, a);
        classes[class_of(a, g->mask + from, n, x->bytes)] = n;
        add(g, x, space_of(vm_object_of(g, a[__builtin_ctz(m)] - (uint64_t)x->disp)), classes);
    }
    return ip + 1;
}
