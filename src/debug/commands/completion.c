// SPDX-License-Identifier: MIT
// Completion of a command line.
#include "debug/commands/command.h"
#include "debug/commands/commands.h"
#include "debug/commands/settings_table.h"
#include "debug/expressions/expr.h"
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

void dbg_complete_expression(const char *line, void (*add)(void *ctx, const char *text), void *ctx)
{
    const char *word = last_word(line, "_");
    offer_variables(word, strlen(word), add, ctx);
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
        dbg_info_subjects(offer_subject, &x);
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
    } else {
        offer_variables(word, k, add, ctx);
    }
}
