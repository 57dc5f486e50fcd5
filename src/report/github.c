// SPDX-License-Identifier: MIT
// Annotations: lines by which a GitHub job marks locations of a change. The service shows only the
// first few of each level, so errors come first.
#include "report/document.h"

#include "base/mem.h"
#include "report/excerpt.h"

#include <stdlib.h>
#include <string.h>

/** Quotes values of properties and messages like the toolkit of the service. */
static void put_quoted(struct str *s, const char *text, bool property)
{
    struct str safe = {0};
    rep_put_safe_lines(&safe, text, strlen(text));
    for (const char *p = str_text(&safe); *p; p++)
        if (strchr("%\r\n", *p) || (property && strchr(":,", *p)))
            str_printf(s, "%%%02X", (unsigned char)*p);
        else str_put_char(s, *p);
    str_deinit(&safe);
}

static void put_property(struct str *s, const char *key, const char *value)
{
    str_printf(s, ",%s=", key);
    put_quoted(s, value, true);
}

static void put_number(struct str *s, const char *key, const json_t *value)
{
    if (value) str_printf(s, ",%s=%lld", key, (long long)json_integer_value(value));
}

static void put_annotation(struct str *s, const json_t *f, const char *root)
{
    const json_t *sides = json_object_get(f, "sides"), *side, *note;
    const json_t *place = json_object_get(json_array_get(sides, 0), "place");
    const char *path = rep_json_get(place, "path");
    char *below = rep_below(root, path);
    const char *file = below ? below : *path ? path : rep_json_get(place, "file");
    size_t i;
    str_printf(s, "::%s ",
               json_is_true(json_object_get(f, "possible")) ? "notice"
                                                            : rep_json_get(f, "severity"));
    struct str title = {0};
    str_printf(&title, "cldbg: %s", rep_json_get(f, "id"));
    put_quoted(s, "title=", false);
    put_quoted(s, str_text(&title), true);
    if (*file) put_property(s, "file", file);
    str_deinit(&title);
    bool has_file = *file;
    free(below);
    if (has_file) {
        const json_t *column = json_object_get(place, "start_column"),
                     *end = json_object_get(place, "end_column");
        put_number(s, "line", json_object_get(place, "line"));
        put_number(s, "col", column ? column : json_object_get(place, "column"));
        if (end) str_printf(s, ",endColumn=%lld", (long long)json_integer_value(end) - 1);
    }
    str_put(s, "::");
    put_quoted(s, rep_json_get(f, "title"), false);
    const char *kernel = rep_json_get(f, "kernel");
    if (*kernel) {
        str_put(s, " in kernel '");
        put_quoted(s, kernel, false);
        str_put(s, "'");
    }
    json_array_foreach(sides, i, side) {
        const json_t *at = json_object_get(side, "place");
        str_put(s, "%0A");
        put_quoted(s, rep_json_get(at, "file"), false);
        str_printf(s, ":%lld: ", (long long)json_integer_value(json_object_get(at, "line")));
        put_quoted(s, rep_json_get(side, "what"), false);
    }
    json_array_foreach(json_object_get(f, "notes"), i, note) {
        str_put(s, "%0A");
        put_quoted(s, json_string_value(note), false);
    }
    str_put_char(s, '\n');
}

static void put_advice(struct str *s, const json_t *a, const char *root)
{
    const char *path = rep_json_get(a, "path");
    char *below = rep_below(root, path);
    struct str title = {0};
    str_printf(&title, "cldbg: %s", rep_json_get(a, "id"));
    str_put(s, "::notice title=");
    put_quoted(s, str_text(&title), true);
    put_property(s, "file", below ? below : *path ? path : rep_json_get(a, "file"));
    put_number(s, "line", json_object_get(a, "line"));
    str_put(s, "::");
    put_quoted(s, rep_json_get(a, "text"), false);
    str_put_char(s, '\n');
    str_deinit(&title);
    free(below);
}

char *rep_render_github(const json_t *doc, const char *root)
{
    struct str s = {0};
    const json_t *f;
    size_t i;
    for (int warnings = 0; warnings < 2; warnings++)
        json_array_foreach(json_object_get(doc, "findings"), i, f) {
            bool error = !strcmp(rep_json_get(f, "severity"), "error");
            if (error != warnings && !json_is_true(json_object_get(f, "known")))
                put_annotation(&s, f, root);
        }
    json_array_foreach(json_object_get(doc, "advice"), i, f) put_advice(&s, f, root);
    char *const lacks = rep_document_lacks(doc);
    if (lacks) str_printf(&s, "::error title=cldbg::%s\n", lacks);
    free(lacks);
    str_put(&s, "");
    return str_take(&s);
}
