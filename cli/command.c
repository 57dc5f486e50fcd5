// SPDX-License-Identifier: MIT
// The command line: finds the subcommand and runs it. A word that is not the name of a subcommand
// is an app.
#include "cli/cmd.h"

#include "report/sink.h"

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

static int command(int argc, char **argv)
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

/** What was printed must have arrived: a full disk, a closed descriptor. */
int main(int argc, char **argv)
{
    const int status = command(argc, argv);
    if (!rep_output_is_lost()) return status;
    cmd_say("the output could not be written");
    return status ? status : argc > 1 && !strcmp(argv[1], "run") ? CMD_RUN_FAILED : CMD_FAILED;
}
