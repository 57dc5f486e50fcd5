// SPDX-License-Identifier: MIT
// Breakpoints of the Debug Adapter Protocol: each request contains all breakpoints of its kind, and
// replaces those of the previous request.
#include "base/mem.h"
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/breakpoints/watch_expression.h"
#include "debug/commands/command.h"
#include "debug/session/focus.h"
#include "debug/session/frames.h"
#include "debug/session/session_settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

json_t *dbg_dap_breakpoint(const struct dbg_break *b)
{
    json_t *o = json_pack("{s:i, s:b}", "id", (int)b->number, "verified",
                          b->at.len || b->kind >= DBG_WATCH);
    if (b->at.len && b->kind < DBG_WATCH) json_object_set_new(o, "line", json_integer(b->line));
    else if (b->kind < DBG_WATCH)
        json_object_set_new(o, "message",
                            json_string(dbg_programs.modules.len
                                            ? "No code at this line."
                                            : "The program is not built yet."));
    return o;
}

void dbg_dap_send_breakpoint(const struct dbg_break *b)
{
    json_t *m = json_pack("{s:s, s:s, s:{s:s, s:o}}", "type", "event", "event", "breakpoint",
                          "body", "reason", "changed", "breakpoint", dbg_dap_breakpoint(b));
    if (m) dbg_send(m);
}

/** Removes the breakpoints of the previous request of this kind. */
static void remove_dap(enum dbg_break_kind kind, const char *file)
{
    for (size_t i = dbg_breaks.list.len; i-- > 0;) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        const char *colon = strrchr(b->spec, ':');
        if (b->dap && b->kind == kind &&
            (!file || (colon && strlen(file) == (size_t)(colon - b->spec) &&
                       !memcmp(file, b->spec, strlen(file)))))
            dbg_break_remove(b);
    }
}

/** Of a breakpoint that cannot be set. */
static json_t *unverified(const char *why)
{
    return json_pack("{s:b, s:o}", "verified", 0, "message", dbg_json_text(why));
}

/** "3", ">= 3", "> 3", "== 3" or "% 3"; false: another text. */
static bool set_hits(struct dbg_break *b, const char *text)
{
    char *end;
    text += strspn(text, " ");
    const size_t k = strspn(text, "=<>%");
    const char *digits = text + k + strspn(text + k, " ");
    const unsigned long long n = strtoull(digits, &end, 10);
    if (!isdigit((unsigned char)*digits) || end[strspn(end, " ")] || !n) return false;
    if (!k || (k == 2 && !memcmp(text, ">=", 2))) b->ignore = n - 1;
    else if (k == 1 && *text == '>') b->ignore = n;
    else if (k == 2 && !memcmp(text, "==", 2)) b->only_hit = n;
    else if (k == 1 && *text == '%') b->every_hit = n;
    else return false;
    return true;
}

/** Adds what the client asks for, and describes the breakpoint; a wrong one is removed. */
static json_t *complete(struct dbg_break *b, const json_t *from)
{
    const char *condition = dbg_dap_string(from, "condition"),
               *hits = dbg_dap_string(from, "hitCondition"),
               *log = dbg_dap_string(from, "logMessage");
    b->dap = true;
    if (condition && *condition) b->condition = mem_strdup(condition);
    if (log && *log) b->log = mem_strdup(log);
    if (!hits || !*hits || set_hits(b, hits)) return dbg_dap_breakpoint(b);
    dbg_break_remove(b);
    return unverified("The hit count is a number, or one after >=, >, == or %.");
}

void dbg_dap_set_breakpoints(const json_t *r, const json_t *args)
{
    const json_t *source = json_object_get(args, "source"),
                 *list = json_object_get(args, "breakpoints");
    const char *path = dbg_dap_string(source, "path"), *name = dbg_dap_string(source, "name");
    if (!path && !name) {
        dbg_dap_refuse(r, "setBreakpoints: the source has neither path nor name");
        return;
    }
    const char *file = dbg_base_name(path ? path : name);
    remove_dap(DBG_AT_LINE, file);
    json_t *out = json_array();
    size_t i;
    json_t *x;
    json_array_foreach((json_t *)list, i, x) {
        struct str spec = {0};
        str_printf(&spec, "%s:%lld", file, (long long)dbg_dap_integer(x, "line", 0));
        struct dbg_break *b = dbg_break_add(DBG_AT_LINE, str_text(&spec));
        json_array_append_new(out, complete(b, x));
        str_deinit(&spec);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", out));
}

void dbg_dap_set_function_breakpoints(const json_t *r, const json_t *args)
{
    remove_dap(DBG_AT_FUNCTION, NULL);
    json_t *out = json_array(), *x;
    size_t i;
    json_array_foreach((json_t *)json_object_get(args, "breakpoints"), i, x) {
        const char *name = dbg_dap_string(x, "name");
        struct dbg_break *b = dbg_break_add(DBG_AT_FUNCTION, name ? name : "");
        json_array_append_new(out, complete(b, x));
    }
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", out));
}

// ---- findings and ends of launches
static int caught_by(const char *filter)
{
    for (int i = 0; i < REP_KIND_COUNT; i++)
        if (!strcmp(filter, rep_kinds[i].id)) return i;
    return !strcmp(filter, "launch-end") ? DBG_LAUNCH_END : DBG_ALL_FINDINGS;
}

/**
 * Findings of all kinds and ends of launches, if without a condition, are settings of the session;
 * the other filters are catchpoints.
 */
static json_t *set_filter(const char *filter, const char *condition)
{
    const int caught = caught_by(filter);
    if (caught == DBG_ALL_FINDINGS && strcmp(filter, "findings") != 0)
        return unverified("This filter does not exist.");
    if (caught < 0 && !condition) {
        *(caught == DBG_LAUNCH_END ? &dbg_settings.stop_at_launch_end
                                   : &dbg_settings.stop_on_findings) = true;
        return json_pack("{s:b}", "verified", 1);
    }
    struct dbg_break *b = dbg_break_add(DBG_CATCH, filter);
    b->dap = true;
    b->finding = caught;
    b->first_only = !condition;
    b->condition = condition ? mem_strdup(condition) : NULL;
    return dbg_dap_breakpoint(b);
}

void dbg_dap_set_exception_breakpoints(const json_t *r, const json_t *args)
{
    json_t *x, *out = json_array();
    size_t i;
    dbg_settings.stop_on_findings = dbg_settings.stop_at_launch_end = false;
    remove_dap(DBG_CATCH, NULL);
    json_array_foreach((json_t *)json_object_get(args, "filters"), i, x)
        json_array_append_new(out, set_filter(json_is_string(x) ? json_string_value(x) : "", NULL));
    json_array_foreach((json_t *)json_object_get(args, "filterOptions"), i, x) {
        const char *filter = dbg_dap_string(x, "filterId"),
                   *condition = dbg_dap_string(x, "condition");
        json_array_append_new(
            out, set_filter(filter ? filter : "", condition && *condition ? condition : NULL));
    }
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", out));
}

// ---- instructions
void dbg_dap_set_instruction_breakpoints(const json_t *r, const json_t *args)
{
    remove_dap(DBG_AT_INSTRUCTION, NULL);
    json_t *out = json_array(), *x;
    size_t i;
    json_array_foreach((json_t *)json_object_get(args, "breakpoints"), i, x) {
        const char *reference = dbg_dap_string(x, "instructionReference");
        const struct bc_fn *fn;
        const struct bc_insn *insn =
            dbg_dap_instruction(reference, dbg_dap_integer(x, "offset", 0), &fn);
        if (!insn) {
            json_array_append_new(
                out, unverified(dbg_launch.run
                                    ? "The program of the kernel does not contain this instruction."
                                    : "No kernel runs: the instruction is not known."));
            continue;
        }
        struct dbg_break *b = dbg_break_add_at(reference, dbg_launch.run->code->module, fn, insn);
        json_t *o = complete(b, x);
        json_object_set(o, "instructionReference", json_object_get(x, "instructionReference"));
        json_array_append_new(out, o);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", out));
}

// ---- data breakpoints: the id consists of the work-item, the frame and the expression
struct data_place {
    uint32_t item;
    unsigned level;
};

static void watchable(const json_t *r, struct data_place at, const char *expression,
                      const char *name, bool is_memory)
{
    struct str id = {0};
    str_printf(&id, "%u.%u:%s", at.item, at.level, expression);
    json_t *o = json_pack("{s:o, s:o, s:[s]}", "dataId", dbg_json_text(str_text(&id)),
                          "description", dbg_json_text(name), "accessTypes", "write");
    if (is_memory)
        json_object_set_new(o, "accessTypes", json_pack("[s, s, s]", "write", "read", "readWrite"));
    dbg_dap_answer(r, o);
    str_deinit(&id);
}

static void not_watchable(const json_t *r, const char *why)
{
    dbg_dap_answer(r, json_pack("{s:n, s:o}", "dataId", "description", dbg_json_text(why)));
}

/** An element or a member is identified by its address. */
static void info_of_child(const json_t *r, uint32_t item, const struct dbg_value *of,
                          const char *name)
{
    struct vm_gang *g = dbg_dap_gang_of(item);
    struct dbg_value v;
    if (!g || !dbg_dap_child_named(g, of, name, &v) || !v.in_memory || v.bits ||
        !(dbg_is_number(v.type) || dbg_strip(v.type)->kind == BC_T_VECTOR)) {
        not_watchable(r, "Only numbers and vectors in memory can be watched here.");
        return;
    }
    struct str s = {0};
    str_put(&s, "*(");
    dbg_type_put(&s, dbg_strip(v.type));
    str_printf(&s, " *)0x%llx", (unsigned long long)v.address);
    watchable(r, (struct data_place){item, 0}, str_text(&s), name, true);
    str_deinit(&s);
}

/** Can changes of the value of an expression be watched, which is not in memory? */
static struct err *check_expression(struct data_place at, const char *text)
{
    const struct dbg_focus before = dbg_focus;
    struct dbg_watch_expression *w = NULL;
    struct dbg_expr *x = NULL;
    dbg_focus.item = at.item;
    dbg_focus.frame = at.level;
    struct err *e = dbg_parse(text, &x);
    if (!e && (e = dbg_watch_expression_create(text, x, dbg_gang(at.item), &w))) dbg_expr_free(x);
    dbg_focus.item = before.item;
    dbg_focus.frame = before.frame;
    if (!e) dbg_watch_expression_destroy(w);
    return e;
}

void dbg_dap_data_breakpoint_info(const json_t *r, const json_t *args)
{
    const char *name = dbg_dap_string(args, "name");
    uint32_t item = dbg_focus.item;
    unsigned level = dbg_focus.frame;
    const struct dbg_value *of = NULL;
    struct dbg_value v;
    if (!name || !dbg_focus_gang()) {
        not_watchable(r, name ? "No kernel is stopped." : "A name is missing.");
        return;
    }
    dbg_dap_frame_of(args, &item, &level);
    dbg_dap_reference(dbg_dap_integer(args, "variablesReference", 0), &item, &level, &of);
    if (of) {
        info_of_child(r, item, of, name);
        return;
    }
    const struct data_place at = {item, level};
    struct err *e = dbg_dap_eval_at(item, level, name, &v);
    const bool is_memory = !e && v.in_memory && !v.ncomp && !v.bits;
    if (!e && !is_memory) e = check_expression(at, name);
    if (e) not_watchable(r, err_message(e));
    else watchable(r, at, name, name, is_memory);
    err_free(e);
}

/** The data breakpoint that an earlier request set; NULL: there is none. */
static struct dbg_break *known_data(const char *id, enum dbg_access access)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        if (!b->stale || b->watch.access != access || strcmp(b->data_id, id) != 0) continue;
        free(b->condition);
        b->condition = NULL;
        b->ignore = b->only_hit = b->every_hit = 0;
        b->stale = false;
        return b;
    }
    return NULL;
}

static struct err *set_data(const char *id, enum dbg_access access)
{
    static dbg_command_fn *const set[] = {[DBG_ON_WRITE] = dbg_cmd_watch,
                                          [DBG_ON_READ] = dbg_cmd_rwatch,
                                          [DBG_ON_ACCESS] = dbg_cmd_awatch};
    const struct dbg_focus before = dbg_focus;
    const char *const colon = strchr(id, ':'), *const dot = strchr(id, '.');
    const uint32_t item = (uint32_t)strtoul(id, NULL, 10),
                   level = dot ? (uint32_t)strtoul(dot + 1, NULL, 10) : 0;
    struct vm_gang *const g = colon ? dbg_dap_gang_of(item) : NULL;
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (!g || level >= dbg_frames(g, f)) return err_new("The data breakpoint is of another stop.");
    struct str ignored = {0};
    dbg_focus.item = item;
    dbg_focus.frame = level;
    struct err *e = set[access](colon + 1, &ignored);
    dbg_focus.item = before.item;
    dbg_focus.frame = before.frame;
    str_deinit(&ignored);
    if (!e) vec_last(&dbg_breaks.list)->data_id = mem_strdup(id);
    return e;
}

/**
 * Clients send all their data breakpoints whenever one changes, perhaps at a later stop, where the
 * expressions mean something else: those that are set stay as they are.
 */
void dbg_dap_set_data_breakpoints(const json_t *r, const json_t *args)
{
    json_t *out = json_array(), *x;
    size_t i;
    for (size_t k = 0; k < dbg_breaks.list.len; k++)
        dbg_breaks.list.data[k]->stale = dbg_breaks.list.data[k]->data_id != NULL;
    json_array_foreach((json_t *)json_object_get(args, "breakpoints"), i, x) {
        const char *id = dbg_dap_string(x, "dataId"), *kind = dbg_dap_string(x, "accessType");
        const enum dbg_access access = kind && !strcmp(kind, "read")        ? DBG_ON_READ
                                       : kind && !strcmp(kind, "readWrite") ? DBG_ON_ACCESS
                                                                            : DBG_ON_WRITE;
        struct dbg_break *b = id ? known_data(id, access) : NULL;
        struct err *e = b    ? NULL
                        : id ? set_data(id, access)
                             : err_new("The data breakpoint has no dataId.");
        json_array_append_new(out, e ? unverified(err_message(e))
                                     : complete(b ? b : vec_last(&dbg_breaks.list), x));
        err_free(e);
    }
    for (size_t k = dbg_breaks.list.len; k-- > 0;)
        if (dbg_breaks.list.data[k]->stale) dbg_break_remove(dbg_breaks.list.data[k]);
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", out));
}
