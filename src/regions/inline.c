// SPDX-License-Identifier: MIT
// Inlines functions in which a work-item may have to wait for others: those with barriers (a region
// must see them) or reconvergence points of sub-groups, and those with a loop around an atomic or
// volatile access, also in a called function (a spin lock). All others stay calls. LLVM's
// always-inline pass does the inlining; it records where debug locations were inlined. Recursion,
// which OpenCL C does not have, is rejected.
#include "regions/regions.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

struct node {
    LLVMValueRef fn;
    int state; // 0 new, 1 on the path, 2 done
    bool waits;
};

struct walk {
    struct map of; // function → node + 1
    struct map shared;
    VEC(struct node) nodes;
    struct err *e;
};

// Is a shared access, or a call that leads to one, in a loop (a block that reaches itself)?
static bool may_spin(LLVMValueRef fn, struct map *shared)
{
    bool any = false, found = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b && !any; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !any; i = LLVMGetNextInstruction(i))
            any = rg_reaches_shared(i, shared);
    if (!any) return false;
    struct arena a = {0};
    struct rg_fn f;
    rg_cfg_build(&f, fn, &a);
    for (unsigned l = 0; l < f.nloops && !found; l++)
        for (unsigned b = f.loops[l].header; b <= f.loops[l].last && !found; b++)
            for (LLVMValueRef i = f.blocks[b].first; i && i != f.blocks[b].stop && !found;
                 i = LLVMGetNextInstruction(i))
                found = rg_reaches_shared(i, shared);
    found |= f.irreducible;
    rg_fn_deinit(&f);
    arena_deinit(&a);
    return found;
}

static bool visit(struct walk *w, LLVMValueRef fn)
{
    bool is_new;
    uint64_t *at = map_put_ptr(&w->of, fn, &is_new);
    if (is_new) {
        *at = w->nodes.len;
        vec_push(&w->nodes, (struct node){.fn = fn});
    }
    size_t me = *at;
    size_t len;
    if (w->nodes.data[me].state == 1) {
        if (!w->e)
            w->e = err_new("function '%s' calls itself; OpenCL C has no recursion",
                           LLVMGetValueName2(fn, &len));
        return false;
    }
    if (w->nodes.data[me].state == 2) return w->nodes.data[me].waits;
    w->nodes.data[me].state = 1;
    bool waits = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) != LLVMCall) continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee)) waits |= visit(w, callee);
            else
                waits |= rg_barrier_of(i) != RG_NO_BARRIER ||
                         rg_reconvergence_of(i) != RG_NO_RECONVERGENCE;
        }
    waits = waits || may_spin(fn, &w->shared);
    w->nodes.data[me].state = 2;
    w->nodes.data[me].waits = waits;
    return waits;
}

struct err *rg_inline(LLVMModuleRef m)
{
    struct walk w = {0};
    for (LLVMValueRef fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn))
        if (!LLVMIsDeclaration(fn)) visit(&w, fn);
    bool any = false;
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    for (size_t i = 0; i < w.nodes.len && !w.e; i++) {
        struct node *n = &w.nodes.data[i];
        // a kernel that another kernel calls is inlined, too: arguments of kernels come from the
        // host
        if (rg_is_kernel(n->fn) ? !LLVMGetFirstUse(n->fn) : !n->waits) continue;
        LLVMRemoveEnumAttributeAtIndex(n->fn, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("noinline", 8));
        LLVMRemoveEnumAttributeAtIndex(n->fn, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName("optnone", 7));
        LLVMAddAttributeAtIndex(n->fn, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(LLVMGetModuleContext(m), always, 0));
        any = true;
    }
    if (any && !w.e) {
        LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
        LLVMErrorRef bad = LLVMRunPasses(m, "always-inline", NULL, o);
        LLVMDisposePassBuilderOptions(o);
        if (bad) {
            char *text = LLVMGetErrorMessage(bad);
            w.e = err_new("inlining failed: %s", text);
            LLVMDisposeErrorMessage(text);
        }
    }
    vec_free(&w.nodes);
    map_deinit(&w.of);
    map_deinit(&w.shared);
    return w.e;
}
