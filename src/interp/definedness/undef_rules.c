// SPDX-License-Identifier: MIT
// Computes the undefined bytes of an instruction's result, for all lanes at once (undef.c has the
// theory). Compiled once for each instruction set. A rule that depends on the values of operands
// first converts them to masks of bytes.
#include "interp/core/gang.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"
#include "interp/lanes/lane_loop.h"

#include <string.h>

/** For each lane, the bytes of its value that differ from those of `from`, as bits. */
#define DIFFERING(lg, T, BITS)                                                                     \
    static void differing_##lg(const T *v, T from, uint8_t *to, uint32_t n)                        \
    {                                                                                              \
        n &= ~(VM_PAD - 1u);                                                                       \
        v = ALIGNED(v);                                                                            \
        to = ALIGNED(to);                                                                          \
        LANES for (uint32_t i = 0; i < n; i++)                                                     \
        {                                                                                          \
            T y = v[i] ^ from;                                                                     \
            y = (T)(y | y >> 4);                                                                   \
            y = (T)(y | y >> 2);                                                                   \
            y = (T)(y | y >> 1) & (T)0x0101010101010101u;                                          \
            to[i] = (uint8_t)(BITS);                                                               \
        }                                                                                          \
    }
DIFFERING(0, uint8_t, y)
DIFFERING(1, uint16_t, y | y >> 7)
DIFFERING(2, uint32_t, y * 0x01020408u >> 24)
DIFFERING(3, uint64_t, y * 0x0102040810204080u >> 56)

/** A row for the value of operand k: the bytes that are not `from`. */
static void bytes_not(struct vm_gang *g, const struct vm_undef_op *q, unsigned k, unsigned size,
                      uint64_t from, uint8_t *to)
{
    const void *v = g->r + q->off[k];
    uint64_t one[VM_PAD] __attribute__((aligned(64))) = {0};
    const bool varying = q->varying >> k & 1;
    const uint32_t n = varying ? g->n : VM_PAD;
    if (!varying) memcpy(one, v, size), v = one;
    switch (size) {
    case 1: differing_0(v, (uint8_t)from, to, n); break;
    case 2: differing_1(v, (uint16_t)from, to, n); break;
    case 4: differing_2(v, (uint32_t)from, to, n); break;
    default: differing_3(v, from, to, n);
    }
    if (!varying) memset(to, to[0], g->n);
}

/** The lanes' shift counts (operand 1). */
static void counts(struct vm_gang *g, const struct vm_undef_op *q, uint8_t *to)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u);
    const uint8_t mask = (uint8_t)(8 * q->size - 1);
    if (!(q->varying & 2)) {
        memset(to, *(const uint8_t *)(g->r + q->off[1]) & mask, n);
        return;
    }
    const void *const v = ALIGNED(g->r + q->off[1]);
#define CASE(T) LANES for (uint32_t i = 0; i < n; i++) to[i] = (uint8_t)((const T *)v)[i] & mask
    switch (q->size) {
    case 1: CASE(uint8_t); break;
    case 2: CASE(uint16_t); break;
    case 4: CASE(uint32_t); break;
    default: CASE(uint64_t);
    }
#undef CASE
}

static void shifted(struct vm_gang *g, const struct vm_undef_op *q, const uint8_t *a,
                    const uint8_t *b, uint8_t *now)
{
    uint8_t by[VM_MAX_WIDTH] __attribute__((aligned(64)));
    const uint32_t n = g->n & ~(VM_PAD - 1u), all = (1u << q->size) - 1,
                   top = q->rule == VM_U_ASHR ? q->size - 1u : 31;
    counts(g, q, by);
    if (q->rule == VM_U_SHL) {
        LANES for (uint32_t i = 0; i < n; i++)
        {
            uint32_t r = (uint32_t)a[i] << (by[i] >> 3);
            r |= r << ((by[i] & 7) != 0);
            now[i] = (uint8_t)(b[i] ? all : r & all);
        }
        return;
    }
    LANES for (uint32_t i = 0; i < n; i++)
    {
        const uint32_t bytes = by[i] >> 3, part = (by[i] & 7) != 0;
        uint32_t r = (uint32_t)a[i] >> bytes;
        r |= r >> part;
        r |= ((uint32_t)a[i] >> top & 1) *
             (all & ~(all >> (bytes + part))); // bytes that the sign is copied to
        now[i] = (uint8_t)(b[i] ? all : r & all);
    }
}

/** All bytes from the lowest undefined one on: carries only go upward. */
INLINE uint8_t carried(uint8_t a) { return (uint8_t)-(a & -a); }

vm_handler CAT(vm_undef_plain_, VM_ISA);
const struct vm_insn *CAT(vm_undef_plain_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_undef_op *q = ip->p;
    const uint8_t *const flags = g->undef->flags;
    if (!(flags[q->src[0]] | flags[q->src[1]] | flags[q->src[2]])) {
        if (flags[q->dst]) vm_undef_put_set(g, q->dst, NULL, VM_NO_SET, q->how);
        return ip + 1;
    }
    uint8_t now[VM_MAX_WIDTH] __attribute__((aligned(64))),
        x[VM_MAX_WIDTH] __attribute__((aligned(64))), y[VM_MAX_WIDTH] __attribute__((aligned(64)));
    const uint8_t *s[3], all = (uint8_t)((1u << q->size) - 1), sign = (uint8_t)(q->from - 1),
                         more = (uint8_t)(all & ~((1u << q->from) - 1));
    const uint32_t n = g->n & ~(VM_PAD - 1u), set = vm_undef_combine(g, q->src, 3, now);
    for (int k = 0; k < 3; k++) s[k] = vm_undef_row(g, flags[q->src[k]] ? q->src[k] : 0);
    const uint8_t *const a = s[0], *const b = s[1], *const c = s[2];
    switch ((enum vm_undef_rule)q->rule) {
    case VM_U_ANY: LANES for (uint32_t i = 0; i < n; i++) now[i] = now[i] ? all : 0; break;
    case VM_U_MOVE:
    case VM_U_BITS: LANES for (uint32_t i = 0; i < n; i++) now[i] &= all; break;
    case VM_U_CARRY: LANES for (uint32_t i = 0; i < n; i++) now[i] = carried(now[i]) & all; break;
    case VM_U_AND: // zero bytes determine the result
        bytes_not(g, q, 0, q->size, 0, x);
        bytes_not(g, q, 1, q->size, 0, y);
        LANES for (uint32_t i = 0; i < n; i++) now[i] &= all & (x[i] | a[i]) & (y[i] | b[i]);
        break;
    case VM_U_OR: // bytes that are as do bytes of all ones, and true truth values
        bytes_not(g, q, 0, q->size, q->size == 1 ? 0 : ~0ull, x);
        bytes_not(g, q, 1, q->size, q->size == 1 ? 0 : ~0ull, y);
        if (q->size == 1) {
            LANES for (uint32_t i = 0; i < n; i++)
                now[i] &= all & (uint8_t)~(x[i] & ~a[i]) & (uint8_t)~(y[i] & ~b[i]);
        } else {
            LANES for (uint32_t i = 0; i < n; i++) now[i] &= all & (x[i] | a[i]) & (y[i] | b[i]);
        }
        break;
    case VM_U_MUL: // by 0
        bytes_not(g, q, 0, q->size, 0, x);
        bytes_not(g, q, 1, q->size, 0, y);
        LANES for (uint32_t i = 0; i < n; i++)
        {
            const uint8_t p = x[i] | a[i], r = carried(now[i]) & all, some = p ? r : 0,
                          t = y[i] | b[i];
            now[i] = t ? some : 0;
        }
        break;
    case VM_U_SEL:
        bytes_not(g, q, 0, 1, 0, x);
        LANES for (uint32_t i = 0; i < n; i++) now[i] = a[i] ? all : x[i] ? b[i] : c[i];
        break;
    case VM_U_SEXT:
        LANES for (uint32_t i = 0; i < n; i++) now[i] = a[i] | (a[i] >> sign & 1 ? more : 0);
        break;
    case VM_U_SHL:
    case VM_U_LSHR:
    case VM_U_ASHR: shifted(g, q, a, b, now); break;
    }
    vm_undef_put_set(g, q->dst, now, set, q->how);
    vm_undef_drop(g->undef, set);
    return ip + 1;
}
