// SPDX-License-Identifier: MIT
// Whether a read of local memory is of bytes that other work-items wrote, whatever the size of the
// group: instead of all work-items, one is named that wrote the bytes (a witness for the
// existential quantifier). Its ids follow from the address of the write, c0 · id[0] + c1 · id[1] +
// … + rest, by division, as the digits of a number. The question for the solver is whether a byte
// can be read that no named work-item wrote before the last barrier that all have passed.
#include "proof/kernel.h"

enum { MOST_WITNESSES = 24, MOST_PIECES = 16 };

struct writers {
    struct pk *k;
    struct pk_view *v; // work-item 0 reads, 1 writes
    unsigned barrier, base;
    pf ids[2][3];        // local ids of the two
    pf piece;            // the offset of the bytes that are read
    uint64_t piece_size; // bytes
    pf unwritten;        // no witness wrote them
    unsigned n;
    bool matches, matched; // find_ids: look for equal terms; found some
};

struct witness {
    const pf *ids, *of;
};

static pf instead(void *context, pf symbol)
{
    const struct witness *const w = context;
    for (unsigned d = 0; d < 3; d++)
        if (w->ids[d] == symbol) return w->of[d];
    return symbol;
}

/** A formula of the kernel for the work-item of the group that has these ids. */
static pf of_witness(struct writers *x, pf f, const pf *of, struct map *memo)
{
    return pf_replace(&x->k->s, pk_of_item(x->v, f, 1), memo, instead,
                      &(struct witness){x->ids[1], of});
}

/** Whether the group has a work-item with these ids. */
static pf exists(struct writers *x, const pf *of, struct map *memo)
{
    struct pk *const k = x->k;
    struct pf_space *const s = &k->s;
    pf r = of_witness(x, pk_ids_hold(k), of, memo);
    for (unsigned d = 0; d < 3; d++) {
        const pf most = pf_const(s, 64, pf_get(s, pk_local_id(k, d))->uhi);
        r = pf_and(s, r, pf_not(s, pf_ult(s, most, of[d])));
    }
    return r;
}

/** Adds that the work-item with these ids does not exist or did not write the piece. */
static void add_witness(struct writers *x, const struct pk_access *a, const struct pk_address *at,
                        const pf *of)
{
    struct pk *const k = x->k;
    struct pf_space *const s = &k->s;
    struct map memo = {0};
    if (x->n++ >= MOST_WITNESSES) return;
    const pf there = exists(x, of, &memo);
    const pf passed = of_witness(x, k->nodes.data[x->barrier].reached, of, &memo);
    pf wrote = of_witness(x, k->nodes.data[a->node].reached, of, &memo);
    wrote = pf_and(s, wrote, of_witness(x, at->condition, of, &memo));
    wrote = pf_and(s, wrote, pf_not(s, of_witness(x, at->far, of, &memo)));
    const pf from = of_witness(x, at->offset, of, &memo);
    const pf slack = pf_const(s, 64, a->size - x->piece_size);
    wrote = pf_and(s, wrote, pf_not(s, pf_ult(s, slack, pf_sub(s, x->piece, from))));
    const pf fails = pf_and(s, passed, pf_not(s, wrote));
    x->unwritten = pf_and(s, x->unwritten, pf_or(s, pf_not(s, there), fails));
    map_deinit(&memo);
}

struct digit {
    unsigned dim;
    int64_t by;
};

/** The terms of the write's offset that are local ids, the largest first; their number. */
static unsigned find_digits(const struct writers *x, pf offset, struct digit *out)
{
    const struct pf_node n = *pf_get(&x->k->s, offset);
    unsigned found = 0;
    for (unsigned d = 0; d < 3; d++) {
        int64_t by = offset == x->ids[1][d];
        for (uint32_t i = 0; n.op == PF_SUM && i < n.nargs; i++)
            if (n.args[i] == x->ids[1][d]) by = n.coefficients[i];
        if (!by) continue;
        unsigned at = found++;
        for (; at && llabs(out[at - 1].by) < llabs(by); at--) out[at] = out[at - 1];
        out[at] = (struct digit){d, by};
    }
    return found;
}

/** A local id of the reader that `value` has with this coefficient, or PF_NONE. */
static pf equal_term(const struct writers *x, pf value, int64_t by)
{
    const struct pf_node n = *pf_get(&x->k->s, value);
    for (uint32_t i = 0; n.op == PF_SUM && i < n.nargs; i++)
        for (unsigned d = 0; d < 3; d++)
            if (n.args[i] == x->ids[0][d] && n.coefficients[i] == by) return n.args[i];
    return PF_NONE;
}

/**
 * Fills the ids of the work-item that writes at the piece; false: some have another sign. With
 * x->matches, a row of a tile that is the reader's own needs no division.
 */
static bool find_ids(struct writers *x, pf offset, pf *of)
{
    struct pf_space *const s = &x->k->s;
    struct digit digits[3];
    const unsigned n = find_digits(x, offset, digits);
    pf rest = offset;
    for (unsigned i = 0; i < n; i++)
        rest = pf_sub(s, rest, pf_scale(s, x->ids[1][digits[i].dim], digits[i].by));
    const bool falls = n && digits[0].by < 0;
    pf value = falls ? pf_sub(s, rest, x->piece) : pf_sub(s, x->piece, rest);
    for (unsigned i = 0; i < n; i++) {
        if (falls != (digits[i].by < 0)) return false;
        const bool may_match = x->matches && i + 1 < n;
        const pf term = may_match ? equal_term(x, value, llabs(digits[i].by)) : PF_NONE;
        if (term != PF_NONE) {
            of[digits[i].dim] = term;
            value = pf_sub(s, value, pf_scale(s, term, llabs(digits[i].by)));
            x->matched = true;
            continue;
        }
        const pf by = pf_const(s, 64, (uint64_t)llabs(digits[i].by));
        of[digits[i].dim] = pf_binary(s, PF_UDIV, value, by);
        value = pf_binary(s, PF_UREM, value, by);
    }
    return true;
}

/** The work-items that may have written the piece by this write. */
static void add_writers(struct writers *x, const struct pk_access *a, const struct pk_address *at)
{
    const pf zero = pf_const(&x->k->s, 64, 0), offset = pk_of_item(x->v, at->offset, 1);
    const pf *const own = x->ids[0];
    pf first[3] = {zero, zero, zero}, same[3] = {own[0], own[1], own[2]};
    const bool known = find_ids(x, offset, first) && find_ids(x, offset, same);
    if (known) add_witness(x, a, at, first);
    if (known && memcmp(first, same, sizeof first)) add_witness(x, a, at, same);
    if (!known || memcmp(same, own, sizeof same)) add_witness(x, a, at, own);
}

/** Whether the node is in a loop that was cut and is left before the other one. */
static bool was_repeated(const struct pk *k, unsigned node, unsigned before)
{
    for (int l = k->f.blocks[k->nodes.data[node].block].loop; l >= 0; l = k->f.loops[l].parent)
        if (k->is_cut[l] && (!rg_in_loop(&k->f.loops[l], k->nodes.data[before].block) ||
                             pk_label(k, node, l) != pk_label(k, before, l)))
            return true;
    return false;
}

/** Calls add_writers for each write before the barrier; or finds the size of the smallest. */
static uint64_t each_write(struct writers *x, const bool *before, unsigned node, bool adds)
{
    struct pk *const k = x->k;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < k->accesses.len; i++) {
        const struct pk_access a = k->accesses.data[i];
        if (!a.write || !a.size || a.in_flight || !(before[a.node] || a.node == x->barrier) ||
            was_repeated(k, a.node, node))
            continue;
        const struct pk_addresses at = pk_address(k, a.node, a.pointer);
        for (unsigned j = 0; j < at.n; j++) {
            if (at.of[j].base != x->base) continue;
            if (a.size < least) least = a.size;
            if (adds && a.size >= x->piece_size) add_writers(x, &a, &at.of[j]);
        }
    }
    return least;
}

/** Whether a named work-item wrote the piece, if it is read. */
static bool piece_is_written(struct writers *x, const bool *before, unsigned node, pf may_read,
                             bool matches)
{
    struct pf_space *const s = &x->k->s;
    x->matches = matches;
    x->matched = false;
    x->unwritten = pf_bool(s, true);
    x->n = 0;
    each_write(x, before, node, true);
    return (x->matched || !matches) &&
           pk_solve(x->k, pf_and(s, may_read, x->unwritten)) == PK_NEVER;
}

/** `may_read`: of work-item 0. */
static bool all_written(struct writers *x, const struct pk_access *read, pf offset, pf may_read)
{
    struct pk *const k = x->k;
    struct pf_space *const s = &k->s;
    bool *const before = pk_ancestors(k, x->barrier);
    const uint64_t least = each_write(x, before, read->node, false);
    x->piece_size = read->size < least ? read->size : least;
    bool found = least != UINT64_MAX && read->size % x->piece_size == 0 &&
                 read->size / x->piece_size <= MOST_PIECES;
    for (uint64_t at = 0; found && at < read->size && !pk_is_late(k); at += x->piece_size) {
        x->piece = pf_add(s, offset, pf_const(s, 64, at));
        found = piece_is_written(x, before, read->node, may_read, true) ||
                piece_is_written(x, before, read->node, may_read, false);
    }
    free(before);
    return found && !pk_is_late(k);
}

bool pk_others_wrote(struct pk *k, const struct pk_access *read, const struct pk_address *at,
                     unsigned barrier)
{
    struct pf_space *const s = &k->s;
    struct pk_view v;
    if (!k->nodes.data[barrier].out.len || pk_is_late(k)) return false;
    bool *const in = mem_alloc(k->nodes.len + 1), *const before = mem_alloc(k->nodes.len + 1);
    const unsigned start = k->edges.data[k->nodes.data[barrier].out.data[0]].to;
    pk_view_init(&v, k, true);
    pk_interval(k, start, (struct pk_order){.space = 3}, in, before);
    v.in = in;
    v.before = before;
    v.start = (int)start;
    struct writers x = {.k = k, .v = &v, .barrier = barrier, .base = at->base};
    for (unsigned i = 0; i < 6; i++)
        x.ids[i / 3][i % 3] = pk_of_item(&v, pk_local_id(k, i % 3), i / 3);
    pf may_read = pf_and(s, k->nodes.data[read->node].reached, at->condition);
    may_read = pk_of_item(&v, pf_and(s, may_read, pk_ids_hold(k)), 0);
    const bool found = all_written(&x, read, pk_of_item(&v, at->offset, 0), may_read);
    pk_view_deinit(&v);
    free(in);
    free(before);
    return found;
}
