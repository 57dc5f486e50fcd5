// SPDX-License-Identifier: MIT
// Integer dot products (SPIR-V 1.6, section 3.49.13; extension SPV_KHR_integer_dot_product) in
// terms of SPIR-V 1.0: components are extracted, converted to the type of the result, multiplied
// and added. Only the addition of the accumulator saturates; other overflow is undefined.
#include "frontend/spirv_rewriting.h"

enum { PACKED_VECTOR_FORMAT_4X8_BIT = 0 };

// The form of a type: bits of an integer, or components and, in the upper half, their type.
static uint32_t bits_of(const struct lowering *l, uint32_t type)
{
    const uint64_t *form = map_get(&l->types, type);
    return form && !(*form >> 32) ? (uint32_t)*form : 0;
}

void spirv_note_number(struct lowering *l, const uint32_t *w, size_t len)
{
    const uint32_t op = w[0] & 0xffff;
    if (op == OP_TYPE_BOOL && len == 2) l->boolean = w[1];
    if (op == OP_TYPE_INT && len == 4) {
        *map_put(&l->types, w[1], NULL) = w[2];
        *map_put(&l->integer_type, w[2], NULL) = w[1];
    }
    if (op == OP_TYPE_VECTOR && len == 4 && bits_of(l, w[2])) {
        const uint64_t form = (uint64_t)w[2] << 32 | w[3];
        *map_put(&l->types, w[1], NULL) = form;
        *map_put(&l->vector_type, form, NULL) = w[1];
    }
    // Results: their type comes first. (Other instructions do not begin with a type.)
    if (len > 2 && map_get(&l->types, w[1])) *map_put(&l->type_of, w[2], NULL) = w[1];
}

static uint32_t emit(struct lowering *l, uint32_t op, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t id = l->bound++;
    spirv_put(l, (struct instruction){op, {type, id, a, b}, 4, false});
    return id;
}

static uint32_t emit_1(struct lowering *l, uint32_t op, uint32_t type, uint32_t a)
{
    const uint32_t id = l->bound++;
    spirv_put(l, (struct instruction){op, {type, id, a}, 3, false});
    return id;
}

/** A type of the module, which may declare each only once, or a new one. */
static uint32_t type_with(struct lowering *l, struct map *types, uint64_t form,
                          struct instruction declaration)
{
    bool is_new;
    uint64_t *id = map_put(types, form, &is_new);
    if (is_new) {
        *id = declaration.words[0] = l->bound++;
        *map_put(&l->types, *id, NULL) = form;
        declaration.is_global = true;
        spirv_put(l, declaration);
    }
    return (uint32_t)*id;
}

static uint32_t four_bytes(struct lowering *l)
{
    const uint32_t byte =
        type_with(l, &l->integer_type, 8, (struct instruction){OP_TYPE_INT, {0, 8, 0}, 3, true});
    return type_with(l, &l->vector_type, (uint64_t)byte << 32 | 4,
                     (struct instruction){OP_TYPE_VECTOR, {0, byte, 4}, 3, true});
}

static uint32_t boolean(struct lowering *l)
{
    if (!l->boolean) {
        l->boolean = l->bound++;
        spirv_put(l, (struct instruction){OP_TYPE_BOOL, {l->boolean}, 1, true});
    }
    return l->boolean;
}

static uint32_t constant(struct lowering *l, uint32_t type, uint64_t v)
{
    const uint32_t id = l->bound++, n = bits_of(l, type) > 32 ? 4 : 3;
    spirv_put(l, (struct instruction){
                     OP_CONSTANT, {type, id, (uint32_t)v, (uint32_t)(v >> 32)}, n, true});
    return id;
}

/** a + b, or the greatest or least value of the type where the sum is not one. */
static void add_saturating(struct lowering *l, bool is_signed, const uint32_t *result,
                           const uint32_t *of)
{
    const uint32_t type = result[0], bits = bits_of(l, type), a = of[0], b = of[1];
    const uint64_t ones = bits < 64 ? (1ull << bits) - 1 : ~0ull;
    const uint32_t sum = emit(l, OP_I_ADD, type, a, b);
    uint32_t limit, is_over;
    if (is_signed) { // the sum has a sign that neither a nor b has
        // A constant of less than 32 bits is extended by its sign, which is 0 for both of these.
        const uint32_t changed = emit(l, OP_BITWISE_AND, type,
                                      emit(l, OP_BITWISE_XOR, type, a, sum),
                                      emit(l, OP_BITWISE_XOR, type, b, sum));
        is_over = emit(l, OP_S_LESS_THAN, boolean(l), changed, constant(l, type, 0));
        const uint32_t sign =
            emit(l, OP_SHIFT_RIGHT_ARITHMETIC, type, a, constant(l, type, bits - 1));
        limit = emit(l, OP_BITWISE_XOR, type, sign, constant(l, type, ones >> 1));
    } else {
        limit = constant(l, type, ones);
        is_over = emit(l, OP_U_LESS_THAN, boolean(l), sum, a);
    }
    spirv_put(l, (struct instruction){OP_SELECT, {type, result[1], is_over, limit, sum}, 5, false});
}

struct product {
    uint32_t vector[2], component, n, type; // types of the operands' components and of the result
    bool is_signed[2];
};

/** Component i of operand k, in the type of the result. */
static uint32_t component(struct lowering *l, const struct product *p, unsigned k, uint32_t i)
{
    const uint32_t v = emit(l, OP_COMPOSITE_EXTRACT, p->component, p->vector[k], i);
    if (bits_of(l, p->component) == bits_of(l, p->type)) return v;
    return emit_1(l, p->is_signed[k] ? OP_S_CONVERT : OP_U_CONVERT, p->type, v);
}

static uint32_t sum_of_products(struct lowering *l, const struct product *p)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t a = component(l, p, 0, i), b = component(l, p, 1, i),
                       ab = emit(l, OP_I_MUL, p->type, a, b);
        sum = i ? emit(l, OP_I_ADD, p->type, sum, ab) : ab;
    }
    return sum;
}

// Type, result, two operands, [accumulator,] [format of packed operands].
bool spirv_dot(struct lowering *l, const uint32_t *w, size_t len)
{
    const uint32_t op = w[0] & 0xffff;
    const bool accumulates = op >= OP_S_DOT_ACC_SAT;
    const size_t operands = accumulates ? 6 : 5;
    if (len != operands && len != operands + 1) return false;
    const uint64_t *type = map_get(&l->type_of, w[3]);
    const bool is_unsigned = op == OP_U_DOT || op == OP_U_DOT_ACC_SAT,
               is_mixed = op == OP_SU_DOT || op == OP_SU_DOT_ACC_SAT;
    struct product p = {
        {w[3], w[4]}, .type = w[1], .is_signed = {!is_unsigned, !is_unsigned && !is_mixed}};
    if (!type || !bits_of(l, w[1])) return false;
    uint32_t vector = (uint32_t)*type;
    if (len > operands) {
        if (w[operands] != PACKED_VECTOR_FORMAT_4X8_BIT || bits_of(l, vector) != 32) return false;
        vector = four_bytes(l);
        for (unsigned k = 0; k < 2; k++) p.vector[k] = emit_1(l, OP_BITCAST, vector, p.vector[k]);
    }
    const uint64_t form = *map_get(&l->types, vector);
    p.n = (uint32_t)form;
    p.component = (uint32_t)(form >> 32);
    if (!p.component || bits_of(l, p.component) > bits_of(l, p.type)) return false;
    const uint32_t dot = sum_of_products(l, &p);
    if (accumulates) add_saturating(l, !is_unsigned, w + 1, (uint32_t[]){dot, w[5]});
    else spirv_put(l, (struct instruction){OP_COPY_OBJECT, {w[1], w[2], dot}, 3, false});
    return true;
}
