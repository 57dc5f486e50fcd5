// SPDX-License-Identifier: MIT
#ifndef BASE_STACK_H
#define BASE_STACK_H
#include <stddef.h>

/** Bytes of stack that the calling thread has left, roughly; SIZE_MAX where the system does not say. 0 on a stack of the app's own making. */
size_t stack_left(void);
#endif
