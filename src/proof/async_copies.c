// SPDX-License-Identifier: MIT
// Async copies. A copy belongs to the group, as if an additional work-item made its accesses at any
// time between its begin and the end of the wait for its event; a barrier does not end it. Where it
// is in flight is found by following its event: a forward data flow from the copy over the unfolded
// kernel, whose facts are the variables and values that certainly hold the event. A wait that is
// given one of these variables ends the copy; one that may be given another event does not.
#include "proof/kernel.h"

#include "builtins/builtins.h"
#include "llvm/ir.h"

#include <string.h>

enum { MOST_PLACES = 64, EVENT_BYTES = 8 };

/** Where an event may be: a value, or bytes of a private variable. */
struct place {
    LLVMValueRef value;
    unsigned base;
    uint64_t offset;
};

struct flow {
    struct pk *k;
    LLVMValueRef copy;
    unsigned begin; // its node
    struct place places[MOST_PLACES];
    unsigned nplaces;
    uint64_t *holds; // by node: the places that hold the event where it begins
    bool *seen;
    VEC(unsigned) work;
};

static bool is_event(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMTargetExtTypeKind;
}

/** The bit of a place; 0 if there is no room for it, as if it never held the event. */
static uint64_t bit_of(struct flow *f, struct place p)
{
    unsigned i = 0;
    while (i < f->nplaces && (f->places[i].value != p.value || f->places[i].base != p.base ||
                              f->places[i].offset != p.offset))
        i++;
    if (i == MOST_PLACES) return 0;
    if (i == f->nplaces) f->places[f->nplaces++] = p;
    return 1ull << i;
}

static uint64_t bit_of_value(struct flow *f, LLVMValueRef v)
{
    return bit_of(f, (struct place){.value = v});
}

/** The bytes of a private variable that a pointer is known to point to. */
static bool find_variable(struct pk *k, unsigned node, LLVMValueRef pointer, struct place *out)
{
    const struct pk_addresses a = pk_address(k, node, pointer);
    *out = (struct place){.base = a.n ? a.of[0].base : 0};
    return a.n == 1 && k->bases.data[out->base].kind == PK_PRIVATE &&
           pf_is_const(&k->s, a.of[0].offset, &out->offset);
}

/** Variables that a store may change no longer hold the event. */
static uint64_t after_store(const struct flow *f, unsigned node, LLVMValueRef pointer,
                            bool of_event, uint64_t holds)
{
    const struct pk_addresses a = pk_address(f->k, node, pointer);
    for (unsigned j = 0; j < a.n; j++) {
        const bool anywhere = f->k->bases.data[a.of[j].base].kind == PK_NOWHERE;
        uint64_t at = 0;
        const bool known = of_event && pf_is_const(&f->k->s, a.of[j].offset, &at);
        for (unsigned i = 0; i < f->nplaces; i++) {
            const struct place *p = &f->places[i];
            if (p->value || !(anywhere || p->base == a.of[j].base)) continue;
            if (anywhere || !known || at == p->offset) holds &= ~(1ull << i);
        }
    }
    return holds;
}

static uint64_t set(uint64_t holds, uint64_t bit, bool value)
{
    return value ? holds | bit : holds & ~bit;
}

static uint64_t after_call(struct flow *f, unsigned node, LLVMValueRef i, uint64_t holds)
{
    char name[64];
    rg_callee_base_name(i, name, sizeof name);
    if (rg_barrier_of(i) == RG_ASYNC_COPY) { // it returns the event that it is given, if any
        LLVMValueRef given = LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1);
        const bool same = (holds & bit_of_value(f, given)) != 0 ||
                          (i == f->copy && node == f->begin);
        return set(holds, bit_of_value(f, i), same);
    }
    if (str_starts(name, PK_DECLARED) || l_is_intrinsic(l_callee(i), "memcpy") ||
        l_is_intrinsic(l_callee(i), "memmove") || l_is_intrinsic(l_callee(i), "memset"))
        return after_store(f, node, LLVMGetOperand(i, 0), false, holds);
    return holds;
}

static uint64_t after(struct flow *f, unsigned node, LLVMValueRef i, uint64_t holds)
{
    struct place p;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: return l_callee(i) ? after_call(f, node, i, holds) : holds;
    case LLVMStore: {
        LLVMValueRef v = LLVMGetOperand(i, 0), to = LLVMGetOperand(i, 1);
        const bool same = is_event(v) && (holds & bit_of_value(f, v));
        holds = after_store(f, node, to, is_event(v), holds);
        return same && find_variable(f->k, node, to, &p) ? holds | bit_of(f, p) : holds;
    }
    case LLVMLoad:
        if (!is_event(i)) return holds;
        return set(holds, bit_of_value(f, i),
                   find_variable(f->k, node, LLVMGetOperand(i, 0), &p) && (holds & bit_of(f, p)));
    case LLVMSelect:
        if (!is_event(i)) return holds;
        return set(holds, bit_of_value(f, i),
                   (holds & bit_of_value(f, LLVMGetOperand(i, 1))) &&
                       (holds & bit_of_value(f, LLVMGetOperand(i, 2))));
    default: return holds;
    }
}

/** Whether the wait at the end of the node is certainly for the event. */
static bool ends_there(struct flow *f, unsigned node, uint64_t holds)
{
    struct pk *k = f->k;
    const struct rg_block *b = &k->f.blocks[k->nodes.data[node].block];
    struct place p;
    uint64_t n;
    if (b->end != RG_BARRIER || b->barrier != RG_WAIT_EVENTS) return false;
    if (!pf_is_const(&k->s, pk_value(k, node, LLVMGetOperand(b->stop, 0)), &n) ||
        !find_variable(k, node, LLVMGetOperand(b->stop, 1), &p))
        return false;
    for (unsigned i = 0; i < f->nplaces; i++)
        if (!f->places[i].value && f->places[i].base == p.base && (holds >> i & 1) &&
            f->places[i].offset >= p.offset && f->places[i].offset - p.offset < n * EVENT_BYTES)
            return true;
    return false;
}

/** Phis of the next block take the values of the edge. */
static uint64_t over_edge(struct flow *f, const struct pk_edge *e, uint64_t holds)
{
    const struct rg_fn *fn = &f->k->f;
    uint64_t out = holds;
    for (LLVMValueRef i = fn->blocks[f->k->nodes.data[e->to].block].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (!is_event(i)) continue;
        LLVMValueRef from = pk_incoming(f->k, e, i);
        out = set(out, bit_of_value(f, i), from && (holds & bit_of_value(f, from)) != 0);
    }
    return out;
}

static void enter(struct flow *f, unsigned node, uint64_t holds)
{
    const uint64_t before = f->holds[node];
    f->holds[node] = f->seen[node] ? before & holds : holds;
    if (f->seen[node] && f->holds[node] == before) return;
    f->seen[node] = true;
    vec_push(&f->work, node);
}

/** Whether the copy may still be in flight when its loop begins the next iteration. */
static bool crosses_iterations(const struct flow *f, unsigned node)
{
    const struct rg_fn *fn = &f->k->f;
    const struct rg_block *b = &fn->blocks[f->k->nodes.data[node].block];
    const unsigned begin = f->k->nodes.data[f->begin].block;
    for (unsigned s = 0; s < b->nsucc; s++)
        for (int l = b->loop; l >= 0; l = fn->loops[l].parent)
            if (f->k->is_cut[l] && b->succ[s] == fn->loops[l].header &&
                rg_in_loop(&fn->loops[l], begin))
                return true;
    return false;
}

static void pass(struct flow *f, unsigned node)
{
    struct pk *k = f->k;
    const struct rg_block *b = &k->f.blocks[k->nodes.data[node].block];
    uint64_t holds = f->holds[node];
    for (LLVMValueRef i = b->first; i && i != b->stop; i = LLVMGetNextInstruction(i))
        holds = after(f, node, i, holds);
    if (ends_there(f, node, holds)) return;
    if (crosses_iterations(f, node))
        pk_obstruct_memory(k, "an async copy may be in flight from one iteration to the next",
                           f->copy);
    for (size_t e = 0; e < k->nodes.data[node].out.len; e++) {
        const struct pk_edge *x = &k->edges.data[k->nodes.data[node].out.data[e]];
        enter(f, x->to, over_edge(f, x, holds));
    }
}

/** By node: whether the copy that begins there may be in flight at some point of it. */
static bool *find_flight(struct pk *k, unsigned begin, LLVMValueRef copy)
{
    struct flow f = {.k = k, .copy = copy, .begin = begin};
    f.holds = mem_alloc((k->nodes.len + 1) * sizeof *f.holds);
    f.seen = arena_array(k->arena, bool, k->nodes.len + 1);
    enter(&f, begin, 0);
    while (f.work.len) pass(&f, vec_pop(&f.work));
    vec_free(&f.work);
    free(f.holds);
    return f.seen;
}

void pk_async_copy(struct pk *k, unsigned node, LLVMValueRef call)
{
    struct bi_call c;
    uint64_t n, stride = 1;
    const bool found = bi_lookup(l_name(l_callee(call)), &c);
    const bool strided = found && c.id == BI_async_work_group_strided_copy;
    pk_obstruct(k, PROOF_OTHER, "the events of async copies are not proved to be valid", call);
    if (!found || !pf_is_const(&k->s, pk_value(k, node, LLVMGetOperand(call, 2)), &n) ||
        (strided && !pf_is_const(&k->s, pk_value(k, node, LLVMGetOperand(call, 3)), &stride)) ||
        n > UINT32_MAX || stride > UINT32_MAX || !stride) {
        pk_obstruct_memory(k, "the size of an async copy is not known", call);
        return;
    }
    if (!n) return;
    const uint64_t element = bi_stride(&c.arg[0]), whole = n * element,
                   spread = ((n - 1) * stride + 1) * element;
    bool *in_flight = find_flight(k, node, call);
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef p = LLVMGetOperand(call, side);
        const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
        vec_push(&k->accesses, (struct pk_access){.node = node,
                                                  .insn = call,
                                                  .pointer = p,
                                                  .space = space,
                                                  .size = space == 3 ? whole : spread,
                                                  .align = element,
                                                  .write = side == 0,
                                                  .in_flight = in_flight});
    }
    k->has_async_copies = true;
}

void pk_wait_events(struct pk *k, unsigned node, LLVMValueRef call)
{
    uint64_t n;
    LLVMValueRef list = LLVMGetOperand(call, 1);
    pk_obstruct(k, PROOF_OTHER, "the events of async copies are not proved to be valid", call);
    if (!pf_is_const(&k->s, pk_value(k, node, LLVMGetOperand(call, 0)), &n) || n > MOST_PLACES) {
        pk_obstruct_memory(k, "the number of events is not known", call);
        return;
    }
    if (!n) return;
    vec_push(&k->accesses, (struct pk_access){.node = node,
                                              .insn = call,
                                              .pointer = list,
                                              .space = LLVMGetPointerAddressSpace(LLVMTypeOf(list)),
                                              .size = n * EVENT_BYTES,
                                              .align = 1});
}

/** Provided that variables hold the same events in all work-items. */
static bool is_uniform(const struct pk *k, LLVMValueRef event)
{
    if (!LLVMIsAInstruction(event)) return true;
    switch (LLVMGetInstructionOpcode(event)) {
    case LLVMCall: return true; // of a copy whose arguments are compared, or undefined
    case LLVMLoad: return !rg_is_divergent(&k->f, LLVMGetOperand(event, 0));
    default: return !rg_is_divergent(&k->f, event);
    }
}

bool pk_events_are_uniform(const struct pk *k)
{
    for (unsigned b = 0; b < k->f.nblocks; b++) {
        const struct rg_block *x = &k->f.blocks[b];
        for (LLVMValueRef i = x->first; i && i != x->stop; i = LLVMGetNextInstruction(i)) {
            const bool copies = rg_barrier_of(i) == RG_ASYNC_COPY,
                       stores = LLVMGetInstructionOpcode(i) == LLVMStore &&
                                is_event(LLVMGetOperand(i, 0));
            if (copies && !is_uniform(k, LLVMGetOperand(i, LLVMGetNumArgOperands(i) - 1)))
                return false;
            if (stores && (k->f.varying_control[b] || !is_uniform(k, LLVMGetOperand(i, 0)) ||
                           rg_is_divergent(&k->f, LLVMGetOperand(i, 1))))
                return false;
        }
    }
    return true;
}
