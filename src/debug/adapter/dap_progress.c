// SPDX-License-Identifier: MIT
// Progress events of the Debug Adapter Protocol: while the kernel goes back or its history is
// searched. `cancel` interrupts it like `pause`. The client decides after how long it shows
// progress.
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/session/goal.h"
#include "debug/session/session.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool open;
    unsigned number;
    char id[32];
} progress;

void dbg_dap_progress_begins(void)
{
    const bool is_long = dbg_is_reverse() || dbg_goal.kind == DBG_QUERY;
    if (!dbg_client.shows_progress || !dbg.resume || !is_long || progress.open) return;
    progress.open = true;
    snprintf(progress.id, sizeof progress.id, "history-%u", ++progress.number);
    dbg_send_event("progressStart",
                   json_pack("{s:s, s:s, s:b}", "progressId", progress.id, "title",
                             dbg_is_reverse() ? "Going back" : "Searching the history",
                             "cancellable", 1));
}

void dbg_dap_progress_ends(void)
{
    if (!progress.open) return;
    progress.open = false;
    dbg_send_event("progressEnd", json_pack("{s:s}", "progressId", progress.id));
}

void dbg_dap_cancel(const json_t *r, const json_t *args)
{
    const char *id = dbg_dap_string(args, "progressId");
    if (id && progress.open && !strcmp(id, progress.id)) atomic_store(&dbg.interrupt, 1);
    dbg_dap_answer(r, NULL);
}
