// SPDX-License-Identifier: MIT
/*
 * Data races by shadow memory.
 *
 * Two accesses of a byte race if they are of different work-items, one writes, not both are atomic,
 * and nothing orders them. Inside a group, a barrier orders them if its fence covers the memory;
 * between groups nothing does. Every byte of a watched object belongs to a shadow cell
 * (`granularity` bytes; refined when an access asks for less, so the result is exact to the byte),
 * and a cell keeps stamps:
 *
 *   w       the last plain writer
 *   r1, r2  plain readers of different work-items, of the latest intervals that had readers
 *  aw1 aw2, al1 al2  the same for atomic writers and atomic loads; made at the first atomic
 *
 * A stamp is epoch | site | flags | item in one number (u32 if ten bits are left for the epoch,
 * otherwise u64). The epoch counts the barriers and groups that the worker passed. So "ordered
 * before now" is the one comparison x < fence, "of another group" x < live, and local memory needs
 * no clearing between groups (epochs.c).
 *
 * Why these are enough. Let b be the first access that makes a byte racy, a the earlier one that it
 * races with, both of one group, a not fenced before b.
 *  - a writes. The last writer w is a, or came after it without racing: then w is of a's work-item
 * (or fenced after a, but then a is fenced before b too). So b races with w, and w is stamped.
 *  - a reads, b writes. r1 and r2 are the two readers of the latest intervals, of different
 * work-items (an older one gives way first, so r1's interval is never before r2's). If a is not
 * among them then both are as late as a, and b, being one work-item, races with at least one. It
 * also races with one of a's own interval or later, so it is not reported as a missing fence.
 *  - Atomics: the same argument with aw and al; atomics do not race with one another, hence two
 * writers. Writers never clear readers: what remains is fenced, or of the writer, or raced with it.
 *
 * Same value. Work-items that store the same value to a cell race harmlessly. The value last stored
 * is kept byte for byte (no hash: a real race is never excused by a collision). MG on w says that
 * the stores since the last fence differ among themselves, MA that those since the group began do;
 * SV says that other work-items stored the same, unordered with w. SV never compares equal to a
 * lane, so every later access goes the exact way, where a record knows two of those work-items (one
 * of them differs from the next work-item) and the set of those that stored in this interval. A
 * read by a work-item of the value that it stored itself in this interval leaves no stamp: every
 * store that races with it races with its own store as well, and the verdict is that of the two
 * stores. So a byte with any pair that is an error is reported by an error, and one with only pairs
 * that are warnings by a warning.
 *
 * Many accesses never reach the cells. In local memory, accesses of an interval that are shown not
 * to conflict are kept as a list (interval.inc). In global memory, whole rows of cells that
 * neighboring lanes write and read have one stamp of each kind (rows.inc). Any other access first
 * moves the list or the row's stamps into the planes, and every report comes from the planes.
 *
 * Between groups: see groups.c. Inside a group everything is found at once, by exact.c, or shown to
 * be absent by the loops of lanes.c, which go over a gang's lanes without branches and change
 * nothing when they find something.
 */
#include "race/shadow.h"

#include "base/cpu.h"
#include "bytecode/bytecode.h"
#include "race/barrier_intervals.h"
#include "race/lanes.h"
#include "race/end_comparison.h"

static unsigned bits_for(uint64_t n) // values 0 … n - 1
{
    return n <= 2 ? 1 : 64 - __builtin_clzll(n - 1);
}

static void choose_form(struct race_launch *l)
{
    unsigned item = bits_for((uint64_t)l->c.group_items * l->c.at_once + l->c.copies),
             site = bits_for(l->c.nsites);
    l->f.item_mask = (1ull << item) - 1;
    l->f.sv = 1ull << item;
    l->f.ma = 2ull << item;
    l->f.mg = 4ull << item;
    l->f.same_item = l->f.item_mask | l->f.sv;
    l->f.site_shift = item + 3;
    l->f.epoch_shift = item + 3 + site;
    // With fewer bits for epochs, sweeping would cost more than the larger stamps.
    l->wide = l->f.epoch_shift > 32 - 10;
    l->wide_keys = l->c.ngroups + l->c.at_once >= (uint64_t)UINT32_MAX >> group_shift(&l->f);
}

static void choose_lanes(struct race_launch *l)
{
    l->lanes = lanes_access_1;
    l->spill = lanes_spill_1;
    l->shared = &shared_1;
#ifdef __x86_64__
    const int level = cpu_level();
    if (level >= 3) l->lanes = level == 3 ? lanes_access_3 : lanes_access_4;
    if (level >= 3) l->spill = level == 3 ? lanes_spill_3 : lanes_spill_4;
    if (level >= 3) l->shared = level == 3 ? &shared_3 : &shared_4;
#endif
}

struct race_launch *race_launch_create(const struct race_config *c)
{
    struct race_launch *l = mem_alloc(sizeof *l);
    l->c = *c;
    if (!l->c.at_once) l->c.at_once = 1;
    choose_form(l);
    choose_lanes(l);
    l->watch = mem_array(NULL, c->nobjects, sizeof *l->watch);
    memset(l->watch, 0, c->nobjects * sizeof *l->watch);
    l->workers = mem_alloc(c->workers * sizeof *l->workers);
    l->is_special = c->ordered || c->barrier_of;
    if (c->ordered) l->clocks = clocks_create(l);
    else
        l->cut = c->ngroups >= UINT64_MAX >>
                 (l->f.epoch_shift - 3); // the most that groups.c can distinguish
    return l;
}

static unsigned granularity_shift(unsigned granularity, uint64_t offset)
{
    unsigned g = granularity >= 8 ? 3 : granularity >= 4 ? 2 : granularity >= 2 ? 1 : 0;
    while (offset & ((1u << g) - 1)) g--;
    return g;
}

void race_watch_global(struct race_launch *l, unsigned object, const void *root, uint64_t offset,
                       uint64_t size, unsigned granularity)
{
    size_t i = 0;
    while (i < l->roots.len && l->roots.data[i].root != root) i++;
    if (i == l->roots.len)
        vec_push(&l->roots,
                 (struct race_root){
                     .root = root, .granularity_shift = 3, .object = object, .origin = offset});
    struct race_root *r = &l->roots.data[i];
    r->is_shared |= object != r->object;
    unsigned g = granularity_shift(granularity, offset);
    if (g < r->granularity_shift) r->granularity_shift = g;
    if (offset + size > r->size) r->size = offset + size;
    l->watch[object] = (struct race_watch){.index1 = i + 1, .offset = offset, .size = size};
}

void race_is_image(struct race_launch *l, unsigned object)
{
    l->watch[object].is_image = true;
    if (l->clocks) clocks_have_images(l);
}

void race_follow(struct race_launch *l, unsigned object) { l->watch[object].is_followed = true; }

void race_watch_local(struct race_launch *l, unsigned object, uint64_t size, unsigned granularity)
{
    if (!size) return;
    const uint64_t step = race_local_step(size);
    vec_push(&l->locals, (struct race_root){.size = l->c.at_once > 1 ? step * l->c.at_once : size,
                                            .step = l->c.at_once > 1 ? step : 0,
                                            .granularity_shift = granularity_shift(granularity, 0),
                                            .object = object});
    l->watch[object] = (struct race_watch){.index1 = l->locals.len, .is_local = true};
}

static void space_init(struct race_space *sp, const struct race_launch *l)
{
    unsigned bits = (l->wide ? 64 : 32) - l->f.epoch_shift;
    if (l->c.epoch_bits && l->c.epoch_bits < bits) bits = l->c.epoch_bits;
    sp->last_epoch = (1ull << bits) - 1;
    sp->past = 1ull << l->f.epoch_shift;
}

struct race_worker *race_worker_get(struct race_launch *l, unsigned worker)
{
    struct race_worker *w = l->workers[worker];
    if (w) return w;
    l->workers[worker] = w = mem_alloc(sizeof *w);
    w->launch = l;
    w->index = worker;
    w->pairs.site_of = l->c.site_of;
    w->pairs.group_items = l->c.group_items;
    w->locals = mem_alloc(l->locals.len * sizeof *w->locals);
    w->logs = mem_alloc(l->locals.len * sizeof *w->logs);
    w->globals = mem_alloc(l->roots.len * sizeof *w->globals);
    space_init(&w->local, l);
    space_init(&w->global, l);
    w->first = w->state = shadow_first_state();
    if (l->c.barrier_of) w->intervals = intervals_create(l);
    return w;
}

void race_group_begin(struct race_worker *w, uint64_t group)
{
    w->barrier = 0;
    copies_left(w);
    if (!w->launch->is_special) {
        interval_group_begin(w, group);
        return;
    }
    if (w->intervals) intervals_group_begin(w->intervals);
    if (!w->launch->clocks) {
        interval_group_begin(w, group);
        return;
    }
    w->group = group;
    clocks_group_begin(w, &w->clocks);
}

void race_barrier(struct race_worker *w, unsigned fences, unsigned scope)
{
    w->barrier = 0;
    if (!w->launch->is_special) {
        interval_barrier(w, fences);
        return;
    }
    if (w->intervals) intervals_barrier(w->intervals, fences);
    if (w->launch->clocks) clocks_barrier(w, fences, scope);
    else interval_barrier(w, fences);
}

void race_barrier_at(struct race_worker *w, uint32_t place)
{
    w->barrier = place;
    if (w->intervals) intervals_barrier_at(w->intervals, w->launch->c.barrier_of[place]);
}

static inline struct race_shadow *ready_shadow(struct race_worker *w, const struct race_op *op)
{
    struct race_launch *const l = w->launch;
    const struct race_watch *const o = &l->watch[op->object];
    struct race_shadow *const s = o->is_local ? &w->locals[o->index1 - 1]
                                              : &w->globals[o->index1 - 1];
    if (!s->bytes) return race_shadow_of(w, op->object);
    if (s->opened >= s->compress_at) compress_now(s, &l->f);
    return s;
}

/** The same for a launch that is ordered or looks for needless barriers; NULL: without shadows. */
static __attribute__((noinline)) struct race_shadow *special_shadow(struct race_worker *w,
                                                                    const struct race_op *op,
                                                                    uint64_t to_object)
{
    if (w->intervals) intervals_access(w->intervals, op, to_object);
    return w->launch->clocks ? NULL : ready_shadow(w, op);
}

static inline void accessed(struct race_worker *w, const struct race_op *op, struct race_space *sp,
                            uint64_t to_object)
{
    struct race_launch *l = w->launch;
    if (!l->watch[op->object].index1 || !op->size || !op->n) return;
    const struct race_watch *const o = &l->watch[op->object];
    struct race_shadow *const s =
        __builtin_expect(l->is_special, 0) ? special_shadow(w, op, to_object) : ready_shadow(w, op);
    struct race_log *const log = o->is_local && !l->c.exact && s ? &w->logs[o->index1 - 1] : NULL;
    if (log && trace_follows(w, log, op)) {
        if (w->copies.len) copies_access(w, op);
        return;
    }
    const uint32_t entries = log ? log->n : 0;
    if (s && s->state && memo_knows(w, s, op)) {
        if (w->copies.len) copies_access(w, op);
        return;
    }
    w->still = 0;
    if (s) l->lanes(w, sp, s, op, to_object);
    else if (l->clocks) clocks_access(w, op);
    if (log) trace_note(log, op, entries);
    else if (s && s->state) memo_note(w, s, op, w->still != op->n);
    if (w->copies.len) copies_access(w, op);
}

void race_local(struct race_worker *w, const struct race_op *op) { accessed(w, op, &w->local, 0); }

void race_global(struct race_worker *w, const struct race_op *op)
{
    const struct race_watch *o = &w->launch->watch[op->object];
    if (!o->is_image || w->images == w->global.passed) {
        accessed(w, op, &w->global, o->offset);
        return;
    }
    struct race_space of_images = w->global;
    of_images.passed = w->images;
    if (w->launch->c.at_once == 1) of_images.fence = w->images;
    accessed(w, op, &of_images, o->offset);
}

void race_sub_group_barrier(struct race_worker *w, const struct race_sub_group *items,
                            unsigned fences, unsigned scope)
{
    clocks_sub_group_barrier(w, items, fences, scope);
}

void race_fence(struct race_worker *w, uint32_t item, const struct race_fence_op *f)
{
    clocks_fence(w, item, f);
}

void race_atomic(struct race_worker *w, const struct race_atomic_op *op)
{
    if (!w->launch->watch[op->object].index1) return;
    clocks_atomic(w, op);
    if (!w->copies.len) return;
    copies_access(w, &(struct race_op){.site = op->site,
                                       .object = op->object,
                                       .is_write = op->writes,
                                       .is_atomic = true,
                                       .shape = RACE_UNIFORM,
                                       .size = op->size,
                                       .offset0 = op->offset,
                                       .first_item = op->item,
                                       .n = 1});
}

uint32_t race_fork(struct race_worker *w, unsigned object, uint64_t offset)
{
    if (!w->launch->clocks || !w->launch->watch[object].index1) return RACE_NO_RECORD;
    return clocks_fork(w, object, offset);
}

uint32_t race_switch(struct race_worker *w, unsigned object, uint64_t offset, uint32_t to)
{
    return to == RACE_NO_RECORD ? to : clocks_switch(w, object, offset, to);
}

void race_drop(struct race_worker *w, uint32_t record)
{
    if (record != RACE_NO_RECORD) clocks_drop(w, record);
}

void race_launch_end(struct race_launch *l)
{
    struct race_pairs all = {.site_of = l->c.site_of, .group_items = l->c.group_items};
    for (unsigned i = 0; i < l->c.workers; i++)
        if (l->workers[i]) copies_left(l->workers[i]);
    groups_compare(l, &all);
    pairs_report(l, &all);
    pairs_deinit(&all);
}

bool race_was_refined(const struct race_launch *l)
{
    return __atomic_load_n(&l->refined, __ATOMIC_RELAXED);
}

bool race_launch_was_cut(const struct race_launch *l)
{
    bool cut = l->cut;
    for (unsigned i = 0; i < l->c.workers; i++) cut |= l->workers[i] && l->workers[i]->cut;
    return cut;
}

static void worker_destroy(struct race_launch *l, struct race_worker *w)
{
    for (size_t i = 0; i < l->locals.len; i++) {
        shadow_deinit(&w->locals[i], UINT32_MAX);
        trace_deinit(&w->logs[i]);
        shadow_give(w->logs[i].entries, w->logs[i].entries_size);
        shadow_give(w->logs[i].store, w->logs[i].store_size);
        shadow_give(w->logs[i].ownership, w->logs[i].ownership_size);
    }
    free(w->logs);
    for (size_t i = 0; i < l->roots.len; i++) shadow_deinit(&w->globals[i], w->state + GENERATION);
    patterns_put(w->patterns);
    if (w->clocks) clocks_group_end(l, w->clocks);
    intervals_destroy(w->intervals);
    free(w->locals);
    free(w->globals);
    vec_free(&w->runs);
    pairs_deinit(&w->pairs);
    map_deinit(&w->same_index);
    vec_free(&w->same);
    arena_deinit(&w->same_arena);
    map_deinit(&w->spill_index);
    vec_free(&w->spills);
    vec_free(&w->copies);
    free(w);
}

void race_launch_destroy(struct race_launch *l)
{
    if (!l) return; // races were not checked
    for (unsigned i = 0; i < l->c.workers; i++)
        if (l->workers[i]) worker_destroy(l, l->workers[i]);
    if (l->clocks) clocks_destroy(l);
    if (l->theirs) pairs_deinit(l->theirs);
    free(l->theirs);
    free(l->workers);
    free(l->watch);
    vec_free(&l->roots);
    vec_free(&l->locals);
    free(l);
}
