// SPDX-License-Identifier: MIT
// `why`: where a value comes from.
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/history/history.h"
#include "debug/history/why_tree.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

struct err *dbg_ask(void (*query)(struct vm_group *grp, struct str *out))
{
    if (dbg_history.off)
        return err_new("This launch has no history: its work-groups wait for each other.");
    if (dbg.resume) return err_new("Only one question about the past can be asked at a time.");
    dbg_goal = (struct dbg_goal){.kind = DBG_QUERY, .query = query};
    dbg.resume = true;
    return NULL;
}

COMMAND(
    why, DATA, "why", "", 0, "[/DEPTH] EXPR | N",
    "Show how a variable or element got its value. The answer is a tree of the write, the values "
    "that it was computed from, and the branches that led there, each with its source line and "
    "work-item, over barriers and in other work-items. The tree ends at values of the host. EXPR "
    "must be in memory. [+] marks lines with further causes; `why N` shows those of #N, also in "
    "earlier launches, which run again for that. DEPTH levels are shown (default 3).")
{
    struct dbg_format f = {.count = DBG_WHY_DEPTH};
    struct dbg_value v;
    char *end;
    struct err *e = dbg_need_stopped();
    if (!e) e = dbg_format_parse(&args, &f);
    if (e) return e;
    if (f.letter || f.size) return err_new("why: a number is expected after the slash.");
    if (!f.count || f.count > DBG_WHY_MOST_DEPTH)
        return err_new("why: the depth is a number from 1 to %d.", DBG_WHY_MOST_DEPTH);
    if (!*args) return err_new("Of which value?  `why out[17]`");
    const char *digits = *args == '#' ? args + 1 : args;
    const unsigned long long n = strtoull(digits, &end, 10);
    if (end != digits && !*end) {
        e = dbg_why_number(n, (unsigned)f.count);
        return e ? e : dbg_ask(dbg_why_answer);
    }
    e = dbg_eval(args, &dbg.arena, &v);
    if (!e && (!v.in_memory || v.ncomp || v.bits))
        e = err_new("why: \"%s\" is not in memory; a variable, an element or a member is expected.",
                    args);
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    uint8_t byte;
    if (!dbg_strip(v.type)->size) return err_new("why: \"%s\" has no size.", args);
    e = dbg_read(g, v.address + dbg_strip(v.type)->size - 1, &byte, 1);
    if (!e) e = dbg_read(g, v.address, &byte, 1);
    if (e) return e;
    dbg_why_value(&v, (unsigned)f.count);
    return dbg_ask(dbg_why_answer);
}
