// SPDX-License-Identifier: MIT
// OpCompositeConstruct (SPIR-V 1.6, section 3.52.12), as insertions of one constituent at a time:
// llvm-spirv of LLVM 15 crashes if a constituent is not a constant. A vector may be made of
// vectors, whose components are inserted. It also crashes if indices of OpCompositeExtract or
// OpCompositeInsert go through a struct or an array into a vector: these become two steps.
#include "frontend/spirv_rewriting.h"

void spirv_note_vector(struct lowering *l, const uint32_t *w, size_t len)
{
    if ((w[0] & 0xffff) == OP_TYPE_VECTOR && len == 4)
        *map_put(&l->any_vector, w[1], NULL) = (uint64_t)w[2] << 32 | w[3];
    // Results: their type comes first. (Other instructions do not begin with a type.)
    if (len > 2 && map_get(&l->any_vector, w[1])) *map_put(&l->vector_value, w[2], NULL) = w[1];
}

struct composite {
    uint32_t type, result;
    uint32_t value; // what was constructed so far
    uint32_t n, of; // constituents so far, and all of them
};

static void insert(struct lowering *l, struct composite *c, uint32_t constituent)
{
    const uint32_t id = c->n + 1 == c->of ? c->result : l->bound++;
    spirv_put(l, (struct instruction){
                     OP_COMPOSITE_INSERT, {c->type, id, constituent, c->value, c->n++}, 5, false});
    c->value = id;
}

/** Components of a constituent of a vector, and in the upper half their type; 0: it is a scalar. */
static uint64_t vector_form(const struct lowering *l, const struct composite *c, uint32_t value)
{
    const uint64_t *type = map_get(&l->vector_value, value);
    return type && map_get(&l->any_vector, c->type) ? *map_get(&l->any_vector, *type) : 0;
}

// Type, result, constituents.
bool spirv_composite(struct lowering *l, const uint32_t *w, size_t len)
{
    if (len < 3) return false;
    struct composite c = {.type = w[1], .result = w[2]};
    for (size_t i = 3; i < len; i++) {
        const uint32_t n = (uint32_t)vector_form(l, &c, w[i]);
        c.of += n ? n : 1;
    }
    c.value = c.of ? l->bound++ : c.result;
    spirv_put(l, (struct instruction){OP_UNDEF, {c.type, c.value}, 2, false});
    for (size_t i = 3; i < len; i++) {
        const uint64_t form = vector_form(l, &c, w[i]);
        if (!form) insert(l, &c, w[i]);
        for (uint32_t k = 0; k < (uint32_t)form; k++) {
            const uint32_t component = l->bound++;
            spirv_put(l, (struct instruction){OP_COMPOSITE_EXTRACT,
                                              {(uint32_t)(form >> 32), component, w[i], k},
                                              4,
                                              false});
            insert(l, &c, component);
        }
    }
    return true;
}

// ---- parts of vectors inside of structs and arrays

void spirv_note_aggregate(struct lowering *l, const uint32_t *w, size_t len)
{
    const uint32_t op = w[0] & 0xffff;
    if ((op == OP_TYPE_STRUCT && len >= 2) || (op == OP_TYPE_ARRAY && len == 4)) {
        const uint64_t n = op == OP_TYPE_ARRAY ? ANY_INDEX : len - 2;
        *map_put(&l->aggregate, w[1], NULL) = (uint64_t)l->members.len << 32 | n;
        for (size_t i = 2; i < (op == OP_TYPE_ARRAY ? 3 : len); i++) vec_push(&l->members, w[i]);
    }
    if (len > 2 && map_get(&l->aggregate, w[1])) *map_put(&l->aggregate_value, w[2], NULL) = w[1];
}

/** The type of the part of a value that the indices reach, if it is a vector; 0: something else. */
static uint32_t vector_at(const struct lowering *l, uint32_t value, const uint32_t *at, size_t n)
{
    const uint64_t *of = map_get(&l->aggregate_value, value);
    uint32_t type = of ? (uint32_t)*of : 0;
    for (size_t i = 0; type && i < n; i++) {
        const uint64_t *form = map_get(&l->aggregate, type);
        const uint32_t members = form ? (uint32_t)*form : 0;
        if (!members || (members != ANY_INDEX && at[i] >= members)) return 0;
        type = l->members.data[(*form >> 32) + (members == ANY_INDEX ? 0 : at[i])];
    }
    return type && map_get(&l->any_vector, type) ? type : 0;
}

/** Writes an instruction whose last words are indices. */
static void put_with(struct lowering *l, struct instruction i, const uint32_t *at, size_t n)
{
    vec_push(&l->out, (uint32_t)(i.n + n + 1) << 16 | i.op);
    for (unsigned k = 0; k < i.n; k++) vec_push(&l->out, i.words[k]);
    for (size_t k = 0; k < n; k++) vec_push(&l->out, at[k]);
}

// OpCompositeExtract: type, result, composite, indices. The vector is extracted first.
bool spirv_extract(struct lowering *l, const uint32_t *w, size_t len)
{
    const size_t n = len > 5 ? len - 5 : 0; // indices before the last
    const uint32_t type = n ? vector_at(l, w[3], w + 4, n) : 0;
    if (!type) return false;
    const uint32_t vector = l->bound++;
    put_with(l, (struct instruction){OP_COMPOSITE_EXTRACT, {type, vector, w[3]}, 3, false}, w + 4,
             n);
    spirv_put(
        l, (struct instruction){OP_COMPOSITE_EXTRACT, {w[1], w[2], vector, w[len - 1]}, 4, false});
    return true;
}

// OpCompositeInsert: type, result, object, composite, indices. The object goes into the vector, and
// the vector into the composite.
bool spirv_insert(struct lowering *l, const uint32_t *w, size_t len)
{
    const size_t n = len > 6 ? len - 6 : 0;
    const uint32_t type = n ? vector_at(l, w[4], w + 5, n) : 0;
    if (!type) return false;
    const uint32_t was = l->bound++, now = l->bound++;
    put_with(l, (struct instruction){OP_COMPOSITE_EXTRACT, {type, was, w[4]}, 3, false}, w + 5, n);
    spirv_put(
        l, (struct instruction){OP_COMPOSITE_INSERT, {type, now, w[3], was, w[len - 1]}, 5, false});
    put_with(l, (struct instruction){OP_COMPOSITE_INSERT, {w[1], w[2], now, w[4]}, 4, false}, w + 5,
             n);
    return true;
}
