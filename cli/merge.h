// SPDX-License-Identifier: MIT
#ifndef CLI_MERGE_H
#define CLI_MERGE_H
#include "devices/option_table.h"
#include "report/finding.h"

#include <jansson.h>

/**
 * One report of several runs, for `cldbg check` (a run is a file) and for the ranks of MPI. Equal
 * findings, by their identity, count once. The processes keep their texts (CLDBG_KEEP_TEXT).
 */

/** A document without processes and findings. */
json_t *merge_empty(const struct dev_option_set *s);
/** The counters of a run that are sums, and their addition. */
json_t *merge_counters(const struct rep_totals *t);
void merge_add_counters(struct rep_totals *t, const json_t *counters);
/** Says in the finding where it was found: "in 3 files: …". */
void merge_note(json_t *finding, const char *where);
/** Counts the merged findings as a session counts its own. */
void merge_count_findings(struct rep_totals *t, const json_t *doc);
/** Prints the findings on stderr, or to the file of --log-file. */
void merge_show(const struct dev_option_set *s, const json_t *doc);
/** Removes from the document what only merge_show needs. */
void merge_strip(json_t *doc);
#endif
