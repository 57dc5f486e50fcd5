// SPDX-License-Identifier: MIT
// What was found, as JSON: findings by id and place, races by the bytes that share the same pairs
// of places.
#include "walker.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *findings, *races, *parted;
static const char **names;
static unsigned nnames;

uint16_t path_through(uint16_t path, const char *name)
{
    const char *before = path ? names[path - 1] : "";
    const size_t len = strlen(name ? name : "");
    for (const char *p = before; len && (p = strstr(p, name)); p++)
        if ((p == before || p[-1] == ' ') && (p[len] == ' ' || !p[len])) return path;
    char all[400];
    snprintf(all, sizeof all, "%s%s%s", before, *before ? " " : "", len ? name : "?");
    for (unsigned i = 0; i < nnames; i++)
        if (!strcmp(names[i], all)) return (uint16_t)(i + 1);
    if (nnames > 60000) give_up("too many ways of undefined values");
    names = realloc(names, (nnames + 1) * sizeof *names);
    names[nnames++] = strdup(all);
    return (uint16_t)nnames;
}

uint16_t path_joined(uint16_t a, uint16_t b)
{
    if (!b || a == b) return a;
    char *all = strdup(names[b - 1]);
    for (char *p = strtok(all, " "); p; p = strtok(NULL, " ")) a = path_through(a, p);
    free(all);
    return a;
}

static void add(json_t **list, json_t *x)
{
    if (!*list) *list = json_array();
    for (size_t i = 0; i < json_array_size(*list); i++)
        if (json_equal(json_array_get(*list, i), x)) {
            json_decref(x);
            return;
        }
    json_array_append_new(*list, x);
}

void finding(const char *id, const struct insn *in, const char *object, const char *severity)
{
    add(&findings,
        json_pack("{ss si si ss ss ss ss? sb}", "id", id, "line", in->line, "column", in->col,
                  "severity", severity, "how", "", "path", "", "object", object, "late", L.parted));
}

void finding_undefined(const struct insn *in, struct sc v, const char *how)
{
    add(&findings, json_pack("{ss si si ss ss ss sn sb}", "id", "uninitialized-read", "line",
                             in->line, "column", in->col, "severity", "error", "how", how, "path",
                             v.path ? names[v.path - 1] : "", "object", "late", L.parted));
}

void divergence(const struct insn *const *at, unsigned n)
{
    json_t *lines = json_array();
    L.parted = true;
    for (unsigned i = 0; i < n; i++) add(&lines, json_integer(at[i]->line));
    add(&parted, lines);
}

void racing(struct object *o, uint64_t byte, const struct pair *pairs, unsigned n)
{
    (void)byte;
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++)
        add(&list, json_pack("[siiiibb]", pairs[i].id, pairs[i].a->line, pairs[i].a->col,
                             pairs[i].b->line, pairs[i].b->col, pairs[i].mild, pairs[i].late));
    add(&races, json_pack("{ssssso}", "object", o->name ? o->name : "", "space",
                          o->space == LOCAL ? "local" : "global", "pairs", list));
}

/** What the buffers hold, in hexadecimal digits. */
static json_t *values(void)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < L.nbuffers; i++) {
        const struct object *o = L.buffers[i];
        char *text = malloc(2 * o->size + 1);
        for (uint64_t k = 0; k < o->size; k++) snprintf(text + 2 * k, 3, "%02x", o->bytes[k]);
        json_array_append_new(list, json_stringn(text, 2 * o->size));
        free(text);
    }
    return list;
}

void verdict_print(const char *status)
{
    json_t *all = json_pack(
        "{sssososo}", "status", status, "findings", findings ? findings : json_array(), "races",
        races ? races : json_array(), "divergence", parted ? parted : json_array());
    if (L.print_values) json_object_set_new(all, "buffers", values());
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(all);
}

bool verdict_is_of_any_order(void)
{
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const char *id = json_string_value(json_object_get(json_array_get(findings, i), "id"));
        if (!strcmp(id, "no-progress") || !strcmp(id, "barrier-divergence")) return false;
    }
    return !races && !parted;
}

void give_up(const char *format, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    verdict_print(text);
    exit(3);
}
