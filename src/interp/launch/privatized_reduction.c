// SPDX-License-Identifier: MIT
// Privatized reductions: each worker adds to a private copy of a histogram and merges it at the
// end.
//
// Many groups add to the same few numbers, and each addition takes the cache line from the other
// processor. The copy holds the first elements of a buffer. Additions to other elements, and those
// on the lane-by-lane path, go to the buffer itself. This is correct because the operation
// commutes: a partial sum may be in either copy. It is not observable if
// - no atomic of the code on global memory returns a value that is used, so no work-item sees what
//   another one added, or waits for it;
// - all of these atomics are of one kind, and that kind commutes;
// - nothing else in the launch accesses the buffer through any argument (vm_only_atomics), and the
// host
//   does not use it meanwhile.
#include "interp/launch/privatized_reduction.h"

#include "base/mem.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/launch/run.h"
#include "interp/launch/worker.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

enum {
    COPY_BYTES = 64 << 10,       // of an object: cleared and merged for each launch
    MOST_BYTES = 4 * COPY_BYTES, // of a launch: fits into the second-level cache
};

/**
 * Are all accesses through the arguments that share the allocation atomics, which do not race with
 * each other?
 */
bool vm_only_atomics(const struct vm_run *run, const void *root)
{
    const struct bc_kernel *k = run->l->kernel;
    if (run->l->nsvm || run->l->root) return false; // memory without an own argument
    for (uint32_t i = 0; i < k->nargs; i++) {
        const struct bc_arg *a = &run->code->module->args[k->first_arg + i];
        if ((a->kind == BC_ARG_BUFFER || a->kind == BC_ARG_IMAGE) &&
            run->l->args[i].buffer.root == root && !a->only_atomics)
            return false;
    }
    return true;
}

void vm_privatize_note(struct vm_code *c, const struct bc_mem *m, bool wants_old)
{
    if (m->space == BC_LOCAL || c->privatized.refused) return;
    const unsigned op = m->atomic_op == BC_ATOMIC_SUB ? BC_ATOMIC_ADD
                                                      : m->atomic_op; // subtrahends add up
    const bool suits = m->kind == BC_ATOMIC_RMW && !wants_old && op >= BC_ATOMIC_ADD &&
                       op <= BC_ATOMIC_UMAX && (m->elem == 4 || m->elem == 8);
    c->privatized.refused =
        !suits || (c->privatized.elem && (c->privatized.op != op || c->privatized.elem != m->elem));
    c->privatized.op = (uint8_t)op;
    c->privatized.elem = m->elem;
}

void vm_privatize_find(struct vm_run *run)
{
    const struct vm_launch *const l = run->l;
    const struct vm_code *const c = run->code;
    const uint64_t elem = c->privatized.elem, items = run->ngroups * run->group_items;
    if (!elem || c->privatized.refused || c->synchronizes || c->may_part || l->debugger ||
        l->schedule)
        return;
    for (uint32_t i = 0;
         i < l->kernel->nargs && run->private_bytes_of_worker + COPY_BYTES <= MOST_BYTES; i++) {
        const struct bc_arg *a = &c->module->args[l->kernel->first_arg + i];
        const uint32_t id = c->module->nobjects + 1 + i;
        const struct vm_object *o = &run->objects[id];
        uint64_t n = (o->size < COPY_BYTES ? o->size : COPY_BYTES) / elem;
        if (n > items) n = items;
        if (a->kind != BC_ARG_BUFFER || o->kind != VM_OBJ_BUFFER || !a->may_write || o->shadow ||
            !vm_only_atomics(run, l->args[i].buffer.root))
            continue;
        vec_push(&run->privatized, (struct vm_privatized){.object = id,
                                                          .n = (uint32_t)n,
                                                          .at = run->private_bytes_of_worker});
        run->private_bytes_of_worker += (n * elem + 63) / 64 * 64;
    }
}

bool vm_privatize_leaves_some(const struct vm_run *run)
{
    const struct vm_launch *const l = run->l;
    const uint32_t nobjects = run->code->module->nobjects;
    size_t k = 0;
    if (!run->code->global_atomics) return false;
    if (!run->privatized.len || l->nsvm || l->root) return true;
    for (uint32_t id = 1; id <= nobjects; id++)
        if (run->objects[id].kind == VM_OBJ_PROGRAM) return true;
    for (uint32_t i = 0; i < l->kernel->nargs; i++) {
        const struct bc_arg *a = &run->code->module->args[l->kernel->first_arg + i];
        if (a->kind != BC_ARG_BUFFER || !a->may_write) continue;
        if (k == run->privatized.len || run->privatized.data[k].object != nobjects + 1 + i)
            return true;
        const struct vm_privatized *t = &run->privatized.data[k++];
        if ((uint64_t)t->n * run->code->privatized.elem < run->objects[t->object].size) return true;
    }
    return false;
}

void vm_privatize_deinit(struct vm_run *run) { vec_free(&run->privatized); }

/** The identity element of the operation. */
static uint64_t nothing(const struct vm_code *c)
{
    const unsigned bits = 8u * c->privatized.elem;
    switch (c->privatized.op) {
    case BC_ATOMIC_AND:
    case BC_ATOMIC_UMIN: return ~0ull >> (64 - bits);
    case BC_ATOMIC_SMIN: return ~0ull >> (65 - bits);
    case BC_ATOMIC_SMAX: return 1ull << (bits - 1);
    default: return 0;
    }
}

void vm_privatize_start(struct vm_worker *w)
{
    const struct vm_run *const run = w->run;
    if (!run->privatized.len || w->privatized) return;
    w->privatized = mem_try_alloc(run->private_bytes_of_worker,
                                  64); // zeroed; NULL: use the buffers directly
    const uint64_t none = nothing(run->code);
    const unsigned elem = run->code->privatized.elem;
    for (uint64_t at = 0; w->privatized && none && at < run->private_bytes_of_worker; at += elem)
        memcpy(w->privatized + at, &none, elem);
}

void vm_privatize_bind(struct vm_gang *g)
{
    const struct vm_run *const run = g->worker->run;
    for (size_t i = 0; g->worker->privatized && i < run->privatized.len; i++) {
        struct vm_object *const o = &g->objects[run->privatized.data[i].object];
        o->privatized = g->worker->privatized + run->privatized.data[i].at;
        o->nprivatized = run->privatized.data[i].n;
    }
}

#define PUT(T, S)                                                                                  \
    static void put_##T(T *to, const T *from, uint64_t n, unsigned op, T none)                     \
    {                                                                                              \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            const T x = from[i];                                                                   \
            if (x == none) continue;                                                               \
            T was = __atomic_load_n(&to[i], __ATOMIC_RELAXED), now;                                \
            do {                                                                                   \
                switch (op) {                                                                      \
                case BC_ATOMIC_ADD: now = was + x; break;                                          \
                case BC_ATOMIC_AND: now = was & x; break;                                          \
                case BC_ATOMIC_OR: now = was | x; break;                                           \
                case BC_ATOMIC_XOR: now = was ^ x; break;                                          \
                case BC_ATOMIC_SMIN: now = (S)x < (S)was ? x : was; break;                         \
                case BC_ATOMIC_SMAX: now = (S)x > (S)was ? x : was; break;                         \
                case BC_ATOMIC_UMIN: now = x < was ? x : was; break;                               \
                default: now = x > was ? x : was;                                                  \
                }                                                                                  \
            } while (now != was &&                                                                 \
                     !__atomic_compare_exchange_n(&to[i], &was, now, false, __ATOMIC_SEQ_CST,      \
                                                  __ATOMIC_RELAXED));                              \
        }                                                                                          \
    }
PUT(uint32_t, int32_t)
PUT(uint64_t, int64_t)

void vm_privatize_end(struct vm_worker *w)
{
    const struct vm_run *const run = w->run;
    const struct vm_code *const c = run->code;
    for (size_t i = 0; w->privatized && i < run->privatized.len; i++) {
        const struct vm_privatized *t = &run->privatized.data[i];
        char *const to = run->objects[t->object].base, *const from = w->privatized + t->at;
        if (c->privatized.elem == 4)
            put_uint32_t((uint32_t *)to, (const uint32_t *)from, t->n, c->privatized.op,
                         (uint32_t)nothing(c));
        else
            put_uint64_t((uint64_t *)to, (const uint64_t *)from, t->n, c->privatized.op,
                         nothing(c));
    }
    free(w->privatized);
    w->privatized = NULL;
}
