// SPDX-License-Identifier: MIT
#ifndef REPORT_MACRO_LINES_H
#define REPORT_MACRO_LINES_H
#include "report/sourcefile.h"

/**
 * Finds the definition, earlier in the same file, of a macro whose name is at the location. (Clang
 * gives all statements of a macro the location of its use.) *name: borrowed from s, of *len bytes;
 * *definition: its first line. Returns the number of its lines; 0: none.
 */
uint32_t rep_macro_at(struct rep_sources *s, const struct rep_place *p,
                      struct rep_place *definition, const char **name, size_t *len);
#endif
