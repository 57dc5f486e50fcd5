// SPDX-License-Identifier: MIT
#include "debug/history/launch_context.h"

#include "base/mem.h"
#include "debug/history/event_trace.h"
#include "debug/history/fast_forward.h"
#include "debug/history/timeline.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"

#include <stdlib.h>
#include <string.h>

struct dbg_progress dbg_progress;
const struct vm_debugger *dbg_repeating;

struct dbg_launch_context {
    struct dbg_history history;
    struct dbg_timeline timeline;
    struct dbg_tracing tracing;
    struct dbg_fast_forward fast_forward;
    struct dbg_launch launch;
    struct dbg_focus focus;
    struct dbg_goal goal;
    struct dbg_item_order order;
    struct dbg_progress progress;
};

struct dbg_launch_context *dbg_launch_context_create(void)
{
    struct dbg_launch_context *c = mem_alloc(sizeof *c);
    c->launch = dbg_launch;
    c->order = dbg_item_order;
    c->order.prefer = UINT32_MAX;
    return c;
}

void dbg_launch_context_swap(struct dbg_launch_context *c)
{
    struct dbg_launch_context now = {dbg_history,      dbg_timeline,   dbg_tracing,
                                     dbg_fast_forward, dbg_launch,     dbg_focus,
                                     dbg_goal,         dbg_item_order, dbg_progress};
    dbg_history = c->history;
    dbg_timeline = c->timeline;
    dbg_tracing = c->tracing;
    dbg_fast_forward = c->fast_forward;
    dbg_launch = c->launch;
    dbg_focus = c->focus;
    dbg_goal = c->goal;
    dbg_item_order = c->order;
    dbg_progress = c->progress;
    *c = now;
}

void dbg_launch_context_destroy(struct dbg_launch_context *c) { free(c); }
