// SPDX-License-Identifier: MIT
// The command line: finds the subcommand and runs it. A word that is not the name of a subcommand
// is an app.
#include "cli/cmd.h"

#include "report/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
#define SUBCOMMAND(name, use, usage, what) {#name, cmd_##name},
#include "cli/subcommands.def"
};
enum { COMMANDS = sizeof commands / sizeof *commands };

bool cmd_is_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i].name)) return true;
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

int main(int argc, char **argv)
{
    if (argc < 2) {
        cmd_hint();
        return CMD_FAILED;
    }
    for (int i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++) {
        if (!strcmp(argv[i], "-i")) return cmd_debug(argc, argv);
        if (!strcmp(argv[i], "--dap") || str_starts(argv[i], "--dap-socket=") ||
            str_starts(argv[i], "--dap-port="))
            return cmd_dap_wait(argc, argv);
    }
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 2, argv + 2);
    int first = 1; // the first argument that is not an option
    while (first < argc && argv[first][0] == '-' && argv[first][1] == '-' && argv[first][2])
        first++;
    if (first < argc && !strcmp(argv[first], "run")) { // its options may stand before it
        memmove(argv + 2, argv + 1, (size_t)(first - 1) * sizeof *argv);
        return cmd_run(argc - 2, argv + 2);
    }
    return cmd_app(argc - 1, argv + 1);
}
