// SPDX-License-Identifier: MIT
// Requests of the Debug Adapter Protocol that resume the kernel: each executes a debugger command.
#include "debug/adapter/dap_request.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/commands/commands.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <string.h>

static void go_on(const json_t *r, const json_t *args, const char *command)
{
    struct str out = {0};
    struct dbg_done done;
    const json_int_t thread = dbg_dap_integer(args, "threadId", 0);
    if (thread > 0 && dbg_dap_gang_of((uint32_t)thread - 1))
        dbg_focus.item = (uint32_t)thread - 1, dbg_focus.frame = 0;
    const char *unit = dbg_dap_string(args, "granularity");
    struct err *e = dbg_execute(unit && !strcmp(unit, "instruction")
                                    ? strncmp(command, "reverse", 7) ? "stepi" : "reverse-stepi"
                                    : command,
                                &out, &done);
    if (e) dbg_dap_refuse_err(r, e);
    else if (!strcmp(command, "continue"))
        dbg_dap_answer(r, json_pack("{s:b}", "allThreadsContinued", 1));
    else dbg_dap_answer(r, NULL);
    str_deinit(&out);
}
void dbg_dap_continue(const json_t *r, const json_t *args) { go_on(r, args, "continue"); }
void dbg_dap_next(const json_t *r, const json_t *args) { go_on(r, args, "next"); }
void dbg_dap_step_in(const json_t *r, const json_t *args) { go_on(r, args, "step"); }

/** In the kernel itself: runs to its end. */
void dbg_dap_step_out(const json_t *r, const json_t *args)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const json_int_t thread = dbg_dap_integer(args, "threadId", 0);
    struct vm_gang *g = thread > 0 ? dbg_dap_gang_of((uint32_t)thread - 1) : NULL;
    if (!g || dbg_frames(g, f) != 1) {
        go_on(r, args, "finish");
        return;
    }
    dbg_focus.item = (uint32_t)thread - 1;
    struct err *e = dbg_run_to_end();
    if (e) dbg_dap_refuse_err(r, e);
    else dbg_dap_answer(r, NULL);
}

void dbg_dap_step_back(const json_t *r, const json_t *args) { go_on(r, args, "reverse-next"); }
void dbg_dap_reverse_continue(const json_t *r, const json_t *args)
{
    go_on(r, args, "reverse-continue");
}

void dbg_dap_goto(const json_t *r, const json_t *args)
{
    dbg_dap_refuse_err(r, dbg_unsupported("jump", 4));
}

void dbg_dap_pause(const json_t *r, const json_t *args)
{
    if (dbg.state != DBG_STOPPED) atomic_store(&dbg.interrupt, 1);
    dbg_dap_answer(r, NULL);
}
