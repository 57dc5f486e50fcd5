// SPDX-License-Identifier: MIT
// Sums of coverage. Counts are numbers or lists of numbers under names; equal names are added.
#include "report/coverage.h"

#include "base/mem.h"

#include <string.h>

static json_t *sum_of(json_t *a, const json_t *b)
{
    return json_integer(json_integer_value(a) + json_integer_value(b));
}

/** Lists of functions begin with a line, the smallest of which holds; all else is counts. */
static void add_list(json_t *to, const json_t *from, bool is_function)
{
    for (size_t i = 0; i < json_array_size(from); i++) {
        json_t *const more = json_array_get(from, i), *const had = json_array_get(to, i);
        if (!had) json_array_append(to, more);
        else if (i || !is_function) json_array_set_new(to, i, sum_of(had, more));
        else if (json_integer_value(more) < json_integer_value(had)) json_array_set(to, i, more);
    }
}

static void add_counts(json_t *to, json_t *from, bool is_function)
{
    const char *key;
    json_t *more;
    json_object_foreach(from, key, more) {
        json_t *const had = json_object_get(to, key);
        if (!had) json_object_set_new(to, key, json_deep_copy(more));
        else if (json_is_array(more)) add_list(had, more, is_function);
        else json_object_set_new(to, key, sum_of(had, more));
    }
}

void rep_coverage_add(json_t *to, const json_t *from)
{
    json_t *files = json_object_get(to, "files"), *file, *part;
    const char *key, *name;
    if (!files) json_object_set_new(to, "files", files = json_object());
    json_object_foreach(json_object_get(from, "files"), key, file) {
        json_t *had = json_object_get(files, key);
        if (!had) json_object_set_new(files, key, had = json_object());
        json_object_foreach(file, name, part) {
            json_t *const parts = json_object_get(had, name);
            if (!parts) json_object_set_new(had, name, json_deep_copy(part));
            else if (json_is_object(part)) add_counts(parts, part, !strcmp(name, "functions"));
        }
    }
}

void rep_coverage_count(const json_t *file, struct rep_coverage_sum *s)
{
    json_t *counts;
    const char *name;
    json_object_foreach(json_object_get(file, "lines"), name, counts) {
        s->lines++;
        s->lines_run += json_integer_value(counts) > 0;
    }
    json_object_foreach(json_object_get(file, "functions"), name, counts) {
        s->functions++;
        s->functions_run += rep_count_at(counts, 1) > 0;
    }
    json_object_foreach(json_object_get(file, "branches"), name, counts) {
        s->branches += json_array_size(counts);
        for (size_t i = 0; i < json_array_size(counts); i++)
            s->branches_run += rep_count_at(counts, i) > 0;
    }
}

struct rep_coverage_sum rep_coverage_sum(const json_t *coverage)
{
    struct rep_coverage_sum s = {0};
    json_t *file;
    const char *key;
    json_object_foreach(json_object_get(coverage, "files"), key, file) rep_coverage_count(file, &s);
    return s;
}

static int by_number(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

const char **rep_sorted_keys(json_t *o, size_t *n)
{
    const char **keys = mem_array(NULL, json_object_size(o) + 1, sizeof *keys), *key;
    json_t *value;
    *n = 0;
    json_object_foreach(o, key, value) keys[(*n)++] = key;
    if (*n) qsort(keys, *n, sizeof *keys, by_number);
    return keys;
}

static void put_share(struct str *s, uint64_t part, uint64_t of, const char *what)
{
    const unsigned long long tenths = of ? part * 1000 / of : 0;
    str_printf(s, "%llu.%llu %% of %s (%llu of %llu)", tenths / 10, tenths % 10, what,
               (unsigned long long)part, (unsigned long long)of);
}

void rep_put_coverage(struct str *s, const struct rep_coverage_sum *c)
{
    if (!c->lines) {
        str_put(s, "no lines of kernels are known");
        return;
    }
    put_share(s, c->lines_run, c->lines, "lines");
    if (c->branches) {
        str_put(s, ", ");
        put_share(s, c->branches_run, c->branches, "branches");
    }
}
