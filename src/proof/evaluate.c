// SPDX-License-Identifier: MIT
// The value of a formula for given values of some symbols, if it does not depend on the others.
#include "proof/kernel.h"

#include <string.h>

static bool fixed(struct pk_evaluation *e, pf f, uint64_t *value);

/** Three-valued: false ∧ unknown is false, true ∨ unknown is true. */
static bool connective(struct pk_evaluation *e, const struct pf_node *n, uint64_t *value)
{
    uint64_t a, b;
    const bool known_a = fixed(e, n->args[0], &a);
    if (known_a && a == (n->op == PF_OR)) {
        *value = a;
        return true;
    }
    const bool known_b = fixed(e, n->args[1], &b);
    if (known_b && b == (n->op == PF_OR)) {
        *value = b;
        return true;
    }
    *value = n->op == PF_OR ? 0 : 1;
    return known_a && known_b;
}

static bool operation(struct pk_evaluation *e, const struct pf_node *n, uint64_t *value)
{
    struct pf_space *s = e->s;
    uint64_t x;
    if (n->op == PF_ITE) {
        if (fixed(e, n->args[0], &x)) return fixed(e, n->args[x ? 1 : 2], value);
        uint64_t other;
        return fixed(e, n->args[1], value) && fixed(e, n->args[2], &other) && other == *value;
    }
    if (n->width == 1 && (n->op == PF_AND || n->op == PF_OR)) return connective(e, n, value);
    pf args[16], r;
    if (n->nargs > 16) return false;
    for (uint32_t i = 0; i < n->nargs; i++) {
        if (!fixed(e, n->args[i], &x)) return false;
        args[i] = pf_const(s, pf_width(s, n->args[i]), x);
    }
    r = pf_rebuild(s, n, args);
    return pf_is_const(s, r, value);
}

static bool fixed(struct pk_evaluation *e, pf f, uint64_t *value)
{
    if (pf_is_const(e->s, f, value)) return true;
    const struct pf_node n = *pf_get(e->s, f);
    const uint64_t *known = map_get(&e->assumed, f);
    if (known) {
        *value = *known;
        return true;
    }
    if (map_get(&e->unknown, f)) return false;
    if ((known = map_get(&e->values, f))) {
        *value = *known;
        return true;
    }
    bool is_known;
    if (n.op == PF_SYMBOL) {
        const uint64_t *given = map_get(&e->given, n.value);
        is_known = given != NULL;
        if (given) *value = *given;
    } else {
        is_known = operation(e, &n, value);
    }
    if (is_known) *map_put(&e->values, f, NULL) = *value;
    else map_put(&e->unknown, f, NULL);
    return is_known;
}

bool pk_evaluate(struct pk_evaluation *e, pf f, uint64_t *value) { return fixed(e, f, value); }

void pk_give(struct pk_evaluation *e, pf symbol, uint64_t value)
{
    const struct pf_node *n = pf_get(e->s, symbol);
    if (n->op == PF_SYMBOL) *map_put(&e->given, n->value, NULL) = value;
    map_clear(&e->values);
    map_clear(&e->unknown);
}

/** The conjuncts of a condition hold. */
void pk_assume(struct pk_evaluation *e, pf condition)
{
    const struct pf_node n = *pf_get(e->s, condition);
    if (n.op == PF_AND && n.width == 1) {
        pk_assume(e, n.args[0]);
        pk_assume(e, n.args[1]);
        return;
    }
    *map_put(&e->assumed, condition, NULL) = 1;
    if (n.op == PF_XOR && pf_is_true(e->s, n.args[1])) *map_put(&e->assumed, n.args[0], NULL) = 0;
}

void pk_evaluation_deinit(struct pk_evaluation *e)
{
    map_deinit(&e->given);
    map_deinit(&e->assumed);
    map_deinit(&e->values);
    map_deinit(&e->unknown);
}
