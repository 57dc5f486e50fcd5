// SPDX-License-Identifier: MIT
// Commands that write text: echo, output, printf.
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/** Reads an escape sequence; *p is after the backslash, and moves past the sequence. */
static char escape(const char **p)
{
    static const char from[] = "ntrabef\\\"'", to[] = "\n\t\r\a\b\033\f\\\"'";
    const char c = *(*p)++;
    const char *at = c ? strchr(from, c) : NULL;
    if (at) return to[at - from];
    if (c < '0' || c > '7') return c;
    int v = c - '0';
    for (int k = 0; k < 2 && **p >= '0' && **p <= '7'; k++) v = 8 * v + *(*p)++ - '0';
    return (char)v;
}

COMMAND(echo, HELP, "echo", "", 0, "TEXT", "Print text; \\n is a newline.")
{
    while (*args) {
        if (*args != '\\' || !args[1]) str_put_char(out, *args++);
        else args++, str_put_char(out, escape(&args));
    }
    return NULL;
}

COMMAND(output, DATA, "output", "", 0, "[/FORMAT] EXPRESSION",
        "Print a value without a history number and without a newline.")
{
    struct dbg_format f = {0};
    struct dbg_value v;
    struct err *e = dbg_format_parse(&args, &f);
    if (!e && !*args) e = err_new("Argument required (expression to compute).");
    if (!e) e = dbg_eval(args, &dbg.arena, &v);
    if (!e) dbg_value_put(out, dbg_focus_gang(), &v, &f);
    return e;
}

/** Reads up to the closing quote; *p moves past it. */
static struct err *quoted(const char **p, struct str *to)
{
    for (++*p; **p && **p != '"';) {
        if (**p != '\\') str_put_char(to, *(*p)++);
        else if (++*p, **p) str_put_char(to, escape(p));
    }
    if (**p != '"') return err_new("The string has no end: a '\"' is missing.");
    ++*p;
    return NULL;
}

/** Appends characters up to a NUL. */
static struct err *put_string(struct vm_gang *g, uint64_t address, uint64_t most, struct str *to)
{
    char c = 1;
    struct err *e = NULL;
    for (uint64_t i = 0; i < most && !e && !(e = dbg_read(g, address + i, &c, 1)) && c; i++)
        str_put_char(to, c);
    return e;
}

struct argument {
    bool is_text;
    struct str text;
    struct dbg_value v;
};

static struct err *read_argument(const char **p, struct argument *a)
{
    struct vm_gang *g = dbg_focus_gang();
    *p += strspn(*p, " \t");
    if (**p == '"') {
        a->is_text = true;
        return quoted(p, &a->text);
    }
    const size_t n = dbg_expression_length(*p);
    char *own = strndup(*p, n);
    *p += n;
    struct err *e = dbg_eval(own, &dbg.arena, &a->v);
    free(own);
    if (e) return e;
    const struct dbg_type *t = dbg_strip(a->v.type),
                          *of = t->kind == BC_T_ARRAY || t->kind == BC_T_POINTER
                                    ? dbg_strip(t->base)
                                    : NULL;
    if (of && (of->kind == BC_T_INT || of->kind == BC_T_UINT) && of->size == 1 && g &&
        (t->kind == BC_T_POINTER || a->v.in_memory)) {
        e = t->kind == BC_T_POINTER ? dbg_value_load(g, &a->v, &dbg.arena) : NULL;
        const uint64_t at = t->kind == BC_T_ARRAY ? a->v.address
                                                  : (uint64_t)dbg_as_int(t, a->v.bytes);
        return e ? e : put_string(g, at, t->kind == BC_T_ARRAY ? t->count : 65536, &a->text);
    }
    dbg_value_put(&a->text, g, &a->v, NULL);
    return t->kind == BC_T_ARRAY || t->kind == BC_T_STRUCT || t->kind == BC_T_UNION
               ? NULL
               : dbg_value_load(g, &a->v, &dbg.arena);
}

/** One conversion: "%" flags width letter. A length (`l`, `hh`) is ignored. */
static struct err *convert(const char **f, const struct argument *a, struct str *out)
{
    char spec[40] = "%";
    size_t n = 1;
    unsigned number = 0; // a width or precision
    while (strchr("-+ #0123456789.", **f) && **f && n < 24) {
        number = **f >= '0' && **f <= '9' ? number * 10 + (unsigned)(**f - '0') : 0;
        if (number > 4095) return err_new("A width or precision in printf is at most 4095.");
        spec[n++] = *(*f)++;
    }
    while (**f && strchr("hlLjzt", **f)) ++*f;
    const char letter = **f ? *(*f)++ : 0;
    if (!letter || !strchr("diouxXcsfFeEgGaAp", letter))
        return err_new("Unrecognized format specifier '%%%c' in printf", letter ? letter : ' ');
    if (letter == 's') {
        snprintf(spec + n, sizeof spec - n, "s");
    } else if (a->is_text ||
               !(dbg_is_number(a->v.type) || dbg_strip(a->v.type)->kind == BC_T_POINTER)) {
        return err_new("%%%c needs a number.", letter);
    } else if (letter == 'c') {
        snprintf(spec + n, sizeof spec - n, "c");
    } else {
        snprintf(spec + n, sizeof spec - n, "%s%c", strchr("diouxXp", letter) ? "ll" : "",
                 letter == 'p' ? 'x' : letter);
    }
    if (letter == 'p') str_put(out, "0x");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (letter == 's') str_printf(out, spec, str_text(&a->text));
    else if (letter == 'c') str_printf(out, spec, (int)dbg_as_int(a->v.type, a->v.bytes));
    else if (strchr("diouxXp", letter))
        str_printf(out, spec, (long long)dbg_as_int(a->v.type, a->v.bytes));
    else str_printf(out, spec, dbg_as_float(a->v.type, a->v.bytes));
#pragma GCC diagnostic pop
    return NULL;
}

COMMAND(printf, DATA, "printf", "", 0, "\"FORMAT\", EXPRESSION, …",
        "Print formatted text as C's printf does: %d %u %x %o %c %f %g %e %a %p. %s takes a "
        "string, or any value as print shows it.")
{
    struct str format = {0}, text = {0};
    if (*args != '"') return err_new("A format in quotes is expected: printf \"i is %%d\\n\", i");
    struct err *e = quoted(&args, &format);
    const char *f = str_text(&format);
    while (*f && !e) {
        if (*f != '%' || f[1] == '%') {
            f += *f == '%';
            str_put_char(&text, *f++);
            continue;
        }
        struct argument a = {0};
        args += strspn(args, " \t");
        if (*args != ',') e = err_new("Bad format string, missing an argument for \"%%%c\".", f[1]);
        else args++, e = read_argument(&args, &a);
        f++;
        if (!e) e = convert(&f, &a, &text);
        str_deinit(&a.text);
    }
    args += strspn(args, " \t");
    if (!e && *args) e = err_new("The format takes fewer arguments: near `%s'.", args);
    if (!e) str_put(out, str_text(&text));
    str_deinit(&format);
    str_deinit(&text);
    return e;
}
