// SPDX-License-Identifier: MIT
#ifndef BASE_HALF_H
#define BASE_HALF_H
#include <stdint.h>

/**
 * IEEE 754 binary16 as numbers of the host's, a value at a time (kernels have builtins/convert.c, a
 * gang at a time).
 */
double half_to_double(uint16_t h);
uint16_t half_from_double(double x); // to the nearest, ties to even; too large is infinity
#endif
