// SPDX-License-Identifier: MIT
#ifndef FRONTEND_SPIRV_REWRITING_H
#define FRONTEND_SPIRV_REWRITING_H
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the passes of spirv_lowering.c share: the module that is written, and what is known of the
 * one read. */

enum {
    OP_UNDEF = 1,
    OP_EXTENSION = 10,
    OP_CAPABILITY = 17,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_CONSTANT_NULL = 46,
    OP_FUNCTION = 54,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_DECORATE = 71,
    OP_COMPOSITE_CONSTRUCT = 80,
    OP_COMPOSITE_EXTRACT = 81,
    OP_COMPOSITE_INSERT = 82,
    OP_COPY_OBJECT = 83,
    OP_U_CONVERT = 113,
    OP_S_CONVERT = 114,
    OP_CONVERT_PTR_TO_U = 117,
    OP_BITCAST = 124,
    OP_I_ADD = 128,
    OP_I_SUB = 130,
    OP_I_MUL = 132,
    OP_S_DIV = 135,
    OP_SELECT = 169,
    OP_I_EQUAL = 170,
    OP_I_NOT_EQUAL = 171,
    OP_U_LESS_THAN = 176,
    OP_S_LESS_THAN = 177,
    OP_SHIFT_RIGHT_ARITHMETIC = 195,
    OP_BITWISE_XOR = 198,
    OP_BITWISE_AND = 199,
    OP_ATOMIC_EXCHANGE = 229,
    OP_ATOMIC_XOR = 242,
    OP_DECORATE_ID = 332,
    OP_COPY_LOGICAL = 400,
    OP_PTR_EQUAL = 401,
    OP_PTR_NOT_EQUAL = 402,
    OP_PTR_DIFF = 403,
    OP_S_DOT = 4450,
    OP_U_DOT,
    OP_SU_DOT,
    OP_S_DOT_ACC_SAT,
    OP_U_DOT_ACC_SAT,
    OP_SU_DOT_ACC_SAT,
    OP_ASSUME_TRUE = 5630,
    OP_EXPECT = 5631,
    CAPABILITY_INT8 = 39,
    CAPABILITY_EXPECT_ASSUME = 5629,
    CAPABILITY_DOT_PRODUCT_INPUT_ALL = 6016,
    CAPABILITY_DOT_PRODUCT_INPUT_4X8_BIT,
    CAPABILITY_DOT_PRODUCT_INPUT_4X8_BIT_PACKED,
    CAPABILITY_DOT_PRODUCT,
    DECORATION_UNIFORM_ID = 27,
};

enum { ANY_INDEX = 0xffffffff }; // members of arrays: all have one type

struct lowering {
    VEC(uint32_t) out, globals; // globals: to stand before the first function
    struct map pointer_type;    // value → its type, a pointer
    struct map storage_class;   // type of pointer → its storage class
    struct map constant;        // of one word: value → the word, its type in the upper half
    struct map null_of;         // type → a null pointer
    struct map device_scope;    // type → the constant of this type
    struct map types;           // type of integers or of vectors → its form (spirv_dot.c)
    struct map integer_type;    // bits → type
    struct map vector_type;     // components, type of one in the upper half → type
    struct map type_of;         // value → its type, if the type is in `types`
    struct map any_vector;      // type of vectors → components, type of one in the upper half
    struct map vector_value;    // value → its type, a vector
    struct map aggregate; // type of structs or arrays → number of members, or ANY_INDEX; in the
                          // upper half the index of the first one's type in `members`
    struct map aggregate_value; // value → its type, a struct or an array
    VEC(uint32_t) members;
    uint32_t bound, boolean, ulong, one; // ids; boolean, ulong, one 0: none yet
    bool is_translated;                  // by the Khronos LLVM/SPIR-V Translator
};

struct instruction {
    uint32_t op;
    uint32_t words[6];
    unsigned n;
    bool is_global;
};
/** Appends an instruction to the function that is being written, or to the globals. */
void spirv_put(struct lowering *l, struct instruction i);

/** Notes types of integers and vectors, and values of them. */
void spirv_note_number(struct lowering *l, const uint32_t *w, size_t len);
/** OpSDot and its five relatives; false: the instruction does not have their form. */
bool spirv_dot(struct lowering *l, const uint32_t *w, size_t len);
/** Notes types of vectors, and values of them. */
void spirv_note_vector(struct lowering *l, const uint32_t *w, size_t len);
/** OpCompositeConstruct; false: the instruction does not have its form. */
bool spirv_composite(struct lowering *l, const uint32_t *w, size_t len);
/** Notes types of structs and arrays, and values of them. */
void spirv_note_aggregate(struct lowering *l, const uint32_t *w, size_t len);
/** OpCompositeExtract, OpCompositeInsert; false: the instruction may stay as it is. */
bool spirv_extract(struct lowering *l, const uint32_t *w, size_t len);
bool spirv_insert(struct lowering *l, const uint32_t *w, size_t len);
#endif
