// SPDX-License-Identifier: MIT
// printf of OpenCL C 1.2, section 6.12.13: formats values as text.
#include "interp/calls/printf_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** One conversion: %[flags][width][.precision][vN][length]conversion */
struct spec {
    char flags[8];
    char width[24]; // with precision: "8.3"
    unsigned n;     // components, 1 if no vector
    enum { LEN_NONE, LEN_HH, LEN_H, LEN_HL, LEN_L } length;
    char conv;
};

/** Copies a width or precision, limited to what C guarantees for a conversion. */
static const char *number(const char *s, char *to, size_t room)
{
    unsigned n = 0;
    const char *start = s;
    for (; *s >= '0' && *s <= '9'; s++)
        if (n < 4095) n = n * 10 + (unsigned)(*s - '0');
    if (s != start) snprintf(to, room, "%u", n < 4095 ? n : 4095);
    return s;
}

/** Parses a conversion after its '%'. Returns the rest of the format, or NULL if it is invalid. */
static const char *parse(const char *s, struct spec *sp)
{
    *sp = (struct spec){.n = 1};
    size_t nf = 0;
    for (; *s && strchr("-+ #0", *s); s++)
        if (nf + 1 < sizeof sp->flags && !strchr(sp->flags, *s)) sp->flags[nf++] = *s;
    s = number(s, sp->width, sizeof sp->width);
    if (*s == '.') {
        const size_t at = strlen(sp->width);
        sp->width[at] = '.';
        s = number(s + 1, sp->width + at + 1, sizeof sp->width - at - 1);
    }
    if (*s == 'v') {
        sp->n = 0;
        for (s++; *s >= '0' && *s <= '9' && sp->n < 100; s++)
            sp->n = sp->n * 10 + (unsigned)(*s - '0');
        if (sp->n != 2 && sp->n != 3 && sp->n != 4 && sp->n != 8 && sp->n != 16) return NULL;
    }
    if (s[0] == 'h' && s[1] == 'h') sp->length = LEN_HH, s += 2;
    else if (s[0] == 'h' && s[1] == 'l') sp->length = LEN_HL, s += 2;
    else if (s[0] == 'h') sp->length = LEN_H, s++;
    else if (s[0] == 'l') sp->length = LEN_L, s++;
    if (!*s || !strchr("diouxXfFeEgGaAcsp", *s)) return NULL;
    sp->conv = *s;
    return s + 1;
}

static bool is_float(char conv) { return strchr("fFeEgGaA", conv) != NULL; }

/** Does the conversion accept an argument of this type? */
static bool fits(const struct spec *sp, const struct vm_format_value *a)
{
    const bool flt = a->type == BC_F32 || a->type == BC_F64;
    const unsigned size = bc_type_size((enum bc_type)a->type);
    if (sp->n != a->ncomp || is_float(sp->conv) != flt) return false;
    if (sp->conv == 's' || sp->conv == 'p') return a->type == BC_I64;
    if (sp->n > 1) {
        static const unsigned want[] = {0, 1, 2, 4, 8};
        if (flt && sp->length == LEN_H) return size == 4; // vectors of half are passed as float
        return !want[sp->length] || size == want[sp->length];
    }
    if (flt) return true; // float is promoted to double if the device has double
    return sp->length == LEN_L ? size == 8 : size <= 4;
}

static void put_text(struct str *out, const struct spec *sp, const char *text)
{
    char f[48];
    snprintf(f, sizeof f, "%%%s%ss", strchr(sp->flags, '-') ? "-" : "", sp->width);
    str_printf(out, f, text);
}

static void put_one(struct str *out, const struct spec *sp, enum bc_type type, uint64_t bits)
{
    char f[48];
    const unsigned size = bc_type_size(type);
    const bool flt = type == BC_F32 || type == BC_F64;
    double x = 0;
    if (type == BC_F32) {
        float y;
        memcpy(&y, &bits, 4);
        x = y;
    } else if (type == BC_F64) {
        memcpy(&x, &bits, 8);
    }
    if (is_float(sp->conv)) {
        snprintf(f, sizeof f, "%%%s%s%c", sp->flags, sp->width, sp->conv);
        str_printf(out, f, flt ? x : (double)(int64_t)bits);
        return;
    }
    if (flt) bits = (uint64_t)(int64_t)(x > 9e18 ? 9e18 : x < -9e18 ? -9e18 : x == x ? x : 0);
    const unsigned shift = flt ? 0 : 64 - 8 * size;
    const int64_t s = (int64_t)(bits << shift) >> shift;
    const uint64_t u = bits << shift >> shift;
    switch (sp->conv) {
    case 's': // a number that cannot be a pointer
        put_text(out, sp, "(null)");
        break;
    case 'c':
        snprintf(f, sizeof f, "%%%s%sc", sp->flags, sp->width);
        str_printf(out, f, (int)(unsigned char)bits);
        break;
    case 'p':
        snprintf(f, sizeof f, "%%%s%sp", sp->flags, sp->width);
        str_printf(out, f, (void *)(uintptr_t)bits);
        break;
    case 'd':
    case 'i': {
        const int64_t v = sp->length == LEN_HH ? (int8_t)s : sp->length == LEN_H ? (int16_t)s : s;
        snprintf(f, sizeof f, "%%%s%s" PRId64, sp->flags, sp->width);
        str_printf(out, f, v);
        break;
    }
    default: {
        const uint64_t v = sp->length == LEN_HH  ? (uint8_t)u
                           : sp->length == LEN_H ? (uint16_t)u
                                                 : u;
        snprintf(f, sizeof f, "%%%s%sl%c", sp->flags, sp->width, sp->conv);
        str_printf(out, f, (unsigned long)v);
        break;
    }
    }
}

/**
 * Describes an invalid conversion: its text and, for common mistakes where C's printf differs, the
 * reason.
 */
static void say_no_conversion(char wrong[VM_FORMAT_WRONG], const char *s)
{
    enum { LONGEST = 24 };
    size_t n = 1 + strspn(s + 1, "-+ #0");
    n += strspn(s + n, "0123456789.*vhlLjzt");
    if (s[n] && strchr("diouxXfFeEgGaAcspn", s[n])) n++;
    const char *v = memchr(s, 'v', n), *after = v ? v + 1 + strspn(v + 1, "0123456789") : s;
    const int number = v ? (int)strspn(after, "0123456789.")
                         : 0; // width and precision in the wrong position
    const int at = snprintf(wrong, VM_FORMAT_WRONG,
                            "'%.*s' in the format is not a valid conversion",
                            n < LONGEST ? (int)n : LONGEST, s);
    wrong += at;
    const size_t room = (size_t)(VM_FORMAT_WRONG - at);
    if (memchr(s, '*', n))
        snprintf(wrong, room, ": OpenCL's printf has no * for width or precision");
    else if (number && n < LONGEST)
        snprintf(wrong, room,
                 ": the vector's size comes after width and precision, as in '%.*s%.*s%.*s%.*s'",
                 (int)(v - s), s, number, after, (int)(after - v), v, (int)(s + n - after) - number,
                 after + number);
    else if (v)
        snprintf(
            wrong, room,
            ": after v come 2, 3, 4, 8 or 16, then hh, h, hl or l, then the conversion letter");
    else if (strstr(s, "ll") && strstr(s, "ll") < s + n)
        snprintf(wrong, room, ": OpenCL's long is a single l");
}

/** Describes the first argument, the n-th one, that its conversion does not accept. */
static void say_misfit(char wrong[VM_FORMAT_WRONG], const struct vm_format_value *a, uint32_t n,
                       const char *from, const char *end)
{
    static const char *const types[] = {"8-bit integer",  "16-bit integer", "32-bit integer",
                                        "64-bit integer", "float",          "double"};
    if (*wrong) return;
    snprintf(wrong, VM_FORMAT_WRONG, "'%.*s' does not fit argument %u, a %s%s", (int)(end - from),
             from, n, types[a->type], a->ncomp > 1 ? " vector" : "");
}

static void put_value(struct str *out, const struct spec *sp, const struct vm_format_value *a,
                      const struct vm_printf_call *call)
{
    for (unsigned j = 0; j < a->ncomp; j++) {
        if (j) str_put_char(out, ',');
        if (sp->conv == 's' && a->type < BC_F32) {
            struct str t = {0};
            call->text(call->context, a->bits[j], &t);
            put_text(out, sp, str_text(&t));
            str_deinit(&t);
        } else {
            put_one(out, sp, (enum bc_type)a->type, a->bits[j]);
        }
    }
}

bool vm_format(struct str *out, const struct vm_printf_call *call, char wrong[VM_FORMAT_WRONG])
{
    uint32_t next = 0;
    *wrong = 0;
    for (const char *s = call->format; *s;) {
        if (*s != '%') {
            const size_t n = strcspn(s, "%");
            str_put_n(out, s, n);
            s += n;
            continue;
        }
        if (s[1] == '%') {
            str_put_char(out, '%');
            s += 2;
            continue;
        }
        struct spec sp;
        const char *end = parse(s + 1, &sp);
        if (!end || next == call->nargs) {
            if (!end) say_no_conversion(wrong, s);
            else
                snprintf(wrong, VM_FORMAT_WRONG,
                         "the format has more conversions than there are arguments (%u)",
                         call->nargs);
            str_put(out, s);
            return false;
        }
        const struct vm_format_value *a = &call->args[next++];
        if (!fits(&sp, a)) say_misfit(wrong, a, next, s, end);
        put_value(out, &sp, a, call);
        s = end;
    }
    if (!*wrong && next < call->nargs)
        snprintf(wrong, VM_FORMAT_WRONG, "%u arguments are left over by the format",
                 call->nargs - next);
    return !*wrong;
}
