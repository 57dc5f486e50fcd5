// SPDX-License-Identifier: MIT
// Barriers that not all work-items of a group reach alike: who is where.
#include "base/str.h"
#include "check/place.h"

#include <string.h>

/** "0..7, 9" or, in more dimensions, "(0,0)..(7,0), (0,2)"; at most a few ranges. */
static const char *ranges(const struct chk_launch *l, const struct chk_divergence *d, const uint8_t *members, struct arena *a)
{
    enum { MAX_RANGES = 6 };
    struct str s = {0};
    unsigned n = 0;
    for (uint32_t i = 0; i < d->items; i++) {
        if (!members[i]) continue;
        uint32_t end = i;
        while (end + 1 < d->items && members[end + 1])
            end++;
        if (++n > MAX_RANGES) {
            str_put(&s, ", …");
            break;
        }
        if (n > 1) str_put(&s, ", ");
        for (int k = 0; k < (end > i ? 2 : 1); k++) {
            const uint32_t item = k ? end : i, x = item % d->shape[0], y = item / d->shape[0] % d->shape[1],
                           z = item / d->shape[0] / d->shape[1];
            if (k) str_put(&s, "..");
            if (l->dims == 1) str_printf(&s, "%u", x);
            else if (l->dims == 2) str_printf(&s, "(%u,%u)", x, y);
            else str_printf(&s, "(%u,%u,%u)", x, y, z);
        }
        i = end;
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    return text;
}

static const char *party_note(const struct chk_launch *l, const struct chk_divergence *d, const struct chk_party *p, bool iterations,
                              struct arena *a)
{
    const char *who = ranges(l, d, p->members, a);
    const char *plural = p->count == 1 ? "work-item" : "work-items";
    if (!p->at_barrier)
        return arena_printf(a, "%u %s of %u (local %s) %s returned from the kernel", p->count, plural, d->items, who,
                            p->count == 1 ? "has" : "have");
    const char *at = chk_loc_text(l, a, p->loc);
    const char *what = arena_printf(a, "%u %s of %u (local %s) %s at the barrier%s%s", p->count, plural, d->items, who,
                                    p->count == 1 ? "is" : "are", at ? " at " : "", at ? at : "");
    if (!iterations || !p->nloops) return what;
    struct str s = {0};
    for (unsigned i = 0; i < p->nloops; i++) {
        const char *loop = chk_loc_text(l, a, p->loop_locs[i]);
        str_printf(&s, "%s iteration %u of the loop%s%s", i ? "," : "", p->iterations[i] + 1, loop ? " at " : "", loop ? loop : "");
    }
    what = arena_printf(a, "%s, in%s", what, str_text(&s));
    str_deinit(&s);
    return what;
}

void chk_report_divergence(const struct chk_launch *l, const struct chk_divergence *d)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_BARRIER_DIVERGENCE);
    bool same_place = true, returned = false;
    for (unsigned i = 0; i < d->nparties; i++) {
        returned |= !d->parties[i].at_barrier;
        same_place &= d->parties[i].at_barrier && d->parties[i].loc == d->parties[0].loc;
    }
    out.title = same_place ? "work-items of a group reach this barrier in different iterations"
                : returned ? "barrier not reached by all work-items of the group"
                           : "work-items of a group wait at different barriers";
    for (unsigned i = 0; i < d->nparties; i++) {
        const struct chk_party *p = &d->parties[i];
        if (p->at_barrier && out.nsides < REP_MAX_SIDES)
            out.sides[out.nsides++] = (struct rep_side){chk_place(l, a, (struct chk_where){p->loc, NULL, 0}),
                                                        chk_rep_item(l, (struct chk_item){d->group, p->first}), "reached"};
        chk_note(&out, party_note(l, d, p, same_place || !returned, a));
        if (same_place && out.nsides == 1 && i) out.nsides = 1;
    }
    if (same_place) out.nsides = 1;
    out.group_linear = d->group;
    if (l->rep) rep_add(l->rep, &out);
    arena_deinit(a);
}

void chk_report_barrier_flags(const struct chk_launch *l, uint32_t loc, struct chk_item x, struct chk_item y)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_BARRIER_DIVERGENCE);
    const struct rep_place place = chk_place(l, a, (struct chk_where){loc, NULL, 0});
    out.mild = true;
    out.title = "the flags of this barrier differ between work-items";
    out.sides[0] = (struct rep_side){place, chk_rep_item(l, x), "reached with one value of the flags"};
    out.sides[1] = (struct rep_side){place, chk_rep_item(l, y), "reached with another"};
    out.nsides = 2;
    out.group_linear = x.group;
    if (l->rep) rep_add(l->rep, &out);
    arena_deinit(a);
}
