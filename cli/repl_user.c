// SPDX-License-Identifier: MIT
// User-defined commands: `define NAME` … `end`, `document NAME` … `end`. The lines of one are
// run in place of its name, with $arg0, $arg1 … and $argc replaced by the arguments.
#include "cli/repl.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/repl_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct user_command {
    char *name, *body, *help; // body: lines; help may be NULL
};
static VEC(struct user_command) users;
enum { MAX_CALLS = 10000, MAX_ARGS = 10 }; // calls: after one typed line

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_') n++;
    return n;
}

static struct user_command *find(const char *name, size_t n)
{
    for (size_t i = 0; n && i < users.len; i++)
        if (strlen(users.data[i].name) == n && !memcmp(users.data[i].name, name, n))
            return &users.data[i];
    return NULL;
}

/** The second word of the line; n may be 0. */
static const char *argument(const char *line, size_t *n)
{
    const char *p = line + word_length(line);
    p += strspn(p, " \t");
    *n = word_length(p);
    return p;
}

static void without_end(char *body)
{
    char *last = strrchr(body, '\n');
    if (last && !strncmp(last + 1, "end", 3)) *last = 0;
    else if (!strncmp(body, "end", 3)) *body = 0;
}

/** The lines after the first, without the `end`. */
static char *read_body(const char *line, const char *what)
{
    char *all = repl_with_body(line, what), *nl = strchr(all, '\n');
    char *body = mem_strdup(nl ? nl + 1 : "");
    free(all);
    without_end(body);
    return body;
}

/** A name of the table of commands, in full. */
static bool is_built_in(const char *name, size_t n)
{
    bool is = false;
    size_t i;
    json_t *x;
    char *own = strndup(name, n);
    json_t *m = repl_has_agent() ? repl_answer_to(dap_request(&repl.agent, "completions",
                                                              json_pack("{s:s}", "text", own)))
                                 : NULL;
    json_array_foreach(json_object_get(json_object_get(m, "body"), "targets"), i, x) {
        const char *label = json_string_value(json_object_get(x, "label"));
        is |= label && !strcmp(label, own);
    }
    json_decref(m);
    free(own);
    return is;
}

/** Whether the definition replaces nothing, or the user agrees that it does. */
static bool may_define(const char *name, size_t n)
{
    struct str question = {0};
    if (!repl_is_typed()) return true;
    if (find(name, n)) str_printf(&question, "Redefine command \"%.*s\"? (y or n) ", (int)n, name);
    else if (is_built_in(name, n))
        str_printf(&question, "Really redefine built-in command \"%.*s\"? (y or n) ", (int)n, name);
    const bool may = !question.len || repl_yes(str_text(&question));
    str_deinit(&question);
    return may;
}

static void define(const char *line)
{
    size_t n;
    const char *name = argument(line, &n);
    if (!n || !isalpha((unsigned char)*name)) {
        repl_show("define: a name is expected, of letters, digits, - and _.\n");
        repl.failed = true;
        repl_skip_body(line);
        return;
    }
    if (!may_define(name, n)) return;
    struct str what = {0};
    str_printf(&what, "definition of \"%.*s\"", (int)n, name);
    char *body = read_body(line, str_text(&what));
    str_deinit(&what);
    if (repl_json_block_is_cut()) {
        free(body);
        return;
    }
    struct user_command *u = find(name, n);
    if (!u) {
        u = vec_add(&users);
        *u = (struct user_command){.name = mem_strdup(name)};
        u->name[n] = 0;
    }
    free(u->body);
    u->body = body;
}

static void document(const char *line)
{
    size_t n;
    const char *name = argument(line, &n);
    struct user_command *u = find(name, n);
    if (!u) {
        repl_say("Undefined command: \"%.*s\".  `define` comes first.\n", (int)n, name);
        repl.failed = true;
        repl_skip_body(line);
        return;
    }
    struct str what = {0};
    str_printf(&what, "documentation of \"%s\"", u->name);
    char *help = read_body(line, str_text(&what));
    str_deinit(&what);
    if (repl_json_block_is_cut()) {
        free(help);
        return;
    }
    free(u->help);
    u->help = help;
}

/** Adds the line with $argN replaced. */
static char *with_arguments(const char *line, size_t n, char *const *args, unsigned nargs)
{
    struct str s = {0};
    for (const char *end = line + n; line < end;) {
        if (end - line >= 5 && !strncmp(line, "$argc", 5)) {
            str_printf(&s, "%u", nargs);
            line += 5;
        } else if (end - line >= 5 && !strncmp(line, "$arg", 4) &&
                   isdigit((unsigned char)line[4])) {
            const unsigned k = (unsigned)(line[4] - '0');
            if (k < nargs) str_put(&s, args[k]);
            line += 5;
        } else {
            str_put_char(&s, *line++);
        }
    }
    return str_take(&s);
}

static void run(const struct user_command *u, const char *rest)
{
    char *args[MAX_ARGS], *next = mem_strdup(rest), *save = NULL;
    unsigned nargs = 0;
    for (char *p = strtok_r(next, " \t", &save); p && nargs < MAX_ARGS;
         p = strtok_r(NULL, " \t", &save))
        args[nargs++] = p;
    VEC(char *) lines = {0};
    for (const char *p = u->body; *p;) {
        const size_t n = strcspn(p, "\n");
        if (n) vec_push(&lines, with_arguments(p, n, args, nargs));
        p += n + (p[n] == '\n');
    }
    free(next);
    if (++repl.calls > MAX_CALLS) {
        repl_say("%s: commands call one another without an end.\n", u->name);
        repl.failed = true;
        for (size_t i = 0; i < lines.len; i++) free(lines.data[i]);
        for (size_t i = 0; i < repl.pending.len; i++) free(repl.pending.data[i]);
        vec_clear(&repl.pending);
    } else { // in front of what is there already
        for (size_t i = lines.len; i-- > 0;) repl_do_first(lines.data[i]), free(lines.data[i]);
    }
    vec_free(&lines);
}

static void show_definition(const struct user_command *u)
{
    struct str s = {0};
    str_printf(&s, "User command \"%s\":\n", u->name);
    for (const char *p = u->body; *p;) {
        const size_t n = strcspn(p, "\n");
        str_printf(&s, "  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    repl_show(str_text(&s));
    str_deinit(&s);
}

bool repl_user_command(const char *line)
{
    line += strspn(line, " \t");
    const size_t n = word_length(line);
    size_t k;
    const char *name = argument(line, &k);
    const struct user_command *u = find(line, n);
    if (repl_flow_word(line)) return true;
    if (n == 6 && !memcmp(line, "define", 6)) {
        define(line);
    } else if (n == 8 && !memcmp(line, "document", 8)) {
        document(line);
    } else if (n == 4 && !memcmp(line, "show", 4) && k == 4 && !memcmp(name, "user", 4)) {
        const char *which = name + 4 + strspn(name + 4, " \t");
        for (size_t i = 0; i < users.len; i++)
            if (!*which || !strcmp(users.data[i].name, which)) show_definition(&users.data[i]);
    } else if (n && !strncmp(line, "help", n) && find(name, k)) {
        const char *help = find(name, k)->help;
        repl_say("%s\n", help && *help ? help : "User-defined.");
    } else if (u) {
        run(u, line + n + strspn(line + n, " \t"));
    } else {
        return false;
    }
    return true;
}

void repl_user_names(const char *start, size_t n, json_t *to)
{
    for (size_t i = 0; i < users.len; i++)
        if (!strncmp(users.data[i].name, start, n))
            json_array_append_new(to, json_pack("{s:s}", "label", users.data[i].name));
}
