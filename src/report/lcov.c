// SPDX-License-Identifier: MIT
// Coverage as an info file of lcov (man geninfo), which genhtml, Codecov and editors read.
//
// Barriers and the trips of loops, for which the format has no record, are in comments, which
// readers skip. So the file is complete, and the next run is added to it.
#include "report/coverage.h"

#include "base/io.h"
#include "base/mem.h"
#include "base/out.h"
#include "report/document.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "TN:cldbg\n"
// A branch's block number in the file is its column, and so many more for each earlier one at the
// same column (of a macro).
enum { SAME_COLUMN = 1000000 };

// ---- writing
static void put_functions(struct str *s, json_t *functions)
{
    size_t n, run = 0;
    const char **const names = rep_sorted_keys(functions, &n);
    for (size_t i = 0; i < n; i++)
        str_printf(s, "FN:%lld,%s\n", rep_count_at(json_object_get(functions, names[i]), 0),
                   names[i]);
    for (size_t i = 0; i < n; i++) {
        const long long hits = rep_count_at(json_object_get(functions, names[i]), 1);
        str_printf(s, "FNDA:%lld,%s\n", hits, names[i]);
        run += hits > 0;
    }
    str_printf(s, "FNF:%zu\nFNH:%zu\n", n, run);
    free(names);
}

static void put_branches(struct str *s, json_t *branches)
{
    size_t n, all = 0, run = 0;
    const char **const names = rep_sorted_keys(branches, &n);
    for (size_t i = 0; i < n; i++) {
        const json_t *const counts = json_object_get(branches, names[i]);
        unsigned line, column, nth;
        if (sscanf(names[i], "%u:%u:%u", &line, &column, &nth) != 3) continue;
        const bool reached = rep_count_at(counts, 0) + rep_count_at(counts, 1) > 0;
        for (size_t k = 0; k < json_array_size(counts); k++) {
            str_printf(s, "BRDA:%u,%u,%zu,", line, nth * SAME_COLUMN + column, k);
            if (reached) str_printf(s, "%lld\n", rep_count_at(counts, k));
            else str_put(s, "-\n");
            all++;
            run += rep_count_at(counts, k) > 0;
        }
    }
    str_printf(s, "BRF:%zu\nBRH:%zu\n", all, run);
    free(names);
}

static void put_lines(struct str *s, json_t *lines)
{
    size_t n, run = 0;
    const char **const names = rep_sorted_keys(lines, &n);
    for (size_t i = 0; i < n; i++) {
        const long long hits = json_integer_value(json_object_get(lines, names[i]));
        str_printf(s, "DA:%s,%lld\n", names[i], hits);
        run += hits > 0;
    }
    str_printf(s, "LF:%zu\nLH:%zu\n", n, run);
    free(names);
}

static void put_comments(struct str *s, json_t *barriers, json_t *loops)
{
    size_t n;
    const char **names = rep_sorted_keys(barriers, &n);
    for (size_t i = 0; i < n; i++)
        str_printf(s, "# cldbg barrier %s %lld\n", names[i],
                   (long long)json_integer_value(json_object_get(barriers, names[i])));
    free(names);
    names = rep_sorted_keys(loops, &n);
    for (size_t i = 0; i < n; i++) {
        const json_t *const l = json_object_get(loops, names[i]);
        str_printf(s, "# cldbg loop %s %lld %lld %lld\n", names[i], rep_count_at(l, 0),
                   rep_count_at(l, 1), rep_count_at(l, 2));
    }
    free(names);
}

char *rep_render_lcov(const json_t *coverage)
{
    struct str s = {0};
    json_t *const files = json_object_get(coverage, "files");
    size_t n;
    const char **const names = rep_sorted_keys(files, &n);
    str_put(&s, FIRST_LINE);
    for (size_t i = 0; i < n; i++) {
        const json_t *const f = json_object_get(files, names[i]);
        if (i) str_put(&s, "TN:cldbg\n");
        str_printf(&s, "SF:%s\n", names[i]);
        put_functions(&s, json_object_get(f, "functions"));
        put_branches(&s, json_object_get(f, "branches"));
        put_comments(&s, json_object_get(f, "barriers"), json_object_get(f, "loops"));
        put_lines(&s, json_object_get(f, "lines"));
        str_put(&s, "end_of_record\n");
    }
    free(names);
    return str_take(&s);
}

// ---- reading
static json_t *member(json_t *file, const char *name)
{
    json_t *o = json_object_get(file, name);
    if (!o) json_object_set_new(file, name, o = json_object());
    return o;
}

static void set(json_t *file, const char *name, const char *key, json_t *value)
{
    json_object_set_new(member(file, name), key, value);
}

static void read_branch(json_t *file, const char *line)
{
    unsigned at, block, which;
    long long taken = 0;
    if (sscanf(line, "BRDA:%u,%u,%u,%lld", &at, &block, &which, &taken) < 3) return;
    char key[64];
    snprintf(key, sizeof key, "%u:%u:%u", at, block % SAME_COLUMN, block / SAME_COLUMN);
    json_t *const branches = member(file, "branches");
    json_t *list = json_object_get(branches, key);
    if (!list) json_object_set_new(branches, key, list = json_array());
    if (which == json_array_size(list)) json_array_append_new(list, json_integer(taken));
}

static void read_function(json_t *file, const char *line, bool is_count)
{
    char *name;
    const long long n = strtoll(line, &name, 10);
    if (*name++ != ',') return;
    json_t *const functions = member(file, "functions"), *f = json_object_get(functions, name);
    if (!f) json_object_set_new(functions, name, f = json_pack("[i, i]", 0, 0));
    json_array_set_new(f, is_count, json_integer(n));
}

static void read_record(json_t *file, const char *line)
{
    char key[32];
    long long a, b, c;
    if (str_starts(line, "FN:")) read_function(file, line + 3, false);
    else if (str_starts(line, "FNDA:")) read_function(file, line + 5, true);
    else if (str_starts(line, "BRDA:")) read_branch(file, line);
    else if (sscanf(line, "DA:%31[0-9],%lld", key, &a) == 2)
        set(file, "lines", key, json_integer(a));
    else if (sscanf(line, "# cldbg barrier %31[0-9:] %lld", key, &a) == 2)
        set(file, "barriers", key, json_integer(a));
    else if (sscanf(line, "# cldbg loop %31[0-9:] %lld %lld %lld", key, &a, &b, &c) == 4)
        set(file, "loops", key,
            json_pack("[I, I, I]", (json_int_t)a, (json_int_t)b, (json_int_t)c));
}

json_t *rep_read_lcov(const char *text, size_t n)
{
    if (n && (n < strlen(FIRST_LINE) || memcmp(text, FIRST_LINE, strlen(FIRST_LINE)))) return NULL;
    json_t *const coverage = json_object(), *const files = member(coverage, "files"), *file = NULL;
    char *const copy = mem_alloc(n + 1), *rest = copy, *line;
    memcpy(copy, text, n);
    while ((line = strsep(&rest, "\n"))) {
        if (str_starts(line, "SF:")) file = member(files, line + 3);
        else if (!strcmp(line, "end_of_record")) file = NULL;
        else if (file) read_record(file, line);
    }
    free(copy);
    return coverage;
}

// ---- merging into a file
static bool is_ours(const char *data, size_t n)
{
    return n >= strlen(FIRST_LINE) && !memcmp(data, FIRST_LINE, strlen(FIRST_LINE));
}

/** The folder for sources: one that cldbg made, which an empty file in it says. */
static struct err *make_sources(const char *folder)
{
    struct stat st;
    struct str mark = {0};
    struct err *e = NULL;
    str_printf(&mark, "%s/.cldbg-sources", folder);
    if (!mkdir(folder, 0777)) e = out_write(str_text(&mark), OUT_REPORT, NULL, "", 0);
    else if (errno != EEXIST) e = err_new("%s cannot be created: %m", folder);
    else if (lstat(str_text(&mark), &st) || !S_ISREG(st.st_mode))
        e = err_new("%s exists and was not made by cldbg (remove it, or name another file)",
                    folder);
    str_deinit(&mark);
    return e;
}

/** Writes the source of a program that is in no file, and gives its path; the caller frees it. */
static char *write_source(const char *path, const char *name, const json_t *text, struct err **e)
{
    struct str s = {0};
    str_printf(&s, "%s.sources", path);
    *e = make_sources(str_text(&s));
    const char *const slash = strrchr(name, '/'), *const base = slash ? slash + 1 : name;
    str_printf(&s, "/%s%s", *base && *base != '.' ? "" : "source", base);
    if (!*e)
        *e = out_write(str_text(&s), OUT_REPORT, NULL, json_string_value(text),
                       json_string_length(text));
    char *const real = *e ? NULL : realpath(str_text(&s), NULL);
    str_deinit(&s);
    return real;
}

/**
 * The coverage by names of files. Sources that are in no file are written to files. Names that a
 * program gives to itself (#line) are left out: readers of the info file would open those files.
 */
static json_t *with_files(const char *path, const json_t *coverage, struct err **e)
{
    json_t *const all = json_object(), *const files = member(all, "files"), *file;
    const char *key;
    json_object_foreach(json_object_get(coverage, "files"), key, file) {
        const json_t *const text = json_object_get(file, "text");
        if (json_is_true(json_object_get(file, "unread"))) continue;
        char *const real = text && !*e ? write_source(path, key, text, e) : NULL;
        json_object_set(files, real ? real : key, file);
        free(real);
    }
    return all;
}

/** What the file has, if it is ours; it stays locked. NULL: out_write judges what is there. */
static json_t *read_locked(const char *path, int fd, struct err **e)
{
    enum { LARGEST = 1 << 30 };
    struct str had = {0};
    struct stat st;
    char head[sizeof FIRST_LINE - 1];
    const ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    const bool ours = !n || (n > 0 && is_ours(head, (size_t)n));
    json_t *all = NULL;
    if (ours && (fstat(fd, &st) || st.st_size > LARGEST || !io_read_all(fd, &had)))
        *e = err_new("%s cannot be read, or is larger than 1 GiB", path);
    else if (ours) all = rep_read_lcov(had.data, had.len);
    str_deinit(&had);
    return all;
}

struct err *rep_merge_lcov(const char *path, const json_t *coverage, bool overwrite, json_t **all)
{
    struct err *e = NULL;
    const int fd = out_lock(path, OUT_REPORT);
    if (fd < 0 && errno != ESPIPE) e = err_new("%s cannot be written: %m", path);
    *all = read_locked(path, fd, &e);
    if (!*all) *all = json_pack("{s: {}}", "files");
    json_t *const more = with_files(path, coverage, &e);
    rep_coverage_add(*all, more);
    char *const text = rep_render_lcov(*all);
    if (!e) e = out_write(path, OUT_REPORT, overwrite ? NULL : is_ours, text, strlen(text));
    free(text);
    json_decref(more);
    if (fd >= 0) close(fd);
    return e;
}
