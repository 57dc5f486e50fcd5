// SPDX-License-Identifier: MIT
// Memory, instructions and sources for the Debug Adapter Protocol. A memory reference is an address
// as print shows it; that of an instruction has the function's number + 1 in the upper half and the
// instruction's number in the lower half.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/expressions/kernel_value.h"
#include "debug/session/frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static json_t *reference(uint64_t x)
{
    char s[24];
    snprintf(s, sizeof s, "0x%" PRIx64, x);
    return json_string(s);
}

// ---- memory
bool dbg_dap_pointer(struct vm_gang *g, const struct dbg_value *v, uint64_t *p)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind != BC_T_POINTER) return false;
    struct dbg_value loaded = *v;
    struct arena a = {0};
    struct err *e = dbg_value_load(g, &loaded, &a);
    if (!e) *p = (uint64_t)dbg_as_int(t, loaded.bytes);
    arena_deinit(&a);
    const bool known = !e;
    err_free(e);
    return known;
}

void dbg_dap_put_memory_reference(json_t *variable, struct vm_gang *g, const struct dbg_value *v)
{
    uint64_t p = v->address;
    if (dbg_dap_pointer(g, v, &p) || (v->in_memory && dbg_strip(v->type)->kind != BC_T_POINTER))
        json_object_set_new(variable, "memoryReference", reference(p));
}

static char *base64(const uint8_t *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct str s = {0};
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) |
                           (i + 2 < n ? p[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            str_put_char(&s, i + k > n ? '=' : digits[v >> (18 - 6 * k) & 63]);
    }
    return str_take(&s);
}

void dbg_dap_read_memory(const json_t *r, const json_t *args)
{
    enum { MOST = 1 << 20 };
    const char *text = dbg_dap_string(args, "memoryReference");
    struct vm_gang *g = dbg_dap_gang_of(dbg_focus.item);
    const json_int_t count = dbg_dap_integer(args, "count", 0);
    if (!text || !g || count < 0) {
        dbg_dap_refuse(r,
                       g ? "A memoryReference and a count are expected." : "No kernel is stopped.");
        return;
    }
    const uint64_t address = strtoull(text, NULL, 0) + (uint64_t)dbg_dap_integer(args, "offset", 0);
    const struct vm_object *o = vm_object_of(g, address);
    const int64_t off = vm_offset_of(address);
    uint64_t n = off >= 0 && (uint64_t)off < o->size ? o->size - (uint64_t)off : 0;
    if (n > (uint64_t)count) n = (uint64_t)count;
    if (n > MOST) n = MOST;
    uint8_t *bytes = malloc(n + 1);
    struct err *e = bytes && n ? dbg_read(g, address, bytes, n) : NULL;
    if (e || !bytes) n = 0;
    err_free(e);
    json_t *body = json_pack("{s:o}", "address", reference(address));
    if (n < (uint64_t)count)
        json_object_set_new(body, "unreadableBytes", json_integer(count - (json_int_t)n));
    if (n) {
        char *data = base64(bytes, n);
        json_object_set_new(body, "data", json_string(data));
        free(data);
    }
    free(bytes);
    dbg_dap_answer(r, body);
}

// ---- instructions
static json_t *place_of(const struct bc_module *m, const struct bc_fn *fn, const struct bc_insn *i)
{
    return reference(((uint64_t)(fn - m->fns) + 1) << 32 | (uint64_t)(i - fn->insns));
}

void dbg_dap_put_instruction_reference(json_t *frame, struct vm_gang *g, const struct dbg_frame *f,
                                       unsigned level)
{
    const struct bc_insn *at = level ? NULL : dbg_next_insn(g);
    for (const struct bc_insn *i = f->fn->insns; !at && i < f->fn->insns + f->fn->ninsns; i++)
        if (i->loc == f->loc) at = i;
    if (at && at >= f->fn->insns && at < f->fn->insns + f->fn->ninsns)
        json_object_set_new(frame, "instructionPointerReference",
                            place_of(g->code->module, f->fn, at));
}

void dbg_dap_disassemble(const json_t *r, const json_t *args)
{
    enum { MOST = 10000 };
    const char *text = dbg_dap_string(args, "memoryReference");
    const uint64_t at = text ? strtoull(text, NULL, 0) : 0, f = at >> 32;
    const struct bc_module *m = dbg_launch.run ? dbg_launch.run->code->module : NULL;
    const json_int_t count = dbg_dap_integer(args, "instructionCount", 0);
    if (!m || !f || f > m->nfns || count < 0 || count > MOST) {
        dbg_dap_refuse(r, m ? "There are no such instructions." : "No kernel is stopped.");
        return;
    }
    const struct bc_fn *fn = &m->fns[f - 1];
    const int64_t first = (int64_t)(uint32_t)at + dbg_dap_integer(args, "offset", 0) +
                          dbg_dap_integer(args, "instructionOffset", 0);
    json_t *list = json_array();
    uint32_t line = 0;
    for (int64_t k = first; k < first + count; k++) {
        if (k < 0 || k >= fn->ninsns) { // the requested number of instructions
            json_array_append_new(list,
                                  json_pack("{s:o, s:s, s:s}", "address",
                                            reference(k < 0 ? (uint64_t)(((int64_t)f << 32) + k)
                                                            : f << 32 | (uint64_t)k),
                                            "instruction", "-", "presentationHint", "invalid"));
            continue;
        }
        const struct bc_insn *i = &fn->insns[k];
        const struct bc_loc *l = &m->locs[i->loc];
        struct str s = {0};
        bc_disassemble_insn(m, fn, i, &s);
        const char *words = str_text(&s);
        json_t *o = json_pack("{s:o, s:o}", "address", place_of(m, fn, i), "instruction",
                              dbg_json_text(words + strspn(words, " ")));
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

// ---- sources
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
