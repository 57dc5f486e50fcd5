// SPDX-License-Identifier: MIT
// Decodes bytecode for gangs of one width: registers become offsets in the register file, opcodes
// become handlers (direct threading), and every block gets two streams. The full stream runs when
// all lanes are active, and masks nothing. In the masked stream an instruction whose result
// outlives its block computes into scratch, and the result is blended into the register.
#include "interp/decode/decode.h"

#include "base/mem.h"
#include "interp/core/block_counts.h"
#include "interp/core/call_paths.h"
#include "interp/core/compaction.h"
#include "interp/decode/block_effects.h"
#include "interp/decode/code.h"
#include "interp/decode/code_features.h"
#include "interp/decode/decoder.h"
#include "interp/decode/layout.h"
#include "interp/decode/select.h"
#include "interp/definedness/undef.h"
#include "interp/lanes/isa.h"
#include "interp/stepping/fast_forward_run.h"

#include <stdlib.h>

/**
 * Does it write memory outside of the group? What it writes in private and local memory is kept
 * with the work-items and the group.
 */
static bool writes_far(const struct bc_module *m, const struct bc_insn *b)
{
    if (!(bc_ops[b->op].effects & BC_WRITES)) return false;
    const bool is_sited = bc_is_access(b->op) || b->op == BC_COPY || b->op == BC_SET;
    return !is_sited ||
           (m->sites[b->site].space != BC_PRIVATE && m->sites[b->site].space != BC_LOCAL);
}

/**
 * Emits the hooks of code for fast-forwarding: at the first instruction of a line, at barriers, and
 * before writes that the history needs.
 */
static void emit_fast_forward(struct decoder *d, const struct bc_block *block, uint32_t i)
{
    const struct bc_insn *b = &d->fn->bc->insns[block->first + i];
    const struct bc_loc *l = &d->m->locs[b->loc], *before = i ? &d->m->locs[b[-1].loc] : NULL;
    if (!before || b->op == BC_BARRIER || l->line != before->line ||
        l->inlined_at != before->inlined_at || l->file != before->file ||
        l->fn_name != before->fn_name)
        dec_emit(d, vm_fast_forward_look, b);
    if (writes_far(d->m, b)) dec_emit(d, vm_fast_forward_write, b);
}

/**
 * If values may be undefined, that stream is decoded first, because the clean stream refers to it.
 */
static const struct vm_insn *decode_stream(struct decoder *d, const struct bc_block *block,
                                           bool clean)
{
    const bool undef = d->code->undef;
    d->clean = clean;
    vec_clear(&d->out);
    if (!clean) vec_clear(&d->resume);
    if (d->code->mode & VM_COVERAGE) dec_count_block(d, block);
    for (uint32_t i = 0; i < block->count; i++) {
        const struct bc_insn *b = &d->fn->bc->insns[block->first + i];
        if (d->code->mode & VM_COVERAGE && i + 1 == block->count) dec_count_end(d, b);
        if (d->code->mode & VM_PROFILE && bc_is_access(b->op))
            dec_emit(d, d->isa->cost_access, b)->p = dec_access(d, b, b->site);
        if (d->code->mode & VM_COUNTS && bc_is_access(b->op))
            dec_emit(d, d->isa->count_access, b)->p = dec_access(d, b, b->site);
        if (d->code->mode & VM_FAST_FORWARDING) emit_fast_forward(d, block, i);
        if (i + 1 < block->count && dec_product_sum(d, b)) {
            i++;
            continue;
        }
        const uint32_t start = (uint32_t)d->out.len;
        if (undef && clean) d->resume_call = d->resume.data[i].after_call;
        d->resume_start = undef && clean ? d->resume.data[i].start : 0;
        if (undef) vm_undef_before(d, b, clean, d->resume_start);
        dec_insn(d, b);
        if (undef) vm_undef_after(d, b, clean);
        if (!clean) vec_push(&d->resume, (struct dec_resume){start, d->after_call});
    }
    return arena_dup(d->arena, d->out.data, d->out.len * sizeof *d->out.data);
}

static void decode_blocks(struct decoder *d, struct vm_fn *fn)
{
    d->fn = fn;
    d->call = 0;
    dec_inactive_liveness(d);
    if (d->code->mode & VM_COVERAGE) dec_count_predecessors(d);
    fn->blocks = arena_array(d->arena, struct vm_block, fn->bc->nblocks);
    for (uint32_t k = 0; k < fn->bc->nblocks; k++) {
        const struct bc_block *b = &fn->bc->blocks[k];
        struct vm_block *to = &fn->blocks[k];
        d->block = k;
        to->count = b->count;
        to->loop = b->loop;
        to->effect = dec_effect(d, b);
        to->narrows = dec_may_narrow(d, b);
        const uint32_t first_call = d->call;
        for (int masked = 0; masked < 2; masked++) {
            d->masked = masked;
            d->call = first_call;
            if (d->code->undef) to->stream[2 + masked] = decode_stream(d, b, false);
            d->call = first_call;
            to->stream[masked] = decode_stream(d, b, true);
        }
    }
}

struct vm_code *vm_decode(const struct bc_module *m, const struct bc_kernel *k, uint32_t lanes,
                          const struct vm_isa *isa, unsigned mode)
{
    struct vm_code *c = mem_alloc(sizeof *c);
    c->module = m;
    c->kernel = k;
    c->isa = isa;
    c->lanes = lanes;
    c->width = (uint32_t)dec_round_up(lanes, VM_PAD);
    c->fns = arena_array(&c->arena, struct vm_fn, m->nfns);
    c->fn_of = arena_array(&c->arena, uint32_t, m->nfns);
    for (uint32_t i = 0; i < m->nfns; i++) c->fn_of[i] = UINT32_MAX;
    dec_reach(c, k->fn);
    c->narrow_scopes |= c->scoped_atomics && c->cl1_fences; // which are of the group for these
    // An atomic races with work-items outside its scope, unless something orders the two.
    c->synchronizes |= c->narrow_atomics;
    c->synchronizes |= c->uses_atomics && (c->fences || (c->global_barriers && c->cl1_atomics));
    c->file_size = dec_lay_out_registers(c);
    dec_lay_out_objects(c);
    dec_list_variables(c);
    c->call_paths = vm_call_paths_make(c);
    c->mode = (uint16_t)mode;
    c->stepped = mode & VM_STEPPED;
    c->packed = mode & VM_PACKED;
    c->undef = mode & VM_UNDEF_ON && vm_undef_analyze(c);
    struct decoder d = {.code = c, .m = m, .isa = isa, .arena = &c->arena};
    for (uint32_t f = 0; f < c->nfns; f++) {
        c->fns[f].first_block = c->nblocks;
        c->fns[f].first_loop = c->nloops;
        c->nblocks += c->fns[f].bc->nblocks;
        c->nloops += c->fns[f].bc->nloops;
    }
    for (uint32_t f = 0; f < c->nfns; f++) decode_blocks(&d, &c->fns[f]);
    vm_compaction_analyze(c);
    vec_free(&d.out);
    vec_free(&d.resume);
    free(d.inactive_live);
    return c;
}

void vm_code_free(struct vm_code *c)
{
    if (!c) return;
    arena_deinit(&c->arena);
    free(c);
}
