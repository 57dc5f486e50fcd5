// SPDX-License-Identifier: MIT
// What was found: `info findings`, and `explain`, which goes to where it was done.
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_info_findings(const char *args, struct str *out)
{
    if (!dbg.findings.len) str_put(out, "Nothing was found so far.\n");
    for (size_t i = 0; i < dbg.findings.len; i++) {
        const char *text = dbg.findings.data[i].text;
        str_printf(out, "%zu: %.*s\n", i + 1, (int)strcspn(text, "\n"), text);
        text += strcspn(text, "\n");
        for (unsigned k = 0; k < dbg.findings.data[i].nsides && *text; k++) {
            text++;
            const size_t n = strcspn(text, "\n");
            str_printf(out, "   %.*s\n", (int)n, text);
            text += n;
        }
    }
    return NULL;
}

struct err *dbg_cmd_explain(const char *args, struct str *out)
{
    if (!dbg.findings.len) return err_new("Nothing was found yet.");
    char *end;
    unsigned long n = strtoul(args, &end, 10), side = 0;
    if (end == args) n = dbg.findings.len;
    else {
        end += strspn(end, " \t");
        side = strtoul(end, NULL, 10);
    }
    if (!n || n > dbg.findings.len) return err_new("There are %zu findings.", dbg.findings.len);
    const struct dbg_found *f = &dbg.findings.data[n - 1];
    if (!side) {
        str_printf(out, "Finding %lu: %s", n, f->text);
        if (f->nsides > 1) str_printf(out, "`explain %lu 1` and `explain %lu 2` go to the work-item of either side.\n", n, n);
        return NULL;
    }
    if (side > f->nsides || !f->sides[side - 1].known) return err_new("The finding has no side %lu with a work-item.", side);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    const struct rep_item *x = &f->sides[side - 1];
    const uint64_t group = x->group[0] + dbg.run->grid[0] * (x->group[1] + dbg.run->grid[1] * x->group[2]);
    if (group != dbg.group_number) return err_new("That work-item's group, (%llu,%llu,%llu), does not run now.", LL(x->group[0]), LL(x->group[1]), LL(x->group[2]));
    dbg.goal = (struct dbg_goal){.kind = DBG_REVERSE_TO_LINE, .count = 1, .line = f->lines[side - 1],
                                 .item = (uint32_t)(x->local[0] + dbg.grp->shape[0] * (x->local[1] + dbg.grp->shape[1] * x->local[2]))};
    dbg.resume = true; // back to where it did that last
    return NULL;
}
