// SPDX-License-Identifier: MIT
// Sums of costs by line, and the file of --profile.
#include "report/profile.h"

#include "report/document.h"

#include <string.h>

enum { FORM = 1 }; // raised when a reader of the old form would be misled

static void add_lines(json_t *to, const json_t *from)
{
    const char *line, *name;
    json_t *cost, *n;
    json_object_foreach((json_t *)from, line, cost) {
        json_t *const had = json_object_get(to, line);
        if (!had) json_object_set_new(to, line, json_deep_copy(cost));
        json_object_foreach(had ? cost : NULL, name, n)
            json_object_set_new(had, name,
                                json_integer(json_integer_value(json_object_get(had, name)) +
                                             json_integer_value(n)));
    }
}

static void add_group(json_t *list, json_t *group)
{
    json_t *had;
    size_t i;
    json_array_foreach(list, i, had) {
        json_t *const n = json_object_get(had, "launches");
        if (!json_equal(json_object_get(had, "items"), json_object_get(group, "items")) ||
            !json_equal(json_object_get(had, "local_bytes"), json_object_get(group, "local_bytes")))
            continue;
        json_integer_set(n, json_integer_value(n) +
                                json_integer_value(json_object_get(group, "launches")));
        return;
    }
    json_array_append_new(list, json_deep_copy(group));
}

void rep_profile_add_groups(json_t *to, const json_t *from)
{
    const char *kernel;
    json_t *list, *group;
    size_t i;
    json_object_foreach((json_t *)from, kernel, list) {
        if (!json_object_get(to, kernel)) json_object_set_new(to, kernel, json_array());
        json_array_foreach(list, i, group) add_group(json_object_get(to, kernel), group);
    }
}

void rep_profile_add_barriers(json_t *to, const json_t *from)
{
    const char *kernel;
    json_t *list, *uses, *had;
    size_t i, k;
    json_object_foreach((json_t *)from, kernel, list) {
        if (!json_object_get(to, kernel)) json_object_set_new(to, kernel, json_array());
        json_t *const into = json_object_get(to, kernel);
        json_array_foreach(list, i, uses) {
            bool is_new = true;
            json_array_foreach(into, k, had) is_new &= !json_equal(had, uses);
            if (is_new) json_array_append(into, uses);
        }
    }
}

void rep_profile_add(json_t *doc, const json_t *profile)
{
    json_t *const all = json_object_get(doc, "profile"), *file;
    const char *key;
    if (!all) {
        json_object_set_new(doc, "profile", json_deep_copy(profile));
        return;
    }
    json_t *const files = json_object_get(all, "files");
    json_object_foreach(json_object_get(profile, "files"), key, file) {
        json_t *const had = json_object_get(files, key);
        if (had) add_lines(json_object_get(had, "lines"), json_object_get(file, "lines"));
        else json_object_set_new(files, key, json_deep_copy(file));
    }
    rep_profile_add_groups(json_object_get(all, "groups"), json_object_get(profile, "groups"));
    rep_profile_add_barriers(json_object_get(all, "barriers"),
                             json_object_get(profile, "barriers"));
}

char *rep_render_profile(const json_t *doc)
{
    const json_t *const p = json_object_get(doc, "profile");
    json_t *const out =
        json_pack("{s: s, s: i, s: O, s: O, s: O?, s: O?, s: O?}", "format", "cldbg-profile",
                  "version", FORM, "tool", json_object_get(doc, "tool"), "kernels",
                  json_object_get(doc, "kernels"), "model", json_object_get(p, "model"), "files",
                  json_object_get(p, "files"), "groups", json_object_get(p, "groups"));
    char *const text = json_dumps(out, JSON_INDENT(2));
    json_decref(out);
    return text;
}

struct err *rep_profile_find(const json_t *doc, const json_t **profile)
{
    const char *const format = rep_json_get(doc, "format");
    *profile = doc;
    if (!strcmp(format, "cldbg-report")) {
        struct err *const e = rep_document_check(doc);
        *profile = json_object_get(doc, "profile");
        return e || *profile ? e
                             : err_new("this report has no costs: its run was without --profile");
    }
    if (strcmp(format, "cldbg-profile"))
        return err_new("it is not a profile of cldbg (--profile=FILE writes one)");
    const json_int_t version = json_integer_value(json_object_get(doc, "version"));
    return version == FORM ? rep_document_shape(doc, "profile")
                           : err_new("its format is version %lld; this cldbg reads version %d",
                                     (long long)version, FORM);
}
