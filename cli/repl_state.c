// SPDX-License-Identifier: MIT
// The state of the debugger's command line, and the commands that wait.
#include "cli/repl.h"

#include "base/mem.h"

#include <string.h>

struct repl repl;
volatile sig_atomic_t repl_interrupted;

void repl_do_first(const char *line)
{
    vec_push(&repl.pending, NULL);
    memmove(repl.pending.data + 1, repl.pending.data,
            (repl.pending.len - 1) * sizeof *repl.pending.data);
    repl.pending.data[0] = mem_strdup(line);
}
