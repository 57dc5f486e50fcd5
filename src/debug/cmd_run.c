// SPDX-License-Identifier: MIT
// Commands that let the kernel run, and those that set stops.
#include "debug/command.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- going on
static void go(struct dbg_goal goal)
{
    dbg.goal = goal;
    dbg.resume = true;
}

static struct err *count_of(const char *args, uint64_t *n)
{
    *n = 1;
    if (!*args) return NULL;
    char *end;
    *n = strtoull(args, &end, 0);
    if (!isdigit((unsigned char)*args) || *end || !*n) return err_new("A count is expected, not \"%s\".", args);
    return NULL;
}

struct err *dbg_cmd_run(const char *args, struct str *out)
{
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

struct err *dbg_cmd_start(const char *args, struct str *out)
{
    go((struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = 1});
    return NULL;
}

struct err *dbg_cmd_continue(const char *args, struct str *out)
{
    uint64_t n;
    struct err *e = count_of(args, &n);
    if (!e && dbg.state != DBG_BEGINNING) e = dbg_need_stopped();
    if (e) return e;
    const struct bc_insn *insn = dbg.state == DBG_STOPPED ? dbg_next_insn(dbg_gang(dbg.focus)) : NULL;
    for (size_t i = 0; n > 1 && i < dbg.breaks.len; i++)
        for (size_t k = 0; k < dbg.breaks.data[i]->at.len; k++)
            if (dbg.breaks.data[i]->at.data[k].insn == insn) {
                dbg.breaks.data[i]->ignore = n - 1;
                str_printf(out, "Will ignore next %llu crossings of breakpoint %u.  Continuing.\n", (unsigned long long)n - 1, dbg.breaks.data[i]->number);
                n = 1;
                break;
            }
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

/** The focused work-item is where it can be moved from. */
static struct err *goal_from_here(enum dbg_goal_kind kind, uint64_t count, struct dbg_goal *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg.focus);
    const struct bc_insn *insn = dbg_next_insn(g);
    if (!insn) return err_new("The work-item has returned; `workitem` chooses another, `continue` goes on.");
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_loc *l = &g->code->module->locs[f[0].loc];
    *out = (struct dbg_goal){.kind = kind, .count = count, .item = dbg.focus, .depth = n, .file = l->file, .line = l->line, .inlined_at = l->inlined_at};
    dbg.prefer = dbg.focus;
    return NULL;
}

static struct err *step(const char *args, enum dbg_goal_kind kind)
{
    uint64_t n;
    struct dbg_goal goal;
    struct err *e = count_of(args, &n);
    if (!e) e = goal_from_here(kind, n, &goal);
    if (!e) go(goal);
    return e;
}
struct err *dbg_cmd_step(const char *args, struct str *out) { return step(args, DBG_STEP); }
struct err *dbg_cmd_next(const char *args, struct str *out) { return step(args, DBG_NEXT); }
struct err *dbg_cmd_stepi(const char *args, struct str *out) { return step(args, DBG_STEPI); }

struct err *dbg_cmd_finish(const char *args, struct str *out)
{
    struct dbg_goal goal;
    struct err *e = goal_from_here(DBG_FINISH, 1, &goal);
    if (e) return e;
    if (goal.depth <= dbg.frame + 1) return err_new("\"finish\" not meaningful in the outermost frame.");
    goal.depth -= dbg.frame;
    str_put(out, "Run till exit from ");
    dbg_show_frame(out, dbg.frame, true);
    go(goal);
    return NULL;
}

/** Numbers of up to three dimensions, by blanks or commas; the rest of the text must be empty. */
static struct err *numbers(const char *p, uint64_t out[3], unsigned *n)
{
    *n = 0;
    p += strspn(p, " \t(");
    while (*p && *p != ')') {
        char *end;
        if (!isdigit((unsigned char)*p) || *n == 3) return err_new("Up to three numbers are expected; near `%s'.", p);
        out[(*n)++] = strtoull(p, &end, 0);
        p = end + strspn(end, " \t,");
    }
    return NULL;
}

static struct err *until_group(const char *args)
{
    uint64_t g[3] = {0};
    unsigned n;
    struct err *e = numbers(args, g, &n);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    const uint64_t *grid = dbg.run->grid;
    if (!n) return err_new("Which work-group?  `until workgroup 3`");
    for (int k = 0; k < 3; k++)
        if (g[k] >= grid[k])
            return err_new("There is no such work-group: there are (%llu,%llu,%llu).", (unsigned long long)grid[0], (unsigned long long)grid[1], (unsigned long long)grid[2]);
    const uint64_t linear = g[0] + grid[0] * (g[1] + grid[1] * g[2]);
    if (linear == dbg.group_number) return err_new("That is the work-group that runs.");
    if (linear < dbg.group_number) return err_new("That work-group has run already.");
    go((struct dbg_goal){.kind = DBG_TO_GROUP, .group = linear});
    return NULL;
}

static struct err *until_launch(const char *args)
{
    args += strspn(args, " \t");
    char *end;
    const uint64_t n = strtoull(args, &end, 10);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (*args && (end == args || *end)) return err_new("A launch's number is expected, not \"%s\".", args);
    if (*args && n <= dbg.nlaunches) return err_new("Launch %llu has begun already.", (unsigned long long)n);
    go((struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = *args ? n - dbg.nlaunches : 1});
    return NULL;
}

static enum dbg_break_kind kind_of_spec(const char *spec)
{
    const char *colon = strrchr(spec, ':'), *line = colon ? colon + 1 : spec;
    if (!strcmp(spec, "barrier")) return DBG_AT_BARRIER;
    return isdigit((unsigned char)*line) && line[strspn(line, "0123456789")] == 0 ? DBG_AT_LINE : DBG_AT_FUNCTION;
}

struct err *dbg_cmd_until(const char *args, struct str *out)
{
    if (dbg_word_is(args, "workgroup") && dbg_word(args) > 4) return until_group(args + dbg_word(args));
    if (dbg_word_is(args, "launch") && dbg_word(args) > 2) return until_launch(args + dbg_word(args));
    if (!*args) return step("", DBG_UNTIL);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct dbg_break *b;
    e = dbg_break_add(kind_of_spec(args), args, &b);
    if (e) return e;
    dbg.last_number--;
    b->number = 0;
    b->temporary = true;
    if (!b->at.len) {
        dbg_break_remove(b);
        return err_new("There is no such place: \"%s\".", args);
    }
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(dbg.group_number, dbg.focus, l, w, g);
    b->items.given = true;
    for (int k = 0; k < 3; k++) b->items.from[k] = b->items.to[k] = g[k];
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

// ---- stops
/** "SPEC [wi (SET)] [if CONDITION]": cut apart. */
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
            if (!**condition) return err_new("A condition is expected behind `if`.");
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
    if (b->at.len) e = dbg_expr_parse(condition, b->at.data[0].m, b->at.data[0].fn, b->at.data[0].insn->loc, &x);
    dbg_expr_free(x);
    return e;
}

/** The line of the focus, as a place: "k.cl:6". */
static struct err *here(struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No default breakpoint address now.");
    struct vm_gang *g = dbg_gang(dbg.focus);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (dbg.frame >= n) return err_new("No default breakpoint address now.");
    const struct bc_loc *l = &g->code->module->locs[f[dbg.frame].loc];
    str_printf(out, "%s:%u", dbg_file_name(g->code->module, l->file), l->line);
    return NULL;
}

static struct err *set_break(const char *args, bool temporary, struct str *out)
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct str place = {0};
    struct dbg_break *b = NULL;
    struct err *e = cut(text, &spec, &items, &condition);
    if (!e && !*spec) e = here(&place);
    else if (!e) str_put(&place, spec);
    if (!e && strpbrk(str_text(&place), " \t")) e = err_new("A place is expected: FILE:LINE, LINE, FUNCTION or barrier; near `%s'.", strpbrk(str_text(&place), " \t") + 1);
    if (!e) e = dbg_break_add(kind_of_spec(str_text(&place)), str_text(&place), &b);
    if (!e && (e = check_condition(b, condition))) {
        dbg_break_remove(b);
        dbg.last_number--;
    }
    if (!e && b->kind != DBG_AT_BARRIER && !b->at.len && dbg.modules.len && b->kind == DBG_AT_LINE && !strrchr(b->spec, ':'))
        str_printf(out, "No line %u in the current file.\n", b->asked_line);
    else if (!e && !b->at.len && dbg.modules.len && b->kind == DBG_AT_FUNCTION)
        str_printf(out, "Function \"%s\" not defined.\n", b->spec);
    if (!e) {
        b->temporary = temporary;
        b->items = items;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_put(out, b);
        str_put(out, "\n");
    }
    str_deinit(&place);
    free(text);
    return e;
}
struct err *dbg_cmd_break(const char *args, struct str *out) { return set_break(args, false, out); }
struct err *dbg_cmd_tbreak(const char *args, struct str *out) { return set_break(args, true, out); }

/** Watches a value in memory; where it lies says whose it is. */
static struct err *watch_value(const char *text, const struct dbg_value *v, struct dbg_break **out)
{
    if (!v->in_memory || v->ncomp || v->bits) return err_new("Cannot watch a value that is not in memory: \"%s\".", text);
    struct vm_gang *g = dbg_gang(dbg.focus);
    const struct dbg_type *t = dbg_strip(v->type);
    uint8_t *old = mem_alloc(t->size ? t->size : 1);
    struct err *e = dbg_read(g, v->address, old, t->size);
    if (!e) e = dbg_break_add(DBG_WATCH, text, out);
    if (e) {
        free(old);
        return e;
    }
    struct dbg_break *b = *out;
    const struct vm_object *o = vm_object_of(g, v->address);
    b->address = v->address;
    b->size = t->size;
    b->type = v->type;
    b->old = old;
    b->launch = dbg.run->chk.number;
    b->group = o->kind == VM_OBJ_PRIVATE || o->kind == VM_OBJ_LOCAL ? dbg.group_number : UINT64_MAX;
    b->item = o->kind == VM_OBJ_PRIVATE ? dbg.focus : UINT32_MAX;
    return NULL;
}

struct err *dbg_cmd_watch(const char *args, struct str *out)
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct dbg_value v;
    struct dbg_break *b = NULL;
    struct err *e = dbg_need_stopped();
    if (!e) e = cut(text, &spec, &items, &condition);
    if (!e && !*spec) e = err_new("Argument required (an expression to watch).");
    if (!e) e = dbg_eval(spec, &dbg.arena, &v);
    if (!e) e = watch_value(spec, &v, &b);
    if (!e) {
        b->items = items;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_put(out, b);
        str_put(out, "\n");
    }
    free(text);
    return e;
}

struct err *dbg_cmd_catch(const char *args, struct str *out)
{
    char *text = mem_strdup(args), *spec, *condition;
    struct dbg_items items;
    struct dbg_break *b = NULL;
    struct err *e = cut(text, &spec, &items, &condition);
    const int kind = e || !strcmp(spec, "all") ? -1 : rep_kind_find(spec);
    if (!e && kind < 0 && strcmp(spec, "all")) {
        struct str ids = {0};
        for (int i = 0; i < REP_KIND_COUNT; i++) str_printf(&ids, "%s%s", i ? ", " : "", rep_kinds[i].id);
        e = *spec ? err_new("No finding is called \"%s\".  There are: all, %s.", spec, str_text(&ids)) : err_new("Which finding?  There are: all, %s.", str_text(&ids));
        str_deinit(&ids);
    }
    if (!e) e = dbg_break_add(DBG_CATCH, spec, &b);
    if (!e) {
        b->finding = kind;
        b->condition = condition ? mem_strdup(condition) : NULL;
        dbg_break_put(out, b);
        str_put(out, "\n");
    }
    free(text);
    return e;
}

/** Calls fn for the breakpoints of a list of numbers. */
static struct err *each_number(const char *p, void (*fn)(struct dbg_break *))
{
    while (*p) {
        char *end;
        const unsigned long n = strtoul(p, &end, 10);
        if (end == p || (*end && !isspace((unsigned char)*end) && *end != ',')) return err_new("Bad breakpoint number '%.*s'", (int)dbg_word(p), p);
        struct dbg_break *b = dbg_break_find((unsigned)n);
        if (!b || !n) return err_new("No breakpoint number %lu.", n);
        fn(b);
        p = end + strspn(end, " \t,");
    }
    dbg_break_plant();
    return NULL;
}

static void enable(struct dbg_break *b) { b->disabled = false; }
static void disable(struct dbg_break *b) { b->disabled = true; }

static struct err *every(const char *args, void (*fn)(struct dbg_break *))
{
    if (*args) return each_number(args, fn);
    for (size_t i = dbg.breaks.len; i-- > 0;) fn(dbg.breaks.data[i]);
    dbg_break_plant();
    return NULL;
}
struct err *dbg_cmd_delete(const char *args, struct str *out) { return every(dbg_word_is(args, "breakpoints") ? args + dbg_word(args) + strspn(args + dbg_word(args), " ") : args, dbg_break_remove); }
struct err *dbg_cmd_enable(const char *args, struct str *out)
{
    struct err *e = every(args, enable);
    dbg_watch_refresh();
    return e;
}
struct err *dbg_cmd_disable(const char *args, struct str *out) { return every(args, disable); }

struct err *dbg_cmd_clear(const char *args, struct str *out)
{
    if (!*args) return err_new("Which place?");
    struct dbg_break *probe;
    struct err *e = dbg_break_add(kind_of_spec(args), args, &probe);
    if (e) return e;
    dbg.last_number--;
    unsigned n = 0;
    for (size_t i = dbg.breaks.len; i-- > 0;) {
        struct dbg_break *b = dbg.breaks.data[i];
        bool same = b == probe ? false : !strcmp(b->spec, probe->spec);
        for (size_t k = 0; b != probe && k < b->at.len; k++)
            for (size_t j = 0; j < probe->at.len; j++) same |= b->at.data[k].insn == probe->at.data[j].insn;
        if (!same) continue;
        str_printf(out, "%s%u", n++ ? " " : "Deleted breakpoint ", b->number);
        dbg_break_remove(b);
        i = i < dbg.breaks.len ? i : dbg.breaks.len;
    }
    dbg_break_remove(probe);
    if (!n) return err_new("No breakpoint at %s.", args);
    str_put(out, "\n");
    return NULL;
}

static struct err *numbered(const char **args, struct dbg_break **out)
{
    char *end;
    const unsigned long n = strtoul(*args, &end, 10);
    if (end == *args) return err_new("Argument required (breakpoint number).");
    *out = n ? dbg_break_find((unsigned)n) : NULL;
    if (!*out) return err_new("No breakpoint number %lu.", n);
    *args = end + strspn(end, " \t");
    return NULL;
}

struct err *dbg_cmd_condition(const char *args, struct str *out)
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
    if (!*args) str_printf(out, "Breakpoint %u now unconditional.\n", b->number);
    return NULL;
}

struct err *dbg_cmd_ignore(const char *args, struct str *out)
{
    struct dbg_break *b;
    struct err *e = numbered(&args, &b);
    if (e) return e;
    char *end;
    const unsigned long long n = strtoull(args, &end, 10);
    if (end == args) return err_new("Second argument (specified ignore-count) is missing.");
    b->ignore = n;
    if (n) str_printf(out, "Will ignore next %llu crossing%s of breakpoint %u.\n", n, n == 1 ? "" : "s", b->number);
    else str_printf(out, "Will stop next time breakpoint %u is reached.\n", b->number);
    return NULL;
}

/** The lines follow the first, behind newlines. */
struct err *dbg_cmd_commands(const char *args, struct str *out)
{
    struct dbg_break *b = dbg.breaks.len ? dbg.breaks.data[dbg.breaks.len - 1] : NULL;
    if (isdigit((unsigned char)*args)) {
        struct err *e = numbered(&args, &b);
        if (e) return e;
    }
    if (!b) return err_new("No breakpoints specified.");
    for (size_t i = 0; i < b->commands.len; i++) free(b->commands.data[i]);
    vec_clear(&b->commands);
    for (const char *p = args; *p;) {
        p += strspn(p, " \t\n");
        const size_t n = strcspn(p, "\n");
        if (!n || (n == 3 && !memcmp(p, "end", 3))) break;
        char *line = mem_strdup(p);
        line[n] = 0;
        vec_push(&b->commands, line);
        p += n;
    }
    return NULL;
}

// ---- backwards
static struct err *back(const char *args, enum dbg_goal_kind kind)
{
    uint64_t n;
    struct err *e = count_of(args, &n);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned depth = dbg_frames(dbg_gang(dbg.focus), f);
    if (kind == DBG_REVERSE_FINISH && depth <= 1) return err_new("\"reverse-finish\" not meaningful in the outermost frame.");
    go((struct dbg_goal){.kind = kind, .count = n, .item = dbg.focus, .depth = depth ? depth : 1});
    return NULL;
}
struct err *dbg_cmd_reverse_step(const char *args, struct str *out) { return back(args, DBG_REVERSE_STEP); }
struct err *dbg_cmd_reverse_next(const char *args, struct str *out) { return back(args, DBG_REVERSE_NEXT); }
struct err *dbg_cmd_reverse_stepi(const char *args, struct str *out) { return back(args, DBG_REVERSE_STEPI); }
struct err *dbg_cmd_reverse_continue(const char *args, struct str *out) { return back(args, DBG_REVERSE_CONTINUE); }
struct err *dbg_cmd_reverse_finish(const char *args, struct str *out) { return back(args, DBG_REVERSE_FINISH); }
