// SPDX-License-Identifier: MIT
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H
#include "base/err.h"
#include "base/str.h"

#include <jansson.h>

/** What lines cost: the member `profile` of the document, and the file of --profile. */

/** Adds the costs to those of the document. */
void rep_profile_add(json_t *doc, const json_t *profile);
/** Adds the launches of groups (the member `groups`) to those of equal size. */
void rep_profile_add_groups(json_t *to, const json_t *from);
/** Adds which barriers are needed (the member `barriers`), without duplicates. */
void rep_profile_add_barriers(json_t *to, const json_t *from);
/** The file of --profile, with the kernels of the document. The caller frees it. */
char *rep_render_profile(const json_t *doc);
/**
 * A table of the lines of a profile, the most expensive first. wasteful: only lines with inactive
 * lanes, uncoalesced accesses or bank conflicts; no text if there are none.
 */
void rep_put_costs(struct str *out, const json_t *profile, bool wasteful);
/**
 * The profile in a file: of --profile, or a json report that has one, of a version that is
 * understood. Borrowed from `doc`.
 */
struct err *rep_profile_find(const json_t *doc, const json_t **profile);
#endif
