// SPDX-License-Identifier: MIT
// Instructions of the bytecode: `disassemble`, `x/i`.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/frame_text.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

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

/** The function that contains the instruction. */
static const struct bc_fn *function_of(const struct bc_module *m, const struct bc_insn *i)
{
    for (uint32_t f = 0; f < m->nfns; f++)
        if (i >= m->fns[f].insns && i < m->fns[f].insns + m->fns[f].ninsns) return &m->fns[f];
    return NULL;
}

struct err *dbg_put_code(struct str *out, uint64_t count)
{
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    const struct bc_insn *at = dbg_next_insn(g);
    const struct bc_fn *fn = at ? function_of(g->code->module, at) : NULL;
    uint32_t line = 0;
    if (!fn) return err_new("The work-item has returned.");
    for (const struct bc_insn *i = at; count-- && i < fn->insns + fn->ninsns; i++)
        put_insn(out, g->code->module, fn, i, at, &line);
    return NULL;
}

/** The last built function with that name. */
static struct err *function_named(const char *name, const struct bc_module **m,
                                  const struct bc_fn **fn)
{
    bool inlined = false;
    for (size_t i = dbg_programs.modules.len; i-- > 0;) {
        *m = dbg_programs.modules.data[i].m;
        for (uint32_t f = 0; f < (*m)->nfns; f++) {
            *fn = &(*m)->fns[f];
            if (!strcmp(bc_str(*m, (*fn)->name), name)) return NULL;
        }
        for (uint32_t k = 1; k < (*m)->nlocs; k++)
            inlined |= !strcmp(bc_str(*m, (*m)->locs[k].fn_name), name);
    }
    if (!dbg_programs.modules.len) return dbg_no_program();
    return inlined
               ? err_new("\"%s\" has no code of its own: it was inlined where it is called.", name)
               : err_new("Function \"%s\" not defined.", name);
}

/** The function of the focused frame. */
static struct err *function_here(const struct bc_module **m, const struct bc_fn **fn)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    *m = g->code->module;
    *fn = dbg_focus.frame < dbg_frames(g, f) ? f[dbg_focus.frame].fn : g->code->fns[0].bc;
    return NULL;
}

COMMAND(
    disassemble, DATA, "disassemble", "", 0, "[FUNCTION]",
    "Disassemble the bytecode of the current function, or of another one, with its source lines.")
{
    const struct bc_module *m;
    const struct bc_fn *fn;
    if (*args == '/')
        args += dbg_word(args),
            args += strspn(args, " \t"); // /s and /m of gdb: source lines are always shown
    struct err *e = *args ? function_named(args, &m, &fn) : function_here(&m, &fn);
    if (e) return e;
    const struct bc_insn *at = dbg.state == DBG_STOPPED ? dbg_next_insn(dbg_gang(dbg_focus.item))
                                                        : NULL;
    uint32_t line = 0;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        str_printf(out, "block %u:\n", b);
        for (uint32_t k = fn->blocks[b].first; k < fn->blocks[b].first + fn->blocks[b].count; k++)
            put_insn(out, m, fn, &fn->insns[k], at, &line);
    }
    return NULL;
}
