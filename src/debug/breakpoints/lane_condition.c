// SPDX-License-Identifier: MIT
// A breakpoint's condition for all lanes of a wide gang at once.
//
// Numbers, scalar variables, work-item functions and C's operators are evaluated node by node, in
// loops over the lanes. Lanes that conditions on ids exclude are left out. Memory accesses, members
// and division by zero are left to the evaluator for a single work-item (expr.c).
#include "debug/breakpoints/lane_condition.h"

#include "debug/expressions/expr.h"
#include "debug/expressions/expr_node.h"
#include "debug/session/focus.h"
#include "interp/stepping/step.h"

#include <string.h>

enum { LANES = VM_MAX_WIDTH, DEEPEST = 12 };

/** A value of each lane, of a promoted type, in the widest representation. */
struct many {
    const struct dbg_type *type;
    bool is_truth; // 0 and 1 only
    union {
        int64_t i[LANES];
        double f[LANES];
    };
};

static bool is_float(const struct dbg_type *t) { return t->kind == BC_T_FLOAT; }

/**
 * The n lanes of a gang from `from` on that are evaluated. Results begin at index 0.
 */
struct window {
    struct vm_gang *g;
    uint32_t from, n;
};

/** Truncates integers to their type. */
static void narrow(struct many *x, uint32_t n)
{
    const struct dbg_type *t = x->type;
    if (is_float(t)) {
        if (t->size == 4)
            for (uint32_t k = 0; k < n; k++) x->f[k] = (float)x->f[k];
    } else if (t->size == 4 && t->kind == BC_T_UINT) {
        for (uint32_t k = 0; k < n; k++) x->i[k] = (uint32_t)x->i[k];
    } else if (t->size == 4) {
        for (uint32_t k = 0; k < n; k++) x->i[k] = (int32_t)x->i[k];
    }
}

/** Converts between int, uint, long, ulong, float and double. */
static void become(struct many *x, const struct dbg_type *t, uint32_t n)
{
    if (x->type == t) return;
    x->is_truth = false;
    const bool was = is_float(x->type), is = is_float(t),
               is_unsigned = x->type->kind == BC_T_UINT && x->type->size == 8;
    if (!was && is)
        for (uint32_t k = 0; k < n; k++)
            x->f[k] = is_unsigned ? (double)(uint64_t)x->i[k] : (double)x->i[k];
    x->type = t;
    narrow(x, n);
}

static bool is_plain(const struct dbg_type *t)
{
    return (t->kind == BC_T_INT || t->kind == BC_T_UINT)
               ? t->size == 4 || t->size == 8
               : is_float(t) && (t->size == 4 || t->size == 8);
}

/** A scalar variable in private memory: its words are interleaved over the lanes. */
static bool load_variable(const struct dbg_value *v, const struct window *at, struct many *out)
{
    struct vm_gang *const g = at->g;
    const struct dbg_type *t = dbg_strip(v->type);
    const struct vm_object *o = vm_object_of(g, v->address);
    const int64_t off = vm_offset_of(v->address);
    if (!v->in_memory || v->bits || v->ncomp || o->kind != VM_OBJ_PRIVATE || off < 0 || off % 4 ||
        (uint64_t)off + t->size > o->size)
        return false;
    const uint32_t *w = (const uint32_t *)o->base + (size_t)off / 4 * g->code->width + at->from,
                   width = g->code->width;
    const bool small = (t->kind == BC_T_INT || t->kind == BC_T_UINT || t->kind == BC_T_BOOL) &&
                       t->size < 4;
    if (!small && !is_plain(t)) return false;
    for (uint32_t k = 0; k < at->n; k++) {
        const uint64_t bits = w[k] | (t->size == 8 ? (uint64_t)w[width + k] << 32 : 0);
        float f;
        memcpy(&f, &(uint32_t){(uint32_t)bits}, 4);
        if (is_float(t) && t->size == 4) out->f[k] = f;
        else if (is_float(t)) memcpy(&out->f[k], &bits, 8);
        else if (t->size == 8) out->i[k] = (int64_t)bits;
        else if (t->size == 4)
            out->i[k] = t->kind == BC_T_UINT ? (int64_t)(uint32_t)bits : (int32_t)bits;
        else if (t->size == 2)
            out->i[k] = t->kind == BC_T_INT ? (int64_t)(int16_t)bits : (int64_t)(uint16_t)bits;
        else out->i[k] = t->kind == BC_T_INT ? (int64_t)(int8_t)bits : (int64_t)(uint8_t)bits;
    }
    out->type = small ? dbg_promoted(t) : t;
    return true;
}

static bool id_of_lanes(const struct dbg_node *n, const struct window *at, struct many *out)
{
    if (n->n != 1 || n->list[0]->op != E_CONST || !dbg_is_integer(n->list[0]->value.type))
        return false;
    const int64_t d = dbg_as_int(n->list[0]->value.type, n->list[0]->value.bytes);
    const bool global = !strcmp(n->name, "get_global_id"), local = !strcmp(n->name, "get_local_id");
    if ((!global && !local) || d < 0 || d > 2) return false;
    static const struct dbg_type *ulong_type;
    if (!ulong_type) ulong_type = dbg_type_named("ulong", 5);
    out->type = ulong_type;
    for (uint32_t k = 0; k < at->n; k++)
        out->i[k] = (int64_t)(at->g->ids[(global ? BC_GLOBAL_ID : BC_LOCAL_ID) * 3 + d] +
                              at->g->lid[d][at->from + k]);
    return true;
}

static const struct dbg_type *int_type(void)
{
    static const struct dbg_type *t;
    return t ? t : (t = dbg_type_named("int", 3));
}

static void to_truth(struct many *x, uint32_t n)
{
    if (x->is_truth) return;
    x->is_truth = true;
    if (is_float(x->type))
        for (uint32_t k = 0; k < n; k++) x->i[k] = x->f[k] != 0;
    else
        for (uint32_t k = 0; k < n; k++) x->i[k] = x->i[k] != 0;
    x->type = int_type();
}

/**
 * Do all active lanes have this truth value, so that the right operand of && or || is not
 * evaluated?
 */
static bool all_are(const struct many *x, const struct window *at, bool is)
{
    bool other = false;
    for (uint32_t k = 0; k < at->n; k++) other |= at->g->mask[at->from + k] && (bool)x->i[k] != is;
    return !other;
}

/** a = a op b, of one type; false: not supported here. */
static bool combine(enum dbg_op op, struct many *a, const struct many *b, uint32_t n)
{
    const bool is_unsigned = a->type->kind == BC_T_UINT;
#define EACH(expression)                                                                           \
    for (uint32_t k = 0; k < n; k++) expression;                                                   \
    break
    if (is_float(a->type)) {
        switch (op) {
        case E_MUL: EACH(a->f[k] *= b->f[k]);
        case E_ADD: EACH(a->f[k] += b->f[k]);
        case E_SUB: EACH(a->f[k] -= b->f[k]);
        case E_DIV: EACH(a->f[k] /= b->f[k]);
        case E_LT: EACH(a->i[k] = a->f[k] < b->f[k]);
        case E_GT: EACH(a->i[k] = a->f[k] > b->f[k]);
        case E_LE: EACH(a->i[k] = a->f[k] <= b->f[k]);
        case E_GE: EACH(a->i[k] = a->f[k] >= b->f[k]);
        case E_EQ: EACH(a->i[k] = a->f[k] == b->f[k]);
        case E_NE: EACH(a->i[k] = a->f[k] != b->f[k]);
        default: return false;
        }
    } else {
        const uint64_t flip = is_unsigned ? 1ull << 63 : 0; // so that signed comparison works
        switch (op) {
        case E_MUL: EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] * (uint64_t)b->i[k]));
        case E_ADD: EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] + (uint64_t)b->i[k]));
        case E_SUB: EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] - (uint64_t)b->i[k]));
        case E_AND: EACH(a->i[k] &= b->i[k]);
        case E_OR: EACH(a->i[k] |= b->i[k]);
        case E_XOR: EACH(a->i[k] ^= b->i[k]);
        case E_LT:
            EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] ^ flip) <
                           (int64_t)((uint64_t)b->i[k] ^ flip));
        case E_GT:
            EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] ^ flip) >
                           (int64_t)((uint64_t)b->i[k] ^ flip));
        case E_LE:
            EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] ^ flip) <=
                           (int64_t)((uint64_t)b->i[k] ^ flip));
        case E_GE:
            EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] ^ flip) >=
                           (int64_t)((uint64_t)b->i[k] ^ flip));
        case E_EQ: EACH(a->i[k] = a->i[k] == b->i[k]);
        case E_NE: EACH(a->i[k] = a->i[k] != b->i[k]);
        case E_DIV:
        case E_REM:
            for (uint32_t k = 0; k < n; k++)
                if (!b->i[k] || b->i[k] == -1)
                    return false; // the single-item evaluator reports
                                  // this
            if (is_unsigned && op == E_DIV) {
                EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] / (uint64_t)b->i[k]));
            }
            if (is_unsigned) { EACH(a->i[k] = (int64_t)((uint64_t)a->i[k] % (uint64_t)b->i[k])); }
            if (op == E_DIV) { EACH(a->i[k] /= b->i[k]); }
            EACH(a->i[k] %= b->i[k]);
        default: return false;
        }
    }
#undef EACH
    if (op >= E_LT && op <= E_NE) a->type = int_type();
    else if (op != E_AND && op != E_OR && op != E_XOR) narrow(a, n);
    a->is_truth = op >= E_LT && op <= E_NE;
    return true;
}

static bool evaluate(const struct dbg_node *x, const struct window *at, struct many *out,
                     unsigned depth)
{
    const uint32_t n = at->n;
    struct many b;
    if (depth > DEEPEST) return false;
    out->is_truth = false;
    switch (x->op) {
    case E_VAR: return load_variable(&x->value, at, out);
    case E_CALL: return id_of_lanes(x, at, out);
    case E_CONST: {
        const struct dbg_type *t = dbg_promoted(x->value.type);
        if (x->value.in_memory || !dbg_is_number(x->value.type) || !is_plain(t)) return false;
        out->type = t;
        const int64_t i = dbg_as_int(dbg_strip(x->value.type), x->value.bytes);
        const double f = dbg_as_float(dbg_strip(x->value.type), x->value.bytes);
        for (uint32_t k = 0; k < n; k++)
            if (is_float(t)) out->f[k] = f;
            else out->i[k] = i;
        return true;
    }
    case E_LNOT:
        if (!evaluate(x->a, at, out, depth + 1)) return false;
        to_truth(out, n);
        for (uint32_t k = 0; k < n; k++) out->i[k] = !out->i[k];
        return true;
    case E_LAND:
    case E_LOR:
        if (!evaluate(x->a, at, out, depth + 1)) return false;
        to_truth(out, n);
        if (all_are(out, at, x->op == E_LOR)) return true;
        if (!evaluate(x->b, at, &b, depth + 1)) return false;
        to_truth(&b, n);
        if (!combine(x->op == E_LAND ? E_AND : E_OR, out, &b, n)) return false;
        out->is_truth = true;
        return true;
    case E_NEG:
        b = (struct many){.type = dbg_type_named("int", 3)};
        if (!evaluate(x->a, at, out, depth + 1) || is_float(out->type)) return false;
        become(&b, out->type, n);
        if (!combine(E_SUB, &b, out, n)) return false;
        *out = b;
        return true;
    case E_MUL:
    case E_DIV:
    case E_REM:
    case E_ADD:
    case E_SUB:
    case E_AND:
    case E_XOR:
    case E_OR:
    case E_LT:
    case E_GT:
    case E_LE:
    case E_GE:
    case E_EQ:
    case E_NE: {
        if (!evaluate(x->a, at, out, depth + 1) || !evaluate(x->b, at, &b, depth + 1)) return false;
        const struct dbg_type *t = dbg_common(out->type, b.type);
        become(out, t, n);
        become(&b, t, n);
        return combine(x->op, out, &b, n);
    }
    default: return false;
    }
}

/**
 * Does the expression consist of numbers and ids of work-items, so that its value for a lane is
 * constant?
 */
static bool is_of_ids(const struct dbg_node *x)
{
    switch (x->op) {
    case E_CONST: return !x->value.in_memory && dbg_is_number(x->value.type);
    case E_CALL:
        return x->n == 1 && x->list[0]->op == E_CONST &&
               (!strcmp(x->name, "get_global_id") || !strcmp(x->name, "get_local_id"));
    case E_LNOT:
    case E_NEG: return is_of_ids(x->a);
    case E_MUL:
    case E_DIV:
    case E_REM:
    case E_ADD:
    case E_SUB:
    case E_LT:
    case E_GT:
    case E_LE:
    case E_GE:
    case E_EQ:
    case E_NE:
    case E_AND:
    case E_XOR:
    case E_OR:
    case E_LAND:
    case E_LOR: return is_of_ids(x->a) && is_of_ids(x->b);
    default: return false;
    }
}

/** The first operands of && that are of ids; NULL: there are none. */
static const struct dbg_node *part_of_ids(const struct dbg_expr *e)
{
    const struct dbg_node *ids = e->root;
    while (ids->op == E_LAND && !is_of_ids(ids)) ids = ids->a;
    return is_of_ids(ids) ? ids : NULL;
}

bool dbg_condition_excludes(const struct dbg_expr *e, struct vm_gang *g)
{
    const struct window at = {g, 0, 1};
    const struct dbg_node *ids = part_of_ids(e);
    struct many v;
    if (g->nlanes != 1 || !ids || !evaluate(ids, &at, &v, 0)) return false;
    to_truth(&v, 1);
    return !v.i[0];
}

/**
 * Finds the lanes of the gang that their ids do not exclude; once for each gang of a group.
 */
static void narrow_window(struct dbg_expr *e, struct window *at)
{
    struct vm_gang *const g = at->g;
    struct dbg_excluded *x = &e->excluded;
    const struct dbg_node *ids = part_of_ids(e);
    if (!ids) return;
    if (x->group != dbg_focus.group_number || x->launch != dbg_launch.count)
        *x = (struct dbg_excluded){.group = dbg_focus.group_number, .launch = dbg_launch.count};
    const uint32_t k = g->first_item / g->nlanes;
    if (k >= DBG_EXCLUDED_GANGS) return;
    if (!(x->known >> k & 1)) {
        struct many v;
        if (g->nactive < g->nlanes || !evaluate(ids, at, &v, 0))
            return; // && and || test active lanes
        to_truth(&v, g->nlanes);
        uint32_t from = 0, to = g->nlanes;
        while (from < to && !v.i[from]) from++;
        while (to > from && !v.i[to - 1]) to--;
        x->known |= 1ull << k;
        x->from[k] = (uint16_t)from;
        x->n[k] = (uint16_t)(to - from);
    }
    at->from = x->from[k];
    at->n = x->n[k];
}

enum dbg_lanes_hold dbg_condition_lanes(struct dbg_expr *e, struct vm_gang *g, bool *holds)
{
    struct many v;
    struct window at = {g, 0, g->nlanes};
    if (g->nlanes > LANES) return DBG_LANES_UNKNOWN;
    narrow_window(e, &at);
    if (!at.n) return DBG_LANES_NONE;
    if (!evaluate(e->root, &at, &v, 0)) return DBG_LANES_UNKNOWN;
    to_truth(&v, at.n);
    if (all_are(&v, &at, false)) return DBG_LANES_NONE;
    memset(holds, 0, g->nlanes * sizeof *holds);
    for (uint32_t k = 0; k < at.n; k++) holds[at.from + k] = v.i[k] && g->mask[at.from + k];
    return DBG_LANES_SOME;
}
