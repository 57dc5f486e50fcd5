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

struct err *dbg_cmd_backtrace(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(dbg_gang(dbg.focus), f);
    const unsigned long most = *args ? strtoul(args, NULL, 10) : n;
    if (!n) str_put(out, "The work-item has returned.\n");
    for (unsigned i = 0; i < n && i < most; i++) dbg_show_frame(out, i, true);
    if (most < n) str_put(out, "(More stack frames follow...)\n");
    return NULL;
}

static struct err *select_frame(long level, struct str *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(dbg_gang(dbg.focus), f);
    if (level < 0) return err_new("Bottom (innermost) frame selected; you can't go down.");
    if ((unsigned long)level >= n) return err_new(n ? "Initial frame selected; you can't go up." : "The work-item has returned.");
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
    const long n = strtol(args, &end, 10);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (*end || n < 0 || (unsigned long)n >= dbg_frames(dbg_gang(dbg.focus), f)) return err_new("No frame at level %s.", args);
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
        if (k == 3 || !isdigit((unsigned char)*p)) return err_new("Up to three numbers are expected, near `%s'.", p);
        out[k] = strtoull(p, &end, 0);
        p = end + strspn(end, " \t,");
    }
    return NULL;
}

struct err *dbg_cmd_workitem(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg.grp;
    uint64_t id[3];
    if (*args) {
        const bool local = isalpha((unsigned char)*args) && dbg_word_is(args, "local"), linear = !local && isalpha((unsigned char)*args) && dbg_word_is(args, "linear");
        const bool global = isalpha((unsigned char)*args) && dbg_word_is(args, "global");
        e = read_ids(local || linear || global ? args + dbg_word(args) : args, id);
        if (e) return e;
        uint64_t item;
        if (linear) {
            if (id[0] >= grp->items) return err_new("The work-group has %u work-items.", grp->items);
            item = id[0];
        } else {
            for (int k = 0; k < 3; k++) {
                uint64_t at = id[k];
                if (!local) {
                    const struct vm_launch *l = dbg.run->l;
                    if (at < l->offset[k] && !(k && !at)) return err_new("There is no work-item with that global id.");
                    at = at < l->offset[k] ? 0 : at - l->offset[k];
                    if (at >= l->global[k]) return err_new("There is no work-item with that global id.");
                    if (at / l->local[k] != grp->id[k]) {
                        if (k && !id[k]) at = grp->id[k] * l->local[k]; // not given
                        else
                            return err_new("Work-item global (%llu,%llu,%llu) is of another work-group, which %s.", LL(id[0]), LL(id[1]), LL(id[2]),
                                           at / l->local[k] < grp->id[k] ? "has run" : "has not run yet (`until workgroup` goes there)");
                    }
                    at -= grp->id[k] * l->local[k];
                }
                if (at >= grp->shape[k]) return err_new("The work-group has %u x %u x %u work-items.", grp->shape[0], grp->shape[1], grp->shape[2]);
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
enum where { NOT_BEGUN, RUNNING, WAITING_FOR_OTHERS, AT_BREAKPOINT, AT_BARRIER, RETURNED, NWHERE };
static const struct {
    const char *words, *colour;
} where_words[NWHERE] = {
    {"not begun", "2"}, {"running", "32"}, {"waiting for others", "35"}, {"at breakpoint", "36"}, {"at barrier", "33"}, {"returned", "2"},
};

static enum where whereabouts(struct vm_gang *g, uint32_t *line)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    *line = n ? g->code->module->locs[f[0].loc].line : 0;
    enum where w = RUNNING;
    if (g->nparked) w = AT_BARRIER;
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
            p->list[p->n++] = (struct place){w, line, 0, w == NOT_BEGUN ? '.' : w == RETURNED ? '-' : *next <= last ? (*next)++ : '?'};
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
    str_printf(out, "Work-group (%llu,%llu,%llu) of (%llu,%llu,%llu), %u x %u x %u work-items, %llu barrier%s passed\n", LL(grp->id[0]), LL(grp->id[1]),
               LL(grp->id[2]), LL(dbg.run->grid[0]), LL(dbg.run->grid[1]), LL(dbg.run->grid[2]), grp->shape[0], grp->shape[1], grp->shape[2], LL(grp->barriers),
               grp->barriers == 1 ? "" : "s");
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
        if (f->item == item && f->group == dbg.group_number && f->launch == dbg.run->chk.number) return true;
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
                else draw(&pen, k < p.n ? where_words[p.list[k].where].colour : NULL, k < p.n ? p.list[k].letter : '?');
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

// ---- info
static struct err *info_vars(struct str *out, bool args)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No frame selected.");
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_scope_vars v;
    dbg_vars_of_frame(g, dbg.frame, &v);
    bool any = false;
    for (size_t i = 0; i < v.list.len; i++) {
        const struct dbg_var *x = &v.list.data[i];
        if (x->is_global || x->is_param != args) continue;
        struct dbg_value value = dbg_value_at(x->type, x->address);
        str_printf(out, "%s = ", x->name);
        dbg_value_put(out, g, &value, NULL);
        bool hidden = false;
        for (size_t k = 0; k < i; k++) hidden |= !strcmp(v.list.data[k].name, x->name);
        str_put(out, hidden ? "  <shadowed>\n" : "\n");
        any = true;
    }
    if (!any) str_put(out, args ? "No arguments.\n" : "No locals.\n");
    dbg_vars_free(&v);
    return NULL;
}
static struct err *info_locals(struct str *out) { return info_vars(out, false); }
static struct err *info_args(struct str *out) { return info_vars(out, true); }
static struct err *info_workitem(struct str *out) { return dbg_cmd_workitem("", out); }
static struct err *info_workgroup(struct str *out) { return dbg_cmd_workgroup("", out); }
static struct err *info_display(struct str *out)
{
    bool any = false;
    for (size_t i = 0; i < dbg.displays.len; i++)
        if (dbg.displays.data[i]) any = true, str_printf(out, "%zu: %s\n", i + 1, dbg.displays.data[i]);
    if (!any) str_put(out, "There are no auto-display expressions now.\n");
    return NULL;
}

static struct err *info_barriers(struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct bc_fn *fn = dbg_gang(0)->code->fns[0].bc;
    const struct bc_module *m = dbg_gang(0)->code->module;
    unsigned n = 0;
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        const struct bc_insn *i = &fn->insns[fn->blocks[b].first + fn->blocks[b].count - 1];
        if (i->op != BC_BARRIER) continue;
        uint32_t waiting = 0;
        for (uint32_t k = 0; k < dbg.grp->items; k++) waiting += dbg_gang(k)->nparked && dbg_gang(k)->parked[0] == b + 1;
        const struct bc_loc *l = &m->locs[i->loc];
        str_printf(out, "%s:%u: %u of %u work-items wait here\n", dbg_base_name(dbg_file_name(m, l->file)), l->line, waiting, dbg.grp->items);
        n++;
    }
    if (!n) str_put(out, "The kernel has no barriers.\n");
    else str_printf(out, "The group has passed %llu.\n", LL(dbg.grp->barriers));
    return NULL;
}

static struct err *info_breakpoints(struct str *out)
{
    if (!dbg.breaks.len) {
        str_put(out, "No breakpoints, watchpoints or catchpoints.\n");
        return NULL;
    }
    str_put(out, "Num  Type        Disp  Enb  What\n");
    for (size_t i = 0; i < dbg.breaks.len; i++) {
        const struct dbg_break *b = dbg.breaks.data[i];
        const char *type = b->kind == DBG_WATCH ? "watchpoint" : b->kind == DBG_CATCH ? "catchpoint" : b->kind == DBG_AT_BARRIER ? "barrier" : "breakpoint";
        struct str what = {0};
        if (b->kind >= DBG_WATCH || b->kind == DBG_AT_BARRIER) {
            str_put(&what, b->spec);
        } else if (b->at.len) {
            const struct dbg_location *at = &b->at.data[0];
            const struct bc_loc *l = &at->m->locs[at->insn->loc];
            str_printf(&what, "in %s at %s:%u", bc_str(at->m, l->fn_name), dbg_base_name(dbg_file_name(at->m, l->file)), l->line);
        } else {
            str_printf(&what, "%s (pending)", b->spec);
        }
        str_printf(out, "%-4u %-11s %-5s %-4s %s\n", b->number, type, b->temporary ? "del" : "keep", b->disabled ? "n" : "y", str_text(&what));
        str_deinit(&what);
        if (b->condition) str_printf(out, "\tstop only if %s\n", b->condition);
        if (b->items.given) {
            str_put(out, "\tonly for work-items ");
            dbg_items_put(out, &b->items);
            str_put(out, "\n");
        }
        if (b->hits) str_printf(out, "\tbreakpoint already hit %llu time%s\n", LL(b->hits), b->hits == 1 ? "" : "s");
        if (b->ignore) str_printf(out, "\tignore next %llu hits\n", LL(b->ignore));
        for (size_t k = 0; k < b->commands.len; k++) str_printf(out, "        %s\n", b->commands.data[k]);
    }
    return NULL;
}

static struct err *info_memory(struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg.focus);
    for (uint32_t id = 1; id < dbg.run->chk.nobjects; id++) {
        const struct chk_object *o = &dbg.run->chk.objects[id];
        if (!o->name || g->objects[id].kind <= VM_OBJ_NONE || g->objects[id].kind == VM_OBJ_PRIVATE) continue;
        str_printf(out, "%-16s %12llu bytes  %s%s%s\n", o->name, LL(o->size), o->memory, o->origin ? ", " : "", o->origin ? o->origin : "");
    }
    str_printf(out, "private memory: %llu bytes a work-item\n", LL(dbg.run->l->kernel->private_size));
    return NULL;
}

static struct err *info_devices(struct str *out)
{
    str_put(out, "cldbg: the checking interpreter, a work-item at a time\n");
    return NULL;
}

static struct err *info_findings(struct str *out)
{
    if (!dbg.findings.len) str_put(out, "Nothing was found so far.\n");
    for (size_t i = 0; i < dbg.findings.len; i++) {
        const char *text = dbg.findings.data[i].text;
        str_printf(out, "%zu: %.*s\n", i + 1, (int)strcspn(text, "\n"), text);
        text += strcspn(text, "\n");
        for (unsigned k = 0; k < dbg.findings.data[i].nsides && *text; k++) {
            text++;
            const size_t n = strcspn(text, "\n");
            str_printf(out, "   %.*s\n", (int)n, text);
            text += n;
        }
    }
    return NULL;
}

static struct err *info_kernels(struct str *out)
{
    if (!dbg.modules.len) str_put(out, "No program is built yet.\n");
    for (size_t i = 0; i < dbg.modules.len; i++) {
        const struct bc_module *m = dbg.modules.data[i].m;
        for (uint32_t k = 0; k < m->nkernels; k++) {
            const struct bc_kernel *x = &m->kernels[k];
            const struct bc_loc *l = &m->locs[m->fns[x->fn].loc];
            str_printf(out, "%s:%u: %s(", dbg_base_name(dbg_file_name(m, l->file)), l->line, bc_str(m, x->name));
            for (uint32_t a = 0; a < x->nargs; a++) {
                const struct bc_arg *arg = &m->args[x->first_arg + a];
                str_printf(out, "%s%s %s", a ? ", " : "", bc_str(m, arg->type), bc_str(m, arg->name));
            }
            str_put(out, ")\n");
        }
    }
    return NULL;
}

static struct err *info_launches(struct str *out)
{
    str_printf(out, "%llu kernel launch%s so far\n", LL(dbg.nlaunches), dbg.nlaunches == 1 ? "" : "es");
    if (dbg.launches.len < dbg.nlaunches) str_printf(out, "  the last %zu:\n", dbg.launches.len);
    for (size_t i = 0; i < dbg.launches.len; i++) {
        const struct dbg_launched *x = &dbg.launches.data[i];
        str_printf(out, "%s%4llu  %s\n", dbg.run && dbg.run->l->number == x->number ? "* " : "  ", LL(x->number), x->text);
    }
    return NULL;
}

static struct err *info_source(struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg.frame >= dbg_frames(g, f)) return err_new("The work-item has returned.");
    const struct bc_module *m = g->code->module;
    const struct bc_loc *l = &m->locs[f[dbg.frame].loc];
    str_printf(out, "Current source file is %s, line %u, column %u\n", dbg_file_name(m, l->file), l->line, l->col);
    return NULL;
}

static struct err *info_frame(struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    show_place(out);
    return NULL;
}

struct err *dbg_cmd_info(const char *args, struct str *out)
{
    static const struct {
        const char *name;
        struct err *(*show)(struct str *out);
    } subjects[] = {
        {"locals", info_locals}, {"args", info_args}, {"workitem", info_workitem}, {"workgroup", info_workgroup}, {"barriers", info_barriers},
        {"breakpoints", info_breakpoints}, {"watchpoints", info_breakpoints}, {"memory", info_memory}, {"devices", info_devices}, {"findings", info_findings},
        {"kernels", info_kernels}, {"launches", info_launches}, {"display", info_display}, {"line", info_source}, {"source", info_source}, {"frame", info_frame},
        {"history", dbg_info_history},
    };
    static const struct {
        const char *short_name, *name;
    } usual[] = {{"b", "breakpoints"}, {"l", "locals"}, {"wi", "workitem"}, {"wg", "workgroup"}, {"threads", "workgroup"}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (!strcmp(args, usual[i].short_name)) args = usual[i].name;
    const size_t n = sizeof subjects / sizeof *subjects;
    size_t match = n;
    struct str could = {0};
    for (size_t i = 0; i < n; i++) {
        if (!*args || strncmp(subjects[i].name, args, dbg_word(args))) continue;
        if (match == n || strlen(subjects[i].name) == dbg_word(args)) match = i;
        str_printf(&could, "%s%s", could.len ? ", " : "", subjects[i].name);
    }
    bool ambiguous = strchr(str_text(&could), ',') && match < n && strlen(subjects[match].name) != dbg_word(args);
    struct err *e = NULL;
    if (match == n) {
        struct str all = {0};
        for (size_t i = 0; i < n; i++) str_printf(&all, "%s%s", i ? ", " : "", subjects[i].name);
        e = *args ? err_new("Undefined info command: \"%s\".  There are: %s.", args, str_text(&all)) : err_new("info of what?  There are: %s.", str_text(&all));
        str_deinit(&all);
    } else if (ambiguous) {
        e = err_new("Ambiguous info command \"%s\": %s.", args, str_text(&could));
    }
    str_deinit(&could);
    return e ? e : subjects[match].show(out);
}
