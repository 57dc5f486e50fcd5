// SPDX-License-Identifier: MIT
// `cldbg explain [ID]`: what a kind of finding means, from the tables.
#include "cli/cmd.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 92 };

/** A paragraph folded at WIDTH. */
static void print_paragraph(const char *text)
{
    size_t column = 0;
    for (bool first = true; *text; first = false) {
        size_t word = strcspn(text, " ");
        if (!first) putchar(column + 1 + word > WIDTH ? '\n' : ' ');
        column = column + 1 + word > WIDTH || first ? word : column + 1 + word;
        if (first) putchar(toupper((unsigned char)*text)), fwrite(text + 1, 1, word - 1, stdout);
        else fwrite(text, 1, word, stdout);
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_code(const char *title, const char *code)
{
    printf("\n%s:\n\n", title);
    for (; *code; code += strcspn(code, "\n") + 1)
        printf("    %.*s\n", (int)strcspn(code, "\n"), code);
}

static void print_kind(int k)
{
    const struct rep_kind_info *kind = &rep_kinds[k];
    const struct rep_explanation *e = &rep_explanations[k];
    printf("%s (%s): %s\n\n", kind->id, kind->severity == REP_ERROR ? "error" : "warning",
           kind->what);
    print_paragraph(e->rule);
    print_code("Wrong", e->wrong);
    print_code("Fixed", e->fixed);
    printf("\n");
    print_paragraph(kind->fix);
    enum rep_fix m = 0;
    for (char *more; (more = rep_next_fix((enum rep_kind)k, &m)); free(more)) {
        printf("\n");
        print_paragraph(more);
    }
}

/** Text as roff, in one line; its first letter is a capital where `capital`. */
static void print_roff(const char *text, bool capital)
{
    if (*text == '.' || *text == '\'') printf("\\&");
    for (const char *p = text; *p; p++)
        if (*p == '-') printf("\\-");
        else if (*p == '\\') printf("\\e");
        else if (!strncmp(p, "…", 3)) p += printf("...") - 1;
        else putchar(p == text && capital ? toupper((unsigned char)*p) : *p);
}

static void print_roff_code(const char *title, const char *code)
{
    printf("%s:\n.PP\n.RS\n.nf\n", title);
    for (; *code; code += strcspn(code, "\n") + 1) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(code, "\n"), code);
        print_roff(line, false);
        putchar('\n');
    }
    printf(".fi\n.RE\n");
}

/** The list of cldbg-findings(7): a test compares it with the page. */
static void print_manual(void)
{
    for (int k = 0; k < REP_KIND_COUNT; k++) {
        const struct rep_kind_info *kind = &rep_kinds[k];
        const struct rep_explanation *e = &rep_explanations[k];
        printf(".SS ");
        print_roff(kind->id, false);
        printf(" (%s)\n", kind->severity == REP_ERROR ? "error" : "warning");
        print_roff(kind->what, true);
        printf(".\n.PP\n");
        print_roff(e->rule, true);
        printf("\n.PP\n");
        print_roff_code("Wrong", e->wrong);
        printf(".PP\n");
        print_roff_code("Fixed", e->fixed);
        printf(".PP\n");
        print_roff(kind->fix, true);
        printf("\n");
        enum rep_fix m = 0;
        for (char *more; (more = rep_next_fix((enum rep_kind)k, &m)); free(more)) {
            printf(".PP\n");
            print_roff(more, true);
            printf("\n");
        }
    }
}

int cmd_explain(int argc, char **argv)
{
    if (argc > 1) return cmd_fail(CMD_FAILED, err_new("explain takes at most one id of a finding"));
    if (argc == 1 && !strcmp(argv[0], "--help")) {
        printf("usage: cldbg explain [ID]\n\nWhat a kind of finding means, with an example, and "
               "how to fix it; without an ID, a list of all kinds.\n");
        return CMD_OK;
    }
    if (argc == 1 && !strcmp(argv[0], "--man")) {
        print_manual();
        return CMD_OK;
    }
    if (argc == 0) {
        for (int k = 0; k < REP_KIND_COUNT; k++)
            printf("%-20s %-8s %s\n", rep_kinds[k].id,
                   rep_kinds[k].severity == REP_ERROR ? "error" : "warning", rep_kinds[k].what);
        return CMD_OK;
    }
    int k = rep_kind_find(argv[0]);
    if (k < 0)
        return cmd_fail(
            CMD_FAILED,
            err_new("no kind of finding is called %s; `cldbg explain` lists them", argv[0]));
    print_kind(k);
    return CMD_OK;
}
