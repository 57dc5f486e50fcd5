// SPDX-License-Identifier: MIT
#ifndef REPORT_IGNORES_H
#define REPORT_IGNORES_H
#include "report/sourcefile.h"

/**
 * Comments `cldbg-ignore: ID, ID words` in the source: on a finding's line, or alone in the line
 * above it. Those in functions that were checked are kept, so that the ones that fitted nothing,
 * ids that do not exist, and comments that begin with the word but name none can be reported. The
 * session's lock guards it.
 */
struct rep_ignores;
struct rep_ignores *rep_ignores_create(void);
void rep_ignores_destroy(struct rep_ignores *g);

/** Does a comment ignore this kind there? `use` marks it as used. */
bool rep_ignores_fit(struct rep_ignores *g, const struct rep_place *p, enum rep_kind kind, bool use,
                     struct rep_sources *sources);
/** A function in lines p->line … last was checked. */
void rep_ignores_look(struct rep_ignores *g, const struct rep_place *p, uint32_t last,
                      struct rep_sources *sources);
/**
 * To be reported: comments that were looked at by this process and fitted nothing; kinds that are
 * off fit nothing anyway. NULL: nothing. The caller frees it.
 */
char *rep_ignores_unused(struct rep_ignores *g, const bool *kinds_off);
#endif
