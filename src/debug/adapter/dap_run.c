// SPDX-License-Identifier: MIT
// Requests of the Debug Adapter Protocol that resume the kernel: each executes a debugger command.
#include "debug/history/unrecorded_launch.h"
#include "debug/adapter/channel.h"
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

/** Answers a request that runs the kernel. */
static void answer_run(const json_t *r, struct err *e)
{
    if (e) dbg_dap_refuse_err(r, e);
    else dbg_dap_answer(r, NULL);
}

/** The function that the instruction calls from the frame, and the loc of the call; 0: none. */
static uint32_t call_of(const struct vm_gang *g, const struct dbg_frame *f,
                        const struct bc_insn *insn, const char **name)
{
    const struct bc_module *m = g->code->module;
    const struct bc_loc *line = &m->locs[f->loc];
    uint32_t loc = insn->loc, inner = 0;
    while (loc && m->locs[loc].inlined_at != line->inlined_at)
        inner = loc, loc = m->locs[loc].inlined_at;
    const struct bc_loc *l = &m->locs[loc];
    if (!loc || l->file != line->file || l->line != line->line) return 0;
    if (inner) *name = bc_str(m, m->locs[inner].fn_name);
    else if (insn->op == BC_CALL) *name = bc_str(m, m->fns[f->fn->ext[insn->ext]].name);
    else return 0;
    return loc;
}

/** The calls that the line of the innermost frame contains from the next instruction on. */
void dbg_dap_step_in_targets(const json_t *r, const json_t *args)
{
    uint32_t item;
    unsigned level;
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct vm_gang *g = dbg_dap_frame_of(args, &item, &level) ? dbg_dap_gang_of(item) : NULL;
    if (!g || level >= dbg_frames(g, f)) {
        dbg_dap_refuse(r, "This frame does not exist.");
        return;
    }
    json_t *list = json_array();
    const struct bc_insn *insn = level ? NULL : dbg_next_insn(g);
    for (uint32_t last = 0; insn && insn < f->fn->insns + f->fn->ninsns; insn++) {
        const char *name;
        const uint32_t loc = call_of(g, f, insn, &name);
        const struct bc_loc *l = &g->code->module->locs[loc];
        if (loc && loc != last)
            json_array_append_new(list, json_pack("{s:i, s:o, s:i, s:i}", "id", (int)loc, "label",
                                                  dbg_json_text(name), "line", (int)l->line,
                                                  "column", (int)(l->col ? l->col : 1)));
        if (loc) last = loc;
    }
    dbg_dap_answer(r, json_pack("{s:o}", "targets", list));
}

void dbg_dap_step_in(const json_t *r, const json_t *args)
{
    const json_int_t target = dbg_dap_integer(args, "targetId", 0),
                     thread = dbg_dap_integer(args, "threadId", 0);
    struct vm_gang *g = thread > 0 ? dbg_dap_gang_of((uint32_t)thread - 1) : NULL;
    if (target <= 0 || !g) {
        go_on(r, args, "step");
        return;
    }
    dbg_focus.item = (uint32_t)thread - 1, dbg_focus.frame = 0;
    answer_run(r, target < g->code->module->nlocs ? dbg_step_into((uint32_t)target)
                                                  : err_new("This target does not exist."));
}

/** Execution goes back to the beginning of the function, and undoes what it wrote. */
void dbg_dap_restart_frame(const json_t *r, const json_t *args)
{
    uint32_t item;
    unsigned level;
    if (!dbg_dap_frame_of(args, &item, &level)) {
        dbg_dap_refuse(r, "This frame does not exist.");
        return;
    }
    dbg_focus.item = item, dbg_focus.frame = 0;
    answer_run(r, dbg_restart_frame(level));
}

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
    answer_run(r, dbg_run_to_end());
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
    dbg_unrecorded_cut();
    dbg_dap_answer(r, NULL);
}
