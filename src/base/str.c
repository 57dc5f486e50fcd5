// SPDX-License-Identifier: MIT
#include "base/str.h"

#include "base/mem.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void room_for(struct str *s, size_t more)
{
    if (s->len + more + 1 <= s->cap) return;
    s->cap = (s->len + more + 1) * 2;
    s->data = mem_realloc(s->data, s->cap);
}

void str_deinit(struct str *s)
{
    free(s->data);
    *s = (struct str){0};
}

void str_clear(struct str *s)
{
    s->len = 0;
    if (s->data) s->data[0] = 0;
}

void str_put_n(struct str *s, const char *text, size_t n)
{
    room_for(s, n);
    if (n) memcpy(s->data + s->len, text, n);
    s->len += n;
    s->data[s->len] = 0;
}

void str_put(struct str *s, const char *text) { str_put_n(s, text, strlen(text)); }

void str_put_char(struct str *s, char c) { str_put_n(s, &c, 1); }

void str_vprintf(struct str *s, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    room_for(s, (size_t)n);
    vsnprintf(s->data + s->len, (size_t)n + 1, fmt, again);
    s->len += (size_t)n;
    va_end(again);
}

void str_printf(struct str *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    str_vprintf(s, fmt, ap);
    va_end(ap);
}

const char *str_text(const struct str *s) { return s->data ? s->data : ""; }

char *str_take(struct str *s)
{
    char *text = s->data ? s->data : mem_strdup("");
    *s = (struct str){0};
    return text;
}

size_t str_mark(const char *s, size_t n) { return n >= 3 && !memcmp(s, "\xef\xbb\xbf", 3) ? 3 : 0; }

bool str_starts(const char *s, const char *prefix) { return !strncmp(s, prefix, strlen(prefix)); }

bool str_ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && !memcmp(s + n - k, suffix, k);
}

bool str_glob(const char *pattern, const char *s) { return fnmatch(pattern, s, 0) == 0; }

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return p ? (int)(p - digits) : -1;
}

bool str_hex_byte(const char *s, uint8_t *byte)
{
    const int high = digit(s[0]), low = high < 0 ? -1 : digit(s[1]);
    if (low < 0) return false;
    *byte = (uint8_t)(16 * high + low);
    return true;
}
