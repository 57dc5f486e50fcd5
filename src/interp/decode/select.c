// SPDX-License-Identifier: MIT
// Instruction selection: each instruction of bytecode becomes one or a few decoded ones, by the
// form of its operands (varying or uniform).
#include "interp/decode/select.h"

#include "builtins/builtins.h"
#include "bytecode/operands.h"
#include "bytecode/ops.def"
#include "interp/calls/sys.h"
#include "interp/core/barrier.h"
#include "interp/core/divergence_point.h"
#include "interp/core/fault.h"
#include "interp/core/gang.h"
#include "interp/core/reconvergence.h"
#include "interp/core/schedule.h"
#include "interp/decode/code.h"
#include "interp/decode/decoder.h"
#include "interp/definedness/undef.h"
#include "interp/stepping/step.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/** The smallest value that fits into an integer of `bits` bits after truncation. */
static double lowest(bool sgn, int bits, bool is_double)
{
    const double min = sgn ? -ldexp(1, bits - 1) : 0, below = min - 1;
    if (sgn && bits > (is_double ? DBL_MANT_DIG : FLT_MANT_DIG))
        return min; // no value lies between the two
    return is_double ? nextafter(below, 0) : nextafterf((float)below, 0);
}

/** Emits the check before a conversion to an integer: is the result representable? */
static void emit_check_range(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    const bool sgn = b->op >= BC_F2S_I8_F32, is_double = info->from == BC_F64,
               v = dec_is_varying(b->a);
    const int bits = 8 * (int)bc_type_size(info->type);
    struct vm_range *q = arena_new(d->arena, struct vm_range);
    *q = (struct vm_range){lowest(sgn, bits, is_double), ldexp(1, sgn ? bits - 1 : bits), is_double,
                           v};
    struct vm_insn *i = dec_emit(d, v ? d->isa->check_range[is_double] : vm_op_check_once, b);
    i->a = dec_offset(d, d->fn, b->a);
    i->p = q;
}

static void emit_plain(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    if (b->op >= BC_F2U_I8_F32 && b->op <= BC_F2S_I64_F64 && d->code->mode & VM_CONVERSIONS &&
        !(b->flags & BC_SATURATES))
        emit_check_range(d, b);
    const bool dst_v = dec_is_varying(b->dst);
    const unsigned form = dec_is_varying(b->a) | dec_is_varying(b->b) << 1 |
                          dec_is_varying(b->c) << 2;
    const uint32_t to = dec_offset(d, d->fn, b->dst);
    const bool blend = dec_must_blend(d, b, b->dst);
    const unsigned lg = dst_v ? dec_elog(d->fn, b->dst) : 0;
    const bool is_move = b->op >= BC_MOV_I8 && b->op <= BC_MOV_I64;
    if (is_move && dst_v) {
        dec_move(d, (struct dec_value){to, true},
                 (struct dec_value){dec_offset(d, d->fn, b->a), form},
                 dec_log2(bc_type_size(info->type)), blend, b);
        return;
    }
    const bool spread = dst_v && !form; // uniform operands, varying result
    struct vm_insn *i = dec_emit(d, d->isa->op[b->op][form], b);
    i->d = spread ? d->code->scratch_u : blend ? dec_scratch(d, 0) : to;
    i->a = dec_offset(d, d->fn, b->a);
    i->b = dec_offset(d, d->fn, b->b);
    i->c = dec_offset(d, d->fn, b->c);
    if (spread)
        dec_move(d, (struct dec_value){to, true}, (struct dec_value){i->d, false}, lg, blend, b);
    else if (blend) dec_blend(d, to, 0, lg, b);
}

bool dec_product_sum(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_insn *const sum = b + 1;
    if (!(b->flags & BC_ONCE) || !d->clean || d->code->stepped ||
        d->code->mode & VM_FAST_FORWARDING)
        return false;
    const bool wide = b->op == BC_MUL_I64;
    if ((!wide && b->op != BC_MUL_I32) || sum->op != (wide ? BC_ADD_I64 : BC_ADD_I32) ||
        !dec_is_varying(b->dst) || !dec_is_varying(sum->dst))
        return false;
    if ((sum->a == b->dst) == (sum->b == b->dst)) return false;
    const uint32_t added = sum->a == b->dst ? sum->b : sum->a;
    const unsigned form = dec_is_varying(b->a) | dec_is_varying(b->b) << 1 |
                          dec_is_varying(added) << 2;
    if (!form) return false; // uniform operands, varying result: see emit_plain
    const bool blend = dec_must_blend(d, sum, sum->dst);
    struct vm_insn *i = dec_emit(d, d->isa->mul_add[wide][form], sum);
    const uint32_t to = dec_offset(d, d->fn, sum->dst);
    i->d = blend ? dec_scratch(d, 0) : to;
    i->a = dec_offset(d, d->fn, b->a);
    i->b = dec_offset(d, d->fn, b->b);
    i->c = dec_offset(d, d->fn, added);
    if (blend) dec_blend(d, to, 0, dec_elog(d->fn, sum->dst), sum);
    return true;
}

/** Adds a value or result of an access. Returns whether it is a result that must be blended. */
static bool add_value(struct decoder *d, struct vm_access *x, unsigned j, uint32_t operand)
{
    x->val[j] = dec_offset(d, d->fn, operand);
    if (dec_is_varying(operand)) x->val_varying |= (uint16_t)(1u << j);
    return dec_must_blend(d, x->src, operand);
}

/** Emits an access; results with a bit in `blend` go to scratch first and are then blended. */
static void emit_access(struct decoder *d, vm_handler *fn, struct vm_access *x,
                        const struct bc_insn *b, uint32_t blend)
{
    uint32_t final[VM_MAX_COMPS];
    for (unsigned j = 0; j < x->ncomp; j++) {
        final[j] = x->val[j];
        if (blend >> j & 1) x->val[j] = dec_scratch(d, j);
    }
    dec_emit(d, fn, b)->p = x;
    for (unsigned j = 0; j < x->ncomp; j++)
        if (final[j] != x->val[j]) dec_emit2(d, d->isa->blend[x->elog], final[j], x->val[j], b);
}

static void emit_load(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = dec_access(d, b, b->site);
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
    else dec_emit(d, fn, b)->p = x; // a scalar load writes active lanes only
}

static void emit_store(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = dec_access(d, b, b->site);
    for (unsigned j = 0; j < x->ncomp; j++)
        add_value(d, x, j, x->ncomp > 1 ? d->fn->bc->ext[b->ext + j] : b->c);
    x->undef = vm_undef_access_of(d, b);
    const bool uniform = !x->base_varying && !x->index_varying;
    dec_emit(d,
             d->code->stepped && vm_step_is_plain(x) ? vm_step_store
             : uniform                               ? d->isa->store_uniform
                                                     : d->isa->store[d->masked],
             b)
        ->p = x;
}

static void emit_lea(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = dec_access(d, b, b->site);
    x->ncomp = 1;
    x->elog = 3;
    const bool blend = add_value(d, x, 0, b->dst);
    emit_access(d, d->isa->lea, x, b, blend);
}

static void emit_atomic(struct decoder *d, const struct bc_insn *b)
{
    struct vm_access *x = dec_access(d, b, b->site);
    // val: old value, operand, compare operand
    x->val[0] = dec_offset(d, d->fn, b->dst);
    if (dec_is_varying(b->dst)) x->val_varying |= 1;
    if (b->dst == BC_NONE) x->val[0] = 0;
    add_value(d, x, 1, b->c);
    if (x->m->atomic_op == BC_CMPXCHG && b->ext) add_value(d, x, 2, d->fn->bc->ext[b->ext]);
    x->wants_old = b->dst != BC_NONE;
    emit_access(d, d->code->stepped ? vm_op_atomic : d->isa->atomic, x, b,
                dec_must_blend(d, b, b->dst));
}

static void emit_index(struct decoder *d, const struct bc_insn *b)
{
    const bool of_vector = b->b == BC_NONE;
    if (!of_vector && !(d->code->mode & VM_SUBOBJECTS)) return;
    struct vm_operands *q = dec_operands(d, (const uint32_t[]){b->a, b->b}, of_vector ? 1 : 2);
    q->n = b->ext;
    struct vm_insn *i = dec_emit(
        d, dec_is_varying(b->a) ? d->isa->check_index[b->c == BC_IDX_I64] : vm_op_index_once, b);
    i->a = q->off[0];
    i->p = q;
}

/** Emits a REGULAR instruction: one call with its operands. */
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
    struct vm_operands *q = dec_operands(d, regs, 4);
    for (unsigned k = 0; k < 4; k++)
        if (bc_ops[b->op].use[k] & BC_USE_NUMBER) q->off[k] = fields[k];
    const uint32_t to = q->off[0];
    const bool blend = dec_must_blend(d, b, regs[0]);
    assert(handlers[b->op]);
    q->n = b->ext;
    if (blend) q->off[0] = dec_scratch(d, 0);
    dec_emit(d, handlers[b->op], b)->p = q;
    if (blend) dec_blend(d, to, 0, dec_elog(d->fn, b->dst), b);
}

static void emit_wi(struct decoder *d, const struct bc_insn *b)
{
    const unsigned kind = b->ext & 0xff, dim = b->ext >> 8;
    const bool wide = b->op == BC_WI_I64, dst_v = dec_is_varying(b->dst),
               blend = dec_must_blend(d, b, b->dst);
    const bool by_lane = kind == BC_GLOBAL_ID || kind == BC_LOCAL_ID ||
                         kind == BC_LOCAL_LINEAR_ID || kind == BC_GLOBAL_LINEAR_ID ||
                         (kind == BC_GROUP_ID && d->code->packed);
    const uint32_t to = dec_offset(d, d->fn, b->dst);
    const unsigned lg = wide ? 3 : 2;
    if (!by_lane || !dst_v) {
        struct vm_insn *i = dec_emit(d, by_lane ? vm_op_wi_first : vm_op_wi_uniform, b);
        i->d = dst_v ? d->code->scratch_u : to;
        i->a = kind * 3 + dim;
        i->b = kind;
        i->c = dim;
        if (dst_v)
            dec_move(d, (struct dec_value){to, true}, (struct dec_value){i->d, false}, lg, blend,
                     b);
        return;
    }
    const uint32_t at = blend ? dec_scratch(d, 0) : to;
    const bool pack = d->code->packed && (kind == BC_GLOBAL_ID || kind == BC_GROUP_ID),
               linear = kind == BC_GLOBAL_LINEAR_ID;
    if (d->code->packed && linear) d->code->linear_used = true;
    if (d->code->packed)
        d->code->ids_used |= linear ? 7u << BC_GLOBAL_ID * 3 : pack ? 1u << (kind * 3 + dim) : 0;
    struct vm_insn *i = dec_emit(d,
                                 pack     ? d->isa->wi_packed[wide]
                                 : linear ? vm_op_wi_linear
                                 : wide   ? d->isa->wi64
                                          : d->isa->wi32,
                                 b);
    i->d = at;
    i->a = kind * 3 + dim;
    i->b = kind == BC_LOCAL_LINEAR_ID ? VM_LANE_LINEAR : dim;
    if (pack && kind == BC_GROUP_ID) i->b = dim ? VM_LANE_0 : VM_LANE_GROUP;
    else if (pack && !dim) i->b = VM_LANE_OFFSET;
    i->c = lg;
    if (blend) dec_blend(d, to, 0, lg, b);
}

static void emit_call(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_fn *callee = &d->code->fns[d->code->fn_of[*e++]];
    const uint32_t nargs = *e++;
    for (uint32_t i = 0; i < nargs; i++, e++) {
        const uint32_t p = callee->bc->params[i];
        dec_move(d, dec_value_of(d, callee, p), dec_value_of(d, d->fn, *e),
                 dec_is_varying(p) ? dec_elog(callee, p) : 3, false, b);
    }
    const bool switches = d->code->undef && d->clean;
    struct vm_insn *call = dec_emit(d,
                                    d->code->stepped
                                        ? (switches ? vm_step_undef_call : vm_step_call)
                                    : switches ? vm_undef_call
                                               : vm_op_call,
                                    b);
    call->imm = callee->frame;
    call->b = d->call++;
    call->a = d->resume_call;
    d->after_call = (uint32_t)d->out.len;
    const uint32_t nrets = *e++;
    for (uint32_t i = 0; i < nrets; i++, e++) {
        const uint32_t p = callee->bc->rets[i];
        if (*e == BC_NONE) continue;
        dec_move(d, dec_value_of(d, d->fn, *e), dec_value_of(d, callee, p),
                 dec_is_varying(*e) ? dec_elog(d->fn, *e) : 3, dec_must_blend(d, b, *e), b);
    }
}

static void emit_ret(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    if (b->op == BC_RET && b->ext)
        for (uint32_t i = 0; i < e[0]; i++) {
            const uint32_t to = d->fn->bc->rets[i], from = e[1 + i];
            dec_move(d, dec_value_of(d, d->fn, to), dec_value_of(d, d->fn, from),
                     dec_is_varying(to) ? dec_elog(d->fn, to) : 3, d->masked, b);
        }
    dec_emit(d, vm_op_ret, b);
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
    for (unsigned i = 0; i < q->ndst; i++) any_v |= dec_is_varying(e[i]);
    e += q->ndst;
    q->nsrc = *e++;
    q->once = !any_v;
    unsigned scratch = 0;
    for (unsigned i = 0; i < q->nsrc; i++, e++) {
        q->src[i] = dec_offset(d, d->fn, *e);
        if (any_v && !dec_is_varying(*e)) { // the function takes arrays
            const uint32_t at = dec_scratch(d, VM_MAX_COMPS + 4 + scratch++);
            dec_emit2(d, d->isa->splat[dec_log2(bc_type_size(bi_lane_type(l, q->ndst + i)))], at,
                      q->src[i], b);
            q->src[i] = at;
        }
    }
    const unsigned n = q->ndst;
    for (unsigned i = 0; i < n; i++)
        q->dst[i] = any_v && (dec_must_blend(d, b, dsts[i]) || !dec_is_varying(dsts[i]))
                        ? dec_scratch(d, i)
                        : dec_offset(d, d->fn, dsts[i]);
    dec_emit(d, vm_op_lanefn, b)->p = q;
    for (unsigned i = 0; i < n; i++)
        if (any_v && q->dst[i] != dec_offset(d, d->fn, dsts[i]))
            dec_move(d, dec_value_of(d, d->fn, dsts[i]),
                     (struct dec_value){q->dst[i], dec_is_varying(dsts[i])},
                     dec_log2(bc_type_size(bi_lane_type(l, i))), true, b);
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
            a->off[j] = dec_offset(d, d->fn, *e);
            if (dec_is_varying(*e)) a->varying |= 1u << j;
        }
    }
    const bool blend = dec_must_blend(d, b, b->dst);
    q->dst_varying = dec_is_varying(b->dst);
    q->has_dst = b->dst != BC_NONE;
    q->dst = blend ? dec_scratch(d, 0) : dec_offset(d, d->fn, b->dst);
    dec_emit(d, vm_op_printf, b)->p = q;
    if (blend) dec_blend(d, dec_offset(d, d->fn, b->dst), 0, 2, b);
}

static void emit_async(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    struct vm_async *q = arena_new(d->arena, struct vm_async);
    const uint32_t args[5] = {b->a, b->b, b->c, e[2], e[4]};
    for (unsigned k = 0; k < 5; k++) {
        q->arg[k] = dec_offset(d, d->fn, args[k]);
        q->varying |= (uint8_t)((args[k] != BC_NONE && dec_is_varying(args[k])) << k);
    }
    q->elem = e[0];
    q->write_site = b->site;
    q->read_site = e[1];
    q->has_stride = e[2] != BC_NONE;
    q->stride_is_to = e[3];
    q->has_event = e[4] != BC_NONE;
    q->has_dst = b->dst != BC_NONE;
    q->dst = dec_offset(d, d->fn, b->dst);
    if (dec_is_varying(b->dst)) q->varying |= 32;
    if (d->code->undef) dec_emit(d, vm_undef_async, b)->p = q;
    dec_emit(d, vm_op_async_copy, b)->p = q; // events are written for active lanes only
}

static void emit_collect(struct decoder *d, const struct bc_insn *b)
{
    const struct vm_collect *const q = dec_collect(d, b);
    dec_emit(d, b->ext >> 24 == BC_SCOPE_GROUP ? vm_op_collect_group : vm_op_collect_sub_group, b)
        ->p = q; // writes active lanes only
}

static const struct vm_compared *compared(struct decoder *d, const struct bc_insn *branch)
{
    struct vm_compared *q = arena_new(d->arena, struct vm_compared);
    q->insn = vm_comparison(d->fn->bc, branch);
    if (!q->insn) return q;
    const uint32_t of[2] = {q->insn->a, q->insn->b};
    for (unsigned k = 0; k < 2; k++) {
        q->off[k] = dec_offset(d, d->fn, of[k]);
        q->varying |= (uint8_t)(dec_is_varying(of[k]) << k);
    }
    q->elog = (uint8_t)dec_log2(bc_type_size(bc_ops[q->insn->op].type));
    return q;
}

static void emit_branch(struct decoder *d, const struct bc_insn *b)
{
    struct vm_insn *i = dec_emit(d,
                                 b->op == BC_BR         ? vm_op_br
                                 : dec_is_varying(b->a) ? d->isa->cbr
                                                        : vm_op_cbr_uniform,
                                 b);
    if (b->flags & BC_DECIDES && i->fn == d->isa->cbr && d->fn->frame == 0) {
        i->fn = vm_op_cbr_decides;
        i->p = compared(d, b);
        d->code->decides = true;
    }
    i->a = dec_offset(d, d->fn, b->a);
    i->b = b->op == BC_BR ? b->ext : b->b;
    i->c = b->c;
}

static void emit_barrier(struct decoder *d, const struct bc_insn *b)
{
    struct vm_barrier *q = arena_new(d->arena, struct vm_barrier);
    q->flags = *dec_operands(d, (const uint32_t[]){b->b}, 1);
    q->kind = b->a;
    q->scope = b->c;
    struct vm_insn *i = dec_emit(d, vm_op_barrier, b);
    i->b = b->ext;
    i->p = q;
}

void dec_insn(struct decoder *d, const struct bc_insn *b)
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
        dec_emit(d, d->isa->copy_bytes, b)->p =
            dec_operands(d, (const uint32_t[]){b->a, b->b, b->c}, 3);
        break;
    case BC_SET:
        dec_emit(d, d->isa->set_bytes, b)->p =
            dec_operands(d, (const uint32_t[]){b->a, b->b, b->c}, 3);
        break;
    case BC_LANEFN: emit_lanefn(d, b); break;
    case BC_PRINTF: emit_printf(d, b); break;
    case BC_ASYNC_COPY: emit_async(d, b); break;
    case BC_IMAGE:
        dec_emit(d, vm_op_image, b)->p = dec_image(d, b);
        break; // results are written for active lanes only
    case BC_COLLECT: emit_collect(d, b); break;
    case BC_CALL: emit_call(d, b); break;
    case BC_BR:
    case BC_CBR: emit_branch(d, b); break;
    case BC_TRAP: dec_emit(d, vm_op_trap, b); // fall through
    case BC_RET: emit_ret(d, b); break;
    case BC_BARRIER: emit_barrier(d, b); break;
    case BC_RECONVERGE:
        dec_emit(d,
                 d->code->stepped      ? vm_op_reconverge_stepped
                 : d->fn->bc->may_part ? vm_op_reconverge
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
