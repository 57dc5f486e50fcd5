// SPDX-License-Identifier: MIT
// The graph of copies of blocks (kernel.h). Nodes are processed in an order in which each comes
// after all nodes that lead to it, so that the condition under which a work-item reaches a node is
// known when its successors are found; edges that are never taken are left out. Unrolling is tried
// first: a loop that turns out not to be decided by constants is cut, and the graph is made again.
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <string.h>

enum {
    DEEPEST = 16,
    MOST_NODES = 3000,
    MOST_ITERATIONS = 40,
    MOST_LINEAR = 4,
    MOST_UNROLLED = 500
};

int pk_label(const struct pk *k, unsigned node, int loop)
{
    return k->nodes.data[node].labels[loop];
}

/** The loops around a block, the outermost first; how many. */
static unsigned chain_of(const struct rg_fn *f, unsigned block, int chain[DEEPEST])
{
    unsigned n = 0;
    for (int l = f->blocks[block].loop; l >= 0; l = f->loops[l].parent) n++;
    unsigned at = n;
    for (int l = f->blocks[block].loop; l >= 0; l = f->loops[l].parent) chain[--at] = l;
    return n;
}

/** Below 0 if a comes before b: by block; an iteration of a loop comes as a whole before the next.
 */
static int order(const struct rg_fn *f, const struct pk_node *a, const struct pk_node *b)
{
    int ca[DEEPEST], cb[DEEPEST];
    const unsigned na = chain_of(f, a->block, ca), nb = chain_of(f, b->block, cb);
    for (unsigned d = 0;; d++) {
        const unsigned pa = d < na ? f->loops[ca[d]].header : a->block,
                       pb = d < nb ? f->loops[cb[d]].header : b->block;
        if (pa != pb) return pa < pb ? -1 : 1;
        if (d >= na || d >= nb) return 0;
        const int la = a->labels[ca[d]], lb = b->labels[cb[d]];
        if (la != lb) return la < lb ? -1 : 1;
    }
}

struct unfolding {
    struct pk *k;
    VEC(unsigned) pending; // nodes, the last in order first
    struct map decided;    // iterations in which a constant decided an exit
    unsigned *iterations;  // by loop: the most
    int cut;               // a loop to cut before the next attempt, or -1
};

static unsigned node_of(struct unfolding *u, unsigned block, const int *labels)
{
    struct pk *k = u->k;
    const struct rg_fn *f = &k->f;
    uint64_t h = hash_bytes(labels, f->nloops * sizeof *labels, block + 1);
    bool is_new;
    uint64_t *at = map_put(&k->node_of, h, &is_new);
    if (!is_new) return (unsigned)*at;
    const unsigned me = (unsigned)k->nodes.len;
    *at = me;
    struct pk_node *n = vec_add(&k->nodes);
    n->block = block;
    n->labels = arena_dup(k->arena, labels, (f->nloops + 1) * sizeof *labels);
    n->reached = pf_bool(&k->s, block == 0);
    for (unsigned l = 0; l < f->nloops; l++) {
        if (!rg_in_loop(&f->loops[l], block) || !k->is_cut[l]) continue;
        n->is_extra |= f->loops[l].has_barrier && labels[l] != PK_SOME;
        n->is_repeated |= f->loops[l].has_barrier ? labels[l] == PK_LATER : true;
    }
    size_t i = u->pending.len;
    vec_push(&u->pending, me);
    for (; i > 0 && order(f, &k->nodes.data[u->pending.data[i - 1]], &k->nodes.data[me]) < 0; i--)
        u->pending.data[i] = u->pending.data[i - 1];
    u->pending.data[i] = me;
    return me;
}

/** Adds an edge (all but its `to`) to the node of a block. */
static void put_edge(struct unfolding *u, struct pk_edge edge, unsigned block, const int *labels)
{
    struct pk *k = u->k;
    edge.to = node_of(u, block, labels);
    const unsigned e = (unsigned)k->edges.len;
    vec_push(&k->edges, edge);
    vec_push(&k->nodes.data[edge.from].out, e);
    vec_push(&k->nodes.data[edge.to].in, e);
    k->nodes.data[edge.to].reached = pf_or(&k->s, k->nodes.data[edge.to].reached, edge.taken);
}

static uint64_t iteration_key(const struct pk *k, int loop, const int *labels)
{
    int own[64] = {0};
    unsigned n = 0;
    for (int l = loop; l >= 0 && n < 62; l = k->f.loops[l].parent) {
        own[n++] = l;
        own[n++] = labels[l];
    }
    return hash_bytes(own, sizeof own, 7);
}

/** Follows a back edge; false: it leads nowhere that is not covered already. */
static bool come_back(struct unfolding *u, int loop, int *labels)
{
    struct pk *k = u->k;
    int *label = &labels[loop];
    if (!k->is_cut[loop]) {
        const int most = k->is_linear[loop] && !k->unrolls ? MOST_LINEAR : MOST_ITERATIONS;
        if (*label + 1 >= most || !map_get(&u->decided, iteration_key(k, loop, labels))) {
            u->cut = loop;
            return false;
        }
        ++*label;
        if ((unsigned)*label > u->iterations[loop]) u->iterations[loop] = (unsigned)*label;
        return true;
    }
    if (!k->f.loops[loop].has_barrier || *label == PK_LATER) return false;
    if (*label == PK_SOME) {
        *label = PK_NEXT;
        return true;
    }
    *label = PK_LATER;
    return k->may_pass[loop];
}

static void follow(struct unfolding *u, unsigned from, unsigned slot, pf taken)
{
    struct pk *k = u->k;
    const struct rg_fn *f = &k->f;
    const unsigned block = k->nodes.data[from].block, to = f->blocks[block].succ[slot];
    int *labels = arena_array(k->arena, int, f->nloops + 1);
    memcpy(labels, k->nodes.data[from].labels, f->nloops * sizeof *labels);
    struct pk_edge e = {.from = from, .slot = slot, .taken = taken};
    int entered = -1;
    for (unsigned l = 0; l < f->nloops; l++) {
        const bool was = rg_in_loop(&f->loops[l], block), is = rg_in_loop(&f->loops[l], to);
        if (was && !is) labels[l] = 0;
        if (was && is && to == f->loops[l].header && !come_back(u, (int)l, labels)) return;
        if (!was && is) entered = (int)l;
    }
    if (entered < 0 || !k->is_cut[entered]) { // (an unrolled loop begins with iteration 0)
        put_edge(u, e, to, labels);
    } else if (!f->loops[entered].has_barrier) {
        labels[entered] = PK_ANY;
        put_edge(u, e, to, labels);
    } else {
        labels[entered] = PK_FIRST;
        put_edge(u, e, to, labels);
        labels[entered] = PK_SOME;
        e.is_cut = true;
        put_edge(u, e, to, labels);
    }
}

static void process(struct unfolding *u, unsigned n)
{
    struct pk *k = u->k;
    const struct rg_fn *f = &k->f;
    const struct rg_block *b = &f->blocks[k->nodes.data[n].block];
    bool decided = false;
    pf taken[64];
    if (b->nsucc > 64) {
        u->cut = -2;
        return;
    }
    if (pk_is_cut_header(k, n)) {
        const pf holds = pk_loop_holds(k, n);
        k->nodes.data[n].reached = pf_and(&k->s, k->nodes.data[n].reached, holds);
    }
    for (unsigned s = 0; s < b->nsucc; s++) {
        const pf c = b->end == RG_BRANCH && b->nsucc > 1 ? pk_edge_condition(k, n, s)
                                                         : pf_bool(&k->s, true);
        decided |= pf_is_false(&k->s, c);
        taken[s] = pf_and(&k->s, k->nodes.data[n].reached, c);
    }
    for (int l = b->loop; l >= 0 && decided; l = f->loops[l].parent)
        for (unsigned s = 0; s < b->nsucc; s++)
            if (!rg_in_loop(&f->loops[l], b->succ[s]))
                map_put(&u->decided, iteration_key(k, l, k->nodes.data[n].labels), NULL);
    for (unsigned s = 0; s < b->nsucc && u->cut == -1; s++)
        if (!pf_is_false(&k->s, taken[s])) follow(u, n, s, taken[s]);
}

void pk_reset(struct pk *k)
{
    for (size_t i = 0; i < k->nodes.len; i++) {
        vec_free(&k->nodes.data[i].in);
        vec_free(&k->nodes.data[i].out);
    }
    vec_clear(&k->nodes);
    vec_clear(&k->edges);
    vec_clear(&k->symbols);
    vec_clear(&k->bases);
    vec_clear(&k->accesses);
    vec_clear(&k->declared);
    struct map *maps[] = {&k->values, &k->pointers, &k->bases_of, &k->node_of, &k->counters};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_clear(maps[i]);
}

static bool is_full_barrier(const struct rg_block *b)
{
    if (b->end != RG_BARRIER || b->barrier != RG_WORK_GROUP_BARRIER) return false;
    LLVMValueRef flags = LLVMGetOperand(b->stop, 0);
    return LLVMIsAConstantInt(flags) && (LLVMConstIntGetZExtValue(flags) & 3) == 3;
}

/** Whether an iteration can come from the header back to it without such a barrier. */
static bool may_pass(const struct rg_fn *f, const struct rg_loop *l)
{
    bool *seen = mem_alloc(f->nblocks + 1), found = false;
    VEC(unsigned) work = {0};
    vec_push(&work, l->header);
    while (work.len) {
        const unsigned b = vec_pop(&work);
        if (is_full_barrier(&f->blocks[b])) continue;
        for (unsigned s = 0; s < f->blocks[b].nsucc; s++) {
            const unsigned to = f->blocks[b].succ[s];
            found |= to == l->header;
            if (!rg_in_loop(l, to) || seen[to]) continue;
            seen[to] = true;
            vec_push(&work, to);
        }
    }
    free(seen);
    vec_free(&work);
    return found;
}

/** All phis of the loop advance by a fixed step: a cut copy describes them exactly. */
static bool is_linear(const struct rg_fn *f, const struct rg_loop *l)
{
    for (LLVMValueRef i = f->blocks[l->header].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (!pk_bits(i)) continue; // not an integer
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
            LLVMValueRef v = LLVMGetIncomingValue(i, n);
            const int from = rg_incoming_block(f, i, n);
            if (from < 0 || !rg_in_loop(l, (unsigned)from)) continue;
            const bool steps = LLVMIsAInstruction(v) &&
                               (LLVMGetInstructionOpcode(v) == LLVMAdd ||
                                LLVMGetInstructionOpcode(v) == LLVMSub) &&
                               (LLVMGetOperand(v, 0) == i || LLVMGetOperand(v, 1) == i);
            if (!steps) return false;
        }
    }
    return true;
}

/** One attempt; the loop to cut before another, -1: done, -2: it cannot be done. */
static int attempt(struct pk *k)
{
    struct unfolding u = {.k = k, .cut = -1};
    u.iterations = mem_alloc((k->f.nloops + 1) * sizeof *u.iterations);
    pk_reset(k);
    node_of(&u, 0, arena_array(k->arena, int, k->f.nloops + 1));
    while (u.pending.len && u.cut == -1) {
        process(&u, vec_pop(&u.pending));
        if (k->nodes.len <= MOST_UNROLLED) continue;
        unsigned most = 0;
        for (unsigned l = 0; l < k->f.nloops; l++)
            if (!k->is_cut[l] && u.iterations[l] > most) {
                most = u.iterations[l];
                u.cut = (int)l;
            }
        if (u.cut == -1 && k->nodes.len > MOST_NODES) u.cut = -2;
    }
    free(u.iterations);
    vec_free(&u.pending);
    map_deinit(&u.decided);
    return u.cut;
}

bool pk_unfold(struct pk *k)
{
    const struct rg_fn *f = &k->f;
    for (unsigned l = 0; l < f->nloops; l++) {
        unsigned depth = 0;
        for (int p = (int)l; p >= 0; p = f->loops[p].parent) depth++;
        if (depth >= DEEPEST) return false;
        k->is_linear[l] = is_linear(f, &f->loops[l]);
        if (f->loops[l].has_barrier) k->may_pass[l] = may_pass(f, &f->loops[l]);
        else k->is_cut[l] = k->is_cut[l] || k->is_linear[l];
    }
    int cut;
    while ((cut = attempt(k)) >= 0) k->is_cut[cut] = true;
    return cut == -1;
}
