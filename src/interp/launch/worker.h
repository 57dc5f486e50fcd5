// SPDX-License-Identifier: MIT
#ifndef INTERP_WORKER_H
#define INTERP_WORKER_H
#include "base/bits.h"
#include "base/map.h"
#include "base/str.h"
#include "interp/launch/run.h"

#include <pthread.h>

struct vm_worker {
    struct vm_run *run;
    unsigned index;
    bool changed;           // memory
    uint64_t changes;       // number of changes, in turns of groups that wait for each other
    bool muted;             // a debugger replays the past: findings were reported before
    struct vm_trial *trial; // a debugger calls a function (trial_call.h); or NULL
    bool fast_forwarding,
        fast_forward_failed; // see fast_forward_run.h: a finding makes it fail
    // barriers that were passed since work-items run together; candidates for a pause since then
    uint64_t fast_forward_passed, fast_forward_looks;
    uint64_t fast_forward_most, fast_forward_last,
        fast_forward_pause_at;                    // maximum number of candidates
    bool fast_forward_asked, fast_forward_paused; // pause at the next candidate; it has paused
    uint64_t *fast_forward_counts; // [item]: candidates passed since a barrier; or NULL
    struct vm_group **contexts;
    uint32_t ncontexts, max_contexts;
    struct vm_share {
        uint64_t next, end;   // packs that have not begun
        pthread_mutex_t lock; // guards next and end; no other lock is taken inside
    } share;
    uint64_t next, end; // packs taken from there, not yet begun
    bool took;          // from another's share
    bool was_undefined; // some register was, in one of its gangs
    struct map faults;  // key → struct vm_fault_record *
    struct vm_fault_record *fault_list;
    bool wants_writers;      // some record gets its writers at the end of its group
    struct bits undef_bytes; // of the current run of faults: see vm_fault_record.bytes
    struct str out;          // printf output of finished groups
    bool done;               // guarded by run->out_lock
    struct vm_stats stats;
    uint64_t watched, timed, timed_ns,
        clock_cost;                // calls of the race check, and the timed ones: see counters.h
    struct vm_block_count *blocks; // [block of code], or NULL: not counted
    struct vm_loop_count *loops;
    uint64_t (*site_accesses)[VM_CLASSES]; // [site of the module], or NULL
    struct vm_wave_count *waves; // [block of code], and costs by site of the module; or NULL
    struct vm_access_cost *costs;
    struct vm_cost_shapes *cost_shapes; // or NULL: created on first use
    struct err *failure;
    char *privatized; // its copies of the buffers in run->privatized, one after the other; or NULL
    char apart[128];  // padding against false sharing
};

/** The race check's worker that this one uses: see take_of_another (worker.c). */
static inline unsigned vm_race_worker(const struct vm_worker *w)
{
    return w->took ? w->run->nworkers + w->index : w->index;
}

void vm_worker_run(struct vm_worker *w);

/** Adds a context, so that another group can run: the last of w->contexts; or NULL. */
struct vm_group *vm_worker_context(struct vm_worker *w);
void vm_worker_finish_group(struct vm_worker *w, struct vm_group *grp);
void vm_worker_deinit(struct vm_worker *w);

void vm_progress_start(struct vm_run *run);
void vm_progress_report(struct vm_run *run); // called by the first worker, if requested
void vm_progress_end(struct vm_run *run);

static inline void vm_progress(struct vm_worker *w)
{
    if (w->run->progress.wanted && !w->index) vm_progress_report(w->run);
}
#endif
