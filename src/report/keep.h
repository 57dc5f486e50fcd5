// SPDX-License-Identifier: MIT
#ifndef REPORT_KEEP_H
#define REPORT_KEEP_H
#include "report/filter.h"

/**
 * The report files of this process. They are always valid: each new finding rewrites them, so that
 * a crash or _exit loses nothing. The session's lock must be held; NULL is a no-op.
 */
struct rep_keep;
struct rep_keep *rep_keep_create(const struct rep_options *o); // NULL: no report is requested
void rep_keep_destroy(struct rep_keep *k);
void rep_keep_kernel(struct rep_keep *k,
                     const char *kernel); // the kernel was analyzed, launched or not
void rep_keep_launch(struct rep_keep *k, const char *kernel, bool checked,
                     uint64_t ns); // ns: wall time
void rep_keep_numbers(struct rep_keep *k, const char *kernel, const struct rep_number *numbers,
                      unsigned n);
void rep_keep_member(struct rep_keep *k, const struct rep_member *m);
void rep_keep_finding(struct rep_keep *k, struct rep_record *r, struct rep_sources *sources);
void rep_keep_suppressed(struct rep_keep *k, const struct rep_filter *f);
/** Writes changes; `last`: including counts. False: failure (reported once). */
bool rep_keep_write(struct rep_keep *k, struct rep_record **records, size_t n, bool last);
#endif
