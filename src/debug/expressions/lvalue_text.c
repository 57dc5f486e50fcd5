// SPDX-License-Identifier: MIT
// From an address to the expression of the source that names it.
#include "debug/expressions/lvalue_text.h"

#include "debug/session/focus.h"

#include <string.h>

#define LL(x) ((unsigned long long)(x))

/** The variable that lies in the object, or the pointer parameter that got the object; or NULL. */
static const struct bc_var *variable_of(const struct bc_module *m, uint64_t id, bool *is_pointer)
{
    const uint32_t object = (uint32_t)id - 1;
    *is_pointer = object >= m->nobjects;
    const struct bc_kernel *k = dbg_launch.run->l->kernel;
    const char *name = dbg_launch.run->chk.objects[id].name;
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct bc_var *v = &m->vars[i];
        if (!*is_pointer && v->object == object) return v;
        if (*is_pointer && name && v->is_param && m->objects[v->object].fn == k->fn &&
            !strcmp(bc_str(m, v->name), name))
            return v;
    }
    return NULL;
}

static const struct dbg_member *member_at(const struct dbg_type *t, uint64_t off, uint64_t size)
{
    for (unsigned i = 0; i < t->nmembers; i++) {
        const struct dbg_member *x = &t->members[i];
        if (!x->bits && off >= x->offset && off + size <= x->offset + dbg_strip(x->type)->size)
            return x;
    }
    return NULL;
}

static const struct dbg_type *part_of_array(struct str *out, const struct dbg_type *base,
                                            uint64_t off, uint64_t size);

/** Components of a vector: ".y", ".xy", ".s4". */
static const struct dbg_type *components(struct str *out, const struct dbg_type *t, uint64_t off,
                                         uint64_t size)
{
    const uint64_t each = dbg_element(t)->size, first = off / each, n = size / each;
    if (off % each || size % each || first + n > t->count) return NULL;
    str_put(out, t->count > 4 ? ".s" : ".");
    for (uint64_t i = first; i < first + n; i++)
        str_put_char(out, (t->count > 4 ? "0123456789abcdef" : "xyzw")[i]);
    return n == 1 ? t->base : dbg_type_array(t->base, n);
}

/** Appends the path to the part of a value of type t; NULL: no type has these bytes. */
static const struct dbg_type *descend(struct str *out, const struct dbg_type *type, uint64_t off,
                                      uint64_t size)
{
    const struct dbg_type *t = dbg_strip(type);
    const bool is_3 = t->kind == BC_T_VECTOR && t->count == 3; // its last element is padding
    if (!off && (size == t->size || (is_3 && size == 3 * dbg_element(t)->size))) return type;
    if (t->kind == BC_T_VECTOR) return components(out, t, off, size);
    if (t->kind == BC_T_ARRAY) return part_of_array(out, t->base, off, size);
    const struct dbg_member *x =
        t->kind == BC_T_STRUCT || t->kind == BC_T_UNION ? member_at(t, off, size) : NULL;
    if (!x) return NULL;
    str_printf(out, ".%s", x->name);
    return descend(out, x->type, off - x->offset, size);
}

/** An element of an array of `base`, a part of one, or several. */
static const struct dbg_type *part_of_array(struct str *out, const struct dbg_type *base,
                                            uint64_t off, uint64_t size)
{
    const uint64_t each = dbg_strip(base)->size;
    if (!each) return NULL;
    str_printf(out, "[%llu]", LL(off / each));
    if (off % each + size <= each) return descend(out, base, off % each, size);
    if (off % each || size % each) return NULL;
    str_printf(out, "@%llu", LL(size / each));
    return dbg_type_array(base, size / each);
}

const struct dbg_type *dbg_put_lvalue(struct str *out, struct vm_gang *g, uint64_t address,
                                      uint64_t size)
{
    const struct bc_module *m = g->code->module;
    const struct dbg_module *d = dbg_module_of(m);
    if (vm_is_raw(address)) address = vm_svm_resolve(g, address, address);
    const uint64_t id = address >> BC_PTR_ID_SHIFT, off = (uint64_t)vm_offset_of(address);
    const struct dbg_type *type = NULL;
    struct str text = {0};
    bool is_pointer;
    const struct bc_var *v =
        d && id && id < dbg_launch.run->chk.nobjects ? variable_of(m, id, &is_pointer) : NULL;
    if (v) {
        str_put(&text, bc_str(m, v->name));
        type = &d->types[v->type];
        if (is_pointer) {
            const struct dbg_type *t = dbg_strip(type);
            const struct dbg_type *el = t->kind == BC_T_POINTER ? dbg_strip(t->base) : NULL;
            type = el && el->size ? part_of_array(&text, t->base, off, size) : NULL;
        } else {
            type = descend(&text, type, off, size);
        }
    }
    if (type) {
        str_put(out, str_text(&text));
    } else {
        const char *name = id < dbg_launch.run->chk.nobjects ? dbg_launch.run->chk.objects[id].name
                                                             : NULL;
        str_printf(out, "%llu byte%s of %s%s%s at offset %llu", LL(size), size == 1 ? "" : "s",
                   name ? "'" : "", name ? name : "a temporary", name ? "'" : "", LL(off));
    }
    str_deinit(&text);
    return type;
}
