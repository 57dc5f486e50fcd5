// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_CODE_H
#define DEVICES_NATIVE_CODE_H
#include "devices/native_plugin.h"

/**
 * A program's machine code: one function for each kernel and shape of work-groups, created on first
 * use, kept in memory and on disk. Code from disk runs without LLVM, which is not even loaded.
 */
struct native_program;
struct native_code;

/** Copies the bitcode that cldbg-cc wrote (dev_built.native); the plug-in makes code of it. */
struct native_program *native_program_load(const void *bitcode, size_t size, struct err **e);
/**
 * The same of a program without program-scope variables (dev_built.object), of which cldbg-cc makes
 * code: dev_make_code.
 */
struct native_program *native_program_load_strict(const void *bitcode, size_t size, struct err **e);
void native_program_unload(struct native_program *p);
/** The program-scope variable with that name; NULL: there is none, or there is no code. */
char *native_program_variable(struct native_program *p, const char *name);
/** The code of kernel `name` with `nargs` arguments. Thread-safe. */
const struct native_code *native_code_get(struct native_program *p, const char *name,
                                          unsigned nargs, const struct nat_shape *s,
                                          struct nat_code_info *info, struct err **e);
/** Whether two shapes differ at most in their limits (nat_shape.id_bits, argument_bits). */
bool native_same_form(const struct nat_shape *a, const struct nat_shape *b);
/** Runs groups first..last-1; args: nargs addresses, as native/abi.h says. */
void native_code_call(const struct native_code *c, void *const *args, void *locals,
                      const struct nat_launch *l, uint64_t first, uint64_t last);
#endif
