// SPDX-License-Identifier: MIT
// Coverage in the XML format of Cobertura (coverage-04.dtd), which GitLab shows in merge requests.
// Files are classes of one package; barriers and trips of loops are not in the format.
#include "report/coverage.h"

#include "config.h"

#include "report/document.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put_attribute(struct str *s, const char *key, const char *value)
{
    str_printf(s, " %s=\"", key);
    for (; *value; value++)
        if (strchr("&<>\"", *value) || (unsigned char)*value < ' ')
            str_printf(s, "&#%d;", (unsigned char)*value < ' ' ? '?' : *value);
        else str_put_char(s, *value);
    str_put_char(s, '"');
}

/** Not by %f, which writes the decimal point of the app's language. */
static void put_rate(struct str *s, const char *key, uint64_t part, uint64_t of)
{
    const unsigned long long n = of ? part * 10000 / of : 10000;
    str_printf(s, " %s=\"%llu.%04llu\"", key, n / 10000, n % 10000);
}

static void put_rates(struct str *s, const struct rep_coverage_sum *c)
{
    put_rate(s, "line-rate", c->lines_run, c->lines);
    put_rate(s, "branch-rate", c->branches_run, c->branches);
    str_put(s, " complexity=\"0\"");
}

static void put_methods(struct str *s, json_t *functions)
{
    size_t n;
    const char **const names = rep_sorted_keys(functions, &n);
    str_put(s, "<methods>\n");
    for (size_t i = 0; i < n; i++) {
        const json_t *const f = json_object_get(functions, names[i]);
        const long long hits = rep_count_at(f, 1);
        str_put(s, "<method");
        put_attribute(s, "name", names[i]);
        str_put(s, " signature=\"\"");
        put_rates(s, &(struct rep_coverage_sum){.lines = 1, .lines_run = hits > 0});
        str_printf(s, "><lines><line number=\"%lld\" hits=\"%lld\"/></lines></method>\n",
                   rep_count_at(f, 0), hits);
    }
    str_put(s, "</methods>\n");
    free(names);
}

/** How many outcomes the branches of a line have, and how many were seen. */
static void put_conditions(struct str *s, json_t *branches, const char *line)
{
    const char *key;
    json_t *counts;
    const size_t n = strlen(line);
    unsigned all = 0, run = 0;
    json_object_foreach(branches, key, counts) {
        if (strncmp(key, line, n) || key[n] != ':') continue;
        for (size_t k = 0; k < json_array_size(counts); k++) {
            all++;
            run += rep_count_at(counts, k) > 0;
        }
    }
    if (all)
        str_printf(s, " branch=\"true\" condition-coverage=\"%u%% (%u/%u)\"", 100 * run / all, run,
                   all);
}

static void put_lines(struct str *s, const json_t *file)
{
    json_t *const lines = json_object_get(file, "lines");
    size_t n;
    const char **const names = rep_sorted_keys(lines, &n);
    str_put(s, "<lines>\n");
    for (size_t i = 0; i < n; i++) {
        str_printf(s, "<line number=\"%s\" hits=\"%lld\"", names[i],
                   (long long)json_integer_value(json_object_get(lines, names[i])));
        put_conditions(s, json_object_get(file, "branches"), names[i]);
        str_put(s, "/>\n");
    }
    str_put(s, "</lines>\n");
    free(names);
}

static void put_file(struct str *s, const char *path, const json_t *file, const char *root)
{
    struct rep_coverage_sum own = {0};
    char *const below = rep_below(root, path);
    rep_coverage_count(file, &own);
    str_put(s, "<class");
    put_attribute(s, "name", below ? below : path);
    put_attribute(s, "filename", below ? below : path);
    put_rates(s, &own);
    str_put(s, ">\n");
    put_methods(s, json_object_get(file, "functions"));
    put_lines(s, file);
    str_put(s, "</class>\n");
    free(below);
}

char *rep_render_cobertura(const json_t *coverage, const char *root)
{
    struct str s = {0}, classes = {0};
    struct rep_coverage_sum all = {0};
    json_t *const files = json_object_get(coverage, "files");
    size_t n;
    const char **const paths = rep_sorted_keys(files, &n);
    for (size_t i = 0; i < n; i++) {
        const json_t *const file = json_object_get(files, paths[i]);
        if (json_is_true(json_object_get(file, "unread"))) continue;
        rep_coverage_count(file, &all);
        put_file(&classes, paths[i], file, root);
    }
    free(paths);
    str_put(&s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
                "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage");
    put_rates(&s, &all);
    str_printf(&s,
               " lines-covered=\"%llu\" lines-valid=\"%llu\" branches-covered=\"%llu\" "
               "branches-valid=\"%llu\" version=\"cldbg " PACKAGE_VERSION
               "\" timestamp=\"%lld\">\n<sources><source>.</source></sources>\n"
               "<packages><package name=\"kernels\"",
               (unsigned long long)all.lines_run, (unsigned long long)all.lines,
               (unsigned long long)all.branches_run, (unsigned long long)all.branches,
               (long long)time(NULL));
    put_rates(&s, &all);
    str_put(&s, "><classes>\n");
    str_put_n(&s, classes.data, classes.len);
    str_put(&s, "</classes></package></packages>\n</coverage>\n");
    str_deinit(&classes);
    return str_take(&s);
}
