// SPDX-License-Identifier: MIT
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H
#include "base/err.h"

#include <jansson.h>

/** What lines cost: the member `profile` of the document, and the file of --profile. */

/** Adds the costs to those of the document. */
void rep_profile_add(json_t *doc, const json_t *profile);
/** The file of --profile, with the kernels of the document. The caller frees it. */
char *rep_render_profile(const json_t *doc);
/** Is it such a file, of a version that is understood? */
struct err *rep_profile_check(const json_t *profile);
#endif
