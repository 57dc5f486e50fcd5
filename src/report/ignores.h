// SPDX-License-Identifier: MIT
#ifndef REPORT_IGNORES_H
#define REPORT_IGNORES_H
#include "report/sourcefile.h"

/**
 * Comments `cldbg-ignore: ID, ID words` in the source: on a finding's line, or alone in the line
 * above it. Comments in checked functions are recorded, so that unused ones, unknown ids, and
 * comments without an id can be reported. Guarded by the session's lock.
 */
struct rep_ignores;
struct rep_ignores *rep_ignores_create(void);
void rep_ignores_destroy(struct rep_ignores *g);

/** Does a comment ignore this kind there? `use` marks it as used. */
bool rep_ignores_fit(struct rep_ignores *g, const struct rep_place *p, enum rep_kind kind, bool use,
                     struct rep_sources *sources);
/** Records that a function in lines p->line … last was checked. */
void rep_ignores_look(struct rep_ignores *g, const struct rep_place *p, uint32_t last,
                      struct rep_sources *sources);
/**
 * The text about unused comments recorded by this process, without those for disabled kinds. NULL:
 * none. The caller frees it.
 */
char *rep_ignores_unused(struct rep_ignores *g, const bool *kinds_off);
#endif
