// SPDX-License-Identifier: MIT
// Instructions, programs and sources for the Debug Adapter Protocol. The reference of an
// instruction is the number of the function + 1, times 2^32, plus that of the instruction.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/session/frames.h"

#include <stdlib.h>
#include <string.h>

// ---- instructions
/** Finds the function and the number of an instruction, which may be outside of the function. */
static bool resolve(const char *reference, int64_t offset, const struct bc_fn **fn, int64_t *number)
{
    const struct bc_module *m = dbg_launch.run ? dbg_launch.run->code->module : NULL;
    const uint64_t at = reference ? strtoull(reference, NULL, 0) : 0, f = at >> 32;
    if (!m || !f || f > m->nfns) return false;
    *fn = &m->fns[f - 1];
    *number = (int64_t)(uint32_t)at + offset;
    return true;
}

const struct bc_insn *dbg_dap_instruction(const char *reference, int64_t offset,
                                          const struct bc_fn **fn)
{
    int64_t k;
    if (!resolve(reference, offset, fn, &k) || k < 0 || k >= (*fn)->ninsns) return NULL;
    return &(*fn)->insns[k];
}

static json_t *reference_of(const struct bc_module *m, const struct bc_fn *fn, int64_t number)
{
    return dbg_dap_address((uint64_t)(((fn - m->fns + 1) << 32) + number));
}

void dbg_dap_put_instruction_reference(json_t *frame, struct vm_gang *g, const struct dbg_frame *f,
                                       unsigned level)
{
    const struct bc_insn *at = level ? NULL : dbg_next_insn(g);
    for (const struct bc_insn *i = f->fn->insns; !at && i < f->fn->insns + f->fn->ninsns; i++)
        if (i->loc == f->loc) at = i;
    if (at && at >= f->fn->insns && at < f->fn->insns + f->fn->ninsns)
        json_object_set_new(frame, "instructionPointerReference",
                            reference_of(g->code->module, f->fn, at - f->fn->insns));
}

void dbg_dap_disassemble(const json_t *r, const json_t *args)
{
    enum { MOST = 10000 };
    const struct bc_module *m = dbg_launch.run ? dbg_launch.run->code->module : NULL;
    const json_int_t count = dbg_dap_integer(args, "instructionCount", 0);
    const struct bc_fn *fn;
    int64_t first;
    if (!resolve(dbg_dap_string(args, "memoryReference"),
                 dbg_dap_integer(args, "offset", 0) + dbg_dap_integer(args, "instructionOffset", 0),
                 &fn, &first) ||
        count < 0 || count > MOST) {
        dbg_dap_refuse(r, m ? "There are no such instructions." : "No kernel is stopped.");
        return;
    }
    json_t *list = json_array();
    uint32_t line = 0;
    for (int64_t k = first; k < first + count; k++) {
        if (k < 0 || k >= fn->ninsns) { // the requested number of instructions
            json_array_append_new(list,
                                  json_pack("{s:o, s:s, s:s}", "address", reference_of(m, fn, k),
                                            "instruction", "-", "presentationHint", "invalid"));
            continue;
        }
        const struct bc_insn *i = &fn->insns[k];
        const struct bc_loc *l = &m->locs[i->loc];
        struct str s = {0};
        bc_disassemble_insn(m, fn, i, &s);
        const char *text_of_it = str_text(&s);
        json_t *o = json_pack("{s:o, s:o}", "address", reference_of(m, fn, k), "instruction",
                              dbg_json_text(text_of_it + strspn(text_of_it, " ")));
        if (!k) json_object_set_new(o, "symbol", dbg_json_text(bc_str(m, fn->name)));
        if (l->line && l->line != line)
            json_object_set_new(o, "location", dbg_dap_source_of(m, l->file)),
                json_object_set_new(o, "line", json_integer(l->line));
        line = l->line ? l->line : line;
        json_array_append_new(list, o);
        str_deinit(&s);
    }
    dbg_dap_answer(r, json_pack("{s:o}", "instructions", list));
}

// ---- programs and sources
static json_t *module_body(const struct dbg_module *x)
{
    struct str name = {0};
    for (uint32_t k = 0; k < x->m->nkernels; k++)
        str_printf(&name, "%s%s", k ? ", " : "", bc_str(x->m, x->m->kernels[k].name));
    json_t *o = json_pack("{s:i, s:o, s:b, s:b, s:s}", "id", (int)x->number, "name",
                          dbg_json_text(name.len ? str_text(&name) : "(no kernels)"), "isUserCode",
                          1, "isOptimized", 0, "symbolStatus", "Symbols loaded");
    str_deinit(&name);
    json_object_set_new(o, "buildOptions", dbg_json_text(x->options));
    return o;
}

void dbg_dap_send_module(const struct dbg_module *x, bool is_new)
{
    dbg_send_event("module", json_pack("{s:s, s:o}", "reason", is_new ? "new" : "removed", "module",
                                       module_body(x)));
}

/** Each program is a module, named by its kernels. */
void dbg_dap_modules(const json_t *r, const json_t *args)
{
    const json_int_t first = dbg_dap_integer(args, "startModule", 0),
                     count = dbg_dap_integer(args, "moduleCount", 0);
    const size_t n = dbg_programs.modules.len;
    json_t *list = json_array();
    for (size_t i = first > 0 ? (size_t)first : 0;
         i < n && (count <= 0 || (json_int_t)i - first < count); i++)
        json_array_append_new(list, module_body(&dbg_programs.modules.data[i]));
    dbg_dap_answer(r, json_pack("{s:o, s:i}", "modules", list, "totalModules", (int)n));
}

void dbg_dap_loaded_sources(const json_t *r, const json_t *args)
{
    json_t *list = json_array();
    for (size_t i = 0; i < dbg_programs.modules.len; i++)
        for (uint32_t f = 0; f < dbg_programs.modules.data[i].m->nfiles; f++) {
            json_t *s = dbg_dap_source_of(dbg_programs.modules.data[i].m, f), *x;
            bool known = false;
            size_t k;
            json_array_foreach(list, k, x) known |= json_equal(x, s);
            if (known) json_decref(s);
            else json_array_append_new(list, s);
        }
    dbg_dap_answer(r, json_pack("{s:o}", "sources", list));
}

static bool line_has_code(const char *path, uint32_t line)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfns; f++)
            for (const struct bc_insn *k = m->fns[f].insns; k < m->fns[f].insns + m->fns[f].ninsns;
                 k++)
                if (m->locs[k->loc].line == line &&
                    !strcmp(dbg_base_name(dbg_file_name(m, m->locs[k->loc].file)),
                            dbg_base_name(path)))
                    return true;
    }
    return false;
}

/** The lines with code in the requested range of a file. */
void dbg_dap_breakpoint_locations(const json_t *r, const json_t *args)
{
    enum { MOST = 2000 };
    const json_t *source = json_object_get(args, "source");
    const char *path = dbg_dap_string(source, "path");
    if (!path) path = dbg_dap_string(source, "name");
    const json_int_t from = dbg_dap_integer(args, "line", 0),
                     to = dbg_dap_integer(args, "endLine", from);
    json_t *list = json_array();
    for (json_int_t line = from; path && line <= to && line - from < MOST; line++)
        if (line > 0 && line_has_code(path, (uint32_t)line))
            json_array_append_new(list, json_pack("{s:I}", "line", line));
    dbg_dap_answer(r, json_pack("{s:o}", "breakpoints", list));
}
