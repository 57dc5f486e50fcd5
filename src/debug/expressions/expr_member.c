// SPDX-License-Identifier: MIT
// Expressions: members of structs and unions, components of vectors.
#include "debug/expressions/expr.h"
#include "debug/expressions/expr_node.h"

#include <ctype.h>
#include <string.h>

/**
 * Components that a swizzle names: `xyzw`, `s01f`, `lo`, `even`… Returns their number; 0: not a
 * swizzle of such a vector.
 */
static unsigned swizzle(const char *name, unsigned n, uint8_t comp[16])
{
    static const char xyzw[] = "xyzw", rgba[] = "rgba", hex[] = "0123456789abcdef";
    const unsigned half = n == 3 ? 2 : n / 2;
    static const char *const parts[] = {"lo", "hi", "even", "odd"};
    for (unsigned p = 0; p < 4; p++) {
        if (strcmp(name, parts[p])) continue;
        for (unsigned i = 0; i < half; i++)
            comp[i] = (uint8_t)(p == 0 ? i : p == 1 ? half + i : p == 2 ? 2 * i : 2 * i + 1);
        return half;
    }
    const char *set = strspn(name, xyzw) == strlen(name)   ? xyzw
                      : strspn(name, rgba) == strlen(name) ? rgba
                                                           : NULL;
    if (!set && (*name == 's' || *name == 'S')) set = hex, name++;
    const unsigned count = (unsigned)strlen(name);
    if (!set || !count || count > 16) return 0;
    for (unsigned i = 0; i < count; i++) {
        const char *at = strchr(set, set == hex ? tolower((unsigned char)name[i]) : name[i]);
        if (!at || (unsigned)(at - set) >= n) return 0;
        comp[i] = (uint8_t)(at - set);
    }
    return count;
}

struct err *dbg_member_of(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v)
{
    const struct dbg_type *t = dbg_strip(v->type);
    if (t->kind == BC_T_VECTOR) {
        uint8_t comp[16];
        const unsigned k = swizzle(n->name, (unsigned)t->count, comp);
        const struct dbg_type *el = dbg_strip(t->base), *r = k ? dbg_type_vector(el, k) : NULL;
        if (!r)
            return BAD(x, n, "There is no component named %s in %s.", n->name,
                       t->name ? t->name : "the vector");
        if (v->in_memory) {
            uint8_t of[16];
            for (unsigned i = 0; i < k; i++) of[i] = v->ncomp ? v->comp[comp[i]] : comp[i];
            v->ncomp = (uint8_t)k;
            memcpy(v->comp, of, sizeof of);
            if (k == 1) v->address += of[0] * el->size, v->ncomp = 0;
            v->type = r;
            return NULL;
        }
        struct dbg_value s = {.type = r};
        for (unsigned i = 0; i < k; i++)
            memcpy(s.bytes + i * el->size, v->bytes + comp[i] * el->size, el->size);
        *v = s;
        return NULL;
    }
    if (t->kind != BC_T_STRUCT && t->kind != BC_T_UNION) {
        struct str type = {0};
        dbg_type_put(&type, v->type);
        struct err *e = BAD(
            x, n, "Attempt to extract a component of a value that is not a structure (it is %s).",
            str_text(&type));
        str_deinit(&type);
        return e;
    }
    for (unsigned i = 0; i < t->nmembers; i++) {
        const struct dbg_member *m = &t->members[i];
        if (strcmp(m->name, n->name)) continue;
        if (v->in_memory) {
            *v = dbg_value_at(m->type, v->address + m->offset);
            v->bit = m->bit;
            v->bits = m->bits;
            return NULL;
        }
        struct dbg_value r = {.type = m->type};
        const uint8_t *from = (v->big ? v->big : v->bytes) + m->offset;
        if (m->type->size <= DBG_MAX_BYTES) memcpy(r.bytes, from, m->type->size);
        else r.big = arena_dup(x->a, from, m->type->size);
        *v = r;
        return NULL;
    }
    return BAD(x, n, "There is no member named %s.", n->name);
}
