// SPDX-License-Identifier: MIT
// Moments of the past: `when`, `goto`, `checkpoint`, `restart`.
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/frame_text.h"
#include "debug/history/timeline.h"
#include "debug/session/checkpoints.h"
#include "debug/session/focus.h"
#include "debug/session/frames.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

static struct err *need_history(void)
{
    struct err *e = dbg_need_stopped();
    if (!e && (dbg_history.off || !dbg_timeline.groups.len))
        e = err_new("This launch has no history: its work-groups wait for each other.");
    return e;
}

/** "work-group (0,0,0), time 12" */
static void put_time(struct str *out, uint64_t group, uint64_t time)
{
    uint64_t l[3], g[3], w[3];
    dbg_item_ids(group, 0, l, g, w);
    str_printf(out, "work-group (%llu,%llu,%llu), time %llu", LL(g[0]), LL(g[1]), LL(g[2]),
               LL(time));
}

/** Goes to a time of a group that is in the history. */
static void go_to(size_t at, uint64_t time, uint32_t item)
{
    dbg_goal = (struct dbg_goal){
        .kind = DBG_REVERSE_TO_TIME, .group = at, .before = time, .item = item, .depth = 0};
    dbg.resume = true;
}

COMMAND(
    when, RUNNING, "when", "", 0, "",
    "Show the present moment: the launch, the work-group, and its time, which counts the "
    "instructions of its work-items. Work-items that ran together count as one until `why` or a "
    "step back needs their order; then later times grow.")
{
    struct err *e = need_history();
    if (e) return e;
    dbg_history_mark();
    str_printf(out, "Launch %llu, ", LL(dbg_launch.run->chk.number));
    put_time(out, dbg_focus.group_number, dbg_history.time);
    str_printf(out, " of %llu%s\n", LL(dbg_timeline.groups.data[dbg_timeline.at]->length),
               dbg_history.past ? ", in the past" : "");
    return NULL;
}

COMMAND(goto, RUNNING, "goto", "", 0, "[time] N",
        "Go to a time of the work-group (see `when`), backward or forward within the history.")
{
    if (dbg_word_is(args, "time")) args += dbg_word(args), args += strspn(args, " \t");
    char *end;
    const unsigned long long time = strtoull(args, &end, 10);
    if (end == args || *end)
        return err_new("A time is expected, such as the one that `when` shows.");
    struct err *e = need_history();
    if (e) return e;
    dbg_history_mark();
    const struct dbg_past_group *p = dbg_timeline.groups.data[dbg_timeline.at];
    if (time > p->length) return err_new("The work-group has run up to time %llu.", LL(p->length));
    go_to(dbg_timeline.at, time, dbg_focus.item);
    return NULL;
}

COMMAND(checkpoint, RUNNING, "checkpoint", "", 0, "",
        "Remember the present moment. `restart N` goes back to checkpoint N of this launch, or "
        "forward to it; `info checkpoints` lists them.")
{
    struct err *e = need_history();
    if (e) return e;
    struct str text = {0};
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    dbg_history_mark();
    put_time(&text, dbg_focus.group_number, dbg_history.time);
    if (dbg_frames(g, f)) {
        str_put(&text, ", at ");
        dbg_put_line(&text, g->code->module, &g->code->module->locs[f[0].loc]);
    }
    vec_push(&dbg_checkpoints.list,
             ((struct dbg_checkpoint){++dbg_checkpoints.last, dbg_launch.run->chk.number,
                                      dbg_focus.group_number, dbg_history.time, dbg_focus.item,
                                      str_take(&text)}));
    str_printf(out, "Checkpoint %u: %s\n", dbg_checkpoints.last,
               vec_last(&dbg_checkpoints.list).text);
    return NULL;
}

COMMAND(restart, RUNNING, "restart", "", 0, "N",
        "Go to checkpoint N, within its launch. Unlike in gdb, nothing is forgotten.")
{
    char *end;
    const unsigned long n = strtoul(args, &end, 10);
    const struct dbg_checkpoint *c = NULL;
    struct err *e = need_history();
    if (e) return e;
    for (size_t i = 0; i < dbg_checkpoints.list.len; i++)
        if (dbg_checkpoints.list.data[i].number == n) c = &dbg_checkpoints.list.data[i];
    if (end == args || *end || !c)
        return err_new(
            "A number of `info checkpoints` is expected; `run` starts the program again.");
    if (c->launch != dbg_launch.run->chk.number)
        return err_new("Checkpoint %lu is in launch %llu; `run` and `until launch %llu` go there.",
                       n, LL(c->launch), LL(c->launch));
    size_t at;
    dbg_history_mark();
    if (!dbg_history_find(c->group, &at) || c->time > dbg_timeline.groups.data[at]->length)
        return err_new("The history no longer contains checkpoint %lu.", n);
    go_to(at, c->time, c->item);
    return NULL;
}

struct err *dbg_info_checkpoints(const char *args, struct str *out)
{
    if (!dbg_checkpoints.list.len) str_put(out, "There are no checkpoints.\n");
    for (size_t i = 0; i < dbg_checkpoints.list.len; i++) {
        const struct dbg_checkpoint *c = &dbg_checkpoints.list.data[i];
        str_printf(out, "%u: launch %llu, %s\n", c->number, LL(c->launch), c->text);
    }
    return NULL;
}
