// SPDX-License-Identifier: MIT
#ifndef DEBUG_COMMAND_TEXT_H
#define DEBUG_COMMAND_TEXT_H
#include "debug/expressions/kernel_value.h"

/** The length of the word at p, up to a blank. */
size_t dbg_word(const char *p);
bool dbg_word_is(const char *p, const char *word); // a prefix of the word, not empty, is enough
/** Reads "/8fw "; *args moves past it. Missing parts keep their values in *f. */
struct err *dbg_format_parse(const char **args, struct dbg_format *f);
/** Calls fn for the numbers of a list such as "1 3-5". */
struct err *dbg_each_number(const char *list, const char *what, struct err *(*fn)(unsigned n));
/** The length of the expression at p, the first of several between commas. */
size_t dbg_expression_length(const char *p);
/** For a command of gdb that does not exist here: an error with the replacement; otherwise NULL. */
struct err *dbg_unsupported(const char *name, size_t n);
/** The same for `info`, `set` or `show`, by the first word of the arguments. */
struct err *dbg_unsupported_after(const char *command, const char *args);
#endif
