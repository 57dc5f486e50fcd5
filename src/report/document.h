// SPDX-License-Identifier: MIT
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H
#include "base/err.h"
#include "base/str.h"
#include "report/record.h"

#include <jansson.h>

/**
 * The report as data: doc/REPORT-FORMATS.md describes it. Each process of an app writes a document
 * of its own; the command merges them and makes every other format of the result.
 */
json_t *rep_document_create(const bool kinds_off[REP_KIND_COUNT],
                            const char *command); // NULL: this process's command line
/** A finding; the texts of programs that are in no file are added to `programs`. */
json_t *rep_document_finding(const struct rep_record *r, struct rep_sources *sources,
                             json_t *programs);
/** Brings the counts of a finding up to date. */
void rep_document_count(json_t *finding, const struct rep_record *r);

/** Is it a document of ours, of a version that is understood? */
struct err *rep_document_check(const json_t *doc);
/** A text that says which findings the document lacks; NULL: none. The caller frees it. */
char *rep_document_lacks(const json_t *doc);
/**
 * The document with its first 5000 findings, as services show no more: for SARIF, JUnit and
 * annotations. JSON has all of them. The caller releases it.
 */
json_t *rep_document_shortened(const json_t *doc);
/** Adds `more` to `doc`: processes, kernels, programs; the counts of equal findings. */
void rep_document_merge(json_t *doc, const json_t *more);

/**
 * The report in a format: json, sarif, github, html. `doc` is complete (merged); NULL: no such
 * format here. The caller frees it. `root`: the repository's folder, which paths are made relative
 * to; NULL: none.
 */
char *rep_render(const char *format, const json_t *doc, const char *root);
char *rep_render_sarif(const json_t *doc, const char *root);
char *rep_render_html(const json_t *doc);
char *rep_render_github(const json_t *doc, const char *root);
/**
 * The folder above `path` (or itself) that holds a repository, else `path`, as a real path. The
 * caller frees it.
 */
char *rep_repository(const char *path);
/**
 * The path seen from root, through symbolic links if need be; NULL when it is not below it. The
 * caller frees it.
 */
char *rep_below(const char *root, const char *path);

/**
 * What does not change when lines are added elsewhere: of kind, kernel, object and the lines'
 * words.
 */
uint64_t rep_fingerprint(const struct rep_finding *f, struct rep_sources *sources);

/** Text as JSON, invalid UTF-8 replaced; NULL gives null. */
json_t *rep_json_text(const char *text, size_t len);
/** [x, y, z] */
json_t *rep_json_triple(const uint64_t v[3]);
/** A string member, "" when it is absent. */
const char *rep_json_get(const json_t *object, const char *key);

/** Is it the beginning of a report of ours, in any format? */
bool rep_is_report(const char *text, size_t n);
/**
 * Puts a whole file in place at once. Another file than an earlier report is replaced only with
 * `overwrite`.
 */
struct err *rep_replace_file(const char *path, const char *text, size_t len, bool overwrite);
/** PATH with %p as the process and %% as a percent sign. The caller frees it. */
char *rep_path_for(const char *path, long pid);
#endif
