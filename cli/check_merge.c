// SPDX-License-Identifier: MIT
// One report of the results of `cldbg check`.
#include "cli/cmd.h"
#include "cli/check_files.h"
#include "cli/merge.h"

#include "report/document.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>

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
    merge_note(f, str_text(&s));
    str_deinit(&s);
}

json_t *check_merge(const struct check *c, struct rep_totals *t)
{
    json_t *const doc = merge_empty(c->s), *f;
    json_object_set_new(doc, "captures", json_array());
    for (size_t i = 0; i < c->files.len; i++) {
        if (!c->files.data[i].is_done) continue;
        json_t *const result = check_journal_read(c, &c->files.data[i]);
        merge_add_counters(t, json_object_get(result, "totals"));
        add_result(doc, c->files.data[i].path, result);
        json_decref(result);
    }
    if (c->s->v[DEV_OPT_SCHEDULES].given) t->schedules = c->s->v[DEV_OPT_SCHEDULES].number;
    size_t i;
    json_array_foreach(json_object_get(doc, "findings"), i, f) note_files(f);
    merge_count_findings(t, doc);
    return doc;
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
    merge_show(c->s, doc);
    for (size_t i = 0; i < c->files.len; i++) {
        const struct check_file *const f = &c->files.data[i];
        json_t *const result = f->is_done ? check_journal_read(c, f) : NULL;
        if (result) say_result(c, f->path, result);
        json_decref(result);
    }
}
