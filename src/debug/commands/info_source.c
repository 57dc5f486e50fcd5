// SPDX-License-Identifier: MIT
// `info line`, `scope`, `source`, `sources` and `functions`.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/expressions/expr.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

/** The first instruction of that line in a function. */
static const struct bc_insn *first_of_line(const struct bc_module *m, const struct bc_fn *fn,
                                           uint32_t file, uint32_t line)
{
    for (const struct bc_insn *i = fn->insns; i < fn->insns + fn->ninsns; i++)
        if (i->loc && m->locs[i->loc].file == file && m->locs[i->loc].line == line) return i;
    return NULL;
}

/**
 * Finds a line given as FILE:LINE, FUNCTION or LINE of the current file; without text, that of the
 * focus.
 */
static struct err *find_line(const char *args, const struct bc_module **m, uint32_t *file,
                             uint32_t *line)
{
    if (!*args || args[strspn(args, "0123456789")] == 0) {
        struct err *e = dbg_listing.module && dbg.state != DBG_STOPPED ? NULL : dbg_list_start();
        if (e) return e;
        *m = dbg_listing.module;
        *file = dbg_listing.file;
        *line = (uint32_t)strtoul(args, NULL, 10);
        struct dbg_frame f[DBG_MAX_FRAMES];
        if (!*args && dbg.state == DBG_STOPPED &&
            dbg_focus.frame < dbg_frames(dbg_gang(dbg_focus.item), f))
            *line = (*m)->locs[f[dbg_focus.frame].loc].line;
        dbg_listing.line = 0;
        return *line ? NULL : err_new("Which line?");
    }
    *line = 0;
    struct err *e = dbg_line_named(args, m, file, line);
    const bool is_function = !e && !strchr(args, ':');
    for (const struct bc_insn *i = NULL; is_function && !i && *line < UINT32_MAX;
         *line += !i) // its first line with code
        for (uint32_t f = 0; f < (*m)->nfns && !i; f++)
            i = first_of_line(*m, &(*m)->fns[f], *file, *line);
    return e;
}

struct err *dbg_info_line(const char *args, struct str *out)
{
    const struct bc_module *m;
    uint32_t file, line;
    bool any = false;
    struct err *e = find_line(args, &m, &file, &line);
    if (e) return e;
    for (uint32_t f = 0; f < m->nfns; f++) {
        const struct bc_fn *fn = &m->fns[f];
        const struct bc_insn *first = first_of_line(m, fn, file, line), *last = first;
        if (!first) continue;
        unsigned n = 0;
        for (const struct bc_insn *i = first; i < fn->insns + fn->ninsns; i++)
            if (i->loc && m->locs[i->loc].file == file && m->locs[i->loc].line == line)
                last = i, n++;
        str_printf(out, "Line %u of \"%s\" is in %s: %u instruction%s of its code", line,
                   dbg_base_name(dbg_file_name(m, file)), bc_str(m, m->locs[first->loc].fn_name), n,
                   n == 1 ? "" : "s");
        if (first == last) str_printf(out, ", number %zu.\n", (size_t)(first - fn->insns));
        else
            str_printf(out, ", numbers %zu to %zu.\n", (size_t)(first - fn->insns),
                       (size_t)(last - fn->insns));
        any = true;
    }
    if (!any)
        str_printf(out, "Line %u of \"%s\" has no code.\n", line,
                   dbg_base_name(dbg_file_name(m, file)));
    return NULL;
}

struct err *dbg_info_scope(const char *args, struct str *out)
{
    const struct bc_module *m;
    const struct bc_insn *at = NULL;
    uint32_t file, line;
    struct err *e = find_line(args, &m, &file, &line);
    if (e) return e;
    const struct bc_fn *fn = m->fns;
    for (; fn < m->fns + m->nfns && !at; fn++) at = first_of_line(m, fn, file, line);
    if (!at)
        return err_new("Line %u of \"%s\" has no code, so no scope.", line,
                       dbg_base_name(dbg_file_name(m, file)));
    struct dbg_scope_vars v;
    dbg_vars_at(m, fn - 1, at->loc, &v);
    bool any = false;
    for (size_t i = 0; i < v.list.len; i++) {
        const struct dbg_var *x = &v.list.data[i];
        if (x->is_global) continue;
        str_printf(out, "%s %s is of type ", x->is_param ? "Argument" : "Variable", x->name);
        dbg_type_put(out, x->type);
        str_printf(out, ", %llu byte%s, declared at line %u.\n", LL(x->type->size),
                   x->type->size == 1 ? "" : "s", x->loc->line);
        any = true;
    }
    if (!any) str_printf(out, "Line %u has no variables of its own.\n", line);
    dbg_vars_free(&v);
    return NULL;
}

struct err *dbg_info_source(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg_focus.frame >= dbg_frames(g, f)) return err_new("The work-item has returned.");
    const struct bc_module *m = g->code->module;
    const struct bc_loc *l = &m->locs[f[dbg_focus.frame].loc];
    const struct bc_file *x = &m->files[l->file];
    str_printf(out, "Current source file is %s, line %u, column %u\n",
               dbg_base_name(dbg_file_name(m, l->file)), l->line, l->col);
    if (x->path) str_printf(out, "Located in %s\n", bc_str(m, x->path));
    else if (x->text) str_put(out, "Its text is what the app gave to clCreateProgramWithSource.\n");
    return NULL;
}

struct err *dbg_info_sources(const char *args, struct str *out)
{
    if (!dbg_programs.modules.len) return dbg_no_program();
    struct str before = {0};
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfiles; f++) {
            const struct bc_file *x = &m->files[f];
            const char *name = dbg_file_name(m, f);
            struct str mark = {0};
            str_printf(&mark, "\n%s\n", name);
            const bool again = before.len && strstr(str_text(&before), str_text(&mark));
            if (!again) str_put(&before, str_text(&mark));
            str_deinit(&mark);
            if (again || (*args && !strstr(name, args))) continue;
            str_printf(out, "%s%s%s\n", dbg_base_name(dbg_file_name(m, f)),
                       x->path   ? ", "
                       : x->text ? ", what the app gave to clCreateProgramWithSource"
                                 : "",
                       x->path ? bc_str(m, x->path) : "");
        }
    }
    str_deinit(&before);
    return NULL;
}

/** Lists functions by their declarations, in the order of lines. */
struct err *dbg_info_functions(const char *args, struct str *out)
{
    if (!dbg_programs.modules.len) return dbg_no_program();
    bool any = false;
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        struct name_line {
            const char *name;
            uint32_t file, line;
        };
        VEC(struct name_line) list = {0};
        for (uint32_t k = 1; k < m->nlocs; k++) { // including functions that were inlined
                                                  // everywhere
            const char *name = bc_str(m, m->locs[k].fn_name);
            size_t at = 0;
            while (at < list.len && strcmp(list.data[at].name, name)) at++;
            if (!*name || !m->locs[k].line || (*args && !strstr(name, args))) continue;
            if (at == list.len)
                vec_push(&list, ((struct name_line){name, m->locs[k].file, m->locs[k].line}));
            else if (m->locs[k].line < list.data[at].line && m->locs[k].file == list.data[at].file)
                list.data[at].line = m->locs[k].line;
        }
        for (uint32_t f = 0; f < m->nfns; f++)
            for (size_t k = 0; k < list.len; k++)
                if (m->fns[f].loc && !strcmp(bc_str(m, m->fns[f].name), list.data[k].name))
                    list.data[k].line = m->locs[m->fns[f].loc].line;
        for (size_t k = 0; k < list.len; k++) {
            bool kernel = false;
            for (uint32_t n = 0; n < m->nkernels; n++)
                kernel |= !strcmp(bc_str(m, m->kernels[n].name), list.data[k].name);
            str_printf(out, "%s:%u: %s%s\n", dbg_base_name(dbg_file_name(m, list.data[k].file)),
                       list.data[k].line, kernel ? "kernel " : "", list.data[k].name);
            any = true;
        }
        vec_free(&list);
    }
    return any ? NULL : err_new("No function's name has \"%s\" in it.", args);
}
