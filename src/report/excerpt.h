// SPDX-License-Identifier: MIT
#ifndef REPORT_EXCERPT_H
#define REPORT_EXCERPT_H
#include "base/str.h"

#include <ctype.h>
#include <stdint.h>

/** Can the character be in a C identifier? */
static inline bool rep_is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/**
 * Bytes [from, to) of a line, containing the point `caret`. to == caret: the point is after the
 * line.
 */
struct rep_range {
    size_t from, caret, to;
};

/**
 * The range of the expression at a point of the debug information (1-based column): an operand
 * `tmp[lid + s]`, the left side of an assignment, a call with its arguments. Found by tokenizing
 * the line; if the ends cannot be determined, the range is the token alone.
 */
struct rep_range rep_operand_range(const char *line, size_t len, uint32_t col);

/**
 * The line for a terminal (tabs expanded, control characters and invalid UTF-8 escaped, a window of
 * a long line), and the marks `~~~~^~~` below it, without newlines.
 */
void rep_excerpt(const char *line, size_t len, const struct rep_range *r, struct str *shown,
                 struct str *marks);

/** The bytes of the UTF-8 character at s, and its code; 0: invalid. */
unsigned rep_decode(const char *s, size_t len, uint32_t *code);

/** Text from outside, made harmless for a terminal and a CI service, and kept on one line. */
void rep_put_safe(struct str *s, const char *text);

/** The same, but keeps newlines and tabs. */
void rep_put_safe_lines(struct str *s, const char *text, size_t len);
#endif
