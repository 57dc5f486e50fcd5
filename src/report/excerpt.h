// SPDX-License-Identifier: MIT
#ifndef REPORT_EXCERPT_H
#define REPORT_EXCERPT_H
#include "base/str.h"

#include <ctype.h>
#include <stdint.h>

/** Of a name of C's. */
static inline bool rep_is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/**
 * Bytes [from, to) of a line, with the point in it. to == caret: the point lies after the line.
 */
struct rep_range {
    size_t from, caret, to;
};

/**
 * What the point of the debug information (1-based column) stands for: an operand `tmp[lid + s]`,
 * the left side of an assignment, a call with its arguments. Found by tokenising the line; where
 * that does not give the ends the range is the token alone.
 */
struct rep_range rep_operand_range(const char *line, size_t len, uint32_t col);

/**
 * The line as a terminal may get it (tabs expanded, control characters and broken UTF-8 spelled
 * out, a window of a long one) and below it the marks `~~~~^~~`, without newlines.
 */
void rep_excerpt(const char *line, size_t len, const struct rep_range *r, struct str *shown,
                 struct str *marks);

/** Bytes of the valid UTF-8 character at s, and its code; 0 when there is none. */
unsigned rep_decode(const char *s, size_t len, uint32_t *code);

/** Text from outside, made harmless for a terminal and a CI service, and kept on one line. */
void rep_put_safe(struct str *s, const char *text);

/** The same with its newlines and tabs. */
void rep_put_safe_lines(struct str *s, const char *text, size_t len);
#endif
