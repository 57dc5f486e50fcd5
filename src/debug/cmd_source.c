// SPDX-License-Identifier: MIT
// Commands that show the program: its source lines, its code.
#include "debug/command.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

static struct err *place_of_text(const char *text, const struct bc_module **m, uint32_t *file,
                                 uint32_t *line)
{
    for (size_t i = dbg.modules.len; i-- > 0;) {
        const struct bc_module *x = dbg.modules.data[i].m;
        const char *colon = strrchr(text, ':');
        for (uint32_t k = 0; colon && k < x->nfiles; k++) {
            const char *name = dbg_file_name(x, k);
            const size_t n = (size_t)(colon - text), len = strlen(name);
            if (len < n || memcmp(name + len - n, text, n) || (len > n && name[len - n - 1] != '/'))
                continue;
            size_t any;
            if (!dbg_source_line(x, k, 1, &any)) continue;
            *m = x, *file = k, *line = (uint32_t)strtoul(colon + 1, NULL, 10);
            return NULL;
        }
        for (uint32_t k = 0; !colon && k < x->nfns; k++)
            if (!strcmp(bc_str(x, x->fns[k].name), text)) {
                const struct bc_loc *l = &x->locs[x->fns[k].loc];
                *m = x, *file = l->file, *line = l->line;
                return NULL;
            }
    }
    return strrchr(text, ':')
               ? err_new("No source file named %.*s.", (int)(strrchr(text, ':') - text), text)
               : err_new("Function \"%s\" not defined.", text);
}

/** Where a list begins when nothing is said: around the focus, else the first kernel. */
static struct err *list_start(void)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.state == DBG_STOPPED) {
        struct vm_gang *g = dbg_gang(dbg.focus);
        const unsigned n = dbg_frames(g, f);
        dbg.list_module = g->code->module;
        const uint32_t loc = dbg.frame < n ? f[dbg.frame].loc : g->code->fns[0].bc->loc;
        const struct bc_loc *l = &dbg.list_module->locs[loc];
        dbg.list_file = l->file;
        dbg.list_line = l->line > dbg.list_size / 2 ? l->line - dbg.list_size / 2 : 1;
        return NULL;
    }
    if (!dbg.modules.len) return dbg_no_program();
    const struct bc_module *m = vec_last(&dbg.modules).m;
    dbg.list_module = m;
    const uint32_t loc = m->nkernels ? m->fns[m->kernels[0].fn].loc : 0;
    dbg.list_file = m->locs[loc].file;
    dbg.list_line = 1;
    return NULL;
}

struct err *dbg_cmd_list(const char *args, struct str *out)
{
    struct err *e = NULL;
    static uint32_t first_shown;
    uint32_t count = dbg.list_size;
    if (!dbg.list_line && (!*args || isdigit((unsigned char)*args) || *args == ',' || *args == '-'))
        e = list_start();
    if (e) return e;
    const char *comma = strchr(args, ',');
    if (!strcmp(args, "-")) {
        if (first_shown <= 1)
            return err_new("Already at the start of %s.",
                           dbg_base_name(dbg_file_name(dbg.list_module, dbg.list_file)));
        dbg.list_line = first_shown > count ? first_shown - count : 1;
        count = first_shown - dbg.list_line;
    } else if (comma && isdigit((unsigned char)*args)) {
        dbg.list_line = (uint32_t)strtoul(args, NULL, 10);
        const uint32_t last = (uint32_t)strtoul(comma + 1 + strspn(comma + 1, " "), NULL, 10);
        if (last) count = last >= dbg.list_line ? last - dbg.list_line + 1 : 1;
    } else if (*args && args[strspn(args, "0123456789")] == 0) {
        const uint32_t line = (uint32_t)strtoul(args, NULL, 10);
        dbg.list_line = line > count / 2 ? line - count / 2 : 1;
    } else if (*args) {
        uint32_t line = 1;
        e = place_of_text(args, &dbg.list_module, &dbg.list_file, &line);
        if (e) return e;
        dbg.list_line = line > count / 2 ? line - count / 2 : 1;
    }
    first_shown = dbg.list_line;
    for (uint32_t k = 0; k < count; k++, dbg.list_line++) {
        size_t len;
        const char *text = dbg_source_line(dbg.list_module, dbg.list_file, dbg.list_line, &len);
        if (!text && !k) {
            const char *name = dbg_base_name(dbg_file_name(dbg.list_module, dbg.list_file));
            return err_new("Line number %u out of range; \"%s\" has no such line.", dbg.list_line,
                           name);
        }
        if (!text) break;
        dbg_put_source_line(out, dbg.list_line, text, len);
    }
    return NULL;
}

static void put_insn(struct str *out, const struct bc_module *m, const struct bc_fn *fn,
                     const struct bc_insn *i, const struct bc_insn *at, uint32_t *line)
{
    const struct bc_loc *l = &m->locs[i->loc];
    size_t len;
    const char *text = l->line && l->line != *line ? dbg_source_line(m, l->file, l->line, &len)
                                                   : NULL;
    if (text) dbg_put_source_line(out, l->line, text, len);
    if (l->line) *line = l->line;
    str_put(out, i == at ? "=>  " : "    ");
    bc_disassemble_insn(m, fn, i, out);
    str_put(out, "\n");
}

/** The function whose instruction it is. */
static const struct bc_fn *function_of(const struct bc_module *m, const struct bc_insn *i)
{
    for (uint32_t f = 0; f < m->nfns; f++)
        if (i >= m->fns[f].insns && i < m->fns[f].insns + m->fns[f].ninsns) return &m->fns[f];
    return NULL;
}

struct err *dbg_put_code(struct str *out, uint64_t count)
{
    struct vm_gang *g = dbg_gang(dbg.focus);
    const struct bc_insn *at = dbg_next_insn(g);
    const struct bc_fn *fn = at ? function_of(g->code->module, at) : NULL;
    uint32_t line = 0;
    if (!fn) return err_new("The work-item has returned.");
    for (const struct bc_insn *i = at; count-- && i < fn->insns + fn->ninsns; i++)
        put_insn(out, g->code->module, fn, i, at, &line);
    return NULL;
}

/** The last one that was built of that name. */
static struct err *function_named(const char *name, const struct bc_module **m,
                                  const struct bc_fn **fn)
{
    bool inlined = false;
    for (size_t i = dbg.modules.len; i-- > 0;) {
        *m = dbg.modules.data[i].m;
        for (uint32_t f = 0; f < (*m)->nfns; f++) {
            *fn = &(*m)->fns[f];
            if (!strcmp(bc_str(*m, (*fn)->name), name)) return NULL;
        }
        for (uint32_t k = 1; k < (*m)->nlocs; k++)
            inlined |= !strcmp(bc_str(*m, (*m)->locs[k].fn_name), name);
    }
    if (!dbg.modules.len) return dbg_no_program();
    return inlined
               ? err_new("\"%s\" has no code of its own: it was inlined where it is called.", name)
               : err_new("Function \"%s\" not defined.", name);
}

/** Of the focus' frame. */
static struct err *function_here(const struct bc_module **m, const struct bc_fn **fn)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    *m = g->code->module;
    *fn = dbg.frame < dbg_frames(g, f) ? f[dbg.frame].fn : g->code->fns[0].bc;
    return NULL;
}

struct err *dbg_cmd_disassemble(const char *args, struct str *out)
{
    const struct bc_module *m;
    const struct bc_fn *fn;
    if (*args == '/')
        args += dbg_word(args),
            args += strspn(args, " \t"); // gdb's /s, /m: the source is there anyhow
    struct err *e = *args ? function_named(args, &m, &fn) : function_here(&m, &fn);
    if (e) return e;
    const struct bc_insn *at = dbg.state == DBG_STOPPED ? dbg_next_insn(dbg_gang(dbg.focus)) : NULL;
    uint32_t line = 0;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        str_printf(out, "block %u:\n", b);
        for (uint32_t k = fn->blocks[b].first; k < fn->blocks[b].first + fn->blocks[b].count; k++)
            put_insn(out, m, fn, &fn->insns[k], at, &line);
    }
    return NULL;
}

// ---- info about places
/** An instruction of that line, the first of its function. */
static const struct bc_insn *first_of_line(const struct bc_module *m, const struct bc_fn *fn,
                                           uint32_t file, uint32_t line)
{
    for (const struct bc_insn *i = fn->insns; i < fn->insns + fn->ninsns; i++)
        if (i->loc && m->locs[i->loc].file == file && m->locs[i->loc].line == line) return i;
    return NULL;
}

/**
 * A line, as FILE:LINE, FUNCTION or LINE of the file that is looked at; without text where the
 * focus is.
 */
static struct err *find_line(const char *args, const struct bc_module **m, uint32_t *file,
                             uint32_t *line)
{
    if (!*args || args[strspn(args, "0123456789")] == 0) {
        struct err *e = dbg.list_module && dbg.state != DBG_STOPPED ? NULL : list_start();
        if (e) return e;
        *m = dbg.list_module;
        *file = dbg.list_file;
        *line = (uint32_t)strtoul(args, NULL, 10);
        struct dbg_frame f[DBG_MAX_FRAMES];
        if (!*args && dbg.state == DBG_STOPPED && dbg.frame < dbg_frames(dbg_gang(dbg.focus), f))
            *line = (*m)->locs[f[dbg.frame].loc].line;
        dbg.list_line = 0;
        return *line ? NULL : err_new("Which line?");
    }
    *line = 0;
    struct err *e = place_of_text(args, m, file, line);
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
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.frame >= dbg_frames(g, f)) return err_new("The work-item has returned.");
    const struct bc_module *m = g->code->module;
    const struct bc_loc *l = &m->locs[f[dbg.frame].loc];
    const struct bc_file *x = &m->files[l->file];
    str_printf(out, "Current source file is %s, line %u, column %u\n",
               dbg_base_name(dbg_file_name(m, l->file)), l->line, l->col);
    if (x->path) str_printf(out, "Located in %s\n", bc_str(m, x->path));
    else if (x->text) str_put(out, "Its text is what the app gave to clCreateProgramWithSource.\n");
    return NULL;
}

struct err *dbg_info_sources(const char *args, struct str *out)
{
    if (!dbg.modules.len) return dbg_no_program();
    struct str before = {0};
    for (size_t i = 0; i < dbg.modules.len; i++) {
        const struct bc_module *m = dbg.modules.data[i].m;
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

/** By their declarations, in the order of their lines. */
struct err *dbg_info_functions(const char *args, struct str *out)
{
    if (!dbg.modules.len) return dbg_no_program();
    bool any = false;
    for (size_t i = 0; i < dbg.modules.len; i++) {
        const struct bc_module *m = dbg.modules.data[i].m;
        struct name_line {
            const char *name;
            uint32_t file, line;
        };
        VEC(struct name_line) list = {0};
        for (uint32_t k = 1; k < m->nlocs; k++) { // also those that were inlined everywhere
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
