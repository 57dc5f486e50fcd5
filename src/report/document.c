// SPDX-License-Identifier: MIT
// Findings as JSON. The names of the members are a contract: doc/REPORT-FORMATS.md.
#include "report/document.h"

#include "report/coverage.h"
#include "report/excerpt.h"
#include "report/profile.h"
#include "report/sink.h"

#include "base/mem.h"
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FORM = 1 }; // incremented for incompatible changes

json_t *rep_json_text(const char *text, size_t len)
{
    if (!text) return json_null();
    json_t *s = json_stringn(text, len);
    if (s) return s;
    struct str fixed = {0};
    for (size_t at = 0; at < len;) {
        uint32_t code;
        unsigned n = rep_decode(text + at, len - at, &code);
        if (n) str_put_n(&fixed, text + at, n);
        else str_put(&fixed, "\xef\xbf\xbd");
        at += n ? n : 1;
    }
    s = json_stringn(str_text(&fixed), fixed.len);
    str_deinit(&fixed);
    return s;
}

static json_t *text(const char *s) { return rep_json_text(s, s ? strlen(s) : 0); }

const char *rep_json_get(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

uint64_t rep_json_count(const json_t *object, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(object, key));
    return n > 0 ? (uint64_t)n : 0;
}

/** The command line of this process, quoted for a shell. */
static json_t *command_line(void)
{
    char buf[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, buf, sizeof buf);
    if (fd >= 0) close(fd);
    while (n > 0 && !buf[n - 1]) n--;
    for (ssize_t i = 0; i < n; i++)
        if (!buf[i]) buf[i] = ' ';
    return rep_json_text(buf, n > 0 ? (size_t)n : 0);
}

json_t *rep_document_create(const bool kinds_off[REP_KIND_COUNT], const char *command)
{
    json_t *checks = json_array();
    for (int k = 0; k < REP_KIND_COUNT; k++)
        if (!kinds_off[k]) json_array_append_new(checks, json_string(rep_kinds[k].id));
    json_t *process = json_object();
    json_object_set_new(process, "pid", json_integer(getpid()));
    json_object_set_new(process, "command", command ? text(command) : command_line());
    char started[sizeof "2026-01-31T23:59:59Z"];
    struct tm utc;
    const time_t now = time(NULL);
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_object_set_new(process, "started", json_string(started));
    json_t *d = json_object(), *tool = json_object();
    json_object_set_new(tool, "name", json_string("cldbg"));
    json_object_set_new(tool, "version", json_string(PACKAGE_VERSION));
    json_object_set_new(d, "format", json_string("cldbg-report"));
    json_object_set_new(d, "version", json_integer(FORM));
    json_object_set_new(d, "tool", tool);
    json_object_set_new(d, "processes", json_array());
    json_array_append_new(json_object_get(d, "processes"), process);
    json_object_set_new(d, "checks", checks);
    json_object_set_new(d, "kernels", json_array());
    json_object_set_new(d, "programs", json_object());
    json_object_set_new(d, "findings", json_array());
    json_object_set_new(d, "suppressed", json_integer(0));
    json_object_set_new(d, "left_out", json_integer(0));
    json_object_set_new(d, "unkept", json_integer(0));
    return d;
}

/** Characters in the first n bytes of a line. */
static size_t characters(const char *line, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += ((unsigned char)line[i] & 0xc0) != 0x80;
    return count;
}

/** Adds the region: columns count characters from 1; end_column is after the last one. */
static void put_region(json_t *o, const struct rep_place *p, struct rep_sources *sources)
{
    if (p->line) json_object_set_new(o, "line", json_integer(p->line));
    size_t len;
    const char *line = rep_sources_line(sources, p, &len);
    if (!line) {
        if (p->line && p->col) json_object_set_new(o, "column", json_integer(p->col));
        return;
    }
    json_object_set_new(o, "source", rep_json_text(line, len));
    if (!p->col || p->col > len) return;
    struct rep_range r = rep_operand_range(line, len, p->col);
    json_object_set_new(o, "column", json_integer((json_int_t)characters(line, p->col - 1) + 1));
    json_object_set_new(o, "start_column", json_integer((json_int_t)characters(line, r.from) + 1));
    if (r.to > r.caret)
        json_object_set_new(o, "end_column", json_integer((json_int_t)characters(line, r.to) + 1));
}

json_t *rep_json_place(const struct rep_place *p, struct rep_sources *sources, json_t *programs)
{
    json_t *o = json_object();
    if (p->file) json_object_set_new(o, "file", text(p->file));
    if (p->path) json_object_set_new(o, "path", text(p->path));
    put_region(o, p, sources);
    if (p->fn) json_object_set_new(o, "function", text(p->fn));
    if (programs && p->file && !p->path && p->text && !json_object_get(programs, p->file)) {
        json_t *name = text(p->file); // as valid UTF-8
        json_object_set_new(programs, json_string_value(name), text(p->text));
        json_decref(name);
    }
    return o;
}

json_t *rep_json_triple(const uint64_t v[3])
{
    return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *side(const struct rep_side *side, struct rep_sources *sources, json_t *programs)
{
    json_t *o = json_object(), *stack = json_array();
    json_object_set_new(o, "what", text(side->what));
    json_object_set_new(o, "place", rep_json_place(&side->place, sources, programs));
    if (side->item.known) {
        json_t *item = json_object();
        json_object_set_new(item, "local", rep_json_triple(side->item.local));
        json_object_set_new(item, "group", rep_json_triple(side->item.group));
        json_object_set_new(item, "global", rep_json_triple(side->item.global));
        json_object_set_new(o, "work_item", item);
    }
    for (const struct rep_place *p = side->place.called_from; p; p = p->called_from)
        json_array_append_new(stack, rep_json_place(p, sources, programs));
    json_object_set_new(o, "called_from", stack);
    return o;
}

static json_t *sides_of(const struct rep_finding *f, struct rep_sources *sources, json_t *programs)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < f->nsides; i++)
        json_array_append_new(list, side(&f->sides[i], sources, programs));
    return list;
}

static json_t *hex(uint64_t n)
{
    char buf[20];
    snprintf(buf, sizeof buf, "%016llx", (unsigned long long)n);
    return json_string(buf);
}

static json_t *writers(const struct rep_writers *w)
{
    json_t *const elements = json_array();
    for (unsigned i = 0; i < w->n; i++) {
        const struct rep_written *const of = &w->of[i];
        json_t *const x = json_pack("{s: s}", "by", of->by);
        if (!strcmp(of->by, "item")) {
            json_object_set_new(x, "group", json_integer((json_int_t)of->group));
            json_object_set_new(x, "item", json_integer((json_int_t)of->item));
        }
        json_array_append_new(elements, x);
    }
    return json_pack("{s: s, s: I, s: I, s: o}", "when", w->when, "first", (json_int_t)w->first,
                     "unit", (json_int_t)w->unit, "elements", elements);
}

static void put_scene(json_t *o, const struct rep_scene *s)
{
    if (s->global[0]) {
        json_t *const range = json_object();
        json_object_set_new(range, "global", rep_json_triple(s->global));
        json_object_set_new(range, "local", rep_json_triple(s->local));
        json_object_set_new(range, "offset", rep_json_triple(s->offset));
        json_object_set_new(o, "range", range);
    }
    if (s->nbytes)
        json_object_set_new(o, "bytes",
                            json_pack("{s: I, s: I, s: I}", "first", (json_int_t)s->first_byte,
                                      "count", (json_int_t)s->nbytes, "object",
                                      (json_int_t)s->object_bytes));
    if (s->writers) json_object_set_new(o, "writers", writers(s->writers));
    if (!s->nparties) return;
    json_t *const parties = json_array();
    for (unsigned i = 0; i < s->nparties; i++)
        json_array_append_new(parties, json_pack("{s: o, s: o}", "where", text(s->parties[i].where),
                                                 "items", text(s->parties[i].items)));
    json_object_set_new(o, "parties", parties);
    json_t *const branches = json_array();
    for (unsigned i = 0; i < s->nbranches; i++)
        json_array_append_new(
            branches, json_pack("{s: o, s: o, s: o}", "what", text(s->branches[i].what), "yes",
                                text(s->branches[i].yes), "no", text(s->branches[i].no)));
    json_object_set_new(o, "branches", branches);
}

json_t *rep_document_finding(const struct rep_record *r, struct rep_sources *sources,
                             json_t *programs)
{
    const struct rep_finding *f = &r->example;
    json_t *o = json_object(), *notes = json_array(), *also = json_array();
    json_object_set_new(o, "id", json_string(rep_kinds[f->kind].id));
    json_object_set_new(o, "severity",
                        json_string(rep_severity_of(f) == REP_ERROR ? "error" : "warning"));
    json_object_set_new(o, "possible", json_boolean(f->possible));
    json_object_set_new(o, "title", text(f->title ? f->title : rep_kinds[f->kind].what));
    if (f->kernel) json_object_set_new(o, "kernel", text(f->kernel));
    if (f->object) json_object_set_new(o, "object", text(f->object));
    if (f->launch) json_object_set_new(o, "launch", json_integer((json_int_t)f->launch));
    if (f->schedule) json_object_set_new(o, "schedule", json_integer((json_int_t)f->schedule));
    if (f->host_site) json_object_set_new(o, "host", text(f->host_site));
    if (r->capture) json_object_set_new(o, "capture", text(r->capture));
    for (unsigned i = 0; i < f->nnotes; i++) json_array_append_new(notes, text(f->notes[i]));
    for (const struct rep_record *x = r->also; x; x = x->next_also) {
        struct str line = {0};
        rep_put_also(&line, x);
        json_array_append_new(notes, text(str_text(&line)));
        str_deinit(&line);
        json_array_append_new(also, sides_of(&x->example, sources, programs));
    }
    json_object_set_new(o, "sides", sides_of(f, sources, programs));
    json_object_set_new(o, "also", also);
    json_object_set_new(o, "notes", notes);
    put_scene(o, &f->scene);
    json_object_set_new(o, "help", text(rep_how_to_mend(f)));
    json_object_set_new(o, "known", json_boolean(r->known));
    json_object_set_new(o, "fingerprint", hex(r->fingerprint));
    json_object_set_new(o, "identity", hex(rep_key_hash(&r->key)));
    rep_document_count(o, r);
    return o;
}

void rep_document_count(json_t *o, const struct rep_record *r)
{
    json_object_set_new(o, "times", json_integer((json_int_t)r->times));
    json_object_set_new(o, "work_groups", json_integer((json_int_t)r->groups));
    json_object_set_new(o, "launches", json_integer((json_int_t)r->launches));
    if (r->between)
        json_object_set_new(o, "between_work_groups", json_integer((json_int_t)r->between));
    if (r->within) json_object_set_new(o, "within_work_groups", json_true());
}

struct err *rep_document_check(const json_t *doc)
{
    if (strcmp(rep_json_get(doc, "format"), "cldbg-report"))
        return err_new("it is not a report of cldbg");
    json_int_t version = json_integer_value(json_object_get(doc, "version"));
    if (version != FORM)
        return err_new("it is a report of form %lld, not %d", (long long)version, FORM);
    if (!json_is_array(json_object_get(doc, "findings"))) return err_new("it has no findings");
    return rep_document_shape(doc, "document");
}

static void add_number(json_t *to, const json_t *from, const char *key)
{
    json_int_t a = json_integer_value(json_object_get(to, key)),
               b = json_integer_value(json_object_get(from, key));
    if (b) json_object_set_new(to, key, json_integer(a + b));
}

/** An index of the members of `list` by their string member `key`. */
static json_t *index_of(const json_t *list, const char *key)
{
    size_t i;
    json_t *o, *index = json_object();
    json_array_foreach(list, i, o) json_object_set(index, rep_json_get(o, key), o);
    return index;
}

/** Adds the members of a list, if there is one. */
static void extend_list(json_t *to, const json_t *from, const char *key)
{
    json_t *const more = json_object_get(from, key), *const list = json_object_get(to, key);
    if (more && list) json_array_extend(list, more);
    else if (more) json_object_set_new(to, key, json_deep_copy(more));
}

static void merge_list(json_t *doc, const json_t *more, const char *list, const char *key,
                       const char *const *numbers)
{
    json_t *to = json_object_get(doc, list), *index = index_of(to, key), *o;
    size_t i;
    json_array_foreach(json_object_get(more, list), i, o) {
        json_t *same = json_object_get(index, rep_json_get(o, key));
        for (const char *const *n = numbers; same && *n; n++) add_number(same, o, *n);
        const char *name;
        json_t *value, *more_numbers = json_object_get(o, "statistics"),
                       *sum = same ? json_object_get(same, "statistics") : NULL;
        if (same) extend_list(same, o, "captures");
        if (same) extend_list(same, o, "ranks");
        if (same && more_numbers && !sum)
            json_object_set_new(same, "statistics", sum = json_object());
        json_object_foreach(sum ? more_numbers : NULL, name, value)
            add_number(sum, more_numbers, name);
        if (same) continue;
        json_t *copy = json_deep_copy(o);
        json_object_set(index, rep_json_get(o, key), copy);
        json_array_append_new(to, copy);
    }
    json_decref(index);
}

static void add_trace(json_t *to, const json_t *from)
{
    json_array_extend(json_object_get(to, "events"), json_object_get(from, "events"));
    add_number(to, from, "dropped");
}

void rep_document_merge(json_t *doc, const json_t *more)
{
    json_array_extend(json_object_get(doc, "processes"), json_object_get(more, "processes"));
    json_object_update_missing(json_object_get(doc, "programs"), json_object_get(more, "programs"));
    if (json_object_get(more, "has_baseline"))
        json_object_set_new(doc, "has_baseline", json_true());
    merge_list(doc, more, "kernels", "name",
               (const char *const[]){"launches", "time_ns", "unchecked", NULL});
    merge_list(
        doc, more, "findings", "identity",
        (const char *const[]){"times", "work_groups", "between_work_groups", "launches", NULL});
    extend_list(doc, more, "proofs");
    extend_list(doc, more, "captures");
    extend_list(doc, more, "ranks");
    json_t *const coverage = json_object_get(more, "coverage");
    if (coverage && !json_object_get(doc, "coverage"))
        json_object_set_new(doc, "coverage", json_object());
    if (coverage) rep_coverage_add(json_object_get(doc, "coverage"), coverage);
    json_t *const trace = json_object_get(more, "trace");
    if (trace && !json_object_get(doc, "trace"))
        json_object_set_new(doc, "trace", json_deep_copy(trace));
    else if (trace) add_trace(json_object_get(doc, "trace"), trace);
    if (json_object_get(more, "profile")) rep_profile_add(doc, json_object_get(more, "profile"));
    json_t *used = json_object_get(doc, "suppressions_used"), *count;
    const char *name;
    if (!used) json_object_set_new(doc, "suppressions_used", used = json_object());
    json_object_foreach(json_object_get(more, "suppressions_used"), name, count)
        add_number(used, json_object_get(more, "suppressions_used"), name);
    add_number(doc, more, "suppressed");
    add_number(doc, more, "left_out");
}

size_t rep_document_failed_captures(const json_t *doc)
{
    size_t i, n = 0;
    json_t *capture;
    json_array_foreach(json_object_get(doc, "captures"), i, capture)
        n += !!json_object_get(capture, "reason");
    return n;
}

char *rep_document_lacks(const json_t *doc)
{
    const long long unkept = json_integer_value(json_object_get(doc, "unkept")),
                    more = json_integer_value(json_object_get(doc, "left_out")),
                    launches = json_integer_value(json_object_get(doc, "lost_launches"));
    struct str s = {0};
    if (launches)
        str_printf(&s, "%lld kernel launch%s could not be kept (is the disk full?)", launches,
                   launches == 1 ? "" : "es");
    if (unkept)
        str_printf(
            &s,
            "%s%lld finding%s could not be kept by the process that found %s (is the disk full?)",
            s.len ? "; " : "", unkept, unkept == 1 ? "" : "s", unkept == 1 ? "it" : "them");
    if (more)
        str_printf(&s, "%s%lld finding%s after the first %zu %s left out", s.len ? "; " : "", more,
                   more == 1 ? "" : "s", json_array_size(json_object_get(doc, "findings")),
                   more == 1 ? "is" : "are");
    const size_t failed = rep_document_failed_captures(doc);
    if (failed)
        str_printf(&s, "%s%zu capture%s could not be checked", s.len ? "; " : "", failed,
                   failed == 1 ? "" : "s");
    if (s.len) str_put(&s, ": this report lacks them");
    return s.len ? str_take(&s) : NULL;
}

json_t *rep_document_shortened(const json_t *doc)
{
    enum { MOST = 5000 };
    const json_t *all = json_object_get(doc, "findings");
    const size_t n = json_array_size(all);
    json_t *first = json_array(), *copy = json_copy((json_t *)doc);
    for (size_t i = 0; i < n && i < MOST; i++) json_array_append(first, json_array_get(all, i));
    json_object_set_new(copy, "findings", first);
    if (n > MOST)
        json_object_set_new(copy, "left_out",
                            json_integer(json_integer_value(json_object_get(doc, "left_out")) +
                                         (json_int_t)(n - MOST)));
    return copy;
}
