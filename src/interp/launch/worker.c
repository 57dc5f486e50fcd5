// SPDX-License-Identifier: MIT
// A worker thread's part of a launch: runs groups one by one, or interleaved if groups wait for
// each other. Workers steal half of the remaining groups of another one (work stealing). A launch
// ends with no-progress if every group waits, neither memory nor any lane has changed since the
// last turn, and no group is left to start.
#include "interp/launch/worker.h"

#include "base/mem.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/reconvergence.h"
#include "interp/launch/contention.h"
#include "interp/launch/packing.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/launch/run.h"
#include "interp/stepping/interleave.h"
#include "report/sink.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NO_GROUP = -1, STREAM_AT = 1 << 16 };

/**
 * Takes several groups at a time while many are left: for short groups the lock would be too
 * expensive.
 */
static bool take_own(struct vm_worker *w, int64_t *pack)
{
    enum { MOST_AT_ONCE = 8, PART = 32 };
    if (w->next == w->end) {
        pthread_mutex_lock(&w->share.lock);
        const uint64_t left = w->share.end - w->share.next, part = (left + PART - 1) / PART;
        w->next = w->share.next;
        w->end = w->share.next += part < MOST_AT_ONCE ? part : MOST_AT_ONCE;
        pthread_mutex_unlock(&w->share.lock);
    }
    if (w->next == w->end) return false;
    *pack = (int64_t)w->next++;
    return true;
}

/**
 * Work stealing: a worker that has done its share takes the earlier half of another worker's
 * remaining groups. It then uses another shadow, so that each shadow sees its groups in ascending
 * order (always, if the launch has two workers). The races that are reported do not depend on the
 * shadow that an access was in, unless shadow cells were refined: then an example may be smaller,
 * so workers do not steal.
 */
static bool take_of_another(struct vm_worker *w)
{
    struct vm_run *run = w->run;
    if (run->in_order || (run->race && race_was_refined(run->race))) return false;
    const uint64_t least = run->race ? 2 : 1; // less does not pay for a shadow
    for (unsigned k = 1; k < run->nworkers; k++) {
        struct vm_share *from = &run->workers[(w->index + k) % run->nworkers].share;
        pthread_mutex_lock(&from->lock);
        const uint64_t first = from->next, left = from->end - first,
                       n = left < least ? 0 : (left + 1) / 2;
        from->next += n;
        pthread_mutex_unlock(&from->lock);
        if (!n) continue;
        pthread_mutex_lock(&w->share.lock);
        w->share.next = first;
        w->share.end = first + n;
        pthread_mutex_unlock(&w->share.lock);
        w->took = true;
        if (run->race && w->ncontexts)
            w->contexts[0]->race = race_worker_get(run->race, vm_race_worker(w));
        return true;
    }
    return false;
}

/** Some of the packs of the worker's share that have not begun; false: there are none. */
static bool take_several(struct vm_worker *w, uint64_t *first, uint64_t *end)
{
    enum { PARTS = 16 };
    if (w->next == w->end) {
        pthread_mutex_lock(&w->share.lock);
        w->next = w->share.next;
        w->end = w->share.next += (w->share.end - w->share.next + PARTS - 1) / PARTS;
        pthread_mutex_unlock(&w->share.lock);
    }
    *first = w->next;
    *end = w->next = w->end;
    return *first < *end;
}

/** Whether the other engine took over: it has then run all groups that were left. */
static bool hand_over(struct vm_worker *w)
{
    const struct vm_run *run = w->run;
    const struct vm_takeover *t = run->l->takeover;
    uint64_t first, end;
    if (!t || !t->is_ready(t->ctx, w->stats.groups)) return false;
    do
        while (!atomic_load_explicit(&run->stopped, memory_order_relaxed) &&
               take_several(w, &first, &end)) {
            first *= run->packed_groups;
            end *= run->packed_groups;
            if (end > run->ngroups) end = run->ngroups;
            __atomic_store_n(&w->run->was_taken_over, true, __ATOMIC_RELAXED);
            if (!t->run(t->ctx, first, end)) {
                w->failure = err_new("no local memory");
                return true;
            }
            __atomic_store_n(&w->stats.groups, w->stats.groups + end - first, __ATOMIC_RELAXED);
            vm_progress(w);
            if (!t->is_ready(t->ctx, w->stats.groups)) return false;
        }
    while (take_of_another(w));
    return true;
}

/** The next group (or pack) to begin on this worker. */
static int64_t take_group(struct vm_worker *w)
{
    int64_t pack;
    governor_wait(&w->run->governor, w->index);
    if (atomic_load_explicit(&w->run->stopped, memory_order_relaxed)) return NO_GROUP;
    if (w->run->l->cut && *w->run->l->cut) return NO_GROUP;
    if (hand_over(w)) return NO_GROUP;
    do
        if (take_own(w, &pack)) return pack;
    while (take_of_another(w));
    return NO_GROUP;
}

/**
 * Output of printf is in the order of groups: the first running worker writes, the others buffer.
 */
static void stream_out(struct vm_worker *w, bool done)
{
    struct vm_run *run = w->run;
    if (!run->l->kernel->uses_printf || (!done && w->out.len < STREAM_AT)) return;
    pthread_mutex_lock(&run->out_lock);
    w->done = done;
    while (run->streaming < run->nworkers) {
        struct vm_worker *s = &run->workers[run->streaming];
        if (s != w && !s->done) break;
        if (s->out.len) rep_write(run->l->out ? run->l->out : stdout, s->out.data, s->out.len);
        str_clear(&s->out);
        if (!s->done) break;
        run->streaming++;
    }
    pthread_mutex_unlock(&run->out_lock);
}

void vm_worker_finish_group(struct vm_worker *w, struct vm_group *grp)
{
    __atomic_store_n(&w->stats.groups, w->stats.groups + grp->ngroups,
                     __ATOMIC_RELAXED); // progress.c reads it
    vm_progress(w);
    if (w->wants_writers) vm_writers_at_end(grp);
    if (!grp->out.len) return;
    str_put_n(&w->out, grp->out.data, grp->out.len);
    str_clear(&grp->out);
    stream_out(w, false);
}

struct vm_group *vm_worker_context(struct vm_worker *w)
{
    struct vm_group *grp;
    vm_privatize_start(w);
    struct err *e = vm_group_create(w, &grp);
    if (e) {
        vm_group_release(grp);
        if (w->ncontexts && !w->failure) { // running groups may still end
            err_free(e);
            w->max_contexts = w->ncontexts;
        } else {
            w->failure = e;
        }
        return NULL;
    }
    w->contexts = mem_array(w->contexts, w->ncontexts + 1, sizeof *w->contexts);
    w->contexts[w->ncontexts++] = grp;
    return grp;
}

/** Runs groups in turn until all are done. The first `busy` of w->contexts are in use. */
static void take_turns(struct vm_worker *w, uint32_t busy)
{
    uint32_t idle = 0;
    for (uint32_t turn = 0; busy;) {
        int64_t next;
        if (busy < w->max_contexts && (busy < w->ncontexts || vm_worker_context(w)) &&
            (next = take_group(w)) != NO_GROUP) {
            vm_group_start(w->contexts[busy], (uint64_t)next, 1);
            turn = busy++;
            idle = 0;
        }
        turn %= busy;
        struct vm_group *grp = w->contexts[turn];
        w->changed = grp->changed = false;
        const bool is_done = vm_group_run(grp) == VM_DONE;
        if (w->changed || grp->changed) w->changes++;
        if (is_done) {
            vm_worker_finish_group(w, grp);
            w->contexts[turn] = w->contexts[--busy];
            w->contexts[busy] = grp;
            idle = 0;
            continue;
        }
        bool stuck = vm_group_is_stuck(grp);
        if (stuck && vm_reconverge_partially(grp)) {
            stuck = false;
            w->changes++; // it resumes at another barrier
        }
        idle = stuck ? idle + 1 : 0;
        turn++;
        if (idle <= busy) continue;
        for (uint32_t i = 0; i < busy; i++) {
            vm_group_report_stuck(w->contexts[i]);
            vm_worker_finish_group(w, w->contexts[i]);
        }
        busy = 0;
    }
}

static void run_pack(struct vm_worker *w, uint64_t first)
{
    const struct vm_run *run = w->run;
    struct vm_group *const grp = w->contexts[0];
    const uint64_t end = run->ngroups - first < run->packed_groups ? run->ngroups
                                                                   : first + run->packed_groups;
    while (first < end && !atomic_load_explicit(&run->stopped, memory_order_relaxed)) {
        const uint64_t n = vm_packed_run(run, first, end);
        vm_group_start(grp, first, n);
        vm_group_run(grp);
        vm_worker_finish_group(w, grp);
        first += n;
    }
}

void vm_worker_run(struct vm_worker *w)
{
    struct governor *const c = &w->run->governor;
    int64_t next;
    governor_enter(c, w->index);
    if (w->run->l->schedule) vm_interleave(w);
    for (; !w->failure && !w->run->l->schedule && (next = take_group(w)) != NO_GROUP;
         governor_did(c, w->index, 1)) {
        if (!w->ncontexts && !vm_worker_context(w)) break;
        if (w->run->packed_groups > 1) {
            run_pack(w, (uint64_t)next * w->run->packed_groups);
            continue;
        }
        vm_group_prepare(w->contexts[0], (uint64_t)next, 1);
        if (!w->run->l->debugger || w->max_contexts > 1) vm_group_begin(w->contexts[0]);
        if (vm_group_run(w->contexts[0]) == VM_DONE) vm_worker_finish_group(w, w->contexts[0]);
        else take_turns(w, 1);
    }
    governor_leave(c, w->index);
    for (uint32_t i = w->ncontexts; i--;) vm_group_release(w->contexts[i]);
    w->ncontexts = 0;
    vm_privatize_end(w);
    stream_out(w, true);
}

void vm_worker_deinit(struct vm_worker *w)
{
    while (w->fault_list) {
        struct vm_fault_record *r = w->fault_list;
        w->fault_list = r->next;
        bits_deinit(&r->groups);
        bits_deinit(&r->bytes);
        free(r);
    }
    map_deinit(&w->faults);
    bits_deinit(&w->undef_bytes);
    pthread_mutex_destroy(&w->share.lock);
    str_deinit(&w->out);
    free(w->contexts);
}
