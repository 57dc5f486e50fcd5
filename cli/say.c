// SPDX-License-Identifier: MIT
// Messages of the command, and the names of its subcommands.
#include "cli/cmd.h"

#include "report/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cmd_is_command(const char *name)
{
    static const char *const names[] = {
#define SUBCOMMAND(name, use, usage, what) #name,
#include "cli/subcommands.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

void cmd_say(const char *fmt, ...)
{
    struct str s = {0};
    va_list ap;
    va_start(ap, fmt);
    str_put(&s, "cldbg: ");
    str_vprintf(&s, fmt, ap);
    va_end(ap);
    str_put(&s, "\n");
    rep_write_safe(stderr, str_text(&s));
    str_deinit(&s);
}

int cmd_fail(int status, struct err *e)
{
    cmd_say("%s", err_message(e));
    err_free(e);
    return status;
}

bool cmd_has_color(const struct dev_option_set *s)
{
    const char *log = NULL;
    err_free(dev_option_log(s, &log)); // checked long ago
    const int when = dev_option_color(s);
    return !log && (when < 0 ? rep_wants_color(stderr) : when != 0);
}
