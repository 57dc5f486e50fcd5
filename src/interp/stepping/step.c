// SPDX-License-Identifier: MIT
#include "interp/stepping/step.h"

#include "interp/core/call_paths.h"
#include "interp/core/gang.h"
#include "interp/core/memory_object.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/definedness/undef.h"

#include <string.h>

/** At the start of a function, its variables are undefined, independently of earlier calls. */
static void forget_variables(struct vm_gang *g, const struct vm_fn *fn)
{
    for (uint32_t i = 0; i < fn->nobjects; i++) {
        const struct vm_object *o = &g->objects[fn->objects[i]];
        if (!o->shadow || o->kind != VM_OBJ_PRIVATE) continue;
        memset(o->shadow->bytes, VM_NEVER_WRITTEN, (o->size + 3) / 4 * 4 * g->code->width);
        o->shadow->own_count = o->size * g->nlanes;
    }
}

void vm_step_enter(struct vm_gang *g, const struct vm_fn *fn)
{
    struct vm_frame *const f = &g->frames[fn->frame];
    vm_frame_start(g, f, g->full_mask);
    vm_set_variables(g, fn, true);
    forget_variables(g, fn);
    f->call = NULL;
    f->path = NULL;
    f->call_insn = NULL;
    g->nactive = 1;
    g->fresh = false;
    g->at = vm_enter(g, 0);
}

const struct vm_insn *vm_step_call(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_frame *const caller = g->frame, *const f = &g->frames[ip->imm];
    vm_frame_start(g, f, g->mask);
    f->caller = caller;
    vm_set_variables(g, f->fn, true);
    forget_variables(g, f->fn);
    f->call = ip->src;
    f->path = vm_path_of_call(g, caller, ip->b);
    f->call_insn = ip;
    return vm_enter(g, 0);
}

const struct vm_insn *vm_step_undef_call(struct vm_gang *g, const struct vm_insn *ip)
{
    return vm_step_call(g, ip);
}

/** Returns from a function to its caller. */
static const struct vm_insn *leave(struct vm_gang *g)
{
    const struct vm_insn *call = g->frame->call_insn;
    vm_set_variables(g, g->frame->fn, false);
    g->frame = g->frame->caller;
    g->mask = g->frame->mask;
    g->nactive = 1;
    return call->fn == vm_step_undef_call && g->nundef ? vm_undef_switch(g, call->a) : call + 1;
}

void vm_step(struct vm_gang *g)
{
    const struct vm_insn *next = g->at->fn(g, g->at);
    while (!next && !g->stop && g->frame->caller) next = leave(g);
    g->at = next;
    if (next) return;
    if (g->stop) g->state = VM_DONE;
    else if (g->state == VM_RUNNING) g->state = g->nparked ? VM_WAITING : VM_DONE;
}

const struct vm_insn *vm_step_begin(struct vm_gang *g)
{
    if (g->at || g->stop || (g->state != VM_RUNNING && g->state != VM_YIELDED)) return g->at;
    g->state = VM_RUNNING;
    if (g->fresh) {
        g->fresh = false;
        g->at = vm_enter(g, 0);
    } else {
        g->at = vm_frame_resume(g, &g->frames[0]);
    }
    if (!g->at) g->state = VM_DONE;
    return g->at;
}

const struct bc_insn *vm_step_barrier(const struct vm_gang *g)
{
    if (!g->nparked) return NULL;
    const struct bc_fn *fn = g->code->fns[0].bc;
    const struct bc_block *b = &fn->blocks[g->parked[0] - 1];
    return &fn->insns[b->first + b->count - 1];
}

// ---- variables: all are in memory, so about half of the instructions access them
bool vm_step_is_plain(const struct vm_access *x)
{
    return x->ncomp == 1 && x->elog >= 2 && !x->base_varying && x->index == BC_IDX_NONE &&
           (!x->undef || x->undef->clean);
}

/**
 * The lane's first word of the accessed variable; NULL: not a simple access. A second word is in
 * the next row.
 */
static inline uint32_t *word_of(struct vm_gang *g, const struct vm_access *x)
{
    const uint64_t p = *(const uint64_t *)(g->r + x->base_off);
    const struct vm_object *o = vm_object_of(g, p);
    const uint64_t off = (uint64_t)(vm_offset_of(p) + x->disp);
    if (o->kind != VM_OBJ_PRIVATE || off > o->size || x->bytes > o->size - off || off % x->bytes ||
        vm_is_followed(o))
        return NULL;
    return (uint32_t *)o->base + (off >> 2) * g->code->width;
}

const struct vm_insn *vm_step_load(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    const uint32_t *w = word_of(g, x);
    if (!w) return g->isa->load[0](g, ip);
    uint64_t v = *w;
    if (x->elog == 3) v |= (uint64_t)w[g->code->width] << 32;
    char *to = g->r + x->val[0];
    if (x->elog == 2 && x->val_varying) *(uint32_t *)to = (uint32_t)v;
    else *(uint64_t *)to = v;
    return ip + 1;
}

const struct vm_insn *vm_step_store(struct vm_gang *g, const struct vm_insn *ip)
{
    const struct vm_access *x = ip->p;
    uint32_t *w = word_of(g, x);
    if (!w) return g->isa->store[0](g, ip);
    const char *from = g->r + x->val[0];
    *w = *(const uint32_t *)from;
    if (x->elog == 3) w[g->code->width] = ((const uint32_t *)from)[1];
    return ip + 1;
}
