// SPDX-License-Identifier: MIT
// What buffers contain in a model of the solver: each value that a work-item loads is at the
// address that the other values of the model give. Loads of one address may have different values
// in a model; the first one counts. So a run with these contents need not do what the model says:
// only what the interpreter reports is a refutation.
#include "proof/kernel.h"

enum { MOST_LOADS = 256 };

struct model {
    struct pk *k;
    const struct map *values; // symbol number → value
};

static pf value_in(void *context, pf symbol)
{
    const struct model *m = context;
    const struct pf_node n = *pf_get(&m->k->s, symbol);
    const uint64_t *known = map_get(m->values, n.value);
    return pf_const(&m->k->s, n.width, known ? *known : n.ulo);
}

/** The value of a formula in the model; item: that of the view whose symbols to use. */
static uint64_t evaluate(struct model *m, pf f, unsigned item)
{
    struct pk *k = m->k;
    struct map memo = {0};
    uint64_t value = 0;
    if (k->view) f = pk_of_item(k->view, f, item);
    pf_is_const(&k->s, pf_replace(&k->s, f, &memo, value_in, m), &value);
    map_deinit(&memo);
    return value;
}

static void add(struct proof_model_value *list, uint32_t *n, uint32_t most,
                struct proof_model_value v)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i].size && list[i].arg == v.arg && list[i].offset == v.offset) return;
    if (*n < most) list[(*n)++] = v;
}

void pk_model_contents(struct pk *k, const struct map *values)
{
    struct model m = {k, values};
    const bool relied[] = {k->relies_on[1], k->relies_on[3]}; // nothing is proved here
    const size_t nsymbols = k->symbols.len;
    const uint32_t most = k->nvalues + MOST_LOADS;
    struct proof_model_value *list = arena_array(k->arena, struct proof_model_value, most);
    uint32_t n = k->nvalues;
    for (uint32_t i = 0; i < n; i++) list[i] = k->model[i];
    for (size_t i = 0; i < nsymbols; i++) {
        const struct pk_symbol y = k->symbols.data[i];
        if (y.kind != PK_LOADED || !LLVMIsALoadInst(y.value) || pk_bits(y.value) % 8) continue;
        const uint32_t size = pk_bits(y.value) / 8;
        for (unsigned copy = 0; copy < 3; copy++) { // shared, or of one work-item: see pair.c
            const uint64_t *bits = map_get(values, i * 4 + copy);
            if (!bits || !size) continue;
            const struct pk_addresses at = pk_address(k, y.node, LLVMGetOperand(y.value, 0));
            for (unsigned j = 0; j < at.n; j++) {
                const struct pk_base b = k->bases.data[at.of[j].base];
                if (b.kind != PK_BUFFER || !evaluate(&m, at.of[j].condition, copy == 2)) continue;
                const uint64_t offset = evaluate(&m, at.of[j].offset, copy == 2);
                if (b.size >= size && offset <= b.size - size)
                    add(list, &n, most, (struct proof_model_value){b.arg, size, offset, *bits});
            }
        }
    }
    k->relies_on[1] = relied[0];
    k->relies_on[3] = relied[1];
    k->model = list;
    k->nvalues = n;
}
