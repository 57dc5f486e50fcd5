// SPDX-License-Identifier: MIT
// Helpers of instruction selection: operand offsets in the register file, decoded instructions and
// their operand records, and moves that preserve inactive lanes.
#include "interp/decode/decoder.h"

#include "interp/calls/collective.h"
#include "interp/calls/sys.h"
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"

uint32_t dec_offset(const struct decoder *d, const struct vm_fn *fn, uint32_t operand)
{
    (void)d;
    if (operand == BC_NONE) return 0;
    return operand & BC_V ? fn->varying_off[operand & ~BC_V] : fn->uniform_off + 8 * operand;
}

uint32_t dec_scratch(const struct decoder *d, unsigned i)
{
    return d->code->scratch_v + (uint32_t)(i * dec_round_up(8 * (size_t)d->code->width, 64));
}

struct vm_insn *dec_emit(struct decoder *d, vm_handler *fn, const struct bc_insn *src)
{
    struct vm_insn *i = vec_add(&d->out);
    i->fn = fn;
    i->src = src;
    return i;
}

struct vm_insn *dec_emit2(struct decoder *d, vm_handler *fn, uint32_t dst, uint32_t a,
                          const struct bc_insn *src)
{
    struct vm_insn *i = dec_emit(d, fn, src);
    i->d = dst;
    i->a = a;
    return i;
}

struct dec_value dec_value_of(const struct decoder *d, const struct vm_fn *fn, uint32_t operand)
{
    return (struct dec_value){dec_offset(d, fn, operand), dec_is_varying(operand)};
}

void dec_move(struct decoder *d, struct dec_value to, struct dec_value from, unsigned lg,
              bool blend, const struct bc_insn *src)
{
    vm_handler *fn = !to.is_varying     ? vm_op_copy_slot
                     : !from.is_varying ? (blend ? d->isa->blend_uniform : d->isa->splat)[lg]
                                        : (blend ? d->isa->blend : d->isa->copy)[lg];
    dec_emit2(d, fn, to.at, from.at, src);
}

void dec_blend(struct decoder *d, uint32_t to, unsigned i, unsigned lg, const struct bc_insn *src)
{
    dec_emit2(d, d->isa->blend[lg], to, dec_scratch(d, i), src);
}

/** Must this result leave inactive lanes unchanged? */
bool dec_must_blend(const struct decoder *d, const struct bc_insn *b, uint32_t dst)
{
    if (!d->masked || !(b->flags & BC_MASKED) || !dec_is_varying(dst)) return false;
    const uint32_t n = dst & ~BC_V;
    return !d->inactive_live ||
           d->inactive_live[(size_t)d->block * d->live_words + n / 64] >> n % 64 & 1;
}

struct vm_access *dec_access(struct decoder *d, const struct bc_insn *b, uint32_t site)
{
    const struct bc_mem *m = &d->m->sites[site];
    struct vm_access *x = arena_new(d->arena, struct vm_access);
    x->m = m;
    x->site = site;
    x->ncomp = m->ncomp;
    const int64_t elem = m->elem ? m->elem : 1; // 0 for address arithmetic
    x->elog = (uint8_t)dec_log2((unsigned)elem);
    x->bytes = (uint32_t)elem * m->ncomp;
    x->align = m->align ? m->align : 1;
    x->index = b->b == BC_NONE ? BC_IDX_NONE : m->index_kind;
    x->scale = m->scale;
    x->disp = m->disp;
    x->shift = -1;
    if (x->scale > 0 && !(x->scale & (x->scale - 1)))
        x->shift = (int8_t)__builtin_ctzll((uint64_t)x->scale);
    x->step = (uint32_t)((uint64_t)x->scale >> x->elog);
    if (x->scale < 0) x->step = (uint32_t)(x->scale / elem);
    const int64_t unit = x->align > elem ? x->align : elem, far = 1ll << 46;
    x->regular = x->scale != 0 && x->scale % unit == 0 && x->scale <= 1 << 24 &&
                 x->scale >= -(1 << 24) && x->disp < far && x->disp > -far;
    if (x->index == BC_IDX_NONE) x->regular = x->disp < far && x->disp > -far;
    x->base_varying = dec_is_varying(b->a);
    x->index_varying = x->index != BC_IDX_NONE && dec_is_varying(b->b);
    x->plain = x->regular && !x->base_varying && x->index_varying && x->ncomp == 1 && x->step == 1;
    x->base_off = dec_offset(d, d->fn, b->a);
    x->index_off = dec_offset(d, d->fn, b->b);
    x->spaces = vm_spaces(m->space);
    x->src = b;
    return x;
}

/** Operands for a handler that works lane by lane; operand 0 may be a result. */
struct vm_operands *dec_operands(struct decoder *d, const uint32_t *list, unsigned n)
{
    struct vm_operands *q = arena_new(d->arena, struct vm_operands);
    for (unsigned i = 0; i < n; i++) {
        q->off[i] = dec_offset(d, d->fn, list[i]);
        if (dec_is_varying(list[i])) q->varying |= (uint8_t)(1u << i);
    }
    return q;
}

struct vm_image_op *dec_image(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext, *values = e + 3 + e[1];
    struct vm_image_op *q = arena_new(d->arena, struct vm_image_op);
    q->what = (uint8_t)e[0];
    q->ncoord = (uint8_t)e[1];
    q->nvalue = (uint8_t)e[2];
    q->image = dec_offset(d, d->fn, b->a);
    q->image_varying = dec_is_varying(b->a);
    q->has_sampler = b->b != BC_NONE;
    q->sampler = dec_offset(d, d->fn, b->b);
    q->sampler_varying = dec_is_varying(b->b);
    for (unsigned k = 0; k < q->ncoord; k++) {
        q->coord[k] = dec_offset(d, d->fn, e[3 + k]);
        if (dec_is_varying(e[3 + k])) q->varying |= (uint8_t)(1u << k);
    }
    for (unsigned k = 0; k < q->nvalue; k++) {
        q->value[k] = dec_offset(d, d->fn, values[k]);
        if (dec_is_varying(values[k])) q->varying |= (uint8_t)(16u << k);
    }
    return q;
}

struct vm_collect *dec_collect(struct decoder *d, const struct bc_insn *b)
{
    struct vm_collect *q = arena_new(d->arena, struct vm_collect);
    const uint32_t of[4] = {b->a, b->b, b->c, b->dst};
    for (unsigned k = 0; k < 4; k++) {
        q->off[k] = of[k] == BC_NONE ? 0 : dec_offset(d, d->fn, of[k]);
        q->has |= (uint8_t)((of[k] != BC_NONE) << k);
        q->varying |= (uint8_t)((of[k] != BC_NONE && dec_is_varying(of[k])) << k);
    }
    q->how = (struct vm_collective){(uint8_t)b->ext, (uint8_t)(b->ext >> 8),
                                    (uint8_t)(b->ext >> 16 & 0x7f), b->c != BC_NONE};
    q->by_all = b->ext & BC_COLLECT_BY_ALL;
    return q;
}
