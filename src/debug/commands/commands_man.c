// SPDX-License-Identifier: MIT
// Writes cldbg-commands(7), the table of commands as a manual page. A program of the build; it is
// not installed.

#include <stdio.h>
#include <string.h>

static void put(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
    }
}

static void section(const char *title) { printf(".SH %s\n", title); }

static void command(const char *name, const char *aliases, const char *args, const char *help)
{
    fputs(".TP\n.B ", stdout);
    put(name);
    if (*args) fputs(" \\fR", stdout), put(args);
    putchar('\n');
    put(help);
    putchar('\n');
    if (*aliases) {
        fputs("Also: \\fB", stdout);
        put(aliases);
        fputs("\\fR\n", stdout);
    }
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
#define SECTION(title)                               section(title);
#define COMMAND(f, name, aliases, flags, args, help) command(name, aliases, args, help);
#include "debug/commands/commands.def"
#undef COMMAND
#undef SECTION
    fputs(".SH FILES\n.I ~/.cldbg_history\ncontains the typed commands.\n.B CLDBG_HISTFILE\nnames "
          "another file.\n.SH SEE ALSO\n.BR cldbg (1),\n.BR cldbg\\-findings (7)\n",
          stdout);
    return 0;
}
