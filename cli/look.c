// SPDX-License-Identifier: MIT
// Looking inside: `cldbg lint`, `cldbg disasm` and `cldbg regions` are windows of cldbg-cc.
#include "base/vec.h"
#include "cli/cmd.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct err *show(const char *what, const char *kernel, const char *file, const char *options, const struct dev_reports *reports)
{
    struct cmd_home home = {0};
    struct err *e = cmd_home_find(&home);
    if (e) return e;
    if (access(file, R_OK)) return err_new("%s: %m", file);
    struct str dump = {0};
    str_printf(&dump, "--dump=%s%s%s", what, kernel ? ":" : "", kernel ? kernel : "");
    VEC(char *) args = {0};
    vec_push(&args, home.helper);
    vec_push(&args, dump.data);
    vec_push(&args, (char *)file);
    vec_push(&args, (char *)(options ? options : ""));
    for (size_t i = 0; i < reports->len; i++) {
        struct str report = {0};
        str_printf(&report, "%s:%s", reports->data[i].format, reports->data[i].path);
        vec_push(&args, report.data);
    }
    vec_push(&args, NULL);
    execv(home.helper, args.data);
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
    struct dev_reports reports = {0};
    dev_option_reports(&s, &reports);
    if (!e && reports.len && strcmp(what, "lint")) e = err_new("--report is not for this; cldbg lint has it");
    for (size_t i = 0; i < reports.len && !e; i++)
        if (strcmp(reports.data[i].format, "json") && strcmp(reports.data[i].format, "sarif") && strcmp(reports.data[i].format, "github"))
            e = err_new("cldbg lint writes json, sarif and github, not %s", reports.data[i].format);
    bool regions = !strcmp(what, "regions");
    if (!e && !regions && (kernel || s.v[DEV_OPT_DOT].given)) e = err_new("--kernel and --dot are for cldbg regions");
    if (!e) e = show(regions && s.v[DEV_OPT_DOT].given ? "dot" : what, kernel, file, s.v[DEV_OPT_BUILD_OPTIONS].text, &reports);
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
