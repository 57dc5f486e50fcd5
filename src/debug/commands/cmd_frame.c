// SPDX-License-Identifier: MIT
// Commands about the stack of the focus.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/expressions/frame_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void dbg_show_frame(struct str *out, unsigned level, bool with_number)
{
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    if (level >= n) {
        str_put(out, "The work-item has returned.\n");
        return;
    }
    if (with_number) str_printf(out, "#%-2u ", level);
    dbg_put_frame(out, g, &f[level], level);
    str_put(out, "\n");
}

void dbg_show_place(struct str *out)
{
    dbg_show_frame(out, dbg_focus.frame, true);
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg_focus.frame < dbg_frames(g, f))
        dbg_put_source(out, g->code->module, f[dbg_focus.frame].loc);
    dbg_listing.line = 0;
}

static void put_variables(struct str *out, unsigned level)
{
    struct vm_gang *g = dbg_gang(dbg_focus.item);
    struct dbg_scope_vars v;
    bool any = false;
    dbg_vars_of_frame(g, level, &v);
    for (size_t i = 0; i < v.list.len; i++) {
        const struct dbg_var *x = &v.list.data[i];
        if (x->is_global || x->is_param) continue;
        struct dbg_value value = dbg_value_at(x->type, x->address);
        str_printf(out, "        %s = ", x->name);
        dbg_value_put(out, g, &value, NULL);
        str_put(out, "\n");
        any = true;
    }
    if (!any) str_put(out, "No locals.\n");
    dbg_vars_free(&v);
}

struct err *dbg_backtrace_range(const char *args, struct dbg_frames_shown *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    char *end;
    out->full = dbg_word_is(args, "full");
    if (out->full) args += dbg_word(args), args += strspn(args, " \t");
    const long n = dbg_frames(dbg_gang(dbg_focus.item), f), asked = strtol(args, &end, 10);
    out->all = (unsigned)n;
    out->first = *args && asked < 0 && n + asked > 0 ? (unsigned)(n + asked) : 0;
    out->last = (unsigned)(*args && asked >= 0 && asked < n ? asked : n);
    return *end || (*args && end == args)
               ? err_new("A number of frames is expected, not \"%s\".", args)
               : NULL;
}

COMMAND(backtrace, ITEMS, "backtrace", "bt where", 0, "[full] [N | -N]",
        "Show the stack of the focused work-item, innermost frame first: all frames, the innermost "
        "N, or with -N the outermost N. With `full`, show local variables too.")
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    struct dbg_frames_shown s;
    e = dbg_backtrace_range(args, &s);
    if (e) return e;
    if (!s.all) str_put(out, "The work-item has returned.\n");
    for (unsigned i = s.first; i < s.last; i++) {
        dbg_show_frame(out, i, true);
        if (s.full) put_variables(out, i);
    }
    if (s.last < s.all) str_put(out, "(More stack frames follow...)\n");
    return NULL;
}

static struct err *select_frame(long level, struct str *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(dbg_gang(dbg_focus.item), f);
    if (level < 0) return err_new("Bottom (innermost) frame selected; you can't go down.");
    if ((unsigned long)level >= n)
        return err_new(n ? "Initial frame selected; you can't go up."
                         : "The work-item has returned.");
    dbg_focus.frame = (unsigned)level;
    dbg_show_place(out);
    return NULL;
}

COMMAND(frame, ITEMS, "frame", "f", 0, "[N | function NAME]",
        "Show the selected frame, or select a frame by its number or its function.")
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    if (!*args) return select_frame(dbg_focus.frame, out);
    char *end;
    struct dbg_frame f[DBG_MAX_FRAMES];
    if (dbg_word_is(args, "function")) {
        const char *name = args + dbg_word(args) + strspn(args + dbg_word(args), " \t");
        const unsigned have = dbg_frames(dbg_gang(dbg_focus.item), f);
        for (unsigned i = 0; i < have; i++)
            if (!strcmp(f[i].name, name)) return select_frame(i, out);
        return err_new("No frame of a function \"%s\".", name);
    }
    const long n = strtol(args, &end, 10);
    if (*end || n < 0 || (unsigned long)n >= dbg_frames(dbg_gang(dbg_focus.item), f))
        return err_new("No frame at level %s.", args);
    return select_frame(n, out);
}

static struct err *move_frame(const char *args, long sign, struct str *out)
{
    struct err *e = dbg_need_stopped();
    if (e) return err_free(e), err_new("No stack.");
    const long n = *args ? strtol(args, NULL, 10) : 1;
    struct dbg_frame f[DBG_MAX_FRAMES];
    const long have = dbg_frames(dbg_gang(dbg_focus.item), f);
    long to = dbg_focus.frame + sign * n;
    if (sign > 0 && to >= have && dbg_focus.frame + 1 < have) to = have - 1;
    if (sign < 0 && to < 0 && dbg_focus.frame) to = 0;
    return select_frame(to, out);
}
COMMAND(up, ITEMS, "up", "", AGAIN, "[N]", "Select the frame that called this one.")
{
    return move_frame(args, 1, out);
}
COMMAND(down, ITEMS, "down", "dow", AGAIN, "[N]", "Select the frame that this one called.")
{
    return move_frame(args, -1, out);
}
