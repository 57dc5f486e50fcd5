// SPDX-License-Identifier: MIT
#ifndef REPORT_SOURCEFILE_H
#define REPORT_SOURCEFILE_H
#include "report/finding.h"

#include <stddef.h>

/** Source texts, loaded once and cut into lines. Not thread-safe: the session's lock guards it. */
struct rep_sources;
struct rep_sources *rep_sources_create(void);
void rep_sources_destroy(struct rep_sources *s);

/**
 * Keeps a copy of the text (one for equal texts); the result lives as long as s and stands for the
 * text.
 */
const char *rep_sources_keep(struct rep_sources *s, const char *file, const char *text,
                             uint32_t first_line);

/**
 * The line at p, without its end: p->text as given by rep_sources_keep, else read from p->path.
 * NULL when there is no such line or it cannot be read. Borrowed.
 */
const char *rep_sources_line(struct rep_sources *s, const struct rep_place *p, size_t *len);

/**
 * A hash of the line's text and of how many lines after its function's definition it stands: the
 * same for one function in several generated programs. p->text need not come from rep_sources_keep.
 * 0: the definition was not found (a macro wrote it).
 */
uint64_t rep_sources_line_in_function(struct rep_sources *s, const struct rep_place *p);
#endif
