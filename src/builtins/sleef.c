// SPDX-License-Identifier: MIT
// The functions that SLEEF has with an error of at most about 1 ULP, over lanes. Of SLEEF's many
// versions of a function the `cinz` ones are used: they give the same bits for every vector length
// and instruction set (no FMA), so that a result depends neither on the CPU nor on the lane.
#include "builtins/lane.h"

#include <string.h>

// X(name, SLEEF's name and error bound); raw_…: patched.c fixes them where SLEEF's domain ends
// early.
#define SLEEF_1(X)                                                                                 \
    X(acos, acos, u10)                                                                             \
    X(raw_acosh, acosh, u10)                                                                       \
    X(asin, asin, u10)                                                                             \
    X(raw_asinh, asinh, u10)                                                                       \
    X(atan, atan, u10)                                                                             \
    X(atanh, atanh, u10)                                                                           \
    X(cbrt, cbrt, u10)                                                                             \
    X(cos, cos, u10)                                                                               \
    X(raw_cosh, cosh, u10)                                                                         \
    X(erf, erf, u10)                                                                               \
    X(erfc, erfc, u15)                                                                             \
    X(raw_exp, exp, u10)                                                                           \
    X(exp10, exp10, u10)                                                                           \
    X(exp2, exp2, u10)                                                                             \
    X(raw_expm1, expm1, u10)                                                                       \
    X(lgamma, lgamma, u10)                                                                         \
    X(log, log, u10)                                                                               \
    X(log10, log10, u10)                                                                           \
    X(raw_log1p, log1p, u10)                                                                       \
    X(log2, log2, u10)                                                                             \
    X(sin, sin, u10)                                                                               \
    X(raw_sinh, sinh, u10)                                                                         \
    X(tan, tan, u10)                                                                               \
    X(tanh, tanh, u10)                                                                             \
    X(raw_tgamma, tgamma, u10)
#define SLEEF_2(X)                                                                                 \
    X(atan2, atan2, u10)                                                                           \
    X(hypot, hypot, u05)                                                                           \
    X(raw_pow, pow, u10)

// One loop for a vector type V of N elements T; the remainder goes through a padded vector. A
// single element, as machine code that is not vectorized has it, goes through the smallest vector
// by register: a padded one is written in parts and read as a whole, which costs a processor more
// than the function. (sleef.h declares only what the compiler's own target has, and functions that
// return const vectors, as clang reads it.)
#define SLEEF_LOOP1(fn, attr, T, V, N, call)                                                       \
    attr V call(V);                                                                                \
    attr static void fn(T *d, const T *a, unsigned n)                                              \
    {                                                                                              \
        unsigned i = 0;                                                                            \
        V v;                                                                                       \
        for (; i + N <= n; i += N) {                                                               \
            memcpy(&v, a + i, sizeof v);                                                           \
            v = call(v);                                                                           \
            memcpy(d + i, &v, sizeof v);                                                           \
        }                                                                                          \
        if (i == n) return;                                                                        \
        memset(&v, 0, sizeof v);                                                                   \
        memcpy(&v, a + i, (n - i) * sizeof(T));                                                    \
        v = call(v);                                                                               \
        memcpy(d + i, &v, (n - i) * sizeof(T));                                                    \
    }
#define SLEEF_LOOP2(fn, attr, T, V, N, call)                                                       \
    attr V call(V, V);                                                                             \
    attr static void fn(T *d, const T *a, const T *b, unsigned n)                                  \
    {                                                                                              \
        unsigned i = 0;                                                                            \
        V v, w;                                                                                    \
        for (; i + N <= n; i += N) {                                                               \
            memcpy(&v, a + i, sizeof v);                                                           \
            memcpy(&w, b + i, sizeof w);                                                           \
            v = call(v, w);                                                                        \
            memcpy(d + i, &v, sizeof v);                                                           \
        }                                                                                          \
        if (i == n) return;                                                                        \
        memset(&v, 0, sizeof v);                                                                   \
        memset(&w, 0, sizeof w);                                                                   \
        memcpy(&v, a + i, (n - i) * sizeof(T));                                                    \
        memcpy(&w, b + i, (n - i) * sizeof(T));                                                    \
        v = call(v, w);                                                                            \
        memcpy(d + i, &v, (n - i) * sizeof(T));                                                    \
    }

#ifdef __x86_64__
#include <immintrin.h>
#define AVX    __attribute__((target("avx")))
#define AVX512 __attribute__((target("avx512f")))

#define LEVELS(LOOP, name, f, u)                                                                   \
    LOOP(name##_sse_F32, , float, __m128, 4, Sleef_cinz_##f##f4_##u##sse2)                         \
    LOOP(name##_sse_F64, , double, __m128d, 2, Sleef_cinz_##f##d2_##u##sse2)                       \
    LOOP(name##_avx_F32, AVX, float, __m256, 8, Sleef_cinz_##f##f8_##u##avx)                       \
    LOOP(name##_avx_F64, AVX, double, __m256d, 4, Sleef_cinz_##f##d4_##u##avx)                     \
    LOOP(name##_avx512_F32, AVX512, float, __m512, 16, Sleef_cinz_##f##f16_##u##avx512fnofma)      \
    LOOP(name##_avx512_F64, AVX512, double, __m512d, 8, Sleef_cinz_##f##d8_##u##avx512fnofma)
#define ONE1(name, f, u)                                                                           \
    float bi_one_##name##_F32(float x)                                                             \
    {                                                                                              \
        return _mm_cvtss_f32(Sleef_cinz_##f##f4_##u##sse2(_mm_set_ss(x)));                         \
    }                                                                                              \
    double bi_one_##name##_F64(double x)                                                           \
    {                                                                                              \
        return _mm_cvtsd_f64(Sleef_cinz_##f##d2_##u##sse2(_mm_set_sd(x)));                         \
    }
#define ONE2(name, f, u)                                                                           \
    float bi_one_##name##_F32(float x, float y)                                                    \
    {                                                                                              \
        return _mm_cvtss_f32(Sleef_cinz_##f##f4_##u##sse2(_mm_set_ss(x), _mm_set_ss(y)));          \
    }                                                                                              \
    double bi_one_##name##_F64(double x, double y)                                                 \
    {                                                                                              \
        return _mm_cvtsd_f64(Sleef_cinz_##f##d2_##u##sse2(_mm_set_sd(x), _mm_set_sd(y)));          \
    }
#define CHOOSE(name, T, ...)                                                                       \
    switch (cpu_level()) {                                                                         \
    case 4: name##_avx512_##T(__VA_ARGS__); break;                                                 \
    case 3: name##_avx_##T(__VA_ARGS__); break;                                                    \
    default: name##_sse_##T(__VA_ARGS__); break;                                                   \
    }
#else
#define LEVELS(LOOP, name, f, u)                                                                   \
    LOOP(name##_one_F32, , float, float, 1, Sleef_cinz_##f##f1_##u##purec)                         \
    LOOP(name##_one_F64, , double, double, 1, Sleef_cinz_##f##d1_##u##purec)
#define ONE1(name, f, u)                                                                           \
    float bi_one_##name##_F32(float x) { return Sleef_cinz_##f##f1_##u##purec(x); }                \
    double bi_one_##name##_F64(double x) { return Sleef_cinz_##f##d1_##u##purec(x); }
#define ONE2(name, f, u)                                                                           \
    float bi_one_##name##_F32(float x, float y) { return Sleef_cinz_##f##f1_##u##purec(x, y); }    \
    double bi_one_##name##_F64(double x, double y) { return Sleef_cinz_##f##d1_##u##purec(x, y); }
#define CHOOSE(name, T, ...) name##_one_##T(__VA_ARGS__);
#endif

#define DEFINE1(name, f, u)                                                                        \
    LEVELS(SLEEF_LOOP1, name, f, u)                                                                \
    ONE1(name, f, u)                                                                               \
    void bi_##name##_F32(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        if (n == 1) *(float *)dst[0] = bi_one_##name##_F32(*(const float *)src[0]);                \
        else CHOOSE(name, F32, dst[0], src[0], n)                                                  \
    }                                                                                              \
    void bi_##name##_F64(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        if (n == 1) *(double *)dst[0] = bi_one_##name##_F64(*(const double *)src[0]);              \
        else CHOOSE(name, F64, dst[0], src[0], n)                                                  \
    }
#define DEFINE2(name, f, u)                                                                        \
    LEVELS(SLEEF_LOOP2, name, f, u)                                                                \
    ONE2(name, f, u)                                                                               \
    void bi_##name##_F32(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        if (n == 1)                                                                                \
            *(float *)dst[0] =                                                                     \
                bi_one_##name##_F32(*(const float *)src[0], *(const float *)src[1]);               \
        else CHOOSE(name, F32, dst[0], src[0], src[1], n)                                          \
    }                                                                                              \
    void bi_##name##_F64(void *const *dst, const void *const *src, unsigned n)                     \
    {                                                                                              \
        if (n == 1)                                                                                \
            *(double *)dst[0] =                                                                    \
                bi_one_##name##_F64(*(const double *)src[0], *(const double *)src[1]);             \
        else CHOOSE(name, F64, dst[0], src[0], src[1], n)                                          \
    }
SLEEF_1(DEFINE1)
SLEEF_2(DEFINE2)
