// SPDX-License-Identifier: MIT
// Invariants of cut loops, inferred as in Flanagan, Leino, "Houdini, an annotation assistant for
// ESC/Java" (FME 2001). Candidates compare a value that has no closed form (loop_phi.c) with 0,
// with the values on entry to the loop, with other phis of its header, and with what the loop
// compares it with or reduces it by. All are assumed at the headers, those that the solver refutes
// are dropped, and this is repeated until none is: the rest holds by induction over the steps of a
// work-item. Values from memory are arbitrary, so other work-items do not matter.
#include "proof/loops.h"

#include "llvm/ir.h"

enum { MOST_CANDIDATES = 64, EFFORT = 300, UNBOUNDED_LOG = 62 };

typedef VEC(struct pk_invariant) invariants;

static LLVMValueRef phis_of(const struct pk *k, unsigned block)
{
    LLVMValueRef i = k->f.blocks[block].first;
    return i && LLVMIsAPHINode(i) ? i : NULL;
}

static LLVMValueRef next_phi(LLVMValueRef phi)
{
    LLVMValueRef i = LLVMGetNextInstruction(phi);
    return i && LLVMIsAPHINode(i) ? i : NULL;
}

/** Whether a formula says little about the phi: it has no form, or advances without a bound. */
static bool is_open(struct pk *k, unsigned node, LLVMValueRef phi)
{
    if (pk_bits(phi) < 8) return false;
    const enum pk_form form = pk_counter_of(k, k->nodes.data[node].block, phi).form;
    if (form == STAYS) return false;
    return form == NO_FORM || pf_get(&k->s, pk_iterations(k, node))->uhi >> UNBOUNDED_LOG;
}

/** Whether the value is a phi of the header, or computed before the loop. */
static bool is_known(const struct pk *k, unsigned header, LLVMValueRef v)
{
    if (l_is_undef(v) || !pk_bits(v)) return false;
    if (!LLVMIsAInstruction(v)) return LLVMIsAConstantInt(v) || LLVMIsAArgument(v);
    const int b = rg_block_of(&k->f, v);
    if (b < 0) return false;
    if (LLVMIsAPHINode(v) && (unsigned)b == header) return true;
    return !rg_in_loop(&k->f.loops[k->f.blocks[header].loop], (unsigned)b) &&
           rg_dominates(&k->f, (unsigned)b, header);
}

static void put(struct pk *k, invariants *out, LLVMValueRef phi, enum pk_relation relation,
                LLVMValueRef other)
{
    const unsigned header = (unsigned)rg_block_of(&k->f, phi);
    if (!other || other == phi || LLVMTypeOf(other) != LLVMTypeOf(phi) ||
        !is_known(k, header, other) || out->len >= MOST_CANDIDATES)
        return;
    for (size_t i = 0; i < out->len; i++)
        if (out->data[i].phi == phi && out->data[i].other == other &&
            out->data[i].relation == relation)
            return;
    vec_push(out, (struct pk_invariant){header, phi, other, relation});
}

static void put_all(struct pk *k, invariants *out, LLVMValueRef phi, LLVMValueRef other)
{
    for (int r = 0; r < PK_RELATIONS; r++) put(k, out, phi, (enum pk_relation)r, other);
}

/** What comparisons in the loop say about the value, which is the phi or shifted from it. */
static void put_comparisons(struct pk *k, invariants *out, LLVMValueRef phi, LLVMValueRef value)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsAICmpInst(i)) {
            const bool first = LLVMGetOperand(i, 0) == value;
            put_all(k, out, phi, LLVMGetOperand(i, first));
        } else if (value == phi && LLVMIsAInstruction(i) &&
                   LLVMGetInstructionOpcode(i) == LLVMAdd) {
            put_comparisons(k, out, phi, i);
        }
    }
}

/** (i + 1) % n, (i + 1) & mask; and what an inner loop that goes on with the value says. */
static void put_incoming(struct pk *k, invariants *out, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (!LLVMIsAInstruction(v)) continue;
        const LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (op == LLVMURem || op == LLVMSRem || op == LLVMAnd)
            put_all(k, out, phi, LLVMGetOperand(v, 1));
        if (op == LLVMPHI && v != phi) put_comparisons(k, out, phi, v);
    }
}

static void put_candidates(struct pk *k, unsigned node, invariants *out)
{
    const unsigned header = k->nodes.data[node].block;
    for (LLVMValueRef p = phis_of(k, header); p; p = next_phi(p)) {
        if (!is_open(k, node, p)) continue;
        put(k, out, p, PK_AT_LEAST, LLVMConstNull(LLVMTypeOf(p)));
        put_comparisons(k, out, p, p);
        put_incoming(k, out, p);
        for (LLVMValueRef q = phis_of(k, header); q; q = next_phi(q)) {
            LLVMValueRef start = pk_bits(q) ? pk_loop_start(k, q, header) : NULL;
            const LLVMValueRef others[] = {start, q};
            for (unsigned o = 0; o < 2; o++) {
                put(k, out, p, PK_AT_LEAST, others[o]);
                put(k, out, p, PK_AT_MOST, others[o]);
                put(k, out, p, PK_AT_MOST_UNSIGNED, others[o]);
            }
        }
    }
}

/** The candidates at all headers through which a work-item may have come to the node. */
static pf assumed(struct pk *k, unsigned node, const invariants *list)
{
    struct pf_space *s = &k->s;
    bool *before = pk_ancestors(k, node);
    pf all = pf_bool(s, true);
    for (unsigned h = 0; h < k->nodes.len; h++) {
        if ((!before[h] && h != node) || !pk_is_cut_header(k, h)) continue;
        const pf holds = pk_invariants_hold(k, h, list->data, list->len);
        all = pf_and(s, all, pf_or(s, pf_not(s, k->nodes.data[h].reached), holds));
    }
    free(before);
    return all;
}

/** The value that a phi of the header, or another value, has after leaving `from` for it. */
static pf arriving(struct pk *k, unsigned header_node, unsigned from, LLVMValueRef v)
{
    const unsigned header = k->nodes.data[header_node].block;
    const bool is_phi = LLVMIsAInstruction(v) && LLVMIsAPHINode(v) &&
                        rg_block_of(&k->f, v) == (int)header;
    if (!is_phi) return pk_value(k, header_node, v);
    LLVMBasicBlockRef bb = k->f.blocks[k->nodes.data[from].block].bb;
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
        if (LLVMGetIncomingBlock(v, i) == bb) return pk_value(k, from, LLVMGetIncomingValue(v, i));
    return PF_NONE;
}

/** Drops the candidates that may not hold when a work-item goes from a node to the header. */
static bool drop(struct pk *k, unsigned header_node, unsigned from, pf taken, invariants *list)
{
    struct pf_space *s = &k->s;
    const pf before = pf_and(s, pf_and(s, taken, assumed(k, from, list)), pk_ids_hold(k));
    size_t kept = 0;
    for (size_t i = 0; i < list->len; i++) {
        const struct pk_invariant v = list->data[i];
        bool holds = v.header != k->nodes.data[header_node].block;
        if (!holds) {
            const pf a = arriving(k, header_node, from, v.phi),
                     b = arriving(k, header_node, from, v.other);
            const pf wrong = a && b ? pf_not(s, pk_relate(k, v.relation, a, b)) : pf_bool(s, true);
            holds = pk_solve(k, pf_and(s, before, wrong)) == PK_NEVER;
        }
        if (holds) list->data[kept++] = v;
    }
    const bool some = kept < list->len;
    list->len = kept;
    return some;
}

/** Checks one copy of a header: on entry, and after each iteration. */
static bool check_header(struct pk *k, unsigned h, invariants *list)
{
    const unsigned header = k->nodes.data[h].block;
    bool some = false;
    const int loop = k->f.blocks[header].loop;
    // PK_SOME, an arbitrary iteration, covers later ones
    if (k->f.loops[loop].has_barrier && pk_label(k, h, loop) == PK_LATER) return false;
    for (size_t e = 0; e < k->nodes.data[h].in.len; e++) {
        const struct pk_edge x = k->edges.data[k->nodes.data[h].in.data[e]];
        some |= drop(k, h, x.from, x.taken, list);
    }
    for (unsigned m = 0; m < k->nodes.len; m++) {
        if (!pk_is_in_copy(k, m, h)) continue;
        const struct rg_block *b = &k->f.blocks[k->nodes.data[m].block];
        for (unsigned s = 0; s < b->nsucc; s++) {
            if (b->succ[s] != header) continue;
            const pf goes = b->end == RG_BRANCH && b->nsucc > 1 ? pk_edge_condition(k, m, s)
                                                                : pf_bool(&k->s, true);
            some |= drop(k, h, m, pf_and(&k->s, k->nodes.data[m].reached, goes), list);
        }
    }
    return some;
}

bool pk_infer_invariants(struct pk *k)
{
    invariants list = {0};
    const struct proof_question *q = k->q;
    struct proof_question cheap = *q;
    cheap.effort = EFFORT;
    k->q = &cheap;
    for (unsigned n = 0; n < k->nodes.len; n++)
        if (pk_is_cut_header(k, n)) put_candidates(k, n, &list);
    for (bool again = list.len; again && list.len;) {
        again = false;
        for (unsigned n = 0; n < k->nodes.len && list.len; n++)
            if (pk_is_cut_header(k, n)) again |= check_header(k, n, &list);
        if (pk_is_late(k)) vec_clear(&list); // not all were checked
    }
    k->q = q;
    for (size_t i = 0; i < list.len; i++) vec_push(&k->invariants, list.data[i]);
    vec_free(&list);
    return k->invariants.len > 0;
}
