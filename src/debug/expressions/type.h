// SPDX-License-Identifier: MIT
#ifndef DEBUG_TYPE_H
#define DEBUG_TYPE_H
#include "base/arena.h"
#include "base/str.h"
#include "bytecode/bytecode.h"

/**
 * Types of OpenCL C, from a module's tables or derived by an expression. They live as long as the
 * session.
 */
struct dbg_type {
    uint8_t kind; // enum bc_dtype_kind
    uint64_t size, count;
    const char *name; // NULL: derived from its base
    const struct dbg_type *base;
    const struct dbg_member *members;
    unsigned nmembers;
};
struct dbg_member {
    const char *name;
    const struct dbg_type *type;
    uint64_t offset;    // of an enumerator: its value
    unsigned bit, bits; // of a bit-field
};

/** All types of a module; index as in bc_module.dtypes. */
const struct dbg_type *dbg_types_of(const struct bc_module *m, struct arena *a);
/**
 * `int`, `unsigned int`, `uint`, `float4`, `size_t`, `image2d_t`…; NULL: not the name of a type.
 */
const struct dbg_type *dbg_type_named(const char *name, size_t n);
const struct dbg_type *dbg_type_vector(const struct dbg_type *element, unsigned n);
const struct dbg_type *dbg_type_pointer(const struct dbg_type *to);
const struct dbg_type *dbg_type_array(const struct dbg_type *of, uint64_t n);
/** Without typedefs and const. */
const struct dbg_type *dbg_strip(const struct dbg_type *t);
/** The element type of a vector, otherwise t; stripped. */
const struct dbg_type *dbg_element(const struct dbg_type *t);
/** Formats a type: `float4`, `int [3]`, `struct P *`. */
void dbg_type_put(struct str *out, const struct dbg_type *t);
/** The same with the members of structs, for ptype. */
void dbg_type_put_whole(struct str *out, const struct dbg_type *t);

static inline bool dbg_is_number(const struct dbg_type *t)
{
    t = dbg_strip(t);
    return (t->kind >= BC_T_BOOL && t->kind <= BC_T_FLOAT) || t->kind == BC_T_ENUM;
}
static inline bool dbg_is_integer(const struct dbg_type *t)
{
    return dbg_is_number(t) && dbg_strip(t)->kind != BC_T_FLOAT;
}
#endif
