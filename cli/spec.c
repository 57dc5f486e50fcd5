// SPDX-License-Identifier: MIT
// What --arg says of an argument:
//   TYPE=V[,V…]         a value: int=5, float4=1,2,3,4 (one number fills all components)
//   {SPEC; SPEC; …}     a struct: its members, values or arrays (TYPE[N]=INIT) or structs, laid out
//                       as in C
//   TYPE[N]=INIT        a buffer of N elements; without N it is as long as the values or the file
//   ro:TYPE[N]=INIT     the same, created with CL_MEM_READ_ONLY; wo: with CL_MEM_WRITE_ONLY
//   local:TYPE[N]       local memory
//   pipe:TYPE[N]=INIT   see pipe_arg.c
//   image:…, sampler=…  see image_arg.c
//   null                a NULL buffer
// INIT: one number (fills), numbers for one element (repeated) or for all, iota, rand[:SEED],
// undef, @FILE.
#include "cli/host.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define INITS "numbers, iota, rand, rand:SEED, undef or @FILE"

/**
 * The text to parse: `text` is that of a member, a copy of the whole argument's from `from` on.
 */
struct spec {
    const char *text, *whole;
    size_t from;
};

/** An error with the argument under it and a mark at the place, which is in the text. */
static struct err *bad(const struct spec *spec, const char *at, struct err *why)
{
    const int column = (int)(spec->from + (size_t)(at - spec->text));
    struct err *e =
        err_new("%s\n    --arg=%s\n          %*s^", err_message(why), spec->whole, column, "");
    err_free(why);
    return e;
}

/** "[N]" or "[]"; *p moves past it. */
static struct err *parse_count(const struct spec *spec, const char **p, bool *given,
                               uint64_t *count)
{
    const char *digits = ++*p;
    char *end;
    *given = isdigit((unsigned char)*digits);
    errno = 0;
    *count = *given ? strtoull(digits, &end, 0) : 0;
    if (*given) *p = end;
    if (errno || (*given && (*count == 0 || *count > 1ull << 40)))
        return bad(spec, digits, err_new("the number of elements must be from 1 to 2^40"));
    if (**p != ']') return bad(spec, *p, err_new("']' is expected after the number of elements"));
    ++*p;
    return NULL;
}

static struct err *allocate(struct cmd_arg *out, uint64_t count)
{
    if (__builtin_mul_overflow(count, cmd_type_size(out->type), &out->size))
        return err_new("there is no memory for %llu elements", (unsigned long long)count);
    return cmd_contents(out->size, &out->data);
}

/** All the numbers of a list, packed without padding. */
static struct err *parse_numbers(const struct spec *spec, const char *p, const struct cmd_scalar *s,
                                 struct str *out, size_t *n)
{
    for (*n = 0;; p++) {
        size_t len = strcspn(p, ",");
        char value[8];
        struct err *e = cmd_value_parse(s, p, len, 0, value);
        if (e) return bad(spec, p, e);
        str_put_n(out, value, s->size);
        ++*n;
        p += len;
        if (!*p) return NULL;
    }
}

/** Fills `count` elements from n numbers: one for all, one element's, or all. */
static void spread(struct cmd_arg *a, uint64_t count, const char *numbers, size_t n)
{
    unsigned size = a->type.scalar->size, ncomp = a->type.ncomp;
    size_t element = cmd_type_size(a->type), k = 0;
    for (uint64_t i = 0; i < count; i++)
        for (unsigned c = 0; c < ncomp; c++, k = k + 1 == n ? 0 : k + 1)
            memcpy((char *)a->data + i * element + c * size, numbers + k * size, size);
}

static struct err *from_numbers(const struct spec *spec, const char *p, struct cmd_arg *a,
                                bool has_count, uint64_t count)
{
    struct str numbers = {0};
    size_t n, ncomp = a->type.ncomp;
    struct err *e = parse_numbers(spec, p, a->type.scalar, &numbers, &n);
    if (!e && !has_count) count = n <= ncomp ? 1 : n / ncomp;
    if (!e && n != 1 && n != ncomp && n != count * ncomp)
        e = bad(spec, p,
                err_new("%zu numbers for %llu element%s of %s%s", n, (unsigned long long)count,
                        count == 1 ? "" : "s", a->type.scalar->name,
                        has_count ? ": give one, or all" : ""));
    if (!e) e = allocate(a, count);
    if (!e) spread(a, count, str_text(&numbers), n);
    str_deinit(&numbers);
    return e;
}

static struct err *from_file(struct arena *arena, const struct spec *spec, const char *p,
                             struct cmd_arg *a, bool has_count, uint64_t count)
{
    char *data;
    size_t size, element = cmd_type_size(a->type);
    struct err *e = cmd_read_file(arena, p + 1, &data, &size);
    if (e) return bad(spec, p, e);
    if (has_count && size != count * element)
        return bad(spec, p,
                   err_new("%s has %zu bytes, the buffer %llu", p + 1, size,
                           (unsigned long long)(count * element)));
    if (size % element || !size)
        return bad(
            spec, p,
            err_new("%s has %zu bytes, not a multiple of the element's %zu", p + 1, size, element));
    e = allocate(a, size / element);
    if (!e) memcpy(a->data, data, size);
    return e;
}

/** splitmix64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/** iota counts the scalars; rand is in [0, 1) for floating point and any value for integers. */
static struct err *from_series(struct cmd_arg *a, uint64_t count, bool random, uint64_t seed)
{
    struct err *e = allocate(a, count);
    if (e) return e;
    const struct cmd_scalar *s = a->type.scalar;
    size_t element = cmd_type_size(a->type);
    uint64_t k = 0;
    for (uint64_t i = 0; i < count; i++)
        for (unsigned c = 0; c < a->type.ncomp; c++, k++) {
            void *at = (char *)a->data + i * element + c * s->size;
            if (!random) cmd_value_from_int(s, k, at);
            else if (s->is_float) // 24 bits: a float holds them, so that 1.0 does not come out
                cmd_value_from_double(s, (double)(next_random(&seed) >> 40) * 0x1p-24, at);
            else cmd_value_from_int(s, next_random(&seed), at);
        }
    return NULL;
}

struct head {      // the parsed begin of an argument: [ro:|wo:|local:|image:|pipe:]TYPE[sizes]
    const char *p; // what follows it
    bool local, image, pipe, has_count;
    uint64_t count;
};

static struct err *parse_init(struct arena *arena, const struct spec *spec, uint64_t seed,
                              const struct head *h, struct cmd_arg *out)
{
    const char *const p = h->p;
    const bool has_count = h->has_count;
    const uint64_t count = h->count;
    bool random = !strcmp(p, "rand") || str_starts(p, "rand:"), iota = !strcmp(p, "iota");
    if (!has_count && (random || iota || !strcmp(p, "undef")))
        return bad(spec, p,
                   err_new("give the number of elements: %s[N]=%s", out->type.scalar->name, p));
    if (!strcmp(p, "undef")) {
        if (__builtin_mul_overflow(count, cmd_type_size(out->type), &out->size))
            return err_new("the buffer is too large");
        return NULL;
    }
    if (str_starts(p, "rand:")) {
        char *end;
        seed = strtoull(p + 5, &end, 0);
        if (*end || end == p + 5) return bad(spec, p + 5, err_new("rand's seed is a number"));
    }
    if (random || iota) return from_series(out, count, random, seed);
    if (*p == '@') return from_file(arena, spec, p, out, has_count, count);
    if (isalpha((unsigned char)*p) && strncasecmp(p, "inf", 3) && strncasecmp(p, "nan", 3))
        return bad(spec, p, err_new(INITS " are expected"));
    return from_numbers(spec, p, out, has_count, count);
}

/** Where the member that begins at p ends: at a ';' or '}' of its own struct, or the text's end. */
static const char *end_of_member(const char *p)
{
    for (unsigned depth = 0; *p; p++) {
        if (*p == '{') depth++;
        else if (depth ? *p == '}' : *p == '}' || *p == ';') {
            if (!depth) break;
            depth--;
        }
    }
    return p;
}

static void put_padding(struct str *bytes, size_t align)
{
    while (bytes->len % align) str_put_char(bytes, 0);
}

static struct err *parse_spec(struct arena *arena, const struct spec *spec, uint64_t seed,
                              struct cmd_arg *out);

/** "{SPEC; SPEC}" as the bytes that C lays out; *align: the struct's. */
static struct err *parse_struct(struct arena *arena, const struct spec *spec, uint64_t seed,
                                unsigned depth, struct cmd_arg *out, size_t *align)
{
    enum { DEEPEST = 16 };
    struct str bytes = {0};
    struct err *e =
        depth > DEEPEST ? bad(spec, spec->text, err_new("structs are nested too deeply")) : NULL;
    const char *p = spec->text;
    *align = 1;
    do {
        p++;
        p += strspn(p, " ");
        const char *const end = end_of_member(p);
        const char *member = arena_printf(arena, "%.*s", (int)(end - p), p);
        const struct spec own_spec = {member, spec->whole, spec->from + (size_t)(p - spec->text)};
        struct cmd_arg m = {0};
        size_t own = 1;
        if (e || (*end == '}' && !*member && bytes.len)) break; // a ';' may end the last one, too
        if (*member == '{') {
            e = parse_struct(arena, &own_spec, seed, depth + 1, &m, &own);
        } else {
            e = parse_spec(arena, &own_spec, seed, &m);
            if (!e && ((m.kind != CMD_ARG_VALUE && m.kind != CMD_ARG_BUFFER) || m.read_only ||
                       m.write_only || !m.data))
                e = bad(
                    spec, p,
                    err_new("a member is a value, as float=1, or an array of values, as int[3]=0"));
            if (!e) own = cmd_type_size(m.type);
        }
        if (!e && m.data) {
            put_padding(&bytes, own);
            str_put_n(&bytes, m.data, m.size);
            if (own > *align) *align = own;
        }
        free(m.data);
        p = end;
    } while (*p == ';');
    if (!e && (*p != '}' || p[1]))
        e = bad(spec, p, err_new(*p ? "unexpected text after '}'" : "'}' is expected"));
    put_padding(&bytes, *align);
    out->size = bytes.len;
    if (!e && bytes.len) out->data = mem_dup(bytes.data, bytes.len);
    str_deinit(&bytes);
    return e ? e : out->size ? NULL : bad(spec, spec->text, err_new("a struct has members"));
}

/** null, same:N and sampler=…; *is_done: it was one of these. */
static struct err *parse_special(const struct spec *spec, struct cmd_arg *out, bool *is_done)
{
    const char *const text = spec->text;
    *is_done = true;
    if (!strcmp(text, "null")) {
        out->kind = CMD_ARG_NULL;
        return NULL;
    }
    if (str_starts(text, "same:")) {
        char *end;
        const unsigned long n = strtoul(text + 5, &end, 10);
        if (text[5] < '0' || text[5] > '9' || *end || n > UINT_MAX)
            return bad(spec, text + 5, err_new("the number of an argument is expected, from 0"));
        out->kind = CMD_ARG_SAME;
        out->same = (unsigned)n;
        return NULL;
    }
    if (str_starts(text, "sampler=")) {
        struct err *why = cmd_sampler_spec(text + 8, out);
        return why ? bad(spec, text + 8, why) : NULL;
    }
    *is_done = false;
    return NULL;
}

static struct err *parse_type(const struct spec *spec, struct head *h, struct cmd_arg *out)
{
    const char *const text = spec->text;
    h->local = str_starts(text, "local:");
    h->image = str_starts(text, "image:");
    h->pipe = str_starts(text, "pipe:");
    out->read_only = str_starts(text, "ro:");
    out->write_only = str_starts(text, "wo:");
    h->p = h->local || h->image                ? text + 6
           : h->pipe                           ? text + 5
           : out->read_only || out->write_only ? text + 3
                                               : text;
    const size_t n = strcspn(h->p, h->image ? "/[=" : "[=");
    out->type = cmd_type_find(h->p, n);
    if (!out->type.scalar) {
        if (!n) return bad(spec, h->p, err_new("a type is expected, as in int=5 or float[64]=0"));
        return bad(spec, h->p, err_new("'%.*s' is not a valid type here", (int)n, h->p));
    }
    h->p += n;
    if (h->image && str_starts(h->p, "/norm")) {
        out->image.norm = true;
        h->p += 5;
    }
    return NULL;
}

static struct err *parse_sizes(const struct spec *spec, struct head *h, struct cmd_arg *out)
{
    h->count = 1;
    if (h->image && *h->p != '[')
        return bad(spec, h->p, err_new("an image has sizes, as in image:float4[64,32]=0"));
    if (h->image) {
        const char *at = h->p;
        out->kind = CMD_ARG_IMAGE;
        h->has_count = true;
        struct err *e = cmd_image_sizes(&h->p, &out->image, &h->count);
        return e ? bad(spec, at, e) : NULL;
    }
    if (*h->p == '[') {
        out->kind = h->local ? CMD_ARG_LOCAL : h->pipe ? CMD_ARG_PIPE : CMD_ARG_BUFFER;
        return parse_count(spec, &h->p, &h->has_count, &h->count);
    }
    if (h->local) return bad(spec, h->p, err_new("'[N]' is expected: local memory has a size"));
    if (h->pipe)
        return bad(spec, h->p, err_new("'[N]' is expected: a pipe has room for N packets"));
    if (out->read_only || out->write_only)
        return bad(spec, h->p,
                   err_new("'[N]' is expected: only a buffer is read-only or write-only"));
    return NULL;
}

/** Local memory and an empty pipe; for others, checks that '=' and a value follow. */
static struct err *parse_without_value(const struct spec *spec, struct head *h, struct cmd_arg *out,
                                       bool *is_done)
{
    const char *const p = h->p;
    *is_done = true;
    if (h->local) {
        if (!h->has_count) return bad(spec, p, err_new("local memory needs a number of elements"));
        if (*p) return bad(spec, p, err_new("local memory has no initial value"));
        out->size = h->count * cmd_type_size(out->type);
        return NULL;
    }
    if (h->pipe && !*p) {
        if (!h->has_count) return bad(spec, p, err_new("an empty pipe needs a number of packets"));
        struct err *e = cmd_pipe_spec(out, h->count);
        return e ? bad(spec, p, e) : NULL;
    }
    *is_done = false;
    if (*p == '=' && p[1]) {
        h->p++;
        return NULL;
    }
    const int so_far = (int)(p - spec->text);
    if (out->kind == CMD_ARG_VALUE)
        return bad(spec, p,
                   err_new("'=' and a value are expected, as in %.*s=5", so_far, spec->text));
    return bad(spec, p,
               err_new("'=' and the content of the %s are expected, as in %.*s=0; instead of "
                       "0: " INITS,
                       out->kind == CMD_ARG_IMAGE ? "image"
                       : h->pipe                  ? "pipe"
                                                  : "buffer",
                       so_far, spec->text));
}

static struct err *parse_spec(struct arena *arena, const struct spec *spec, uint64_t seed,
                              struct cmd_arg *out)
{
    const char *const text = spec->text;
    struct head h = {0};
    bool is_done;
    size_t align;
    *out = (struct cmd_arg){0};
    if (*text == '{') return parse_struct(arena, spec, seed, 0, out, &align);
    struct err *e = parse_special(spec, out, &is_done);
    if (e || is_done) return e;
    if ((e = parse_type(spec, &h, out)) || (e = parse_sizes(spec, &h, out)) ||
        (e = parse_without_value(spec, &h, out, &is_done)) || is_done)
        return e;
    const char *const p = h.p;
    const bool pipe = h.pipe;
    if (pipe && !strcmp(p, "undef"))
        return bad(spec, p, err_new("a pipe's packets have values; an empty one has no '='"));
    if (out->kind != CMD_ARG_VALUE) e = parse_init(arena, spec, seed, &h, out);
    if (pipe && !e && (e = cmd_pipe_spec(out, out->size / cmd_type_size(out->type))))
        e = bad(spec, text, e);
    if (out->kind != CMD_ARG_VALUE) return e;
    return from_numbers(spec, p, out, true, 1);
}

struct err *cmd_spec_parse(struct arena *arena, const char *text, uint64_t seed,
                           struct cmd_arg *out)
{
    return parse_spec(arena, &(struct spec){text, text, 0}, seed, out);
}
