// SPDX-License-Identifier: MIT
// Scopes and variables of the Debug Adapter Protocol.
#include "base/mem.h"
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHILDREN = 10000 };

// ---- variablesReference numbers, valid until the kernel continues
enum handle_kind {
    H_LOCALS = DBG_LOCALS,
    H_ARGS = DBG_ARGS,
    H_GLOBALS = DBG_GLOBALS,
    H_ITEM,
    H_VALUE
};
struct dbg_handle {
    enum handle_kind kind;
    uint32_t item;
    unsigned level;
    struct dbg_value value;
    char *expression; // of the value; NULL: it has none
};
static VEC(struct dbg_handle) handles;

void dbg_dap_forget(void)
{
    for (size_t i = 0; i < handles.len; i++) free(handles.data[i].expression);
    vec_clear(&handles);
}

static json_int_t handle(struct dbg_handle h)
{
    vec_push(&handles, h);
    return (json_int_t)handles.len;
}

void dbg_dap_scopes(const json_t *r, const json_t *args)
{
    uint32_t item;
    unsigned level;
    if (!dbg_dap_frame_of(args, &item, &level)) {
        dbg_dap_refuse(r, "There is no such frame.");
        return;
    }
    static const struct {
        enum handle_kind kind;
        const char *name, *hint;
    } all[] = {{H_LOCALS, "Locals", "locals"},
               {H_ARGS, "Arguments", "arguments"},
               {H_GLOBALS, "Program", "globals"},
               {H_ITEM, "Work-item", "registers"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:I, s:b}", "name", all[i].name,
                                        "presentationHint", all[i].hint, "variablesReference",
                                        handle((struct dbg_handle){
                                            .kind = all[i].kind, .item = item, .level = level}),
                                        "expensive", 0));
    dbg_dap_answer(r, json_pack("{s:o}", "scopes", list));
}

/** Elements of type t from p to the end of its object. */
static uint64_t elements_at(struct vm_gang *g, uint64_t p, const struct dbg_type *t)
{
    const struct vm_object *o = vm_object_of(g, p);
    const int64_t off = vm_offset_of(p);
    return off >= 0 && (uint64_t)off < o->size && dbg_strip(t)->kind != BC_T_VOID && t->size
               ? (o->size - (uint64_t)off) / t->size
               : 0;
}

static uint64_t children_of(struct vm_gang *g, const struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    uint64_t p;
    return t->kind == BC_T_ARRAY || t->kind == BC_T_VECTOR   ? t->count
           : t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ? t->nmembers
           : dbg_dap_pointer(g, v, &p)                       ? elements_at(g, p, t->base)
                                                             : 0;
}

struct dbg_format dbg_dap_format(const json_t *args)
{
    const bool hex = json_is_true(json_object_get(json_object_get(args, "format"), "hex"));
    return (struct dbg_format){.letter = hex ? 'x' : 0, .integers_only = true};
}

json_t *dbg_dap_variable(const char *name, const char *expression, uint32_t item,
                         const struct dbg_value *v, const struct dbg_format *f)
{
    struct vm_gang *g = dbg_dap_gang_of(item);
    struct str value = {0}, type = {0};
    dbg_value_put(&value, g, v, f);
    dbg_type_put(&type, v->type);
    const uint64_t n = children_of(g, v);
    const unsigned kind = dbg_strip(v->type)->kind;
    json_t *o = json_pack(
        "{s:o, s:o, s:o, s:I}", "name", dbg_json_text(name), "value",
        dbg_json_text(str_text(&value)), "type", dbg_json_text(str_text(&type)),
        "variablesReference",
        n ? handle((struct dbg_handle){.kind = H_VALUE,
                                       .item = item,
                                       .value = *v,
                                       .expression = expression ? mem_strdup(expression) : NULL})
          : (json_int_t)0);
    if (expression) json_object_set_new(o, "evaluateName", dbg_json_text(expression));
    dbg_dap_put_memory_reference(o, g, v);
    if (n)
        json_object_set_new(
            o, kind == BC_T_STRUCT || kind == BC_T_UNION ? "namedVariables" : "indexedVariables",
            json_integer((json_int_t)n));
    str_deinit(&value);
    str_deinit(&type);
    return o;
}

static void add_item_values(json_t *list, struct vm_gang *g, uint32_t item)
{
    uint64_t l[3], w[3], id[3];
    dbg_item_ids(dbg_focus.group_number, item, l, w, id);
    const struct {
        const char *name;
        const uint64_t *v;
    } rows[] = {{"global id", id}, {"local id", l}, {"group id", w}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buf[100];
        snprintf(buf, sizeof buf, "(%llu, %llu, %llu)", (unsigned long long)rows[i].v[0],
                 (unsigned long long)rows[i].v[1], (unsigned long long)rows[i].v[2]);
        json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "name", rows[i].name, "value", buf,
                                              "variablesReference", 0));
    }
}

/** The value of child i; false: it does not exist. */
static bool child(struct vm_gang *g, const struct dbg_value *of, uint64_t i, struct dbg_value *out,
                  char name[64])
{
    const struct dbg_type *t = dbg_strip(of->type);
    const struct dbg_member *m = t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ? &t->members[i]
                                                                                 : NULL;
    const struct dbg_type *type = m ? m->type : t->base;
    const uint64_t off = m ? m->offset : i * t->base->size;
    if (m) snprintf(name, 64, "%s", m->name);
    else snprintf(name, 64, "[%llu]", (unsigned long long)i);
    uint64_t at = of->address;
    if (dbg_dap_pointer(g, of, &at) || of->in_memory) {
        *out = dbg_value_at(type, at + off);
        if (m) out->bit = m->bit, out->bits = m->bits;
        return true;
    }
    *out = (struct dbg_value){.type = type};
    if (type->size <= DBG_MAX_BYTES)
        memcpy(out->bytes, (of->big ? of->big : of->bytes) + off, type->size);
    else out->big = of->big + off;
    return true;
}

static struct dbg_handle *handle_at(json_int_t ref)
{
    return ref > 0 && (size_t)ref <= handles.len ? &handles.data[ref - 1] : NULL;
}

bool dbg_dap_reference(json_int_t ref, uint32_t *item, unsigned *level,
                       const struct dbg_value **value)
{
    const struct dbg_handle *h = handle_at(ref);
    if (!h) return false;
    *item = h->item;
    *level = h->level;
    *value = h->kind == H_VALUE ? &h->value : NULL;
    return true;
}

bool dbg_dap_child_named(struct vm_gang *g, const struct dbg_value *of, const char *name,
                         struct dbg_value *out)
{
    char known[64];
    if (*name == '[') { // directly, for any number of elements
        const uint64_t i = strtoull(name + 1, NULL, 10);
        return i < children_of(g, of) && child(g, of, i, out, known) && !strcmp(known, name);
    }
    for (uint64_t i = 0, n = children_of(g, of); i < n; i++)
        if (child(g, of, i, out, known) && !strcmp(known, name)) return true;
    return false;
}

/** Appends child i of the value of h. */
static void add_child(json_t *list, const struct dbg_handle *h, uint64_t i,
                      const struct dbg_format *f)
{
    struct dbg_value v;
    struct str expression = {0};
    char name[64];
    if (!child(dbg_dap_gang_of(h->item), &h->value, i, &v, name)) return;
    if (h->expression)
        str_printf(&expression, "%s%s%s", h->expression, *name == '[' ? "" : ".", name);
    json_array_append_new(
        list, dbg_dap_variable(name, h->expression ? str_text(&expression) : NULL, h->item, &v, f));
    str_deinit(&expression);
}

/** Does a variable of an inner scope have the same name? */
static bool is_hidden(const struct dbg_scope_vars *v, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(v->list.data[k].name, v->list.data[i].name)) return true;
    return false;
}

enum dbg_variables dbg_dap_variables_of(const struct dbg_var *v)
{
    return v->is_global ? DBG_GLOBALS : v->is_param ? DBG_ARGS : DBG_LOCALS;
}

/** *left: nodes that may be added. */
static json_t *tree(const char *name, struct vm_gang *g, const struct dbg_value *v,
                    const struct dbg_format *f, unsigned *left)
{
    struct str value = {0}, type = {0};
    dbg_value_put(&value, g, v, f);
    dbg_type_put(&type, v->type);
    json_t *o = json_pack("{s:o, s:o, s:o}", "name", dbg_json_text(name), "value",
                          dbg_json_text(str_text(&value)), "type", dbg_json_text(str_text(&type)));
    str_deinit(&value);
    str_deinit(&type);
    const unsigned kind = dbg_strip(v->type)->kind;
    const uint64_t n = kind == BC_T_POINTER || v->ncomp || v->bits ? 0 : children_of(g, v);
    if (!n) return o;
    json_t *list = json_array();
    for (uint64_t i = 0; i < n && *left; i++) {
        struct dbg_value x;
        char own[64];
        --*left;
        if (child(g, v, i, &x, own)) json_array_append_new(list, tree(own, g, &x, f, left));
    }
    json_object_set_new(o, "count", json_integer((json_int_t)n));
    json_object_set_new(o, "children", list);
    return o;
}

json_t *dbg_dap_tree(const char *name, struct vm_gang *g, const struct dbg_value *v,
                     const struct dbg_format *f)
{
    unsigned left = 1000;
    return tree(name, g, v, f, &left);
}

void dbg_dap_variables(const json_t *r, const json_t *args)
{
    const struct dbg_handle *at = handle_at(dbg_dap_integer(args, "variablesReference", 0));
    struct vm_gang *g = at ? dbg_dap_gang_of(at->item) : NULL;
    if (!g) {
        dbg_dap_refuse(r, "The variables belong to an earlier stop.");
        return;
    }
    const struct dbg_handle h = *at;
    const struct dbg_format f = dbg_dap_format(args);
    json_t *list = json_array();
    if (h.kind == H_ITEM) {
        add_item_values(list, g, h.item);
    } else if (h.kind == H_VALUE) {
        const uint64_t n = children_of(g, &h.value);
        json_int_t start = dbg_dap_integer(args, "start", 0),
                   count = dbg_dap_integer(args, "count", 0);
        if (start < 0) start = 0;
        if (count <= 0 || count > MAX_CHILDREN) count = MAX_CHILDREN;
        for (uint64_t i = (uint64_t)start; i < n && i < (uint64_t)start + (uint64_t)count; i++)
            add_child(list, &h, i, &f);
    } else {
        struct dbg_scope_vars v;
        dbg_vars_of_frame(g, h.level, &v);
        for (size_t i = 0; i < v.list.len; i++) {
            const struct dbg_var *x = &v.list.data[i];
            if ((enum handle_kind)dbg_dap_variables_of(x) != h.kind) continue;
            const struct dbg_value value = dbg_value_at(x->type, x->address);
            json_array_append_new(list, dbg_dap_variable(x->name, is_hidden(&v, i) ? NULL : x->name,
                                                         h.item, &value, &f));
        }
        dbg_vars_free(&v);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "variables", list));
}

struct err *dbg_dap_eval_at(uint32_t item, unsigned level, const char *expression,
                            struct dbg_value *v)
{
    const struct dbg_focus before = dbg_focus;
    dbg_focus.item = item;
    dbg_focus.frame = level;
    struct err *e = dbg_eval(expression, &dbg.arena, v);
    dbg_focus.item = before.item;
    dbg_focus.frame = before.frame;
    return e;
}

struct err *dbg_dap_eval_in(const json_t *args, const char *expression, struct dbg_value *v)
{
    uint32_t item = dbg_focus.item;
    unsigned level = dbg_focus.frame;
    dbg_dap_frame_of(args, &item, &level);
    return dbg_dap_eval_at(item, level, expression, v);
}

/** Stores `expression = value`, and answers with the new value. */
static void store_and_answer(const json_t *r, const json_t *args, uint32_t item,
                             const struct dbg_value *to, const char *value)
{
    const struct dbg_format f = dbg_dap_format(args);
    struct dbg_value v;
    struct err *e = dbg_dap_eval_in(args, value, &v);
    if (!e) e = dbg_assign(dbg_dap_gang_of(item), to, &v);
    if (e) {
        dbg_dap_refuse_err(r, e);
    } else {
        json_t *o = dbg_dap_variable("", NULL, item, to, &f);
        json_object_del(o, "name");
        dbg_dap_answer(r, o);
    }
}

void dbg_dap_set_variable(const json_t *r, const json_t *args)
{
    const struct dbg_handle *at = handle_at(dbg_dap_integer(args, "variablesReference", 0));
    const char *name = dbg_dap_string(args, "name"), *value = dbg_dap_string(args, "value");
    struct vm_gang *g = at && name && value ? dbg_dap_gang_of(at->item) : NULL;
    if (!g) {
        dbg_dap_refuse(r, "There is no such variable.");
        return;
    }
    const struct dbg_handle h = *at;
    struct dbg_value to = {0};
    if (h.kind == H_VALUE) {
        struct dbg_value v;
        if (dbg_dap_child_named(g, &h.value, name, &v)) to = v;
    } else {
        struct dbg_scope_vars v;
        dbg_vars_of_frame(g, h.level, &v);
        for (size_t i = 0; i < v.list.len && !to.type; i++)
            if (!strcmp(v.list.data[i].name, name))
                to = dbg_value_at(v.list.data[i].type, v.list.data[i].address);
        dbg_vars_free(&v);
    }
    if (to.type) store_and_answer(r, args, h.item, &to, value);
    else dbg_dap_refuse(r, "There is no such variable.");
}

void dbg_dap_set_expression(const json_t *r, const json_t *args)
{
    const char *expression = dbg_dap_string(args, "expression"),
               *value = dbg_dap_string(args, "value");
    struct dbg_value to;
    if (!expression || !value) {
        dbg_dap_refuse(r, "setExpression: expression and value are needed");
        return;
    }
    struct err *e = dbg_dap_eval_in(args, expression, &to);
    uint32_t item = dbg_focus.item;
    unsigned level;
    dbg_dap_frame_of(args, &item, &level);
    if (e) dbg_dap_refuse_err(r, e);
    else store_and_answer(r, args, item, &to, value);
}
