// SPDX-License-Identifier: MIT
#ifndef BASE_STACK_H
#define BASE_STACK_H
#include <stddef.h>

/**
 * Bytes of stack that the calling thread has left, roughly; SIZE_MAX where the system does not say.
 * 0 on a stack that the app made.
 */
size_t stack_left(void);
/**
 * Calls fn(context), in a thread made for it where the calling one has less than `need` bytes of
 * stack left (and where there can be one).
 */
void stack_call(size_t need, void (*fn)(void *context), void *context);
#endif
