// SPDX-License-Identifier: MIT
// Runs a launch in another order of its work-items: systematic testing of schedules.
//
// Each work-item is a gang of one lane that is stepped (step.h), so it can be preempted before any
// instruction. Work-items have priorities, and the one with the highest priority that can run does.
// Only atomics are preemption points: other accesses of shared memory that depend on the order are
// data races, which the race check finds in any order that has the same atomics in the same order.
// The number of a schedule defines it completely, so it can be repeated alone:
//
//   1      in the order of ids, each work-item as far as it gets; 2: the last one first
//   odd    from 3 on: number 3 + 2 * (i + n * way) names the i-th of the n places of atomics in the
//          source, and one of three ways (enum way).
//          HOLD: a work-item that comes to the atomic lets all others go first (as the active
//          testing of Sen, "Race Directed Random Testing of
//          Concurrent Programs", PLDI 2008, does with a pair of places that conflict); otherwise
//          the last one goes first, or the first one.
//          DELAY, of atomics that write: the work-item goes on while others do not see yet what it
//          stored, as the memory model allows (store_buffer.c). Before an instruction that the
//          store must precede, the others go first. When a work-item goes on after it has let the
//          others go first, they see what it stored.
//   even   random priorities, and 1 to 3 places where the priority of the running work-item becomes
//          the lowest (PCT: Burckhardt, Kothari,
//          Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
//          Bugs", ASPLOS 2010). How many atomics the
//          launch will run is not known, so the places are drawn with a uniform logarithm. The
//          priorities are of work-items or of
//          groups; every fourth of these schedules lowers the priority at random instead, at a
//          quarter of all atomics.
//
// Fairness: a work-item whose atomics change nothing (it spins), or that has run long, gets the
// lowest priority. When all spin, each runs to where the engine lets it yield, over and over; that
// no memory and no state of a group changed meanwhile is what worker.c takes for no-progress, and
// it is here.
//
// Invariant: a work-item is in the heap if it can run and does not.
#include "interp/stepping/interleave.h"

#include "base/mem.h"
#include "bytecode/dependence.h"
#include "interp/calls/async_copies.h"
#include "interp/calls/sys.h"
#include "interp/core/barrier.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/core/lane_access.h"
#include "interp/core/memory_object.h"
#include "interp/core/reconvergence.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/shared_program.h"
#include "interp/launch/worker.h"
#include "interp/stepping/step.h"
#include "interp/stepping/store_buffer.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ITEMS = 4096,        // running work-items; at least those of two groups
    MOST_GROUPS = 16,         // running groups; each has its own shadow in the race check
    SPINS = 3,                // iterations of a loop whose atomics changed nothing
    SLICE = 1 << 15,          // instructions
    LONGEST = 1 << 20,        // instructions of a work-item until it must yield
    MOST_ADDRESSES = 1 << 16, // addresses whose conflicts are tracked
    MOST_CHANGES = 3,
    CHANGE_LOG = 13,      // change points are among the first 1 << 13 atomics
    MOST_ITERATIONS = 64, // rounds in which all work-items yield
};
static const uint64_t FIRST_LOW = 1ull
                                  << 62; // lower priorities are those of work-items that yielded

enum way { HOLD_LAST_FIRST, DELAY, HOLD_FIRST_FIRST, WAYS };

struct waiting {
    uint64_t priority;
    uint32_t context, item;
};

struct item {
    struct vm_store_buffer stores;
    uint32_t spins, spin_site; // executions of that atomic without a change
    bool is_ready;             // in the heap
    bool was_held;             // at its current instruction
};

struct context {
    struct item *items;
    uint32_t nready;
    bool runs;
};

struct interleave {
    struct vm_worker *w;
    struct vm_run *run;
    struct vm_schedule *s;
    struct context *contexts;
    VEC(struct waiting) heap; // the highest priority first
    uint64_t low;             // the next lowest priority
    uint64_t random;
    uint64_t begun;         // groups
    uint64_t first, stride; // order of groups: the k-th to begin is (first + k * stride) % ngroups
    uint32_t busy, most;    // running contexts; the most
    uint64_t atomics, insns, idle;
    uint64_t change[MOST_CHANGES];
    unsigned nchanges;
    bool by_group, at_random, last_first, first_first;
    uint32_t *atomic_number; // by site, as of number_atomics
    uint32_t hold, delay;    // places, or 0
    struct map addresses;    // address → last work-item + 1, and its site
    struct map late;         // see vm_late_add
    uint64_t nlate;          // late stores of all work-items
};

static uint64_t next_random(struct interleave *v)
{
    uint64_t x = v->random += 0x9e3779b97f4a7c15ull; // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// ---- the heap
static void push(struct interleave *v, struct waiting x)
{
    vec_push(&v->heap, x);
    struct waiting *h = v->heap.data;
    size_t i = v->heap.len - 1;
    for (; i && h[(i - 1) / 2].priority < x.priority; i = (i - 1) / 2) h[i] = h[(i - 1) / 2];
    h[i] = x;
    v->contexts[x.context].items[x.item].is_ready = true;
    v->contexts[x.context].nready++;
}

static struct waiting pop(struct interleave *v)
{
    struct waiting *h = v->heap.data, first = h[0], x = vec_pop(&v->heap);
    const size_t n = v->heap.len;
    size_t i = 0;
    for (size_t k = 1; k < n; k = 2 * i + 1) {
        if (k + 1 < n && h[k + 1].priority > h[k].priority) k++;
        if (h[k].priority <= x.priority) break;
        h[i] = h[k];
        i = k;
    }
    if (n) h[i] = x;
    v->contexts[first.context].items[first.item].is_ready = false;
    v->contexts[first.context].nready--;
    return first;
}

static void put_back(struct interleave *v, struct waiting x)
{
    x.priority = --v->low;
    push(v, x);
}

// ---- decoding the schedule's number
static uint64_t id_of(const struct interleave *v, const struct vm_group *grp, uint32_t item)
{
    return grp->linear * v->run->group_items + item;
}

static uint64_t priority_of(struct interleave *v, const struct vm_group *grp, uint32_t item)
{
    const uint64_t id = id_of(v, grp, item);
    if (v->first_first) return 2 * FIRST_LOW - 1 - id;
    if (v->last_first) return FIRST_LOW + id;
    const uint64_t of_group = hash_bytes(&grp->linear, sizeof grp->linear, v->s->number),
                   of_item = hash_bytes(&id, sizeof id, v->s->number);
    return FIRST_LOW + (v->by_group ? (of_group >> 40 << 32 | of_item >> 32) : of_item >> 4);
}

static int compare_locations(const struct bc_module *m, uint32_t a, uint32_t b)
{
    const struct bc_loc *x = &m->locs[m->sites[a].loc], *y = &m->locs[m->sites[b].loc];
    const int files = x->file == y->file ? 0
                                         : strcmp(bc_str(m, m->files[x->file].name),
                                                  bc_str(m, m->files[y->file].name));
    if (files) return files;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->col > y->col) - (x->col < y->col);
}

static int by_location(const void *a, const void *b, void *m)
{
    return compare_locations(m, *(const uint32_t *)a, *(const uint32_t *)b);
}

/**
 * Numbers the places of atomics in the source, from 1 on, by site; 0: not an atomic. Returns their
 * number. The numbers do not depend on how the program was compiled (for example, for a debugger).
 */
static uint32_t number_atomics(const struct bc_module *m, uint32_t *number)
{
    VEC(uint32_t) sites = {0};
    uint32_t n = 0;
    memset(number, 0, m->nsites * sizeof *number);
    for (uint32_t i = 1; i < m->nsites; i++)
        if (m->sites[i].kind >= BC_ATOMIC_RMW) vec_push(&sites, i);
    if (sites.len)
        qsort_r(sites.data, sites.len, sizeof *sites.data, by_location, (void *)(uintptr_t)m);
    for (size_t k = 0; k < sites.len; k++) {
        n += !k || compare_locations(m, sites.data[k - 1], sites.data[k]);
        number[sites.data[k]] = n;
    }
    vec_free(&sites);
    return n;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    return b ? greatest_common_divisor(b, a % b) : a;
}

static void choose(struct interleave *v)
{
    const uint64_t n = v->s->number, ngroups = v->run->ngroups;
    const struct bc_module *m = v->run->code->module;
    v->atomic_number = mem_array(NULL, m->nsites + 1, sizeof *v->atomic_number);
    const uint32_t natomics = number_atomics(m, v->atomic_number); // at least one: vm_order_matters
    v->random = n;
    v->stride = 1;
    v->first_first = n == 1;
    v->last_first = n == 2;
    if (n > 2 && n % 2) {
        const uint64_t index = (n - 3) / 2;
        const enum way way = (enum way)(index / natomics % WAYS);
        *(way == DELAY ? &v->delay : &v->hold) = 1 + (uint32_t)(index % natomics);
        v->first_first = way == HOLD_FIRST_FIRST;
        v->last_first = !v->first_first;
    }
    if (v->last_first) {
        v->first = ngroups - 1;
        v->stride = ngroups > 1 ? ngroups - 1 : 1;
    }
    if (v->first_first || v->last_first) return;
    v->by_group = n % 4 == 2;
    v->first = next_random(v) % ngroups;
    v->stride = next_random(v) % ngroups;
    while (greatest_common_divisor(v->stride, ngroups) != 1)
        v->stride = (v->stride + 1) % (ngroups + 1);
    if (n % 8 == 6) {
        v->at_random = true;
    } else {
        v->nchanges = 1 + (unsigned)(next_random(v) % MOST_CHANGES);
        for (unsigned i = 0; i < v->nchanges; i++) {
            const uint64_t from = 1ull << next_random(v) % CHANGE_LOG;
            v->change[i] = from + next_random(v) % from;
        }
    }
}

// ---- groups begin and end
static void set_ready(struct interleave *v, uint32_t context)
{
    struct vm_group *grp = v->w->contexts[context];
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_gang *g = grp->gangs[i];
        if (!v->contexts[context].items[i].is_ready && (g->at || g->state == VM_RUNNING))
            push(v, (struct waiting){priority_of(v, grp, i), context, i});
    }
}

static bool begin_group(struct interleave *v, uint32_t context)
{
    const uint64_t n = v->run->ngroups;
    if (v->begun == n || atomic_load_explicit(&v->run->stopped, memory_order_relaxed)) return false;
    const uint64_t group = (uint64_t)((v->first + (unsigned __int128)v->begun * v->stride) % n);
    if (context == v->w->ncontexts && !vm_worker_context(v->w)) return false;
    v->begun++;
    struct context *c = &v->contexts[context];
    if (!c->items) c->items = mem_alloc(v->run->group_items * sizeof *c->items);
    memset(c->items, 0, v->run->group_items * sizeof *c->items);
    vm_group_start(v->w->contexts[context], group, 1);
    const struct vm_debugger *const debugger = v->run->l->debugger;
    if (debugger) debugger->group_begins(debugger->ctx, v->w->contexts[context]);
    c->runs = true;
    v->busy++;
    set_ready(v, context);
    return true;
}

static void begin_groups(struct interleave *v)
{
    for (uint32_t i = 0; i < v->most && v->busy < v->most; i++)
        if (!v->contexts[i].runs && !begin_group(v, i)) return;
}

static void end_group(struct interleave *v, uint32_t context)
{
    v->contexts[context].runs = false;
    v->busy--;
    vm_worker_finish_group(v->w, v->w->contexts[context]);
}

/** No work-item of the group can run: passes the barrier, or ends the group. */
static void go_on(struct interleave *v, uint32_t context)
{
    struct vm_group *grp = v->w->contexts[context];
    bool waits = false;
    for (uint32_t i = 0; i < grp->ngangs; i++) waits |= grp->gangs[i]->state == VM_WAITING;
    if (waits) {
        vm_group_judge(grp);
        set_ready(v, context);
        return;
    }
    vm_copies_left(grp);
    end_group(v, context);
    begin_groups(v);
}

// ---- late stores
static struct item *item_of(struct interleave *v, struct waiting x)
{
    return &v->contexts[x.context].items[x.item];
}

static void drain(struct interleave *v, struct item *item, struct vm_gang *g)
{
    v->nlate -= item->stores.late.len;
    if (!vm_store_buffer_drain(&item->stores, g, &v->late)) return;
    v->idle = 0;
    v->w->changed = true;
}

/**
 * A work-item is about to run an atomic at p, where stores are late. `drains`: those of others must
 * be seen first. Otherwise, notes that a store is seen late.
 */
static void meet_late(struct interleave *v, const struct item *item, const char *p, bool drains)
{
    if (!drains && v->s->late_site) return;
    for (uint32_t c = 0; c < v->most; c++) {
        const struct vm_group *const grp = v->w->contexts[c];
        for (uint32_t i = 0; v->contexts[c].runs && i < grp->items; i++) {
            struct item *const other = &v->contexts[c].items[i];
            const struct vm_late_store *const s = vm_late_at(&other->stores, p);
            if (!s || other == item) continue;
            if (drains) drain(v, other, grp->gangs[i]);
            else v->s->late_site = s->site;
        }
    }
}

// ---- running
/**
 * Records an address that two work-items accessed, one of them writing: the order of its atomics
 * matters.
 */
static void note_conflict(struct interleave *v, uint64_t id, struct vm_gang *g, uint32_t site,
                          const struct bc_mem *m)
{
    if (!v->s->conflicts || !g->ok_mask[0] || v->addresses.len >= MOST_ADDRESSES) return;
    const bool writes = m->kind != BC_ATOMIC_LOAD;
    uint64_t *last =
        map_put_ptr(&v->addresses, g->objects[g->lane_ids[0]].base + g->offsets[0], NULL);
    const uint64_t was = *last;
    *last = (id & 0xffffff) << 33 | (uint64_t)writes << 32 | site | 1ull << 62;
    if (!was || (was >> 33 & 0xffffff) == (id & 0xffffff) || !(writes || was >> 32 & 1)) return;
    v->s->conflicts[site] = v->s->conflicts[(uint32_t)was] = true;
}

static bool is_change_point(struct interleave *v)
{
    v->atomics++;
    for (unsigned i = 0; i < v->nchanges; i++)
        if (v->change[i] == v->atomics) return true;
    return v->at_random && next_random(v) % 4 == 0;
}

/** An atomic was done. */
static void note_spin(struct interleave *v, struct item *item, uint32_t site)
{
    if (v->w->changed) {
        item->spins = 0;
        v->idle = 0;
        return;
    }
    if (!item->spins) item->spin_site = site;
    item->spins += item->spin_site == site;
}

static void step(struct interleave *v, struct waiting x, struct vm_gang *g, bool begins)
{
    const struct vm_debugger *const debugger = v->run->l->debugger;
    if (debugger) debugger->step(debugger->ctx, g->group, x.item, begins);
    else vm_step(g);
}

enum outcome { PUT_BACK, WAITS, STOPPED };

/** Does the work-item let others run before its next instruction? */
static bool lets_others(struct interleave *v, struct item *item, const struct vm_gang *g,
                        const struct bc_insn *i)
{
    if (item->was_held) return false;
    if (vm_late_effect(&item->stores, g, i) == VM_LATE_DRAINS) return true;
    if (v->delay && !v->nlate && i->op == BC_ATOMIC &&
        g->code->module->sites[i->site].kind == BC_ATOMIC_LOAD)
        return true; // it may see that a store is late if it comes after it
    return i->op == BC_ATOMIC && (v->atomic_number[i->site] == v->hold || is_change_point(v));
}

/** An instruction of a work-item. */
struct next {
    const struct vm_insn *ip;
    bool begins;
    bool may_delay;
};

/**
 * Runs it in the view of the work-item's late stores. `p`: it is an atomic at p that becomes late;
 * or NULL.
 */
static void step_viewed(struct interleave *v, struct waiting x, struct vm_gang *g,
                        const struct next *n, char *p)
{
    struct vm_store_buffer *const b = &item_of(v, x)->stores;
    const struct bc_insn *const i = n->ip->src;
    struct vm_late_store s;
    vm_view_open(b, g);
    if (p) s = vm_late_begin(g, p, i);
    step(v, x, g, n->begins);
    if (p) vm_late_end(&s, g);
    vm_view_close(b, g, i);
    if (!p) return;
    vm_late_add(b, s, &v->late);
    v->nlate++;
}

static void step_atomic(struct interleave *v, struct waiting x, struct vm_gang *g,
                        const struct next *n, enum vm_late_effect effect)
{
    struct item *const item = item_of(v, x);
    const struct bc_insn *const i = n->ip->src;
    const struct bc_mem *const m = &g->code->module->sites[i->site];
    const bool before = v->w->changed, is_place = v->atomic_number[i->site] == v->delay;
    char *const p = is_place || v->late.len ? vm_late_address(g, n->ip) : NULL;
    const bool joins = effect == VM_LATE_JOINS || (is_place && n->may_delay && vm_may_be_late(m) &&
                                                   vm_store_buffer_has_room(&item->stores));
    const uint64_t *const late = p ? map_get_ptr(&v->late, p) : NULL;
    if (late && *late)
        meet_late(v, item, p,
                  m->kind != BC_ATOMIC_LOAD && (*late & 1 || (joins && m->kind == BC_ATOMIC_RMW)));
    v->w->changed = false;
    step_viewed(v, x, g, n, joins ? p : NULL);
    note_conflict(v, id_of(v, g->group, x.item), g, i->site, m);
    note_spin(v, item, i->site);
    v->w->changed |= before;
}

static void step_next(struct interleave *v, struct waiting x, struct vm_gang *g,
                      const struct next *n)
{
    struct item *const item = item_of(v, x);
    const struct bc_insn *const i = n->ip->src;
    enum vm_late_effect effect = vm_late_effect(&item->stores, g, i);
    if (effect == VM_LATE_DRAINS) {
        drain(v, item, g);
        effect = VM_LATE_PASSES;
    }
    if (i->op == BC_ATOMIC && n->ip->fn == vm_op_atomic) step_atomic(v, x, g, n, effect);
    else step_viewed(v, x, g, n, NULL);
}

/** `to_yield`: run it until it yields to others. */
static enum outcome run_item(struct interleave *v, struct waiting x, bool to_yield)
{
    struct vm_group *grp = v->w->contexts[x.context];
    struct vm_gang *g = grp->gangs[x.item];
    struct item *item = item_of(v, x);
    if (g->state == VM_YIELDED) g->state = VM_RUNNING;
    drain(v, item, g);
    if (!vm_step_begin(g)) return WAITS;
    const struct vm_insn *prev = NULL;
    for (uint64_t n = 0; g->at; n++) {
        const struct vm_insn *ip = g->at;
        const struct bc_insn *i = ip->src;
        const bool begins = !prev || ip != prev + 1 || i != prev->src;
        if (n >= (to_yield ? LONGEST : SLICE)) return PUT_BACK;
        if (begins && !to_yield && lets_others(v, item, g, i)) {
            item->was_held = true;
            return PUT_BACK;
        }
        if (begins) item->was_held = false;
        step_next(v, x, g, &(struct next){ip, begins, !to_yield});
        prev = ip;
        v->insns++;
        if (g->stop) return STOPPED;
        if (g->at && item->spins >= SPINS && !to_yield) {
            item->spins = 0;
            v->idle++;
            return PUT_BACK;
        }
    }
    drain(v, item, g); // it ended without another instruction
    if (g->state == VM_YIELDED) {
        v->idle++;
        return PUT_BACK;
    }
    v->idle = 0;
    return WAITS;
}

/** Removes a work-item that waits or is done. */
static void leave(struct interleave *v, struct waiting x)
{
    struct vm_group *grp = v->w->contexts[x.context];
    if (grp->gangs[x.item]->state == VM_WAITING && grp->worker->run->l->program->sub_groups &&
        vm_reconverge_stepped(grp, false))
        set_ready(v, x.context);
    if (!v->contexts[x.context].nready) go_on(v, x.context);
}

/** All work-items spin: runs each until it yields. Did any of them change memory, end or wait? */
static bool run_round(struct interleave *v)
{
    v->w->changed = false;
    for (size_t n = v->heap.len; n; n--) {
        const struct waiting x = pop(v);
        const enum outcome o = run_item(v, x, true);
        if (o == WAITS) leave(v, x);
        else put_back(v, x); // with the lowest priority, so that another one is next
        if (o != PUT_BACK || v->w->contexts[x.context]->gangs[x.item]->state != VM_YIELDED)
            return true;
    }
    return v->w->changed;
}

/** Resumes work-items that wait for others of their sub-group if those spin. */
static bool reconverge_partially(struct interleave *v)
{
    bool any = false;
    for (uint32_t i = 0; i < v->most; i++) {
        if (!v->contexts[i].runs || !vm_reconverge_partially(v->w->contexts[i])) continue;
        any = true;
        set_ready(v, i);
    }
    return any;
}

/** Deadlock detection: whether no work-item can ever continue. If so, reports it. */
static bool is_stuck(struct interleave *v)
{
    unsigned same = 0;
    if (reconverge_partially(v)) return false;
    for (unsigned round = 0; round < MOST_ITERATIONS && same < 2; round++) {
        if (run_round(v) || !v->heap.len) return false;
        bool stuck = true;
        for (uint32_t i = 0; i < v->most; i++)
            if (v->contexts[i].runs) stuck &= vm_group_is_stuck(v->w->contexts[i]);
        same = stuck ? same + 1 : 0;
    }
    if (same < 2) return false;
    if (v->begun < v->run->ngroups &&
        v->most < v->w->max_contexts) { // they may wait for a group that has not begun
        v->most = v->w->max_contexts;
        begin_groups(v);
        return false;
    }
    for (uint32_t i = 0; i < v->most; i++)
        if (v->contexts[i].runs) vm_group_report_stuck(v->w->contexts[i]);
    return true;
}

void vm_interleave(struct vm_worker *w)
{
    struct vm_run *const run = w->run;
    struct interleave v = {.w = w, .run = run, .s = run->l->schedule, .low = FIRST_LOW};
    v.most = MOST_ITEMS / run->group_items;
    if (v.most > MOST_GROUPS) v.most = MOST_GROUPS;
    if (v.most < 2) v.most = 2;
    if (v.most > w->max_contexts) v.most = w->max_contexts;
    v.contexts = mem_alloc((w->max_contexts + 1) * sizeof *v.contexts);
    choose(&v);
    begin_groups(&v);
    while (v.heap.len && !atomic_load_explicit(&run->stopped, memory_order_relaxed)) {
        const struct waiting x = pop(&v);
        const enum outcome o = run_item(&v, x, false);
        if (o == PUT_BACK) put_back(&v, x);
        else if (o == WAITS) leave(&v, x);
        else break;
        if (v.s->limit && v.insns > v.s->limit) {
            v.s->gave_up = true;
            break;
        }
        if (v.idle > 4 * v.heap.len + 8) {
            v.idle = 0;
            if (is_stuck(&v)) break;
        }
    }
    for (uint32_t i = 0; i < v.most; i++) {
        if (!v.contexts[i].runs) continue;
        for (uint32_t k = 0; k < w->contexts[i]->items; k++)
            drain(&v, &v.contexts[i].items[k], w->contexts[i]->gangs[k]);
        end_group(&v, i);
    }
    for (uint32_t i = 0; i < w->max_contexts; i++) free(v.contexts[i].items);
    free(v.contexts);
    free(v.atomic_number);
    vec_free(&v.heap);
    map_deinit(&v.addresses);
    map_deinit(&v.late);
}

// ---- which schedules
/** Kinds of atomics that a pass directs schedules at. */
enum aim { LOADS, WRITES, WEAK_STORES, OTHER_LATE };

static bool is_aim(enum aim aim, const struct bc_mem *m)
{
    const bool is_weak = m->kind == BC_ATOMIC_STORE && m->order != BC_SEQ_CST;
    switch (aim) {
    case LOADS: return m->kind == BC_ATOMIC_LOAD;
    case WRITES: return m->kind != BC_ATOMIC_LOAD;
    case WEAK_STORES: return is_weak && vm_may_be_late(m);
    case OTHER_LATE: return !is_weak && vm_may_be_late(m);
    }
    return false;
}

/**
 * The next atomic to direct a schedule at: stores to be delayed, then atomics that write, then
 * those that read, then further atomics to be delayed.
 */
static uint64_t next_directed(struct vm_schedules *p, const struct bc_module *m)
{
    static const struct {
        enum way way;
        enum aim aim;
    } passes[] = {{DELAY, WEAK_STORES},     {HOLD_LAST_FIRST, WRITES}, {HOLD_FIRST_FIRST, WRITES},
                  {HOLD_LAST_FIRST, LOADS}, {HOLD_FIRST_FIRST, LOADS}, {DELAY, OTHER_LATE}};
    uint32_t *atomic = mem_array(NULL, m->nsites + 1, sizeof *atomic);
    const uint64_t n = number_atomics(m, atomic);
    bool found = false;
    uint64_t number = 0;
    for (; p->directed < sizeof passes / sizeof *passes * n && !found; p->directed++) {
        const uint64_t index = p->directed % n, pass = p->directed / n;
        for (uint32_t i = 1; i < m->nsites && !found; i++)
            found = atomic[i] == index + 1 && p->conflicts[i] &&
                    is_aim(passes[pass].aim, &m->sites[i]);
        number = 3 + 2 * (index + passes[pass].way * n);
    }
    free(atomic);
    return found ? number : 0;
}

uint64_t vm_schedule_next(struct vm_schedules *p, const struct bc_module *m)
{
    if (p->n++ < 2) return p->n;
    const uint64_t directed = p->n % 3 ? next_directed(p, m) : 0;
    return directed ? directed : 4 + 2 * p->random++;
}

// ---- which launches
bool vm_order_matters(const struct vm_launch *l)
{
    const struct bc_module *m = vm_program_module(l->program);
    if (!l->kernel->uses_atomics) return false;
    return bc_atomics_show_order(m, l->kernel->fn);
}
