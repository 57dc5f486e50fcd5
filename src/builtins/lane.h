// SPDX-License-Identifier: MIT
#ifndef BUILTINS_LANE_H
#define BUILTINS_LANE_H
#include "base/cpu.h"
#include "builtins/builtins.h"

// Private to builtins/: the lane functions' declarations, and how to write one.

#define MATH(n, d, s)  bi_lane_fn bi_##n##_F32, bi_##n##_F64;
#define MATHP(n, d, s) bi_lane_fn bi_##n##_F32, bi_##n##_F64;
#define FN(n, d, s)    bi_lane_fn bi_##n;
#include "builtins/builtins.def"

// SLEEF's functions whose domain ends too early, before patched.c fixes them.
bi_lane_fn bi_raw_acosh_F32, bi_raw_acosh_F64, bi_raw_asinh_F32, bi_raw_asinh_F64, bi_raw_cosh_F32,
    bi_raw_cosh_F64, bi_raw_exp_F32, bi_raw_exp_F64, bi_raw_expm1_F32, bi_raw_expm1_F64,
    bi_raw_log1p_F32, bi_raw_log1p_F64, bi_raw_pow_F32, bi_raw_pow_F64, bi_raw_sinh_F32,
    bi_raw_sinh_F64, bi_raw_tgamma_F32, bi_raw_tgamma_F64;

// Builtins that have a form for one element.
#define BI_ONE_1(X)                                                                                \
    X(acos)                                                                                        \
    X(asin)                                                                                        \
    X(atan)                                                                                        \
    X(atanh)                                                                                       \
    X(cbrt)                                                                                        \
    X(cos)                                                                                         \
    X(erf)                                                                                         \
    X(erfc)                                                                                        \
    X(exp10)                                                                                       \
    X(exp2)                                                                                        \
    X(lgamma)                                                                                      \
    X(log)                                                                                         \
    X(log10)                                                                                       \
    X(log2)                                                                                        \
    X(sin)                                                                                         \
    X(tan)                                                                                         \
    X(tanh)                                                                                        \
    X(acosh)                                                                                       \
    X(asinh)                                                                                       \
    X(cosh)                                                                                        \
    X(exp)                                                                                         \
    X(expm1)                                                                                       \
    X(log1p)                                                                                       \
    X(sinh)
#define BI_ONE_2(X)                                                                                \
    X(atan2)                                                                                       \
    X(hypot)
#define BI_ONE_RAW(X)                                                                              \
    X(raw_acosh)                                                                                   \
    X(raw_asinh)                                                                                   \
    X(raw_cosh)                                                                                    \
    X(raw_exp)                                                                                     \
    X(raw_expm1)                                                                                   \
    X(raw_log1p)                                                                                   \
    X(raw_sinh)                                                                                    \
    X(raw_tgamma)                                                                                  \
    X(tgamma)
#define ONE_OF(n)                                                                                  \
    float bi_one_##n##_F32(float x);                                                               \
    double bi_one_##n##_F64(double x);
#define ONE_OF_2(n)                                                                                \
    float bi_one_##n##_F32(float x, float y);                                                      \
    double bi_one_##n##_F64(double x, double y);
BI_ONE_1(ONE_OF)
BI_ONE_RAW(ONE_OF)
BI_ONE_2(ONE_OF_2)
ONE_OF_2(raw_pow)
#undef ONE_OF
#undef ONE_OF_2

// Functions made of other lane functions work in blocks of lanes.
enum { BI_BLOCK = 256 };
#define CALL1(fn, d, a, m)    fn((void *const[]){d}, (const void *const[]){a}, m)
#define CALL2(fn, d, a, b, m) fn((void *const[]){d}, (const void *const[]){a, b}, m)
#define FOR_BLOCKS(at, n, m)                                                                       \
    for (unsigned at = 0, m; at < (n) && (m = (n) - at < BI_BLOCK ? (n) - at : BI_BLOCK, true);    \
         at += m)

#if defined __clang__
#define EVERY_LANE // vectorized where possible, after a test for aliases
#define TARGET_V4  "avx512f,avx512bw,avx512dq,avx512vl"
#else
#define EVERY_LANE _Pragma("GCC ivdep")
#define TARGET_V4  "avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
#endif

// A function of one loop: LANES1(name, result type, operand type, expression over x), made for each
// instruction set (cpu.h); the result may take the operand's place.
#define LOOP1(fn, T, A, expr)                                                                      \
    static void fn(void *const *dst, const void *const *src, unsigned n)                           \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const A *a = src[0];                                                                       \
        EVERY_LANE for (unsigned i = 0; i < n; i++)                                                \
        {                                                                                          \
            const A x = a[i];                                                                      \
            d[i] = (T)(expr);                                                                      \
        }                                                                                          \
    }
#define LOOP2(fn, T, A, B, expr)                                                                   \
    static void fn(void *const *dst, const void *const *src, unsigned n)                           \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const A *a = src[0];                                                                       \
        const B *b = src[1];                                                                       \
        EVERY_LANE for (unsigned i = 0; i < n; i++)                                                \
        {                                                                                          \
            const A x = a[i];                                                                      \
            const B y = b[i];                                                                      \
            d[i] = (T)(expr);                                                                      \
        }                                                                                          \
    }
#ifdef __x86_64__
#define LANES(name, LOOP, ...)                                                                     \
    LOOP(name##_v1, __VA_ARGS__)                                                                   \
    __attribute__((target("avx2"))) LOOP(name##_v3, __VA_ARGS__)                                   \
        __attribute__((target(TARGET_V4))) LOOP(name##_v4, __VA_ARGS__) void bi_##name(            \
            void *const *dst, const void *const *src, unsigned n)                                  \
    {                                                                                              \
        const unsigned level = cpu_level();                                                        \
        (level == 4 ? name##_v4 : level == 3 ? name##_v3 : name##_v1)(dst, src, n);                \
    }
#else
#define LANES(name, LOOP, ...)                                                                     \
    LOOP(name##_v1, __VA_ARGS__)                                                                   \
    void bi_##name(void *const *dst, const void *const *src, unsigned n) { name##_v1(dst, src, n); }
#endif
#define LANES1(name, T, A, expr)    LANES(name, LOOP1, T, A, expr)
#define LANES2(name, T, A, B, expr) LANES(name, LOOP2, T, A, B, expr)
#endif
