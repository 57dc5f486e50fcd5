// SPDX-License-Identifier: MIT
// A stop: its text, and the wait until the client resumes the kernel.
#include "debug/execution/stop.h"

#include "debug/execution/finish_value.h"
#include "debug/expressions/frame_text.h"
#include "debug/history/fast_forward.h"
#include "debug/history/event_trace.h"
#include "debug/history/history.h"
#include "debug/history/why_tree.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"

#include <string.h>

struct str dbg_stop_text;

/** Answers a question about the past, and returns to the present. */
static void answer(void)
{
    const struct vm_gang *const accessed_by = dbg_focus.accessed_by;
    struct str text = {0};
    dbg.state = DBG_RUNNING;
    dbg.resume = false;
    dbg_focus.accessed_by = NULL;
    dbg_goal.kind = DBG_GO;
    dbg_trace_begin(dbg_focus.group);
    dbg_goal.query(dbg_focus.group, &text);
    dbg_trace_end(dbg_focus.group);
    atomic_store(&dbg.interrupt, 0);
    dbg_focus.accessed_by = accessed_by;
    dbg_focus.stopped_time = dbg_history.time;
    dbg.state = DBG_STOPPED;
    dbg_events.answered(str_text(&text));
    str_deinit(&text);
}

static void stop(const char *reason, const char *description, const struct dbg_break *which)
{
    dbg.state = DBG_STOPPED;
    dbg.resume = false;
    dbg_focus.frame = 0;
    dbg_listing.line = 0;
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    dbg_focus.stopped_time = dbg_history.time;
    dbg_focus.stopped_at = g == dbg_focus.accessed_by ? NULL : g->at;
    dbg_events.stopped(reason, description, str_text(&dbg_stop_text), which);
    for (size_t i = dbg_breaks.list.len; i-- > 0;) { // temporary ones of `until` end at any stop
        struct dbg_break *b = dbg_breaks.list.data[i];
        if (b == which && b->once) b->once = false, b->disabled = true, dbg_break_plant();
        if (!b->number || (b == which && b->temporary)) dbg_break_remove(b);
    }
    str_clear(&dbg_stop_text);
    dbg_fast_forward.rests = false;
    for (;;) {
        while (!dbg.resume && !dbg.ended) pthread_cond_wait(&dbg.resumed, &dbg.lock);
        if (dbg.ended || dbg_goal.kind != DBG_QUERY) break;
        answer();
    }
    dbg_why_forget();
    dbg_focus.accessed_by = NULL;
    dbg.state = DBG_RUNNING;
}

/** Completes the stop's text after its reason: the frame and the source line. */
static void describe_stop(uint32_t item, bool whole_frame)
{
    struct vm_gang *g = dbg_gang(item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (!n) return;
    if (whole_frame) {
        dbg_put_frame(&dbg_stop_text, g, &f[0], 0);
        str_put(&dbg_stop_text, "\n");
    }
    dbg_put_source(&dbg_stop_text, g->code->module, f[0].loc);
}

static void switching(uint32_t item)
{
    const uint64_t launch = dbg_launch.run->chk.number;
    if (dbg_focus.shown_launch == launch && dbg_focus.shown_group == dbg_focus.group_number &&
        dbg_focus.shown_item == item)
        return;
    struct str s = {0};
    str_put(&s, "[Switching to work-item ");
    dbg_put_item(&s, dbg_focus.group_number, item);
    str_put(&s, "]\n");
    str_put(&s, str_text(&dbg_stop_text));
    str_clear(&dbg_stop_text);
    str_put(&dbg_stop_text, str_text(&s));
    str_deinit(&s);
    dbg_focus.shown_launch = launch;
    dbg_focus.shown_group = dbg_focus.group_number;
    dbg_focus.shown_item = item;
}

void dbg_stop_here(uint32_t item, const char *reason, const char *description, bool whole_frame,
                   struct dbg_break *which)
{
    const bool finished = dbg_goal.kind == DBG_FINISH && !strcmp(reason, "step") && !description;
    dbg_focus.item = item;
    dbg_item_order.prefer = item;
    dbg_goal.kind = DBG_GO;
    describe_stop(item, whole_frame);
    if (finished) dbg_finish_value_put(&dbg_stop_text, dbg_gang(item));
    switching(item);
    dbg_history_mark();
    stop(reason, description, which);
}
