// SPDX-License-Identifier: MIT
// Call stacks of work-items, including inlined calls.
#include "debug/session/frames.h"

const struct bc_insn *dbg_next_insn(const struct vm_gang *g)
{
    if (g == dbg_focus.accessed_by) return dbg_focus.access;
    if (g->at) return g->at->src;
    const struct bc_insn *barrier = vm_step_barrier(g);
    if (barrier || g->state == VM_DONE) return barrier;
    const struct vm_frame *f = &g->frames[0];
    if (g->fresh) return &f->fn->bc->insns[0];
    for (uint32_t b = 0; b < f->fn->bc->nblocks; b++) // released by a barrier, or it yielded
        if (f->pending[b >> 6] >> (b & 63) & 1)
            return &f->fn->bc->insns[f->fn->bc->blocks[b].first];
    return NULL;
}

static uint32_t loc_from(const struct bc_fn *fn, const struct bc_insn *i)
{
    const struct bc_module *m = dbg_launch.run->code->module;
    for (const struct bc_insn *x = i; x < fn->insns + fn->ninsns; x++)
        if (x->loc && m->locs[x->loc].line) return x->loc;
    return fn->loc;
}

unsigned dbg_frames(const struct vm_gang *g, struct dbg_frame out[DBG_MAX_FRAMES])
{
    const struct bc_module *m = g->code->module;
    const struct bc_insn *i = dbg_next_insn(g);
    unsigned n = 0;
    if (!i) return 0;
    const struct vm_frame *f = g->fresh || !g->at ? &g->frames[0] : g->frame;
    for (; f && n < DBG_MAX_FRAMES; i = f->call, f = f->caller) {
        const struct bc_fn *fn = f->fn->bc;
        for (uint32_t loc = loc_from(fn, i); n < DBG_MAX_FRAMES; loc = m->locs[loc].inlined_at) {
            const uint32_t up = m->locs[loc].inlined_at;
            out[n++] = (struct dbg_frame){
                fn, loc, up ? bc_str(m, m->locs[loc].fn_name) : bc_str(m, fn->name)};
            if (!up) break;
        }
        if (g->fresh || !g->at) break;
    }
    return n;
}

unsigned dbg_depth(const struct vm_gang *g, uint32_t loc)
{
    const struct bc_module *m = g->code->module;
    unsigned n = 0;
    for (const struct vm_frame *f = g->frame; f; loc = f->call ? f->call->loc : 0, f = f->caller) {
        n++;
        for (uint32_t l = m->locs[loc].inlined_at; l; l = m->locs[l].inlined_at) n++;
        if (!f->caller) break;
    }
    return n;
}
