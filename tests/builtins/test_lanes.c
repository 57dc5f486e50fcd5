// SPDX-License-Identifier: MIT
// The lane functions of the mathematics section against libm in long double: special values by
// special values, and random bits; and that neither a lane's place nor the CPU's level changes a
// bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/half.h"
#include "builtins/builtins.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef long double ld;
enum { LANES = 1024 };

static const struct bi_lane *lane(const char *name)
{
    for (unsigned i = 0; i < BI_FN_COUNT; i++)
        if (!strcmp(bi_lane_fns[i].name, name)) return &bi_lane_fns[i];
    fail_msg("no lane function %s", name);
    return NULL;
}

static uint64_t random_bits(void)
{
    static uint64_t s = 88172645463325252u;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s * 0x2545F4914F6CDD1Du;
}

static const double specials[] = {
    0,
    0.5,
    1,
    1.5,
    2,
    2.5,
    3,
    4,
    5,
    7,
    8,
    10,
    16,
    33,
    64,
    88,
    89,
    100,
    103.5,
    127,
    128,
    149,
    150,
    171,
    172,
    300,
    709,
    710,
    745,
    746,
    1023,
    1024,
    1e-3,
    1e-10,
    1e-30,
    1e-38,
    1e-40,
    1e-45,
    1e-300,
    1e-310,
    4.9406564584124654e-324,
    0x1p-126,
    0x1p-149,
    0x1.fffffep127,
    0x1p23,
    0x1.000002p23,
    0x1p24,
    0x1p31,
    0x1p52,
    0x1p53,
    0x1.8p53,
    0x1p62,
    1e15,
    1e20,
    1e30,
    1e38,
    1e100,
    1e300,
    DBL_MAX,
    DBL_MIN,
    0x1.fffffep-1,
    0x1.000002p0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    0.25,
    0.75,
    1.25,
    // where exp, exp10, cosh, … leave the range of float and double
    88.72283,
    88.722839,
    89.41598,
    104,
    38.53183,
    38.53184,
    45.154,
    709.7827111,
    709.7827115,
    709.78271289,
    709.782712893384,
    710.47586,
    710.4758600739,
    745.1332191,
    308.2547155599,
    308.25471555991674,
    323.6,
    0x1.62e42cp9,
    0x1.62e42fefa39efp9,
    M_PI,
    M_PI_2,
    M_PI_4,
    M_E,
    INFINITY,
    NAN,
};
enum { NSPECIAL = sizeof specials / sizeof *specials };

static double special(unsigned i)
{
    return i & 1 ? -specials[i / 2 % NSPECIAL] : specials[i / 2 % NSPECIAL];
}

// The i-th operand: all pairs of specials first, then random ones: near specials, of all
// magnitudes, ordinary.
static double operand(unsigned i, bool second, bool is_double)
{
    if (i < 4 * NSPECIAL * NSPECIAL) return special(second ? i / (2 * NSPECIAL) : i);
    const uint64_t r = random_bits();
    if (i % 7 == 0) return special((unsigned)(r >> 32)) * (1 + (double)(int32_t)r * 0x1p-44);
    if (i % 3 == 0) {
        double d;
        float f;
        uint32_t low = (uint32_t)r;
        memcpy(&d, &r, sizeof d);
        memcpy(&f, &low, sizeof f);
        return is_double ? d : f;
    }
    double unit = (double)(int64_t)r * 0x1p-63;
    return i % 3 == 1 ? unit : unit * ((i / 3) % 100);
}

// Error of y in units of the last place of a format with p bits and least exponent emin.
static double ulps(double y, ld r, int p, int emin)
{
    const double max = p == 24 ? FLT_MAX : DBL_MAX;
    const ld over = p == 24 ? 0x1p128L : 0x1p1024L;
    if (isnan(y) || isnan(r)) return isnan(y) && isnan(r) ? 0 : INFINITY;
    if (isinf(r) && isinf(y)) return !signbit(r) == !signbit(y) ? 0 : INFINITY;
    if (r == 0 && y == 0) return !signbit(r) == !signbit(y) ? 0 : INFINITY;
    if (isinf(r) || (fabsl(r) >= over && isinf(y)))
        return isinf(y) && !signbit(r) == !signbit(y) ? 0 : INFINITY;
    if (isinf(y) && fabsl(r) <= max) return INFINITY;
    const ld v = isinf(y) ? copysignl(over, y) : y;
    int e = r == 0 ? emin : ilogbl(r);
    if (fabsl(r) > max) e = ilogb(max);
    return (double)(fabsl(v - r) / ldexpl(1, (e < emin ? emin : e) - p + 1));
}

// ---- references for what libm lacks
static ld rsqrtl_(ld x) { return 1 / sqrtl(x); }
static ld turn(ld x, int *q) // x = q / 2 + the result
{
    const ld r = remainderl(x, 2), h = rintl(r * 2);
    *q = (int)h & 3;
    return M_PIl * (r - h * 0.5L);
}
static ld sinpil_(ld x)
{
    int q;
    if (!isfinite(x)) return NAN;
    const ld t = turn(x, &q), v = q == 0   ? sinl(t)
                                  : q == 1 ? cosl(t)
                                  : q == 2 ? -sinl(t)
                                           : -cosl(t);
    return v == 0 ? copysignl(0, x) : v;
}
static ld cospil_(ld x)
{
    int q;
    if (!isfinite(x)) return NAN;
    const ld t = turn(x, &q), v = q == 0   ? cosl(t)
                                  : q == 1 ? -sinl(t)
                                  : q == 2 ? -cosl(t)
                                           : sinl(t);
    return v == 0 ? 0 : v;
}
static ld tanpil_(ld x)
{
    if (!isfinite(x)) return NAN;
    if (rintl(x) == x) return copysignl(0, fmodl(x, 2) == 0 ? x : -x);
    if (rintl(x * 2) == x * 2) return sinpil_(x) > 0 ? INFINITY : -INFINITY;
    return sinpil_(x) / cospil_(x);
}
static ld acospil_(ld x) { return acosl(x) / M_PIl; }
static ld asinpil_(ld x) { return asinl(x) / M_PIl; }
static ld atanpil_(ld x) { return atanl(x) / M_PIl; }
static ld atan2pil_(ld y, ld x) { return atan2l(y, x) / M_PIl; }
static ld exp10l_(ld x) { return exp10l(x); }
static ld powrl_(ld x, ld y)
{
    if (x < 0 || isnan(x) || isnan(y)) return NAN;
    if ((x == 0 || isinf(x)) && y == 0) return NAN;
    if (x == 1 && isinf(y)) return NAN;
    return powl(fabsl(x), y);
}
static ld rootnl_(ld x, ld n)
{
    const bool odd = fmodl(n, 2) != 0;
    if (n == 0 || isnan(x) || (x < 0 && !odd)) return NAN;
    const ld r = powl(fabsl(x), 1 / n);
    return odd ? copysignl(r, x) : r;
}
static ld maxmagl_(ld x, ld y)
{
    return isnan(x)              ? y
           : isnan(y)            ? x
           : fabsl(x) > fabsl(y) ? x
           : fabsl(y) > fabsl(x) ? y
           : signbit(x)          ? y
                                 : x;
}
static ld minmagl_(ld x, ld y)
{
    return isnan(x)              ? y
           : isnan(y)            ? x
           : fabsl(x) < fabsl(y) ? x
           : fabsl(y) < fabsl(x) ? y
           : signbit(x)          ? x
                                 : y;
}

static const struct {
    const char *name;
    ld (*f)(ld);
    double u32, u64;
} unary[] = {
    {"acos", acosl, 4, 4},    {"acosh", acoshl, 4, 4},  {"acospi", acospil_, 5, 5},
    {"asin", asinl, 4, 4},    {"asinh", asinhl, 4, 4},  {"asinpi", asinpil_, 5, 5},
    {"atan", atanl, 5, 5},    {"atanh", atanhl, 5, 5},  {"atanpi", atanpil_, 5, 5},
    {"cbrt", cbrtl, 2, 2},    {"cos", cosl, 4, 4},      {"cosh", coshl, 4, 4},
    {"cospi", cospil_, 4, 4}, {"erf", erfl, 16, 16},    {"erfc", erfcl, 16, 16},
    {"exp", expl, 3, 3},      {"exp10", exp10l_, 3, 3}, {"exp2", exp2l, 3, 3},
    {"expm1", expm1l, 3, 3},  {"log", logl, 3, 3},      {"log10", log10l, 3, 3},
    {"log1p", log1pl, 2, 2},  {"log2", log2l, 3, 3},    {"logb", logbl, 0, 0},
    {"round", roundl, 0, 0},  {"rsqrt", rsqrtl_, 2, 2}, {"sin", sinl, 4, 4},
    {"sinh", sinhl, 4, 4},    {"sinpi", sinpil_, 4, 4}, {"tan", tanl, 5, 5},
    {"tanh", tanhl, 5, 5},    {"tanpi", tanpil_, 6, 6}, {"tgamma", tgammal, 16, 16},
};
static const struct {
    const char *name;
    ld (*f)(ld, ld);
    double u32, u64;
} binary[] = {
    {"atan2", atan2l, 6, 6},         {"atan2pi", atan2pil_, 6, 6}, {"fdim", fdiml, 0.5, 0.5},
    {"fmod", fmodl, 0, 0},           {"hypot", hypotl, 4, 4},      {"maxmag", maxmagl_, 0, 0},
    {"minmag", minmagl_, 0, 0},      {"pow", powl, 16, 16},        {"powr", powrl_, 16, 16},
    {"remainder", remainderl, 0, 0},
};
static const struct {
    const char *name;
    ld (*f)(ld, ld);
    double u32, u64;
} with_int[] = {
    {"pown", powl, 16, 16},
    {"rootn", rootnl_, 16, 16},
};

static union {
    float f[LANES];
    double d[LANES];
    int32_t i[LANES];
    uint32_t u[LANES];
    uint64_t l[LANES];
} A, B, D, E;

static void call(const struct bi_lane *l, unsigned n)
{
    l->fn((void *const[]){D.d, E.d}, (const void *const[]){A.d, B.d}, n);
}

static unsigned failures;

static void put(unsigned i, bool is_double, double x, double y)
{
    if (is_double) A.d[i] = x, B.d[i] = y;
    else A.f[i] = (float)x, B.f[i] = (float)y;
}

static void check(const char *name, ld (*f1)(ld), ld (*f2)(ld, ld), bool int_second, bool is_double,
                  double bound)
{
    char full[40];
    double worst = 0, wx = 0, wy = 0, wr = 0;
    ld wref = 0;
    snprintf(full, sizeof full, "%s_F%d", name, is_double ? 64 : 32);
    const struct bi_lane *l = lane(full);
    const unsigned total = 4 * NSPECIAL * NSPECIAL + 60 * LANES;
    for (unsigned at = 0; at < total; at += LANES) {
        static double x[LANES], y[LANES];
        for (unsigned i = 0; i < LANES; i++) {
            x[i] = operand(at + i, false, is_double), y[i] = operand(at + i, true, is_double);
            if (!is_double) x[i] = (float)x[i], y[i] = (float)y[i];
            if (int_second)
                y[i] = y[i] > -1e9 && y[i] < 1e9 ? (int)y[i] : i % 5 ? (int)(i % 9) - 4 : INT_MIN;
            put(i, is_double, x[i], y[i]);
        }
        if (int_second)
            for (unsigned i = 0; i < LANES; i++) B.i[i] = (int32_t)y[i];
        call(l, LANES);
        for (unsigned i = 0; i < LANES; i++) {
            const double r = is_double ? D.d[i] : D.f[i];
            const ld ref = f1 ? f1(x[i]) : f2(x[i], y[i]);
            const double u = is_double ? ulps(r, ref, 53, -1022) : ulps(r, ref, 24, -126);
            if (!(u <= worst)) worst = u, wx = x[i], wy = y[i], wr = r, wref = ref;
        }
    }
    if (getenv("BI_VERBOSE")) print_message("%-14s %.3f at %a %a\n", full, worst, wx, wy);
    if (worst <= bound) return;
    print_error("%s(%a, %a) = %a, not %La: %.2f ULP, allowed are %g\n", full, wx, wy, wr, wref,
                worst, bound);
    failures++;
}

static void mathematics_is_within_the_specified_ulps(void **state)
{
    if (getenv("CLDBG_TEST_VALGRIND")) skip(); // whose long double is a double
    for (unsigned i = 0; i < sizeof unary / sizeof *unary; i++) {
        check(unary[i].name, unary[i].f, NULL, false, false, unary[i].u32);
        check(unary[i].name, unary[i].f, NULL, false, true, unary[i].u64);
    }
    for (unsigned i = 0; i < sizeof binary / sizeof *binary; i++) {
        check(binary[i].name, NULL, binary[i].f, false, false, binary[i].u32);
        check(binary[i].name, NULL, binary[i].f, false, true, binary[i].u64);
    }
    for (unsigned i = 0; i < sizeof with_int / sizeof *with_int; i++) {
        check(with_int[i].name, NULL, with_int[i].f, true, false, with_int[i].u32);
        check(with_int[i].name, NULL, with_int[i].f, true, true, with_int[i].u64);
    }
    assert_int_equal(failures, 0);
}

static void fill_random(void *const *arrays, const struct bi_lane *l)
{
    for (unsigned a = 0; a < l->nsrc; a++) {
        const enum bc_type t = bi_lane_type(l, l->ndst + a);
        for (unsigned i = 0; i < LANES; i++) {
            const double x = operand(4 * NSPECIAL * NSPECIAL + i, a, t == BC_F64);
            if (t == BC_F32) ((float *)arrays[a])[i] = (float)x;
            else if (t == BC_F64) ((double *)arrays[a])[i] = x;
            else if (t == BC_I32)
                ((int32_t *)arrays[a])[i] = (int32_t)(random_bits() >> 40) - 8388608;
            else ((uint64_t *)arrays[a])[i * bc_type_size(t) / 8] = random_bits();
        }
    }
}

// Bits of all results, a NaN being one and the same.
static uint64_t all_results(bool lane_by_lane)
{
    static uint64_t in[BI_MAX_LANE_SRC][LANES], out[BI_MAX_LANE_DST][LANES];
    uint64_t hash = 0;
    for (unsigned f = 0; f < BI_FN_COUNT; f++) {
        const struct bi_lane *l = &bi_lane_fns[f];
        void *src[BI_MAX_LANE_SRC], *dst[BI_MAX_LANE_DST] = {out[0], out[1]};
        for (unsigned a = 0; a < BI_MAX_LANE_SRC; a++) src[a] = in[a];
        fill_random(src, l);
        for (unsigned i = 0; lane_by_lane && i < LANES; i++) {
            for (unsigned a = 0; a < l->nsrc; a++)
                src[a] = (char *)in[a] + i * bc_type_size(bi_lane_type(l, l->ndst + a));
            for (unsigned a = 0; a < l->ndst; a++)
                dst[a] = (char *)out[a] + i * bc_type_size(bi_lane_type(l, a));
            l->fn(dst, (const void *const *)src, 1);
        }
        if (!lane_by_lane) l->fn(dst, (const void *const *)src, LANES);
        for (unsigned a = 0; a < l->ndst; a++)
            for (unsigned i = 0; i < LANES; i++) {
                const enum bc_type t = bi_lane_type(l, a);
                uint64_t bits = 0;
                memcpy(&bits, (char *)out[a] + i * bc_type_size(t), bc_type_size(t));
                if (t == BC_F32 && (bits & 0x7fffffff) > 0x7f800000) bits = 1;
                if (t == BC_F64 && (bits << 1) > 0x7ff0000000000000u << 1) bits = 1;
                hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
                hash ^= hash >> 29;
            }
    }
    return hash;
}

// Runs in children, because the level is found once in a process.
static uint64_t results_at(const char *level, bool lane_by_lane)
{
    int fd[2];
    uint64_t hash = 0;
    assert_int_equal(pipe(fd), 0);
    const pid_t child = fork();
    if (child == 0) {
        setenv("CLDBG_CPU_LEVEL", level, 1);
        hash = all_results(lane_by_lane);
        _exit(write(fd[1], &hash, sizeof hash) != sizeof hash);
    }
    assert_int_equal(read(fd[0], &hash, sizeof hash), sizeof hash);
    waitpid(child, NULL, 0);
    close(fd[0]);
    close(fd[1]);
    return hash;
}

static void results_depend_on_neither_cpu_nor_lane(void **state)
{
    const uint64_t baseline = results_at("1", false);
    assert_true(baseline == results_at("3", false));
    assert_true(baseline == results_at("4", false));
    assert_true(baseline == results_at("4", true));
}

static void whole_and_fraction(void **state)
{
    const float in[] = {3.75f, -3.75f, -0.0f, INFINITY, -1e-10f, 8, NAN};
    const float fract[] = {0.75f, 0.25f, -0.0f, 0, 0x1.fffffep-1f, 0, NAN},
                floors[] = {3, -4, -0.0f, INFINITY, -1, 8, NAN};
    const float modf[] = {0.75f, -0.75f, -0.0f, 0, -1e-10f, 0, NAN},
                truncs[] = {3, -3, -0.0f, INFINITY, -0.0f, 8, NAN};
    const float frexp[] = {0.9375f, -0.9375f, -0.0f, INFINITY, -0x1.b7cdfep-1f, 0.5f, NAN};
    const int exponents[] = {2, 2, 0, 0, -33, 4, 0},
              ilogb[] = {1, 1, INT_MIN, INT_MAX, -34, 3, INT_MAX};
    memcpy(A.f, in, sizeof in);
    call(lane("fract_F32"), 6);
    assert_memory_equal(D.f, fract, 6 * sizeof(float));
    assert_memory_equal(E.f, floors, 6 * sizeof(float));
    call(lane("modf_F32"), 6);
    assert_memory_equal(D.f, modf, 6 * sizeof(float));
    assert_memory_equal(E.f, truncs, 6 * sizeof(float));
    call(lane("frexp_F32"), 7);
    assert_memory_equal(D.f, frexp, 6 * sizeof(float));
    assert_true(isnan(D.f[6]));
    assert_memory_equal(E.i, exponents, sizeof exponents);
    call(lane("ilogb_F32"), 7);
    assert_memory_equal(D.i, ilogb, sizeof ilogb);
    for (unsigned i = 0; i < 7; i++) A.d[i] = in[i];
    call(lane("ilogb_F64"), 7);
    assert_memory_equal(D.i, ilogb, sizeof ilogb);
}

static void remquo_gives_seven_bits(void **state)
{
    for (unsigned i = 0; i < LANES; i++) {
        const int q = (int)(random_bits() % 4000) - 2000;
        B.d[i] = 1 + (double)(random_bits() % 1000);
        A.d[i] = q * B.d[i] + 0.25;
    }
    call(lane("remquo_F64"), LANES);
    for (unsigned i = 0; i < LANES; i++) {
        const int q = (int)rint(A.d[i] / B.d[i]);
        assert_true(D.d[i] == 0.25);
        assert_int_equal(E.i[i], q < 0 ? -(-q & 127) : q & 127);
    }
}

static void signs_of_gamma(void **state)
{
    const float in[] = {0.5f, -0.5f, -1.5f, -2.5f, 3, 100.25f};
    const int sign[] = {1, -1, 1, -1, 1, 1};
    memcpy(A.f, in, sizeof in);
    call(lane("lgamma_r_F32"), 6);
    assert_memory_equal(E.i, sign, sizeof sign);
    for (unsigned i = 0; i < 6; i++) assert_true(ulps(D.f[i], lgammal(in[i]), 24, -126) < 16);
}

// Every half there and back; and between two neighbors each mode goes its way.
static void half_rounds_as_specified(void **state)
{
    for (unsigned h = 0; h < 0x7c00; h++) {
        uint16_t two[2] = {(uint16_t)h, (uint16_t)(h + 1)}, got[2];
        float f[3];
        lane("half_F32")->fn((void *const[]){f}, (const void *const[]){two}, 2);
        assert_true(h ? f[0] > 0 : f[0] == 0);
        lane("half_of_F32_rte")->fn((void *const[]){got}, (const void *const[]){f}, 2);
        assert_memory_equal(got, two, sizeof two);
        if (h == 0x7bff) f[1] = 65536;
        f[0] = f[0] + (f[1] - f[0]) / 2; // the middle: to even
        f[1] = -f[0];
        lane("half_of_F32_rte")->fn((void *const[]){got}, (const void *const[]){f}, 2);
        assert_int_equal(got[0], h & 1 ? h + 1 : h);
        lane("half_of_F32_rtz")->fn((void *const[]){got}, (const void *const[]){f}, 2);
        assert_int_equal(got[0], h);
        assert_int_equal(got[1], 0x8000 | h);
        lane("half_of_F32_rtp")->fn((void *const[]){got}, (const void *const[]){f}, 2);
        assert_int_equal(got[0], h + 1);
        assert_int_equal(got[1], 0x8000 | h);
        lane("half_of_F32_rtn")->fn((void *const[]){got}, (const void *const[]){f}, 2);
        assert_int_equal(got[0], h);
        assert_int_equal(got[1], 0x8000 | (h + 1));
    }
}

// From double to the nearest half: around each half and each middle between two, where rounding to
// float first goes wrong, and anywhere.
static void double_rounds_to_half_once(void **state)
{
    for (unsigned h = 0; h < 0x7c00; h++) {
        const double x = half_to_double((uint16_t)h),
                     y = h == 0x7bff ? 65536 : half_to_double((uint16_t)(h + 1)),
                     middle = x + (y - x) / 2;
        const double in[] = {x,       nextafter(x, -1),      nextafter(middle, 0),
                             middle,  nextafter(middle, y),  -x,
                             -middle, -nextafter(middle, y), y};
        uint16_t got[9];
        lane("half_of_F64_rte")->fn((void *const[]){got}, (const void *const[]){in}, 9);
        for (unsigned i = 0; i < 9; i++) assert_int_equal(got[i], half_from_double(in[i]));
        const uint16_t even = (uint16_t)(h & 1 ? h + 1 : h);
        const uint16_t want[] = {(uint16_t)h, even, (uint16_t)(h + 1), 0x8000 | even};
        const uint16_t is[] = {got[2], got[3], got[4], got[6]};
        assert_memory_equal(is, want, sizeof want);
    }
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < LANES; i++) A.l[i] = random_bits();
        if (round % 2) // of the magnitude of halves
            for (unsigned i = 0; i < LANES; i++)
                A.l[i] = (A.l[i] & 0x800fffffffffffff) | (990 + (A.l[i] >> 52) % 50) << 52;
        A.d[0] = INFINITY, A.d[1] = -INFINITY, A.d[2] = NAN, A.d[3] = 0x1p-1074, A.d[4] = -0.0;
        uint16_t got[LANES];
        lane("half_of_F64_rte")->fn((void *const[]){got}, (const void *const[]){A.d}, LANES);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(got[i] & (A.d[i] != A.d[i] ? 0x7fff : 0xffff),
                             half_from_double(A.d[i]));
    }
}

static void conversions_round_as_specified(void **state)
{
    for (unsigned i = 0; i < LANES; i++) A.l[i] = random_bits() >> i % 60;
    A.l[0] = UINT64_MAX, A.l[1] = 0, A.l[2] = (uint64_t)INT64_MIN;
    static const char *const names[] = {"s2f_F32_I64", "u2f_F32_I64", "s2f_F64_I64", "u2f_F64_I64"};
    for (unsigned k = 0; k < 4; k++) {
        ld r[3][LANES];
        for (unsigned m = 0; m < 3; m++) {
            char name[40];
            snprintf(name, sizeof name, "%s_%s", names[k], m == 0 ? "rtn" : m == 1 ? "rtz" : "rtp");
            call(lane(name), LANES);
            for (unsigned i = 0; i < LANES; i++) r[m][i] = k < 2 ? D.f[i] : D.d[i];
        }
        for (unsigned i = 0; i < LANES; i++) {
            const ld x = k % 2 ? (ld)A.l[i] : (ld)(int64_t)A.l[i];
            assert_true(r[0][i] <= x && x <= r[2][i]);
            if (r[0][i] != r[2][i])
                assert_true(k < 2 ? nextafterf((float)r[0][i], INFINITY) == r[2][i]
                                  : nextafter((double)r[0][i], INFINITY) == r[2][i]);
            assert_true(r[1][i] == (x < 0 ? r[2][i] : r[0][i]));
        }
    }
    const double d[] = {1e300, -1e300, 0.1, -0.1, 1e-300};
    memcpy(A.d, d, sizeof d);
    call(lane("ftrunc_F32_F64_rtz"), 5);
    assert_true(D.f[0] == FLT_MAX && D.f[1] == -FLT_MAX && D.f[2] < 0.1 && D.f[3] > -0.1 &&
                D.f[4] == 0);
    call(lane("ftrunc_F32_F64_rtp"), 5);
    assert_true(isinf(D.f[0]) && D.f[1] == -FLT_MAX && D.f[2] > 0.1 && D.f[3] > -0.1 &&
                D.f[4] == 0x1p-149f);
}

// The form for one element gives the bits that the lanes give.
static void one_is_as_the_lanes(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned fn = 0; fn < BI_FN_COUNT; fn++) {
        const struct bi_lane *l = &bi_lane_fns[fn];
        if (!bi_one(fn)) continue;
        found++;
        const bool wide = bi_lane_type(l, 0) == BC_F64;
        static double dx[LANES], dy[LANES], dr[LANES];
        static float fx[LANES], fy[LANES], fr[LANES];
        for (unsigned i = 0; i < LANES; i++) {
            const uint64_t a = random_bits(), b = random_bits();
            memcpy(&dx[i], &a, 8), memcpy(&dy[i], &b, 8);
            memcpy(&fx[i], &a, 4), memcpy(&fy[i], &b, 4);
            if (i < 4 * NSPECIAL && i < LANES / 2)
                dx[i] = special(i), fx[i] = (float)special(i), dy[i] = special(i / 3),
                fy[i] = (float)special(i / 3);
        }
        l->fn((void *const[]){wide ? (void *)dr : (void *)fr},
              (const void *const[]){wide ? (void *)dx : (void *)fx, wide ? (void *)dy : (void *)fy},
              LANES);
        for (unsigned i = 0; i < LANES; i++) {
            double d = 0;
            float f = 0;
            if (wide && l->nsrc == 1) d = ((double (*)(double))bi_one(fn))(dx[i]);
            else if (wide) d = ((double (*)(double, double))bi_one(fn))(dx[i], dy[i]);
            else if (l->nsrc == 1) f = ((float (*)(float))bi_one(fn))(fx[i]);
            else f = ((float (*)(float, float))bi_one(fn))(fx[i], fy[i]);
            const bool nan = wide ? d != d && dr[i] != dr[i] : f != f && fr[i] != fr[i];
            if (!nan && (wide ? memcmp(&d, &dr[i], 8) : memcmp(&f, &fr[i], 4)))
                fail_msg("%s of %a, %a: %a alone, %a among lanes", l->name,
                         wide ? dx[i] : (double)fx[i], wide ? dy[i] : (double)fy[i],
                         wide ? d : (double)f, wide ? dr[i] : (double)fr[i]);
        }
    }
    assert_true(found >= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_depend_on_neither_cpu_nor_lane),
        cmocka_unit_test(one_is_as_the_lanes),
        cmocka_unit_test(whole_and_fraction),
        cmocka_unit_test(remquo_gives_seven_bits),
        cmocka_unit_test(signs_of_gamma),
        cmocka_unit_test(half_rounds_as_specified),
        cmocka_unit_test(double_rounds_to_half_once),
        cmocka_unit_test(conversions_round_as_specified),
        cmocka_unit_test(mathematics_is_within_the_specified_ulps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
