// SPDX-License-Identifier: MIT
// The shadows of objects, which are made at the first access, and the size of their cells.
#include "race/shadow.h"

struct race_shadow *race_shadow_of(struct race_worker *w, unsigned object)
{
    struct race_launch *l = w->launch;
    const struct race_watch *o = &l->watch[object];
    const struct race_root *r = o->is_local ? &l->locals.data[o->index1 - 1]
                                            : &l->roots.data[o->index1 - 1];
    struct race_shadow *s = o->is_local ? &w->locals[o->index1 - 1] : &w->globals[o->index1 - 1];
    if (s->bytes) return s;
    if (!r->size) return NULL;
    const struct shadow_kind kind = {.wide = l->wide,
                                     .is_global = !o->is_local,
                                     .compress_always = l->c.compress_always,
                                     .first = o->is_local ? 0 : w->first,
                                     .worker = w->index};
    if (s->refused || !shadow_init(s, r, &kind)) {
        w->cut = true;
        return NULL;
    }
    s->serial = (o->index1 - 1) * 2 + !o->is_local;
    s->wide_keys = l->wide_keys && !o->is_local;
    return s;
}

bool race_fit(struct race_worker *w, struct race_shadow *s, uint64_t bits)
{
    if (!(bits & ((1u << s->granularity_shift) - 1))) return true;
    if (!s->state) {
        struct race_log *const log = &w->logs[s->serial / 2];
        trace_part(log);
        if (log->n) w->launch->spill(w, s);
        trace_forget(log);
    }
    if (!shadow_refine(s, (unsigned)__builtin_ctzll(bits))) {
        w->cut = true;
        return false;
    }
    same_refined(w, s);
    spill_refined(w, s);
    if (s->state) __atomic_store_n(&w->launch->refined, true, __ATOMIC_RELAXED);
    return true;
}

void race_show_interval(struct race_worker *w, unsigned local, uint64_t first, uint64_t end)
{
    struct race_log *log = &w->logs[local];
    trace_part(log);
    const unsigned shift = w->locals[local].granularity_shift;
    if (log->n && first >> shift <= log->high && (end - 1) >> shift >= log->low)
        w->launch->spill(w, &w->locals[local]);
}
