// SPDX-License-Identifier: MIT
// Commands that the client executes itself, without the agent.
#include "debug/commands/command.h"

struct err *dbg_cmd_client(const char *args, struct str *out) { return NULL; }

CLIENT_COMMAND(RUNNING, "kill", "k", CLIENT, "", "Kill the program. `run` starts it again.")
CLIENT_COMMAND(RUNNING, "detach", "", CLIENT, "",
               "Detach from the program, which continues without the debugger.")
CLIENT_COMMAND(
    RUNNING, "quit", "q exit", CLIENT, "",
    "Exit the debugger and end the program. Asks for confirmation while a kernel is stopped.")
CLIENT_COMMAND(RUNNING, "source", "", CLIENT | FILES, "FILE", "Read commands from a file.")
CLIENT_COMMAND(
    RUNNING, "define", "", CLIENT, "NAME",
    "Define a command of your own. Its commands follow, one per line, up to `end`. In them, $arg0, "
    "$arg1 … are the arguments and $argc is their number. `show user` lists such commands.")
CLIENT_COMMAND(RUNNING, "document", "", CLIENT, "NAME",
               "Document a command of your own for `help NAME`. The lines follow, up to `end`.")
CLIENT_COMMAND(
    RUNNING, "if", "", TRUTH, "EXPRESSION",
    "Execute commands if the expression is not 0. The commands follow, one per line, up to "
    "`end`; those after `else` are executed otherwise.")
CLIENT_COMMAND(
    RUNNING, "while", "", TRUTH, "EXPRESSION",
    "Execute commands while the expression is not 0. The commands follow, one per line, up to "
    "`end`. `loop_break` leaves the loop, `loop_continue` continues with the next iteration.")
CLIENT_COMMAND(HELP, "complete", "", CLIENT, "TEXT", "List the lines that begin with a text.")
CLIENT_COMMAND(RUNNING, "shell", "!", CLIENT | FILES, "[COMMAND]",
               "Run a shell command, or a shell.")
CLIENT_COMMAND(
    RUNNING, "tui", "", CLIENT, "enable | disable",
    "Show or leave the text user interface: windows with source, map and variables above the "
    "commands. Ctrl-X A does the same.")
CLIENT_COMMAND(
    RUNNING, "layout", "la", CLIENT, "src | map | regs | all | next | prev | off",
    "Choose the windows of the text user interface: source; source and map of the work-group; "
    "source and variables; all of these. `off` leaves it.")
CLIENT_COMMAND(
    RUNNING, "focus", "fs", CLIENT, "src | map | regs | watch | cmd | next | prev",
    "Choose the window that the arrow and page keys scroll. Ctrl-X O chooses the next one.")
CLIENT_COMMAND(RUNNING, "winheight", "wh", CLIENT, "[src | cmd] [+ | -]LINES",
               "Set or change the height of the source window or of the command window.")
CLIENT_COMMAND(RUNNING, "refresh", "", CLIENT, "",
               "Draw the text user interface again. Ctrl-L does the same.")
