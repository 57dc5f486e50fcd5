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
 * What follows an instruction's name is, for the SPECIAL opcodes, told by a string of codes:
 *   a b c   the operand of that field             A C x  the field as a number (x: ext)
 *   l       before `=`: dst, or a list of them when the site has several components
 *   v       operand c, or a list of them likewise  k      [compare] or nothing
 *   w       work-item function and dimension       s      `site N`        r   ext as `read N`
 *   j J     `-> ext`, `-> b c`                     R      [values] or nothing
 *   F       number, [results…] before `=`, [operands…]: CALL, LANEFN
 *   P       format and arguments of PRINTF         Y      the list of ASYNC_COPY
 *   I       the list of IMAGE: number [coordinates…] [values…]
 */
const char *bc_text_form(enum bc_op op); // NULL for opcodes that are not SPECIAL

extern const char *const bc_text_spaces[5],
    *const bc_text_access[6], *const bc_text_index[4],
                                  *const bc_text_types[6],
                                      *const bc_text_wi[BC_WI_KINDS],
                                          *const bc_text_objects[4],
                                              *const bc_text_args[6],
                                                  *const bc_text_atomics[14],
                                                      *const bc_text_orders[7],
                                                          *const bc_text_scopes[5],
                                                              *const bc_text_guards[4],
                                                                  *const bc_text_dtypes[BC_T_KINDS];
#endif
