// SPDX-License-Identifier: MIT
// Expands builtins of images, samplers, pipes and address-space queries. An image access is a call
// of the run time, which does the same as the interpreter.
//
// An image or a sampler is a value of an LLVM target type, which cannot be cast. The conversion
// therefore stores and loads it (type punning through memory). The module for the host has pointers
// in place of such types (flatten.c), so the store and the load are then optimized away. A
// sampler's pointer is its number.
#include "native/body.h"

static LLVMValueRef room(struct nat_body *x, LLVMTypeRef t)
{
    LLVMValueRef at = LLVMBuildAlloca(x->b, t, "");
    LLVMSetAlignment(at, 16);
    return at;
}

// v reinterpreted as a value of type t (bit cast through memory).
static LLVMValueRef by_memory(struct nat_body *x, LLVMValueRef v, LLVMTypeRef t)
{
    LLVMValueRef at = room(x, LLVMTypeOf(v));
    LLVMBuildStore(x->b, v, at);
    return LLVMBuildLoad2(x->b, t, at, "");
}

static LLVMTypeRef ptr(struct nat_body *x) { return LLVMPointerTypeInContext(x->ctx, 0); }
static LLVMValueRef i32(struct nat_body *x, uint64_t v)
{
    return LLVMConstInt(LLVMInt32TypeInContext(x->ctx), v, false);
}

// In SPIR 1.2 a sampler is its number.
static LLVMValueRef sampler(struct nat_body *x, LLVMValueRef v)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) return by_memory(x, v, ptr(x));
    return LLVMBuildIntToPtr(x->b, LLVMBuildZExt(x->b, v, LLVMInt64TypeInContext(x->ctx), ""),
                             ptr(x), "");
}

LLVMValueRef nat_bi_image(struct nat_body *x)
{
    const struct bi_type *t = &x->c->arg[0];
    unsigned what = bi_image_code(x->c->id);
    const bool write = what & BC_IMAGE_WRITE,
               sampled = !write && x->nargs > 1 && x->c->arg[1].scalar == BI_SAMPLER;
    const unsigned at = 1 + sampled,
                   ncoord = what & BC_IMAGE_BLOCK
                                ? 3
                                : (t->image & BI_IMAGE_DIMS) + !!(t->image & BI_IMAGE_IS_ARRAY);
    if (x->nargs != at + 1 + write || (t->image & BI_IMAGE_IS_MSAA)) { // mipmapped or multisampled
        x->no = true;
        return NULL;
    }
    if (bi_is_float(x->c->arg[at].scalar)) what |= BC_IMAGE_FLOAT_COORDS;
    if (t->image & BI_IMAGE_IS_ARRAY) what |= BC_IMAGE_ARRAY;
    LLVMTypeRef four = LLVMArrayType2(LLVMInt32TypeInContext(x->ctx), 4);
    LLVMValueRef coord = room(x, four), value = room(x, four);
    LLVMBuildStore(x->b, LLVMGetParam(x->fn, at), coord);
    LLVMBuildStore(x->b, LLVMConstNull(four), value);
    if (write) LLVMBuildStore(x->b, LLVMGetParam(x->fn, at + 1), value);
    LLVMValueRef args[] = {by_memory(x, LLVMGetParam(x->fn, 0), ptr(x)),
                           i32(x, what),
                           i32(x, sampled),
                           sampled ? sampler(x, LLVMGetParam(x->fn, 1)) : LLVMConstNull(ptr(x)),
                           coord,
                           i32(x, ncoord),
                           value};
    nat_call(x, "cldbg-image", LLVMVoidTypeInContext(x->ctx), args, 7);
    if (write) return NULL;
    if (x->c->id != BI_read_imageh) return LLVMBuildLoad2(x->b, x->type, value, "");
    LLVMTypeRef wide = nat_with(x->type, LLVMFloatTypeInContext(x->ctx));
    return LLVMBuildFPTrunc(x->b, LLVMBuildLoad2(x->b, wide, value, ""), x->type, "");
}

static LLVMValueRef query(struct nat_body *x, enum bc_image_query q)
{
    LLVMValueRef args[] = {by_memory(x, LLVMGetParam(x->fn, 0), ptr(x)), i32(x, q)};
    LLVMValueRef r = nat_call(x, "cldbg-image-query", LLVMInt32TypeInContext(x->ctx), args, 2);
    nat_attribute(x, LLVMGetNamedFunction(x->m, "cldbg-image-query"), "memory",
                  1); // reads the memory that its argument points to
    nat_attribute(x, LLVMGetNamedFunction(x->m, "cldbg-image-query"), "nounwind", 0);
    nat_attribute(x, LLVMGetNamedFunction(x->m, "cldbg-image-query"), "willreturn", 0);
    return r;
}

LLVMValueRef nat_bi_image_query(struct nat_body *x)
{
    LLVMValueRef r;
    switch (x->c->id) {
    case BI_get_image_width: r = query(x, BC_IMAGE_WIDTH); break;
    case BI_get_image_height: r = query(x, BC_IMAGE_HEIGHT); break;
    case BI_get_image_depth: r = query(x, BC_IMAGE_DEPTH); break;
    case BI_get_image_array_size: r = query(x, BC_IMAGE_LAYERS); break;
    case BI_get_image_channel_data_type: r = query(x, BC_IMAGE_TYPE); break;
    case BI_get_image_channel_order: r = query(x, BC_IMAGE_ORDER); break;
    default: // get_image_dim: int2, or for 3D int4 whose last component is 0
        r = LLVMBuildInsertElement(x->b, LLVMConstNull(x->type), query(x, BC_IMAGE_WIDTH),
                                   i32(x, 0), "");
        r = LLVMBuildInsertElement(x->b, r, query(x, BC_IMAGE_HEIGHT), i32(x, 1), "");
        if (x->n == 4) r = LLVMBuildInsertElement(x->b, r, query(x, BC_IMAGE_DEPTH), i32(x, 2), "");
        return r;
    }
    return LLVMBuildIntCast2(x->b, r, x->type, false, "");
}

// A sampler of the program is its number, which clang passes.
LLVMValueRef nat_bi_sampler(struct nat_body *x)
{
    return by_memory(
        x, LLVMBuildZExt(x->b, LLVMGetParam(x->fn, 0), LLVMInt64TypeInContext(x->ctx), ""),
        x->type);
}

// Converts a pipe to and from its pointer, and a reservation to and from its number.
LLVMValueRef nat_bi_reinterpret(struct nat_body *x)
{
    return by_memory(x, LLVMGetParam(x->fn, 0), x->type);
}

// ---- address space of a generic pointer: the run time finds it by the address

static LLVMValueRef in_space(struct nat_body *x, enum bc_space space)
{
    LLVMValueRef args[] = {LLVMBuildAddrSpaceCast(x->b, LLVMGetParam(x->fn, 0), ptr(x), ""),
                           i32(x, space)};
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetParam(x->fn, 0))) == 0)
        args[0] = LLVMGetParam(x->fn, 0);
    return nat_call(x, "cldbg-in-space", ptr(x), args, 2);
}

LLVMValueRef nat_bi_to_space(struct nat_body *x)
{
    LLVMValueRef p = in_space(x, x->c->id == BI___to_global  ? BC_GLOBAL
                                 : x->c->id == BI___to_local ? BC_LOCAL
                                                             : BC_PRIVATE);
    return LLVMGetPointerAddressSpace(x->type) ? LLVMBuildAddrSpaceCast(x->b, p, x->type, "") : p;
}

LLVMValueRef nat_bi_get_fence(struct nat_body *x)
{
    LLVMValueRef local = LLVMBuildIsNotNull(x->b, in_space(x, BC_LOCAL), "");
    return LLVMBuildSelect(x->b, local, LLVMConstInt(x->type, BC_FENCE_LOCAL, false),
                           LLVMConstInt(x->type, BC_FENCE_GLOBAL, false), "");
}
