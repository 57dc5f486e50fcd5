// SPDX-License-Identifier: MIT
// The formats of a document.
#include "report/coverage.h"
#include "report/document.h"
#include "report/profile.h"

#include <string.h>

/** Trace-event format, as Perfetto and Chrome read it. */
static char *render_trace(const json_t *doc)
{
    const json_t *const trace = json_object_get(doc, "trace");
    json_t *const events = json_object_get(trace, "events"), *const none = json_array(),
                  *const out =
                      json_pack("{s: {s: s, s: O, s: I}, s: s, s: O}", "otherData", "format",
                                "cldbg-trace", "tool", json_object_get(doc, "tool"), "dropped",
                                (json_int_t)json_integer_value(json_object_get(trace, "dropped")),
                                "displayTimeUnit", "ns", "traceEvents", events ? events : none);
    char *const text = json_dumps(out, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    json_decref(out);
    json_decref(none);
    return text;
}

char *rep_render(const char *format, const json_t *doc, const char *root)
{
    if (!strcmp(format, "profile")) return rep_render_profile(doc);
    if (!strcmp(format, "trace")) return render_trace(doc);
    if (!strcmp(format, "cobertura"))
        return rep_render_cobertura(json_object_get(doc, "coverage"), root);
    json_t *part = !strcmp(format, "json") ? json_copy((json_t *)doc) : rep_document_shortened(doc);
    if (strcmp(format, "html") != 0) json_object_del(part, "trace");
    if (!strcmp(format, "json")) {
        char *const json = json_dumps(part, JSON_INDENT(2));
        json_decref(part);
        return json;
    }
    char *text = !strcmp(format, "sarif")    ? rep_render_sarif(part, root)
                 : !strcmp(format, "html")   ? rep_render_html(part)
                 : !strcmp(format, "github") ? rep_render_github(part, root)
                                             : NULL;
    json_decref(part);
    return text;
}
