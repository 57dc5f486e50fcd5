// SPDX-License-Identifier: MIT
// JUnit as the services of CI read it: each kernel that was launched is a class, each check a case of it, which
// passed, failed (errors; with --strict warnings) or was skipped (all its launches left out by a filter).
#include "cli/junit.h"

#include "base/str.h"
#include "report/document.h"
#include "report/excerpt.h"

#include <string.h>

struct junit {
    const json_t *doc;
    bool strict;
    struct str *out; // NULL: only count
    unsigned depth;  // of the elements that are open
    bool in_tag;     // the innermost one's tag still takes attributes
    unsigned cases, failures, skipped, errors;
};

static void put_escaped(struct str *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': str_put(out, "&lt;"); break;
        case '>': str_put(out, "&gt;"); break;
        case '&': str_put(out, "&amp;"); break;
        case '"': str_put(out, "&quot;"); break;
        default: str_put_char(out, *text);
        }
    }
}

static void start(struct junit *j, const char *name)
{
    str_printf(j->out, "%s%*s<%s", j->in_tag ? ">\n" : "", (int)j->depth++, "", name);
    j->in_tag = true;
}

static void end(struct junit *j, const char *name)
{
    j->depth--;
    if (j->in_tag) str_put(j->out, "/>\n");
    else str_printf(j->out, "%*s</%s>\n", (int)j->depth, "", name);
    j->in_tag = false;
}

static void attribute(struct junit *j, const char *key, const char *value)
{
    struct str safe = {0};
    rep_put_safe(&safe, value);
    str_printf(j->out, " %s=\"", key);
    put_escaped(j->out, str_text(&safe));
    str_put_char(j->out, '"');
    str_deinit(&safe);
}

static void number(struct junit *j, const char *key, unsigned value) { str_printf(j->out, " %s=\"%u\"", key, value); }

/** " by work-item local (5,0,0) global (773,0,0), group (3,0,0)" */
static void put_item(struct str *s, const json_t *item)
{
    static const struct {
        const char *key, *words;
    } ids[] = {{"local", " by work-item local"}, {"global", " global"}, {"group", ", group"}};
    for (size_t k = 0; item && k < sizeof ids / sizeof *ids; k++) {
        const json_t *id = json_object_get(item, ids[k].key);
        str_printf(s, "%s (%lld,%lld,%lld)", ids[k].words, (long long)json_integer_value(json_array_get(id, 0)),
                   (long long)json_integer_value(json_array_get(id, 1)), (long long)json_integer_value(json_array_get(id, 2)));
    }
}

static void put_finding(struct str *s, const json_t *f)
{
    const json_t *side, *note;
    size_t i;
    str_printf(s, "%s%s: ", json_is_true(json_object_get(f, "possible")) ? "possible " : "", rep_json_get(f, "severity"));
    rep_put_safe(s, rep_json_get(f, "title"));
    json_array_foreach(json_object_get(f, "sides"), i, side) {
        const json_t *place = json_object_get(side, "place");
        str_put(s, "\n  ");
        rep_put_safe(s, rep_json_get(place, "file"));
        str_printf(s, ":%lld:%lld: ", (long long)json_integer_value(json_object_get(place, "line")),
                   (long long)json_integer_value(json_object_get(place, "column")));
        rep_put_safe(s, rep_json_get(side, "what"));
        put_item(s, json_object_get(side, "work_item"));
        str_put(s, "\n    ");
        rep_put_safe(s, rep_json_get(place, "source"));
    }
    json_array_foreach(json_object_get(f, "notes"), i, note) {
        str_put(s, "\n  ");
        rep_put_safe(s, json_string_value(note));
    }
    if (json_object_get(f, "capture")) {
        str_put(s, "\n  to repeat it: cldbg run ");
        rep_put_safe(s, rep_json_get(f, "capture"));
    }
    if (*rep_json_get(f, "help")) str_printf(s, "\n  help: %s", rep_json_get(f, "help"));
    const long long times = json_integer_value(json_object_get(f, "times"));
    str_printf(s, "\n  %lld time%s\n", times, times == 1 ? "" : "s");
}

static bool fails(const struct junit *j, const json_t *f)
{
    bool possible = json_is_true(json_object_get(f, "possible"));
    return !possible && (j->strict || !strcmp(rep_json_get(f, "severity"), "error"));
}

// An element without others in it.
static void element(struct junit *j, const char *name, const char *message, const char *type, const char *text)
{
    start(j, name);
    if (message) attribute(j, "message", message);
    if (type) attribute(j, "type", type);
    if (!text) {
        end(j, name);
        return;
    }
    str_put_char(j->out, '>');
    put_escaped(j->out, text);
    str_printf(j->out, "</%s>\n", name);
    j->depth--;
    j->in_tag = false;
}

/** A case: `kernel` "" for what belongs to no kernel. All its findings are in one failure. */
static void put_case(struct junit *j, const char *kernel, const char *check, bool skipped)
{
    const json_t *f;
    size_t i;
    struct str failed = {0}, told = {0};
    const char *message = NULL, *file = NULL;
    json_array_foreach(json_object_get(j->doc, "findings"), i, f) {
        if (strcmp(rep_json_get(f, "id"), check) || strcmp(rep_json_get(f, "kernel"), kernel)) continue;
        if (json_is_true(json_object_get(f, "known"))) continue;
        bool bad = fails(j, f);
        put_finding(bad ? &failed : &told, f);
        if (bad && !message) {
            message = rep_json_get(f, "title");
            file = rep_json_get(json_object_get(json_array_get(json_object_get(f, "sides"), 0), "place"), "file");
        }
    }
    bool any = failed.len || told.len;
    skipped &= !any;
    if (*kernel || any) {
        j->cases++;
        j->failures += failed.len != 0;
        j->skipped += skipped;
    }
    if (j->out && (*kernel || any)) {
        start(j, "testcase");
        attribute(j, "classname", *kernel ? kernel : "host");
        attribute(j, "name", check);
        attribute(j, "time", "0");
        if (file && *file) attribute(j, "file", file);
        if (skipped) element(j, "skipped", "all its launches were left out by a filter", NULL, NULL);
        if (failed.len) element(j, "failure", message, check, str_text(&failed));
        if (told.len) element(j, "system-out", NULL, NULL, str_text(&told));
        end(j, "testcase");
    }
    str_deinit(&failed);
    str_deinit(&told);
}

/** Nothing launched is no success. */
static void put_no_launch(struct junit *j)
{
    j->cases++;
    j->skipped++;
    if (!j->out) return;
    start(j, "testcase");
    attribute(j, "classname", "cldbg");
    attribute(j, "name", "kernel launches");
    attribute(j, "time", "0");
    element(j, "skipped", "no kernel was launched, so nothing was checked", NULL, NULL);
    end(j, "testcase");
}

/** A report that lacks findings is no success either. */
static void put_lacks(struct junit *j, const char *lacks)
{
    j->cases++;
    j->errors++;
    if (!j->out) return;
    start(j, "testcase");
    attribute(j, "classname", "cldbg");
    attribute(j, "name", "report");
    attribute(j, "time", "0");
    element(j, "error", lacks, "incomplete", NULL);
    end(j, "testcase");
}

static void put_cases(struct junit *j)
{
    const json_t *kernels = json_object_get(j->doc, "kernels"), *k, *check;
    size_t i, c;
    char *const lacks = rep_document_lacks(j->doc);
    j->cases = j->failures = j->skipped = j->errors = 0;
    json_array_foreach(kernels, i, k) {
        bool skipped = json_equal(json_object_get(k, "launches"), json_object_get(k, "unchecked"));
        json_array_foreach(json_object_get(j->doc, "checks"), c, check)
            put_case(j, rep_json_get(k, "name"), json_string_value(check), skipped);
    }
    json_array_foreach(json_object_get(j->doc, "checks"), c, check)
        put_case(j, "", json_string_value(check), false);
    if (!json_array_size(kernels)) put_no_launch(j);
    if (lacks) put_lacks(j, lacks);
    free(lacks);
}

static void start_suite(struct junit *j, const char *name, const struct junit *counted)
{
    start(j, name);
    attribute(j, "name", "cldbg");
    number(j, "tests", counted->cases);
    number(j, "failures", counted->failures);
    number(j, "errors", counted->errors);
}

char *cmd_junit(const json_t *doc, bool strict)
{
    struct str out = {0};
    struct junit counted = {.doc = doc, .strict = strict}, j = counted;
    put_cases(&counted);
    j.out = &out;
    str_put(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    start_suite(&j, "testsuites", &counted);
    start_suite(&j, "testsuite", &counted);
    number(&j, "skipped", counted.skipped);
    attribute(&j, "time", "0");
    put_cases(&j);
    end(&j, "testsuite");
    end(&j, "testsuites");
    return str_take(&out);
}
