// SPDX-License-Identifier: MIT
// Formulas for Z3 (de Moura, Bjørner, TACAS 2008), as bit vectors. A symbol has as many bits as its
// bounds need, which keeps the vectors that Z3 has to decide short. Effort is limited by Z3's
// resource counter, so that a verdict does not depend on the speed of the machine, and by the time
// that is left: a query that is still running then is interrupted (watchdog.c).
#include "config.h"

#include "proof/kernel.h"

#include "base/str.h"

#ifdef HAVE_Z3
#include <z3.h>

enum { EFFORT = 6000, QUERY_SECONDS = 30 }; // thousands of rlimit: some seconds

struct pk_solver {
    Z3_context z;
    struct pk_watchdog *watchdog;
    struct map ast;  // formula → Z3_ast
    struct map seen; // of one query: symbols with their constraints
    unsigned queries;
    bool failed;
    bool is_spent; // the context was interrupted: no other query may use it
};

static void on_error(Z3_context z, Z3_error_code e) {}

static void open_context(struct pk_solver *s)
{
    Z3_config c = Z3_mk_config();
    Z3_set_param_value(c, "model", "true");
    s->z = Z3_mk_context(c);
    Z3_set_error_handler(s->z, on_error);
    Z3_del_config(c);
}

struct pk_solver *pk_solver_create(const struct pk *k)
{
    if (k->q->no_solver) return NULL;
    struct pk_solver *s = mem_alloc(sizeof *s);
    Z3_global_param_set("memory_max_size", "1500");
    open_context(s);
    return s;
}

static void close_context(struct pk_solver *s)
{
    Z3_del_context(s->z);
    map_deinit(&s->ast);
    map_deinit(&s->seen);
}

void pk_solver_destroy(struct pk_solver *s)
{
    if (!s) return;
    pk_watchdog_destroy(s->watchdog);
    close_context(s);
    free(s);
}

static Z3_sort bits(Z3_context z, unsigned w) { return Z3_mk_bv_sort(z, w); }
static Z3_ast number(Z3_context z, uint64_t v, unsigned w)
{
    return Z3_mk_unsigned_int64(z, v, bits(z, w));
}

static unsigned width_for(uint64_t most) { return most ? 64 - (unsigned)__builtin_clzll(most) : 1; }

/**
 * Formulas of more than one bit are vectors of as many bits as their largest value needs: the
 * others are 0. Sums, products and bitwise operations are computed modulo that, which is exact
 * since the value fits. A condition is a Boolean.
 */
static unsigned width_of(const struct pf_node *n) { return n->width == 1 ? 1 : width_for(n->uhi); }

static Z3_ast translate(struct pk_solver *v, const struct pf_space *s, pf f);

/** The low w bits of a formula. */
static Z3_ast low_bits(struct pk_solver *v, const struct pf_space *s, pf f, unsigned w)
{
    Z3_context z = v->z;
    Z3_ast a = translate(v, s, f);
    const unsigned has = width_of(pf_get(s, f));
    if (pf_width(s, f) == 1) a = Z3_mk_ite(z, a, number(z, 1, 1), number(z, 0, 1));
    if (has < w) return Z3_mk_zero_ext(z, w - has, a);
    return has > w ? Z3_mk_extract(z, w - 1, 0, a) : a;
}

static Z3_ast sum(struct pk_solver *v, const struct pf_space *s, const struct pf_node *n,
                  unsigned w)
{
    Z3_context z = v->z;
    Z3_ast r = NULL;
    const uint64_t mask = w == 64 ? UINT64_MAX : (1ull << w) - 1;
    for (uint32_t i = 0; i < n->nargs; i++) {
        const int64_t c = n->coefficients[i];
        const uint64_t size = (c < 0 ? -(uint64_t)c : (uint64_t)c) & mask;
        Z3_ast t = low_bits(v, s, n->args[i], w);
        if (size != 1) t = Z3_mk_bvmul(z, number(z, size, w), t);
        if (!r) r = c < 0 ? Z3_mk_bvneg(z, t) : t;
        else r = c < 0 ? Z3_mk_bvsub(z, r, t) : Z3_mk_bvadd(z, r, t);
    }
    return n->value & mask ? Z3_mk_bvadd(z, r, number(z, n->value & mask, w)) : r;
}

static Z3_ast binary(Z3_context z, enum pf_op op, Z3_ast a, Z3_ast b)
{
    switch (op) {
    case PF_MUL: return Z3_mk_bvmul(z, a, b);
    case PF_UDIV: return Z3_mk_bvudiv(z, a, b);
    case PF_SDIV: return Z3_mk_bvsdiv(z, a, b);
    case PF_UREM: return Z3_mk_bvurem(z, a, b);
    case PF_SREM: return Z3_mk_bvsrem(z, a, b);
    case PF_SHL: return Z3_mk_bvshl(z, a, b);
    case PF_LSHR: return Z3_mk_bvlshr(z, a, b);
    case PF_ASHR: return Z3_mk_bvashr(z, a, b);
    case PF_AND: return Z3_mk_bvand(z, a, b);
    case PF_OR: return Z3_mk_bvor(z, a, b);
    default: return Z3_mk_bvxor(z, a, b);
    }
}

static Z3_ast condition(struct pk_solver *v, const struct pf_space *s, const struct pf_node *n)
{
    Z3_context z = v->z;
    if (n->op == PF_CONST) return n->value ? Z3_mk_true(z) : Z3_mk_false(z);
    if (n->op == PF_SYMBOL)
        return Z3_mk_const(z, Z3_mk_int_symbol(z, (int)n->value), Z3_mk_bool_sort(z));
    const unsigned from = pf_width(s, n->args[0]);
    Z3_ast x[3] = {0};
    if (n->op == PF_AND || n->op == PF_OR || n->op == PF_XOR || n->op == PF_ITE ||
        (n->op == PF_EQ && from == 1)) {
        for (uint32_t i = 0; i < n->nargs; i++) x[i] = translate(v, s, n->args[i]);
        return n->op == PF_AND   ? Z3_mk_and(z, 2, x)
               : n->op == PF_OR  ? Z3_mk_or(z, 2, x)
               : n->op == PF_XOR ? Z3_mk_xor(z, x[0], x[1])
               : n->op == PF_EQ  ? Z3_mk_iff(z, x[0], x[1])
                                 : Z3_mk_ite(z, x[0], x[1], x[2]);
    }
    if (n->op == PF_EQ || n->op == PF_ULT) {
        const unsigned a = width_of(pf_get(s, n->args[0])), b = width_of(pf_get(s, n->args[1]));
        for (uint32_t i = 0; i < 2; i++) x[i] = low_bits(v, s, n->args[i], a > b ? a : b);
        return n->op == PF_EQ ? Z3_mk_eq(z, x[0], x[1]) : Z3_mk_bvult(z, x[0], x[1]);
    }
    if (n->op == PF_SLT)
        return Z3_mk_bvslt(z, low_bits(v, s, n->args[0], from), low_bits(v, s, n->args[1], from));
    // the others, as vectors of one bit
    Z3_ast bit = n->op == PF_TRUNC ? low_bits(v, s, n->args[0], 1)
                 : n->op == PF_SUM ? sum(v, s, n, 1)
                                   : binary(z, n->op, low_bits(v, s, n->args[0], 1),
                                            low_bits(v, s, n->args[1], 1));
    return Z3_mk_eq(z, bit, number(z, 1, 1));
}

/** An operation whose low bits depend on all bits of its operands: computed with `at` bits. */
static Z3_ast wide(struct pk_solver *v, const struct pf_space *s, const struct pf_node *n,
                   unsigned at)
{
    const unsigned w = width_of(n);
    Z3_ast r = binary(v->z, n->op, low_bits(v, s, n->args[0], at), low_bits(v, s, n->args[1], at));
    return w < at ? Z3_mk_extract(v->z, w - 1, 0, r) : w > at ? Z3_mk_zero_ext(v->z, w - at, r) : r;
}

static Z3_ast vector(struct pk_solver *v, const struct pf_space *s, const struct pf_node *n)
{
    Z3_context z = v->z;
    const unsigned w = width_of(n);
    if (n->op == PF_CONST) return number(z, n->value, w);
    if (n->op == PF_SYMBOL) return Z3_mk_const(z, Z3_mk_int_symbol(z, (int)n->value), bits(z, w));
    const struct pf_node *a = pf_get(s, n->args[0]), *b = n->nargs > 1 ? pf_get(s, n->args[1]) : a;
    const unsigned most = width_of(a) > width_of(b) ? width_of(a) : width_of(b);
    Z3_ast r;
    switch (n->op) {
    case PF_SUM: return sum(v, s, n, w);
    case PF_ZEXT:
    case PF_TRUNC: return low_bits(v, s, n->args[0], w);
    case PF_SEXT:
        r = Z3_mk_sign_ext(z, n->width - a->width, low_bits(v, s, n->args[0], a->width));
        return w < n->width ? Z3_mk_extract(z, w - 1, 0, r) : r;
    case PF_ITE:
        return Z3_mk_ite(z, translate(v, s, n->args[0]), low_bits(v, s, n->args[1], w),
                         low_bits(v, s, n->args[2], w));
    case PF_LSHR: return wide(v, s, n, most);
    case PF_SHL: return wide(v, s, n, most > w ? most : w);
    case PF_UDIV:
    case PF_UREM: return wide(v, s, n, b->ulo ? most : n->width);
    case PF_SDIV:
    case PF_SREM:
    case PF_ASHR: return wide(v, s, n, n->width);
    default: return binary(z, n->op, low_bits(v, s, n->args[0], w), low_bits(v, s, n->args[1], w));
    }
}

static Z3_ast translate(struct pk_solver *v, const struct pf_space *s, pf f)
{
    const uint64_t *known = map_get(&v->ast, f);
    if (known) return (Z3_ast)(uintptr_t)*known;
    const struct pf_node n = *pf_get(s, f);
    Z3_ast r = n.width == 1 ? condition(v, s, &n) : vector(v, s, &n);
    v->failed |= !r || Z3_get_error_code(v->z) != Z3_OK;
    *map_put(&v->ast, f, NULL) = (uintptr_t)r;
    return r;
}

/** The bounds of the symbols in a formula, as far as their widths do not say them. */
static void put_bounds(struct pk_solver *v, const struct pf_space *s, pf f, Z3_solver to)
{
    bool is_new;
    map_put(&v->seen, f, &is_new);
    if (!is_new) return;
    const struct pf_node n = *pf_get(s, f);
    for (uint32_t i = 0; i < n.nargs; i++) put_bounds(v, s, n.args[i], to);
    if (n.op != PF_SYMBOL || n.width == 1) return;
    Z3_context z = v->z;
    Z3_ast x = translate(v, s, f);
    const unsigned w = width_of(&n);
    const uint64_t mask = n.width == 64 ? UINT64_MAX : (1ull << n.width) - 1;
    if (n.slo < 0 && n.shi >= 0) { // (all bits are there)
        if (n.slo > -(int64_t)(mask >> 1) - 1)
            Z3_solver_assert(z, to, Z3_mk_bvsge(z, x, number(z, (uint64_t)n.slo & mask, w)));
        if (n.shi < (int64_t)(mask >> 1))
            Z3_solver_assert(z, to, Z3_mk_bvsle(z, x, number(z, (uint64_t)n.shi, w)));
        return;
    }
    if (n.uhi & (n.uhi + 1)) Z3_solver_assert(z, to, Z3_mk_bvule(z, x, number(z, n.uhi, w)));
    if (n.ulo) Z3_solver_assert(z, to, Z3_mk_bvuge(z, x, number(z, n.ulo, w)));
}

static bool value_in(struct pk_solver *v, Z3_model m, Z3_ast x, uint64_t *value)
{
    Z3_context z = v->z;
    Z3_ast r;
    if (!Z3_model_eval(z, m, x, true, &r)) return false;
    *value = Z3_get_bool_value(z, r) == Z3_L_TRUE;
    return *value || Z3_get_bool_value(z, r) == Z3_L_FALSE || Z3_get_numeral_uint64(z, r, value);
}

/** Symbol number → value: of the query's symbols, and of those that its own conditions fixed. */
static void find_values(struct pk *k, Z3_model m, struct map *values)
{
    for (pf f = 1; f < k->s.nodes.len; f++) {
        const struct pf_node n = *pf_get(&k->s, f);
        uint64_t value;
        if (n.op == PF_SYMBOL && map_get(&k->solver->seen, f) &&
            value_in(k->solver, m, translate(k->solver, &k->s, f), &value))
            *map_put(values, n.value, NULL) = value;
    }
    for (uint64_t i = 0; i < k->symbols.len * 4; i++) {
        const uint64_t *least = map_get(&k->restricted, i);
        if (least && !map_get(values, i)) *map_put(values, i, NULL) = *least;
    }
}

static void take_model(struct pk *k, Z3_solver from)
{
    Z3_context z = k->solver->z;
    Z3_model m = Z3_solver_get_model(z, from);
    struct map values = {0};
    k->nvalues = 0;
    if (!m) return;
    Z3_model_inc_ref(z, m);
    find_values(k, m, &values);
    Z3_model_dec_ref(z, m);
    struct proof_model_value *out =
        arena_array(k->arena, struct proof_model_value, k->q->nargs + 1);
    for (uint64_t i = 0; i < k->symbols.len && k->nvalues < k->q->nargs; i++) {
        const struct pk_symbol *y = &k->symbols.data[i];
        const uint64_t *value = y->kind == PK_ARGUMENT ? map_get(&values, i * 4) : NULL;
        if (value) out[k->nvalues++] = (struct proof_model_value){.arg = y->index, .bits = *value};
    }
    k->model = out;
    pk_model_contents(k, &values);
    map_deinit(&values);
}

static void interrupt(void *context) { Z3_interrupt(context); }

/** The answer to what was asserted, at the latest when the time is over. */
static Z3_lbool check(struct pk *k, Z3_solver s)
{
    struct pk_solver *v = k->solver;
    double until = pk_now() + QUERY_SECONDS;
    if (k->deadline > 0 && k->deadline < until) until = k->deadline;
    if (!v->watchdog) v->watchdog = pk_watchdog_create(interrupt);
    pk_watch(v->watchdog, v->z, until);
    const Z3_lbool b = Z3_solver_check(v->z, s);
    v->is_spent = pk_unwatch(v->watchdog);
    return b;
}

/** A solver that has the condition and the bounds of its symbols. */
static Z3_solver solver_of(struct pk *k, pf condition)
{
    struct pk_solver *v = k->solver;
    Z3_context z = v->z;
    Z3_solver s = Z3_mk_solver_for_logic(z, Z3_mk_string_symbol(z, "QF_BV"));
    if (!s) return NULL;
    Z3_solver_inc_ref(z, s);
    Z3_params p = Z3_mk_params(z);
    Z3_params_inc_ref(z, p);
    const uint64_t effort = (k->q->effort ? k->q->effort : EFFORT) * 1000ull;
    Z3_params_set_uint(z, p, Z3_mk_string_symbol(z, "rlimit"),
                       effort > UINT32_MAX ? UINT32_MAX : (unsigned)effort);
    Z3_solver_set_params(z, s, p);
    Z3_params_dec_ref(z, p);
    Z3_solver_assert(z, s, translate(v, &k->s, condition));
    put_bounds(v, &k->s, condition, s);
    return s;
}

/** One query; the condition was tightened. */
static enum pk_reply ask(struct pk *k, pf condition)
{
    struct pk_solver *v = k->solver;
    if (v->is_spent || ++v->queries % 256 == 0) { // Z3 keeps all that was made in a context
        close_context(v);
        open_context(v);
        v->is_spent = false;
    }
    v->failed = false;
    map_clear(&v->seen);
    Z3_solver s = solver_of(k, condition);
    if (!s) return PK_MAYBE;
    k->out->queries++;
    enum pk_reply r = PK_MAYBE;
    if (!v->failed && Z3_get_error_code(v->z) == Z3_OK) {
        const Z3_lbool b = check(k, s);
        if (Z3_get_error_code(v->z) == Z3_OK)
            r = b == Z3_L_FALSE                  ? PK_NEVER
                : b == Z3_L_TRUE && !v->is_spent ? PK_POSSIBLE
                                                 : PK_MAYBE;
        if (r == PK_POSSIBLE) take_model(k, s);
    }
    Z3_solver_dec_ref(v->z, s);
    return r;
}

#else

struct pk_solver *pk_solver_create(const struct pk *k) { return NULL; }
void pk_solver_destroy(struct pk_solver *s) {}
static enum pk_reply ask(struct pk *k, pf condition) { return PK_MAYBE; }

#endif

/** Simplifies the condition first. */
static enum pk_reply decide(struct pk *k, pf condition)
{
    map_clear(&k->restricted);
    condition = pk_tighten(&k->s, condition, &k->restricted);
    if (pf_is_false(&k->s, condition)) {
        k->out->solved++;
        return PK_NEVER;
    }
    return k->solver && !pk_is_late(k) ? ask(k, condition) : PK_MAYBE;
}

enum pk_reply pk_solve(struct pk *k, pf condition)
{
    const enum pk_reply r = decide(k, condition);
    if (r == PK_NEVER || pk_is_late(k)) return r;
    const pf equal = pk_equal_values(k, condition);
    if (pf_is_true(&k->s, equal)) return r;
    const enum pk_reply with = decide(k, pf_and(&k->s, condition, equal));
    return with == PK_MAYBE ? r : with;
}
