// SPDX-License-Identifier: MIT
// Expressions: conversions and arithmetic.
//
// Types are determined during evaluation, by C's rules: integer promotions, the usual conversions,
// OpenCL's vectors element by element (a scalar beside a vector is widened; comparisons of vectors
// give 0 and -1). Floating-point sums are computed in double and rounded to their type, which for
// float gives the same result.
#include "debug/expressions/expr.h"
#include "debug/expressions/expr_node.h"

#include <string.h>

struct err *dbg_place_error(struct dbg_eval *x, const struct dbg_node *n, struct err *e)
{
    if (!e) return NULL;
    struct err *with = BAD(x, n, "%s", err_message(e));
    err_free(e);
    return with;
}

struct err *dbg_load(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    x->unwritten |= dbg_value_unwritten(x->g, v);
    return dbg_place_error(x, n, dbg_value_load(x->g, v, x->a));
}

struct err *dbg_decay(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_ARRAY && v->in_memory) {
        const uint64_t p = v->address;
        *v = (struct dbg_value){.type = dbg_type_pointer(t->base)};
        memcpy(v->bytes, &p, 8);
        return NULL;
    }
    return dbg_load(x, n, v);
}

uint64_t dbg_pointer_of(const struct dbg_value *v)
{
    uint64_t p;
    memcpy(&p, v->bytes, 8);
    return p;
}

const struct dbg_type *dbg_promoted(const struct dbg_type *t)
{
    t = dbg_strip(t);
    if (t->kind == BC_T_ENUM ||
        ((t->kind == BC_T_INT || t->kind == BC_T_UINT || t->kind == BC_T_BOOL) && t->size < 4))
        return dbg_type_named("int", 3);
    return t;
}

const struct dbg_type *dbg_common(const struct dbg_type *a, const struct dbg_type *b)
{
    a = dbg_promoted(a), b = dbg_promoted(b);
    if (a->kind == BC_T_FLOAT || b->kind == BC_T_FLOAT) {
        if (a->kind != BC_T_FLOAT) return b;
        if (b->kind != BC_T_FLOAT) return a;
        return a->size >= b->size ? a : b;
    }
    if (a->size != b->size) return a->size > b->size ? a : b;
    return a->kind == BC_T_UINT ? a : b;
}

/** An operator during evaluation. */
struct operation {
    struct dbg_eval *x;
    const struct dbg_node *n;
    enum dbg_op op;
};

static bool compares(enum dbg_op op) { return op >= E_LT && op <= E_NE; }

/** *out = *a op *b, all of type t; for a comparison an int64_t. */
static struct err *scalar_op(const struct operation *o, const struct dbg_type *t, const uint8_t *a,
                             const uint8_t *b, uint8_t *out)
{
    const enum dbg_op op = o->op;
    if (t->kind == BC_T_FLOAT) {
        const double p = dbg_as_float(t, a), q = dbg_as_float(t, b);
        double r = 0;
        switch (op) {
        case E_MUL: r = p * q; break;
        case E_DIV: r = p / q; break;
        case E_ADD: r = p + q; break;
        case E_SUB: r = p - q; break;
        case E_LT: r = p < q; break;
        case E_GT: r = p > q; break;
        case E_LE: r = p <= q; break;
        case E_GE: r = p >= q; break;
        case E_EQ: r = p == q; break;
        case E_NE: r = p != q; break;
        default: return BAD(o->x, o->n, "Argument to arithmetic operation not an integer.");
        }
        if (compares(op)) memcpy(out, &(int64_t){(int64_t)r}, 8);
        else dbg_put_number(t, out, 0, r, true);
        return NULL;
    }
    const int64_t p = dbg_as_int(t, a), q = dbg_as_int(t, b);
    const uint64_t u = (uint64_t)p, w = (uint64_t)q;
    const bool is_unsigned = t->kind == BC_T_UINT || t->kind == BC_T_POINTER ||
                             t->kind == BC_T_BOOL;
    const unsigned bits = 8 * (unsigned)t->size;
    uint64_t r = 0;
    switch (op) {
    case E_MUL: r = u * w; break;
    case E_DIV:
    case E_REM:
        if (!q) return BAD(o->x, o->n, "Division by zero");
        if (is_unsigned) r = op == E_DIV ? u / w : u % w;
        else if (q == -1) r = op == E_DIV ? 0 - u : 0;
        else r = (uint64_t)(op == E_DIV ? p / q : p % q);
        break;
    case E_ADD: r = u + w; break;
    case E_SUB: r = u - w; break;
    case E_SHL: r = u << (w & (bits - 1)); break;
    case E_SHR: r = is_unsigned ? u >> (w & (bits - 1)) : (uint64_t)(p >> (w & (bits - 1))); break;
    case E_AND: r = u & w; break;
    case E_XOR: r = u ^ w; break;
    case E_OR: r = u | w; break;
    case E_LT: r = is_unsigned ? u < w : p < q; break;
    case E_GT: r = is_unsigned ? u > w : p > q; break;
    case E_LE: r = is_unsigned ? u <= w : p <= q; break;
    case E_GE: r = is_unsigned ? u >= w : p >= q; break;
    case E_EQ: r = u == w; break;
    case E_NE: r = u != w; break;
    default: break;
    }
    if (compares(op)) memcpy(out, &r, 8);
    else dbg_put_number(t, out, (int64_t)r, 0, false);
    return NULL;
}

/** The canonical value of a pointer, for comparisons and conversions to numbers. */
static uint64_t place_of(struct dbg_eval *x, const struct dbg_value *v)
{
    return x->g ? vm_canonical_pointer(x->g, dbg_pointer_of(v)) : dbg_pointer_of(v);
}

struct err *dbg_convert(struct dbg_eval *x, const struct dbg_node *n, const struct dbg_type *to,
                        struct dbg_value *v)
{
    struct err *e = dbg_decay(x, n, v);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(to), *from = dbg_strip(v->type);
    struct dbg_value r = {.type = to};
    if (t->kind == BC_T_VOID) {
        *v = r;
        return NULL;
    }
    const bool plain_from = dbg_is_number(from) || from->kind == BC_T_POINTER,
               plain_to = dbg_is_number(t) || t->kind == BC_T_POINTER;
    if (plain_from && plain_to) {
        const bool is_number = from->kind == BC_T_POINTER && dbg_is_number(t);
        dbg_put_number(t, r.bytes, is_number ? (int64_t)place_of(x, v) : dbg_as_int(from, v->bytes),
                       dbg_as_float(from, v->bytes), from->kind == BC_T_FLOAT);
    } else if (t->kind == BC_T_VECTOR && dbg_is_number(from)) {
        const struct dbg_type *el = dbg_strip(t->base);
        for (unsigned i = 0; i < t->count; i++)
            dbg_put_number(el, r.bytes + i * el->size, dbg_as_int(from, v->bytes),
                           dbg_as_float(from, v->bytes), from->kind == BC_T_FLOAT);
    } else if (t->kind == from->kind && t->size == from->size &&
               (t->kind == BC_T_VECTOR || !t->name || !from->name ||
                !strcmp(t->name, from->name))) {
        if (t->kind == BC_T_VECTOR &&
            (t->count != from->count || dbg_strip(t->base)->kind != dbg_strip(from->base)->kind))
            return BAD(x, n, "Vectors of different types are not converted into one another.");
        r = *v;
        r.type = to;
    } else {
        return BAD(x, n, "Invalid cast.");
    }
    *v = r;
    return NULL;
}

/** The difference of two pointers in elements, or their comparison. */
static struct err *two_pointers(struct operation *o, struct dbg_value *a, const struct dbg_value *b)
{
    const struct dbg_type *s = dbg_strip(a->type);
    const uint64_t p = place_of(o->x, a), q = place_of(o->x, b);
    uint8_t r[8];
    if (o->op == E_SUB) {
        const int64_t size = s->base->size ? (int64_t)s->base->size : 1;
        *a = dbg_value_int(dbg_type_named("long", 4), (uint64_t)((int64_t)(p - q) / size));
        return NULL;
    }
    struct err *e = scalar_op(o, s, (const uint8_t *)&p, (const uint8_t *)&q, r);
    if (!e) *a = dbg_value_int(dbg_type_named("int", 3), r[0]);
    return e;
}

static struct err *pointers(struct operation *o, struct dbg_value *a, struct dbg_value *b)
{
    const struct dbg_type *s = dbg_strip(a->type), *t = dbg_strip(b->type);
    const enum dbg_op op = o->op;
    if (s->kind == t->kind && (op == E_SUB || compares(op))) return two_pointers(o, a, b);
    if ((op == E_ADD || op == E_SUB) && s->kind == BC_T_POINTER && dbg_is_integer(t)) {
        const uint64_t step = (uint64_t)dbg_as_int(t, b->bytes) *
                              (s->base->size ? s->base->size : 1);
        const uint64_t p = op == E_ADD ? dbg_pointer_of(a) + step : dbg_pointer_of(a) - step;
        memcpy(a->bytes, &p, 8);
        return NULL;
    }
    if (op == E_ADD && dbg_is_integer(s)) {
        struct dbg_value swap = *a;
        *a = *b;
        *b = swap;
        return dbg_arithmetic(o->x, o->n, op, a, b);
    }
    if (compares(op) && (dbg_is_integer(s) || dbg_is_integer(t))) {
        const struct dbg_type *u = dbg_type_named("ulong", 5);
        struct err *e = dbg_convert(o->x, o->n, u, a);
        if (!e) e = dbg_convert(o->x, o->n, u, b);
        return e ? e : dbg_arithmetic(o->x, o->n, op, a, b);
    }
    return BAD(o->x, o->n, "Argument to arithmetic operation not a number or boolean.");
}

static struct err *vectors(struct operation *o, struct dbg_value *a, struct dbg_value *b)
{
    static const char *const ints[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    const struct dbg_type *s = dbg_strip(a->type), *t = dbg_strip(b->type);
    const struct dbg_type *v = s->kind == BC_T_VECTOR ? s : t, *el = dbg_strip(v->base);
    struct err *e = NULL;
    if (s->kind != t->kind) e = dbg_convert(o->x, o->n, v, s->kind == BC_T_VECTOR ? b : a);
    else if (s->count != t->count || dbg_strip(s->base)->kind != dbg_strip(t->base)->kind ||
             s->size != t->size)
        e = BAD(o->x, o->n, "Vectors of different types cannot be combined.");
    if (e) return e;
    struct dbg_value r = {.type = v};
    if (compares(o->op))
        r.type = dbg_type_vector(dbg_type_named(ints[el->size], strlen(ints[el->size])),
                                 (unsigned)v->count);
    for (unsigned i = 0; i < v->count && !e; i++) {
        uint8_t one[8] = {0};
        e = scalar_op(o, el, a->bytes + i * el->size, b->bytes + i * el->size, one);
        if (compares(o->op))
            dbg_put_number(dbg_strip(r.type->base), r.bytes + i * el->size, -(int64_t)one[0], 0,
                           false);
        else memcpy(r.bytes + i * el->size, one, el->size);
    }
    *a = r;
    return e;
}

static struct err *scalars(struct operation *o, struct dbg_value *a, const struct dbg_value *b)
{
    const struct dbg_type *s = dbg_strip(a->type), *t = dbg_strip(b->type);
    const bool shifts = o->op == E_SHL || o->op == E_SHR, f = s->kind == BC_T_FLOAT,
               h = t->kind == BC_T_FLOAT;
    uint8_t p[8], q[8], r[8] = {0};
    if (!dbg_is_number(s) || !dbg_is_number(t))
        return BAD(o->x, o->n, "Argument to arithmetic operation not a number or boolean.");
    if (shifts && (f || h))
        return BAD(o->x, o->n, "Argument to arithmetic operation not an integer.");
    const struct dbg_type *c = shifts ? dbg_promoted(s) : dbg_common(s, t);
    // an unsigned value is not negative as floating point
    dbg_put_number(c, p, dbg_as_int(s, a->bytes), dbg_as_float(s, a->bytes),
                   f || (c->kind == BC_T_FLOAT && s->kind == BC_T_UINT));
    dbg_put_number(c, q, dbg_as_int(t, b->bytes), dbg_as_float(t, b->bytes),
                   h || (c->kind == BC_T_FLOAT && t->kind == BC_T_UINT));
    struct err *e = scalar_op(o, c, p, q, r);
    if (e) return e;
    if (compares(o->op)) {
        *a = dbg_value_int(dbg_type_named("int", 3), r[0]);
    } else {
        *a = (struct dbg_value){.type = c};
        memcpy(a->bytes, r, c->size);
    }
    return NULL;
}

struct err *dbg_arithmetic(struct dbg_eval *x, const struct dbg_node *n, enum dbg_op op,
                           struct dbg_value *a, struct dbg_value *b)
{
    struct operation o = {x, n, op};
    struct err *e = dbg_decay(x, n, a);
    if (!e) e = dbg_decay(x, n, b);
    if (e) return e;
    const uint8_t s = dbg_strip(a->type)->kind, t = dbg_strip(b->type)->kind;
    if (s == BC_T_POINTER || t == BC_T_POINTER) return pointers(&o, a, b);
    if (s == BC_T_VECTOR || t == BC_T_VECTOR) return vectors(&o, a, b);
    return scalars(&o, a, b);
}
