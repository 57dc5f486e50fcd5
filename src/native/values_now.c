// SPDX-License-Identifier: MIT
// While a region is built: what a value of the kernel is in the loop over work-items.
#include "native/workgroup.h"

LLVMValueRef nat_value_now(struct nat_gen *g, LLVMValueRef v)
{
    uint64_t *at = map_get_ptr(&g->now, v);
    if (at) return (LLVMValueRef)(uintptr_t)*at;
    return v;
}

void nat_now_is(struct nat_gen *g, LLVMValueRef v, LLVMValueRef is)
{
    *map_put_ptr(&g->now, v, NULL) = (uintptr_t)is;
}
