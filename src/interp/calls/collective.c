// SPDX-License-Identifier: MIT
// Computes the results of collectives of a work-group or a sub-group, for the interpreter
// (sys_collective.c) and for machine code.
#include "interp/calls/collective.h"

#include <math.h>
#include <string.h>

static uint64_t ones_of(unsigned size) { return size == 8 ? ~0ull : (1ull << 8 * size) - 1; }
static int64_t sign_extended(uint64_t v, unsigned size)
{
    return (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size);
}

static uint64_t bits_of(double x, unsigned size)
{
    uint64_t r = 0;
    const float f = (float)x;
    memcpy(&r, size == 4 ? (const void *)&f : &x, size);
    return r;
}
static float float_of(uint64_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t combine_float(enum bc_combine op, bool wide, uint64_t x, uint64_t y)
{
    if (!wide) { // each step rounds to float
        const float a = float_of(x), b = float_of(y);
        const float r = op == BC_COM_ADD   ? a + b
                        : op == BC_COM_MUL ? a * b
                        : op == BC_COM_MIN ? fminf(a, b)
                                           : fmaxf(a, b);
        return bits_of((double)r, 4);
    }
    const double a = double_of(x), b = double_of(y);
    return bits_of(op == BC_COM_ADD   ? a + b
                   : op == BC_COM_MUL ? a * b
                   : op == BC_COM_MIN ? fmin(a, b)
                                      : fmax(a, b),
                   8);
}

uint64_t vm_combine(const struct vm_collective *q, uint64_t x, uint64_t y)
{
    const enum bc_combine op = (enum bc_combine)q->combine;
    const unsigned size = bc_type_size((enum bc_type)q->type);
    if (q->type >= BC_F32 && op <= BC_COM_MAX) return combine_float(op, q->type == BC_F64, x, y);
    const bool less = op == BC_COM_UMIN || op == BC_COM_UMAX
                          ? x < y
                          : sign_extended(x, size) < sign_extended(y, size);
    switch (op) {
    case BC_COM_ADD: return (x + y) & ones_of(size);
    case BC_COM_MUL: return (x * y) & ones_of(size);
    case BC_COM_MIN:
    case BC_COM_UMIN: return less ? x : y;
    case BC_COM_MAX:
    case BC_COM_UMAX: return less ? y : x;
    case BC_COM_AND: return x & y;
    case BC_COM_OR: return x | y;
    case BC_COM_XOR: return x ^ y;
    case BC_COM_LOGICAL_AND: return x && y;
    case BC_COM_LOGICAL_OR: return x || y;
    default: return !x != !y;
    }
}

// The identity element: the combination of no values.
uint64_t vm_combine_identity(const struct vm_collective *q)
{
    const unsigned size = bc_type_size((enum bc_type)q->type);
    const bool flt = q->type >= BC_F32;
    switch ((enum bc_combine)q->combine) {
    case BC_COM_MUL: return flt ? bits_of(1, size) : 1;
    case BC_COM_MIN: return flt ? bits_of(INFINITY, size) : ones_of(size) >> 1;
    case BC_COM_MAX: return flt ? bits_of(-INFINITY, size) : 1ull << (8 * size - 1);
    case BC_COM_UMIN:
    case BC_COM_AND: return ones_of(size);
    case BC_COM_LOGICAL_AND: return 1;
    default: return 0;
    }
}

uint64_t vm_combined(const struct vm_collective *q, const uint64_t *v, uint32_t n)
{
    uint64_t r = vm_combine_identity(q);
    if (q->what == BC_COL_REDUCE) {
        for (uint32_t i = 0; i < n; i++) r = i ? vm_combine(q, r, v[i]) : v[0];
        return r;
    }
    r = q->what == BC_COL_ALL;
    for (uint32_t i = 0; i < n; i++) r = q->what == BC_COL_ALL ? r && v[i] : r || v[i];
    return r;
}

// ---- sub-groups

static void scan(const struct vm_collective *q, struct vm_sub_group *s)
{
    const uint32_t cluster = s->cluster && s->cluster < s->size ? (uint32_t)s->cluster : s->size;
    for (uint32_t at = 0; at < s->size; at += cluster) {
        const uint32_t end = at + cluster < s->size ? at + cluster : s->size;
        uint64_t sum = vm_combine_identity(q);
        bool any = false;
        for (uint32_t i = at; i < end; i++) {
            if (!s->active[i]) continue;
            const uint64_t next = any ? vm_combine(q, sum, s->v[i]) : s->v[i];
            s->r[i] = q->what == BC_COL_INCLUSIVE ? next : sum;
            sum = next;
            any = true;
        }
        for (uint32_t i = at; i < end && q->what == BC_COL_REDUCE; i++) s->r[i] = sum;
    }
}

// The lane whose value lane i gets.
static uint64_t source(const struct vm_collective *q, const struct vm_sub_group *s, uint32_t i)
{
    const uint64_t by = s->by[i];
    switch ((enum bc_collect)q->what) {
    case BC_COL_SHUFFLE_XOR: return i ^ by;
    case BC_COL_SHUFFLE_UP: return i - by;
    case BC_COL_SHUFFLE_DOWN: return i + by;
    case BC_COL_ROTATE: {
        const uint64_t whole = q->has_cluster ? s->cluster : s->whole;
        return whole ? i / whole * whole + (i + by) % whole : i;
    }
    default: return by;
    }
}

uint32_t vm_sub_group_source(const struct vm_collective *q, const struct vm_sub_group *s,
                             uint32_t i)
{
    uint64_t k = 0;
    if (q->what != BC_COL_FIRST) k = source(q, s, i);
    else
        while (!s->active[k]) k++;
    return k < s->size && s->active[k] ? (uint32_t)k : s->size;
}

static void exchange(const struct vm_collective *q, struct vm_sub_group *s)
{
    for (uint32_t i = 0; i < s->size; i++) {
        if (!s->active[i]) continue;
        const uint32_t k = vm_sub_group_source(q, s, i);
        s->r[i] = k < s->size ? s->v[k] : 0;
    }
}

static void vote(const struct vm_collective *q, struct vm_sub_group *s)
{
    uint64_t all = 1, any = 0, ballot = 0, same = 1, first = s->size,
             size = bc_type_size((enum bc_type)q->type);
    for (uint32_t i = s->size; i-- > 0;) {
        if (!s->active[i]) continue;
        all &= s->v[i] != 0;
        any |= s->v[i] != 0;
        ballot |= (uint64_t)(s->v[i] != 0) << i;
        if (first < s->size)
            same &= q->type < BC_F32 ? s->v[i] == s->v[first]
                    : size == 4      ? float_of(s->v[i]) == float_of(s->v[first])
                                     : double_of(s->v[i]) == double_of(s->v[first]);
        first = i;
    }
    for (uint32_t i = 0; i < s->size; i++)
        s->r[i] = q->what == BC_COL_ALL         ? all
                  : q->what == BC_COL_ANY       ? any
                  : q->what == BC_COL_ALL_EQUAL ? same
                  : q->what == BC_COL_ELECT     ? i == first
                                                : ballot;
}

void vm_sub_group_collect(const struct vm_collective *q, struct vm_sub_group *s)
{
    switch ((enum bc_collect)q->what) {
    case BC_COL_REDUCE:
    case BC_COL_INCLUSIVE:
    case BC_COL_EXCLUSIVE: scan(q, s); break;
    case BC_COL_ALL:
    case BC_COL_ANY:
    case BC_COL_ALL_EQUAL:
    case BC_COL_ELECT:
    case BC_COL_BALLOT: vote(q, s); break;
    default: exchange(q, s);
    }
}
