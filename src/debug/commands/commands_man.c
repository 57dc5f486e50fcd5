// SPDX-License-Identifier: MIT
// Writes cldbg-commands(7), the table of commands as a manual page. Used during the build; not
// installed.
#include "debug/commands/command_table.h"

#include <stdio.h>

static void put(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
    }
}

static const struct dbg_command rows[] = {
#define COMMAND(f, s, n, al, fl, ar, he)                                                           \
    {.section = DBG_SECTION_##s, .name = n, .aliases = al, .args = ar, .help = he},
#include "debug/commands/command_rows.def"
};

static void put_row(const struct dbg_command *c)
{
    fputs(".TP\n.B ", stdout);
    put(c->name);
    if (*c->args) fputs(" \\fR", stdout), put(c->args);
    putchar('\n');
    put(c->help);
    putchar('\n');
    if (*c->aliases) {
        fputs("Also: \\fB", stdout);
        put(c->aliases);
        fputs("\\fR\n", stdout);
    }
}

static void put_section(const char *title, enum dbg_section section)
{
    printf(".SH %s\n", title);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].section == section) put_row(&rows[i]);
}

int main(void)
{
    fputs(".\\\" SPDX-License-Identifier: MIT\n.TH CLDBG-COMMANDS 7 \"\" cldbg\n.SH "
          "NAME\ncldbg-commands \\- commands of cldbg's debugger\n.SH DESCRIPTION\n"
          "These commands are typed at the prompt of\n.BR \"cldbg \\-i\" ,\nread from files by\n"
          ".BR \\-x \", or typed in the debug console of an editor.\n"
          "Names can be shortened as long as they are unique. An empty line repeats a step. The "
          "commands follow\n.BR gdb (1).\n.PP\n"
          "At a stop, commands refer to the focus, one work-item.\n.B workitem\nshows and changes "
          "it. Within a work-group one work-item runs at a time, up to the next barrier, in the\n"
          "order of ids. The work-item that is stepped runs first.\n",
          stdout);
#define SECTION(name, title) put_section(title, DBG_SECTION_##name);
    DBG_EACH_SECTION(SECTION)
#undef SECTION
    fputs(".SH FILES\n.I ~/.cldbg_history\ncontains the typed commands.\n.B CLDBG_HISTFILE\nnames "
          "another file.\n.SH SEE ALSO\n.BR cldbg (1),\n.BR cldbg\\-findings (7)\n",
          stdout);
    return 0;
}
