// SPDX-License-Identifier: MIT
#ifndef DEVICES_SOURCE_LINES_H
#define DEVICES_SOURCE_LINES_H
#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Matches a program with a file of which its lines are parts, with a few differences: a template,
 * or literals of a C program.
 */
struct source_lines {
    size_t score;                  // matching bytes; 0: the program does not occur
    VEC(struct source_line) marks; // of the best match; freed by source_lines_deinit
};
/** The position in the file of the program's line that begins at byte `at`. */
struct source_line {
    size_t at;
    unsigned line; // line of the file for the first one of a run; the following lines have 0
    unsigned indent;
};

/**
 * Matches a file of n bytes; replaces `out` if the match is better.
 */
bool source_lines_match(const char *program, size_t len, const char *file, size_t n,
                        struct source_lines *out);
/** The score of a complete match. */
size_t source_lines_weight(const char *text, size_t len);
void source_lines_deinit(struct source_lines *s);
#endif
