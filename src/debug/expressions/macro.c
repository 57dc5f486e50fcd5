// SPDX-License-Identifier: MIT
// Names in expressions other than variables: macros of the build options (-D) and of `#define`
// lines, samplers of the program (which the compiler inlines), and constants of OpenCL C.
#include "debug/expressions/expr_node.h"
#include "debug/session/programs.h"

#include <ctype.h>
#include <string.h>

/** "-DNAME=VALUE", "-D NAME=VALUE", "-DNAME". */
static const char *of_options(const char *p, const char *name, size_t n, struct arena *a)
{
    const char *value = NULL;
    while ((p = strstr(p, "-D"))) {
        p += 2 + strspn(p + 2, " \t\"'");
        const size_t k = strcspn(p, " \t=\"'");
        if (k == n && !memcmp(p, name, n))
            value = p[k] == '='
                        ? arena_printf(a, " %.*s", (int)strcspn(p + k + 1, " \t\"'"), p + k + 1)
                        : " 1";
        p += k;
    }
    return value;
}

static const char *blanks(const char *p, const char *end)
{
    while (p < end && isblank((unsigned char)*p)) p++;
    return p;
}

/** The text after the word `what` and blanks; NULL: the line has a different word. */
static const char *after_word(const char *p, const char *end, const char *what, size_t n)
{
    p = blanks(p, end);
    if ((size_t)(end - p) < n || memcmp(p, what, n) ||
        (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_')))
        return NULL;
    return blanks(p + n, end);
}

/** `#define NAME BODY`: the body, up to a comment. */
static const char *of_define(const char *p, const char *end, const char *name, size_t n,
                             struct arena *a)
{
    p = blanks(p, end);
    if (p == end || *p != '#' || !(p = after_word(p + 1, end, "define", 6)) ||
        !(p = after_word(p, end, name, n)) || !isblank((unsigned char)p[-1]))
        return NULL;
    const char *last = end;
    for (const char *c = p; c + 1 < end; c++)
        if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) last = c < last ? c : last;
    return arena_printf(a, "%.*s", (int)(last - p), p);
}

/** `… sampler_t NAME = BODY;` */
static const char *of_sampler(const char *p, const char *end, const char *name, size_t n,
                              struct arena *a)
{
    const char *at = memmem(p, (size_t)(end - p), "sampler_t", 9), *last;
    if (!at || !(at = after_word(at, end, "sampler_t", 9)) ||
        !(at = after_word(at, end, name, n)) || at == end || *at != '=')
        return NULL;
    at++;
    last = memchr(at, ';', (size_t)(end - at));
    return last ? arena_printf(a, "%.*s", (int)(last - at), at) : NULL;
}

/** Constants of OpenCL C. */
static const char *of_language(const char *name, size_t n)
{
    static const struct {
        const char *name, *text;
    } all[] = {
#define CONSTANT(name, text) {#name, text},
#define MATH(name, digits)   {"M_" #name, digits}, {"M_" #name "_F", digits "f"},
#include "debug/expressions/constants.def"
#undef CONSTANT
#undef MATH
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i].name) == n && !memcmp(all[i].name, name, n)) return all[i].text;
    return NULL;
}

const char *dbg_macro(const struct bc_module *m, const char *name, size_t n, struct arena *a)
{
    const char *body = NULL;
    const struct dbg_module *own = dbg_module_of(m);
    if (own) body = of_options(own->options, name, n, a);
    for (uint32_t f = 0; m && !body && f < m->nfiles; f++) {
        size_t len;
        const char *line;
        for (uint32_t k = 1; !body && (line = dbg_source_line(m, f, k, &len)); k++) {
            body = of_define(line, line + len, name, n, a);
            if (!body) body = of_sampler(line, line + len, name, n, a);
        }
    }
    if (!body) body = of_language(name, n);
    return body && body[strspn(body, " \t\r\\")] ? body : NULL;
}
