// SPDX-License-Identifier: MIT
// The list of breakpoints, watchpoints and catchpoints, and their locations.
//
// A breakpoint is a request, as in mdb: it is resolved anew in every program that is built, so it
// may be set before there is one. Each of its locations is planted as a flag of the instruction
// (BC_BREAK), so that code without breakpoints pays nothing.
#include "debug/breakpoints/breakpoint.h"

#include "base/mem.h"
#include "debug/breakpoints/watch_expression.h"
#include "debug/session/programs.h"
#include "debug/session/session.h"
#include "debug/session/session_settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct dbg_breaks dbg_breaks = {.changes = 1};

// ---- finding places
static bool names_file(const char *file, const char *asked, size_t n)
{
    const size_t k = strlen(file);
    if (k < n || memcmp(file + k - n, asked, n)) return false;
    return k == n || file[k - n - 1] == '/';
}

static bool is_asked_file(const struct bc_module *m, uint32_t file, const char *asked, size_t n)
{
    return names_file(dbg_file_name(m, file), asked, n) ||
           (m->files[file].path && names_file(bc_str(m, m->files[file].path), asked, n));
}

static void add_location(struct dbg_break *b, const struct bc_module *m, const struct bc_fn *fn,
                         const struct bc_insn *i)
{
    vec_push(&b->at, ((struct dbg_location){.m = m, .fn = fn, .insn = i}));
}

/**
 * Adds the first instruction of the line (or, with `name`, of the function) in each copy of a
 * function.
 */
static bool add_firsts(struct dbg_break *b, const struct bc_module *m, uint32_t line,
                       const char *file, size_t file_len, const char *name)
{
    bool any = false;
    for (uint32_t f = 0; f < m->nfns; f++) {
        const struct bc_fn *fn = &m->fns[f];
        VEC(uint32_t) copies = {0};
        for (uint32_t k = 0; k < fn->ninsns; k++) {
            const struct bc_loc *l = &m->locs[fn->insns[k].loc];
            if (!fn->insns[k].loc || !l->line) continue;
            if (name ? strcmp(bc_str(m, l->fn_name), name) != 0 : l->line != line) continue;
            if (file && !is_asked_file(m, l->file, file, file_len)) continue;
            bool seen = false;
            for (size_t c = 0; c < copies.len; c++) seen |= copies.data[c] == l->inlined_at;
            if (seen) continue;
            vec_push(&copies, l->inlined_at);
            add_location(b, m, fn, &fn->insns[k]);
            b->line = l->line;
            any = true;
        }
        vec_free(&copies);
    }
    return any;
}

/** The next line of that file that has code, or 0. */
static uint32_t next_line(const struct bc_module *m, uint32_t line, const char *file, size_t n)
{
    uint32_t best = 0;
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t k = 0; k < m->fns[f].ninsns; k++) {
            const struct bc_loc *l = &m->locs[m->fns[f].insns[k].loc];
            if (!l->line || l->line < line || (best && l->line >= best) ||
                (file && !is_asked_file(m, l->file, file, n)))
                continue;
            best = l->line;
        }
    return best;
}

static void add_barriers(struct dbg_break *b, const struct bc_module *m)
{
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t k = 0; k < m->fns[f].ninsns; k++)
            if (m->fns[f].insns[k].op == BC_BARRIER)
                add_location(b, m, &m->fns[f], &m->fns[f].insns[k]);
}

static void resolve(struct dbg_break *b, const struct bc_module *m)
{
    if (b->kind == DBG_AT_BARRIER) add_barriers(b, m);
    const char *colon = strrchr(b->spec, ':');
    const char *file = colon ? b->spec : NULL;
    const size_t n = colon ? (size_t)(colon - b->spec) : 0;
    if (b->kind == DBG_AT_FUNCTION) add_firsts(b, m, 0, file, n, colon ? colon + 1 : b->spec);
    if (b->kind != DBG_AT_LINE) return;
    if (add_firsts(b, m, b->asked_line, file, n, NULL)) return;
    const uint32_t next = next_line(m, b->asked_line, file, n);
    if (next) add_firsts(b, m, next, file, n, NULL);
}

void dbg_break_plant(void)
{
    dbg_breaks.changes++;
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfns; f++)
            for (uint32_t k = 0; k < m->fns[f].ninsns; k++)
                ((struct bc_insn *)&m->fns[f].insns[k])->flags &= (uint16_t)~BC_BREAK;
    }
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        for (size_t k = 0;
             k < dbg_breaks.list.data[i]->at.len && !dbg_breaks.list.data[i]->disabled; k++)
            ((struct bc_insn *)dbg_breaks.list.data[i]->at.data[k].insn)->flags |= BC_BREAK;
}

void dbg_break_put_unset(struct str *out, const struct dbg_break *b)
{
    struct dbg_expr *x = NULL;
    struct dbg_scope_vars vars;
    const struct dbg_location *at = b->at.data;
    if (!b->condition || !b->at.len || b->kind != DBG_AT_LINE) return;
    const uint32_t loc = at->insn->loc;
    struct err *e = dbg_expr_parse(b->condition, at->m, at->fn, loc, &x);
    if (e) {
        err_free(e);
        return;
    }
    dbg_vars_at(at->m, at->fn, loc, &vars);
    const struct dbg_var *v = dbg_expr_declared_from(x, &vars, at->m->locs[loc].line);
    if (v)
        str_printf(
            out,
            "Note: \"%s\" is declared at line %u, so it may have no value when the breakpoint "
            "is reached.\n",
            v->name, v->loc->line);
    dbg_vars_free(&vars);
    dbg_expr_free(x);
}

void dbg_break_module_added(const struct bc_module *m)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        const bool waited = !b->at.len;
        resolve(b, m);
        const bool said_not_built = dbg_programs.modules.len ==
                                    1; // to an editor, for all pending ones
        if (waited && b->dap && b->kind < DBG_WATCH && (b->at.len || said_not_built))
            dbg_events.breakpoint_changed(b);
        if (!waited || !b->at.len || !b->asked_line || b->dap) continue;
        struct str text = {0};
        if (b->line != b->asked_line) {
            dbg_break_put(&text, b);
            str_put(&text, "\n");
        }
        dbg_break_put_unset(&text, b);
        if (text.len) dbg_events.output(str_text(&text));
        str_deinit(&text);
    }
    dbg_break_plant();
}

void dbg_break_module_removed(const struct bc_module *m)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        size_t kept = 0;
        for (size_t k = 0; k < b->at.len; k++) {
            if (b->at.data[k].m != m) b->at.data[kept++] = b->at.data[k];
            else dbg_expr_free(b->at.data[k].condition);
        }
        b->at.len = kept;
    }
}

// ---- the list
static bool is_planted(const struct bc_module *m, uint32_t f, bool *seen)
{
    const struct bc_fn *const fn = &m->fns[f];
    if (seen[f]) return false;
    seen[f] = true;
    for (uint32_t k = 0; k < fn->ninsns; k++) {
        const struct bc_insn *i = &fn->insns[k];
        if (i->flags & BC_BREAK) return true;
        if (i->op == BC_CALL && is_planted(m, fn->ext[i->ext], seen)) return true;
    }
    return false;
}

bool dbg_break_may_stop(const struct bc_module *m, const struct bc_kernel *k)
{
    bool may = dbg_settings.stop_at_launch_end, any = false;
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (b->disabled) continue;
        may |= b->kind == DBG_WATCH || (b->kind == DBG_CATCH && b->finding == DBG_LAUNCH_END);
        any |= b->at.len;
    }
    bool *const seen = any && !may ? mem_alloc(m->nfns + 1) : NULL;
    may |= seen && is_planted(m, k->fn, seen);
    free(seen);
    return may;
}

enum dbg_break_kind dbg_break_kind_of(const char *spec)
{
    const char *colon = strrchr(spec, ':'), *line = colon ? colon + 1 : spec;
    if (!strcmp(spec, "barrier")) return DBG_AT_BARRIER;
    return isdigit((unsigned char)*line) && line[strspn(line, "0123456789")] == 0 ? DBG_AT_LINE
                                                                                  : DBG_AT_FUNCTION;
}

struct dbg_break *dbg_break_find(unsigned number)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        if (dbg_breaks.list.data[i]->number == number) return dbg_breaks.list.data[i];
    return NULL;
}

struct dbg_break *dbg_break_add(enum dbg_break_kind kind, const char *spec)
{
    struct dbg_break *b = mem_alloc(sizeof *b);
    b->kind = kind;
    b->spec = mem_strdup(spec);
    b->finding = DBG_ALL_FINDINGS;
    b->watch.item = UINT32_MAX;
    if (kind == DBG_AT_LINE) {
        const char *colon = strrchr(spec, ':');
        b->asked_line = (uint32_t)strtoul(colon ? colon + 1 : spec, NULL, 10);
    }
    b->number = ++dbg_breaks.last_number;
    vec_push(&dbg_breaks.list, b);
    for (size_t i = 0; i < dbg_programs.modules.len; i++)
        resolve(b, dbg_programs.modules.data[i].m);
    dbg_break_plant();
    return b;
}

struct dbg_break *dbg_break_add_at(const char *spec, const struct bc_module *m,
                                   const struct bc_fn *fn, const struct bc_insn *insn)
{
    struct dbg_break *b = dbg_break_add(DBG_AT_INSTRUCTION, spec);
    add_location(b, m, fn, insn);
    b->line = m->locs[insn->loc].line;
    dbg_break_plant();
    return b;
}

void dbg_break_remove(struct dbg_break *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        if (dbg_breaks.list.data[i] != b) dbg_breaks.list.data[kept++] = dbg_breaks.list.data[i];
    dbg_breaks.list.len = kept;
    for (size_t i = 0; i < b->at.len; i++) dbg_expr_free(b->at.data[i].condition);
    for (size_t i = 0; i < b->commands.len; i++) free(b->commands.data[i]);
    vec_free(&b->commands);
    vec_free(&b->at);
    free(b->spec);
    free(b->condition);
    free(b->log);
    free(b->data_id);
    free(b->watch.old);
    dbg_watch_expression_destroy(b->watch.expression);
    free(b);
    dbg_break_plant();
}

void dbg_break_put(struct str *out, const struct dbg_break *b)
{
    const char *what = b->kind == DBG_WATCH   ? b->watch.access == DBG_ON_READ ? "Read watchpoint"
                                                : b->watch.access == DBG_ON_ACCESS
                                                    ? "Access watchpoint"
                                                    : "Watchpoint"
                       : b->kind == DBG_CATCH ? "Catchpoint"
                       : b->temporary         ? "Temporary breakpoint"
                                              : "Breakpoint";
    str_printf(out, "%s %u", what, b->number);
    if (b->kind == DBG_WATCH) {
        str_printf(out, ": %s", b->spec);
    } else if (b->kind == DBG_CATCH) {
        str_printf(out, " (%s)", b->spec);
    } else if (!b->at.len) {
        str_printf(out, " (%s) pending", b->spec);
    } else if (b->kind == DBG_AT_BARRIER) {
        str_printf(out, " at %zu barrier%s", b->at.len, b->at.len == 1 ? "" : "s");
    } else {
        const struct dbg_location *at = &b->at.data[0];
        const struct bc_loc *l = &at->m->locs[at->insn->loc];
        str_printf(out, " at %s:%u", dbg_base_name(dbg_file_name(at->m, l->file)), l->line);
        if (b->at.len > 1) str_printf(out, " (%zu locations)", b->at.len);
        if (b->asked_line && l->line != b->asked_line)
            str_printf(out, " (line %u has no code)", b->asked_line);
    }
}
