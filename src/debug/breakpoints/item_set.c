// SPDX-License-Identifier: MIT
#include "debug/breakpoints/item_set.h"

#include "debug/session/focus.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_items_parse(const char *text, const char **end, struct dbg_items *out)
{
    const char *p = text;
    *out = (struct dbg_items){.given = true, .to = {UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const bool paren = *p == '(';
    p += paren;
    for (unsigned k = 0; k < 3; k++) {
        p += strspn(p, " \t");
        if (*p == '*') {
            p++;
        } else if (isdigit((unsigned char)*p)) {
            char *next;
            out->from[k] = out->to[k] = strtoull(p, &next, 0);
            p = next;
            if (!strncmp(p, "..", 2)) {
                p += 2;
                if (!isdigit((unsigned char)*p))
                    return err_new("A range of work-items ends with a number: `0..3`.");
                out->to[k] = strtoull(p, &next, 0);
                p = next;
            }
        } else {
            return err_new("Work-items are named by global id, such as `(0..3,*)`; near `%s'.", p);
        }
        p += strspn(p, " \t");
        if (*p != ',' || !paren) break;
        p++;
    }
    if (paren && *p++ != ')') return err_new("A set of work-items ends with ')'.");
    *end = p;
    return NULL;
}

void dbg_items_put(struct str *out, const struct dbg_items *s)
{
    for (int k = 0; k < 3; k++) {
        str_put(out, k ? "," : "(");
        if (s->to[k] == UINT64_MAX) str_put(out, "*");
        else if (s->to[k] == s->from[k]) str_printf(out, "%llu", LL(s->from[k]));
        else str_printf(out, "%llu..%llu", LL(s->from[k]), LL(s->to[k]));
    }
    str_put(out, ")");
}

bool dbg_items_contain(const struct dbg_items *s, uint64_t group, uint32_t item)
{
    if (!s->given) return true;
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(group, item, l, g, w);
    for (int k = 0; k < 3; k++)
        if (w[k] < s->from[k] || w[k] > s->to[k]) return false;
    return true;
}
