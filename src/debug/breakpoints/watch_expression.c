// SPDX-License-Identifier: MIT
// Watched expressions. As for a watched location, the locations in the expression are those of the
// moment when it is set: `watch o[i] + 1` watches the element of the present i. The expression is
// evaluated again when the bytes of one of them have changed, or after each write if it calls
// functions that read memory.
#include "debug/breakpoints/watch_expression.h"

#include "base/mem.h"
#include "debug/expressions/lvalue_text.h"
#include "debug/session/focus.h"

#include <stdlib.h>
#include <string.h>

static void add_part(void *ctx, const struct dbg_value *v)
{
    struct dbg_watch_expression *w = ctx;
    vec_push(&w->parts, ((struct dbg_watched_part){v->address, dbg_strip(v->type)->size}));
}

static void evaluate(const struct dbg_watch_expression *w, struct vm_gang *g, struct dbg_value *v,
                     char **error)
{
    struct arena a = {0};
    struct err *e = dbg_expr_eval(w->e, g, &a, v);
    *error = NULL;
    if (!e) {
        v->unwritten |= dbg_value_unwritten(g, v);
        e = dbg_value_load(g, v, &a);
    }
    if (e) {
        *v = (struct dbg_value){.type = dbg_type_named("void", 4)};
        *error = mem_strdup(err_message(e));
        (*error)[strcspn(*error, "\n")] = 0; // without the text and the caret
        err_free(e);
    }
    arena_deinit(&a);
}

/** Reads a part in the form of w->seen. */
static void read_part(struct vm_gang *g, const struct dbg_watched_part *p, uint8_t *to)
{
    struct err *e = dbg_read(g, p->address, to, p->size);
    if (!e) dbg_read_written(g, p->address, to + p->size, p->size);
    err_free(e);
}

void dbg_watch_expression_refresh(struct dbg_watch_expression *w, struct vm_gang *g)
{
    uint8_t *at = w->seen;
    for (size_t i = 0; i < w->parts.len; at += 2 * w->parts.data[i++].size)
        read_part(g, &w->parts.data[i], at);
    free(w->error);
    evaluate(w, g, &w->value, &w->error);
}

bool dbg_watch_expression_uses(const struct dbg_watch_expression *w, struct vm_gang *g,
                               unsigned kind)
{
    bool any = w->reads_more;
    for (size_t i = 0; i < w->parts.len; i++)
        any |= vm_object_of(g, w->parts.data[i].address)->kind == kind;
    return any;
}

struct err *dbg_watch_expression_create(const char *spec, struct dbg_expr *e, struct vm_gang *g,
                                        struct dbg_watch_expression **out)
{
    struct dbg_watch_expression *w = mem_alloc(sizeof *w);
    uint64_t size = 0;
    dbg_expr_fix(e, g);
    w->e = e;
    w->reads_more = dbg_expr_locations(e, add_part, w);
    for (size_t i = 0; i < w->parts.len; i++) size += 2 * w->parts.data[i].size;
    w->seen = mem_alloc(size + 1);
    dbg_watch_expression_refresh(w, g);
    struct err *failed =
        w->error ? err_new("%s", w->error)
        : dbg_strip(w->value.type)->size > DBG_MAX_BYTES
            ? err_new("Cannot watch a value of %llu bytes that is not in memory: \"%s\".",
                      (unsigned long long)dbg_strip(w->value.type)->size, spec)
        : !w->reads_more && !w->parts.len ? err_new("Cannot watch constant value \"%s\".", spec)
                                          : NULL;
    if (failed) {
        w->e = NULL;
        dbg_watch_expression_destroy(w);
    } else {
        *out = w;
    }
    return failed;
}

void dbg_watch_expression_destroy(struct dbg_watch_expression *w)
{
    if (!w) return;
    dbg_expr_free(w->e);
    vec_free(&w->parts);
    free(w->seen);
    free(w->error);
    free(w);
}

static void put_value(struct str *out, struct vm_gang *g, const struct dbg_value *v,
                      const char *error)
{
    if (error) str_printf(out, "<%s>", error);
    else dbg_value_put(out, g, v, NULL);
    str_put(out, "\n");
}

static bool equal(const struct dbg_value *a, const struct dbg_value *b)
{
    const struct dbg_type *s = dbg_strip(a->type), *t = dbg_strip(b->type);
    const uint64_t size = s->kind == BC_T_VECTOR ? s->count * dbg_element(s)->size : s->size;
    if (a->unwritten || b->unwritten) return a->unwritten == b->unwritten;
    return s->kind == t->kind && s->size == t->size && !memcmp(a->bytes, b->bytes, size);
}

/** Names the parts that have changed, and updates them. */
static bool update_parts(struct dbg_watch_expression *w, struct vm_gang *g, struct str *out)
{
    uint8_t *at = w->seen;
    bool any = false;
    for (size_t i = 0; i < w->parts.len; at += 2 * w->parts.data[i++].size) {
        const struct dbg_watched_part *p = &w->parts.data[i];
        uint8_t few[64], *now = 2 * p->size <= sizeof few ? few : mem_alloc(2 * p->size);
        memcpy(now, at, 2 * p->size);
        read_part(g, p, now);
        if (memcmp(now, at, 2 * p->size)) {
            str_put(out, any ? ", " : "");
            dbg_put_lvalue(out, g, p->address, p->size);
            memcpy(at, now, 2 * p->size);
            any = true;
        }
        if (now != few) free(now);
    }
    return any;
}

bool dbg_watch_expression_changed(struct dbg_watch_expression *w, struct vm_gang *g, uint32_t item,
                                  struct str *out)
{
    struct str parts = {0};
    struct dbg_value now;
    char *error = NULL;
    const bool any = update_parts(w, g, &parts);
    bool changed = false;
    if (any || w->reads_more) {
        evaluate(w, g, &now, &error);
        changed = error || w->error ? !error || !w->error || strcmp(error, w->error) != 0
                                    : !equal(&now, &w->value);
    }
    if (changed) {
        str_put(out, "Old value = ");
        put_value(out, g, &w->value, w->error);
        str_put(out, "New value = ");
        put_value(out, g, &now, error);
        if (any) {
            str_put(out, "Work-item ");
            dbg_put_item(out, dbg_focus.group_number, item);
            str_printf(out, " wrote %s\n", str_text(&parts));
        }
        free(w->error);
        w->value = now;
        w->error = error;
    } else {
        free(error);
    }
    str_deinit(&parts);
    return changed;
}
