// SPDX-License-Identifier: MIT
#ifndef BUILTINS_BUILTINS_H
#define BUILTINS_BUILTINS_H
#include "bytecode/bytecode.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * The builtin functions of OpenCL C: which there are (builtins.def, one row each), what a call of
 * one means (bi_lookup, from clang's mangled name), and the functions over lanes that compute those
 * which are not a few opcodes (bi_lane_fns). To add a builtin: doc/HOWTO-add-a-builtin.md.
 */

enum bi_id {
#define OP(n, a, s, u, f)    BI_##n,
#define MATH(n, d, s)        BI_##n,
#define MATHP(n, d, s)       BI_##n,
#define ALIAS(n, a, t)       BI_##n,
#define LIBRARY(n, a)        BI_##n,
#define LIBRARY_FAMILY(n, a) BI_##n,
#define EXPAND(n, a, h)      BI_##n,
#define FAMILY(n, a, h)      BI_##n,
#define FLOW(n, a)           BI_##n,
#include "builtins/builtins.def"
    BI_COUNT
};

/** Numbers of lane functions, indices into bi_lane_fns: BI_FN_sin_F32, then BI_FN_sin_F64, … */
enum bi_fn {
#define MATH(n, d, s)  BI_FN_##n##_F32, BI_FN_##n##_F64,
#define MATHP(n, d, s) BI_FN_##n##_F32, BI_FN_##n##_F64,
#define FN(n, d, s)    BI_FN_##n,
#include "builtins/builtins.def"
    BI_FN_COUNT
};

enum bi_kind {
    BI_OP,
    BI_MATH,
    BI_MATHP,
    BI_LIBRARY,
    BI_LIBRARY_FAMILY,
    BI_EXPAND,
    BI_FAMILY,
    BI_FLOW
};

struct bi_row {
    const char *name;
    const char *args; // letters of builtins.def
    uint8_t kind;     // enum bi_kind
    uint16_t s, u, f; // OP: opcode for I8 (the next are I16, I32, I64) or F32 (next F64); BI_NO_OP
    uint16_t fn;      // MATH, MATHP: lane function for float; the next one is for double
};
#define BI_NO_OP 0xffffu
extern const struct bi_row bi_rows[BI_COUNT];

enum bi_scalar {
    BI_VOID,
    BI_BOOL,
    BI_CHAR,
    BI_UCHAR,
    BI_SHORT,
    BI_USHORT,
    BI_INT,
    BI_UINT,
    BI_LONG,
    BI_ULONG,
    BI_HALF,
    BI_FLOAT,
    BI_DOUBLE,
    BI_ENUM,  // memory_order, memory_scope: an i32
    BI_EVENT, // event_t
    BI_IMAGE, // an image type: bi_type.image says which
    BI_SAMPLER,
    BI_OTHER, // something whose call this table does not know
};

struct bi_type {
    uint8_t scalar,
        width; // enum bi_scalar; 1, 2, 3, 4, 8 or 16 components. Of a pointer: what it points to
    uint8_t pointers; // 0: a value; 1: a pointer; 2: a pointer to a pointer, …
    uint8_t space;    // of a pointer: enum bc_space, of what it points to
    uint8_t image;    // enum bi_image
    bool is_volatile, is_atomic;
};

/** What an image type says: its dimensions in the low bits. */
enum bi_image {
    BI_IMAGE_DIMS = 3,
    BI_IMAGE_IS_ARRAY = 4,
    BI_IMAGE_IS_BUFFER = 8,
    BI_IMAGE_IS_DEPTH = 16,
    BI_IMAGE_IS_MSAA = 32,
};

enum bi_round { BI_ROUND_NONE, BI_RTE, BI_RTZ, BI_RTP, BI_RTN };

enum { BI_MAX_ARGS = 8 };

/** What a call's name says. */
struct bi_call {
    enum bi_id id;
    const struct bi_row *row;
    unsigned nargs; // according to the mangled name; 0 if the name is not mangled
    struct bi_type arg[BI_MAX_ARGS];
    struct bi_type gen; // the type T of the row's letters g, f or n; void where the row has none
    struct bi_type to;  // convert_: the type; vload, vstore and their forms for half: `width` only
    bool sat;
    enum bi_round round;     // convert_, vstore_half
    enum bc_combine combine; // reduce, scan (MIN and MAX for unsigned integers too)
};

/**
 * The builtin that the name of an undefined function stands for: Itanium-mangled as clang does for
 * spir64, or plain (printf, __to_global). False if there is no builtin of this name with
 * such arguments; *call is then undefined. The argument types agree with the row's letters when it
 * returns true.
 */
bool bi_lookup(const char *mangled, struct bi_call *call);

const char *bi_scalar_name(enum bi_scalar s);
unsigned bi_scalar_size(enum bi_scalar s); // bytes; 0 for void and BI_OTHER
/** Bytes from one element of the type to the next in memory; 3 components take 4. */
unsigned bi_stride(const struct bi_type *t);
bool bi_is_float(enum bi_scalar s);
bool bi_is_signed(enum bi_scalar s); // signed integers

/**
 * A function over n lanes: reads array src[i] and writes array dst[i], elements of the types the
 * table says; arrays are aligned to 8 bytes at least. dst[i] may be src[j], else they do not
 * overlap. Neither the CPU nor n nor a lane's place changes a result. Needs round-to-nearest and
 * subnormals on.
 */
typedef void bi_lane_fn(void *const *dst, const void *const *src, unsigned n);

struct bi_lane {
    const char *name;    // sin_F32
    const char *letters; // types of the results and then of the operands, letters of builtins.def
    uint8_t ndst, nsrc;
    uint8_t flt; // enum bc_type that letter f stands for
    bi_lane_fn *fn;
};
extern const struct bi_lane bi_lane_fns[BI_FN_COUNT];
enum { BI_MAX_LANE_DST = 2, BI_MAX_LANE_SRC = 17 };

/**
 * The lane function of a conversion that rounds: integers or double to float, integers to double
 * with a mode, anything of float or double to half.
 */
enum bi_fn bi_convert_lane(const struct bi_call *c);
/** What a work-group or sub-group function does: its name without the scope says it. */
enum bc_collect bi_collect(const struct bi_row *row);
/** How it combines values of the call's type. */
enum bc_combine bi_combine(const struct bi_call *call);
/** The kind of pixel that an image function reads or writes, a set of enum bc_image. */
unsigned bi_image_code(enum bi_id id);

/**
 * The same function of one element, by value: operands and result of the types of bi_lane_type.
 * NULL if there is none. For machine code that is not vectorized; the same bits.
 */
typedef void bi_one_fn(void);
bi_one_fn *bi_one(unsigned fn);

/** Type of result i (i < ndst) or operand i - ndst of a lane function. */
enum bc_type bi_lane_type(const struct bi_lane *l, unsigned i);
bc_lane_types_fn bi_lane_types; // for bc_verify
#endif
