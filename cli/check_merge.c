// SPDX-License-Identifier: MIT
// One report of the results of `cldbg check`.
#include "cli/cmd.h"
#include "cli/check_files.h"

#include "base/out.h"
#include "report/document.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_totals(struct rep_totals *t, const json_t *counters)
{
#define COUNTER(name) t->name += (uint64_t)json_integer_value(json_object_get(counters, #name));
    CHECK_COUNTERS(COUNTER)
#undef COUNTER
}

static void add_result(json_t *doc, const char *path, json_t *result)
{
    json_t *const document = json_object_get(result, "document"), *f;
    json_t *const captured = json_pack("{s: o, s: O*}", "file", rep_json_text(path, strlen(path)),
                                       "attempts", json_object_get(result, "attempts"));
    const char *const reason = json_string_value(json_object_get(result, "reason"));
    if (reason) json_object_set(captured, "reason", json_object_get(result, "reason"));
    size_t i;
    json_array_foreach(json_object_get(document, "findings"), i, f) {
        json_t *const name = rep_json_text(path, strlen(path));
        json_object_set(f, "capture", name);
        json_object_set_new(f, "captures", json_pack("[o]", name));
    }
    if (document) rep_document_merge(doc, document);
    json_array_append_new(json_object_get(doc, "captures"), captured);
}

/** "in 12 files: a.cldbg, b.cldbg, …": where a finding is that several files have. */
static void note_files(json_t *f)
{
    enum { MOST = 8 };
    const json_t *const files = json_object_get(f, "captures");
    const size_t n = json_array_size(files);
    if (n < 2) return;
    struct str s = {0};
    str_printf(&s, "in %zu files: ", n);
    for (size_t i = 0; i < n && i < MOST; i++)
        str_printf(&s, "%s%s", i ? ", " : "", json_string_value(json_array_get(files, i)));
    if (n > MOST) str_printf(&s, " and %zu more", n - MOST);
    json_object_set_new(f, "found_in", rep_json_text(str_text(&s), s.len));
    json_array_append(json_object_get(f, "notes"), json_object_get(f, "found_in"));
    str_deinit(&s);
}

/** Counts the merged findings as a session counts its own. */
static void count_finding(struct rep_totals *t, const json_t *f)
{
    const int kind = rep_kind_find(rep_json_get(f, "id"));
    const json_int_t launches = json_integer_value(json_object_get(f, "launches"));
    if (json_is_true(json_object_get(f, "known"))) {
        t->known++;
        return;
    }
    if (launches > 1) t->repeats += (uint64_t)launches - 1;
    if (json_is_true(json_object_get(f, "possible"))) t->possible++;
    else {
        if (kind >= 0) t->findings[kind]++;
        ++*(strcmp(rep_json_get(f, "severity"), "error") ? &t->warnings : &t->errors);
    }
}

json_t *check_merge(const struct check *c, struct rep_totals *t)
{
    bool off[REP_KIND_COUNT];
    err_free(dev_option_kinds(c->s, off)); // checked long ago
    json_t *const doc = rep_document_create(off, NULL), *f;
    json_array_clear(json_object_get(doc, "processes"));
    json_object_set_new(doc, "captures", json_array());
    for (size_t i = 0; i < c->files.len; i++) {
        if (!c->files.data[i].is_done) continue;
        json_t *const result = check_journal_read(c, &c->files.data[i]);
        add_totals(t, json_object_get(result, "totals"));
        add_result(doc, c->files.data[i].path, result);
        json_decref(result);
    }
    if (c->s->v[DEV_OPT_SCHEDULES].given) t->schedules = c->s->v[DEV_OPT_SCHEDULES].number;
    size_t i;
    json_array_foreach(json_object_get(doc, "findings"), i, f) {
        note_files(f);
        count_finding(t, f);
    }
    return doc;
}

static void put_findings(struct str *s, const struct check *c, const json_t *doc, bool color)
{
    const uint64_t limit = dev_option_max_findings(c->s);
    uint64_t shown = 0;
    json_t *const helped = json_object(), *f;
    size_t i;
    json_array_foreach(json_object_get(doc, "findings"), i, f) {
        if (json_is_true(json_object_get(f, "known"))) continue;
        if (limit && shown >= limit) {
            rep_put_limit(s, shown);
            break;
        }
        rep_put_merged_text(s, f, color, helped);
        shown++;
    }
    json_decref(helped);
}

/** Messages of a child; with --verbose all, otherwise those of files that were not checked. */
static void say_result(const struct check *c, const char *path, const json_t *result)
{
    const char *const reason = json_string_value(json_object_get(result, "reason"));
    const bool again = json_integer_value(json_object_get(result, "attempts")) > 1;
    if (reason) cmd_say("%s: %s%s; it was not checked", path, reason, again ? ", twice" : "");
    else if (again) cmd_say("%s: its process was killed, and a second one checked it", path);
    if (reason || c->s->v[DEV_OPT_VERBOSE].given)
        rep_write_safe(stderr, rep_json_get(result, "messages"));
}

void check_show(const struct check *c, const json_t *doc)
{
    const char *log = NULL;
    err_free(dev_option_log(c->s, &log)); // checked long ago
    struct str s = {0};
    put_findings(&s, c, doc, cmd_has_color(c->s));
    char *const path = log ? rep_path_for(log, (long)getpid()) : NULL;
    const int fd = path ? out_append(path, OUT_REPORT) : -1;
    FILE *const out = fd < 0 ? NULL : fdopen(fd, "a");
    if (log && !out) cmd_say("%s cannot be written (%m): the report goes to stderr", log);
    rep_write(out ? out : stderr, str_text(&s), s.len);
    if (out) fclose(out);
    free(path);
    str_deinit(&s);
    for (size_t i = 0; i < c->files.len; i++) {
        const struct check_file *const f = &c->files.data[i];
        json_t *const result = f->is_done ? check_journal_read(c, f) : NULL;
        if (result) say_result(c, f->path, result);
        json_decref(result);
    }
}

void check_strip(json_t *doc)
{
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(doc, "findings"), i, f)
        for (const char *const *key =
                 (const char *const[]){"text", "suppression", "found_in", NULL};
             *key; key++)
            json_object_del(f, *key);
}
