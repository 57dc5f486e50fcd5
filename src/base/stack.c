// SPDX-License-Identifier: MIT
#include "base/stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

size_t stack_left(void)
{
    static __thread uintptr_t low, high; // asked for once: the main thread's are read from /proc
    static __thread bool is_known;
    if (!is_known) {
        is_known = true;
        pthread_attr_t a;
        void *at = NULL;
        size_t size = 0;
        if (!pthread_getattr_np(pthread_self(), &a)) {
            pthread_attr_getstack(&a, &at, &size);
            pthread_attr_destroy(&a);
        }
        low = (uintptr_t)at;
        high = low + size;
    }
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!high) return SIZE_MAX;
    return here >= low && here < high ? here - low : 0;
}
