// SPDX-License-Identifier: MIT
// Data races: two accesses of the same bytes, one of them a write, not both atomic, by different
// work-items, of one group in one barrier interval, or of two groups. Each pair of accesses is one
// query; none may have a solution.
#include "proof/kernel.h"

static bool may_alias(const struct pk *k, unsigned a, unsigned b)
{
    const struct pk_base *x = &k->bases.data[a], *y = &k->bases.data[b];
    if (x->kind != y->kind) return false;
    if (x->kind == PK_BUFFER || x->kind == PK_IMAGE)
        return k->q->args[x->arg].object == k->q->args[y->arg].object;
    return x->value == y->value;
}

static bool is_in_space(enum pk_base_kind kind, unsigned space)
{
    if (space == PK_IMAGES) return kind == PK_IMAGE;
    return space == 3 ? kind == PK_LOCAL : kind == PK_BUFFER || kind == PK_STATIC;
}

static uint64_t start_of(const struct pk *k, unsigned base)
{
    const struct pk_base *b = &k->bases.data[base];
    return b->kind == PK_BUFFER ? k->q->args[b->arg].start : 0;
}

struct races {
    struct pk *k;
    struct pk_view *v;
    enum proof_property property;
    struct pk_order order;
    pf distinct, ids;
    const bool *in; // the interval
};

/** Whether this pair of alternatives may touch the same bytes. */
static enum pk_reply meet(struct races *r, const struct pk_access *a, const struct pk_address *at,
                          const struct pk_access *b, const struct pk_address *bt)
{
    struct pk *k = r->k;
    struct pf_space *s = &k->s;
    if (pk_is_late(k)) return PK_MAYBE;
    const pf x = pf_add(s, pk_of_item(r->v, at->offset, 0), pf_const(s, 64, start_of(k, at->base))),
             y = pf_add(s, pk_of_item(r->v, bt->offset, 1), pf_const(s, 64, start_of(k, bt->base)));
    const pf d = pf_sub(s, x, y);
    // the group makes a copy: it may conflict with each of its work-items
    const bool distinct = !r->v->same_group || (!a->in_flight && !b->in_flight);
    if (pk_never_overlap(r->v, d, a->size, b->size, distinct) ||
        (r->v->same_group && distinct && pk_never_meet(k, a, at, b, bt))) {
        k->out->solved++;
        return PK_NEVER;
    }
    // 0 <= x - y < size of b, or 0 < y - x < size of a
    pf c = pf_or(s, pf_ult(s, d, pf_const(s, 64, b->size)),
                 pf_ult(s, pf_sub(s, y, x), pf_const(s, 64, a->size)));
    if (distinct) c = pf_and(s, c, r->distinct);
    c = pf_and(s, c, pk_of_item(r->v, pf_and(s, k->nodes.data[a->node].reached, at->condition), 0));
    c = pf_and(s, c, pk_of_item(r->v, pf_and(s, k->nodes.data[b->node].reached, bt->condition), 1));
    return pk_solve(k, pf_and(s, c, r->ids));
}

static bool is_settled(const struct pk *k, enum proof_property p)
{
    return k->out->of[p].result != PROOF_PROVED;
}

static void pair(struct races *r, const struct pk_access *a, const struct pk_access *b)
{
    struct pk *k = r->k;
    if (!a->write && !b->write) return;
    const unsigned scope = r->v->same_group ? 1 : 2;
    if (a->atomic && b->atomic && a->scope >= scope && b->scope >= scope && a->size == b->size)
        return;
    const struct pk_addresses x = pk_address(k, a->node, a->pointer),
                              y = pk_address(k, b->node, b->pointer);
    for (unsigned i = 0; i < x.n; i++)
        for (unsigned j = 0; j < y.n; j++) {
            if (!is_in_space(k->bases.data[x.of[i].base].kind, r->order.space) ||
                !may_alias(k, x.of[i].base, y.of[j].base))
                continue;
            switch (meet(r, a, &x.of[i], b, &y.of[j])) {
            case PK_NEVER: break;
            case PK_POSSIBLE:
                pk_candidate(k, r->property, (struct pk_sites){a->insn, b->insn},
                             "two work-items may access the same bytes here");
                return;
            default:
                pk_unknown(k, r->property, (struct pk_sites){a->insn, b->insn},
                           pk_is_late(k) ? "more time (--seconds)"
                                         : "a value or a range for the scalar arguments",
                           "it was not decided whether two work-items access the same bytes of "
                           "'%s'",
                           pk_name_of(k, x.of[i].base));
                return;
            }
        }
}

/** Accesses of the space; false: some pointer's object is not known. */
static bool select_accesses(struct races *r, unsigned **list, unsigned *n, bool *writes)
{
    struct pk *k = r->k;
    *list = arena_array(k->arena, unsigned, k->accesses.len + 1);
    *n = 0;
    *writes = false;
    const struct pk_access *lost = NULL;
    for (unsigned i = 0; i < k->accesses.len; i++) {
        const struct pk_access *a = &k->accesses.data[i];
        const struct pk_addresses at = pk_address(k, a->node, a->pointer);
        bool here = false;
        for (unsigned j = 0; j < at.n; j++) {
            const enum pk_base_kind kind = k->bases.data[at.of[j].base].kind;
            here |= is_in_space(kind, r->order.space);
            if (kind == PK_NOWHERE && (a->space == r->order.space || a->space == 4)) {
                lost = lost ? lost : a;
                *writes |= a->write;
            }
        }
        if (!here) continue;
        *writes |= a->write;
        (*list)[(*n)++] = i;
    }
    if (lost && *writes)
        pk_unknown(k, r->property, (struct pk_sites){.at = lost->insn}, PK_HELP_POINTER,
                   "it is not known which object this pointer points to");
    return !lost || !*writes;
}

/** Which pairs of work-items a query is about. */
enum pairs { ALL_PAIRS, IN_ONE_SUB_GROUP, IN_TWO_SUB_GROUPS };

static pf pairs(struct pk_view *v, enum pairs which)
{
    struct pf_space *s = &v->k->s;
    if (which == ALL_PAIRS) return pk_distinct(v);
    const pf id = pk_sub_group_id(v->k);
    const pf same = pf_eq(s, pk_of_item(v, id, 0), pk_of_item(v, id, 1));
    return pf_and(s, pk_distinct(v), which == IN_ONE_SUB_GROUP ? same : pf_not(s, same));
}

/**
 * Whether a copy may be in flight during an access, or begin after it in the interval: the group
 * makes a copy, and each access of the group that no barrier orders before it conflicts.
 */
static bool is_during(const struct races *r, const struct pk_access *copy,
                      const struct pk_access *b)
{
    if (copy->in_flight[b->node]) return true;
    if (!r->in[copy->node]) return false;
    bool *before = pk_ancestors(r->k, copy->node);
    const bool found = before[b->node];
    free(before);
    return found;
}

/** Whether the order of two accesses of the group is open in the interval. */
static bool is_unordered(const struct races *r, enum pairs which, const struct pk_access *a,
                         const struct pk_access *b)
{
    if (!a->in_flight && !b->in_flight) return r->in[a->node] && r->in[b->node];
    if (which == IN_ONE_SUB_GROUP) return false; // left to the other pass
    if (a->in_flight && b->in_flight) {
        if (a->insn == b->insn && a->node == b->node) // one copy, unless the node stands for many
            return r->in[a->node] && r->k->nodes.data[a->node].is_repeated;
        return (r->in[b->node] && a->in_flight[b->node]) ||
               (r->in[a->node] && b->in_flight[a->node]);
    }
    return a->in_flight ? r->in[b->node] && is_during(r, a, b)
                        : r->in[a->node] && is_during(r, b, a);
}

static void within_groups(struct races *r, enum pairs which, const unsigned *list, unsigned n)
{
    struct pk *k = r->k;
    unsigned *starts;
    r->order.sub_group = which == IN_ONE_SUB_GROUP;
    const unsigned nstarts = pk_starts(k, r->order, &starts);
    bool *in = mem_alloc(k->nodes.len + 1), *before = mem_alloc(k->nodes.len + 1);
    for (unsigned s = 0; s < nstarts && !is_settled(k, r->property); s++) {
        struct pk_view v;
        pk_view_init(&v, k, true);
        pk_interval(k, starts[s], r->order, in, before);
        v.in = in;
        v.before = before;
        v.start = (int)starts[s];
        r->v = &v;
        r->in = in;
        r->distinct = pairs(&v, which);
        r->ids =
            pf_and(&k->s, pk_of_item(&v, pk_ids_hold(k), 0), pk_of_item(&v, pk_ids_hold(k), 1));
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = i; j < n && !is_settled(k, r->property); j++) {
                const struct pk_access *a = &k->accesses.data[list[i]],
                                       *b = &k->accesses.data[list[j]];
                if (is_unordered(r, which, a, b)) pair(r, a, b);
            }
        pk_view_deinit(&v);
    }
    free(in);
    free(before);
}

static void between_groups(struct races *r, const unsigned *list, unsigned n)
{
    struct pk *k = r->k;
    struct pk_view v;
    pk_view_init(&v, k, false);
    r->v = &v;
    r->distinct = pk_distinct(&v);
    r->ids = pf_and(&k->s, pk_of_item(&v, pk_ids_hold(k), 0), pk_of_item(&v, pk_ids_hold(k), 1));
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j < n && !is_settled(k, r->property); j++) {
            const struct pk_access *a = &k->accesses.data[list[i]], *b = &k->accesses.data[list[j]];
            if (!k->nodes.data[a->node].is_extra && !k->nodes.data[b->node].is_extra) pair(r, a, b);
        }
    pk_view_deinit(&v);
}

static void decide(struct pk *k, enum proof_property p, unsigned space, bool same_group)
{
    if (k->q->checks & (space == 3 ? PROOF_CHECK_LOCAL : PROOF_CHECK_GLOBAL)) return;
    struct races r = {.k = k, .property = p, .order = {.space = space}};
    unsigned *list, n;
    bool writes;
    uint64_t others = 1;
    for (unsigned d = 0; d < 3; d++) others *= same_group ? k->q->local[d] : pk_most_groups(k, d);
    if (!pk_is_wanted(k, p) || is_settled(k, p) ||
        (others == 1 && !(same_group && k->has_async_copies)))
        return;
    if (!select_accesses(&r, &list, &n, &writes) || !writes) return;
    if (!same_group) between_groups(&r, list, n);
    else if (!k->has_sub_group_barrier) within_groups(&r, ALL_PAIRS, list, n);
    else {
        within_groups(&r, IN_ONE_SUB_GROUP, list, n);
        within_groups(&r, IN_TWO_SUB_GROUPS, list, n);
    }
}

void pk_decide_races(struct pk *k)
{
    decide(k, PROOF_LOCAL_RACES, 3, true);
    decide(k, PROOF_GROUP_RACES, 1, true);
    decide(k, PROOF_GLOBAL_RACES, 1, false);
    decide(k, PROOF_GROUP_RACES, PK_IMAGES, true);
    decide(k, PROOF_GLOBAL_RACES, PK_IMAGES, false);
}
