// SPDX-License-Identifier: MIT
// `help` and `apropos`, from the table of commands.
#include "debug/commands/command.h"
#include "debug/commands/command_text.h"

#include <string.h>
#include <strings.h>

/** Of UTF-8. */
static size_t columns(const char *text, size_t n)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++) c += (text[i] & 0xc0) != 0x80;
    return c;
}

/** The text up to `end`, at column `from`; further lines begin there, too. */
static void put_folded(struct str *out, size_t from, const char *text, const char *end)
{
    for (size_t col = from; text < end; text += strspn(text, " ")) {
        size_t n = strcspn(text, " ");
        if (n > (size_t)(end - text)) n = (size_t)(end - text);
        const size_t wide = columns(text, n);
        if (col > from && col + 1 + wide > 78) str_printf(out, "\n%*s", (int)from, ""), col = from;
        if (col > from) str_put_char(out, ' '), col++;
        str_put_n(out, text, n);
        col += wide;
        text += n;
    }
    str_put(out, "\n");
}

/** A row of a list of commands: the first sentence of the help. */
static void put_row(struct str *out, const struct dbg_command *c)
{
    enum { NAMES = 18 };
    const char *end = strstr(c->help, ". ");
    str_printf(out, "  %-*s ", NAMES, c->name);
    put_folded(out, NAMES + 3, c->help, end ? end : c->help + strlen(c->help) - 1);
}

static void put_section(struct str *out, enum dbg_section section)
{
    for (size_t i = 0; i < dbg_ncommands; i++)
        if (dbg_commands[i].section == section) put_row(out, &dbg_commands[i]);
}

COMMAND(help, HELP, "help", "h", 0, "[COMMAND | SECTION]",
        "List the commands, or those of a section, or show the help of one.")
{
    if (!strcmp(args, "all")) args = "";
    for (unsigned s = 0; s < DBG_NSECTIONS; s++)
        if (!strcasecmp(dbg_section_titles[s], args)) put_section(out, s);
    if (out->len) return NULL;
    if (*args) {
        const struct dbg_command *c = NULL;
        struct err *e = dbg_command_find(args, dbg_word(args), &c);
        if (e) return e;
        put_folded(out, 0, c->help, c->help + strlen(c->help));
        str_printf(out, "Usage: %s%s%s\n", c->name, *c->args ? " " : "", c->args);
        if (*c->aliases) str_printf(out, "Also: %s\n", c->aliases);
        return NULL;
    }
    for (unsigned s = 0; s < DBG_NSECTIONS; s++) {
        str_printf(out, "%s%s:\n", s ? "\n" : "", dbg_section_titles[s]);
        put_section(out, s);
    }
    str_put(out, "\nA unique prefix of a name is enough. An empty line repeats the last step.\n"
                 "`help COMMAND` shows details.\n");
    return NULL;
}

/** All commands whose name, arguments or help contains the word. */
COMMAND(apropos, HELP, "apropos", "", 0, "WORD",
        "List the commands whose name or help contains a word.")
{
    bool any = false;
    if (!*args) return err_new("Argument required: apropos WORD");
    for (size_t i = 0; i < dbg_ncommands; i++) {
        const struct dbg_command *c = &dbg_commands[i];
        if (!(strcasestr(c->name, args) || strcasestr(c->help, args) || strcasestr(c->args, args)))
            continue;
        put_row(out, c);
        any = true;
    }
    return any ? NULL : err_new("No command mentions \"%s\".", args);
}
