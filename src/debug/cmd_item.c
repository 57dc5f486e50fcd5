// SPDX-License-Identifier: MIT
// Commands about work-items, frames, and what is known.
#include "debug/command.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

// ---- frames
void dbg_show_frame(struct str *out, unsigned level, bool with_number)
{
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (level >= n) {
        str_put(out, "The work-item has returned.\n");
        return;
    }
    if (with_number) str_printf(out, "#%-2u ", level);
    dbg_put_frame(out, g, &f[level], level);
    str_put(out, "\n");
}

static void show_place(struct str *out)
{
    dbg_show_frame(out, dbg.frame, true);
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.frame < dbg_frames(g, f)) dbg_put_source(out, g->code->module, f[dbg.frame].loc);
    dbg.list_line = 0;
}

static void put_variables(struct str *out, unsigned level)
{
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_scope_vars v;
    bool any = false;
    dbg_vars_of_frame(g, level, &v);
    for (size_t i = 0; i < v.list.len; i++) {
        const struct dbg_var *x = &v.list.data[i];
        if (x->is_global || x->is_param) continue;
        struct dbg_value value = dbg_value_at(x->type, x->address);
        str_printf(out, "        %s = ", x->name);
        dbg_value_put(out, g, &value, NULL);
        str_put(out, "\n");
        any = true;
    }
    if (!any) str_put(out, "No locals.\n");
    dbg_vars_free(&v);
}

struct err *dbg_cmd_backtrace(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    const bool full = dbg_word_is(args, "full");
    if (full) args += dbg_word(args), args += strspn(args, " \t");
    struct dbg_frame f[DBG_MAX_FRAMES];
    char *end;
    const long n = dbg_frames(dbg_gang(dbg.focus), f), asked = strtol(args, &end, 10);
    if (*end || (*args && end == args))
        return err_new("A number of frames is expected, not \"%s\".", args);
    const long first = *args && asked < 0 && n + asked > 0 ? n + asked : 0,
               last = *args && asked >= 0 && asked < n ? asked : n;
    if (!n) str_put(out, "The work-item has returned.\n");
    for (long i = first; i < last; i++) {
        dbg_show_frame(out, (unsigned)i, true);
        if (full) put_variables(out, (unsigned)i);
    }
    if (last < n) str_put(out, "(More stack frames follow...)\n");
    return NULL;
}

static struct err *select_frame(long level, struct str *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(dbg_gang(dbg.focus), f);
    if (level < 0) return err_new("Bottom (innermost) frame selected; you can't go down.");
    if ((unsigned long)level >= n)
        return err_new(n ? "Initial frame selected; you can't go up."
                         : "The work-item has returned.");
    dbg.frame = (unsigned)level;
    show_place(out);
    return NULL;
}

struct err *dbg_cmd_frame(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    if (!*args) return select_frame(dbg.frame, out);
    char *end;
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg_word_is(args, "function")) {
        const char *name = args + dbg_word(args) + strspn(args + dbg_word(args), " \t");
        const unsigned have = dbg_frames(dbg_gang(dbg.focus), f);
        for (unsigned i = 0; i < have; i++)
            if (!strcmp(f[i].name, name)) return select_frame(i, out);
        return err_new("No frame of a function \"%s\".", name);
    }
    const long n = strtol(args, &end, 10);
    if (*end || n < 0 || (unsigned long)n >= dbg_frames(dbg_gang(dbg.focus), f))
        return err_new("No frame at level %s.", args);
    return select_frame(n, out);
}

static struct err *move_frame(const char *args, long sign, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    const long n = *args ? strtol(args, NULL, 10) : 1;
    struct dbg_frame f[DBG_MAX_FRAMES];
    const long have = dbg_frames(dbg_gang(dbg.focus), f);
    long to = dbg.frame + sign * n;
    if (sign > 0 && to >= have && dbg.frame + 1 < have) to = have - 1;
    if (sign < 0 && to < 0 && dbg.frame) to = 0;
    return select_frame(to, out);
}
struct err *dbg_cmd_up(const char *args, struct str *out) { return move_frame(args, 1, out); }
struct err *dbg_cmd_down(const char *args, struct str *out) { return move_frame(args, -1, out); }

// ---- focus
static struct err *read_ids(const char *p, uint64_t out[3])
{
    for (unsigned k = 0; k < 3; k++) out[k] = 0;
    p += strspn(p, " \t(");
    for (unsigned k = 0; *p && *p != ')'; k++) {
        char *end;
        if (k == 3 || !isdigit((unsigned char)*p))
            return err_new("Up to three numbers are expected, near `%s'.", p);
        out[k] = strtoull(p, &end, 0);
        p = end + strspn(end, " \t,");
    }
    return NULL;
}

static bool only_looks(const char *command)
{
    static const char *const looking[] = {"print",    "p",         "output", "printf", "echo",
                                          "x",        "backtrace", "bt",     "where",  "info",
                                          "i",        "frame",     "f",      "whatis", "ptype",
                                          "workitem", "wi",        "thread", "list",   "l"};
    const size_t n = strcspn(command, " \t/");
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++)
        if (strlen(looking[i]) == n && !memcmp(looking[i], command, n)) return true;
    return false;
}

/** `apply all|FROM-TO COMMAND`: the command, for each of them. */
static struct err *apply(const char *args, struct str *out)
{
    const bool all = dbg_word_is(args, "all");
    char *end;
    unsigned long from = all ? 0 : strtoul(args, &end, 10), to = all ? dbg.grp->items - 1 : from;
    if (!all && (end == args || !isdigit((unsigned char)*args)))
        return err_new(
            "For which work-items?  `thread apply all COMMAND`, `thread apply 0-3 COMMAND`");
    if (!all && *end == '-') to = strtoul(end + 1, &end, 10);
    const char *command = all ? args + dbg_word(args) : end;
    command += strspn(command, " \t");
    if (to >= dbg.grp->items || from > to)
        return err_new("The work-group has work-items 0 to %u.", dbg.grp->items - 1);
    if (!*command) return err_new("Which command is to be done?");
    if (!only_looks(command))
        return err_new("Only commands that look can be applied to several work-items.");
    const uint32_t focus = dbg.focus;
    const unsigned frame = dbg.frame;
    struct err *e = NULL;
    for (unsigned long i = from; i <= to && !e; i++) {
        struct dbg_done done;
        dbg.focus = (uint32_t)i;
        dbg.frame = 0;
        str_printf(out, "%sWork-item %lu, ", i > from ? "\n" : "", i);
        dbg_put_item(out, dbg.group_number, dbg.focus);
        str_put(out, ":\n");
        e = dbg_execute(command, out, &done);
    }
    dbg.focus = focus;
    dbg.frame = frame;
    return e;
}

struct err *dbg_cmd_workitem(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg.grp;
    uint64_t id[3];
    if (dbg_word_is(args, "apply") && dbg_word(args) > 2)
        return apply(args + dbg_word(args) + strspn(args + dbg_word(args), " \t"), out);
    if (*args) {
        const bool local = isalpha((unsigned char)*args) && dbg_word_is(args, "local"),
                   linear = !local && isalpha((unsigned char)*args) && dbg_word_is(args, "linear");
        const bool global = isalpha((unsigned char)*args) && dbg_word_is(args, "global");
        e = read_ids(local || linear || global ? args + dbg_word(args) : args, id);
        if (e) return e;
        uint64_t item;
        if (linear) {
            if (id[0] >= grp->items)
                return err_new("The work-group has %u work-items.", grp->items);
            item = id[0];
        } else {
            for (int k = 0; k < 3; k++) {
                uint64_t at = id[k];
                if (!local) {
                    const struct vm_launch *l = dbg.run->l;
                    if (at < l->offset[k] && !(k && !at))
                        return err_new("There is no work-item with that global id.");
                    at = at < l->offset[k] ? 0 : at - l->offset[k];
                    if (at >= l->global[k])
                        return err_new("There is no work-item with that global id.");
                    if (at / l->local[k] != grp->id[k]) {
                        if (k && !id[k]) at = grp->id[k] * l->local[k]; // not given
                        else
                            return err_new("Work-item global (%llu,%llu,%llu) is of another "
                                           "work-group, which %s.",
                                           LL(id[0]), LL(id[1]), LL(id[2]),
                                           at / l->local[k] < grp->id[k]
                                               ? "has run"
                                               : "has not run yet (`until workgroup` goes there)");
                    }
                    at -= grp->id[k] * l->local[k];
                }
                if (at >= grp->shape[k])
                    return err_new("The work-group has %u x %u x %u work-items.", grp->shape[0],
                                   grp->shape[1], grp->shape[2]);
                id[k] = at;
            }
            item = id[0] + grp->shape[0] * (id[1] + (uint64_t)grp->shape[1] * id[2]);
        }
        dbg.focus = (uint32_t)item;
        dbg.prefer = dbg.focus;
        dbg.frame = 0;
        dbg.shown_item = dbg.focus;
    }
    str_put(out, "Work-item ");
    dbg_put_item(out, dbg.group_number, dbg.focus);
    str_put(out, "\n");
    show_place(out);
    return NULL;
}

// ---- who is where
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
    const char *words, *colour;
} where_words[NWHERE] = {
    {"not begun", "2"},      {"running", "32"},    {"waiting for others", "35"},
    {"at breakpoint", "36"}, {"at barrier", "33"}, {"waiting for the sub-group", "33"},
    {"returned", "2"},
};

static enum where whereabouts(struct vm_gang *g, uint32_t *line)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    *line = n ? g->code->module->locs[f[0].loc].line : 0;
    enum where w = RUNNING;
    if (g->nparked) w = vm_step_barrier(g)->op == BC_MEET ? AT_SUB_GROUP : AT_BARRIER;
    else if (g->state == VM_DONE) w = RETURNED;
    else if (g->frame == &g->frames[0] && g->at && g->at->src == dbg.first_insn) w = NOT_BEGUN;
    else if (g->state == VM_YIELDED) w = WAITING_FOR_OTHERS;
    else if (g->at && g->at->src->flags & BC_BREAK) w = AT_BREAKPOINT;
    if (w == NOT_BEGUN || w == RETURNED) *line = 0;
    return w;
}

/** Places, in the order in which they are met, and which of them each work-item is at. */
struct place {
    enum where where;
    uint32_t line, count;
    char letter;
};
enum { MAX_PLACES = 64 };
struct places {
    struct place list[MAX_PLACES];
    size_t n;
    uint8_t *of; // [item]: index, or MAX_PLACES
};

static void find_places(struct places *p)
{
    char barrier = 'A', run = 'a';
    *p = (struct places){.of = mem_alloc(dbg.grp->items)};
    for (uint32_t i = 0; i < dbg.grp->items; i++) {
        uint32_t line;
        const enum where w = whereabouts(dbg_gang(i), &line);
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

struct err *dbg_cmd_workgroup(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (*args) return err_new("`until workgroup %s` runs to another work-group.", args);
    const struct vm_group *grp = dbg.grp;
    str_printf(out,
               "Work-group (%llu,%llu,%llu) of (%llu,%llu,%llu), %u x %u x %u work-items, %llu "
               "barrier%s passed\n",
               LL(grp->id[0]), LL(grp->id[1]), LL(grp->id[2]), LL(dbg.run->grid[0]),
               LL(dbg.run->grid[1]), LL(dbg.run->grid[2]), grp->shape[0], grp->shape[1],
               grp->shape[2], LL(grp->barriers), grp->barriers == 1 ? "" : "s");
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

/** Work-items that follow one another and are at the same place share a line. */
struct err *dbg_info_threads(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct places p;
    find_places(&p);
    const uint32_t n = dbg.grp->items;
    for (uint32_t i = 0, end; i < n; i = end) {
        uint64_t l[3], w[3], g[3];
        for (end = i + 1; end < n && p.of[end] == p.of[i] && i != dbg.focus && end != dbg.focus;)
            end++;
        dbg_item_ids(dbg.group_number, i, l, w, g);
        str_printf(out, "%c %4u%s", i == dbg.focus ? '*' : ' ', i, end - i > 1 ? "" : "  ");
        if (end - i > 1) str_printf(out, "..%u", end - 1);
        str_printf(out, "  local (%llu,%llu,%llu) global (%llu,%llu,%llu)%s  ", LL(l[0]), LL(l[1]),
                   LL(l[2]), LL(g[0]), LL(g[1]), LL(g[2]), end - i > 1 ? " and on" : "");
        if (p.of[i] < p.n) put_place(out, &p.list[p.of[i]]);
        str_put(out, "\n");
    }
    free(p.of);
    return NULL;
}

// ---- map
/** Cells of one colour in a row share its escape sequences. */
struct pen {
    struct str *out;
    const char *colour; // now, or NULL
};

static void draw(struct pen *pen, const char *colour, char cell)
{
    if (dbg.colours && colour != pen->colour) {
        if (pen->colour) str_put(pen->out, "\033[0m");
        if (colour) str_printf(pen->out, "\033[%sm", colour);
        pen->colour = colour;
    }
    if (cell) str_put_char(pen->out, cell);
}

static bool did_what_was_found(uint32_t item)
{
    for (size_t i = 0; i < dbg.findings.len; i++) {
        const struct dbg_found *f = &dbg.findings.data[i];
        if (f->item == item && f->group == dbg.group_number && f->launch == dbg.run->chk.number)
            return true;
    }
    return false;
}

/** A cell for each work-item: a row along x, rows along y, planes along z. */
struct err *dbg_cmd_map(const char *args, struct str *out)
{
    static const char focus_colour[] = "1;7", found_colour[] = "1;31";
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg.grp;
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
                any_found |= found;
                if (row + x == dbg.focus) draw(&pen, focus_colour, '@');
                else if (found) draw(&pen, found_colour, '!');
                else
                    draw(&pen, k < p.n ? where_words[p.list[k].where].colour : NULL,
                         k < p.n ? p.list[k].letter : '?');
            }
            draw(&pen, NULL, 0);
            str_put(out, "\n");
        }
    }
    for (size_t i = 0; i < p.n; i++) {
        draw(&pen, where_words[p.list[i].where].colour, p.list[i].letter);
        draw(&pen, NULL, ' ');
        put_place(out, &p.list[i]);
        str_printf(out, " (%u)\n", p.list[i].count);
    }
    draw(&pen, focus_colour, '@');
    draw(&pen, NULL, ' ');
    str_put(out, "the focus\n");
    if (any_found) {
        draw(&pen, found_colour, '!');
        draw(&pen, NULL, ' ');
        str_put(out, "did what was found\n");
    }
    free(p.of);
    return NULL;
}
