// SPDX-License-Identifier: MIT
// How a struct lies in memory, on the device and in C programs that declare it with other types.
#include "check/struct_layout.h"

#include "base/str.h"

#include <string.h>

struct extent {
    uint64_t size, align;
    bool known;
};

static uint32_t strip(const struct bc_module *m, uint32_t t)
{
    while (m->dtypes[t].kind == BC_T_TYPEDEF || m->dtypes[t].kind == BC_T_CONST)
        t = m->dtypes[t].base;
    return t;
}

static uint64_t up(uint64_t at, uint64_t align) { return (at + align - 1) / align * align; }

static struct extent extent_of(const struct bc_module *m, uint32_t type, enum chk_layout how);

/** Of the members before number n of a struct or union: where that one begins. */
static struct extent part_of(const struct bc_module *m, const struct bc_dtype *t, uint32_t n,
                             enum chk_layout how)
{
    struct extent all = {0, 1, true};
    for (uint32_t i = 0; i < t->nmembers && i <= n; i++) {
        const struct bc_member *x = &m->members[t->first_member + i];
        const struct extent e = extent_of(m, x->type, how);
        if (!e.known || x->bits) return (struct extent){0};
        const uint64_t at = t->kind == BC_T_UNION ? 0 : up(all.size, e.align);
        if (e.align > all.align) all.align = e.align;
        if (i == n) return (struct extent){at, all.align, true};
        if (at + e.size > all.size) all.size = at + e.size;
    }
    all.size = up(all.size, all.align);
    return all;
}

static struct extent extent_of(const struct bc_module *m, uint32_t type, enum chk_layout how)
{
    const struct bc_dtype *t = &m->dtypes[strip(m, type)];
    struct extent e = {t->size, how == CHK_LAYOUT_PACKED ? 1 : t->size, true};
    switch (t->kind) {
    case BC_T_BOOL:
    case BC_T_INT:
    case BC_T_UINT:
    case BC_T_FLOAT:
    case BC_T_ENUM:
    case BC_T_POINTER: return e;
    case BC_T_VECTOR:
        if (how == CHK_LAYOUT_DEVICE) return e; // fall through
    case BC_T_ARRAY:
        e = extent_of(m, t->base, how);
        e.size *= t->count;
        return e;
    case BC_T_STRUCT:
    case BC_T_UNION: return part_of(m, t, t->nmembers, how);
    default: return (struct extent){0};
    }
}

uint32_t chk_struct_named(const struct bc_module *m, const char *name)
{
    const bool is_tag = str_starts(name, "struct ");
    if (is_tag) name += strlen("struct ");
    for (uint32_t k = 1; k < m->ndtypes; k++) {
        const struct bc_dtype *t = &m->dtypes[k];
        if (t->kind == (is_tag ? BC_T_STRUCT : BC_T_TYPEDEF) && !strcmp(bc_str(m, t->name), name) &&
            m->dtypes[strip(m, k)].kind == BC_T_STRUCT)
            return strip(m, k);
    }
    return 0;
}

/** An attribute (packed, aligned) may give it another layout, of which nothing is known here. */
static bool is_natural(const struct bc_module *m, const struct bc_dtype *t)
{
    for (uint32_t i = 0; i < t->nmembers; i++) {
        const struct extent e = part_of(m, t, i, CHK_LAYOUT_DEVICE);
        if (!e.known || e.size != m->members[t->first_member + i].offset) return false;
    }
    return part_of(m, t, t->nmembers, CHK_LAYOUT_DEVICE).size == t->size;
}

uint64_t chk_struct_size(const struct bc_module *m, uint32_t type, enum chk_layout layout)
{
    const struct bc_dtype *t = &m->dtypes[type];
    if (layout == CHK_LAYOUT_DEVICE) return t->size;
    return is_natural(m, t) ? part_of(m, t, t->nmembers, layout).size : 0;
}

const char *chk_struct_text(const struct bc_module *m, struct arena *a, uint32_t type,
                            enum chk_layout layout)
{
    const struct bc_dtype *t = &m->dtypes[type];
    struct str s = {0};
    for (uint32_t i = 0; i < t->nmembers; i++) {
        const struct bc_member *x = &m->members[t->first_member + i];
        const uint64_t at = layout == CHK_LAYOUT_DEVICE ? x->offset : part_of(m, t, i, layout).size;
        str_printf(&s, "%s%s at %llu", i ? ", " : "", bc_str(m, x->name), (unsigned long long)at);
    }
    const char *text = arena_strdup(a, str_text(&s));
    str_deinit(&s);
    return text;
}
