// SPDX-License-Identifier: MIT
// The part of the Itanium C++ ABI's mangling (§5.1) that clang uses for OpenCL's builtins on
// spir64:
//
//   name        _Z <length> <identifier> <type>+
//   type        v b c a h s t i j l m x y f d Dh          the scalars; `a` is signed char, as `c`
//                                                         here
//               Dv <n> _ <type>                           a vector
//               P <type>                                  a pointer
//               U 3AS<n> <type>, U 7_Atomic <type>        address space, _Atomic
//               V K r <type>                              volatile, const, restrict
//               <length> <identifier>                     12memory_order, 9ocl_event,
//                                                         14ocl_image2d_ro, …
//               S_ S<base 36>_                            a type seen before (a substitution)
//
// Every compound type and every named type is remembered for later substitution, in the order in
// which its mangling ends; address space and V, K, r in front of one type make one entry together.
#include "builtins/mangle.h"

#include <string.h>

enum { MAX_SUBST = 24, MAX_DEPTH = 16 };

struct parser {
    const char *p;
    struct bi_type subst[MAX_SUBST];
    unsigned nsubst, depth;
};

static bool number(struct parser *s, unsigned *n)
{
    if (*s->p < '0' || *s->p > '9') return false;
    for (*n = 0; *s->p >= '0' && *s->p <= '9'; s->p++) {
        *n = *n * 10 + (unsigned)(*s->p - '0');
        if (*n > 4096) return false;
    }
    return true;
}

static bool identifier(struct parser *s, const char **text, unsigned *len)
{
    if (!number(s, len) || *len == 0 || strnlen(s->p, *len) < *len) return false;
    *text = s->p;
    s->p += *len;
    return true;
}

static bool is_word(const char *text, unsigned len, const char *word)
{
    return strlen(word) == len && !memcmp(text, word, len);
}

static bool remember(struct parser *s, const struct bi_type *t)
{
    if (s->nsubst == MAX_SUBST) return false;
    s->subst[s->nsubst++] = *t;
    return true;
}

static bool substitution(struct parser *s, struct bi_type *t)
{
    unsigned n = 0;
    if (*s->p != '_') {
        for (; *s->p != '_'; s->p++) {
            unsigned digit = *s->p >= '0' && *s->p <= '9'   ? (unsigned)(*s->p - '0')
                             : *s->p >= 'A' && *s->p <= 'Z' ? (unsigned)(*s->p - 'A' + 10)
                                                            : 99;
            if (digit == 99 || n > MAX_SUBST) return false;
            n = n * 36 + digit;
        }
        n++;
    }
    s->p++;
    if (n >= s->nsubst) return false;
    *t = s->subst[n];
    return true;
}

static const struct {
    char letter;
    uint8_t scalar;
} letters[] = {
    {'v', BI_VOID},  {'b', BI_BOOL},   {'c', BI_CHAR},  {'a', BI_CHAR},  {'h', BI_UCHAR},
    {'s', BI_SHORT}, {'t', BI_USHORT}, {'i', BI_INT},   {'j', BI_UINT},  {'l', BI_LONG},
    {'m', BI_ULONG}, {'x', BI_LONG},   {'y', BI_ULONG}, {'f', BI_FLOAT}, {'d', BI_DOUBLE},
};

static bool scalar(struct parser *s, struct bi_type *t)
{
    for (unsigned i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (*s->p != letters[i].letter) continue;
        s->p++;
        *t = (struct bi_type){.scalar = letters[i].scalar, .width = 1};
        return true;
    }
    return false;
}

static bool type(struct parser *s, struct bi_type *t);

// Address space and V, K, r, then the type: all of them are one entry for substitution.
static bool qualified(struct parser *s, struct bi_type *t)
{
    bool is_volatile = false;
    int space = -1;
    for (;; s->p++) {
        if (*s->p == 'V') {
            is_volatile = true;
        } else if (!strncmp(s->p, "U3AS", 4) && s->p[4] >= '0' && s->p[4] <= '4') {
            space = s->p[4] - '0';
            s->p += 4;
        } else if (*s->p != 'K' && *s->p != 'r') {
            break;
        }
    }
    if (!type(s, t)) return false;
    if (is_volatile) t->is_volatile = true;
    if (space >= 0) t->space = (uint8_t)space; // of what a pointer around this points to
    return remember(s, t);
}

static bool atomic(struct parser *s, struct bi_type *t)
{
    s->p += strlen("U7_Atomic");
    if (!type(s, t)) return false;
    t->is_atomic = true;
    return remember(s, t);
}

// ocl_image2d_array_depth_ro, in SPIR 1.2 ocl_image2darray; false for other types.
static bool image(const char *text, unsigned len, struct bi_type *t)
{
    char name[40];
    if (len < strlen("ocl_image1d") || len >= sizeof name || memcmp(text, "ocl_image", 9))
        return false;
    memcpy(name, text, len);
    name[len] = 0;
    if (name[9] < '1' || name[9] > '3' || name[10] != 'd') return false;
    *t = (struct bi_type){.scalar = BI_IMAGE, .width = 1, .image = (uint8_t)(name[9] - '0')};
    if (strstr(name, "array")) t->image |= BI_IMAGE_IS_ARRAY;
    if (strstr(name, "buffer")) t->image |= BI_IMAGE_IS_BUFFER;
    if (strstr(name, "depth")) t->image |= BI_IMAGE_IS_DEPTH;
    if (strstr(name, "msaa")) t->image |= BI_IMAGE_IS_MSAA;
    return true;
}

static bool compound(struct parser *s, struct bi_type *t)
{
    const char *text;
    unsigned n;
    switch (*s->p) {
    case 'P':
        s->p++;
        if (!type(s, t)) return false;
        if (t->pointers++) t->space = BC_PRIVATE; // the space of an inner pointer is not used
        return remember(s, t);
    case 'U':
        if (!strncmp(s->p, "U7_Atomic", 9)) return atomic(s, t);
        return !strncmp(s->p, "U3AS", 4) && s->p[4] >= '0' && s->p[4] <= '4' && qualified(s, t);
    case 'V':
    case 'K':
    case 'r': return qualified(s, t);
    case 'S': s->p++; return substitution(s, t);
    case 'D':
        if (s->p[1] == 'h') {
            s->p += 2;
            *t = (struct bi_type){.scalar = BI_HALF, .width = 1};
            return true;
        }
        if (s->p[1] != 'v') return false;
        s->p += 2;
        if (!number(s, &n) || n < 2 || n > 16 || *s->p++ != '_' || !type(s, t)) return false;
        if (t->width != 1 || t->pointers) return false;
        t->width = (uint8_t)n;
        return remember(s, t);
    default:
        if (!identifier(s, &text, &n)) return false;
        if (image(text, n, t))
            return text[n - 3] != '_' ||
                   remember(s, t); // (_ro, _wo, _rw; in SPIR 1.2 such types are not remembered)
        bool is_enum = is_word(text, n, "memory_order") || is_word(text, n, "memory_scope");
        *t = (struct bi_type){.scalar = is_enum                           ? BI_ENUM
                                        : is_word(text, n, "ocl_event")   ? BI_EVENT
                                        : is_word(text, n, "ocl_sampler") ? BI_SAMPLER
                                                                          : BI_OTHER,
                              .width = 1};
        return remember(s, t);
    }
}

static bool type(struct parser *s, struct bi_type *t)
{
    if (++s->depth > MAX_DEPTH) return false;
    bool ok = scalar(s, t) || compound(s, t);
    s->depth--;
    return ok;
}

bool bi_demangle(const char *mangled, char name[BI_MAX_NAME], struct bi_type arg[BI_MAX_ARGS],
                 unsigned *nargs)
{
    struct parser s = {.p = mangled};
    const char *text;
    unsigned len;
    if (strncmp(s.p, "_Z", 2)) return false;
    s.p += 2;
    if (!identifier(&s, &text, &len) || len >= BI_MAX_NAME) return false;
    memcpy(name, text, len);
    name[len] = 0;
    *nargs = 0;
    if (!strcmp(s.p, "v")) return true;
    do {
        if (*nargs == BI_MAX_ARGS || !type(&s, &arg[*nargs])) return false;
        const struct bi_type *t = &arg[(*nargs)++];
        if (t->scalar == BI_VOID && !t->pointers) return false;
    } while (*s.p);
    return true;
}

static void mangle_type(struct str *out, const struct bi_type *t)
{
    unsigned i = 0;
    if (t->width > 1) str_printf(out, "Dv%u_", t->width);
    if (t->scalar == BI_HALF) {
        str_put(out, "Dh");
        return;
    }
    while (letters[i].scalar != t->scalar && i + 1 < sizeof letters / sizeof *letters) i++;
    str_put_char(out, letters[i].letter);
}

void bi_mangle(struct str *out, const char *name, const struct bi_type *arg, unsigned nargs)
{
    str_printf(out, "_Z%zu%s", strlen(name), name);
    if (nargs == 0) str_put_char(out, 'v');
    struct bi_type seen[BI_MAX_ARGS];
    unsigned nseen = 0;
    for (unsigned k = 0; k < nargs; k++) {
        unsigned i = 0;
        while (i < nseen && (seen[i].scalar != arg[k].scalar || seen[i].width != arg[k].width)) i++;
        if (i < nseen && i == 0) str_put(out, "S_");
        else if (i < nseen) str_printf(out, "S%u_", i - 1);
        else mangle_type(out, &arg[k]);
        if (i == nseen && arg[k].width > 1) seen[nseen++] = arg[k];
    }
}
