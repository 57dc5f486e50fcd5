// SPDX-License-Identifier: MIT
#ifndef BASE_OWN_THREAD_H
#define BASE_OWN_THREAD_H
#include <stdbool.h>
#include <stddef.h>

/**
 * Threads of cldbg in the process of an app: detached, with all signals blocked, since signals are
 * for the app's threads. `stack`: at least so many bytes, 0 for the system's default. False: it
 * could not be started.
 */
bool own_thread_start(void *(*run)(void *), void *context, size_t stack);

/**
 * A process ends with its last thread (pthread_exit(3)), also if main() left by pthread_exit. Those
 * of cldbg do not count: after own_thread_watch in the main thread, exit(0) is called once only
 * they are left.
 */
void own_thread_watch(void);
#endif
