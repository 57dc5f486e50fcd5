// SPDX-License-Identifier: MIT
#include "base/stack.h"

#include <pthread.h>
#include <signal.h>
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

struct call {
    void (*fn)(void *);
    void *context;
};

static void *call_main(void *arg)
{
    const struct call *c = arg;
    c->fn(c->context);
    return NULL;
}

void stack_call(size_t need, void (*fn)(void *), void *context)
{
    struct call c = {fn, context};
    bool runs = false;
    if (stack_left() < need) {
        pthread_t t;
        pthread_attr_t a;
        sigset_t all, old;
        sigfillset(&all);
        pthread_attr_init(&a);
        pthread_attr_setstacksize(&a, 2 * need);
        pthread_sigmask(SIG_SETMASK, &all, &old); // the app's signals are not for it
        runs = !pthread_create(&t, &a, call_main, &c);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        pthread_attr_destroy(&a);
        if (runs) pthread_join(t, NULL);
    }
    if (!runs) fn(context);
}
