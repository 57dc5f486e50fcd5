// SPDX-License-Identifier: MIT
#ifndef BYTECODE_TEXT_H
#define BYTECODE_TEXT_H
#include "bytecode/bytecode.h"

/**
 * The text form, shared by asm.c and disasm.c. One item a line; `#` begins a comment; a name is
 * quoted.
 *
 *   file "a.cl" path "/x/a.cl" first 1
 *   loc file 0 line 3 col 5 fn "k" inlined 0 scope 0      locs are numbered from 1, as are sites
 *   object local "tmp" "float[64]" size 256 align 4 fn 0 loc 1 init 00ff…
 *     reloc 8 target 2 addend 4                           of the object before
 *   site read elem 4 ncomp 1 space global index s32 scale 4 disp 0 align 4 loc 1 fn 0
 *   fn "k" loc 1 barrier parts
 *     uniform 3 const 0x10 7                              slots, and the values of the first ones
 *     varying 4 4 8                                       bytes of each register's element
 *     params u1 v0
 *     rets v1
 *     loop header 1 last 2 parent -1 counter v2 loc 1 barrier
 *     block loop -1
 *       v1 = ADD_I32 v0 u1 masked @7                      @: loc
 *       CBR v2 -> 1 2
 *   kernel "k" fn 0 reqd 0 0 0 private 16
 *     arg buffer "a" "float*" space global size 8 write read
 *       piece 0 8 2                                       offset, bytes, uniform slot
 *   type struct "P" base 0 size 8 count 0                 what a debugger needs; from 0, as are
 *                                                         scopes
 *     member "x" type 3 offset 4 bit 1 bits 2
 *   scope parent 0 fn "k" returns 3
 *   var "i" type 3 object 2 scope 1 loc 4 param
 *
 * An instruction is `results = OPCODE fields flags`. Results are dst, or a list in brackets. Fields
 * are a, b, c, what ext holds, and the site, as far as the opcode has them (ops.def): u7, v7 or _
 * is an operand, a number stands for itself, -> precedes blocks, and lists are in brackets.
 */
/** Flags of an instruction, in the order in which they are printed. */
enum { BC_TEXT_FLAGS = 6 };
extern const struct bc_text_flag {
    const char *name;
    uint16_t flag;
} bc_text_flags[BC_TEXT_FLAGS];

extern const char *const bc_text_spaces[5],
    *const bc_text_access[6], *const bc_text_index[4],
                                  *const bc_text_types[6],
                                      *const bc_text_wi[BC_WI_KINDS],
                                          *const bc_text_objects[4],
                                              *const bc_text_args[6],
                                                  *const bc_text_atomics[14],
                                                      *const bc_text_orders[7],
                                                          *const bc_text_scopes[5],
                                                              *const bc_text_preconditions[4],
                                                                  *const bc_text_dtypes[BC_T_KINDS];
#endif
