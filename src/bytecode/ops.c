// SPDX-License-Identifier: MIT
// The table of opcodes as data, made from ops.def.
#include "bytecode/bytecode.h"

unsigned bc_type_size(enum bc_type t)
{
    static const uint8_t size[] = {1, 2, 4, 8, 4, 8};
    return size[t];
}

const struct bc_op_info bc_ops[BC_OP_COUNT] = {
#define BIN(n, t, e)        [BC_##n] = {#n, BC_BIN, BC_##t, BC_##t, NULL},
#define CMP(n, t, e)        [BC_##n] = {#n, BC_CMP, BC_##t, BC_##t, NULL},
#define UN(n, t, e)         [BC_##n] = {#n, BC_UN, BC_##t, BC_##t, NULL},
#define CVT(n, to, from, e) [BC_##n] = {#n, BC_CVT, BC_##to, BC_##from, NULL},
#define TER(n, t, e)        [BC_##n] = {#n, BC_TER, BC_##t, BC_##t, NULL},
#define SEL(n, t)           [BC_##n] = {#n, BC_SEL, BC_##t, BC_##t, NULL},
#define DIV(n, t, e)        [BC_##n] = {#n, BC_DIV, BC_##t, BC_##t, NULL},
#define SPECIAL(n, f)       [BC_##n] = {#n, BC_SPECIAL, BC_I64, BC_I64, f},
#include "bytecode/ops.def"
};
