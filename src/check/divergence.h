// SPDX-License-Identifier: MIT
#ifndef CHECK_DIVERGENCE_H
#define CHECK_DIVERGENCE_H
#include "check/place.h"

// Private to check/: texts of a divergence, allocated in the given arena.

/** "work-items 0..7, 9", by local id. */
const char *chk_items_text(const struct chk_launch *l, const struct chk_divergence *d,
                           const uint8_t *members, struct arena *a);
/** "condition `i < 24` at k.cl:5:11", "switch on `x` at k.cl:5:11, case 3"; NULL: unknown place. */
const char *chk_divergence_point_text(const struct chk_launch *l,
                                      const struct chk_divergence_point *p, struct arena *a);
/**
 * Describes the branch, and the work-items that took each edge; NULL: its location is not known.
 */
const char *chk_divergence_point_note(const struct chk_launch *l, const struct chk_divergence *d,
                                      const struct chk_divergence_point *p, struct arena *a);
/**
 * Describes the compared values on both sides; NULL: not a comparison, or no operand has a name.
 */
const char *chk_operands_note(const struct chk_launch *l, const struct chk_divergence *d,
                              const struct chk_divergence_point *p, struct arena *a);
#endif
