// SPDX-License-Identifier: MIT
// The command line of `cldbg -i`: what is the debugger's, and what is its child's.
#include "cli/repl.h"

#include "base/mem.h"
#include "cli/cmd.h"

#include <stdlib.h>
#include <string.h>

struct err *repl_take_options(int argc, char **argv, char **rest)
{
    VEC(const char *) files = {0};
    int n = 0;
    struct err *e = NULL;
    rest[n++] = argv[0];
    int i = 1;
    for (; i < argc && !e; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "-i")) continue;
        if (!strcmp(a, "--help") || !strcmp(a, "-h") || !strcmp(a, "--version")) repl.asked = true;
        if (!strcmp(a, "--batch")) {
            repl.batch = true;
        } else if (!strcmp(a, "-x")) {
            if (++i == argc) e = err_new("-x: which file?");
            else vec_push(&files, argv[i]);
        } else if (a[0] == '-' && a[1]) {
            rest[n++] = argv[i]; // an option
            if (!strncmp(a, "--seed=", 7)) {
                char *end;
                repl.seed = strtoll(a + 7, &end, 10);
                if (!a[7] || *end || repl.seed < 0) e = err_new("%s: a number from 0 on is expected", a);
                if (n < 3 || strcmp(rest[1], "run")) n--; // an app knows nothing of it
            }
            if (!strcmp(a, "--")) {
                i++;
                break;
            }
        } else {
            if (cmd_is_command(a) && strcmp(a, "run")) e = err_new("-i is for an app and for `cldbg run`: `cldbg %s` runs no kernel (an app of that name: ./%s)", a, a);
            if (strcmp(a, "run")) break;
            rest[n++] = argv[i]; // options follow
            if (n > 2 && strcmp(rest[1], "run")) e = err_new("options of `cldbg run` stand behind `run`");
        }
    }
    for (; i < argc && !e; i++) rest[n++] = argv[i];
    rest[n] = NULL;
    for (size_t k = files.len; k-- > 0 && !e;) {
        FILE *f;
        e = cmd_open_file(files.data[k], &f);
        if (!e) vec_push(&repl.scripts, ((struct repl_script){f, mem_strdup(files.data[k])}));
    }
    if (!e && n == 1) e = err_new("no app is named; `cldbg --help` shows how");
    vec_free(&files);
    return e;
}
