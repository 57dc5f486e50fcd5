// SPDX-License-Identifier: MIT
#include "devices/snapshot.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

struct part {
    void *at;
    char *data; // its contents
    uint64_t size;
};
struct written {
    struct vm_written *of, was;
};
struct dev_snapshot {
    VEC(struct part) parts;
    VEC(struct written) written; // the bytes are parts
};

const void *dev_snapshot_of(const struct dev_snapshot *s, const void *p)
{
    for (size_t i = 0; i < s->parts.len; i++)
        if (s->parts.data[i].at == p) return s->parts.data[i].data;
    return NULL;
}

static bool take(struct dev_snapshot *s, void *at, uint64_t size)
{
    if (!at || !size || dev_snapshot_of(s, at)) return true;
    char *data = mem_try_alloc(size, 128);
    if (!data) return false;
    memcpy(data, at, size);
    vec_push(&s->parts, ((struct part){at, data, size}));
    return true;
}

static bool take_buffer(struct dev_snapshot *s, const struct vm_buffer *b)
{
    struct vm_written *w = b->written;
    if (w && b->host && !dev_snapshot_of(s, w->bytes)) {
        vec_push(&s->written, ((struct written){w, *w}));
        if (!take(s, w->bytes, b->root_size)) return false;
    }
    return take(s, b->host, b->root_size);
}

static bool is_memory(const struct bc_arg *a)
{
    return a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE;
}

static bool is_written(const struct vm_launch *l, const struct bc_arg *decl, const void *root)
{
    for (uint32_t i = 0; i < l->kernel->nargs; i++)
        if (is_memory(&decl[i]) && decl[i].may_write && l->args[i].buffer.root == root) return true;
    return false;
}

struct dev_snapshot *dev_snapshot_take(const struct vm_launch *l, const struct bc_module *m,
                                       char *(*variable)(void *program, uint32_t object),
                                       void *program)
{
    struct dev_snapshot *s = mem_alloc(sizeof *s);
    const struct bc_arg *decl = m->args + l->kernel->first_arg;
    bool ok = true;
    for (uint32_t i = 0; i < l->kernel->nargs && ok; i++)
        if (is_memory(&decl[i]) && is_written(l, decl, l->args[i].buffer.root))
            ok = take_buffer(s, &l->args[i].buffer);
    for (uint32_t i = 0; i < l->nsvm && ok; i++) ok = take_buffer(s, &l->svm[i]);
    for (uint32_t i = 0; i < m->nobjects && ok; i++)
        if (m->objects[i].kind == BC_OBJ_PROGRAM)
            ok = take(s, variable(program, i), m->objects[i].size);
    if (ok) return s;
    dev_snapshot_free(s);
    return NULL;
}

void dev_snapshot_restore(const struct dev_snapshot *s)
{
    for (size_t i = 0; i < s->parts.len; i++)
        memcpy(s->parts.data[i].at, s->parts.data[i].data, s->parts.data[i].size);
    for (size_t i = 0; i < s->written.len; i++) *s->written.data[i].of = s->written.data[i].was;
}

void dev_snapshot_free(struct dev_snapshot *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->parts.len; i++) free(s->parts.data[i].data);
    vec_free(&s->parts);
    vec_free(&s->written);
    free(s);
}
