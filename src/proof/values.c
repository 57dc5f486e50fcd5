// SPDX-License-Identifier: MIT
// Values of the program as formulas. A value that a node does not compute itself comes from the
// nodes before it, as in the construction of SSA form by Braun et al., "Simple and efficient
// construction of static single assignment form" (CC 2013); where paths meet, the edge that the
// work-item took chooses. An instruction that is not understood is a symbol that may have any
// value.
#include "proof/kernel.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <string.h>

static uint64_t key_of(unsigned node, LLVMValueRef v)
{
    const uint64_t both[] = {node, (uint64_t)(uintptr_t)v};
    return hash_bytes(both, sizeof both, 11);
}

static uint64_t all_bits(unsigned width) { return width == 64 ? UINT64_MAX : (1ull << width) - 1; }

static pf unknown(struct pk *k, unsigned node, LLVMValueRef v, enum pk_symbol_kind kind,
                  bool is_uniform)
{
    const unsigned w = pk_bits(v);
    return pk_new_symbol(
        k, w, (struct pk_symbol){.kind = kind, .node = node, .value = v, .is_uniform = is_uniform},
        0, all_bits(w));
}

static bool is_uniform(const struct pk *k, LLVMValueRef v) { return !rg_is_divergent(&k->f, v); }

static pf argument(struct pk *k, LLVMValueRef v)
{
    const unsigned w = pk_bits(v);
    for (unsigned i = 0; i < k->q->nargs; i++) {
        if (LLVMGetParam(k->fn, i) != v) continue;
        const struct proof_arg *a = &k->q->args[i];
        const struct pk_symbol about = {
            .kind = PK_ARGUMENT, .index = i, .value = v, .is_uniform = true};
        if (a->kind == PROOF_VALUE && a->size * 8 == w) {
            uint64_t bits = 0;
            memcpy(&bits, a->bytes, a->size);
            return pf_const(&k->s, w, bits);
        }
        if (a->kind == PROOF_RANGE && w > 1) {
            const uint64_t number = k->symbols.len;
            vec_push(&k->symbols, about);
            const int64_t most = (int64_t)(all_bits(w) >> 1);
            if (a->lo <= a->hi && a->lo >= -most - 1 && a->hi <= most)
                return pf_signed_symbol(&k->s, w, number * 4, a->lo, a->hi);
            if (a->lo <= a->hi && a->lo >= 0 && (uint64_t)a->hi <= all_bits(w))
                return pf_symbol(&k->s, w, number * 4, (uint64_t)a->lo, (uint64_t)a->hi);
            return pf_symbol(&k->s, w, number * 4, 0, all_bits(w));
        }
        return pk_new_symbol(k, w, about, 0, all_bits(w));
    }
    return unknown(k, 0, v, PK_UNKNOWN, true);
}

static pf compare(struct pk *k, unsigned node, LLVMValueRef v)
{
    pf a = pk_value(k, node, LLVMGetOperand(v, 0)), b = pk_value(k, node, LLVMGetOperand(v, 1));
    struct pf_space *s = &k->s;
    switch (LLVMGetICmpPredicate(v)) {
    case LLVMIntEQ: return pf_eq(s, a, b);
    case LLVMIntNE: return pf_not(s, pf_eq(s, a, b));
    case LLVMIntULT: return pf_ult(s, a, b);
    case LLVMIntUGT: return pf_ult(s, b, a);
    case LLVMIntULE: return pf_not(s, pf_ult(s, b, a));
    case LLVMIntUGE: return pf_not(s, pf_ult(s, a, b));
    case LLVMIntSLT: return pf_slt(s, a, b);
    case LLVMIntSGT: return pf_slt(s, b, a);
    case LLVMIntSLE: return pf_not(s, pf_slt(s, b, a));
    case LLVMIntSGE: return pf_not(s, pf_slt(s, a, b));
    default: return unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
    }
}

static pf arithmetic(struct pk *k, unsigned node, LLVMValueRef v, enum pf_op op)
{
    pf a = pk_value(k, node, LLVMGetOperand(v, 0)), b = pk_value(k, node, LLVMGetOperand(v, 1));
    const bool shifts = op == PF_SHL || op == PF_LSHR || op == PF_ASHR;
    // too large a count: any result
    if (shifts && pf_get(&k->s, b)->uhi >= pf_width(&k->s, a))
        return unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
    return pf_binary(&k->s, op, a, b);
}

pf pk_dimension(struct pk *k, unsigned node, LLVMValueRef call)
{
    LLVMValueRef d = LLVMGetNumArgOperands(call) == 1 ? LLVMGetOperand(call, 0) : NULL;
    return d && pk_bits(d) ? pk_value(k, node, d) : PF_NONE;
}

/** The value of a call of a function that only computes. */
static pf call(struct pk *k, unsigned node, LLVMValueRef v)
{
    struct pf_space *s = &k->s;
    char name[64];
    rg_callee_base_name(v, name, sizeof name);
    if (str_starts(name, PK_UNDEFINED_VALUE)) return unknown(k, node, v, PK_UNDEFINED, false);
    const pf id = pk_work_item(k, v, name, pk_dimension(k, node, v));
    if (id) return id;
    const pf size = pk_image_size(k, v, name);
    if (size) return size;
    const unsigned n = LLVMGetNumArgOperands(v), w = pk_bits(v);
    bool whole = n >= 1 && n <= 3;
    for (unsigned i = 0; i < n; i++) whole &= pk_bits(LLVMGetOperand(v, i)) == w;
    LLVMValueRef callee = l_callee(v);
    const char *symbol = callee ? l_name(callee) : "";
    const size_t len = strlen(symbol);
    const char type = len ? symbol[len - 1] : 0; // of the last argument, mangled
    const bool is_unsigned = type == 'j' || type == 'm' || type == 'h' || type == 't';
    if (whole && n == 2 && (!strcmp(name, "min") || !strcmp(name, "max"))) {
        // max(int, int): _Z3maxii; a substitution S_ stands for no scalar type
        pf a = pk_value(k, node, LLVMGetOperand(v, 0)), b = pk_value(k, node, LLVMGetOperand(v, 1));
        if (strchr("ijlmhtcas", type)) {
            const pf less = is_unsigned ? pf_ult(s, a, b) : pf_slt(s, a, b);
            return strcmp(name, "min") ? pf_ite(s, less, b, a) : pf_ite(s, less, a, b);
        }
    }
    if (callee && whole && n == 2) {
        pf a = pk_value(k, node, LLVMGetOperand(v, 0)), b = pk_value(k, node, LLVMGetOperand(v, 1));
        if (l_is_intrinsic(callee, "smax")) return pf_ite(s, pf_slt(s, a, b), b, a);
        if (l_is_intrinsic(callee, "smin")) return pf_ite(s, pf_slt(s, a, b), a, b);
        if (l_is_intrinsic(callee, "umax")) return pf_ite(s, pf_ult(s, a, b), b, a);
        if (l_is_intrinsic(callee, "umin")) return pf_ite(s, pf_ult(s, a, b), a, b);
    }
    return unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
}

static pf loaded(struct pk *k, unsigned node, LLVMValueRef v)
{
    const unsigned w = pk_bits(v),
                   space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
    const bool shared = is_uniform(k, v) && !LLVMGetVolatile(v);
    const struct pk_symbol about = {.kind = PK_LOADED,
                                    .node = node,
                                    .value = v,
                                    .is_uniform = shared,
                                    .space = space == 2 ? 0 : space};
    const pf element = pk_table_value(k, pk_address(k, node, LLVMGetOperand(v, 0)), v, about);
    return element ? element : pk_new_symbol(k, w, about, 0, all_bits(w));
}

static pf over_edges(struct pk *k, unsigned node, LLVMValueRef phi, LLVMValueRef v)
{
    const struct pk_node *n = &k->nodes.data[node];
    pf r = PF_NONE;
    const unsigned w = pk_bits(phi ? phi : v);
    for (size_t i = n->in.len; i-- > 0;) {
        const struct pk_edge e = k->edges.data[k->nodes.data[node].in.data[i]];
        LLVMValueRef from = phi ? pk_incoming(k, &e, phi) : v;
        const pf x = from ? pk_value(k, e.from, from) : unknown(k, node, phi, PK_UNKNOWN, false);
        r = r ? pf_ite(&k->s, e.taken, x, r) : x;
    }
    // (no way leads here from the instruction: the node is not reached)
    return r ? r
             : pk_new_symbol(k, w, (struct pk_symbol){.kind = PK_UNKNOWN, .node = node}, 0,
                             all_bits(w));
}

enum pf_op pk_operation(LLVMOpcode op)
{
    switch (op) {
    case LLVMUDiv: return PF_UDIV;
    case LLVMSDiv: return PF_SDIV;
    case LLVMURem: return PF_UREM;
    case LLVMSRem: return PF_SREM;
    case LLVMShl: return PF_SHL;
    case LLVMLShr: return PF_LSHR;
    case LLVMAShr: return PF_ASHR;
    case LLVMAnd: return PF_AND;
    case LLVMOr: return PF_OR;
    case LLVMXor: return PF_XOR;
    default: return PF_CONST; // none of these
    }
}

static pf compute(struct pk *k, unsigned node, LLVMValueRef v)
{
    struct pf_space *s = &k->s;
    const unsigned w = pk_bits(v);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (pk_operation(op) != PF_CONST) return arithmetic(k, node, v, pk_operation(op));
    LLVMValueRef x = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    switch (op) {
    case LLVMAdd: return pf_add(s, pk_value(k, node, x), pk_value(k, node, LLVMGetOperand(v, 1)));
    case LLVMSub: return pf_sub(s, pk_value(k, node, x), pk_value(k, node, LLVMGetOperand(v, 1)));
    case LLVMMul:
        return pk_product(k, pk_value(k, node, x), pk_value(k, node, LLVMGetOperand(v, 1)));
    case LLVMICmp:
        if (pk_bits(x)) return compare(k, node, v);
        break;
    case LLVMZExt:
        return pk_bits(x) ? pf_zext(s, pk_value(k, node, x), w)
                          : unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
    case LLVMSExt:
        return pk_bits(x) ? pf_sext(s, pk_value(k, node, x), w)
                          : unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
    case LLVMTrunc:
        return pk_bits(x) ? pf_trunc(s, pk_value(k, node, x), w)
                          : unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
    case LLVMFreeze: return pk_value(k, node, x);
    case LLVMSelect:
        if (pk_bits(x) != 1) break;
        return pf_ite(s, pk_value(k, node, x), pk_value(k, node, LLVMGetOperand(v, 1)),
                      pk_value(k, node, LLVMGetOperand(v, 2)));
    case LLVMPHI:
        if (pk_is_cut_header(k, node)) return pk_loop_phi(k, node, v);
        return over_edges(k, node, v, NULL);
    case LLVMCall: return call(k, node, v);
    case LLVMExtractElement: {
        const pf component = pk_extracted(k, node, v);
        if (component) return component;
        break;
    }
    case LLVMLoad: return loaded(k, node, v);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return unknown(k, node, v, PK_UNKNOWN, false);
    default: break;
    }
    return unknown(k, node, v, PK_UNKNOWN, is_uniform(k, v));
}

pf pk_value(struct pk *k, unsigned node, LLVMValueRef v)
{
    if (LLVMIsAConstantInt(v)) return pf_const(&k->s, pk_bits(v), LLVMConstIntGetZExtValue(v));
    if (l_is_undef(v)) return unknown(k, node, v, PK_UNDEFINED, false); // each use is another value
    const bool is_insn = LLVMIsAInstruction(v);
    const uint64_t key = key_of(is_insn ? node : 0, v);
    const uint64_t *known = map_get(&k->values, key);
    if (known) return (pf)*known;
    pf r;
    if (LLVMIsAArgument(v)) {
        r = argument(k, v);
    } else if (!is_insn) { // a constant expression: an address as a number
        r = unknown(k, 0, v, PK_UNKNOWN, false);
    } else {
        const int b = rg_block_of(&k->f, v);
        if (b >= 0 && (unsigned)b == k->nodes.data[node].block) r = compute(k, node, v);
        else r = over_edges(k, node, NULL, v);
    }
    *map_put(&k->values, key, NULL) = r;
    return r;
}

pf pk_edge_condition(struct pk *k, unsigned node, unsigned slot)
{
    struct pf_space *s = &k->s;
    LLVMValueRef stop = k->f.blocks[k->nodes.data[node].block].stop;
    if (LLVMIsABranchInst(stop) && LLVMIsConditional(stop)) {
        const pf c = pk_value(k, node, LLVMGetCondition(stop));
        return slot == 0 ? c : pf_not(s, c);
    }
    if (!LLVMIsASwitchInst(stop)) return pf_bool(s, true);
    const unsigned n = LLVMGetNumSuccessors(stop);
    LLVMValueRef on = LLVMGetOperand(stop, 0);
    if (!pk_bits(on)) return unknown(k, node, on, PK_UNKNOWN, false);
    const pf x = pk_value(k, node, on);
    if (slot) return pf_eq(s, x, pk_value(k, node, l_case_value(stop, slot)));
    pf none = pf_bool(s, true);
    for (unsigned i = 1; i < n; i++)
        none = pf_and(s, none, pf_not(s, pf_eq(s, x, pk_value(k, node, l_case_value(stop, i)))));
    return none;
}
