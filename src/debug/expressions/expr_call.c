// SPDX-License-Identifier: MIT
// Expressions: calls. Work-item functions are here, the others in expr_builtin.c and expr_image.c.
#include "debug/expressions/expr_call.h"

#include "debug/expressions/expr.h"
#include "debug/expressions/expr_builtin.h"
#include "debug/expressions/expr_image.h"
#include "debug/session/focus.h"

#include <string.h>

static const struct function {
    const char *name;
    enum bc_wi wi;
    const char *type;
    unsigned nargs;
} functions[] = {
    {"get_global_id", BC_GLOBAL_ID, "ulong", 1},
    {"get_local_id", BC_LOCAL_ID, "ulong", 1},
    {"get_group_id", BC_GROUP_ID, "ulong", 1},
    {"get_global_size", BC_GLOBAL_SIZE, "ulong", 1},
    {"get_local_size", BC_LOCAL_SIZE, "ulong", 1},
    {"get_num_groups", BC_NUM_GROUPS, "ulong", 1},
    {"get_enqueued_local_size", BC_ENQUEUED_LOCAL_SIZE, "ulong", 1},
    {"get_global_offset", BC_GLOBAL_OFFSET, "ulong", 1},
    {"get_work_dim", BC_WORK_DIM, "uint", 0},
    {"get_global_linear_id", BC_GLOBAL_LINEAR_ID, "ulong", 0},
    {"get_local_linear_id", BC_LOCAL_LINEAR_ID, "ulong", 0},
};

const char *dbg_work_item_function(enum bc_wi wi, bool *has_dimension)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        *has_dimension = functions[i].nargs;
        if (functions[i].wi == wi) return functions[i].name;
    }
    return "get_sub_group_size";
}

static const struct function *work_item_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name)) return &functions[i];
    return NULL;
}

bool dbg_is_work_item_function(const char *name) { return work_item_function(name); }

static uint64_t work_item_value(const struct vm_gang *g, enum bc_wi wi, uint64_t d)
{
    const struct vm_launch *l = g->worker->run->l;
    uint64_t r = 0;
    switch (wi) {
    case BC_GLOBAL_LINEAR_ID:
        for (int k = 2; k >= 0; k--)
            r = r * l->global[k] + g->group->id[k] * l->local[k] + g->lid[k][dbg_focus.lane];
        return r;
    case BC_LOCAL_LINEAR_ID: return g->lid[3][dbg_focus.lane];
    case BC_WORK_DIM: return g->ids[wi * 3];
    default: break;
    }
    if (d > 2)
        return wi == BC_GLOBAL_SIZE || wi == BC_LOCAL_SIZE || wi == BC_NUM_GROUPS ||
               wi == BC_ENQUEUED_LOCAL_SIZE;
    return g->ids[wi * 3 + d] +
           (wi == BC_GLOBAL_ID || wi == BC_LOCAL_ID ? g->lid[d][dbg_focus.lane] : 0);
}

bool dbg_can_call(const char *name)
{
    return work_item_function(name) || dbg_is_image_function(name) || dbg_builtin_is(name);
}

struct err *dbg_call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *args,
                     struct dbg_value *v)
{
    const struct function *f = work_item_function(n->name);
    if (!f && dbg_is_image_function(n->name))
        return n->n ? dbg_image_call(x, n, args, v) : BAD(x, n, "%s takes an image.", n->name);
    if (!f) return dbg_builtin_call(x, n, args, v);
    if (n->n != f->nargs)
        return BAD(x, n, "%s takes %u argument%s.", n->name, f->nargs, f->nargs == 1 ? "" : "s");
    if (!x->g) return BAD(x, n, "No kernel is stopped: there is no work-item.");
    struct err *e = n->n ? dbg_convert(x, n, dbg_type_named("ulong", 5), &args[0]) : NULL;
    if (!e)
        *v = dbg_value_int(dbg_type_named(f->type, strlen(f->type)),
                           work_item_value(x->g, f->wi, n->n ? dbg_pointer_of(&args[0]) : 0));
    return e;
}
