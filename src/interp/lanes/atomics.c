// SPDX-License-Identifier: MIT
// Atomics of a whole gang, vectorized: integers in memory that is not private, all lanes in bounds.
// Compiled once for each instruction set. The rest goes lane by lane (sys_atomic.c).
//
// Lanes at one location perform one atomic with the combined value (aggregated atomics), and each
// lane gets the value after the lanes before it. Lanes at distinct locations are a plain loop:
// local memory and the worker's private copies (privatized_reduction.h) belong to the thread and
// need no atomic instruction; memory that several groups share is changed by atomic instructions of
// the host. A minimum or maximum that changes nothing is a load, which is not observable.
#include "interp/calls/sys.h"
#include "interp/core/access_watch.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/lanes/access_plan.h"
#include "interp/launch/worker.h"

/** The lanes' operands: v[i * step] for lane i. */
struct lanes {
    const void *v, *compare;
    uint32_t step, compare_step;
    const uint32_t *e; // elements
    const uint8_t *mask;
    uint32_t n;
    bool all;        // n of them, all active
    void *old;       // the old value for each lane, or NULL
    uint8_t *failed; // of compare-exchange: 0xff where the comparison failed; or NULL
};

#define EACH_LANE(l, i)                                                                            \
    for (uint32_t c_ = 0; c_ < (l)->n; c_ += 8)                                                    \
        for (uint64_t m_ = *(const uint64_t *)((l)->mask + c_) & 0x0101010101010101u, i; m_;       \
             m_ &= m_ - 1)                                                                         \
            if ((i = c_ + ((uint64_t)__builtin_ctzll(m_) >> 3), true))

// The new value, from the old value o and the operand v.
#define NEW_ADD(T, S, o, v)  ((T)((o) + (v)))
#define NEW_SUB(T, S, o, v)  ((T)((o) - (v)))
#define NEW_AND(T, S, o, v)  ((T)((o) & (v)))
#define NEW_OR(T, S, o, v)   ((T)((o) | (v)))
#define NEW_XOR(T, S, o, v)  ((T)((o) ^ (v)))
#define NEW_XCHG(T, S, o, v) (v)
#define NEW_SMIN(T, S, o, v) ((S)(o) < (S)(v) ? (o) : (v))
#define NEW_SMAX(T, S, o, v) ((S)(o) > (S)(v) ? (o) : (v))
#define NEW_UMIN(T, S, o, v) ((o) < (v) ? (o) : (v))
#define NEW_UMAX(T, S, o, v) ((o) > (v) ? (o) : (v))

#define HOST_ADD(T, S, p, v)  __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define HOST_SUB(T, S, p, v)  __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST)
#define HOST_AND(T, S, p, v)  __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST)
#define HOST_OR(T, S, p, v)   __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)
#define HOST_XOR(T, S, p, v)  __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST)
#define HOST_XCHG(T, S, p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define HOST_CHANGE(NEW, T, S, p, v)                                                               \
    ({                                                                                             \
        T was_ = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                             \
        while (NEW(T, S, was_, v) != was_ &&                                                       \
               !__atomic_compare_exchange_n(p, &was_, NEW(T, S, was_, v), false, __ATOMIC_SEQ_CST, \
                                            __ATOMIC_SEQ_CST)) {}                                  \
        was_;                                                                                      \
    })
#define HOST_SMIN(T, S, p, v) HOST_CHANGE(NEW_SMIN, T, S, p, v)
#define HOST_SMAX(T, S, p, v) HOST_CHANGE(NEW_SMAX, T, S, p, v)
#define HOST_UMIN(T, S, p, v) HOST_CHANGE(NEW_UMIN, T, S, p, v)
#define HOST_UMAX(T, S, p, v) HOST_CHANGE(NEW_UMAX, T, S, p, v)

// The operations, with their identity elements.
#define OPS(X, T, S, TOP)                                                                          \
    X(ADD, T, S, 0)                                                                                \
    X(SUB, T, S, 0)                                                                                \
    X(AND, T, S, (T) ~(T)0)                                                                        \
    X(OR, T, S, 0)                                                                                 \
    X(XOR, T, S, 0)                                                                                \
    X(SMIN, T, S, (T)(TOP - 1))                                                                    \
    X(SMAX, T, S, TOP)                                                                             \
    X(UMIN, T, S, (T) ~(T)0)                                                                       \
    X(UMAX, T, S, 0)

#define LOOPS(op, T, S, none)                                                                      \
    static void places_##op##_##T(T *base, const struct lanes *l, bool local)                      \
    {                                                                                              \
        const T *v = l->v;                                                                         \
        T *const old = l->old;                                                                     \
        const uint32_t *const e = l->e, step = l->step;                                            \
        if (local && l->all) {                                                                     \
            for (uint32_t i = 0; i < l->n; i++, v += step) {                                       \
                T *const p = base + (int32_t)e[i];                                                 \
                const T was = *p, x = *v;                                                          \
                *p = NEW_##op(T, S, was, x);                                                       \
                if (old) old[i] = was;                                                             \
            }                                                                                      \
        } else if (local) {                                                                        \
            EACH_LANE(l, i) {                                                                      \
                T *const p = base + (int32_t)e[i];                                                 \
                const T was = *p, x = v[i * step];                                                 \
                *p = NEW_##op(T, S, was, x);                                                       \
                if (old) old[i] = was;                                                             \
            }                                                                                      \
        } else if (old) {                                                                          \
            EACH_LANE(l, i) old[i] = HOST_##op(T, S, base + (int32_t)e[i], v[i * step]);           \
        } else {                                                                                   \
            EACH_LANE(l, i) (void)HOST_##op(T, S, base + (int32_t)e[i], v[i * step]);              \
        }                                                                                          \
    }
// At one location: the combined operation, then the old value of each lane.
#define ALONE(op, T, S, none)                                                                      \
    static void place_##op##_##T(T *p, const struct lanes *l)                                      \
    {                                                                                              \
        const T *v = l->v;                                                                         \
        T *const old = l->old;                                                                     \
        const uint32_t step = l->step;                                                             \
        T all = none;                                                                              \
        if (l->all && !old && step) {                                                              \
            for (uint32_t i = 0; i < (l->n & ~(VM_PAD - 1u)); i++)                                 \
                all = JOIN_##op(T, S, all, v[i]);                                                  \
        } else                                                                                     \
            EACH_LANE(l, i) {                                                                      \
                const T x = v[i * step]; /* the result may be the operand's register */            \
                if (old) old[i] = all;                                                             \
                all = JOIN_##op(T, S, all, x);                                                     \
            }                                                                                      \
        const T was = HOST_##op(T, S, p, all);                                                     \
        if (old)                                                                                   \
            EACH_LANE(l, i) old[i] = NEW_##op(T, S, was, old[i]);                                  \
    }
#define JOIN_ADD  NEW_ADD
#define JOIN_SUB  NEW_ADD // subtrahends add up
#define JOIN_AND  NEW_AND
#define JOIN_OR   NEW_OR
#define JOIN_XOR  NEW_XOR
#define JOIN_SMIN NEW_SMIN
#define JOIN_SMAX NEW_SMAX
#define JOIN_UMIN NEW_UMIN
#define JOIN_UMAX NEW_UMAX

OPS(LOOPS, uint32_t, int32_t, 0x80000000u)
OPS(LOOPS, uint64_t, int64_t, 0x8000000000000000u)
OPS(ALONE, uint32_t, int32_t, 0x80000000u)
OPS(ALONE, uint64_t, int64_t, 0x8000000000000000u)
LOOPS(XCHG, uint32_t, int32_t, 0)
LOOPS(XCHG, uint64_t, int64_t, 0)

#define EXCHANGE(T)                                                                                \
    static void compare_exchange_##T(T *base, const struct lanes *l, bool local)                   \
    {                                                                                              \
        const T *v = l->v, *compare = l->compare;                                                  \
        T *const old = l->old;                                                                     \
        EACH_LANE(l, i) {                                                                          \
            T *const p = base + (int32_t)l->e[i], want = compare[i * l->compare_step],             \
                     x = v[i * l->step];                                                           \
            T was = want;                                                                          \
            if (local) {                                                                           \
                was = *p;                                                                          \
                if (was == want) *p = x;                                                           \
            } else {                                                                               \
                __atomic_compare_exchange_n(p, &was, x, false, __ATOMIC_SEQ_CST,                   \
                                            __ATOMIC_SEQ_CST);                                     \
            }                                                                                      \
            if (old) old[i] = was;                                                                 \
            if (l->failed) l->failed[i] = was == want ? 0 : 0xff;                                  \
        }                                                                                          \
    }
EXCHANGE(uint32_t)
EXCHANGE(uint64_t)

#define RUN(T, S)                                                                                  \
    static void run_##T(T *base, const struct lanes *l, unsigned op, bool local, bool one)         \
    {                                                                                              \
        switch ((enum bc_atomic_op)op) {                                                           \
            CASES(T)                                                                               \
        case BC_XCHG: places_XCHG_##T(base, l, local); break;                                      \
        case BC_CMPXCHG: compare_exchange_##T(base, l, local); break;                              \
        default: break;                                                                            \
        }                                                                                          \
    }
#define CASE(op, T)                                                                                \
    case BC_ATOMIC_##op:                                                                           \
        if (one) place_##op##_##T(base + (int32_t)l->e[0], l);                                     \
        else places_##op##_##T(base, l, local);                                                    \
        break;
#define CASES(T)                                                                                   \
    CASE(ADD, T)                                                                                   \
    CASE(SUB, T)                                                                                   \
    CASE(AND, T) CASE(OR, T) CASE(XOR, T) CASE(SMIN, T) CASE(SMAX, T) CASE(UMIN, T) CASE(UMAX, T)
RUN(uint32_t, int32_t)
RUN(uint64_t, int64_t)

/** Computes the element numbers of all lanes. Are those of the active lanes all equal? */
INLINE bool one_place(struct vm_gang *g, const struct plan *pl, uint32_t *e)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), c0 = pl->c0, step = pl->step;
    const uint32_t *idx = ALIGNED(pl->idx);
    const uint8_t *mask = ALIGNED(g->mask);
    const uint8_t *const active = memchr(g->mask, 0xff, n);
    if (!active) return false;
    const uint32_t first = c0 + idx[active - g->mask] * step;
    uint32_t differ = 0;
    e = ALIGNED(e);
    LANES for (uint32_t i = 0; i < n; i++)
    {
        const uint32_t k = c0 + idx[i] * step;
        differ |= (k ^ first) & (0 - (uint32_t)(mask[i] & 1));
        e[i] = k;
    }
    if (!differ) e[0] = first;
    return !differ;
}

/** Are the elements of all active lanes below `end`? `one`: all are equal to the first lane's. */
INLINE bool all_below(const struct vm_gang *g, uint32_t end, bool one)
{
    const uint32_t n = g->n & ~(VM_PAD - 1u), *e = ALIGNED(g->elements);
    const uint8_t *mask = ALIGNED(g->mask);
    uint32_t out = 0;
    if (one) return e[0] < end;
    LANES for (uint32_t i = 0; i < n; i++) out |= (uint32_t)(e[i] >= end) & mask[i];
    return !out;
}

/** Like atomic_add(p, 0), which only reads. */
INLINE bool changes_nothing(const struct lanes *l, const struct bc_mem *m)
{
    const bool adds = m->atomic_op == BC_ATOMIC_ADD || m->atomic_op == BC_ATOMIC_SUB ||
                      m->atomic_op == BC_ATOMIC_OR || m->atomic_op == BC_ATOMIC_XOR;
    return adds && !l->step && !(m->elem == 8 ? *(const uint64_t *)l->v : *(const uint32_t *)l->v);
}

/** After a compare-exchange of g->elements: lanes whose comparison failed only loaded. */
INLINE void watch_exchange(struct vm_gang *g, const struct vm_access *x, const struct vm_object *o,
                           const uint8_t *failed)
{
    const struct plan pl = {.o = o, .idx = g->elements, .step = 1};
    const uint8_t *const mask = g->mask;
    const uint32_t nactive = g->nactive;
    for (unsigned stores = 0; stores < 2; stores++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < g->n; i++) {
            g->spare_mask[i] = mask[i] & (stores ? ~failed[i] : failed[i]);
            n += g->spare_mask[i] & 1;
        }
        g->mask = g->spare_mask;
        g->nactive = n;
        g->row_mask = NULL; // invalidates the cached facts about the mask
        if (n) watch_plan(g, x, &pl, stores, active_lanes(g));
    }
    g->row_mask = NULL;
    g->mask = mask;
    g->nactive = nactive;
}

vm_handler CAT(vm_atomic_, VM_ISA);
const struct vm_insn *CAT(vm_atomic_, VM_ISA)(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const struct bc_mem *m = x->m;
    const uint16_t values = x->val_varying;
    if (m->kind != BC_ATOMIC_RMW || m->atomic_op >= BC_ATOMIC_FADD || x->elog < 2 ||
        vm_asks_for_change(g) || g->code->synchronizes || (x->wants_old && !(values & 1)))
        return vm_op_atomic(g, ip);
    const struct vm_object *o;
    char *base;
    bool one = true;
    struct plan pl;
    int64_t off;
    const bool may_load = vm_may_only_load(m); // known only afterwards
    if (!x->base_varying && !x->index_varying && uniform_place(g, x, true, &o, &off)) {
        if (o->flags & VM_WRITE_ONLY) return vm_op_atomic(g, ip);
        if (o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL) && !may_load)
            vm_watch(g, x, o, true, RACE_UNIFORM, (uint64_t)off);
        base = o->base;
        g->elements[0] = (uint32_t)(off >> x->elog);
    } else {
        const bool right = x->base_varying || x->index_varying ? plan(g, x, true, true, false, &pl)
                                                               : plan_one_of_each(g, x, true, &pl);
        if (!right || pl.o->kind == VM_OBJ_PRIVATE || pl.o->flags & VM_WRITE_ONLY)
            return vm_op_atomic(g, ip);
        if (!may_load) watch_plan(g, x, &pl, true, active_lanes(g));
        o = pl.o;
        base = pl.base;
        one = one_place(g, &pl, g->elements);
    }
    uint8_t failed[VM_MAX_WIDTH];
    const bool watched = may_load && o->flags & (VM_WATCH_LOCAL | VM_WATCH_GLOBAL);
    if (watched) memset(failed, 0, g->n);
    const struct lanes l = {.failed = watched ? failed : NULL,
                            .v = g->r + x->val[1],
                            .step = values >> 1 & 1,
                            .compare = g->r + x->val[2],
                            .compare_step = values >> 2 & 1,
                            .e = g->elements,
                            .mask = g->mask,
                            .n = g->n,
                            .all = g->nactive == g->n,
                            .old = x->wants_old ? g->r + x->val[0] : NULL};
    const bool local = o->kind == VM_OBJ_LOCAL,
               privatized = o->privatized && all_below(g, o->nprivatized, one);
    const bool alone = local || privatized;
    if (privatized) base = o->privatized;
    if (!local && !changes_nothing(&l, m)) *g->worker_changed = true;
    // lanes at one location without a combined form are executed as separate lanes
    const bool joins = one && m->atomic_op != BC_XCHG && m->atomic_op != BC_CMPXCHG;
    if (one && !joins)
        for (uint32_t i = g->n; i-- > 0;) g->elements[i] = g->elements[0];
    if (x->elog == 2) run_uint32_t((uint32_t *)base, &l, m->atomic_op, alone, joins);
    else run_uint64_t((uint64_t *)base, &l, m->atomic_op, alone, joins);
    if (watched) watch_exchange(g, x, o, failed);
    return ip + 1;
}
