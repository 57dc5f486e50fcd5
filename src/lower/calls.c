// SPDX-License-Identifier: MIT
// Calls of functions of the program, of intrinsics for memory operations, and of builtins
// (builtin_*.c).
#include "lower/lw.h"

#include <string.h>

static void call_function(struct lw_fn *f, LLVMValueRef inst, LLVMValueRef callee, unsigned index)
{
    VEC(uint32_t) list = {0};
    vec_push(&list, index);
    vec_push(&list, 0);
    for (unsigned k = 0; k < LLVMCountParams(callee); k++) {
        LLVMValueRef a = LLVMGetOperand(inst, k), p = LLVMGetParam(callee, k);
        if (lw_is_byval(callee, k)) { // the callee has its own object, initialized by a copy
            uint32_t object = lw_object(f->m, p);
            const struct lw_addr to = {.base = lw_object_pointer(f, object, 0),
                                       .index = BC_NONE,
                                       .index_kind = BC_IDX_NONE,
                                       .space = BC_PRIVATE};
            lw_copy(f, to, lw_address(f, a), lw_const(f, f->m->objects.data[object].size), 0);
            continue;
        }
        unsigned n;
        const lw_reg *regs = lw_value(f, a, &n);
        for (unsigned i = 0; i < n; i++) vec_push(&list, regs[i]);
    }
    list.data[1] = (uint32_t)list.len - 2;
    const struct lw_leaf *leaf;
    LLVMTypeRef t = LLVMTypeOf(inst);
    unsigned n = LLVMGetTypeKind(t) == LLVMVoidTypeKind ? 0 : lw_leaves(f, t, &leaf);
    lw_reg *out = arena_array(&f->arena, lw_reg, n + 1);
    vec_push(&list, n);
    for (unsigned i = 0; i < n; i++) {
        out[i] = lw_temp(f, leaf[i].size, f->m->rg[index].ret_divergent);
        vec_push(&list, out[i]);
    }
    lw_emit(f, (struct bc_insn){.op = BC_CALL,
                                .dst = BC_NONE,
                                .a = BC_NONE,
                                .b = BC_NONE,
                                .c = BC_NONE,
                                .ext = lw_list(f, list.data, (unsigned)list.len)});
    vec_free(&list);
    if (n) lw_result(f, inst, out, n);
}

// Is it an intrinsic that only informs the compiler?
static bool is_remark(LLVMValueRef callee)
{
    static const char *const names[] = {"lifetime.start",
                                        "lifetime.end",
                                        "assume",
                                        "donothing",
                                        "experimental.noalias.scope.decl",
                                        "var.annotation",
                                        "prefetch",
                                        "invariant.start",
                                        "invariant.end",
                                        "sideeffect"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (l_is_intrinsic(callee, names[i])) return true;
    return false;
}

void lw_call(struct lw_fn *f, LLVMValueRef inst)
{
    LLVMValueRef callee = l_callee(inst);
    if (!callee) {
        lw_error(f, inst,
                 LLVMIsAInlineAsm(LLVMGetCalledValue(inst))
                     ? "inline assembler; cldbg runs on no processor that has it"
                     : "a call through a pointer; OpenCL C has no function pointers");
        return;
    }
    uint64_t *at = map_get_ptr(&f->m->fn_of, callee);
    if (at) {
        call_function(f, inst, callee, (unsigned)*at - 1);
        return;
    }
    if (is_remark(callee)) return;
    if (l_is_intrinsic(callee, "memcpy") || l_is_intrinsic(callee, "memmove") ||
        l_is_intrinsic(callee, "memcpy.inline")) {
        LLVMValueRef to = LLVMGetOperand(inst, 0), from = LLVMGetOperand(inst, 1),
                     size = LLVMGetOperand(inst, 2);
        uint64_t bytes = 0;
        l_const_bits(size, &bytes);
        lw_copy(f, lw_address(f, to), lw_address(f, from),
                lw_zext(f, lw_scalar(f, size), LLVMGetIntTypeWidth(LLVMTypeOf(size)) / 8, 8),
                lw_struct_members(f, to, from, bytes));
        return;
    }
    if (l_is_intrinsic(callee, "memset") || l_is_intrinsic(callee, "memset.inline")) {
        lw_set(f, lw_address(f, LLVMGetOperand(inst, 0)), lw_scalar(f, LLVMGetOperand(inst, 1)),
               lw_zext(f, lw_scalar(f, LLVMGetOperand(inst, 2)),
                       LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(inst, 2))) / 8, 8));
        return;
    }
    if (!lw_builtin(f, inst)) {
        char name[128];
        rg_callee_base_name(inst, name, sizeof name);
        if (l_is_intrinsic(callee, "trap") || l_is_intrinsic(callee, "debugtrap"))
            lw_error(f, inst, "__builtin_trap and __builtin_debugtrap are not OpenCL C");
        else
            lw_error(f, inst,
                     "function '%s' has no definition, and cldbg has no builtin of this name (%s)",
                     name, l_name(callee));
    }
}
