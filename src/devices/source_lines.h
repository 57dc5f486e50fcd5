// SPDX-License-Identifier: MIT
#ifndef DEVICES_SOURCE_LINES_H
#define DEVICES_SOURCE_LINES_H
#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A program whose lines are a file's, one for one, after a prefix, or with a few that differ: a
 * template, the literals of a C program.
 */
struct source_lines {
    size_t score; // bytes of the program's lines that are in the file's; 0: it does not occur
    VEC(struct source_line) marks; // of those found so far; source_lines_deinit
};
/** The line of the program that begins at byte `at` comes after so many bytes of the file. */
struct source_line {
    size_t at;
    unsigned line; // of the first of these: the file's; the lines after it follow, and have 0
    unsigned indent;
};

/**
 * Looks in a file of n bytes; `out` is replaced where the file has more of the program than what it
 * holds.
 */
bool source_lines_match(const char *program, size_t len, const char *file, size_t n,
                        struct source_lines *out);
/** What the score is where all of a text is found. */
size_t source_lines_weight(const char *text, size_t len);
void source_lines_deinit(struct source_lines *s);
#endif
