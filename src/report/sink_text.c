// SPDX-License-Identifier: MIT
// Findings as text, with a first line in the format of compilers, which editors and CI recognize.
#include "report/document.h"
#include "report/excerpt.h"
#include "report/filter.h"
#include "report/macro_lines.h"
#include "report/sink.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sink_text {
    struct rep_sink base;
    FILE *out;
    bool color, gen_suppressions;
};

enum style { PLAIN, BOLD, RED, MAGENTA, CYAN, GREEN };
static const char *const style_code[] = {"\33[0m",    "\33[1m",    "\33[1;31m",
                                         "\33[1;35m", "\33[1;36m", "\33[1;32m"};

static void put_styled(struct str *s, bool color, enum style st, const char *text)
{
    if (color) str_put(s, style_code[st]);
    rep_put_safe(s, text);
    if (color) str_put(s, style_code[PLAIN]);
}

/** "reduce.cl:14:9", or the known part of it. */
static void put_place(struct str *s, const struct rep_place *p)
{
    rep_put_safe(s, p->file ? p->file : "unknown file");
    if (p->line) str_printf(s, ":%u", p->line);
    if (p->line && p->col) str_printf(s, ":%u", p->col);
}

static void put_headline(struct str *s, bool color, const struct rep_finding *f)
{
    struct str place = {0};
    if (f->nsides && f->sides[0].place.file) put_place(&place, &f->sides[0].place);
    else str_put(&place, "cldbg");
    str_put(&place, ":");
    put_styled(s, color, BOLD, str_text(&place));
    str_deinit(&place);
    bool error = rep_severity_of(f) == REP_ERROR;
    str_put_char(s, ' ');
    put_styled(s, color, error ? RED : MAGENTA, error ? "error:" : "warning:");
    struct str title = {0};
    const char *text = f->title ? f->title : rep_kinds[f->kind].what;
    if (f->possible) str_put(&title, str_starts(text, "possible") ? "" : "possible ");
    if (f->possible && str_starts(text, "a ")) text += 2;
    if (f->possible && str_starts(text, "an ")) text += 3;
    str_put(&title, text);
    str_put_char(s, ' ');
    put_styled(s, color, BOLD, str_text(&title));
    str_deinit(&title);
    str_printf(s, " [%s]\n", rep_kinds[f->kind].id);
}

static void put_note(struct str *s, bool color, const char *label, const char *text)
{
    str_put(s, "   ");
    put_styled(s, color, CYAN, "=");
    str_put_char(s, ' ');
    if (label) put_styled(s, color, CYAN, label);
    rep_put_safe(s, text);
    str_put_char(s, '\n');
}

static void put_id(struct str *s, const char *name, const uint64_t id[3])
{
    str_printf(s, "%s (%llu,%llu,%llu)", name, (unsigned long long)id[0], (unsigned long long)id[1],
               (unsigned long long)id[2]);
}

/**
 * "write of 4 bytes by work-item local (5,0,0) global (773,0,0), group (3,0,0), kernel 'reduce'"
 */
static void put_side_text(struct str *s, const struct rep_finding *f, unsigned i)
{
    const struct rep_side *side = &f->sides[i], *main = &f->sides[0];
    rep_put_safe(s, side->what ? side->what : "here");
    if (side->item.known) {
        put_id(s, " by work-item local", side->item.local);
        put_id(s, " global", side->item.global);
        bool other_group = !main->item.known ||
                           memcmp(side->item.group, main->item.group, sizeof main->item.group);
        if (i == 0 || other_group) put_id(s, ", group", side->item.group);
    }
    if (i == 0 && f->kernel) {
        str_put(s, ", kernel '");
        rep_put_safe(s, f->kernel);
        str_put(s, "'");
    }
}

/** "in 'helper' called from reduce.cl:30:5", a line for each call. */
static void put_calls(struct str *s, bool color, const struct rep_place *p)
{
    for (; p->called_from; p = p->called_from) {
        struct str t = {0};
        str_put(&t, "in ");
        if (p->fn) str_printf(&t, "'%s'", p->fn);
        else str_put(&t, "a function");
        str_put(&t, " called from ");
        put_place(&t, p->called_from);
        put_note(s, color, NULL, str_text(&t));
        str_deinit(&t);
    }
}

/** The source line, and `text` (if not NULL) below it at the location. */
static bool put_excerpt(struct str *s, bool color, const struct rep_place *p, const char *text,
                        struct rep_sources *sources)
{
    size_t len;
    const char *line = rep_sources_line(sources, p, &len);
    if (!line) return false;
    struct str shown = {0}, marks = {0};
    if (p->col && p->col <= len) {
        struct rep_range r = rep_operand_range(line, len, p->col);
        rep_excerpt(line, len, &r, &shown, &marks);
    } else { // only the line is known: no caret
        struct rep_range none = {len + 1, len + 1, len};
        rep_excerpt(line, len, &none, &shown, &marks);
        str_clear(&marks);
    }
    str_printf(s, "%5u | %s\n", p->line, str_text(&shown));
    if (text) str_put(s, "      | ");
    if (text && marks.len) {
        put_styled(s, color, GREEN, str_text(&marks));
        str_put_char(s, ' ');
    }
    if (text) str_printf(s, "%s\n", text);
    str_deinit(&shown);
    str_deinit(&marks);
    return true;
}

static void put_side(struct str *s, bool color, const struct rep_finding *f, unsigned i,
                     struct rep_sources *sources)
{
    const struct rep_place *p = &f->sides[i].place, *main = &f->sides[0].place;
    struct str text = {0};
    put_side_text(&text, f, i);
    bool elsewhere = i && p->file && (!main->file || strcmp(p->file, main->file));
    size_t mark = s->len;
    if (elsewhere) { // name the file, so that the excerpt's line numbers are not mistaken for those
                     // of the first file
        str_put(s, "  --> ");
        put_place(s, p);
        str_put_char(s, '\n');
    }
    if (!put_excerpt(s, color, p, str_text(&text), sources)) {
        s->data[s->len = mark] = 0;
        struct str note = {0};
        if (p->file) {
            put_place(&note, p);
            str_put(&note, ": ");
        }
        str_put(&note, str_text(&text));
        put_note(s, color, NULL, str_text(&note));
        str_deinit(&note);
    }
    str_deinit(&text);
    bool same_calls = i && p->called_from && main->called_from &&
                      rep_same_place(p->called_from, main->called_from) && p->fn && main->fn &&
                      !strcmp(p->fn, main->fn);
    if (!same_calls) put_calls(s, color, p);
}

/** Shows the definitions of macros at the sides, once for each macro. */
static void put_macros(struct str *s, bool color, const struct rep_finding *f,
                       struct rep_sources *sources)
{
    enum { MOST = 16 };
    struct rep_place shown[REP_MAX_SIDES];
    struct str t = {0};
    unsigned nshown = 0;
    for (unsigned i = 0; i < f->nsides; i++) {
        struct rep_place *const p = &shown[nshown];
        const char *name;
        size_t len;
        const uint32_t lines = rep_macro_at(sources, &f->sides[i].place, p, &name, &len);
        bool again = !lines;
        for (unsigned k = 0; k < nshown; k++)
            again |= shown[k].line == p->line && !strcmp(shown[k].file, p->file);
        if (again || !p->file) continue;
        nshown++;
        str_clear(&t);
        str_printf(&t, "%.*s is a macro, whose statements all stand where it is used:", (int)len,
                   name);
        put_note(s, color, NULL, str_text(&t));
        for (struct rep_place at = *p; at.line < p->line + (lines < MOST ? lines : MOST); at.line++)
            put_excerpt(s, color, &at, NULL, sources);
        if (lines > MOST) str_printf(s, "      | … %u more lines\n", lines - MOST);
    }
    str_deinit(&t);
}

static void put_counts(struct str *s, bool color, const struct rep_record *r)
{
    struct str t = {0};
    const struct rep_finding *f = &r->example;
    if (f->launch && (f->launch > 1 || f->host_site)) {
        str_printf(&t, "kernel launch %llu", (unsigned long long)f->launch);
        if (f->host_site) str_printf(&t, ", %s", f->host_site);
        put_note(s, color, NULL, str_text(&t));
        str_clear(&t);
    } else if (f->host_site) {
        put_note(s, color, NULL, f->host_site);
    }
    if (r->capture) {
        str_printf(&t, "to repeat it: cldbg run %s", r->capture);
        put_note(s, color, NULL, str_text(&t));
        str_clear(&t);
    }
    if (r->times > 1) {
        const unsigned long long between = r->between, within = r->times - r->between,
                                 groups = r->groups;
        if (within) str_printf(&t, "%llu time%s", within, within == 1 ? "" : "s");
        if (within && groups)
            str_printf(&t, " in %llu work-group%s", groups, groups == 1 ? "" : "s");
        if (between)
            str_printf(&t, "%s%llu time%s between work-groups", within ? " and " : "", between,
                       between == 1 ? "" : "s");
        str_put(&t, "; shown once");
        put_note(s, color, NULL, str_text(&t));
    }
    str_deinit(&t);
}

void rep_put_also(struct str *s, const struct rep_record *r)
{
    const struct rep_finding *f = &r->example;
    for (unsigned i = 0; i < f->nsides; i++) {
        str_printf(s, "%s%s at ", i ? ", and " : "also: ", f->sides[i].what);
        put_place(s, &f->sides[i].place);
    }
}

static void put_further_places(struct str *s, bool color, const struct rep_record *r)
{
    enum { MOST = 8 };
    unsigned n = 0;
    struct str t = {0};
    for (const struct rep_record *x = r->also; x; x = x->next_also) {
        if (n++ >= MOST) continue;
        str_clear(&t);
        rep_put_also(&t, x);
        put_note(s, color, NULL, str_text(&t));
    }
    if (n > MOST) {
        str_clear(&t);
        str_printf(&t, "also: %u more place%s; --report=json:FILE has %s", n - MOST,
                   n - MOST == 1 ? "" : "s", n - MOST == 1 ? "it" : "them all");
        put_note(s, color, NULL, str_text(&t));
    }
    str_deinit(&t);
}

static bool is_on_line_of(const struct rep_record *r, const struct rep_record *other)
{
    const struct rep_place *p = &r->example.sides[0].place, *q = &other->example.sides[0].place;
    return p->line == q->line && p->file && q->file && !strcmp(p->file, q->file);
}

/**
 * Prints a suppression for each line, including further locations, because these would be reported
 * if only the first one were suppressed.
 */
static void put_suppressions(struct str *s, const struct rep_record *r)
{
    rep_put_suppression(s, &r->example);
    for (const struct rep_record *x = r->also; x; x = x->next_also) {
        bool has = is_on_line_of(x, r);
        for (const struct rep_record *y = r->also; y != x && !has; y = y->next_also)
            has = is_on_line_of(x, y);
        if (!has) rep_put_suppression(s, &x->example);
    }
}

void rep_put_text(struct str *s, const struct rep_record *r, struct rep_sources *sources,
                  bool color)
{
    const struct rep_finding *f = &r->example;
    put_headline(s, color, f);
    for (unsigned i = 0; i < f->nsides; i++) put_side(s, color, f, i, sources);
    put_macros(s, color, f, sources);
    if (!f->nsides && f->kernel) {
        struct str t = {0};
        str_printf(&t, "in kernel '%s'", f->kernel);
        put_note(s, color, NULL, str_text(&t));
        str_deinit(&t);
    }
    for (unsigned i = 0; i < f->nnotes; i++) put_note(s, color, NULL, f->notes[i]);
    put_further_places(s, color, r);
}

static bool finding(struct rep_sink *base, const struct rep_record *r, struct rep_sources *sources)
{
    struct sink_text *k = (struct sink_text *)base;
    struct str s = {0};
    rep_put_text(&s, r, sources, k->color);
    put_counts(&s, k->color, r);
    if (r->help) put_note(&s, k->color, "help: ", rep_how_to_mend(&r->example));
    if (k->gen_suppressions) put_suppressions(&s, r);
    bool ok = rep_write(k->out, str_text(&s), s.len);
    str_deinit(&s);
    return ok;
}

/** Is it the first finding with this help? Help for a kind is shown once, as is each fix hint. */
static bool is_first_help(json_t *helped, const json_t *f)
{
    const char *const help = rep_json_get(f, "help"), *const id = rep_json_get(f, "id");
    const int kind = rep_kind_find(id);
    const char *const key = kind >= 0 && !strcmp(rep_kinds[kind].fix, help) ? id : help;
    if (!*help || json_object_get(helped, key)) return false;
    json_object_set_new(helped, key, json_true());
    return true;
}

/** A text that was stored with colors. It has no other escape sequences (rep_put_safe). */
static void put_stored(struct str *s, bool color, const char *text)
{
    while (!color && *text) {
        const size_t n = strcspn(text, "\33");
        str_put_n(s, text, n);
        text += n;
        if (*text) text += strcspn(text, "m") + 1;
    }
    str_put(s, text);
}

void rep_put_merged_text(struct str *s, const json_t *f, bool color, json_t *helped)
{
    const char *const host = rep_json_get(f, "host"), *const capture = rep_json_get(f, "capture"),
                      *const from = rep_json_get(f, "found_in");
    const struct rep_record r = {
        .example = {.launch = rep_json_count(f, "launch"), .host_site = *host ? host : NULL},
        .capture = *capture ? (char *)capture : NULL,
        .times = rep_json_count(f, "times"),
        .groups = rep_json_count(f, "work_groups"),
        .between = rep_json_count(f, "between_work_groups")};
    put_stored(s, color, rep_json_get(f, "text"));
    put_counts(s, color, &r);
    if (*from) put_note(s, color, NULL, from);
    if (is_first_help(helped, f)) put_note(s, color, "help: ", rep_json_get(f, "help"));
    str_put(s, rep_json_get(f, "suppression"));
}

char *rep_suppressions(const struct rep_record *r)
{
    struct str s = {0};
    put_suppressions(&s, r);
    return str_take(&s);
}

void rep_put_limit(struct str *s, uint64_t shown)
{
    str_printf(s, "cldbg: further findings are only counted, %llu %s shown; --all shows them all\n",
               (unsigned long long)shown, shown == 1 ? "is" : "are");
}

static void limit(struct rep_sink *base, uint64_t shown)
{
    struct sink_text *k = (struct sink_text *)base;
    struct str s = {0};
    rep_put_limit(&s, shown);
    rep_write(k->out, str_text(&s), s.len);
    str_deinit(&s);
}

static void destroy(struct rep_sink *base) { free(base); }

bool rep_wants_color(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    int fd = fileno(out);
    return !(no && *no) && !(term && !strcmp(term, "dumb")) && fd >= 0 && isatty(fd);
}

struct rep_sink *rep_sink_text(FILE *out, int color, bool gen_suppressions)
{
    static const struct rep_sink_ops ops = {finding, limit, destroy};
    struct sink_text *k = mem_alloc(sizeof *k);
    *k = (struct sink_text){
        {&ops}, out, color < 0 ? rep_wants_color(out) : color != 0, gen_suppressions};
    return &k->base;
}
