// SPDX-License-Identifier: MIT
// Looking inside: `cldbg lint`, `cldbg disasm` and `cldbg regions` are windows of cldbg-cc.
#include "base/vec.h"
#include "cli/cmd.h"
#include "devices/capture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** One of these commands: `what` is what cldbg-cc calls it. */
struct look {
    const char *name, *what;
    unsigned use;
    int failed; // its exit status then
};

/** The user's command line, for the reports. */
static char *command_of(const struct look *l, int argc, char **argv)
{
    struct str s = {0};
    str_printf(&s, "cldbg %s", l->name);
    for (int i = 0; i < argc; i++) str_printf(&s, " %s", argv[i]);
    return str_take(&s);
}

static struct err *check_file(const char *file)
{
    struct stat st;
    if (access(file, R_OK)) return err_new("%s: %m", file);
    if (!stat(file, &st) && S_ISDIR(st.st_mode)) return err_new("%s: it is a folder", file);
    return dev_capture_is(file)
               ? err_new("%s is a capture: `cldbg run` repeats it, but its kernels "
                         "cannot be shown",
                         file)
               : NULL;
}

/** Becomes cldbg-cc. */
static struct err *show(const struct look *l, const char *file, struct dev_option_set *s,
                        char *command)
{
    struct cmd_home home = {0};
    struct err *e = check_file(file);
    if (!e) e = cmd_home_find(&home);
    if (e) return e;
    const char *kernel = s->v[DEV_OPT_KERNEL].text,
               *options = cmd_with_folder(&s->arena, file,
                                          dev_option_build_options(s, DEV_OPT_BUILD_OPTIONS));
    const struct dev_option_value *reports = &s->v[DEV_OPT_REPORT];
    struct str dump = {0};
    str_printf(&dump, "--dump=%s%s%s", s->v[DEV_OPT_DOT].given ? "dot" : l->what, kernel ? ":" : "",
               kernel ? kernel : "");
    VEC(char *) args = {0};
    vec_push(&args, home.helper);
    vec_push(&args, dump.data);
    vec_push(&args, (char *)file);
    vec_push(&args, (char *)options);
    vec_push(&args, command);
    if (s->v[DEV_OPT_OVERWRITE].given) vec_push(&args, (char *)"--overwrite");
    for (size_t i = 0; i < reports->list.len; i++) vec_push(&args, (char *)reports->list.data[i]);
    vec_push(&args, NULL);
    execv(home.helper, args.data);
    return err_new("%s cannot be started: %m", home.helper);
}

static int look(const struct look *l, int argc, char **argv)
{
    struct dev_option_set s = {0};
    const char *file = NULL, *text;
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1]) e = dev_option_parse(&s, argv[i], l->use);
        else if (file) e = err_new("one kernel file at a time: %s, %s", file, argv[i]);
        else file = argv[i];
    }
    if (!e && cmd_help_asked(&s)) return cmd_help(&s, l->use);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !file) e = err_new("no kernel file is named");
    if (!e) e = dev_option_log(&s, &text);
    const struct dev_option_value *reports = &s.v[DEV_OPT_REPORT];
    for (size_t i = 0; i < reports->list.len && !e; i++)
        if (str_starts(reports->list.data[i], "junit:"))
            e = err_new("cldbg lint writes text, json, sarif and github, not junit");
    if (!e) e = show(l, file, &s, command_of(l, argc, argv));
    return cmd_fail(l->failed, e);
}

int cmd_lint(int argc, char **argv)
{
    return look(&(struct look){"lint", "lint", DEV_FOR_LINT, CMD_RUN_FAILED}, argc, argv);
}

int cmd_disasm(int argc, char **argv)
{
    return look(&(struct look){"disasm", "bytecode", DEV_FOR_DISASM, CMD_FAILED}, argc, argv);
}

int cmd_regions(int argc, char **argv)
{
    return look(&(struct look){"regions", "regions", DEV_FOR_REGIONS, CMD_FAILED}, argc, argv);
}
