// SPDX-License-Identifier: MIT
// Expressions: calls of OpenCL C functions without side effects. Mathematical functions are those
// that kernels use, for one lane. The others are a table of operations on components, as
// floating-point numbers (in double, rounded to the type) or as integers of the type.
#include "debug/expressions/expr_builtin.h"

#include "builtins/builtins.h"
#include "debug/expressions/expr.h"

#include <math.h>
#include <string.h>

// ---- componentwise, by one formula
enum { MAX_ARGS = 3 };
struct whole { // an integer type's range
    unsigned bits;
    bool is_signed;
};

static __int128 lowest(struct whole t) { return t.is_signed ? -((__int128)1 << (t.bits - 1)) : 0; }
static __int128 highest(struct whole t) { return ((__int128)1 << (t.bits - t.is_signed)) - 1; }
static __int128 saturated(__int128 v, struct whole t)
{
    return v < lowest(t) ? lowest(t) : v > highest(t) ? highest(t) : v;
}
static uint64_t bits_of(__int128 v, struct whole t)
{
    return (uint64_t)v & (t.bits == 64 ? ~0ull : (1ull << t.bits) - 1);
}
static int64_t rotated(__int128 v, __int128 by, struct whole t)
{
    const uint64_t x = bits_of(v, t);
    const unsigned k = (unsigned)(uint64_t)by & (t.bits - 1);
    return (int64_t)(k ? x << k | x >> (t.bits - k) : x);
}
static double stepped(double a, double b, double x)
{
    const double t = fmin(fmax((x - a) / (b - a), 0), 1);
    return t * t * (3 - 2 * t);
}

#define FLOATS(X)                                                                                  \
    X(ceil, 1, ceil(a))                                                                            \
    X(floor, 1, floor(a))                                                                          \
    X(rint, 1, rint(a))                                                                            \
    X(trunc, 1, trunc(a))                                                                          \
    X(fabs, 1, fabs(a))                                                                            \
    X(sqrt, 1, sqrt(a))                                                                            \
    X(native_sqrt, 1, sqrt(a))                                                                     \
    X(half_sqrt, 1, sqrt(a))                                                                       \
    X(half_recip, 1, 1 / a)                                                                        \
    X(native_recip, 1, 1 / a)                                                                      \
    X(degrees, 1, a * 57.295779513082320876798)                                                    \
    X(radians, 1, a * 0.017453292519943295769)                                                     \
    X(sign, 1, isnan(a) ? 0 : a > 0 ? 1 : a < 0 ? -1 : a)                                          \
    X(copysign, 2, copysign(a, b))                                                                 \
    X(fmin, 2, fmin(a, b))                                                                         \
    X(fmax, 2, fmax(a, b))                                                                         \
    X(min, 2, b < a ? b : a)                                                                       \
    X(max, 2, a < b ? b : a)                                                                       \
    X(step, 2, b < a ? 0 : 1)                                                                      \
    X(half_divide, 2, a / b)                                                                       \
    X(native_divide, 2, a / b)                                                                     \
    X(fma, 3, fma(a, b, c))                                                                        \
    X(mad, 3, fma(a, b, c))                                                                        \
    X(clamp, 3, fmin(fmax(a, b), c))                                                               \
    X(mix, 3, a + (b - a) * c)                                                                     \
    X(smoothstep, 3, stepped(a, b, c))
#define TESTS(X)                                                                                   \
    X(isequal, 2, a == b)                                                                          \
    X(isnotequal, 2, a != b)                                                                       \
    X(isgreater, 2, a > b)                                                                         \
    X(isgreaterequal, 2, a >= b)                                                                   \
    X(isless, 2, a < b)                                                                            \
    X(islessequal, 2, a <= b)                                                                      \
    X(islessgreater, 2, a<b || a> b)                                                               \
    X(isordered, 2, a == a && b == b)                                                              \
    X(isunordered, 2, a != a || b != b)                                                            \
    X(isfinite, 1, isfinite(a))                                                                    \
    X(isinf, 1, isinf(a))                                                                          \
    X(isnan, 1, isnan(a))                                                                          \
    X(signbit, 1, signbit(a))
#define WHOLES(X)                                                                                  \
    X(abs, 1, a < 0 ? -a : a)                                                                      \
    X(abs_diff, 2, a < b ? b - a : a - b)                                                          \
    X(min, 2, b < a ? b : a)                                                                       \
    X(max, 2, a < b ? b : a)                                                                       \
    X(clamp, 3, a<b ? b : a> c ? c : a)                                                            \
    X(add_sat, 2, saturated(a + b, t))                                                             \
    X(sub_sat, 2, saturated(a - b, t))                                                             \
    X(hadd, 2, (a + b) >> 1)                                                                       \
    X(rhadd, 2, (a + b + 1) >> 1)                                                                  \
    X(mul_hi, 2, (a * b) >> t.bits)                                                                \
    X(rotate, 2, rotated(a, b, t))                                                                 \
    X(mad_hi, 3, ((a * b) >> t.bits) + c)                                                          \
    X(mad_sat, 3, saturated(a *b + c, t))                                                          \
    X(mul24, 2, a *b)                                                                              \
    X(mad24, 3, a *b + c)                                                                          \
    X(clz, 1, bits_of(a, t) ? __builtin_clzll(bits_of(a, t)) - (int)(64 - t.bits) : (int)t.bits)   \
    X(ctz, 1, bits_of(a, t) ? __builtin_ctzll(bits_of(a, t)) : (int)t.bits)                        \
    X(popcount, 1, __builtin_popcountll(bits_of(a, t)))

#define FLOAT_FN(name, n, e)                                                                       \
    static double f_##name(double a, double b, double c) { return e; }
#define WHOLE_FN(name, n, e)                                                                       \
    static __int128 w_##name(__int128 a, __int128 b, __int128 c, struct whole t) { return e; }
FLOATS(FLOAT_FN)
TESTS(FLOAT_FN)
WHOLES(WHOLE_FN)

static const struct formula {
    const char *name;
    unsigned nargs;
    bool tests;
    double (*of_floats)(double a, double b, double c);
    __int128 (*of_wholes)(__int128 a, __int128 b, __int128 c, struct whole t);
} formulas[] = {
#define FLOAT_ROW(name, n, e) {#name, n, false, f_##name, NULL},
#define TEST_ROW(name, n, e)  {#name, n, true, f_##name, NULL},
#define WHOLE_ROW(name, n, e) {#name, n, false, NULL, w_##name},
    FLOATS(FLOAT_ROW) TESTS(TEST_ROW) WHOLES(WHOLE_ROW)};

static const struct formula *formula_of(const char *name, bool wholes)
{
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (!strcmp(formulas[i].name, name) && !!formulas[i].of_wholes == wholes)
            return &formulas[i];
    return NULL;
}

static const struct bi_row *row_of(const char *name)
{
    for (size_t i = 0; i < BI_COUNT; i++)
        if (!strcmp(bi_rows[i].name, name) && (bi_rows[i].kind == BI_MATH)) return &bi_rows[i];
    return NULL;
}

// ---- types
static const struct dbg_type *named(const char *name) { return dbg_type_named(name, strlen(name)); }
static unsigned width(const struct dbg_type *t)
{
    return dbg_strip(t)->kind == BC_T_VECTOR ? (unsigned)dbg_strip(t)->count : 1;
}
static const struct dbg_type *with_width(const struct dbg_type *el, unsigned n)
{
    return n > 1 ? dbg_type_vector(el, n) : el;
}
static const struct dbg_type *whole_type(uint64_t size, bool is_signed)
{
    static const char *const names[2][9] = {
        {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"},
        {[1] = "char", [2] = "short", [4] = "int", [8] = "long"}};
    return named(names[is_signed][size]);
}

/**
 * The common type of the arguments: a vector type, or that of C's usual conversions. floats: a
 * floating-point type is required.
 */
static const struct dbg_type *common_type(const struct dbg_value *a, unsigned n, bool floats)
{
    const struct dbg_type *t = NULL;
    for (unsigned i = 0; i < n; i++)
        if (width(a[i].type) > 1) t = dbg_strip(a[i].type);
    for (unsigned i = 0; i < n && (!t || width(t) == 1); i++) {
        const struct dbg_type *s = dbg_strip(a[i].type);
        t = !t || t == s ? s : dbg_common(t, s);
    }
    const bool is_float = dbg_element(t)->kind == BC_T_FLOAT;
    return floats && !is_float ? with_width(named("float"), width(t)) : t;
}

static double number_at(const struct dbg_value *v, unsigned i)
{
    return dbg_as_float(dbg_element(v->type), v->bytes + i * dbg_element(v->type)->size);
}
static __int128 whole_at(const struct dbg_value *v, unsigned i)
{
    const struct dbg_type *t = dbg_element(v->type);
    const int64_t x = dbg_as_int(t, v->bytes + i * t->size);
    return t->kind == BC_T_UINT ? (__int128)(uint64_t)x : (__int128)x;
}
static void put_number(struct dbg_value *v, unsigned i, double f)
{
    dbg_put_number(dbg_element(v->type), v->bytes + i * dbg_element(v->type)->size, 0, f, true);
}
static void put_whole(struct dbg_value *v, unsigned i, int64_t w)
{
    dbg_put_number(dbg_element(v->type), v->bytes + i * dbg_element(v->type)->size, w, 0, false);
}

static void apply(const struct formula *f, const struct dbg_value *a, unsigned n,
                  struct dbg_value *v)
{
    const struct dbg_type *t = a[0].type, *el = dbg_element(t);
    const struct whole range = {8 * (unsigned)el->size, el->kind != BC_T_UINT};
    *v = (struct dbg_value){.type = t};
    if (f->tests)
        v->type = width(t) > 1 ? with_width(whole_type(el->size, true), width(t)) : named("int");
    if (!strcmp(f->name, "abs") || !strcmp(f->name, "abs_diff"))
        v->type = with_width(whole_type(el->size, false), width(t));
    for (unsigned i = 0; i < width(t); i++) {
        if (f->of_wholes) {
            put_whole(v, i,
                      (int64_t)f->of_wholes(whole_at(&a[0], i), n > 1 ? whole_at(&a[1], i) : 0,
                                            n > 2 ? whole_at(&a[2], i) : 0, range));
            continue;
        }
        const double r = f->of_floats(number_at(&a[0], i), n > 1 ? number_at(&a[1], i) : 0,
                                      n > 2 ? number_at(&a[2], i) : 0);
        if (f->tests) put_whole(v, i, width(t) > 1 ? -(r != 0) : r != 0);
        else put_number(v, i, r);
    }
}

// ---- functions of mathematics
static void do_math(const struct bi_row *row, const struct dbg_value *a, unsigned n,
                    struct dbg_value *v)
{
    const struct dbg_type *t = a[0].type, *el = dbg_element(t);
    const bool wide = el->size == 8;
    const struct bi_lane *l = &bi_lane_fns[row->fn + wide];
    uint64_t in[MAX_ARGS] = {0}, out = 0;
    const char result = l->letters[0];
    *v = (struct dbg_value){.type = result == 'f' ? t : with_width(named("int"), width(t))};
    for (unsigned i = 0; i < width(t); i++) {
        const void *src[MAX_ARGS];
        for (unsigned k = 0; k < n; k++) {
            const bool is_whole = l->letters[l->ndst + k] != 'f';
            dbg_put_number(is_whole ? named("int") : named(wide ? "double" : "float"), &in[k],
                           (int64_t)whole_at(&a[k], i), number_at(&a[k], i),
                           dbg_element(a[k].type)->kind == BC_T_FLOAT);
            src[k] = &in[k];
        }
        l->fn((void *[]){&out}, src, 1);
        if (result == 'f') put_number(v, i, dbg_as_float(named(wide ? "double" : "float"), &out));
        else put_whole(v, i, (int32_t)out);
    }
}

// ---- of vectors as a whole
static bool geometric(const char *name, const struct dbg_value *a, unsigned n, struct dbg_value *v)
{
    const unsigned w = width(a[0].type);
    double dot = 0, square = 0, distance = 0;
    name += !strncmp(name, "fast_", 5) ? 5 : 0;
    const unsigned wanted =
        !strcmp(name, "dot") || !strcmp(name, "distance") || !strcmp(name, "cross") ? 2
        : !strcmp(name, "length") || !strcmp(name, "normalize")                     ? 1
                                                                                    : 0;
    if (wanted != n || (*name == 'c' && w != 3 && w != 4)) return false;
    for (unsigned i = 0; i < w; i++) {
        const double x = number_at(&a[0], i), y = n > 1 ? number_at(&a[1], i) : 0;
        dot += x * y;
        square += x * x;
        distance += (x - y) * (x - y);
    }
    const bool whole = *name == 'n' || *name == 'c';
    *v = (struct dbg_value){.type = whole ? a[0].type : dbg_element(a[0].type)};
    if (*name == 'd') put_number(v, 0, name[1] == 'o' ? dot : sqrt(distance));
    else if (*name == 'l') put_number(v, 0, sqrt(square));
    for (unsigned i = 0; i < w && *name == 'n'; i++)
        put_number(v, i, square > 0 ? number_at(&a[0], i) / sqrt(square) : number_at(&a[0], i));
    for (unsigned i = 0; i < 3 && *name == 'c'; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        put_number(v, i,
                   number_at(&a[0], j) * number_at(&a[1], k) -
                       number_at(&a[0], k) * number_at(&a[1], j));
    }
    return true;
}

/**
 * any and all test the highest bits; select tests the highest bit, or whether a number is not 0.
 */
static bool logical(const char *name, const struct dbg_value *a, unsigned n, struct dbg_value *v)
{
    const bool all = !strcmp(name, "all"), any = !strcmp(name, "any"),
               selects = !strcmp(name, "select"), bits = !strcmp(name, "bitselect");
    const struct dbg_type *t = a[0].type;
    if ((all || any) && n == 1 && dbg_element(t)->kind != BC_T_FLOAT) {
        unsigned set = 0;
        for (unsigned i = 0; i < width(t); i++)
            set += (uint64_t)whole_at(&a[0], i) >> (8 * dbg_element(t)->size - 1) & 1;
        *v = dbg_value_int(named("int"), all ? set == width(t) : set > 0);
        return true;
    }
    if ((!selects && !bits) || n != 3) return false;
    *v = (struct dbg_value){.type = t};
    const uint64_t size = dbg_element(t)->size, of = dbg_element(a[2].type)->size;
    if (width(a[1].type) != width(t) || width(a[2].type) != width(t) ||
        dbg_element(a[1].type)->size != size || (bits && of != size))
        return false;
    for (unsigned i = 0; i < width(t); i++) {
        const uint64_t c = (uint64_t)whole_at(&a[2], i);
        const bool second = width(t) > 1 ? c >> (8 * of - 1) & 1 : c != 0;
        if (selects) memcpy(v->bytes + i * size, a[second].bytes + i * size, size);
        for (uint64_t k = i * size; bits && k < (i + 1) * size; k++)
            v->bytes[k] =
                (uint8_t)((a[0].bytes[k] & ~a[2].bytes[k]) | (a[1].bytes[k] & a[2].bytes[k]));
    }
    return true;
}

// ---- into other types: convert_int4_sat_rte, as_float
static double rounded(double x, const char *how)
{
    return !strcmp(how, "_rte")   ? rint(x)
           : !strcmp(how, "_rtp") ? ceil(x)
           : !strcmp(how, "_rtn") ? floor(x)
                                  : trunc(x);
}

static bool into_type(const char *name, const struct dbg_value *a, unsigned n, struct dbg_value *v)
{
    const bool as = !strncmp(name, "as_", 3);
    if (n != 1 || (!as && strncmp(name, "convert_", 8))) return false;
    name += as ? 3 : 8;
    const size_t k = strcspn(name, "_");
    const struct dbg_type *t = dbg_type_named(name, k);
    const bool sat = !strncmp(name + k, "_sat", 4);
    const char *how = name + k + (sat ? 4 : 0);
    if (!t || (as && (name[k] || t->size != dbg_strip(a[0].type)->size)) ||
        (!as && width(t) != width(a[0].type)))
        return false;
    if (*how && strcmp(how, "_rte") && strcmp(how, "_rtz") && strcmp(how, "_rtp") &&
        strcmp(how, "_rtn"))
        return false;
    *v = (struct dbg_value){.type = t};
    if (as) memcpy(v->bytes, a[0].bytes, t->size);
    const struct dbg_type *el = dbg_element(t);
    const struct whole range = {8 * (unsigned)el->size, el->kind != BC_T_UINT};
    const bool from_float = dbg_element(a[0].type)->kind == BC_T_FLOAT,
               to_float = el->kind == BC_T_FLOAT;
    for (unsigned i = 0; i < width(t) && !as; i++) {
        const double f = number_at(&a[0], i);
        if (to_float && from_float) put_number(v, i, f);
        else if (to_float) put_number(v, i, (double)whole_at(&a[0], i));
        else if (from_float)
            put_whole(v, i,
                      (int64_t)saturated(isnan(f)         ? 0
                                         : fabs(f) < 1e20 ? (__int128)rounded(f, how)
                                         : f < 0          ? lowest(range)
                                                          : highest(range),
                                         range));
        else
            put_whole(v, i,
                      (int64_t)(sat ? saturated(whole_at(&a[0], i), range) : whole_at(&a[0], i)));
    }
    return true;
}

bool dbg_builtin_is(const char *name)
{
    static const char *const others[] = {"dot",   "length",      "distance",      "normalize",
                                         "cross", "fast_length", "fast_distance", "fast_normalize",
                                         "all",   "any",         "select",        "bitselect"};
    bool is = formula_of(name, true) || formula_of(name, false) || row_of(name) ||
              !strncmp(name, "as_", 3) || !strncmp(name, "convert_", 8);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) is |= !strcmp(name, others[i]);
    return is;
}

struct err *dbg_builtin_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                             struct dbg_value *v)
{
    for (unsigned i = 0; i < n->n; i++)
        if (!dbg_is_number(dbg_element(args[i].type)))
            return BAD(x, n->list[i], "%s takes numbers and vectors of them.", n->name);
    if (n->n && (logical(n->name, args, n->n, v) || into_type(n->name, args, n->n, v))) return NULL;
    const struct bi_row *row = row_of(n->name);
    const bool whole = n->n && formula_of(n->name, true) &&
                       dbg_element(common_type(args, n->n, false))->kind != BC_T_FLOAT;
    const struct formula *f = formula_of(n->name, whole);
    const unsigned nargs = f ? f->nargs : row ? bi_lane_fns[row->fn].nsrc : n->n;
    if (n->n != nargs || !n->n)
        return BAD(x, n, "%s takes %u argument%s.", n->name, nargs, nargs == 1 ? "" : "s");
    const struct dbg_type *t = common_type(args, n->n, !whole);
    for (unsigned i = 0; i < n->n; i++) {
        const bool own = row && bi_lane_fns[row->fn].letters[bi_lane_fns[row->fn].ndst + i] !=
                                    'f'; // ldexp's exponent
        struct err *e =
            own ? width(args[i].type) == width(t)
                      ? NULL
                      : dbg_convert(x, n->list[i], with_width(named("int"), width(t)), &args[i])
                : dbg_convert(x, n->list[i], t, &args[i]);
        if (e) return e;
    }
    if (row) do_math(row, args, n->n, v);
    else if (f) apply(f, args, n->n, v);
    else if (!geometric(n->name, args, n->n, v))
        return BAD(x, n, "%s has no form for these arguments.", n->name);
    return NULL;
}
