// SPDX-License-Identifier: MIT
// Running a command line.
#include "debug/commands/commands.h"

#include "debug/commands/command_table.h"
#include "debug/commands/command_text.h"
#include "debug/expressions/expr.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct err *missing_expression(const struct dbg_command *c)
{
    return err_new("%s: an expression is missing.", c->name);
}

/** Evaluates the condition in the first line of the text. */
static struct err *holds(const struct dbg_command *c, const char *text, bool *is)
{
    struct dbg_value v;
    char *own = strndup(text, strcspn(text, "\n"));
    struct err *e = *own ? dbg_eval(own, &dbg.arena, &v) : missing_expression(c);
    if (!e) e = dbg_value_true(dbg_focus_gang(), &v, is);
    free(own);
    return e;
}

bool dbg_names_command(const char *line)
{
    const size_t n = dbg_command_name_length(line);
    const struct dbg_command *c = NULL;
    struct err *e = dbg_command_find(line, n ? n : 1, &c), *hint = dbg_unsupported(line, n ? n : 1);
    const bool known = !e || hint;
    err_free(e);
    err_free(hint);
    return known;
}

struct err *dbg_execute(const char *line, struct str *out, struct dbg_done *done)
{
    *done = (struct dbg_done){0};
    line += strspn(line, " \t");
    if (!*line || *line == '#') return NULL;
    const size_t n = dbg_command_name_length(line);
    const struct dbg_command *c = NULL;
    struct err *e = dbg_command_find(line, n ? n : 1, &c);
    if (!e && c->flags & DBG_FILES && !dbg_client.allow_files)
        e = err_new("%s: an editor's commands may not touch files or run programs; start cldbg "
                    "with --dap-allow-files to allow it.",
                    c->name);
    if (e) return e;
    const char *args = line + (n ? n : 1);
    args += strspn(args, " \t");
    char *own = mem_strdup(args);
    for (size_t k = strlen(own); k && isspace((unsigned char)own[k - 1]);) own[--k] = 0;
    done->again = c->flags & DBG_AGAIN;
    if (c->flags & (DBG_TRUTH | DBG_BODY) &&
        !strchr(args, '\n')) { // does the client have to read the other lines?
        if (c->flags & DBG_BODY) e = c->run(own, out);
        else if (!*own) e = missing_expression(c);
        done->is_client = true;
        done->client = c->name;
        done->rest = args;
    } else if (c->flags & DBG_TRUTH) {
        bool is = false;
        e = holds(c, args, &is);
        done->is_client = true;
        done->client = c->name;
        done->rest = is ? "1" : "0";
    } else if (c->flags & DBG_BEGINS && *own) {
        e = dbg_unsupported_after("set", "args");
    } else if (c->flags & DBG_CLIENT ||
               (c->flags & DBG_BEGINS && (dbg.state != DBG_BEGINNING || dbg_client.idle))) {
        done->is_client = true;
        done->client = c->name;
        done->rest = args;
    } else {
        e = c->run(own, out);
    }
    free(own);
    return e;
}
