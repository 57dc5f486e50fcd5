// SPDX-License-Identifier: MIT
// Expands work-item functions in a loop nest over the work-items of a group: ids come from the loop
// counters, sizes from the launch.
#include "native/workgroup.h"

#include <string.h>

LLVMValueRef nat_linear(struct nat_gen *g, LLVMValueRef const *id, LLVMValueRef const *size)
{
    LLVMValueRef r = id[2];
    for (int d = 1; d >= 0; d--)
        r = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, r, size[d], ""), id[d], "");
    return r;
}

enum wi {
    LOCAL_ID,
    GLOBAL_ID,
    GROUP_ID,
    GLOBAL_SIZE,
    LOCAL_SIZE,
    ENQUEUED,
    NUM_GROUPS,
    OFFSET,
    DIM,
    GLOBAL_LINEAR,
    LOCAL_LINEAR,
    SUB_GROUP,
    MAX_SUB_GROUP,
    MARK_DISTANCE,
    OBJECT_SIZE,
    SHADOW,
    GROUP_STAMP,
    LAUNCH_STAMP,
    FIRST_ITEM,
    GROUP_ITEMS,
    NO_WI
};
static const char *const wi_names[] = {
    [LOCAL_ID] = "get_local_id",
    [GLOBAL_ID] = "get_global_id",
    [GROUP_ID] = "get_group_id",
    [GLOBAL_SIZE] = "get_global_size",
    [LOCAL_SIZE] = "get_local_size",
    [ENQUEUED] = "get_enqueued_local_size",
    [NUM_GROUPS] = "get_num_groups",
    [OFFSET] = "get_global_offset",
    [DIM] = "get_work_dim",
    [GLOBAL_LINEAR] = "get_global_linear_id",
    [LOCAL_LINEAR] = "get_local_linear_id",
    [SUB_GROUP] = NAT_SUB_GROUP,
    [MAX_SUB_GROUP] = NAT_MAX_SUB_GROUP,
    [MARK_DISTANCE] = NAT_MARK_DISTANCE,
    [OBJECT_SIZE] = NAT_OBJECT_SIZE,
    [SHADOW] = NAT_SHADOW,
    [GROUP_STAMP] = NAT_GROUP_STAMP,
    [LAUNCH_STAMP] = NAT_LAUNCH_STAMP,
    [FIRST_ITEM] = NAT_FIRST_ITEM,
    [GROUP_ITEMS] = NAT_GROUP_ITEMS,
};

static LLVMValueRef wi_in(struct nat_gen *g, enum wi wi, unsigned d)
{
    switch (wi) {
    case LOCAL_ID: return g->local[d];
    case GLOBAL_ID: return LLVMBuildAdd(g->b, g->base[d], g->local[d], "");
    case GROUP_ID: return g->group[d];
    case GLOBAL_SIZE: return nat_field(g, NAT_GLOBAL + d);
    case LOCAL_SIZE: return g->size[d];
    case ENQUEUED: return nat_field(g, NAT_LOCAL + d);
    case NUM_GROUPS: return nat_field(g, NAT_GROUPS + d);
    case OFFSET: return nat_field(g, NAT_OFFSET + d);
    default: return nat_k64(g, 0);
    }
}

/** That of a full sub-group, unless the work-groups are smaller and the kernel requires no size. */
static LLVMValueRef largest_sub_group(struct nat_gen *g)
{
    static const char required[] = "intel_reqd_sub_group_size";
    LLVMValueRef size = nat_k64(g, g->shape->sub_group), items = nat_field(g, NAT_LOCAL);
    if (LLVMGetMetadata(g->f->fn, LLVMGetMDKindIDInContext(g->c, required, sizeof required - 1)))
        return size;
    for (unsigned d = 1; d < 3; d++)
        items = LLVMBuildMul(g->b, items, nat_field(g, NAT_LOCAL + d), "");
    LLVMValueRef less = LLVMBuildICmp(g->b, LLVMIntULT, items, size, "");
    return LLVMBuildSelect(g->b, less, items, size, "");
}

static LLVMValueRef group_items(struct nat_gen *g)
{
    return nat_k64(g, g->shape->local[0] * g->shape->local[1] * g->shape->local[2]);
}

static LLVMValueRef group_number(struct nat_gen *g)
{
    return nat_linear(g, g->group, &g->fields[NAT_GROUPS]);
}

static LLVMValueRef wi_plain(struct nat_gen *g, enum wi wi)
{
    LLVMValueRef id[3];
    if (wi == SUB_GROUP) return nat_k64(g, g->shape->sub_group);
    if (wi == MAX_SUB_GROUP) return largest_sub_group(g);
    if (wi == DIM) return nat_field(g, NAT_DIMS);
    if (wi == LAUNCH_STAMP) return nat_field(g, NAT_STAMP);
    if (wi == LOCAL_LINEAR) return nat_linear(g, g->local, g->size);
    if (wi == GROUP_STAMP)
        return LLVMBuildShl(g->b, LLVMBuildAdd(g->b, group_number(g), nat_k64(g, 1), ""),
                            nat_k64(g, NAT_GROUP_SHIFT), "");
    if (wi == FIRST_ITEM) return LLVMBuildMul(g->b, group_number(g), group_items(g), "");
    if (wi == GROUP_ITEMS) return group_items(g);
    for (unsigned d = 0; d < 3; d++)
        id[d] = LLVMBuildSub(g->b, wi_in(g, GLOBAL_ID, d), nat_field(g, NAT_OFFSET + d), "");
    return nat_linear(g, id, &g->fields[NAT_GLOBAL]);
}

// Beyond the third dimension sizes are 1 and all other values are 0.
static LLVMValueRef work_item(struct nat_gen *g, LLVMValueRef call, enum wi wi, LLVMValueRef dim)
{
    const bool is_size = wi == GLOBAL_SIZE || wi == LOCAL_SIZE || wi == ENQUEUED ||
                         wi == NUM_GROUPS;
    LLVMValueRef r = nat_k64(g, is_size);
    const unsigned index = wi < MARK_DISTANCE || !dim ? 0 : (unsigned)LLVMConstIntGetZExtValue(dim);
    if (wi == MARK_DISTANCE) return nat_field(g, NAT_FIRST_MARK + index);
    if (wi == OBJECT_SIZE) return nat_field(g, NAT_FIRST_SIZE + index);
    if (wi == SHADOW)
        return LLVMBuildIntToPtr(g->b, nat_field(g, NAT_FIRST_SHADOW + index), LLVMTypeOf(call),
                                 "");
    if (!dim) {
        r = wi_plain(g, wi);
    } else if (LLVMIsAConstantInt(dim)) {
        uint64_t d = LLVMConstIntGetZExtValue(dim);
        if (d < 3) r = wi_in(g, wi, (unsigned)d);
    } else {
        for (unsigned d = 0; d < 3; d++) {
            LLVMValueRef is =
                LLVMBuildICmp(g->b, LLVMIntEQ, dim, LLVMConstInt(LLVMTypeOf(dim), d, false), "");
            r = LLVMBuildSelect(g->b, is, wi_in(g, wi, d), r, "");
        }
    }
    return LLVMBuildIntCast2(g->b, r, LLVMTypeOf(call), false, "");
}

LLVMValueRef nat_work_item(struct nat_gen *g, LLVMValueRef call)
{
    char name[64];
    LLVMValueRef callee = l_callee(call);
    if (!callee || !LLVMIsDeclaration(callee)) return NULL;
    rg_callee_base_name(call, name, sizeof name);
    for (unsigned k = 0; k < NO_WI; k++)
        if (!strcmp(name, wi_names[k]))
            return work_item(g, call, k,
                             LLVMGetNumArgOperands(call) ? nat_value_now(g, LLVMGetOperand(call, 0))
                                                         : NULL);
    return NULL;
}
