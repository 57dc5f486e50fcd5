// SPDX-License-Identifier: MIT
// Values as text: what print shows.
#include "debug/kernel_value.h"

#include "bytecode/pipe_head.h"
#include "debug/session.h"
#include "interp/definedness/undef.h"

#include <math.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))
enum { REPEATS = 10, MAX_DEPTH = 20, MOST_MEMBERS = 100000 };

static void put_float(struct str *out, const struct dbg_type *t, double d)
{
    if (d != d) str_put(out, signbit(d) ? "-nan" : "nan");
    else if (isinf(d)) str_put(out, d < 0 ? "-inf" : "inf");
    else str_printf(out, "%.*g", t->size == 8 ? 17 : t->size == 4 ? 9 : 5, d);
}

static void put_char(struct str *out, int c)
{
    if (c == '\'' || c == '\\') str_printf(out, "'\\%c'", c);
    else if (c >= 32 && c < 127) str_printf(out, "'%c'", c);
    else if (c == '\n') str_put(out, "'\\n'");
    else str_printf(out, "'\\%03o'", c & 255);
}

/** A number by a format letter; false when the letter is for something else. */
static bool put_formatted(struct str *out, const struct dbg_type *t, const uint8_t *bytes,
                          char letter)
{
    uint64_t x = 0;
    const unsigned n = (unsigned)(t->size < 8 ? t->size : 8);
    memcpy(&x, bytes, n);
    struct dbg_type as = {.size = n};
    switch (letter) {
    case 'x': str_printf(out, "0x%llx", LL(x)); return true;
    case 'z': str_printf(out, "0x%0*llx", (int)(2 * n), LL(x)); return true;
    case 'o': str_printf(out, x ? "0%llo" : "0", LL(x)); return true;
    case 't':
        for (unsigned k = 8 * n, any = 0; k-- > 0;)
            if (any || x >> k & 1 || !k) any = 1, str_put_char(out, '0' + (x >> k & 1));
        return true;
    case 'd':
        as.kind = BC_T_INT;
        str_printf(
            out, "%lld",
            (long long)(t->kind == BC_T_FLOAT ? dbg_as_int(t, bytes) : dbg_as_int(&as, bytes)));
        return true;
    case 'u':
        as.kind = BC_T_UINT;
        str_printf(out, "%llu", LL(t->kind == BC_T_FLOAT ? (uint64_t)dbg_as_int(t, bytes) : x));
        return true;
    case 'c':
        str_printf(out, "%d ", (int)(int8_t)x);
        put_char(out, (int)(x & 255));
        return true;
    case 'a': str_printf(out, "0x%llx", LL(x)); return true;
    case 'f':
        if (t->kind == BC_T_FLOAT) put_float(out, t, dbg_as_float(t, bytes));
        else if (n == 4 || n == 8)
            as.kind = BC_T_FLOAT, put_float(out, &as, dbg_as_float(&as, bytes));
        else str_printf(out, "%lld", (long long)dbg_as_int(t, bytes));
        return true;
    default: return false;
    }
}

// A pointer is shown by what it points to: `(float *) &tmp[3]`.
static void put_pointer(struct str *out, const struct dbg_type *t, uint64_t p)
{
    struct str type = {0};
    dbg_type_put(&type, t);
    str_printf(out, "(%s) ", str_text(&type));
    str_deinit(&type);
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    if (!p || !dbg.run || id >= dbg.run->chk.nobjects || !dbg.run->chk.objects[id].name ||
        !(int64_t)id) {
        str_printf(out, "0x%llx", LL(p));
        return;
    }
    const struct chk_object *o = &dbg.run->chk.objects[id];
    const int64_t off = vm_offset_of(p);
    const uint64_t size = t->base && t->base->size ? t->base->size : 1;
    if (o->image.pixel) str_printf(out, "%s", o->name);
    else if (!off && o->size == size) str_printf(out, "&%s", o->name);
    else if (off % (int64_t)size == 0)
        str_printf(out, "&%s[%lld]", o->name, (long long)(off / (int64_t)size));
    else str_printf(out, "(char *) &%s + %lld", o->name, (long long)off);
    if (off < 0 || (uint64_t)off + size > o->size)
        str_printf(out, " <outside: '%s' has %llu bytes>", o->name, LL(o->size));
}

static void put_sampler(struct str *out, uint64_t bits)
{
    static const char *const modes[8] = {
        "NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT", "MIRRORED_REPEAT", "?", "?", "?"};
    str_printf(out, "<sampler: CLK_NORMALIZED_COORDS_%s | CLK_ADDRESS_%s | CLK_FILTER_%s>",
               bits & 1 ? "TRUE" : "FALSE", modes[bits >> 1 & 7],
               bits & 0x20 ? "LINEAR" : "NEAREST");
}

static void put_pipe(struct str *out, struct vm_gang *g, uint64_t p, const char *name)
{
    struct bc_pipe_head h;
    struct err *e = dbg_read(g, p, &h, sizeof h);
    if (e) str_printf(out, "<pipe 0x%llx: %s>", LL(p), err_message(e));
    else
        str_printf(out, "<%s: %d packets of %u bytes to read, room for %d more>",
                   name ? name : "pipe", h.ready, h.size, h.space);
    err_free(e);
}

struct shown {
    struct vm_gang *g;
    uint64_t address;       // of the bytes, 0: not in memory, and what is "at" is counted from 0
    const uint8_t *written; // those of them; NULL: all
    const struct dbg_format *f;
    uint64_t left;    // elements still to show
    unsigned members; // and members, however they lie in one another: more than anybody reads
    bool shorten;
};

static bool is_unwritten(const struct shown *s, uint64_t at, uint64_t size)
{
    bool any = s->address && dbg_is_undefined(s->g, at, size);
    for (uint64_t i = 0; s->written && i < size; i++) any |= s->written[at + i] != VM_WRITTEN;
    return any;
}

static void put_bytes(struct str *out, struct shown *s, const struct dbg_type *t,
                      const uint8_t *bytes, uint64_t at, unsigned depth);

static void put_elements(struct str *out, struct shown *s, const struct dbg_type *el, uint64_t n,
                         const uint8_t *bytes, uint64_t at, unsigned depth, bool fold)
{
    str_put_char(out, '{');
    for (uint64_t i = 0; i < n;) {
        if (!s->left) {
            str_put(out, "...");
            break;
        }
        struct str one = {0};
        put_bytes(&one, s, el, bytes + i * el->size, at + i * el->size, depth + 1);
        uint64_t same = 1;
        while (fold && i + same < n &&
               !memcmp(bytes + (i + same) * el->size, bytes + i * el->size, el->size) && s->left) {
            if (s->address || s->written) { // what was never written is not the same as what was
                struct str other = {0};
                put_bytes(&other, s, el, bytes + (i + same) * el->size, at + (i + same) * el->size,
                          depth + 1);
                const bool equal = !strcmp(str_text(&other), str_text(&one));
                str_deinit(&other);
                if (!equal) break;
            }
            same++;
        }
        const bool repeat = same >= REPEATS;
        for (uint64_t k = 0; k < (repeat ? 1 : same); k++)
            str_printf(out, "%s%s", i + k ? ", " : "", str_text(&one));
        if (repeat) str_printf(out, " <repeats %llu times>", LL(same));
        str_deinit(&one);
        i += same;
        const uint64_t shown = repeat ? 1 : same;
        const uint8_t kind = dbg_strip(el)->kind;
        if (kind != BC_T_ARRAY && kind != BC_T_VECTOR) s->left -= shown < s->left ? shown : s->left;
    }
    str_put_char(out, '}');
}

static void put_bytes(struct str *out, struct shown *s, const struct dbg_type *t,
                      const uint8_t *bytes, uint64_t at, unsigned depth)
{
    t = dbg_strip(t);
    if (depth > MAX_DEPTH) {
        str_put(out, "{...}");
        return;
    }
    const bool leaf = t->kind != BC_T_ARRAY && t->kind != BC_T_VECTOR && t->kind != BC_T_STRUCT &&
                      t->kind != BC_T_UNION;
    if (leaf && is_unwritten(s, at, t->size)) {
        str_put(out, "<uninitialized>");
        return;
    }
    if (s->f && s->f->letter && leaf && put_formatted(out, t, bytes, s->f->letter)) return;
    switch (t->kind) {
    case BC_T_VOID: str_put(out, "void"); break;
    case BC_T_BOOL: str_put(out, *bytes ? "true" : "false"); break;
    case BC_T_INT:
    case BC_T_ENUM: str_printf(out, "%lld", (long long)dbg_as_int(t, bytes)); break;
    case BC_T_UINT: str_printf(out, "%llu", LL(dbg_as_int(t, bytes))); break;
    case BC_T_FLOAT: put_float(out, t, dbg_as_float(t, bytes)); break;
    case BC_T_POINTER: {
        uint64_t p;
        memcpy(&p, bytes, 8);
        put_pointer(out, t, p);
        break;
    }
    case BC_T_VECTOR:
        put_elements(out, s, dbg_strip(t->base), t->count, bytes, at, depth, false);
        break;
    case BC_T_ARRAY: put_elements(out, s, t->base, t->count, bytes, at, depth, true); break;
    case BC_T_STRUCT:
    case BC_T_UNION:
        str_put_char(out, '{');
        for (unsigned i = 0; i < t->nmembers && s->members; i++, s->members--) {
            const struct dbg_member *m = &t->members[i];
            if (dbg.print_pretty)
                str_printf(out, "%s\n%*s%s = ", i ? "," : "", (int)(2 * depth + 2), "", m->name);
            else str_printf(out, "%s%s = ", i ? ", " : "", m->name);
            if (m->bits) {
                struct dbg_value v = {.type = m->type};
                uint64_t x = 0;
                const uint64_t n = m->type->size < 8 ? m->type->size : 8;
                memcpy(&x, bytes + m->offset, n);
                x = x >> m->bit & ~0ull >> (64 - m->bits);
                if (dbg_strip(m->type)->kind == BC_T_INT && x >> (m->bits - 1) & 1)
                    x |= ~(~0ull >> (64 - m->bits));
                memcpy(v.bytes, &x, n);
                dbg_value_put(out, NULL, &v, s->f);
            } else {
                put_bytes(out, s, m->type, bytes + m->offset, at + m->offset, depth + 1);
            }
        }
        if (dbg.print_pretty) str_printf(out, "\n%*s", (int)(2 * depth), "");
        str_put_char(out, '}');
        break;
    default: { // an image, a sampler, a pipe: named by its argument
        uint64_t p;
        memcpy(&p, bytes, 8);
        const uint64_t id = p >> BC_PTR_ID_SHIFT;
        const struct chk_object *o =
            dbg.run && id && id < dbg.run->chk.nobjects ? &dbg.run->chk.objects[id] : NULL;
        if (o && o->image.pixel)
            str_printf(out, "<%s: %llu x %llu x %llu, %u bytes a pixel>",
                       o->name ? o->name : "image", LL(o->image.size[0]), LL(o->image.size[1]),
                       LL(o->image.size[2]), o->image.pixel);
        else if (t->name && !strcmp(t->name, "sampler_t")) put_sampler(out, p);
        else if (t->name && !strcmp(t->name, "pipe")) put_pipe(out, s->g, p, o ? o->name : NULL);
        else str_printf(out, "<%s 0x%llx>", t->name ? t->name : "opaque", LL(p));
    }
    }
}

void dbg_value_put(struct str *out, struct vm_gang *g, const struct dbg_value *v,
                   const struct dbg_format *f)
{
    struct arena a = {0};
    struct dbg_value x = *v;
    struct shown s = {.g = g,
                      .f = f,
                      .written = v->in_memory ? NULL : v->written,
                      .members = MOST_MEMBERS,
                      .left = dbg.print_elements ? dbg.print_elements : UINT64_MAX,
                      .address = v->in_memory && !v->ncomp && !v->bits ? v->address : 0};
    struct err *e = dbg_value_load(g, &x, &a);
    if (v->unwritten) {
        str_put(out, "<uninitialized>");
        err_free(e);
    } else if (e) {
        str_printf(out, "<%s>", err_message(e));
        err_free(e);
    } else {
        put_bytes(out, &s, x.type, x.big ? x.big : x.bytes, s.address, 0);
    }
    arena_deinit(&a);
}

void dbg_value_put_short(struct str *out, struct vm_gang *g, const struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    struct str s = {0};
    if (t->kind == BC_T_STRUCT || t->kind == BC_T_UNION || t->kind == BC_T_ARRAY) {
        str_put(out, "...");
        return;
    }
    dbg_value_put(&s, g, v, NULL);
    const char *text = str_text(&s),
               *behind_type = t->kind == BC_T_POINTER ? strstr(text, ") ") : NULL;
    const char *colon = *text == '<' ? strchr(text, ':')
                                     : NULL; // an image, a sampler, a pipe: its name
    if (colon) str_printf(out, "%.*s>", (int)(colon - text), text);
    else str_put(out, behind_type ? behind_type + 2 : text);
    str_deinit(&s);
}
