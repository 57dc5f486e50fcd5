// SPDX-License-Identifier: MIT
// The table of opcodes as data, made from ops.def.
#include "bytecode/bytecode.h"

unsigned bc_type_size(enum bc_type t)
{
    static const uint8_t size[] = {1, 2, 4, 8, 4, 8};
    return size[t];
}

// The words of the rows.
#define OUT(w)          (BC_USE_OUT | (w))
#define IN(w)           (BC_USE_IN | (w))
#define WHERE(w)        (BC_USE_IN | BC_USE_WHERE | (w))
#define F(dst, a, b, c) {dst, a, b, c}
enum {
    I8 = 1,
    I16 = 2,
    I32 = 4,
    I64 = 8,
    F32 = 4,
    F64 = 8,
    ANY = 0,
    ELEM = BC_USE_ELEM,
    PTR = WHERE(8),
    INDEX = WHERE(BC_USE_INDEX) | BC_USE_MAY,
    MAY = BC_USE_MAY,
    NUMBER = BC_USE_NUMBER,
    BLOCK = BC_USE_BLOCK,

    READS = BC_READS,
    WRITES = BC_WRITES,
    ORDERS = BC_ORDERS,
    SHOWS = BC_SHOWS,
    WAITS = BC_WAITS,
    CROSSES = BC_CROSSES,
    FAULTS = BC_FAULTS,
    CALLS = BC_CALLS,
    ENDS = BC_ENDS,
    LEAVES = BC_LEAVES,
    SITED = BC_SITED,
    NARROWS = BC_NARROWS,
    COMPACTS = BC_COMPACTS,
};

#define ROW(n, shape, t, from, ext, effects, ...)                                                  \
    [BC_##n] = {#n, shape, BC_##t, BC_##from, __VA_ARGS__, effects, BC_EXT_##ext},
#define PLAIN(n, shape, t, from, faults, ...)                                                      \
    ROW(n, shape, t, from, NONE, NARROWS | COMPACTS | (faults), __VA_ARGS__)

const struct bc_op_info bc_ops[BC_OP_COUNT] = {
#define BIN(n, t, e)           PLAIN(n, BC_BIN, t, t, 0, F(OUT(t), IN(t), IN(t), 0))
#define CMP(n, t, e)           PLAIN(n, BC_CMP, t, t, 0, F(OUT(I8), IN(t), IN(t), 0))
#define UN(n, t, e)            PLAIN(n, BC_UN, t, t, 0, F(OUT(t), IN(t), 0, 0))
#define CVT(n, to, from, e)    PLAIN(n, BC_CVT, to, from, 0, F(OUT(to), IN(from), 0, 0))
#define TER(n, t, e)           PLAIN(n, BC_TER, t, t, 0, F(OUT(t), IN(t), IN(t), IN(t)))
#define SEL(n, t)              PLAIN(n, BC_SEL, t, t, 0, F(OUT(t), IN(I8), IN(t), IN(t)))
#define DIV(n, t, e)           PLAIN(n, BC_DIV, t, t, FAULTS, F(OUT(t), IN(t), IN(t), 0))
#define SPECIAL(n, f, x, e)    ROW(n, BC_SPECIAL, I64, I64, x, e, f)
#define REGULAR(n, f, x, e, h) ROW(n, BC_SPECIAL, I64, I64, x, e, f)
#include "bytecode/ops.def"
};
