// SPDX-License-Identifier: MIT
#ifndef BUILTINS_LANE_H
#define BUILTINS_LANE_H
#include "builtins/builtins.h"

// Private to builtins/: the lane functions' declarations, and how to write one.

#define MATH(n, d, s)  bi_lane_fn bi_##n##_F32, bi_##n##_F64;
#define MATHP(n, d, s) bi_lane_fn bi_##n##_F32, bi_##n##_F64;
#define FN(n, d, s)    bi_lane_fn bi_##n;
#include "builtins/builtins.def"

// A function of one loop: LANES(name, result type, operand type, expression over x, y).
#define LANES1(name, T, A, expr)                                                                   \
    void bi_##name(void *const *dst, const void *const *src, unsigned n)                           \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const A *a = src[0];                                                                       \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const A x = a[i];                                                                      \
            d[i] = (T)(expr);                                                                      \
        }                                                                                          \
    }
#define LANES2(name, T, A, B, expr)                                                                \
    void bi_##name(void *const *dst, const void *const *src, unsigned n)                           \
    {                                                                                              \
        T *d = dst[0];                                                                             \
        const A *a = src[0];                                                                       \
        const B *b = src[1];                                                                       \
        for (unsigned i = 0; i < n; i++) {                                                         \
            const A x = a[i];                                                                      \
            const B y = b[i];                                                                      \
            d[i] = (T)(expr);                                                                      \
        }                                                                                          \
    }
#endif
