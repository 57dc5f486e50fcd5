// SPDX-License-Identifier: MIT
// State shared by all launches of a module: constant and program-scope objects, and decoded
// kernels.
#include "interp/launch/shared_program.h"

#include "base/mem.h"
#include "interp/core/gang.h"
#include "interp/decode/code.h"
#include "interp/lanes/isa.h"
#include "interp/launch/packing.h"
#include "interp/vm.h"

#include <stdlib.h>
#include <string.h>

static char *storage_of(const struct bc_module *m, const struct bc_object *o)
{
    char *p = mem_try_alloc(o->size ? o->size : 1, 64);
    if (!p) return NULL;
    if (o->init) memcpy(p, o->init, o->size);
    for (uint32_t i = 0; i < o->nrelocs; i++) {
        const struct bc_reloc *r = &m->relocs[o->first_reloc + i];
        const uint64_t ptr = BC_PTR(r->target + 1, r->addend);
        memcpy(p + r->offset, &ptr, 8);
    }
    return p;
}

/**
 * By site: the size of which its offsets are probably multiples. For copies, whose elements are
 * bytes, derived from the total size.
 */
static uint8_t *units(const struct bc_module *m)
{
    uint8_t *unit = mem_alloc(m->nsites + 1);
    for (uint32_t i = 0; i < m->nsites; i++) unit[i] = m->sites[i].elem;
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t i = 0; i < m->fns[f].ninsns; i++) {
            const struct bc_insn *b = &m->fns[f].insns[i];
            if ((b->op != BC_COPY && b->op != BC_SET) || b->c >= m->fns[f].nconst) continue;
            const uint64_t size = m->fns[f].consts[b->c], lowest = size & -size;
            const uint8_t u = (uint8_t)(lowest && lowest < 8 ? lowest : 8);
            unit[b->site] = u;
            if (b->op == BC_COPY) unit[b->ext] = u;
        }
    return unit;
}

struct vm_program *vm_program_create(const struct bc_module *m, struct err **e)
{
    struct vm_program *p = mem_alloc(sizeof *p);
    p->module = m;
    pthread_mutex_init(&p->lock, NULL);
    const uint32_t nkernels = m->nkernels + m->nvariants;
    p->codes = mem_array(NULL, nkernels + 1, sizeof *p->codes);
    memset(p->codes, 0, (nkernels + 1) * sizeof *p->codes);
    p->suits = mem_alloc(nkernels + 1);
    p->unit = units(m);
    p->storage = mem_array(NULL, m->nobjects + 1, sizeof *p->storage);
    memset(p->storage, 0, (m->nobjects + 1) * sizeof *p->storage);
    for (uint32_t i = 0; i < m->nobjects; i++) {
        const struct bc_object *o = &m->objects[i];
        if ((o->kind != BC_OBJ_CONSTANT && o->kind != BC_OBJ_PROGRAM) ||
            (p->storage[i] = storage_of(m, o)))
            continue;
        if (e)
            *e = err_new("there is no memory for the program's variable '%s' of %llu bytes",
                         o->name ? bc_str(m, o->name) : "", (unsigned long long)o->size);
        vm_program_destroy(p);
        return NULL;
    }
    for (uint32_t f = 0; f < m->nfns; f++)
        for (uint32_t i = 0; i < m->fns[f].ninsns; i++) {
            const struct bc_insn *b = &m->fns[f].insns[i];
            p->copies_structs |=
                b->op == BC_COPY &&
                (1u << m->sites[b->site].space & (1u << BC_GLOBAL | 1u << BC_GENERIC)) &&
                (1u << m->sites[b->ext].space &
                 (1u << BC_PRIVATE | 1u << BC_LOCAL | 1u << BC_GENERIC));
            p->sub_groups |= b->op == BC_COLLECT && b->ext >> 24 == BC_SCOPE_SUB_GROUP;
        }
    return p;
}

void vm_program_destroy(struct vm_program *p)
{
    if (!p) return;
    vm_idle_gangs_free(p);
    for (uint32_t k = 0; k < p->module->nkernels + p->module->nvariants; k++)
        while (p->codes[k]) {
            struct vm_code *c = p->codes[k];
            p->codes[k] = c->next;
            vm_code_free(c);
        }
    free(p->unit);
    for (uint32_t i = 0; i < p->module->nobjects; i++) free(p->storage[i]);
    free(p->suits);
    free(p->storage);
    free(p->codes);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

const struct bc_module *vm_program_module(const struct vm_program *p) { return p->module; }
char *vm_program_object(struct vm_program *p, uint32_t object) { return p->storage[object]; }

struct vm_code *vm_program_code(struct vm_program *p, const struct bc_kernel *k, uint32_t lanes,
                                unsigned mode)
{
    const struct vm_isa *isa = vm_isa_choose();
    pthread_mutex_lock(&p->lock);
    struct vm_code **list = &p->codes[k - p->module->kernels], *c = *list;
    while (c && (c->lanes != lanes || c->isa != isa || c->mode != mode)) c = c->next;
    if (!c) {
        c = vm_decode(p->module, k, lanes, isa, mode);
        c->next = *list;
        *list = c;
    }
    pthread_mutex_unlock(&p->lock);
    return c;
}

bool vm_program_packs(struct vm_program *p, const struct bc_kernel *k)
{
    uint8_t *suits = &p->suits[k - p->module->kernels];
    if (__atomic_load_n(suits, __ATOMIC_RELAXED) == VM_SUITS_UNKNOWN)
        __atomic_store_n(suits, vm_packing_suits(p->module, k) ? VM_SUITS : VM_SUITS_NOT,
                         __ATOMIC_RELAXED);
    return *suits == VM_SUITS;
}
