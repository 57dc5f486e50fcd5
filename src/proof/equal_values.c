// SPDX-License-Identifier: MIT
// Memory that no work-item writes during the launch: loads of the same bytes give the same value,
// to whichever work-item, in whichever iteration. So such a load is an uninterpreted function of
// its address, which the query states pair by pair (Ackermann's reduction, 1954):
//
//   both loads were made ∧ their addresses are equal → their values are equal
//
// "Made" is that the work-item came to the node: there the equations between its values hold. An
// offset that wrapped around is not the address that the interpreter sees. The bytes of an object
// are those of one argument; loads by way of two arguments of one object are not compared, since
// one of them may be outside of its buffer.
#include "proof/kernel.h"

enum { MOST_LOADS = 24 };

/** What names an object: all arguments of one memory object have the same key. */
static uint64_t key_of(const struct pk *k, const struct pk_base *b)
{
    if (b->kind != PK_BUFFER) return (uintptr_t)b->value;
    const uint64_t object = k->q->args[b->arg].object;
    return hash_bytes(&object, sizeof object, 3);
}

void pk_find_written(struct pk *k)
{
    for (size_t i = 0; i < k->accesses.len; i++) {
        const struct pk_access a = k->accesses.data[i];
        const struct pk_addresses at = pk_address(k, a.node, a.pointer);
        for (unsigned j = 0; j < at.n && a.write; j++) {
            const struct pk_base *b = &k->bases.data[at.of[j].base];
            k->writes_anywhere |= b->kind == PK_NOWHERE;
            map_put(&k->written, key_of(k, b), NULL);
        }
    }
    k->knows_writes = true;
}

static bool is_constant(const struct pk *k, const struct pk_address *at)
{
    const struct pk_base *b = &k->bases.data[at->base];
    if (b->kind != PK_BUFFER && b->kind != PK_STATIC && b->kind != PK_CONST) return false;
    return !map_get(&k->written, key_of(k, b));
}

static bool is_plain_load(const struct pk_symbol *y)
{
    return y->kind == PK_LOADED && y->value && LLVMIsALoadInst(y->value) &&
           !LLVMGetVolatile(y->value) && pk_bits(y->value) % 8 == 0;
}

bool pk_loads_constant(struct pk *k, const struct pk_symbol *symbol)
{
    const struct pk_symbol y = *symbol;
    if (!k->knows_writes || k->writes_anywhere || !is_plain_load(&y)) return false;
    const struct pk_addresses at = pk_address(k, y.node, LLVMGetOperand(y.value, 0));
    bool all = at.n > 0;
    for (unsigned j = 0; j < at.n; j++) all &= is_constant(k, &at.of[j]);
    return all;
}

/** A load by one work-item. */
struct load {
    pf value, offset, made;
    unsigned base;
};
struct loads {
    struct pk *k;
    struct map seen; // formulas
    struct load of[MOST_LOADS];
    unsigned n;
};

/** f in the view's work-item; item 2: there is no view. */
static pf in_item(struct pk *k, pf f, unsigned item)
{
    return item < 2 ? pk_of_item(k->view, f, item) : f;
}

/** Adds what the symbol's load reads, `value`: the symbol as that work-item has it. */
static void add(struct loads *l, const struct pk_symbol *y, pf value, unsigned item)
{
    struct pk *k = l->k;
    struct pf_space *s = &k->s;
    const struct pk_addresses at = pk_address(k, y->node, LLVMGetOperand(y->value, 0));
    for (unsigned j = 0; j < at.n && l->n < MOST_LOADS; j++) {
        const struct pk_address *a = &at.of[j];
        if (!is_constant(k, a)) continue;
        const pf inside = pf_and(s, a->condition, pf_not(s, a->far));
        const pf made = pf_and(s, k->nodes.data[y->node].reached, inside);
        l->of[l->n++] = (struct load){.value = value,
                                      .offset = in_item(k, a->offset, item),
                                      .made = in_item(k, made, item),
                                      .base = a->base};
    }
}

static void find_loads(struct loads *l, pf f)
{
    struct pk *k = l->k;
    bool is_new;
    map_put(&l->seen, f, &is_new);
    if (!is_new) return;
    const struct pf_node n = *pf_get(&k->s, f);
    for (uint32_t i = 0; i < n.nargs; i++) find_loads(l, n.args[i]);
    if (n.op != PF_SYMBOL) return;
    const struct pk_symbol y = k->symbols.data[n.value / 4];
    const unsigned copy = n.value % 4;
    if (!is_plain_load(&y) || (copy && !k->view)) return;
    if (copy) {
        add(l, &y, f, copy - 1);
    } else if (k->view) { // it has the same value in both
        add(l, &y, f, 0);
        add(l, &y, f, 1);
    } else {
        add(l, &y, f, 2);
    }
}

pf pk_equal_values(struct pk *k, pf condition)
{
    struct pf_space *s = &k->s;
    struct loads l = {.k = k};
    pf r = pf_bool(s, true);
    if (!k->knows_writes || k->writes_anywhere) return r;
    find_loads(&l, condition);
    for (unsigned i = 0; i < l.n; i++) { // (addresses may have further loads)
        find_loads(&l, l.of[i].offset);
        find_loads(&l, l.of[i].made);
    }
    for (unsigned i = 0; i < l.n; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct load *a = &l.of[i], *b = &l.of[j];
            if (a->base != b->base || a->value == b->value ||
                pf_width(s, a->value) != pf_width(s, b->value))
                continue;
            const pf same = pf_and(s, pf_eq(s, a->offset, b->offset), pf_and(s, a->made, b->made));
            r = pf_and(s, r, pf_or(s, pf_not(s, same), pf_eq(s, a->value, b->value)));
        }
    map_deinit(&l.seen);
    return r;
}
