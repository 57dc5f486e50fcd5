// SPDX-License-Identifier: MIT
#ifndef BYTECODE_OPCODES_H
#define BYTECODE_OPCODES_H
#include <stdbool.h>
#include <stdint.h>

/**
 * The table of opcodes (ops.def) as data: for each opcode its name, what it does with each of its
 * fields, how its list is laid out, and its effects. Passes ask this table, through the iterator of
 * bytecode/operands.h, instead of switching over opcodes.
 */
enum bc_op {
#define ROW(n)              BC_##n,
#define BIN(n, t, e)        ROW(n)
#define CMP(n, t, e)        ROW(n)
#define UN(n, t, e)         ROW(n)
#define CVT(n, to, from, e) ROW(n)
#define TER(n, t, e)        ROW(n)
#define SEL(n, t)           ROW(n)
#define DIV(n, t, e)        ROW(n)
#define SPECIAL(n, ...)     ROW(n)
#include "bytecode/ops.def"
#undef ROW
    BC_OP_COUNT
};

enum bc_type { BC_I8, BC_I16, BC_I32, BC_I64, BC_F32, BC_F64 };
/** 1, 2, 4, 8, 4, 8 */
unsigned bc_type_size(enum bc_type t);

enum bc_shape { BC_BIN, BC_CMP, BC_UN, BC_CVT, BC_TER, BC_SEL, BC_DIV, BC_SPECIAL };

/** The use of a field (dst, a, b, c) or of a list's item: its role and its width. 0: not used. */
enum bc_use {
    BC_USE_WIDTH = 15, // 0: any, or checked by the opcode's own rule in verify.c; 1, 2, 4, 8: bytes
    BC_USE_ELEM = 3,   // a width: a component of the site
    BC_USE_INDEX = 5,  // a width: as the site's index_kind; absent where that is BC_IDX_NONE

    BC_USE_OUT = 16,   // a register that is written
    BC_USE_IN = 32,    // a register that is read
    BC_USE_WHERE = 64, // with IN: decides which bytes of memory are accessed
    BC_USE_MAY = 128,  // may be BC_NONE
    BC_USE_NUMBER = 256,
    BC_USE_BLOCK = 512,
};

/** What `ext` holds: a number, or the index in bc_fn.ext of a list. */
enum bc_ext {
    BC_EXT_NONE,
    BC_EXT_NUMBER,
    BC_EXT_WI,        // enum bc_wi | dimension << 8
    BC_EXT_BLOCK,     // where to go on
    BC_EXT_READ_SITE, // index in bc_module.sites
    BC_EXT_STRING,    // index in bc_module.strings
    BC_EXT_OBJECT,    // index in bc_module.objects

    BC_EXT_RESULTS, // where the site has several components: {dst…}, and BC_NONE as dst
    BC_EXT_VALUES,  // likewise: {value…}, and BC_NONE as c
    BC_EXT_COMPARE, // BC_CMPXCHG: {compare operand}
    BC_EXT_LANEFN,  // {builtin number, ndst, dst…, nsrc, src…}
    BC_EXT_CALL,    // {function, nargs, arg…, nrets, dst…}
    BC_EXT_RET,     // {n, value…}; 0: no list
    BC_EXT_PRINTF,  // {format: module string, nargs, (type, ncomp, operands…)…}
    BC_EXT_ASYNC,   // {element bytes, read site, stride:I64 or BC_NONE, 0 | 1 stride is to's,
                    // event:I64 or BC_NONE that it joins}
    BC_EXT_IMAGE,   // {enum bc_image bits, ncoord, nvalue, coord:I32 or F32…, value:I32 or F32…};
                    // reads write the values
};

enum bc_effect {
    BC_READS = 1,    // memory or an image
    BC_WRITES = 2,   // likewise
    BC_ORDERS = 4,   // memory, as a fence does
    BC_SHOWS = 8,    // something outside of memory changes
    BC_WAITS = 16,   // for other work-items, or for async copies
    BC_CROSSES = 32, // lanes: takes values of others, or acts once for a group
    BC_FAULTS = 64,  // may be reported for a lane
    BC_CALLS = 128,  // a function
    BC_ENDS = 256,   // the block
    BC_LEAVES = 512, // the function, for the active lanes
    BC_SITED = 1024, // `site` describes an access or address
    // An instruction without these flags has no effect except its results.
    BC_ACTS = BC_WRITES | BC_ORDERS | BC_SHOWS | BC_WAITS | BC_CROSSES | BC_CALLS | BC_ENDS |
              BC_LEAVES,
    // What its handler in src/interp can do; without these a block or loop is run in the plain way.
    BC_NARROWS = 2048,  // it looks at no lanes from vm_gang.n on
    BC_COMPACTS = 4096, // it works while lanes are compacted (interp/dense.c)
};

struct bc_op_info {
    const char *name; // as in ops.def: "ADD_I32"
    enum bc_shape shape;
    enum bc_type type, // of the result (CMP: of the operands; its result is I8)
        from;          // CVT: of the operand
    uint16_t use[4];   // enum bc_use of dst, a, b, c
    uint16_t effects;  // enum bc_effect; see bc_effects
    uint8_t ext;       // enum bc_ext
};
extern const struct bc_op_info bc_ops[BC_OP_COUNT];

static inline bool bc_ends_block(uint16_t op) { return bc_ops[op].effects & BC_ENDS; }
/** LOAD, STORE, ATOMIC: each lane accesses memory at an address of base, index and site. */
static inline bool bc_is_access(uint16_t op)
{
    return bc_ops[op].use[2] & BC_USE_WHERE && (bc_ops[op].use[2] & BC_USE_WIDTH) == BC_USE_INDEX &&
           bc_ops[op].effects & (BC_READS | BC_WRITES);
}
#endif
