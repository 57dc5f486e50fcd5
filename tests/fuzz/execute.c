// SPDX-License-Identifier: MIT
// The engine relies on what bc_verify has looked at. Here modules are executed that no lowering
// made, but that it accepts: with AddressSanitizer around every buffer.
#include "fuzz/execute.h"

#include "base/mem.h"
#include "interp/vm.h"
#include "report/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 24, GROUP = 8, BYTES = 64, LIMIT = 40000, MOST_ARGS = 64 };

/**
 * A number in place of another: small ones and those next to what was there are the interesting
 * ones.
 */
static uint64_t other(uint64_t old, uint8_t how, uint16_t value)
{
    switch (how & 7) {
    case 0: return value & 0xff;
    case 1: return old + (value & 7) - 3;
    case 2: return old ^ 1ull << (value & 63);
    case 3: return (uint64_t)(int64_t)(int16_t)value;
    case 4: return (value & 31) | BC_V; // a varying register
    case 5: return value & 31;
    case 6: return ~0ull >> (value & 63);
    default: return (uint64_t)value << (value & 31);
    }
}

#define CHANGE(field) ((field) = (__typeof__(field))other((uint64_t)(field), how, value))
#define ONE(list, n)  ((__typeof__(*(list)) *)&(list)[at % (n)])

static void edit_fn(struct bc_fn *f, unsigned what, uint16_t at, uint8_t how, uint16_t value)
{
    struct bc_insn *i = f->ninsns ? (struct bc_insn *)&f->insns[at % f->ninsns] : NULL;
    struct bc_block *b = f->nblocks ? (struct bc_block *)&f->blocks[at % f->nblocks] : NULL;
    struct bc_loop *l = f->nloops ? (struct bc_loop *)&f->loops[at % f->nloops] : NULL;
    uint32_t *x = f->next ? (uint32_t *)&f->ext[at % f->next] : NULL;
    uint8_t *v = f->nvarying ? (uint8_t *)&f->vsize[at % f->nvarying] : NULL;
    uint64_t *c = f->nconst ? (uint64_t *)&f->consts[at % f->nconst] : NULL;
    switch (what) {
    case 0:
        if (i) CHANGE(i->op);
        break;
    case 1:
        if (i) CHANGE(i->flags);
        break;
    case 2:
        if (i) CHANGE(i->dst);
        break;
    case 3:
        if (i) CHANGE(i->a);
        break;
    case 4:
        if (i) CHANGE(i->b);
        break;
    case 5:
        if (i) CHANGE(i->c);
        break;
    case 6:
        if (i) CHANGE(i->ext);
        break;
    case 7:
        if (i) CHANGE(i->site);
        break;
    case 8:
        if (b) CHANGE(b->loop);
        break;
    case 9:
        if (l) CHANGE(l->header);
        break;
    case 10:
        if (l) CHANGE(l->last);
        break;
    case 11:
        if (l) CHANGE(l->counter);
        break;
    case 12:
        if (l) l->has_barrier ^= 1;
        break;
    case 13:
    case 14:
        if (x) CHANGE(*x);
        break;
    case 15:
        if (v) *v = (uint8_t)(1 << (value & 3));
        break;
    case 16:
        if (c) CHANGE(*c);
        break;
    case 17: f->has_barrier ^= 1; break;
    case 18: f->may_part ^= 1; break;
    case 19:
        if (b) CHANGE(b->count);
        break;
    default:
        if (i) *i = f->insns[value % f->ninsns];
        break; // one of the others
    }
}

static void edit_tables(struct bc_module *m, unsigned what, uint16_t at, uint8_t how,
                        uint16_t value)
{
    struct bc_mem *s = m->nsites > 1 ? (struct bc_mem *)&m->sites[1 + at % (m->nsites - 1)] : NULL;
    struct bc_object *o = m->nobjects ? (struct bc_object *)&m->objects[at % m->nobjects] : NULL;
    struct bc_arg *a = m->nargs ? (struct bc_arg *)&m->args[at % m->nargs] : NULL;
    struct bc_kernel *k = m->nkernels ? (struct bc_kernel *)&m->kernels[at % m->nkernels] : NULL;
    struct bc_piece *p = m->npieces ? (struct bc_piece *)&m->pieces[at % m->npieces] : NULL;
    struct bc_reloc *r = m->nrelocs ? (struct bc_reloc *)&m->relocs[at % m->nrelocs] : NULL;
    switch (what) {
    case 0:
        if (s) CHANGE(s->kind);
        break;
    case 1:
        if (s) s->elem = (uint8_t)(1 << (value & 3));
        break;
    case 2:
        if (s) CHANGE(s->ncomp);
        break;
    case 3:
        if (s) CHANGE(s->space);
        break;
    case 4:
        if (s) CHANGE(s->index_kind);
        break;
    case 5:
        if (s) CHANGE(s->atomic_op);
        break;
    case 6:
        if (s) CHANGE(s->scale);
        break;
    case 7:
        if (s) CHANGE(s->disp);
        break;
    case 8:
        if (s) CHANGE(s->align);
        break;
    case 9:
        if (o) CHANGE(o->kind);
        break;
    case 10:
        if (o && !o->init) CHANGE(o->size);
        break;
    case 11:
        if (o) CHANGE(o->fn);
        break;
    case 12:
        if (o) CHANGE(o->align);
        break;
    case 13:
        if (a) CHANGE(a->kind);
        break;
    case 14:
        if (a) CHANGE(a->size);
        break;
    case 15:
        if (a) a->may_write ^= 1;
        break;
    case 16:
        if (a) a->only_atomics ^= 1;
        break;
    case 17:
        if (a) CHANGE(a->space);
        break;
    case 18:
        if (k) CHANGE(k->local_size);
        break;
    case 19:
        if (k) CHANGE(k->private_size);
        break;
    case 20:
        if (k) k->has_barrier ^= 1;
        break;
    case 21:
        if (k) k->uses_atomics ^= 1;
        break;
    case 22:
        if (p) CHANGE(p->offset);
        break;
    case 23:
        if (p) CHANGE(p->reg);
        break;
    case 24:
        if (r) CHANGE(r->addend);
        break;
    case 25:
        if (r) CHANGE(r->target);
        break;
    case 26:
        if (a) CHANGE(a->object);
        break;
    case 27:
        if (p) CHANGE(p->size);
        break;
    case 28:
        if (k) CHANGE(k->fn);
        break;
    case 29:
        if (r) CHANGE(r->offset);
        break;
    default:
        if (s) CHANGE(s->order);
        break;
    }
}

void edit(struct bc_module *m, const uint8_t *data, size_t size)
{
    for (; size >= 8; data += 8, size -= 8) {
        const uint16_t at = (uint16_t)(data[2] | data[3] << 8),
                       value = (uint16_t)(data[4] | data[5] << 8);
        if (data[0] & 1 && m->nfns)
            edit_fn((struct bc_fn *)&m->fns[data[1] % m->nfns], data[6] % 21, at, data[7], value);
        else if (!(data[0] & 1)) edit_tables(m, data[6] % 31, at, data[7], value);
    }
}

void edit_bytes(uint8_t *p, size_t n, const uint8_t *data, size_t size)
{
    for (; size >= 8; data += 8, size -= 8) {
        const size_t at = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % n,
                     width = (size_t)1 << (data[3] & 3);
        uint64_t x = 0;
        if (at + width > n) continue;
        memcpy(&x, p + at, width);
        x = other(x, data[6], (uint16_t)(data[4] | data[5] << 8));
        memcpy(p + at, &x, width);
    }
}

static void run(struct vm_program *p, const struct bc_module *m, const struct bc_kernel *k,
                FILE *out, struct rep_session *rep, unsigned how)
{
    struct vm_arg args[MOST_ARGS] = {0};
    void *made[MOST_ARGS] = {0};
    const struct bc_arg *decl = m->args + k->first_arg;
    bool fits = k->nargs <= MOST_ARGS && !k->refused && k->private_size < 1 << 20;
    for (uint32_t i = 0; i < k->nargs && fits; i++) {
        const bool is_value = decl[i].kind == BC_ARG_VALUE || decl[i].kind == BC_ARG_STRUCT;
        const size_t n = is_value ? decl[i].size : decl[i].kind == BC_ARG_SAMPLER ? 8 : BYTES;
        if (n > 1 << 16) fits = false;
        if (!fits) break;
        made[i] = malloc(n ? n : 1);
        memset(made[i], (int)(3 + i), n);
        args[i] = (struct vm_arg){.value = made[i], .local_size = BYTES};
        if (is_value || decl[i].kind == BC_ARG_SAMPLER) continue;
        args[i].buffer = (struct vm_buffer){.host = made[i],
                                            .root_size = BYTES,
                                            .size = BYTES,
                                            .root = made[i],
                                            .read_only = i == 5};
        args[i].image = (struct vm_image){.format = {0},
                                          .size = {2, 1, 1},
                                          .layers = 1,
                                          .row_pitch = 8,
                                          .slice_pitch = 8,
                                          .ndims = 2};
        if (decl[i].kind == BC_ARG_IMAGE) fits = false;
    }
    struct vm_launch l = {.program = p,
                          .kernel = k,
                          .dims = 1,
                          .global = {ITEMS + (how & 1), 1, 1},
                          .local = {GROUP, 1, 1},
                          .args = args,
                          .checks = how & 2 ? 0 : VM_CHECK_ALL,
                          .threads = 1,
                          .gang = how & 4 ? 1 : 0,
                          .rep = rep,
                          .number = 1,
                          .out = out,
                          .instruction_limit = LIMIT};
    if (fits) err_free(vm_run(&l, NULL));
    for (unsigned i = 0; i < MOST_ARGS; i++) free(made[i]);
}

void execute(const struct bc_module *m)
{
    static FILE *out;
    if (!out) out = fopen("/dev/null", "w");
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m->nobjects; i++) bytes += m->objects[i].size;
    if (bytes > 1 << 22 || m->nkernels > 20) return; // large, not wrong
    struct rep_session *rep = rep_create(&(struct rep_options){.out = out});
    struct vm_program *p = vm_program_create(m, NULL);
    for (uint32_t k = 0; p && k < m->nkernels; k++)
        for (unsigned how = 0; how < 8; how += 3) run(p, m, &m->kernels[k], out, rep, how);
    vm_program_destroy(p);
    rep_destroy(rep);
}
