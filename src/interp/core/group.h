// SPDX-License-Identifier: MIT
#ifndef INTERP_GROUP_H
#define INTERP_GROUP_H
#include "base/map.h"
#include "base/vec.h"
#include "check/check.h"
#include "interp/launch/contention.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/images/image_fences.h"
#include "interp/definedness/undef.h"
#include "race/race.h"

#include <pthread.h>
#include <stdatomic.h>

/** Arguments that must be the same for the whole group: those of the first work-item that came. */
struct vm_meeting {
    const struct bc_insn *at;
    uint64_t number; // of the group's meetings
    struct chk_item item;
    uint64_t arg[5]; // in the order of struct vm_agreement
    bool told;
};

/** One side of an async copy: element k lies at offset + k * step. */
struct vm_copy_side {
    uint32_t object, site;
    uint32_t number; // of the site, for the race check
    uint64_t offset, step;
};
/** An async copy that is under way: nobody has waited for it. */
struct vm_copy {
    const struct bc_insn *src;
    uint64_t event;
    uint32_t serial; // of the group's, from 1 on
    bool ends;       // the next barrier waits for it
    struct vm_copy_side from, to;
    uint64_t count, elem;
    uint64_t more; // of the same instruction, behind RACE_MAX_COPIES under way
};
/**
 * Events at a wait_group_events that no copy under way has: how many, and the first work-item's.
 */
struct vm_wrong_event {
    struct vm_gang *gang;
    const struct bc_insn *src;
    uint64_t count;
    uint32_t lane;
    bool waited; // it was waited for before
};
/**
 * Since when a group has gone round loops with barriers and wrote nothing that other groups can
 * see: see group_livelock.c.
 */
struct vm_round {
    uint64_t look_at, pause; // barriers
    uint64_t effects, since;
    struct vm_snapshot anchor;
    uint32_t looks, most, renew;
    uint32_t depth, loc;
    bool is_known; // it does
};

/**
 * States of lanes that wait for one another, at their yields, and after how many changes of memory
 * (vm_worker.changes) they were seen.
 */
struct vm_cycle {
    uint64_t yields, last, anchor;
    uint64_t last_changes, anchor_changes, known1; // known1: it repeats itself since so many, + 1
};

/**
 * A work-group that runs: its gangs, its local memory. Contexts are used again for group after
 * group.
 */
struct vm_group {
    struct vm_worker *worker;
    struct race_worker *race; // or NULL
    uint64_t linear, id[3];
    uint32_t shape[3]; // of this group
    uint32_t ngroups;  // in a batch: from `linear` on, all of this shape
    uint32_t items;    // of all of them
    uint64_t batch;    // the first group of the batch that these are of; else linear
    struct vm_gang **gangs;
    uint32_t ngangs, max_gangs;
    char *local_mem;
    uint8_t *local_shadow;     // of local_mem, or NULL
    bool is_used;              // it is not the first one here
    struct vm_shadow *shadows; // by id: of local objects
    struct vm_image_fences image_fences;
    struct str out; // what printf wrote
    uint64_t *put;  // of work-group functions: two rounds of a value for each work-item; or NULL
    uint8_t *put_undef;    // beside it, or NULL: which bytes are undefined, and
    uint64_t *put_origins; // where that came from
    unsigned round;        // the one that is being filled
    uint64_t barriers;     // passed
    uint64_t meetings;     // the same, with those that order nothing
    struct vm_meeting meeting;
    VEC(struct vm_copy) copies; // under way
    uint32_t ncopied;           // begun
    bool drops_copies;          // more than RACE_MAX_COPIES were under way at once
    struct vm_wrong_event wrong_event;
    bool events_differ; // work-items waited for different ones: reported
    bool parted;        // its divergence was told, and it has not been together since
    bool changed;       // memory, as vm_worker.changed, before somebody else cleared that
    struct vm_cycle cycle;
    struct vm_round round_trip;
    struct slice *slice; // see group_livelock.c; or NULL
};

/** Failing lanes at one place: see fault.h. */
struct vm_fault_record {
    struct vm_fault_record *next;
    struct vm_fault_run run; // the example
    struct chk_item item;
    uint32_t calls[CHK_MAX_CALLS]; // locs of the calls, innermost first
    unsigned ncalls;
    uint64_t count;
    struct bits groups; // in which it was seen
    struct bits bytes;  // UNDEF, of an object: where the values came from, each by its first byte
};

struct vm_serial;
struct vm_worker {
    struct vm_run *run;
    unsigned index;
    bool changed;                // memory
    uint64_t changes;            // how often it did, in turns of groups that wait for one another
    uint64_t replaced;           // what the last atomic store did away with
    bool muted;                  // a debugger goes through the past again: what is found was told
    bool scouting, scout_failed; // see scout.h: what is found makes it fail
    bool out_of_order;           // that was why it failed
    struct vm_serial *serial;    // and what makes their atomics come in order; or NULL
    uint64_t scout_passed, scout_most; // barriers, since work-items run together
    struct vm_group **contexts;
    uint32_t ncontexts, max_contexts;
    struct vm_share {
        uint64_t next, end;   // batches, not yet begun
        pthread_mutex_t lock; // guards them; no other is taken inside
    } share;
    uint64_t next, end; // batches taken from there, not yet begun
    bool took;          // from another's share
    struct map faults;  // key → struct vm_fault_record *
    struct vm_fault_record *fault_list;
    struct bits undef_bytes; // of the run of faults that goes on: see vm_fault_record.bytes
    struct str out;          // printf of the groups done
    bool done;               // guarded by run->out_lock
    struct vm_stats stats;
    uint64_t watched, timed, timed_ns,
        clock_cost; // calls of the race check, those that were timed: see counters.h
    struct err *failure;
    char *tally;     // its copies of what is in run->tallies, one behind the other; or NULL
    char apart[128]; // no cache line is of two workers
};

/**
 * A buffer of whose first n elements each worker has a copy to add to, from byte `at` of
 * vm_worker.tally on: see privatized_reduction.c.
 */
struct vm_tally {
    uint32_t object, n;
    uint64_t at;
};

/** A launch. */
struct vm_run {
    const struct vm_launch *l;
    struct vm_code *code;
    struct chk_launch chk;
    uint64_t grid[3], ngroups;
    uint32_t max_shape[3], group_items;
    uint32_t batch; // groups that run at once, usually 1
    uint64_t nbatches;
    uint32_t gangs_per_group;
    struct vm_object *objects; // template: index is the id; one more for ids that do not exist
    uint32_t nobjects;
    bool shares_arguments;        // several of these are the same bytes
    uint64_t local_bytes;         // automatic and argument
    uint64_t *local_off;          // id → offset in the group's local memory
    uint64_t origins[VM_ORIGINS]; // of undefined values that were written to memory, from [1] on;
                                  // 0: not used yet. Threads add to it
    struct vm_shadow *shadows;    // by id: of buffers that are not wholly written, or NULL
    VEC(struct vm_tally) tallies;
    uint64_t tally_bytes;
    struct race_launch *race;
    bool races_told; // race_launch_end was called
    bool counts;     // statistics are wanted
    struct {
        bool wanted;
        double begin, next; // seconds; next is the first worker's
    } progress;
    struct vm_worker *workers;
    unsigned nworkers;
    struct crowd crowd;       // of the workers; a part is a batch
    bool in_order;            // no worker takes groups of another's share
    atomic_ullong spent;      // lane instructions
    atomic_int stopped;       // enum vm_stop
    pthread_mutex_t out_lock; // guards streaming
    unsigned streaming;       // worker whose printf goes out directly
};
enum vm_stop { VM_STOP_NOT, VM_STOP_CANCEL, VM_STOP_LIMIT, VM_STOP_ENDLESS };

static inline uint32_t vm_sub_group_size(const struct vm_launch *l)
{
    return l->sub_group ? l->sub_group : 32;
}

// ---- group.c
struct err *vm_group_create(struct vm_worker *w, struct vm_group **out);
void vm_group_release(struct vm_group *grp); // gangs go back to the code's store
/** Groups [linear, linear + n), more than one only as vm_batch_run allows. */
void vm_group_start(struct vm_group *grp, uint64_t linear, uint64_t n);
/** Runs until the group is done (VM_DONE) or only waits for others (VM_YIELDED). */
enum vm_state vm_group_run(struct vm_group *grp);
/** Which of the race check's workers stands for this one: see take_of_another (worker.c). */
static inline unsigned vm_race_worker(const struct vm_worker *w)
{
    return w->took ? w->run->nworkers + w->index : w->index;
}
/** Whether a group that yielded is as it was before, registers and private memory included. */
bool vm_group_is_stuck(struct vm_group *grp);
void vm_group_report_stuck(struct vm_group *grp);
/** No work-item can run: the barrier is passed, or what is wrong with it is told and some go on. */
void vm_group_judge(struct vm_group *grp);
struct vm_lane_ref {
    struct vm_gang *g;
    uint32_t lane;
};
static inline const struct bc_insn *vm_end_of_block(const struct vm_fn *fn, uint32_t block)
{
    const struct bc_block *b = &fn->bc->blocks[block];
    return &fn->bc->insns[b->first + b->count - 1];
}
/** Whether two lanes that wait at the end of `block` are at the same instance of it. */
bool vm_same_instance(const struct vm_gang *a, uint32_t la, const struct vm_gang *b, uint32_t lb,
                      uint32_t block);
/** Whether all of the gang are, if they are there. */
bool vm_counters_agree(const struct vm_gang *g, uint32_t block);
/** Whether x waits at what comes before what y waits at. */
bool vm_waits_earlier(struct vm_lane_ref x, struct vm_lane_ref y);
/** A lane that waits goes on. */
void vm_let_go(struct vm_gang *g, uint32_t lane);
/**
 * All its work-items wait at one instance of a barrier, which they came to with the same arguments.
 */
bool vm_group_meets(const struct vm_group *grp);

// ---- collective_args.c
/**
 * Arguments of what a whole group comes to, which are to be the same for all: n operands of 1 <<
 * elog bytes; bit k: operand k varies.
 */
struct vm_agreement {
    enum bc_barrier kind; // what they are of
    unsigned n, elog, varying;
    const enum chk_argument_kind *kinds;
    const uint32_t *off;
};
/**
 * After an error that leaves local memory unwritten: nothing in it counts as never written any
 * more.
 */
void vm_group_defines_all(struct vm_group *grp);
/** Tells, once, where work-items came with others than the first one. */
void vm_group_agrees(struct vm_gang *g, const struct vm_insn *ip, const struct vm_agreement *a);

// ---- reconvergence.c
/**
 * No lane runs: those go on that wait for lanes of their sub-group of which none can come any more;
 * whether any do.
 */
bool vm_meet_rest(struct vm_gang *g);
/** The same under a debugger, of all work-items; `only_ask`: whether any would. */
bool vm_meet_stepped(struct vm_group *grp, bool only_ask);
/**
 * Nobody gets any further: those go on that need not wait for the rest of their sub-group; whether
 * any do.
 */
bool vm_meet_as_they_are(struct vm_group *grp);

// ---- sys_collective.c
/**
 * Under a debugger, of the n work-items from `first` on, a sub-group: those of `who` go on past
 * what they meet for, and have of one another what it gives.
 */
void vm_collect_stepped(struct vm_group *grp, uint32_t first, uint32_t n, const bool who[]);

// ---- sys_async.c
void vm_copies_end(struct vm_group *grp); // those that are waited for at the barrier just reached
void vm_copies_restored(struct vm_group *grp); // those under way are others now
void vm_copies_left(struct vm_group *grp);     // the group is done: nobody waited
/** Of all arguments that share the allocation: is nothing but atomics done through them? */
bool vm_only_atomics(const struct vm_run *run, const void *root);
/** All groups are done: races between them are looked for, and all races told. Once. */
void vm_races_tell(struct vm_run *run);

// ---- gang.c
struct vm_gang *vm_gang_get(struct vm_program *p, struct vm_code *c); // NULL: no memory
void vm_gang_put(struct vm_program *p, struct vm_code *c, struct vm_gang *g);
void vm_gang_bind(struct vm_gang *g, struct vm_group *grp);
void vm_gang_free(struct vm_gang *g);
/** Brings g->slots up to date: before nlanes changes, and at the end. */
void vm_gang_tally(struct vm_gang *g);
/** Shape and ids of the group's lanes first.. */
void vm_gang_start(struct vm_gang *g, struct vm_group *grp, uint32_t first);

/** At a jump back: true when the gang is to stop. */
bool vm_poll(struct vm_gang *g);

struct chk_item vm_item_of(const struct vm_gang *g, uint32_t lane);
/** The calls the frame was reached through, innermost first. */
unsigned vm_calls_of(const struct vm_gang *g, uint32_t calls[CHK_MAX_CALLS]);

// ---- host_address.c
/**
 * A pointer without an object, as one into the shared virtual memory that it, or the place it is
 * used at, lies in; else p.
 */
uint64_t vm_svm_resolve(struct vm_gang *g, uint64_t p, uint64_t used_at);
static inline bool vm_is_raw(uint64_t p) { return p && !(p >> BC_PTR_ID_SHIFT); }

// ---- worker.c
void vm_worker_run(struct vm_worker *w);
/** Another group may run beside those that do: the last of w->contexts, or NULL. */
struct vm_group *vm_worker_context(struct vm_worker *w);
void vm_worker_finish_group(struct vm_worker *w, struct vm_group *grp);
void vm_worker_deinit(struct vm_worker *w);

// ---- progress.c
void vm_progress_start(struct vm_run *run);
void vm_progress_tell(struct vm_run *run); // the first worker, where it is wanted
void vm_progress_end(struct vm_run *run);
static inline void vm_progress(struct vm_worker *w)
{
    if (w->run->progress.wanted && !w->index) vm_progress_tell(w->run);
}

// ---- program.c
struct vm_program {
    const struct bc_module *module;
    pthread_mutex_t lock;   // guards codes and the gangs they keep
    struct vm_code **codes; // by kernel
    uint8_t *unit;          // by site: see units() in program.c
    bool copies_structs;    // some code copies structs to global memory that may lack members
    bool sub_groups;        // some code works on them: gangs hold whole ones
    char **storage;         // constant and program-scope objects, by object
    uint8_t *suits;         // by kernel: enum vm_suits
};
enum vm_suits { VM_SUITS_UNKNOWN, VM_SUITS_NOT, VM_SUITS };
struct vm_code *vm_program_code(struct vm_program *p, const struct bc_kernel *k, uint32_t lanes,
                                unsigned mode);
/** vm_batch_suits, found out once. */
bool vm_program_batches(struct vm_program *p, const struct bc_kernel *k);
#endif
