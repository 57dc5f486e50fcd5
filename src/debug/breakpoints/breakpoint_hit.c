// SPDX-License-Identifier: MIT
// Decides whether a breakpoint stops a work-item, by its set of work-items, condition and ignore
// count.
#include "base/mem.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/breakpoints/lane_condition.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

static bool condition_holds(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                            struct str *why)
{
    if (!b->condition) return true;
    if (at->bad_condition) return false;
    struct err *e = NULL;
    if (!at->condition)
        e = dbg_expr_parse(b->condition, at->m, at->fn, at->insn ? at->insn->loc : 0,
                           &at->condition);
    if (!e && dbg_condition_excludes(at->condition, g)) return false;
    struct arena a = {0};
    struct dbg_value v;
    bool holds = false;
    if (!e) e = dbg_expr_eval(at->condition, g, &a, &v);
    if (!e) e = dbg_value_true(g, &v, &holds);
    arena_deinit(&a);
    if (!e) return holds;
    str_printf(why, "Error in testing condition of breakpoint %u:\n%s\n", b->number,
               err_message(e)); // stops once, like gdb
    err_free(e);
    at->bad_condition = true;
    return true;
}

bool dbg_break_counts(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                      uint32_t item, struct str *why)
{
    if (b->disabled || !dbg_items_contain(&b->items, dbg_focus.group_number, item) ||
        !condition_holds(b, at, g, why))
        return false;
    dbg_breaks.was_hit = true;
    b->hits++;
    if (b->ignore) {
        b->ignore--;
        return false;
    }
    return (!b->only_hit || b->hits == b->only_hit) &&
           (!b->every_hit || b->hits % b->every_hit == 0);
}

/** Formats a log message with values: `iteration {i} of {n}`. */
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
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        for (size_t k = 0; k < b->at.len; k++) {
            if (b->at.data[k].insn != insn || !dbg_break_counts(b, &b->at.data[k], g, item, out))
                continue;
            if (b->log) {
                struct str line = {0};
                put_log(g, &b->at.data[k], b->log, &line);
                dbg_events.output(str_text(&line));
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

/** The same for one lane of a wide gang. */
static bool lane_may_hit(struct dbg_break *b, struct dbg_location *at, struct vm_gang *g,
                         uint32_t lane)
{
    struct str why = {0};
    dbg_focus.lane = lane;
    const bool bad = at->bad_condition, holds = condition_holds(b, at, g, &why);
    dbg_focus.lane = 0;
    at->bad_condition = bad; // the error is reported when the work-item is stepped to here
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
            !dbg_items_contain(&b->items, dbg_focus.group_number, g->first_item + i))
            continue;
        if (!b->condition || all_at_once || lane_may_hit(b, at, g, i)) return true;
    }
    return false;
}

bool dbg_break_may_hit(struct vm_gang *g, const struct bc_insn *insn)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        for (size_t k = 0; k < b->at.len && !b->disabled; k++)
            if (b->at.data[k].insn == insn && may_hit(b, &b->at.data[k], g)) return true;
    }
    return false;
}

struct dbg_break *dbg_break_would_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    struct str ignored = {0};
    struct dbg_break *found = NULL;
    for (size_t i = 0; i < dbg_breaks.list.len && !found; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        for (size_t k = 0; k < b->at.len && !found; k++)
            if (b->at.data[k].insn == insn && !b->disabled && !b->log &&
                dbg_items_contain(&b->items, dbg_focus.group_number, item) &&
                condition_holds(b, &b->at.data[k], g, &ignored))
                found = b;
    }
    str_deinit(&ignored);
    return found;
}
