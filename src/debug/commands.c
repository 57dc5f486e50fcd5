// SPDX-License-Identifier: MIT
// The table of commands: finding one by a prefix of its name, help, completion.
#include "debug/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct command {
    const char *name, *aliases;
    unsigned flags;
    const char *args, *help;
    dbg_command_fn *run;
    const char *section; // begins here
} commands[] = {
#define AGAIN          DBG_AGAIN
#define CLIENT         DBG_CLIENT
#define BEGINS         DBG_BEGINS
#define TRUTH          DBG_TRUTH
#define BODY           DBG_BODY
#define FILES          DBG_FILES
#define SECTION(title) {.section = title},
#define COMMAND(f, n, al, fl, ar, he)                                                              \
    {.name = n, .aliases = al, .flags = fl, .args = ar, .help = he, .run = dbg_cmd_##f},
#include "debug/commands.def"
#undef COMMAND
#undef SECTION
};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

size_t dbg_word(const char *p) { return strcspn(p, " \t"); }

bool dbg_word_is(const char *p, const char *word)
{
    const size_t n = dbg_word(p);
    return n && n <= strlen(word) && !strncmp(p, word, n);
}

static bool has_alias(const struct command *c, const char *name, size_t n)
{
    for (const char *a = c->aliases; *a; a += strspn(a, " ")) {
        const size_t k = strcspn(a, " ");
        if (k == n && !memcmp(a, name, n)) return true;
        a += k;
    }
    return false;
}

/** At least three letters of it, behind the dash of "info-registers". */
struct err *dbg_elsewhere(const char *name, size_t n)
{
    static const struct {
        const char *names, *text;
    } rows[] = {
#define ELSEWHERE(names, text) {names, text},
#include "debug/elsewhere.def"
#undef ELSEWHERE
    };
    const bool of_another = !strncmp(name, "info-", 5) || !strncmp(name, "show-", 5) ||
                            !strncmp(name, "set-", 4);
    const size_t enough = of_another ? strcspn(name, "-") + 4 : 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *a = rows[i].names; *a; a += strspn(a, " ")) {
            const size_t k = strcspn(a, " ");
            if (!memcmp(a, name, n < k ? n : k) && (n == k || (n < k && n >= enough)))
                return err_new("%s", rows[i].text);
            a += k;
        }
    return NULL;
}

struct err *dbg_elsewhere_of(const char *command, const char *args)
{
    struct str whole = {0};
    str_printf(&whole, "%s-%.*s", command, (int)dbg_word(args), args);
    struct err *e = dbg_elsewhere(str_text(&whole), whole.len);
    str_deinit(&whole);
    return e;
}

static struct err *find(const char *name, size_t n, const struct command **out)
{
    struct str could = {0};
    unsigned found = 0;
    for (size_t i = 0; i < NCOMMANDS; i++) {
        const struct command *c = &commands[i];
        if (!c->name) continue;
        if ((strlen(c->name) == n && !memcmp(c->name, name, n)) || has_alias(c, name, n)) {
            *out = c;
            str_deinit(&could);
            return NULL;
        }
    }
    for (size_t i = 0; i < NCOMMANDS; i++) {
        const struct command *c = &commands[i];
        if (!c->name || strncmp(c->name, name, n)) continue;
        *out = c;
        found++;
        str_printf(&could, "%s%s", could.len ? ", " : "", c->name);
    }
    struct err *e = NULL;
    if (!found && (e = dbg_elsewhere(name, n))) {
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
static size_t name_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_') n++;
    return n;
}

static struct err *missing_expression(const struct command *c)
{
    return err_new("%s: an expression is missing.", c->name);
}

/** Of the first line of the text. */
static struct err *holds(const struct command *c, const char *text, bool *is)
{
    struct dbg_value v;
    char *own = strndup(text, strcspn(text, "\n"));
    struct err *e = *own ? dbg_eval(own, &dbg.arena, &v) : missing_expression(c);
    if (!e) e = dbg_value_true(dbg.state == DBG_STOPPED ? dbg_gang(dbg.focus) : NULL, &v, is);
    free(own);
    return e;
}

struct err *dbg_execute(const char *line, struct str *out, struct dbg_done *done)
{
    *done = (struct dbg_done){0};
    line += strspn(line, " \t");
    if (!*line || *line == '#') return NULL;
    const size_t n = name_length(line);
    const struct command *c = NULL;
    struct err *e = find(line, n ? n : 1, &c);
    if (!e && c->flags & DBG_FILES && !dbg.allow_files)
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
        !strchr(args, '\n')) { // is it worth while to read the others?
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
        e = dbg_elsewhere_of("set", "args");
    } else if (c->flags & DBG_CLIENT ||
               (c->flags & DBG_BEGINS && (dbg.state != DBG_BEGINNING || dbg.idle))) {
        done->is_client = true;
        done->client = c->name;
        done->rest = args;
    } else {
        e = c->run(own, out);
    }
    free(own);
    return e;
}

// What the client does itself has no function here.
struct err *dbg_cmd_quit(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_source(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_define(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_document(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_shell(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_kill(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_detach(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_if(const char *args, struct str *out) { return NULL; }
struct err *dbg_cmd_while(const char *args, struct str *out) { return NULL; }

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

/** What a list says of a command: the first sentence of its help. */
static void put_row(struct str *out, const struct command *c)
{
    enum { NAMES = 18 };
    const char *end = strstr(c->help, ". ");
    str_printf(out, "  %-*s ", NAMES, c->name);
    put_folded(out, NAMES + 3, c->help, end ? end : c->help + strlen(c->help) - 1);
}

struct err *dbg_cmd_help(const char *args, struct str *out)
{
    if (!strcmp(args, "all")) args = "";
    for (size_t i = 0, in = 0; *args && i < NCOMMANDS; i++) { // a section's name
        const struct command *c = &commands[i];
        if (c->section) in = !strcasecmp(c->section, args);
        else if (in) put_row(out, c);
    }
    if (out->len) return NULL;
    if (*args) {
        const struct command *c = NULL;
        struct err *e = find(args, dbg_word(args), &c);
        if (e) return e;
        put_folded(out, 0, c->help, c->help + strlen(c->help));
        str_printf(out, "Usage: %s%s%s\n", c->name, *c->args ? " " : "", c->args);
        if (*c->aliases) str_printf(out, "Also: %s\n", c->aliases);
        return NULL;
    }
    for (size_t i = 0; i < NCOMMANDS; i++) {
        const struct command *c = &commands[i];
        if (c->section) str_printf(out, "%s%s:\n", i ? "\n" : "", c->section);
        else put_row(out, c);
    }
    str_put(out, "\nNames may be shortened as long as they are unique. An empty line repeats the\n"
                 "last step. `help COMMAND` tells more.\n");
    return NULL;
}

/** All rows of which the name, the arguments or the help has the word. */
struct err *dbg_cmd_apropos(const char *args, struct str *out)
{
    bool any = false;
    if (!*args) return err_new("Of what?  apropos WORD");
    for (size_t i = 0; i < NCOMMANDS; i++) {
        const struct command *c = &commands[i];
        if (!c->name ||
            !(strcasestr(c->name, args) || strcasestr(c->help, args) || strcasestr(c->args, args)))
            continue;
        put_row(out, c);
        any = true;
    }
    return any ? NULL : err_new("No command has to do with \"%s\".", args);
}

// ---- completion
static void offer(const char *text, const char *start, size_t n, void (*add)(void *, const char *),
                  void *ctx)
{
    if (!strncmp(text, start, n)) add(ctx, text);
}

static void offer_functions(const char *start, size_t n, bool kernels_only,
                            void (*add)(void *, const char *), void *ctx)
{
    for (size_t i = 0; i < dbg.modules.len; i++) {
        const struct bc_module *m = dbg.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfns && !kernels_only; f++)
            offer(bc_str(m, m->fns[f].name), start, n, add, ctx);
        for (uint32_t k = 0; k < m->nkernels && kernels_only; k++)
            offer(bc_str(m, m->kernels[k].name), start, n, add, ctx);
        for (uint32_t k = 0; k < m->nfiles; k++) {
            const char *base = dbg_base_name(dbg_file_name(m, k));
            char text[300];
            snprintf(text, sizeof text, "%s:", base);
            offer(text, start, n, add, ctx);
        }
    }
}

static void offer_variables(const char *start, size_t n, void (*add)(void *, const char *),
                            void *ctx)
{
    static const char *const functions[] = {
        "get_global_id(",   "get_local_id(",   "get_group_id(",
        "get_global_size(", "get_local_size(", "get_num_groups(",
        "convert_",         "select(",         "clamp("};
    if (dbg.state == DBG_STOPPED) {
        struct dbg_scope_vars v;
        dbg_vars_of_frame(dbg_gang(dbg.focus), dbg.frame, &v);
        for (size_t i = 0; i < v.list.len; i++) offer(v.list.data[i].name, start, n, add, ctx);
        dbg_vars_free(&v);
    }
    for (size_t i = 0; n && i < sizeof functions / sizeof *functions; i++)
        offer(functions[i], start, n, add, ctx);
}

struct wanted {
    const char *start;
    size_t n;
    void (*add)(void *, const char *);
    void *ctx;
};
static void offer_subject(void *ctx, const char *name)
{
    const struct wanted *x = ctx;
    offer(name, x->start, x->n, x->add, x->ctx);
}

void dbg_complete(const char *line, void (*add)(void *ctx, const char *text), void *ctx)
{
    line += strspn(line, " \t");
    const size_t n = name_length(line);
    if (!line[n]) {
        for (size_t i = 0; i < NCOMMANDS; i++)
            if (commands[i].name) offer(commands[i].name, line, n, add, ctx);
        return;
    }
    const struct command *c = NULL;
    struct err *e = find(line, n, &c);
    err_free(e);
    if (e) return;
    const char *end = line + strlen(line), *word = end;
    while (word > line && (isalnum((unsigned char)word[-1]) || strchr("_-.:", word[-1]))) word--;
    const size_t k = (size_t)(end - word);
    if (!strcmp(c->name, "help")) {
        for (size_t i = 0; i < NCOMMANDS; i++)
            if (commands[i].name) offer(commands[i].name, word, k, add, ctx);
    } else if (!strcmp(c->name, "info")) {
        struct wanted x = {word, k, add, ctx};
        dbg_info_subjects(offer_subject, &x);
    } else if (!strcmp(c->name, "set") || !strcmp(c->name, "show")) {
        for (const char *const *s = dbg_setting_names; *s; s++) offer(*s, word, k, add, ctx);
        offer_variables(word, k, add, ctx);
    } else if (!strcmp(c->name, "catch")) {
        for (int i = 0; i < REP_KIND_COUNT; i++) offer(rep_kinds[i].id, word, k, add, ctx);
    } else if (!strcmp(c->name, "break") || !strcmp(c->name, "tbreak") ||
               !strcmp(c->name, "until") || !strcmp(c->name, "list") || !strcmp(c->name, "clear")) {
        offer_functions(word, k, false, add, ctx);
        offer("barrier", word, k, add, ctx);
    } else if (!strcmp(c->name, "disassemble")) {
        offer_functions(word, k, false, add, ctx);
    } else {
        offer_variables(word, k, add, ctx);
    }
}
