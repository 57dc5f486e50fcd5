// SPDX-License-Identifier: MIT
#include "report/filter.h"

#include "report/document.h"

#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

struct suppression {
    char *name;                                            // file:line
    char *id, *kernel, *file, *function, *object, *reason; // globs; NULL: any
    uint32_t from, to;                                     // lines; 0: any
    uint64_t used;
};

struct rep_filter {
    VEC(struct suppression) all;
    struct map baseline; // fingerprint → number of findings
    bool has_baseline;
};

struct rep_filter *rep_filter_create(void) { return mem_alloc(sizeof(struct rep_filter)); }

static void suppression_deinit(struct suppression *s)
{
    for (char **
             p = (char *[]){s->name, s->id, s->kernel, s->file, s->function, s->object, s->reason},
           **end = p + 7;
         p < end; p++)
        free(*p);
}

void rep_filter_destroy(struct rep_filter *f)
{
    if (!f) return;
    for (size_t i = 0; i < f->all.len; i++) suppression_deinit(&f->all.data[i]);
    vec_free(&f->all);
    map_deinit(&f->baseline);
    free(f);
}

unsigned rep_filter_count(const struct rep_filter *f) { return f ? (unsigned)f->all.len : 0; }
const char *rep_filter_name(const struct rep_filter *f, unsigned i) { return f->all.data[i].name; }
uint64_t rep_filter_used(const struct rep_filter *f, unsigned i) { return f->all.data[i].used; }

// ---- files of suppressions: `key: value` lines, a blank line between two suppressions, # begins a
// comment

static char *trim(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1])) end--;
    *end = 0;
    return s;
}

static struct err *parse_lines(struct suppression *s, const char *value)
{
    char *end;
    s->from = s->to = (uint32_t)strtoul(value, &end, 10);
    if (*end == '-') s->to = (uint32_t)strtoul(end + 1, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || !s->from || s->to < s->from)
        return err_new("line: %s: a number, or A-B, is expected", value);
    return NULL;
}

static bool names_some_kind(const char *glob)
{
    for (int k = 0; k < REP_KIND_COUNT; k++)
        if (str_glob(glob, rep_kinds[k].id)) return true;
    return false;
}

static struct err *put_field(struct suppression *s, const char *key, const char *value)
{
    const struct {
        const char *key;
        char **to;
    } fields[] = {{"id", &s->id},         {"kernel", &s->kernel},
                  {"file", &s->file},     {"function", &s->function},
                  {"object", &s->object}, {"reason", &s->reason}};
    if (!*value) return err_new("%s: it has no value", key);
    if (!strcmp(key, "line")) return s->from ? err_new("line: given twice") : parse_lines(s, value);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(key, fields[i].key)) continue;
        if (*fields[i].to) return err_new("%s: given twice in one suppression", key);
        if (!i && !names_some_kind(value))
            return err_new("id: no kind of finding is called %s", value);
        *fields[i].to = mem_strdup(value);
        return NULL;
    }
    return err_new("%s: what is known are id, kernel, file, line, function, object, reason", key);
}

/** Adds the suppression, or rejects it. */
static struct err *finish(struct rep_filter *f, struct suppression *s)
{
    struct err *e = NULL;
    if (s->name && !s->id) e = err_new("%s: a suppression without id", s->name);
    else if (s->name) vec_push(&f->all, *s);
    if (e) suppression_deinit(s);
    *s = (struct suppression){0};
    return e;
}

struct err *rep_filter_add_suppressions(struct rep_filter *f, const char *path)
{
    FILE *in = fopen(path, "re");
    if (!in) return err_new("%s: %s", path, strerror(errno));
    char *line = NULL;
    size_t cap = 0;
    unsigned number = 0;
    struct suppression s = {0};
    struct err *e = NULL;
    while (!e && getline(&line, &cap, in) >= 0) {
        char *text = trim(line), *colon = strchr(text, ':');
        number++;
        if (*text == '#') continue;
        if (!*text) {
            e = finish(f, &s);
            continue;
        }
        if (!s.name) {
            struct str name = {0};
            str_printf(&name, "%s:%u", path, number);
            s.name = str_take(&name);
        }
        if (colon) *colon = 0;
        e = colon ? put_field(&s, trim(text), trim(colon + 1)) : err_new("KEY: VALUE is expected");
        if (e) e = err_wrap(e, "%s:%u", path, number);
    }
    if (!e && ferror(in)) e = err_new("%s: %s", path, strerror(errno));
    if (!e) e = finish(f, &s);
    suppression_deinit(&s);
    free(line);
    fclose(in);
    return e;
}

// ---- the baseline

static void know(struct rep_filter *f, const char *print)
{
    char *end;
    uint64_t n = strtoull(print, &end, 16);
    if (end != print && (!*end || *end == ':')) ++*map_put(&f->baseline, n, NULL);
}

bool rep_filter_has_baseline(const struct rep_filter *f) { return f && f->has_baseline; }

struct err *rep_filter_add_baseline(struct rep_filter *f, const char *path)
{
    f->has_baseline = true;
    json_error_t bad;
    json_t *doc = json_load_file(path, 0, &bad);
    if (!doc && access(path, R_OK)) return err_new("%s: %s", path, strerror(errno));
    if (!doc)
        return bad.line > 0 ? err_new("%s:%d: %s", path, bad.line, bad.text)
                            : err_new("%s: %s", path, bad.text);
    const json_t *runs = json_object_get(doc, "runs"), *run, *o;
    size_t i, k;
    struct err *e = json_is_array(runs) ? NULL : err_wrap(rep_document_check(doc), "%s", path);
    json_array_foreach(runs, i, run)
        json_array_foreach(json_object_get(run, "results"), k, o)
            know(f, rep_json_get(json_object_get(o, "partialFingerprints"), "cldbg/v1"));
    if (!e && !runs)
        json_array_foreach(json_object_get(doc, "findings"), i, o)
            know(f, rep_json_get(o, "fingerprint"));
    json_decref(doc);
    return e;
}

// ---- what fits

static bool fits(const char *glob, const char *text)
{
    return !glob || (text && str_glob(glob, text));
}

/** Matches the file by its displayed name or path, or by the last components of it. */
static bool fits_file(const char *glob, const struct rep_place *p)
{
    if (!glob || fits(glob, p->file ? p->file : "") || (p->path && str_glob(glob, p->path)))
        return true;
    struct str tail = {0};
    str_printf(&tail, "*/%s", glob);
    bool ok = (p->path && str_glob(str_text(&tail), p->path)) ||
              (p->file && str_glob(str_text(&tail), p->file));
    str_deinit(&tail);
    return ok;
}

/** Does one location of a side, possibly a caller, match file, lines and function? */
static bool fits_place(const struct suppression *s, const struct rep_place *p)
{
    for (; p; p = p->called_from) {
        bool in_lines = !s->from || (p->line >= s->from && p->line <= s->to);
        if (in_lines && fits_file(s->file, p) && fits(s->function, p->fn)) return true;
    }
    return false;
}

static bool suppresses(const struct suppression *s, const struct rep_finding *f)
{
    if (!fits(s->id, rep_kinds[f->kind].id) || !fits(s->kernel, f->kernel) ||
        !fits(s->object, f->object))
        return false;
    bool any_place = !s->file && !s->from && !s->function;
    for (unsigned i = 0; i < f->nsides && !any_place; i++)
        any_place = fits_place(s, &f->sides[i].place);
    return any_place;
}

enum rep_verdict rep_filter_judge(struct rep_filter *f, const struct rep_finding *x,
                                  uint64_t fingerprint, bool use, struct rep_ignores *ignores,
                                  struct rep_sources *sources)
{
    bool ignored = false;
    for (unsigned i = 0; i < x->nsides && !ignored; i++)
        ignored = rep_ignores_fit(ignores, &x->sides[i].place, x->kind, use, sources);
    for (size_t i = 0; f && i < f->all.len && !ignored; i++) {
        ignored = suppresses(&f->all.data[i], x);
        f->all.data[i].used += ignored && use;
    }
    if (ignored) return REP_SUPPRESSED;
    uint64_t *known = f ? map_get(&f->baseline, fingerprint) : NULL;
    if (!known || !*known) return REP_NEW;
    *known -= use;
    return REP_KNOWN;
}

static void put_literal(struct str *s, const char *key, const char *value)
{
    str_printf(s, "%s: ", key);
    for (; *value; value++) {
        const unsigned char c = (unsigned char)value[0];
        if (strchr("*?[\\", c) || iscntrl(c))
            str_put_char(s, '?'); // a character that is special in globs or for a terminal
        else if (c == 0xc2 && ((unsigned char)value[1] & 0xe0) == 0x80) // U+0080 to U+009F
            str_put_char(s, '*'), value++;
        else str_put_char(s, *value);
    }
    str_put_char(s, '\n');
}

/**
 * Is it the generated name of a program that is not in a file (devices/source_name.c)? It changes
 * with each edit.
 */
static bool is_of_text(const struct rep_place *p)
{
    if (p->path || !str_starts(p->file, "program-")) return false;
    const char *digits = p->file + strlen("program-");
    return strspn(digits, "0123456789abcdef") == 8 && !strcmp(digits + 8, ".cl");
}

void rep_put_suppression(struct str *s, const struct rep_finding *f)
{
    const struct rep_place *p = f->nsides ? &f->sides[0].place : NULL;
    str_printf(s, "\nid: %s\n", rep_kinds[f->kind].id);
    if (f->kernel) put_literal(s, "kernel", f->kernel);
    if (p && p->file) {
        const char *slash = strrchr(p->file, '/');
        if (is_of_text(p)) str_put(s, "file: program-*.cl\n");
        else put_literal(s, "file", slash ? slash + 1 : p->file);
    }
    if (p && p->line) str_printf(s, "line: %u\n", p->line);
    if (f->object) put_literal(s, "object", f->object);
    str_put(s, "reason: (say why)\n\n");
}

// ---- fingerprints

/** Hashes the line's words with single blanks, so that indentation does not matter. */
static uint64_t hash_line(const struct rep_place *p, struct rep_sources *sources)
{
    size_t len;
    const char *line = rep_sources_line(sources, p, &len);
    struct str s = {0};
    if (!line) str_printf(&s, "%u", p->line);
    for (size_t i = 0; line && i < len; i++) {
        bool blank = isspace((unsigned char)line[i]);
        if (!blank) str_put_char(&s, line[i]);
        else if (s.len && s.data[s.len - 1] != ' ') str_put_char(&s, ' ');
    }
    while (s.len && s.data[s.len - 1] == ' ') s.len--;
    uint64_t h = hash_bytes(s.len ? s.data : "", s.len, 11);
    str_deinit(&s);
    return p->fn ? hash_bytes(p->fn, strlen(p->fn), h) : h;
}

uint64_t rep_fingerprint(const struct rep_finding *f, struct rep_sources *sources)
{
    const char *words[] = {rep_kinds[f->kind].id, f->kernel ? f->kernel : "",
                           f->object ? f->object : ""};
    uint64_t h = 0, sides = 0;
    for (int i = 0; i < 3; i++) h = hash_bytes(words[i], strlen(words[i]), h + 1);
    for (unsigned i = 0; i < f->nsides; i++)
        sides += hash_line(&f->sides[i].place, sources); // in any order
    return hash_bytes(&sides, sizeof sides, h + f->overtaken);
}
