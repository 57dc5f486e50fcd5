// SPDX-License-Identifier: MIT
// Events of the Debug Adapter Protocol from the kernel's thread.
#include "debug/adapter/agent.h"
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/adapter/saved_session.h"
#include "debug/adapter/structured.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/commands/command.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <string.h>

/** The protocol has reasons of its own for some kinds of breakpoints. */
static const char *protocol_reason(const char *reason, const struct dbg_break *which)
{
    if (!which || strcmp(reason, "breakpoint") != 0) return reason;
    return which->kind == DBG_AT_FUNCTION      ? "function breakpoint"
           : which->kind == DBG_AT_INSTRUCTION ? "instruction breakpoint"
                                               : reason;
}

/** Data for a client that wants them. */
static void put_structure(json_t *own, const char *reason)
{
    if (!dbg_client.structured) return;
    json_object_update_new(own, dbg_structured_position());
    if (!strcmp(reason, "exception") && !dbg_focus.at_launch_end && dbg_findings.stopped_for)
        json_object_set_new(own, "finding", dbg_structured_finding(dbg_findings.stopped_for - 1));
}

static void send_stopped(const char *reason, const char *description, const char *text,
                         const struct dbg_break *which)
{
    json_t *body = json_object(), *own = json_object();
    dbg_dap_progress_ends();
    dbg_dap_forget();
    json_object_set_new(body, "reason", json_string(protocol_reason(reason, which)));
    if (description) json_object_set_new(body, "description", json_string(description));
    json_object_set_new(body, "threadId", json_integer(dbg_focus.item + 1));
    json_object_set_new(body, "allThreadsStopped", json_true());
    if (!strcmp(reason, "exception")) json_object_set_new(body, "text", dbg_json_text(text));
    if (which && which->number)
        json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", (int)which->number));
    struct str all = {0}, displays = {0};
    dbg_displays_put(&displays);
    if (displays.len && !dbg_client.waits_for_run) // an editor does not show the text
        dbg_send_output(str_text(&displays));
    str_printf(&all, "%s%s", text, str_text(&displays));
    json_object_set_new(own, "text", dbg_json_text(str_text(&all)));
    str_deinit(&all);
    str_deinit(&displays);
    if (which && which->commands.len) {
        json_t *list = json_array();
        for (size_t i = 0; i < which->commands.len; i++)
            json_array_append_new(list, dbg_json_text(which->commands.data[i]));
        json_object_set_new(own, "commands", list);
    }
    if (dbg_client.waits_for_run) json_object_set_new(own, "savedSession", dbg_saved_session());
    put_structure(own, reason);
    json_object_set_new(body, "cldbg", own);
    dbg_send_event("stopped", body);
}

/** For the client, the kernel ran meanwhile: the stop is repeated, without its text. */
static void send_answer(const char *text)
{
    dbg_send_output(text);
    dbg_dap_progress_ends();
    dbg_dap_forget();
    json_t *body = json_pack("{s:s, s:i, s:b, s:b, s:{s:s}}", "reason", "pause", "threadId",
                             (int)dbg_focus.item + 1, "allThreadsStopped", 1, "preserveFocusHint",
                             1, "cldbg", "text", "");
    json_t *value = dbg_client.structured ? dbg_structured_answer(text) : NULL;
    if (value) json_object_set_new(json_object_get(body, "cldbg"), "value", value);
    dbg_send_event("stopped", body);
}

static void send_launch(const struct vm_launch *l, const struct bc_module *m)
{
    if (dbg_client.structured) dbg_send_event("launch", dbg_structured_launch(l, m));
}

static void send_finding(size_t index)
{
    if (dbg_client.structured) dbg_send_event("finding", dbg_structured_finding(index));
}

/** Sends the session to `cldbg -i`, which stores it for the next run. */
static void send_saved(void)
{
    if (dbg_client.waits_for_run && dbg_findings.all.len)
        dbg_send_event("savedSession", json_pack("{s:o}", "savedSession", dbg_saved_session()));
}

const struct dbg_events dbg_adapter_events = {.stopped = send_stopped,
                                              .output = dbg_send_output,
                                              .answered = send_answer,
                                              .breakpoint_changed = dbg_dap_send_breakpoint,
                                              .launch_began = send_launch,
                                              .launch_ended = send_saved,
                                              .found = send_finding,
                                              .module_changed = dbg_dap_send_module};
