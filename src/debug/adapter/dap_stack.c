// SPDX-License-Identifier: MIT
// Threads, frames and sources of the Debug Adapter Protocol. Each work-item of the running group is
// a thread, with its number in the group + 1. A frame's number combines those of the item and the
// level.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/expressions/expr.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <unistd.h>

enum { MAX_THREADS = 256 }; // more than an editor can show

struct vm_gang *dbg_dap_gang_of(uint32_t item)
{
    return dbg.state == DBG_STOPPED && item < dbg_focus.group->items ? dbg_gang(item) : NULL;
}

bool dbg_dap_frame_of(const json_t *args, uint32_t *item, unsigned *level)
{
    const json_int_t id = dbg_dap_integer(args, "frameId", 0) - 1;
    if (id < 0 || !dbg_dap_gang_of((uint32_t)(id / DBG_MAX_FRAMES))) return false;
    *item = (uint32_t)(id / DBG_MAX_FRAMES);
    *level = (unsigned)(id % DBG_MAX_FRAMES);
    return true;
}

static void put_item_name(struct str *s, uint32_t item)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(dbg_focus.group_number, item, l, g, w);
    str_printf(s, "global (%llu,%llu,%llu) local (%llu,%llu,%llu)", (unsigned long long)w[0],
               (unsigned long long)w[1], (unsigned long long)w[2], (unsigned long long)l[0],
               (unsigned long long)l[1], (unsigned long long)l[2]);
}

static void add_thread(json_t *list, uint32_t item)
{
    struct str s = {0};
    put_item_name(&s, item);
    json_array_append_new(list, json_pack("{s:i, s:s}", "id", (int)item + 1, "name", str_text(&s)));
    str_deinit(&s);
}

void dbg_dap_threads(const json_t *r, const json_t *args)
{
    json_t *list = json_array();
    if (dbg.state != DBG_STOPPED) {
        json_array_append_new(list, json_pack("{s:i, s:s}", "id", 1, "name", "program"));
    } else {
        // around the focus, if there are more than an editor can show
        const uint32_t n = dbg_focus.group->items, middle = dbg_focus.item < MAX_THREADS / 2
                                                                ? 0
                                                                : dbg_focus.item - MAX_THREADS / 2;
        const uint32_t first = n <= MAX_THREADS           ? 0
                               : middle + MAX_THREADS > n ? n - MAX_THREADS
                                                          : middle;
        for (uint32_t i = first; i < n && i < first + MAX_THREADS; i++) add_thread(list, i);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "threads", list));
}

json_t *dbg_dap_source_of(const struct bc_module *m, uint32_t file)
{
    const struct bc_file *f = &m->files[file];
    const char *name = dbg_file_name(m, file), *path = f->path ? bc_str(m, f->path) : NULL;
    json_t *s = json_pack("{s:s}", "name", dbg_base_name(name));
    if (path && !access(path, R_OK)) json_object_set_new(s, "path", dbg_json_text(path));
    else json_object_set_new(s, "sourceReference", json_integer(file + 1));
    return s;
}

static bool wants(const json_t *format, const char *key)
{
    return json_is_true(json_object_get(format, key));
}

/** The name of a frame, by "format": `loop.cl!twice(int a=3) line 2`. */
static void put_name(struct str *out, struct vm_gang *g, const struct dbg_frame *f, unsigned level,
                     const json_t *args)
{
    const struct bc_module *m = g->code->module;
    const struct bc_loc *l = &m->locs[f->loc];
    const json_t *format = json_object_get(args, "format");
    const struct dbg_format values = dbg_dap_format(args);
    if (wants(format, "module")) str_printf(out, "%s!", dbg_base_name(dbg_file_name(m, l->file)));
    str_put(out, f->name);
    if (wants(format, "parameters")) {
        struct dbg_scope_vars vars;
        bool any = false;
        dbg_vars_of_frame(g, level, &vars);
        str_put_char(out, '(');
        for (size_t i = 0; i < vars.list.len; i++) {
            const struct dbg_var *v = &vars.list.data[i];
            const struct dbg_value x = dbg_value_at(v->type, v->address);
            if (!v->is_param) continue;
            str_put(out, any ? ", " : "");
            any = true;
            const bool type = wants(format, "parameterTypes"),
                       name = wants(format, "parameterNames"),
                       value = wants(format, "parameterValues");
            if (type) dbg_type_put(out, v->type);
            if (name) str_printf(out, "%s%s", type ? " " : "", v->name);
            if (value) str_put(out, name ? "=" : type ? " " : "");
            if (value) dbg_value_put(out, g, &x, &values);
        }
        str_put_char(out, ')');
        dbg_vars_free(&vars);
    }
    if (wants(format, "line")) str_printf(out, " line %u", l->line);
}

void dbg_dap_stack_trace(const json_t *r, const json_t *args)
{
    const json_int_t thread = dbg_dap_integer(args, "threadId", 0);
    struct vm_gang *g = thread > 0 ? dbg_dap_gang_of((uint32_t)thread - 1) : NULL;
    if (!g) {
        dbg_dap_refuse(r, "There is no such work-item, or no kernel is stopped.");
        return;
    }
    struct dbg_frame f[DBG_MAX_FRAMES];
    const struct bc_fn *kernel = g->code->fns[0].bc;
    const struct bc_module *m = g->code->module;
    unsigned n = dbg_frames(g, f);
    const bool returned = !n && dbg_focus.at_launch_end;
    if (returned) // an editor needs a frame to evaluate expressions in
        f[n++] = (struct dbg_frame){kernel, kernel->loc, bc_str(m, kernel->name)};
    const json_int_t start = dbg_dap_integer(args, "startFrame", 0),
                     levels = dbg_dap_integer(args, "levels", 0);
    json_t *list = json_array();
    for (unsigned i = start > 0 ? (unsigned)start : 0; i < n && (levels <= 0 || i < start + levels);
         i++) {
        const struct bc_loc *l = &m->locs[f[i].loc];
        struct str name = {0};
        put_name(&name, g, &f[i], i, args);
        json_t *o = json_pack("{s:I, s:o, s:i, s:i}", "id",
                              (json_int_t)(thread - 1) * DBG_MAX_FRAMES + i + 1, "name",
                              dbg_json_text(str_text(&name)), "line", (int)l->line, "column",
                              (int)(l->col ? l->col : 1));
        str_deinit(&name);
        const struct dbg_module *program = dbg_module_of(m);
        if (program) json_object_set_new(o, "moduleId", json_integer(program->number));
        if (returned)
            json_object_set_new(o, "presentationHint", json_string("subtle")),
                json_object_set_new(o, "canRestart", json_false());
        else dbg_dap_put_instruction_reference(o, g, &f[i], i);
        if (f[i].loc && l->file < m->nfiles)
            json_object_set_new(o, "source", dbg_dap_source_of(m, l->file));
        json_array_append_new(list, o);
    }
    dbg_dap_answer(r, json_pack("{s:o, s:i}", "stackFrames", list, "totalFrames", (int)n));
}

void dbg_dap_source(const json_t *r, const json_t *args)
{
    json_int_t ref = dbg_dap_integer(args, "sourceReference", 0);
    if (!ref) ref = dbg_dap_integer(json_object_get(args, "source"), "sourceReference", 0);
    const struct bc_module *m = dbg_programs.modules.len ? vec_last(&dbg_programs.modules).m : NULL;
    if (dbg_launch.run) m = dbg_launch.run->code->module;
    size_t len;
    const char *line = m && ref > 0 ? dbg_source_line(m, (uint32_t)ref - 1, 1, &len) : NULL;
    if (!line) {
        dbg_dap_refuse(r, "The source is not available.");
        return;
    }
    dbg_dap_answer(r, json_pack("{s:s}", "content", line));
}
