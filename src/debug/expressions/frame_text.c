// SPDX-License-Identifier: MIT
// Frames and source lines as text.
#include "debug/expressions/frame_text.h"

#include "debug/expressions/expr.h"
#include "report/excerpt.h"

#include <ctype.h>

void dbg_put_frame(struct str *out, struct vm_gang *g, const struct dbg_frame *f, unsigned level)
{
    const struct bc_module *m = g->code->module;
    str_printf(out, "%s (", f->name);
    struct dbg_scope_vars vars;
    dbg_vars_of_frame(g, level, &vars);
    bool any = false;
    for (size_t i = 0; i < vars.list.len; i++) {
        const struct dbg_var *v = &vars.list.data[i];
        if (!v->is_param) continue;
        str_printf(out, "%s%s=", any ? ", " : "", v->name);
        any = true;
        struct dbg_value x = dbg_value_at(v->type, v->address);
        dbg_value_put_short(out, g, &x);
    }
    dbg_vars_free(&vars);
    const struct bc_loc *l = &m->locs[f->loc];
    str_put(out, ")");
    if (f->loc) str_printf(out, " at %s:%u", dbg_base_name(dbg_file_name(m, l->file)), l->line);
}

void dbg_put_source_line(struct str *out, uint32_t number, const char *text, size_t len)
{
    str_printf(out, "%u\t", number);
    rep_put_safe_lines(out, text, len);
    str_put_char(out, '\n');
}

const struct bc_loc *dbg_line_of(const struct bc_module *m, const struct bc_fn *fn,
                                 const struct bc_insn *insn)
{
    const struct bc_loc *l = &m->locs[insn->loc];
    return insn->loc && l->line ? l : &m->locs[fn->loc];
}

void dbg_put_line(struct str *out, const struct bc_module *m, const struct bc_loc *l)
{
    size_t len = 0;
    const char *text = dbg_source_line(m, l->file, l->line, &len);
    str_printf(out, "%s:%u", dbg_base_name(dbg_file_name(m, l->file)), l->line);
    while (len && isspace((unsigned char)*text)) text++, len--;
    if (!len) return;
    str_put(out, ": ");
    rep_put_safe_lines(out, text, len);
}

void dbg_put_source(struct str *out, const struct bc_module *m, uint32_t loc)
{
    if (!loc) return;
    const struct bc_loc *l = &m->locs[loc];
    size_t len;
    const char *text = dbg_source_line(m, l->file, l->line, &len);
    if (text) dbg_put_source_line(out, l->line, text, len);
    else str_printf(out, "%u\tin %s\n", l->line, dbg_file_name(m, l->file));
}
