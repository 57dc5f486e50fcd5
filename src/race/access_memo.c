// SPDX-License-Identifier: MIT
// Access memo for global memory: accesses that change nothing in the shadow. `c[i] += …` in a loop
// accesses the same locations in each iteration, with the same lanes: from the third iteration on,
// all stamps are in place. The effect of an access on a shadow follows from the access, the shadow
// and the interval (values are no longer compared then). While a shadow does not change, an access
// that changed nothing before changes nothing again, and one comparison checks it.
#include "race/call.h"

/** The memo of one shadow. Every change of the shadow empties it. */
struct race_memo {
    uint64_t current; // the interval, and the generation of stamps
    uint32_t state;
    uint32_t n, next; // number of calls; index of the one expected next
    struct race_memo_call {
        struct race_call call;
        unsigned object;
        bool masked;
        uint8_t mask[MEMO_LANES];
    } of[MEMO_CALLS];
};

static bool is_call(const struct race_memo_call *a, const struct race_call *c,
                    const struct race_op *op)
{
    if (!race_call_equals(&a->call, c) || a->object != op->object ||
        a->masked != (op->mask != NULL))
        return false;
    return !a->masked || !memcmp(a->mask, op->mask, op->n);
}

bool memo_knows(const struct race_worker *w, struct race_shadow *s, const struct race_op *op)
{
    struct race_memo *const x = s->memo;
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

void memo_note(const struct race_worker *w, struct race_shadow *s, const struct race_op *op,
               bool changed)
{
    struct race_memo *x = s->memo;
    struct race_call c;
    if (changed) {
        if (x) x->n = 0;
        return;
    }
    if (op->n > MEMO_LANES || !race_call_of(op, &c)) return;
    if (!x) x = s->memo = mem_alloc(sizeof *x);
    if (x->current != w->global.current || x->state != w->state) x->n = 0;
    if (x->n == MEMO_CALLS) return;
    x->current = w->global.current;
    x->state = w->state;
    struct race_memo_call *const to = &x->of[x->n++];
    to->call = c;
    to->object = op->object;
    to->masked = op->mask != NULL;
    if (op->mask) memcpy(to->mask, op->mask, op->n);
}
