// SPDX-License-Identifier: MIT
// Breakpoints, watchpoints and catchpoints: what was asked for, and where it is planted.
//
// What the user asked for (struct dbg_break) is not what is planted: it is resolved anew in every
// program that is built, so that it may be set before there is one. Planted is a flag over the
// instruction (BC_BREAK), which costs what is not debugged nothing.
#include "debug/history.h"
#include "debug/lane_condition.h"
#include "debug/session.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

// ---- work-item sets: (0..3,*)
struct err *dbg_items_parse(const char *text, const char **end, struct dbg_items *out)
{
    const char *p = text;
    *out = (struct dbg_items){.given = true, .to = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const bool paren = *p == '(';
    p += paren;
    for (unsigned k = 0; k < 3; k++) {
        p += strspn(p, " \t");
        if (*p == '*') {
            p++;
        } else if (isdigit((unsigned char)*p)) {
            char *next;
            out->from[k] = out->to[k] = strtoull(p, &next, 0);
            p = next;
            if (!strncmp(p, "..", 2)) {
                p += 2;
                if (!isdigit((unsigned char)*p))
                    return err_new("A range of work-items ends with a number: `0..3`.");
                out->to[k] = strtoull(p, &next, 0);
                p = next;
            }
        } else {
            return err_new("Work-items are named by global id, such as `(0..3,*)`; near `%s'.", p);
        }
        p += strspn(p, " \t");
        if (*p != ',' || !paren) break;
        p++;
    }
    if (paren && *p++ != ')') return err_new("A set of work-items ends with ')'.");
    *end = p;
    return NULL;
}

void dbg_items_put(struct str *out, const struct dbg_items *s)
{
    for (int k = 0; k < 3; k++) {
        str_put(out, k ? "," : "(");
        if (s->to[k] == UINT64_MAX) str_put(out, "*");
        else if (s->to[k] == s->from[k]) str_printf(out, "%llu", LL(s->from[k]));
        else str_printf(out, "%llu..%llu", LL(s->from[k]), LL(s->to[k]));
    }
    str_put(out, ")");
}

static bool contains(const struct dbg_items *s, uint64_t group, uint32_t item)
{
    if (!s->given) return true;
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(group, item, l, g, w);
    for (int k = 0; k < 3; k++)
        if (w[k] < s->from[k] || w[k] > s->to[k]) return false;
    return true;
}

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
 * The first instruction of a function's every copy that lies in that line (or, name: of that
 * function).
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
    dbg.break_changes++;
    for (size_t i = 0; i < dbg.modules.len; i++) {
        const struct bc_module *m = dbg.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfns; f++)
            for (uint32_t k = 0; k < m->fns[f].ninsns; k++)
                ((struct bc_insn *)&m->fns[f].insns[k])->flags &= (uint16_t)~BC_BREAK;
    }
    for (size_t i = 0; i < dbg.breaks.len; i++)
        for (size_t k = 0; k < dbg.breaks.data[i]->at.len && !dbg.breaks.data[i]->disabled; k++)
            ((struct bc_insn *)dbg.breaks.data[i]->at.data[k].insn)->flags |= BC_BREAK;
}

void dbg_break_module_added(const struct bc_module *m)
{
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        struct dbg_break *b = dbg.breaks.data[i];
        const bool waited = !b->at.len;
        resolve(b, m);
        const bool said_not_built = dbg.modules.len == 1; // to an editor, of all that waited
        if (waited && b->dap && b->kind < DBG_WATCH && (b->at.len || said_not_built))
            dbg_send_breakpoint(b);
        if (!waited || !b->at.len || !b->asked_line || b->line == b->asked_line || b->dap) continue;
        struct str moved = {0};
        dbg_break_put(&moved, b);
        str_put(&moved, "\n");
        dbg_send_output(str_text(&moved));
        str_deinit(&moved);
    }
    dbg_break_plant();
}

void dbg_break_module_removed(const struct bc_module *m)
{
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        struct dbg_break *b = dbg.breaks.data[i];
        size_t kept = 0;
        for (size_t k = 0; k < b->at.len; k++) {
            if (b->at.data[k].m != m) b->at.data[kept++] = b->at.data[k];
            else dbg_expr_free(b->at.data[k].condition);
        }
        b->at.len = kept;
    }
}

// ---- the list
enum dbg_break_kind dbg_break_kind_of(const char *spec)
{
    const char *colon = strrchr(spec, ':'), *line = colon ? colon + 1 : spec;
    if (!strcmp(spec, "barrier")) return DBG_AT_BARRIER;
    return isdigit((unsigned char)*line) && line[strspn(line, "0123456789")] == 0 ? DBG_AT_LINE
                                                                                  : DBG_AT_FUNCTION;
}

struct dbg_break *dbg_break_find(unsigned number)
{
    for (size_t i = 0; i < dbg.breaks.len; i++)
        if (dbg.breaks.data[i]->number == number) return dbg.breaks.data[i];
    return NULL;
}

struct err *dbg_break_add(enum dbg_break_kind kind, const char *spec, struct dbg_break **out)
{
    struct dbg_break *b = mem_alloc(sizeof *b);
    b->kind = kind;
    b->spec = mem_strdup(spec);
    b->finding = -1;
    b->item = UINT32_MAX;
    if (kind == DBG_AT_LINE) {
        const char *colon = strrchr(spec, ':');
        b->asked_line = (uint32_t)strtoul(colon ? colon + 1 : spec, NULL, 10);
    }
    b->number = ++dbg.last_number;
    vec_push(&dbg.breaks, b);
    for (size_t i = 0; i < dbg.modules.len; i++) resolve(b, dbg.modules.data[i].m);
    dbg_break_plant();
    *out = b;
    return NULL;
}

void dbg_break_remove(struct dbg_break *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < dbg.breaks.len; i++)
        if (dbg.breaks.data[i] != b) dbg.breaks.data[kept++] = dbg.breaks.data[i];
    dbg.breaks.len = kept;
    for (size_t i = 0; i < b->at.len; i++) dbg_expr_free(b->at.data[i].condition);
    for (size_t i = 0; i < b->commands.len; i++) free(b->commands.data[i]);
    vec_free(&b->commands);
    vec_free(&b->at);
    free(b->spec);
    free(b->condition);
    free(b->log);
    free(b->old);
    free(b);
    dbg_break_plant();
}

void dbg_break_put(struct str *out, const struct dbg_break *b)
{
    const char *what = b->kind == DBG_WATCH   ? b->access == DBG_ON_READ     ? "Read watchpoint"
                                                : b->access == DBG_ON_ACCESS ? "Access watchpoint"
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

// ---- hits
static bool condition_holds(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                            struct str *why)
{
    if (!b->condition) return true;
    if (at->bad_condition) return false;
    struct err *e = NULL;
    if (!at->condition)
        e = dbg_expr_parse(b->condition, at->m, at->fn, at->insn ? at->insn->loc : 0,
                           &at->condition);
    struct arena a = {0};
    struct dbg_value v;
    bool holds = false;
    if (!e) e = dbg_expr_eval(at->condition, g, &a, &v);
    if (!e) e = dbg_value_true(g, &v, &holds);
    arena_deinit(&a);
    if (!e) return holds;
    str_printf(why, "Error in testing condition of breakpoint %u:\n%s\n", b->number,
               err_message(e)); // a stop, once, as gdb does
    err_free(e);
    at->bad_condition = true;
    return true;
}

bool dbg_break_counts(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                      uint32_t item, struct str *why)
{
    if (b->disabled || !contains(&b->items, dbg.group_number, item) ||
        !condition_holds(b, at, g, why))
        return false;
    dbg_history_hit();
    b->hits++;
    if (b->ignore) {
        b->ignore--;
        return false;
    }
    return true;
}

/** `iteration {i} of {n}`: the values in the text. */
static void put_log(struct vm_gang *g, const struct dbg_location *at, const char *text,
                    struct str *out)
{
    while (*text) {
        const char *close = *text == '{' ? strchr(text, '}') : NULL;
        if (!close) {
            str_put_char(out, *text++);
            continue;
        }
        char *inner = mem_strdup(text + 1);
        inner[close - text - 1] = 0;
        struct dbg_expr *x = NULL;
        struct dbg_value v;
        struct arena a = {0};
        struct err *e = dbg_expr_parse(inner, at->m, at->fn, at->insn->loc, &x);
        if (!e) e = dbg_expr_eval(x, g, &a, &v);
        if (!e) dbg_value_put(out, g, &v, NULL);
        else str_printf(out, "<%.*s>", (int)strcspn(err_message(e), "\n"), err_message(e));
        err_free(e);
        dbg_expr_free(x);
        arena_deinit(&a);
        free(inner);
        text = close + 1;
    }
    str_put_char(out, '\n');
}

bool dbg_break_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which)
{
    struct dbg_break *first = NULL;
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        struct dbg_break *b = dbg.breaks.data[i];
        for (size_t k = 0; k < b->at.len; k++) {
            if (b->at.data[k].insn != insn || !dbg_break_counts(b, &b->at.data[k], g, item, out))
                continue;
            if (b->log) {
                struct str line = {0};
                put_log(g, &b->at.data[k], b->log, &line);
                dbg_send_output(str_text(&line));
                str_deinit(&line);
                continue;
            }
            if (!first) first = b;
        }
    }
    if (!first) return false;
    *which = first;
    if (first->number)
        str_printf(out, "%s %u, ", first->temporary ? "Temporary breakpoint" : "Breakpoint",
                   first->number);
    return true;
}

/** One lane of a wide gang, as if it were a gang of one. */
static bool lane_may_hit(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                         uint32_t lane)
{
    struct str why = {0};
    dbg.lane = lane;
    const bool bad = at->bad_condition, holds = condition_holds(b, at, g, &why);
    dbg.lane = 0;
    at->bad_condition = bad; // it is told when the work-item comes here by itself
    str_deinit(&why);
    return holds;
}

static bool may_hit(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g)
{
    bool holds[VM_MAX_WIDTH];
    if (at->bad_condition) return false;
    struct err *e = b->condition && !at->condition
                        ? dbg_expr_parse(b->condition, at->m, at->fn, at->insn->loc, &at->condition)
                        : NULL;
    if (e) {
        err_free(e);
        return true;
    }
    const enum dbg_lanes_hold hold = b->condition ? dbg_condition_lanes(at->condition, g, holds)
                                                  : DBG_LANES_UNKNOWN;
    const bool all_at_once = hold != DBG_LANES_UNKNOWN;
    if (hold == DBG_LANES_NONE) return false;
    for (uint32_t i = 0; i < g->nlanes; i++) {
        if (!g->mask[i] || (all_at_once && !holds[i]) ||
            !contains(&b->items, dbg.group_number, g->first_item + i))
            continue;
        if (!b->condition || all_at_once || lane_may_hit(b, at, g, i)) return true;
    }
    return false;
}

bool dbg_break_may_hit(struct vm_gang *g, const struct bc_insn *insn)
{
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        struct dbg_break *b = dbg.breaks.data[i];
        for (size_t k = 0; k < b->at.len && !b->disabled; k++)
            if (b->at.data[k].insn == insn && may_hit(b, &b->at.data[k], g)) return true;
    }
    return false;
}

struct dbg_break *dbg_break_would_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct str ignored = {0};
    struct dbg_break *found = NULL;
    for (size_t i = 0; i < dbg.breaks.len && !found; i++) {
        struct dbg_break *b = dbg.breaks.data[i];
        for (size_t k = 0; k < b->at.len && !found; k++)
            if (b->at.data[k].insn == insn && !b->disabled && !b->log &&
                contains(&b->items, dbg.group_number, item) &&
                condition_holds(b, &b->at.data[k], g, &ignored))
                found = b;
    }
    str_deinit(&ignored);
    return found;
}
