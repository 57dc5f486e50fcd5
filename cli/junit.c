// SPDX-License-Identifier: MIT
// JUnit as the services of CI read it: each kernel that was launched is a class, each check a case of it, which
// passed, failed (errors; with --strict warnings) or was skipped (all its launches left out by a filter).
#include "cli/junit.h"

#include "base/mem.h"
#include "base/str.h"
#include "report/document.h"
#include "report/excerpt.h"

#include <libxml/xmlwriter.h>
#include <string.h>

struct junit {
    const json_t *doc;
    bool strict;
    xmlTextWriterPtr out; // NULL: only count
    unsigned cases, failures, skipped;
};

#define X(text) ((const xmlChar *)(text))

static void attribute(struct junit *j, const char *key, const char *value)
{
    struct str safe = {0};
    rep_put_safe(&safe, value);
    xmlTextWriterWriteAttribute(j->out, X(key), X(str_text(&safe)));
    str_deinit(&safe);
}

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
    str_printf(s, "\n  %lld times\n", (long long)json_integer_value(json_object_get(f, "times")));
}

static bool fails(const struct junit *j, const json_t *f)
{
    bool possible = json_is_true(json_object_get(f, "possible"));
    return !possible && (j->strict || !strcmp(rep_json_get(f, "severity"), "error"));
}

static void element(struct junit *j, const char *name, const char *message, const char *type, const char *text)
{
    xmlTextWriterStartElement(j->out, X(name));
    if (message) attribute(j, "message", message);
    if (type) attribute(j, "type", type);
    if (text) xmlTextWriterWriteString(j->out, X(text));
    xmlTextWriterEndElement(j->out);
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
        xmlTextWriterStartElement(j->out, X("testcase"));
        attribute(j, "classname", *kernel ? kernel : "host");
        attribute(j, "name", check);
        attribute(j, "time", "0");
        if (file && *file) attribute(j, "file", file);
        if (skipped) element(j, "skipped", "all its launches were left out by a filter", NULL, NULL);
        if (failed.len) element(j, "failure", message, check, str_text(&failed));
        if (told.len) element(j, "system-out", NULL, NULL, str_text(&told));
        xmlTextWriterEndElement(j->out);
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
    xmlTextWriterStartElement(j->out, X("testcase"));
    attribute(j, "classname", "cldbg");
    attribute(j, "name", "kernel launches");
    attribute(j, "time", "0");
    element(j, "skipped", "no kernel was launched, so nothing was checked", NULL, NULL);
    xmlTextWriterEndElement(j->out);
}

static void put_cases(struct junit *j)
{
    const json_t *kernels = json_object_get(j->doc, "kernels"), *k, *check;
    size_t i, c;
    j->cases = j->failures = j->skipped = 0;
    json_array_foreach(kernels, i, k) {
        bool skipped = json_equal(json_object_get(k, "launches"), json_object_get(k, "unchecked"));
        json_array_foreach(json_object_get(j->doc, "checks"), c, check)
            put_case(j, rep_json_get(k, "name"), json_string_value(check), skipped);
    }
    json_array_foreach(json_object_get(j->doc, "checks"), c, check)
        put_case(j, "", json_string_value(check), false);
    if (!json_array_size(kernels)) put_no_launch(j);
}

static void suite(struct junit *j, const char *name, const struct junit *counted)
{
    xmlTextWriterStartElement(j->out, X(name));
    attribute(j, "name", "cldbg");
    xmlTextWriterWriteFormatAttribute(j->out, X("tests"), "%u", counted->cases);
    xmlTextWriterWriteFormatAttribute(j->out, X("failures"), "%u", counted->failures);
    xmlTextWriterWriteFormatAttribute(j->out, X("errors"), "%u", 0u);
}

char *cmd_junit(const json_t *doc, bool strict)
{
    struct junit counted = {.doc = doc, .strict = strict}, j = counted;
    put_cases(&counted);
    xmlBufferPtr buffer = xmlBufferCreate();
    j.out = xmlNewTextWriterMemory(buffer, 0);
    xmlTextWriterSetIndent(j.out, 1);
    xmlTextWriterStartDocument(j.out, NULL, "UTF-8", NULL);
    suite(&j, "testsuites", &counted);
    suite(&j, "testsuite", &counted);
    xmlTextWriterWriteFormatAttribute(j.out, X("skipped"), "%u", counted.skipped);
    attribute(&j, "time", "0");
    put_cases(&j);
    xmlTextWriterEndDocument(j.out);
    xmlFreeTextWriter(j.out);
    char *text = mem_strdup((const char *)buffer->content);
    xmlBufferFree(buffer);
    return text;
}
