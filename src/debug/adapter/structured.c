// SPDX-License-Identifier: MIT
// Positions, findings and results of commands as data.
#include "debug/adapter/structured.h"

#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/commands/group_map.h"
#include "debug/expressions/expr.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "report/document.h"

#include <ctype.h>
#include <string.h>

static json_t *place_of(const struct vm_gang *g, uint32_t loc)
{
    struct arena a = {0};
    const struct rep_place p = chk_place(&dbg_launch.run->chk, &a, (struct chk_where){.loc = loc});
    json_t *o = rep_json_place(&p, dbg_programs.sources, NULL);
    arena_deinit(&a);
    return o;
}

static json_t *work_item(uint32_t item)
{
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(dbg_focus.group_number, item, l, w, g);
    return json_pack("{s:i, s:o, s:o, s:o}", "number", (int)item, "local", rep_json_triple(l),
                     "group", rep_json_triple(w), "global", rep_json_triple(g));
}

json_t *dbg_structured_position(void)
{
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    json_t *o = json_object();
    if (dbg_focus.frame < dbg_frames(g, f))
        json_object_set_new(o, "place", place_of(g, f[dbg_focus.frame].loc));
    json_object_set_new(o, "frame", json_integer(dbg_focus.frame));
    json_object_set_new(o, "work_item", work_item(dbg_focus.item));
    json_object_set_new(o, "launch", json_integer((json_int_t)dbg_launch.run->l->number));
    json_object_set_new(o, "kernel",
                        dbg_json_text(bc_str(g->code->module, dbg_launch.run->l->kernel->name)));
    return o;
}

json_t *dbg_structured_launch(const struct vm_launch *l, const struct bc_module *m)
{
    json_t *o = json_pack("{s:I, s:o, s:i, s:o, s:o, s:o}", "launch", (json_int_t)l->number,
                          "kernel", dbg_json_text(bc_str(m, l->kernel->name)), "dimensions",
                          (int)l->dims, "global", rep_json_triple(l->global), "local",
                          rep_json_triple(l->local), "offset", rep_json_triple(l->offset));
    if (l->host_site) json_object_set_new(o, "host", dbg_json_text(l->host_site));
    return o;
}

json_t *dbg_structured_finding(size_t index)
{
    const struct dbg_found *f = &dbg_findings.all.data[index];
    json_t *o = f->report ? json_loads(f->report, 0, NULL) : NULL;
    if (!o) o = json_pack("{s:s}", "id", rep_kinds[f->kind].id); // of an earlier run
    json_object_set_new(o, "number", json_integer((json_int_t)index + 1));
    json_object_set_new(o, "text", dbg_json_text(f->text));
    return o;
}

// ---- results of commands
static json_t *value_of_print(const char *args)
{
    if (!strncmp(args, "-a", 2) || !dbg_values.list.len) return NULL;
    const struct dbg_format usual = {0};
    char name[24];
    snprintf(name, sizeof name, "$%zu", dbg_values.list.len);
    return dbg_dap_tree(name, dbg_focus_gang(), &vec_last(&dbg_values.list), &usual);
}

static json_t *variables(unsigned level, enum dbg_variables which)
{
    json_t *list = json_array();
    const struct dbg_format usual = {0};
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_scope_vars v;
    dbg_vars_of_frame(g, level, &v);
    for (size_t i = 0; i < v.list.len; i++) {
        const struct dbg_var *x = &v.list.data[i];
        const struct dbg_value value = dbg_value_at(x->type, x->address);
        if (dbg_dap_variables_of(x) == which)
            json_array_append_new(list, dbg_dap_tree(x->name, g, &value, &usual));
    }
    dbg_vars_free(&v);
    return list;
}

static json_t *value_of_locals(const char *args) { return variables(dbg_focus.frame, DBG_LOCALS); }
static json_t *value_of_args(const char *args) { return variables(dbg_focus.frame, DBG_ARGS); }

static json_t *value_of_backtrace(const char *args)
{
    struct dbg_frames_shown s;
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    json_t *list = json_array();
    dbg_frames(g, f);
    err_free(dbg_backtrace_range(args, &s));
    for (unsigned i = s.first; i < s.last; i++) {
        json_t *o = json_pack("{s:i, s:o, s:o, s:o}", "frame", (int)i, "function",
                              dbg_json_text(f[i].name), "place", place_of(g, f[i].loc), "arguments",
                              variables(i, DBG_ARGS));
        if (s.full) json_object_set_new(o, "locals", variables(i, DBG_LOCALS));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *value_of_position(const char *args) { return dbg_structured_position(); }

static json_t *value_of_breakpoints(const char *args)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (!b->number) continue;
        struct str what = {0};
        dbg_break_put_what(&what, b);
        json_t *o = dbg_dap_breakpoint(b), *commands = json_array();
        json_object_update_new(o,
                               json_pack("{s:s, s:o, s:b, s:b, s:I, s:I}", "kind",
                                         dbg_break_type(b), "what", dbg_json_text(str_text(&what)),
                                         "enabled", !b->disabled, "temporary", b->temporary, "hits",
                                         (json_int_t)b->hits, "ignore", (json_int_t)b->ignore));
        if (b->condition) json_object_set_new(o, "condition", dbg_json_text(b->condition));
        for (size_t k = 0; k < b->commands.len; k++)
            json_array_append_new(commands, dbg_json_text(b->commands.data[k]));
        json_object_set_new(o, "commands", commands);
        json_array_append_new(list, o);
        str_deinit(&what);
    }
    return list;
}

static json_t *value_of_findings(const char *args)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg_findings.all.len; i++)
        json_array_append_new(list, dbg_structured_finding(i));
    return list;
}

static void add_thread(void *ctx, uint32_t first, uint32_t count, const char *state, uint32_t line)
{
    json_t *o = json_pack("{s:o, s:i, s:s, s:b}", "first", work_item(first), "count", (int)count,
                          "state", state, "focus", first == dbg_focus.item);
    if (line) json_object_set_new(o, "line", json_integer(line));
    json_array_append_new(ctx, o);
}
static json_t *value_of_threads(const char *args)
{
    json_t *list = json_array();
    dbg_each_thread(add_thread, list);
    return list;
}

static json_t *value_of_map(const char *args)
{
    struct dbg_map_place places[DBG_MAX_PLACES];
    struct str cells = {0};
    const size_t n = dbg_group_map(places, &cells);
    const struct vm_group *grp = dbg_focus.group;
    const struct bc_module *m = dbg_gang(0)->code->module;
    const uint64_t shape[3] = {grp->shape[0], grp->shape[1], grp->shape[2]};
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const char letter[] = {places[i].letter, 0};
        json_t *o = json_pack("{s:s, s:s, s:i}", "letter", letter, "state", places[i].name, "count",
                              (int)places[i].count);
        if (places[i].line)
            json_object_update_new(
                o, json_pack("{s:o, s:i}", "file",
                             dbg_json_text(dbg_base_name(dbg_file_name(m, places[i].file))), "line",
                             (int)places[i].line));
        json_array_append_new(list, o);
    }
    json_t *o = json_pack("{s:o, s:o, s:o, s:I, s:s, s:o}", "group", rep_json_triple(grp->id),
                          "groups", rep_json_triple(dbg_launch.run->grid), "shape",
                          rep_json_triple(shape), "barriers", (json_int_t)grp->barriers, "cells",
                          str_text(&cells), "places", list);
    str_deinit(&cells);
    return o;
}

static json_t *value_of_x(const char *args)
{
    const struct dbg_examined *x = &dbg_examined;
    if (!x->type) return NULL;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    const uint64_t id = x->address >> BC_PTR_ID_SHIFT;
    const char *name =
        id && id < dbg_launch.run->chk.nobjects ? dbg_launch.run->chk.objects[id].name : NULL;
    json_t *list = json_array();
    for (uint64_t i = 0; i < x->count; i++) {
        const struct dbg_value v = dbg_value_at(x->type, x->address + i * x->type->size);
        struct str s = {0};
        dbg_value_put(&s, g, &v, &x->format);
        json_array_append_new(list, dbg_json_text(str_text(&s)));
        str_deinit(&s);
    }
    json_t *o = json_pack("{s:o, s:i, s:o}", "address", dbg_dap_address(x->address), "unit",
                          (int)x->type->size, "values", list);
    if (name)
        json_object_update_new(o, json_pack("{s:o, s:I}", "object", dbg_json_text(name), "offset",
                                            (json_int_t)vm_offset_of(x->address)));
    return o;
}

json_t *dbg_structured_value(const char *line)
{
    static const struct {
        const char *command, *subject; // subject: of `info`
        bool stopped;                  // only while a kernel is stopped
        json_t *(*make)(const char *args);
    } rows[] = {{"print", NULL, false, value_of_print},
                {"backtrace", NULL, true, value_of_backtrace},
                {"x", NULL, true, value_of_x},
                {"map", NULL, true, value_of_map},
                {"workgroup", NULL, true, value_of_map},
                {"workitem", NULL, true, value_of_position},
                {"frame", NULL, true, value_of_position},
                {"up", NULL, true, value_of_position},
                {"down", NULL, true, value_of_position},
                {"info", "stack", true, value_of_backtrace},
                {"info", "workitem", true, value_of_position},
                {"info", "frame", true, value_of_position},
                {"info", "locals", true, value_of_locals},
                {"info", "args", true, value_of_args},
                {"info", "breakpoints", false, value_of_breakpoints},
                {"info", "findings", false, value_of_findings},
                {"info", "threads", true, value_of_threads}};
    const struct dbg_command *c = NULL;
    line += strspn(line, " \t");
    const size_t n = dbg_command_name_length(line);
    err_free(dbg_command_find(line, n ? n : 1, &c));
    const char *args = line + (n ? n : 1), *subject = NULL;
    args += strspn(args, " \t");
    if (!c || (dbg.state == DBG_STOPPED && dbg.resume)) return NULL;
    if (!strcmp(c->name, "info")) {
        subject = dbg_info_subject(args);
        args += dbg_word(args), args += strspn(args, " \t");
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].command, c->name) && (!rows[i].stopped || dbg.state == DBG_STOPPED) &&
            (!rows[i].subject || (subject && !strcmp(rows[i].subject, subject))))
            return rows[i].make(args);
    return NULL;
}
