// SPDX-License-Identifier: MIT
#ifndef REPORT_SOURCEFILE_H
#define REPORT_SOURCEFILE_H
#include "report/finding.h"

#include <stddef.h>

/** Source texts, loaded once and split into lines. Guarded by the session's lock. */
struct rep_sources;
struct rep_sources *rep_sources_create(void);
void rep_sources_destroy(struct rep_sources *s);

/**
 * Interns a copy of the text; the result lives as long as s and identifies the text.
 */
const char *rep_sources_keep(struct rep_sources *s, const char *file, const char *text,
                             uint32_t first_line);

/**
 * The line at p, without its newline: from p->text (a result of rep_sources_keep), or from the file
 * p->path. NULL: no such line, or unreadable. Borrowed.
 */
const char *rep_sources_line(struct rep_sources *s, const struct rep_place *p, size_t *len);

/**
 * A hash of the line's text and its distance from the definition of its function: equal for one
 * function in several generated programs. p->text need not come from rep_sources_keep. 0: the
 * definition was not found (it is in a macro).
 */
uint64_t rep_sources_line_in_function(struct rep_sources *s, const struct rep_place *p);
#endif
