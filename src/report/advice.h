// SPDX-License-Identifier: MIT
#ifndef REPORT_ADVICE_H
#define REPORT_ADVICE_H
#include "base/str.h"

#include <jansson.h>

/**
 * Advice (--advise): lines of kernels that waste time on the device model, from the profile of a
 * document. Advice does not count as a finding: it has no severity and does not change the exit
 * status.
 */

/** The ids, each with a description; NULL-ended. */
struct rep_advice_kind {
    const char *id, *text, *help, *slow, *fast; // slow, fast: an example
};
extern const struct rep_advice_kind rep_advice_kinds[];
/** The member `advice` of the document, the most expensive line first. The caller releases it. */
json_t *rep_advice(const json_t *doc);
/** The advice of the document as text, with the source lines. */
void rep_put_advice(struct str *out, const json_t *doc);
#endif
