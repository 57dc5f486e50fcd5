// SPDX-License-Identifier: MIT
// Race checks of buffers that the kernel only stores to (enum nat_shadow_kind).
#include "native/checks.h"

static void count(struct nat_checking *x, LLVMValueRef n, enum nat_count which)
{
    LLVMTypeRef types[] = {x->i64, x->i32},
                type = LLVMFunctionType(LLVMVoidTypeInContext(x->c), types, 2, false);
    LLVMValueRef f = LLVMGetNamedFunction(x->m, NAT_COUNT),
                 args[] = {n, LLVMConstInt(x->i32, which, false)};
    if (!f) f = LLVMAddFunction(x->m, NAT_COUNT, type);
    LLVMBuildCall2(x->b, type, f, args, 2, "");
}

void nat_count_stores(struct nat_checking *x, const struct nat_checked_access *a)
{
    const uint64_t n = nat_cells_of(x, a);
    LLVMValueRef one = LLVMConstInt(LLVMInt8TypeInContext(x->c), 1, false);
    for (uint64_t k = 0; k < n; k++) LLVMBuildStore(x->b, one, nat_shadow_at(x, a, 1, k));
    count(x, nat_k(x, n), NAT_COUNT_STORES);
}

void nat_check_equal(struct nat_checking *x, const struct nat_checked_access *a)
{
    LLVMBuilderRef b = x->b;
    LLVMValueRef launch = LLVMBuildTrunc(b, nat_check_call(x, NAT_LAUNCH_STAMP, x->i64, NULL),
                                         x->i32, ""),
                 first = nat_check_call(x, NAT_FIRST_ITEM, x->i64, NULL),
                 items = nat_check_call(x, NAT_GROUP_ITEMS, x->i64, NULL),
                 local = nat_check_call(x, "get_local_linear_id", x->i64, NULL);
    LLVMValueRef two = LLVMConstInt(x->i32, 2, false), one = LLVMConstInt(x->i32, 1, false),
                 start = LLVMBuildMul(b, LLVMBuildTrunc(b, first, x->i32, ""), two, ""),
                 mine = LLVMBuildMul(b, LLVMBuildTrunc(b, local, x->i32, ""), two, ""),
                 span = LLVMBuildMul(b, LLVMBuildTrunc(b, items, x->i32, ""), two, "");
    start = LLVMBuildAdd(b, LLVMBuildAdd(b, launch, two, ""), start, "");
    LLVMValueRef me = LLVMBuildAdd(b, start, mine, ""), at = nat_shadow_at(x, a, 4, 0),
                 was = LLVMBuildLoad2(b, x->i32, at, "");
    LLVMSetVolatile(was, true);
    LLVMValueRef is_new = LLVMBuildICmp(b, LLVMIntULT, was, launch, ""),
                 is_mine = LLVMBuildICmp(b, LLVMIntEQ, was, me, ""),
                 is_near = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, was, start, ""), span, ""),
                 alone = LLVMBuildOr(b, is_new, is_mine, "");
    LLVMValueRef shared = LLVMBuildSelect(b, is_near, LLVMBuildAdd(b, me, one, ""), launch, "");
    LLVMSetVolatile(LLVMBuildStore(b, LLVMBuildSelect(b, alone, me, shared, ""), at), true);
    count(x, LLVMBuildZExt(b, LLVMBuildNot(b, alone, ""), x->i64, ""), NAT_COUNT_SHARED);
}
