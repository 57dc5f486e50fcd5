// SPDX-License-Identifier: MIT
#include "interp/step.h"

#include "interp/undef.h"

const struct vm_insn *vm_step_call(struct vm_gang *g, const struct vm_insn *ip)
{
    struct vm_frame *const caller = g->frame, *const f = &g->frames[ip->imm];
    vm_frame_start(g, f, g->mask);
    f->caller = caller;
    f->call = ip->src;
    f->call_insn = ip;
    return vm_enter(g, 0);
}

const struct vm_insn *vm_step_undef_call(struct vm_gang *g, const struct vm_insn *ip) { return vm_step_call(g, ip); }

/** The callee is done: its caller goes on behind the call. */
static const struct vm_insn *leave(struct vm_gang *g)
{
    const struct vm_insn *call = g->frame->call_insn;
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
