// SPDX-License-Identifier: MIT
// Looking inside: `cldbg lint`, `cldbg disasm` and `cldbg regions` are windows of cldbg-cc.
#include "cli/cmd.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct err *show(const char *what, const char *kernel, const char *file, const char *options)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    if (e) return e;
    if (access(file, R_OK)) return err_new("%s: %m", file);
    struct str dump = {0};
    str_printf(&dump, "--dump=%s%s%s", what, kernel ? ":" : "", kernel ? kernel : "");
    char *args[] = {home.helper, dump.data, (char *)file, (char *)options, NULL};
    execv(home.helper, args);
    return err_new("%s cannot be started: %m", home.helper);
}

static int look(const char *what, int argc, char **argv)
{
    struct dev_option_set s = {0};
    const char *file = NULL;
    struct err *e = NULL;
    for (int i = 0; i < argc && !e; i++) {
        if (argv[i][0] == '-' && argv[i][1])
            e = dev_option_parse(&s, argv[i], DEV_FOR_LOOK);
        else if (file)
            e = err_new("one kernel file at a time: %s, %s", file, argv[i]);
        else
            file = argv[i];
    }
    if (!e && s.v[DEV_OPT_HELP].given) return cmd_help(DEV_FOR_LOOK);
    if (!e && s.v[DEV_OPT_VERSION].given) return cmd_version();
    if (!e && !file) e = err_new("which kernel file?");
    const char *kernel = s.v[DEV_OPT_KERNEL].text;
    bool regions = !strcmp(what, "regions");
    if (!e && !regions && (kernel || s.v[DEV_OPT_DOT].given)) e = err_new("--kernel and --dot are for cldbg regions");
    if (!e) e = show(regions && s.v[DEV_OPT_DOT].given ? "dot" : what, kernel, file, s.v[DEV_OPT_BUILD_OPTIONS].text);
    return cmd_fail(!strcmp(what, "lint") ? CMD_RUN_FAILED : CMD_FAILED, e);
}

int cmd_lint(int argc, char **argv)
{
    return look("lint", argc, argv);
}

int cmd_disasm(int argc, char **argv)
{
    return look("bytecode", argc, argv);
}

int cmd_regions(int argc, char **argv)
{
    return look("regions", argc, argv);
}
