// SPDX-License-Identifier: MIT
// Bytecode to code for gangs of one width: registers become offsets in the register file, opcodes
// become handlers, and every block gets two streams. In the stream for all lanes the masking rule
// is void; in the other one an instruction whose result outlives its block computes into scratch
// and is then blended.
#include "interp/decode/decode.h"

#include "builtins/builtins.h"
#include "bytecode/operands.h"
#include "interp/launch/packing.h"
#include "interp/core/call_paths.h"
#include "interp/launch/counters.h"
#include "interp/core/compaction.h"
#include "interp/core/divergence_point.h"
#include "interp/stepping/scout.h"
#include "interp/stepping/step.h"
#include "interp/calls/sys.h"
#include "interp/launch/privatized_reduction.h"
#include "interp/definedness/undef.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }
#define is_varying dec_is_varying
#define place      dec_place
#define emit       dec_emit
#define access_of  dec_access
static unsigned log2_of(unsigned size) { return (unsigned)__builtin_ctz(size); }

uint32_t place(const struct decoder *d, const struct vm_fn *fn, uint32_t operand)
{
    (void)d;
    if (operand == BC_NONE) return 0;
    return operand & BC_V ? fn->varying_off[operand & ~BC_V] : fn->uniform_off + 8 * operand;
}
static unsigned elog_of(const struct vm_fn *fn, uint32_t operand)
{
    return log2_of(fn->bc->vsize[operand & ~BC_V]);
}
static uint32_t scratch_v(const struct decoder *d, unsigned i)
{
    return d->code->scratch_v + (uint32_t)(i * round_up(8 * (size_t)d->code->width, 64));
}

struct vm_insn *emit(struct decoder *d, vm_handler *fn, const struct bc_insn *src)
{
    struct vm_insn *i = vec_add(&d->out);
    i->fn = fn;
    i->src = src;
    return i;
}
static struct vm_insn *emit2(struct decoder *d, vm_handler *fn, uint32_t dst, uint32_t a,
                             const struct bc_insn *src)
{
    struct vm_insn *i = emit(d, fn, src);
    i->d = dst;
    i->a = a;
    return i;
}

/** Moves a value of 1 << lg bytes; where `blend`, only for the active lanes. */
static void emit_move(struct decoder *d, uint32_t to, bool to_v, uint32_t from, bool from_v,
                      unsigned lg, bool blend, const struct bc_insn *src)
{
    vm_handler *fn = !to_v     ? vm_op_copy_slot
                     : !from_v ? (blend ? d->isa->blend_uniform : d->isa->splat)[lg]
                               : (blend ? d->isa->blend : d->isa->copy)[lg];
    emit2(d, fn, to, from, src);
}

/** Whether this result must not touch lanes that are not active. */
static bool blends(const struct decoder *d, const struct bc_insn *b, uint32_t dst)
{
    if (!d->masked || !(b->flags & BC_MASKED) || !is_varying(dst)) return false;
    const uint32_t n = dst & ~BC_V;
    return !d->kept || d->kept[(size_t)d->block * d->kept_words + n / 64] >> n % 64 & 1;
}

/** The smallest value that an integer of so many bits can hold when the fraction is cut off. */
static double lowest(bool sgn, int bits, bool is_double)
{
    const double min = sgn ? -ldexp(1, bits - 1) : 0, below = min - 1;
    if (sgn && bits > (is_double ? DBL_MANT_DIG : FLT_MANT_DIG))
        return min; // there is nothing between the two
    return is_double ? nextafter(below, 0) : nextafterf((float)below, 0);
}

/** Before a conversion to an integer: is there a value for the result? */
static void emit_check_range(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    const bool sgn = b->op >= BC_F2S_I8_F32, is_double = info->from == BC_F64, v = is_varying(b->a);
    const int bits = 8 * (int)bc_type_size(info->type);
    struct vm_range *q = arena_new(d->arena, struct vm_range);
    *q = (struct vm_range){lowest(sgn, bits, is_double), ldexp(1, sgn ? bits - 1 : bits), is_double,
                           v};
    struct vm_insn *i = emit(d, v ? d->isa->check_range[is_double] : vm_op_check_once, b);
    i->a = place(d, d->fn, b->a);
    i->p = q;
}

static void emit_plain(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    if (b->op >= BC_F2U_I8_F32 && b->op <= BC_F2S_I64_F64 && d->code->mode & VM_CONVERSIONS &&
        !(b->flags & BC_SATURATES))
        emit_check_range(d, b);
    const bool dst_v = is_varying(b->dst);
    const unsigned form = is_varying(b->a) | is_varying(b->b) << 1 | is_varying(b->c) << 2;
    const uint32_t to = place(d, d->fn, b->dst);
    const bool blend = blends(d, b, b->dst);
    const unsigned lg = dst_v ? elog_of(d->fn, b->dst) : 0;
    const bool is_move = b->op >= BC_MOV_I8 && b->op <= BC_MOV_I64;
    if (is_move && dst_v) {
        emit_move(d, to, true, place(d, d->fn, b->a), form, log2_of(bc_type_size(info->type)),
                  blend, b);
        return;
    }
    const bool spread = dst_v && !form; // uniform operands, varying result
    struct vm_insn *i = emit(d, d->isa->op[b->op][form], b);
    i->d = spread ? d->code->scratch_u : blend ? scratch_v(d, 0) : to;
    i->a = place(d, d->fn, b->a);
    i->b = place(d, d->fn, b->b);
    i->c = place(d, d->fn, b->c);
    if (spread) emit_move(d, to, true, d->code->scratch_u, false, lg, blend, b);
    else if (blend) emit_move(d, to, true, scratch_v(d, 0), true, lg, true, b);
}

/**
 * A product that only the sum behind it uses: one instruction for both (bytecode: BC_ONCE). Not
 * where single instructions are looked at, nor where what is undefined is followed.
 */
static bool emit_product_sum(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_insn *const sum = b + 1;
    if (!(b->flags & BC_ONCE) || !d->clean || d->code->stepped || d->code->mode & VM_SCOUTING)
        return false;
    const bool wide = b->op == BC_MUL_I64;
    if ((!wide && b->op != BC_MUL_I32) || sum->op != (wide ? BC_ADD_I64 : BC_ADD_I32) ||
        !is_varying(b->dst) || !is_varying(sum->dst))
        return false;
    if ((sum->a == b->dst) == (sum->b == b->dst)) return false;
    const uint32_t added = sum->a == b->dst ? sum->b : sum->a;
    const unsigned form = is_varying(b->a) | is_varying(b->b) << 1 | is_varying(added) << 2;
    if (!form) return false; // uniform operands, varying result: see emit_plain
    const bool blend = blends(d, sum, sum->dst);
    struct vm_insn *i = emit(d, d->isa->mul_add[wide][form], sum);
    const uint32_t to = place(d, d->fn, sum->dst);
    i->d = blend ? scratch_v(d, 0) : to;
    i->a = place(d, d->fn, b->a);
    i->b = place(d, d->fn, b->b);
    i->c = place(d, d->fn, added);
    if (blend) emit_move(d, to, true, scratch_v(d, 0), true, elog_of(d->fn, sum->dst), true, sum);
    return true;
}

// ---- memory
struct vm_access *access_of(struct decoder *d, const struct bc_insn *b, uint32_t site)
{
    const struct bc_mem *m = &d->m->sites[site];
    struct vm_access *x = arena_new(d->arena, struct vm_access);
    x->m = m;
    x->site = site;
    x->ncomp = m->ncomp;
    const int64_t elem = m->elem ? m->elem : 1; // address arithmetic has none
    x->elog = (uint8_t)log2_of((unsigned)elem);
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
    x->base_varying = is_varying(b->a);
    x->index_varying = x->index != BC_IDX_NONE && is_varying(b->b);
    x->plain = x->regular && !x->base_varying && x->index_varying && x->ncomp == 1 && x->step == 1;
    x->base_off = place(d, d->fn, b->a);
    x->index_off = place(d, d->fn, b->b);
    x->spaces = vm_spaces(m->space);
    x->src = b;
    return x;
}

/** A value or result of an access; whether it is a result that must be blended. */
static bool add_value(struct decoder *d, struct vm_access *x, unsigned j, uint32_t operand)
{
    x->val[j] = place(d, d->fn, operand);
    if (is_varying(operand)) x->val_varying |= (uint16_t)(1u << j);
    return blends(d, x->src, operand);
}

/** Results of x that must be blended, whose bits are in `blend`, go to scratch first. */
static void emit_access(struct decoder *d, vm_handler *fn, struct vm_access *x,
                        const struct bc_insn *b, uint32_t blend)
{
    uint32_t final[VM_MAX_COMPS];
    for (unsigned j = 0; j < x->ncomp; j++) {
        final[j] = x->val[j];
        if (blend >> j & 1) x->val[j] = scratch_v(d, j);
    }
    emit(d, fn, b)->p = x;
    for (unsigned j = 0; j < x->ncomp; j++)
        if (final[j] != x->val[j]) emit2(d, d->isa->blend[x->elog], final[j], x->val[j], b);
}

static void emit_load(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = access_of(d, b, b->site);
    uint32_t blend = 0;
    for (unsigned j = 0; j < x->ncomp; j++)
        blend |= (uint32_t)add_value(d, x, j, x->ncomp > 1 ? d->fn->bc->ext[b->ext + j] : b->dst)
                 << j;
    x->undef = vm_undef_access_of(d, b);
    const bool uniform = !x->base_varying && !x->index_varying;
    vm_handler *const fn = d->code->stepped && vm_step_is_plain(x)
                               ? vm_step_load
                               : (uniform ? d->isa->load_uniform : d->isa->load)[d->masked];
    if (x->ncomp > 1) emit_access(d, fn, x, b, blend);
    else emit(d, fn, b)->p = x; // a scalar load writes active lanes only
}

static void emit_store(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = access_of(d, b, b->site);
    for (unsigned j = 0; j < x->ncomp; j++)
        add_value(d, x, j, x->ncomp > 1 ? d->fn->bc->ext[b->ext + j] : b->c);
    x->undef = vm_undef_access_of(d, b);
    const bool uniform = !x->base_varying && !x->index_varying;
    emit(d,
         d->code->stepped && vm_step_is_plain(x) ? vm_step_store
         : uniform                               ? d->isa->store_uniform
                                                 : d->isa->store[d->masked],
         b)
        ->p = x;
}

static void emit_lea(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = access_of(d, b, b->site);
    x->ncomp = 1;
    x->elog = 3;
    const bool blend = add_value(d, x, 0, b->dst);
    emit_access(d, d->isa->lea, x, b, blend);
}

static void emit_atomic(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = access_of(d, b, b->site);
    // val: old value, operand, compare operand
    x->val[0] = place(d, d->fn, b->dst);
    if (is_varying(b->dst)) x->val_varying |= 1;
    if (b->dst == BC_NONE) x->val[0] = 0;
    add_value(d, x, 1, b->c);
    if (x->m->atomic_op == BC_CMPXCHG && b->ext) add_value(d, x, 2, d->fn->bc->ext[b->ext]);
    x->wants_old = b->dst != BC_NONE;
    emit_access(d, d->code->stepped ? vm_op_atomic : d->isa->atomic, x, b, blends(d, b, b->dst));
}

/** Operands for a handler that works lane by lane; operand 0 may be a result. */
static struct vm_operands *operands(struct decoder *d, const uint32_t *list, unsigned n)
{
    struct vm_operands *q = arena_new(d->arena, struct vm_operands);
    for (unsigned i = 0; i < n; i++) {
        q->off[i] = place(d, d->fn, list[i]);
        if (is_varying(list[i])) q->varying |= (uint8_t)(1u << i);
    }
    return q;
}

static void emit_index(struct decoder *d, const struct bc_insn *b)
{
    const bool of_vector = b->b == BC_NONE;
    if (!of_vector && !(d->code->mode & VM_SUBOBJECTS)) return;
    struct vm_operands *q = operands(d, (const uint32_t[]){b->a, b->b}, of_vector ? 1 : 2);
    q->n = b->ext;
    struct vm_insn *i =
        emit(d, is_varying(b->a) ? d->isa->check_index[b->c == BC_IDX_I64] : vm_op_index_once, b);
    i->a = q->off[0];
    i->p = q;
}

/** An instruction of a row REGULAR: one call with its operands. */
static void emit_regular(struct decoder *d, const struct bc_insn *b)
{
    static vm_handler *const handlers[BC_OP_COUNT] = {
#define REGULAR(n, f, x, e, handler) [BC_##n] = vm_op_##handler,
#include "bytecode/ops.def"
    };
    const uint32_t fields[4] = {b->dst, b->a, b->b, b->c};
    uint32_t regs[4];
    for (unsigned k = 0; k < 4; k++)
        regs[k] = bc_ops[b->op].use[k] & (BC_USE_IN | BC_USE_OUT) ? fields[k] : BC_NONE;
    struct vm_operands *q = operands(d, regs, 4);
    for (unsigned k = 0; k < 4; k++)
        if (bc_ops[b->op].use[k] & BC_USE_NUMBER) q->off[k] = fields[k];
    const uint32_t to = q->off[0];
    const bool blend = blends(d, b, regs[0]);
    assert(handlers[b->op]);
    q->n = b->ext;
    if (blend) q->off[0] = scratch_v(d, 0);
    emit(d, handlers[b->op], b)->p = q;
    if (blend) emit_move(d, to, true, q->off[0], true, elog_of(d->fn, b->dst), true, b);
}

// ---- work-item functions
static void emit_wi(struct decoder *d, const struct bc_insn *b)
{
    const unsigned kind = b->ext & 0xff, dim = b->ext >> 8;
    const bool wide = b->op == BC_WI_I64, dst_v = is_varying(b->dst), blend = blends(d, b, b->dst);
    const bool by_lane = kind == BC_GLOBAL_ID || kind == BC_LOCAL_ID ||
                         kind == BC_LOCAL_LINEAR_ID || kind == BC_GLOBAL_LINEAR_ID ||
                         (kind == BC_GROUP_ID && d->code->batches);
    const uint32_t to = place(d, d->fn, b->dst);
    const unsigned lg = wide ? 3 : 2;
    if (!by_lane || !dst_v) {
        struct vm_insn *i = emit(d, by_lane ? vm_op_wi_first : vm_op_wi_uniform, b);
        i->d = dst_v ? d->code->scratch_u : to;
        i->a = kind * 3 + dim;
        i->b = kind;
        i->c = dim;
        if (dst_v) emit_move(d, to, true, i->d, false, lg, blend, b);
        return;
    }
    const uint32_t at = blend ? scratch_v(d, 0) : to;
    const bool batch = d->code->batches && (kind == BC_GLOBAL_ID || kind == BC_GROUP_ID),
               linear = kind == BC_GLOBAL_LINEAR_ID;
    if (d->code->batches && linear) d->code->linear_used = true;
    if (d->code->batches)
        d->code->ids_used |= linear ? 7u << BC_GLOBAL_ID * 3 : batch ? 1u << (kind * 3 + dim) : 0;
    struct vm_insn *i = emit(d,
                             batch    ? d->isa->wi_batch[wide]
                             : linear ? vm_op_wi_linear
                             : wide   ? d->isa->wi64
                                      : d->isa->wi32,
                             b);
    i->d = at;
    i->a = kind * 3 + dim;
    i->b = kind == BC_LOCAL_LINEAR_ID ? VM_LANE_LINEAR : dim;
    if (batch && kind == BC_GROUP_ID) i->b = dim ? VM_LANE_0 : VM_LANE_GROUP;
    else if (batch && !dim) i->b = VM_LANE_OFFSET;
    i->c = lg;
    if (blend) emit_move(d, to, true, at, true, lg, true, b);
}

// ---- calls
static void emit_call(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_fn *callee = &d->code->fns[d->code->fn_of[*e++]];
    const uint32_t nargs = *e++;
    for (uint32_t i = 0; i < nargs; i++, e++) {
        const uint32_t p = callee->bc->params[i];
        const bool v = is_varying(p);
        emit_move(d, place(d, callee, p), v, place(d, d->fn, *e), is_varying(*e),
                  v ? elog_of(callee, p) : 3, false, b);
    }
    const bool switches = d->code->undef && d->clean;
    struct vm_insn *call = emit(d,
                                d->code->stepped ? (switches ? vm_step_undef_call : vm_step_call)
                                : switches       ? vm_undef_call
                                                 : vm_op_call,
                                b);
    call->imm = callee->frame;
    call->b = d->call++;
    call->a = d->resume_call;
    d->behind_call = (uint32_t)d->out.len;
    const uint32_t nrets = *e++;
    for (uint32_t i = 0; i < nrets; i++, e++) {
        const uint32_t p = callee->bc->rets[i];
        if (*e == BC_NONE) continue;
        const bool v = is_varying(*e);
        emit_move(d, place(d, d->fn, *e), v, place(d, callee, p), is_varying(p),
                  v ? elog_of(d->fn, *e) : 3, blends(d, b, *e), b);
    }
}

static void emit_ret(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    if (b->op == BC_RET && b->ext)
        for (uint32_t i = 0; i < e[0]; i++) {
            const uint32_t to = d->fn->bc->rets[i], from = e[1 + i];
            const bool v = is_varying(to);
            emit_move(d, place(d, d->fn, to), v, place(d, d->fn, from), is_varying(from),
                      v ? elog_of(d->fn, to) : 3, d->masked, b);
        }
    emit(d, vm_op_ret, b);
}

static void emit_lanefn(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_lanefn *q = arena_new(d->arena, struct vm_lanefn);
    const struct bi_lane *l = &bi_lane_fns[*e++];
    q->fn = l->fn;
    q->ndst = *e++;
    const uint32_t *const dsts = e;
    bool any_v = false;
    for (unsigned i = 0; i < q->ndst; i++) any_v |= is_varying(e[i]);
    e += q->ndst;
    q->nsrc = *e++;
    q->once = !any_v;
    unsigned scratch = 0;
    for (unsigned i = 0; i < q->nsrc; i++, e++) {
        q->src[i] = place(d, d->fn, *e);
        if (any_v && !is_varying(*e)) { // the function takes arrays
            const uint32_t at = scratch_v(d, VM_MAX_COMPS + 4 + scratch++);
            emit2(d, d->isa->splat[log2_of(bc_type_size(bi_lane_type(l, q->ndst + i)))], at,
                  q->src[i], b);
            q->src[i] = at;
        }
    }
    const unsigned n = q->ndst;
    for (unsigned i = 0; i < n; i++)
        q->dst[i] = any_v && (blends(d, b, dsts[i]) || !is_varying(dsts[i]))
                        ? scratch_v(d, i)
                        : place(d, d->fn, dsts[i]);
    emit(d, vm_op_lanefn, b)->p = q;
    for (unsigned i = 0; i < n; i++)
        if (any_v && q->dst[i] != place(d, d->fn, dsts[i]))
            emit_move(d, place(d, d->fn, dsts[i]), is_varying(dsts[i]), q->dst[i],
                      is_varying(dsts[i]), log2_of(bc_type_size(bi_lane_type(l, i))), true, b);
}

static void emit_printf(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_printf *q = arena_new(d->arena, struct vm_printf);
    q->format = bc_str(d->m, *e++);
    q->nargs = *e++;
    q->args = arena_array(d->arena, struct vm_printf_arg, q->nargs);
    for (uint32_t i = 0; i < q->nargs; i++) {
        struct vm_printf_arg *a = &q->args[i];
        a->type = (uint8_t)*e++;
        a->ncomp = (uint8_t)*e++;
        a->off = arena_array(d->arena, uint32_t, a->ncomp);
        for (unsigned j = 0; j < a->ncomp; j++, e++) {
            a->off[j] = place(d, d->fn, *e);
            if (is_varying(*e)) a->varying |= 1u << j;
        }
    }
    const bool blend = blends(d, b, b->dst);
    q->dst_varying = is_varying(b->dst);
    q->has_dst = b->dst != BC_NONE;
    q->dst = blend ? scratch_v(d, 0) : place(d, d->fn, b->dst);
    emit(d, vm_op_printf, b)->p = q;
    if (blend) emit_move(d, place(d, d->fn, b->dst), true, q->dst, true, 2, true, b);
}

static void emit_async(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_async *q = arena_new(d->arena, struct vm_async);
    const uint32_t args[5] = {b->a, b->b, b->c, e[2], e[4]};
    for (unsigned k = 0; k < 5; k++) {
        q->arg[k] = place(d, d->fn, args[k]);
        q->varying |= (uint8_t)((args[k] != BC_NONE && is_varying(args[k])) << k);
    }
    q->elem = e[0];
    q->write_site = b->site;
    q->read_site = e[1];
    q->has_stride = e[2] != BC_NONE;
    q->stride_is_to = e[3];
    q->has_event = e[4] != BC_NONE;
    q->has_dst = b->dst != BC_NONE;
    q->dst = place(d, d->fn, b->dst);
    if (is_varying(b->dst)) q->varying |= 32;
    if (d->code->undef) emit(d, vm_undef_async, b)->p = q;
    emit(d, vm_op_async_copy, b)->p = q; // events are written for active lanes only
}

struct vm_image_op *dec_image(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext, *values = e + 3 + e[1];
    struct vm_image_op *q = arena_new(d->arena, struct vm_image_op);
    q->what = (uint8_t)e[0];
    q->ncoord = (uint8_t)e[1];
    q->nvalue = (uint8_t)e[2];
    q->image = place(d, d->fn, b->a);
    q->image_varying = is_varying(b->a);
    q->has_sampler = b->b != BC_NONE;
    q->sampler = place(d, d->fn, b->b);
    q->sampler_varying = is_varying(b->b);
    for (unsigned k = 0; k < q->ncoord; k++) {
        q->coord[k] = place(d, d->fn, e[3 + k]);
        if (is_varying(e[3 + k])) q->varying |= (uint8_t)(1u << k);
    }
    for (unsigned k = 0; k < q->nvalue; k++) {
        q->value[k] = place(d, d->fn, values[k]);
        if (is_varying(values[k])) q->varying |= (uint8_t)(16u << k);
    }
    return q;
}

struct vm_collect *dec_collect(struct decoder *d, const struct bc_insn *b)
{
    struct vm_collect *q = arena_new(d->arena, struct vm_collect);
    const uint32_t of[4] = {b->a, b->b, b->c, b->dst};
    for (unsigned k = 0; k < 4; k++) {
        q->off[k] = of[k] == BC_NONE ? 0 : place(d, d->fn, of[k]);
        q->has |= (uint8_t)((of[k] != BC_NONE) << k);
        q->varying |= (uint8_t)((of[k] != BC_NONE && is_varying(of[k])) << k);
    }
    q->how = (struct vm_collective){(uint8_t)b->ext, (uint8_t)(b->ext >> 8),
                                    (uint8_t)(b->ext >> 16 & 0x7f), b->c != BC_NONE};
    q->by_all = b->ext & BC_COLLECT_BY_ALL;
    return q;
}

static void emit_collect(struct decoder *d, const struct bc_insn *b)
{
    const struct vm_collect *const q = dec_collect(d, b);
    emit(d, b->ext >> 24 == BC_SCOPE_GROUP ? vm_op_collect_group : vm_op_collect_sub_group, b)->p =
        q; // writes active lanes only
}

static const struct vm_compared *compared(struct decoder *d, const struct bc_insn *branch)
{
    struct vm_compared *q = arena_new(d->arena, struct vm_compared);
    q->insn = vm_comparison(d->fn->bc, branch);
    if (!q->insn) return q;
    const uint32_t of[2] = {q->insn->a, q->insn->b};
    for (unsigned k = 0; k < 2; k++) {
        q->off[k] = place(d, d->fn, of[k]);
        q->varying |= (uint8_t)(is_varying(of[k]) << k);
    }
    q->elog = (uint8_t)log2_of(bc_type_size(bc_ops[q->insn->op].type));
    return q;
}

static void emit_branch(struct decoder *d, const struct bc_insn *b)
{
    struct vm_insn *i = emit(d,
                             b->op == BC_BR     ? vm_op_br
                             : is_varying(b->a) ? d->isa->cbr
                                                : vm_op_cbr_uniform,
                             b);
    if (b->flags & BC_DECIDES && i->fn == d->isa->cbr && d->fn->frame == 0) {
        i->fn = vm_op_cbr_decides;
        i->p = compared(d, b);
        d->code->decides = true;
    }
    i->a = place(d, d->fn, b->a);
    i->b = b->op == BC_BR ? b->ext : b->b;
    i->c = b->c;
}

static void emit_barrier(struct decoder *d, const struct bc_insn *b)
{
    struct vm_barrier *q = arena_new(d->arena, struct vm_barrier);
    q->flags = *operands(d, (const uint32_t[]){b->b}, 1);
    q->kind = b->a;
    q->scope = b->c;
    struct vm_insn *i = emit(d, vm_op_barrier, b);
    i->b = b->ext;
    i->p = q;
}

static void emit_insn(struct decoder *d, const struct bc_insn *b)
{
    if (bc_ops[b->op].shape != BC_SPECIAL) {
        emit_plain(d, b);
        return;
    }
    switch ((enum bc_op)b->op) {
    case BC_WI_I64:
    case BC_WI_I32: emit_wi(d, b); break;
    case BC_LEA: emit_lea(d, b); break;
    case BC_LOAD: emit_load(d, b); break;
    case BC_STORE: emit_store(d, b); break;
    case BC_ATOMIC: emit_atomic(d, b); break;
    case BC_COPY:
        emit(d, d->isa->copy_bytes, b)->p = operands(d, (const uint32_t[]){b->a, b->b, b->c}, 3);
        break;
    case BC_SET:
        emit(d, d->isa->set_bytes, b)->p = operands(d, (const uint32_t[]){b->a, b->b, b->c}, 3);
        break;
    case BC_LANEFN: emit_lanefn(d, b); break;
    case BC_PRINTF: emit_printf(d, b); break;
    case BC_ASYNC_COPY: emit_async(d, b); break;
    case BC_IMAGE:
        emit(d, vm_op_image, b)->p = dec_image(d, b);
        break; // results are written for active lanes only
    case BC_COLLECT: emit_collect(d, b); break;
    case BC_CALL: emit_call(d, b); break;
    case BC_BR:
    case BC_CBR: emit_branch(d, b); break;
    case BC_TRAP: emit(d, vm_op_trap, b); // fall through
    case BC_RET: emit_ret(d, b); break;
    case BC_BARRIER: emit_barrier(d, b); break;
    case BC_MEET:
        emit(d,
             d->code->stepped      ? vm_op_meet_stepped
             : d->fn->bc->may_part ? vm_op_meet
                                   : vm_op_br,
             b)
            ->b = b->ext;
        break;
    case BC_INDEX: emit_index(d, b); break;
    case BC_UNDEF:
    case BC_FORGET: break; // undef_decode.c
    default: emit_regular(d, b); break;
    }
}

/**
 * What only code for scouting has: a look at the first instruction of a line and at barriers, and
 * before writes.
 */
static void emit_scout(struct decoder *d, const struct bc_block *block, uint32_t i)
{
    const struct bc_insn *b = &d->fn->bc->insns[block->first + i];
    const struct bc_loc *l = &d->m->locs[b->loc], *before = i ? &d->m->locs[b[-1].loc] : NULL;
    if (!before || b->op == BC_BARRIER || l->line != before->line ||
        l->inlined_at != before->inlined_at || l->file != before->file ||
        l->fn_name != before->fn_name)
        emit(d, vm_scout_look, b);
    if ((bc_ops[b->op].effects & (BC_WRITES | BC_CROSSES)) == BC_WRITES &&
        !(b->op == BC_STORE && d->m->sites[b->site].space == BC_PRIVATE))
        emit(d, vm_scout_write, b);
}

/**
 * Where something may be undefined, the stream for that is made before the clean one, which changes
 * to it.
 */
static const struct vm_insn *decode_stream(struct decoder *d, const struct bc_block *block,
                                           bool clean)
{
    const bool undef = d->code->undef;
    d->clean = clean;
    vec_clear(&d->out);
    if (!clean) vec_clear(&d->resume);
    for (uint32_t i = 0; i < block->count; i++) {
        const struct bc_insn *b = &d->fn->bc->insns[block->first + i];
        if (d->code->mode & VM_COUNTS && bc_is_access(b->op))
            emit(d, d->isa->count_access, b)->p = access_of(d, b, b->site);
        if (d->code->mode & VM_SCOUTING) emit_scout(d, block, i);
        if (i + 1 < block->count && emit_product_sum(d, b)) {
            i++;
            continue;
        }
        const uint32_t start = (uint32_t)d->out.len;
        if (undef && clean) d->resume_call = d->resume.data[i].behind_call;
        d->resume_start = undef && clean ? d->resume.data[i].start : 0;
        if (undef) vm_undef_before(d, b, clean, d->resume_start);
        emit_insn(d, b);
        if (undef) vm_undef_behind(d, b, clean);
        if (!clean) vec_push(&d->resume, (struct dec_resume){start, d->behind_call});
    }
    return arena_dup(d->arena, d->out.data, d->out.len * sizeof *d->out.data);
}

/**
 * Is something written that others can see? What atomics write is seen when they do
 * (vm_gang.worker_changed), if other groups ask.
 */
static uint64_t effect_of(const struct decoder *d, const struct bc_block *b)
{
    const struct bc_mem *sites = d->m->sites;
    uint64_t near = 0;
    for (uint32_t k = b->first; k < b->first + b->count; k++) {
        const struct bc_insn *i = &d->fn->bc->insns[k];
        if (!(bc_ops[i->op].effects & BC_ACTS)) continue;
        const unsigned effects = bc_effects(sites, d->fn->bc->ext, i);
        if (effects & BC_SHOWS || i->op == BC_ASYNC_COPY) return VM_FAR_EFFECT;
        if (effects & BC_CROSSES || i->op == BC_BARRIER) near = VM_EFFECT;
        if (!(effects & BC_WRITES)) continue;
        if (i->op == BC_ATOMIC || sites[i->site].space == BC_LOCAL) near = VM_EFFECT;
        else if (sites[i->site].space != BC_PRIVATE) return VM_FAR_EFFECT;
    }
    return near;
}

/**
 * Does all of the block's code for some lanes look at no more lanes than those that it is run for?
 * See vm_gang.n.
 */
static bool may_narrow(const struct decoder *d, const struct bc_block *b)
{
    if (d->code->stepped || d->code->mode & VM_SCOUTING) return false;
    for (uint32_t k = b->first; k < b->first + b->count; k++)
        if (!(bc_ops[d->fn->bc->insns[k].op].effects & BC_NARROWS)) return false;
    return true;
}

static void decode_blocks(struct decoder *d, struct vm_fn *fn)
{
    d->fn = fn;
    d->call = 0;
    dec_find_kept(d);
    fn->blocks = arena_array(d->arena, struct vm_block, fn->bc->nblocks);
    for (uint32_t k = 0; k < fn->bc->nblocks; k++) {
        const struct bc_block *b = &fn->bc->blocks[k];
        struct vm_block *to = &fn->blocks[k];
        d->block = k;
        to->count = b->count;
        to->loop = b->loop;
        to->effect = effect_of(d, b);
        to->narrows = may_narrow(d, b);
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

// ---- which functions, and where everything lies
static void reach(struct vm_code *c, uint32_t index)
{
    if (c->fn_of[index] != UINT32_MAX) return;
    const struct bc_fn *bc = &c->module->fns[index];
    c->fn_of[index] = c->nfns;
    struct vm_fn *fn = &c->fns[c->nfns];
    fn->bc = bc;
    fn->index = index;
    fn->frame = c->nfns++;
    c->may_part |= bc->may_part;
    for (uint32_t i = 0; i < bc->ninsns; i++) {
        const struct bc_insn *b = &bc->insns[i];
        if (b->op == BC_CALL) reach(c, bc->ext[b->ext]);
        if (b->op == BC_ATOMIC) {
            const struct bc_mem *m = &c->module->sites[b->site];
            c->uses_atomics = true;
            c->synchronises |= m->order >= BC_ACQUIRE && m->order <= BC_SEQ_CST;
            c->synchronises |= vm_may_only_load(m) && m->failure != BC_RELAXED;
            c->scoped_atomics |= !bc_is_cl1(m->order);
            c->weak_orders |= m->order != BC_SEQ_CST && m->order != BC_CL1;
            c->narrow_scopes |= m->scope < BC_SCOPE_DEVICE;
            c->narrow_atomics |= vm_atomic_is_narrow(m);
            c->cl1_atomics |= m->order == BC_CL1 && m->space != BC_LOCAL;
            c->global_atomics |= m->space != BC_LOCAL;
            vm_tally_note(c, m, b->dst != BC_NONE);
        }
        c->fences |= b->op == BC_FENCE;
        c->cl1_fences |= b->op == BC_FENCE && b->ext & BC_FENCE_CL1;
        c->weak_orders |= b->op == BC_FENCE && !(b->ext & BC_FENCE_CL1);
        c->narrow_scopes |= b->op == BC_MEET || b->op == BC_COLLECT;
        c->narrow_scopes |= b->op == BC_FENCE && !(b->ext & BC_FENCE_CL1) &&
                            (b->ext >> 16 & 0xff) < BC_SCOPE_DEVICE;
        c->parks |= b->op == BC_BARRIER || b->op == BC_MEET;
        c->copies |= b->op == BC_ASYNC_COPY;
        c->collects |= b->op == BC_COLLECT && b->ext >> 24 == BC_SCOPE_GROUP;
        c->synchronises |= b->op == BC_COLLECT && (b->ext & 0xff) == BC_COL_BARRIER;
        if (b->op == BC_BARRIER && b->a == BC_BAR_BARRIER) {
            c->fences |= b->c >= BC_SCOPE_DEVICE;
            c->global_barriers |= b->b >= bc->nconst || bc->consts[b->b] & BC_FENCE_GLOBAL;
        }
    }
}

static size_t lay_out_registers(struct vm_code *c)
{
    size_t at = 0;
    c->scratch_u = 0;
    at = 64;
    for (uint32_t f = 0; f < c->nfns; f++) {
        c->fns[f].uniform_off = (uint32_t)at;
        at += 8 * (size_t)c->fns[f].bc->nuniform;
    }
    at = round_up(at, 64);
    for (uint32_t f = 0; f < c->nfns; f++) {
        struct vm_fn *fn = &c->fns[f];
        fn->varying_off = arena_array(&c->arena, uint32_t, fn->bc->nvarying + 1);
        for (uint32_t i = 0; i < fn->bc->nvarying; i++) {
            fn->varying_off[i] = (uint32_t)at;
            at += round_up((size_t)fn->bc->vsize[i] * c->width, 64);
        }
    }
    c->scratch_v = (uint32_t)at;
    at += (VM_MAX_COMPS + 4 + BI_MAX_LANE_SRC) * round_up(8 * (size_t)c->width, 64);
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

static void lay_out_objects(struct vm_code *c)
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
            c->private_word[i] = (uint32_t)c->private_words; // vm_gang_get refuses what is larger
            c->private_words += round_up(o->size, 8) / 4;
        } else {
            c->local_bytes = round_up(c->local_bytes, o->align > 64 ? o->align : 64);
            c->local_off[i] = (uint32_t)c->local_bytes;
            c->local_bytes += o->size;
        }
    }
}

static bool is_variable(const struct vm_fn *fn, const struct bc_object *o)
{
    return o->kind == BC_OBJ_PRIVATE && o->fn == fn->index && !o->is_param;
}

static void list_objects(struct vm_code *c)
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

struct vm_code *vm_decode(const struct bc_module *m, const struct bc_kernel *k, uint32_t lanes,
                          const struct vm_isa *isa, unsigned mode)
{
    struct vm_code *c = mem_alloc(sizeof *c);
    c->module = m;
    c->kernel = k;
    c->isa = isa;
    c->lanes = lanes;
    c->width = (uint32_t)round_up(lanes, VM_PAD);
    c->fns = arena_array(&c->arena, struct vm_fn, m->nfns);
    c->fn_of = arena_array(&c->arena, uint32_t, m->nfns);
    for (uint32_t i = 0; i < m->nfns; i++) c->fn_of[i] = UINT32_MAX;
    reach(c, k->fn);
    c->narrow_scopes |= c->scoped_atomics && c->cl1_fences; // which are of the group for these
    c->synchronises |= c->narrow_atomics; // who is left out races, unless something orders the two
    c->synchronises |= c->uses_atomics && (c->fences || (c->global_barriers && c->cl1_atomics));
    c->file_size = lay_out_registers(c);
    lay_out_objects(c);
    list_objects(c);
    c->call_paths = vm_call_paths_make(c);
    c->mode = (uint16_t)mode;
    c->stepped = mode & VM_STEPPED;
    c->batches = mode & VM_BATCHES;
    c->undef = mode & VM_UNDEF_ON && vm_undef_analyse(c);
    struct decoder d = {.code = c, .m = m, .isa = isa, .arena = &c->arena};
    for (uint32_t f = 0; f < c->nfns; f++) decode_blocks(&d, &c->fns[f]);
    vm_dense_analyse(c);
    vec_free(&d.out);
    vec_free(&d.resume);
    free(d.kept);
    return c;
}

void vm_code_free(struct vm_code *c)
{
    if (!c) return;
    arena_deinit(&c->arena);
    free(c);
}
