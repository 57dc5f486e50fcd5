// SPDX-License-Identifier: MIT
#include "devices/snapshot.h"

#include "base/mem.h"
#include "base/serialize.h"
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

uint64_t dev_snapshot_hash(const struct dev_snapshot *s, uint64_t seed)
{
    for (size_t i = 0; i < s->parts.len; i++)
        seed = hash_memory(s->parts.data[i].data, s->parts.data[i].size, seed);
    return seed;
}

// ---- changes

enum {
    PIECE = 16 << 20, // approximate limit of the bytes of a piece
    RUN = 1 << 20,    // limit of a run
    SHORT = 24,       // equal bytes inside a run cost less than the head of another run
    STEP = 8
};
/** A run of changed bytes: those that they were, exclusive-or those that they are. */
struct run_head {
    uint64_t part, at, n; // at, n: multiples of STEP, except at the end of the part
};

/** Bytes that are equal from `at` on; whole steps. */
static uint64_t equal_from(const struct part *p, uint64_t at, uint64_t most)
{
    const char *const now = p->at;
    uint64_t n = 0;
    while (n < most && n + STEP <= p->size - at && !memcmp(now + at + n, p->data + at + n, STEP))
        n += STEP;
    if (n < most && p->size - at - n < STEP &&
        !memcmp(now + at + n, p->data + at + n, p->size - at - n))
        n = p->size - at;
    return n;
}

static uint64_t end_of_run(const struct part *p, uint64_t from)
{
    uint64_t at = from;
    while (at < p->size && at - from < RUN) {
        const uint64_t same = equal_from(p, at, SHORT);
        if (same >= SHORT || at + same >= p->size) break;
        at += same + STEP;
    }
    return at < p->size ? at : p->size;
}

bool dev_changes_next(struct dev_changes *c, struct str *out)
{
    const struct dev_snapshot *const s = c->before;
    for (; c->part < s->parts.len; c->part++, c->at = 0) {
        const struct part *const p = &s->parts.data[c->part];
        while (c->at < p->size) {
            if (out->len >= PIECE) return true;
            c->at += equal_from(p, c->at, UINT64_MAX);
            if (c->at >= p->size) break;
            const struct run_head head = {c->part, c->at, end_of_run(p, c->at) - c->at};
            ser_put(out, &head, sizeof head);
            const size_t from = out->len;
            ser_put(out, (const char *)p->at + c->at, head.n);
            for (uint64_t i = 0; i < head.n; i++) out->data[from + i] ^= p->data[c->at + i];
            c->at += head.n;
        }
    }
    return out->len;
}

static uint64_t word(const void *at, unsigned n)
{
    uint64_t x = 0;
    memcpy(&x, at, n);
    return x;
}

/** `now` with what an element changed from `was` to `theirs`. */
static uint64_t reduce(const struct vm_division *d, uint64_t now, uint64_t was, uint64_t theirs)
{
    const unsigned up = 64 - 8 * d->elem; // for signs
    const int64_t a = (int64_t)(now << up), b = (int64_t)(theirs << up);
    switch (d->op) {
    case BC_ATOMIC_AND: return now & theirs;
    case BC_ATOMIC_OR: return now | theirs;
    case BC_ATOMIC_XOR: return now ^ was ^ theirs;
    case BC_ATOMIC_SMIN: return a < b ? now : theirs;
    case BC_ATOMIC_SMAX: return a > b ? now : theirs;
    case BC_ATOMIC_UMIN: return now < theirs ? now : theirs;
    case BC_ATOMIC_UMAX: return now > theirs ? now : theirs;
    default: return now + theirs - was;
    }
}

static void make_run(const struct dev_changes *c, const struct part *p, const struct run_head *h,
                     const char *bytes)
{
    char *const now = (char *)p->at + h->at;
    const char *const was = p->data + h->at;
    const unsigned elem = c->division->elem;
    bool is_reduced = false;
    for (size_t i = 0; i < c->division->reduced.len; i++)
        is_reduced |= c->division->reduced.data[i] == p->at;
    for (uint64_t i = 0; i < h->n && !is_reduced; i++) now[i] ^= bytes[i];
    for (uint64_t i = 0; is_reduced && i + elem <= h->n; i += elem) {
        const uint64_t old = word(was + i, elem), x = reduce(c->division, word(now + i, elem), old,
                                                             old ^ word(bytes + i, elem));
        memcpy(now + i, &x, elem);
    }
}

bool dev_changes_make(const struct dev_changes *c, struct ser_reader *in)
{
    while (!in->is_bad && in->at < in->end) {
        struct run_head h;
        ser_get(in, &h, sizeof h);
        if (in->is_bad || h.part >= c->before->parts.len) return false;
        const struct part *const p = &c->before->parts.data[h.part];
        if (h.at > p->size || h.n > p->size - h.at || h.n > (uint64_t)(in->end - in->at))
            return false;
        make_run(c, p, &h, in->at);
        in->at += h.n;
    }
    return !in->is_bad;
}

void dev_changes_end(const struct dev_changes *c)
{
    for (size_t i = 0; i < c->before->written.len; i++) {
        struct vm_written *const w = c->before->written.data[i].of;
        const struct part *p = c->before->parts.data;
        while (p->at != w->bytes) p++;
        uint64_t missing = 0;
        for (uint64_t k = 0; k < p->size && !w->whole; k++) missing += !w->bytes[k];
        if (!w->whole) w->missing = missing;
    }
}
