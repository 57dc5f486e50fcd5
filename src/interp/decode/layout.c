// SPDX-License-Identifier: MIT
// The layout of registers and objects of a kernel's functions. All offsets are static, since OpenCL
// C has no recursion.
#include "interp/decode/layout.h"

#include "builtins/builtins.h"
#include "interp/decode/code.h"
#include "interp/decode/decoder.h"

size_t dec_lay_out_registers(struct vm_code *c)
{
    size_t at = 0;
    c->scratch_u = 0;
    at = 64;
    for (uint32_t f = 0; f < c->nfns; f++) {
        c->fns[f].uniform_off = (uint32_t)at;
        at += 8 * (size_t)c->fns[f].bc->nuniform;
    }
    at = dec_round_up(at, 64);
    for (uint32_t f = 0; f < c->nfns; f++) {
        struct vm_fn *fn = &c->fns[f];
        fn->varying_off = arena_array(&c->arena, uint32_t, fn->bc->nvarying + 1);
        for (uint32_t i = 0; i < fn->bc->nvarying; i++) {
            fn->varying_off[i] = (uint32_t)at;
            at += dec_round_up((size_t)fn->bc->vsize[i] * c->width, 64);
        }
    }
    c->scratch_v = (uint32_t)at;
    at += (VM_MAX_COMPS + 4 + BI_MAX_LANE_SRC) * dec_round_up(8 * (size_t)c->width, 64);
    return at;
}

bool vm_code_uses(const struct vm_code *c, uint32_t object)
{
    const struct bc_object *o = &c->module->objects[object];
    if (o->fn < c->module->nfns && c->fn_of[o->fn] != UINT32_MAX) return true;
    for (uint32_t f = 0; f < c->nfns; f++)
        if (bc_points_to(c->fns[f].bc, object, o)) return true;
    return false;
}

void dec_lay_out_objects(struct vm_code *c)
{
    const struct bc_module *m = c->module;
    c->private_word = arena_array(&c->arena, uint32_t, m->nobjects + 1);
    c->local_off = arena_array(&c->arena, uint32_t, m->nobjects + 1);
    c->has_object = arena_array(&c->arena, bool, m->nobjects + 1);
    for (uint32_t i = 0; i < m->nobjects; i++) {
        const struct bc_object *o = &m->objects[i];
        if ((o->kind != BC_OBJ_PRIVATE && o->kind != BC_OBJ_LOCAL) || !vm_code_uses(c, i)) continue;
        c->has_object[i] = true;
        if (o->kind == BC_OBJ_PRIVATE) {
            c->private_word[i] = (uint32_t)c->private_words; // vm_gang_get rejects larger sizes
            c->private_words += dec_round_up(o->size, 8) / 4;
        } else {
            c->local_bytes = dec_round_up(c->local_bytes, o->align > 64 ? o->align : 64);
            c->local_off[i] = (uint32_t)c->local_bytes;
            c->local_bytes += o->size;
        }
    }
}

static bool is_variable(const struct vm_fn *fn, const struct bc_object *o)
{
    return o->kind == BC_OBJ_PRIVATE && o->fn == fn->index && !o->is_param;
}

void dec_list_variables(struct vm_code *c)
{
    const struct bc_module *m = c->module;
    for (uint32_t f = 1; f < c->nfns; f++) {
        struct vm_fn *fn = &c->fns[f];
        for (uint32_t i = 0; i < m->nobjects; i++) fn->nobjects += is_variable(fn, &m->objects[i]);
        fn->objects = arena_array(&c->arena, uint32_t, fn->nobjects);
        for (uint32_t i = 0, k = 0; i < m->nobjects; i++)
            if (is_variable(fn, &m->objects[i])) fn->objects[k++] = i + 1;
    }
}
