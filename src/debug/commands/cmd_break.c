// SPDX-License-Identifier: MIT
// Commands that set and change breakpoints, watchpoints and catchpoints.
#include "base/mem.h"
#include "base/out.h"
#include "debug/breakpoints/watch.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Splits "SPEC [wi (SET)] [if CONDITION]". */
static struct err *cut(char *text, char **spec, struct dbg_items *items, char **condition)
{
    *condition = NULL;
    *items = (struct dbg_items){0};
    *spec = text;
    for (char *p = text; *p; p++) {
        const bool starts = p == text || isspace((unsigned char)p[-1]);
        if (starts && !strncmp(p, "if", 2) && (isspace((unsigned char)p[2]) || p[2] == '(')) {
            *p = 0;
            *condition = p + 2 + strspn(p + 2, " \t");
            if (!**condition) return err_new("A condition is expected after `if`.");
            break;
        }
        if (starts && !strncmp(p, "wi", 2) && (isspace((unsigned char)p[2]) || p[2] == '(')) {
            const char *end;
            struct err *e = dbg_items_parse(p + 2 + strspn(p + 2, " \t"), &end, items);
            if (e) return e;
            *p = 0;
            p += end - p - 1;
        }
    }
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]);) text[--n] = 0;
    return NULL;
}

static struct err *check_condition(const struct dbg_break *b, const char *condition)
{
    if (!condition) return NULL;
    struct dbg_expr *x = NULL;
    struct err *e = NULL;
    if (b->kind == DBG_WATCH && dbg.state == DBG_STOPPED) e = dbg_parse(condition, &x);
    if (b->at.len)
        e = dbg_expr_parse(condition, b->at.data[0].m, b->at.data[0].fn, b->at.data[0].insn->loc,
                           &x);
    dbg_expr_free(x);
    return e;
}

/** The line of the focus plus `further`, as a location: "k.cl:6". */
static struct err *here(long further, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No default breakpoint address now.");
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (dbg_focus.frame >= n) return err_new("No default breakpoint address now.");
    const struct bc_loc *l = &g->code->module->locs[f[dbg_focus.frame].loc];
    str_printf(out, "%s:%u", dbg_file_name(g->code->module, l->file),
               (unsigned)((long)l->line + further > 0 ? (long)l->line + further : 1));
    return NULL;
}

static struct err *set_break(const char *args, bool temporary, struct str *out)
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct str place = {0};
    struct dbg_break *b = NULL;
    struct err *e = cut(text, &spec, &items, &condition);
    if (!e && (!*spec || *spec == '+' || *spec == '-'))
        e = here(*spec ? strtol(spec, NULL, 10) : 0, &place);
    else if (!e) str_put(&place, spec);
    if (!e && strpbrk(str_text(&place), " \t"))
        e = err_new("A place is expected: FILE:LINE, LINE, FUNCTION or barrier; near `%s'.",
                    strpbrk(str_text(&place), " \t") + 1);
    if (!e) b = dbg_break_add(dbg_break_kind_of(str_text(&place)), str_text(&place));
    if (!e && (e = check_condition(b, condition))) {
        dbg_break_remove(b);
        dbg_breaks.last_number--;
    }
    if (!e && b->kind != DBG_AT_BARRIER && !b->at.len && dbg_programs.modules.len &&
        b->kind == DBG_AT_LINE && !strrchr(b->spec, ':'))
        str_printf(out, "No line %u in the current file.\n", b->asked_line);
    else if (!e && !b->at.len && dbg_programs.modules.len && b->kind == DBG_AT_FUNCTION)
        str_printf(out, "Function \"%s\" not defined.\n", b->spec);
    if (!e) {
        b->temporary = temporary;
        b->items = items;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_plant();
        dbg_break_put(out, b);
        str_put(out, "\n");
        dbg_break_put_unset(out, b);
    }
    str_deinit(&place);
    free(text);
    return e;
}
COMMAND(break, STOPS, "break", "b br bre brea hbreak", 0,
        "[FILE:LINE | LINE | +N | -N | FUNCTION | barrier] [wi (SET)] [if CONDITION]",
        "Set a breakpoint at a line, a function or kernel, or at every barrier. Without a "
        "location, use the current line. A location in a program that is not built yet is pending. "
        "`wi (0..3,*)` restricts the breakpoint to these work-items, by global id.")
{
    return set_break(args, false, out);
}
COMMAND(tbreak, STOPS, "tbreak", "tb thbreak", 0, "…",
        "Set a temporary breakpoint, which is deleted when it is hit.")
{
    return set_break(args, true, out);
}

/** Sets a breakpoint at each matching function. */
COMMAND(rbreak, STOPS, "rbreak", "", 0, "REGEX",
        "Set a breakpoint at every function whose name matches a regular expression.")
{
    regex_t re;
    struct err *e = NULL;
    VEC(const char *) done = {0};
    if (!*args) return err_new("Which functions?  rbreak REGEX");
    if (regcomp(&re, args, REG_EXTENDED | REG_NOSUB))
        return err_new("\"%s\" is not a regular expression.", args);
    for (size_t i = 0; i < dbg_programs.modules.len && !e; i++)
        for (uint32_t f = 0; f < dbg_programs.modules.data[i].m->nscopes && !e; f++) {
            const char *name = bc_str(dbg_programs.modules.data[i].m,
                                      dbg_programs.modules.data[i].m->scopes[f].fn_name);
            bool seen = !*name || regexec(&re, name, 0, NULL, 0);
            for (size_t k = 0; k < done.len; k++) seen |= !strcmp(done.data[k], name);
            if (seen) continue;
            vec_push(&done, name);
            e = set_break(name, false, out);
        }
    if (!e && !done.len)
        e = err_new(dbg_programs.modules.len ? "No function's name fits \"%s\"."
                                             : "No program is built yet to look for \"%s\" in.",
                    args);
    regfree(&re);
    vec_free(&done);
    return e;
}

static struct err *set_watch(const char *args, enum dbg_access access, struct str *out)
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct dbg_expr *x = NULL;
    struct dbg_break *b = NULL;
    struct err *e = dbg_need_stopped();
    if (!e) e = cut(text, &spec, &items, &condition);
    const bool location = !e && (!strncmp(spec, "-l ", 3) ||
                                 !strncmp(spec, "-location ", 10)); // watching the location is the
                                                                    // default
    if (location) spec += dbg_word(spec), spec += strspn(spec, " \t");
    if (!e && !*spec) e = err_new("Argument required (an expression to watch).");
    if (!e) e = dbg_parse(spec, &x);
    if (!e) {
        b = dbg_break_add(DBG_WATCH, spec);
        b->watch.access = access;
        e = check_condition(b, condition);
        if (e) dbg_expr_free(x);
        else e = dbg_watch_set(b, dbg_gang(dbg_focus.item), dbg_focus.item, x);
    }
    if (e && b) {
        dbg_break_remove(b);
        dbg_breaks.last_number--;
    }
    if (!e) {
        b->items = items;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_put(out, b);
        str_put(out, "\n");
    }
    free(text);
    return e;
}
COMMAND(watch, STOPS, "watch", "", 0, "EXPRESSION [if CONDITION]",
        "Set a watchpoint: stop when the value changes, at the access that changed it (`rwatch`: "
        "when it is read). The first value that memory gets counts as a change. A private variable "
        "is that of the focused work-item. A value that is not in memory, such as `a + b`, is "
        "computed again when one of its variables was written; the stop names that one.")
{
    return set_watch(args, DBG_ON_WRITE, out);
}
COMMAND(rwatch, STOPS, "rwatch", "", 0, "EXPRESSION [if CONDITION]",
        "Set a read watchpoint: stop when the value is read.")
{
    return set_watch(args, DBG_ON_READ, out);
}
COMMAND(awatch, STOPS, "awatch", "", 0, "EXPRESSION [if CONDITION]",
        "Set an access watchpoint: stop when the value is read or changes.")
{
    return set_watch(args, DBG_ON_ACCESS, out);
}

/** Reads what `catch` names: enum rep_kind or enum dbg_caught. */
static struct err *caught(const char *spec, int *out)
{
    *out = !strcmp(spec, "all")          ? DBG_ALL_FINDINGS
           : !strcmp(spec, "launch-end") ? DBG_LAUNCH_END
                                         : rep_kind_find(spec);
    if (*out >= 0 || !strcmp(spec, "all") || *out == DBG_LAUNCH_END) return NULL;
    struct str ids = {0};
    for (int i = 0; i < REP_KIND_COUNT; i++)
        str_printf(&ids, "%s%s", i ? ", " : "", rep_kinds[i].id);
    struct err *e =
        *spec ? err_new("No finding is called \"%s\".  There are: launch-end, all, %s.", spec,
                        str_text(&ids))
              : err_new("Which finding?  There are: launch-end, all, %s.", str_text(&ids));
    str_deinit(&ids);
    return e;
}

COMMAND(catch, STOPS, "catch", "", 0, "FINDING | all | launch-end [if CONDITION]",
        "Stop at every occurrence of a kind of finding, such as data-race. The first occurrence at "
        "each location stops without it (`set stop-on-findings`). `catch launch-end` stops when "
        "all work-items of a launch have returned: its buffers can still be examined, and "
        "`reverse-continue` and related commands go back into it. `set stop-at-launch-end on` does "
        "the same without a catchpoint.")
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct dbg_break *b = NULL;
    int kind = 0;
    struct err *e = cut(text, &spec, &items, &condition);
    if (!e) e = caught(spec, &kind);
    if (!e) b = dbg_break_add(DBG_CATCH, spec);
    if (!e) {
        b->finding = kind;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_put(out, b);
        str_put(out, "\n");
    }
    free(text);
    return e;
}

// ---- changing them
static void enable(struct dbg_break *b) { b->disabled = b->once = false; }
static void enable_once(struct dbg_break *b) { b->disabled = false, b->once = true; }
static void enable_delete(struct dbg_break *b) { b->disabled = false, b->temporary = true; }
static void disable(struct dbg_break *b) { b->disabled = true; }

static void (*to_do)(struct dbg_break *);
static struct err *do_one(unsigned n)
{
    struct dbg_break *b = dbg_break_find(n);
    if (!b) return err_new("No breakpoint number %u.", n);
    to_do(b);
    return NULL;
}

/** Calls fn for the breakpoints of a list, or for all. */
static struct err *every(const char *args, void (*fn)(struct dbg_break *))
{
    struct err *e = NULL;
    if (dbg_word_is(args, "breakpoints")) args += dbg_word(args), args += strspn(args, " \t");
    to_do = fn;
    if (*args) e = dbg_each_number(args, "breakpoint", do_one);
    for (size_t i = dbg_breaks.list.len; !*args && i-- > 0;) fn(dbg_breaks.list.data[i]);
    dbg_break_plant();
    return e;
}

COMMAND(delete, STOPS, "delete", "d", 0, "[NUMBER | FROM-TO…] | display [NUMBER…]",
        "Delete breakpoints, or all of them without a number. With `display`, delete display "
        "expressions.")
{
    if (!dbg_word_is(args, "display")) return every(args, dbg_break_remove);
    args += dbg_word(args);
    return dbg_cmd_undisplay(args + strspn(args, " \t"), out);
}

COMMAND(enable, STOPS, "enable", "", 0, "[once | delete] [NUMBER | FROM-TO…]",
        "Enable breakpoints. With `once` a breakpoint is disabled when it is hit, with `delete` it "
        "is deleted.")
{
    const bool once = dbg_word_is(args, "once"), and_delete = !once && dbg_word_is(args, "delete");
    if (once || and_delete) args += dbg_word(args), args += strspn(args, " \t");
    if ((once || and_delete) && !*args) return err_new("Argument required (breakpoint numbers).");
    struct err *e = every(args, once ? enable_once : and_delete ? enable_delete : enable);
    dbg_watch_refresh();
    return e;
}
COMMAND(disable, STOPS, "disable", "", 0, "[NUMBER | FROM-TO…]", "Disable breakpoints.")
{
    return every(args, disable);
}

COMMAND(clear, STOPS, "clear", "", 0, "LINE | FILE:LINE | FUNCTION",
        "Delete the breakpoints at a location.")
{
    if (!*args) return err_new("Which place?");
    struct dbg_break *probe = dbg_break_add(dbg_break_kind_of(args), args);
    dbg_breaks.last_number--;
    unsigned n = 0;
    for (size_t i = dbg_breaks.list.len; i-- > 0;) {
        struct dbg_break *b = dbg_breaks.list.data[i];
        bool same = b == probe ? false : !strcmp(b->spec, probe->spec);
        for (size_t k = 0; b != probe && k < b->at.len; k++)
            for (size_t j = 0; j < probe->at.len; j++)
                same |= b->at.data[k].insn == probe->at.data[j].insn;
        if (!same) continue;
        str_printf(out, "%s%u", n++ ? " " : "Deleted breakpoint ", b->number);
        dbg_break_remove(b);
        i = i < dbg_breaks.list.len ? i : dbg_breaks.list.len;
    }
    dbg_break_remove(probe);
    if (!n) return err_new("No breakpoint at %s.", args);
    str_put(out, "\n");
    return NULL;
}

static struct err *numbered(const char **args, struct dbg_break **out)
{
    char *end;
    unsigned long n = strtoul(*args, &end, 10);
    if (!strncmp(*args, "$bpnum", 6)) n = dbg_breaks.last_number, end = (char *)*args + 6;
    if (end == *args) return err_new("Argument required (breakpoint number).");
    *out = n ? dbg_break_find((unsigned)n) : NULL;
    if (!*out) return err_new("No breakpoint number %lu.", n);
    *args = end + strspn(end, " \t");
    return NULL;
}

COMMAND(condition, STOPS, "condition", "", 0, "NUMBER [CONDITION]",
        "Set the condition of a breakpoint, or remove it.")
{
    struct dbg_break *b;
    struct err *e = numbered(&args, &b);
    if (!e && *args) e = check_condition(b, args);
    if (e) return e;
    free(b->condition);
    b->condition = *args ? mem_strdup(args) : NULL;
    for (size_t i = 0; i < b->at.len; i++) {
        dbg_expr_free(b->at.data[i].condition);
        b->at.data[i].condition = NULL;
        b->at.data[i].bad_condition = false;
    }
    dbg_break_plant();
    if (!*args) str_printf(out, "Breakpoint %u now unconditional.\n", b->number);
    return NULL;
}

COMMAND(ignore, STOPS, "ignore", "", 0, "NUMBER COUNT",
        "Ignore the next COUNT hits of a breakpoint.")
{
    struct dbg_break *b;
    struct err *e = numbered(&args, &b);
    if (e) return e;
    char *end;
    const unsigned long long n = strtoull(args, &end, 10);
    if (end == args) return err_new("Second argument (specified ignore-count) is missing.");
    b->ignore = n;
    if (n)
        str_printf(out, "Will ignore next %llu crossing%s of breakpoint %u.\n", n,
                   n == 1 ? "" : "s", b->number);
    else str_printf(out, "Will stop next time breakpoint %u is reached.\n", b->number);
    return NULL;
}

static const char *body; // the following lines; NULL: not sent yet
static struct err *command_one(unsigned n)
{
    struct dbg_break *b = dbg_break_find(n);
    if (!b) return err_new("No breakpoint number %u.", n);
    if (!body) return NULL;
    for (size_t i = 0; i < b->commands.len; i++) free(b->commands.data[i]);
    vec_clear(&b->commands);
    for (const char *p = body; *p;) {
        p += strspn(p, " \t\n");
        const size_t k = strcspn(p, "\n");
        if (!k || (!p[k] && k == 3 && !memcmp(p, "end", 3))) break;
        char *line = mem_strdup(p);
        line[k] = 0;
        vec_push(&b->commands, line);
        p += k;
    }
    return NULL;
}

/**
 * Called with the first line only, which it checks, or with all lines up to `end`.
 */
COMMAND(
    commands, STOPS, "commands", "", BODY, "[NUMBER | FROM-TO…]",
    "Set commands to be executed when a breakpoint is hit (without a number: the last breakpoint). "
    "They follow, one per line, up to `end`. If the first is `silent`, the stop is not shown.")
{
    const size_t n = strcspn(args, "\n");
    char *list = strndup(args, n);
    unsigned last = 0;
    for (size_t i = 0; i < dbg_breaks.list.len; i++) last = dbg_breaks.list.data[i]->number;
    body = args[n] ? args + n : NULL;
    const char *first = list + strspn(list, " \t");
    struct err *e = *first ? dbg_each_number(first, "breakpoint", command_one)
                    : last ? command_one(last)
                           : err_new("No breakpoints specified.");
    free(list);
    return e;
}
