// SPDX-License-Identifier: MIT
#include "debug/expressions/type.h"

#include "base/map.h"
#include "debug/session/session.h"

#include <string.h>

#define SCALARS(X)                                                                                 \
    X(BOOL, "bool", 1)                                                                             \
    X(INT, "char", 1)                                                                              \
    X(UINT, "uchar", 1)                                                                            \
    X(INT, "short", 2)                                                                             \
    X(UINT, "ushort", 2)                                                                           \
    X(INT, "int", 4)                                                                               \
    X(UINT, "uint", 4)                                                                             \
    X(INT, "long", 8)                                                                              \
    X(UINT, "ulong", 8)                                                                            \
    X(FLOAT, "half", 2)                                                                            \
    X(FLOAT, "float", 4)                                                                           \
    X(FLOAT, "double", 8)

#define ROW(k, n, s) {.kind = BC_T_##k, .name = n, .size = s},
static const struct dbg_type scalars[] = {SCALARS(ROW)};
#undef ROW
enum { NSCALARS = sizeof scalars / sizeof *scalars, NWIDTHS = 5 };
static const unsigned widths[NWIDTHS] = {2, 3, 4, 8, 16};

#define V(k, n, s, w, at)                                                                          \
    {.kind = BC_T_VECTOR,                                                                          \
     .name = n #w,                                                                                 \
     .size = s * (w == 3 ? 4 : w),                                                                 \
     .count = w,                                                                                   \
     .base = &scalars[at]}
#define VECTORS(k, n, s, at)                                                                       \
    {V(k, n, s, 2, at), V(k, n, s, 3, at), V(k, n, s, 4, at), V(k, n, s, 8, at), V(k, n, s, 16, at)}
static const struct dbg_type vectors[NSCALARS][NWIDTHS] = {
    VECTORS(BOOL, "bool", 1, 0),  VECTORS(INT, "char", 1, 1),     VECTORS(UINT, "uchar", 1, 2),
    VECTORS(INT, "short", 2, 3),  VECTORS(UINT, "ushort", 2, 4),  VECTORS(INT, "int", 4, 5),
    VECTORS(UINT, "uint", 4, 6),  VECTORS(INT, "long", 8, 7),     VECTORS(UINT, "ulong", 8, 8),
    VECTORS(FLOAT, "half", 2, 9), VECTORS(FLOAT, "float", 4, 10), VECTORS(FLOAT, "double", 8, 11),
};
static const struct dbg_type the_void = {.kind = BC_T_VOID, .name = "void", .size = 0};

static const struct {
    const char *alias, *name;
} aliases[] = {
    {"unsigned int", "uint"},   {"unsigned", "uint"},
    {"unsigned char", "uchar"}, {"unsigned short", "ushort"},
    {"unsigned long", "ulong"}, {"size_t", "ulong"},
    {"ptrdiff_t", "long"},      {"intptr_t", "long"},
    {"uintptr_t", "ulong"},     {"signed char", "char"},
    {"signed int", "int"},      {"signed", "int"},
    {"signed short", "short"},  {"signed long", "long"},
    {"long long", "long"},      {"_Bool", "bool"},
    {"_Float16", "half"},
};

static bool same(const char *a, const char *b, size_t n)
{
    return strlen(a) == n && !memcmp(a, b, n);
}

const struct dbg_type *dbg_type_named(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (same(aliases[i].alias, name, n))
            return dbg_type_named(aliases[i].name, strlen(aliases[i].name));
    if (same("void", name, n)) return &the_void;
    for (unsigned i = 0; i < NSCALARS; i++) {
        if (same(scalars[i].name, name, n)) return &scalars[i];
        for (unsigned w = 0; w < NWIDTHS; w++)
            if (same(vectors[i][w].name, name, n)) return &vectors[i][w];
    }
    return NULL;
}

const struct dbg_type *dbg_strip(const struct dbg_type *t)
{
    while (t->kind == BC_T_TYPEDEF || t->kind == BC_T_CONST) t = t->base;
    return t;
}

const struct dbg_type *dbg_element(const struct dbg_type *t)
{
    t = dbg_strip(t);
    return t->kind == BC_T_VECTOR ? dbg_strip(t->base) : t;
}

static unsigned scalar_index(const struct dbg_type *t)
{
    unsigned best = 5;
    for (unsigned i = 0; i < NSCALARS; i++)
        if (scalars[i].kind == t->kind && scalars[i].size == t->size) best = i;
    return best;
}

const struct dbg_type *dbg_type_vector(const struct dbg_type *element, unsigned n)
{
    element = dbg_strip(element);
    if (n == 1) return &scalars[scalar_index(element)];
    for (unsigned w = 0; w < NWIDTHS; w++)
        if (widths[w] == n) return &vectors[scalar_index(element)][w];
    return NULL;
}

/**
 * Types derived by expressions. They are interned and permanent, because values outlive their
 * expressions.
 */
struct dbg_made {
    struct dbg_type type;
    struct dbg_made *next; // of the same base
};

static struct map made_types; // base → struct dbg_made

static const struct dbg_type *made_of(const struct dbg_type *base, uint8_t kind, uint64_t size,
                                      uint64_t count)
{
    uint64_t *list = map_put_ptr(&made_types, base, NULL);
    for (struct dbg_made *m = (struct dbg_made *)(uintptr_t)*list; m; m = m->next)
        if (m->type.kind == kind && m->type.count == count) return &m->type;
    struct dbg_made *m = arena_new(&dbg.arena, struct dbg_made);
    *m = (struct dbg_made){{.kind = kind, .size = size, .count = count, .base = base},
                           (struct dbg_made *)(uintptr_t)*list};
    *list = (uint64_t)(uintptr_t)m;
    return &m->type;
}

const struct dbg_type *dbg_type_pointer(const struct dbg_type *to)
{
    return made_of(to, BC_T_POINTER, 8, 0);
}
const struct dbg_type *dbg_type_array(const struct dbg_type *of, uint64_t n)
{
    return made_of(of, BC_T_ARRAY, n * of->size, n);
}

const struct dbg_type *dbg_types_of(const struct bc_module *m, struct arena *a)
{
    struct dbg_type *all = arena_array(a, struct dbg_type, m->ndtypes + 1);
    for (uint32_t i = 0; i < m->ndtypes; i++) {
        const struct bc_dtype *d = &m->dtypes[i];
        struct dbg_member *members = arena_array(a, struct dbg_member, d->nmembers + 1);
        for (uint32_t k = 0; k < d->nmembers; k++) {
            const struct bc_member *x = &m->members[d->first_member + k];
            members[k] =
                (struct dbg_member){bc_str(m, x->name), &all[x->type], x->offset, x->bit, x->bits};
        }
        all[i] = (struct dbg_type){.kind = d->kind,
                                   .size = d->size,
                                   .count = d->count,
                                   .name = d->name ? bc_str(m, d->name) : NULL,
                                   .base = &all[d->base],
                                   .members = members,
                                   .nmembers = d->nmembers};
        const struct dbg_type *own = d->kind == BC_T_VECTOR && !d->name
                                         ? dbg_type_vector(&all[d->base], (unsigned)d->count)
                                         : NULL;
        if (own) all[i].name = own->name;
    }
    return all;
}

void dbg_type_put(struct str *out, const struct dbg_type *t)
{
    switch (t->kind) {
    case BC_T_CONST:
        if (dbg_strip(t)->kind == BC_T_POINTER) {
            dbg_type_put(out, t->base);
            str_put(out, " const");
        } else {
            str_put(out, "const ");
            dbg_type_put(out, t->base);
        }
        break;
    case BC_T_POINTER: {
        const struct dbg_type *to = t->base;
        unsigned stars = 1;
        for (; to->kind == BC_T_POINTER; to = to->base) stars++;
        struct str inner = {0};
        dbg_type_put(&inner, to);
        const char *bracket = strchr(str_text(&inner), '[');
        const int n = bracket ? (int)(bracket - str_text(&inner)) : (int)inner.len;
        str_printf(out, "%.*s%s%s%.*s%s%s", n, str_text(&inner), bracket ? "" : " ",
                   bracket ? "(" : "", (int)stars, "****************", bracket ? ")" : "",
                   bracket ? bracket : "");
        str_deinit(&inner);
        break;
    }
    case BC_T_ARRAY: {
        const struct dbg_type *e = t;
        while (e->kind == BC_T_ARRAY) e = e->base;
        dbg_type_put(out, e);
        str_put_char(out, ' ');
        for (e = t; e->kind == BC_T_ARRAY; e = e->base)
            str_printf(out, "[%llu]", (unsigned long long)e->count);
        break;
    }
    case BC_T_STRUCT:
    case BC_T_UNION:
    case BC_T_ENUM:
        str_put(out, t->kind == BC_T_UNION ? "union" : t->kind == BC_T_ENUM ? "enum" : "struct");
        str_printf(out, " %s", t->name ? t->name : "{...}");
        break;
    case BC_T_OPAQUE:
        str_put(out, t->name ? t->name : "?");
        if (t->base && t->base->kind != BC_T_VOID) { // a pipe with this packet type
            str_put_char(out, ' ');
            dbg_type_put(out, t->base);
        }
        break;
    default: {
        const struct dbg_type *own = t->name ? dbg_type_named(t->name, strlen(t->name)) : NULL;
        str_put(out, own ? own->name : t->name ? t->name : "?");
    }
    }
}

void dbg_type_put_whole(struct str *out, const struct dbg_type *t)
{
    const struct dbg_type *s = dbg_strip(t), *e = s;
    while (e->kind == BC_T_ARRAY || e->kind == BC_T_POINTER) e = dbg_strip(e->base);
    if (e->kind == BC_T_ENUM && e->nmembers && e == s) {
        int64_t next = 0;
        str_printf(out, "enum %s%s{", e->name ? e->name : "", e->name ? " " : "");
        for (unsigned i = 0; i < e->nmembers; i++, next++) {
            const int64_t v = (int64_t)e->members[i].offset;
            str_printf(out, "%s%s", i ? ", " : "", e->members[i].name);
            if (v != next) str_printf(out, " = %lld", (long long)v);
            next = v;
        }
        str_put_char(out, '}');
        return;
    }
    if (e->kind != BC_T_STRUCT && e->kind != BC_T_UNION) {
        dbg_type_put(out, s);
        return;
    }
    str_printf(out, "%s%s%s {\n", e->kind == BC_T_UNION ? "union" : "struct", e->name ? " " : "",
               e->name ? e->name : "");
    for (unsigned i = 0; i < e->nmembers; i++) {
        const struct dbg_member *m = &e->members[i];
        struct str type = {0};
        dbg_type_put(&type, m->type);
        const char *text = str_text(&type), *bracket = strchr(text, '[');
        const int n = bracket ? (int)(bracket - text) : (int)type.len;
        str_printf(out, "    %.*s%s%s%s", n, text,
                   n && (text[n - 1] == ' ' || text[n - 1] == '*') ? "" : " ", m->name,
                   bracket ? bracket : "");
        if (m->bits) str_printf(out, " : %u", m->bits);
        str_put(out, ";\n");
        str_deinit(&type);
    }
    str_put_char(out, '}');
    if (s->kind == BC_T_POINTER) str_put(out, " *");
    for (; s->kind == BC_T_ARRAY; s = s->base)
        str_printf(out, " [%llu]", (unsigned long long)s->count);
}
