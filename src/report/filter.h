// SPDX-License-Identifier: MIT
#ifndef REPORT_FILTER_H
#define REPORT_FILTER_H
#include "base/err.h"
#include "base/str.h"
#include "report/ignores.h"
#include "report/record.h"

/**
 * Accepted findings: suppression files (cldbg-suppressions(5)), comments `cldbg-ignore: ID` in the
 * source, and the findings of a baseline report. Zeroed storage is an empty filter.
 */
struct rep_filter;
struct rep_filter *rep_filter_create(void);
void rep_filter_destroy(struct rep_filter *f);
struct err *rep_filter_add_suppressions(struct rep_filter *f, const char *path);
struct err *rep_filter_add_baseline(struct rep_filter *f,
                                    const char *path); // a report in json or sarif

enum rep_verdict { REP_NEW, REP_KNOWN, REP_SUPPRESSED };
bool rep_filter_has_baseline(const struct rep_filter *f);

/**
 * Judges a finding with this fingerprint; `use` marks the matching suppression, comment or baseline
 * finding as used.
 */
enum rep_verdict rep_filter_judge(struct rep_filter *f, const struct rep_finding *x,
                                  uint64_t fingerprint, bool use, struct rep_ignores *ignores,
                                  struct rep_sources *sources);

/** Lists the suppressions in order, as `file:line`, with the number of uses. */
unsigned rep_filter_count(const struct rep_filter *f);
const char *rep_filter_name(const struct rep_filter *f, unsigned i);
uint64_t rep_filter_used(const struct rep_filter *f, unsigned i);

/** Prints a matching suppression for the finding. */
void rep_put_suppression(struct str *s, const struct rep_finding *f);
#endif
