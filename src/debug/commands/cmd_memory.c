// SPDX-License-Identifier: MIT
// Commands that show memory: `x`, `info symbol`, `info address`.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

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
    const char *name =
        id && id < dbg_launch.run->chk.nobjects ? dbg_launch.run->chk.objects[id].name : NULL;
    if (name) str_printf(out, "<%s+%lld>:", name, (long long)vm_offset_of(p));
    else str_printf(out, "0x%llx:", LL(p));
}

/** Characters up to a NUL, in quotes, and their number. */
static struct err *put_string(struct str *out, uint64_t at, uint64_t *n)
{
    enum { MOST = 200 };
    char c = 1;
    struct err *e = NULL;
    str_put(out, "\t\"");
    for (*n = 0; *n < MOST && !(e = dbg_read(dbg_gang(dbg_focus.item), at + *n, &c, 1)) && c;
         ++*n) {
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

struct dbg_examined dbg_examined;

COMMAND(x, DATA, "x", "", AGAIN, "[/NFU] ADDRESS",
        "Examine memory: N units in format F (as of print; s: strings) and of size U: b 1 byte, h "
        "2, w 4, g 8. An empty line continues. Format i shows instructions of the bytecode from "
        "the current one.")
{
    static struct dbg_format f = {.letter = 'x', .size = 'w'};
    static uint64_t next;
    f.count = 1;
    dbg_examined.type = NULL;
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
        else if (!(e = dbg_value_load(dbg_gang(dbg_focus.item), &v, &dbg.arena)))
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
    const struct dbg_format show = {.letter = f.letter == 'x' || f.letter == 'a' ? 'z' : f.letter};
    for (uint64_t i = 0; i < f.count; i++, at += t->size) {
        struct vm_gang *g = dbg_gang(dbg_focus.item);
        const struct dbg_value v = dbg_value_at(t, at);
        uint8_t bytes[8];
        e = dbg_read(g, at, bytes, t->size);
        if (e) {
            if (i % per_line) str_put(out, "\n");
            return e;
        }
        if (i % per_line == 0) {
            if (i) str_put(out, "\n");
            put_address(out, at);
        }
        str_put(out, "\t");
        dbg_value_put(out, g, &v, &show); // like print: uninitialized bytes are not shown
    }
    str_put(out, "\n");
    dbg_examined = (struct dbg_examined){t, at - f.count * t->size, f.count, show};
    next = at;
    return NULL;
}

// ---- objects and addresses
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
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    const struct vm_object *o = vm_object_of(g, address);
    const uint64_t id = address >> BC_PTR_ID_SHIFT;
    const char *memory = memory_of(o);
    if (!memory || id >= dbg_launch.run->chk.nobjects)
        return err_new("No object of this launch is at 0x%llx.", (unsigned long long)address);
    const char *name = dbg_launch.run->chk.objects[id].name;
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
    if (!e) e = dbg_value_load(dbg_gang(dbg_focus.item), &v, &dbg.arena);
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
