// SPDX-License-Identifier: MIT
// Macros without parameters, for expressions: what -D of the build options and `#define` lines of the source say.
#include "debug/expr_node.h"

#include "debug/session.h"

#include <ctype.h>
#include <string.h>

/** "-DNAME=VALUE", "-D NAME=VALUE", "-DNAME". */
static const char *of_options(const char *p, const char *name, size_t n, struct arena *a)
{
    const char *value = NULL;
    while ((p = strstr(p, "-D"))) {
        p += 2 + strspn(p + 2, " \t\"'");
        const size_t k = strcspn(p, " \t=\"'");
        if (k == n && !memcmp(p, name, n)) value = p[k] == '=' ? arena_printf(a, " %.*s", (int)strcspn(p + k + 1, " \t\"'"), p + k + 1) : " 1";
        p += k;
    }
    return value;
}

const char *dbg_macro(const struct bc_module *m, const char *name, size_t n, struct arena *a)
{
    const char *body = NULL;
    for (size_t i = 0; i < dbg.modules.len && !body; i++)
        if (dbg.modules.data[i].m == m) body = of_options(dbg.modules.data[i].options, name, n, a);
    for (uint32_t f = 0; !body && f < m->nfiles; f++) {
        size_t len;
        const char *line;
        for (uint32_t k = 1; (line = dbg_source_line(m, f, k, &len)); k++) {
            const char *const end = line + len, *p = line;
            while (p < end && isblank((unsigned char)*p)) p++;
            if (p == end || *p++ != '#') continue;
            while (p < end && isblank((unsigned char)*p)) p++;
            if (end - p < 8 || memcmp(p, "define", 6) || !isblank((unsigned char)p[6])) continue;
            for (p += 6; p < end && isblank((unsigned char)*p);) p++;
            if ((size_t)(end - p) <= n || memcmp(p, name, n) || !isblank((unsigned char)p[n])) continue;
            const char *last = end;
            for (const char *c = p + n; c + 1 < end; c++)
                if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) last = c < last ? c : last;
            body = arena_printf(a, "%.*s", (int)(last - p - (ptrdiff_t)n), p + n);
        }
    }
    return body && body[strspn(body, " \t\r\\")] ? body : NULL;
}
