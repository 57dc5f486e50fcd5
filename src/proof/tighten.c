// SPDX-License-Identifier: MIT
// Simplifies a condition by the bounds that its own conjuncts give to symbols: in `x < 16 ∧ f(x)`,
// f is built again with a symbol that is at most 15. Most guards of accesses are decided so.
#include "proof/kernel.h"

struct bounds {
    uint64_t lo, hi;
};
struct tightening {
    struct pf_space *s;
    struct map *bounds;
    struct map of; // symbol's number → index + 1
    VEC(struct bounds) list;
    bool is_empty; // some symbol has no value left
};

/** x = symbol + *plus without wrapping around, through changes of width that keep the value. */
static pf symbol_in(const struct pf_space *s, pf x, uint64_t *plus)
{
    const struct pf_node *n = pf_get(s, x);
    *plus = 0;
    if (n->op == PF_SUM && n->nargs == 1 && n->coefficients[0] == 1) {
        const struct pf_node *t = pf_get(s, n->args[0]);
        if (n->value > UINT32_MAX || t->uhi > UINT32_MAX || n->uhi != t->uhi + n->value)
            return PF_NONE;
        *plus = n->value;
        x = n->args[0];
        n = pf_get(s, x);
    }
    while (n->op == PF_ZEXT || n->op == PF_TRUNC) {
        const struct pf_node *inner = pf_get(s, n->args[0]);
        if (inner->uhi != n->uhi || inner->ulo != n->ulo)
            return PF_NONE; // (then it keeps the value)
        if (n->op == PF_TRUNC && n->width < 64 && inner->uhi >> n->width) return PF_NONE;
        x = n->args[0];
        n = inner;
    }
    return n->op == PF_SYMBOL ? x : PF_NONE;
}

static void limit(struct tightening *t, pf x, uint64_t lo, uint64_t hi)
{
    uint64_t plus;
    const pf symbol = symbol_in(t->s, x, &plus);
    if (!symbol) return;
    const struct pf_node n = *pf_get(t->s, symbol);
    bool is_new;
    uint64_t *at = map_put(&t->of, n.value, &is_new);
    if (is_new) {
        vec_push(&t->list, (struct bounds){n.ulo, n.uhi});
        *at = t->list.len;
    }
    struct bounds *b = &t->list.data[*at - 1];
    if (hi < plus) {
        t->is_empty = true;
        return;
    }
    if (lo > plus && lo - plus > b->lo) b->lo = lo - plus;
    if (hi - plus < b->hi) b->hi = hi - plus;
    t->is_empty |= b->lo > b->hi;
    *map_put(t->bounds, n.value, NULL) = b->lo;
}

static void take(struct tightening *t, pf f, bool holds)
{
    const struct pf_node n = *pf_get(t->s, f);
    uint64_t v;
    if (n.width != 1) return;
    if (n.op == PF_AND && holds) {
        take(t, n.args[0], true);
        take(t, n.args[1], true);
    } else if (n.op == PF_OR && !holds) {
        take(t, n.args[0], false);
        take(t, n.args[1], false);
    } else if (n.op == PF_XOR && pf_is_true(t->s, n.args[1])) {
        take(t, n.args[0], !holds);
    } else if (n.op == PF_EQ && holds) {
        if (pf_is_const(t->s, n.args[1], &v)) limit(t, n.args[0], v, v);
        if (pf_is_const(t->s, n.args[0], &v)) limit(t, n.args[1], v, v);
    } else if (n.op == PF_ULT) {
        if (pf_is_const(t->s, n.args[1], &v)) {
            if (!holds) limit(t, n.args[0], v, UINT64_MAX);
            else if (v) limit(t, n.args[0], 0, v - 1);
        }
        if (pf_is_const(t->s, n.args[0], &v)) {
            if (!holds) limit(t, n.args[1], 0, v);
            else if (v < UINT64_MAX) limit(t, n.args[1], v + 1, UINT64_MAX);
        }
    }
}

static pf tightened(void *context, pf symbol)
{
    const struct tightening *t = context;
    const struct pf_node n = *pf_get(t->s, symbol);
    const uint64_t *at = map_get(&t->of, n.value);
    if (!at) return symbol;
    const struct bounds *b = &t->list.data[*at - 1];
    if (b->lo == n.ulo && b->hi == n.uhi) return symbol;
    return pf_symbol(t->s, n.width, n.value, b->lo, b->hi);
}

pf pk_tighten(struct pf_space *s, pf condition, struct map *bounds)
{
    for (unsigned round = 0; round < 3; round++) {
        struct tightening t = {.s = s, .bounds = bounds};
        struct map memo = {0};
        take(&t, condition, true);
        const pf before = condition;
        condition = t.is_empty ? pf_bool(s, false) : pf_replace(s, condition, &memo, tightened, &t);
        // The bounds stay with the symbols that remain. If a symbol vanishes, its bounds allow at
        // least one value.
        map_deinit(&memo);
        map_deinit(&t.of);
        vec_free(&t.list);
        if (condition == before) break;
    }
    return condition;
}
