// SPDX-License-Identifier: MIT
// One work-item's atomic on memory that others may change at the same time: a compare-exchange loop
// of the host.
#include "interp/calls/sys.h"

#include "base/half.h"

#include <string.h>

static bool is_of_floats(enum bc_atomic_op op) { return op >= BC_ATOMIC_FADD; }

/** An operation of floating point on halves: exact in double but for the sum, which is rounded once
 * to 11 bits (the sum of two halves has at most 41). */
static uint64_t combine_halves(enum bc_atomic_op op, uint64_t old, uint64_t v)
{
    const double o = half_to_double((uint16_t)old), x = half_to_double((uint16_t)v);
    switch (op) {
    case BC_ATOMIC_FADD: return half_from_double(o + x);
    case BC_ATOMIC_FMIN: return x < o || o != o ? v : old;
    default: return x > o || o != o ? v : old;
    }
}

/** The new value of an element of `size` bytes. */
static uint64_t combine(const struct bc_mem *m, unsigned size, uint64_t old, uint64_t v,
                        uint64_t compare)
{
    if (size == 2 && is_of_floats(m->atomic_op)) return combine_halves(m->atomic_op, old, v);
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

#define LOAD(T) ((uint64_t)__atomic_load_n((T *)p, __ATOMIC_SEQ_CST))
#define STORE(T)                                                                                   \
    ({                                                                                             \
        const T was = __atomic_exchange_n((T *)p, (T)v, __ATOMIC_SEQ_CST);                         \
        *changed |= was != (T)v;                                                                   \
        (uint64_t)was;                                                                             \
    })
#define OF_SIZE(DO) (m->elem == 8 ? DO(uint64_t) : m->elem == 4 ? DO(uint32_t) : DO(uint16_t))

uint64_t vm_atomic_operate(const struct bc_mem *m, char *p, uint64_t v, uint64_t compare,
                           bool *changed)
{
    if (m->kind == BC_ATOMIC_LOAD) return OF_SIZE(LOAD);
    return m->kind == BC_ATOMIC_STORE ? OF_SIZE(STORE) : OF_SIZE(RMW);
}
