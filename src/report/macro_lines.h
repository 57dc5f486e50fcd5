// SPDX-License-Identifier: MIT
#ifndef REPORT_MACRO_LINES_H
#define REPORT_MACRO_LINES_H
#include "report/sourcefile.h"

/**
 * Does a macro's name stand at the place, of one that is defined further up in the same file? Clang
 * gives all of a macro's statements the place where it is used. *name: borrowed from s, of *len
 * bytes; *definition: its first line; gives how many lines it has, 0: there is none.
 */
uint32_t rep_macro_at(struct rep_sources *s, const struct rep_place *p,
                      struct rep_place *definition, const char **name, size_t *len);
#endif
