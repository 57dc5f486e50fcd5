// SPDX-License-Identifier: MIT
// Widening of 32-bit indices, in the manner of induction-variable widening in LLVM's
// IndVarSimplify: rewrites them so that the vectorizer sees that neighboring work-items access
// neighboring elements.
//
// a[y * n + x] with int or uint has the index ext(P mod 2^32). As far as LLVM knows, P may wrap
// around between two work-items, so it emits a check at run time before every loop over work-items,
// and a slow version of the loop, which keeps no value in registers. But an access is inside its
// object, which is smaller than 2^31 bytes, so P is between 0 and 2^31. If P = U + c * l0, with the
// same U in a row of work-items and 0 <= c, U is not far below P. As a signed number it is then
// exactly P - c * l0, and for every executed access
//
//     ext(P mod 2^32) = sext(U mod 2^32) + c * l0
//
// (An index with a constant addend may be slightly below 0; the same holds.) P - U is computed with
// polynomials; U is P rebuilt with 0 for l0.
//
// A variable that the program increments in every iteration by a uniform step is first split into
// its initial value, which differs between work-items, and its progress, which is uniform.
#include "native/polynomial.h"
#include "native/transform.h"

#include "llvm/ir.h"

#include <string.h>

enum { DEEP = 16, MOST_STEP = 64 };

struct indices {
    struct nat_space s;
    LLVMBuilderRef b;
    unsigned done;
};

static LLVMValueRef at_first(struct indices *x, LLVMValueRef v, unsigned depth)
{
    LLVMValueRef o[3];
    unsigned dim;
    if (!LLVMIsAInstruction(v)) return v;
    const enum nat_id id = nat_id_of(v, &dim);
    if (id && dim == 0) {
        if (id == NAT_LOCAL_ID) return LLVMConstNull(LLVMTypeOf(v));
        LLVMValueRef args[] = {LLVMGetOperand(v, 0)};
        LLVMModuleRef m = x->s.m;
        LLVMTypeRef t = LLVMGlobalGetValueType(l_callee(v));
        LLVMValueRef fn = LLVMGetNamedFunction(m, "_Z12get_local_idj");
        if (!fn) fn = LLVMAddFunction(m, "_Z12get_local_idj", t);
        return LLVMBuildSub(x->b, v, LLVMBuildCall2(x->b, t, fn, args, 1, ""), "");
    }
    const int n = LLVMGetNumOperands(v);
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMOr:
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMAnd:
    case LLVMAShr: break;
    default: return v; // an atom of the polynomial
    }
    bool same = true;
    for (int k = 0; k < n; k++) {
        LLVMValueRef was = LLVMGetOperand(v, (unsigned)k);
        o[k] = depth ? at_first(x, was, depth - 1) : was;
        same &= o[k] == was;
    }
    if (same) return v;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (n == 1) return LLVMBuildCast(x->b, op, o[0], LLVMTypeOf(v), "");
    return LLVMBuildBinOp(x->b, op == LLVMOr && LLVMGetIsDisjoint(v) ? LLVMAdd : op, o[0], o[1],
                          "");
}

// The operand of an extension to 64 bits, or NULL.
static LLVMValueRef extended(LLVMValueRef i, LLVMTypeRef *type)
{
    if (!LLVMIsAInstruction(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 64)
        return NULL;
    LLVMValueRef from = LLVMGetOperand(i, 0);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
    case LLVMSExt: *type = LLVMTypeOf(from); return LLVMGetIntTypeWidth(*type) == 32 ? from : NULL;
    case LLVMAnd:
        *type = LLVMTypeOf(i);
        return LLVMIsAConstantInt(LLVMGetOperand(i, 1)) &&
                       LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) == 0xffffffff
                   ? from
                   : NULL;
    default: return NULL;
    }
}

// Whether the address is used only by loads and stores.
static bool only_accessed(LLVMValueRef gep, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(gep); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != gep)) continue;
        const bool further = LLVMIsAGetElementPtrInst(i) && depth && LLVMGetNumOperands(i) == 2 &&
                             LLVMIsAConstantInt(LLVMGetOperand(i, 1));
        if (!further || !only_accessed(i, depth - 1)) return false;
    }
    return true;
}

// Size in bytes of the accessed type.
static uint64_t accessed_size(struct indices *x, LLVMValueRef gep)
{
    for (LLVMUseRef u = LLVMGetFirstUse(gep); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i)) return l_size(x->s.m, LLVMTypeOf(i));
        if (LLVMIsAStoreInst(i)) return l_size(x->s.m, LLVMTypeOf(LLVMGetOperand(i, 0)));
    }
    return 0;
}

static void one(struct indices *x, LLVMValueRef gep, unsigned block)
{
    const struct rg_fn *f = x->s.f;
    const int scope = f->blocks[block].loop, n = LLVMGetNumOperands(gep);
    unsigned variable = 0;
    LLVMTypeRef type = NULL;
    for (int k = 1; k < n; k++) {
        if (LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)k))) continue;
        if (variable) return;
        variable = (unsigned)k;
    }
    LLVMValueRef index = variable ? LLVMGetOperand(gep, variable) : NULL,
                 inner = index ? extended(index, &type) : NULL;
    if (!inner || LLVMIsAGetElementPtrInst(LLVMGetOperand(gep, 0)) || !only_accessed(gep, 2))
        return;
    struct nat_polys p;
    nat_polys_init(&p, &x->s, scope);
    const struct nat_poly *id = p.ids[0], *here = nat_poly_of(&p, inner);
    p.ids[0] = nat_poly_number(&p, 0);
    const struct nat_poly *first = nat_poly_of(&p, inner);
    p.ids[0] = nat_poly_add(&p, id, nat_poly_number(&p, 1), 1);
    const struct nat_poly *next = nat_poly_of(&p, inner);
    int64_t step = 0, far = 0;
    // Linear: compare with the next work-item, and with l0 steps from the first.
    bool good = nat_poly_constant(nat_poly_add(&p, next, here, -1), &step) && step > 0 &&
                step <= MOST_STEP;
    if (good) {
        p.ids[0] = nat_poly_number(&p, 1000);
        good = nat_poly_constant(nat_poly_add(&p, nat_poly_of(&p, inner), first, -1), &far) &&
               far == 1000 * step;
    }
    // Elements with gaps are inserted into a vector one by one, so scalar code is better.
    const uint64_t size = good ? accessed_size(x, gep) : 0;
    good &= step == 1 || !size || size >= 4;
    LLVMContextRef c = LLVMGetModuleContext(x->s.m);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c), i32 = LLVMInt32TypeInContext(c);
    LLVMPositionBuilderBefore(x->b, gep);
    LLVMValueRef u = good ? at_first(x, inner, DEEP) : NULL;
    p.ids[0] = id;
    good = good && nat_poly_equal(nat_poly_of(&p, u), first); // verify the built value
    nat_polys_deinit(&p);
    if (!good) return;
    u = LLVMBuildSExt(x->b, type == i64 ? LLVMBuildTrunc(x->b, u, i32, "") : u, i64, "");
    LLVMValueRef fn = LLVMGetNamedFunction(x->s.m, "_Z12get_local_idj"),
                 zero = LLVMConstInt(i32, 0, false);
    LLVMTypeRef t = LLVMFunctionType(i64, &i32, 1, false);
    if (!fn) fn = LLVMAddFunction(x->s.m, "_Z12get_local_idj", t);
    LLVMValueRef l0 = LLVMBuildCall2(x->b, t, fn, &zero, 1, "");
    if (step != 1) l0 = LLVMBuildNUWMul(x->b, l0, LLVMConstInt(i64, (uint64_t)step, false), "");
    LLVMSetOperand(gep, variable, LLVMBuildNSWAdd(x->b, u, l0, ""));
    x->done++;
}

static bool asks_for_one(LLVMValueRef c, unsigned depth)
{
    if (!c || !LLVMIsAInstruction(c) || !depth) return false;
    if (LLVMIsAICmpInst(c)) return LLVMGetICmpPredicate(c) == LLVMIntEQ;
    const LLVMOpcode op = LLVMGetInstructionOpcode(c);
    return (op == LLVMAnd || op == LLVMSelect) && (asks_for_one(LLVMGetOperand(c, 0), depth - 1) ||
                                                   asks_for_one(LLVMGetOperand(c, 1), depth - 1));
}

// Whether single work-items of a row store. Rewritten indices would let LLVM vectorize these stores
// as scatters, which are slower than a branch that is seldom taken.
static bool has_single_stores(const struct rg_fn *f)
{
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (!f->divergent_branch[b] || f->blocks[b].nsucc < 2) continue;
        LLVMValueRef stop = f->blocks[b].stop,
                     c = LLVMIsABranchInst(stop) ? LLVMGetCondition(stop) : NULL;
        if (c ? !asks_for_one(c, 4) : !LLVMIsASwitchInst(stop)) continue;
        for (unsigned k = c ? 0 : 1; k < (c ? 1 : f->blocks[b].nsucc); k++) {
            const struct rg_block *to = &f->blocks[f->blocks[b].succ[k]];
            for (LLVMValueRef i = to->npred == 1 ? to->first : NULL; i && i != to->stop;
                 i = LLVMGetNextInstruction(i))
                if (LLVMIsAStoreInst(i)) return true;
        }
    }
    return false;
}

unsigned nat_straighten_indices(const struct rg_fn *f, const struct nat_shape *shape,
                                struct arena *a)
{
    struct indices x = {0};
    if (!shape->small || shape->local[0] == 1 || has_single_stores(f)) return 0;
    nat_space_init(&x.s, f, shape, a);
    x.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(x.s.m));
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAGetElementPtrInst(i)) one(&x, i, b);
    LLVMDisposeBuilder(x.b);
    nat_space_deinit(&x.s);
    return x.done;
}

static void split(LLVMBuilderRef b, LLVMValueRef phi, LLVMValueRef next)
{
    LLVMTypeRef t = LLVMTypeOf(phi);
    LLVMValueRef init = LLVMGetIncomingValue(phi, LLVMGetIncomingValue(phi, 0) == next);
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef far = LLVMBuildPhi(b, t, ""), zero = LLVMConstNull(t), at = phi;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, k), more = zero;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        if (in != init) {
            LLVMValueRef step = LLVMGetOperand(in, LLVMGetOperand(in, 0) == phi);
            LLVMPositionBuilderBefore(b, in);
            more = LLVMBuildAdd(b, far, step, "");
        }
        LLVMAddIncoming(far, &more, &from, 1);
    }
    while (LLVMIsAPHINode(at)) at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(b, at);
    LLVMReplaceAllUsesWith(phi, LLVMBuildAdd(b, init, far, ""));
    LLVMInstructionEraseFromParent(phi);
}

unsigned nat_split_steps(const struct rg_fn *f, const struct nat_shape *shape, struct arena *a)
{
    struct nat_space s;
    struct pair {
        LLVMValueRef phi, next; // (the initial value may be another such phi)
    };
    VEC(struct pair) found = {0};
    nat_space_init(&s, f, shape, a);
    for (unsigned l = 0; l < f->nloops; l++)
        for (LLVMValueRef i = f->blocks[f->loops[l].header].first; i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            struct pair p = {.phi = i};
            LLVMValueRef init;
            if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && rg_is_divergent(f, i) &&
                nat_is_stepped(&s, i, (int)l, &init)) {
                p.next = LLVMGetIncomingValue(i, LLVMGetIncomingValue(i, 0) == init);
                vec_push(&found, p);
            }
        }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(s.m));
    for (size_t k = 0; k < found.len; k++) split(b, found.data[k].phi, found.data[k].next);
    LLVMDisposeBuilder(b);
    const unsigned n = (unsigned)found.len;
    vec_free(&found);
    nat_space_deinit(&s);
    return n;
}
