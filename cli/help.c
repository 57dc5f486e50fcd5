// SPDX-License-Identifier: MIT
// What `cldbg` alone, --help, --help-all and --version print. Options and subcommands come from
// their tables (devices/options.def, cli/subcommands.def).
#include "cli/cmd.h"

#include "config.h"

#include <stdio.h>
#include <string.h>

/** Help texts start at this column, and are folded at this width. */
enum { HELP_COLUMN = 30, HELP_WIDTH = 92 };

/** The options from `first` on, up to the next group, stand under `title`. */
static const struct {
    enum dev_option first;
    const char *title;
} groups[] = {
#define OPTION(id, name, type, arg, dflt, applies, min, max, help)
#define GROUP(first, title) {DEV_OPT_##first, title},
#include "devices/options.def"
};
enum { GROUPS = sizeof groups / sizeof *groups };

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

static void print_option(FILE *out, const struct dev_option_info *o)
{
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

/** The options of a group that apply to `use`; if `all` is not set only the common ones. */
static void print_group(FILE *out, int group, unsigned use, bool all)
{
    int end = group + 1 < GROUPS ? (int)groups[group + 1].first : DEV_OPT_COUNT;
    bool titled = false;
    for (int i = (int)groups[group].first; i < end; i++) {
        const struct dev_option_info *o = &dev_option_infos[i];
        if (!(o->applies & use) || !(all || o->applies & DEV_FOR_COMMON)) continue;
        if (!titled) fprintf(out, "\n%s:\n", groups[group].title);
        titled = true;
        print_option(out, o);
    }
}

/** Help of a subcommand that has few options: all of them. */
static int help_of(unsigned use, bool all)
{
#define SUBCOMMAND(name, its_use, usage, what)                                                     \
    if (DEV_FOR_##its_use == use) printf("usage: cldbg %s\n\ncldbg " #name ": %s.\n", usage, what);
#define DEV_FOR_0 0
#include "cli/subcommands.def"
    for (int i = 0; i < GROUPS; i++) print_group(stdout, i, use, all);
    if (!all) printf("\nAll options: cldbg check --help-all. Manual: man cldbg\n");
    return CMD_OK;
}

static void usage_row(const char *usage, const char *what)
{
    printf("  cldbg %s%*s%s\n", usage, 38 - width(usage), "", what);
}

static void usage_of_app(void)
{
    printf("cldbg runs an OpenCL program and reports what is wrong with its kernels.\n\nusage:\n");
    usage_row("[options] ./app [args…]", "check a program; it needs no change and no rebuild");
    usage_row("-i [options] ./app [args…]",
              "debug its kernels on the command line (also: -i run …)");
    usage_row("--dap [options] ./app [args…]", "debug its kernels from an editor");
#define SUBCOMMAND(name, use, usage, what) usage_row(usage, what);
#include "cli/subcommands.def"
}

bool cmd_help_asked(const struct dev_option_set *s)
{
    return s->v[DEV_OPT_HELP].given || s->v[DEV_OPT_HELP_ALL].given;
}

int cmd_help(const struct dev_option_set *s, unsigned use)
{
    bool all = s && s->v[DEV_OPT_HELP_ALL].given;
    if (use != DEV_FOR_APP && use != DEV_FOR_RUN) return help_of(use, all || use != DEV_FOR_CHECK);
    if (use == DEV_FOR_APP) {
        usage_of_app();
        use |= DEV_FOR_DEBUG | DEV_FOR_EDITOR;
    } else {
        printf("cldbg run runs one kernel without a host program and reports what is wrong with "
               "it.\n\n"
               "usage: cldbg run [options] kernel.cl --global=N --local=N --arg=SPEC…\n"
               "       cldbg run [options] file.sim\n\n"
               "The kernel may also be SPIR-V, LLVM bitcode, a program binary of cldbg or a "
               "captured launch.\n");
    }
    for (int i = 0; i < GROUPS; i++) {
        print_group(stdout, i, use, all);
        if (all && use & DEV_FOR_DEBUG && groups[i].first == DEV_OPT_BATCH)
            printf("  -x FILE%*sread commands from the file first; may be repeated\n",
                   HELP_COLUMN - 9, "");
    }
    printf(
        "\nExit status: %s.\n",
        use & DEV_FOR_APP
            ? "that of the app; 66 if errors were found and the app exited with 0; 125 if\n"
              "cldbg failed; 126 or 127 if the app cannot be run. CLDBG_OPTIONS takes the same "
              "options"
            : "0 if no errors were found, 1 if errors were found, 2 if the kernel cannot be run");
    printf("%sManual: man cldbg\n",
           all                 ? ""
           : use & DEV_FOR_APP ? "All options: cldbg --help-all. Options for one kernel: cldbg run "
                                 "--help. "
                               : "All options: cldbg run --help-all. ");
    return CMD_OK;
}

void cmd_hint(void)
{
    fputs(
        "cldbg runs an OpenCL program and reports what is wrong with its kernels.\n\n"
        "  cldbg ./app [args…]          check a program; it needs no change and no rebuild\n"
        "  cldbg run kernel.cl --arg=…  run one kernel without a host program\n"
        "  cldbg -i ./app [args…]       debug its kernels: break, step, print, step back\n"
        "  cldbg lint kernel.cl         list barriers that may diverge, without running anything\n"
        "  cldbg explain [ID]           explain a kind of finding and how to fix it\n"
        "  cldbg doctor ./app           show which OpenCL implementation an app loads\n\n"
        "More: cldbg --help, man cldbg\n",
        stdout);
}

int cmd_version(void)
{
    printf("cldbg %s\n", PACKAGE_VERSION);
    return CMD_OK;
}
