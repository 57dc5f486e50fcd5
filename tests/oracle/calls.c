// SPDX-License-Identifier: MIT
// OpenCL C's builtin functions that the corpus uses, one scalar after the other.
#include "walker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

static uint64_t ones(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
static int64_t sign(uint64_t v, unsigned bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

double as_double(uint64_t v, unsigned bits)
{
    if (bits == 64) {
        double d;
        return memcpy(&d, &v, 8), d;
    }
    if (bits == 32) {
        float f;
        return memcpy(&f, &v, 4), f;
    }
    _Float16 h;
    return memcpy(&h, &v, 2), (double)h;
}

uint64_t from_double(double d, unsigned bits)
{
    uint64_t v = 0;
    if (bits == 64) return memcpy(&v, &d, 8), v;
    if (bits == 32) {
        const float f = (float)d;
        return memcpy(&v, &f, 4), v;
    }
    const _Float16 h = (_Float16)d;
    return memcpy(&v, &h, 2), v;
}

/**
 * The letter of the element's type of parameter k, after pointers and qualifiers; *lanes of its
 * vector.
 */
static char letter(const char *p, unsigned k, unsigned *lanes)
{
    char last = 0;
    unsigned n = 1, last_n = 1;
    for (;; k--) {
        bool again = true;
        n = 1;
        while (again) {
            again = false;
            if (*p == 'P' || *p == 'V' || *p == 'K') p++, again = true;
            else if (*p == 'U') {
                char *end;
                const unsigned long len = strtoul(p + 1, &end, 10);
                p = end + len;
                again = true;
            } else if (p[0] == 'D' && p[1] == 'v') {
                char *end;
                n = (unsigned)strtoul(p + 2, &end, 10);
                p = end + 1;
                again = true;
            }
        }
        char c = *p;
        if (c == 'S') { // the same as before
            p = strchr(p, '_') + 1;
            c = last;
            n = last_n;
        } else if (c >= '0' && c <= '9') { // a named type
            char *end;
            const unsigned long len = strtoul(p, &end, 10);
            p = end + len;
            c = 'N';
        } else if (c == 'D' && p[1] == 'h') {
            c = 'H';
            p += 2;
        } else if (c) {
            p++;
        }
        last = c;
        last_n = n;
        if (!k || !*p) {
            if (lanes) *lanes = n;
            return c;
        }
    }
}

static unsigned bytes_of(char c)
{
    switch (c) {
    case 'c':
    case 'h':
    case 'a':
    case 'b': return 1;
    case 's':
    case 't':
    case 'H': return 2;
    case 'i':
    case 'j':
    case 'f': return 4;
    case 'l':
    case 'm':
    case 'd': return 8;
    default: give_up("builtin's parameter '%c'", c);
    }
}
static bool is_signed(char c) { return strchr("casil", c) != NULL; }
static bool is(const struct insn *in, const char *name) { return !strcmp(in->builtin, name); }
static bool begins(const struct insn *in, const char *name)
{
    return !strncmp(in->builtin, name, strlen(name));
}

// ---- work-items

static bool work_item(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    const uint64_t d = in->nops ? a[0]->v : 0;
    const struct group *g = w->group;
    const bool in_range = d < 3;
    const uint64_t all = L.local[0] * L.local[1] * L.local[2],
                   line = w->local[0] +
                          (uint64_t)g->size[0] * (w->local[1] + (uint64_t)g->size[1] * w->local[2]);
    uint64_t v;
    if (is(in, "get_global_id")) v = in_range ? w->global[d] : 0;
    else if (is(in, "get_local_id")) v = in_range ? w->local[d] : 0;
    else if (is(in, "get_group_id")) v = in_range ? g->at[d] : 0;
    else if (is(in, "get_global_size")) v = in_range ? L.global[d] : 1;
    else if (is(in, "get_local_size")) v = in_range ? g->size[d] : 1;
    else if (is(in, "get_enqueued_local_size")) v = in_range ? L.local[d] : 1;
    else if (is(in, "get_num_groups")) v = in_range ? L.grid[d] : 1;
    else if (is(in, "get_global_offset")) v = in_range ? L.offset[d] : 0;
    else if (is(in, "get_work_dim")) v = L.dims;
    else if (is(in, "get_local_linear_id")) v = line;
    else if (is(in, "get_global_linear_id"))
        v = ((w->global[2] - L.offset[2]) * L.global[1] + w->global[1] - L.offset[1]) *
                L.global[0] +
            w->global[0] - L.offset[0];
    else if (is(in, "get_max_sub_group_size")) v = all < L.sub_group ? all : L.sub_group;
    else if (is(in, "get_sub_group_size"))
        v = g->nitems - line / L.sub_group * L.sub_group < L.sub_group
                ? g->nitems - line / L.sub_group * L.sub_group
                : L.sub_group;
    else if (is(in, "get_num_sub_groups")) v = (g->nitems + L.sub_group - 1) / L.sub_group;
    else if (is(in, "get_enqueued_num_sub_groups")) v = (all + L.sub_group - 1) / L.sub_group;
    else if (is(in, "get_sub_group_id")) v = line / L.sub_group;
    else if (is(in, "get_sub_group_local_id")) v = line % L.sub_group;
    else return false;
    const bool is_undefined = in->nops && a[0]->u;
    *out =
        (struct sc){.v = v, .u = is_undefined ? ~0ull : 0, .path = is_undefined ? a[0]->path : 0};
    return true;
}

// ---- integers

static uint64_t clamped(wide x, unsigned bits, bool s)
{
    const wide lo = s ? -((wide)1 << (bits - 1)) : 0,
               hi = s ? ((wide)1 << (bits - 1)) - 1 : ((wide)1 << bits) - 1;
    return (uint64_t)(x < lo ? lo : x > hi ? hi : x);
}

static bool integer(const struct insn *in, bool s, unsigned bits, const uint64_t *x, uint64_t *out)
{
    const wide a = s ? (wide)sign(x[0], bits) : (wide)x[0],
               b = s ? (wide)sign(x[1], bits) : (wide)x[1],
               c = s ? (wide)sign(x[2], bits) : (wide)x[2];
    const uint64_t shift = x[1] % bits;
    if (is(in, "max")) *out = (uint64_t)(a > b ? a : b);
    else if (is(in, "min")) *out = (uint64_t)(a < b ? a : b);
    else if (is(in, "clamp")) *out = (uint64_t)(a < b ? b : a > c ? c : a);
    else if (is(in, "abs")) *out = (uint64_t)(a < 0 ? -a : a);
    else if (is(in, "abs_diff")) *out = (uint64_t)(a > b ? a - b : b - a);
    else if (is(in, "add_sat")) *out = clamped(a + b, bits, s);
    else if (is(in, "sub_sat")) *out = clamped(a - b, bits, s);
    else if (is(in, "hadd")) *out = (uint64_t)((a + b) >> 1);
    else if (is(in, "rhadd")) *out = (uint64_t)((a + b + 1) >> 1);
    else if (is(in, "mul_hi"))
        *out = s ? (uint64_t)((a * b) >> bits)
                 : (uint64_t)(((unsigned __int128)x[0] * x[1]) >> bits);
    else if (is(in, "mad_hi"))
        *out = (uint64_t)(((s ? (uint64_t)((a * b) >> bits)
                              : (uint64_t)(((unsigned __int128)x[0] * x[1]) >> bits))) +
                          (uint64_t)c);
    else if (is(in, "mul24")) *out = (uint64_t)(a * b);
    else if (is(in, "mad24")) *out = (uint64_t)(a * b + c);
    else if (is(in, "rotate")) *out = shift ? x[0] << shift | x[0] >> (bits - shift) : x[0];
    else if (is(in, "popcount")) *out = (uint64_t)__builtin_popcountll(x[0]);
    else if (is(in, "clz")) *out = x[0] ? (uint64_t)__builtin_clzll(x[0]) - (64 - bits) : bits;
    else if (is(in, "ctz")) *out = x[0] ? (uint64_t)__builtin_ctzll(x[0]) : bits;
    else return false;
    *out &= ones(bits);
    return true;
}

// ---- floating point

static double rsqrt_of(double x) { return 1 / sqrt(x); }
static double recip_of(double x) { return 1 / x; }
static double degrees_of(double x) { return x * 180 / M_PI; }
static double radians_of(double x) { return x * M_PI / 180; }
static double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : isnan(x) ? 0 : x; }
static double step_of(double e, double x) { return x < e ? 0 : 1; }
static double divide_of(double x, double y) { return x / y; }
static double max_of(double x, double y) { return x < y ? y : x; }
static double min_of(double x, double y) { return y < x ? y : x; }

static const struct {
    const char *name;
    double (*f)(double);
} one[] = {
    {"sin", sin},
    {"cos", cos},
    {"tan", tan},
    {"asin", asin},
    {"acos", acos},
    {"atan", atan},
    {"sinh", sinh},
    {"cosh", cosh},
    {"tanh", tanh},
    {"exp", exp},
    {"exp2", exp2},
    {"exp10", exp10},
    {"expm1", expm1},
    {"log", log},
    {"log2", log2},
    {"log10", log10},
    {"log1p", log1p},
    {"sqrt", sqrt},
    {"cbrt", cbrt},
    {"rsqrt", rsqrt_of},
    {"fabs", fabs},
    {"floor", floor},
    {"ceil", ceil},
    {"trunc", trunc},
    {"round", round},
    {"rint", rint},
    {"native_sin", sin},
    {"native_cos", cos},
    {"native_exp", exp},
    {"native_log", log},
    {"native_sqrt", sqrt},
    {"native_rsqrt", rsqrt_of},
    {"native_recip", recip_of},
    {"half_sqrt", sqrt},
    {"half_recip", recip_of},
    {"degrees", degrees_of},
    {"radians", radians_of},
    {"sign", sign_of},
    {"erf", erf},
    {"erfc", erfc},
};
static const struct {
    const char *name;
    double (*f)(double, double);
} two[] = {
    {"pow", pow},         {"powr", pow},
    {"fmod", fmod},       {"atan2", atan2},
    {"fmin", fmin},       {"fmax", fmax},
    {"hypot", hypot},     {"copysign", copysign},
    {"fdim", fdim},       {"remainder", remainder},
    {"step", step_of},    {"max", max_of},
    {"min", min_of},      {"native_divide", divide_of},
    {"native_powr", pow}, {"nextafter", nextafter},
};

static bool floating(const struct insn *in, unsigned bits, const double *x, double *out)
{
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (is(in, one[i].name)) return *out = one[i].f(x[0]), true;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (is(in, two[i].name)) return *out = two[i].f(x[0], x[1]), true;
    if (is(in, "fma") || is(in, "mad") || begins(in, "llvm.fmuladd"))
        *out = bits == 32 ? (double)fmaf((float)x[0], (float)x[1], (float)x[2])
                          : fma(x[0], x[1], x[2]);
    else if (is(in, "clamp")) *out = fmin(fmax(x[0], x[1]), x[2]);
    else if (is(in, "mix")) *out = x[0] + (x[1] - x[0]) * x[2];
    else if (is(in, "smoothstep")) {
        const double t = fmin(fmax((x[2] - x[0]) / (x[1] - x[0]), 0), 1);
        *out = t * t * (3 - 2 * t);
    } else return false;
    return true;
}

static int relation(const struct insn *in, double a, double b)
{
    if (is(in, "isnan")) return isnan(a) != 0;
    if (is(in, "isinf")) return isinf(a) != 0;
    if (is(in, "isfinite")) return isfinite(a) != 0;
    if (is(in, "isnormal")) return isnormal(a) != 0;
    if (is(in, "signbit")) return signbit(a) != 0;
    if (is(in, "isequal")) return a == b;
    if (is(in, "isnotequal")) return a != b;
    if (is(in, "isgreater")) return a > b;
    if (is(in, "isgreaterequal")) return a >= b;
    if (is(in, "isless")) return a < b;
    if (is(in, "islessequal")) return a <= b;
    if (is(in, "isordered")) return !isnan(a) && !isnan(b);
    if (is(in, "isunordered")) return isnan(a) || isnan(b);
    return -1;
}

static void taint(struct sc *out, unsigned bits, struct sc *from)
{
    if (!from->u) return;
    out->path = out->u ? path_joined(out->path, from->path) : from->path;
    out->u = ones(bits);
}

static bool scaled(const struct insn *in, struct sc **a, struct sc *out)
{
    if (!is(in, "ldexp") && !is(in, "pown")) return false;
    for (unsigned i = 0; i < in->type->n; i++) {
        const unsigned bits = in->type->cells[i].bits;
        const struct sc *k = &a[1][in->ops[1].n == 1 ? 0 : i];
        const double x = as_double(a[0][i].v, bits);
        out[i] = (struct sc){
            .v = from_double(is(in, "pown") ? pow(x, (int)k->v) : ldexp(x, (int)k->v), bits)};
        taint(&out[i], bits, &a[0][i]);
        taint(&out[i], bits, (struct sc *)k);
    }
    return true;
}

/** Componentwise; arguments that are scalars stand for vectors of them. */
static bool componentwise(const struct insn *in, struct sc **a, struct sc *out)
{
    const char c = letter(in->params, 0, NULL);
    const struct type *t = in->type, *from = in->from;
    if (!t->n || !from || !in->nops || in->nops > 3) return false;
    for (unsigned i = 0; i < t->n; i++) {
        uint64_t x[3] = {0};
        double f[3] = {0};
        for (unsigned k = 0; k < in->nops; k++) {
            x[k] = a[k][in->ops[k].n == 1 ? 0 : i].v;
            if (from->cells[0].kind == 'f') f[k] = as_double(x[k], from->cells[0].bits);
        }
        const unsigned bits = t->cells[i].bits;
        out[i] = (struct sc){0};
        if (from->cells[0].kind == 'f') {
            double r;
            const int is_so = relation(in, f[0], f[1]);
            if (is_so >= 0) out[i].v = t->is_vector ? (is_so ? ones(bits) : 0) : (uint64_t)is_so;
            else if (t->cells[0].kind == 'f' && floating(in, bits, f, &r))
                out[i].v = from_double(r, bits);
            else return false;
        } else if (!integer(in, is_signed(c), from->cells[0].bits, x, &out[i].v)) {
            return false;
        }
        for (unsigned k = 0; k < in->nops; k++)
            taint(&out[i], bits, &a[k][in->ops[k].n == 1 ? 0 : i]);
    }
    return true;
}

static bool select_call(const struct insn *in, struct sc **a, struct sc *out)
{
    const struct type *t = in->type;
    if (!is(in, "select") && !is(in, "bitselect")) return false;
    for (unsigned i = 0; i < t->n; i++) {
        const struct sc c = a[2][i];
        const unsigned bits = t->cells[i].bits;
        if (is(in, "bitselect")) {
            out[i] = (struct sc){.v = (a[0][i].v & ~c.v) | (a[1][i].v & c.v),
                                 .u = (a[0][i].u & ~c.v) | (a[1][i].u & c.v) | c.u};
        } else {
            const unsigned cbits = code_type(LLVMTypeOf(LLVMGetOperand(in->v, 2)))->cells[0].bits;
            const bool yes = t->is_vector ? c.v >> (cbits - 1) & 1 : c.v != 0;
            out[i] = yes ? a[1][i] : a[0][i];
            if (c.u) taint(&out[i], bits, &a[2][i]);
        }
    }
    return true;
}

static bool geometric(const struct insn *in, struct sc **a, struct sc *out)
{
    static const char *const names[] = {"dot",   "length",      "distance",       "normalize",
                                        "cross", "fast_length", "fast_normalize", "fast_distance"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) any |= is(in, names[i]);
    if (!any) return false;
    const unsigned bits = in->from->cells[0].bits, n = in->from->n;
    double x[4] = {0}, y[4] = {0}, sum = 0;
    struct sc bad = {0};
    for (unsigned i = 0; i < n; i++) {
        x[i] = as_double(a[0][i].v, bits);
        if (in->nops > 1) y[i] = as_double(a[1][i].v, bits);
        taint(&bad, bits, &a[0][i]);
        if (in->nops > 1) taint(&bad, bits, &a[1][i]);
    }
    const char *name = strncmp(in->builtin, "fast_", 5) ? in->builtin : in->builtin + 5;
    if (!strcmp(name, "cross")) {
        const double r[4] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                             x[0] * y[1] - x[1] * y[0], 0};
        for (unsigned i = 0; i < in->type->n; i++)
            out[i] = (struct sc){.v = from_double(r[i], bits)};
        // each component from its own ones: the fourth component does not matter
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 1; k < 3; k++)
                taint(&out[i], bits, &a[0][(i + k) % 3]), taint(&out[i], bits, &a[1][(i + k) % 3]);
        return true;
    }
    for (unsigned i = 0; i < n; i++)
        sum += !strcmp(name, "dot")        ? x[i] * y[i]
               : !strcmp(name, "distance") ? (x[i] - y[i]) * (x[i] - y[i])
                                           : x[i] * x[i];
    for (unsigned i = 0; i < in->type->n; i++) {
        out[i] = (struct sc){.v = from_double(!strcmp(name, "dot")         ? sum
                                              : !strcmp(name, "normalize") ? x[i] / sqrt(sum)
                                                                           : sqrt(sum),
                                              bits)};
        taint(&out[i], bits, &bad);
    }
    return true;
}

static bool any_all(const struct insn *in, struct sc **a, struct sc *out)
{
    if (!is(in, "any") && !is(in, "all")) return false;
    const bool any = is(in, "any");
    bool decided = false;
    uint64_t v = !any;
    struct sc bad = {0};
    for (unsigned i = 0; i < in->from->n; i++) {
        const uint64_t top = 1ull << (in->from->cells[i].bits - 1);
        const bool set = a[0][i].v & top, undef = a[0][i].u & top;
        if (undef) taint(&bad, 32, &a[0][i]);
        else if (set == any) decided = true, v = any;
    }
    *out = (struct sc){.v = v};
    if (!decided) taint(out, 32, &bad);
    return true;
}

/** convert_T[n][_sat][_mode] */
static bool convert(const struct insn *in, struct sc **a, struct sc *out)
{
    if (!begins(in, "convert_")) return false;
    static const struct {
        const char *name;
        bool s;
    } types[] = {{"char", true},   {"uchar", false},  {"short", true}, {"ushort", false},
                 {"int", true},    {"uint", false},   {"long", true},  {"ulong", false},
                 {"float", false}, {"double", false}, {"half", false}};
    const char *to = in->builtin + 8;
    bool to_signed = false;
    size_t best = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(to, types[i].name, strlen(types[i].name)) && strlen(types[i].name) > best)
            best = strlen(types[i].name), to_signed = types[i].s;
    const bool sat = strstr(in->builtin, "_sat"), from_float = in->from->cells[0].kind == 'f',
               to_float = in->type->cells[0].kind == 'f';
    const char *mode = strstr(in->builtin, "_rt");
    const bool s = is_signed(letter(in->params, 0, NULL));
    for (unsigned i = 0; i < in->type->n; i++) {
        const unsigned bits = in->type->cells[i].bits, fbits = in->from->cells[i].bits;
        const uint64_t x = a[0][i].v;
        out[i] = (struct sc){0};
        if (to_float) {
            const double d = from_float ? as_double(x, fbits)
                             : s        ? (double)sign(x, fbits)
                                        : (double)x;
            if (!from_float && bits == 32) { // rounded once
                const float f = s ? (float)sign(x, fbits) : (float)x;
                out[i].v = from_double((double)f, 32);
            } else out[i].v = from_double(d, bits);
        } else if (from_float) {
            double d = as_double(x, fbits);
            d = !mode            ? trunc(d)
                : mode[3] == 'e' ? rint(d)
                : mode[3] == 'p' ? ceil(d)
                : mode[3] == 'n' ? floor(d)
                                 : trunc(d);
            const double lo = to_signed ? -ldexp(1, (int)bits - 1) : 0,
                         hi = ldexp(1, (int)bits - to_signed);
            if (!sat && !(d >= lo && d < hi)) finding("invalid-conversion", in, NULL, "warning");
            out[i].v = isnan(d)    ? 0
                       : d < lo    ? (uint64_t)(int64_t)lo
                       : d >= hi   ? ones(bits - to_signed)
                       : to_signed ? (uint64_t)(int64_t)d
                                   : (uint64_t)d;
            out[i].v &= ones(bits);
        } else {
            const wide v = s ? (wide)sign(x, fbits) : (wide)x;
            out[i].v = (sat ? clamped(v, bits, to_signed) : (uint64_t)v) & ones(bits);
        }
        taint(&out[i], bits, &a[0][i]);
    }
    return true;
}

static bool shuffles(const struct insn *in, struct sc **a, struct sc *out)
{
    if (!is(in, "shuffle") && !is(in, "shuffle2")) return false;
    const unsigned n = in->from->n, args = is(in, "shuffle2") ? 2 : 1;
    for (unsigned i = 0; i < in->type->n; i++) {
        const uint64_t m = a[args][i].v % (n * args);
        out[i] = a[m / n][m % n];
        taint(&out[i], in->type->cells[i].bits, &a[args][i]);
    }
    return true;
}

// ---- memory

static struct sc moved(struct sc p, struct sc index, int64_t scale)
{
    p.v += index.v * (uint64_t)scale;
    if (index.u) p.u = ~0ull, p.path = index.path;
    return p;
}

static bool vectors(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    if (begins(in, "vload") && in->builtin[5] >= '1' && in->builtin[5] <= '9') {
        const struct cell *c = in->type->cells;
        load(w, in, moved(a[1][0], a[0][0], (int64_t)in->type->n * c->bytes), in->type,
             ones(in->type->n), c->bytes, GENERIC + 1, out);
        return true;
    }
    if (begins(in, "vstore") && in->builtin[6] >= '1' && in->builtin[6] <= '9') {
        const struct cell *c = in->from->cells;
        store(w, in, moved(a[2][0], a[1][0], (int64_t)in->from->n * c->bytes), in->from,
              ones(in->from->n), c->bytes, GENERIC + 1, a[0]);
        return true;
    }
    return false;
}

static bool printing(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    if (!is(in, "printf")) return false;
    for (unsigned i = 1; i < in->nops; i++)
        for (unsigned k = 0; k < in->ops[i].n; k++)
            if (a[i][k].u) undefined(w, in, a[i][k], "printed");
    *out = (struct sc){0};
    return true;
}

static uint64_t updated(const struct insn *in, const char *op, uint64_t old, uint64_t x,
                        unsigned bits, bool s, bool f)
{
    if (f) {
        const double a = as_double(old, bits), b = as_double(x, bits);
        if (!strcmp(op, "add")) return from_double(a + b, bits);
        if (!strcmp(op, "sub")) return from_double(a - b, bits);
        if (!strcmp(op, "min")) return from_double(fmin(a, b), bits);
        if (!strcmp(op, "max")) return from_double(fmax(a, b), bits);
    }
    if (!strcmp(op, "add")) return (old + x) & ones(bits);
    if (!strcmp(op, "sub")) return (old - x) & ones(bits);
    if (!strcmp(op, "and")) return old & x;
    if (!strcmp(op, "or")) return old | x;
    if (!strcmp(op, "xor")) return old ^ x;
    if (!strcmp(op, "min"))
        return s ? (sign(old, bits) < sign(x, bits) ? old : x) : old < x ? old : x;
    if (!strcmp(op, "max"))
        return s ? (sign(old, bits) > sign(x, bits) ? old : x) : old > x ? old : x;
    give_up("atomic %s", in->builtin);
}

static bool atomics(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    const char *n = in->builtin;
    if (strncmp(n, "atom", 4) || is(in, "atomic_work_item_fence")) return false;
    n = strchr(n, '_') + 1;
    const bool two = strstr(in->params, "_Atomic") != NULL;
    if (two && !strncmp(n, "flag", 4)) give_up("%s", in->builtin);
    int order = two ? 5 : OF_OPENCL_1, failed = order;
    bool device = true;
    unsigned scope = 0;
    if (strstr(n, "_explicit")) {
        const bool with_failure = !strncmp(n, "compare", 7);
        unsigned at = with_failure ? 3 : !strncmp(n, "load", 4) ? 1 : 2;
        order = (int)a[at++]->v;
        failed = with_failure ? (int)a[at++]->v : order;
        if (at < in->nops) device = a[at]->v >= 2 && a[at]->v != 4;
        if (!device) scope = a[at]->v == 0 ? OF_ITEM : a[at]->v == 1 ? OF_GROUP : OF_SUB_GROUP;
    }
    const char c = letter(in->params, 0, NULL);
    const unsigned bytes = bytes_of(c), bits = bytes * 8;
    struct sc operand[2] = {
        {0}, {0}}; // a missing value is reported when it is given, and counts as written then
    for (unsigned i = 1; i < in->nops && i < 3; i++) {
        operand[i - 1] = *a[i];
        if (a[i]->u && in->ops[i].n == 1 && in->from && !strstr(n, "load") && !strstr(n, "init") &&
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(in->v, i))) != LLVMPointerTypeKind) {
            undefined(w, in, *a[i], "atomic");
            operand[i - 1].u = 0;
        }
    }
    const bool reads_only = two && !strncmp(n, "load", 4), init = !strncmp(n, "init", 4);
    const bool writes_only = two && !strncmp(n, "store", 5);
    struct object *o = object_check(w, in, a[0][0], 0, bytes, bytes, GENERIC + 1, !reads_only);
    if (in->type->n) memset(out, 0, sizeof *out);
    if (!o) return true;
    if (o->write_only && !reads_only && !init && !writes_only)
        finding("write-only-read", in, o->name, "warning");
    int64_t at;
    object_at(w, a[0]->v, &at);
    struct sc old = object_get(o, (uint64_t)at, bytes);
    const bool compares = two && !strncmp(n, "compare", 7);
    if (compares && old.u && o->space == GLOBAL) { // reported once: it does not spread from here
        undefined(w, in, old, "atomic");
        old.u = 0;
        object_put(o, (uint64_t)at, bytes, old);
    }
    struct sc now = old;
    bool wrote = !reads_only;
    if (init || writes_only) {
        now = operand[0];
    } else if (reads_only) {
        *out = old;
    } else if (compares) {
        int64_t eat;
        struct object *e = object_check(w, in, a[1][0], 0, bytes, bytes, GENERIC + 1, true);
        if (!e) return true;
        object_at(w, a[1]->v, &eat);
        struct sc expected = object_get(e, (uint64_t)eat, bytes);
        if (expected.u) undefined(w, in, expected, "atomic");
        expected.u = 0; // it, too, is reported when it is given
        accessed(w, in, e, (uint64_t)eat, bytes, READ);
        wrote = expected.v == old.v;
        if (wrote) {
            now = operand[1];
            taint(&now, bits, (struct sc[]){old}); // it might as well have failed
            struct sc kept = expected;
            taint(&kept, bits, (struct sc[]){old});
            object_put(e, (uint64_t)eat, bytes, kept);
        } else {
            object_put(e, (uint64_t)eat, bytes, old);
            accessed(w, in, e, (uint64_t)eat, bytes, WRITE);
            order = failed;
        }
        *out = (struct sc){.v = wrote};
        taint(out, 1, (struct sc[]){old});
        taint(out, 1, (struct sc[]){expected});
    } else {
        const char *op = !strncmp(n, "fetch_", 6) ? n + 6 : n;
        char word[16] = {0};
        for (unsigned i = 0; i < 15 && op[i] >= 'a' && op[i] <= 'z'; i++) word[i] = op[i];
        *out = old;
        if (!strcmp(word, "xchg") || !strcmp(word, "exchange")) now = operand[0];
        else if (!strcmp(word, "cmpxchg")) {
            wrote = old.v == a[1]->v;
            if (wrote) now = operand[1];
            taint(&now, bits, (struct sc[]){old});
        } else {
            struct sc x = {.v = 1};
            const char *what = !strcmp(word, "inc") ? "add" : !strcmp(word, "dec") ? "sub" : word;
            if (in->nops > 1) x = operand[0];
            now = (struct sc){.v = updated(in, what, old.v, x.v, bits, is_signed(c),
                                           c == 'f' || c == 'd' || c == 'H')};
            taint(&now, bits, (struct sc[]){old});
            taint(&now, bits, &x);
        }
    }
    const bool rmw = !init && !reads_only && !writes_only;
    if (wrote || (rmw && !two)) {
        if (now.u && o->space == GLOBAL) {
            undefined(w, in, now, "atomic"); // reported once: nothing of it spreads from here
            now.u = out->u = 0;
        }
        object_put(o, (uint64_t)at, bytes, now);
    }
    if (!init && !writes_only)
        atomic_read(w, o, (uint64_t)at, order,
                    device); // what happened before the store that it reads happened before it, too
    accessed(w, in, o, (uint64_t)at, bytes,
             (init ? 0 : ATOMIC | scope) | (reads_only             ? READ
                                            : rmw && !wrote && two ? READ
                                                                   : WRITE));
    if (init) return true;
    if (wrote) atomic_wrote(w, o, (uint64_t)at, order, device, rmw);
    return true;
}

// ---- async copies

static void carry_out(struct item *w, struct copy *c)
{
    int64_t x, y;
    c->done = true;
    for (uint64_t i = 0; i < c->n; i++) { // what is outside reads as 0 and is not written
        const uint64_t f = i * c->from_stride * c->elem, t = i * c->to_stride * c->elem;
        struct object *a =
            object_check(w, c->in, (struct sc){.v = c->from}, f, c->elem, 1, GENERIC + 1, false);
        struct object *b =
            object_check(w, c->in, (struct sc){.v = c->to}, t, c->elem, 1, GENERIC + 1, true);
        object_at(w, c->from, &x);
        object_at(w, c->to, &y);
        if (a) accessed_by_copy(w->group, c, a, (uint64_t)x + f, c->elem, READ);
        for (uint64_t k = 0; b && k < c->elem; k++) {
            const struct sc s = a ? object_get(a, (uint64_t)x + f + k, 1) : (struct sc){0};
            if (s.u && b->space == GLOBAL && !(c->padded && k >= c->elem / 4 * 3))
                undefined(w, c->in, s, "stored");
            object_put(b, (uint64_t)y + t + k, 1, b->space == GLOBAL ? (struct sc){.v = s.v} : s);
        }
        if (b) accessed_by_copy(w->group, c, b, (uint64_t)y + t, c->elem, WRITE);
    }
}

static bool overlap(const struct copy *c)
{
    for (uint64_t i = 0; i < c->n; i++)
        for (uint64_t k = 0; k < c->n; k++) {
            const uint64_t x = c->from + i * c->from_stride * c->elem,
                           y = c->to + k * c->to_stride * c->elem;
            if (x < y + c->elem && y < x + c->elem) return true;
        }
    return false;
}

static bool copies(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    const bool strided = is(in, "async_work_group_strided_copy");
    if (!strided && !is(in, "async_work_group_copy")) return false;
    struct group *g = w->group;
    unsigned lanes;
    const char c = letter(in->params, 0, &lanes);
    const uint32_t k = w->ncopies++;
    if (k >= 60) give_up("many async copies");
    if (!g->copies) g->copies = calloc(64, sizeof *g->copies);
    struct copy *copy = &g->copies[k];
    if (k >= g->ncopies) {
        g->ncopies = k + 1;
        const uint64_t stride = strided ? a[3]->v : 1, event = a[in->nops - 1]->v;
        const bool to_local = !strncmp(in->params, "PU3AS3", 6);
        *copy = (struct copy){.in = in,
                              .padded = lanes == 3,
                              .event = event ? (uint32_t)event : k + 1,
                              .to = a[0]->v,
                              .from = a[1]->v,
                              .n = a[2]->v,
                              .elem = bytes_of(c) * (lanes == 3 ? 4 : lanes),
                              .to_stride = to_local ? 1 : stride,
                              .from_stride = to_local ? stride : 1};
    }
    copy_issued(w, copy);
    for (unsigned i = 0; i < 2; i++)
        if (a[i]->u) undefined(w, in, *a[i], "address");
    if (!copy->issued && overlap(copy)) finding("overlapping-copy", in, NULL, "warning");
    if (++copy->issued == g->nitems) carry_out(w, copy);
    *out = (struct sc){.v = copy->event};
    return true;
}

static struct sc joined(struct sc a, struct sc b, const char *op, unsigned bits, char kind,
                        const struct insn *in)
{
    struct sc r = {0};
    if (kind == 'f') {
        const double x = as_double(a.v, bits), y = as_double(b.v, bits);
        r.v = from_double(*op == 'a' ? x + y : op[1] == 'i' ? fmin(x, y) : fmax(x, y), bits);
    } else {
        r.v = updated(in, op, a.v, b.v, bits, is_signed(letter(in->params, 0, NULL)), false);
    }
    taint(&r, bits, &a);
    taint(&r, bits, &b);
    return r;
}

void call_of_group(const struct insn *in, const struct sc *values, uint32_t n, uint32_t self,
                   uint64_t from, struct sc *out)
{
    const unsigned bits = in->type->cells[0].bits;
    const char kind = in->type->cells[0].kind,
               *name = strstr(in->builtin, "group_") + strlen("group_");
    if (!strncmp(name, "non_uniform_", 12)) name += 12;
    if (!strncmp(name, "clustered_", 10)) name += 10;
    if (!strcmp(name, "broadcast")) {
        *out = from < n ? values[from] : (struct sc){0};
        if (from >= n) finding("out-of-bounds", in, NULL, "error");
    } else if (!strcmp(name, "all") || !strcmp(name, "any")) {
        bool yes = name[1] == 'l', settled = false; // by one that is defined
        struct sc bad = {0};
        for (uint32_t i = 0; i < n; i++) {
            yes = name[1] == 'l' ? yes && values[i].v : yes || values[i].v;
            settled |= !values[i].u && !values[i].v == (name[1] == 'l');
            taint(&bad, bits, (struct sc *)&values[i]);
        }
        *out = (struct sc){.v = yes};
        if (!settled) taint(out, bits, &bad);
    } else if (!strncmp(name, "reduce_", 7) || !strncmp(name, "scan_", 5)) {
        const char *op = strrchr(name, '_') + 1;
        const bool before = strstr(name, "exclusive"), s = is_signed(letter(in->params, 0, NULL));
        const uint32_t end = *name == 'r' ? n : self + !before;
        const double least = *op == 'a' ? 0 : op[1] == 'i' ? INFINITY : -INFINITY;
        struct sc sum = {.v = kind == 'f'      ? from_double(least, bits)
                              : *op == 'a'     ? 0
                              : (op[1] == 'i') ? ones(bits - s)
                              : s              ? 1ull << (bits - 1)
                                               : 0};
        for (uint32_t i = 0; i < end; i++)
            sum = i || before ? joined(sum, values[i], op, bits, kind, in) : values[i];
        *out = sum;
    } else {
        give_up("builtin %s(%s)", in->builtin, in->params);
    }
}

/** vload_half, vstore_half and related functions: vloada_half is aligned as the vector is. */
static bool halves(struct item *w, const struct insn *in, struct sc **a, struct sc *out)
{
    const bool loads = begins(in, "vload_half") || begins(in, "vloada_half"),
               stores = begins(in, "vstore_half") || begins(in, "vstorea_half");
    if (!loads && !stores) return false;
    const struct type *t = loads ? in->type : in->from;
    const bool aligned = in->builtin[loads ? 5 : 6] == 'a';
    const unsigned n = t->n, room = aligned && n == 3 ? 4 : n, bits = t->cells[0].bits;
    struct sc p = moved(a[loads ? 1 : 2][0], a[loads ? 0 : 1][0], 2 * (int64_t)room);
    const unsigned align = aligned ? 2 * room : 2;
    if (p.u) undefined(w, in, p, "address");
    struct object *o = object_check(w, in, p, 0, 2 * n, align, GENERIC + 1, stores);
    if (loads) memset(out, 0, n * sizeof *out);
    if (!o) return true;
    int64_t at;
    object_at(w, p.v, &at);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t off = (uint64_t)at + 2 * i;
        if (loads) {
            struct sc h = object_get(o, off, 2);
            out[i] = (struct sc){.v = from_double(as_double(h.v, 16), bits)};
            taint(&out[i], bits, &h);
            accessed(w, in, o, off, 2, READ);
        } else {
            struct sc h = {.v = from_double(as_double(a[0][i].v, bits), 16)};
            taint(&h, 16, &a[0][i]);
            if (h.u && o->space == GLOBAL) undefined(w, in, h, "stored"), h.u = 0;
            object_put(o, off, 2, h);
            accessed(w, in, o, off, 2, WRITE);
        }
    }
    return true;
}

void call_builtin(struct item *w, struct insn *in, struct sc **a, struct sc *out)
{
    if (is(in, "nothing") || begins(in, "llvm.dbg") || begins(in, "llvm.lifetime") ||
        is(in, "prefetch"))
        return;
    if (is(in, "declaration")) {
        int64_t off;
        struct object *o = object_at(w, a[0]->v, &off);
        memset(o->undef, 0xff, o->size);
        memset(o->path, 0, o->size * sizeof *o->path);
        memset(o->bytes, 0, o->size);
        return;
    }
    if (begins(in, "llvm.memcpy")) copy_bytes(w, in, a[0][0], a[1][0], a[2]->v);
    else if (begins(in, "llvm.memset")) set_bytes(w, in, a[0][0], a[1][0], a[2]->v);
    else if (is(in, "mem_fence")) fence(w, (unsigned)a[0]->v, 4, false, false);
    else if (is(in, "read_mem_fence")) fence(w, (unsigned)a[0]->v, 2, false, false);
    else if (is(in, "write_mem_fence")) fence(w, (unsigned)a[0]->v, 3, false, false);
    else if (is(in, "atomic_work_item_fence"))
        fence(w, (unsigned)a[0]->v, (int)a[1]->v, a[2]->v >= 2 && a[2]->v != 4, true);
    else if (!images(w, in, a, out) && !work_item(w, in, a, out) && !atomics(w, in, a, out) &&
             !halves(w, in, a, out) && !vectors(w, in, a, out) && !printing(w, in, a, out) &&
             !copies(w, in, a, out) && !select_call(in, a, out) && !geometric(in, a, out) &&
             !any_all(in, a, out) && !convert(in, a, out) && !scaled(in, a, out) &&
             !shuffles(in, a, out) && !componentwise(in, a, out))
        give_up("builtin %s(%s)", in->builtin, in->params);
}
