// SPDX-License-Identifier: MIT
// One work-item's atomic on memory that others may change at the same time: a compare-exchange loop
// of the host.
#include "interp/calls/sys.h"

#include <string.h>

/** The new value of an element of `size` bytes. */
static uint64_t combine(const struct bc_mem *m, unsigned size, uint64_t old, uint64_t v,
                        uint64_t compare)
{
    const unsigned shift = 64 - size * 8;
    const int64_t so = (int64_t)(old << shift), sv = (int64_t)(v << shift);
    const uint64_t uo = old << shift, uv = v << shift;
    float fo, fv;
    double d_o, dv;
    memcpy(&fo, &old, 4);
    memcpy(&fv, &v, 4);
    memcpy(&d_o, &old, 8);
    memcpy(&dv, &v, 8);
    switch ((enum bc_atomic_op)m->atomic_op) {
    case BC_XCHG: return v;
    case BC_ATOMIC_ADD: return old + v;
    case BC_ATOMIC_SUB: return old - v;
    case BC_ATOMIC_AND: return old & v;
    case BC_ATOMIC_OR: return old | v;
    case BC_ATOMIC_XOR: return old ^ v;
    case BC_ATOMIC_SMIN: return so < sv ? old : v;
    case BC_ATOMIC_SMAX: return so > sv ? old : v;
    case BC_ATOMIC_UMIN: return uo < uv ? old : v;
    case BC_ATOMIC_UMAX: return uo > uv ? old : v;
    case BC_CMPXCHG: return uo == compare << shift ? v : old;
    case BC_ATOMIC_FADD:
        fo += fv;
        d_o += dv;
        break;
    case BC_ATOMIC_FMIN:
        fo = fv < fo || fo != fo ? fv : fo;
        d_o = dv < d_o || d_o != d_o ? dv : d_o;
        break;
    case BC_ATOMIC_FMAX:
        fo = fv > fo || fo != fo ? fv : fo;
        d_o = dv > d_o || d_o != d_o ? dv : d_o;
        break;
    }
    uint64_t r = 0;
    if (size == 4) memcpy(&r, &fo, 4);
    else memcpy(&r, &d_o, 8);
    return r;
}

#define RMW(T)                                                                                     \
    ({                                                                                             \
        T *p_ = (T *)p;                                                                            \
        T was = __atomic_load_n(p_, __ATOMIC_SEQ_CST), now;                                        \
        do now = (T)combine(m, sizeof(T), was, v, compare);                                        \
        while (!__atomic_compare_exchange_n(p_, &was, now, false, __ATOMIC_SEQ_CST,                \
                                            __ATOMIC_SEQ_CST));                                    \
        *changed |= was != now;                                                                    \
        (uint64_t)was;                                                                             \
    })

uint64_t vm_atomic_operate(const struct bc_mem *m, char *p, uint64_t v, uint64_t compare,
                           bool *changed)
{
    const bool wide = m->elem == 8;
    if (m->kind == BC_ATOMIC_LOAD)
        return wide ? __atomic_load_n((uint64_t *)p, __ATOMIC_SEQ_CST)
                    : __atomic_load_n((uint32_t *)p, __ATOMIC_SEQ_CST);
    if (m->kind == BC_ATOMIC_STORE) {
        const uint64_t was =
            wide ? __atomic_exchange_n((uint64_t *)p, v, __ATOMIC_SEQ_CST)
                 : __atomic_exchange_n((uint32_t *)p, (uint32_t)v, __ATOMIC_SEQ_CST);
        *changed |= was != (wide ? v : (uint32_t)v);
        return was;
    }
    return wide ? RMW(uint64_t) : RMW(uint32_t);
}
