// SPDX-License-Identifier: MIT
#ifndef FRONTEND_ODD_INTEGERS_H
#define FRONTEND_ODD_INTEGERS_H
#include <llvm-c/Core.h>

/**
 * Integers of other widths than 1, 8, 16, 32 and 64 bits, which LLVM's passes make (i33 and i65 for
 * the sum of a loop, i9 for the set of values of a switch), become instructions on these widths:
 * fewer than 64 bits use the next width, up to 128 bits two integers of 64. A function in which
 * there is something else with them (memory, parameters, i129) stays as it is.
 */
void fe_take_odd_integers(LLVMModuleRef m);

#endif
