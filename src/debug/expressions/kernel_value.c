// SPDX-License-Identifier: MIT
// Values: reading and writing the kernel's memory, and the bytes of numbers.
#include "debug/expressions/kernel_value.h"

#include "base/half.h"
#include "base/mem.h"
#include "debug/session/focus.h"
#include "interp/definedness/undef.h"

#include <math.h>
#include <string.h>

#define LL(x) ((unsigned long long)(x))

struct dbg_write_hooks dbg_write_hooks;

struct dbg_value dbg_value_at(const struct dbg_type *t, uint64_t address)
{
    return (struct dbg_value){.type = t, .in_memory = true, .address = address};
}

struct dbg_value dbg_value_int(const struct dbg_type *t, uint64_t v)
{
    struct dbg_value x = {.type = t};
    dbg_put_number(t, x.bytes, (int64_t)v, 0, false);
    return x;
}

struct dbg_value dbg_value_float(const struct dbg_type *t, double v)
{
    struct dbg_value x = {.type = t};
    dbg_put_number(t, x.bytes, 0, v, true);
    return x;
}

// ---- memory
uint64_t dbg_authenticated(struct vm_gang *g, uint64_t p)
{
    return g ? vm_authenticated(g, dbg_focus.lane, p) : p;
}

static struct err *locate(struct vm_gang *g, uint64_t address, uint64_t size, bool write,
                          const struct vm_object **object, uint64_t *off)
{
    if (!g) return err_new("no kernel is stopped");
    if (!address) return err_new("Cannot access memory at address 0x0 (a null pointer)");
    const uint64_t p = vm_is_raw(address) ? vm_svm_resolve(g, address, address)
                                          : dbg_authenticated(g, address);
    const struct vm_object *o = vm_object_of(g, p);
    const int64_t at = vm_offset_of(p);
    const uint64_t id = p >> BC_PTR_ID_SHIFT;
    const char *name = id < dbg_launch.run->chk.nobjects ? dbg_launch.run->chk.objects[id].name
                                                         : NULL;
    if (vm_signed_of(dbg_launch.run, p).object)
        return err_new("Cannot access memory at address 0x%llx: it belongs to another work-item "
                       "or work-group",
                       LL(address));
    if (o->kind <= VM_OBJ_NONE || (!o->base && o->size))
        return err_new("Cannot access memory at address 0x%llx: no object is there", LL(address));
    if (at < 0 || (uint64_t)at > o->size || size > o->size - (uint64_t)at)
        return err_new("Cannot access %llu byte%s at offset %lld of '%s', which has %llu: outside",
                       LL(size), size == 1 ? "" : "s", (long long)at, name ? name : "an object",
                       LL(o->size));
    if (write && o->kind == VM_OBJ_CONSTANT)
        return err_new("'%s' is constant memory: it cannot be written", name ? name : "the object");
    *object = o;
    *off = (uint64_t)at;
    return NULL;
}

struct err *dbg_read(struct vm_gang *g, uint64_t address, void *to, uint64_t size)
{
    const struct vm_object *o;
    uint64_t off;
    struct err *e = locate(g, address, size, false, &o, &off);
    if (e) return e;
    if (o->kind != VM_OBJ_PRIVATE) memcpy(to, o->base + off, size);
    else
        for (uint64_t i = 0; i < size; i++)
            ((uint8_t *)to)[i] = (uint8_t)vm_lane_read(g, o, dbg_focus.lane, off + i, 1);
    return NULL;
}

struct err *dbg_write(struct vm_gang *g, uint64_t address, const void *from, uint64_t size)
{
    const struct vm_object *o;
    uint64_t off;
    struct err *e = locate(g, address, size, true, &o, &off);
    if (e) return e;
    if (dbg_write_hooks.before) dbg_write_hooks.before(g, address, from, size);
    e = dbg_write_raw(g, address, from, size);
    if (dbg_write_hooks.after) dbg_write_hooks.after();
    return e;
}

struct err *dbg_write_raw(struct vm_gang *g, uint64_t address, const void *from, uint64_t size)
{
    const struct vm_object *o;
    uint64_t off;
    struct err *e = locate(g, address, size, true, &o, &off);
    if (e) return e;
    for (uint64_t i = 0; i < size; i++)
        vm_lane_write(g, o, dbg_focus.lane, off + i, 1, ((const uint8_t *)from)[i]);
    if (o->shadow) vm_undef_define(g, o, dbg_focus.lane, off, size);
    return NULL;
}

bool dbg_is_uninitialized(struct vm_gang *g, uint64_t address, uint64_t size)
{
    const struct vm_object *o;
    uint64_t off;
    struct err *e = locate(g, address, size, false, &o, &off);
    if (e) {
        err_free(e);
        return false;
    }
    return o->shadow && vm_undef_any(g, o, dbg_focus.lane, off, size);
}

void dbg_read_written(struct vm_gang *g, uint64_t address, uint8_t *to, uint64_t size)
{
    const struct vm_object *o = NULL;
    uint64_t off = 0;
    err_free(locate(g, address, size, false, &o, &off));
    for (uint64_t i = 0; i < size; i++)
        to[i] = o ? vm_undef_byte(g, o, dbg_focus.lane, off + i) : VM_WRITTEN;
}

bool dbg_value_unwritten(struct vm_gang *g, const struct dbg_value *v)
{
    if (v->unwritten || !v->in_memory || !g) return v->unwritten;
    const struct dbg_type *t = dbg_strip(v->type), *el = dbg_element(t);
    const uint64_t n = v->ncomp                 ? v->ncomp
                       : t->kind == BC_T_VECTOR ? t->count
                                                : 1; // 3-element vectors without their padding
    bool any = false;
    for (uint64_t i = 0; i < n && (dbg_is_number(el) || el->kind == BC_T_POINTER); i++)
        any |=
            dbg_is_uninitialized(g, v->address + (v->ncomp ? v->comp[i] : i) * el->size, el->size);
    return any;
}

struct err *dbg_value_load(struct vm_gang *g, struct dbg_value *v, struct arena *a)
{
    if (!v->in_memory) return NULL;
    const struct dbg_type *t = dbg_strip(v->type);
    struct err *e = NULL;
    if (v->ncomp) {
        const struct dbg_type *el = dbg_element(t);
        for (unsigned i = 0; i < v->ncomp && !e; i++)
            e = dbg_read(g, v->address + v->comp[i] * el->size, v->bytes + i * el->size, el->size);
    } else if (t->size <= DBG_MAX_BYTES) {
        e = dbg_read(g, v->address, v->bytes, t->size);
    } else {
        v->big = arena_alloc(a, t->size);
        e = dbg_read(g, v->address, v->big, t->size);
    }
    if (!e && t->kind == BC_T_POINTER) {
        uint64_t p;
        memcpy(&p, v->bytes, sizeof p);
        p = dbg_authenticated(g, p);
        memcpy(v->bytes, &p, sizeof p);
    }
    if (!e && v->bits) {
        uint64_t x = 0;
        memcpy(&x, v->bytes, t->size < 8 ? t->size : 8);
        x = x >> v->bit & (v->bits < 64 ? (1ull << v->bits) - 1 : ~0ull);
        if (t->kind == BC_T_INT && v->bits < 64 && x >> (v->bits - 1) & 1) x |= ~0ull << v->bits;
        memcpy(v->bytes, &x, t->size < 8 ? t->size : 8);
    }
    if (!e) v->in_memory = false, v->ncomp = 0, v->bits = 0;
    return e;
}

struct err *dbg_value_store(struct vm_gang *g, const struct dbg_value *to, const void *bytes)
{
    const struct dbg_type *t = dbg_strip(to->type);
    if (!to->in_memory) return err_new("Left operand of assignment is not an lvalue.");
    struct err *e = NULL;
    if (to->ncomp) {
        const uint64_t size = dbg_element(t)->size;
        for (unsigned i = 0; i < to->ncomp && !e; i++)
            e = dbg_write(g, to->address + to->comp[i] * size, (const uint8_t *)bytes + i * size,
                          size);
        return e;
    }
    if (to->bits) {
        uint64_t old = 0, x = 0;
        const uint64_t mask = (to->bits < 64 ? (1ull << to->bits) - 1 : ~0ull) << to->bit;
        e = dbg_read(g, to->address, &old, t->size < 8 ? t->size : 8);
        memcpy(&x, bytes, t->size < 8 ? t->size : 8);
        x = (old & ~mask) | (x << to->bit & mask);
        if (!e) e = dbg_write(g, to->address, &x, t->size < 8 ? t->size : 8);
        return e;
    }
    uint64_t size = t->size;
    if (t->kind == BC_T_VECTOR && t->count == 3) size = 3 * dbg_strip(t->base)->size;
    return dbg_write(g, to->address, bytes, size);
}

// ---- numbers
double dbg_as_float(const struct dbg_type *t, const void *bytes)
{
    t = dbg_strip(t);
    if (t->kind != BC_T_FLOAT)
        return t->kind == BC_T_UINT || t->kind == BC_T_POINTER
                   ? (double)(uint64_t)dbg_as_int(t, bytes)
                   : (double)dbg_as_int(t, bytes);
    if (t->size == 2) {
        uint16_t h;
        memcpy(&h, bytes, 2);
        return half_to_double(h);
    }
    if (t->size == 4) {
        float f;
        memcpy(&f, bytes, 4);
        return f;
    }
    double d;
    memcpy(&d, bytes, 8);
    return d;
}

int64_t dbg_as_int(const struct dbg_type *t, const void *bytes)
{
    t = dbg_strip(t);
    if (t->kind == BC_T_FLOAT) {
        const double d = dbg_as_float(t, bytes);
        return d != d ? 0
               : d >= 9223372036854775808.0
                   ? (d >= 18446744073709551616.0 ? -1 : (int64_t)(uint64_t)d)
               : d < -9223372036854775808.0 ? INT64_MIN
                                            : (int64_t)d;
    }
    uint64_t x = 0;
    const uint64_t n = t->size < 8 ? t->size : 8;
    memcpy(&x, bytes, n);
    if (t->kind == BC_T_INT && n && n < 8 && x >> (8 * n - 1) & 1) x |= ~0ull << 8 * n;
    return (int64_t)x;
}

void dbg_put_number(const struct dbg_type *t, void *bytes, int64_t i, double f, bool is_float)
{
    t = dbg_strip(t);
    if (t->kind == BC_T_FLOAT) {
        if (!is_float) f = (double)i;
        if (t->size == 2) memcpy(bytes, &(uint16_t){half_from_double(f)}, 2);
        else if (t->size == 4) memcpy(bytes, &(float){(float)f}, 4);
        else memcpy(bytes, &f, 8);
        return;
    }
    if (is_float) i = dbg_as_int(dbg_type_named("double", 6), &f);
    if (t->kind == BC_T_BOOL) i = is_float ? f != 0 : i != 0;
    memcpy(bytes, &i, t->size < 8 ? t->size : 8);
}
