// SPDX-License-Identifier: MIT
// The command `info`.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/frame_text.h"
#include "debug/history/history.h"
#include "debug/session/session.h"

#include <string.h>

#define LL(x) ((unsigned long long)(x))

static struct err *info_vars(struct str *out, bool args)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No frame selected.");
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_scope_vars v;
    dbg_vars_of_frame(g, dbg_focus.frame, &v);
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
static struct err *info_locals(const char *args, struct str *out) { return info_vars(out, false); }
static struct err *info_args(const char *args, struct str *out) { return info_vars(out, true); }
static struct err *info_workitem(const char *args, struct str *out)
{
    return dbg_cmd_workitem("", out);
}
static struct err *info_workgroup(const char *args, struct str *out)
{
    return dbg_cmd_workgroup("", out);
}
static struct err *info_display(const char *args, struct str *out)
{
    bool any = false;
    for (size_t i = 0; i < dbg_displays.list.len; i++)
        if (dbg_displays.list.data[i])
            any = true, str_printf(out, "%zu: %s\n", i + 1, dbg_displays.list.data[i]);
    if (!any) str_put(out, "There are no auto-display expressions now.\n");
    return NULL;
}

static struct err *info_barriers(const char *args, struct str *out)
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
        for (uint32_t k = 0; k < dbg_focus.group->items; k++)
            waiting += dbg_gang(k)->nparked && dbg_gang(k)->parked[0] == b + 1;
        const struct bc_loc *l = &m->locs[i->loc];
        str_printf(out, "%s:%u: %u of %u work-items wait here\n",
                   dbg_base_name(dbg_file_name(m, l->file)), l->line, waiting,
                   dbg_focus.group->items);
        n++;
    }
    if (!n) str_put(out, "The kernel has no barriers.\n");
    else str_printf(out, "The group has passed %llu.\n", LL(dbg_focus.group->barriers));
    return NULL;
}

const char *dbg_break_type(const struct dbg_break *b)
{
    static const char *const watches[] = {"watchpoint", "read watch", "acc watch"};
    return b->kind == DBG_WATCH        ? watches[b->watch.access]
           : b->kind == DBG_CATCH      ? "catchpoint"
           : b->kind == DBG_AT_BARRIER ? "barrier"
                                       : "breakpoint";
}

void dbg_break_put_what(struct str *out, const struct dbg_break *b)
{
    if (b->kind >= DBG_WATCH || b->kind == DBG_AT_BARRIER) {
        str_put(out, b->spec);
    } else if (b->at.len) {
        const struct dbg_location *at = &b->at.data[0];
        const struct bc_loc *l = &at->m->locs[at->insn->loc];
        str_printf(out, "in %s at %s:%u", bc_str(at->m, l->fn_name),
                   dbg_base_name(dbg_file_name(at->m, l->file)), l->line);
    } else {
        str_printf(out, "%s (pending)", b->spec);
    }
}

static struct err *list_breaks(struct str *out, bool watchpoints)
{
    bool any = false;
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (!b->number || (watchpoints && b->kind != DBG_WATCH)) continue; // 0: of `until`
        if (!any) str_put(out, "Num  Type        Disp  Enb  What\n");
        any = true;
        const char *type = dbg_break_type(b);
        struct str what = {0};
        dbg_break_put_what(&what, b);
        str_printf(out, "%-4u %-11s %-5s %-4s %s\n", b->number, type,
                   b->temporary ? "del"
                   : b->once    ? "dis"
                                : "keep",
                   b->disabled ? "n" : "y", str_text(&what));
        str_deinit(&what);
        if (b->condition) str_printf(out, "\tstop only if %s\n", b->condition);
        if (b->items.given) {
            str_put(out, "\tonly for work-items ");
            dbg_items_put(out, &b->items);
            str_put(out, "\n");
        }
        if (b->hits)
            str_printf(out, "\tbreakpoint already hit %llu time%s\n", LL(b->hits),
                       b->hits == 1 ? "" : "s");
        if (b->ignore) str_printf(out, "\tignore next %llu hits\n", LL(b->ignore));
        for (size_t k = 0; k < b->commands.len; k++)
            str_printf(out, "        %s\n", b->commands.data[k]);
    }
    if (!any)
        str_put(out, watchpoints ? "No watchpoints.\n"
                                 : "No breakpoints, watchpoints or catchpoints.\n");
    return NULL;
}
static struct err *info_breakpoints(const char *args, struct str *out)
{
    return list_breaks(out, false);
}
static struct err *info_watchpoints(const char *args, struct str *out)
{
    return list_breaks(out, true);
}

static struct err *info_memory(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    for (uint32_t id = 1; id < dbg_launch.run->chk.nobjects; id++) {
        const struct chk_object *o = &dbg_launch.run->chk.objects[id];
        if (!o->name || g->objects[id].kind <= VM_OBJ_NONE || g->objects[id].kind == VM_OBJ_PRIVATE)
            continue;
        str_printf(out, "%-16s %12llu bytes  %s%s%s\n", o->name, LL(o->size), o->memory,
                   o->origin ? ", " : "", o->origin ? o->origin : "");
    }
    str_printf(out, "private memory: %llu bytes a work-item\n",
               LL(dbg_launch.run->l->kernel->private_size));
    return NULL;
}

static struct err *info_devices(const char *args, struct str *out)
{
    str_put(out, "cldbg: the checking interpreter, a work-item at a time\n");
    return NULL;
}

static struct err *info_kernels(const char *args, struct str *out)
{
    if (!dbg_programs.modules.len) return dbg_no_program();
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t k = 0; k < m->nkernels; k++) {
            const struct bc_kernel *x = &m->kernels[k];
            const struct bc_loc *l = &m->locs[m->fns[x->fn].loc];
            str_printf(out, "%s:%u: %s(", dbg_base_name(dbg_file_name(m, l->file)), l->line,
                       bc_str(m, x->name));
            for (uint32_t a = 0; a < x->nargs; a++) {
                const struct bc_arg *arg = &m->args[x->first_arg + a];
                str_printf(out, "%s%s %s", a ? ", " : "", bc_str(m, arg->type),
                           bc_str(m, arg->name));
            }
            str_put(out, ")\n");
        }
    }
    return NULL;
}

static struct err *info_launches(const char *args, struct str *out)
{
    str_printf(out, "%llu kernel launch%s so far\n", LL(dbg_launch.count),
               dbg_launch.count == 1 ? "" : "es");
    if (dbg_launch.log.len < dbg_launch.count)
        str_printf(out, "  the last %zu:\n", dbg_launch.log.len);
    for (size_t i = 0; i < dbg_launch.log.len; i++) {
        const struct dbg_launched *x = &dbg_launch.log.data[i];
        str_printf(out, "%s%4llu  %s\n",
                   dbg_launch.run && dbg_launch.run->l->number == x->number ? "* " : "  ",
                   LL(x->number), x->text);
    }
    return NULL;
}

static struct err *info_frame(const char *args, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    dbg_show_frame(out, dbg_focus.frame, true);
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg_focus.frame < dbg_frames(g, f))
        dbg_put_source(out, g->code->module, f[dbg_focus.frame].loc);
    return NULL;
}

static struct err *info_history(const char *args, struct str *out)
{
    dbg_history_put(out);
    return NULL;
}

static bool fits(const char *name, const char *args) { return !*args || strstr(name, args); }

/** The program-scope variables of all built programs. */
static struct err *info_variables(const char *args, struct str *out)
{
    bool any = false;
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t k = 0; k < m->nvars; k++) {
            const struct bc_var *v = &m->vars[k];
            if (v->scope || !fits(bc_str(m, v->name), args)) continue;
            const struct bc_loc *l = &m->locs[v->loc];
            str_printf(out, "%s:%u: ", dbg_base_name(dbg_file_name(m, l->file)), l->line);
            dbg_type_put(out, &dbg_programs.modules.data[i].types[v->type]);
            str_printf(out, " %s\n", bc_str(m, v->name));
            any = true;
        }
    }
    if (!any)
        str_put(out, "No variables outside of functions; `info locals` and `info scope LINE` show "
                     "those inside.\n");
    return NULL;
}

static struct err *info_types(const char *args, struct str *out)
{
    bool any = false;
    for (size_t i = 0; i < dbg_programs.modules.len; i++)
        for (uint32_t k = 0; k < dbg_programs.modules.data[i].m->ndtypes; k++) {
            const struct dbg_type *t = &dbg_programs.modules.data[i].types[k];
            const bool tag = t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ||
                             t->kind == BC_T_ENUM;
            if (!t->name || !fits(t->name, args) || (t->kind != BC_T_TYPEDEF && !tag) ||
                (!tag && dbg_type_named(t->name, strlen(t->name))))
                continue;
            if (tag) dbg_type_put(out, t);
            else str_printf(out, "typedef %s", t->name);
            str_printf(out, ", %llu bytes\n", LL(t->size ? t->size : dbg_strip(t)->size));
            any = true;
        }
    if (!dbg_programs.modules.len) return dbg_no_program();
    if (!any) str_put(out, "No types of the program's own.\n");
    return NULL;
}

static struct err *info_program(const char *args, struct str *out)
{
    static const char *const states[] = {"The program is not being run; `run` lets it go.",
                                         "The program runs; no kernel does.", "A kernel runs.",
                                         "A kernel is stopped."};
    str_printf(out, "%s\n", states[dbg.state]);
    return dbg.state == DBG_STOPPED ? info_frame("", out) : NULL;
}

static const struct {
    const char *name;
    struct err *(*show)(const char *args, struct str *out);
} subjects[] = {
    {"locals", info_locals},
    {"args", info_args},
    {"workitem", info_workitem},
    {"workgroup", info_workgroup},
    {"threads", dbg_info_threads},
    {"barriers", info_barriers},
    {"breakpoints", info_breakpoints},
    {"watchpoints", info_watchpoints},
    {"memory", info_memory},
    {"devices", info_devices},
    {"findings", dbg_info_findings},
    {"race", dbg_info_race},
    {"checkpoints", dbg_info_checkpoints},
    {"divergence", dbg_info_divergence},
    {"kernels", info_kernels},
    {"launches", info_launches},
    {"display", info_display},
    {"line", dbg_info_line},
    {"source", dbg_info_source},
    {"sources", dbg_info_sources},
    {"symbol", dbg_info_symbol},
    {"address", dbg_info_address},
    {"scope", dbg_info_scope},
    {"functions", dbg_info_functions},
    {"variables", info_variables},
    {"types", info_types},
    {"frame", info_frame},
    {"stack", dbg_cmd_backtrace},
    {"history", info_history},
    {"program", info_program},
};
enum { NSUBJECTS = sizeof subjects / sizeof *subjects };

void dbg_info_subjects(void (*fn)(void *ctx, const char *name), void *ctx)
{
    for (size_t i = 0; i < NSUBJECTS; i++) fn(ctx, subjects[i].name);
}

/** Of the words before the arguments of a subject: those that may be meant. */
struct meant {
    size_t typed, len, match, found; // found: SIZE_MAX: exactly `match`
};
static struct meant subject_of(const char *args, struct str *could)
{
    static const struct {
        const char *short_name, *name;
    } usual[] = {{"b", "breakpoints"},     {"l", "locals"},   {"wi", "workitem"},
                 {"wg", "workgroup"},      {"f", "frame"},    {"s", "stack"},
                 {"so", "source"},         {"th", "threads"}, {"watch", "watchpoints"},
                 {"work-items", "threads"}};
    const size_t typed = dbg_word(args);
    const char *name = args;
    size_t len = typed;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (typed == strlen(usual[i].short_name) && !memcmp(args, usual[i].short_name, typed))
            name = usual[i].name, len = strlen(name);
    size_t match = NSUBJECTS, found = 0;
    for (size_t i = 0; i < NSUBJECTS && found != SIZE_MAX; i++) {
        if (!len || strncmp(subjects[i].name, name, len)) continue;
        match = i;
        found = strlen(subjects[i].name) == len ? SIZE_MAX : found + 1;
        str_printf(could, "%s%s", could->len ? ", " : "", subjects[i].name);
    }
    return (struct meant){typed, len, match, found};
}

const char *dbg_info_subject(const char *args)
{
    struct str could = {0};
    const struct meant m = subject_of(args, &could);
    str_deinit(&could);
    return m.match < NSUBJECTS && (m.found == 1 || m.found == SIZE_MAX) ? subjects[m.match].name
                                                                        : NULL;
}

COMMAND(
    info, DATA, "info", "i inf", 0, "SUBJECT",
    "Show information about a subject: locals, args, workitem, workgroup, threads (work-items and "
    "where they are), barriers, breakpoints, watchpoints, memory, devices, findings, race and "
    "divergence (N: what happened), kernels, launches, display, line (LINE, FILE:LINE or FUNCTION: "
    "its instructions), source, sources, scope (LINE: its variables), symbol (ADDRESS: the object "
    "there), address (of a variable), functions, variables, types (with a part of their names), "
    "frame, stack, history, program.")
{
    struct str could = {0};
    const struct meant m = subject_of(args, &could);
    const size_t typed = m.typed, match = m.match, found = m.found, len = m.len;
    struct err *e = NULL;
    if (match == NSUBJECTS && len) e = dbg_unsupported_after("info", args);
    if (match == NSUBJECTS && !e) {
        struct str all = {0};
        for (size_t i = 0; i < NSUBJECTS; i++)
            str_printf(&all, "%s%s", i ? ", " : "", subjects[i].name);
        e = len ? err_new("Undefined info command: \"%.*s\".  There are: %s.", (int)typed, args,
                          str_text(&all))
                : err_new("info of what?  There are: %s.", str_text(&all));
        str_deinit(&all);
    } else if (found != SIZE_MAX && found > 1) {
        e = err_new("Ambiguous info command \"%.*s\": %s.", (int)typed, args, str_text(&could));
    }
    str_deinit(&could);
    return e ? e : subjects[match].show(args + typed + strspn(args + typed, " \t"), out);
}
