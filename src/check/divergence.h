// SPDX-License-Identifier: MIT
#ifndef CHECK_DIVERGENCE_H
#define CHECK_DIVERGENCE_H
#include "check/place.h"

// Private to check/: words for a divergence. Everything lives in the arena given.

/** "work-items 0..7, 9", by local id. */
const char *chk_items_text(const struct chk_launch *l, const struct chk_divergence *d,
                           const uint8_t *members, struct arena *a);
/** The branch, and who went which way; NULL when its place is not known. */
const char *chk_divergence_point_note(const struct chk_launch *l, const struct chk_divergence *d,
                                      const struct chk_divergence_point *p, struct arena *a);
/**
 * What its condition compares, on either side; NULL if that is not a comparison, or of nothing that
 * has a name.
 */
const char *chk_operands_note(const struct chk_launch *l, const struct chk_divergence *d,
                              const struct chk_divergence_point *p, struct arena *a);
#endif
