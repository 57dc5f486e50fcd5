// SPDX-License-Identifier: MIT
#ifndef BASE_VEC_H
#define BASE_VEC_H
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/**
 * A growing array of T: `VEC(int) v = {0}; vec_push(&v, 3); v.data[0]; v.len`. The elements move
 * when it grows, so pointers into it are good only until the next push. vec_free releases it.
 */
#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *data;                                                                                   \
        size_t len, cap;                                                                           \
    }

#define vec_reserve(v, n)                                                                          \
    do {                                                                                           \
        if ((v)->cap < (size_t)(n)) {                                                              \
            const size_t vec_twice = (v)->cap ? (v)->cap * 2 : 8;                                  \
            (v)->cap = vec_twice > (size_t)(n) ? vec_twice : (size_t)(n);                          \
            (v)->data = mem_array((v)->data, (v)->cap, sizeof *(v)->data);                         \
        }                                                                                          \
    } while (0)
#define vec_push(v, ...)                                                                           \
    do {                                                                                           \
        vec_reserve((v), (v)->len + 1);                                                            \
        (v)->data[(v)->len++] = (__VA_ARGS__);                                                     \
    } while (0)
/** Appends one zeroed element and gives its address. */
#define vec_add(v)                                                                                 \
    ({                                                                                             \
        vec_reserve((v), (v)->len + 1);                                                            \
        memset(&(v)->data[(v)->len], 0, sizeof *(v)->data);                                        \
        &(v)->data[(v)->len++];                                                                    \
    })
#define vec_pop(v)   ((v)->data[--(v)->len])
#define vec_last(v)  ((v)->data[(v)->len - 1])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_free(v)                                                                                \
    do {                                                                                           \
        free((v)->data);                                                                           \
        memset((v), 0, sizeof *(v));                                                               \
    } while (0)
#endif
