// SPDX-License-Identifier: MIT
// Expands functions of work-groups and sub-groups (collective functions), and the ids of
// sub-groups.
//
// A work-item stores its value in a private object and calls cldbg-collect, which the region
// builder treats as a barrier: a region ends before the call. The object is kept for each work-item
// (spill_slots.c). At the head of the next region the run time combines the objects of all
// participating work-items and stores each result in the same object. See region_loops.c.
//
//     [0] lane or distance   [1] size of clusters   [2...] the components, each in 8 bytes: the
//                                                   value, and then the result
#include "native/body.h"

enum { BY, CLUSTER, VALUES };

static LLVMTypeRef i64(struct nat_body *x) { return LLVMInt64TypeInContext(x->ctx); }
static LLVMTypeRef i32(struct nat_body *x) { return LLVMInt32TypeInContext(x->ctx); }
static LLVMValueRef k32(struct nat_body *x, uint64_t v) { return LLVMConstInt(i32(x), v, false); }

static enum bc_type type_of(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return BC_F32;
    case LLVMDoubleTypeKind: return BC_F64;
    case LLVMHalfTypeKind: return BC_I16;
    default: break;
    }
    const unsigned bits = LLVMGetIntTypeWidth(t);
    return bits <= 8 ? BC_I8 : bits == 16 ? BC_I16 : bits == 32 ? BC_I32 : BC_I64;
}

static LLVMValueRef item(struct nat_body *x, const char *name, unsigned dim, bool has_dim)
{
    LLVMValueRef d = k32(x, dim);
    return nat_call(x, name, i64(x), &d, has_dim);
}

static LLVMValueRef to_word(struct nat_body *x, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    const unsigned size = bc_type_size(type_of(t));
    if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind)
        v = LLVMBuildBitCast(x->b, v, LLVMIntTypeInContext(x->ctx, size * 8), "");
    return LLVMBuildIntCast2(x->b, v, i64(x), false, "");
}

static LLVMValueRef of_word(struct nat_body *x, LLVMValueRef v, LLVMTypeRef t)
{
    const unsigned size = bc_type_size(type_of(t));
    v = LLVMBuildIntCast2(
        x->b, v,
        LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? t : LLVMIntTypeInContext(x->ctx, size * 8),
        false, "");
    return LLVMBuildBitCast(x->b, v, t, "");
}

static LLVMValueRef slot_of_item(struct nat_body *x, LLVMValueRef put, unsigned k)
{
    LLVMValueRef at = LLVMConstInt(i64(x), k, false);
    return LLVMBuildInBoundsGEP2(x->b, i64(x), put, &at, 1, "");
}

// The linear id for the 1 to 3 local ids of work_group_broadcast.
static LLVMValueRef linear(struct nat_body *x)
{
    LLVMValueRef r = LLVMConstInt(i64(x), 0, false);
    for (unsigned k = x->nargs - 1; k >= 1; k--) {
        r = LLVMBuildMul(x->b, r, item(x, "get_local_size", k - 1, true), "");
        r = LLVMBuildAdd(x->b, r,
                         LLVMBuildIntCast2(x->b, LLVMGetParam(x->fn, k), i64(x), false, ""), "");
    }
    return r;
}

static LLVMValueRef component(struct nat_body *x, LLVMValueRef v, unsigned i)
{
    return nat_lanes(LLVMTypeOf(v)) == 1 ? v : LLVMBuildExtractElement(x->b, v, k32(x, i), "");
}

LLVMValueRef nat_bi_collective(struct nat_body *x)
{
    const bool work_group = str_starts(x->c->row->name, "work_group_"),
               cluster = str_starts(x->c->row->name, "sub_group_clustered_");
    const enum bc_collect what = bi_collect(x->c->row);
    if (what == BC_COL_BLOCK_POINTER || what == BC_COL_BLOCK_COORDINATES) return NULL; // unchecked
    LLVMValueRef v = x->nargs && what != BC_COL_BARRIER ? LLVMGetParam(x->fn, 0) : k32(x, 0);
    const unsigned n = nat_lanes(LLVMTypeOf(v));
    if (n > 16 || (work_group && (n != 1 || x->nargs > 4))) {
        x->no = true;
        return NULL;
    }
    LLVMTypeRef elem = nat_elem(LLVMTypeOf(v));
    LLVMValueRef put = LLVMBuildAlloca(x->b, LLVMArrayType2(i64(x), VALUES + n), "put");
    if (work_group && what == BC_COL_BROADCAST)
        LLVMBuildStore(x->b, linear(x), slot_of_item(x, put, BY));
    else if (x->nargs > 1 && what >= BC_COL_BROADCAST && !(cluster && what == BC_COL_REDUCE))
        LLVMBuildStore(x->b, LLVMBuildIntCast2(x->b, LLVMGetParam(x->fn, 1), i64(x), false, ""),
                       slot_of_item(x, put, BY));
    if (cluster)
        LLVMBuildStore(
            x->b, LLVMBuildIntCast2(x->b, LLVMGetParam(x->fn, x->nargs - 1), i64(x), false, ""),
            slot_of_item(x, put, CLUSTER));
    for (unsigned i = 0; i < n; i++)
        LLVMBuildStore(x->b, to_word(x, component(x, v, i)), slot_of_item(x, put, VALUES + i));
    const bool scans = what == BC_COL_INCLUSIVE || what == BC_COL_EXCLUSIVE,
               each = !work_group || scans;
    const uint32_t ext = BC_COLLECT_EXT(what, bi_combine(x->c), type_of(elem),
                                        work_group ? BC_SCOPE_GROUP : BC_SCOPE_SUB_GROUP);
    LLVMValueRef args[] = {put, k32(x, ext), k32(x, n), k32(x, cluster)};
    LLVMValueRef first = nat_call(x, each ? NAT_COLLECT_EACH : NAT_COLLECT, i64(x), args, 4);
    static const char *const stays[] = {"convergent", "nomerge", "noduplicate", "nounwind"};
    for (unsigned k = 0; k < sizeof stays / sizeof *stays; k++)
        nat_attribute(x, LLVMGetCalledValue(first), stays[k], 0);
    if (what == BC_COL_BARRIER) return NULL;
    if (what == BC_COL_BALLOT) // 32 lanes: the other components of the uint4 are 0
        return LLVMBuildInsertElement(x->b, LLVMConstNull(x->type),
                                      LLVMBuildTrunc(x->b, first, i32(x), ""), k32(x, 0), "");
    if (what >= BC_COL_ALL && what <= BC_COL_ELECT) {
        LLVMValueRef all = first;
        for (unsigned i = 1; i < n; i++)
            all = LLVMBuildAnd(
                x->b, all, LLVMBuildLoad2(x->b, i64(x), slot_of_item(x, put, VALUES + i), ""), "");
        return LLVMBuildTrunc(x->b, all, x->type, "");
    }
    LLVMValueRef r = LLVMGetUndef(nat_with(x->type, elem));
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef one = of_word(
            x, i ? LLVMBuildLoad2(x->b, i64(x), slot_of_item(x, put, VALUES + i), "") : first,
            elem);
        r = n == 1 ? one : LLVMBuildInsertElement(x->b, r, one, k32(x, i), "");
    }
    return r;
}

// ---- ids

static LLVMValueRef add(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAdd(x->b, a, b, "");
}
static LLVMValueRef sub(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSub(x->b, a, b, "");
}
static LLVMValueRef least(struct nat_body *x, LLVMValueRef a, LLVMValueRef b)
{
    return nat_intrinsic(x, "llvm.umin", LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}
static LLVMValueRef k64(struct nat_body *x, uint64_t v) { return LLVMConstInt(i64(x), v, false); }

static LLVMValueRef largest(struct nat_body *x) { return item(x, NAT_SUB_GROUP, 0, false); }
static LLVMValueRef linear_id(struct nat_body *x)
{
    return item(x, "get_local_linear_id", 0, false);
}
static LLVMValueRef lane(struct nat_body *x)
{
    return LLVMBuildURem(x->b, linear_id(x), largest(x), "");
}

static LLVMValueRef items(struct nat_body *x, const char *size)
{
    LLVMValueRef r = item(x, size, 0, true);
    for (unsigned d = 1; d < 3; d++) r = LLVMBuildMul(x->b, r, item(x, size, d, true), "");
    return r;
}

static LLVMValueRef groups(struct nat_body *x, const char *size)
{
    return LLVMBuildUDiv(x->b, add(x, items(x, size), sub(x, largest(x), k64(x, 1))), largest(x),
                         "");
}

// Lanes of this work-item's sub-group: the last sub-group of a group has the remaining work-items.
static LLVMValueRef width(struct nat_body *x)
{
    return least(x, largest(x), sub(x, items(x, "get_local_size"), sub(x, linear_id(x), lane(x))));
}

LLVMValueRef nat_bi_sub_group_item(struct nat_body *x)
{
    LLVMValueRef r;
    switch (x->c->id) {
    case BI_get_sub_group_id: r = LLVMBuildUDiv(x->b, linear_id(x), largest(x), ""); break;
    case BI_get_sub_group_local_id: r = lane(x); break;
    case BI_get_sub_group_size: r = width(x); break;
    case BI_get_max_sub_group_size: r = item(x, NAT_MAX_SUB_GROUP, 0, false); break;
    case BI_get_num_sub_groups: r = groups(x, "get_local_size"); break;
    default: r = groups(x, "get_enqueued_local_size");
    }
    return LLVMBuildIntCast2(x->b, r, x->type, false, "");
}
