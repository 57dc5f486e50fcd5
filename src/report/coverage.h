// SPDX-License-Identifier: MIT
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H
#include "base/err.h"
#include "base/str.h"

#include <jansson.h>
#include <stdint.h>

/**
 * What ran of kernels: the member `coverage` of the document (doc/REPORT-FORMATS.md), and lcov's
 * info files and Cobertura's XML made of it.
 */

/** Adds the counts of `from` to `to`, an object with a member `files`. NULL `from`: nothing. */
void rep_coverage_add(json_t *to, const json_t *from);

struct rep_coverage_sum {
    uint64_t lines, branches, functions;             // that were built
    uint64_t lines_run, branches_run, functions_run; // of them, those that ran
};
struct rep_coverage_sum rep_coverage_sum(const json_t *coverage); // NULL: all 0
/** Adds one file (a member of `files`) to the sum. */
void rep_coverage_count(const json_t *file, struct rep_coverage_sum *s);
/** Element i of a list of counts. */
static inline long long rep_count_at(const json_t *list, size_t i)
{
    return json_integer_value(json_array_get(list, i));
}
/** The keys of an object, sorted, numbers in them by value. The caller frees the list. */
const char **rep_sorted_keys(json_t *o, size_t *n);
/** "83.3 % of lines (10 of 12), …", rounded down. */
void rep_put_coverage(struct str *s, const struct rep_coverage_sum *c);

/** As lcov's info file. The caller frees it. */
char *rep_render_lcov(const json_t *coverage);
/** As XML of Cobertura; root: as in rep_render. The caller frees it. */
char *rep_render_cobertura(const json_t *coverage, const char *root);
/** The inverse of rep_render_lcov: reads a file that cldbg wrote. NULL: it is not such a file. */
json_t *rep_read_lcov(const char *text, size_t n);
/**
 * Adds the coverage to the file, locked against other processes that do the same. Sources that are
 * in no file are written to the folder PATH.sources. A file that is not cldbg's is replaced only
 * with `overwrite`. *all: what the file has now, also after a failure; the caller releases it.
 */
struct err *rep_merge_lcov(const char *path, const json_t *coverage, bool overwrite, json_t **all);
#endif
