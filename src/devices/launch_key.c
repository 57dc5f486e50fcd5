// SPDX-License-Identifier: MIT
#include "devices/launch_key.h"

#include <string.h>

static void put(struct str *s, uint64_t x) { str_put_n(s, (const char *)&x, sizeof x); }

/**
 * A buffer: its size and place in the allocation, and which allocation it is, by the first argument
 * that lies in the same one.
 */
static void put_buffer(struct str *s, const struct vm_launch *l, const struct bc_arg *decl,
                       uint32_t arg)
{
    const struct vm_buffer *b = &l->args[arg].buffer;
    uint32_t first = 0;
    while (decl[first].kind != BC_ARG_BUFFER || l->args[first].buffer.root != b->root) first++;
    put(s, b->host != NULL);
    put(s, b->size);
    put(s, b->offset);
    put(s, b->root_size);
    put(s, first);
    put(s, (uint64_t)b->read_only | (uint64_t)b->write_only << 1);
}

void dev_launch_key(const struct vm_launch *l, const struct bc_module *m,
                    const struct bc_dependence *d, struct str *out)
{
    const struct bc_arg *decl = m->args + l->kernel->first_arg;
    put(out, l->kernel - m->kernels);
    put(out, l->dims);
    put(out, l->sub_group);
    for (unsigned k = 0; k < 3; k++) {
        put(out, l->offset[k]);
        put(out, l->global[k]);
        put(out, l->local[k]);
    }
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        if (decl[i].kind == BC_ARG_BUFFER) put_buffer(out, l, decl, i);
        if (decl[i].kind == BC_ARG_LOCAL) put(out, l->args[i].local_size);
        if ((decl[i].kind == BC_ARG_VALUE || decl[i].kind == BC_ARG_STRUCT) && d->args[i])
            str_put_n(out, l->args[i].value, decl[i].size);
    }
}

// ---- bytes that are written: 0 in vm_written.bytes are those that are not, 0xff those that are

bool dev_is_unwritten(const struct vm_buffer *b)
{
    if (!b->written) return false;
    const uint8_t *p = b->written->bytes + b->offset;
    return !b->size || (!p[0] && !memcmp(p, p + 1, b->size - 1));
}

void dev_written_count(const struct vm_buffer *b)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < b->root_size; i++) missing += !b->written->bytes[i];
    __atomic_store_n(&b->written->missing, missing, __ATOMIC_RELAXED);
}

void dev_written_take(struct dev_written *w, const struct vm_buffer *b)
{
    const uint8_t *p = b->written->bytes + b->offset, *end = p + b->size, *at = p;
    w->ranges.len = 0;
    w->is_known = true;
    while (at && at < end) {
        const uint8_t *from = at;
        while (from < end && !*from) from++;
        if (from == end) break;
        const uint8_t *to = memchr(from, 0, (size_t)(end - from));
        vec_push(&w->ranges,
                 ((struct dev_range){(uint64_t)(from - p), (uint64_t)((to ? to : end) - p)}));
        at = to;
    }
}

void dev_written_mark(const struct dev_written *w, const struct vm_buffer *b)
{
    if (!b->written) return;
    uint64_t fresh = 0;
    for (size_t k = 0; k < w->ranges.len; k++) {
        uint8_t *p = b->written->bytes + b->offset + w->ranges.data[k].from,
                *end = b->written->bytes + b->offset + w->ranges.data[k].to;
        for (const uint8_t *q = p; q < end; q++) fresh += !*q;
        memset(p, 0xff, (size_t)(end - p));
    }
    __atomic_fetch_sub(&b->written->missing, fresh, __ATOMIC_RELAXED);
}

void dev_written_deinit(struct dev_written *w) { vec_free(&w->ranges); }
