// SPDX-License-Identifier: MIT
#ifndef REPORT_KEEP_H
#define REPORT_KEEP_H
#include "report/filter.h"

/**
 * The report files of this process, valid at any moment: they are written anew whenever something
 * was found, so that a crash or _exit loses nothing. All calls under the session's lock; NULL does
 * nothing.
 */
struct rep_keep;
struct rep_keep *rep_keep_create(const struct rep_options *o); // NULL: no report is asked for
void rep_keep_destroy(struct rep_keep *k);
void rep_keep_kernel(struct rep_keep *k,
                     const char *kernel); // it is one of those looked at, launched or not
void rep_keep_launch(struct rep_keep *k, const char *kernel, bool checked,
                     uint64_t ns); // ns: wall time
void rep_keep_numbers(struct rep_keep *k, const char *kernel, const struct rep_number *numbers,
                      unsigned n);
void rep_keep_member(struct rep_keep *k, const struct rep_member *m);
void rep_keep_finding(struct rep_keep *k, struct rep_record *r, struct rep_sources *sources);
void rep_keep_suppressed(struct rep_keep *k, const struct rep_filter *f);
/** Writes what changed; `last`: counts, too. False: it could not be written (reported once). */
bool rep_keep_write(struct rep_keep *k, struct rep_record **records, size_t n, bool last);
#endif
