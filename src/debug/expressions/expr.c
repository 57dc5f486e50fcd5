// SPDX-License-Identifier: MIT
// Expressions: the evaluator of syntax trees.
#include "debug/expressions/expr.h"

#include "base/mem.h"
#include "debug/expressions/expr_call.h"
#include "debug/expressions/expr_function.h"
#include "debug/expressions/expr_image.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct dbg_values dbg_values;

static struct err *eval(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v);

struct err *dbg_value_true(struct vm_gang *g, const struct dbg_value *v, bool *is)
{
    struct arena a = {0};
    struct dbg_value x = *v;
    const struct dbg_type *t = dbg_strip(v->type);
    struct err *e = t->kind == BC_T_ARRAY ? NULL : dbg_value_load(g, &x, &a);
    if (!e && t->kind == BC_T_ARRAY) *is = true;
    else if (!e && t->kind == BC_T_FLOAT) *is = dbg_as_float(t, x.bytes) != 0;
    else if (!e && (dbg_is_number(t) || t->kind == BC_T_POINTER)) *is = dbg_as_int(t, x.bytes) != 0;
    else if (!e) e = err_new("A condition must be a number.");
    arena_deinit(&a);
    return e;
}

/** Loads an argument of a function of the program, with the definedness of a struct's bytes. */
static struct err *load_argument(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    uint8_t *written = NULL;
    if (x->g && v->in_memory && (t->kind == BC_T_STRUCT || t->kind == BC_T_UNION)) {
        written = arena_alloc(x->a, t->size);
        dbg_read_written(x->g, v->address, written, t->size);
    }
    struct err *e = dbg_decay(x, n, v);
    if (written) v->written = written;
    return e;
}

static struct err *call(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value args[DBG_MAX_ARGUMENTS];
    const bool is_own = dbg_function_is(x, n->name);
    if (!is_own && !dbg_can_call(n->name))
        return BAD(x, n,
                   "Function \"%s\" cannot be called here: it is neither a function of OpenCL C "
                   "without side effects nor one that %s.",
                   n->name, x->g ? "a kernel of the program uses" : "a stopped kernel uses");
    if (!is_own && n->n > DBG_MAX_ARGS) return BAD(x, n, "%s takes fewer arguments.", n->name);
    for (unsigned k = 0; k < n->n; k++) {
        struct err *e = eval(x, n->list[k], &args[k]);
        if (!e)
            e = is_own                           ? load_argument(x, n->list[k], &args[k])
                : dbg_is_image_function(n->name) ? dbg_decay(x, n, &args[k])
                                                 : dbg_load(x, n->list[k], &args[k]);
        if (e) return e;
    }
    return is_own ? dbg_function_call(x, n, args, v) : dbg_call(x, n, args, v);
}

static struct err *history(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const char *p = n->name + 1;
    const size_t have = dbg_values.list.len;
    size_t index; // from 1
    if (!*p) index = have;
    else if (*p == '$') {
        const size_t back = p[1] ? strtoul(p + 1, NULL, 10) : 1;
        index = back < have ? have - back : 0;
    } else index = strtoul(p, NULL, 10);
    if (!have && (!*p || *p == '$')) {
        *v = (struct dbg_value){.type = dbg_type_named("void", 4)};
        return NULL;
    }
    if (!index || index > have) return BAD(x, n, "History has not yet reached %s.", n->name);
    *v = dbg_values.list.data[index - 1];
    return NULL;
}

static struct dbg_value *find_named(const char *name, bool make)
{
    for (size_t i = 0; i < dbg_values.names.len; i++)
        if (!strcmp(dbg_values.names.data[i].name, name)) return dbg_values.names.data[i].value;
    if (!make) return NULL;
    struct dbg_value *v = arena_new(&dbg.arena, struct dbg_value);
    v->type = dbg_type_named("void", 4);
    vec_push(&dbg_values.names, ((struct dbg_named){arena_strdup(&dbg.arena, name), v}));
    return v;
}

struct dbg_value *dbg_named_value(const char *name) { return find_named(name, true); }

static struct err *assign(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value b;
    struct err *e = eval(x, n->b, &b);
    if (e) return e;
    if (n->a->op == E_NAMED) { // it accepts any type
        if (n->compound != E_ASSIGN) {
            struct dbg_value a = *dbg_named_value(n->a->name);
            e = dbg_arithmetic(x, n, n->compound, &a, &b);
            b = a;
        }
        if (!e) e = dbg_decay(x, n, &b);
        b.unwritten |= x->unwritten;
        if (!e) *dbg_named_value(n->a->name) = *v = b;
        if (!e && b.big)
            dbg_named_value(n->a->name)->big = arena_dup(&dbg.arena, b.big, b.type->size);
        return e;
    }
    struct dbg_value a;
    e = eval(x, n->a, &a);
    if (!e && !a.in_memory) e = BAD(x, n, "Left operand of assignment is not an lvalue.");
    if (!e && dbg_strip(a.type)->kind == BC_T_ARRAY)
        e = BAD(x, n, "An array cannot be assigned to as a whole.");
    if (!e && n->compound != E_ASSIGN) {
        struct dbg_value old = a;
        e = dbg_load(x, n, &old);
        if (!e) e = dbg_arithmetic(x, n, n->compound, &old, &b);
        b = old;
    }
    if (!e) e = dbg_convert(x, n, a.type, &b);
    if (!e) e = dbg_place_error(x, n, dbg_value_store(x->g, &a, b.big ? b.big : b.bytes));
    *v = b;
    return e;
}

static struct err *step_by_one(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value a, old;
    struct err *e = eval(x, n->a, &a);
    if (e) return e;
    if (!a.in_memory) return BAD(x, n, "Operand is not an lvalue.");
    old = a;
    e = dbg_load(x, n, &old);
    struct dbg_value now = old, one = dbg_value_int(dbg_type_named("int", 3), 1);
    if (!e)
        e = dbg_arithmetic(x, n, n->op == E_PREINC || n->op == E_POSTINC ? E_ADD : E_SUB, &now,
                           &one);
    if (!e) e = dbg_convert(x, n, a.type, &now);
    if (!e) e = dbg_place_error(x, n, dbg_value_store(x->g, &a, now.bytes));
    *v = n->op == E_PREINC || n->op == E_PREDEC ? now : old;
    return e;
}

static struct err *index_of(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value i;
    struct err *e = eval(x, n->a, v);
    if (!e) e = eval(x, n->b, &i);
    if (!e) e = dbg_load(x, n, &i);
    if (e) return e;
    if (!dbg_is_integer(i.type)) return BAD(x, n, "An index must be an integer.");
    const int64_t at = dbg_as_int(i.type, i.bytes);
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_ARRAY && v->in_memory) {
        *v = dbg_value_at(t->base, v->address + (uint64_t)at * t->base->size);
        return NULL;
    }
    if (t->kind == BC_T_VECTOR || t->kind == BC_T_ARRAY) {
        if (at < 0 || (uint64_t)at >= t->count)
            return BAD(x, n, "no such vector element (%lld of %llu)", (long long)at,
                       (unsigned long long)t->count);
        const struct dbg_type *el = t->base;
        if (v->in_memory) {
            *v = dbg_value_at(el, v->address + (v->ncomp ? v->comp[at] : (uint64_t)at) * el->size);
        } else {
            struct dbg_value r = {.type = el};
            memcpy(r.bytes, (v->big ? v->big : v->bytes) + (uint64_t)at * el->size,
                   el->size < DBG_MAX_BYTES ? el->size : DBG_MAX_BYTES);
            *v = r;
        }
        return NULL;
    }
    e = dbg_load(x, n, v);
    if (e) return e;
    if (t->kind != BC_T_POINTER)
        return BAD(x, n,
                   "cannot subscript something that is neither an array, a pointer nor a vector");
    *v = dbg_value_at(t->base,
                      dbg_pointer_of(v) + (uint64_t)at * (t->base->size ? t->base->size : 1));
    return NULL;
}

static struct err *dereference(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct err *e = dbg_decay(x, n, v);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind != BC_T_POINTER)
        return BAD(x, n, "Attempt to take contents of a non-pointer value.");
    if (dbg_strip(t->base)->kind == BC_T_VOID)
        return BAD(x, n, "Attempt to take contents of a void pointer.");
    *v = dbg_value_at(t->base, dbg_pointer_of(v));
    return NULL;
}

static struct err *literal(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(n->type), *el = dbg_strip(t->base);
    struct dbg_value r = {.type = n->type};
    unsigned at = 0;
    for (unsigned i = 0; i < n->n; i++) {
        struct dbg_value a;
        struct err *e = eval(x, n->list[i], &a);
        if (!e) e = dbg_load(x, n, &a);
        if (e) return e;
        const struct dbg_type *s = dbg_strip(a.type), *from = dbg_element(s);
        const unsigned k = s->kind == BC_T_VECTOR ? (unsigned)s->count : 1;
        if (!dbg_is_number(from)) return BAD(x, n->list[i], "Elements of a vector are numbers.");
        if (at + k > t->count)
            return BAD(x, n, "Too many elements for %s.", t->name ? t->name : "the vector");
        for (unsigned j = 0; j < k; j++, at++)
            dbg_put_number(el, r.bytes + at * el->size, dbg_as_int(from, a.bytes + j * from->size),
                           dbg_as_float(from, a.bytes + j * from->size), from->kind == BC_T_FLOAT);
    }
    if (at == 1)
        for (; at < t->count; at++) memcpy(r.bytes + at * el->size, r.bytes, el->size);
    if (at < t->count)
        return BAD(x, n, "%u elements for %s, which has %llu.", at, t->name ? t->name : "a vector",
                   (unsigned long long)t->count);
    *v = r;
    return NULL;
}

static struct err *address_of(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    if (!v->in_memory || v->ncomp || v->bits)
        return BAD(x, n, "Attempt to take address of value not located in memory.");
    const uint64_t p = v->address;
    *v = (struct dbg_value){.type = dbg_type_pointer(v->type)};
    memcpy(v->bytes, &p, 8);
    return NULL;
}

static struct err *negate(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value zero = dbg_value_int(dbg_type_named("int", 3), 0);
    struct err *e = dbg_load(x, n, v);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_FLOAT) { // -0.0
        dbg_put_number(t, v->bytes, 0, -dbg_as_float(t, v->bytes), true);
        return NULL;
    }
    e = dbg_arithmetic(x, n, E_SUB, &zero, v);
    *v = zero;
    return e;
}

/** `!`, `&&` and `||`; the left operand is in v. */
static struct err *logical(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value b;
    bool is;
    struct err *e = dbg_place_error(x, n, dbg_value_true(x->g, v, &is));
    if (!e && n->op != E_LNOT && is == (n->op == E_LAND)) {
        e = eval(x, n->b, &b);
        if (!e) e = dbg_place_error(x, n, dbg_value_true(x->g, &b, &is));
    }
    if (!e) *v = dbg_value_int(dbg_type_named("int", 3), n->op == E_LNOT ? !is : is);
    return e;
}

/** `v@n`: an array of n. */
static struct err *repeat(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value b;
    struct err *e = eval(x, n->b, &b);
    if (!e) e = dbg_load(x, n, &b);
    if (e) return e;
    const int64_t k = dbg_is_integer(b.type) ? dbg_as_int(b.type, b.bytes) : 0;
    if (!v->in_memory) return BAD(x, n, "Only values in memory can be extended with '@'.");
    if (k <= 0 || k > 1 << 20)
        return BAD(x, n, "Invalid number %lld of repetitions.", (long long)k);
    v->type = dbg_type_array(v->type, (uint64_t)k);
    return NULL;
}

/** Evaluates an operator whose left operand is in v. */
static struct err *operate(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    struct dbg_value b = dbg_value_int(dbg_type_named("int", 3), 0);
    struct err *e;
    bool is;
    switch (n->op) {
    case E_SIZEOF: *v = dbg_value_int(dbg_type_named("ulong", 5), v->type->size); return NULL;
    case E_MEMBER: return dbg_member_of(x, n, v);
    case E_ARROW: e = dereference(x, n, v); return e ? e : dbg_member_of(x, n, v);
    case E_DEREF: return dereference(x, n, v);
    case E_ADDR: return address_of(x, n, v);
    case E_CAST: return dbg_convert(x, n, n->type, v);
    case E_NEG: return negate(x, n, v);
    case E_PLUS: return dbg_arithmetic(x, n, E_ADD, v, &b);
    case E_NOT:
        b = dbg_value_int(dbg_type_named("int", 3), (uint64_t)-1);
        return dbg_arithmetic(x, n, E_XOR, v, &b);
    case E_LNOT:
    case E_LAND:
    case E_LOR: return logical(x, n, v);
    case E_COND:
        e = dbg_place_error(x, n, dbg_value_true(x->g, v, &is));
        return e ? e : eval(x, is ? n->b : n->c, v);
    case E_COMMA: return eval(x, n->b, v);
    case E_AT: return repeat(x, n, v);
    default: e = eval(x, n->b, &b); return e ? e : dbg_arithmetic(x, n, n->op, v, &b);
    }
}

/** function::variable: private memory is there only while the function runs. */
static struct err *scoped(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const struct vm_object *o = x->g ? vm_object_of(x->g, n->value.address) : NULL;
    *v = n->value;
    if (!o || (o->kind > VM_OBJ_NONE && !(o->flags & VM_GONE))) return NULL;
    return BAD(x, n, "No frame is currently executing in function \"%.*s\".",
               (int)strcspn(n->name, ":"), n->name);
}

static struct err *eval(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    switch (n->op) {
    case E_SCOPED: return scoped(x, n, v);
    case E_CONST:
    case E_VAR: *v = n->value; return NULL;
    case E_HISTORY: return history(x, n, v);
    case E_NAMED: {
        const struct dbg_value *known = find_named(n->name, false);
        *v = known ? *known : (struct dbg_value){.type = dbg_type_named("void", 4)};
        return NULL;
    }
    case E_SIZEOF_TYPE: *v = dbg_value_int(dbg_type_named("ulong", 5), n->type->size); return NULL;
    case E_CALL: return call(x, n, v);
    case E_LITERAL: return literal(x, n, v);
    case E_ASSIGN: return assign(x, n, v);
    case E_INDEX: return index_of(x, n, v);
    case E_PREINC:
    case E_PREDEC:
    case E_POSTINC:
    case E_POSTDEC: return step_by_one(x, n, v);
    default: break;
    }
    struct err *e = eval(x, n->a, v);
    return e ? e : operate(x, n, v);
}

struct err *dbg_eval_node(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    return eval(x, n, v);
}

struct err *dbg_expr_eval(struct dbg_expr *e, struct vm_gang *g, struct arena *a,
                          struct dbg_value *out)
{
    struct dbg_eval x = {.e = e, .g = g, .a = a};
    if (e->root->op == E_SIZEOF_TYPE && e->root->name) { // a type alone
        *out = (struct dbg_value){.type = e->root->type};
        return NULL;
    }
    struct err *failed = eval(&x, e->root, out);
    if (!failed) out->unwritten |= x.unwritten;
    return failed;
}

struct err *dbg_parse(const char *text, struct dbg_expr **out)
{
    struct vm_gang *g = dbg_focus_gang();
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = g ? dbg_frames(g, f) : 0;
    return dbg_focus.frame < n ? dbg_expr_parse(text, g->code->module, f[dbg_focus.frame].fn,
                                                f[dbg_focus.frame].loc, out)
           : g                 ? dbg_expr_parse(text, g->code->module, g->code->fns[0].bc, 0, out)
                               : dbg_expr_parse(text, NULL, NULL, 0, out);
}

struct err *dbg_eval(const char *text, struct arena *a, struct dbg_value *out)
{
    struct dbg_expr *x;
    struct err *e = dbg_parse(text, &x);
    if (e) return e;
    e = dbg_expr_eval(x, dbg_focus_gang(), a, out);
    dbg_expr_free(x);
    return e;
}

struct err *dbg_assign(struct vm_gang *g, const struct dbg_value *to, struct dbg_value *v)
{
    struct arena a = {0};
    struct dbg_expr none = {.text = ""};
    struct dbg_node at = {.op = E_ASSIGN};
    struct dbg_eval x = {.e = &none, .g = g, .a = &a};
    struct err *e = to->in_memory ? dbg_convert(&x, &at, to->type, v)
                                  : err_new("It is not in memory.");
    if (!e) e = dbg_value_store(g, to, v->big ? v->big : v->bytes);
    arena_deinit(&a);
    return e;
}
