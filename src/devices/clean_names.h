// SPDX-License-Identifier: MIT
#ifndef DEVICES_CLEAN_NAMES_H
#define DEVICES_CLEAN_NAMES_H
#include "bytecode/bytecode.h"

/**
 * Makes the names of a module that was just decoded harmless for a terminal, wherever they are
 * shown later: control characters are spelled out (`<1b>`), a newline is a space. Not the texts of
 * source files, the paths that they are read from, and the formats of printf.
 */
void dev_clean_names(struct bc_module *m);
#endif
