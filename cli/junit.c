// SPDX-License-Identifier: MIT
// JUnit as the services of CI read it: each kernel that was launched is a class, each check a case
// of it, which passed, failed (errors; with --strict warnings) or was skipped (all its launches
// left out by a filter). The wall time of a kernel's launches is divided evenly among its cases,
// since one execution serves all checks: so sums of times are right.
//
// libxml2 writes it. It is loaded when such a report is asked for: with what it brings (ICU, the
// C++ library) a run would take three times as long to begin.
#include "cli/junit.h"

#include "base/mem.h"
#include "base/str.h"
#include "report/document.h"
#include "report/excerpt.h"

#include <dlfcn.h>
#include <libxml/xmlwriter.h>
#include <string.h>

#define FUNCTIONS(F)                                                                               \
    F(xmlBufferCreate)                                                                             \
    F(xmlBufferFree)                                                                               \
    F(xmlNewTextWriterMemory)                                                                      \
    F(xmlFreeTextWriter)                                                                           \
    F(xmlTextWriterSetIndent)                                                                      \
    F(xmlTextWriterStartDocument)                                                                  \
    F(xmlTextWriterEndDocument)                                                                    \
    F(xmlTextWriterStartElement)                                                                   \
    F(xmlTextWriterEndElement)                                                                     \
    F(xmlTextWriterWriteAttribute)                                                                 \
    F(xmlTextWriterWriteString)
static struct {
    void *library;
#define F(name) typeof(name) *name;
    FUNCTIONS(F)
#undef F
} xml;

struct junit {
    const json_t *doc;
    bool strict;
    xmlTextWriterPtr to; // NULL: only count
    bool is_bad;         // the writer refused something
    unsigned cases, failures, skipped, errors;
};

static struct err *load(void)
{
    if (xml.library) return NULL;
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16"};
    void *library = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names && !library; k++)
        library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return err_new(
            "libxml2, which writes it, is missing (%s); on Debian: apt-get install libxml2",
            dlerror());
    bool whole = true;
#define F(name) whole &= (xml.name = (typeof(name) *)dlsym(library, #name)) != NULL;
    FUNCTIONS(F)
#undef F
    if (!whole) return err_new("libxml2 was built without its text writer");
    xml.library = library;
    return NULL;
}

static const xmlChar *as_xml(const char *text) { return (const xmlChar *)text; }
static void start(struct junit *j, const char *name)
{
    j->is_bad |= xml.xmlTextWriterStartElement(j->to, as_xml(name)) < 0;
}
static void end(struct junit *j) { j->is_bad |= xml.xmlTextWriterEndElement(j->to) < 0; }

static void attribute(struct junit *j, const char *key, const char *value)
{
    struct str safe = {0};
    rep_put_safe(&safe, value);
    j->is_bad |= xml.xmlTextWriterWriteAttribute(j->to, as_xml(key), as_xml(str_text(&safe))) < 0;
    str_deinit(&safe);
}

static void number(struct junit *j, const char *key, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    attribute(j, key, text);
}

/** " by work-item local (5,0,0) global (773,0,0), group (3,0,0)" */
static void put_item(struct str *s, const json_t *item)
{
    static const struct {
        const char *key, *words;
    } ids[] = {{"local", " by work-item local"}, {"global", " global"}, {"group", ", group"}};
    for (size_t k = 0; item && k < sizeof ids / sizeof *ids; k++) {
        const json_t *id = json_object_get(item, ids[k].key);
        str_printf(s, "%s (%lld,%lld,%lld)", ids[k].words,
                   (long long)json_integer_value(json_array_get(id, 0)),
                   (long long)json_integer_value(json_array_get(id, 1)),
                   (long long)json_integer_value(json_array_get(id, 2)));
    }
}

static void put_finding(struct str *s, const json_t *f)
{
    const json_t *side, *note;
    size_t i;
    str_printf(s, "%s%s: ", json_is_true(json_object_get(f, "possible")) ? "possible " : "",
               rep_json_get(f, "severity"));
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
static void element(struct junit *j, const char *name, const char *message, const char *type,
                    const char *text)
{
    start(j, name);
    if (message) attribute(j, "message", message);
    if (type) attribute(j, "type", type);
    if (text) j->is_bad |= xml.xmlTextWriterWriteString(j->to, as_xml(text)) < 0;
    end(j);
}

static void seconds(struct junit *j, double ns)
{
    char text[40];
    snprintf(text, sizeof text, "%.6f", ns / 1e9);
    attribute(j, "time", text);
}

static void start_case(struct junit *j, const char *class, const char *name, double ns)
{
    start(j, "testcase");
    attribute(j, "classname", class);
    attribute(j, "name", name);
    seconds(j, ns);
}

/** A case: `kernel` "" for what belongs to no kernel. All its findings are in one failure. */
static void put_case(struct junit *j, const char *kernel, const char *check, bool skipped,
                     double ns)
{
    const json_t *f;
    size_t i;
    struct str failed = {0}, passed = {0};
    const char *message = NULL, *file = NULL;
    json_array_foreach(json_object_get(j->doc, "findings"), i, f) {
        if (strcmp(rep_json_get(f, "id"), check) || strcmp(rep_json_get(f, "kernel"), kernel))
            continue;
        if (json_is_true(json_object_get(f, "known"))) continue;
        bool bad = fails(j, f);
        put_finding(bad ? &failed : &passed, f);
        if (bad && !message) {
            message = rep_json_get(f, "title");
            file = rep_json_get(
                json_object_get(json_array_get(json_object_get(f, "sides"), 0), "place"), "file");
        }
    }
    bool any = failed.len || passed.len;
    skipped &= !any;
    if (*kernel || any) {
        j->cases++;
        j->failures += failed.len != 0;
        j->skipped += skipped;
    }
    if (j->to && (*kernel || any)) {
        start_case(j, *kernel ? kernel : "host", check, ns);
        if (file && *file) attribute(j, "file", file);
        if (skipped)
            element(j, "skipped", "all its launches were left out by a filter", NULL, NULL);
        if (failed.len) element(j, "failure", message, check, str_text(&failed));
        if (passed.len) element(j, "system-out", NULL, NULL, str_text(&passed));
        end(j);
    }
    str_deinit(&failed);
    str_deinit(&passed);
}

/** A run without a launch is an error. */
static void put_no_launch(struct junit *j)
{
    j->cases++;
    j->skipped++;
    if (!j->to) return;
    start_case(j, "cldbg", "kernel launches", 0);
    element(j, "skipped", "no kernel was launched, so nothing was checked", NULL, NULL);
    end(j);
}

/** A report that lacks findings is an error, too. */
static void put_lacks(struct junit *j, const char *lacks)
{
    j->cases++;
    j->errors++;
    if (!j->to) return;
    start_case(j, "cldbg", "report", 0);
    element(j, "error", lacks, "incomplete", NULL);
    end(j);
}

static double time_of(const json_t *kernel)
{
    return (double)json_integer_value(json_object_get(kernel, "time_ns"));
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
            put_case(j, rep_json_get(k, "name"), json_string_value(check), skipped,
                     time_of(k) / (double)json_array_size(json_object_get(j->doc, "checks")));
    }
    json_array_foreach(json_object_get(j->doc, "checks"), c, check)
        put_case(j, "", json_string_value(check), false, 0);
    if (!json_array_size(kernels) && !json_object_get(j->doc, "lost_launches")) put_no_launch(j);
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

/**
 * Of the suite: when the first process began, in UTC without a zone as the format has it, and how
 * long all launches took.
 */
static void put_time(struct junit *j)
{
    const json_t *k, *first = json_array_get(json_object_get(j->doc, "processes"), 0);
    double ns = 0;
    size_t i;
    json_array_foreach(json_object_get(j->doc, "kernels"), i, k) ns += time_of(k);
    seconds(j, ns);
    char started[sizeof "2026-01-31T23:59:59"];
    snprintf(started, sizeof started, "%s",
             *rep_json_get(first, "started") ? rep_json_get(first, "started")
                                             : "1970-01-01T00:00:00");
    attribute(j, "timestamp", started);
}

struct err *cmd_junit(const json_t *doc, bool strict, char **text)
{
    struct err *e = load();
    if (e) return e;
    struct junit counted = {.doc = doc, .strict = strict}, j = counted;
    put_cases(&counted);
    xmlBufferPtr out = xml.xmlBufferCreate();
    j.to = out ? xml.xmlNewTextWriterMemory(out, 0) : NULL;
    if (j.to) {
        xml.xmlTextWriterSetIndent(j.to, 1);
        xml.xmlTextWriterStartDocument(j.to, NULL, "UTF-8", NULL);
        start_suite(&j, "testsuites", &counted);
        start_suite(&j, "testsuite", &counted);
        number(&j, "skipped", counted.skipped);
        put_time(&j);
        put_cases(&j);
        end(&j);
        end(&j);
        j.is_bad |= xml.xmlTextWriterEndDocument(j.to) < 0;
        xml.xmlFreeTextWriter(j.to);
    }
    if (!j.to || j.is_bad) e = err_new("libxml2 cannot write it");
    else *text = mem_strdup((const char *)out->content);
    if (out) xml.xmlBufferFree(out);
    return e;
}
