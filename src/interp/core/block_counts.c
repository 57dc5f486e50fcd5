// SPDX-License-Identifier: MIT
// Counters of coverage: one addition for each block, branch and loop entry of a gang.
//
// Loops: the lanes that enter a loop go through its iterations together (schedule.c), so one number
// for each gang and loop says how far they are: 0 before the header, 1 when they have reached it, 2
// after one trip, 3 after more. A lane makes a trip when it passes the loop's test, in loops that
// test first (`for`, `while`), otherwise when it reaches the header (`do`). Lanes that may part
// (bc_fn.may_part) enter one after the other; there, trips are not counted.
//
// Branches: the counts of a block that only the branch leads to are those of the branch
// (only_target), so most branches count no lanes.
#include "interp/core/block_counts.h"

#include "base/mem.h"
#include "interp/core/compaction.h"
#include "interp/core/gang.h"
#include "interp/core/group.h"
#include "interp/decode/code.h"
#include "interp/lanes/cost_shapes.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"

#include <stdlib.h>
#include <string.h>

enum { BEFORE_HEADER, AT_HEADER, ONE_TRIP, MORE_TRIPS };

// ---- while the kernel runs
static vm_handler count_block, count_waves, count_header, count_target, count_branch,
    look_for_split, enter_loop;

static inline void enter_block(struct vm_gang *g, uint32_t block)
{
    g->worker->blocks[block].items += g->nactive;
    g->entered[block] = g->nactive;
}

static const struct vm_insn *count_block(struct vm_gang *g, const struct vm_insn *ip)
{
    enter_block(g, ip->a);
    return ip + 1;
}

static void count_trip(struct vm_gang *g, uint32_t loop, uint32_t lanes)
{
    struct vm_loop_count *const l = &g->worker->loops[loop];
    uint8_t *const trips = &g->trips[loop];
    if (*trips == AT_HEADER) l->once += lanes;
    else if (*trips == ONE_TRIP) l->twice += lanes;
    if (*trips < MORE_TRIPS) ++*trips;
}

/** The same for a loop's header b; c: reaching it is a trip. */
static const struct vm_insn *count_header(struct vm_gang *g, const struct vm_insn *ip)
{
    enter_block(g, ip->a);
    if (g->trips[ip->b] == BEFORE_HEADER) {
        g->worker->loops[ip->b].entered += g->nactive;
        g->trips[ip->b] = AT_HEADER;
    }
    if (ip->c) count_trip(g, ip->b, g->nactive);
    return ip + 1;
}

/** The same for the target of the branch at the end of block b; c: a loop whose test that is. */
static const struct vm_insn *count_target(struct vm_gang *g, const struct vm_insn *ip)
{
    enter_block(g, ip->a);
    if (g->nactive < g->entered[ip->b] && !g->code->packed) g->worker->blocks[ip->b].split = 1;
    if (ip->c != BC_NONE) count_trip(g, ip->c, g->nactive);
    return ip + 1;
}

/** The waves of which a lane is active. */
static const struct vm_insn *count_waves(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_wave_count *const c = &g->worker->waves[ip->a];
    const uint32_t width = g->worker->run->l->coverage->model.simd_width, part = g->nlanes % width;
    c->waves += vm_active_waves(g, width);
    if (part && memchr(g->mask + g->nlanes - part, 0xff, part)) c->missing += width - part;
    return ip + 1;
}

static const struct vm_insn *enter_loop(struct vm_gang *g, const struct vm_insn *ip)
{
    g->trips[ip->a] = BEFORE_HEADER;
    return ip + 1;
}

/** The active lanes for which the condition holds. */
static uint32_t count_true(const struct vm_gang *g, const uint8_t *cond)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) n += g->mask[i] && cond[i];
    return n;
}

/** Do active lanes go both ways? */
static bool splits(const struct vm_gang *g, const uint8_t *cond)
{
    typedef uint8_t bytes __attribute__((vector_size(16), may_alias, aligned(16)));
    bytes yes = {0}, no = {0};
    uint64_t y[2], o[2];
    for (uint32_t i = 0; i < g->n; i += sizeof(bytes)) {
        const bytes zero = (bytes)(*(const bytes *)(cond + i) == 0),
                    m = *(const bytes *)(g->mask + i);
        yes |= m & ~zero;
        no |= m & zero;
    }
    memcpy(y, &yes, sizeof y);
    memcpy(o, &no, sizeof o);
    return (y[0] | y[1]) && (o[0] | o[1]);
}

/** Whether two lanes of one group do; in a pack those that part may be of different ones. */
static bool splits_group(const struct vm_gang *g, const uint8_t *cond)
{
    if (!splits(g, cond)) return false;
    if (!g->code->packed) return true;
    const uint32_t *const shape = g->lid_shape, items = shape[0] * shape[1] * shape[2];
    uint32_t group = UINT32_MAX;
    bool first = false;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i]) continue;
        const uint32_t own = vm_lane_of(g, i) / items;
        if (own == group && !cond[i] == first) return true;
        if (own != group) first = cond[i];
        group = own;
    }
    return false;
}

/** Before the branch of block b, on condition a. */
static const struct vm_insn *look_for_split(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_block_count *const c = &g->worker->blocks[ip->b];
    if (!c->split) c->split = splits_group(g, (const uint8_t *)g->r + ip->a);
    return ip + 1;
}

struct counted_branch {
    uint32_t block, loop; // loop: it is the test of this one, or BC_NONE
    bool goes_on;         // the loop goes on where the condition is this
    bool varies;
};

/** The same, and counts the lanes. */
static const struct vm_insn *count_branch(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct counted_branch *const q = ip->p;
    const uint8_t *const cond = (const uint8_t *)g->r + ip->a;
    struct vm_block_count *const c = &g->worker->blocks[q->block];
    const uint32_t yes = q->varies ? count_true(g, cond) : *cond ? g->nactive : 0;
    c->yes += yes;
    if (yes && yes < g->nactive && !c->split) c->split = splits_group(g, cond);
    const uint32_t on = q->goes_on ? yes : g->nactive - yes;
    if (q->loop != BC_NONE && on) count_trip(g, q->loop, on);
    return ip + 1;
}

// ---- decoding
static bool is_in(const struct bc_loop *l, uint32_t block)
{
    return block >= l->header && block <= l->last;
}

static const struct bc_insn *end_of(const struct bc_fn *fn, uint32_t block)
{
    return &fn->insns[fn->blocks[block].first + fn->blocks[block].count - 1];
}

/** The block that is the test of a loop that tests before its body, or BC_NONE. */
static uint32_t test_of(const struct bc_module *m, const struct bc_fn *fn, const struct bc_loop *l)
{
    const struct bc_loc *const at = &m->locs[l->loc];
    for (uint32_t k = l->header; k <= l->last && l->loc; k++) {
        const struct bc_insn *const b = end_of(fn, k);
        const struct bc_loc *const of = &m->locs[b->loc];
        if (b->op != BC_CBR || of->line != at->line || of->col != at->col ||
            is_in(l, b->b) == is_in(l, b->c))
            continue;
        return (is_in(l, b->b) ? b->b : b->c) == l->header ? BC_NONE : k;
    }
    return BC_NONE;
}

/** The loop whose test ends the block, or BC_NONE. */
static uint32_t loop_tested(const struct bc_module *m, const struct bc_fn *fn, uint32_t block)
{
    for (uint32_t l = 0; l < fn->nloops; l++)
        if (is_in(&fn->loops[l], block) && test_of(m, fn, &fn->loops[l]) == block) return l;
    return BC_NONE;
}

/** The loop of which the block is the header, or BC_NONE. */
static uint32_t loop_at(const struct bc_fn *fn, uint32_t block)
{
    for (uint32_t l = 0; l < fn->nloops; l++)
        if (fn->loops[l].header == block) return l;
    return BC_NONE;
}

static uint32_t *count_predecessors(const struct bc_fn *fn, uint32_t *n)
{
    n[0] = 1;
    for (uint32_t k = 0; k < fn->nblocks; k++) {
        const struct bc_insn *const b = end_of(fn, k);
        if (b->op == BC_BR || b->op == BC_BARRIER || b->op == BC_RECONVERGE) n[b->ext]++;
        if (b->op == BC_CBR) n[b->b]++, n[b->c]++;
    }
    return n;
}

void dec_count_predecessors(struct decoder *d)
{
    d->npredecessors =
        count_predecessors(d->fn->bc, arena_array(d->arena, uint32_t, d->fn->bc->nblocks));
}

/**
 * The target of the varying branch at the end of the block which nothing else leads to, and which
 * runs before the branch runs again: its counts are those of the branch. BC_NONE: there is none.
 */
static uint32_t only_target(const struct bc_fn *fn, const uint32_t *npredecessors, uint32_t block)
{
    const struct bc_insn *const b = end_of(fn, block);
    if (b->op != BC_CBR || !dec_is_varying(b->a) || fn->may_part) return BC_NONE;
    const int32_t l = fn->blocks[block].loop;
    const uint32_t targets[] = {b->b, b->c};
    for (int i = 0; i < 2; i++)
        if (npredecessors[targets[i]] == 1 && (l < 0 || is_in(&fn->loops[l], targets[i])))
            return targets[i];
    return BC_NONE;
}

/** The block whose branch it is the only target of, or BC_NONE. */
static uint32_t branch_of(const struct decoder *d, uint32_t target)
{
    const struct bc_fn *const fn = d->fn->bc;
    if (d->npredecessors[target] != 1) return BC_NONE;
    for (uint32_t k = 0; k < target; k++)
        if (only_target(fn, d->npredecessors, k) == target) return k;
    return BC_NONE;
}

void dec_count_block(struct decoder *d, const struct bc_block *block)
{
    const struct bc_fn *const fn = d->fn->bc;
    const uint32_t l = fn->may_part ? BC_NONE : loop_at(fn, d->block),
                   from = branch_of(d, d->block);
    struct vm_insn *const i = dec_emit(d,
                                       l != BC_NONE      ? count_header
                                       : from != BC_NONE ? count_target
                                                         : count_block,
                                       &fn->insns[block->first]);
    i->a = d->fn->first_block + d->block;
    if (l != BC_NONE) {
        i->b = d->fn->first_loop + l;
        i->c = test_of(d->m, fn, &fn->loops[l]) == BC_NONE;
    } else if (from != BC_NONE) {
        const uint32_t tested = loop_tested(d->m, fn, from);
        i->b = d->fn->first_block + from;
        i->c = tested == BC_NONE ? BC_NONE : d->fn->first_loop + tested;
    }
    if (d->code->mode & VM_PROFILE)
        dec_emit(d, count_waves, &fn->insns[block->first])->a = d->fn->first_block + d->block;
}

static void count_entry(struct decoder *d, const struct bc_insn *b, uint32_t target)
{
    const uint32_t l = loop_at(d->fn->bc, target);
    if (l == BC_NONE || d->fn->bc->may_part || is_in(&d->fn->bc->loops[l], d->block)) return;
    dec_emit(d, enter_loop, b)->a = d->fn->first_loop + l;
}

void dec_count_end(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_fn *const fn = d->fn->bc;
    if (b->op == BC_BR || b->op == BC_BARRIER || b->op == BC_RECONVERGE) count_entry(d, b, b->ext);
    if (b->op != BC_CBR) return;
    count_entry(d, b, b->b);
    count_entry(d, b, b->c);
    const uint32_t block = d->fn->first_block + d->block, cond = dec_offset(d, d->fn, b->a);
    if (only_target(fn, d->npredecessors, d->block) != BC_NONE) {
        if (!d->code->packed) return; // count_target does it
        struct vm_insn *const i = dec_emit(d, look_for_split, b);
        i->a = cond;
        i->b = block;
        return;
    }
    struct counted_branch *const q = arena_new(d->arena, struct counted_branch);
    *q = (struct counted_branch){.block = block, .loop = BC_NONE, .varies = dec_is_varying(b->a)};
    const uint32_t l = fn->may_part ? BC_NONE : loop_tested(d->m, fn, d->block);
    if (l != BC_NONE) {
        q->loop = d->fn->first_loop + l;
        q->goes_on = is_in(&fn->loops[l], b->b);
    }
    struct vm_insn *const i = dec_emit(d, count_branch, b);
    i->a = cond;
    i->p = q;
}

// ---- a launch
struct vm_coverage *vm_coverage_create(const struct bc_module *m,
                                       const struct vm_device_model *model, bool barriers)
{
    struct vm_coverage *c = mem_alloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->first_block = mem_array(NULL, m->nfns + 1, sizeof *c->first_block);
    c->first_loop = mem_array(NULL, m->nfns + 1, sizeof *c->first_loop);
    for (uint32_t f = 0; f < m->nfns; f++) {
        c->first_block[f] = c->nblocks;
        c->first_loop[f] = c->nloops;
        c->nblocks += m->fns[f].nblocks;
        c->nloops += m->fns[f].nloops;
    }
    c->blocks = mem_alloc((c->nblocks + 1) * sizeof *c->blocks);
    c->loops = mem_alloc((c->nloops + 1) * sizeof *c->loops);
    c->nkernels = m->nkernels;
    if (barriers) c->barriers = mem_alloc((m->nkernels + 1) * sizeof *c->barriers);
    if (!model) return c;
    c->model = *model;
    c->nsites = m->nsites;
    c->waves = mem_alloc((c->nblocks + 1) * sizeof *c->waves);
    c->costs = mem_alloc((m->nsites + 1) * sizeof *c->costs);
    return c;
}

void vm_coverage_destroy(struct vm_coverage *c)
{
    if (!c) return;
    pthread_mutex_destroy(&c->lock);
    free(c->first_block);
    free(c->first_loop);
    free(c->blocks);
    free(c->loops);
    free(c->waves);
    free(c->costs);
    free(c->barriers);
    vec_free(&c->sizes);
    free(c);
}

void vm_counts_begin(struct vm_worker *w)
{
    const struct vm_code *const code = w->run->code;
    if (code->mode & VM_COUNTS)
        w->site_accesses = mem_alloc((code->module->nsites + 1) * sizeof *w->site_accesses);
    if (!(code->mode & VM_COVERAGE)) return;
    w->blocks = mem_alloc((code->nblocks + 1) * sizeof *w->blocks);
    w->loops = mem_alloc((code->nloops + 1) * sizeof *w->loops);
    if (!(code->mode & VM_PROFILE)) return;
    w->waves = mem_alloc((code->nblocks + 1) * sizeof *w->waves);
    w->costs = mem_alloc((code->module->nsites + 1) * sizeof *w->costs);
}

/** All counters are of this type, so that one loop adds those of blocks, loops, waves and costs. */
static void add(void *to, const void *from, size_t size)
{
    uint64_t *const x = to;
    const uint64_t *const y = from;
    for (size_t i = 0; i < size / sizeof *x; i++) x[i] += y[i];
}

/** The sum of the workers for one block; `target`: only_target, in the numbers of the code. */
static struct vm_block_count sum_of(const struct vm_run *run, uint32_t block, uint32_t target,
                                    bool is_yes)
{
    struct vm_block_count sum = {0};
    uint64_t there = 0;
    for (unsigned i = 0; i < run->nworkers; i++) {
        const struct vm_block_count *const w = run->workers[i].blocks;
        add(&sum, &w[block], sizeof sum);
        if (target != BC_NONE) there += w[target].items;
    }
    if (target != BC_NONE) sum.yes = is_yes ? there : sum.items - there;
    sum.split = sum.split != 0; // one launch
    return sum;
}

static unsigned directions_of(const struct vm_block_count *c)
{
    return !!c->items + !!c->yes + (c->yes < c->items) + !!c->split;
}

static void add_block(struct vm_coverage *to, struct vm_block_count *c, struct vm_block_count sum)
{
    const unsigned before = directions_of(c);
    add(c, &sum, sizeof sum);
    to->fresh += directions_of(c) != before;
}

static void add_costs(struct vm_coverage *to, const struct vm_worker *w)
{
    const struct vm_code *const code = w->run->code;
    for (uint32_t f = 0; f < code->nfns; f++)
        add(to->waves + to->first_block[code->fns[f].index], w->waves + code->fns[f].first_block,
            code->fns[f].bc->nblocks * sizeof *w->waves);
    add(to->costs, w->costs, code->module->nsites * sizeof *w->costs);
}

static void add_size(struct vm_coverage *to, const struct vm_run *run)
{
    const struct bc_module *const m = run->code->module;
    const struct bc_kernel *const k = run->l->kernel;
    struct vm_group_size now = {.kernel = (uint32_t)(k - m->kernels),
                                .items = (uint32_t)run->group_items,
                                .local_bytes = run->code->local_bytes,
                                .launches = 1};
    for (uint32_t i = 0; i < k->nargs; i++)
        if (m->args[k->first_arg + i].kind == BC_ARG_LOCAL)
            now.local_bytes += run->l->args[vm_inherited(run->l) + i].local_size;
    for (size_t i = 0; i < to->sizes.len; i++) {
        struct vm_group_size *const s = &to->sizes.data[i];
        if (s->kernel != now.kernel || s->items != now.items || s->local_bytes != now.local_bytes)
            continue;
        s->launches++;
        return;
    }
    vec_push(&to->sizes, now);
}

static void add_coverage(struct vm_run *run)
{
    const struct vm_code *const code = run->code;
    struct vm_coverage *const to = run->l->coverage;
    pthread_mutex_lock(&to->lock);
    for (uint32_t f = 0; f < code->nfns; f++) {
        const struct vm_fn *const fn = &code->fns[f];
        struct vm_block_count *const blocks = to->blocks + to->first_block[fn->index];
        uint32_t *const n = mem_alloc(fn->bc->nblocks * sizeof *n);
        count_predecessors(fn->bc, n);
        for (uint32_t b = 0; b < fn->bc->nblocks; b++) {
            const uint32_t t = only_target(fn->bc, n, b);
            add_block(to, &blocks[b],
                      sum_of(run, fn->first_block + b, t == BC_NONE ? t : fn->first_block + t,
                             t == end_of(fn->bc, b)->b));
        }
        free(n);
        for (unsigned i = 0; i < run->nworkers; i++)
            add(to->loops + to->first_loop[fn->index], run->workers[i].loops + fn->first_loop,
                fn->bc->nloops * sizeof *to->loops);
    }
    for (unsigned i = 0; i < run->nworkers && code->mode & VM_PROFILE; i++)
        add_costs(to, &run->workers[i]);
    if (code->mode & VM_PROFILE) add_size(to, run);
    pthread_mutex_unlock(&to->lock);
}

void vm_counts_end(struct vm_run *run)
{
    uint64_t(*const sites)[VM_CLASSES] = run->l->site_accesses;
    if (run->code->mode & VM_COVERAGE) add_coverage(run);
    for (unsigned i = 0; i < run->nworkers && sites && run->code->mode & VM_COUNTS; i++)
        add(sites, run->workers[i].site_accesses, run->code->module->nsites * sizeof *sites);
    vm_counts_free(run);
}

void vm_counts_free(struct vm_run *run)
{
    for (unsigned i = 0; i < run->nworkers; i++) {
        struct vm_worker *const w = &run->workers[i];
        free(w->blocks);
        free(w->loops);
        free(w->waves);
        free(w->costs);
        free(w->site_accesses);
        vm_cost_shapes_free(w->cost_shapes);
    }
}

/** The counters of a worker. Returns their number. */
enum { COUNTERS = 5 };
static unsigned counters_of(const struct vm_worker *w, void *at[COUNTERS], size_t size[COUNTERS])
{
    const struct vm_code *const code = w->run->code;
    void *const all[] = {w->site_accesses, w->blocks, w->loops, w->waves, w->costs};
    const size_t sizes[] = {code->module->nsites * sizeof *w->site_accesses,
                            code->nblocks * sizeof *w->blocks, code->nloops * sizeof *w->loops,
                            code->nblocks * sizeof *w->waves,
                            code->module->nsites * sizeof *w->costs};
    unsigned n = 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (!all[i]) continue;
        at[n] = all[i];
        size[n++] = sizes[i];
    }
    return n;
}

void vm_counts_put(const struct vm_worker *w, struct str *out)
{
    void *at[COUNTERS];
    size_t size[COUNTERS];
    const unsigned n = counters_of(w, at, size);
    for (unsigned k = 0; k < n; k++) ser_put(out, at[k], size[k]);
}

void vm_counts_take(struct vm_worker *w, struct ser_reader *in)
{
    void *at[COUNTERS];
    size_t size[COUNTERS];
    const unsigned n = counters_of(w, at, size);
    for (unsigned k = 0; k < n; k++) {
        void *const more = mem_alloc(size[k] + 1);
        ser_get(in, more, size[k]);
        add(at[k], more, size[k]);
        free(more);
    }
}
