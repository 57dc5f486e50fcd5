// SPDX-License-Identifier: MIT
// Values as text, for print.
#include "bytecode/pipe_head.h"
#include "debug/expressions/kernel_value.h"
#include "debug/session/focus.h"
#include "debug/session/session_settings.h"
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

/** Formats a number by a format letter; false: the letter does not format numbers. */
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
static void put_pointer(struct str *out, struct vm_gang *g, const struct dbg_type *t, uint64_t p)
{
    p = dbg_authenticated(g, p);
    struct str type = {0};
    dbg_type_put(&type, t);
    str_printf(out, "(%s) ", str_text(&type));
    str_deinit(&type);
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    if (!p || !dbg_launch.run || id >= dbg_launch.run->chk.nobjects ||
        !dbg_launch.run->chk.objects[id].name || !(int64_t)id) {
        const uint32_t foreign = dbg_launch.run ? vm_signed_of(dbg_launch.run, p).object : 0;
        const char *name = foreign ? dbg_launch.run->chk.objects[foreign].name : NULL;
        str_printf(out, "0x%llx", LL(p));
        if (name) str_printf(out, " <into '%s' of another work-item or work-group>", name);
        return;
    }
    const struct chk_object *o = &dbg_launch.run->chk.objects[id];
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
    uint64_t address;       // of the bytes; 0: not in memory, and offsets begin at 0
    const uint8_t *written; // those of them; NULL: all
    const struct dbg_format *f;
    uint64_t left;    // elements still to show
    unsigned members; // limit of members, including nested ones
    bool shorten;
};

static bool is_unwritten(const struct shown *s, uint64_t at, uint64_t size)
{
    bool any = s->address && dbg_is_uninitialized(s->g, at, size);
    for (uint64_t i = 0; s->written && i < size; i++) any |= s->written[at + i] != VM_WRITTEN;
    return any;
}

/**
 * The text for bytes that are not defined, at this address if it is not 0. The variables of
 * work-items that ran together and have returned are not kept.
 */
static const char *undefined_text(struct vm_gang *g, uint64_t address)
{
    if (!dbg_focus.ran_together) return "<uninitialized>";
    if (!address) return "<uninitialized or not kept>";
    return vm_object_of(g, address)->kind == VM_OBJ_PRIVATE ? "<not kept>" : "<uninitialized>";
}

/** Bytes of a value, their address (or offset, as in struct shown), and nesting depth. */
struct part {
    const uint8_t *bytes;
    uint64_t at;
    unsigned depth;
};

static struct part inner(struct part p, uint64_t offset)
{
    return (struct part){p.bytes + offset, p.at + offset, p.depth + 1};
}

static void put_part(struct str *out, struct shown *s, const struct dbg_type *t, struct part p);

/** The number of elements from i on that look like the first of them, `text`. */
static uint64_t count_same(struct shown *s, const struct dbg_type *el, uint64_t n, struct part p,
                           const char *text)
{
    uint64_t same = 1;
    for (; same < n && s->left && !memcmp(p.bytes + same * el->size, p.bytes, el->size); same++) {
        if (!s->address && !s->written) continue;
        struct str other = {0}; // uninitialized elements differ from initialized ones
        struct part x = inner(p, same * el->size);
        x.depth = p.depth;
        put_part(&other, s, el, x);
        const bool equal = !strcmp(str_text(&other), text);
        str_deinit(&other);
        if (!equal) break;
    }
    return same;
}

/** fold: counts repeated elements. */
static void put_elements(struct str *out, struct shown *s, const struct dbg_type *t, struct part p,
                         bool fold)
{
    const struct dbg_type *el = fold ? t->base : dbg_strip(t->base);
    const uint8_t kind = dbg_strip(el)->kind;
    str_put_char(out, '{');
    for (uint64_t i = 0; i < t->count;) {
        if (!s->left) {
            str_put(out, "...");
            break;
        }
        struct str one = {0};
        const struct part x = inner(p, i * el->size);
        put_part(&one, s, el, x);
        const uint64_t same = fold ? count_same(s, el, t->count - i, x, str_text(&one)) : 1;
        const bool repeat = same >= REPEATS;
        for (uint64_t k = 0; k < (repeat ? 1 : same); k++)
            str_printf(out, "%s%s", i + k ? ", " : "", str_text(&one));
        if (repeat) str_printf(out, " <repeats %llu times>", LL(same));
        str_deinit(&one);
        i += same;
        const uint64_t shown = repeat ? 1 : same;
        if (kind != BC_T_ARRAY && kind != BC_T_VECTOR) s->left -= shown < s->left ? shown : s->left;
    }
    str_put_char(out, '}');
}

static void put_bit_field(struct str *out, const struct shown *s, const struct dbg_member *m,
                          const uint8_t *bytes)
{
    struct dbg_value v = {.type = m->type};
    uint64_t x = 0;
    const uint64_t n = m->type->size < 8 ? m->type->size : 8;
    memcpy(&x, bytes, n);
    x = x >> m->bit & ~0ull >> (64 - m->bits);
    if (dbg_strip(m->type)->kind == BC_T_INT && x >> (m->bits - 1) & 1)
        x |= ~(~0ull >> (64 - m->bits));
    memcpy(v.bytes, &x, n);
    dbg_value_put(out, NULL, &v, s->f);
}

static void put_members(struct str *out, struct shown *s, const struct dbg_type *t, struct part p)
{
    str_put_char(out, '{');
    for (unsigned i = 0; i < t->nmembers && s->members; i++, s->members--) {
        const struct dbg_member *m = &t->members[i];
        if (dbg_settings.print_pretty)
            str_printf(out, "%s\n%*s%s = ", i ? "," : "", (int)(2 * p.depth + 2), "", m->name);
        else str_printf(out, "%s%s = ", i ? ", " : "", m->name);
        if (m->bits) put_bit_field(out, s, m, p.bytes + m->offset);
        else put_part(out, s, m->type, inner(p, m->offset));
    }
    if (dbg_settings.print_pretty) str_printf(out, "\n%*s", (int)(2 * p.depth), "");
    str_put_char(out, '}');
}

/** An image, a sampler or a pipe: named by its argument. */
static void put_opaque(struct str *out, struct shown *s, const struct dbg_type *t,
                       const uint8_t *bytes)
{
    uint64_t p;
    memcpy(&p, bytes, 8);
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    const struct chk_object *o = dbg_launch.run && id && id < dbg_launch.run->chk.nobjects
                                     ? &dbg_launch.run->chk.objects[id]
                                     : NULL;
    if (o && o->image.pixel)
        str_printf(out, "<%s: %llu x %llu x %llu, %u bytes a pixel>", o->name ? o->name : "image",
                   LL(o->image.size[0]), LL(o->image.size[1]), LL(o->image.size[2]),
                   o->image.pixel);
    else if (t->name && !strcmp(t->name, "sampler_t")) put_sampler(out, p);
    else if (t->name && !strcmp(t->name, "pipe")) put_pipe(out, s->g, p, o ? o->name : NULL);
    else str_printf(out, "<%s 0x%llx>", t->name ? t->name : "opaque", LL(p));
}

/** The name, or the number if there is none. */
static void put_enumerator(struct str *out, const struct dbg_type *t, int64_t v)
{
    const uint64_t mask = t->size < 8 ? (1ull << 8 * t->size) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < t->nmembers; i++)
        if (!((t->members[i].offset ^ (uint64_t)v) & mask)) {
            str_put(out, t->members[i].name);
            return;
        }
    str_printf(out, "%lld", (long long)v);
}

static void put_part(struct str *out, struct shown *s, const struct dbg_type *t, struct part p)
{
    uint64_t pointer;
    t = dbg_strip(t);
    if (p.depth > MAX_DEPTH) {
        str_put(out, "{...}");
        return;
    }
    const bool leaf = t->kind != BC_T_ARRAY && t->kind != BC_T_VECTOR && t->kind != BC_T_STRUCT &&
                      t->kind != BC_T_UNION;
    if (leaf && is_unwritten(s, p.at, t->size)) {
        str_put(out, undefined_text(s->g, s->address ? p.at : 0));
        return;
    }
    const bool formatted = s->f && s->f->letter && (!s->f->integers_only || dbg_is_integer(t));
    if (formatted && leaf && put_formatted(out, t, p.bytes, s->f->letter)) return;
    switch (t->kind) {
    case BC_T_VOID: str_put(out, "void"); break;
    case BC_T_BOOL: str_put(out, *p.bytes ? "true" : "false"); break;
    case BC_T_ENUM: put_enumerator(out, t, dbg_as_int(t, p.bytes)); break;
    case BC_T_INT: str_printf(out, "%lld", (long long)dbg_as_int(t, p.bytes)); break;
    case BC_T_UINT: str_printf(out, "%llu", LL(dbg_as_int(t, p.bytes))); break;
    case BC_T_FLOAT: put_float(out, t, dbg_as_float(t, p.bytes)); break;
    case BC_T_POINTER:
        memcpy(&pointer, p.bytes, 8);
        put_pointer(out, s->g, t, pointer);
        break;
    case BC_T_VECTOR: put_elements(out, s, t, p, false); break;
    case BC_T_ARRAY: put_elements(out, s, t, p, true); break;
    case BC_T_STRUCT:
    case BC_T_UNION: put_members(out, s, t, p); break;
    default: put_opaque(out, s, t, p.bytes);
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
                      .left = dbg_settings.print_elements ? dbg_settings.print_elements
                                                          : UINT64_MAX,
                      .address = v->in_memory && !v->ncomp && !v->bits ? v->address : 0};
    struct err *e = dbg_value_load(g, &x, &a);
    if (v->unwritten) {
        str_put(out, undefined_text(g, s.address));
        err_free(e);
    } else if (e) {
        str_printf(out, "<%s>", err_message(e));
        err_free(e);
    } else {
        put_part(out, &s, x.type, (struct part){x.big ? x.big : x.bytes, s.address, 0});
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
