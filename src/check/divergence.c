// SPDX-License-Identifier: MIT
// Barrier divergence: the location of each work-item of the group, and the branch at which they
// diverged.
#include "check/divergence.h"

#include "base/str.h"

#include <string.h>

static void put_range(struct str *s, uint32_t from, uint32_t to)
{
    if (from == to) str_printf(s, "%u", from);
    else str_printf(s, "%u..%u", from, to);
}

/** "0, 2, .., 14": members with equal gaps, if there are enough. */
static bool put_progression(struct str *s, const uint8_t *members, uint32_t n)
{
    enum { ENOUGH = 4 };
    uint32_t count = 0, first = 0, last = 0, gap = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!members[i]) continue;
        if (!count++) first = i;
        else if (!gap) gap = i - last;
        else if (i - last != gap) return false;
        last = i;
    }
    if (gap < 2 || count < ENOUGH) return false;
    str_printf(s, "%u, %u, .., %u", first, first + gap, last);
    return true;
}

/** A box of work-items: first index and size in each dimension. */
struct box {
    uint32_t at[3], size[3];
};

/** Are all work-items of the slice at `from` (box b with thickness 1 along k) members? */
static bool has_slice(const struct chk_divergence *d, const uint8_t *left, const struct box *b,
                      int k)
{
    struct box slice = *b;
    slice.at[k] += b->size[k];
    slice.size[k] = 1;
    for (uint32_t z = 0; z < slice.size[2]; z++)
        for (uint32_t y = 0; y < slice.size[1]; y++) {
            const uint8_t *row = left + slice.at[0] +
                                 d->shape[0] * (slice.at[1] + y + d->shape[1] * (slice.at[2] + z));
            if (memchr(row, 0, slice.size[0])) return false;
        }
    return true;
}

/**
 * The box of members that begins at work-item i, which are taken out of `left`. It grows along x,
 * then y, then z as long as all of it are members that no earlier box has.
 */
static struct box take_box(const struct chk_divergence *d, uint8_t *left, uint32_t i)
{
    const uint32_t *shape = d->shape;
    struct box b = {{i % shape[0], i / shape[0] % shape[1], i / shape[0] / shape[1]}, {1, 1, 1}};
    for (int k = 0; k < 3; k++)
        while (b.at[k] + b.size[k] < shape[k] && has_slice(d, left, &b, k)) b.size[k]++;
    for (uint32_t z = 0; z < b.size[2]; z++)
        for (uint32_t y = 0; y < b.size[1]; y++)
            memset(left + i + shape[0] * (y + shape[1] * z), 0, b.size[0]);
    return b;
}

/** "0..7, 9" or, in more dimensions, boxes: "(0..7,0..15), (0,16)"; at most a few. */
static const char *ranges(const struct chk_launch *l, const struct chk_divergence *d,
                          const uint8_t *members, struct arena *a)
{
    enum { MAX_RANGES = 6 };
    struct str s = {0};
    uint8_t *left = arena_dup(a, members, d->items);
    unsigned n = 0;
    if (l->dims == 1 && put_progression(&s, members, d->items)) left = NULL;
    for (uint32_t i = 0; left && i < d->items; i++) {
        if (!left[i]) continue;
        if (n++) str_put(&s, ", ");
        if (n > MAX_RANGES) {
            str_put(&s, "…");
            break;
        }
        const struct box b = take_box(d, left, i);
        if (l->dims > 1) str_put(&s, "(");
        for (unsigned k = 0; k < l->dims; k++) {
            if (k) str_put(&s, ",");
            put_range(&s, b.at[k], b.at[k] + b.size[k] - 1);
        }
        if (l->dims > 1) str_put(&s, ")");
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    return text;
}

const char *chk_items_text(const struct chk_launch *l, const struct chk_divergence *d,
                           const uint8_t *members, struct arena *a)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < d->items; i++) n += members[i];
    return arena_printf(a, "work-item%s %s", n == 1 ? "" : "s", ranges(l, d, members, a));
}

static const char *const things[] = {[BC_BAR_BARRIER] = "barrier",
                                     [BC_BAR_WAIT_GROUP_EVENTS] = "wait_group_events",
                                     [BC_BAR_ASYNC_COPY] = "async copy",
                                     [BC_BAR_COLLECTIVE] = "work-group function"};

static const char *party_note(const struct chk_launch *l, const struct chk_divergence *d,
                              const struct chk_party *p, bool calls, struct arena *a)
{
    const char *who = ranges(l, d, p->members, a);
    const char *plural = p->count == 1 ? "work-item" : "work-items";
    if (!p->at_barrier)
        return arena_printf(a, "%u %s of %u (local %s) %s returned from the kernel", p->count,
                            plural, d->items, who, p->count == 1 ? "has" : "have");
    const char *at = chk_loc_text(l, a, p->loc);
    const char *what = arena_printf(a, "%u %s of %u (local %s) %s at the %s%s%s", p->count, plural,
                                    d->items, who, p->count == 1 ? "is" : "are", things[p->kind],
                                    at ? " at " : "", at ? at : "");
    for (uint32_t call = calls ? l->module->locs[p->loc].inlined_at : 0; call;
         call = l->module->locs[call].inlined_at)
        if ((at = chk_loc_text(l, a, call))) what = arena_printf(a, "%s, called from %s", what, at);
    if (!p->nloops) return what;
    struct str s = {0};
    for (unsigned i = 0; i < p->nloops; i++) {
        const char *loop = chk_loc_text(l, a, p->loop_locs[i]);
        str_printf(&s, "%s iteration %u of the loop%s%s", i ? "," : "", p->iterations[i],
                   loop ? " at " : "", loop ? loop : "");
    }
    what = arena_printf(a, "%s, in%s", what, str_text(&s));
    str_deinit(&s);
    return what;
}

static bool same_line(const struct chk_launch *l, uint32_t x, uint32_t y)
{
    const struct bc_loc *a = &l->module->locs[x], *b = &l->module->locs[y];
    return a->file == b->file && a->line == b->line && a->col == b->col;
}

/** "0-31,40" */
static const char *all_items(const struct chk_divergence *d, const uint8_t *members,
                             struct arena *a)
{
    struct str s = {0};
    for (uint32_t i = 0; i < d->items; i++) {
        if (!members[i]) continue;
        uint32_t last = i;
        while (last + 1 < d->items && members[last + 1]) last++;
        str_printf(&s, "%s%u", s.len ? "," : "", i);
        if (last > i) str_printf(&s, "-%u", last);
        i = last;
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    return text;
}

static void put_party(const struct chk_launch *l, const struct chk_divergence *d,
                      const struct chk_party *p, struct rep_scene *scene, struct arena *a)
{
    const char *const at = p->at_barrier ? chk_loc_text(l, a, p->loc) : NULL;
    const char *where = !p->at_barrier ? "returned from the kernel"
                                       : arena_printf(a, "at the %s%s%s", things[p->kind],
                                                      at ? " at " : "", at ? at : "");
    if (p->at_barrier && p->nloops)
        where = arena_printf(a, "%s, iteration %u", where, p->iterations[0]);
    if (scene->nparties == REP_MAX_PARTIES) return;
    scene->parties[scene->nparties++] = (struct rep_party){where, all_items(d, p->members, a)};
}

static void put_branch(const struct chk_launch *l, const struct chk_divergence *d,
                       const struct chk_divergence_point *p, struct rep_scene *scene,
                       struct arena *a)
{
    const char *const what = chk_divergence_point_text(l, p, a);
    if (!what || scene->nbranches == REP_MAX_BRANCHES) return;
    scene->branches[scene->nbranches++] =
        (struct rep_branch){what, all_items(d, p->yes, a), all_items(d, p->no, a)};
}

/** The first branches; the pictures of the html report show all. */
static void put_branch_notes(const struct chk_launch *l, const struct chk_divergence *d,
                             struct rep_finding *out, struct arena *a)
{
    enum { MOST = 3 };
    for (unsigned i = 0; i < d->npoints && i < MOST; i++) {
        chk_note(out, chk_divergence_point_note(l, d, &d->partings[i], a));
        chk_note(out, chk_operands_note(l, d, &d->partings[i], a));
    }
    if (d->npoints <= MOST) return;
    const unsigned more = d->npoints - MOST;
    chk_note(out, arena_printf(a, "work-items also diverged at %u other branch%s", more,
                               more > 1 ? "es" : ""));
}

void chk_report_divergence(const struct chk_launch *l, const struct chk_divergence *d)
{
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_BARRIER_DIVERGENCE);
    bool same_place = true, same_source = true, returned = false;
    for (unsigned i = 0; i < d->nparties; i++) {
        returned |= !d->parties[i].at_barrier;
        same_place &= d->parties[i].at_barrier && d->parties[i].loc == d->parties[0].loc;
        same_source &= d->parties[i].at_barrier &&
                       same_line(l, d->parties[i].loc, d->parties[0].loc);
    }
    const bool calls = same_source && !same_place;
    const char *thing = things[d->parties[0].kind];
    out.title =
        same_place
            ? arena_printf(a, "work-items of a group reach this %s in different iterations", thing)
        : calls
            ? arena_printf(a, "work-items of a group reach this %s through different calls", thing)
        : returned ? arena_printf(a, "%s not reached by all work-items of the group", thing)
                   : "work-items of a group wait at different barriers";
    out.fix = same_place ? REP_FIX_ITERATIONS : calls ? REP_FIX_CALLS : REP_FIX_OF_KIND;
    for (unsigned i = 0; i < d->nparties; i++) {
        const struct chk_party *p = &d->parties[i];
        if (p->at_barrier && out.nsides < REP_MAX_SIDES)
            out.sides[out.nsides++] = (struct rep_side){
                chk_place(l, a, (struct chk_where){p->loc, NULL, 0}),
                chk_rep_item(l, (struct chk_item){d->group, p->first}), "reached"};
        chk_note(&out, party_note(l, d, p, calls, a));
        put_party(l, d, p, &out.scene, a);
        if (same_place && out.nsides == 1 && i) out.nsides = 1;
    }
    for (unsigned i = 0; i < d->npoints; i++) put_branch(l, d, &d->partings[i], &out.scene, a);
    put_branch_notes(l, d, &out, a);
    if (same_place) out.nsides = 1;
    out.group_linear = d->group;
    chk_report(l, &out);
    arena_deinit(a);
}

static const char *flags_text(uint64_t flags, struct arena *a)
{
    static const char *const names[] = {"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                        "CLK_IMAGE_MEM_FENCE"};
    const char *text = NULL;
    for (unsigned k = 0; k < 3; k++)
        if (flags >> k & 1) text = text ? arena_printf(a, "%s | %s", text, names[k]) : names[k];
    return text && flags < 8 ? text : arena_printf(a, "%llu", (unsigned long long)flags);
}

static const char *scope_text(uint64_t scope, struct arena *a)
{
    static const char *const names[] = {"memory_scope_work_item", "memory_scope_work_group",
                                        "memory_scope_device", "memory_scope_all_svm_devices",
                                        "memory_scope_sub_group"}; // as clang numbers them
    return scope < sizeof names / sizeof *names
               ? names[scope]
               : arena_printf(a, "scope %llu", (unsigned long long)scope);
}

/** "byte 16 of 't'", for a tagged pointer. */
static const char *pointer_text(const struct chk_launch *l, uint64_t p, struct arena *a)
{
    const uint32_t id = (uint32_t)(p >> BC_PTR_ID_SHIFT);
    const long long at = (long long)(p & ((1ull << BC_PTR_ID_SHIFT) - 1)) - (long long)BC_PTR_BIAS;
    return id ? arena_printf(a, "byte %lld of %s", at, chk_object_text(l, a, id)) : "NULL";
}

void chk_report_argument(const struct chk_launch *l, const struct chk_argument *g)
{
    static const char *const names[] = {[CHK_ARG_FLAGS] = "flags",
                                        [CHK_ARG_EVENTS] = "number of events",
                                        [CHK_ARG_EVENT_LIST] = "events",
                                        [CHK_ARG_TO] = "destination",
                                        [CHK_ARG_FROM] = "source",
                                        [CHK_ARG_COUNT] = "number of elements",
                                        [CHK_ARG_STRIDE] = "stride",
                                        [CHK_ARG_EVENT] = "event",
                                        [CHK_ARG_ID] = "id",
                                        [CHK_ARG_POINTER] = "pointer",
                                        [CHK_ARG_COORDINATES] = "coordinates"};
    struct arena arena = {0}, *a = &arena;
    struct rep_finding out = chk_finding(l, REP_BARRIER_DIVERGENCE);
    const struct rep_place place = chk_place(l, a, (struct chk_where){g->loc, NULL, 0});
    const char *text[2] = {"some events", "other events"};
    out.mild = g->what == CHK_ARG_FLAGS; // the group does not wait because of it
    out.fix = out.mild                     ? REP_FIX_FLAGS
              : g->what >= CHK_ARG_POINTER ? REP_FIX_BLOCK
                                           : REP_FIX_ARGUMENT;
    const char *thing = !g->sub_group                ? things[g->kind]
                        : g->kind == BC_BAR_BARRIER  ? "sub_group_barrier"
                        : g->what >= CHK_ARG_POINTER ? "block access"
                                                     : "sub-group function";
    const bool scope = g->what == CHK_ARG_FLAGS && !((g->value[0] ^ g->value[1]) & 0xff);
    out.title = arena_printf(a, "the %s of this %s differ%s between work-items of the %sgroup",
                             scope ? "scope" : names[g->what], thing,
                             (g->what == CHK_ARG_FLAGS && !scope) ||
                                     g->what == CHK_ARG_EVENT_LIST || g->what == CHK_ARG_COORDINATES
                                 ? ""
                                 : "s",
                             g->sub_group ? "sub-" : "");
    for (unsigned k = 0; k < 2; k++) {
        if (scope) text[k] = scope_text(g->value[k] >> 8, a);
        else if (g->what == CHK_ARG_FLAGS) text[k] = flags_text(g->value[k] & 0xff, a);
        else if (g->what == CHK_ARG_COORDINATES)
            text[k] = arena_printf(a, "coordinates (%d, %d)", (int32_t)g->value[k],
                                   (int32_t)(g->value[k] >> 32));
        else if (g->what == CHK_ARG_TO || g->what == CHK_ARG_FROM || g->what == CHK_ARG_POINTER)
            text[k] = arena_printf(a, "%s%s %s", names[g->what],
                                   g->what == CHK_ARG_POINTER ? " to" : "",
                                   pointer_text(l, g->value[k], a));
        else if (g->what == CHK_ARG_EVENT) text[k] = g->value[k] ? "an event" : "no event";
        else if (g->what != CHK_ARG_EVENT_LIST)
            text[k] = arena_printf(a, "%s %llu", names[g->what], (unsigned long long)g->value[k]);
        out.sides[k] = (struct rep_side){place, chk_rep_item(l, g->item[k]),
                                         arena_printf(a, "%s, given", text[k])};
    }
    out.nsides = 2;
    out.group_linear = g->item[0].group;
    chk_report(l, &out);
    arena_deinit(a);
}
