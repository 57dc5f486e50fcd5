// SPDX-License-Identifier: MIT
// Commands that show values, memory and source.
#include "debug/command.h"

#include "base/mem.h"
#include "debug/history.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_format_parse(const char **args, struct dbg_format *f)
{
    const char *p = *args;
    if (*p != '/') return NULL;
    p++;
    if (isdigit((unsigned char)*p)) {
        char *end;
        f->count = strtoull(p, &end, 10);
        p = end;
    }
    for (; *p && !isspace((unsigned char)*p); p++) {
        if (strchr("bhwg", *p)) f->size = *p;
        else if (strchr("xduotcfazis", *p)) f->letter = *p;
        else return err_new("Undefined output format \"%c\".", *p);
    }
    *args = p + strspn(p, " \t");
    return NULL;
}

// ---- print
static struct vm_gang *focus_gang(void)
{
    return dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL;
}

/** The value in every work-item: a grid by local id, rows that are the same folded. */
static struct err *print_all(const char *text, const struct dbg_format *f, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct vm_group *grp = dbg.grp;
    VEC(char *) cells = {0};
    size_t width = 1;
    for (uint32_t i = 0; i < grp->items && !e; i++) {
        struct vm_gang *g = grp->gangs[i];
        struct dbg_frame fr[DBG_MAX_FRAMES], focus[DBG_MAX_FRAMES];
        const unsigned n = dbg_frames(g, fr), m = dbg_frames(dbg_gang(dbg.focus), focus);
        struct str cell = {0};
        struct arena a = {0};
        struct dbg_value v;
        struct dbg_expr *x = NULL;
        // what it stands for in the focus' frame: the same variable of each
        e = dbg.frame < m ? dbg_expr_parse(text, g->code->module, focus[dbg.frame].fn,
                                           focus[dbg.frame].loc, &x)
                          : dbg_expr_parse(text, g->code->module, g->code->fns[0].bc, 0, &x);
        if (!e) {
            struct err *bad = dbg_expr_eval(x, g, &a, &v);
            if (bad) str_put(&cell, "-");
            else dbg_value_put(&cell, g, &v, f);
            if (bad && i == dbg.focus) e = bad;
            else err_free(bad);
        }
        (void)n;
        dbg_expr_free(x);
        arena_deinit(&a);
        if (cell.len > width) width = cell.len;
        vec_push(&cells, cell.data ? str_take(&cell) : mem_strdup(""));
    }
    const uint32_t *shape = grp->shape;
    bool uniform = !e;
    for (size_t i = 1; i < cells.len; i++) uniform &= !strcmp(cells.data[i], cells.data[0]);
    if (!e && uniform && cells.len) {
        str_printf(out, "%s in all %u work-items\n", cells.data[0], grp->items);
    } else if (!e) {
        const size_t columns = width >= 78 ? 1 : 78 / (width + 1) ? 72 / (width + 1) : 1;
        for (uint32_t z = 0; z < shape[2]; z++)
            for (uint32_t y = 0; y < shape[1]; y++) {
                const size_t row = ((size_t)z * shape[1] + y) * shape[0];
                for (uint32_t x = 0; x < shape[0];) {
                    if (shape[2] > 1) str_printf(out, "(%u..,%u,%u) ", x, y, z);
                    else if (shape[1] > 1) str_printf(out, "(%u..,%u) ", x, y);
                    else str_printf(out, "(%u..) ", x);
                    uint32_t run = 1;
                    while (x + run < shape[0] &&
                           !strcmp(cells.data[row + x + run], cells.data[row + x]))
                        run++;
                    if (run >= 8) {
                        str_printf(out, "%s <%u work-items>\n", cells.data[row + x], run);
                        x += run;
                        continue;
                    }
                    for (size_t c = 0; c < columns && x < shape[0]; c++, x++) {
                        run = 1;
                        while (x + run < shape[0] &&
                               !strcmp(cells.data[row + x + run], cells.data[row + x]))
                            run++;
                        if (run >= 8) break;
                        str_printf(out, "%s%*s", c ? " " : "", (int)width, cells.data[row + x]);
                    }
                    str_put(out, "\n");
                }
            }
    }
    for (size_t i = 0; i < cells.len; i++) free(cells.data[i]);
    vec_free(&cells);
    return e;
}

struct err *dbg_cmd_print(const char *args, struct str *out)
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
    struct dbg_value now =
        v; // what it is now, for the history; v itself shows which parts were never written
    now.unwritten = dbg_value_unwritten(focus_gang(), &v);
    e = dbg_value_load(focus_gang(), &now, &dbg.arena);
    if (e) return e;
    vec_push(&dbg.values, now);
    str_printf(out, "$%zu = ", dbg.values.len);
    dbg_value_put(out, focus_gang(), v.ncomp || v.bits ? &now : &v, &f);
    str_put(out, "\n");
    return NULL;
}

struct err *dbg_cmd_set(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e;
    if (!*args) return err_new("What is to be set?");
    if (dbg_setting_set(args, &e)) return e;
    const size_t n = dbg_word(args);
    const bool var = (n == 3 && !memcmp(args, "var", 3)) ||
                     (n == 8 && !memcmp(args, "variable", 8));
    e = dbg_eval(var ? args + n : args, &dbg.arena, &v);
    struct err *other = e && !var && args[n + strspn(args + n, " \t")] != '='
                            ? dbg_elsewhere_of("set", args)
                            : NULL;
    if (other) err_free(e);
    return other ? other : e;
}

struct err *dbg_cmd_whatis(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (e) return e;
    str_put(out, "type = ");
    dbg_type_put(out, v.type);
    str_put(out, "\n");
    return NULL;
}

struct err *dbg_cmd_ptype(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_eval(*args ? args : "$", &dbg.arena, &v);
    if (e) return e;
    str_put(out, "type = ");
    dbg_type_put_whole(out, v.type);
    str_put(out, "\n");
    return NULL;
}

// ---- memory
static const struct dbg_type *unit_type(const struct dbg_format *f)
{
    static const char *const ints[] = {"char", "short", "int", "long"}, *const uints[] = {
                                                                            "uchar", "ushort",
                                                                            "uint", "ulong"};
    const unsigned k = f->size == 'b' ? 0 : f->size == 'h' ? 1 : f->size == 'g' ? 3 : 2;
    if (f->letter == 'f')
        return k == 1   ? dbg_type_named("half", 4)
               : k == 3 ? dbg_type_named("double", 6)
                        : dbg_type_named("float", 5);
    const char *name = f->letter == 'd' ? ints[k] : uints[k];
    return dbg_type_named(name, strlen(name));
}

/** "tmp+16": an address by its object. */
static void put_address(struct str *out, uint64_t p)
{
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    const char *name = id && id < dbg.run->chk.nobjects ? dbg.run->chk.objects[id].name : NULL;
    if (name) str_printf(out, "<%s+%lld>:", name, (long long)vm_offset_of(p));
    else str_printf(out, "0x%llx:", LL(p));
}

/** Characters up to a zero, in quotes; how many they are. */
static struct err *put_string(struct str *out, uint64_t at, uint64_t *n)
{
    enum { MOST = 200 };
    char c = 1;
    struct err *e = NULL;
    str_put(out, "\t\"");
    for (*n = 0; *n < MOST && !(e = dbg_read(dbg_gang(dbg.focus), at + *n, &c, 1)) && c; ++*n) {
        if (c == '"' || c == '\\') str_printf(out, "\\%c", c);
        else if (c >= 32 && c < 127) str_put_char(out, c);
        else str_printf(out, c == '\n' ? "\\n" : "\\%03o", c & 255);
    }
    str_put(out, *n == MOST ? "\"...\n" : "\"\n");
    *n += !c;
    return *n ? err_free(e), NULL : e;
}

static struct err *show_strings(struct str *out, uint64_t count, uint64_t *at)
{
    struct err *e = NULL;
    for (uint64_t i = 0, n; i < count && !e; i++, *at += n) {
        struct str line = {0};
        put_address(&line, *at);
        e = put_string(&line, *at, &n);
        if (!e) str_put(out, str_text(&line));
        str_deinit(&line);
    }
    return e;
}

struct err *dbg_cmd_x(const char *args, struct str *out)
{
    static struct dbg_format f = {.letter = 'x', .size = 'w'};
    static uint64_t next;
    f.count = 1;
    struct err *e = dbg_need_stopped();
    if (!e) e = dbg_format_parse(&args, &f);
    if (e) return e;
    if (f.count > 65536) return err_new("That is too many: at most 65536 at a time.");
    if (!f.count) return NULL;
    if (f.letter == 'i') {
        const uint64_t count = f.count;
        f.letter = 'x';
        return *args && strcmp(args, "$pc")
                   ? err_new("Instructions are shown from where the work-item is: `x/4i`; "
                             "`disassemble` shows the function.")
                   : dbg_put_code(out, count);
    }
    uint64_t at = next;
    if (*args) {
        struct dbg_value v;
        e = dbg_eval(args, &dbg.arena, &v);
        if (e) return e;
        const struct dbg_type *t = dbg_strip(v.type);
        if (t->kind == BC_T_ARRAY || t->kind == BC_T_STRUCT ||
            (v.in_memory && t->kind != BC_T_POINTER && !dbg_is_integer(t)))
            at = v.address;
        else if (!(e = dbg_value_load(dbg_gang(dbg.focus), &v, &dbg.arena)))
            at = (uint64_t)dbg_as_int(v.type, v.bytes);
        if (e) return e;
    }
    if (f.letter == 's') {
        e = show_strings(out, f.count, &at);
        next = at;
        return e;
    }
    const struct dbg_type *t = unit_type(&f);
    if (f.letter == 'c') t = dbg_type_named("char", 4);
    const unsigned per_line = t->size == 1 ? 8 : t->size == 2 ? 8 : t->size == 4 ? 4 : 2;
    struct dbg_format show = {.letter = f.letter == 'x' || f.letter == 'a' ? 'z' : f.letter};
    for (uint64_t i = 0; i < f.count; i++, at += t->size) {
        struct dbg_value v = {.type = t};
        e = dbg_read(dbg_gang(dbg.focus), at, v.bytes, t->size);
        if (e) {
            if (i % per_line) str_put(out, "\n");
            return e;
        }
        if (i % per_line == 0) {
            if (i) str_put(out, "\n");
            put_address(out, at);
        }
        str_put(out, "\t");
        dbg_value_put(out, NULL, &v, &show);
    }
    str_put(out, "\n");
    next = at;
    return NULL;
}

// ---- what was shown, and the debugger's own variables
static void put_value(struct str *out, const char *name, const struct dbg_value *v)
{
    str_printf(out, "%s = ", name);
    dbg_value_put(out, focus_gang(), v, NULL);
    str_put(out, "\n");
}

struct err *dbg_show_names(struct str *out)
{
    for (size_t i = 0; i < dbg.names.len; i++)
        put_value(out, dbg.names.data[i].name, dbg.names.data[i].value);
    if (!dbg.names.len) str_put(out, "No debugger convenience variables now defined.\n");
    return NULL;
}

struct err *dbg_show_values(struct str *out)
{
    enum { LAST = 10 };
    for (size_t i = dbg.values.len < LAST ? 0 : dbg.values.len - LAST; i < dbg.values.len; i++) {
        char name[24];
        snprintf(name, sizeof name, "$%zu", i + 1);
        put_value(out, name, &dbg.values.data[i]);
    }
    if (!dbg.values.len) str_put(out, "No values were printed yet.\n");
    return NULL;
}

// ---- displays: "/x expr", numbered from 1; NULL is deleted
static void put_display(struct str *out, size_t i)
{
    const char *p = dbg.displays.data[i];
    struct dbg_format f = {0};
    struct dbg_value v;
    err_free(dbg_format_parse(&p, &f));
    struct err *e = dbg_eval(p, &dbg.arena, &v);
    if (e) { // not here
        err_free(e);
        return;
    }
    str_printf(out, "%zu: ", i + 1);
    if (f.letter) str_printf(out, "/%c ", f.letter);
    str_printf(out, "%s = ", p);
    dbg_value_put(out, dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL, &v, &f);
    str_put(out, "\n");
}

void dbg_displays_put(struct str *out)
{
    for (size_t i = 0; i < dbg.displays.len; i++)
        if (dbg.displays.data[i]) put_display(out, i);
}

struct err *dbg_cmd_display(const char *args, struct str *out)
{
    if (!*args) {
        dbg_displays_put(out);
        return NULL;
    }
    const char *p = args;
    struct dbg_format f = {0};
    struct err *e = dbg_format_parse(&p, &f);
    if (e) return e;
    if (dbg.state == DBG_STOPPED) {
        struct dbg_value v;
        e = dbg_eval(p, &dbg.arena, &v);
        if (e) return e;
    }
    vec_push(&dbg.displays, mem_strdup(args));
    put_display(out, dbg.displays.len - 1);
    return NULL;
}

static struct err *remove_display(unsigned n)
{
    if (n > dbg.displays.len || !dbg.displays.data[n - 1])
        return err_new("No display number %u.", n);
    free(dbg.displays.data[n - 1]);
    dbg.displays.data[n - 1] = NULL;
    return NULL;
}

struct err *dbg_cmd_undisplay(const char *args, struct str *out)
{
    for (size_t i = 0; !*args && i < dbg.displays.len; i++)
        free(dbg.displays.data[i]), dbg.displays.data[i] = NULL;
    return dbg_each_number(args, "display", remove_display);
}

// ---- what lies where
static const char *memory_of(const struct vm_object *o)
{
    static const char *const names[] = {
        [VM_OBJ_PRIVATE] = "private",   [VM_OBJ_LOCAL] = "local",
        [VM_OBJ_CONSTANT] = "constant", [VM_OBJ_PROGRAM] = "program-scope",
        [VM_OBJ_BUFFER] = "global",     [VM_OBJ_IMAGE] = "an image's"};
    return o->kind < sizeof names / sizeof *names && names[o->kind] ? names[o->kind] : NULL;
}

static struct err *put_place(struct str *out, uint64_t address)
{
    struct vm_gang *g = dbg_gang(dbg.focus);
    const struct vm_object *o = vm_object_of(g, address);
    const uint64_t id = address >> BC_PTR_ID_SHIFT;
    const char *memory = memory_of(o);
    if (!memory || id >= dbg.run->chk.nobjects)
        return err_new("Nothing of this launch lies at 0x%llx.", (unsigned long long)address);
    const char *name = dbg.run->chk.objects[id].name;
    const int64_t off = vm_offset_of(address);
    str_printf(out, "%s + %lld of %llu bytes, in %s memory",
               name ? name : "an object without a name", (long long)off,
               (unsigned long long)o->size, memory);
    str_put(out, off < 0 || (uint64_t)off >= o->size ? ": outside of it\n" : "\n");
    return NULL;
}

struct err *dbg_info_symbol(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_need_stopped();
    if (!e && !*args) e = err_new("Which address?  info symbol &t[3]");
    if (!e) e = dbg_eval(args, &dbg.arena, &v);
    if (!e && dbg_strip(v.type)->kind == BC_T_ARRAY && v.in_memory)
        return put_place(out, v.address);
    if (!e) e = dbg_value_load(dbg_gang(dbg.focus), &v, &dbg.arena);
    if (!e && dbg_strip(v.type)->kind != BC_T_POINTER && !dbg_is_integer(v.type))
        e = err_new("An address is expected: `info symbol &%s`.", args);
    return e ? e : put_place(out, (uint64_t)dbg_as_int(dbg_strip(v.type), v.bytes));
}

struct err *dbg_info_address(const char *args, struct str *out)
{
    struct dbg_value v;
    struct err *e = dbg_need_stopped();
    if (!e && !*args) e = err_new("Of which variable?");
    if (!e) e = dbg_eval(args, &dbg.arena, &v);
    if (!e && !v.in_memory) e = err_new("\"%s\" is not in memory.", args);
    if (e) return e;
    str_printf(out, "\"%s\" is at 0x%llx: ", args, (unsigned long long)v.address);
    return put_place(out, v.address);
}
