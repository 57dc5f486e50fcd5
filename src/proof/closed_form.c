// SPDX-License-Identifier: MIT
// The usual case of a race, decided without a solver: the distance of two accesses is a sum of
// products of constants and bounded values, and no two distinct work-items come close enough. A
// term whose coefficient exceeds all that the others can compensate must be 0 (a mixed-radix
// argument); if that makes all ids of the two work-items equal, they are the same one.
#include "proof/kernel.h"

typedef __int128 wide;

struct part {
    wide coefficient, lo, hi; // lo..hi: bounds of the value
    int dim;                  // the difference of ids in a dimension, or -1
    bool is_gone;
};

static int id_dimension(const struct pk_view *v, pf f)
{
    const struct pf_node *n = pf_get(&v->k->s, f);
    if (n->op != PF_SYMBOL) return -1;
    const struct pk_symbol *y = &v->k->symbols.data[n->value / 4];
    const enum pk_symbol_kind wanted = v->same_group ? PK_LOCAL_ID : PK_GROUP_ID;
    return y->kind == wanted && n->value % 4 ? (int)y->index : -1;
}

/** Parts of a sum; pairs of one id with opposite coefficients are one part. */
static unsigned parts_of(const struct pk_view *v, const struct pf_node *n, struct part *out)
{
    struct pf_space *s = &v->k->s;
    unsigned count = 0;
    bool used[64] = {0};
    for (uint32_t i = 0; i < n->nargs; i++) {
        if (used[i]) continue;
        const struct pf_node *x = pf_get(s, n->args[i]);
        struct part p = {n->coefficients[i], x->ulo, x->uhi, -1, false};
        if (x->slo < 0 && x->uhi > (uint64_t)INT64_MAX) p.lo = x->slo, p.hi = x->shi;
        const int dim = id_dimension(v, n->args[i]);
        for (uint32_t j = i + 1; j < n->nargs && dim >= 0; j++) {
            const struct pf_node *y = pf_get(s, n->args[j]);
            if (id_dimension(v, n->args[j]) != dim || n->coefficients[j] != -n->coefficients[i] ||
                x->value == y->value)
                continue;
            used[j] = true;
            p.dim = dim;
            p.lo = (wide)x->ulo - (wide)y->uhi;
            p.hi = (wide)x->uhi - (wide)y->ulo;
            break;
        }
        out[count++] = p;
    }
    return count;
}

static wide least(const struct part *p)
{
    return p->coefficient > 0 ? p->coefficient * p->lo : p->coefficient * p->hi;
}
static wide most(const struct part *p)
{
    return p->coefficient > 0 ? p->coefficient * p->hi : p->coefficient * p->lo;
}

static wide gcd(wide a, wide b)
{
    while (b) {
        const wide t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

static bool is_apart(wide lo, wide hi, wide near_lo, wide near_hi)
{
    return hi <= near_lo || lo >= near_hi;
}

bool pk_never_overlap(struct pk_view *v, pf difference, uint64_t size_a, uint64_t size_b,
                      bool distinct)
{
    struct pk *k = v->k;
    const struct pf_node n = *pf_get(&k->s, difference);
    // they overlap if near_lo < difference < near_hi
    const wide near_lo = -(wide)size_a, near_hi = (wide)size_b, limit = (wide)1 << 62;
    if (n.nargs > 64 || size_a > INT32_MAX || size_b > INT32_MAX) return false;
    if (is_apart(n.slo, n.shi, near_lo, near_hi) && n.slo > -limit && n.shi < limit) return true;
    struct part parts[64];
    unsigned count = 0;
    wide lo = (int64_t)n.value, hi = lo, g = 0;
    if (n.op == PF_SUM) {
        count = parts_of(v, &n, parts);
    } else if (n.op == PF_CONST) {
        return is_apart(lo, hi, near_lo, near_hi);
    } else {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (parts[i].lo < -limit || parts[i].hi > limit || parts[i].coefficient > limit ||
            parts[i].coefficient < -limit)
            return false;
        lo += least(&parts[i]);
        hi += most(&parts[i]);
        if (lo < -limit || hi > limit) return false; // it may wrap
        g = gcd(parts[i].coefficient, g);
    }
    if (is_apart(lo, hi, near_lo, near_hi)) return true;
    const wide c = (int64_t)n.value, rest = ((c % g) + g) % g;
    if (rest >= near_hi && rest - g <= near_lo) return true;
    bool is_equal[3] = {0};
    for (bool again = true; again;) {
        again = false;
        for (unsigned i = 0; i < count; i++) {
            const struct part *p = &parts[i];
            if (p->is_gone) continue;
            const wide size = p->coefficient < 0 ? -p->coefficient : p->coefficient;
            const wide rest_lo = lo - least(p), rest_hi = hi - most(p);
            if (size + rest_lo < near_hi || rest_hi - size > near_lo) continue;
            // the value is 0 wherever they overlap
            if (p->lo > 0 || p->hi < 0) return true;
            if (p->dim >= 0) is_equal[p->dim] = true;
            lo = rest_lo;
            hi = rest_hi;
            parts[i].is_gone = again = true;
        }
    }
    if (is_apart(lo, hi, near_lo, near_hi)) return true;
    for (unsigned d = 0; distinct && d < 3; d++) {
        const uint64_t ids = v->same_group ? k->q->local[d] : pk_most_groups(k, d);
        if (!is_equal[d] && ids > 1) return false;
    }
    return distinct;
}
