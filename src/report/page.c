// SPDX-License-Identifier: MIT
// The report as one HTML file: style, program (page/*.css, *.js) and the document as JSON.
//
// Everything that comes from outside is in the JSON, in which each `<` is an escape, so nothing in
// it can end the element that holds it. The program makes text of it, never markup. The content
// security policy forbids all requests.
#include "report/document.h"

#include "base/io.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SOURCE = 1 << 20, // bytes of one source; others are shown as excerpts only
    MOST_SOURCES = 5 << 20,
    MOST_EVENTS = 20000, // of the timeline
};

static const char style[] =
#include "report/page/report.inc"
    ;
static const char program[] =
#include "report/page/elements.inc"
#include "report/page/pictures.inc"
#include "report/page/source_view.inc"
#include "report/page/timeline.inc"
#include "report/page/views.inc"
    ;

/** Adds the text under the name, if that is new and there is room. */
static void add_source(json_t *to, const char *name, json_t *text, size_t *total)
{
    const size_t n = json_string_length(text);
    if (text && !json_object_get(to, name) && n <= MOST_SOURCE && *total + n <= MOST_SOURCES) {
        json_object_set(to, name, text);
        *total += n;
    }
}

/** What the page has besides the document. */
struct sources {
    json_t *texts;      // by path without links, or name
    json_t *real_paths; // of those that lead through links
    size_t total;       // bytes of texts
};

static void add_file(struct sources *to, const char *path)
{
    struct str text = {0};
    char *const real = path[0] == '/' ? realpath(path, NULL) : NULL;
    if (real && strcmp(real, path)) json_object_set_new(to->real_paths, path, json_string(real));
    if (real && !json_object_get(to->texts, real) && io_read_file(real, &text) &&
        io_is_text(text.data, text.len)) {
        json_t *const s = rep_json_text(str_text(&text), text.len);
        add_source(to->texts, real, s, &to->total);
        json_decref(s);
    }
    free(real);
    str_deinit(&text);
}

static void add_places(struct sources *to, const json_t *sides)
{
    size_t i, k;
    json_t *side, *call;
    json_array_foreach(sides, i, side) {
        add_file(to, rep_json_get(json_object_get(side, "place"), "path"));
        json_array_foreach(json_object_get(side, "called_from"), k, call)
            add_file(to, rep_json_get(call, "path"));
    }
}

/** The sources that the document names: those with findings first. */
static struct sources sources_of(const json_t *doc)
{
    struct sources to = {.texts = json_object(), .real_paths = json_object()};
    json_t *f, *text;
    size_t i;
    const char *name;
    json_object_foreach(json_object_get(doc, "programs"), name, text)
        add_source(to.texts, name, text, &to.total);
    json_array_foreach(json_object_get(doc, "findings"), i, f)
        add_places(&to, json_object_get(f, "sides"));
    json_object_foreach(json_object_get(json_object_get(doc, "coverage"), "files"), name, f) {
        add_source(to.texts, name, json_object_get(f, "text"), &to.total);
        if (!json_is_true(json_object_get(f, "unread")))
            add_file(&to, name); // (#line can name any)
    }
    return to;
}

static bool is_call(const json_t *event) { return !strcmp(rep_json_get(event, "cat"), "api"); }

/** API calls are by far the most; those that have no room are left out first. */
static json_t *first_events(const json_t *trace)
{
    const json_t *const all = json_object_get(trace, "events");
    json_int_t dropped = json_integer_value(json_object_get(trace, "dropped"));
    json_t *const events = json_array(), *event;
    size_t i, others = 0;
    json_array_foreach(all, i, event) others += !is_call(event);
    size_t room = others < MOST_EVENTS ? others : MOST_EVENTS, calls_room = MOST_EVENTS - room;
    json_array_foreach(all, i, event) {
        size_t *const left = is_call(event) ? &calls_room : &room;
        if (*left) --*left, json_array_append(events, event);
        else dropped++;
    }
    return json_pack("{s: I, s: o}", "dropped", dropped, "events", events);
}

/** JSON inside of an element: `<` is only in strings, and is written as an escape. */
static void put_json(struct str *s, const json_t *doc)
{
    char *const text = json_dumps(doc, JSON_COMPACT | JSON_ENSURE_ASCII), *from = text, *at;
    for (; text && (at = strchr(from, '<')); from = at + 1) {
        str_put_n(s, from, (size_t)(at - from));
        str_put(s, "\\u003c");
    }
    str_put(s, text ? from : "{}");
    free(text);
}

char *rep_render_html(const json_t *doc)
{
    struct str s = {0};
    json_t *const page = json_copy((json_t *)doc);
    const struct sources sources = sources_of(doc);
    json_object_set_new(page, "sources", sources.texts);
    json_object_set_new(page, "real_paths", sources.real_paths);
    const json_t *const trace = json_object_get(doc, "trace");
    if (trace) json_object_set_new(page, "trace", first_events(trace));
    str_put(&s, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"generator\" content=\"cldbg\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                "<title>cldbg report</title>\n<style>\n");
    str_put(&s, style);
    str_put(&s, "</style>\n</head>\n<body>\n<noscript>This page needs JavaScript. It makes no "
                "requests. The json report has the same.</noscript>\n"
                "<script type=\"application/json\" id=\"data\">");
    put_json(&s, page);
    str_put(&s, "</script>\n<script>\n");
    str_put(&s, program);
    str_put(&s, "</script>\n</body>\n</html>\n");
    json_decref(page);
    return str_take(&s);
}
