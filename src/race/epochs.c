// SPDX-License-Identifier: MIT
// Barrier intervals: what happens to the stamps when a group begins, and when a barrier is passed.
// Epochs run out. Those of local memory are then put into three classes (shadow_rebased). Global
// memory begins a new generation, best between two groups: a chunk of cells has the number of its
// stamps' generation. At the next access, stamps of an earlier generation are retired like those of
// other groups (groups_enter). If a group passes so many barriers that the generation ends inside
// of it, the chunks with that group's stamps are moved to the new one (groups_renew).
#include "race/shadow.h"

#include "bytecode/bytecode.h"

static void space_set(struct race_space *sp, uint64_t epoch, const struct stamp_form *f)
{
    sp->epoch = epoch;
    sp->current = epoch << f->epoch_shift;
}

/**
 * Sets `newest` of planes with stamps of an earlier generation to a stamp that is at least as new
 * as those.
 */
static void renew_newest(struct race_shadow *s, const struct race_space *sp,
                         const struct stamp_form *f)
{
    for (int p = 0; p < P_COUNT; p++) {
        const uint64_t x = s->newest[p] >= sp->live ? shadow_rebased(s->newest[p], sp, f) : 0;
        s->newest[p] = s->newest[p] ? (x ? x : 1ull << f->epoch_shift) : 0;
    }
}

/** All epochs are used up: maps the stamps of this group to three classes (shadow_rebased). */
static void rebase(struct race_worker *w, struct race_space *sp, bool is_global)
{
    const struct stamp_form *f = &w->launch->f;
    const uint64_t passed = sp->passed;
    struct race_shadow *all = is_global ? w->globals : w->locals;
    size_t n = is_global ? w->launch->roots.len : w->launch->locals.len;
    for (size_t i = 0; i < n; i++) {
        if (!all[i].bytes) continue;
        if (is_global) groups_renew(w, &all[i], w->state + GENERATION);
        else shadow_rebase(&all[i], 0, all[i].cells, sp, f);
        renew_newest(&all[i], sp, f);
    }
    for (size_t i = 1; i < w->same.len; i++) {
        struct race_same_value *r = &w->same.data[i];
        if ((r->serial & 1) != is_global) continue;
        r->p = shadow_rebased(r->p, sp, f);
        r->q = shadow_rebased(r->q, sp, f);
        r->current = r->current == sp->current ? 3ull << f->epoch_shift : 0;
    }
    for (size_t i = 0; is_global && i < w->spills.len; i++)
        for (int p = 0; p < P_COUNT; p++)
            w->spills.data[i].stamp[p] = shadow_rebased(w->spills.data[i].stamp[p], sp, f);
    sp->born = 1;
    sp->live = 1ull << f->epoch_shift;
    sp->passed = 2ull << f->epoch_shift;
    sp->fence = is_global && w->launch->c.at_once > 1 ? sp->live : sp->passed;
    space_set(sp, 3, f);
    if (is_global) {
        w->images = w->images > passed
                        ? sp->current
                        : sp->passed; // epochs between the two are no longer distinguished
        w->state += GENERATION;
        groups_begin(w, w->group, race_epoch_at(w, w->state, 1));
    }
}

static void advance(struct race_worker *w, struct race_space *sp)
{
    if (sp->epoch == sp->last_epoch) rebase(w, sp, sp == &w->global);
    space_set(sp, sp->epoch + 1, &w->launch->f);
    if (sp == &w->local && w->patterns) w->patterns->interval = sp->epoch;
}

/** Begins a new generation, best between groups: then no stamp belongs to a running group. */
static void new_generation(struct race_worker *w)
{
    const struct stamp_form *f = &w->launch->f;
    if (w->global.epoch < w->global.last_epoch / 2) return;
    for (size_t i = 0; i < w->launch->roots.len; i++)
        for (int p = 0; p < P_COUNT; p++)
            if (w->globals[i].newest[p]) w->globals[i].newest[p] = 1ull << f->epoch_shift;
    space_set(&w->global, 1, f);
    w->state += GENERATION;
}

/**
 * Exponential backoff: the number of times that a failed attempt is skipped from now on, at first
 * once.
 */
static uint8_t longer(uint8_t penalty, unsigned most)
{
    return penalty < most ? (uint8_t)(2 * penalty + 1) : (uint8_t)most;
}

/** Empties the logs: all earlier accesses to local memory are ordered before all later ones. */
static void forget_logs(struct race_worker *w)
{
    for (size_t i = 0; i < w->launch->locals.len; i++) {
        struct race_log *log = &w->logs[i];
        if (!log->used_now) continue;
        trace_over(log);
        if (log->left) log->left--;
        else if (log->spilled) log->left = log->penalty = longer(log->penalty, LOG_PENALTY);
        else log->penalty /= 2;
        log->spilled = log->left;
        if (log->ownership_left) log->ownership_left--;
        else if (log->counted && !log->good_partitions)
            log->ownership_left = log->ownership_penalty =
                longer(log->ownership_penalty, OWNERSHIP_PENALTY);
        else if (log->counted) log->ownership_penalty /= 2;
        log->used_now = false;
        log->n = log->used = log->tests = log->kinds = log->counted = 0;
        log->had_ownership |= log->by_ownership;
        log->by_ownership = log->masked = false;
    }
}

static void spill_logs(struct race_worker *w)
{
    for (size_t i = 0; i < w->launch->locals.len; i++) {
        trace_part(&w->logs[i]);
        if (w->logs[i].n) w->launch->spill(w, &w->locals[i]);
    }
}

void interval_group_begin(struct race_worker *w, uint64_t group)
{
    forget_logs(w);
    groups_settle(w);
    for (size_t i = 0; i < w->launch->roots.len && w->launch->c.at_once == 1;
         i++) // otherwise two readers may belong to two groups
        if (w->globals[i].seconds >= SECONDS_MANY)
            shadow_merge_seconds(&w->globals[i], &w->launch->f);
    new_generation(w);
    struct race_space *const spaces[] = {&w->local, &w->global};
    advance(w, &w->local);
    advance(w, &w->global);
    groups_begin(w, group, race_epoch_at(w, w->state, w->global.epoch));
    for (unsigned i = 0; i < 2; i++) {
        spaces[i]->live = spaces[i]->current;
        if (w->launch->c.copies)
            advance(w, spaces[i]); // one epoch is for the stamps that copies
                                   // leave
        spaces[i]->fence = spaces[i]->passed = spaces[i]->current;
        spaces[i]->born = spaces[i]->epoch;
    }
    w->images = w->global.passed;
    if (w->same.len) {
        map_deinit(&w->same_index);
        vec_clear(&w->same);
        arena_deinit(&w->same_arena);
    }
}

void interval_barrier(struct race_worker *w, unsigned fences)
{
    if (fences & BC_FENCE_LOCAL) forget_logs(w);
    else spill_logs(w);
    advance(w, &w->local);
    if (fences & BC_FENCE_LOCAL) w->local.fence = w->local.passed = w->local.current;
    advance(w, &w->global);
    if (fences & BC_FENCE_IMAGE) w->images = w->global.current;
    if (!(fences & BC_FENCE_GLOBAL)) return;
    w->global.passed = w->global.current;
    if (w->launch->c.at_once == 1) w->global.fence = w->global.current;
}

void interval_given_up(struct race_worker *w)
{
    struct race_space *const spaces[] = {&w->local, &w->global};
    if (w->launch->clocks) return;
    forget_logs(w);
    for (unsigned i = 0; i < 2; i++) {
        advance(w, spaces[i]);
        spaces[i]->fence = spaces[i]->passed = spaces[i]->current;
        spaces[i]->born++; // no barrier was passed
    }
    w->images = w->global.passed;
}
