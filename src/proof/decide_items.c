// SPDX-License-Identifier: MIT
// What concerns one work-item: accesses inside their objects, aligned and allowed; divisors that
// are not 0; indices inside their arrays. An arbitrary work-item in an arbitrary state.
#include "proof/kernel.h"

#include "llvm/ir.h"

static bool is_open(const struct pk *k, enum proof_property p)
{
    return pk_is_wanted(k, p) && k->out->of[p].result == PROOF_PROVED;
}

/** The condition never holds, or the property is not proved. */
static void never(struct pk *k, enum proof_property p, pf condition, LLVMValueRef at,
                  const char *reason, const char *object)
{
    if (!is_open(k, p)) return;
    if (object) reason = arena_printf(k->arena, "%s '%s'", reason, object);
    switch (pk_solve(k, pf_and(&k->s, condition, pk_ids_hold(k)))) {
    case PK_NEVER: return;
    case PK_POSSIBLE: pk_candidate(k, p, (struct pk_sites){.at = at}, reason); return;
    default:
        pk_unknown(k, p, (struct pk_sites){.at = at},
                   pk_is_late(k) ? "more time (--seconds)"
                                 : "a value or a range for the scalar arguments",
                   "%s: not decided", reason);
    }
}

static unsigned alignment_of(const struct pk_base *b)
{
    return b->kind == PK_BUFFER || LLVMIsAArgument(b->value) ? 128 : LLVMGetAlignment(b->value);
}

/** Whether `size` bytes at the offset are not all inside the object. */
static pf is_outside(struct pk *k, const struct pk_base *b, pf offset, uint64_t size)
{
    struct pf_space *s = &k->s;
    const struct proof_arg *a = b->kind == PK_BUFFER ? &k->q->args[b->arg] : NULL;
    if (!a || !a->unit)
        return b->size < size ? pf_bool(s, true)
                              : pf_ult(s, pf_const(s, 64, b->size - size), offset);
    pf count = pf_const(s, 64, 1);
    for (unsigned d = 0; d < 3 && !a->size_of; d++) count = pf_mul(s, count, pk_global_size(k, d));
    if (a->size_of) count = pf_zext(s, pk_value(k, 0, LLVMGetParam(k->fn, a->size_of - 1)), 64);
    const pf bytes = pf_scale(s, count, (int64_t)a->unit), needed = pf_const(s, 64, size);
    return pf_or(s, pf_ult(s, bytes, needed), pf_ult(s, pf_sub(s, bytes, needed), offset));
}

static void in_bounds(struct pk *k, const struct pk_access *a, const struct pk_address *at)
{
    struct pf_space *s = &k->s;
    const struct pk_base *b = &k->bases.data[at->base];
    const pf here = pf_and(s, k->nodes.data[a->node].reached, at->condition);
    const bool is_checked = k->q->checks & PROOF_CHECK_BOUNDS;
    if (b->kind == PK_NOWHERE) {
        pk_unknown(k, PROOF_BOUNDS, (struct pk_sites){.at = a->insn}, PK_HELP_POINTER,
                   "it is not known which object this pointer points to");
        return;
    }
    if (b->kind == PK_IMAGE) {
        const pf outside = pk_outside_image(k, a->node, a->insn);
        if (outside)
            never(k, PROOF_BOUNDS, pf_and(s, here, outside), a->insn,
                  "this access may be outside of", pk_name_of(k, at->base));
        else
            pk_unknown(k, PROOF_BOUNDS, (struct pk_sites){.at = a->insn}, NULL,
                       "the coordinates of this access are not known");
        return;
    }
    if (b->kind == PK_NULL) {
        never(k, PROOF_BOUNDS, here, a->insn, "this pointer may be null", NULL);
        return;
    }
    const unsigned own = LLVMGetPointerAddressSpace(LLVMTypeOf(b->value));
    if (a->space != own && a->space != 4)
        pk_unknown(k, PROOF_BOUNDS, (struct pk_sites){.at = a->insn}, NULL,
                   "this pointer is of another address space than '%s'", pk_name_of(k, at->base));
    const char *name = pk_name_of(k, at->base);
    const bool read_only =
        b->kind == PK_CONST || (b->kind == PK_BUFFER && k->q->args[b->arg].read_only) ||
        (b->kind == PK_BUFFER && LLVMGetPointerAddressSpace(LLVMTypeOf(b->value)) == 2);
    if (a->write && read_only)
        never(k, PROOF_BOUNDS, here, a->insn, "this may write to read-only memory", name);
    if ((!a->write || a->atomic) && b->kind == PK_BUFFER && k->q->args[b->arg].write_only &&
        is_open(k, PROOF_OTHER))
        never(k, PROOF_OTHER, here, a->insn, "this may read a write-only buffer", name);
    if (is_checked) return;
    never(k, PROOF_BOUNDS,
          pf_and(s, here, pf_or(s, is_outside(k, b, at->offset, a->size), at->far)), a->insn,
          "this access may be outside of", name);
    if (a->align <= 1) return;
    if (alignment_of(b) < a->align) {
        pk_unknown(k, PROOF_BOUNDS, (struct pk_sites){.at = a->insn}, NULL,
                   "'%s' is aligned to fewer bytes than this access needs", name);
        return;
    }
    const uint64_t start = b->kind == PK_BUFFER ? k->q->args[b->arg].start : 0;
    const pf address = pf_add(s, at->offset, pf_const(s, 64, start));
    unsigned bits = 0;
    while (1u << bits < a->align) bits++;
    const pf low = pf_trunc(s, address, bits); // multiples of the alignment vanish
    never(k, PROOF_BOUNDS, pf_and(s, here, pf_not(s, pf_eq(s, low, pf_const(s, bits, 0)))), a->insn,
          "this access may be misaligned in", name);
}

/** An index of an array inside of an object, which may leave the array but not the object. */
static void in_array(struct pk *k, unsigned node, LLVMValueRef insn, LLVMValueRef p)
{
    struct pf_space *s = &k->s;
    while (LLVMIsAInstruction(p) && LLVMIsAGetElementPtrInst(p)) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
        for (int i = 2; i < LLVMGetNumOperands(p); i++) {
            LLVMValueRef index = LLVMGetOperand(p, (unsigned)i);
            if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
                t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index));
                continue;
            }
            const bool is_array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
            const uint64_t n = is_array ? LLVMGetArrayLength2(t) : 0;
            t = LLVMGetElementType(t);
            if (n && k->q->checks & PROOF_CHECK_BOUNDS) continue;
            if (!pk_bits(index) || !n) {
                pk_obstruct(k, PROOF_OTHER, "an index of a vector is not proved", insn);
                continue;
            }
            const pf x = pf_sext(s, pk_value(k, node, index), 64);
            const pf beyond = pf_not(s, pf_ult(s, x, pf_const(s, 64, n)));
            if (is_open(k, PROOF_OTHER))
                never(k, PROOF_OTHER, pf_and(s, k->nodes.data[node].reached, beyond), insn,
                      "this index may be outside of its array", NULL);
        }
        p = LLVMGetOperand(p, 0);
    }
}

static void division(struct pk *k, unsigned node, LLVMValueRef i)
{
    struct pf_space *s = &k->s;
    LLVMValueRef by = LLVMGetOperand(i, 1);
    if (!pk_bits(by)) {
        bool constant = LLVMIsAConstant(by);
        for (unsigned e = 0; constant && e < LLVMGetVectorSize(LLVMTypeOf(by)); e++) {
            LLVMValueRef x = LLVMGetAggregateElement(by, e);
            constant = x && LLVMIsAConstantInt(x) && !LLVMIsNull(x);
        }
        if (!constant)
            pk_unknown(k, PROOF_DIVISIONS, (struct pk_sites){.at = i}, NULL,
                       "a division of vectors is not proved");
        return;
    }
    const unsigned w = pk_bits(by);
    const pf y = pk_value(k, node, by);
    pf bad = pf_eq(s, y, pf_const(s, w, 0));
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMSDiv || op == LLVMSRem) { // the smallest number divided by -1 overflows
        const pf x = pk_value(k, node, LLVMGetOperand(i, 0));
        bad = pf_or(s, bad,
                    pf_and(s, pf_eq(s, y, pf_const(s, w, UINT64_MAX)),
                           pf_eq(s, x, pf_const(s, w, 1ull << (w - 1)))));
    }
    never(k, PROOF_DIVISIONS, pf_and(s, k->nodes.data[node].reached, bad), i,
          "this may divide by zero, or overflow", NULL);
}

void pk_decide_items(struct pk *k)
{
    for (unsigned i = 0; i < k->accesses.len; i++) {
        const struct pk_access *a = &k->accesses.data[i];
        if (k->nodes.data[a->node].is_extra) continue;
        const struct pk_addresses at = pk_address(k, a->node, a->pointer);
        for (unsigned j = 0; j < at.n && (is_open(k, PROOF_BOUNDS) || is_open(k, PROOF_OTHER)); j++)
            in_bounds(k, a, &at.of[j]);
        if (is_open(k, PROOF_OTHER)) in_array(k, a->node, a->insn, a->pointer);
    }
    for (unsigned n = 0; n < k->nodes.len; n++) {
        const struct rg_block *b = &k->f.blocks[k->nodes.data[n].block];
        if (k->nodes.data[n].is_extra || pf_is_false(&k->s, k->nodes.data[n].reached)) continue;
        for (LLVMValueRef i = b->first; i && i != b->stop; i = LLVMGetNextInstruction(i))
            if (pk_is_division(i) && is_open(k, PROOF_DIVISIONS) &&
                !(k->q->checks & PROOF_CHECK_DIVISIONS))
                division(k, n, i);
    }
}
