// SPDX-License-Identifier: MIT
// The locations of the work-items of the group, as a list and as a map.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/group_map.h"
#include "debug/session/findings.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

enum where {
    NOT_BEGUN,
    RUNNING,
    WAITING_FOR_OTHERS,
    AT_BREAKPOINT,
    AT_BARRIER,
    AT_SUB_GROUP,
    RETURNED,
    NWHERE
};
static const struct {
    const char *words, *color;
} where_words[NWHERE] = {
    {"not begun", "2"},      {"running", "32"},    {"waiting for others", "35"},
    {"at breakpoint", "36"}, {"at barrier", "33"}, {"waiting for the sub-group", "33"},
    {"returned", "2"},
};

static enum where location_of(struct vm_gang *g, uint32_t *line)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    *line = n ? g->code->module->locs[f[0].loc].line : 0;
    enum where w = RUNNING;
    if (g->nparked) w = vm_step_barrier(g)->op == BC_RECONVERGE ? AT_SUB_GROUP : AT_BARRIER;
    else if (g->state == VM_DONE) w = RETURNED;
    else if (g->frame == &g->frames[0] && g->at && g->at->src == dbg_launch.first_insn)
        w = NOT_BEGUN;
    else if (g->state == VM_YIELDED) w = WAITING_FOR_OTHERS;
    else if (g->at && g->at->src->flags & BC_BREAK) w = AT_BREAKPOINT;
    if (w == NOT_BEGUN || w == RETURNED) *line = 0;
    return w;
}

/** The distinct locations in order of appearance, and the location of each work-item. */
struct place {
    enum where where;
    uint32_t line, count;
    char letter;
};
enum { MAX_PLACES = DBG_MAX_PLACES };
struct places {
    struct place list[MAX_PLACES];
    size_t n;
    uint8_t *of; // [item]: index, or MAX_PLACES
};

static void find_places(struct places *p)
{
    char barrier = 'A', run = 'a';
    *p = (struct places){.of = mem_alloc(dbg_focus.group->items)};
    for (uint32_t i = 0; i < dbg_focus.group->items; i++) {
        uint32_t line;
        const enum where w = location_of(dbg_gang(i), &line);
        size_t k = 0;
        while (k < p->n && (p->list[k].where != w || p->list[k].line != line)) k++;
        p->of[i] = (uint8_t)k;
        if (k == MAX_PLACES) continue;
        if (k == p->n) {
            char *next = w == AT_BARRIER ? &barrier : &run;
            const char last = w == AT_BARRIER ? 'Z' : 'z';
            p->list[p->n++] = (struct place){w, line, 0,
                                             w == NOT_BEGUN  ? '.'
                                             : w == RETURNED ? '-'
                                             : *next <= last ? (*next)++
                                                             : '?'};
        }
        p->list[k].count++;
    }
}

static void put_place(struct str *out, const struct place *p)
{
    str_put(out, where_words[p->where].words);
    if (p->line) str_printf(out, ", line %u", p->line);
}

COMMAND(workgroup, ITEMS, "workgroup", "wg", 0, "",
        "Show the running work-group and where its work-items are.")
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (*args) return err_new("`until workgroup %s` runs to another work-group.", args);
    const struct vm_group *grp = dbg_focus.group;
    str_printf(out,
               "Work-group (%llu,%llu,%llu) of (%llu,%llu,%llu), %u x %u x %u work-items, %llu "
               "barrier%s passed\n",
               LL(grp->id[0]), LL(grp->id[1]), LL(grp->id[2]), LL(dbg_launch.run->grid[0]),
               LL(dbg_launch.run->grid[1]), LL(dbg_launch.run->grid[2]), grp->shape[0],
               grp->shape[1], grp->shape[2], LL(grp->barriers), grp->barriers == 1 ? "" : "s");
    struct places p;
    find_places(&p);
    for (size_t i = 0; i < p.n; i++) {
        str_printf(out, "  %u work-item%s ", p.list[i].count, p.list[i].count == 1 ? "" : "s");
        put_place(out, &p.list[i]);
        str_put(out, "\n");
    }
    free(p.of);
    return NULL;
}

void dbg_each_thread(void (*fn)(void *ctx, uint32_t first, uint32_t count, const char *state,
                                uint32_t line),
                     void *ctx)
{
    struct places p;
    find_places(&p);
    const uint32_t n = dbg_focus.group->items;
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && p.of[end] == p.of[i] && i != dbg_focus.item && end != dbg_focus.item;)
            end++;
        const struct place *at = p.of[i] < p.n ? &p.list[p.of[i]] : NULL;
        fn(ctx, i, end - i, at ? where_words[at->where].words : "", at ? at->line : 0);
    }
    free(p.of);
}

static void put_thread(void *ctx, uint32_t i, uint32_t count, const char *state, uint32_t line)
{
    struct str *out = ctx;
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(dbg_focus.group_number, i, l, w, g);
    str_printf(out, "%c %4u%s", i == dbg_focus.item ? '*' : ' ', i, count > 1 ? "" : "  ");
    if (count > 1) str_printf(out, "..%u", i + count - 1);
    str_printf(out, "  local (%llu,%llu,%llu) global (%llu,%llu,%llu)%s  %s", LL(l[0]), LL(l[1]),
               LL(l[2]), LL(g[0]), LL(g[1]), LL(g[2]), count > 1 ? " and on" : "", state);
    if (line) str_printf(out, ", line %u", line);
    str_put(out, "\n");
}

struct err *dbg_info_threads(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (!e) dbg_each_thread(put_thread, out);
    return e;
}

// ---- map
/** Consecutive cells of one color share its escape sequences. */
struct pen {
    struct str *out;
    const char *color; // the current color, or NULL
};

static void draw(struct pen *pen, const char *color, char cell)
{
    if (dbg_client.colors && color != pen->color) {
        if (pen->color) str_put(pen->out, "\033[0m");
        if (color) str_printf(pen->out, "\033[%sm", color);
        pen->color = color;
    }
    if (cell) str_put_char(pen->out, cell);
}

static bool did_what_was_found(uint32_t item)
{
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        const struct dbg_found *f = &dbg_findings.all.data[i];
        if (f->item == item && f->group == dbg_focus.group_number &&
            f->launch == dbg_launch.run->chk.number)
            return true;
    }
    return false;
}

/** The file of the innermost frame. */
static uint32_t file_of(const struct vm_gang *g)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    return dbg_frames(g, f) ? g->code->module->locs[f[0].loc].file : 0;
}

size_t dbg_group_map(struct dbg_map_place to[DBG_MAX_PLACES], struct str *cells)
{
    struct places p;
    find_places(&p);
    for (size_t k = 0; k < p.n; k++)
        to[k] = (struct dbg_map_place){.letter = p.list[k].letter,
                                       .name = where_words[p.list[k].where].words,
                                       .color = where_words[p.list[k].where].color,
                                       .line = p.list[k].line,
                                       .count = p.list[k].count};
    for (uint32_t i = dbg_focus.group->items; i-- > 0;)
        if (p.of[i] < p.n) to[p.of[i]].file = file_of(dbg_gang(i));
    for (uint32_t i = 0; i < dbg_focus.group->items; i++)
        str_put_char(cells, i == dbg_focus.item     ? '@'
                            : did_what_was_found(i) ? '!'
                            : p.of[i] < p.n         ? p.list[p.of[i]].letter
                                                    : '?');
    free(p.of);
    return p.n;
}

/** A cell for each work-item: a row along x, rows along y, planes along z. */
COMMAND(map, ITEMS, "map", "", 0, "",
        "Show a map of the work-group, with a cell per work-item: where it is.")
{
    static const char focus_color[] = "1;7", found_color[] = "1;31";
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg_focus.group;
    struct places p;
    struct pen pen = {out, NULL};
    bool any_found = false;
    find_places(&p);
    for (uint32_t z = 0; z < grp->shape[2]; z++) {
        if (grp->shape[2] > 1) str_printf(out, "plane %u\n", z);
        for (uint32_t y = 0; y < grp->shape[1]; y++) {
            const uint32_t row = (z * grp->shape[1] + y) * grp->shape[0];
            for (uint32_t x = 0; x < grp->shape[0]; x++) {
                if (x % 64 == 0) {
                    draw(&pen, NULL, 0);
                    str_printf(out, "%s%5u ", x ? "\n" : "", grp->shape[1] > 1 ? y : x);
                }
                const uint8_t k = p.of[row + x];
                const bool found = did_what_was_found(row + x);
                any_found |= found && row + x != dbg_focus.item;
                if (row + x == dbg_focus.item) draw(&pen, focus_color, '@');
                else if (found) draw(&pen, found_color, '!');
                else
                    draw(&pen, k < p.n ? where_words[p.list[k].where].color : NULL,
                         k < p.n ? p.list[k].letter : '?');
            }
            draw(&pen, NULL, 0);
            str_put(out, "\n");
        }
    }
    for (size_t i = 0; i < p.n; i++) {
        draw(&pen, where_words[p.list[i].where].color, p.list[i].letter);
        draw(&pen, NULL, ' ');
        put_place(out, &p.list[i]);
        str_printf(out, " (%u)\n", p.list[i].count);
    }
    draw(&pen, focus_color, '@');
    draw(&pen, NULL, ' ');
    str_put(out, "the focused work-item\n");
    if (any_found) {
        draw(&pen, found_color, '!');
        draw(&pen, NULL, ' ');
        str_put(out, "took part in a finding (`info findings`)\n");
    }
    free(p.of);
    return NULL;
}
