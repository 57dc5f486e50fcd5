// SPDX-License-Identifier: MIT
// Components of integer vectors: coordinates of images, and indices kept in an int2.
#include "proof/kernel.h"

#include "llvm/ir.h"

static unsigned element_bits(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return 0;
    LLVMTypeRef e = LLVMGetElementType(t);
    const unsigned w = LLVMGetTypeKind(e) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(e) : 0;
    return w <= 64 ? w : 0;
}

static pf any(struct pk *k, unsigned node, LLVMValueRef v, enum pk_symbol_kind kind)
{
    const unsigned w = element_bits(v);
    const struct pk_symbol about = {.kind = kind,
                                    .node = node,
                                    .value = v,
                                    .is_uniform = kind != PK_UNDEFINED &&
                                                  !rg_is_divergent(&k->f, v)};
    return pk_new_symbol(k, w, about, 0, w == 64 ? UINT64_MAX : (1ull << w) - 1);
}

/** By the edges to the node, as in values.c: of a phi, or of a value of an earlier node. */
static pf over_edges(struct pk *k, unsigned node, LLVMValueRef phi, LLVMValueRef v, unsigned i)
{
    pf r = PF_NONE;
    for (size_t n = k->nodes.data[node].in.len; n-- > 0;) {
        const struct pk_edge e = k->edges.data[k->nodes.data[node].in.data[n]];
        LLVMValueRef from = phi ? pk_incoming(k, &e, phi) : v;
        const pf x = from ? pk_component(k, e.from, from, i) : any(k, node, phi, PK_UNKNOWN);
        r = r ? pf_ite(&k->s, e.taken, x, r) : x;
    }
    return r ? r : any(k, node, phi ? phi : v, PK_UNKNOWN);
}

static pf shuffled(struct pk *k, unsigned node, LLVMValueRef v, unsigned i)
{
    const int from = LLVMGetMaskValue(v, i);
    LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
    const int n = (int)LLVMGetVectorSize(LLVMTypeOf(a));
    if (from < 0) return any(k, node, v, PK_UNDEFINED);
    return from < n ? pk_component(k, node, a, (unsigned)from)
                    : pk_component(k, node, b, (unsigned)(from - n));
}

static pf compute(struct pk *k, unsigned node, LLVMValueRef v, unsigned i)
{
    struct pf_space *s = &k->s;
    LLVMValueRef x = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL,
                 y = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    const unsigned w = element_bits(v);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMInsertElement: {
        LLVMValueRef at = LLVMGetOperand(v, 2);
        if (!LLVMIsAConstantInt(at)) return any(k, node, v, PK_UNKNOWN);
        return LLVMConstIntGetZExtValue(at) == i ? pk_value(k, node, y)
                                                 : pk_component(k, node, x, i);
    }
    case LLVMShuffleVector: return shuffled(k, node, v, i);
    case LLVMAdd: return pf_add(s, pk_component(k, node, x, i), pk_component(k, node, y, i));
    case LLVMSub: return pf_sub(s, pk_component(k, node, x, i), pk_component(k, node, y, i));
    case LLVMMul: return pf_mul(s, pk_component(k, node, x, i), pk_component(k, node, y, i));
    case LLVMAnd:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return pf_binary(s, pk_operation(LLVMGetInstructionOpcode(v)), pk_component(k, node, x, i),
                         pk_component(k, node, y, i));
    case LLVMTrunc:
        return element_bits(x) ? pf_trunc(s, pk_component(k, node, x, i), w)
                               : any(k, node, v, PK_UNKNOWN);
    case LLVMZExt:
        return element_bits(x) ? pf_zext(s, pk_component(k, node, x, i), w)
                               : any(k, node, v, PK_UNKNOWN);
    case LLVMSExt:
        return element_bits(x) ? pf_sext(s, pk_component(k, node, x, i), w)
                               : any(k, node, v, PK_UNKNOWN);
    case LLVMPHI:
        if (pk_is_cut_header(k, node)) break;
        return over_edges(k, node, v, NULL, i);
    case LLVMCall: {
        const pf size = pk_image_dim(k, v, i);
        if (size) return size;
        break;
    }
    default: break;
    }
    return any(k, node, v, PK_UNKNOWN);
}

pf pk_component(struct pk *k, unsigned node, LLVMValueRef v, unsigned i)
{
    const bool is_insn = LLVMIsAInstruction(v);
    const uint64_t parts[] = {is_insn ? node : 0, (uint64_t)(uintptr_t)v, i};
    const uint64_t key = hash_bytes(parts, sizeof parts, 17);
    if (l_is_undef(v)) return any(k, node, v, PK_UNDEFINED); // each use is another value
    const uint64_t *known = map_get(&k->values, key);
    if (known) return (pf)*known;
    LLVMValueRef constant = LLVMIsAConstant(v) ? LLVMGetAggregateElement(v, i) : NULL;
    pf r;
    if (constant) {
        r = pk_bits(constant) ? pk_value(k, node, constant) : any(k, node, v, PK_UNKNOWN);
    } else if (!is_insn) {
        r = any(k, node, v, PK_UNKNOWN);
    } else {
        const int b = rg_block_of(&k->f, v);
        const bool is_here = b >= 0 && (unsigned)b == k->nodes.data[node].block;
        r = is_here ? compute(k, node, v, i) : over_edges(k, node, NULL, v, i);
    }
    *map_put(&k->values, key, NULL) = r;
    return r;
}

pf pk_extracted(struct pk *k, unsigned node, LLVMValueRef extract)
{
    LLVMValueRef v = LLVMGetOperand(extract, 0), at = LLVMGetOperand(extract, 1);
    if (!element_bits(v) || !LLVMIsAConstantInt(at)) return PF_NONE;
    const uint64_t i = LLVMConstIntGetZExtValue(at);
    return i < LLVMGetVectorSize(LLVMTypeOf(v)) ? pk_component(k, node, v, (unsigned)i) : PF_NONE;
}
