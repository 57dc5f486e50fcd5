// SPDX-License-Identifier: MIT
#include "cli/scalar.h"

#include "base/half.h"
#include "devices/dev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_scalar scalars[] = {
    {"char", 1, false, true},
    {"uchar", 1, false, false},
    {"short", 2, false, true},
    {"ushort", 2, false, false},
    {"int", 4, false, true},
    {"uint", 4, false, false},
    {"long", 8, false, true},
    {"ulong", 8, false, false},
    {"half", 2, true, true},
    {"float", 4, true, true},
    {"double", 8, true, true},
    {"size_t", 8, false, false},
    {"unsigned char", 1, false, false},
    {"unsigned short", 2, false, false},
    {"unsigned int", 4, false, false},
    {"unsigned long", 8, false, false},
    {"unsigned", 4, false, false},
    {"bool", 1, false, false},
};

struct cmd_type cmd_type_find(const char *text, size_t n)
{
    static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        size_t len = strlen(scalars[i].name);
        if (len > n || memcmp(scalars[i].name, text, len)) continue;
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            char suffix[12] = "";
            if (widths[w] > 1) snprintf(suffix, sizeof suffix, "%u", widths[w]);
            if (n - len == strlen(suffix) && !memcmp(text + len, suffix, n - len))
                return (struct cmd_type){&scalars[i], widths[w]};
        }
    }
    return (struct cmd_type){0};
}

struct cmd_type cmd_element_of(const char *pointer)
{
    size_t n = strlen(pointer);
    while (n && (pointer[n - 1] == '*' || pointer[n - 1] == ' ')) n--;
    return cmd_type_find(pointer, n);
}

size_t cmd_type_size(struct cmd_type t)
{
    return (size_t)t.scalar->size * (t.ncomp == 3 ? 4 : t.ncomp);
}

struct err *cmd_contents(uint64_t bytes, void **out)
{
    const uint64_t most = dev_settings()->max_alloc_size;
    if (bytes > most)
        return err_new("%llu bytes are more than a buffer can have "
                       "(CL_DEVICE_MAX_MEM_ALLOC_SIZE is %llu, a fourth of --global-mem-size)",
                       (unsigned long long)bytes, (unsigned long long)most);
    *out = calloc(1, bytes ? bytes : 1);
    return *out ? NULL : err_new("there is no memory for %llu bytes", (unsigned long long)bytes);
}

void cmd_value_from_int(const struct cmd_scalar *s, uint64_t v, void *out)
{
    if (s->is_float) cmd_value_from_double(s, (double)(int64_t)v, out);
    else memcpy(out, &v, s->size); // little-endian, as the device
}

void cmd_value_from_double(const struct cmd_scalar *s, double v, void *out)
{
    if (!s->is_float) cmd_value_from_int(s, (uint64_t)(int64_t)v, out);
    else if (s->size == 2) memcpy(out, &(uint16_t){half_from_double(v)}, 2);
    else if (s->size == 4) memcpy(out, &(float){(float)v}, 4);
    else memcpy(out, &v, 8);
}

static uint64_t bits_of(const struct cmd_scalar *s, const void *v)
{
    uint64_t bits = 0;
    memcpy(&bits, v, s->size);
    return bits;
}

int64_t cmd_value_to_int(const struct cmd_scalar *s, const void *v)
{
    if (s->is_float) return (int64_t)cmd_value_to_double(s, v);
    uint64_t bits = bits_of(s, v);
    unsigned shift = 64 - 8 * s->size;
    return s->is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
}

double cmd_value_to_double(const struct cmd_scalar *s, const void *v)
{
    if (!s->is_float) return s->is_signed ? (double)cmd_value_to_int(s, v) : (double)bits_of(s, v);
    uint16_t h;
    float f;
    double d;
    memcpy(s->size == 2 ? &h : s->size == 4 ? (void *)&f : &d, v, s->size);
    return s->size == 2 ? half_to_double(h) : s->size == 4 ? (double)f : d;
}

struct err *cmd_value_parse(const struct cmd_scalar *s, const char *text, size_t n, int base,
                            void *out)
{
    char buf[64], *end = buf;
    if (!n || n >= sizeof buf) return err_new("a number of type %s is expected", s->name);
    memcpy(buf, text, n);
    buf[n] = 0;
    errno = 0;
    if (s->is_float) {
        // strtof, not a rounded double: rounding twice can differ in the last bit
        if (s->size == 4) memcpy(out, &(float){strtof(buf, &end)}, 4);
        else cmd_value_from_double(s, strtod(buf, &end), out);
        if (end > buf && (*end == 'f' || *end == 'F') && !end[1]) end++; // 1.0f
        if (*end || end == buf) return err_new("'%s' is not a number of type %s", buf, s->name);
        return NULL; // too large or too small is infinity or zero, as in C
    }
    bool negative = buf[0] == '-';
    uint64_t v = negative ? (uint64_t)strtoll(buf, &end, base) : strtoull(buf, &end, base);
    if (*end || end == buf) return err_new("'%s' is not a number of type %s", buf, s->name);
    // The bits of a negative value may be written in hexadecimal: 0xffffffff is an int of -1.
    bool as_bits = base == 16 || strchr(buf, 'x') || strchr(buf, 'X');
    unsigned bits = 8 * s->size - (s->is_signed && !as_bits);
    bool fits = negative ? s->is_signed && 0 - v <= 1ull << (bits - as_bits) // of its own width
                         : bits == 64 || v < 1ull << bits;
    if (errno || !fits) return err_new("%s does not fit the type %s", buf, s->name);
    cmd_value_from_int(s, v, out);
    return NULL;
}

static void print_float(FILE *out, const struct cmd_scalar *s, double v, enum cmd_value_style style)
{
    char buf[40];
    for (int digits = s->size == 2 ? 5 : 6; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, v);
        if (style == CMD_SHORT || v != v) break;
        if (s->size == 4 ? strtof(buf, NULL) == (float)v : strtod(buf, NULL) == v) break;
        uint16_t h = half_from_double(strtod(buf, NULL));
        if (s->size == 2 && half_to_double(h) == v) break;
    }
    fputs(buf, out);
}

void cmd_value_print(FILE *out, struct cmd_type t, const void *value, enum cmd_value_style style)
{
    const struct cmd_scalar *s = t.scalar;
    if (t.ncomp > 1) fputc('(', out);
    for (unsigned i = 0; i < t.ncomp; i++) {
        const void *v = (const char *)value + i * s->size;
        if (i) fputs(", ", out);
        if (style == CMD_HEX)
            fprintf(out, "0x%0*llx", (int)s->size * 2, (unsigned long long)bits_of(s, v));
        else if (s->is_float) print_float(out, s, cmd_value_to_double(s, v), style);
        else if (s->is_signed) fprintf(out, "%lld", (long long)cmd_value_to_int(s, v));
        else fprintf(out, "%llu", (unsigned long long)bits_of(s, v));
    }
    if (t.ncomp > 1) fputc(')', out);
}
