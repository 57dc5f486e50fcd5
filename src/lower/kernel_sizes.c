// SPDX-License-Identifier: MIT
// How much memory each kernel needs, its callees' included: local and private objects that its code
// declares or points to, and the variables of the source that are kept in registers.
//
// A program can have ten thousand kernels: what is looked at for one is what it reaches, never all
// functions or objects.
#include "lower/lw.h"

#include <string.h>

struct reach {
    const struct lw_module *m;
    uint32_t mark;                   // of this kernel; marks of those before are smaller
    uint32_t *fn_mark, *object_mark; // by function, by object
    VEC(uint32_t) fns;
    VEC(uint32_t) objects;
    uint32_t *declared,
        *next; // objects that a function declares: the first + 1, and the one after an object + 1
};

static void add_object(struct reach *r, uint32_t object)
{
    const enum bc_object_kind kind = r->m->objects.data[object].kind;
    if ((kind != BC_OBJ_PRIVATE && kind != BC_OBJ_LOCAL) || r->object_mark[object] == r->mark)
        return;
    r->object_mark[object] = r->mark;
    vec_push(&r->objects, object);
}

static void add_fn(struct reach *r, uint32_t fn)
{
    if (r->fn_mark[fn] == r->mark) return;
    r->fn_mark[fn] = r->mark;
    vec_push(&r->fns, fn);
}

static void reach_from(struct reach *r, uint32_t kernel_fn)
{
    const struct lw_module *m = r->m;
    r->mark++;
    vec_clear(&r->fns);
    vec_clear(&r->objects);
    add_fn(r, kernel_fn);
    for (size_t at = 0; at < r->fns.len; at++) {
        const struct bc_fn *f = &m->fns.data[r->fns.data[at]];
        for (uint32_t i = 0; i < f->ninsns; i++)
            if (f->insns[i].op == BC_CALL) add_fn(r, f->ext[f->insns[i].ext]);
        for (uint32_t o = r->declared[r->fns.data[at]]; o; o = r->next[o - 1]) add_object(r, o - 1);
        for (uint32_t i = 0; i < f->nconst; i++) {
            const uint64_t id = f->consts[i] >> BC_PTR_ID_SHIFT;
            if (id && id <= m->objects.len &&
                bc_const_points_to(f->consts[i], (uint32_t)id - 1, &m->objects.data[id - 1]))
                add_object(r, (uint32_t)id - 1);
        }
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_size(uint64_t *total, uint64_t size, uint64_t align)
{
    if (!align) align = 1;
    *total = (*total + align - 1) / align * align + size;
}

static void add_variables(const struct lw_module *m, const struct rg_fn *f, uint64_t *size)
{
    for (unsigned v = 0; v < f->nvars; v++) {
        const struct rg_variable *x = &f->vars[v];
        struct fe_variable var;
        if (fe_debug_variable(m->debug, x->alloca, &var))
            add_size(size, l_size(m->llvm, x->type), l_align(m->llvm, x->type));
    }
}

// In the order of their numbers, by which padding is the same whatever the way that led to them.
static void add_all(struct reach *r, struct bc_kernel *k)
{
    if (r->objects.len) qsort(r->objects.data, r->objects.len, sizeof *r->objects.data, by_number);
    qsort(r->fns.data, r->fns.len, sizeof *r->fns.data, by_number);
    for (size_t i = 0; i < r->objects.len; i++) {
        const struct bc_object *o = &r->m->objects.data[r->objects.data[i]];
        add_size(o->kind == BC_OBJ_PRIVATE ? &k->private_size : &k->local_size, o->size, o->align);
    }
    for (size_t i = 0; i < r->fns.len; i++) {
        const struct bc_fn *f = &r->m->fns.data[r->fns.data[i]];
        for (uint32_t n = 0; n < f->ninsns; n++) k->enqueues |= f->insns[n].op == BC_ENQUEUE;
        add_variables(r->m, &r->m->rg[r->fns.data[i]], &k->private_size);
    }
}

void lw_kernel_sizes(struct lw_module *m)
{
    struct reach r = {.m = m};
    r.fn_mark = mem_alloc((m->nfns + 1) * sizeof *r.fn_mark);
    r.declared = mem_alloc((m->nfns + 1) * sizeof *r.declared);
    r.object_mark = mem_alloc((m->objects.len + 1) * sizeof *r.object_mark);
    r.next = mem_alloc((m->objects.len + 1) * sizeof *r.next);
    for (uint32_t o = 0; o < m->objects.len; o++) {
        const uint32_t fn = m->objects.data[o].fn;
        if (fn == BC_NONE) continue;
        r.next[o] = r.declared[fn];
        r.declared[fn] = o + 1;
    }
    for (size_t k = 0; k < m->kernels.len; k++) {
        reach_from(&r, m->kernels.data[k].fn);
        add_all(&r, &m->kernels.data[k]);
    }
    free(r.fn_mark);
    free(r.declared);
    free(r.object_mark);
    free(r.next);
    vec_free(&r.fns);
    vec_free(&r.objects);
}
