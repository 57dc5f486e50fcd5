// SPDX-License-Identifier: MIT
// printf: the format is a constant string; the arguments are registers.
#include "lower/builtin.h"

#include <string.h>

const char *lw_const_text(struct lw_fn *f, LLVMValueRef pointer)
{
    LLVMValueRef global;
    int64_t offset;
    size_t len;
    if (!l_const_address(f->m->llvm, pointer, &global, &offset) || !LLVMIsAGlobalVariable(global))
        return NULL;
    LLVMValueRef init = LLVMIsGlobalConstant(global) ||
                                LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 2
                            ? LLVMGetInitializer(global)
                            : NULL;
    if (init && LLVMIsNull(init) && offset == 0) return "";
    if (!init || !LLVMIsConstantString(init)) return NULL;
    const char *text = LLVMGetAsString(init, &len);
    if (offset < 0 || (size_t)offset >= len || !memchr(text + offset, 0, len - (size_t)offset))
        return NULL;
    return arena_strdup(&f->arena, text + offset);
}

void lw_bi_printf(struct lw_bi *b)
{
    const char *format = lw_const_text(b->f, LLVMGetOperand(b->inst, 0));
    if (!format) {
        lw_error(b->f, b->inst, "the format of printf is not a string literal");
        return;
    }
    VEC(uint32_t) list = {0};
    vec_push(&list, lw_string(b->f, format));
    vec_push(&list, b->nargs - 1);
    for (unsigned k = 1; k < b->nargs; k++) {
        static const enum bc_type ints[] = {[1] = BC_I8, [2] = BC_I16, [4] = BC_I32, [8] = BC_I64};
        LLVMValueRef v = LLVMGetOperand(b->inst, k);
        const struct lw_leaf *leaf;
        unsigned n = lw_leaves(b->f, LLVMTypeOf(v), &leaf);
        const lw_reg *r = lw_value(b->f, v, NULL);
        if (n == 0 || n > 16) {
            lw_error(b->f, b->inst, "printf cannot print its argument %u", k);
            break;
        }
        const bool half = lw_is_half(*leaf);
        vec_push(&list, leaf->is_float ? (leaf->size == 8 ? BC_F64 : BC_F32) : ints[leaf->size]);
        vec_push(&list, n);
        for (unsigned i = 0; i < n; i++)
            vec_push(&list, half ? lw_half_to_float(b->f, r[i]) : r[i]);
    }
    lw_emit(b->f, (struct bc_insn){.op = BC_PRINTF,
                                   .dst = BC_NONE,
                                   .a = BC_NONE,
                                   .b = BC_NONE,
                                   .c = BC_NONE,
                                   .ext = lw_list(b->f, list.data, (unsigned)list.len)});
    vec_free(&list);
    // its result is 0, as b->out starts
}
