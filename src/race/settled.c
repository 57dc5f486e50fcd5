// SPDX-License-Identifier: MIT
// Accesses to global memory that change nothing. `c[i] += …` in a loop reads and writes the same
// place in each round, by the same lanes: from the third round on all stamps are there, and that
// values differed is known. What an access leaves in a shadow follows from the access (but for
// values, which no work-item asks for then), from what is there, and from the interval. So while
// nothing has changed in a shadow since, an access that came before and changed nothing does so
// again, and one comparison is all that it needs.
#include "race/call.h"

/** Of one shadow, since something changed in it. */
struct race_settled {
    uint64_t current; // the interval, and the generation of stamps
    uint32_t state;
    uint32_t n, next; // so many are kept; which one is likely to come next
    struct race_settled_call {
        struct race_call call;
        unsigned object;
        bool masked;
        uint8_t mask[SETTLED_LANES];
    } of[SETTLED_CALLS];
};

static bool is_call(const struct race_settled_call *a, const struct race_call *c,
                    const struct race_op *op)
{
    if (!race_is_same(&a->call, c) || a->object != op->object || a->masked != (op->mask != NULL))
        return false;
    return !a->masked || !memcmp(a->mask, op->mask, op->n);
}

bool settled_knows(const struct race_worker *w, struct race_shadow *s, const struct race_op *op)
{
    struct race_settled *const x = s->settled;
    struct race_call c;
    if (!x || !x->n || x->current != w->global.current || x->state != w->state ||
        !race_call_of(op, &c))
        return false;
    for (uint32_t i = 0, k = x->next; i < x->n; i++, k++) {
        k = k < x->n ? k : 0;
        if (!is_call(&x->of[k], &c, op)) continue;
        x->next = k + 1;
        return true;
    }
    return false;
}

void settled_note(const struct race_worker *w, struct race_shadow *s, const struct race_op *op,
                  bool changed)
{
    struct race_settled *x = s->settled;
    struct race_call c;
    if (changed) {
        if (x) x->n = 0;
        return;
    }
    if (op->n > SETTLED_LANES || !race_call_of(op, &c)) return;
    if (!x) x = s->settled = mem_alloc(sizeof *x);
    if (x->current != w->global.current || x->state != w->state) x->n = 0;
    if (x->n == SETTLED_CALLS) return;
    x->current = w->global.current;
    x->state = w->state;
    struct race_settled_call *const to = &x->of[x->n++];
    to->call = c;
    to->object = op->object;
    to->masked = op->mask != NULL;
    if (op->mask) memcpy(to->mask, op->mask, op->n);
}
