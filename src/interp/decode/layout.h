// SPDX-License-Identifier: MIT
#ifndef INTERP_LAYOUT_H
#define INTERP_LAYOUT_H
#include "interp/decode/code.h"

/** Lays out the registers. Returns the size of the register file in bytes. */
size_t dec_lay_out_registers(struct vm_code *c);
/** Lays out private and local objects. */
void dec_lay_out_objects(struct vm_code *c);
/** Lists the variables in memory of each function: vm_fn.objects. */
void dec_list_variables(struct vm_code *c);
#endif
