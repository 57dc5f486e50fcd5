// SPDX-License-Identifier: MIT
#ifndef BYTECODE_REGISTERS_H
#define BYTECODE_REGISTERS_H
#include "bytecode/bytecode.h"

/**
 * The largest number of 32-bit registers that function `fn`, with what it calls, has live at one
 * point for a work-item: its register pressure. A varying register has one for each 4 bytes;
 * uniform ones do not count. `m` was verified.
 */
uint32_t bc_registers(const struct bc_module *m, uint32_t fn);
#endif
