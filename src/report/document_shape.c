// SPDX-License-Identifier: MIT
// The types of a report's members, so that nothing else has to doubt them: a report may be a file
// of somebody else (`cldbg report`, --baseline). Members that are absent are so by default.
#include "report/document.h"

#include "base/str.h"

#include <string.h>

/**
 * `is`: string, integer, number or boolean; [T], a list; {T}, an object with any names; or the
 * `of` of other rows: an object with the members of those.
 */
static const struct {
    const char *of, *member, *is;
} shapes[] = {
    {"document", "format", "string"},
    {"document", "version", "integer"},
    {"document", "processes", "[process]"},
    {"document", "has_baseline", "boolean"},
    {"document", "checks", "[string]"},
    {"document", "kernels", "[kernel]"},
    {"document", "programs", "{string}"},
    {"document", "findings", "[finding]"},
    {"document", "proofs", "[proof]"},
    {"document", "advice", "[advice]"},
    {"document", "coverage", "coverage"},
    {"document", "profile", "profile"},
    {"document", "suppressed", "integer"},
    {"document", "suppressions_used", "{integer}"},
    {"document", "left_out", "integer"},
    {"document", "lost_launches", "integer"},
    {"document", "captures", "[captured]"},
    {"document", "unkept", "integer"},
    {"document", "trace", "trace"},
    {"process", "command", "string"},
    {"process", "started", "string"},
    {"kernel", "name", "string"},
    {"kernel", "launches", "integer"},
    {"kernel", "unchecked", "integer"},
    {"kernel", "time_ns", "integer"},
    {"kernel", "statistics", "{integer}"},
    {"finding", "id", "string"},
    {"finding", "severity", "string"},
    {"finding", "possible", "boolean"},
    {"finding", "known", "boolean"},
    {"finding", "title", "string"},
    {"finding", "kernel", "string"},
    {"finding", "object", "string"},
    {"finding", "host", "string"},
    {"finding", "capture", "string"},
    {"finding", "captures", "[string]"},
    {"finding", "launch", "integer"},
    {"finding", "schedule", "integer"},
    {"finding", "sides", "[side]"},
    {"finding", "also", "[[side]]"},
    {"finding", "notes", "[string]"},
    {"finding", "help", "string"},
    {"finding", "range", "{[integer]}"},
    {"finding", "bytes", "{integer}"},
    {"finding", "writers", "writers"},
    {"finding", "parties", "[party]"},
    {"finding", "branches", "[branch]"},
    {"finding", "times", "integer"},
    {"finding", "work_groups", "integer"},
    {"finding", "launches", "integer"},
    {"finding", "between_work_groups", "integer"},
    {"finding", "within_work_groups", "boolean"},
    {"finding", "fingerprint", "string"},
    {"finding", "identity", "string"},
    {"captured", "file", "string"},
    {"captured", "attempts", "integer"},
    {"captured", "reason", "string"},
    {"writers", "when", "string"},
    {"writers", "first", "integer"},
    {"writers", "unit", "integer"},
    {"writers", "elements", "[written]"},
    {"written", "by", "string"},
    {"written", "group", "integer"},
    {"written", "item", "integer"},
    {"party", "where", "string"},
    {"party", "items", "string"},
    {"branch", "what", "string"},
    {"branch", "yes", "string"},
    {"branch", "no", "string"},
    {"side", "what", "string"},
    {"side", "place", "place"},
    {"side", "called_from", "[place]"},
    {"side", "work_item", "{[integer]}"},
    {"place", "file", "string"},
    {"place", "path", "string"},
    {"place", "function", "string"},
    {"place", "source", "string"},
    {"place", "line", "integer"},
    {"place", "column", "integer"},
    {"place", "start_column", "integer"},
    {"place", "end_column", "integer"},
    {"advice", "id", "string"},
    {"advice", "file", "string"},
    {"advice", "path", "string"},
    {"advice", "line", "integer"},
    {"advice", "text", "string"},
    {"advice", "share", "number"},
    {"advice", "proved", "boolean"},
    {"advice", "help", "string"},
    {"proof", "kernel", "string"},
    {"proof", "place", "place"},
    {"proof", "global", "[integer]"},
    {"proof", "least_global", "[integer]"},
    {"proof", "local", "[integer]"},
    {"proof", "least_local", "[integer]"},
    {"proof", "offset", "[integer]"},
    {"proof", "any_scalars", "boolean"},
    {"proof", "properties", "[property]"},
    {"property", "id", "string"},
    {"property", "text", "string"},
    {"property", "result", "string"},
    {"property", "reason", "string"},
    {"property", "help", "string"},
    {"property", "repeat", "string"},
    {"property", "capture", "string"},
    {"property", "places", "[place]"},
    {"coverage", "files", "{covered}"},
    {"covered", "name", "string"},
    {"covered", "text", "string"},
    {"covered", "unread", "boolean"},
    {"covered", "lines", "{integer}"},
    {"covered", "functions", "{[integer]}"},
    {"covered", "branches", "{[integer]}"},
    {"covered", "barriers", "{integer}"},
    {"covered", "loops", "{[integer]}"},
    {"profile", "format", "string"},
    {"profile", "version", "integer"},
    {"profile", "model", "{integer}"},
    {"profile", "files", "{costs}"},
    {"profile", "kernels", "[kernel]"},
    {"profile", "groups", "{[groups]}"},
    {"profile", "barriers", "{[barriers]}"},
    {"barriers", "places", "[place]"},
    {"barriers", "passed", "[integer]"},
    {"barriers", "needed", "[[integer]]"},
    {"barriers", "unknown", "boolean"},
    {"barriers", "proved", "[integer]"},
    {"barriers", "proved_for", "string"},
    {"groups", "items", "integer"},
    {"groups", "local_bytes", "integer"},
    {"groups", "registers", "integer"},
    {"groups", "launches", "integer"},
    {"groups", "waves", "integer"},
    {"groups", "resident_groups", "integer"},
    {"groups", "resident_waves", "integer"},
    {"groups", "limit", "string"},
    {"costs", "name", "string"},
    {"costs", "text", "string"},
    {"costs", "lines", "{{integer}}"},
    {"trace", "events", "[event]"},
    {"trace", "dropped", "integer"},
    {"event", "ph", "string"},
    {"event", "cat", "string"},
    {"event", "name", "string"},
    {"event", "pid", "integer"},
    {"event", "tid", "integer"},
    {"event", "id", "integer"},
    {"event", "ts", "number"},
    {"event", "dur", "number"},
    {"event", "args", "event arguments"},
    {"event arguments", "name", "string"},
    {"event arguments", "queued", "number"},
    {"event arguments", "submitted", "number"},
    {"event arguments", "status", "integer"},
};

struct reader {
    struct str path; // of the member that is looked at
    const char *wanted;
};

static bool is_of(struct reader *r, const json_t *v, const char *is, size_t n);

/** string, integer, number or boolean; -1: another type, otherwise whether the value is one. */
static int is_primitive(struct reader *r, const json_t *v, const char *is, size_t n)
{
    const struct {
        const char *name, *wanted;
        bool is;
    } all[] = {{"string", "a string", json_is_string(v)},
               {"integer", "an integer", json_is_integer(v)},
               {"number", "a number", json_is_number(v)},
               {"boolean", "true or false", json_is_boolean(v)}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        if (n != strlen(all[i].name) || memcmp(is, all[i].name, n) != 0) continue;
        r->wanted = all[i].wanted;
        return all[i].is;
    }
    return -1;
}

static bool member_is(struct reader *r, const json_t *v, const char *name, const char *is, size_t n)
{
    const size_t len = r->path.len;
    str_printf(&r->path, "%s%s", len ? "." : "", name);
    if (!is_of(r, v, is, n)) return false;
    r->path.len = len;
    r->path.data[len] = 0;
    return true;
}

static bool has_members(struct reader *r, const json_t *v, const char *of, size_t n)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strlen(shapes[i].of) != n || memcmp(shapes[i].of, of, n) != 0) continue;
        const json_t *m = json_object_get(v, shapes[i].member);
        if (m && !member_is(r, m, shapes[i].member, shapes[i].is, strlen(shapes[i].is)))
            return false;
    }
    return true;
}

static bool is_of(struct reader *r, const json_t *v, const char *is, size_t n)
{
    const json_t *e;
    const char *name;
    size_t i;
    char index[24];
    const int primitive = is_primitive(r, v, is, n);
    if (primitive >= 0) return primitive;
    r->wanted = *is == '[' ? "a list" : "an object";
    if (*is == '[') {
        if (!json_is_array(v)) return false;
        json_array_foreach(v, i, e) {
            snprintf(index, sizeof index, "%zu", i);
            if (!member_is(r, e, index, is + 1, n - 2)) return false;
        }
        return true;
    }
    if (!json_is_object(v)) return false;
    if (*is != '{') return has_members(r, v, is, n);
    json_object_foreach((json_t *)v, name, e)
        if (!member_is(r, e, name, is + 1, n - 2)) return false;
    return true;
}

struct err *rep_document_shape(const json_t *doc, const char *of)
{
    struct reader r = {0};
    struct err *e = NULL;
    if (!is_of(&r, doc, of, strlen(of)))
        e = err_new("its member '%s' is not %s", str_text(&r.path), r.wanted);
    str_deinit(&r.path);
    return e;
}
