// SPDX-License-Identifier: MIT
// `cldbgView`, a request of `cldbg -i`: everything that its text user interface shows, in one
// answer. "source" in the arguments names the source that the client has; its text is sent only
// if the view shows another one. `cldbgOutput` makes the app write to another terminal.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/commands/command.h"
#include "debug/commands/group_map.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct shown { // a line of a source
    const struct bc_module *m;
    uint32_t file, line;
};

/** The line of the selected frame; when no kernel is stopped, the source of the last program. */
static struct shown find_line(json_t *body)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct shown s = {0};
    if (dbg.state == DBG_STOPPED) {
        const struct vm_gang *g = dbg_gang(dbg_focus.item);
        const unsigned n = dbg_frames(g, f);
        const bool known = dbg_focus.frame < n;
        s.m = g->code->module;
        const struct bc_loc *l =
            &s.m->locs[known ? f[dbg_focus.frame].loc : g->code->fns[0].bc->loc];
        s.file = l->file;
        s.line = known ? l->line : 0;
        const char *name = known ? f[dbg_focus.frame].name : bc_str(s.m, g->code->fns[0].bc->name);
        json_object_set_new(body, "function", dbg_json_text(name));
        json_object_set_new(body, "frame", json_integer(dbg_focus.frame));
    } else if (dbg_programs.modules.len) {
        s.m = vec_last(&dbg_programs.modules).m;
        s.file = s.m->locs[s.m->nkernels ? s.m->fns[s.m->kernels[0].fn].loc : 0].file;
    }
    return s;
}

/** The source that `list` showed after the stop, if there is one. */
static void follow_list(json_t *body, struct shown *s)
{
    const unsigned size = dbg_settings.list_size, line = dbg_listing.line;
    if (!line || !dbg_module_of(dbg_listing.module)) return;
    if (s->m != dbg_listing.module || s->file != dbg_listing.file) s->line = 0;
    s->m = dbg_listing.module;
    s->file = dbg_listing.file;
    json_object_set_new(body, "listed", json_integer(line > size ? line - size : 1));
}

/** Marks as gdb has them: b not hit yet, B hit; + enabled, - disabled. */
static json_t *marks_in(const struct shown *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        const char mark[] = {b->hits ? 'B' : 'b', b->disabled ? '-' : '+', 0};
        for (size_t k = 0; b->number && b->kind != DBG_AT_BARRIER && k < b->at.len; k++) {
            const struct dbg_location *at = &b->at.data[k];
            const struct bc_loc *l = at->m == s->m ? &s->m->locs[at->insn->loc] : NULL;
            if (l && l->file == s->file && l->line)
                json_array_append_new(list, json_pack("[i, s]", (int)l->line, mark));
        }
    }
    return list;
}

static void put_source(json_t *body, const struct shown *s, const char *known)
{
    const struct dbg_module *program = s->m ? dbg_module_of(s->m) : NULL;
    size_t len;
    const char *text = program ? dbg_source_line(s->m, s->file, 1, &len) : NULL;
    char key[40];
    if (!text) return;
    snprintf(key, sizeof key, "%u:%u", program->number, s->file);
    json_object_set_new(body, "source", json_string(key));
    json_object_set_new(body, "name", dbg_json_text(dbg_base_name(dbg_file_name(s->m, s->file))));
    json_object_set_new(body, "line", json_integer(s->line));
    json_object_set_new(body, "marks", marks_in(s));
    if (!known || strcmp(known, key)) json_object_set_new(body, "text", dbg_json_text(text));
}

static json_t *map_of_group(const struct shown *s)
{
    struct dbg_map_place places[DBG_MAX_PLACES];
    struct str cells = {0};
    const size_t n = dbg_group_map(places, &cells);
    const uint32_t *shape = dbg_focus.group->shape;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct dbg_map_place *p = &places[i];
        const char letter[] = {p->letter, 0};
        const bool here = p->file == s->file && dbg_gang(0)->code->module == s->m;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "letter", letter,
                                              "name", p->name, "color", p->color, "line",
                                              (int)p->line, "count", (int)p->count, "here", here));
    }
    json_t *o = json_pack("{s:[i, i, i], s:s, s:o}", "shape", (int)shape[0], (int)shape[1],
                          (int)shape[2], "cells", str_text(&cells), "places", list);
    str_deinit(&cells);
    return o;
}

/** [name, value, is a parameter] of each variable of the selected frame. */
static json_t *variables(void)
{
    enum { MOST = 500 };
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    const struct dbg_format f = {0};
    struct dbg_scope_vars v;
    json_t *list = json_array();
    dbg_vars_of_frame(g, dbg_focus.frame, &v);
    for (size_t i = 0; i < v.list.len && i < MOST; i++) {
        const struct dbg_var *x = &v.list.data[i];
        const struct dbg_value value = dbg_value_at(x->type, x->address);
        struct str text = {0};
        if (x->is_global) continue;
        dbg_value_put(&text, g, &value, &f);
        json_array_append_new(list, json_pack("[o, o, b]", dbg_json_text(x->name),
                                              dbg_json_text(str_text(&text)), x->is_param));
        str_deinit(&text);
    }
    dbg_vars_free(&v);
    return list;
}

void dbg_dap_view(const json_t *r, const json_t *args)
{
    static const char *const states[] = {[DBG_BEGINNING] = "not started",
                                         [DBG_HOST] = "running",
                                         [DBG_RUNNING] = "running",
                                         [DBG_STOPPED] = "stopped"};
    json_t *body = json_object();
    struct shown s = find_line(body);
    struct str text = {0};
    json_object_set_new(body, "state", json_string(dbg_client.idle ? "ended" : states[dbg.state]));
    follow_list(body, &s);
    put_source(body, &s, dbg_dap_string(args, "source"));
    if (dbg.state == DBG_STOPPED) {
        dbg_put_item(&text, dbg_focus.group_number, dbg_focus.item);
        json_object_set_new(body, "item", dbg_json_text(str_text(&text)));
        str_clear(&text);
        dbg_displays_put(&text);
        json_object_set_new(body, "displays", dbg_json_text(str_text(&text)));
        json_object_set_new(body, "map", map_of_group(&s));
        json_object_set_new(body, "variables", variables());
    }
    str_deinit(&text);
    dbg_dap_answer(r, body);
}

/** What the app writes to a terminal goes to that of "terminal". */
void dbg_dap_output(const json_t *r, const json_t *args)
{
    const char *path = dbg_dap_string(args, "terminal");
    const bool may = path && dbg_client.waits_for_run; // not an editor
    const int fd = may ? open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (fd < 0 || !isatty(fd)) {
        if (fd >= 0) close(fd);
        dbg_dap_refuse(r, "cldbgOutput: this is not a terminal");
        return;
    }
    for (int own = STDOUT_FILENO; own <= STDERR_FILENO; own++)
        if (isatty(own)) dup2(fd, own);
    close(fd);
    dbg_dap_answer(r, NULL);
}
