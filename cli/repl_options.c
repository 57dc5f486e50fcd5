// SPDX-License-Identifier: MIT
// The command line of `cldbg -i`: separates the debugger's options from those of its child.
#include "cli/repl.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct err *take_interpreter(const char *name)
{
    repl.json = !strcmp(name, "json");
    return repl.json ? NULL : err_new("--interpreter=%s: only json is known", name);
}

static struct err *take_seed(const char *number)
{
    char *end;
    errno = 0;
    repl.seed = strtoll(number, &end, 10);
    return *number && !*end && !errno && repl.seed >= 0
               ? NULL
               : err_new("--seed=%s: a number of 0 or more is expected", number);
}

/** Of the words from `first` on, takes away those that begin with `prefix`. */
static int without(char **words, int first, int n, const char *prefix)
{
    int kept = first;
    for (int k = first; k < n; k++)
        if (!str_starts(words[k], prefix)) words[kept++] = words[k];
    return kept;
}

struct err *repl_take_options(int argc, char **argv, char **rest)
{
    VEC(const char *) files = {0};
    int n = 0;
    bool run = false; // `run` was there: options of its follow
    struct err *e = NULL;
    rest[n++] = argv[0];
    int i = 1;
    for (; i < argc && !e; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "-i")) continue;
        if (str_starts(a, "--help") || !strcmp(a, "-h") || !strcmp(a, "--version"))
            repl.asked = true;
        if (!strcmp(a, "--batch")) {
            repl.batch = true;
        } else if (str_starts(a, "--interpreter=")) {
            e = take_interpreter(a + strlen("--interpreter="));
        } else if (!strcmp(a, "--tui")) {
            repl.tui = true;
        } else if (!strcmp(a, "-x")) {
            if (++i == argc) e = err_new("-x: which file?");
            else vec_push(&files, argv[i]);
        } else if (a[0] == '-' && a[1]) {
            rest[n++] = argv[i];
            if (str_starts(a, "--seed=")) e = take_seed(a + strlen("--seed="));
            if (!strcmp(a, "--")) {
                i++;
                break;
            }
        } else if (!run && !strcmp(a, "run")) {
            run = true;
            memmove(rest + 2, rest + 1,
                    (size_t)(n++ - 1) * sizeof *rest); // its options may stand before it
            rest[1] = argv[i];
        } else {
            if (!run && cmd_is_command(a))
                e = err_new("-i is for an app and for `cldbg run`: `cldbg %s` runs no kernel (an "
                            "app of that name: ./%s)",
                            a, a);
            break;
        }
    }
    if (!run) n = without(rest, 1, n, "--seed="); // apps do not have this option
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
