// SPDX-License-Identifier: MIT
// A work-group: its gangs run in turn, each as far as the barrier; then the barrier is judged.
//
// A lane that reaches a barrier parks. When no lane of the group can run, either all work-items are
// parked at the same instance of the same barrier (same place, same iteration of every enclosing
// loop) and none has returned: it is passed. Or they are not: that is barrier-divergence. In a
// group of one gang whose lanes arrive all at once nobody parks.
//
// After a divergence those go on that are at the first of the barriers (in iterations, then in the
// order of the program), as if it were passed; the others wait there for them. So a group whose
// work-items come to a common barrier later is together again from there on. Until that happens,
// what else it does at barriers is taken for the wake of the same mistake and not told; if it
// happens, the next divergence is news.
#include "interp/core/group.h"
#include "interp/core/divergence_point.h"
#include "interp/livelock/group_livelock.h"
#include "interp/definedness/written_sets.h"
#include "interp/stepping/scout.h"

#include "base/mem.h"
#include "interp/calls/sys.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES_FROM = 256 }; // bytes of a local object: less is looked at as fast

struct err *vm_group_create(struct vm_worker *w, struct vm_group **out)
{
    struct vm_run *run = w->run;
    struct vm_group *grp = mem_alloc(sizeof *grp);
    *out = grp;
    grp->worker = w;
    if (run->race) grp->race = race_worker_get(run->race, vm_race_worker(w) + w->ncontexts);
    if (run->local_bytes && !(grp->local_mem = mem_try_alloc(run->local_bytes, 128)))
        return err_new("no memory for %llu bytes of local memory",
                       (unsigned long long)run->local_bytes);
    if (run->code->collects) grp->put = mem_alloc(2 * sizeof *grp->put * run->group_items);
    if (run->code->undef_put) grp->put_undef = mem_alloc(2 * (size_t)run->group_items);
    if (run->code->undef_put)
        grp->put_origins = mem_alloc(2 * sizeof *grp->put_origins * run->group_items);
    if (run->code->undef) {
        grp->shadows = mem_alloc(run->nobjects * sizeof *grp->shadows);
        if (run->local_bytes && !(grp->local_shadow = mem_try_alloc(run->local_bytes, 128)))
            return err_new("no memory to follow which bytes of local memory are written");
        for (uint32_t id = 1; id < run->nobjects; id++) {
            struct vm_shadow *const s = &grp->shadows[id];
            *s = (struct vm_shadow){
                .bytes = grp->local_shadow ? grp->local_shadow + run->local_off[id] : NULL,
                .count = &s->own_count};
        }
    }
    grp->gangs = mem_array(NULL, run->gangs_per_group, sizeof *grp->gangs);
    for (; grp->max_gangs < run->gangs_per_group; grp->max_gangs++) {
        struct vm_gang *g = vm_gang_get(run->l->program, run->code);
        if (!g) return err_new("no memory for the registers and private memory of a work-group");
        grp->gangs[grp->max_gangs] = g;
        g->insns = g->lane_insns = g->slots = g->slots_until = g->told = 0;
        vm_gang_bind(g, grp);
    }
    return NULL;
}

void vm_group_release(struct vm_group *grp)
{
    if (!grp) return;
    struct vm_worker *w = grp->worker;
    for (uint32_t i = 0; i < grp->max_gangs; i++) {
        struct vm_gang *g = grp->gangs[i];
        vm_gang_tally(g);
        w->stats.insns += g->insns;
        w->stats.lane_insns += g->lane_insns;
        w->stats.slots += g->slots;
        vm_gang_put(w->run->l->program, w->run->code, g);
    }
    free(grp->gangs);
    free(grp->local_mem);
    free(grp->local_shadow);
    vm_image_fences_deinit(&grp->image_fences);
    free(grp->put);
    free(grp->put_undef);
    free(grp->put_origins);
    for (uint32_t id = 1; grp->shadows && id < w->run->nobjects; id++)
        free(grp->shadows[id].stages);
    free(grp->shadows);
    vm_slice_free(grp->slice);
    vm_snapshot_free(&grp->round_trip.anchor);
    str_deinit(&grp->out);
    vec_free(&grp->copies);
    free(grp);
}

void vm_group_start(struct vm_group *grp, uint64_t linear, uint64_t n)
{
    vm_image_fences_clear(&grp->image_fences);
    const struct vm_run *run = grp->worker->run;
    const struct vm_launch *l = run->l;
    grp->linear = linear;
    grp->batch = linear - linear % run->batch;
    grp->ngroups = (uint32_t)n;
    grp->id[0] = linear % run->grid[0];
    grp->id[1] = linear / run->grid[0] % run->grid[1];
    grp->id[2] = linear / run->grid[0] / run->grid[1];
    grp->items = 1;
    for (int k = 0; k < 3; k++) {
        const uint64_t left = l->global[k] - grp->id[k] * l->local[k];
        grp->shape[k] = (uint32_t)(left < l->local[k] ? left : l->local[k]);
        grp->items *= grp->shape[k];
    }
    grp->items *= grp->ngroups;
    grp->ngangs = (grp->items + run->code->lanes - 1) / run->code->lanes;
    grp->parted = false;
    grp->round = 0;
    grp->meetings = grp->barriers = 0;
    grp->cycle = (struct vm_cycle){0};
    grp->meeting = (struct vm_meeting){0};
    vec_clear(&grp->copies);
    grp->ncopied = 0;
    grp->drops_copies = grp->events_differ = false;
    grp->wrong_event.count = 0;
    if (grp->local_mem) memset(grp->local_mem, 0, run->local_bytes);
    if (grp->local_shadow) {
        memset(grp->local_shadow, VM_NEVER_WRITTEN, run->local_bytes);
        for (uint32_t id = 1; id < run->nobjects; id++) {
            struct vm_shadow *const s = &grp->shadows[id];
            const uint64_t size = run->objects[id].kind == VM_OBJ_LOCAL ? run->objects[id].size : 0;
            s->own_count = size * grp->ngroups;
            if (!s->stages && grp->is_used && size >= STAGES_FROM) {
                s->stages = mem_alloc(sizeof *s->stages);
                s->stages->made = VM_STAGE_NONE;
            }
            s->stage = VM_STAGE_NONE;
        }
    }
    grp->is_used = true;
    for (uint32_t i = 0; i < grp->ngangs; i++)
        vm_gang_start(grp->gangs[i], grp, i * run->code->lanes);
    vm_round_start(grp);
    if (grp->race) race_group_begin(grp->race, linear / run->batch);
}

// ---- barriers
bool vm_same_instance(const struct vm_gang *a, uint32_t la, const struct vm_gang *b, uint32_t lb,
                      uint32_t block)
{
    const struct vm_fn *fn = &a->code->fns[0];
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent)
        if (vm_iteration(a, l, la) != vm_iteration(b, l, lb)) return false;
    return true;
}

bool vm_counters_agree(const struct vm_gang *g, uint32_t block)
{
    const struct vm_fn *fn = &g->code->fns[0];
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent) {
        const uint32_t counter = fn->bc->loops[l].counter;
        if (counter == BC_NONE || !(counter & BC_V)) continue;
        const uint32_t *v = (const uint32_t *)(g->r + fn->varying_off[counter & ~BC_V]);
        uint32_t differ = 0;
        for (uint32_t i = 0; i < g->nlanes; i++) differ |= v[i] ^ v[0];
        if (differ) return false;
    }
    return true;
}

/** `loc`: the barrier's; 0: it is none of the program. */
static void passed(struct vm_group *grp, unsigned kind, uint32_t flags, unsigned scope,
                   uint32_t loc)
{
    grp->meetings++;
    if (kind == BC_BAR_COLLECTIVE) grp->round ^= 1;
    if (kind == BC_BAR_WAIT_GROUP_EVENTS) vm_copies_end(grp);
    // all are there, but it orders nothing else
    if (kind != BC_BAR_BARRIER) return;
    grp->barriers++;
    if (flags & (BC_FENCE_IMAGE | BC_FENCE_GLOBAL)) vm_image_fences_clear(&grp->image_fences);
    if (!grp->race) return;
    race_barrier(grp->race, flags & 0xff, scope); // see BC_BARRIER in ops.def
    race_barrier_at(grp->race, loc);
}

static uint32_t flags_of(struct vm_gang *g, const struct vm_operands *q, uint32_t lane)
{
    return q->off[0] ? (uint32_t)vm_operand_bits(g, q->off[0], q->varying & 1, 2, lane) : 0;
}

/** Whether the group is to stop, or to let others run, since it only goes round. */
static bool goes_round(struct vm_group *grp, uint32_t block)
{
    const enum vm_round_end end = vm_round_look(grp, block);
    if (end == VM_ROUND_ENDLESS) {
        vm_round_tell(grp);
        for (uint32_t k = 0; k < grp->ngangs; k++) grp->gangs[k]->stop = true;
    }
    return end != VM_ROUND_GOES_ON;
}

const struct vm_insn *vm_op_barrier(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_barrier *q = ip->p;
    struct vm_group *grp = g->group;
    struct vm_frame *f = g->frame;
    if (q->kind == BC_BAR_BARRIER && q->scope <= BC_SCOPE_SUB_GROUP) return vm_go(g, ip->b);
    f->spins = 0;
    const bool scouting = grp->worker->scouting;
    if (g->nactive == g->nlanes && grp->ngangs == 1 && !(q->flags.varying & 1) &&
        vm_counters_agree(g, f->block) && (!scouting || vm_scout_may_pass(grp))) {
        passed(grp, q->kind, flags_of(g, &q->flags, 0), q->scope, ip->src->loc);
        grp->parted = false;
        vm_choices_forget(g);
        if (scouting) {
            vm_scout_has_passed(grp);
            return grp->worker->scout_failed ? NULL : vm_go(g, ip->b);
        }
        if (__builtin_expect(vm_round_is_due(grp), 0) && goes_round(grp, f->block)) {
            if (g->stop) return NULL;
            for (uint32_t i = 0; i < g->nlanes; i++) vm_frame_pend(g, f, ip->b, i);
            g->nactive = 0;
            g->state = VM_YIELDED;
            return NULL;
        }
        return vm_go(g, ip->b);
    }
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->mask[i]) {
            g->parked[i] = f->block + 1;
            g->flags[i] = flags_of(g, &q->flags, i);
        }
    g->nparked += g->nactive;
    return vm_next(g);
}

void vm_let_go(struct vm_gang *g, uint32_t lane)
{
    vm_frame_pend(g, &g->frames[0], vm_end_of_block(&g->code->fns[0], g->parked[lane] - 1)->ext,
                  lane);
    g->parked[lane] = 0;
    g->nparked--;
    g->state = VM_RUNNING;
}

static struct vm_lane_ref lane_at(const struct vm_group *grp, uint32_t item)
{
    const uint32_t w = grp->gangs[0]->code->lanes;
    return (struct vm_lane_ref){grp->gangs[item / w], item % w};
}

/** Those who are parked where `at` is go on behind the barrier; `all`: that is everyone. */
static void release(struct vm_group *grp, struct vm_lane_ref at, bool all)
{
    const uint32_t parked = at.g->parked[at.lane];
    for (uint32_t k = 0; k < grp->ngangs; k++) {
        struct vm_gang *g = grp->gangs[k];
        if (!g->nparked) continue;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (all ||
                (g->parked[i] == parked && vm_same_instance(g, i, at.g, at.lane, parked - 1)))
                vm_let_go(g, i);
    }
}

static bool all_at_one(const struct vm_group *grp)
{
    const struct vm_lane_ref a = lane_at(grp, 0);
    for (uint32_t k = 0; k < grp->ngangs; k++) {
        const struct vm_gang *g = grp->gangs[k];
        if (g->nreturned || g->nparked != g->nlanes) return false;
        for (uint32_t i = 0; i < g->nlanes; i++)
            if (g->parked[i] != a.g->parked[a.lane]) return false;
    }
    for (uint32_t i = 1; i < grp->items; i++) {
        const struct vm_lane_ref b = lane_at(grp, i);
        if (!vm_same_instance(a.g, a.lane, b.g, b.lane, a.g->parked[a.lane] - 1)) return false;
    }
    return true;
}

bool vm_group_meets(const struct vm_group *grp)
{
    const struct vm_lane_ref a = lane_at(grp, 0);
    bool same = true;
    for (uint32_t k = 0; k < grp->ngangs && same; k++) {
        const struct vm_gang *g = grp->gangs[k];
        same = g->nlanes && g->nparked == g->nlanes;
        for (uint32_t i = 0; i < g->nlanes && same; i++) same = g->flags[i] == a.g->flags[a.lane];
    }
    return same && all_at_one(grp);
}

enum { MAX_PARTIES = 8, MAX_LOOPS = 8, MAX_PARTINGS = 3 };

/** The loops around a block, outermost first; how many. */
static unsigned loops_around(const struct vm_fn *fn, uint32_t block, int32_t loops[MAX_LOOPS])
{
    unsigned n = 0, depth = 0;
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent) depth++;
    for (int32_t l = fn->blocks[block].loop; l >= 0; l = fn->bc->loops[l].parent)
        if (--depth < MAX_LOOPS) {
            loops[depth] = l;
            n = n > depth + 1 ? n : depth + 1;
        }
    return n;
}

bool vm_waits_earlier(struct vm_lane_ref x, struct vm_lane_ref y)
{
    const struct vm_fn *fn = &x.g->code->fns[0];
    const uint32_t bx = x.g->parked[x.lane] - 1, by = y.g->parked[y.lane] - 1;
    int32_t lx[MAX_LOOPS], ly[MAX_LOOPS];
    const unsigned nx = loops_around(fn, bx, lx), ny = loops_around(fn, by, ly);
    for (unsigned k = 0; k < nx && k < ny && lx[k] == ly[k]; k++) {
        const uint32_t ix = vm_iteration(x.g, lx[k], x.lane), iy = vm_iteration(y.g, ly[k], y.lane);
        if (ix != iy) return ix < iy;
    }
    return bx < by;
}

/** Somebody who waits at the first of the barriers. */
static struct vm_lane_ref first_waiting(const struct vm_group *grp)
{
    struct vm_lane_ref first = {0};
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_lane_ref a = lane_at(grp, i);
        if (a.g->parked[a.lane] && (!first.g || vm_waits_earlier(a, first))) first = a;
    }
    return first;
}

/** Whether what is not for this case of a switch is for none, but for its default. */
static bool is_last_case(const struct bc_fn *fn, const struct bc_insn *last)
{
    const struct bc_block *next = &fn->blocks[last->c];
    const struct bc_insn *end = &fn->insns[next->first + next->count - 1];
    return !(end->flags & BC_CASE && end->loc == last->loc);
}

/** The branches at which the others parted from the first party; none is told twice. */
static unsigned find_partings(const struct vm_group *grp, const struct chk_party *party, unsigned n,
                              struct chk_parting *out)
{
    enum { MAX_TRIES = 1 << 17 }; // notes looked for
    const struct vm_fn *fn = &grp->gangs[0]->code->fns[0];
    struct vm_parting at[MAX_PARTINGS];
    unsigned found = 0;
    uint32_t tries = MAX_TRIES;
    for (unsigned k = 1; k < n; k++)
        for (uint32_t i = party[k].first; i < grp->items && found < MAX_PARTINGS && tries; i++) {
            bool explained = !party[k].members[i];
            for (unsigned p = 0; p < found; p++)
                explained |= at[p].yes ? out[p].yes[i] : out[p].no[i];
            if (explained || !vm_parting_find(grp, party[0].members, i, &tries, &at[found]))
                continue;
            const struct bc_block *b = &fn->bc->blocks[at[found].block];
            const struct bc_insn *last = &fn->bc->insns[b->first + b->count - 1];
            struct chk_parting *p = &out[found];
            *p = (struct chk_parting){.loc = last->loc,
                                      .is_case = last->flags & BC_CASE,
                                      .comparison = vm_comparison(fn->bc, last)};
            p->is_last_case = p->is_case && !at[found].yes && is_last_case(fn->bc, last);
            if (p->is_case && b->count > 1 && last[-1].b < fn->bc->nconst)
                p->value = fn->bc->consts[last[-1].b];
            p->yes = mem_alloc(grp->items);
            p->no = mem_alloc(grp->items);
            for (unsigned o = 0; o < 2; o++)
                p->operand[o] = mem_alloc(grp->items * sizeof *p->operand[o]);
            vm_parting_members(grp, &at[found++], p->yes, p->no, p->operand);
        }
    return found;
}

/** Sorts the work-items by where they are and tells. */
static void report(struct vm_group *grp)
{
    struct vm_run *run = grp->worker->run;
    if (!(run->l->checks & VM_CHECK_DIVERGENCE) || grp->parted || grp->worker->muted ||
        grp->ngroups > 1)
        return;
    const struct vm_fn *fn = &run->code->fns[0];
    struct chk_party party[MAX_PARTIES] = {0};
    uint32_t iterations[MAX_PARTIES][MAX_LOOPS], loop_locs[MAX_PARTIES][MAX_LOOPS];
    uint8_t *members = mem_alloc((size_t)MAX_PARTIES * grp->items);
    unsigned n = 0;
    for (uint32_t i = 0; i < grp->items; i++) {
        const struct vm_lane_ref a = lane_at(grp, i);
        const uint32_t at = a.g->parked[a.lane];
        unsigned k = 0;
        for (; k < n; k++) {
            const struct vm_lane_ref b = lane_at(grp, party[k].first);
            if (b.g->parked[b.lane] == at &&
                (!at || vm_same_instance(a.g, a.lane, b.g, b.lane, at - 1)))
                break;
        }
        if (k == MAX_PARTIES) continue;
        struct chk_party *p = &party[k];
        if (k == n) {
            n++;
            p->first = i;
            p->members = members + (size_t)k * grp->items;
            p->loc = at ? vm_end_of_block(fn, at - 1)->loc : 0;
            p->at_barrier = at != 0;
            p->kind = at ? (enum bc_barrier)vm_end_of_block(fn, at - 1)->a : BC_BAR_BARRIER;
            p->iterations = iterations[k];
            p->loop_locs = loop_locs[k];
            for (int32_t l = at ? fn->blocks[at - 1].loop : -1; l >= 0 && p->nloops < MAX_LOOPS;
                 l = fn->bc->loops[l].parent) {
                if (fn->bc->loops[l].counter == BC_NONE) continue;
                const struct bc_block *h = &fn->bc->blocks[fn->bc->loops[l].header];
                iterations[k][p->nloops] = vm_iteration(a.g, l, a.lane);
                loop_locs[k][p->nloops++] = fn->bc->loops[l].loc
                                                ? fn->bc->loops[l].loc
                                                : fn->bc->insns[h->first + h->count - 1].loc;
            }
        }
        p->count++;
        members[(size_t)k * grp->items + i] = 1;
    }
    // the party reported on is the largest at a barrier; those that returned come last
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++)
            if (party[b].at_barrier > party[a].at_barrier ||
                (party[b].at_barrier == party[a].at_barrier && party[b].count > party[a].count)) {
                const struct chk_party p = party[a];
                party[a] = party[b];
                party[b] = p;
            }
    struct chk_parting parting[MAX_PARTINGS];
    const unsigned npartings = find_partings(grp, party, n, parting);
    chk_report_divergence(&run->chk,
                          &(struct chk_divergence){grp->linear,
                                                   grp->items,
                                                   {grp->shape[0], grp->shape[1], grp->shape[2]},
                                                   party,
                                                   n,
                                                   parting,
                                                   npartings});
    for (unsigned i = 0; i < npartings; i++) {
        free(parting[i].yes);
        free(parting[i].no);
        free(parting[i].operand[0]);
        free(parting[i].operand[1]);
    }
    free(members);
}

/** Reports flags that differ; what a barrier fences is what all of them name. */
static uint32_t compare_flags(struct vm_group *grp, unsigned kind, bool had_parted)
{
    struct vm_run *run = grp->worker->run;
    const struct vm_lane_ref a = lane_at(grp, 0);
    uint32_t all = a.g->flags[a.lane];
    bool is_told = !(run->l->checks & VM_CHECK_DIVERGENCE) || grp->worker->muted;
    for (uint32_t i = 1; i < grp->items; i++) {
        const struct vm_lane_ref b = lane_at(grp, i);
        if (b.g->flags[b.lane] == a.g->flags[a.lane]) continue;
        if (kind == BC_BAR_BARRIER) all &= b.g->flags[b.lane];
        if (is_told) continue;
        is_told = true;
        const struct bc_insn *at = vm_end_of_block(&run->code->fns[0], a.g->parked[a.lane] - 1);
        struct chk_argument arg = {.what = CHK_ARG_FLAGS,
                                   .kind = (enum bc_barrier)at->a,
                                   .loc = at->loc,
                                   .item = {vm_item_of(a.g, a.lane), vm_item_of(b.g, b.lane)},
                                   .value = {a.g->flags[a.lane], b.g->flags[b.lane]}};
        if (arg.kind == BC_BAR_WAIT_GROUP_EVENTS && had_parted)
            return all;                             // some began copies that others did not
        if (arg.kind == BC_BAR_WAIT_GROUP_EVENTS) { // see there, too
            const uint32_t x = (uint32_t)arg.value[0], y = (uint32_t)arg.value[1];
            arg.what = (x & 0xff) == (y & 0xff) ? CHK_ARG_EVENT_LIST : CHK_ARG_EVENTS;
            grp->events_differ = true;
            arg.value[0] = x & 0xff;
            arg.value[1] = y & 0xff;
        }
        chk_report_argument(&run->chk, &arg);
    }
    return all;
}

void vm_group_defines_all(struct vm_group *grp)
{
    for (uint32_t id = 0; grp->shadows && id < grp->worker->run->nobjects; id++)
        grp->shadows[id].own_count = 0;
}

void vm_group_judge(struct vm_group *grp)
{
    if (grp->gangs[0]->code->stepped && vm_meet_stepped(grp, false)) return;
    if (all_at_one(grp)) {
        const struct vm_lane_ref a = lane_at(grp, 0);
        const bool had_parted = grp->parted;
        grp->parted = false;
        for (uint32_t k = 0; k < grp->ngangs; k++) vm_choices_forget(grp->gangs[k]);
        const struct bc_insn *b = vm_end_of_block(&a.g->code->fns[0], a.g->parked[a.lane] - 1);
        passed(grp, b->a, compare_flags(grp, b->a, had_parted), b->c, b->loc);
        release(grp, a, true);
    } else {
        report(grp);
        vm_group_defines_all(grp);
        grp->parted = true;
        vm_copies_end(grp);
        passed(grp, BC_BAR_BARRIER, BC_FENCE_LOCAL | BC_FENCE_GLOBAL, BC_SCOPE_GROUP,
               0); // one finding is enough: no races in its wake
        release(grp, first_waiting(grp), false);
    }
}

// ---- running
static void run_gang(struct vm_gang *g)
{
    struct vm_frame *f = &g->frames[0];
    g->state = VM_RUNNING;
    const struct vm_insn *ip;
    if (g->fresh) {
        g->fresh = false;
        ip = vm_enter(g, 0);
    } else {
        ip = vm_frame_resume(g, f);
    }
    do {
        while (ip) ip = ip->fn(g, ip);
        if (g->stop || !g->code->may_part || !g->nparked || !vm_meet_rest(g) ||
            g->state != VM_RUNNING)
            break;
        ip = vm_frame_resume(g, f);
    } while (ip);
    if (g->stop) g->state = VM_DONE;
    else if (g->state == VM_RUNNING) g->state = g->nparked ? VM_WAITING : VM_DONE;
}

enum vm_state vm_group_run(struct vm_group *grp)
{
    const struct vm_debugger *debugger = grp->worker->run->l->debugger;
    if (debugger) return debugger->run_group(debugger->ctx, grp) ? VM_DONE : VM_YIELDED;
    for (;;) {
        bool yielded = false, waiting = false;
        for (uint32_t i = 0; i < grp->ngangs; i++) {
            struct vm_gang *g = grp->gangs[i];
            if (g->state == VM_RUNNING || g->state == VM_YIELDED) run_gang(g);
            if (g->stop) return VM_DONE;
            yielded |= g->state == VM_YIELDED;
            waiting |= g->state == VM_WAITING;
        }
        if (yielded) return VM_YIELDED;
        if (!waiting) {
            vm_copies_left(grp);
            return VM_DONE;
        }
        const struct vm_gang *g = grp->gangs[0];
        const uint32_t at = g->nparked == g->nlanes ? g->parked[0] - 1 : BC_NONE;
        vm_group_judge(grp);
        if (__builtin_expect(vm_round_is_due(grp), 0) && goes_round(grp, at))
            return g->stop ? VM_DONE : VM_YIELDED;
    }
}

// ---- groups whose lanes wait for one another
bool vm_group_is_stuck(struct vm_group *grp)
{
    // Brent's cycle detection: the state is compared with one that is renewed at each power of two.
    // Only while memory is as it was then do equal states mean the same future.
    struct vm_cycle *const c = &grp->cycle;
    const uint64_t state = vm_group_state(grp), changes = grp->worker->changes;
    const bool is_last = state == c->last && changes == c->last_changes,
               is_anchor = state == c->anchor && changes == c->anchor_changes;
    if (is_last || is_anchor) c->known1 = changes + 1;
    c->last = state;
    c->last_changes = changes;
    if (!(c->yields & (c->yields + 1))) c->anchor = state, c->anchor_changes = changes;
    c->yields++;
    return c->known1 == changes + 1;
}

void vm_group_report_stuck(struct vm_group *grp)
{
    struct vm_run *run = grp->worker->run;
    if (grp->round_trip.is_known) {
        vm_round_tell(grp);
        return;
    }
    const struct bc_fn *fn = run->code->fns[0].bc;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        struct chk_item first = {0};
        uint64_t n = 0;
        for (uint32_t k = 0; k < grp->ngangs; k++) {
            struct vm_gang *g = grp->gangs[k];
            const struct vm_frame *f = &g->frames[0];
            if (g->state != VM_YIELDED || !(f->pending[b >> 6] >> (b & 63) & 1)) continue;
            uint32_t lane = 0;
            while (!f->masks[b][lane]) lane++;
            if (!n) first = vm_item_of(g, lane);
            n += g->isa->count(f->masks[b], g->n).n;
        }
        const struct bc_block *bb = &fn->blocks[b];
        if (n)
            chk_report_no_progress(
                &run->chk, (struct chk_where){fn->insns[bb->first + bb->count - 1].loc, NULL, 0},
                first, n);
    }
}
