// SPDX-License-Identifier: MIT
#ifndef INTERP_LAYOUT_H
#define INTERP_LAYOUT_H
#include "interp/decode/code.h"

/** Returns the bytes of the register file. */
size_t dec_lay_out_registers(struct vm_code *c);
/** Private and local objects. */
void dec_lay_out_objects(struct vm_code *c);
/** The variables in memory of each function: vm_fn.objects. */
void dec_list_variables(struct vm_code *c);
#endif
