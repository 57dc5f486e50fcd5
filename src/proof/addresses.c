// SPDX-License-Identifier: MIT
// What a pointer points to: an object and the offset in it, in bytes, or a few alternatives under
// conditions (a phi or a select of pointers into different objects).
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <string.h>

enum { MOST_ALTERNATIVES = 8 };

static unsigned base_of(struct pk *k, struct pk_base b)
{
    bool is_new;
    uint64_t *at =
        map_put_ptr(&k->bases_of, b.value ? (void *)b.value : (void *)&k->bases_of, &is_new);
    if (b.kind == PK_NOWHERE || b.kind == PK_NULL) {
        for (unsigned i = 0; i < k->bases.len; i++)
            if (k->bases.data[i].kind == b.kind) return i;
    } else if (!is_new) {
        return (unsigned)*at;
    }
    const unsigned me = (unsigned)k->bases.len;
    if (b.kind != PK_NOWHERE && b.kind != PK_NULL) *at = me;
    vec_push(&k->bases, b);
    return me;
}

static struct pk_addresses one(struct pk *k, unsigned base, pf offset)
{
    struct pk_address *a = arena_new(k->arena, struct pk_address);
    *a = (struct pk_address){base, offset, pf_bool(&k->s, true), pf_bool(&k->s, false)};
    return (struct pk_addresses){1, a};
}

static struct pk_addresses nowhere(struct pk *k)
{
    return one(k, base_of(k, (struct pk_base){.kind = PK_NOWHERE}), pf_const(&k->s, 64, 0));
}

static struct pk_addresses argument(struct pk *k, LLVMValueRef v)
{
    const pf zero = pf_const(&k->s, 64, 0);
    for (unsigned i = 0; i < k->q->nargs; i++) {
        if (LLVMGetParam(k->fn, i) != v) continue;
        const struct proof_arg *a = &k->q->args[i];
        struct pk_base b = {.value = v, .size = a->size, .arg = i};
        switch (a->kind) {
        case PROOF_BUFFER: b.kind = PK_BUFFER; break;
        case PROOF_LOCAL: b.kind = PK_LOCAL; break;
        case PROOF_NULL: b = (struct pk_base){.kind = PK_NULL}; break;
        case PROOF_VALUE: // a struct by value
            b.kind = LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == 0 ? PK_PRIVATE : PK_NOWHERE;
            break;
        default: return nowhere(k);
        }
        return one(k, base_of(k, b), zero);
    }
    return nowhere(k);
}

static struct pk_addresses variable(struct pk *k, LLVMValueRef v)
{
    struct pk_base b = {.value = v, .size = l_size(k->m, LLVMGlobalGetValueType(v))};
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(v))) {
    case 1: b.kind = PK_STATIC; break;
    case 2: b.kind = PK_CONST; break;
    case 3: b.kind = PK_LOCAL; break;
    default: return nowhere(k);
    }
    return one(k, base_of(k, b), pf_const(&k->s, 64, 0));
}

/** Whether an index times the size of an element may be beyond 2^58, also below 0. */
static pf is_far(struct pf_space *s, pf index, uint64_t size)
{
    const uint64_t most = size ? (1ull << 58) / size : 1ull << 58;
    const struct pf_node *n = pf_get(s, index);
    if (n->slo >= -(int64_t)most && n->shi <= (int64_t)most) return pf_bool(s, false);
    return pf_ult(s, pf_const(s, 64, 2 * most), pf_add(s, index, pf_const(s, 64, most)));
}

/** The offset that a GEP adds; *far: it is not what the indices say, but wrapped around. */
static pf gep_offset(struct pk *k, unsigned node, LLVMValueRef p, pf *far)
{
    *far = pf_bool(&k->s, false);
    struct pf_space *s = &k->s;
    LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
    pf r = pf_const(s, 64, 0);
    for (int i = 1; i < LLVMGetNumOperands(p); i++) {
        LLVMValueRef index = LLVMGetOperand(p, (unsigned)i);
        if (!pk_bits(index)) return PF_NONE;
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            r = pf_add(s, r, pf_const(s, 64, l_field_offset(k->m, t, field)));
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        const pf x = pf_sext(s, pk_value(k, node, index), 64);
        *far = pf_or(s, *far, is_far(s, x, l_size(k->m, t)));
        r = pf_add(s, r, pf_scale(s, x, (int64_t)l_size(k->m, t)));
    }
    return r;
}

static struct pk_addresses moved(struct pk *k, struct pk_addresses from, pf by)
{
    if (!by) return nowhere(k);
    struct pk_address *a = arena_dup(k->arena, from.of, from.n * sizeof *a);
    for (unsigned i = 0; i < from.n; i++) a[i].offset = pf_add(&k->s, a[i].offset, by);
    return (struct pk_addresses){from.n, a};
}

static struct pk_addresses moved_by(struct pk *k, unsigned node, LLVMValueRef gep)
{
    pf far;
    const pf by = gep_offset(k, node, gep, &far);
    const struct pk_addresses r = moved(k, pk_address(k, node, LLVMGetOperand(gep, 0)), by);
    for (unsigned i = 0; i < r.n && by; i++) r.of[i].far = pf_or(&k->s, r.of[i].far, far);
    return r;
}

struct list {
    unsigned n;
    struct pk_address of[MOST_ALTERNATIVES];
    bool full;
};

static void put(struct pk *k, struct list *l, struct pk_addresses from, pf condition)
{
    struct pf_space *s = &k->s;
    for (unsigned i = 0; i < from.n; i++) {
        const struct pk_address a = from.of[i];
        const pf c = pf_and(s, a.condition, condition);
        unsigned j = 0;
        while (j < l->n && l->of[j].base != a.base) j++;
        if (j == MOST_ALTERNATIVES) {
            l->full = true;
        } else if (j < l->n) {
            l->of[j].offset = pf_ite(s, c, a.offset, l->of[j].offset);
            l->of[j].far = pf_ite(s, c, a.far, l->of[j].far);
            l->of[j].condition = pf_or(s, l->of[j].condition, c);
        } else {
            l->of[l->n++] = (struct pk_address){a.base, a.offset, c, a.far};
        }
    }
}

static struct pk_addresses done(struct pk *k, const struct list *l)
{
    if (l->full || !l->n) return nowhere(k);
    return (struct pk_addresses){l->n, arena_dup(k->arena, l->of, l->n * sizeof *l->of)};
}

static struct pk_addresses over_edges(struct pk *k, unsigned node, LLVMValueRef phi, LLVMValueRef v)
{
    struct list l = {0};
    const size_t n = k->nodes.data[node].in.len;
    // One alternative is not chosen by a condition: it is where the work-item comes from.
    for (size_t i = n; i-- > 0;) { // the first edge decides, as in values.c
        const struct pk_edge e = k->edges.data[k->nodes.data[node].in.data[i]];
        LLVMValueRef from = phi ? pk_incoming(k, &e, phi) : v;
        const struct pk_addresses a = from ? pk_address(k, e.from, from) : nowhere(k);
        if (n == 1) return a;
        put(k, &l, a, e.taken);
    }
    if (l.n == 1) l.of[0].condition = pf_bool(&k->s, true);
    return done(k, &l);
}

/** The pointer less the GEPs of the loop that advance it, or NULL. */
static bool advances(LLVMValueRef next, LLVMValueRef phi)
{
    for (unsigned n = 0; n < 16 && LLVMIsAInstruction(next); n++) {
        if (next == phi) return true;
        if (!LLVMIsAGetElementPtrInst(next)) return false;
        next = LLVMGetOperand(next, 0);
    }
    return false;
}

/** A pointer at the header of a cut loop: init + k · step if one GEP with a constant advances it.
 */
static struct pk_addresses loop_pointer(struct pk *k, unsigned node, LLVMValueRef phi)
{
    const struct rg_fn *f = &k->f;
    const unsigned header = k->nodes.data[node].block;
    const struct rg_loop *l = &f->loops[f->blocks[header].loop];
    LLVMValueRef init = pk_loop_start(k, phi, header), next = NULL;
    if (!init || init == phi) return nowhere(k);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        const int from = rg_incoming_block(f, phi, i);
        if (from >= 0 && rg_in_loop(l, (unsigned)from)) next = LLVMGetIncomingValue(phi, i);
    }
    struct pf_space *s = &k->s;
    const struct pk_addresses at = pk_address(k, node, init);
    int64_t step;
    if (next == phi) return at;
    if (!next || !advances(next, phi)) return nowhere(k);
    if (LLVMGetOperand(next, 0) == phi && l_gep_offset(k->m, next, &step))
        return moved(k, at, pf_scale(s, pk_iterations(k, node), step));
    const pf by = pk_new_symbol(
        k, 64,
        (struct pk_symbol){
            .kind = PK_UNKNOWN, .node = node, .value = phi, .is_uniform = !rg_is_divergent(f, phi)},
        0, UINT64_MAX);
    return moved(k, at, by);
}

static struct pk_addresses of_instruction(struct pk *k, unsigned node, LLVMValueRef p)
{
    struct pf_space *s = &k->s;
    switch (LLVMGetInstructionOpcode(p)) {
    case LLVMGetElementPtr:
        if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind) return nowhere(k);
        return moved_by(k, node, p);
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMAddrSpaceCast: return pk_address(k, node, LLVMGetOperand(p, 0));
    case LLVMAlloca: {
        uint64_t n = 1;
        LLVMValueRef count = LLVMGetOperand(p, 0);
        if (!LLVMIsAConstantInt(count)) return nowhere(k);
        n = LLVMConstIntGetZExtValue(count);
        return one(k,
                   base_of(k, (struct pk_base){.kind = PK_PRIVATE,
                                               .value = p,
                                               .size = n * l_size(k->m, LLVMGetAllocatedType(p))}),
                   pf_const(s, 64, 0));
    }
    case LLVMSelect: {
        struct list l = {0};
        LLVMValueRef c = LLVMGetOperand(p, 0);
        if (pk_bits(c) != 1) return nowhere(k);
        const pf cond = pk_value(k, node, c);
        put(k, &l, pk_address(k, node, LLVMGetOperand(p, 2)), pf_not(s, cond));
        put(k, &l, pk_address(k, node, LLVMGetOperand(p, 1)), cond);
        if (l.n == 1) l.of[0].condition = pf_bool(s, true);
        return done(k, &l);
    }
    case LLVMPHI:
        if (pk_is_cut_header(k, node)) return loop_pointer(k, node, p);
        return over_edges(k, node, p, NULL);
    case LLVMCall: { // of a pixel
        unsigned arg;
        const pf pixel = pk_pixel(k, node, p, &arg);
        if (!pixel) return nowhere(k);
        const struct pk_base image = {
            .kind = PK_IMAGE, .value = LLVMGetParam(k->fn, arg), .arg = arg};
        return one(k, base_of(k, image), pixel);
    }
    default: return nowhere(k);
    }
}

static struct pk_addresses find(struct pk *k, unsigned node, LLVMValueRef p)
{
    if (LLVMIsAArgument(p)) return argument(k, p);
    if (LLVMIsAGlobalVariable(p)) return variable(k, p);
    if (LLVMIsAConstantPointerNull(p))
        return one(k, base_of(k, (struct pk_base){.kind = PK_NULL}), pf_const(&k->s, 64, 0));
    if (LLVMIsAConstantExpr(p)) {
        LLVMValueRef g;
        int64_t at;
        if (!l_const_address(k->m, p, &g, &at) || !LLVMIsAGlobalVariable(g)) return nowhere(k);
        return moved(k, variable(k, g), pf_const(&k->s, 64, (uint64_t)at));
    }
    if (!LLVMIsAInstruction(p)) return nowhere(k);
    const int b = rg_block_of(&k->f, p);
    if (b >= 0 && (unsigned)b == k->nodes.data[node].block) return of_instruction(k, node, p);
    return over_edges(k, node, NULL, p);
}

struct pk_addresses pk_address(struct pk *k, unsigned node, LLVMValueRef p)
{
    const uint64_t both[] = {node, (uint64_t)(uintptr_t)p};
    const uint64_t key = hash_bytes(both, sizeof both, 13);
    const uint64_t *known = map_get(&k->pointers, key);
    if (known) return *(struct pk_addresses *)(uintptr_t)*known;
    struct pk_addresses *a = arena_new(k->arena, struct pk_addresses);
    *a = find(k, node, p);
    *map_put(&k->pointers, key, NULL) = (uintptr_t)a;
    return *a;
}
