// SPDX-License-Identifier: MIT
// OpCompositeConstruct (SPIR-V 1.6, section 3.52.12), as insertions of one constituent at a time:
// llvm-spirv of LLVM 15 crashes if a constituent is not a constant. A vector may be made of
// vectors, whose components are inserted.
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
