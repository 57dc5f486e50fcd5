// SPDX-License-Identifier: MIT
// Formulas against direct evaluation: random operations are built with symbols, and computed beside
// them for random values of the symbols. The value of the formula must be the same, and within its
// bounds.
#include "config.h"

#include "proof/kernel.h"

#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { SYMBOLS = 5, STEPS = 40, VALUES = 6, ROUNDS = 4000 };

static uint64_t state = 88172645463325252ull;
static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}
static unsigned below(unsigned n) { return (unsigned)(random_bits() >> 33) % n; }

static uint64_t mask(unsigned w) { return w == 64 ? UINT64_MAX : (1ull << w) - 1; }
static int64_t sign(uint64_t v, unsigned w)
{
    return w == 64 ? (int64_t)v : (int64_t)(v << (64 - w)) >> (64 - w);
}

/** A formula and its value for each assignment of the symbols. */
struct item {
    pf f;
    unsigned width;
    uint64_t value[VALUES];
};

static uint64_t apply(enum pf_op op, uint64_t a, uint64_t b, unsigned w)
{
    const int64_t x = sign(a, w), y = sign(b, w);
    switch (op) {
    case PF_SUM: return a + b;
    case PF_MUL: return a * b;
    case PF_UDIV: return b ? a / b : mask(w);
    case PF_UREM: return b ? a % b : a;
    case PF_SDIV: return !y ? (x < 0 ? 1 : mask(w)) : y == -1 ? 0 - a : (uint64_t)(x / y);
    case PF_SREM: return !y ? a : y == -1 ? 0 : (uint64_t)(x % y);
    case PF_SHL: return b < w ? a << b : 0;
    case PF_LSHR: return b < w ? a >> b : 0;
    case PF_ASHR: return (uint64_t)(x >> (b < w ? b : w - 1));
    case PF_AND: return a & b;
    case PF_OR: return a | b;
    case PF_XOR: return a ^ b;
    case PF_EQ: return a == b;
    case PF_ULT: return a < b;
    default: return x < y;
    }
}

static pf build(struct pf_space *s, enum pf_op op, pf a, pf b)
{
    switch (op) {
    case PF_SUM: return pf_add(s, a, b);
    case PF_MUL: return pf_mul(s, a, b);
    case PF_EQ: return pf_eq(s, a, b);
    case PF_ULT: return pf_ult(s, a, b);
    case PF_SLT: return pf_slt(s, a, b);
    default: return pf_binary(s, op, a, b);
    }
}

static struct item constant(struct pf_space *s, unsigned w)
{
    static const uint64_t few[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 63, 64, 255, 256, 1000};
    uint64_t v = below(4) ? few[below(15)] : random_bits();
    if (!below(4)) v = 0 - v;
    struct item r = {pf_const(s, w, v), w, {0}};
    for (unsigned i = 0; i < VALUES; i++) r.value[i] = v & mask(w);
    return r;
}

static struct item symbol(struct pf_space *s, unsigned number)
{
    static const unsigned widths[] = {1, 8, 32, 64, 64};
    const unsigned w = widths[below(5)];
    struct item r = {.width = w};
    if (below(3)) { // bounds, as of ids
        uint64_t lo = below(3) ? 0 : below(100), hi = lo + 1 + below(below(2) ? 300 : 8);
        if (hi > mask(w)) hi = mask(w);
        if (lo > hi) lo = hi;
        r.f = pf_symbol(s, w, number, lo, hi);
        for (unsigned i = 0; i < VALUES; i++)
            r.value[i] = i == 0 ? lo : i == 1 ? hi : lo + random_bits() % (hi - lo + 1);
    } else if (below(2) && w > 1) {
        const int64_t lo = -1 - (int64_t)below(100), hi = (int64_t)below(100);
        r.f = pf_signed_symbol(s, w, number, lo, hi);
        for (unsigned i = 0; i < VALUES; i++)
            r.value[i] = (uint64_t)(lo + (int64_t)(random_bits() % (uint64_t)(hi - lo + 1))) &
                         mask(w);
    } else {
        r.f = pf_symbol(s, w, number, 0, mask(w));
        for (unsigned i = 0; i < VALUES; i++)
            r.value[i] = (i == 0 ? 0 : i == 1 ? mask(w) : random_bits() >> below(64)) & mask(w);
    }
    return r;
}

static struct item resized(struct pf_space *s, const struct item *a)
{
    static const unsigned widths[] = {1, 8, 16, 32, 64};
    struct item r = {.width = widths[below(5)]};
    const bool is_signed = below(2);
    r.f = r.width < a->width ? pf_trunc(s, a->f, r.width)
          : is_signed        ? pf_sext(s, a->f, r.width)
                             : pf_zext(s, a->f, r.width);
    for (unsigned i = 0; i < VALUES; i++)
        r.value[i] = (is_signed ? (uint64_t)sign(a->value[i], a->width) : a->value[i]) &
                     mask(r.width);
    return r;
}

static struct item combined(struct pf_space *s, const struct item *a, const struct item *b,
                            const struct item *c)
{
    static const enum pf_op ops[] = {PF_SUM,  PF_SUM,  PF_SUM,  PF_MUL, PF_MUL,  PF_UDIV,
                                     PF_SDIV, PF_UREM, PF_SREM, PF_SHL, PF_LSHR, PF_ASHR,
                                     PF_AND,  PF_OR,   PF_XOR,  PF_EQ,  PF_ULT,  PF_SLT};
    struct item r = {.width = a->width};
    if (c->width == 1 && !below(5)) {
        r.f = pf_ite(s, c->f, a->f, b->f);
        for (unsigned i = 0; i < VALUES; i++) r.value[i] = c->value[i] ? a->value[i] : b->value[i];
        return r;
    }
    const enum pf_op op = ops[below(sizeof ops / sizeof *ops)];
    r.f = build(s, op, a->f, b->f);
    if (op == PF_EQ || op == PF_ULT || op == PF_SLT) r.width = 1;
    for (unsigned i = 0; i < VALUES; i++)
        r.value[i] = apply(op, a->value[i], b->value[i], a->width) & mask(r.width);
    return r;
}

struct values {
    struct pf_space *s;
    const struct item *symbols;
    unsigned assignment;
};
static pf value_of(void *context, pf f)
{
    const struct values *v = context;
    const struct pf_node n = *pf_get(v->s, f);
    return pf_const(v->s, n.width, v->symbols[n.value / 4].value[v->assignment]);
}

static void check(struct pf_space *s, const struct item *symbols, const struct item *x)
{
    const struct pf_node n = *pf_get(s, x->f);
    assert_int_equal(n.width, x->width);
    for (unsigned i = 0; i < VALUES; i++) {
        struct values v = {s, symbols, i};
        struct map memo = {0};
        uint64_t got;
        const uint64_t want = x->value[i];
        const pf r = pf_replace(s, x->f, &memo, value_of, &v);
        map_deinit(&memo);
        const bool fits = want >= n.ulo && want <= n.uhi && sign(want, n.width) >= n.slo &&
                          sign(want, n.width) <= n.shi;
        if (!pf_is_const(s, r, &got) || got != want || !fits) {
            struct str text = {0};
            pf_print(s, x->f, &text);
            fail_msg("%s (%u bits): value %llu, expected %llu, bounds %llu..%llu, %lld..%lld",
                     str_text(&text), n.width, (unsigned long long)got, (unsigned long long)want,
                     (unsigned long long)n.ulo, (unsigned long long)n.uhi, (long long)n.slo,
                     (long long)n.shi);
        }
    }
}

/** One round of random formulas: how many; the first SYMBOLS are symbols. */
static unsigned make_formulas(struct pf_space *s, struct item *items)
{
    unsigned n = 0;
    // (numbers times 4, as kernel.h has them)
    for (; n < SYMBOLS; n++) items[n] = symbol(s, n * 4);
    while (n < SYMBOLS + STEPS) {
        struct item a = items[below(n)], b = items[below(n)];
        const struct item c = items[below(n)];
        if (!below(4)) b = constant(s, a.width);
        if (!below(5)) items[n++] = resized(s, &a);
        else if (a.width == b.width) items[n++] = combined(s, &a, &b, &c);
    }
    return n;
}

static void random_formulas(void **unused)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pf_space s;
        struct item items[SYMBOLS + STEPS];
        pf_init(&s);
        const unsigned n = make_formulas(&s, items);
        for (unsigned i = 0; i < n; i++) check(&s, items, &items[i]);
        pf_deinit(&s);
    }
}

static void sums_cancel(void **unused)
{
    struct pf_space s;
    pf_init(&s);
    const pf x = pf_symbol(&s, 64, 0, 0, 63), y = pf_symbol(&s, 64, 1, 0, 63);
    const pf a = pf_add(&s, pf_scale(&s, x, 4), y), b = pf_add(&s, y, pf_scale(&s, x, 4));
    assert_int_equal(a, b);
    uint64_t v;
    assert_true(pf_is_const(&s, pf_sub(&s, a, b), &v) && v == 0);
    // (long)(int)(4 x + y) is 4 x + y
    assert_int_equal(pf_sext(&s, pf_trunc(&s, a, 32), 64), a);
    // (64 x + y) / 64 is x, and the rest is y
    const pf c = pf_add(&s, pf_scale(&s, x, 64), y), n = pf_const(&s, 64, 64);
    assert_int_equal(pf_binary(&s, PF_UDIV, c, n), x);
    assert_int_equal(pf_binary(&s, PF_UREM, c, n), y);
    assert_true(pf_is_true(&s, pf_ult(&s, a, pf_const(&s, 64, 64 * 5))));
    pf_deinit(&s);
}

/** The solver must agree: with these values of the symbols, the formula has its value and no other.
 */
static void solver_agrees(void **unused)
{
#ifdef HAVE_Z3
    for (unsigned round = 0; round < 25; round++) {
        const struct proof_question q = {.work_dim = 1};
        struct proof_answer out = {0};
        struct arena arena = {0};
        struct pk k = {.q = &q, .out = &out, .arena = &arena};
        struct item items[SYMBOLS + STEPS];
        pf_init(&k.s);
        for (unsigned i = 0; i < SYMBOLS; i++)
            vec_push(&k.symbols, (struct pk_symbol){.kind = PK_UNKNOWN});
        k.solver = pk_solver_create(&k);
        const unsigned n = make_formulas(&k.s, items);
        for (unsigned i = n - 6; i < n; i++) {
            const unsigned at = below(VALUES);
            pf known = pf_bool(&k.s, true);
            for (unsigned y = 0; y < SYMBOLS; y++) { // x ^ v is not above 0
                const unsigned w = items[y].width;
                const pf v = pf_const(&k.s, w, items[y].value[at]);
                const pf x = pf_binary(&k.s, PF_XOR, items[y].f, v);
                known = pf_and(&k.s, known, pf_not(&k.s, pf_ult(&k.s, pf_const(&k.s, w, 0), x)));
            }
            const pf is =
                pf_eq(&k.s, items[i].f, pf_const(&k.s, items[i].width, items[i].value[at]));
            assert_int_equal(pk_solve(&k, pf_and(&k.s, known, pf_not(&k.s, is))), PK_NEVER);
            assert_int_equal(pk_solve(&k, pf_and(&k.s, known, is)), PK_POSSIBLE);
        }
        pk_solver_destroy(k.solver);
        vec_free(&k.symbols);
        map_deinit(&k.restricted);
        pf_deinit(&k.s);
        arena_deinit(&arena);
    }
#endif
}

/** A formula whose parts are used in many places: each is resized once, not on each way to it. */
static void shared_parts(void **unused)
{
    (void)unused;
    struct pf_space s;
    pf_init(&s);
    pf x = pf_symbol(&s, 32, 0, 0, UINT32_MAX);
    for (unsigned i = 1; i <= 64; i++) {
        const pf y = pf_symbol(&s, 32, 8 * i, 0, UINT32_MAX), c = pf_symbol(&s, 1, 8 * i + 4, 0, 1);
        x = pf_ite(&s, c, pf_binary(&s, PF_XOR, x, y), pf_add(&s, x, y));
    }
    const pf narrow = pf_trunc(&s, x, 8), wide = pf_zext(&s, x, 64);
    assert_int_equal(pf_width(&s, narrow), 8);
    assert_int_equal(pf_width(&s, wide), 64);
    pf_deinit(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_parts), cmocka_unit_test(random_formulas),
        cmocka_unit_test(solver_agrees), cmocka_unit_test(sums_cancel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
