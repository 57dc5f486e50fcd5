// SPDX-License-Identifier: MIT
// Commands that run the kernel.
#include "base/mem.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/execution/finish_value.h"
#include "debug/session/frames.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- going on
static void go(struct dbg_goal goal)
{
    dbg_goal = goal;
    dbg.resume = true;
}

static struct err *count_of(const char *args, uint64_t *n)
{
    *n = 1;
    if (!*args) return NULL;
    char *end;
    *n = strtoull(args, &end, 0);
    if (!isdigit((unsigned char)*args) || *end || !*n)
        return err_new("A count is expected, not \"%s\".", args);
    return NULL;
}

COMMAND(run, RUNNING, "run", "r", BEGINS, "",
        "Start the program. Breakpoints stop it; without any it runs to its end or to the first "
        "finding. If the program is running or has ended, `run` starts it again with the same "
        "breakpoints, displays and settings.")
{
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

COMMAND(start, RUNNING, "start", "", BEGINS, "",
        "Start the program and stop at the first line of the first kernel.")
{
    go((struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = 1});
    return NULL;
}

COMMAND(continue, RUNNING, "continue", "c fg", AGAIN, "[N]",
        "Continue to the next stop. N ignores the current breakpoint N-1 times.")
{
    uint64_t n;
    struct err *e = count_of(args, &n);
    if (!e && (dbg.state != DBG_BEGINNING || dbg_client.idle)) e = dbg_need_stopped();
    if (e) return e;
    const struct bc_insn *insn = dbg.state == DBG_STOPPED ? dbg_next_insn(dbg_gang(dbg_focus.item))
                                                          : NULL;
    for (size_t i = 0; n > 1 && i < dbg_breaks.list.len; i++)
        for (size_t k = 0; k < dbg_breaks.list.data[i]->at.len; k++)
            if (dbg_breaks.list.data[i]->at.data[k].insn == insn) {
                dbg_breaks.list.data[i]->ignore = n - 1;
                str_printf(out, "Will ignore next %llu crossings of breakpoint %u.  Continuing.\n",
                           (unsigned long long)n - 1, dbg_breaks.list.data[i]->number);
                n = 1;
                break;
            }
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

/** Sets a goal for the focused work-item, if it can run. */
static struct err *goal_from_here(enum dbg_goal_kind kind, uint64_t count, struct dbg_goal *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    const struct bc_insn *insn = dbg_next_insn(g);
    if (!insn)
        return err_new(
            "The work-item has returned; `workitem` chooses another, `continue` goes on.");
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_loc *l = &g->code->module->locs[f[0].loc];
    *out = (struct dbg_goal){.kind = kind,
                             .count = count,
                             .item = dbg_focus.item,
                             .depth = n,
                             .file = l->file,
                             .line = l->line,
                             .inlined_at = l->inlined_at};
    dbg_item_order.prefer = dbg_focus.item;
    return NULL;
}

static struct err *step(const char *args, enum dbg_goal_kind kind, bool over)
{
    uint64_t n;
    struct dbg_goal goal;
    struct err *e = count_of(args, &n);
    if (!e) e = goal_from_here(kind, n, &goal);
    goal.over = over;
    if (!e) go(goal);
    return e;
}
struct err *dbg_step_into(uint32_t call)
{
    struct dbg_goal goal;
    struct err *e = goal_from_here(DBG_STEP, 1, &goal);
    goal.call = call;
    if (!e) go(goal);
    return e;
}

COMMAND(
    step, RUNNING, "step", "s", AGAIN, "[N]",
    "Step until a different source line is reached, into called functions. Only the focused "
    "work-item moves. At a barrier the other work-items of its group run up to the barrier first.")
{
    return step(args, DBG_STEP, false);
}
COMMAND(next, RUNNING, "next", "n", AGAIN, "[N]",
        "Step until a different source line is reached, over called functions.")
{
    return step(args, DBG_NEXT, false);
}
COMMAND(stepi, RUNNING, "stepi", "si", AGAIN, "[N]",
        "Step one instruction of the bytecode (see `disassemble`).")
{
    return step(args, DBG_STEPI, false);
}
COMMAND(nexti, RUNNING, "nexti", "ni", AGAIN, "[N]",
        "Step one instruction of the bytecode, over called functions.")
{
    return step(args, DBG_STEPI, true);
}

COMMAND(finish, RUNNING, "finish", "fin", AGAIN, "",
        "Run until the current function returns to its caller.")
{
    struct dbg_goal goal;
    struct err *e = goal_from_here(DBG_FINISH, 1, &goal);
    if (e) return e;
    if (goal.depth <= dbg_focus.frame + 1)
        return err_new("\"finish\" not meaningful in the outermost frame.");
    goal.depth -= dbg_focus.frame;
    dbg_finish_value_await(dbg_gang(dbg_focus.item), dbg_focus.frame);
    str_put(out, "Run till exit from ");
    dbg_show_frame(out, dbg_focus.frame, true);
    go(goal);
    return NULL;
}

struct err *dbg_run_to_end(void)
{
    struct dbg_goal goal;
    struct err *e = goal_from_here(DBG_FINISH, 1, &goal);
    if (e) return e;
    goal.depth = 1; // there is no outer frame: stops when the work-item has returned
    go(goal);
    return NULL;
}

/** Reads up to three numbers separated by blanks or commas, to the end of the text. */
static struct err *numbers(const char *p, uint64_t out[3], unsigned *n)
{
    *n = 0;
    p += strspn(p, " \t(");
    while (*p && *p != ')') {
        char *end;
        if (!isdigit((unsigned char)*p) || *n == 3)
            return err_new("Up to three numbers are expected; near `%s'.", p);
        out[(*n)++] = strtoull(p, &end, 0);
        p = end + strspn(end, " \t,");
    }
    return NULL;
}

static struct err *until_group(const char *args)
{
    uint64_t g[3] = {0};
    unsigned n;
    struct err *e = numbers(args, g, &n);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    const uint64_t *grid = dbg_launch.run->grid;
    if (!n) return err_new("Which work-group?  `until workgroup 3`");
    for (int k = 0; k < 3; k++)
        if (g[k] >= grid[k])
            return err_new("There is no such work-group: there are (%llu,%llu,%llu).",
                           (unsigned long long)grid[0], (unsigned long long)grid[1],
                           (unsigned long long)grid[2]);
    const uint64_t linear = g[0] + grid[0] * (g[1] + grid[1] * g[2]);
    if (linear == dbg_focus.group_number) return err_new("That work-group is running now.");
    if (linear < dbg_focus.group_number) return err_new("That work-group has run already.");
    go((struct dbg_goal){.kind = DBG_TO_GROUP, .group = linear});
    return NULL;
}

static struct err *until_launch(const char *args)
{
    args += strspn(args, " \t");
    char *end;
    const uint64_t n = strtoull(args, &end, 10);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    if (*args && (end == args || *end))
        return err_new("A launch's number is expected, not \"%s\".", args);
    if (*args && n <= dbg_launch.count)
        return err_new("Launch %llu has begun already.", (unsigned long long)n);
    go((struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = *args ? n - dbg_launch.count : 1});
    return NULL;
}

COMMAND(
    until, RUNNING, "until", "u advance", AGAIN,
    "[LINE | FUNCTION | FILE:LINE | workgroup G[,H[,I]] | launch [N]]",
    "Run until a source line after the current one is reached, for example to leave a loop. With a "
    "location, run to it in the focused work-item. `until workgroup` runs to the beginning of a "
    "work-group that has not run yet, `until launch` to the next kernel launch or to launch N.")
{
    if (dbg_word_is(args, "workgroup") && dbg_word(args) > 4)
        return until_group(args + dbg_word(args));
    if (dbg_word_is(args, "launch") && dbg_word(args) > 2)
        return until_launch(args + dbg_word(args));
    if (!*args) return step("", DBG_UNTIL, false);
    struct err *e = dbg_need_stopped();
    if (e) return e;
    struct dbg_break *b = dbg_break_add(dbg_break_kind_of(args), args);
    dbg_breaks.last_number--;
    b->number = 0;
    b->temporary = true;
    if (!b->at.len) {
        dbg_break_remove(b);
        return err_new("There is no such location: \"%s\".", args);
    }
    uint64_t l[3], w[3], g[3];
    dbg_item_ids(dbg_focus.group_number, dbg_focus.item, l, w, g);
    b->items.given = true;
    for (int k = 0; k < 3; k++) b->items.from[k] = b->items.to[k] = g[k];
    go((struct dbg_goal){.kind = DBG_GO});
    return NULL;
}

// ---- backwards
static struct err *back(const char *args, enum dbg_goal_kind kind)
{
    uint64_t n;
    struct err *e = count_of(args, &n);
    if (!e) e = dbg_need_stopped();
    if (e) return e;
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned depth = dbg_frames(dbg_gang(dbg_focus.item), f);
    if (kind == DBG_REVERSE_FINISH && depth <= 1)
        return err_new("\"reverse-finish\" not meaningful in the outermost frame.");
    go((struct dbg_goal){
        .kind = kind, .count = n, .item = dbg_focus.item, .depth = depth ? depth : 1});
    return NULL;
}
struct err *dbg_restart_frame(unsigned level)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct err *e = dbg_need_stopped();
    const unsigned depth = e ? 0 : dbg_frames(dbg_gang(dbg_focus.item), f);
    if (!e && level >= depth) e = err_new("The work-item has returned.");
    if (!e)
        go((struct dbg_goal){
            .kind = DBG_REVERSE_ENTRY, .item = dbg_focus.item, .depth = depth - level});
    return e;
}

COMMAND(reverse_step, RUNNING, "reverse-step", "rs", AGAIN, "[N]",
        "Step backward until a different source line is reached. Execution can go back to the "
        "beginning of the launch, as far as the history reaches (`set history-size`).")
{
    return back(args, DBG_REVERSE_STEP);
}
COMMAND(reverse_next, RUNNING, "reverse-next", "rn", AGAIN, "[N]",
        "Step backward until a different source line is reached, over called functions.")
{
    return back(args, DBG_REVERSE_NEXT);
}
COMMAND(reverse_stepi, RUNNING, "reverse-stepi", "rsi", AGAIN, "[N]",
        "Step backward one instruction.")
{
    return back(args, DBG_REVERSE_STEPI);
}
COMMAND(reverse_continue, RUNNING, "reverse-continue", "rc", AGAIN, "",
        "Continue backward to the last breakpoint or watchpoint that was hit, or to the beginning "
        "of the history.")
{
    return back(args, DBG_REVERSE_CONTINUE);
}
COMMAND(reverse_finish, RUNNING, "reverse-finish", "", 0, "",
        "Run backward to the call of the current function.")
{
    return back(args, DBG_REVERSE_FINISH);
}
