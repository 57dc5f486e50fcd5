// SPDX-License-Identifier: MIT
#ifndef API_CHECKED_FORM_H
#define API_CHECKED_FORM_H
#include "api/program.h"

/**
 * The optimized form of a program that was built for a debugger: what a checked run without the
 * debugger executes. It is built when a launch first uses it.
 */
struct api_checked_form;
/** How the program was built; copies what it needs. */
struct api_checked_form *api_checked_form_new(const struct dev_build *b);
void api_checked_form_free(struct api_checked_form *f); // NULL: does nothing
/** The program's module and the device's form of it are not used any more. Frees them, or later. */
void api_release_module(struct bc_module *m, void *loaded);
/**
 * Runs the launch in this form, if only a finding or the debugger's user can stop it. False: it has
 * to run under the debugger; memory is as before.
 */
bool api_run_checked_form(cl_program p, const struct vm_launch *l, struct err **e);
#endif
