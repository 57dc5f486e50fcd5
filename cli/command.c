// SPDX-License-Identifier: MIT
// The command line: which subcommand, --help, --version. What is not the name of a subcommand is an
// app.
#include "cli/cmd.h"

#include "config.h"
#include "report/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    unsigned use; // of its options
    const char *usage, *what;
} commands[] = {
    {"run", cmd_run, DEV_FOR_RUN, "run [options] kernel.cl | file.sim",
     "run one kernel with no host program"},
    {"doctor", cmd_doctor, DEV_FOR_DOCTOR, "doctor [./app [args…]]",
     "who serves OpenCL to the app, and why"},
    {"explain", cmd_explain, 0, "explain [ID]", "what a kind of finding means, and how to mend it"},
    {"lint", cmd_lint, DEV_FOR_LINT, "lint [options] kernel.cl",
     "barriers that not all work-items may reach, without running"},
    {"dap", cmd_dap, 0, "dap [--dap-allow-files]",
     "debug adapter on stdin and stdout, for editors"},
    {"disasm", cmd_disasm, DEV_FOR_DISASM, "disasm [options] kernel.cl",
     "the bytecode of a file's kernels"},
    {"regions", cmd_regions, DEV_FOR_REGIONS, "regions [options] kernel.cl",
     "the parallel regions of a file's kernels"},
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

/** Help texts are folded at this column. */
enum { HELP_COLUMN = 30, HELP_WIDTH = 92 };

static void print_folded(FILE *out, const char *text)
{
    int col = HELP_COLUMN;
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (col > HELP_COLUMN && col + 1 + word > HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            col = HELP_COLUMN;
        } else if (col > HELP_COLUMN) {
            fputc(' ', out);
            col++;
        }
        fprintf(out, "%.*s", word, text);
        col += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/** Columns of a text in UTF-8. */
static int width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

void cmd_print_options(FILE *out, unsigned use)
{
    for (int i = 0; i < DEV_OPT_COUNT; i++) {
        const struct dev_option_info *o = &dev_option_infos[i];
        if (!(o->applies & use)) continue;
        struct str left = {0}, right = {0};
        str_printf(&left, "  --%s%s%s", o->name, o->arg ? "=" : "", o->arg ? o->arg : "");
        str_put(&right, o->help);
        if (o->dflt) str_printf(&right, " (default: %s)", o->dflt);
        if (left.len + 2 > HELP_COLUMN) fprintf(out, "%s\n%*s", str_text(&left), HELP_COLUMN, "");
        else fprintf(out, "%-*s", HELP_COLUMN, str_text(&left));
        print_folded(out, str_text(&right));
        str_deinit(&left);
        str_deinit(&right);
    }
}

/** Of a subcommand that looks inside. */
static int help_of(unsigned use)
{
    for (int i = 0; i < COMMANDS; i++)
        if (commands[i].use == use)
            printf("usage: cldbg %s\n\nIt shows %s.\n\noptions:\n", commands[i].usage,
                   commands[i].what);
    cmd_print_options(stdout, use);
    return CMD_OK;
}

int cmd_help(unsigned use)
{
    if (use != DEV_FOR_APP && use != DEV_FOR_RUN) return help_of(use);
    printf("cldbg checks OpenCL programs: it runs their kernels and reports what is wrong with "
           "them.\n\n");
    if (use == DEV_FOR_RUN) {
        printf("usage: cldbg run [options] kernel.cl --global=… --arg=… …\n"
               "       cldbg run [options] file.sim\n\n"
               "Instead of kernel.cl: SPIR-V, LLVM bitcode, or a program binary of cldbg's.\n");
    } else {
        printf("usage: cldbg [options] ./app [args…]\n"
               "       cldbg -i [--batch] [-x FILE] [options] ./app [args…] | run …\n"
               "       cldbg --dap [options] ./app [args…] | run …\n");
        for (int i = 0; i < COMMANDS; i++)
            printf("       cldbg %s%*s%s\n", commands[i].usage, 42 - width(commands[i].usage), "",
                   commands[i].what);
    }
    printf("\noptions:\n");
    cmd_print_options(stdout, use);
    if (use == DEV_FOR_APP) {
        printf("\nof the debugger (cldbg -i), and for editors:\n  -x FILE%*sread commands from the "
               "file first; may be repeated\n",
               HELP_COLUMN - 9, "");
        cmd_print_options(stdout, DEV_FOR_DEBUG | DEV_FOR_EDITOR);
        printf("\nThe exit status is the app's own, but 66 when errors were found and the app "
               "ended with 0; 125\n"
               "when cldbg itself failed; 126 and 127 when the app cannot be run or found. "
               "CLDBG_OPTIONS in the\n"
               "environment takes the same options. Options of `cldbg run`: cldbg run --help. "
               "More: man cldbg\n");
    } else {
        printf("\nThe exit status is 0 when no errors were found, 1 when there were, 2 when it "
               "could not run.\n"
               "More: man cldbg\n");
    }
    return CMD_OK;
}

int cmd_version(void)
{
    printf("cldbg %s\n", PACKAGE_VERSION);
    return CMD_OK;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        cmd_help(DEV_FOR_APP);
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
    int first = 1; // that is no option
    while (first < argc && argv[first][0] == '-' && argv[first][1] == '-' && argv[first][2])
        first++;
    if (first < argc && !strcmp(argv[first], "run")) { // its options may stand before it
        memmove(argv + 2, argv + 1, (size_t)(first - 1) * sizeof *argv);
        return cmd_run(argc - 2, argv + 2);
    }
    return cmd_app(argc - 1, argv + 1);
}
