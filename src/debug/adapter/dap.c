// SPDX-License-Identifier: MIT
// Requests of the Debug Adapter Protocol: the table, and session requests.
// https://microsoft.github.io/debug-adapter-protocol
#include "debug/adapter/dap.h"

#include "base/mem.h"
#include "debug/adapter/channel.h"
#include "debug/adapter/dap_request.h"
#include "debug/adapter/saved_session.h"
#include "debug/commands/command_table.h"
#include "debug/commands/commands.h"
#include "debug/expressions/expr.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/goal.h"
#include "debug/session/item_order.h"
#include "debug/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Of `cldbg -i` or `cldbg dap`, which announces the capabilities to the editor. */
static void initialize(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    json_t *m = json_object();
    json_object_set_new(m, "type", json_string("event"));
    json_object_set_new(m, "event", json_string("initialized"));
    dbg_send(m);
}

static void configuration_done(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    if (dbg.state == DBG_BEGINNING && !dbg_client.waits_for_run) dbg.resume = true;
}

/** The command handles launch and attach; here they describe the client. */
static void attach(const json_t *r, const json_t *args)
{
    dbg_client.waits_for_run = json_is_true(json_object_get(args, "waitForRun"));
    dbg_client.allow_files = json_is_true(json_object_get(args, "allowFiles"));
    if (json_is_true(json_object_get(args, "stopOnEntry")))
        dbg_goal = (struct dbg_goal){.kind = DBG_TO_LAUNCH, .count = 1, .entry = true};
    const json_t *client = json_object_get(args, "client");
    dbg_client.colors = json_is_true(json_object_get(args, "colors")) ||
                        json_is_true(json_object_get(client, "supportsANSIStyling"));
    dbg_client.structured = json_is_true(json_object_get(args, "structured"));
    dbg_client.shows_progress = json_is_true(json_object_get(client, "supportsProgressReporting"));
    const json_int_t seed = dbg_dap_integer(args, "seed", -1);
    if (seed >= 0) dbg_item_order.seeded = true, dbg_item_order.seed = (uint64_t)seed;
    dbg_client.idle = json_is_true(json_object_get(args, "idle"));
    dbg_restore_session(json_object_get(args, "savedSession"), dbg_client.idle);
    if (dbg_client.idle)
        *dbg_named_value("$_exitcode") =
            dbg_value_int(dbg_type_named("int", 3), (uint64_t)dbg_dap_integer(args, "exitCode", 0));
    dbg_dap_answer(r, NULL);
}

struct offers {
    json_t *list;
};
static void add_offer(void *ctx, const char *s)
{
    struct offers *o = ctx;
    size_t i;
    json_t *x;
    json_array_foreach(o->list, i, x)
        if (!strcmp(json_string_value(json_object_get(x, "label")), s)) return;
    json_array_append_new(o->list, json_pack("{s:o}", "label", dbg_json_text(s)));
}
static void completions(const json_t *r, const json_t *args)
{
    struct offers o = {json_array()};
    const char *line = dbg_dap_string(args, "text");
    char *own = mem_strdup(line ? line : "");
    const json_int_t column = dbg_dap_integer(args, "column", (json_int_t)strlen(own) + 1);
    if (column >= 1 && (size_t)column - 1 < strlen(own)) own[column - 1] = 0;
    const char *word = own + strspn(own, " \t");
    const bool is_editor = !dbg_client.waits_for_run,
               as_command = !is_editor || *word == '`' || dbg_names_command(word);
    if (is_editor && *word != '`' && (!as_command || !word[dbg_command_name_length(word)]))
        dbg_complete_expression(word, add_offer, &o);
    dbg_complete(word + (is_editor && *word == '`'), add_offer, &o);
    free(own);
    dbg_dap_answer(r, json_pack("{s:o}", "targets", o.list));
}

static void exception_info(const json_t *r, const json_t *args)
{
    if (dbg_focus.at_launch_end) {
        dbg_dap_answer(r, json_pack("{s:s, s:o, s:s}", "exceptionId", "launch-end", "description",
                                    dbg_json_text(vec_last(&dbg_launch.log).text), "breakMode",
                                    "always"));
        return;
    }
    if (!dbg_findings.all.len) {
        dbg_dap_refuse(r, "Nothing was found.");
        return;
    }
    const struct dbg_found *f = &vec_last(&dbg_findings.all);
    dbg_dap_answer(r, json_pack("{s:s, s:o, s:s}", "exceptionId", rep_kinds[f->kind].id,
                                "description", dbg_json_text(f->text), "breakMode", "always"));
}

/** Ends the app, and with it the current launch. */
static void leave(void)
{
    if (!dbg_client.leave) _exit(0);
    dbg.ended = dbg_client.said_goodbye = true;
    dbg_client.leave();
}

static void disconnect(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    if (json_is_true(json_object_get(args, "terminateDebuggee"))) leave();
    dbg.ended = dbg_client.said_goodbye = true;
}

static void terminate(const json_t *r, const json_t *args)
{
    dbg_dap_answer(r, NULL);
    leave();
}

void dbg_dap_request(const json_t *r)
{
    static const struct {
        const char *name;
        void (*run)(const json_t *r, const json_t *args);
    } requests[] = {
        {"initialize", initialize},
        {"launch", attach},
        {"attach", attach},
        {"configurationDone", configuration_done},
        {"setBreakpoints", dbg_dap_set_breakpoints},
        {"setFunctionBreakpoints", dbg_dap_set_function_breakpoints},
        {"setExceptionBreakpoints", dbg_dap_set_exception_breakpoints},
        {"setDataBreakpoints", dbg_dap_set_data_breakpoints},
        {"dataBreakpointInfo", dbg_dap_data_breakpoint_info},
        {"setInstructionBreakpoints", dbg_dap_set_instruction_breakpoints},
        {"threads", dbg_dap_threads},
        {"stackTrace", dbg_dap_stack_trace},
        {"scopes", dbg_dap_scopes},
        {"variables", dbg_dap_variables},
        {"setVariable", dbg_dap_set_variable},
        {"setExpression", dbg_dap_set_expression},
        {"evaluate", dbg_dap_evaluate},
        {"continue", dbg_dap_continue},
        {"next", dbg_dap_next},
        {"stepIn", dbg_dap_step_in},
        {"stepInTargets", dbg_dap_step_in_targets},
        {"stepOut", dbg_dap_step_out},
        {"restartFrame", dbg_dap_restart_frame},
        {"stepBack", dbg_dap_step_back},
        {"reverseContinue", dbg_dap_reverse_continue},
        {"pause", dbg_dap_pause},
        {"gotoTargets", dbg_dap_goto},
        {"goto", dbg_dap_goto},
        {"source", dbg_dap_source},
        {"completions", completions},
        {"exceptionInfo", exception_info},
        {"readMemory", dbg_dap_read_memory},
        {"writeMemory", dbg_dap_write_memory},
        {"disassemble", dbg_dap_disassemble},
        {"modules", dbg_dap_modules},
        {"loadedSources", dbg_dap_loaded_sources},
        {"breakpointLocations", dbg_dap_breakpoint_locations},
        {"cancel", dbg_dap_cancel},
        {"cldbgView", dbg_dap_view},
        {"cldbgOutput", dbg_dap_output},
        {"disconnect", disconnect},
        {"terminate", terminate},
    };
    const char *command = dbg_dap_string(r, "command");
    const json_t *args = json_object_get(r, "arguments");
    json_t *none = json_object();
    if (!json_is_object(args)) args = none;
    size_t i = 0;
    while (command && i < sizeof requests / sizeof *requests && strcmp(requests[i].name, command))
        i++;
    if (!command || i == sizeof requests / sizeof *requests) {
        struct str s = {0};
        str_printf(&s, "The request \"%s\" is not known.", command ? command : "");
        dbg_dap_refuse(r, str_text(&s));
        str_deinit(&s);
    } else {
        requests[i].run(r, args);
    }
    json_decref(none);
}
