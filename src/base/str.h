// SPDX-License-Identifier: MIT
#ifndef BASE_STR_H
#define BASE_STR_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A growing string, always ended by NUL once something was put in. Zeroed storage is an empty one.
 */
struct str {
    char *data;
    size_t len, cap;
};

void str_deinit(struct str *s);
void str_clear(struct str *s);
void str_put(struct str *s, const char *text);
void str_put_n(struct str *s, const char *text, size_t n);
void str_put_char(struct str *s, char c);
void str_printf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *s, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
const char *str_text(const struct str *s); // "" when empty; borrowed
char *str_take(struct str *s);             // the caller frees it; s is empty again

/**
 * Bytes of the byte order mark that some editors put in front of a text: 3, or 0 where there is
 * none.
 */
size_t str_mark(const char *s, size_t n);
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);
/** Glob match of the whole string: `*`, `?` and `[…]`. */
bool str_glob(const char *pattern, const char *s);
/**
 * The byte that two hexadecimal digits at s say; false, and *byte as it was, where there are none
 * (s may end before).
 */
bool str_hex_byte(const char *s, uint8_t *byte);
#endif
