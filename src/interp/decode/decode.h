// SPDX-License-Identifier: MIT
#ifndef INTERP_DECODE_H
#define INTERP_DECODE_H
#include "interp/decode/decoder.h"

/** Fills `kept`: inactive_liveness.c. */
void dec_inactive_liveness(struct decoder *d);
#endif
