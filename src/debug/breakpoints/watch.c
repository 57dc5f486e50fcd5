// SPDX-License-Identifier: MIT
// Software watchpoints: the watched bytes are compared after each part of an instruction that
// writes.
//
// Memory that was never written is undefined: the first write is a change even if the bytes stay
// the same. When a variable's scope begins again, its value becomes undefined. That is not a write,
// so the old value stays.
//
// An address is valid in one launch. Between launches, and when the program runs again, a
// watchpoint waits (address 0). Its expression is evaluated again when the next work-group begins;
// if the value was local or private, when the same work-group begins, for the same work-item.
#include "debug/breakpoints/watch.h"

#include "base/mem.h"
#include "debug/breakpoints/memory_access.h"
#include "debug/breakpoints/watch_expression.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"
#include "interp/definedness/undef.h"

#include <stdlib.h>
#include <string.h>

bool dbg_any_watch(void)
{
    for (size_t i = 0; i < dbg_breaks.list.len && !dbg.repeats; i++)
        if (dbg_breaks.list.data[i]->kind == DBG_WATCH && !dbg_breaks.list.data[i]->disabled &&
            dbg_is_watching(&dbg_breaks.list.data[i]->watch))
            return true;
    return false;
}

/** The work-item by which the watched bytes can be read now; or NULL. */
static struct vm_gang *watched_by(const struct dbg_break *b, struct vm_gang *g)
{
    if (!dbg_is_watching(&b->watch) || b->watch.launch != dbg_launch.run->chk.number) return NULL;
    if (b->watch.group != UINT64_MAX && b->watch.group != dbg_focus.group_number) return NULL;
    return b->watch.item == UINT32_MAX              ? g
           : b->watch.item < dbg_focus.group->items ? dbg_gang(b->watch.item)
                                                    : NULL;
}

bool dbg_any_read_watch(void)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++)
        if (dbg_breaks.list.data[i]->kind == DBG_WATCH && !dbg_breaks.list.data[i]->disabled &&
            dbg_breaks.list.data[i]->watch.access != DBG_ON_WRITE)
            return true;
    return false;
}

struct dbg_break *dbg_watch_read(struct vm_gang *g, uint32_t item, const struct bc_insn *insn)
{
    uint64_t address, size;
    if (!dbg_access_of(g, insn, 0, true, &address, &size)) return NULL;
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        if (b->kind != DBG_WATCH || b->disabled || b->watch.access == DBG_ON_WRITE ||
            !watched_by(b, g) || (b->watch.item != UINT32_MAX && b->watch.item != item))
            continue;
        if (address < b->watch.address + b->watch.size && b->watch.address < address + size)
            return b;
    }
    return NULL;
}

bool dbg_watch_read_hit(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                        const struct bc_insn *insn, struct str *out)
{
    struct dbg_location nowhere = {.m = g->code->module, .fn = g->frame->fn->bc, .insn = insn};
    const bool counts = dbg_break_counts(b, &nowhere, g, item, out);
    if (counts) {
        const struct dbg_value v = dbg_value_at(b->watch.type, b->watch.address);
        str_printf(out, "\n%s %u: %s\n\nValue = ",
                   b->watch.access == DBG_ON_READ ? "Read watchpoint" : "Access watchpoint",
                   b->number, b->spec);
        dbg_value_put(out, b->watch.item == UINT32_MAX ? g : dbg_gang(b->watch.item), &v, NULL);
        str_put(out, "\n");
    }
    dbg_expr_free(nowhere.condition);
    return counts;
}

/** Reads the bytes in the form of dbg_watch.old. */
static struct err *look(struct vm_gang *g, uint64_t address, uint64_t size, uint8_t *to)
{
    struct err *e = dbg_read(g, address, to, size);
    if (!e) dbg_read_written(g, address, to + size, size);
    return e;
}

void dbg_watch_refresh(void)
{
    for (size_t i = 0; dbg_focus.group && i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        struct vm_gang *g = b->kind == DBG_WATCH ? watched_by(b, dbg_gang(0)) : NULL;
        if (g && b->watch.expression) dbg_watch_expression_refresh(b->watch.expression, g);
        else if (g) err_free(look(g, b->watch.address, b->watch.size, b->watch.old));
    }
}

/**
 * Did the value or the definedness of some byte change? Both as in dbg_watch.old.
 */
static bool differ(const uint8_t *was, const uint8_t *is, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint8_t before = was[size + i], now = is[size + i];
        if (before != VM_WRITTEN && now != VM_WRITTEN) continue;
        if (was[i] != is[i] || before != VM_WRITTEN ||
            (now != VM_WRITTEN && now != VM_NEVER_WRITTEN))
            return true;
    }
    return false;
}

static void put_value(struct str *out, struct vm_gang *g, const struct dbg_break *b, uint8_t *bytes)
{
    struct dbg_value v = {.type = b->watch.type, .written = bytes + b->watch.size};
    if (b->watch.size <= DBG_MAX_BYTES) memcpy(v.bytes, bytes, b->watch.size);
    else v.big = bytes;
    dbg_value_put(out, g, &v, NULL);
}

/** The same for a value in memory. Writes both values. */
static bool memory_changed(struct dbg_break *b, struct vm_gang *g, struct vm_gang *by,
                           struct str *out)
{
    uint8_t few[128], *now = 2 * b->watch.size <= sizeof few ? few : mem_alloc(2 * b->watch.size);
    struct err *e = look(by, b->watch.address, b->watch.size, now);
    const bool changed = !e && differ(b->watch.old, now, b->watch.size);
    if (changed) {
        str_put(out, "Old value = ");
        put_value(out, g, b, b->watch.old);
        str_put(out, "\nNew value = ");
        put_value(out, g, b, now);
        str_put(out, "\n");
        memcpy(b->watch.old, now, 2 * b->watch.size);
    }
    if (now != few) free(now);
    err_free(e);
    return changed;
}

bool dbg_watch_hit(struct vm_gang *g, uint32_t item, const struct bc_insn *insn, struct str *out,
                   struct dbg_break **which)
{
    bool any = false;
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        struct vm_gang *by = b->kind == DBG_WATCH && !b->disabled ? watched_by(b, g) : NULL;
        if (!by) continue;
        struct str values = {0};
        struct dbg_location nowhere = {.m = g->code->module, .fn = g->frame->fn->bc, .insn = insn};
        const bool changed = b->watch.expression ? dbg_watch_expression_changed(b->watch.expression,
                                                                                by, item, &values)
                                                 : memory_changed(b, g, by, &values);
        if (changed && b->watch.access != DBG_ON_READ &&
            dbg_break_counts(b, &nowhere, g, item, out)) {
            str_printf(out, "\n%s %u: %s\n\n%s",
                       b->watch.access == DBG_ON_ACCESS ? "Access watchpoint" : "Watchpoint",
                       b->number, b->spec, str_text(&values));
            *which = b;
            any = true;
        }
        dbg_expr_free(nowhere.condition);
        str_deinit(&values);
    }
    return any;
}

// ---- what is watched
/** Records the launch, and the group and work-item whose memory it is. */
static void bind(struct dbg_break *b, bool of_item, bool of_group, uint32_t item)
{
    b->watch.launch = dbg_launch.run->chk.number;
    b->watch.group = of_item || of_group ? dbg_focus.group_number : UINT64_MAX;
    b->watch.item = of_item ? item : UINT32_MAX;
    dbg_breaks.changes++;
}

static struct err *watch_memory(struct dbg_break *b, struct vm_gang *g, uint32_t item,
                                const struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    uint8_t *old = mem_alloc(t->size ? 2 * t->size : 1);
    struct err *e = look(g, v->address, t->size, old);
    if (e) {
        free(old);
        return e;
    }
    const struct vm_object *o = vm_object_of(g, v->address);
    free(b->watch.old);
    b->watch.address = v->address;
    b->watch.size = t->size;
    b->watch.type = v->type;
    b->watch.old = old;
    bind(b, o->kind == VM_OBJ_PRIVATE, o->kind == VM_OBJ_LOCAL, item);
    return NULL;
}

struct err *dbg_watch_set(struct dbg_break *b, struct vm_gang *g, uint32_t item, struct dbg_expr *e)
{
    struct dbg_value v;
    struct err *failed = dbg_expr_assigns(e)
                             ? err_new("Cannot watch an expression that assigns: \"%s\".", b->spec)
                             : dbg_expr_eval(e, g, &dbg.arena, &v);
    if (!failed && v.in_memory && !v.ncomp && !v.bits) {
        failed = watch_memory(b, g, item, &v);
    } else if (!failed && b->watch.access != DBG_ON_WRITE) {
        failed = err_new("Cannot watch reads of a value that is not in memory: \"%s\".", b->spec);
    } else if (!failed &&
               !(failed = dbg_watch_expression_create(b->spec, e, g, &b->watch.expression))) {
        bind(b, dbg_watch_expression_uses(b->watch.expression, g, VM_OBJ_PRIVATE),
             dbg_watch_expression_uses(b->watch.expression, g, VM_OBJ_LOCAL), item);
        return NULL;
    }
    dbg_expr_free(e);
    return failed;
}

void dbg_watch_launch_ends(void)
{
    for (size_t i = dbg_breaks.list.len; i-- > 0;) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        if (b->kind != DBG_WATCH || !dbg_is_watching(&b->watch)) continue;
        if (b->dap) { // an address is meaningless in another launch
            dbg_break_remove(b);
            continue;
        }
        dbg_watch_expression_destroy(b->watch.expression);
        b->watch.expression = NULL;
        b->watch.address = 0;
    }
}

/** Parses the expression in the first scope of the kernel in which it is valid. */
static struct dbg_expr *parse_anywhere(const char *spec, struct vm_gang *g)
{
    const struct bc_module *m = g->code->module;
    const struct bc_fn *fn = g->code->fns[0].bc;
    struct dbg_expr *x = NULL;
    uint32_t tried = UINT32_MAX;
    for (const struct bc_insn *i = fn->insns; !x && i < fn->insns + fn->ninsns; i++) {
        if (!i->loc || m->locs[i->loc].inlined_at || m->locs[i->loc].scope == tried) continue;
        tried = m->locs[i->loc].scope;
        err_free(dbg_expr_parse(spec, m, fn, i->loc, &x));
    }
    return x;
}

void dbg_watch_group_begins(struct vm_group *grp)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        const uint32_t item = b->watch.item < grp->items ? b->watch.item : 0;
        if (b->kind != DBG_WATCH || dbg_is_watching(&b->watch) ||
            (b->watch.group != UINT64_MAX && b->watch.group != grp->linear))
            continue;
        struct dbg_expr *x = parse_anywhere(b->spec, grp->gangs[item]);
        if (x) // otherwise the kernel has no such variable: it stays pending
            err_free(dbg_watch_set(b, grp->gangs[item], item, x));
    }
}
