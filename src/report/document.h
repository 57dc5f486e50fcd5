// SPDX-License-Identifier: MIT
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H
#include "base/err.h"
#include "base/str.h"
#include "report/record.h"

#include <jansson.h>

/**
 * The report as data: doc/REPORT-FORMATS.md describes it. Each process of an app writes its own
 * document; the command merges them and makes every other format from the result.
 */
json_t *rep_document_create(const bool kinds_off[REP_KIND_COUNT],
                            const char *command); // NULL: this process's command line
/** Converts a finding; adds the text of programs that are not in files to `programs`. */
json_t *rep_document_finding(const struct rep_record *r, struct rep_sources *sources,
                             json_t *programs);
/** A location; programs may be NULL. */
json_t *rep_json_place(const struct rep_place *p, struct rep_sources *sources, json_t *programs);
/** Updates the counts of a finding. */
void rep_document_count(json_t *finding, const struct rep_record *r);

/** Is it a document of cldbg, in a supported version? */
struct err *rep_document_check(const json_t *doc);
/** Whether the members of a "document" or "profile" have their types: document_shape.c. */
struct err *rep_document_shape(const json_t *doc, const char *of);
/** How many captures `cldbg check` could not check. */
size_t rep_document_failed_captures(const json_t *doc);
/**
 * A text that describes the findings missing from the document; NULL: none. The caller frees it.
 */
char *rep_document_lacks(const json_t *doc);
/**
 * The document with its first 5000 findings, the most that services show: for SARIF, JUnit and
 * annotations. JSON has all of them. The caller releases it.
 */
json_t *rep_document_shortened(const json_t *doc);
/**
 * Adds `more` to `doc`: processes, kernels, programs, findings; adds the counts of equal findings.
 */
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
 * The innermost folder at or above `path` that contains a repository, otherwise `path`, as a real
 * path. The caller frees it.
 */
char *rep_repository(const char *path);
/**
 * The path relative to root, with symbolic links resolved if necessary; NULL: not below root. The
 * caller frees it.
 */
char *rep_below(const char *root, const char *path);

/**
 * The fingerprint of a finding, from kind, kernel, object and the words of its lines: it does not
 * change when other lines are edited.
 */
uint64_t rep_fingerprint(const struct rep_finding *f, struct rep_sources *sources);

/** Text as JSON, invalid UTF-8 replaced; NULL gives null. */
json_t *rep_json_text(const char *text, size_t len);
/** [x, y, z] */
json_t *rep_json_triple(const uint64_t v[3]);
/** A string member, "" when it is absent. */
const char *rep_json_get(const json_t *object, const char *key);
/** A number member, 0 when it is absent or negative. */
uint64_t rep_json_count(const json_t *object, const char *key);

/** Is it the beginning of a report of cldbg, in any format? */
bool rep_is_report(const char *text, size_t n);
/**
 * Replaces a file atomically. Replaces a file that is not an earlier report only with `overwrite`.
 */
struct err *rep_replace_file(const char *path, const char *text, size_t len, bool overwrite);
/** PATH with %p replaced by the process id, %r by the rank (launcher.h) and %% by a percent sign.
 * The caller frees it. */
char *rep_path_for(const char *path, long pid);
#endif
