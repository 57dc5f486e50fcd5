// SPDX-License-Identifier: MIT
// The pipeline of nat_finish: one kernel, for one shape of work-groups, is analyzed, cut into
// regions, built as a work-group function, and turned into a module for the host.
#include "native/abi.h"
#include "native/native.h"
#include "native/transform.h"

#include "llvm/ir.h"
#include "regions/form.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static void build(struct rg_fn *f, LLVMValueRef fn, struct arena *a)
{
    rg_cfg_build(f, fn, a);
    rg_variables(f);
    rg_uniformity(f, 1);
}

// Dead-code elimination after stores were removed: the computation of their values, and the
// branches around the stores.
static void tidy(LLVMValueRef fn)
{
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMConsumeError(LLVMRunPasses(LLVMGetGlobalParent(fn),
                                   "function(adce,loop(loop-deletion),simplifycfg,adce)", NULL, o));
    LLVMDisposePassBuilderOptions(o);
}

static void transform(LLVMValueRef fn, const struct nat_shape *s, struct str *remarks)
{
    struct arena a = {0};
    struct rg_fn f;
    struct map seen = {0};
    const size_t said = remarks->len;
    build(&f, fn, &a);
    nat_mark_no_wrap(&f, s, &a, NULL);
    rg_fn_deinit(&f);
    if (s->passes & NAT_PASS_INDICES) {
        build(&f, fn, &a);
        nat_split_steps(&f, s, &a);
        rg_fn_deinit(&f);
    }
    for (bool more = s->passes & NAT_PASS_BUFFERS; more;) {
        build(&f, fn, &a);
        more = nat_replace_buffer(&f, s, &a, &seen, remarks);
        rg_fn_deinit(&f);
    }
    map_deinit(&seen);
    if (strstr(str_text(remarks) + said, "is not used")) tidy(fn);
    if (s->passes & NAT_PASS_BARRIERS) {
        build(&f, fn, &a);
        if (f.has_barrier) nat_remove_barriers(&f, s, &a, remarks);
        rg_fn_deinit(&f);
    }
    if (s->passes & NAT_PASS_GUARDS && s->passes & NAT_PASS_INTERCHANGE) {
        build(&f, fn, &a);
        if (nat_split_groups(&f, &a, build, remarks) && s->passes & NAT_PASS_INDICES)
            nat_split_steps(&f, s, &a);
        rg_fn_deinit(&f);
    }
    if (s->passes & NAT_PASS_MASKS && s->passes & NAT_PASS_INTERCHANGE &&
        s->passes & NAT_PASS_BLOCKING) {
        build(&f, fn, &a);
        nat_mask_loops(&f, &a, build, remarks);
        rg_fn_deinit(&f);
    }
    if (s->passes & NAT_PASS_INDICES) {
        build(&f, fn, &a);
        nat_mark_no_wrap(&f, s, &a, remarks); // of the steps and buffers, too
        nat_straighten_indices(&f, s, &a);
        rg_fn_deinit(&f);
    }
    build(&f, fn, &a);
    nat_raise_divisions(&f);
    rg_fn_deinit(&f);
    arena_deinit(&a);
}

static void form(LLVMValueRef fn, const struct nat_shape *s, struct str *remarks)
{
    struct arena a = {0};
    struct rg_fn f, after;
    struct nat_form w;
    struct nat_slots slots = {0};
    build(&f, fn, &a);
    if (nat_split_latches(&f)) {
        rg_fn_deinit(&f);
        build(&f, fn, &a);
    }
    nat_form_regions(&f, s->passes & NAT_PASS_INTERCHANGE ? nat_inner_loops(&f, s, &a) : NULL, &a,
                     &w);
    nat_demote(&w, &slots);
    rg_cfg_build(&after, fn, &a);
    assert(after.nblocks == f.nblocks);
    nat_corrupt_edge(&w);
    nat_workgroup(&w, &after, &slots, s, remarks);
    rg_fn_deinit(&f);
    rg_fn_deinit(&after);
    vec_free(&slots);
    arena_deinit(&a);
}

// Deletes the kernels, and the functions and variables that only they used.
static void drop_kernels(LLVMModuleRef m, LLVMValueRef but)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (l_is_kernel(f) && f != but) LLVMDeleteFunction(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g && !but; g = next) {
        next = LLVMGetNextGlobal(g);
        if (!LLVMGetFirstUse(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3)
            LLVMDeleteGlobal(g);
    }
}

// The last parameter is one past the last group to run: far below 2^63.
static void keep_floats_wide(LLVMModuleRef m, const char *kernel)
{
    struct str name = {0};
    str_printf(&name, NAT_PREFIX "%s", kernel);
    LLVMValueRef f = LLVMGetNamedFunction(m, name.data);
    if (f) l_keep_floats_wide(f, LLVMGetParam(f, LLVMCountParams(f) - 1));
    str_deinit(&name);
}

struct err *nat_finish(LLVMModuleRef m, const char *kernel, const struct nat_shape *s,
                       struct str *remarks, LLVMModuleRef *out)
{
    LLVMValueRef fn = kernel ? LLVMGetNamedFunction(m, kernel) : NULL;
    if (kernel && (!fn || !l_is_kernel(fn))) return err_new("there is no kernel of that name");
    drop_kernels(m, fn);
    if (fn) transform(fn, s, remarks);
    if (fn) form(fn, s, remarks);
    if (fn) drop_kernels(m, NULL);
    struct str text = {0};
    char *ir = LLVMPrintModuleToString(m), *why = NULL;
    nat_flatten(ir, &text);
    LLVMDisposeMessage(ir);
    LLVMMemoryBufferRef buf =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data, text.len, "native");
    str_deinit(&text);
    struct err *e = NULL;
    *out = NULL;
    if (LLVMParseIRInContext(LLVMGetModuleContext(m), buf, out, &why) ||
        LLVMVerifyModule(*out, LLVMReturnStatusAction, &why))
        e = err_new("work-group function: %s", why);
    LLVMDisposeMessage(why);
    if (!e && kernel) keep_floats_wide(*out, kernel);
    return e;
}
