// SPDX-License-Identifier: MIT
// Coverage in the XML format of Cobertura (coverage-04.dtd), which GitLab shows in merge requests.
// Files are classes of one package; barriers and trips of loops are not in the format.
#include "report/coverage.h"

#include "config.h"

#include "base/mem.h"
#include "report/document.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct rates {
    uint64_t lines, lines_run, branches, branches_run;
};

static void put_attribute(struct str *s, const char *key, const char *value)
{
    str_printf(s, " %s=\"", key);
    for (; *value; value++)
        if (strchr("&<>\"", *value) || (unsigned char)*value < ' ')
            str_printf(s, "&#%d;", (unsigned char)*value < ' ' ? '?' : *value);
        else str_put_char(s, *value);
    str_put_char(s, '"');
}

static double rate(uint64_t part, uint64_t of) { return of ? (double)part / (double)of : 1; }

static void put_rates(struct str *s, const struct rates *r)
{
    str_printf(s, " line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\"",
               rate(r->lines_run, r->lines), rate(r->branches_run, r->branches));
}

static long long number(const json_t *list, size_t i)
{
    return json_integer_value(json_array_get(list, i));
}

/** The branches of a line: how many outcomes there are, and how many were seen. */
static struct rates branches_of(const json_t *branches, const char *line)
{
    const char *key;
    json_t *counts;
    const size_t n = strlen(line);
    struct rates r = {0};
    json_object_foreach((json_t *)branches, key, counts) {
        if (strncmp(key, line, n) || key[n] != ':') continue;
        for (size_t k = 0; k < json_array_size(counts); k++) {
            r.branches++;
            r.branches_run += number(counts, k) > 0;
        }
    }
    return r;
}

static void put_methods(struct str *s, const json_t *functions)
{
    const char *name;
    json_t *f;
    str_put(s, "<methods>\n");
    json_object_foreach((json_t *)functions, name, f) {
        const long long hits = number(f, 1);
        str_put(s, "<method");
        put_attribute(s, "name", name);
        str_put(s, " signature=\"\"");
        put_rates(s, &(struct rates){.lines = 1, .lines_run = hits > 0});
        str_printf(s, "><lines><line number=\"%lld\" hits=\"%lld\"/></lines></method>\n",
                   number(f, 0), hits);
    }
    str_put(s, "</methods>\n");
}

static int by_number(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static void put_lines(struct str *s, const json_t *file, struct rates *all)
{
    json_t *const lines = json_object_get(file, "lines"), *hits;
    const char **names = mem_array(NULL, json_object_size(lines) + 1, sizeof *names), *name;
    size_t n = 0;
    json_object_foreach(lines, name, hits) names[n++] = name;
    if (n) qsort(names, n, sizeof *names, by_number);
    str_put(s, "<lines>\n");
    for (size_t i = 0; i < n; i++) {
        const long long count = json_integer_value(json_object_get(lines, names[i]));
        const struct rates r = branches_of(json_object_get(file, "branches"), names[i]);
        str_printf(s, "<line number=\"%s\" hits=\"%lld\"", names[i], count);
        if (r.branches)
            str_printf(s, " branch=\"true\" condition-coverage=\"%.0f%% (%llu/%llu)\"",
                       100 * rate(r.branches_run, r.branches), (unsigned long long)r.branches_run,
                       (unsigned long long)r.branches);
        str_put(s, "/>\n");
        all->lines++;
        all->lines_run += count > 0;
        all->branches += r.branches;
        all->branches_run += r.branches_run;
    }
    str_put(s, "</lines>\n");
    free(names);
}

static void put_file(struct str *s, const char *path, const json_t *file, const char *root,
                     struct rates *all)
{
    struct rates own = {0};
    struct str lines = {0};
    put_lines(&lines, file, &own);
    char *const below = rep_below(root, path);
    str_put(s, "<class");
    put_attribute(s, "name", below ? below : path);
    put_attribute(s, "filename", below ? below : path);
    put_rates(s, &own);
    str_put(s, ">\n");
    put_methods(s, json_object_get(file, "functions"));
    str_put_n(s, lines.data, lines.len);
    str_put(s, "</class>\n");
    all->lines += own.lines;
    all->lines_run += own.lines_run;
    all->branches += own.branches;
    all->branches_run += own.branches_run;
    str_deinit(&lines);
    free(below);
}

char *rep_render_cobertura(const json_t *coverage, const char *root)
{
    struct str s = {0}, files = {0};
    struct rates all = {0};
    const char *path;
    json_t *file;
    json_object_foreach(json_object_get(coverage, "files"), path, file) {
        if (!json_is_true(json_object_get(file, "unread")))
            put_file(&files, path, file, root, &all);
    }
    str_put(&s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
                "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage");
    put_rates(&s, &all);
    str_printf(&s,
               " lines-covered=\"%llu\" lines-valid=\"%llu\" branches-covered=\"%llu\" "
               "branches-valid=\"%llu\" version=\"cldbg " PACKAGE_VERSION
               "\" timestamp=\"%lld\">\n<sources>",
               (unsigned long long)all.lines_run, (unsigned long long)all.lines,
               (unsigned long long)all.branches_run, (unsigned long long)all.branches,
               (long long)time(NULL));
    str_put(&s, "<source>.</source></sources>\n<packages><package name=\"kernels\"");
    put_rates(&s, &all);
    str_put(&s, "><classes>\n");
    str_put_n(&s, files.data, files.len);
    str_put(&s, "</classes></package></packages>\n</coverage>\n");
    str_deinit(&files);
    return str_take(&s);
}
