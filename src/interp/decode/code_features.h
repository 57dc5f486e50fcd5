// SPDX-License-Identifier: MIT
#ifndef INTERP_CODE_FEATURES_H
#define INTERP_CODE_FEATURES_H
#include "interp/decode/code.h"

/** Adds the function, those that it calls, and their features to the code. */
void dec_reach(struct vm_code *c, uint32_t index);
#endif
