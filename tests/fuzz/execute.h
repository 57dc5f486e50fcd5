// SPDX-License-Identifier: MIT
#ifndef TESTS_FUZZ_EXECUTE_H
#define TESTS_FUZZ_EXECUTE_H
#include "bytecode/bytecode.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Changes numbers of a module, 8 bytes of input each: where, and to what. A module that bc_verify
 * then accepts may still be nonsense; execute() must not mind.
 */
void edit(struct bc_module *m, const uint8_t *data, size_t size);
/**
 * The same with the bytes that a module is written as: a number of 1, 2, 4 or 8 bytes somewhere.
 */
void edit_bytes(uint8_t *p, size_t n, const uint8_t *data, size_t size);
/**
 * Runs every kernel of a verified module over buffers of just the size they say: nothing outside
 * them may be touched.
 */
void execute(const struct bc_module *m);
#endif
