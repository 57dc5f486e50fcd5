// SPDX-License-Identifier: MIT
// Parts of a command line: words, numbers, formats, expressions.
#include "debug/commands/command_text.h"

#include "debug/breakpoints/breakpoint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t dbg_word(const char *p) { return strcspn(p, " \t"); }

bool dbg_word_is(const char *p, const char *word)
{
    const size_t n = dbg_word(p);
    return n && n <= strlen(word) && !strncmp(p, word, n);
}

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

struct err *dbg_each_number(const char *p, const char *what, struct err *(*fn)(unsigned n))
{
    struct err *e = NULL;
    while (*p && !e) {
        char *end;
        if (!strncmp(p, "$bpnum", 6) && (!p[6] || isspace((unsigned char)p[6]))) { // the last one
            if ((e = fn(dbg_breaks.last_number))) return e;
            p += 6 + strspn(p + 6, " \t");
            continue;
        }
        const unsigned long from = strtoul(p, &end, 10),
                            to = end != p && *end == '-' ? strtoul(end + 1, &end, 10) : from;
        if (end == p || !isdigit((unsigned char)*p) ||
            (*end && !isspace((unsigned char)*end) && *end != ','))
            return err_new("Bad %s number '%.*s'", what, (int)dbg_word(p), p);
        if (!from || to < from || to - from > 1000000)
            return err_new("Bad %s number or range '%.*s'", what, (int)dbg_word(p), p);
        unsigned done = 0;
        for (unsigned long n = from; n <= to && (!e || from < to);
             n++) { // the existing ones of a range count
            err_free(e);
            e = fn((unsigned)n);
            done += !e;
        }
        if (done) err_free(e), e = NULL;
        p = end + strspn(end, " \t,");
    }
    return e;
}

size_t dbg_expression_length(const char *p)
{
    size_t n = 0;
    for (int depth = 0; p[n] && (p[n] != ',' || depth); n++) {
        if (strchr("([{", p[n])) depth++;
        if (strchr(")]}", p[n]) && depth) depth--;
        if (p[n] != '"' && p[n] != '\'') continue;
        const char quote = p[n];
        while (p[n + 1] && p[n + 1] != quote) n += p[n + 1] == '\\' && p[n + 2] ? 2 : 1;
        n += p[n + 1] != 0;
    }
    return n;
}

// ---- commands that do not exist here
/** At least three letters, after the dash of "info-registers". */
struct err *dbg_unsupported(const char *name, size_t n)
{
    static const struct {
        const char *names, *text;
    } rows[] = {
#define UNSUPPORTED(names, text) {names, text},
#include "debug/commands/unsupported.def"
#undef UNSUPPORTED
    };
    const bool of_another = !strncmp(name, "info-", 5) || !strncmp(name, "show-", 5) ||
                            !strncmp(name, "set-", 4);
    const size_t enough = of_another ? strcspn(name, "-") + 4 : 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *a = rows[i].names; *a; a += strspn(a, " ")) {
            const size_t k = strcspn(a, " ");
            if (!memcmp(a, name, n < k ? n : k) && (n == k || (n < k && n >= enough)))
                return err_new("%s", rows[i].text);
            a += k;
        }
    return NULL;
}

struct err *dbg_unsupported_after(const char *command, const char *args)
{
    struct str whole = {0};
    str_printf(&whole, "%s-%.*s", command, (int)dbg_word(args), args);
    struct err *e = dbg_unsupported(str_text(&whole), whole.len);
    str_deinit(&whole);
    return e;
}
