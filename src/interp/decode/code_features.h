// SPDX-License-Identifier: MIT
#ifndef INTERP_CODE_FEATURES_H
#define INTERP_CODE_FEATURES_H
#include "interp/decode/code.h"

/** Adds the function, and those that it calls, to the code, with what they use. */
void dec_reach(struct vm_code *c, uint32_t index);
#endif
