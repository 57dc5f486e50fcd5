// SPDX-License-Identifier: MIT
#include "devices/proof_report.h"

#include "report/document.h"

#include <string.h>
#include <unistd.h>

/** The path as it is shown: relative to the working directory if it is below that. */
static const char *short_name(const char *path)
{
    static char cwd[4096];
    if (!*cwd && !getcwd(cwd, sizeof cwd)) return path;
    const size_t n = strlen(cwd);
    return !strncmp(path, cwd, n) && path[n] == '/' ? path + n + 1 : path;
}

static void put_place(struct str *out, const struct proof_place *p, const char *prefix)
{
    if (p->line) str_printf(out, "%s%s:%u:%u\n", prefix, short_name(p->file), p->line, p->column);
}

static void put_unknown(struct str *out, const char *id, const struct proof_decision *d,
                        bool was_searched)
{
    const struct proof_verdict *v = d->verdict;
    str_printf(out, "  unknown  %s: %s%s\n", id, v ? v->reason : d->because,
               v && v->result == PROOF_CANDIDATE && was_searched ? ", but no run showed it" : "");
    if (!v) return;
    put_place(out, &v->place[0], "             at ");
    put_place(out, &v->place[1], "             and ");
    if (v->help) str_printf(out, "             help: %s\n", v->help);
}

void proof_report_text(struct str *out, const struct proof_report *r, bool all)
{
    for (int p = 0; p < PROOF_PROPERTIES; p++) {
        const struct proof_decision *d = &r->of[p];
        const char *id = proof_property_id((enum proof_property)p);
        switch (d->result) {
        case DECIDED_PROVED:
            if (all)
                str_printf(out, "  proved   %s: %s\n", id,
                           proof_property_text((enum proof_property)p));
            break;
        case DECIDED_REFUTED:
            str_printf(out, "  refuted  %s: %s\n", id, d->finding);
            if (d->place) str_printf(out, "             at %s\n", d->place);
            str_printf(out, "             repeat: %s\n", d->command);
            if (d->capture)
                str_printf(out, "             capture: cldbg run %s\n", short_name(d->capture));
            break;
        default: put_unknown(out, id, d, r->was_searched);
        }
    }
}

bool proof_report_is_race_free(const struct proof_report *r)
{
    static const enum proof_property needed[] = {PROOF_DIVERGENCE, PROOF_LOCAL_RACES,
                                                 PROOF_GROUP_RACES, PROOF_GLOBAL_RACES};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (r->of[needed[i]].result != DECIDED_PROVED) return false;
    return true;
}

static json_t *text(const char *s) { return rep_json_text(s, s ? strlen(s) : 0); }

static json_t *triple(const uint64_t *v, unsigned n)
{
    json_t *list = json_array();
    for (unsigned d = 0; d < n; d++) json_array_append_new(list, json_integer((json_int_t)v[d]));
    return list;
}

/** Where a range of sizes begins, if there is one. */
static void put_least(json_t *o, const char *name, const uint64_t *least, const uint64_t *most,
                      unsigned dims)
{
    uint64_t from[3];
    if (!least || (!least[0] && !least[1] && !least[2])) return;
    for (unsigned d = 0; d < 3; d++) from[d] = least[d] ? least[d] : most[d];
    json_object_set_new(o, name, triple(from, dims));
}

static json_t *place(const struct proof_place *p)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", text(short_name(p->file)));
    if (p->file[0] == '/') json_object_set_new(o, "path", text(p->file));
    json_object_set_new(o, "line", json_integer(p->line));
    if (p->column) json_object_set_new(o, "column", json_integer(p->column));
    if (p->function) json_object_set_new(o, "function", text(p->function));
    return o;
}

static json_t *property(enum proof_property p, const struct proof_decision *d)
{
    static const char *const results[] = {"unknown", "proved", "refuted"};
    json_t *o = json_object(), *places = json_array();
    json_object_set_new(o, "id", json_string(proof_property_id(p)));
    json_object_set_new(o, "text", json_string(proof_property_text(p)));
    json_object_set_new(o, "result", json_string(results[d->result]));
    const struct proof_verdict *v = d->result == DECIDED_UNKNOWN ? d->verdict : NULL;
    const char *why = v ? v->reason : d->result == DECIDED_REFUTED ? d->finding : d->because;
    if (why && d->result != DECIDED_PROVED) json_object_set_new(o, "reason", text(why));
    if (v && v->help) json_object_set_new(o, "help", text(v->help));
    for (unsigned i = 0; v && i < 2; i++)
        if (v->place[i].line) json_array_append_new(places, place(&v->place[i]));
    json_object_set_new(o, "places", places);
    if (d->result == DECIDED_REFUTED) json_object_set_new(o, "repeat", text(d->command));
    if (d->capture) json_object_set_new(o, "capture", text(d->capture));
    return o;
}

json_t *proof_report_json(const struct proof_report *r)
{
    json_t *o = json_object(), *properties = json_array();
    json_object_set_new(o, "kernel", text(r->kernel));
    if (r->place && r->place->line) json_object_set_new(o, "place", place(r->place));
    json_object_set_new(o, "global", triple(r->global, r->dims));
    put_least(o, "least_global", r->fewest, r->global, r->dims);
    json_object_set_new(o, "local", triple(r->local, r->dims));
    put_least(o, "least_local", r->least_local, r->local, r->dims);
    json_object_set_new(o, "offset", triple(r->offset, r->dims));
    json_object_set_new(o, "any_scalars", json_boolean(r->any_scalars));
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        json_array_append_new(properties, property((enum proof_property)p, &r->of[p]));
    json_object_set_new(o, "properties", properties);
    return o;
}
