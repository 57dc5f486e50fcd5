// SPDX-License-Identifier: MIT
// A buffer whose size is not a multiple of the struct that the kernel has in it: host and device
// may lay it out differently.
#include "check/place.h"

#include <ctype.h>
#include <string.h>

/** "float3*": host and device have the same layout, one element after the other. */
static bool is_of_scalars(const char *type)
{
    static const char *const names[] = {"char",   "uchar",  "short", "ushort", "int",
                                        "uint",   "long",   "ulong", "half",   "float",
                                        "double", "size_t", "void",  "bool"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (!strncmp(type, names[i], n) && !isalpha((unsigned char)type[n]) && type[n] != '_')
            return true;
    }
    return !strncmp(type, "unsigned ", 9);
}

/** Bytes of the struct: the largest step of an index from the argument; 0: not indexed. */
static uint64_t struct_size(const struct chk_launch *l, const char *name)
{
    const struct bc_module *m = l->module;
    int64_t size = 0;
    for (uint32_t i = 1; i < m->nsites; i++) {
        const struct bc_mem *s = &m->sites[i];
        if (s->fn == l->kernel->fn && s->index_kind != BC_IDX_NONE && s->scale > size &&
            s->pointer && !strcmp(bc_str(m, s->pointer), name))
            size = s->scale;
    }
    return (uint64_t)size;
}

const char *chk_layout_note(const struct chk_launch *l, uint32_t id, struct arena *a)
{
    const struct bc_module *m = l->module;
    const struct chk_object *o = id < l->nobjects ? &l->objects[id] : NULL;
    if (!o || !o->is_arg || !o->name || o->image.pixel || o->packets.size || id <= m->nobjects)
        return NULL;
    const struct bc_arg *arg = &m->args[l->kernel->first_arg + id - m->nobjects - 1];
    const char *type = bc_str(m, arg->type);
    const size_t n = strcspn(type, "*");
    if (arg->kind != BC_ARG_BUFFER || !type[n] || is_of_scalars(type)) return NULL;
    const uint64_t size = struct_size(l, o->name);
    if (!size || o->size % size == 0) return NULL;
    return arena_printf(
        a,
        "its size is not a multiple of %llu bytes, which '%.*s' has in the kernel: the "
        "host may lay it out differently (in OpenCL C, a vector of 3 elements takes "
        "the space of 4, long has 8 bytes, and members are aligned to their size)",
        (unsigned long long)size, (int)n, type);
}
