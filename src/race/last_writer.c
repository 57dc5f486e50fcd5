// SPDX-License-Identifier: MIT
// The last writers of bytes of global memory, read from the shadows at the end of a launch.
//
// The planes of writers have the last ones of the worker's last group that used the cell. Earlier
// groups are in summaries, which do not say what was last, and nothing orders groups. So a writer
// is known if all traces in all shadows are of one work-item, or of one group and in order. An
// async copy leaves the stamps of work-items as they are: its destinations are not known.
#include "race/end_comparison.h"

static uint64_t number_at(const void *list, bool is_wide, unsigned at)
{
    return is_wide ? ((const uint64_t *)list)[at] : ((const uint32_t *)list)[at];
}

/** Adds a work-item that wrote the cell. */
static void add(struct race_last_writer *r, struct race_who who)
{
    const bool is_same = r->group == who.group && r->item == who.item;
    if (r->is == RACE_LAST_NONE)
        *r = (struct race_last_writer){RACE_LAST_ITEM, who.group, who.item};
    else if (r->is == RACE_LAST_ITEM && !is_same) r->is = RACE_LAST_MIXED;
}

/** Adds the accesses of the worker's earlier groups, and of earlier generations. */
static void add_summary(struct race_last_writer *r, const struct race_known *k, enum race_class c,
                        unsigned at)
{
    const void *const two = k->summaries ? k->summaries->two[c] : NULL;
    const uint64_t first = two ? number_at(two, k->s->wide_keys, 2 * at) : 0,
                   second = two ? number_at(two, k->s->wide_keys, 2 * at + 1) : 0;
    const uint64_t group = (first >> group_shift(&k->w->launch->f)) - 1;
    if (!first || (r->is == RACE_LAST_ITEM && r->group == group && !second)) return;
    // (of a single group, only the smallest access is known)
    r->is = r->is == RACE_LAST_NONE && !second ? RACE_LAST_UNKNOWN : RACE_LAST_MIXED;
}

/** Adds what a worker knows about a cell. */
static void add_cell(struct race_last_writer *r, const struct race_known *k, unsigned at)
{
    static const int planes[] = {P_W, P_AW1, P_AW2};
    for (unsigned i = 0; i < sizeof planes / sizeof *planes; i++) {
        const int p = planes[i];
        const uint64_t x = k->planes >> p & 1 ? number_at(k->stamp[p], k->s->wide, at) : 0;
        if (!x) continue;
        add(r, groups_who(k->w, k->s->state[k->chunk], x));
        if (p == P_W && x & k->w->launch->f.sv) r->is = RACE_LAST_MIXED;
    }
    add_summary(r, k, C_W, at);
    add_summary(r, k, C_AW, at);
}

static struct race_last_writer writer_of_byte(const struct race_launch *l, size_t root,
                                              uint64_t byte)
{
    struct race_last_writer r = {.is = RACE_LAST_NONE};
    for (unsigned i = 0; i < l->c.workers; i++) {
        struct race_worker *const w = l->workers[i];
        struct race_shadow *const s = w ? &w->globals[root] : NULL;
        if (!s || !s->bytes) continue;
        const uint64_t cell = byte >> s->granularity_shift;
        struct race_known known;
        if (cell >= s->cells || !shadow_is_touched(s, cell >> CHUNK_SHIFT)) continue;
        groups_know(&known, &(struct race_party){w, s}, cell >> CHUNK_SHIFT);
        add_cell(&r, &known, cell % CHUNK);
    }
    return r;
}

struct race_last_writer race_last_writer(const struct race_launch *l, unsigned object,
                                         uint64_t offset, uint64_t size)
{
    const struct race_watch *const o = &l->watch[object];
    struct race_last_writer r = {.is = RACE_LAST_UNKNOWN};
    if (!o->index1 || o->is_local || o->is_image || o->is_followed || l->clocks || l->theirs ||
        l->roots.data[o->index1 - 1].is_copied || race_launch_was_cut(l))
        return r;
    for (uint64_t i = 0; i < size; i++) {
        const struct race_last_writer x = writer_of_byte(l, o->index1 - 1, o->offset + offset + i);
        const bool is_same = x.is == r.is && x.group == r.group && x.item == r.item;
        if (!i) r = x;
        else if (x.is == RACE_LAST_UNKNOWN) return x;
        else if (!is_same) r.is = RACE_LAST_MIXED;
    }
    return r;
}
