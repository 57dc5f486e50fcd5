// SPDX-License-Identifier: MIT
// Requests of the Debug Adapter Protocol. A work-item of the group that runs is a thread (its number in the group
// plus 1); a frame's number is the item's and its level's. https://microsoft.github.io/debug-adapter-protocol
#include "debug/dap.h"

#include "base/mem.h"
#include "debug/command.h"
#include "debug/history.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256, MAX_CHILDREN = 10000 };

// ---- what variablesReference numbers mean, until the kernel goes on
enum handle_kind { H_LOCALS, H_ARGS, H_GLOBALS, H_ITEM, H_VALUE };
struct dbg_handle {
    enum handle_kind kind;
    uint32_t item;
    unsigned level;
    struct dbg_value value;
};
static VEC(struct dbg_handle) handles;

void dbg_dap_forget(void) { vec_clear(&handles); }

static json_int_t handle(struct dbg_handle h)
{
    vec_push(&handles, h);
    return (json_int_t)handles.len;
}

// ---- answers
static json_t *text(const char *s)
{
    json_t *t = json_string(s);
    return t ? t : json_string("?");
}

static void answer(const json_t *request, json_t *body)
{
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_true());
    json_object_set(m, "command", json_object_get(request, "command"));
    if (body) json_object_set_new(m, "body", body);
    dbg_send(m);
}

static void refuse(const json_t *request, const char *why)
{
    json_t *m = json_object(), *error = json_object(), *body = json_object();
    json_object_set_new(m, "type", json_string("response"));
    json_object_set(m, "request_seq", json_object_get(request, "seq"));
    json_object_set_new(m, "success", json_false());
    json_object_set(m, "command", json_object_get(request, "command"));
    json_object_set_new(m, "message", text(why));
    json_object_set_new(error, "id", json_integer(1));
    json_object_set_new(error, "format", text(why));
    json_object_set_new(body, "error", error);
    json_object_set_new(m, "body", body);
    dbg_send(m);
}

static void refuse_err(const json_t *request, struct err *e)
{
    refuse(request, err_message(e));
    err_free(e);
}

static const char *string(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
static json_int_t integer(const json_t *o, const char *key, json_int_t dflt)
{
    const json_t *v = json_object_get(o, key);
    return json_is_integer(v) ? json_integer_value(v) : dflt;
}

// ---- requests
static void initialize(const json_t *r, const json_t *args)
{
    static const char *const can[] = {
#define CAN(name) name,
#include "debug/capabilities.def"
#undef CAN
    };
    json_t *body = json_object(), *filters = json_array();
    for (size_t i = 0; i < sizeof can / sizeof *can; i++) json_object_set_new(body, can[i], json_true());
    json_array_append_new(filters, json_pack("{s:s, s:s, s:b}", "filter", "findings", "label", "Findings (races, bounds, …)", "default", 1));
    json_object_set_new(body, "exceptionBreakpointFilters", filters);
    answer(r, body);
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("event"));
    json_object_set_new(m, "event", json_string("initialized"));
    dbg_send(m);
}

static json_t *breakpoint_body(const struct dbg_break *b)
{
    json_t *o = json_pack("{s:i, s:b}", "id", (int)b->number, "verified", b->at.len || b->kind >= DBG_WATCH);
    if (b->at.len && b->kind < DBG_WATCH) json_object_set_new(o, "line", json_integer(b->line));
    else if (b->kind < DBG_WATCH) json_object_set_new(o, "message", json_string(dbg.modules.len ? "there is no code here" : "the program is not built yet"));
    return o;
}

/** Those that the same request set before are replaced. */
static void remove_dap(enum dbg_break_kind kind, const char *file)
{
    for (size_t i = dbg.breaks.len; i-- > 0;) {
        struct dbg_break *b = dbg.breaks.data[i];
        const char *colon = strrchr(b->spec, ':');
        if (b->dap && b->kind == kind && (!file || (colon && strlen(file) == (size_t)(colon - b->spec) && !memcmp(file, b->spec, strlen(file))))) dbg_break_remove(b);
    }
}

static void set_details(struct dbg_break *b, const json_t *from)
{
    const char *condition = string(from, "condition"), *hits = string(from, "hitCondition"), *log = string(from, "logMessage");
    b->dap = true;
    if (condition && *condition) b->condition = mem_strdup(condition);
    if (log && *log) b->log = mem_strdup(log);
    if (hits && *hits) {
        const unsigned long long n = strtoull(hits + strspn(hits, ">= "), NULL, 10);
        b->ignore = n ? n - 1 : 0;
    }
}

static void set_breakpoints(const json_t *r, const json_t *args)
{
    const json_t *source = json_object_get(args, "source"), *list = json_object_get(args, "breakpoints");
    const char *path = string(source, "path"), *name = string(source, "name");
    if (!path && !name) {
        refuse(r, "setBreakpoints: the source has neither path nor name");
        return;
    }
    const char *file = dbg_base_name(path ? path : name);
    remove_dap(DBG_AT_LINE, file);
    json_t *out = json_array();
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)list, i, x)
    {
        struct str spec = {0};
        struct dbg_break *b;
        str_printf(&spec, "%s:%lld", file, (long long)integer(x, "line", 0));
        err_free(dbg_break_add(DBG_AT_LINE, str_text(&spec), &b));
        set_details(b, x);
        json_array_append_new(out, breakpoint_body(b));
        str_deinit(&spec);
    }
    answer(r, json_pack("{s:o}", "breakpoints", out));
}

static void set_function_breakpoints(const json_t *r, const json_t *args)
{
    remove_dap(DBG_AT_FUNCTION, NULL);
    json_t *out = json_array(), *x;
    size_t i;
    json_array_foreach((json_t *)json_object_get(args, "breakpoints"), i, x)
    {
        struct dbg_break *b;
        const char *name = string(x, "name");
        err_free(dbg_break_add(DBG_AT_FUNCTION, name ? name : "", &b));
        set_details(b, x);
        json_array_append_new(out, breakpoint_body(b));
    }
    answer(r, json_pack("{s:o}", "breakpoints", out));
}

static void set_exception_breakpoints(const json_t *r, const json_t *args)
{
    json_t *x;
    size_t i;
    dbg.stop_on_findings = false;
    json_array_foreach((json_t *)json_object_get(args, "filters"), i, x)
        if (json_is_string(x) && !strcmp(json_string_value(x), "findings")) dbg.stop_on_findings = true;
    answer(r, NULL);
}

static struct vm_gang *gang_of(uint32_t item) { return dbg.state == DBG_STOPPED && item < dbg.grp->items ? dbg_gang(item) : NULL; }

static void put_item_name(struct str *s, uint32_t item)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(dbg.group_number, item, l, g, w);
    str_printf(s, "global (%llu,%llu,%llu) local (%llu,%llu,%llu)", (unsigned long long)w[0], (unsigned long long)w[1], (unsigned long long)w[2],
               (unsigned long long)l[0], (unsigned long long)l[1], (unsigned long long)l[2]);
}

static void add_thread(json_t *list, uint32_t item)
{
    struct str s = {0};
    put_item_name(&s, item);
    json_array_append_new(list, json_pack("{s:i, s:s}", "id", (int)item + 1, "name", str_text(&s)));
    str_deinit(&s);
}

static void threads(const json_t *r, const json_t *args)
{
    json_t *list = json_array();
    if (dbg.state != DBG_STOPPED) {
        json_array_append_new(list, json_pack("{s:i, s:s}", "id", 1, "name", "program"));
    } else {
        // around the focus, when there are more than an editor can show
        const uint32_t n = dbg.grp->items, first = n <= MAX_THREADS || dbg.focus < MAX_THREADS / 2 ? 0 : dbg.focus - MAX_THREADS / 2;
        for (uint32_t i = first; i < n && i < first + MAX_THREADS; i++) add_thread(list, i);
    }
    answer(r, json_pack("{s:o}", "threads", list));
}

static json_t *source_of(const struct bc_module *m, uint32_t file)
{
    const struct bc_file *f = &m->files[file];
    const char *name = dbg_file_name(m, file), *path = f->path ? bc_str(m, f->path) : NULL;
    json_t *s = json_pack("{s:s}", "name", dbg_base_name(name));
    if (path && !access(path, R_OK)) json_object_set_new(s, "path", text(path));
    else json_object_set_new(s, "sourceReference", json_integer(file + 1));
    return s;
}

static void stack_trace(const json_t *r, const json_t *args)
{
    const json_int_t thread = integer(args, "threadId", 0);
    struct vm_gang *g = thread > 0 ? gang_of((uint32_t)thread - 1) : NULL;
    if (!g) {
        refuse(r, "There is no such work-item, or no kernel is stopped.");
        return;
    }
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_module *m = g->code->module;
    const json_int_t start = integer(args, "startFrame", 0), levels = integer(args, "levels", 0);
    json_t *list = json_array();
    for (unsigned i = start > 0 ? (unsigned)start : 0; i < n && (levels <= 0 || i < start + levels); i++) {
        const struct bc_loc *l = &m->locs[f[i].loc];
        json_t *o = json_pack("{s:I, s:s, s:i, s:i}", "id", (json_int_t)(thread - 1) * DBG_MAX_FRAMES + i + 1, "name", f[i].name, "line", (int)l->line, "column",
                              (int)(l->col ? l->col : 1));
        if (f[i].loc && l->file < m->nfiles) json_object_set_new(o, "source", source_of(m, l->file));
        json_array_append_new(list, o);
    }
    answer(r, json_pack("{s:o, s:i}", "stackFrames", list, "totalFrames", (int)n));
}

static void source(const json_t *r, const json_t *args)
{
    json_int_t ref = integer(args, "sourceReference", 0);
    if (!ref) ref = integer(json_object_get(args, "source"), "sourceReference", 0);
    const struct bc_module *m = dbg.modules.len ? vec_last(&dbg.modules).m : NULL;
    if (dbg.run) m = dbg.run->code->module;
    size_t len;
    const char *line = m && ref > 0 ? dbg_source_line(m, (uint32_t)ref - 1, 1, &len) : NULL;
    if (!line) {
        refuse(r, "The source is not there.");
        return;
    }
    answer(r, json_pack("{s:s}", "content", line));
}

static bool frame_of(const json_t *args, uint32_t *item, unsigned *level)
{
    const json_int_t id = integer(args, "frameId", 0) - 1;
    if (id < 0 || !gang_of((uint32_t)(id / DBG_MAX_FRAMES))) return false;
    *item = (uint32_t)(id / DBG_MAX_FRAMES);
    *level = (unsigned)(id % DBG_MAX_FRAMES);
    return true;
}

static void scopes(const json_t *r, const json_t *args)
{
    uint32_t item;
    unsigned level;
    if (!frame_of(args, &item, &level)) {
        refuse(r, "There is no such frame.");
        return;
    }
    static const struct {
        enum handle_kind kind;
        const char *name, *hint;
    } all[] = {{H_LOCALS, "Locals", "locals"}, {H_ARGS, "Arguments", "arguments"}, {H_GLOBALS, "Program", "globals"}, {H_ITEM, "Work-item", "registers"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:b}", "name", all[i].name, "presentationHint", all[i].hint, "variablesReference",
                                              handle((struct dbg_handle){.kind = all[i].kind, .item = item, .level = level}), "expensive", 0));
    answer(r, json_pack("{s:o}", "scopes", list));
}

static uint64_t children_of(const struct dbg_type *t)
{
    t = dbg_strip(t);
    return t->kind == BC_T_ARRAY || t->kind == BC_T_VECTOR ? t->count : t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ? t->nmembers
           : t->kind == BC_T_POINTER && dbg_strip(t->base)->kind != BC_T_VOID && t->base->size ? 1 : 0;
}

static json_t *variable(const char *name, struct vm_gang *g, uint32_t item, const struct dbg_value *v)
{
    struct str value = {0}, type = {0};
    dbg_value_put(&value, g, v, NULL);
    dbg_type_put(&type, v->type);
    const uint64_t n = children_of(v->type);
    const enum bc_dtype_kind kind = (enum bc_dtype_kind)dbg_strip(v->type)->kind;
    json_t *o = json_pack("{s:o, s:o, s:o, s:I}", "name", text(name), "value", text(str_text(&value)), "type", text(str_text(&type)), "variablesReference",
                          n ? handle((struct dbg_handle){.kind = H_VALUE, .item = item, .value = *v}) : (json_int_t)0);
    if (n) json_object_set_new(o, kind == BC_T_ARRAY || kind == BC_T_VECTOR ? "indexedVariables" : "namedVariables", json_integer((json_int_t)n));
    str_deinit(&value);
    str_deinit(&type);
    return o;
}

static void add_item_values(json_t *list, struct vm_gang *g, uint32_t item)
{
    uint64_t l[3], w[3], id[3];
    dbg_item_ids(dbg.group_number, item, l, w, id);
    const struct {
        const char *name;
        const uint64_t *v;
    } rows[] = {{"global id", id}, {"local id", l}, {"group id", w}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char buf[100];
        snprintf(buf, sizeof buf, "(%llu, %llu, %llu)", (unsigned long long)rows[i].v[0], (unsigned long long)rows[i].v[1], (unsigned long long)rows[i].v[2]);
        json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "name", rows[i].name, "value", buf, "variablesReference", 0));
    }
}

/** The value of child i; false when there is none. */
static bool child(struct vm_gang *g, const struct dbg_value *of, uint64_t i, struct dbg_value *out, char name[64])
{
    const struct dbg_type *t = dbg_strip(of->type);
    if (t->kind == BC_T_POINTER) {
        struct dbg_value p = *of;
        struct arena a = {0};
        struct err *e = dbg_value_load(g, &p, &a);
        const uint64_t at = e ? 0 : (uint64_t)dbg_as_int(t, p.bytes);
        err_free(e);
        arena_deinit(&a);
        *out = dbg_value_at(t->base, at);
        snprintf(name, 64, "*");
        return true;
    }
    const struct dbg_member *m = t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ? &t->members[i] : NULL;
    const struct dbg_type *type = m ? m->type : t->base;
    const uint64_t off = m ? m->offset : i * t->base->size;
    if (m) snprintf(name, 64, "%s", m->name);
    else snprintf(name, 64, "[%llu]", (unsigned long long)i);
    if (of->in_memory) {
        *out = dbg_value_at(type, of->address + off);
        if (m) out->bit = m->bit, out->bits = m->bits;
        return true;
    }
    *out = (struct dbg_value){.type = type};
    if (type->size <= DBG_MAX_BYTES) memcpy(out->bytes, (of->big ? of->big : of->bytes) + off, type->size);
    else out->big = of->big + off;
    return true;
}

static struct dbg_handle *handle_at(json_int_t ref) { return ref > 0 && (size_t)ref <= handles.len ? &handles.data[ref - 1] : NULL; }

static void variables(const json_t *r, const json_t *args)
{
    const struct dbg_handle *at = handle_at(integer(args, "variablesReference", 0));
    struct vm_gang *g = at ? gang_of(at->item) : NULL;
    if (!g) {
        refuse(r, "What these variables were of is no longer there.");
        return;
    }
    const struct dbg_handle h = *at;
    json_t *list = json_array();
    if (h.kind == H_ITEM) {
        add_item_values(list, g, h.item);
    } else if (h.kind == H_VALUE) {
        const uint64_t n = children_of(h.value.type);
        json_int_t start = integer(args, "start", 0), count = integer(args, "count", 0);
        if (start < 0) start = 0;
        if (count <= 0 || count > MAX_CHILDREN) count = MAX_CHILDREN;
        for (uint64_t i = (uint64_t)start; i < n && i < (uint64_t)start + (uint64_t)count; i++) {
            struct dbg_value v;
            char name[64];
            if (child(g, &h.value, i, &v, name)) json_array_append_new(list, variable(name, g, h.item, &v));
        }
    } else {
        struct dbg_scope_vars v;
        dbg_vars_of_frame(g, h.level, &v);
        for (size_t i = 0; i < v.list.len; i++) {
            const struct dbg_var *x = &v.list.data[i];
            const enum handle_kind kind = x->is_global ? H_GLOBALS : x->is_param ? H_ARGS : H_LOCALS;
            if (kind != h.kind) continue;
            const struct dbg_value value = dbg_value_at(x->type, x->address);
            json_t *o = variable(x->name, g, h.item, &value);
            json_object_set_new(o, "evaluateName", text(x->name));
            json_array_append_new(list, o);
        }
        dbg_vars_free(&v);
    }
    answer(r, json_pack("{s:o}", "variables", list));
}

/** Evaluates in a frame, then the focus is what it was. */
static struct err *eval_in(const json_t *args, const char *expression, struct dbg_value *v)
{
    const uint32_t focus = dbg.focus;
    const unsigned level = dbg.frame;
    uint32_t item;
    unsigned at;
    if (frame_of(args, &item, &at)) dbg.focus = item, dbg.frame = at;
    struct err *e = dbg_eval(expression, &dbg.arena, v);
    dbg.focus = focus;
    dbg.frame = level;
    return e;
}

static void evaluate_command(const json_t *r, const char *line)
{
    struct str out = {0};
    struct dbg_done done;
    struct err *e = dbg_execute(line, &out, &done);
    if (e) {
        struct str all = {0};
        str_printf(&all, "%s%s", str_text(&out), err_message(e));
        refuse(r, str_text(&all));
        str_deinit(&all);
        err_free(e);
    } else {
        json_t *own = json_pack("{s:b, s:b}", "running", dbg.resume, "again", done.again);
        if (done.is_client) {
            json_object_set_new(own, "client", json_string(done.client));
            json_object_set_new(own, "rest", text(done.rest));
        }
        if (dbg.waits_for_run) json_object_set_new(own, "carried", dbg_carry_out());
        json_object_set_new(own, "stopped", json_boolean(dbg.state == DBG_STOPPED && !dbg.resume));
        answer(r, json_pack("{s:o, s:i, s:o}", "result", text(str_text(&out)), "variablesReference", 0, "cldbg", own));
        if (dbg.resume) dbg_send_continued();
    }
    str_deinit(&out);
}

static void evaluate(const json_t *r, const json_t *args)
{
    const char *expression = string(args, "expression"), *context = string(args, "context");
    if (!expression) {
        refuse(r, "evaluate: there is no expression");
        return;
    }
    uint32_t item;
    unsigned level;
    if (context && !strcmp(context, "repl")) {
        if (frame_of(args, &item, &level) && item != dbg.focus) dbg.focus = item, dbg.frame = level;
        evaluate_command(r, expression);
        return;
    }
    struct dbg_value v;
    struct err *e = eval_in(args, expression, &v);
    if (e) {
        refuse_err(r, e);
        return;
    }
    item = dbg.focus;
    frame_of(args, &item, &level);
    json_t *o = variable(expression, gang_of(item), item, &v);
    json_object_set(o, "result", json_object_get(o, "value"));
    answer(r, o);
}

/** `expression = value` in memory; answers with what is there then. */
static void store_and_answer(const json_t *r, const json_t *args, struct vm_gang *g, uint32_t item, const struct dbg_value *to, const char *value)
{
    struct dbg_value v;
    struct err *e = eval_in(args, value, &v);
    if (!e) e = dbg_assign(g, to, &v);
    if (e) {
        refuse_err(r, e);
    } else {
        json_t *o = variable("", g, item, to);
        json_object_del(o, "name");
        answer(r, o);
    }
}

static void set_variable(const json_t *r, const json_t *args)
{
    const struct dbg_handle *at = handle_at(integer(args, "variablesReference", 0));
    const char *name = string(args, "name"), *value = string(args, "value");
    struct vm_gang *g = at && name && value ? gang_of(at->item) : NULL;
    if (!g) {
        refuse(r, "There is no such variable.");
        return;
    }
    const struct dbg_handle h = *at;
    struct dbg_value to = {0};
    if (h.kind == H_VALUE) {
        for (uint64_t i = 0; i < children_of(h.value.type) && !to.type; i++) {
            char known[64];
            struct dbg_value v;
            if (child(g, &h.value, i, &v, known) && !strcmp(known, name)) to = v;
        }
    } else {
        struct dbg_scope_vars v;
        dbg_vars_of_frame(g, h.level, &v);
        for (size_t i = 0; i < v.list.len && !to.type; i++)
            if (!strcmp(v.list.data[i].name, name)) to = dbg_value_at(v.list.data[i].type, v.list.data[i].address);
        dbg_vars_free(&v);
    }
    if (to.type) store_and_answer(r, args, g, h.item, &to, value);
    else refuse(r, "There is no such variable.");
}

static void set_expression(const json_t *r, const json_t *args)
{
    const char *expression = string(args, "expression"), *value = string(args, "value");
    struct dbg_value to;
    if (!expression || !value) {
        refuse(r, "setExpression: expression and value are needed");
        return;
    }
    struct err *e = eval_in(args, expression, &to);
    uint32_t item = dbg.focus;
    unsigned level;
    frame_of(args, &item, &level);
    if (e) refuse_err(r, e);
    else store_and_answer(r, args, gang_of(item), item, &to, value);
}

// ---- data breakpoints: their id is the work-item and the expression
static void data_breakpoint_info(const json_t *r, const json_t *args)
{
    const char *name = string(args, "name");
    const struct dbg_handle *at = handle_at(integer(args, "variablesReference", 0));
    if (!name || dbg.state != DBG_STOPPED || (at && at->kind == H_VALUE)) {
        answer(r, json_pack("{s:n, s:s}", "dataId", "description", "only variables can be watched from here; the console's `watch` takes expressions"));
        return;
    }
    char id[400];
    snprintf(id, sizeof id, "%u:%s", at ? at->item : dbg.focus, name);
    answer(r, json_pack("{s:s, s:s, s:[s]}", "dataId", id, "description", name, "accessTypes", "write"));
}

static void set_data_breakpoints(const json_t *r, const json_t *args)
{
    remove_dap(DBG_WATCH, NULL);
    json_t *out = json_array(), *x;
    size_t i;
    json_array_foreach((json_t *)json_object_get(args, "breakpoints"), i, x)
    {
        const char *id = string(x, "dataId"), *colon = id ? strchr(id, ':') : NULL;
        struct str ignored = {0};
        const uint32_t focus = dbg.focus, item = id ? (uint32_t)strtoul(id, NULL, 10) : 0;
        struct err *e = colon && gang_of(item) ? NULL : err_new("there is nothing to watch");
        if (!e) dbg.focus = item, e = dbg_cmd_watch(colon + 1, &ignored);
        dbg.focus = focus;
        if (!e) {
            struct dbg_break *b = vec_last(&dbg.breaks);
            set_details(b, x);
            json_array_append_new(out, breakpoint_body(b));
        } else {
            json_array_append_new(out, json_pack("{s:b, s:o}", "verified", 0, "message", text(err_message(e))));
        }
        err_free(e);
        str_deinit(&ignored);
    }
    answer(r, json_pack("{s:o}", "breakpoints", out));
}

// ---- going on
static void go_on(const json_t *r, const json_t *args, const char *command)
{
    struct str out = {0};
    struct dbg_done done;
    const json_int_t thread = integer(args, "threadId", 0);
    if (thread > 0 && gang_of((uint32_t)thread - 1) && dbg.focus != thread - 1) dbg.focus = (uint32_t)thread - 1, dbg.frame = 0;
    const char *unit = string(args, "granularity");
    struct err *e = dbg_execute(unit && !strcmp(unit, "instruction") ? strncmp(command, "reverse", 7) ? "stepi" : "reverse-stepi" : command, &out, &done);
    if (e) refuse_err(r, e);
    else if (!strcmp(command, "continue")) answer(r, json_pack("{s:b}", "allThreadsContinued", 1));
    else answer(r, NULL);
    str_deinit(&out);
}
static void go_continue(const json_t *r, const json_t *args) { go_on(r, args, "continue"); }
static void go_next(const json_t *r, const json_t *args) { go_on(r, args, "next"); }
static void go_step(const json_t *r, const json_t *args) { go_on(r, args, "step"); }
static void go_out(const json_t *r, const json_t *args) { go_on(r, args, "finish"); }
static void go_back(const json_t *r, const json_t *args) { go_on(r, args, "reverse-next"); }
static void go_far_back(const json_t *r, const json_t *args) { go_on(r, args, "reverse-continue"); }

static void pause_kernel(const json_t *r, const json_t *args)
{
    if (dbg.state != DBG_STOPPED) atomic_store(&dbg.interrupt, 1);
    answer(r, NULL);
}

static void configuration_done(const json_t *r, const json_t *args)
{
    answer(r, NULL);
    if (dbg.state == DBG_BEGINNING && !dbg.waits_for_run) dbg.resume = true;
}

/** launch and attach are the command's business; here they say what kind of client this is. */
static void attach(const json_t *r, const json_t *args)
{
    dbg.waits_for_run = json_is_true(json_object_get(args, "waitForRun"));
    if (json_is_true(json_object_get(args, "stopOnEntry"))) dbg.goal = (struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = 1};
    dbg.colours = json_is_true(json_object_get(args, "colours"));
    const json_int_t seed = integer(args, "seed", -1);
    if (seed >= 0) dbg.order.given = true, dbg.order.seed = (uint64_t)seed;
    dbg_carry_in(json_object_get(args, "carried"));
    answer(r, NULL);
}

struct offers {
    json_t *list;
};
static void add_offer(void *ctx, const char *s)
{
    struct offers *o = ctx;
    size_t i;
    json_t *x;
    json_array_foreach(o->list, i, x) if (!strcmp(json_string_value(json_object_get(x, "label")), s)) return;
    json_array_append_new(o->list, json_pack("{s:o}", "label", text(s)));
}
static void completions(const json_t *r, const json_t *args)
{
    struct offers o = {json_array()};
    const char *line = string(args, "text");
    char *own = mem_strdup(line ? line : "");
    const json_int_t column = integer(args, "column", (json_int_t)strlen(own) + 1);
    if (column >= 1 && (size_t)column - 1 < strlen(own)) own[column - 1] = 0;
    dbg_complete(own, add_offer, &o);
    free(own);
    answer(r, json_pack("{s:o}", "targets", o.list));
}

static void exception_info(const json_t *r, const json_t *args)
{
    if (!dbg.findings.len) {
        refuse(r, "Nothing was found.");
        return;
    }
    const struct dbg_found *f = &vec_last(&dbg.findings);
    answer(r, json_pack("{s:s, s:o, s:s}", "exceptionId", rep_kinds[f->kind].id, "description", text(f->text), "breakMode", "always"));
}

static void disconnect(const json_t *r, const json_t *args)
{
    const json_t *end = json_object_get(args, "terminateDebuggee");
    answer(r, NULL);
    if (json_is_true(end)) _exit(0);
    dbg.ended = true;
}

static void terminate(const json_t *r, const json_t *args)
{
    answer(r, NULL);
    _exit(0);
}

void dbg_dap_request(const json_t *r)
{
    static const struct {
        const char *name;
        void (*run)(const json_t *r, const json_t *args);
    } requests[] = {
        {"initialize", initialize}, {"launch", attach}, {"attach", attach}, {"configurationDone", configuration_done}, {"setBreakpoints", set_breakpoints},
        {"setFunctionBreakpoints", set_function_breakpoints}, {"setExceptionBreakpoints", set_exception_breakpoints}, {"setDataBreakpoints", set_data_breakpoints},
        {"dataBreakpointInfo", data_breakpoint_info}, {"threads", threads}, {"stackTrace", stack_trace}, {"scopes", scopes}, {"variables", variables},
        {"setVariable", set_variable}, {"setExpression", set_expression}, {"evaluate", evaluate}, {"continue", go_continue}, {"next", go_next}, {"stepIn", go_step},
        {"stepOut", go_out}, {"stepBack", go_back}, {"reverseContinue", go_far_back}, {"pause", pause_kernel}, {"source", source}, {"completions", completions},
        {"exceptionInfo", exception_info}, {"disconnect", disconnect}, {"terminate", terminate},
    };
    const char *command = string(r, "command");
    const json_t *args = json_object_get(r, "arguments");
    json_t *none = json_object();
    if (!json_is_object(args)) args = none;
    size_t i = 0;
    while (command && i < sizeof requests / sizeof *requests && strcmp(requests[i].name, command)) i++;
    if (!command || i == sizeof requests / sizeof *requests) {
        struct str s = {0};
        str_printf(&s, "The request \"%s\" is not known.", command ? command : "");
        refuse(r, str_text(&s));
        str_deinit(&s);
    } else {
        requests[i].run(r, args);
    }
    json_decref(none);
}
