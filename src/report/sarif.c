// SPDX-License-Identifier: MIT
// SARIF 2.1.0 for code scanning services: rules with help, a result for each finding with the other
// sides as related locations, and paths relative to the repository.
#include "report/advice.h"
#include "report/document.h"

#include "base/map.h"
#include "base/mem.h"
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct sarif {
    const json_t *doc;
    const char *root;
    json_t *artifacts;
    bool under_root; // some path is relative to it
};

/** "data-race" → "DataRace" */
static json_t *rule_name(const char *id)
{
    struct str s = {0};
    for (bool up = true; *id; up = *id++ == '-')
        if (*id != '-') str_put_char(&s, up ? (char)toupper(*id) : *id);
    json_t *name = json_string(str_text(&s));
    str_deinit(&s);
    return name;
}

static json_t *sentence(const char *text)
{
    struct str s = {0};
    str_put(&s, text);
    if (s.len) s.data[0] = (char)toupper((unsigned char)s.data[0]);
    if (s.len && s.data[s.len - 1] != '.') str_put_char(&s, '.');
    json_t *o = json_pack("{s:s}", "text", str_text(&s));
    str_deinit(&s);
    return o;
}

static json_t *rule(int k)
{
    const struct rep_kind_info *kind = &rep_kinds[k];
    const struct rep_explanation *e = &rep_explanations[k];
    struct str plain = {0}, marked = {0}, hints = {0};
    str_put(&hints, kind->fix);
    enum rep_fix m = 0;
    for (char *more; (more = rep_next_fix((enum rep_kind)k, &m)); free(more))
        str_printf(&hints, "\n\n%s", more);
    str_printf(&plain, "%s\n\n%s\n\nWrong:\n\n%s\nFixed:\n\n%s", e->rule, str_text(&hints),
               e->wrong, e->fixed);
    str_printf(&marked, "%s\n\n%s\n\nWrong:\n\n```c\n%s```\n\nFixed:\n\n```c\n%s```\n", e->rule,
               str_text(&hints), e->wrong, e->fixed);
    str_deinit(&hints);
    bool error = kind->severity == REP_ERROR;
    json_t *r = json_pack("{s:s, s:o, s:o, s:{s:s}, s:{s:s, s:s}, s:{s:s}, s:{s:[s,s], s:s, s:s}}",
                          "id", kind->id, "name", rule_name(kind->id), "shortDescription",
                          sentence(kind->what), "fullDescription", "text", e->rule, "help", "text",
                          str_text(&plain), "markdown", str_text(&marked), "defaultConfiguration",
                          "level", error ? "error" : "warning", "properties", "tags", "opencl",
                          "correctness", "precision", "very-high", "problem.severity",
                          error ? "error" : "warning");
    str_deinit(&plain);
    str_deinit(&marked);
    if (!strchr(kind->id, '-')) json_object_del(r, "name"); // it would only repeat the id
    return r;
}

/** A path as a URI, with percent-encoding. */
static void put_uri(struct str *s, const char *path)
{
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/!$&'()*+,;=@", *path))
            str_put_char(s, *path);
        else str_printf(s, "%%%02X", (unsigned char)*path);
}

/** The index in artifacts; an artifact contains the text of a program that is not in a file. */
static json_int_t artifact(struct sarif *s, json_t *location, const char *file)
{
    const char *uri = rep_json_get(location, "uri");
    json_t *a;
    size_t i;
    json_array_foreach(s->artifacts, i, a)
        if (!strcmp(rep_json_get(json_object_get(a, "location"), "uri"), uri)) return (json_int_t)i;
    a = json_pack("{s:O, s:s}", "location", location, "sourceLanguage", "opencl");
    json_t *text = file ? json_object_get(json_object_get(s->doc, "programs"), file) : NULL;
    if (text) json_object_set_new(a, "contents", json_pack("{s:O}", "text", text));
    json_array_append_new(s->artifacts, a);
    return (json_int_t)json_array_size(s->artifacts) - 1;
}

static json_t *artifact_location(struct sarif *s, const json_t *place)
{
    const char *path = rep_json_get(place, "path"), *file = rep_json_get(place, "file");
    char *below = rep_below(s->root, path);
    struct str uri = {0};
    if (!below && path[0] == '/') str_put(&uri, "file://");
    put_uri(&uri, below ? below : *path ? path : file);
    json_t *l = json_pack("{s:s}", "uri", str_text(&uri));
    str_deinit(&uri);
    if (below) json_object_set_new(l, "uriBaseId", json_string("%SRCROOT%"));
    s->under_root |= below != NULL;
    free(below);
    json_int_t index = artifact(s, l, *path ? NULL : file);
    json_object_set_new(l, "index", json_integer(index));
    return l;
}

static json_t *region(const json_t *place)
{
    json_t *r = json_object(), *o;
    if ((o = json_object_get(place, "line"))) json_object_set(r, "startLine", o);
    if ((o = json_object_get(place, "start_column")) || (o = json_object_get(place, "column")))
        json_object_set(r, "startColumn", o);
    if ((o = json_object_get(place, "end_column"))) json_object_set(r, "endColumn", o);
    if ((o = json_object_get(place, "source")))
        json_object_set_new(r, "snippet", json_pack("{s:O}", "text", o));
    return r;
}

static json_t *location(struct sarif *s, const json_t *place)
{
    json_t *l = json_object(), *physical = json_object();
    json_object_set_new(physical, "artifactLocation", artifact_location(s, place));
    if (json_object_get(place, "line")) json_object_set_new(physical, "region", region(place));
    json_object_set_new(l, "physicalLocation", physical);
    const char *fn = rep_json_get(place, "function");
    if (*fn)
        json_object_set_new(l, "logicalLocations",
                            json_pack("[{s:s, s:s}]", "name", fn, "kind", "function"));
    return l;
}

static void put_item(struct str *s, const json_t *side)
{
    const json_t *item = json_object_get(side, "work_item");
    for (const char *const *name = (const char *const[]){"local", "global", "group", NULL};
         item && *name; name++) {
        json_int_t v[3] = {0};
        for (size_t i = 0; i < 3; i++)
            v[i] = json_integer_value(json_array_get(json_object_get(item, *name), i));
        str_printf(s, "%s%s (%lld,%lld,%lld)", name[0][0] == 'l' ? " by work-item " : ", ", *name,
                   (long long)v[0], (long long)v[1], (long long)v[2]);
    }
}

static json_t *side_message(const json_t *side)
{
    struct str s = {0};
    const char *what = rep_json_get(side, "what");
    str_put(&s, *what ? what : "here");
    put_item(&s, side);
    json_t *m = sentence(str_text(&s));
    str_deinit(&s);
    return m;
}

static json_t *message(const json_t *finding)
{
    struct str s = {0};
    const json_t *note;
    size_t i;
    if (json_is_true(json_object_get(finding, "possible"))) str_put(&s, "Possible: ");
    str_put(&s, rep_json_get(finding, "title"));
    const char *kernel = rep_json_get(finding, "kernel");
    if (*kernel) str_printf(&s, " in kernel '%s'", kernel);
    json_t *first = side_message(json_array_get(json_object_get(finding, "sides"), 0));
    if (json_array_size(json_object_get(finding, "sides")))
        str_printf(&s, ". %s", rep_json_get(first, "text"));
    json_decref(first);
    json_array_foreach(json_object_get(finding, "notes"), i, note) {
        if (s.data[s.len - 1] != '.') str_put_char(&s, '.');
        const char *text = json_string_value(note);
        if (*text) str_printf(&s, " %c%s", toupper((unsigned char)*text), text + 1);
    }
    const char *help = rep_json_get(finding, "help");
    const int kind = rep_kind_find(rep_json_get(finding, "id"));
    if (*help && kind >= 0 && strcmp(help, rep_kinds[kind].fix))
        str_printf(&s, ". To fix it: %s", help); // the rule has the other text
    json_t *m = sentence(str_text(&s));
    str_deinit(&s);
    return m;
}

/**
 * The other sides, each with the calls that led to it; numbered, so that messages can point at
 * them.
 */
static json_t *related(struct sarif *s, const json_t *finding)
{
    json_t *list = json_array();
    const json_t *side, *call;
    size_t i, k;
    json_array_foreach(json_object_get(finding, "sides"), i, side) {
        const json_t *place = json_object_get(side, "place");
        if (i && *rep_json_get(place, "file")) {
            json_t *l = location(s, place);
            json_object_set_new(l, "message", side_message(side));
            json_array_append_new(list, l);
        }
        json_array_foreach(json_object_get(side, "called_from"), k, call) {
            if (!*rep_json_get(call, "file")) continue;
            json_t *l = location(s, call);
            json_object_set_new(l, "message", json_pack("{s:s}", "text", "Called from here."));
            json_array_append_new(list, l);
        }
    }
    const json_t *also;
    json_array_foreach(json_object_get(finding, "also"), k, also) {
        json_array_foreach(also, i, side) {
            const json_t *place = json_object_get(side, "place");
            if (!*rep_json_get(place, "file")) continue;
            json_t *l = location(s, place);
            json_object_set_new(
                l, "message",
                json_pack("{s:o}", "text",
                          json_sprintf("Of the same cause: %s.", rep_json_get(side, "what"))));
            json_array_append_new(list, l);
        }
    }
    json_array_foreach(list, i, side)
        json_object_set_new((json_t *)side, "id", json_integer((json_int_t)i + 1));
    return list;
}

/** Equal fingerprints (the same line twice in a kernel) are distinguished by their order. */
static json_t *fingerprint(const json_t *finding, json_t *seen)
{
    const char *print = rep_json_get(finding, "fingerprint");
    json_int_t n = json_integer_value(json_object_get(seen, print)) + 1;
    json_object_set_new(seen, print, json_integer(n));
    json_t *text = json_sprintf("%s:%lld", print, (long long)n);
    return json_pack("{s:o}", "cldbg/v1", text);
}

static json_t *result(struct sarif *s, const json_t *f, json_t *seen)
{
    const char *id = rep_json_get(f, "id");
    bool possible = json_is_true(json_object_get(f, "possible"));
    json_t *r = json_object(), *properties = json_object(), *value;
    json_object_set_new(r, "ruleId", json_string(id));
    json_object_set_new(r, "ruleIndex", json_integer(rep_kind_find(id)));
    json_object_set_new(r, "level", json_string(possible ? "note" : rep_json_get(f, "severity")));
    json_object_set_new(r, "message", message(f));
    const json_t *place = json_object_get(json_array_get(json_object_get(f, "sides"), 0), "place");
    json_object_set_new(r, "locations", json_array());
    if (*rep_json_get(place, "file"))
        json_array_append_new(json_object_get(r, "locations"), location(s, place));
    json_t *others = related(s, f);
    if (json_array_size(others)) json_object_set(r, "relatedLocations", others);
    json_decref(others);
    json_object_set_new(r, "partialFingerprints", fingerprint(f, seen));
    if (json_is_true(json_object_get(s->doc, "has_baseline")))
        json_object_set_new(
            r, "baselineState",
            json_string(json_is_true(json_object_get(f, "known")) ? "unchanged" : "new"));
    for (const char *const *key =
             (const char *const[]){"kernel", "object", "launch", "schedule", "host", "times",
                                   "work_groups", "between_work_groups", "launches", NULL};
         *key; key++)
        if ((value = json_object_get(f, *key))) json_object_set(properties, *key, value);
    json_object_set_new(r, "properties", properties);
    return r;
}

// ---- proofs: results of kind pass, review (not decided) or fail

static json_t *proof_rule(const json_t *property)
{
    static const char about[] =
        "`cldbg verify` decides it for any contents of the buffers, without "
        "a run; doc/VERIFY.md describes how.";
    json_t *id = json_sprintf("proof-%s", rep_json_get(property, "id")),
           *text = sentence(rep_json_get(property, "text"));
    return json_pack("{s:o, s:O, s:o, s:{s:s, s:s}, s:{s:s}}", "id", id, "shortDescription", text,
                     "fullDescription", text, "help", "text", about, "markdown", about,
                     "defaultConfiguration", "level", "error");
}

/** "global 64x8", or "global sizes from 16x8 to 64x8". */
static void put_range(struct str *s, const char *name, const json_t *least, const json_t *sizes)
{
    const json_t *both[] = {least, sizes}, *v;
    str_printf(s, least ? "%s sizes from " : "%s ", name);
    for (unsigned k = !least; k < 2; k++) {
        size_t i;
        json_array_foreach(both[k], i, v)
            str_printf(s, "%s%lld", i ? "x" : "", (long long)json_integer_value(v));
        if (!k) str_put(s, " to ");
    }
}

static json_t *proof_message(const json_t *proof, const json_t *property, const char *kind)
{
    struct str s = {0};
    const char *reason = rep_json_get(property, "reason");
    str_printf(&s, "Kernel '%s' (", rep_json_get(proof, "kernel"));
    put_range(&s, "global", json_object_get(proof, "least_global"),
              json_object_get(proof, "global"));
    str_put(&s, ", ");
    put_range(&s, "local", json_object_get(proof, "least_local"), json_object_get(proof, "local"));
    str_put(&s, "), for any contents of its buffers: ");
    if (!strcmp(kind, "pass")) str_printf(&s, "%s (proved)", rep_json_get(property, "text"));
    else if (!strcmp(kind, "fail")) str_put(&s, reason);
    else str_printf(&s, "not proved: %s; %s", rep_json_get(property, "text"), reason);
    json_t *m = sentence(str_text(&s));
    str_deinit(&s);
    return m;
}

static json_t *proof_result(struct sarif *s, const json_t *proof, const json_t *property,
                            json_t *seen)
{
    const char *result = rep_json_get(property, "result");
    const char *kind = !strcmp(result, "proved")    ? "pass"
                       : !strcmp(result, "refuted") ? "fail"
                                                    : "review";
    json_t *id = json_sprintf("proof-%s", rep_json_get(property, "id")),
           *places = json_object_get(property, "places"), *locations = json_array();
    const json_t *place = json_array_size(places) ? json_array_get(places, 0)
                                                  : json_object_get(proof, "place");
    if (*rep_json_get(place, "file")) json_array_append_new(locations, location(s, place));
    struct str name = {0};
    str_printf(&name, "%s %s", rep_json_get(proof, "kernel"), rep_json_get(property, "id"));
    put_range(&name, " global", NULL, json_object_get(proof, "global"));
    put_range(&name, " local", NULL, json_object_get(proof, "local"));
    json_t *print = json_sprintf("%016llx", (unsigned long long)hash_bytes(name.data, name.len, 0)),
           *named = json_pack("{s:o}", "fingerprint", print), *prints = fingerprint(named, seen);
    json_decref(named);
    str_deinit(&name);
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o}", "ruleId", id, "kind", kind, "level",
                     *kind == 'f' ? "error" : "none", "message",
                     proof_message(proof, property, kind), "locations", locations,
                     "partialFingerprints", prints);
}

static void add_proofs(struct sarif *s, json_t *rules, json_t *results, json_t *seen)
{
    const json_t *proof, *property;
    size_t i, k;
    json_array_foreach(json_object_get(s->doc, "proofs"), i, proof)
        json_array_foreach(json_object_get(proof, "properties"), k, property) {
            json_t *r = proof_result(s, proof, property, seen);
            json_object_set_new(r, "ruleIndex", json_integer(REP_KIND_COUNT + (json_int_t)k));
            if (!i) json_array_append_new(rules, proof_rule(property));
            json_array_append_new(results, r);
        }
}

/** Advice: results of kind informational. */
static void add_advice(struct sarif *s, json_t *rules, json_t *results, json_t *seen)
{
    const json_t *advice = json_object_get(s->doc, "advice"), *a;
    const size_t first = json_array_size(rules);
    size_t i;
    for (const struct rep_advice_kind *k = rep_advice_kinds; advice && k->id; k++) {
        json_t *const text = sentence(k->text);
        struct str markdown = {0};
        str_printf(&markdown, "%s\n\n```c\n%s```\n\nbetter:\n\n```c\n%s```\n", k->help, k->slow,
                   k->fast);
        json_array_append_new(rules,
                              json_pack("{s:s, s:O, s:o, s:{s:s, s:s}, s:{s:s}}", "id", k->id,
                                        "shortDescription", text, "fullDescription", text, "help",
                                        "text", k->help, "markdown", str_text(&markdown),
                                        "defaultConfiguration", "level", "none"));
        str_deinit(&markdown);
    }
    json_array_foreach(advice, i, a) {
        size_t kind = 0;
        while (rep_advice_kinds[kind].id &&
               strcmp(rep_advice_kinds[kind].id, rep_json_get(a, "id")))
            kind++;
        if (!rep_advice_kinds[kind].id) continue; // of a later version
        struct str name = {0};
        str_printf(&name, "%s %s %d", rep_advice_kinds[kind].id, rep_json_get(a, "file"),
                   (int)json_integer_value(json_object_get(a, "line")));
        json_t *print =
                   json_sprintf("%016llx", (unsigned long long)hash_bytes(name.data, name.len, 0)),
               *named = json_pack("{s:o}", "fingerprint", print),
               *prints = fingerprint(named, seen);
        json_decref(named);
        str_deinit(&name);
        json_array_append_new(results,
                              json_pack("{s:s, s:i, s:s, s:s, s:o, s:[o], s:o}", "ruleId",
                                        rep_advice_kinds[kind].id, "ruleIndex", (int)(first + kind),
                                        "kind", "informational", "level", "none", "message",
                                        sentence(rep_json_get(a, "text")), "locations",
                                        location(s, a), "partialFingerprints", prints));
    }
}

char *rep_render_sarif(const json_t *doc, const char *root)
{
    struct sarif s = {.doc = doc, .root = root, .artifacts = json_array()};
    json_t *rules = json_array(), *results = json_array(), *seen = json_object();
    const json_t *f;
    size_t i;
    for (int k = 0; k < REP_KIND_COUNT; k++) json_array_append_new(rules, rule(k));
    json_array_foreach(json_object_get(doc, "findings"), i, f)
        json_array_append_new(results, result(&s, f, seen));
    add_proofs(&s, rules, results, seen);
    add_advice(&s, rules, results, seen);
    json_decref(seen);
    const char *command =
        rep_json_get(json_array_get(json_object_get(doc, "processes"), 0), "command");
    json_t *run = json_pack(
        "{s:{s:{s:s, s:s, s:s, s:s, s:s, s:o}}, s:[{s:b, s:s}], s:s, s:o, s:o, s:{s:s}}", "tool",
        "driver", "name", "cldbg", "informationUri", "file://" DOCDIR "/README.md", "version",
        PACKAGE_VERSION, "semanticVersion", PACKAGE_VERSION, "fullName", "cldbg " PACKAGE_VERSION,
        "rules", rules, "invocations", "executionSuccessful", 1, "commandLine", command,
        "columnKind", "unicodeCodePoints", "artifacts", s.artifacts, "results", results,
        "automationDetails", "id", "cldbg/");
    char *const lacks = rep_document_lacks(doc);
    if (lacks) {
        json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
        if (json_integer_value(json_object_get(doc, "unkept")) ||
            json_object_get(doc, "lost_launches"))
            json_object_set_new(invocation, "executionSuccessful", json_false());
        json_object_set_new(
            invocation, "toolExecutionNotifications",
            json_pack("[{s:s, s:{s:s}}]", "level", "error", "message", "text", lacks));
    }
    free(lacks);
    if (s.under_root) {
        struct str uri = {0};
        str_put(&uri, "file://");
        put_uri(&uri, root);
        str_put_char(&uri, '/');
        json_object_set_new(run, "originalUriBaseIds",
                            json_pack("{s:{s:s}}", "%SRCROOT%", "uri", str_text(&uri)));
        str_deinit(&uri);
    }
    json_t *log = json_pack("{s:s, s:s, s:[o]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", run);
    char *text = json_dumps(log, JSON_INDENT(1));
    json_decref(log);
    return text;
}
