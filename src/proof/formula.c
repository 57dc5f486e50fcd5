// SPDX-License-Identifier: MIT
// Formulas are built bottom up by the constructors below, each of which returns a simpler formula
// of the same value if it knows one. Every rule is an identity of bit vectors: it may use the
// bounds of its operands, never an assumption about overflow. Bounds are intervals (Harrison,
// "Compiler analysis of the value ranges for variables", 1977), kept for both interpretations of
// the bits.
#include "proof/formula.h"

#include "base/str.h"

#include <assert.h>
#include <string.h>

typedef __int128 wide;

static uint64_t mask(unsigned w) { return w == 64 ? UINT64_MAX : (1ull << w) - 1; }
static int64_t smax(unsigned w) { return (int64_t)(mask(w) >> 1); }
static int64_t smin(unsigned w) { return -smax(w) - 1; }
static int64_t sign(uint64_t v, unsigned w)
{
    return w == 64 ? (int64_t)v : (int64_t)(v << (64 - w)) >> (64 - w);
}

void pf_init(struct pf_space *s)
{
    *s = (struct pf_space){0};
    vec_add(&s->nodes);
    vec_push(&s->next, 0);
}

void pf_deinit(struct pf_space *s)
{
    arena_deinit(&s->arena);
    vec_free(&s->nodes);
    vec_free(&s->next);
    map_deinit(&s->by_hash);
    map_deinit(&s->resized);
}

static bool same(const struct pf_node *a, const struct pf_node *b)
{
    return a->op == b->op && a->width == b->width && a->nargs == b->nargs && a->value == b->value &&
           (a->op != PF_SYMBOL || (a->ulo == b->ulo && a->uhi == b->uhi)) &&
           (!a->nargs || !memcmp(a->args, b->args, a->nargs * sizeof *a->args)) &&
           (!a->coefficients ||
            !memcmp(a->coefficients, b->coefficients, a->nargs * sizeof *a->coefficients));
}

/** Tightens each pair of bounds by the other. */
static void settle(struct pf_node *n)
{
    const unsigned w = n->width;
    if (n->uhi <= (uint64_t)smax(w)) {
        if ((int64_t)n->ulo > n->slo) n->slo = (int64_t)n->ulo;
        if ((int64_t)n->uhi < n->shi) n->shi = (int64_t)n->uhi;
    } else if (n->ulo > (uint64_t)smax(w)) {
        if (sign(n->ulo, w) > n->slo) n->slo = sign(n->ulo, w);
        if (sign(n->uhi, w) < n->shi) n->shi = sign(n->uhi, w);
    }
    if (n->slo >= 0) {
        if ((uint64_t)n->slo > n->ulo) n->ulo = (uint64_t)n->slo;
        if ((uint64_t)n->shi < n->uhi) n->uhi = (uint64_t)n->shi;
    } else if (n->shi < 0) {
        if (((uint64_t)n->slo & mask(w)) > n->ulo) n->ulo = (uint64_t)n->slo & mask(w);
        if (((uint64_t)n->shi & mask(w)) < n->uhi) n->uhi = (uint64_t)n->shi & mask(w);
    }
}

/** The formula of a node whose bounds are set; its lists are copied. */
static pf intern(struct pf_space *s, struct pf_node *n)
{
    uint64_t head[4] = {n->op, n->width, n->value, n->nargs};
    uint64_t h = hash_bytes(head, sizeof head, 1);
    if (n->nargs) h = hash_bytes(n->args, n->nargs * sizeof *n->args, h);
    if (n->coefficients) h = hash_bytes(n->coefficients, n->nargs * sizeof *n->coefficients, h);
    bool is_new;
    uint64_t *at = map_put(&s->by_hash, h, &is_new);
    for (pf f = is_new ? 0 : (pf)*at; f; f = s->next.data[f])
        if (same(pf_get(s, f), n)) return f;
    settle(n);
    if (n->nargs) n->args = arena_dup(&s->arena, n->args, n->nargs * sizeof *n->args);
    if (n->coefficients)
        n->coefficients = arena_dup(&s->arena, n->coefficients, n->nargs * sizeof *n->coefficients);
    const pf f = (pf)s->nodes.len;
    vec_push(&s->nodes, *n);
    vec_push(&s->next, is_new ? 0 : (pf)*at);
    *at = f;
    return f;
}

/** A node with the widest bounds. */
static struct pf_node node(enum pf_op op, unsigned width, uint32_t nargs, pf *args)
{
    return (struct pf_node){.op = op,
                            .width = (uint8_t)width,
                            .nargs = nargs,
                            .args = args,
                            .uhi = mask(width),
                            .slo = smin(width),
                            .shi = smax(width)};
}

static pf make(struct pf_space *s, enum pf_op op, unsigned width, pf a, pf b)
{
    pf args[] = {a, b};
    struct pf_node n = node(op, width, b ? 2 : 1, args);
    return intern(s, &n);
}

static pf make_bounded(struct pf_space *s, struct pf_node n, uint64_t lo, uint64_t hi)
{
    n.ulo = lo;
    n.uhi = hi;
    return intern(s, &n);
}

pf pf_const(struct pf_space *s, unsigned width, uint64_t value)
{
    struct pf_node n = node(PF_CONST, width, 0, NULL);
    n.value = n.ulo = n.uhi = value & mask(width);
    return intern(s, &n);
}

pf pf_symbol(struct pf_space *s, unsigned width, uint64_t number, uint64_t lo, uint64_t hi)
{
    if (lo == hi) return pf_const(s, width, lo);
    struct pf_node n = node(PF_SYMBOL, width, 0, NULL);
    n.value = number;
    return make_bounded(s, n, lo, hi);
}

pf pf_signed_symbol(struct pf_space *s, unsigned width, uint64_t number, int64_t lo, int64_t hi)
{
    if (lo == hi) return pf_const(s, width, (uint64_t)lo);
    struct pf_node n = node(PF_SYMBOL, width, 0, NULL);
    n.value = number;
    n.slo = lo;
    n.shi = hi;
    settle(&n);
    return intern(s, &n);
}

bool pf_is_const(const struct pf_space *s, pf a, uint64_t *value)
{
    const struct pf_node *n = pf_get(s, a);
    if (n->ulo != n->uhi) return false;
    *value = n->ulo;
    return true;
}

// ---- sums

struct sum {
    unsigned width;
    uint64_t constant;
    VEC(pf) terms;
    VEC(int64_t) coefficients;
};

static void sum_put(struct sum *x, pf term, int64_t by)
{
    size_t k = 0;
    while (k < x->terms.len && x->terms.data[k] < term) k++;
    if (k < x->terms.len && x->terms.data[k] == term) {
        x->coefficients.data[k] = sign((uint64_t)x->coefficients.data[k] + (uint64_t)by, x->width);
        if (x->coefficients.data[k]) return;
        memmove(&x->terms.data[k], &x->terms.data[k + 1], (x->terms.len - k - 1) * sizeof(pf));
        memmove(&x->coefficients.data[k], &x->coefficients.data[k + 1],
                (x->terms.len - k - 1) * sizeof(int64_t));
        x->terms.len--;
        x->coefficients.len--;
        return;
    }
    by = sign((uint64_t)by, x->width);
    if (!by) return;
    vec_push(&x->terms, 0);
    vec_push(&x->coefficients, 0);
    memmove(&x->terms.data[k + 1], &x->terms.data[k], (x->terms.len - k - 1) * sizeof(pf));
    memmove(&x->coefficients.data[k + 1], &x->coefficients.data[k],
            (x->terms.len - k - 1) * sizeof(int64_t));
    x->terms.data[k] = term;
    x->coefficients.data[k] = by;
}

static void sum_add(const struct pf_space *s, struct sum *x, pf a, int64_t by)
{
    const struct pf_node *n = pf_get(s, a);
    uint64_t v;
    if (pf_is_const(s, a, &v)) {
        x->constant += v * (uint64_t)by;
    } else if (n->op == PF_SUM) {
        x->constant += n->value * (uint64_t)by;
        for (uint32_t k = 0; k < n->nargs; k++)
            sum_put(x, n->args[k], (int64_t)((uint64_t)n->coefficients[k] * (uint64_t)by));
    } else {
        sum_put(x, a, by);
    }
}

/** Bounds of a sum, if it does not wrap. The constant counts as signed, or as unsigned. */
static void bound_sum(const struct pf_space *s, struct pf_node *n)
{
    const unsigned w = n->width;
    wide lo = 0, hi = 0, slo = 0, shi = 0;
    for (uint32_t k = 0; k < n->nargs; k++) {
        const struct pf_node *t = pf_get(s, n->args[k]);
        const wide c = n->coefficients[k];
        lo += c > 0 ? c * t->ulo : c * t->uhi;
        hi += c > 0 ? c * t->uhi : c * t->ulo;
        slo += c > 0 ? c * t->slo : c * t->shi;
        shi += c > 0 ? c * t->shi : c * t->slo;
        const wide limit = (wide)1 << 100;
        if (lo < -limit || hi > limit || slo < -limit || shi > limit) return;
    }
    // the sum is congruent to each of lo + c, for either reading of the constant
    for (unsigned k = 0; k < 2; k++) {
        const wide c = k ? (wide)sign(n->value, w) : (wide)n->value;
        const wide from[] = {lo + c, slo + c}, to[] = {hi + c, shi + c};
        for (unsigned j = 0; j < 2; j++) {
            if (from[j] >= 0 && to[j] <= (wide)mask(w)) {
                if ((uint64_t)from[j] > n->ulo) n->ulo = (uint64_t)from[j];
                if ((uint64_t)to[j] < n->uhi) n->uhi = (uint64_t)to[j];
            }
            if (from[j] >= smin(w) && to[j] <= smax(w)) {
                if ((int64_t)from[j] > n->slo) n->slo = (int64_t)from[j];
                if ((int64_t)to[j] < n->shi) n->shi = (int64_t)to[j];
            }
        }
    }
}

static pf sum_done(struct pf_space *s, struct sum *x)
{
    pf f;
    x->constant &= mask(x->width);
    if (!x->terms.len) {
        f = pf_const(s, x->width, x->constant);
    } else if (x->terms.len == 1 && x->coefficients.data[0] == 1 && !x->constant) {
        f = x->terms.data[0];
    } else {
        struct pf_node n = node(PF_SUM, x->width, (uint32_t)x->terms.len, x->terms.data);
        n.coefficients = x->coefficients.data;
        n.value = x->constant;
        bound_sum(s, &n);
        f = intern(s, &n);
    }
    vec_free(&x->terms);
    vec_free(&x->coefficients);
    return f;
}

static pf combine(struct pf_space *s, pf a, int64_t by_a, pf b, int64_t by_b)
{
    struct sum x = {.width = pf_width(s, a)};
    assert(!b || pf_width(s, b) == x.width);
    sum_add(s, &x, a, by_a);
    if (b) sum_add(s, &x, b, by_b);
    return sum_done(s, &x);
}
pf pf_add(struct pf_space *s, pf a, pf b) { return combine(s, a, 1, b, 1); }
pf pf_sub(struct pf_space *s, pf a, pf b) { return combine(s, a, 1, b, -1); }
pf pf_scale(struct pf_space *s, pf a, int64_t by) { return combine(s, a, by, PF_NONE, 0); }

pf pf_mul(struct pf_space *s, pf a, pf b)
{
    const unsigned w = pf_width(s, a);
    uint64_t v;
    if (w == 1) return pf_and(s, a, b);
    if (pf_is_const(s, a, &v)) return pf_scale(s, b, sign(v, w));
    if (pf_is_const(s, b, &v)) return pf_scale(s, a, sign(v, w));
    const struct pf_node *m = pf_get(s, a), *n = pf_get(s, b);
    // (c + Σ) · b distributes if b is a single term: products become terms of the sum
    if (m->op == PF_SUM || n->op == PF_SUM) {
        const pf sum = m->op == PF_SUM ? a : b, other = sum == a ? b : a;
        const struct pf_node x = *pf_get(s, sum);
        if (x.nargs <= 4 && pf_get(s, other)->op != PF_SUM) {
            pf r = pf_scale(s, other, sign(x.value, w));
            for (uint32_t k = 0; k < x.nargs; k++)
                r = pf_add(s, r, pf_scale(s, pf_mul(s, x.args[k], other), x.coefficients[k]));
            return r;
        }
    }
    if (b < a) {
        const pf t = a;
        a = b;
        b = t;
    }
    pf args[] = {a, b};
    struct pf_node r = node(PF_MUL, w, 2, args);
    m = pf_get(s, a);
    n = pf_get(s, b);
    if ((unsigned __int128)m->uhi * n->uhi <= mask(w)) {
        r.ulo = m->ulo * n->ulo;
        r.uhi = m->uhi * n->uhi;
    }
    return intern(s, &r);
}

// ---- other operations

static uint64_t compute(enum pf_op op, uint64_t a, uint64_t b, unsigned w)
{
    const int64_t x = sign(a, w), y = sign(b, w);
    switch (op) {
    case PF_UDIV: return b ? a / b : mask(w);
    case PF_UREM: return b ? a % b : a;
    case PF_SDIV:
        if (!y) return x < 0 ? 1 : mask(w);
        return y == -1 ? 0 - a : (uint64_t)(x / y);
    case PF_SREM: return !y ? a : y == -1 ? 0 : (uint64_t)(x % y);
    case PF_SHL: return b < w ? a << b : 0;
    case PF_LSHR: return b < w ? a >> b : 0;
    case PF_ASHR: return (uint64_t)(x >> (b < w ? b : w - 1));
    case PF_AND: return a & b;
    case PF_OR: return a | b;
    case PF_XOR: return a ^ b;
    default: assert(false); return 0;
    }
}

/** All bits up to the highest of x. */
static uint64_t below_top(uint64_t x)
{
    for (unsigned k = 1; k < 64; k *= 2) x |= x >> k;
    return x;
}

static bool is_power(uint64_t v, unsigned *log)
{
    if (!v || (v & (v - 1))) return false;
    *log = (unsigned)__builtin_ctzll(v);
    return true;
}

static pf bitwise(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    const unsigned w = pf_width(s, a);
    uint64_t v;
    if (pf_is_const(s, a, &v)) {
        const pf t = a;
        a = b;
        b = t;
    }
    if (pf_is_const(s, b, &v)) {
        if (op == PF_AND && !v) return b;
        if (op == PF_AND && v == mask(w)) return a;
        if (op != PF_AND && !v) return a;
        if (op == PF_OR && v == mask(w)) return b;
        const struct pf_node *n = pf_get(s, a);
        // low bits of a value that has no others
        if (op == PF_AND && !((v + 1) & v) && n->uhi <= v) return a;
        if (op == PF_XOR && n->op == PF_XOR && n->args[1] == b) return n->args[0];
    }
    if (a == b) return op == PF_XOR ? pf_const(s, w, 0) : a;
    if (w == 1 && (op == PF_AND || op == PF_OR)) { // x and not x
        const struct pf_node *m = pf_get(s, a), *n = pf_get(s, b);
        const bool opposite = (m->op == PF_XOR && m->args[0] == b && pf_is_true(s, m->args[1])) ||
                              (n->op == PF_XOR && n->args[0] == a && pf_is_true(s, n->args[1]));
        if (opposite) return pf_bool(s, op == PF_OR);
    }
    if (b < a && !pf_is_const(s, b, &v)) {
        const pf t = a;
        a = b;
        b = t;
    }
    pf args[] = {a, b};
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    const struct pf_node r = node(op, w, 2, args);
    if (op == PF_AND) return make_bounded(s, r, 0, m.uhi < n.uhi ? m.uhi : n.uhi);
    return make_bounded(s, r, op == PF_OR ? (m.ulo > n.ulo ? m.ulo : n.ulo) : 0,
                        below_top(m.uhi | n.uhi));
}

/** a / v and a % v, unsigned, of a sum whose terms v divides except for a remainder below v. */
static bool split_sum(struct pf_space *s, pf a, uint64_t v, pf *quotient, pf *rest)
{
    const struct pf_node n = *pf_get(s, a);
    if (n.op != PF_SUM || v > (uint64_t)INT64_MAX) return false;
    wide lo = 0, hi = 0;
    pf q = pf_const(s, n.width, n.value / v), r = pf_const(s, n.width, n.value % v);
    for (uint32_t k = 0; k < n.nargs; k++) {
        const struct pf_node *t = pf_get(s, n.args[k]);
        const int64_t c = n.coefficients[k];
        if (c <= 0 || t->uhi > UINT32_MAX || c > INT32_MAX) return false;
        hi += (wide)c * t->uhi;
        lo += (wide)c * t->ulo;
        if ((uint64_t)c % v == 0) q = pf_add(s, q, pf_scale(s, n.args[k], c / (int64_t)v));
        else r = pf_add(s, r, pf_scale(s, n.args[k], c));
    }
    if (hi + n.value > (wide)mask(n.width)) return false; // it may wrap
    if (pf_get(s, r)->uhi >= v) return false;
    *quotient = q;
    *rest = r;
    return true;
}

static pf unsigned_division(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    const unsigned w = pf_width(s, a);
    uint64_t v;
    unsigned log;
    pf q, r, args[] = {a, b};
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    if (m.uhi < n.ulo) return op == PF_UDIV ? pf_const(s, w, 0) : a;
    if (pf_is_const(s, b, &v) && v) {
        if (v == 1) return op == PF_UDIV ? a : pf_const(s, w, 0);
        if (split_sum(s, a, v, &q, &r)) return op == PF_UDIV ? q : r;
        if (is_power(v, &log))
            return op == PF_UDIV ? pf_binary(s, PF_LSHR, a, pf_const(s, w, log))
                                 : pf_binary(s, PF_AND, a, pf_const(s, w, v - 1));
    }
    const struct pf_node x = node(op, w, 2, args);
    struct pf_node any = x;
    if (!n.ulo) return intern(s, &any);
    if (op == PF_UDIV) return make_bounded(s, x, m.ulo / n.uhi, m.uhi / n.ulo);
    return make_bounded(s, x, 0, m.uhi < n.uhi - 1 ? m.uhi : n.uhi - 1);
}

static pf shift(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    const unsigned w = pf_width(s, a);
    uint64_t v;
    pf args[] = {a, b}, q, r;
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    const struct pf_node x = node(op, w, 2, args);
    if (pf_is_const(s, b, &v)) {
        if (!v) return a;
        if (op == PF_SHL && v < 63 && v < w) return pf_scale(s, a, (int64_t)(1ull << v));
        if (op == PF_ASHR && m.slo >= 0) return pf_binary(s, PF_LSHR, a, b);
        if (op == PF_LSHR && v < w && v < 63 && split_sum(s, a, 1ull << v, &q, &r)) return q;
    }
    if (op == PF_ASHR && m.slo >= 0) return pf_binary(s, PF_LSHR, a, b);
    if (op == PF_LSHR)
        return make_bounded(s, x, n.uhi < w ? m.ulo >> n.uhi : 0, n.ulo < w ? m.uhi >> n.ulo : 0);
    if (op == PF_SHL && n.uhi < w && m.uhi <= mask(w) >> n.uhi)
        return make_bounded(s, x, m.ulo << n.ulo, m.uhi << n.uhi);
    struct pf_node y = x;
    return intern(s, &y);
}

pf pf_binary(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    const unsigned w = pf_width(s, a);
    uint64_t u, v;
    assert(pf_width(s, b) == w);
    if (pf_is_const(s, a, &u) && pf_is_const(s, b, &v)) return pf_const(s, w, compute(op, u, v, w));
    switch (op) {
    case PF_UDIV:
    case PF_UREM: return unsigned_division(s, op, a, b);
    case PF_SDIV:
    case PF_SREM:
        if (pf_get(s, a)->slo >= 0 && pf_get(s, b)->slo > 0)
            return unsigned_division(s, op == PF_SDIV ? PF_UDIV : PF_UREM, a, b);
        return make(s, op, w, a, b);
    case PF_SHL:
    case PF_LSHR:
    case PF_ASHR: return shift(s, op, a, b);
    default: return bitwise(s, op, a, b);
    }
}

// ---- widths

/** Whether the sum of the extended terms is the extended sum: the sum does not wrap. */
static bool extends(const struct pf_space *s, const struct pf_node *n, bool is_signed)
{
    wide lo = is_signed ? (wide)sign(n->value, n->width) : (wide)sign(n->value, n->width), hi = lo;
    for (uint32_t k = 0; k < n->nargs; k++) {
        const struct pf_node *t = pf_get(s, n->args[k]);
        const wide c = n->coefficients[k];
        const wide t_lo = is_signed ? (wide)t->slo : (wide)t->ulo;
        const wide t_hi = is_signed ? (wide)t->shi : (wide)t->uhi;
        lo += c > 0 ? c * t_lo : c * t_hi;
        hi += c > 0 ? c * t_hi : c * t_lo;
        if (lo < -((wide)1 << 100) || hi > (wide)1 << 100) return false;
    }
    return is_signed ? lo >= smin(n->width) && hi <= smax(n->width)
                     : lo >= 0 && hi <= (wide)mask(n->width);
}

/** Each formula once: one that is used in many places would be visited on each way to it. */
static pf resize(struct pf_space *s, pf a, unsigned width, enum pf_op op);

static pf extend(struct pf_space *s, pf a, unsigned width, bool is_signed)
{
    const struct pf_node n = *pf_get(s, a);
    uint64_t v;
    if (pf_is_const(s, a, &v))
        return pf_const(s, width, is_signed ? (uint64_t)sign(v, n.width) : v);
    if (is_signed && n.slo >= 0) is_signed = false;
    if (n.op == PF_TRUNC) {
        const pf x = n.args[0];
        const struct pf_node *m = pf_get(s, x);
        const bool whole = is_signed ? m->slo >= smin(n.width) && m->shi <= smax(n.width)
                                     : m->uhi <= mask(n.width);
        if (whole && m->width <= width)
            return is_signed ? pf_sext(s, x, width) : pf_zext(s, x, width);
        if (whole) return pf_trunc(s, x, width);
    }
    if (n.op == PF_ZEXT || (n.op == PF_SEXT && is_signed))
        return n.op == PF_ZEXT ? pf_zext(s, n.args[0], width) : pf_sext(s, n.args[0], width);
    const bool by_sign = n.op == PF_SUM && extends(s, &n, true),
               by_size = n.op == PF_SUM && extends(s, &n, false);
    if (n.op == PF_SUM && (is_signed ? by_sign : by_size || (by_sign && n.slo >= 0))) {
        const bool as_signed = is_signed || !by_size;
        pf r = pf_const(s, width, (uint64_t)sign(n.value, n.width));
        for (uint32_t k = 0; k < n.nargs; k++)
            r = pf_add(s, r,
                       pf_scale(s, resize(s, n.args[k], width, as_signed ? PF_SEXT : PF_ZEXT),
                                n.coefficients[k]));
        return r;
    }
    if (n.op == PF_MUL && !is_signed) {
        const struct pf_node *x = pf_get(s, n.args[0]), *y = pf_get(s, n.args[1]);
        if ((unsigned __int128)x->uhi * y->uhi <= mask(n.width))
            return pf_mul(s, pf_zext(s, n.args[0], width), pf_zext(s, n.args[1], width));
    }
    if (!is_signed &&
        (n.op == PF_AND || n.op == PF_OR || n.op == PF_XOR || n.op == PF_LSHR || n.op == PF_UDIV ||
         n.op == PF_UREM) &&
        (n.op != PF_UDIV || pf_get(s, n.args[1])->ulo) && n.width > 1)
        return pf_binary(s, n.op, pf_zext(s, n.args[0], width), pf_zext(s, n.args[1], width));
    if (n.op == PF_ITE && n.width > 1)
        return pf_ite(s, n.args[0], resize(s, n.args[1], width, is_signed ? PF_SEXT : PF_ZEXT),
                      resize(s, n.args[2], width, is_signed ? PF_SEXT : PF_ZEXT));
    pf args[] = {a};
    struct pf_node r = node(is_signed ? PF_SEXT : PF_ZEXT, width, 1, args);
    if (!is_signed) return make_bounded(s, r, n.ulo, n.uhi);
    r.slo = n.slo;
    r.shi = n.shi;
    return intern(s, &r);
}
pf pf_zext(struct pf_space *s, pf a, unsigned width) { return resize(s, a, width, PF_ZEXT); }
pf pf_sext(struct pf_space *s, pf a, unsigned width) { return resize(s, a, width, PF_SEXT); }
pf pf_trunc(struct pf_space *s, pf a, unsigned width) { return resize(s, a, width, PF_TRUNC); }

static pf narrow(struct pf_space *s, pf a, unsigned width)
{
    const struct pf_node n = *pf_get(s, a);
    uint64_t v;
    if (pf_is_const(s, a, &v)) return pf_const(s, width, v);
    if (n.op == PF_TRUNC) return pf_trunc(s, n.args[0], width);
    if (n.op == PF_ZEXT || n.op == PF_SEXT) {
        const pf x = n.args[0];
        if (pf_width(s, x) >= width) return pf_trunc(s, x, width);
        return n.op == PF_ZEXT ? pf_zext(s, x, width) : pf_sext(s, x, width);
    }
    if (n.op == PF_SUM) {
        pf r = pf_const(s, width, n.value);
        for (uint32_t k = 0; k < n.nargs; k++)
            r = pf_add(s, r, pf_scale(s, pf_trunc(s, n.args[k], width), n.coefficients[k]));
        return r;
    }
    if (n.op == PF_MUL && width > 1)
        return pf_mul(s, pf_trunc(s, n.args[0], width), pf_trunc(s, n.args[1], width));
    if (n.op == PF_AND || n.op == PF_OR || n.op == PF_XOR)
        return pf_binary(s, n.op, pf_trunc(s, n.args[0], width), pf_trunc(s, n.args[1], width));
    if (n.op == PF_ITE)
        return pf_ite(s, n.args[0], pf_trunc(s, n.args[1], width), pf_trunc(s, n.args[2], width));
    pf args[] = {a};
    struct pf_node r = node(PF_TRUNC, width, 1, args);
    if (n.uhi <= mask(width)) return make_bounded(s, r, n.ulo, n.uhi);
    if (n.slo >= smin(width) && n.shi <= smax(width)) {
        r.slo = n.slo;
        r.shi = n.shi;
    }
    return intern(s, &r);
}

static pf resize(struct pf_space *s, pf a, unsigned width, enum pf_op op)
{
    if (pf_width(s, a) == width) return a;
    const uint64_t key = (uint64_t)op << 40 | (uint64_t)width << 32 | a;
    const uint64_t *known = map_get(&s->resized, key);
    if (known) return (pf)*known;
    const pf r = op == PF_TRUNC ? narrow(s, a, width) : extend(s, a, width, op == PF_SEXT);
    *map_put(&s->resized, key, NULL) = r;
    return r;
}

// ---- conditions

pf pf_eq(struct pf_space *s, pf a, pf b)
{
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    uint64_t v;
    if (a == b) return pf_bool(s, true);
    if (m.uhi < n.ulo || n.uhi < m.ulo || m.shi < n.slo || n.shi < m.slo) return pf_bool(s, false);
    if (m.width == 1) {
        if (pf_is_const(s, b, &v)) return v ? a : pf_not(s, a);
        if (pf_is_const(s, a, &v)) return v ? b : pf_not(s, b);
    }
    if ((m.op == PF_ZEXT || m.op == PF_SEXT) && m.op == n.op &&
        pf_width(s, m.args[0]) == pf_width(s, n.args[0]))
        return pf_eq(s, m.args[0], n.args[0]);
    if ((m.op == PF_ZEXT || n.op == PF_ZEXT) && pf_is_const(s, m.op == PF_ZEXT ? b : a, &v)) {
        const pf x = m.op == PF_ZEXT ? m.args[0] : n.args[0];
        return v <= mask(pf_width(s, x)) ? pf_eq(s, x, pf_const(s, pf_width(s, x), v))
                                         : pf_bool(s, false);
    }
    if (m.op == PF_ITE && pf_is_const(s, b, &v) && m.width > 1)
        return pf_ite(s, m.args[0], pf_eq(s, m.args[1], b), pf_eq(s, m.args[2], b));
    const pf d = pf_sub(s, a, b); // equal differences give one formula
    if (pf_is_const(s, d, &v)) return pf_bool(s, !v);
    return b < a ? make(s, PF_EQ, 1, b, a) : make(s, PF_EQ, 1, a, b);
}

static pf narrower(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    const enum pf_op x = op == PF_ULT ? PF_ZEXT : PF_SEXT;
    if (m.op == x && n.op == x && pf_width(s, m.args[0]) == pf_width(s, n.args[0]))
        return op == PF_ULT ? pf_ult(s, m.args[0], n.args[0]) : pf_slt(s, m.args[0], n.args[0]);
    return PF_NONE;
}

pf pf_ult(struct pf_space *s, pf a, pf b)
{
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    if (a == b || m.ulo >= n.uhi) return pf_bool(s, false);
    if (m.uhi < n.ulo) return pf_bool(s, true);
    const pf r = narrower(s, PF_ULT, a, b);
    return r ? r : make(s, PF_ULT, 1, a, b);
}

pf pf_slt(struct pf_space *s, pf a, pf b)
{
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    if (a == b || m.slo >= n.shi) return pf_bool(s, false);
    if (m.shi < n.slo) return pf_bool(s, true);
    if (m.slo >= 0 && n.slo >= 0) return pf_ult(s, a, b);
    const pf r = narrower(s, PF_SLT, a, b);
    return r ? r : make(s, PF_SLT, 1, a, b);
}

pf pf_ite(struct pf_space *s, pf c, pf a, pf b)
{
    if (a == b || pf_is_true(s, c)) return a;
    if (pf_is_false(s, c)) return b;
    const unsigned w = pf_width(s, a);
    const struct pf_node *k = pf_get(s, c);
    if (k->op == PF_XOR && pf_is_true(s, k->args[1])) return pf_ite(s, k->args[0], b, a);
    if (w == 1) {
        if (pf_is_true(s, a)) return pf_or(s, c, b);
        if (pf_is_false(s, a)) return pf_and(s, pf_not(s, c), b);
        if (pf_is_true(s, b)) return pf_or(s, pf_not(s, c), a);
        if (pf_is_false(s, b)) return pf_and(s, c, a);
    }
    pf args[] = {c, a, b};
    const struct pf_node m = *pf_get(s, a), n = *pf_get(s, b);
    struct pf_node r = node(PF_ITE, w, 3, args);
    r.ulo = m.ulo < n.ulo ? m.ulo : n.ulo;
    r.uhi = m.uhi > n.uhi ? m.uhi : n.uhi;
    r.slo = m.slo < n.slo ? m.slo : n.slo;
    r.shi = m.shi > n.shi ? m.shi : n.shi;
    return intern(s, &r);
}

// ---- whole formulas

pf pf_rebuild(struct pf_space *s, const struct pf_node *n, const pf *args)
{
    pf r;
    switch (n->op) {
    case PF_SUM:
        r = pf_const(s, n->width, n->value);
        for (uint32_t k = 0; k < n->nargs; k++)
            r = pf_add(s, r, pf_scale(s, args[k], n->coefficients[k]));
        return r;
    case PF_MUL: return pf_mul(s, args[0], args[1]);
    case PF_ZEXT: return pf_zext(s, args[0], n->width);
    case PF_SEXT: return pf_sext(s, args[0], n->width);
    case PF_TRUNC: return pf_trunc(s, args[0], n->width);
    case PF_EQ: return pf_eq(s, args[0], args[1]);
    case PF_ULT: return pf_ult(s, args[0], args[1]);
    case PF_SLT: return pf_slt(s, args[0], args[1]);
    case PF_ITE: return pf_ite(s, args[0], args[1], args[2]);
    default: return pf_binary(s, n->op, args[0], args[1]);
    }
}

pf pf_replace(struct pf_space *s, pf f, struct map *memo, pf_replace_fn *to, void *context)
{
    const uint64_t *known = map_get(memo, f);
    if (known) return (pf)*known;
    const struct pf_node n = *pf_get(s, f);
    pf r;
    if (n.op == PF_CONST) {
        r = f;
    } else if (n.op == PF_SYMBOL) {
        r = to(context, f);
    } else {
        pf few[8], *args = n.nargs <= 8 ? few : arena_array(&s->arena, pf, n.nargs);
        for (uint32_t k = 0; k < n.nargs; k++)
            args[k] = pf_replace(s, n.args[k], memo, to, context);
        r = pf_rebuild(s, &n, args);
    }
    *map_put(memo, f, NULL) = r;
    return r;
}

void pf_print(const struct pf_space *s, pf f, struct str *out)
{
    static const char *const names[] = {
        [PF_UDIV] = "udiv",   [PF_SDIV] = "sdiv", [PF_UREM] = "urem", [PF_SREM] = "srem",
        [PF_SHL] = "shl",     [PF_LSHR] = "lshr", [PF_ASHR] = "ashr", [PF_AND] = "and",
        [PF_OR] = "or",       [PF_XOR] = "xor",   [PF_ZEXT] = "zext", [PF_SEXT] = "sext",
        [PF_TRUNC] = "trunc", [PF_EQ] = "eq",     [PF_ULT] = "ult",   [PF_SLT] = "slt",
        [PF_ITE] = "ite",     [PF_MUL] = "mul",   [PF_SUM] = "+",     [PF_CONST] = "",
        [PF_SYMBOL] = "x"};
    const struct pf_node *n = pf_get(s, f);
    if (n->op == PF_CONST) {
        str_printf(out, "%lld", (long long)sign(n->value, n->width));
    } else if (n->op == PF_SYMBOL) {
        str_printf(out, "x%llu", (unsigned long long)n->value);
    } else {
        str_printf(out, "(%s%u", names[n->op], n->width);
        if (n->op == PF_SUM) str_printf(out, " %lld", (long long)sign(n->value, n->width));
        for (uint32_t k = 0; k < n->nargs; k++) {
            str_put(out, " ");
            if (n->op == PF_SUM && n->coefficients[k] != 1)
                str_printf(out, "%lld*", (long long)n->coefficients[k]);
            pf_print(s, n->args[k], out);
        }
        str_put(out, ")");
    }
}
