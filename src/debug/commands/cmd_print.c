// SPDX-License-Identifier: MIT
// Commands that show and change values.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/commands/settings_table.h"
#include "debug/expressions/expr.h"
#include "debug/session/frames.h"
#include "debug/session/programs.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

/** The values of all work-items as text, and the widest of them. */
struct cells {
    VEC(char *) list;
    size_t width;
};

/** Evaluates an expression of the focused frame in work-item i. */
static struct err *add_cell(struct cells *cells, struct dbg_expr *x, uint32_t i,
                            const struct dbg_format *f)
{
    struct vm_gang *g = dbg_gang(i);
    struct str cell = {0};
    struct arena a = {0};
    struct dbg_value v;
    struct err *e = dbg_expr_eval(x, g, &a, &v);
    if (e) str_put(&cell, "-");
    else dbg_value_put(&cell, g, &v, f);
    arena_deinit(&a);
    if (cell.len > cells->width) cells->width = cell.len;
    vec_push(&cells->list, cell.data ? str_take(&cell) : mem_strdup(""));
    if (i == dbg_focus.item) return e;
    err_free(e);
    return NULL;
}

static uint32_t run_length(char *const *row, uint32_t n)
{
    uint32_t run = 1;
    while (run < n && !strcmp(row[run], row[0])) run++;
    return run;
}

/** Prints a line: the work-items with the same y and z, from x on. Returns their number. */
static uint32_t put_line(struct str *out, const struct cells *cells, char *const *row, uint32_t n)
{
    enum { FOLD = 8 };
    const size_t columns = cells->width >= 72 ? 1 : 72 / (cells->width + 1);
    const uint32_t run = run_length(row, n);
    uint32_t x = 0;
    if (run >= FOLD) {
        str_printf(out, "%s <%u work-items>\n", row[0], run);
        return run;
    }
    for (; x < columns && x < n && run_length(row + x, n - x) < FOLD; x++)
        str_printf(out, "%s%*s", x ? " " : "", (int)cells->width, row[x]);
    str_put(out, "\n");
    return x;
}

/** A grid by local id; equal values are folded. */
static void put_cells(struct str *out, const struct cells *cells)
{
    const uint32_t *shape = dbg_focus.group->shape, rows = shape[1] * shape[2];
    for (uint32_t r = 0, x; r < rows; r++)
        for (x = 0; x < shape[0];) {
            const uint32_t y = r % shape[1], z = r / shape[1];
            if (shape[2] > 1) str_printf(out, "(%u..,%u,%u) ", x, y, z);
            else if (shape[1] > 1) str_printf(out, "(%u..,%u) ", x, y);
            else str_printf(out, "(%u..) ", x);
            x += put_line(out, cells, cells->list.data + (size_t)r * shape[0] + x, shape[0] - x);
        }
}

/** The value in every work-item. */
static struct err *print_all(const char *text, const struct dbg_format *f, struct str *out)
{
    struct err *e = dbg_need_stopped();
    struct dbg_expr *x = NULL;
    if (!e) e = dbg_parse(text, &x);
    if (e) return e;
    const uint32_t n = dbg_focus.group->items;
    struct cells cells = {.width = 1};
    for (uint32_t i = 0; i < n && !e; i++) e = add_cell(&cells, x, i, f);
    if (!e && run_length(cells.list.data, n) == n)
        str_printf(out, "%s in all %u work-items\n", cells.list.data[0], n);
    else if (!e) put_cells(out, &cells);
    for (size_t i = 0; i < cells.list.len; i++) free(cells.list.data[i]);
    vec_free(&cells.list);
    dbg_expr_free(x);
    return e;
}

COMMAND(print, DATA, "print", "p inspect call", 0, "[-a] [/FORMAT] EXPRESSION",
        "Print the value of an expression of OpenCL C: variables, members, vectors and their "
        "components, pointers, work-item functions, functions of the kernel without side effects, "
        "assignments. -a prints it in all work-items of "
        "the group. Formats: x hexadecimal, d signed and u unsigned decimal, o octal, t binary, z "
        "hexadecimal with leading zeros, c character, f floating point, a address. `x[0]@4` is an "
        "array of 4 elements; $1 is a value of the history; $name is a convenience variable.")
{
    struct dbg_format f = {0};
    bool all = false;
    struct err *e = NULL;
    for (bool more = true; more && !e;) {
        more = false;
        if (!strncmp(args, "-a", 2) && (isspace((unsigned char)args[2]) || args[2] == '/')) {
            all = more = true;
            args += 2 + strspn(args + 2, " \t");
        }
        if (*args == '/') {
            e = dbg_format_parse(&args, &f);
            more = true;
        }
    }
    if (e) return e;
    if (f.size || f.count || f.letter == 'i')
        return err_new("Item count, size and format i are not for print; `x` shows memory.");
    if (all)
        return *args ? print_all(args, &f, out) : err_new("Argument required (an expression).");
    struct dbg_value v;
    e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (e) return e;
    if (dbg_strip(v.type)->kind == BC_T_VOID) {
        str_put(out, "$ = void\n");
        return NULL;
    }
    struct dbg_value now = v; // a copy for the value history; v itself has the uninitialized parts
    now.unwritten = dbg_value_unwritten(dbg_focus_gang(), &v);
    e = dbg_value_load(dbg_focus_gang(), &now, &dbg.arena);
    if (e) return e;
    vec_push(&dbg_values.list, now);
    str_printf(out, "$%zu = ", dbg_values.list.len);
    dbg_value_put(out, dbg_focus_gang(), v.ncomp || v.bits ? &now : &v, &f);
    str_put(out, "\n");
    return NULL;
}

COMMAND(
    set, DATA, "set", "", 0, "[var] EXPRESSION | SETTING VALUE",
    "Evaluate an assignment without printing it, or change a setting. Settings: stop-on-findings "
    "on|off, listsize N, history-size BYTES, print pretty on|off (one struct member per line), "
    "print elements N (limit for arrays; 0: none), scheduler-locking step|on|off (which work-items "
    "stop at breakpoints: only the stepped one while stepping, only the focused one, all), seed N "
    "| off (the order of work-items between barriers), pagination on|off, confirm on|off.")
{
    struct dbg_value v;
    struct err *e;
    if (!*args) return err_new("A setting or an assignment is expected.");
    if (dbg_setting_set(args, &e)) return e;
    const size_t n = dbg_word(args);
    const bool var = (n == 3 && !memcmp(args, "var", 3)) ||
                     (n == 8 && !memcmp(args, "variable", 8));
    e = dbg_eval(var ? args + n : args, &dbg.arena, &v);
    struct err *other = e && !var && args[n + strspn(args + n, " \t")] != '='
                            ? dbg_unsupported_after("set", args)
                            : NULL;
    if (other) err_free(e);
    return other ? other : e;
}

/** "int (int, float *)"; false: not the name of a function of a program. */
static bool put_function_type(struct str *out, const char *name)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct dbg_module *d = &dbg_programs.modules.data[i];
        uint32_t f = 1;
        while (f < d->m->nscopes && (d->m->scopes[f].parent || !d->m->scopes[f].fn_name ||
                                     strcmp(bc_str(d->m, d->m->scopes[f].fn_name), name) != 0))
            f++;
        if (f >= d->m->nscopes) continue;
        dbg_type_put(out, &d->types[d->m->scopes[f].returns]);
        str_put(out, " (");
        bool any = false;
        uint32_t copy = 0; // an inlined function has its parameters once for each call
        for (uint32_t k = 0; k < d->m->nvars; k++) {
            const struct bc_var *v = &d->m->vars[k];
            if (v->scope != f || !v->is_param) continue;
            const uint32_t at = d->m->locs[v->loc].inlined_at;
            if (any && at != copy) continue;
            if (any) str_put(out, ", ");
            dbg_type_put(out, &d->types[v->type]);
            copy = at;
            any = true;
        }
        str_put(out, any ? ")" : "void)");
        return true;
    }
    return false;
}

static struct err *put_type(const char *args, struct str *out, bool whole)
{
    struct dbg_value v;
    struct err *e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    struct str type = {0};
    if (e && put_function_type(&type, args)) {
        err_free(e);
        e = NULL;
    } else if (!e) {
        (whole ? dbg_type_put_whole : dbg_type_put)(&type, v.type);
    }
    if (!e) str_printf(out, "type = %s\n", str_text(&type));
    str_deinit(&type);
    return e;
}

COMMAND(whatis, DATA, "whatis", "", 0, "EXPRESSION | FUNCTION", "Show the type of an expression.")
{
    return put_type(args, out, false);
}

COMMAND(ptype, DATA, "ptype", "", 0, "EXPRESSION | TYPE | FUNCTION",
        "Show the definition of a type, with the members of structs.")
{
    return put_type(args, out, true);
}

// ---- the value history and convenience variables
static void put_value(struct str *out, const char *name, const struct dbg_value *v)
{
    str_printf(out, "%s = ", name);
    dbg_value_put(out, dbg_focus_gang(), v, NULL);
    str_put(out, "\n");
}

struct err *dbg_show_names(struct str *out)
{
    for (size_t i = 0; i < dbg_values.names.len; i++)
        put_value(out, dbg_values.names.data[i].name, dbg_values.names.data[i].value);
    if (!dbg_values.names.len) str_put(out, "No debugger convenience variables now defined.\n");
    return NULL;
}

struct err *dbg_show_values(struct str *out)
{
    enum { LAST = 10 };
    for (size_t i = dbg_values.list.len < LAST ? 0 : dbg_values.list.len - LAST;
         i < dbg_values.list.len; i++) {
        char name[24];
        snprintf(name, sizeof name, "$%zu", i + 1);
        put_value(out, name, &dbg_values.list.data[i]);
    }
    if (!dbg_values.list.len) str_put(out, "No values were printed yet.\n");
    return NULL;
}
