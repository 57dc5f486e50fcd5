// SPDX-License-Identifier: MIT
#ifndef REPORT_NEEDLESS_BARRIERS_H
#define REPORT_NEEDLESS_BARRIERS_H
#include "report/advice.h"

/**
 * Appends an advice for each barrier that no conflicting accesses needed. `barriers`: the member of
 * the profile, or NULL.
 */
void rep_add_needless_barriers(json_t *advice, const json_t *barriers,
                               const struct rep_advice_kind *kind);
#endif
