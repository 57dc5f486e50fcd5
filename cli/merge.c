// SPDX-License-Identifier: MIT
// One report of several runs.
#include "cli/merge.h"
#include "cli/cmd.h"

#include "base/out.h"
#include "report/document.h"
#include "report/sink.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The counters of struct rep_totals that are sums.
#define COUNTERS(COUNTER)                                                                          \
    COUNTER(launches)                                                                              \
    COUNTER(begun)                                                                                 \
    COUNTER(enqueued)                                                                              \
    COUNTER(contexts)                                                                              \
    COUNTER(programs)                                                                              \
    COUNTER(builds)                                                                                \
    COUNTER(failed_builds)                                                                         \
    COUNTER(processes)                                                                             \
    COUNTER(platforms_queried)                                                                     \
    COUNTER(cut_checks)                                                                            \
    COUNTER(internal_errors)                                                                       \
    COUNTER(native_launches)                                                                       \
    COUNTER(verified_kernels)                                                                      \
    COUNTER(proved_kernels)                                                                        \
    COUNTER(scheduled_launches)                                                                    \
    COUNTER(suppressed)                                                                            \
    COUNTER(skipped_launches)                                                                      \
    COUNTER(ended_early)                                                                           \
    COUNTER(left)                                                                                  \
    COUNTER(child_launches)                                                                        \
    COUNTER(unwritten)                                                                             \
    COUNTER(unkept)

json_t *merge_empty(const struct dev_option_set *s)
{
    bool off[REP_KIND_COUNT];
    err_free(dev_option_kinds(s, off)); // checked long ago
    json_t *const doc = rep_document_create(off, NULL);
    json_array_clear(json_object_get(doc, "processes"));
    return doc;
}

json_t *merge_counters(const struct rep_totals *t)
{
    json_t *const o = json_object();
#define COUNTER(name)                                                                              \
    if (t->name) json_object_set_new(o, #name, json_integer((json_int_t)t->name));
    COUNTERS(COUNTER)
#undef COUNTER
    return o;
}

void merge_add_counters(struct rep_totals *t, const json_t *counters)
{
#define COUNTER(name) t->name += (uint64_t)json_integer_value(json_object_get(counters, #name));
    COUNTERS(COUNTER)
#undef COUNTER
}

void merge_note(json_t *finding, const char *where)
{
    json_object_set_new(finding, "found_in", rep_json_text(where, strlen(where)));
    json_array_append(json_object_get(finding, "notes"), json_object_get(finding, "found_in"));
}

static void count_finding(struct rep_totals *t, const json_t *f)
{
    const int kind = rep_kind_find(rep_json_get(f, "id"));
    const json_int_t launches = json_integer_value(json_object_get(f, "launches"));
    if (json_is_true(json_object_get(f, "known"))) {
        t->known++;
        return;
    }
    const json_int_t ranks = (json_int_t)json_array_size(json_object_get(f, "ranks"));
    const json_int_t firsts = ranks ? ranks : 1;
    if (launches > firsts) t->repeats += (uint64_t)(launches - firsts);
    if (json_is_true(json_object_get(f, "possible"))) t->possible++;
    else {
        if (kind >= 0) t->findings[kind]++;
        ++*(strcmp(rep_json_get(f, "severity"), "error") ? &t->warnings : &t->errors);
    }
}

void merge_count_findings(struct rep_totals *t, const json_t *doc)
{
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(doc, "findings"), i, f) count_finding(t, f);
}

static void put_findings(struct str *s, const struct dev_option_set *set, const json_t *doc,
                         bool color)
{
    const uint64_t limit = dev_option_max_findings(set);
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

void merge_show(const struct dev_option_set *set, const json_t *doc)
{
    const char *log = NULL;
    err_free(dev_option_log(set, &log)); // checked long ago
    struct str s = {0};
    put_findings(&s, set, doc, cmd_has_color(set));
    char *const path = log ? rep_path_for(log, (long)getpid()) : NULL;
    const int fd = path ? out_append(path, OUT_REPORT) : -1;
    FILE *const out = fd < 0 ? NULL : fdopen(fd, "a");
    if (log && !out) cmd_say("%s cannot be written (%m): the report goes to stderr", log);
    rep_write(out ? out : stderr, str_text(&s), s.len);
    if (out) fclose(out);
    free(path);
    str_deinit(&s);
}

void merge_strip(json_t *doc)
{
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(doc, "findings"), i, f)
        for (const char *const *key =
                 (const char *const[]){"text", "suppression", "found_in", NULL};
             *key; key++)
            json_object_del(f, *key);
}
