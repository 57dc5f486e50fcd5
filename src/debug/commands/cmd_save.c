// SPDX-License-Identifier: MIT
// `save breakpoints`: writes breakpoints as the commands that set them.
#include "base/out.h"
#include "debug/breakpoints/breakpoint.h"
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"

#include <string.h>

static const char *command_of(const struct dbg_break *b)
{
    static const char *const watches[] = {"watch", "rwatch", "awatch"};
    return b->kind == DBG_WATCH   ? watches[b->watch.access]
           : b->kind == DBG_CATCH ? "catch"
           : b->temporary         ? "tbreak"
                                  : "break";
}

void dbg_break_put_command(struct str *out, const struct dbg_break *b)
{
    str_printf(out, "%s %s", command_of(b), b->spec);
    if (b->items.given) str_put(out, " wi "), dbg_items_put(out, &b->items);
    if (b->condition) str_printf(out, " if %s", b->condition);
}

static void put_commands(struct str *out)
{
    for (size_t i = 0; i < dbg_breaks.list.len; i++) {
        const struct dbg_break *b = dbg_breaks.list.data[i];
        if (!b->number) continue;
        dbg_break_put_command(out, b);
        str_put(out, "\n");
        if (b->ignore) str_printf(out, "ignore $bpnum %llu\n", (unsigned long long)b->ignore);
        if (b->disabled) str_put(out, "disable $bpnum\n");
        if (b->commands.len) str_put(out, "commands\n");
        for (size_t k = 0; k < b->commands.len; k++) str_printf(out, "  %s\n", b->commands.data[k]);
        if (b->commands.len) str_put(out, "end\n");
    }
}

/** Does the file consist of commands that set breakpoints? */
static bool is_breakpoints(const char *data, size_t n)
{
    static const char *const first[] = {"break ",  "tbreak ", "watch ", "rwatch ",
                                        "awatch ", "catch ",  "tcatch "};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (n > strlen(first[i]) && !memcmp(data, first[i], strlen(first[i]))) return true;
    return false;
}

COMMAND(save, STOPS, "save", "", FILES, "breakpoints FILE",
        "Save the breakpoints to a file of commands that `source` reads.")
{
    struct str text = {0};
    if (!dbg_word_is(args, "breakpoints")) return err_new("What?  save breakpoints FILE");
    args += dbg_word(args);
    args += strspn(args, " \t");
    if (!*args) return err_new("Argument required (file name in which to save).");
    put_commands(&text);
    if (!text.len) return err_new("Nothing to save.");
    struct err *e = out_write(args, OUT_REPORT, is_breakpoints, text.data, text.len);
    str_deinit(&text);
    if (!e) str_printf(out, "Saved to file '%s'.\n", args);
    return e;
}
