// SPDX-License-Identifier: MIT
// The table of commands, and its search by a prefix of the name.
#include "debug/commands/command_table.h"

#include "debug/commands/command_text.h"

#include <ctype.h>
#include <string.h>

#define COMMAND(f, ...) dbg_command_fn dbg_cmd_##f;
#include "debug/commands/command_rows.def"
#undef COMMAND

const char *const dbg_section_titles[] = {
#define SECTION(name, title) title,
    DBG_EACH_SECTION(SECTION)
#undef SECTION
};

const struct dbg_command dbg_commands[] = {
#define AGAIN  DBG_AGAIN
#define CLIENT DBG_CLIENT
#define BEGINS DBG_BEGINS
#define TRUTH  DBG_TRUTH
#define BODY   DBG_BODY
#define FILES  DBG_FILES
#define COMMAND(f, s, n, al, fl, ar, he)                                                           \
    {.name = n,                                                                                    \
     .aliases = al,                                                                                \
     .flags = fl,                                                                                  \
     .args = ar,                                                                                   \
     .help = he,                                                                                   \
     .run = dbg_cmd_##f,                                                                           \
     .section = DBG_SECTION_##s},
#include "debug/commands/command_rows.def"
#undef COMMAND
};
const size_t dbg_ncommands = sizeof dbg_commands / sizeof *dbg_commands;

static bool has_alias(const struct dbg_command *c, const char *name, size_t n)
{
    for (const char *a = c->aliases; *a; a += strspn(a, " ")) {
        const size_t k = strcspn(a, " ");
        if (k == n && !memcmp(a, name, n)) return true;
        a += k;
    }
    return false;
}

struct err *dbg_command_find(const char *name, size_t n, const struct dbg_command **out)
{
    struct str could = {0};
    unsigned found = 0;
    for (size_t i = 0; i < dbg_ncommands; i++) {
        const struct dbg_command *c = &dbg_commands[i];
        if ((strlen(c->name) == n && !memcmp(c->name, name, n)) || has_alias(c, name, n)) {
            *out = c;
            str_deinit(&could);
            return NULL;
        }
    }
    for (size_t i = 0; i < dbg_ncommands; i++) {
        const struct dbg_command *c = &dbg_commands[i];
        if (strncmp(c->name, name, n)) continue;
        *out = c;
        found++;
        str_printf(&could, "%s%s", could.len ? ", " : "", c->name);
    }
    struct err *e = NULL;
    if (!found && (e = dbg_unsupported(name, n))) {
        str_deinit(&could);
        return e;
    }
    if (!found) e = err_new("Undefined command: \"%.*s\".  Try \"help\".", (int)n, name);
    else if (found > 1)
        e = err_new("Ambiguous command \"%.*s\": %s.", (int)n, name, str_text(&could));
    str_deinit(&could);
    return e;
}

/** A command's name ends where letters do: `x/4x p`, `p/x v`. */
size_t dbg_command_name_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_') n++;
    return n;
}
