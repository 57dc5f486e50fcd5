// SPDX-License-Identifier: MIT
// Memory: objects, each with its bytes and for every bit whether it was ever written. An address is
// a number: the object's id in the high bits, the offset (biased, so that it may be negative) in
// the low ones. Local memory has ids of its own that mean another object in each work-group; where
// such an address is in memory or a number, the id says which (published, received).
#include "walker.h"

#include <stdlib.h>
#include <string.h>

enum { OFFSET_BITS = 40, FIRST_ID = 64, SLOT_BITS = 6, OF_GROUP_BIT = 23 };
#define BIAS (1ull << (OFFSET_BITS - 1))

static struct object **objects;
static uint32_t nobjects = FIRST_ID, room;

uint64_t local_address(unsigned slot)
{
    if (slot + 1 >= FIRST_ID) give_up("too many local variables");
    return ((uint64_t)(slot + 1) << OFFSET_BITS) + BIAS;
}
uint64_t object_address(const struct object *o) { return ((uint64_t)o->id << OFFSET_BITS) + BIAS; }

static struct object *make(const char *name, int space, uint64_t size, bool defined)
{
    struct object *o = calloc(1, sizeof *o);
    *o = (struct object){.name = name, .space = space, .size = size};
    o->bytes = calloc(size + 1, 1);
    o->undef = malloc(size + 1);
    memset(o->undef, defined ? 0 : 0xff, size + 1);
    o->path = calloc(size + 1, sizeof *o->path);
    return o;
}

struct object *object_new(const char *name, int space, uint64_t size, bool defined)
{
    if (nobjects >= room) objects = realloc(objects, (room = nobjects * 2) * sizeof *objects);
    if (nobjects >> OF_GROUP_BIT) give_up("too many objects");
    struct object *o = make(name, space, size, defined);
    o->id = nobjects;
    return objects[nobjects++] = o;
}

void object_free(struct object *o)
{
    races_of(o);
    free(o->bytes);
    free(o->undef);
    free(o->path);
    o->bytes = o->undef = NULL;
    o->path = NULL;
    o->freed = true;
}

void objects_races(void)
{
    for (uint32_t i = FIRST_ID; i < nobjects; i++)
        if (!objects[i]->freed) races_of(objects[i]);
}

void object_locals(struct group *g)
{
    g->locals = calloc(L.nlocals + 1, sizeof *g->locals);
    for (unsigned i = 0; i < L.nlocals; i++) {
        g->locals[i] = make(L.locals[i].name, LOCAL, L.locals[i].size, false);
        g->locals[i]->id = i + 1;
        g->locals[i]->group = g->number;
    }
}

uint64_t published(const struct item *w, uint64_t address)
{
    const uint64_t id = address >> OFFSET_BITS;
    if (!id || id > L.nlocals) return address;
    if (w->group->number >> (OF_GROUP_BIT - SLOT_BITS)) give_up("too many groups");
    const uint64_t group = 1ull << OF_GROUP_BIT | (uint64_t)w->group->number << SLOT_BITS;
    return address | group << OFFSET_BITS;
}

uint64_t received(const struct item *w, uint64_t address)
{
    const uint64_t own = (1ull << OF_GROUP_BIT | (uint64_t)w->group->number << SLOT_BITS)
                         << (OFFSET_BITS - SLOT_BITS) << SLOT_BITS,
                   which = ~0ull << (OFFSET_BITS + SLOT_BITS);
    return (address & which) == own ? address & ~which : address;
}

/** The object of an id that says its work-group. */
static struct object *of_group(uint64_t id)
{
    const uint64_t slot = id & (FIRST_ID - 1), group = (id ^ (1ull << OF_GROUP_BIT)) >> SLOT_BITS;
    if (!slot || slot > L.nlocals || group >= L.ngroups || !L.groups[group].locals) return NULL;
    return L.groups[group].locals[slot - 1];
}

struct object *object_at(const struct item *w, uint64_t address, int64_t *off)
{
    const uint64_t id = address >> OFFSET_BITS;
    *off = (int64_t)(address & (BIAS * 2 - 1)) - (int64_t)BIAS;
    if (id >> OF_GROUP_BIT) return of_group(id);
    if (!id || id >= nobjects) return NULL;
    if (id < FIRST_ID) return id <= L.nlocals ? w->group->locals[id - 1] : NULL;
    return objects[id];
}

struct object *object_check(struct item *w, const struct insn *in, struct sc p, uint64_t off,
                            uint64_t size, unsigned align, int space, bool is_write)
{
    int64_t base;
    struct object *o = object_at(w, p.v, &base);
    if (p.u) undefined(w, in, p, "address");
    const int64_t at = base + (int64_t)off;
    if (!o) {
        finding(p.v >> OFFSET_BITS ? "address-space" : "null-dereference", in, NULL, "error");
        return NULL;
    }
    if ((o->space == PRIVATE && o->owner != w->number) ||
        (o->space == LOCAL && o->group != w->group->number)) {
        finding("address-space", in, o->name, "error"); // of another work-item or work-group
        return NULL;
    }
    if (o->freed) {
        finding("use-after-release", in, o->name, "error");
        return NULL;
    }
    if (space < GENERIC && space != o->space) {
        finding("address-space", in, o->name, "error");
        return NULL;
    }
    if (at < 0 || (uint64_t)at > o->size || size > o->size - (uint64_t)at) {
        finding("out-of-bounds", in, o->name, "error");
        return NULL;
    }
    if (align > 1 && (uint64_t)base % align) finding("misaligned-access", in, o->name, "error");
    if (!is_write && o->write_only) finding("write-only-read", in, o->name, "warning");
    if (is_write && o->constant) {
        finding("read-only-write", in, o->name, "error");
        return NULL;
    }
    return o;
}

struct sc object_get(const struct object *o, uint64_t off, unsigned bytes)
{
    struct sc s = {0};
    memcpy(&s.v, o->bytes + off, bytes);
    memcpy(&s.u, o->undef + off, bytes);
    for (unsigned i = 0; s.u && i < bytes; i++) {
        if (!o->undef[off + i]) continue;
        s.path = path_through(o->path[off + i], o->name);
        break;
    }
    return s;
}

void object_put(struct object *o, uint64_t off, unsigned bytes, struct sc v)
{
    if (memcmp(o->bytes + off, &v.v, bytes)) L.changes++;
    memcpy(o->bytes + off, &v.v, bytes);
    memcpy(o->undef + off, &v.u, bytes);
    for (unsigned i = 0; i < bytes; i++) o->path[off + i] = v.u ? v.path : 0;
}

/** The bytes from the first to the last component that is meant. */
static void span(const struct type *t, uint64_t mask, uint64_t *from, uint64_t *to)
{
    *from = UINT64_MAX;
    *to = 0;
    for (unsigned i = 0; i < t->n; i++) {
        if (i < 64 && !(mask >> i & 1)) continue;
        if (t->cells[i].off < *from) *from = t->cells[i].off;
        if (t->cells[i].off + t->cells[i].bytes > *to) *to = t->cells[i].off + t->cells[i].bytes;
    }
}

void load(struct item *w, const struct insn *in, struct sc p, struct type *t, uint64_t mask,
          unsigned align, int space, struct sc *out)
{
    uint64_t from, to;
    memset(out, 0, t->n * sizeof *out);
    span(t, mask, &from, &to);
    if (to <= from) return;
    struct object *o = object_check(w, in, p, from, to - from, align, space, false);
    if (!o) return;
    int64_t base;
    object_at(w, p.v, &base);
    for (unsigned i = 0; i < t->n; i++) {
        if (i < 64 && !(mask >> i & 1)) continue;
        const uint64_t at = (uint64_t)base + t->cells[i].off;
        out[i] = object_get(o, at, t->cells[i].bytes);
        if (t->cells[i].kind == 'p') out[i].v = received(w, out[i].v);
        if (t->cells[i].bits < 64)
            out[i].v &= (1ull << t->cells[i].bits) - 1, out[i].u &= (1ull << t->cells[i].bits) - 1;
        accessed(w, in, o, at, t->cells[i].bytes, READ);
    }
}

void store(struct item *w, const struct insn *in, struct sc p, struct type *t, uint64_t mask,
           unsigned align, int space, const struct sc *v)
{
    uint64_t from, to;
    span(t, mask, &from, &to);
    if (to <= from) return;
    struct object *o = object_check(w, in, p, from, to - from, align, space, true);
    if (!o) return;
    int64_t base;
    object_at(w, p.v, &base);
    for (unsigned i = 0; i < t->n; i++) {
        if (i < 64 && !(mask >> i & 1)) continue;
        const uint64_t at = (uint64_t)base + t->cells[i].off;
        struct sc now = v[i];
        if (t->cells[i].kind == 'p') now.v = published(w, now.v);
        object_put(o, at, t->cells[i].bytes, now);
        accessed(w, in, o, at, t->cells[i].bytes, WRITE);
        if (!v[i].u || o->space != GLOBAL) continue;
        undefined(w, in, v[i], "stored");
        now.u = 0; // reported once: it does not spread from here
        now.path = 0;
        object_put(o, at, t->cells[i].bytes, now);
    }
}

/** Members that a struct lacks are reported where it is copied to a buffer; padding is not missed.
 */
static bool lacks_members(struct item *w, const struct insn *in, const struct object *o, int64_t at,
                          uint64_t n)
{
    struct type *t[2] = {NULL, NULL};
    bool any = false;
    for (unsigned k = 0; k < 2; k++) {
        t[k] = code_pointee(LLVMGetOperand(in->v, k));
        if (t[k] && t[k]->size != n) t[k] = NULL;
    }
    const struct type *of = t[0] ? t[0] : t[1];
    for (unsigned i = 0; of && n <= 1024 && i < of->n; i++) {
        const struct cell *c = &of->cells[i];
        bool skip = c->in_union;
        for (unsigned k = 0; t[1] && k < t[1]->n; k++)
            skip |= t[1]->cells[k].in_union && t[1]->cells[k].off < c->off + c->bytes &&
                    c->off < t[1]->cells[k].off + t[1]->cells[k].bytes;
        const struct sc v = object_get(o, (uint64_t)at + c->off, c->bytes);
        if (skip || !v.u) continue;
        undefined(w, in, v, "stored");
        any = true;
    }
    return any;
}

void copy_bytes(struct item *w, const struct insn *in, struct sc to, struct sc from, uint64_t n)
{
    if (!n) return;
    struct object *a = object_check(w, in, from, 0, n, 1, GENERIC + 1, false);
    struct object *b = object_check(w, in, to, 0, n, 1, GENERIC + 1, true);
    if (!b) return;
    int64_t x, y;
    object_at(w, from.v, &x);
    object_at(w, to.v, &y);
    for (uint64_t i = 0; !a && i < n; i++)
        object_put(b, (uint64_t)y + i, 1, (struct sc){0}); // what is outside reads as 0
    if (!a) {
        accessed(w, in, b, (uint64_t)y, n, WRITE);
        return;
    }
    if (a == b && x != y && x < y + (int64_t)n && y < x + (int64_t)n)
        finding("overlapping-copy", in, NULL, "warning");
    accessed(w, in, a, (uint64_t)x, n, READ);
    const bool told = b->space == GLOBAL && lacks_members(w, in, a, x, n);
    for (uint64_t i = 0; i < n; i++) {
        struct sc v = object_get(a, (uint64_t)x + i, 1);
        if (told) v.u = 0; // it does not spread from here
        object_put(b, (uint64_t)y + i, 1, v);
    }
    accessed(w, in, b, (uint64_t)y, n, WRITE);
}

void set_bytes(struct item *w, const struct insn *in, struct sc to, struct sc byte, uint64_t n)
{
    struct object *b = n ? object_check(w, in, to, 0, n, 1, GENERIC + 1, true) : NULL;
    if (!b) return;
    int64_t y;
    object_at(w, to.v, &y);
    for (uint64_t i = 0; i < n; i++) object_put(b, (uint64_t)y + i, 1, byte);
    accessed(w, in, b, (uint64_t)y, n, WRITE);
}

void undefined(struct item *w, const struct insn *in, struct sc v, const char *how)
{
    (void)w;
    finding_undefined(in, v, how);
}
