// SPDX-License-Identifier: MIT
// Whether values are used that were not written. Proved if nothing undefined can be read: private
// variables have a value (undefined_values.c), and each read of memory is of bytes that were all
// written before.
//
// The bytes of an object that were written before a read are found by evaluating the writes that
// come before it, for each work-item of the group (of a private object: for one) and each iteration
// of a loop that was left: a write counts if its condition and its address are then constants. For
// local memory, a barrier must lie between: it dominates the read, so all work-items of the group
// have passed it, and with it the writes before it that their conditions lead them to. The rest is
// a question for the solver: whether the read can touch other bytes. An address may have a term
// that is the same in the write and in the read (a half of a double buffer). A write to the very
// address of the read, on each way to it, needs no evaluation. Where the evaluation does not
// suffice, as in groups of any size, a work-item that wrote the bytes is named (writers.c).
#include "proof/kernel.h"

#include "llvm/ir.h"

enum { MOST_BYTES = 1 << 18, MOST_ITERATIONS = 4096, MOST_EVALUATIONS = 400000, MOST_RANGES = 24 };

struct coverage {
    struct pk *k;
    const struct pk_access *read;
    unsigned base;
    uint64_t size; // of the object
    uint8_t *written;
    pf offset; // of the read, less the common term
    pf common;
    unsigned evaluations;
    bool at_address; // each way to the read has a write of its address
};

/** Whether each way from the entry to `node` passes through `by`. */
static bool dominates(struct pk *k, unsigned by, unsigned node)
{
    if (by == node) return true;
    bool *seen = mem_alloc(k->nodes.len + 1);
    VEC(unsigned) work = {0};
    vec_push(&work, 0);
    seen[0] = true;
    while (work.len) {
        const unsigned n = vec_pop(&work);
        if (n == by) continue;
        for (size_t e = 0; e < k->nodes.data[n].out.len; e++) {
            const unsigned to = k->edges.data[k->nodes.data[n].out.data[e]].to;
            if (seen[to]) continue;
            seen[to] = true;
            vec_push(&work, to);
        }
    }
    const bool found = seen[node];
    free(seen);
    vec_free(&work);
    return !found;
}

// ---- the writes

/** The loop that was cut, is around the write, and not around `node`: -1 none, -2 several. */
static int left_loop(const struct pk *k, unsigned write, unsigned node)
{
    int found = -1;
    const struct rg_fn *f = &k->f;
    for (int l = f->blocks[k->nodes.data[write].block].loop; l >= 0; l = f->loops[l].parent) {
        const bool around = rg_in_loop(&f->loops[l], k->nodes.data[node].block) &&
                            pk_label(k, write, l) == pk_label(k, node, l);
        if (around || !k->is_cut[l]) continue;
        if (found >= 0 || f->loops[l].has_barrier) return -2;
        found = l;
    }
    return found;
}

/** The header's copy of the loop around a node, or -1. */
static int header_of(const struct pk *k, unsigned node, int loop)
{
    for (unsigned n = 0; n < k->nodes.len; n++) {
        if (k->nodes.data[n].block != k->f.loops[loop].header) continue;
        bool same = true;
        for (int l = loop; l >= 0; l = k->f.loops[l].parent)
            same &= pk_label(k, n, l) == pk_label(k, node, l);
        if (same) return (int)n;
    }
    return -1;
}

/** Whether the loop is left from its header alone, so that an iteration that begins there ends. */
static bool leaves_from_header(const struct rg_fn *f, int loop)
{
    const struct rg_loop *l = &f->loops[loop];
    for (unsigned b = l->header + 1; b <= l->last; b++) {
        if (f->blocks[b].end != RG_BRANCH && f->blocks[b].end != RG_BARRIER) return false;
        for (unsigned s = 0; s < f->blocks[b].nsucc; s++)
            if (!rg_in_loop(l, f->blocks[b].succ[s])) return false;
    }
    return true;
}

/** A write of the object at some value of the symbols that `e` knows: whether it is decided. */
static bool put(struct coverage *c, struct pk_evaluation *e, const struct pk_access *w,
                const struct pk_address *at, pf offset)
{
    struct pk *k = c->k;
    uint64_t yes, where;
    if (c->evaluations++ % 1024 == 0 && pk_is_late(k)) c->evaluations = MOST_EVALUATIONS;
    if (!pk_evaluate(e, k->nodes.data[w->node].reached, &yes) || !yes) return false;
    if (!pk_evaluate(e, at->condition, &yes) || !yes) return true;
    if (!pk_evaluate(e, offset, &where) || where > c->size || c->size - where < w->size)
        return true;
    memset(c->written + where, 1, w->size);
    return true;
}

/** For each iteration from the first on, as long as it certainly runs. */
static void put_iterations(struct coverage *c, struct pk_evaluation *e, const struct pk_access *w,
                           const struct pk_address *at, pf offset)
{
    struct pk *k = c->k;
    const int loop = left_loop(k, w->node, c->read->node);
    if (loop == -1) put(c, e, w, at, offset);
    if (loop < 0) return;
    const int header = header_of(k, w->node, loop);
    if (header < 0 || !leaves_from_header(&k->f, loop)) return;
    const struct rg_block *b = &k->f.blocks[k->nodes.data[header].block];
    const pf n = pk_iterations(k, (unsigned)header);
    for (uint64_t i = 0; i < MOST_ITERATIONS && c->evaluations < MOST_EVALUATIONS; i++) {
        pk_give(e, n, i);
        pf goes_on = pf_bool(&k->s, false);
        for (unsigned s = 0; s < b->nsucc; s++)
            if (rg_in_loop(&k->f.loops[loop], b->succ[s]))
                goes_on = pf_or(&k->s, goes_on, pk_edge_condition(k, (unsigned)header, s));
        uint64_t yes;
        if (!pk_evaluate(e, k->nodes.data[header].reached, &yes) || !yes) return;
        if (!pk_evaluate(e, goes_on, &yes) || !yes) return;
        put(c, e, w, at, offset);
        if (pf_get(&k->s, n)->uhi <= i) return;
    }
}

static bool mentions_loop(const struct pk *k, pf f, struct map *seen)
{
    bool is_new;
    map_put(seen, f, &is_new);
    if (!is_new) return false;
    const struct pf_node n = *pf_get(&k->s, f);
    if (n.op == PF_SYMBOL) {
        const struct pk_symbol *y = &k->symbols.data[n.value / 4];
        return y->kind != PK_ARGUMENT && y->kind != PK_LOCAL_ID && y->kind != PK_GROUP_ID;
    }
    for (uint32_t i = 0; i < n.nargs; i++)
        if (mentions_loop(k, n.args[i], seen)) return true;
    return false;
}

/** Of a write in a loop that was left, conditions on values of the last iteration are of no use. */
static void assume(struct coverage *c, struct pk_evaluation *e, pf condition, bool in_left_loop)
{
    const struct pf_node n = *pf_get(&c->k->s, condition);
    if (n.op == PF_AND && n.width == 1) {
        assume(c, e, n.args[0], in_left_loop);
        assume(c, e, n.args[1], in_left_loop);
        return;
    }
    struct map seen = {0};
    if (!in_left_loop || !mentions_loop(c->k, condition, &seen)) pk_assume(e, condition);
    map_deinit(&seen);
}

static void for_each_item(struct coverage *c, struct pk_evaluation *e, const struct pk_access *w,
                          const struct pk_address *at)
{
    struct pk *k = c->k;
    const pf offset = pf_sub(&k->s, at->offset, c->common);
    uint64_t n[3]; // of each group: the last ones may be smaller
    for (unsigned d = 0; d < 3; d++) n[d] = pk_least_items(k, d);
    for (uint64_t z = 0; z < n[2]; z++)
        for (uint64_t y = 0; y < n[1]; y++)
            for (uint64_t x = 0; x < n[0] && c->evaluations < MOST_EVALUATIONS; x++) {
                pk_give(e, pk_local_id(k, 0), x);
                pk_give(e, pk_local_id(k, 1), y);
                pk_give(e, pk_local_id(k, 2), z);
                put_iterations(c, e, w, at, offset);
            }
}

/** Whether the object is declared again after the write and before the read. */
static bool is_lost(struct pk *k, const struct pk_access *w, const bool *before, unsigned point,
                    const struct coverage *c)
{
    const size_t at = (size_t)(w - k->accesses.data), read = (size_t)(c->read - k->accesses.data);
    bool *earlier = NULL, lost = false;
    for (size_t i = 0; i < k->declared.len && !lost; i++) {
        const struct pk_declared *d = &k->declared.data[i];
        if (d->base != c->base || !(before[d->node] || (d->node == point && d->at <= read)))
            continue;
        if (!earlier) earlier = pk_ancestors(k, w->node);
        lost = d->node == w->node ? d->at > at : !earlier[d->node];
    }
    free(earlier);
    return lost;
}

/** Marks the bytes written before `point`: the read, or a barrier that all have passed. */
static void collect(struct coverage *c, unsigned point, bool of_group)
{
    struct pk *k = c->k;
    bool *before = pk_ancestors(k, point);
    for (size_t i = 0; i < k->accesses.len; i++) {
        const struct pk_access *w = &k->accesses.data[i];
        const bool same = w->node == point && (of_group || w < c->read); // (in the node's order)
        if (w->in_flight && w->in_flight[point]) continue;
        if (!w->write || (w->node == point ? !same : !before[w->node])) continue;
        if (!of_group && is_lost(k, w, before, point, c)) continue;
        const int loop = left_loop(k, w->node, c->read->node);
        const struct pk_addresses at = pk_address(k, w->node, w->pointer);
        for (unsigned j = 0; j < at.n; j++) {
            if (at.of[j].base != c->base || w->size == 0) continue;
            c->at_address |= !of_group && loop == -1 && at.n == 1 && w->size >= c->read->size &&
                             pf_sub(&k->s, at.of[j].offset, c->common) == c->offset &&
                             dominates(k, w->node, point);
            struct pk_evaluation e = {.s = &k->s};
            assume(c, &e, k->nodes.data[point].reached, loop >= 0);
            if (of_group) for_each_item(c, &e, w, &at.of[j]);
            else put_iterations(c, &e, w, &at.of[j], pf_sub(&k->s, at.of[j].offset, c->common));
            pk_evaluation_deinit(&e);
        }
    }
    free(before);
}

// ---- the read

pf pk_common(struct pk *k, pf offset, bool of_group)
{
    const struct pf_node n = *pf_get(&k->s, offset);
    pf r = pf_const(&k->s, 64, 0);
    if (n.op != PF_SUM) return r;
    for (uint32_t i = 0; i < n.nargs; i++) {
        const struct pf_node t = *pf_get(&k->s, n.args[i]);
        if (t.op != PF_SYMBOL) continue;
        const struct pk_symbol *y = &k->symbols.data[t.value / 4];
        const bool is_fixed = y->kind == PK_ARGUMENT || y->kind == PK_GROUP_ID ||
                              y->kind == PK_GROUP_START || (!of_group && y->kind == PK_LOCAL_ID);
        if (is_fixed) r = pf_add(&k->s, r, pf_scale(&k->s, n.args[i], n.coefficients[i]));
    }
    return r;
}

/** Whether the read stays within the written bytes. */
static bool is_covered(struct coverage *c, pf condition)
{
    struct pk *k = c->k;
    struct pf_space *s = &k->s;
    pf inside = pf_bool(s, false);
    unsigned ranges = 0;
    for (uint64_t i = 0; i < c->size;) {
        uint64_t end = i;
        while (end < c->size && c->written[end]) end++;
        if (end - i >= c->read->size) {
            if (++ranges > MOST_RANGES) return false;
            inside = pf_or(s, inside,
                           pf_not(s, pf_ult(s, pf_const(s, 64, end - i - c->read->size),
                                            pf_sub(s, c->offset, pf_const(s, 64, i)))));
        }
        i = end + 1;
    }
    if (!ranges) return false;
    pf outside = pf_and(s, pf_not(s, inside), k->nodes.data[c->read->node].reached);
    outside = pf_and(s, pf_and(s, outside, condition), pk_ids_hold(k));
    return pk_solve(k, outside) == PK_NEVER;
}

/** The last barrier that each way to the node passes through, or -1. */
static int last_barrier(struct pk *k, unsigned node)
{
    int last = -1;
    for (unsigned n = 0; n < k->nodes.len; n++) {
        if (n == node || !pk_ends_interval(k, n, (struct pk_order){.space = 3}) ||
            !dominates(k, n, node))
            continue;
        bool *before = pk_ancestors(k, n);
        if (last < 0 || before[last]) last = (int)n;
        free(before);
    }
    return last;
}

/** of_group: by any work-item of the group; otherwise by the one that reads. */
static bool is_written_by(struct pk *k, const struct pk_access *read, const struct pk_address *at,
                          bool of_group)
{
    const uint64_t size = k->bases.data[at->base].size;
    if (size > MOST_BYTES || size == 0 || pk_is_late(k)) return false;
    struct coverage c = {.k = k, .read = read, .base = at->base, .size = size};
    c.written = mem_alloc(size);
    c.common = pk_common(k, at->offset, of_group);
    c.offset = pf_sub(&k->s, at->offset, c.common);
    const int barrier = of_group ? last_barrier(k, read->node) : -1;
    if (barrier >= 0) collect(&c, (unsigned)barrier, true);
    collect(&c, read->node, false);
    pf condition = at->condition;
    if (k->q->checks & PROOF_CHECK_BOUNDS && size >= read->size)
        condition = pf_and(
            &k->s, condition,
            pf_not(&k->s, pf_ult(&k->s, pf_const(&k->s, 64, size - read->size), at->offset)));
    const bool found = c.at_address || is_covered(&c, condition);
    free(c.written);
    return found;
}

static bool is_written_before(struct pk *k, const struct pk_access *read,
                              const struct pk_address *at)
{
    if (is_written_by(k, read, at, false)) return true;
    if (k->bases.data[at->base].kind != PK_LOCAL) return false;
    const int barrier = last_barrier(k, read->node);
    return is_written_by(k, read, at, true) ||
           (barrier >= 0 && pk_others_wrote(k, read, at, (unsigned)barrier));
}

// ---- all of the kernel

static bool is_defined(struct pk *k, const struct pk_access *a, const struct pk_address *at)
{
    const struct pk_base *b = &k->bases.data[at->base];
    switch (b->kind) {
    case PK_CONST:
    case PK_STATIC: return true;
    case PK_BUFFER:
    case PK_IMAGE: return k->q->args[b->arg].defined;
    case PK_PRIVATE:
        return LLVMIsAArgument(b->value) || k->q->checks & PROOF_CHECK_PRIVATE ||
               is_written_before(k, a, at);
    case PK_LOCAL: return k->q->checks & PROOF_CHECK_LOCAL || is_written_before(k, a, at);
    default: return false;
    }
}

void pk_decide_initialized(struct pk *k)
{
    if (!pk_is_wanted(k, PROOF_INITIALIZED)) return;
    pk_decide_variables(k);
    for (unsigned n = 0; n < k->accesses.len; n++) {
        const struct pk_access *a = &k->accesses.data[n];
        if ((a->write && !a->atomic) || k->nodes.data[a->node].is_extra) continue;
        const struct pk_addresses at = pk_address(k, a->node, a->pointer);
        for (unsigned j = 0; j < at.n && k->out->of[PROOF_INITIALIZED].result == PROOF_PROVED; j++)
            if (!is_defined(k, a, &at.of[j]))
                pk_unknown(k, PROOF_INITIALIZED, (struct pk_sites){.at = a->insn},
                           pk_is_late(k) ? "more time (--seconds)" : NULL,
                           "it is not proved that all that is read from '%s' was written",
                           pk_name_of(k, at.of[j].base));
    }
}
