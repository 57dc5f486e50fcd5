// SPDX-License-Identifier: MIT
/*
 * Asynchronous copies. A copy reads and writes at any time between its begin and its wait, no
 * matter which barriers the group passes meanwhile, so no stamp can express its time. The check
 * treats it as an additional work-item, in a list while it is in flight:
 *
 *   begun      it is compared with the group's accesses since the last fence (exact_look), and with
 *              the other copies in the list;
 *   in flight  all accesses of work-items are compared with it, in whatever interval;
 *   waited for it leaves the list, and orders nothing else: the wait does not order the accesses of
 *              work-items before it and after it.
 *
 * Within its group, nothing of the copy remains then. In global memory other groups still race with
 * it, so it leaves stamps there, of an epoch that the group began with (race_space.live) and that
 * is before all accesses of its work-items.
 */
#include "race/shadow.h"

/** The location of a side of a copy in its root. */
struct where {
    const struct race_watch *watch;
    uint64_t first, end; // bytes
};

static bool find(const struct race_worker *w, const struct race_copy_side *s, struct where *at)
{
    const struct race_watch *o = &w->launch->watch[s->object];
    if (!o->index1 || !s->count) return false;
    const uint64_t first = s->offset + o->offset;
    *at = (struct where){
        .watch = o, .first = first, .end = first + (s->count - 1) * s->step + s->size};
    return true;
}

static bool is_same_memory(const struct race_watch *a, const struct race_watch *b)
{
    return a->is_local == b->is_local && a->index1 == b->index1;
}

/**
 * The part of the side's first element that lies in bytes [*from, *to). False: none does.
 */
static bool next_part(const struct race_copy_side *s, const struct where *at, uint64_t *from,
                      uint64_t *to)
{
    if (*from < at->first) *from = at->first;
    if (*to > at->end) *to = at->end;
    if (s->step != s->size && *from < *to) {
        uint64_t element = at->first + (*from - at->first) / s->step * s->step;
        if (*from >= element + s->size) *from = element += s->step;
        if (*to > element + s->size) *to = element + s->size;
    }
    return *from < *to;
}

static struct race_access access_of(const struct race_worker *w, const struct race_space *sp,
                                    const struct race_copy_side *s, bool is_write)
{
    return (struct race_access){.site = s->site,
                                .group = w->group,
                                .item = w->launch->c.group_items,
                                .is_write = is_write,
                                .barriers = sp->epoch - sp->born};
}

/** Bytes [from, to) of a root, and an access of them. */
struct accessed {
    uint64_t from, to;
    unsigned object;
    struct race_access by;
};

/** Reports a race where the access overlaps with a side of a copy in flight. */
static void report_overlap(struct race_worker *w, const struct race_copy_side *s,
                           const struct where *at, bool is_write, const struct accessed *x)
{
    const struct race_space *sp = at->watch->is_local ? &w->local : &w->global;
    for (uint64_t a = x->from, b = x->to; next_part(s, at, &a, &b); a = b, b = x->to)
        pairs_add(w->launch, &w->pairs,
                  &(struct race_pair){.verdict = RACE_DATA,
                                      .object = x->object,
                                      .offset = a - w->launch->watch[x->object].offset,
                                      .size = (unsigned)(b - a),
                                      .first = access_of(w, sp, s, is_write),
                                      .second = x->by,
                                      .count = 1,
                                      .barrier = w->barrier});
}

/** The bytes that the active lanes access lie in [*from, *to). */
static void range_of(const struct race_op *op, uint64_t *from, uint64_t *to)
{
    *from = UINT64_MAX;
    *to = 0;
    for (uint32_t i = 0; i < op->n; i++) {
        if (op->mask && !op->mask[i]) continue;
        const uint64_t at = race_offset_of(op, i);
        *from = at < *from ? at : *from;
        *to = at + op->size > *to ? at + op->size : *to;
        if (op->shape == RACE_UNIFORM) return;
    }
}

void copies_access(struct race_worker *w, const struct race_op *op)
{
    const struct race_watch *o = &w->launch->watch[op->object];
    const struct race_space *sp = o->is_local ? &w->local : &w->global;
    uint64_t from = 0, to = 0; // of all lanes; not known yet
    for (size_t k = 0; k < w->copies.len; k++)
        for (unsigned writes = !op->is_write; writes < 2; writes++) {
            const struct race_copy *c = &w->copies.data[k];
            const struct race_copy_side *s = writes ? &c->to : &c->from;
            struct where at;
            if (!find(w, s, &at) || !is_same_memory(at.watch, o)) continue;
            if (!to) range_of(op, &from, &to);
            if (from + o->offset >= at.end || to + o->offset <= at.first) continue;
            for (uint32_t i = 0; i < op->n; i++) {
                if (op->mask && !op->mask[i]) continue;
                const uint64_t a = race_offset_of(op, i) + o->offset;
                const struct accessed x = {.from = a,
                                           .to = a + op->size,
                                           .object = op->object,
                                           .by = {.site = op->site,
                                                  .group = w->group,
                                                  .item = op->first_item + i,
                                                  .is_write = op->is_write,
                                                  .is_atomic = op->is_atomic,
                                                  .barriers = sp->epoch - sp->born}};
                report_overlap(w, s, &at, writes, &x);
            }
        }
}

/** Visits the accesses of the copy, as a work-item's accesses of many elements each. */
static void each(struct race_worker *w, const struct race_copy_side *s, bool is_write,
                 struct race_shadow *shadow, exact_fn *fn)
{
    const struct race_watch *o = &w->launch->watch[s->object];
    const uint64_t row = s->step == s->size ? s->count : 1,
                   most = (1u << 30) / s->size; // elements in one access
    if (!race_fit(w, shadow, s->offset | s->step | s->size | o->offset)) return;
    for (uint64_t k = 0, n; k < s->count; k += n) {
        n = row < most ? row : most;
        if (n > s->count - k) n = s->count - k;
        const struct race_op op = {.site = s->site,
                                   .object = s->object,
                                   .is_write = is_write,
                                   .shape = RACE_UNIFORM,
                                   .size = (unsigned)(n * s->size),
                                   .offset0 = s->offset + k * s->step,
                                   .first_item = w->launch->c.group_items,
                                   .n = 1};
        fn(w, o->is_local ? &w->local : &w->global, shadow, &op, o->offset);
    }
}

static void look(struct race_worker *w, const struct race_copy_side *s, bool is_write,
                 uint32_t items)
{
    struct where at;
    if (!find(w, s, &at)) return;
    if (w->clocks) clocks_copy(w, s, is_write, items, false);
    struct race_shadow *const shadow = at.watch->is_local ? &w->locals[at.watch->index1 - 1]
                                                          : &w->globals[at.watch->index1 - 1];
    if (shadow->bytes && items > 1) {
        if (at.watch->is_local) race_show_interval(w, at.watch->index1 - 1, at.first, at.end);
        each(w, s, is_write, shadow, exact_look);
    }
    const struct race_space *sp = at.watch->is_local ? &w->local : &w->global;
    struct accessed self = {.object = s->object, .by = access_of(w, sp, s, is_write)};
    for (size_t i = 0; i < w->copies.len; i++)
        for (unsigned writes = !is_write; writes < 2; writes++) {
            const struct race_copy_side *other = writes ? &w->copies.data[i].to
                                                        : &w->copies.data[i].from;
            struct where there;
            if (!find(w, other, &there) || !is_same_memory(there.watch, at.watch)) continue;
            for (uint64_t k = 0; k < (s->step == s->size ? 1 : s->count); k++) {
                self.from = at.first + k * s->step;
                self.to = s->step == s->size ? at.end : self.from + s->size;
                report_overlap(w, other, &there, writes, &self);
            }
        }
}

void race_copy_begin(struct race_worker *w, const struct race_copy *c)
{
    if (w->copies.len == RACE_MAX_COPIES) {
        w->cut = true;
        return;
    }
    look(w, &c->from, false, c->items);
    look(w, &c->to, true, c->items);
    const struct race_watch *const to = &w->launch->watch[c->to.object];
    if (to->index1 && !to->is_local)
        __atomic_store_n(&w->launch->roots.data[to->index1 - 1].is_copied, true, __ATOMIC_RELAXED);
    vec_push(&w->copies, *c);
}

void race_copy_goes_on(struct race_worker *w, const struct race_copy *c)
{
    vec_push(&w->copies, *c);
}

static void leave(struct race_worker *w, const struct race_copy *c)
{
    const struct race_copy_side *const sides[] = {&c->from, &c->to};
    for (unsigned k = 0; k < 2; k++) {
        const struct race_watch *o = &w->launch->watch[sides[k]->object];
        if (w->clocks) {
            clocks_copy(w, sides[k], k, c->items, true);
            continue;
        }
        struct race_shadow *const s = o->index1 && !o->is_local && sides[k]->count
                                          ? race_shadow_of(w, sides[k]->object)
                                          : NULL;
        if (s && (k || shadow_need(s, P_R1, P_R2))) each(w, sides[k], k, s, exact_leave);
    }
}

void race_copy_end(struct race_worker *w, uint32_t id)
{
    size_t n = 0;
    for (size_t i = 0; i < w->copies.len; i++) {
        if (w->copies.data[i].id != id) {
            w->copies.data[n++] = w->copies.data[i];
            continue;
        }
        leave(w, &w->copies.data[i]);
        if (w->clocks) clocks_copy_ended(w);
    }
    w->copies.len = n;
}

void copies_left(struct race_worker *w)
{
    for (size_t i = 0; i < w->copies.len; i++) leave(w, &w->copies.data[i]);
    w->copies.len = 0;
}

void race_copies_forget(struct race_worker *w) { w->copies.len = 0; }
