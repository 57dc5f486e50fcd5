// SPDX-License-Identifier: MIT
// Work-group functions, sub-group functions, and the ids of sub-groups.
#include "lower/builtin.h"

#include <string.h>

static enum bc_type type_of(const struct bi_type *t)
{
    static const enum bc_type ints[] = {[1] = BC_I8, [2] = BC_I16, [4] = BC_I32, [8] = BC_I64};
    return t->pointers              ? BC_I64
           : t->scalar == BI_FLOAT  ? BC_F32
           : t->scalar == BI_DOUBLE ? BC_F64
                                    : ints[bi_scalar_size(t->scalar)];
}

/** Emits a collective. i: operands and ext; size: of the result, 0 for none. */
static lw_reg collect(struct lw_fn *f, unsigned size, bool varying, struct bc_insn i)
{
    i.op = BC_COLLECT;
    i.dst = size ? lw_temp(f, size, varying) : BC_NONE;
    i.flags = varying ? BC_MASKED : 0;
    lw_emit(f, i);
    return i.dst;
}

void lw_put(struct lw_fn *f, LLVMValueRef call)
{
    struct bi_call c;
    const struct lw_leaf *leaf;
    LLVMValueRef v = LLVMGetOperand(call, 0);
    if (!bi_lookup(l_name(LLVMGetCalledValue(call)), &c) || lw_leaves(f, LLVMTypeOf(v), &leaf) != 1)
        return; // the call says so
    collect(
        f, 0, false,
        (struct bc_insn){.ext = BC_COLLECT_EXT(BC_COL_PUT, 0, type_of(&c.arg[0]), BC_SCOPE_GROUP),
                         .a = lw_scalar(f, v),
                         .b = BC_NONE,
                         .c = BC_NONE});
}

static lw_reg size_of_item(struct lw_bi *b, enum bc_wi wi, unsigned dim)
{
    lw_reg d = lw_temp(b->f, 4, wi == BC_LOCAL_LINEAR_ID);
    lw_emit(b->f, (struct bc_insn){.op = BC_WI_I32,
                                   .dst = d,
                                   .a = BC_NONE,
                                   .b = BC_NONE,
                                   .c = BC_NONE,
                                   .ext = wi | dim << 8});
    return d;
}

// The linear id of the 1 to 3 local ids of work_group_broadcast; BC_NO_ID if one of several is too
// large.
static lw_reg linear(struct lw_bi *b)
{
    lw_reg r = lw_const(b->f, 0);
    for (unsigned k = b->nargs - 1; k >= 1; k--) {
        r = lw_2(b, BC_MUL_I32, r, size_of_item(b, BC_LOCAL_SIZE, k - 1));
        r = lw_2(b, BC_ADD_I32, r, lw_zext(b->f, lw_bi_arg(b, k, 0), 8, 4));
    }
    for (unsigned k = 1; b->nargs > 2 && k < b->nargs; k++) {
        const lw_reg size = lw_zext(b->f, size_of_item(b, BC_LOCAL_SIZE, k - 1), 4, 8);
        r = lw_3(b, BC_SEL_I32, lw_2(b, BC_ULT_I64, lw_bi_arg(b, k, 0), size), r,
                 lw_const(b->f, BC_NO_ID));
    }
    return r;
}

// The memory_scope argument of sub_group_barrier, in clang's numbering.
static enum bc_scope fence_scope(struct lw_bi *b)
{
    static const enum bc_scope scopes[] = {BC_SCOPE_SUB_GROUP, BC_SCOPE_GROUP, BC_SCOPE_DEVICE,
                                           BC_SCOPE_ALL, BC_SCOPE_SUB_GROUP};
    uint64_t v;
    return b->nargs > 1 && lw_bi_const(b, 1, &v) && v < sizeof scopes / sizeof *scopes
               ? scopes[v]
               : BC_SCOPE_SUB_GROUP;
}

void lw_bi_collective(struct lw_bi *b)
{
    const struct bi_call *c = b->c;
    const bool work_group = str_starts(c->row->name, "work_group_");
    const enum bc_collect what = bi_collect(c->row);
    const struct bi_type *t = &c->arg[0];
    const bool cluster = str_starts(c->row->name, "sub_group_clustered_");
    const bool scans = what == BC_COL_INCLUSIVE || what == BC_COL_EXCLUSIVE;
    if (work_group && (b->n != 1 || t->width != 1 || b->nargs > 4)) {
        lw_error(b->f, b->inst, "'%s' of such values does not exist", c->row->name);
        return;
    }
    const uint32_t ext =
        BC_COLLECT_EXT(what,
                       what == BC_COL_BARRIER ? (unsigned)fence_scope(b) : (unsigned)bi_combine(c),
                       b->nargs && what != BC_COL_BARRIER ? type_of(t) : BC_I32,
                       work_group ? BC_SCOPE_GROUP : BC_SCOPE_SUB_GROUP) |
        (rg_reconvergence_of(b->inst) == RG_RECONVERGES_ALL ? BC_COLLECT_BY_ALL : 0);
    struct bc_insn op = {.ext = ext, .a = BC_NONE, .b = BC_NONE, .c = BC_NONE};
    if (what == BC_COL_BLOCK_POINTER || what == BC_COL_BLOCK_COORDINATES) {
        op.a = lw_bi_arg(b, 0, 0);
        collect(b->f, 0, false, op);
    } else if (what == BC_COL_BARRIER) {
        op.b = lw_barrier_flags(b->f, b->inst);
        collect(b->f, 0, false, op);
    } else if (what == BC_COL_BALLOT) { // 32 lanes: the other components of the uint4 are 0
        op.a = lw_bi_arg(b, 0, 0);
        b->out[0] = collect(b->f, 4, true, op);
    } else if (work_group) {
        if (what == BC_COL_BROADCAST) op.b = linear(b);
        b->out[0] = collect(b->f, b->size, scans, op);
    } else {
        if (b->nargs > 1 && what >= BC_COL_BROADCAST && !(cluster && what == BC_COL_REDUCE))
            op.b = lw_bi_arg(b, 1, 0);
        if (cluster) op.c = lw_bi_arg(b, b->nargs - 1, 0);
        for (unsigned i = 0; i < b->n; i++) {
            if (b->nargs) op.a = lw_bi_arg(b, 0, i);
            b->out[i] = collect(b->f, b->size, true, op);
        }
        for (unsigned i = 1; i < b->n && what == BC_COL_ALL_EQUAL; i++)
            b->out[0] = lw_2(b, BC_AND_I32, b->out[0], b->out[i]);
    }
}

// ---- ids

static lw_reg lane(struct lw_bi *b) // of the sub-group: its size is a power of two
{
    lw_reg last = lw_2(b, BC_SUB_I32, size_of_item(b, BC_SUB_GROUP_SIZE, 0), lw_const(b->f, 1));
    return lw_2(b, BC_AND_I32, size_of_item(b, BC_LOCAL_LINEAR_ID, 0), last);
}

static lw_reg items(struct lw_bi *b, enum bc_wi wi)
{
    lw_reg r = size_of_item(b, wi, 0);
    for (unsigned k = 1; k < 3; k++) r = lw_2(b, BC_MUL_I32, r, size_of_item(b, wi, k));
    return r;
}

static lw_reg shift(struct lw_bi *b)
{
    return lw_1(b, BC_CTZ_I32, size_of_item(b, BC_SUB_GROUP_SIZE, 0));
}

static lw_reg groups(struct lw_bi *b, enum bc_wi wi)
{
    lw_reg last = lw_2(b, BC_SUB_I32, size_of_item(b, BC_SUB_GROUP_SIZE, 0), lw_const(b->f, 1));
    return lw_2(b, BC_LSHR_I32, lw_2(b, BC_ADD_I32, items(b, wi), last), shift(b));
}

// The number of work-items of this sub-group: the last one of the group has the remaining ones.
static lw_reg width(struct lw_bi *b)
{
    lw_reg before = lw_2(b, BC_SUB_I32, size_of_item(b, BC_LOCAL_LINEAR_ID, 0), lane(b));
    return lw_2(b, BC_UMIN_I32, size_of_item(b, BC_SUB_GROUP_SIZE, 0),
                lw_2(b, BC_SUB_I32, items(b, BC_LOCAL_SIZE), before));
}

void lw_bi_sub_group_item(struct lw_bi *b)
{
    switch (b->c->id) {
    case BI_get_sub_group_id:
        b->out[0] = lw_2(b, BC_LSHR_I32, size_of_item(b, BC_LOCAL_LINEAR_ID, 0), shift(b));
        break;
    case BI_get_sub_group_local_id: b->out[0] = lane(b); break;
    case BI_get_sub_group_size: b->out[0] = width(b); break;
    case BI_get_max_sub_group_size: b->out[0] = size_of_item(b, BC_MAX_SUB_GROUP_SIZE, 0); break;
    case BI_get_num_sub_groups: b->out[0] = groups(b, BC_LOCAL_SIZE); break;
    default: b->out[0] = groups(b, BC_ENQUEUED_LOCAL_SIZE);
    }
}
