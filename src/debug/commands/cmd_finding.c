// SPDX-License-Identifier: MIT
// Findings: `info findings`, and `explain`, which goes to the access.
#include "debug/commands/command.h"
#include "debug/history/history.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct err *dbg_info_findings(const char *args, struct str *out)
{
    if (!dbg_findings.all.len) str_put(out, "Nothing was found so far.\n");
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        const char *text = dbg_findings.all.data[i].text;
        str_printf(out, "%zu: %.*s\n", i + 1, (int)strcspn(text, "\n"), text);
        text += strcspn(text, "\n");
        for (unsigned k = 0; k < dbg_findings.all.data[i].nsides && *text; k++) {
            text++;
            const size_t n = strcspn(text, "\n");
            str_printf(out, "   %.*s\n", (int)n, text);
            text += n;
        }
    }
    return NULL;
}

COMMAND(explain, DATA, "explain", "", 0, "[NUMBER] [1 | 2]",
        "Show a finding of `info findings`. With a side, go to the work-item and line of that "
        "access, in this work-group or an earlier one of the same launch.")
{
    if (!dbg_findings.all.len) return err_new("Nothing was found yet.");
    char *end;
    unsigned long n = strtoul(args, &end, 10), side = 0;
    if (end == args) n = dbg_findings.all.len;
    else {
        end += strspn(end, " \t");
        side = strtoul(end, NULL, 10);
    }
    if (!n || n > dbg_findings.all.len)
        return err_new("There %s %zu finding%s.", dbg_findings.all.len == 1 ? "is" : "are",
                       dbg_findings.all.len, dbg_findings.all.len == 1 ? "" : "s");
    const struct dbg_found *f = &dbg_findings.all.data[n - 1];
    if (!side) {
        str_printf(out, "Finding %lu: %s", n, f->text);
        if (f->nsides > 1 && !dbg_client.idle)
            str_printf(out,
                       "`explain %lu 1` and `explain %lu 2` go to the work-item of either side.\n",
                       n, n);
        return NULL;
    }
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (side > f->nsides || !f->sides[side - 1].known)
        return err_new("The finding has no side %lu with a work-item.", side);
    const struct rep_item *x = &f->sides[side - 1];
    if (f->launch != dbg_launch.run->chk.number)
        return err_new(
            "That was in launch %llu, which is over; `run` and `until launch %llu` go there again.",
            LL(f->launch), LL(f->launch));
    const uint64_t group = x->group[0] + dbg_launch.run->grid[0] *
                                             (x->group[1] + dbg_launch.run->grid[1] * x->group[2]);
    size_t at;
    if (!dbg_history_find(group, &at))
        return err_new(
            dbg_history.off
                ? "This launch has no history: its work-groups wait for each other."
                : "Work-group (%llu,%llu,%llu) of that work-item is no longer kept; `set "
                  "history-size` before the launch keeps more.",
            LL(x->group[0]), LL(x->group[1]), LL(x->group[2]));
    uint64_t shape[3]; // the last groups may be smaller
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t left = dbg_launch.run->l->global[k] -
                              x->group[k] * dbg_launch.run->l->local[k];
        shape[k] = left < dbg_launch.run->l->local[k] ? left : dbg_launch.run->l->local[k];
    }
    dbg_goal = (struct dbg_goal){
        .kind = DBG_REVERSE_TO_LINE,
        .count = 1,
        .line = f->lines[side - 1],
        .group = at,
        .before = group == f->group ? f->time : UINT64_MAX,
        .item = (uint32_t)(x->local[0] + shape[0] * (x->local[1] + shape[1] * x->local[2]))};
    dbg.resume = true; // to its last access there
    return NULL;
}
