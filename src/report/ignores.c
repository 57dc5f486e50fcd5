// SPDX-License-Identifier: MIT
#include "report/ignores.h"

#include "base/str.h"
#include "base/vec.h"

#include <ctype.h>
#include <unistd.h>

enum { SHOWN = 5 }; // unused comments that are listed

struct comment { // one id of a comment; "": the comment has no id
    char *file, *id;
    uint32_t line;
    bool used;
};

struct rep_ignores {
    VEC(struct comment) all;
    pid_t pid; // the process that recorded them; a child starts without any
};

struct rep_ignores *rep_ignores_create(void) { return mem_alloc(sizeof(struct rep_ignores)); }

void rep_ignores_destroy(struct rep_ignores *g)
{
    for (size_t i = 0; i < g->all.len; i++) {
        free(g->all.data[i].file);
        free(g->all.data[i].id);
    }
    vec_free(&g->all);
    free(g);
}

#define WORD "cldbg-ignore"

/**
 * The text after "cldbg-ignore:" in a comment of the line, or NULL; `alone`: only if the comment is
 * alone in the line.
 */
static const char *ids_in(const char *line, size_t len, bool alone)
{
    static const char word[] = WORD ":";
    const char *at = memmem(line, len, word, sizeof word - 1), *first = line;
    if (!at) return NULL;
    while (first < at && isspace((unsigned char)*first)) first++;
    if (alone && (at - first < 2 || first[0] != '/' || (first[1] != '/' && first[1] != '*')))
        return NULL;
    const bool in_comment = memmem(line, (size_t)(at - line), "//", 2) ||
                            memmem(line, (size_t)(at - line), "/*", 2);
    return in_comment ? at + sizeof word - 1 : NULL;
}

/** Does a comment begin with the word? */
static bool is_meant(const char *line, size_t len)
{
    const char *const at = memmem(line, len, WORD, sizeof WORD - 1), *const end = line + len,
                      *before = at;
    const char *const behind = at ? at + sizeof WORD - 1 : NULL;
    if (!at ||
        (behind < end && (isalnum((unsigned char)*behind) || *behind == '-' || *behind == '_')))
        return false;
    while (before > line && isspace((unsigned char)before[-1])) before--;
    return before - line >= 2 && before[-2] == '/' && (before[-1] == '/' || before[-1] == '*');
}

/** The next id of a comma-separated list; a reason may follow the list. NULL: no more. */
static const char *next_id(const char **p, const char *end, size_t *len)
{
    if (!*p) return NULL;
    while (*p < end && isspace((unsigned char)**p)) ++*p;
    const char *const from = *p;
    while (*p < end && (isalnum((unsigned char)**p) || **p == '-')) ++*p;
    *len = (size_t)(*p - from);
    while (*p < end && isspace((unsigned char)**p)) ++*p;
    *p = *p < end && **p == ',' ? *p + 1 : NULL;
    return *len ? from : NULL;
}

static struct comment *comment_of(struct rep_ignores *g, const struct rep_place *p, const char *id,
                                  size_t len)
{
    const char *file = p->file ? p->file : "kernel";
    for (size_t i = 0; i < g->all.len; i++) {
        struct comment *c = &g->all.data[i];
        if (c->line == p->line && strlen(c->id) == len && !memcmp(c->id, id, len) &&
            !strcmp(c->file, file))
            return c;
    }
    struct str copy = {0};
    str_printf(&copy, "%.*s", (int)len, id);
    vec_push(&g->all, (struct comment){mem_strdup(file), str_take(&copy), p->line, false});
    return &vec_last(&g->all);
}

static bool line_fits(struct rep_ignores *g, const struct rep_place *p, const char *id, bool alone,
                      bool use, struct rep_sources *sources)
{
    size_t len, n;
    const char *const line = p->line ? rep_sources_line(sources, p, &len) : NULL;
    const char *at = line ? ids_in(line, len, alone) : NULL;
    for (const char *one; at && (one = next_id(&at, line + len, &n));) {
        if (n != strlen(id) || memcmp(one, id, n)) continue;
        if (use) comment_of(g, p, one, n)->used = true;
        return true;
    }
    return false;
}

bool rep_ignores_fit(struct rep_ignores *g, const struct rep_place *p, enum rep_kind kind, bool use,
                     struct rep_sources *sources)
{
    struct rep_place above = *p;
    above.line -= p->line > 0;
    return line_fits(g, p, rep_kinds[kind].id, false, use, sources) ||
           line_fits(g, &above, rep_kinds[kind].id, true, use, sources);
}

void rep_ignores_look(struct rep_ignores *g, const struct rep_place *p, uint32_t last,
                      struct rep_sources *sources)
{
    struct rep_place at = *p;
    if (p->text && !strstr(p->text, WORD)) return;
    if (p->text)
        at.text = rep_sources_keep(sources, p->file ? p->file : "", p->text, p->text_first_line);
    g->pid = getpid();
    at.line -= at.line > 1;
    if (p->text && at.line < p->text_first_line) at.line = p->text_first_line;
    for (; at.line <= last; at.line++) {
        size_t len, n;
        const char *const line = rep_sources_line(sources, &at, &len);
        if (!line) break; // end of the source
        const char *ids = ids_in(line, len, false);
        bool named = false;
        for (const char *one; ids && (one = next_id(&ids, line + len, &n)); named = true)
            comment_of(g, &at, one, n);
        if (!named && is_meant(line, len)) comment_of(g, &at, "", 0);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct comment *x = a, *y = b;
    const int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

char *rep_ignores_unused(struct rep_ignores *g, const bool *kinds_off)
{
    struct str out = {0};
    unsigned unused = 0;
    if (g->all.len) qsort(g->all.data, g->all.len, sizeof *g->all.data, by_place);
    for (size_t i = 0; i < g->all.len && g->pid == getpid(); i++) {
        const struct comment *c = &g->all.data[i];
        const int kind = rep_kind_find(c->id);
        if (c->used || (kind >= 0 && kinds_off[kind])) continue;
        if (!*c->id)
            str_printf(&out,
                       "cldbg: %s:%u: cldbg-ignore: no kind of finding is named; it is written "
                       "`cldbg-ignore: ID, ID reason`\n",
                       c->file, c->line);
        else if (kind < 0)
            str_printf(&out, "cldbg: %s:%u: cldbg-ignore: there is no kind of finding '%s'\n",
                       c->file, c->line, c->id);
        else if (unused++ < SHOWN)
            str_printf(&out, "cldbg: %s:%u: cldbg-ignore: no %s was found there\n", c->file,
                       c->line, c->id);
    }
    if (unused > SHOWN)
        str_printf(&out, "cldbg: %u more cldbg-ignore comments were not used\n", unused - SHOWN);
    return out.len ? str_take(&out) : NULL;
}
