// SPDX-License-Identifier: MIT
// A buffer whose size is not a multiple of the kernel's struct: host and device may have different
// layouts.
#include "check/place.h"
#include "check/struct_layout.h"

#include <ctype.h>
#include <string.h>

enum { MOST_MEMBERS = 16 }; // of a struct whose layouts are shown

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

/** The size of the struct: the largest step of an index from the argument; 0: not indexed. */
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

/** The layout that the host is likely to have, other than the device's; 0: none. */
static enum chk_layout host_layout(const struct bc_module *m, uint32_t type, uint64_t bytes)
{
    static const enum chk_layout likely[] = {CHK_LAYOUT_ARRAYS, CHK_LAYOUT_PACKED};
    const uint64_t own = m->dtypes[type].size;
    enum chk_layout first = CHK_LAYOUT_DEVICE;
    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
        const uint64_t size = chk_struct_size(m, type, likely[i]);
        if (!size || size == own) continue;
        if (bytes % size == 0) return likely[i];
        if (!first) first = likely[i];
    }
    return first;
}

/** "c at 0, f at 16, i at 32; a host struct with …", or NULL */
static const char *layouts_text(const struct bc_module *m, struct arena *a, const char *name,
                                uint64_t bytes)
{
    static const char *const host[] = {
        [CHK_LAYOUT_ARRAYS] = "with arrays instead of vectors (float[3] instead of cl_float3)",
        [CHK_LAYOUT_PACKED] = "without padding"};
    const uint32_t type = chk_struct_named(m, name);
    if (!type || m->dtypes[type].nmembers > MOST_MEMBERS) return NULL;
    const char *own = chk_struct_text(m, a, type, CHK_LAYOUT_DEVICE);
    const enum chk_layout h = host_layout(m, type, bytes);
    if (!h)
        return arena_printf(
            a, "%s; a C compiler lays out %s", own,
            chk_struct_size(m, type, CHK_LAYOUT_ARRAYS)
                ? "the same members of cl_… types (cl_long, not long) the same way"
                : "such members in the same way only with the same types and attributes");
    return arena_printf(a, "%s; a host struct %s has %llu bytes: %s", own, host[h],
                        (unsigned long long)chk_struct_size(m, type, h),
                        chk_struct_text(m, a, type, h));
}

const char *chk_layout_note(const struct chk_launch *l, uint32_t id, struct arena *a)
{
    const struct bc_module *m = l->module;
    const struct chk_object *o = id < l->nobjects ? &l->objects[id] : NULL;
    if (!o || !o->is_arg || !o->name || o->image.pixel || o->packets.size || id <= m->nobjects ||
        l->inherited)
        return NULL;
    const struct bc_arg *arg = &m->args[l->kernel->first_arg + id - m->nobjects - 1];
    const char *type = bc_str(m, arg->type);
    const size_t n = strcspn(type, "*");
    if (arg->kind != BC_ARG_BUFFER || !type[n] || is_of_scalars(type)) return NULL;
    const uint64_t size = struct_size(l, o->name);
    if (!size || o->size % size == 0) return NULL;
    const char *name = arena_printf(a, "%.*s", (int)n, type),
               *layouts = layouts_text(m, a, name, o->size);
    if (layouts)
        return arena_printf(a,
                            "its size is not a multiple of %llu bytes, which '%s' has in the "
                            "kernel (%s)",
                            (unsigned long long)size, name, layouts);
    return arena_printf(
        a,
        "its size is not a multiple of %llu bytes, which '%s' has in the kernel: the "
        "host may lay it out differently (in OpenCL C, a vector of 3 elements takes "
        "the space of 4, long has 8 bytes, and members are aligned to their size)",
        (unsigned long long)size, name);
}
