// SPDX-License-Identifier: MIT
// Expressions that are shown at every stop.
#include "base/mem.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct dbg_displays dbg_displays;

static void put_display(struct str *out, size_t i)
{
    const char *p = dbg_displays.list.data[i];
    struct dbg_format f = {0};
    struct dbg_value v;
    err_free(dbg_format_parse(&p, &f));
    struct err *e = dbg_eval(p, &dbg.arena, &v);
    if (e) { // not here
        err_free(e);
        return;
    }
    str_printf(out, "%zu: ", i + 1);
    if (f.letter) str_printf(out, "/%c ", f.letter);
    str_printf(out, "%s = ", p);
    dbg_value_put(out, dbg_focus_gang(), &v, &f);
    str_put(out, "\n");
}

void dbg_displays_put(struct str *out)
{
    for (size_t i = 0; i < dbg_displays.list.len; i++)
        if (dbg_displays.list.data[i]) put_display(out, i);
}

COMMAND(display, DATA, "display", "", 0, "[/FORMAT] [EXPRESSION]",
        "Display an expression at every stop. Without one, show all displays now.")
{
    if (!*args) {
        dbg_displays_put(out);
        return NULL;
    }
    const char *p = args;
    struct dbg_format f = {0};
    struct err *e = dbg_format_parse(&p, &f);
    if (e) return e;
    if (dbg.state == DBG_STOPPED) {
        struct dbg_value v;
        e = dbg_eval(p, &dbg.arena, &v);
        if (e) return e;
    }
    vec_push(&dbg_displays.list, mem_strdup(args));
    put_display(out, dbg_displays.list.len - 1);
    return NULL;
}

static struct err *remove_display(unsigned n)
{
    if (n > dbg_displays.list.len || !dbg_displays.list.data[n - 1])
        return err_new("No display number %u.", n);
    free(dbg_displays.list.data[n - 1]);
    dbg_displays.list.data[n - 1] = NULL;
    return NULL;
}

COMMAND(undisplay, DATA, "undisplay", "", 0, "[NUMBER…]", "Delete display expressions.")
{
    for (size_t i = 0; !*args && i < dbg_displays.list.len; i++)
        free(dbg_displays.list.data[i]), dbg_displays.list.data[i] = NULL;
    return dbg_each_number(args, "display", remove_display);
}
