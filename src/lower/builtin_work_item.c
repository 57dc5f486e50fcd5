// SPDX-License-Identifier: MIT
// Work-item functions.
#include "lower/builtin.h"

static const struct {
    enum bi_id id;
    enum bc_wi wi;
    bool is_size, by_lane;
} table[] = {
    {BI_get_global_id, BC_GLOBAL_ID, false, true},
    {BI_get_local_id, BC_LOCAL_ID, false, true},
    {BI_get_group_id, BC_GROUP_ID, false, false},
    {BI_get_global_size, BC_GLOBAL_SIZE, true, false},
    {BI_get_local_size, BC_LOCAL_SIZE, true, false},
    {BI_get_enqueued_local_size, BC_ENQUEUED_LOCAL_SIZE, true, false},
    {BI_get_num_groups, BC_NUM_GROUPS, true, false},
    {BI_get_global_offset, BC_GLOBAL_OFFSET, false, false},
    {BI_get_work_dim, BC_WORK_DIM, false, false},
    {BI_get_global_linear_id, BC_GLOBAL_LINEAR_ID, false, true},
    {BI_get_local_linear_id, BC_LOCAL_LINEAR_ID, false, true},
};

static lw_reg item(struct lw_bi *b, enum bc_wi wi, unsigned dim, bool by_lane)
{
    lw_reg d = lw_temp(b->f, b->size, by_lane);
    lw_emit(b->f, (struct bc_insn){.op = b->size == 8 ? BC_WI_I64 : BC_WI_I32,
                                   .dst = d,
                                   .a = BC_NONE,
                                   .b = BC_NONE,
                                   .c = BC_NONE,
                                   .ext = wi | dim << 8});
    return d;
}

// Beyond the third dimension sizes are 1, and all other values are 0.
void lw_bi_work_item(struct lw_bi *b)
{
    unsigned k = 0;
    while (table[k].id != b->c->id) k++;
    const bool by_lane = table[k].by_lane || (table[k].wi == BC_GROUP_ID && b->f->rg->groups_vary);
    uint64_t dim = 0;
    if (b->nargs == 0 || lw_bi_const(b, 0, &dim)) {
        b->out[0] = dim < 3 ? item(b, table[k].wi, (unsigned)dim, by_lane)
                            : lw_const(b->f, table[k].is_size);
        return;
    }
    lw_reg r = lw_const(b->f, table[k].is_size);
    for (unsigned d = 0; d < 3; d++) {
        lw_reg is = lw_2(b, BC_EQ_I32, lw_bi_arg(b, 0, 0), lw_const(b->f, d));
        r = lw_3(b, LW_INT(SEL, b->size), is, item(b, table[k].wi, d, by_lane), r);
    }
    b->out[0] = r;
}
