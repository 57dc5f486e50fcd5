// SPDX-License-Identifier: MIT
// Completion of a command line.
#include "debug/commands/command.h"
#include "debug/commands/commands.h"
#include "debug/commands/settings_table.h"
#include "debug/expressions/expr.h"
#include "debug/session/findings.h"
#include "debug/session/focus.h"
#include "debug/session/session.h"

#include <ctype.h>
#include <string.h>

static void offer(const char *text, const char *start, size_t n, void (*add)(void *, const char *),
                  void *ctx)
{
    if (!strncmp(text, start, n)) add(ctx, text);
}

static void offer_functions(const char *start, size_t n, bool kernels_only,
                            void (*add)(void *, const char *), void *ctx)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
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

static const char *const constants[] = {
#define CONSTANT(name, text) #name,
#define MATH(name, digits)   "M_" #name, "M_" #name "_F",
#include "debug/expressions/constants.def"
};

static void offer_program_functions(const char *start, size_t n, void (*add)(void *, const char *),
                                    void *ctx)
{
    for (size_t i = 0; i < dbg_programs.modules.len; i++) {
        const struct bc_module *m = dbg_programs.modules.data[i].m;
        for (uint32_t f = 0; f < m->nfns; f++) {
            char text[300];
            snprintf(text, sizeof text, "%s(", bc_str(m, m->fns[f].name));
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
        dbg_vars_of_frame(dbg_gang(dbg_focus.item), dbg_focus.frame, &v);
        for (size_t i = 0; i < v.list.len; i++) offer(v.list.data[i].name, start, n, add, ctx);
        dbg_vars_free(&v);
    }
    for (size_t i = 0; n && i < sizeof functions / sizeof *functions; i++)
        offer(functions[i], start, n, add, ctx);
    if (n) offer_program_functions(start, n, add, ctx);
    for (size_t i = 0; n && i < dbg_programs.modules.len; i++) {
        const struct dbg_module *d = &dbg_programs.modules.data[i];
        for (uint32_t k = 0; k < d->m->ndtypes; k++)
            for (unsigned j = 0; d->types[k].kind == BC_T_ENUM && j < d->types[k].nmembers; j++)
                offer(d->types[k].members[j].name, start, n, add, ctx);
    }
    for (size_t i = 0; n > 1 && i < sizeof constants / sizeof *constants; i++)
        offer(constants[i], start, n, add, ctx);
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

/** The last word of the line, of letters, digits and the other characters. */
static const char *last_word(const char *line, const char *others)
{
    const char *word = line + strlen(line);
    while (word > line && (isalnum((unsigned char)word[-1]) || strchr(others, word[-1]))) word--;
    return word;
}

/** The opening bracket of the closing one before `end`; NULL: there is none. */
static const char *opening(const char *line, const char *end)
{
    unsigned depth = 0;
    for (const char *p = end; p > line; p--) {
        depth += p[-1] == ')' || p[-1] == ']';
        depth -= p[-1] == '(' || p[-1] == '[';
        if (!depth) return p - 1;
    }
    return NULL;
}

/** The beginning of the postfix expression that ends there: "p[i].pos", "(*p)", "f(x)->a". */
static const char *postfix(const char *line, const char *end)
{
    const char *p = end;
    for (;;) {
        const char *const was = p;
        while (p && p > line && (p[-1] == ')' || p[-1] == ']')) p = opening(line, p);
        while (p && p > line && (isalnum((unsigned char)p[-1]) || strchr("_$", p[-1]))) p--;
        if (!p || p == was) return NULL;
        if (p > line && p[-1] == '.') p--;
        else if (p > line + 1 && p[-1] == '>' && p[-2] == '-') p -= 2;
        else return p;
    }
}

/** The type of the struct or vector whose member the word names; NULL: it does not name one. */
static const struct dbg_type *owner_of(const char *line, const char *word)
{
    const char *const end = word > line && word[-1] == '.'                          ? word - 1
                            : word > line + 1 && word[-1] == '>' && word[-2] == '-' ? word - 2
                                                                                    : NULL,
                      *const begin = end ? postfix(line, end) : NULL;
    struct dbg_value v;
    if (!begin || dbg.state != DBG_STOPPED) return NULL;
    struct str base = {0};
    str_put_n(&base, begin, (size_t)(end - begin));
    struct err *e = dbg_eval(str_text(&base), &dbg.arena, &v);
    str_deinit(&base);
    if (e) {
        err_free(e);
        return NULL;
    }
    const struct dbg_type *t = dbg_strip(v.type);
    return t->kind == BC_T_POINTER ? dbg_strip(t->base) : t;
}

/** Offers what the line has from `start` to the word, and the member. */
static void offer_member(const char *start, const char *word, const char *member,
                         void (*add)(void *, const char *), void *ctx)
{
    struct str text = {0};
    str_put_n(&text, start, (size_t)(word - start));
    str_put(&text, member);
    offer(str_text(&text), start, strlen(start), add, ctx);
    str_deinit(&text);
}

/** False: the word that ends the line is not a member. */
static bool offer_members(const char *line, void (*add)(void *, const char *), void *ctx)
{
    static const char *const parts[] = {"x",  "y",  "z",  "w",  "s0",   "s1",
                                        "s2", "s3", "lo", "hi", "even", "odd"};
    const char *const word = last_word(line, "_$");
    // readline completes words that include dots
    const char *const start = dbg_client.waits_for_run ? last_word(line, "_$.:") : word;
    const struct dbg_type *const t = owner_of(line, word);
    for (unsigned i = 0; t && t->kind != BC_T_ENUM && i < t->nmembers; i++)
        offer_member(start, word, t->members[i].name, add, ctx);
    for (unsigned i = 0; t && t->kind == BC_T_VECTOR && i < sizeof parts / sizeof *parts; i++)
        if (i < 4 ? i < t->count : i >= 8 || i - 4 < t->count)
            offer_member(start, word, parts[i], add, ctx);
    return t;
}

/** The numbers of findings of the kind. */
static void offer_findings(int kind, const char *start, size_t n, void (*add)(void *, const char *),
                           void *ctx)
{
    for (size_t i = 0; i < dbg_findings.all.len; i++) {
        char text[24];
        snprintf(text, sizeof text, "%zu", i + 1);
        if (kind < 0 || dbg_findings.all.data[i].kind == (enum rep_kind)kind)
            offer(text, start, n, add, ctx);
    }
}

void dbg_complete_expression(const char *line, void (*add)(void *ctx, const char *text), void *ctx)
{
    const char *word = last_word(line, "_");
    if (!offer_members(line, add, ctx)) offer_variables(word, strlen(word), add, ctx);
}

void dbg_complete(const char *line, void (*add)(void *ctx, const char *text), void *ctx)
{
    line += strspn(line, " \t");
    const size_t n = dbg_command_name_length(line);
    if (!line[n]) {
        for (size_t i = 0; i < dbg_ncommands; i++) offer(dbg_commands[i].name, line, n, add, ctx);
        return;
    }
    const struct dbg_command *c = NULL;
    struct err *e = dbg_command_find(line, n, &c);
    err_free(e);
    if (e) return;
    const char *word = last_word(line, "_-.:");
    const size_t k = strlen(word);
    if (!strcmp(c->name, "help")) {
        for (size_t i = 0; i < dbg_ncommands; i++) offer(dbg_commands[i].name, word, k, add, ctx);
    } else if (!strcmp(c->name, "info")) {
        struct wanted x = {word, k, add, ctx};
        const char *const subject = line + n + strspn(line + n, " \t");
        if (word == subject) dbg_info_subjects(offer_subject, &x);
        else if (!strncmp(subject, "race ", 5)) offer_findings(REP_DATA_RACE, word, k, add, ctx);
        else if (!strncmp(subject, "divergence ", 11))
            offer_findings(REP_BARRIER_DIVERGENCE, word, k, add, ctx);
    } else if (!strcmp(c->name, "explain")) {
        offer_findings(-1, word, k, add, ctx);
    } else if (!strcmp(c->name, "diff") && word == line + n + strspn(line + n, " \t")) {
        offer("items", word, k, add, ctx);
    } else if (!strcmp(c->name, "set") || !strcmp(c->name, "show")) {
        for (const char *const *s = dbg_setting_names; *s; s++) offer(*s, word, k, add, ctx);
        offer_variables(word, k, add, ctx);
    } else if (!strcmp(c->name, "catch")) {
        for (int i = 0; i < REP_KIND_COUNT; i++) offer(rep_kinds[i].id, word, k, add, ctx);
        offer("launch-end", word, k, add, ctx);
    } else if (!strcmp(c->name, "break") || !strcmp(c->name, "tbreak") ||
               !strcmp(c->name, "until") || !strcmp(c->name, "list") || !strcmp(c->name, "clear")) {
        offer_functions(word, k, false, add, ctx);
        offer("barrier", word, k, add, ctx);
    } else if (!strcmp(c->name, "disassemble")) {
        offer_functions(word, k, false, add, ctx);
    } else if (!offer_members(line, add, ctx)) {
        offer_variables(word, k, add, ctx);
    }
}
