// SPDX-License-Identifier: MIT
// Definedness: finds the registers that may ever be undefined, and emits the instructions of the
// two streams (see undef.c).
#include "builtins/builtins.h"
#include "bytecode/operands.h"
#include "interp/core/fault.h"
#include "interp/decode/code.h"
#include "interp/decode/decoder.h"
#include "interp/definedness/undef.h"

// ---- which registers
static uint32_t *slot_of(const struct vm_fn *fn, uint32_t operand)
{
    return operand & BC_V ? &fn->varying_row[operand & ~BC_V] : &fn->uniform_row[operand];
}
static uint32_t row_of(const struct vm_fn *fn, uint32_t operand)
{
    return operand == BC_NONE ? 0 : *slot_of(fn, operand);
}

/** May a read at the site return bytes that were never written? */
static bool may_read_undefined(const struct vm_code *c, uint32_t site)
{
    const bool global = c->mode & VM_UNDEF_GLOBAL_READ;
    switch (c->module->sites[site].space) {
    case BC_PRIVATE: return c->private_words != 0;
    case BC_LOCAL: return true;
    case BC_GLOBAL:
    case BC_CONSTANT: return global; // a buffer may be passed as constant
    case BC_GENERIC: return true;
    default: return false;
    }
}
/** Is memory written at the site tracked? */
static bool is_followed(const struct vm_code *c, uint32_t site)
{
    const uint8_t space = c->module->sites[site].space;
    if (space == BC_GLOBAL) return c->mode & VM_UNDEF_GLOBAL_WRITE;
    return space != BC_PRIVATE || c->private_words;
}

struct analysis {
    struct vm_code *c;
    bool changed;
};

static void flow(struct analysis *a, const struct vm_fn *to, uint32_t operand, bool may)
{
    if (!may || operand == BC_NONE) return;
    if (!(operand & BC_V) && operand < to->bc->nconst) return;
    uint32_t *row = slot_of(to, operand);
    if (*row) return;
    *row = a->c->undef_rows++;
    a->changed = true;
}

/**
 * COLLECT: may it read the value of a missing lane? Collectives that need all lanes of the
 * sub-group report missing ones themselves.
 */
static bool may_lack(const struct bc_insn *b)
{
    const unsigned what = b->ext & 0xff;
    return b->ext >> 24 == BC_SCOPE_SUB_GROUP && !(b->ext & BC_COLLECT_BY_ALL) &&
           (what == BC_COL_BROADCAST || (what >= BC_COL_SHUFFLE && what <= BC_COL_ROTATE));
}

static void flow_call(struct analysis *a, const struct vm_fn *fn, const uint32_t *e)
{
    const struct vm_fn *callee = &a->c->fns[a->c->fn_of[*e++]];
    const uint32_t nargs = *e++;
    for (uint32_t i = 0; i < nargs; i++, e++)
        flow(a, callee, callee->bc->params[i], row_of(fn, *e));
    const uint32_t nrets = *e++;
    for (uint32_t i = 0; i < nrets; i++, e++) flow(a, fn, *e, row_of(callee, callee->bc->rets[i]));
}

static bool any_source(const struct vm_code *c, const struct vm_fn *fn, const struct bc_insn *b)
{
    BC_EACH_OPERAND(o, c->module->sites, fn->bc->ext, b, BC_USE_IN)
        if (row_of(fn, *o.at)) return true;
    return false;
}

/** May results of the instruction be undefined? */
static bool may_be_undefined(struct analysis *a, const struct vm_fn *fn, const struct bc_insn *b)
{
    const struct vm_code *c = a->c;
    switch ((enum bc_op)b->op) {
    case BC_UNDEF: return true;
    case BC_LOAD:
    case BC_ATOMIC: return may_read_undefined(c, b->site);
    case BC_IMAGE: return c->mode & VM_UNDEF_IMAGE;
    case BC_COLLECT:
        if ((b->ext & 0xff) != BC_COL_PUT && b->ext >> 24 == BC_SCOPE_GROUP) return c->undef_put;
        return row_of(fn, b->a) || may_lack(b);
    default: return !(bc_ops[b->op].effects & (BC_ACTS | BC_READS)) && any_source(c, fn, b);
    }
}

static void flow_insn(struct analysis *a, const struct vm_fn *fn, const struct bc_insn *b)
{
    const uint32_t *e = fn->bc->ext + b->ext;
    if (b->op == BC_CALL) flow_call(a, fn, e);
    for (uint32_t i = 0; b->op == BC_RET && b->ext && i < e[0]; i++)
        flow(a, fn, fn->bc->rets[i], row_of(fn, e[1 + i]));
    if (!may_be_undefined(a, fn, b)) return;
    if (b->op == BC_COLLECT && (b->ext & 0xff) == BC_COL_PUT) {
        a->changed |= !a->c->undef_put;
        a->c->undef_put = true;
        return;
    }
    BC_EACH_OPERAND(o, a->c->module->sites, fn->bc->ext, b, BC_USE_OUT) flow(a, fn, *o.at, true);
}

bool vm_undef_analyze(struct vm_code *c)
{
    struct analysis a = {.c = c};
    c->undef_rows = 1;
    for (uint32_t f = 0; f < c->nfns; f++) {
        struct vm_fn *fn = &c->fns[f];
        fn->uniform_row = arena_array(&c->arena, uint32_t, fn->bc->nuniform + 1);
        fn->varying_row = arena_array(&c->arena, uint32_t, fn->bc->nvarying + 1);
    }
    do {
        a.changed = false;
        for (uint32_t f = 0; f < c->nfns; f++)
            for (uint32_t i = 0; i < c->fns[f].bc->ninsns; i++)
                flow_insn(&a, &c->fns[f], &c->fns[f].bc->insns[i]);
    } while (a.changed);
    if (c->undef_rows > 1) return true;
    for (uint32_t f = 0; f < c->nfns;
         f++) // no registers; but definedness of memory depends on its stores
        for (uint32_t i = 0; i < c->fns[f].bc->ninsns; i++) {
            const struct bc_insn *b = &c->fns[f].bc->insns[i];
            if (b->op == BC_STORE && c->module->sites[b->site].space == BC_GLOBAL &&
                is_followed(c, b->site))
                return true;
            if (b->op == BC_ASYNC_COPY) return true; // its source in local memory may be undefined
            if (b->op == BC_COPY || b->op == BC_SET || b->op == BC_ATOMIC)
                if (c->mode & VM_UNDEF_GLOBAL_WRITE) return true;
        }
    return false;
}

// ---- instructions before another one
static enum vm_undef_how how_of(const struct decoder *d, const struct bc_insn *b, uint32_t dst)
{
    if (!dec_is_varying(dst)) return VM_U_UNIFORM;
    return d->masked && b->flags & BC_MASKED ? VM_U_BLEND : VM_U_ALL;
}

/** Emits the check of operands: of those read, the ones whose use has all (or none) of the bits in
 * `where`.
 */
static void check(struct decoder *d, const struct bc_insn *b, unsigned where,
                  enum chk_fault_kind kind)
{
    uint32_t n = 0;
    BC_EACH_OPERAND(o, d->m->sites, d->fn->bc->ext, b, BC_USE_IN)
        n += (o.use & BC_USE_WHERE) == where && row_of(d->fn, *o.at);
    if (!n) return;
    struct vm_undef_rows *q = arena_new(d->arena, struct vm_undef_rows);
    q->rows = arena_array(d->arena, uint32_t, n);
    q->kind = (uint8_t)kind;
    BC_EACH_OPERAND(o, d->m->sites, d->fn->bc->ext, b, BC_USE_IN)
        if ((o.use & BC_USE_WHERE) == where && row_of(d->fn, *o.at))
            q->rows[q->n++] = row_of(d->fn, *o.at);
    dec_emit(d, vm_undef_check, b)->p = q;
}

/**
 * Emits the join: results are undefined if a source is; results of instructions with effects or
 * reads are defined.
 */
static void join(struct decoder *d, const struct bc_insn *b, const uint8_t *types)
{
    const struct bc_mem *const sites = d->m->sites;
    const uint32_t *const ext = d->fn->bc->ext;
    const bool flows = !(bc_ops[b->op].effects & (BC_ACTS | BC_READS));
    unsigned ndst = 0, nsrc = 0;
    bool any = false;
    BC_EACH_OPERAND(o, sites, ext, b, BC_USE_OUT) ndst++, any |= row_of(d->fn, *o.at) != 0;
    if (!any) return;
    BC_EACH_OPERAND(o, sites, ext, b, BC_USE_IN) nsrc += flows;
    struct vm_undef_rows *q = arena_new(d->arena, struct vm_undef_rows);
    q->rows = arena_array(d->arena, uint32_t, ndst + nsrc);
    q->size = arena_array(d->arena, uint8_t, 2 * ndst);
    q->ndst = ndst;
    q->n = nsrc;
    unsigned i = 0;
    BC_EACH_OPERAND(o, sites, ext, b, BC_USE_OUT) {
        q->rows[i] = row_of(d->fn, *o.at);
        q->size[i] = types ? (uint8_t)bc_type_size((enum bc_type)types[i]) : 8;
        q->size[ndst + i++] = (uint8_t)how_of(d, b, *o.at);
    }
    if (flows)
        BC_EACH_OPERAND(o, sites, ext, b, BC_USE_IN) q->rows[i++] = row_of(d->fn, *o.at);
    dec_emit(d, vm_undef_join, b)->p = q;
}

/** A lane function that returns the operand from e[5] on that e[4] selects. */
static void pick(struct decoder *d, const struct bc_insn *b, const uint32_t *e)
{
    if (!row_of(d->fn, e[2])) return;
    struct vm_undef_pick *q = arena_new(d->arena, struct vm_undef_pick);
    *q = (struct vm_undef_pick){.dst = row_of(d->fn, e[2]),
                                .row = row_of(d->fn, e[4]),
                                .n = e[3] - 1,
                                .index = dec_offset(d, d->fn, e[4]),
                                .varying = dec_is_varying(e[4]),
                                .elog = (e[0] - BI_FN_pick2_I8) & 3,
                                .how = (uint8_t)how_of(d, b, e[2])};
    for (uint32_t k = 0; k < q->n; k++) q->from[k] = row_of(d->fn, e[5 + k]);
    dec_emit(d, vm_undef_pick, b)->p = q;
}

static enum vm_undef_rule rule_of(enum bc_op op)
{
#define FAMILY(n) op >= BC_##n##_I8 &&op <= BC_##n##_I64
    if (FAMILY(MOV)) return VM_U_MOVE;
    if (FAMILY(NOT)) return VM_U_MOVE;
    if (FAMILY(ADD)) return VM_U_CARRY;
    if (FAMILY(SUB)) return VM_U_CARRY;
    if (FAMILY(XOR)) return VM_U_BITS;
    if (FAMILY(AND)) return VM_U_AND;
    if (FAMILY(OR)) return VM_U_OR;
    if (FAMILY(MUL)) return VM_U_MUL;
    if (FAMILY(SHL)) return VM_U_SHL;
    if (FAMILY(LSHR)) return VM_U_LSHR;
    if (FAMILY(ASHR)) return VM_U_ASHR;
    if (FAMILY(SEL)) return VM_U_SEL;
#undef FAMILY
    if (op >= BC_ZEXT_I16_I8 && op <= BC_ZEXT_I64_I32) return VM_U_MOVE;
    if (op >= BC_SEXT_I16_I8 && op <= BC_SEXT_I64_I32) return VM_U_SEXT;
    if (op >= BC_TRUNC_I8_I16 && op <= BC_TRUNC_I32_I64) return VM_U_MOVE;
    return VM_U_ANY;
}

static void plain(struct decoder *d, const struct bc_insn *b)
{
    const struct bc_op_info *info = &bc_ops[b->op];
    const uint32_t row = row_of(d->fn, b->dst), operands[3] = {b->a, b->b, b->c};
    if (!row) return;
    struct vm_undef_op *q = arena_new(d->arena, struct vm_undef_op);
    q->dst = row;
    q->rule = (uint8_t)rule_of((enum bc_op)b->op);
    q->size = (uint8_t)(info->shape == BC_CMP ? 1 : bc_type_size(info->type));
    q->from = (uint8_t)(info->shape == BC_CVT ? bc_type_size(info->from) : q->size);
    q->how = (uint8_t)how_of(d, b, b->dst);
    for (unsigned k = 0; k < 3; k++) {
        q->src[k] = row_of(d->fn, operands[k]);
        q->off[k] = dec_offset(d, d->fn, operands[k]);
        q->varying |= (uint8_t)(dec_is_varying(operands[k]) << k);
    }
    dec_emit(d, d->isa->undef_plain, b)->p = q;
}

static void move(struct decoder *d, const struct bc_insn *b, uint32_t to, uint32_t from,
                 unsigned size, enum vm_undef_how how)
{
    if (!to) return;
    struct vm_undef_op *q = arena_new(d->arena, struct vm_undef_op);
    *q = (struct vm_undef_op){.dst = to,
                              .src = {from},
                              .rule = VM_U_MOVE,
                              .size = (uint8_t)size,
                              .from = (uint8_t)size,
                              .how = (uint8_t)how};
    dec_emit(d, d->isa->undef_plain, b)->p = q;
}

static void atomic(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume)
{
    if (!clean) check(d, b, 0, CHK_UNDEF_ATOMIC);
    if (!may_read_undefined(d->code, b->site) && !is_followed(d->code, b->site)) return;
    struct vm_undef_access *q = arena_new(d->arena, struct vm_undef_access);
    q->x = dec_access(d, b, b->site);
    q->clean = clean;
    q->resume = resume;
    q->rows[0] = row_of(d->fn, b->dst);
    q->how[0] = (uint8_t)how_of(d, b, b->dst);
    dec_emit(d, vm_undef_atomic, b)->p = q;
}

const struct vm_undef_access *vm_undef_access_of(struct decoder *d, const struct bc_insn *b)
{
    if (!d->code->undef) return NULL;
    const uint32_t *e = d->fn->bc->ext + b->ext;
    const struct bc_mem *m = &d->m->sites[b->site];
    const bool load = b->op == BC_LOAD;
    if (load && !may_read_undefined(d->code, b->site) && d->clean) return NULL;
    struct vm_undef_access *q = arena_new(d->arena, struct vm_undef_access);
    bool any = false;
    q->clean = d->clean;
    q->resume = d->resume_start;
    for (unsigned j = 0; j < m->ncomp; j++) {
        const uint32_t operand = m->ncomp > 1 ? e[j] : load ? b->dst : b->c;
        q->rows[j] = row_of(d->fn, operand);
        q->how[j] = (uint8_t)how_of(d, b, operand);
        any |= q->rows[j] != 0;
    }
    return (load ? any : any || is_followed(d->code, b->site)) ? q : NULL;
}

static void range(struct decoder *d, const struct bc_insn *b)
{
    if (!is_followed(d->code, b->site)) return;
    struct vm_operands *q = arena_new(d->arena, struct vm_operands);
    const uint32_t all[3] = {b->a, b->b, b->c};
    for (unsigned i = 0; i < 3; i++) {
        q->off[i] = dec_offset(d, d->fn, all[i]);
        q->varying |= (uint8_t)(dec_is_varying(all[i]) << i);
    }
    q->n = b->op == BC_SET ? row_of(d->fn, b->b) : 0;
    dec_emit(d, b->op == BC_SET ? d->isa->undef_set : d->isa->undef_copy, b)->p = q;
}

static void call(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    const struct vm_fn *callee = &d->code->fns[d->code->fn_of[e[0]]];
    for (uint32_t i = 0; i < e[1]; i++) {
        const uint32_t p = callee->bc->params[i];
        move(d, b, row_of(callee, p), row_of(d->fn, e[2 + i]), 8,
             dec_is_varying(p) ? VM_U_ALL : VM_U_UNIFORM);
    }
}

static void image(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume)
{
    const uint32_t *e = d->fn->bc->ext + b->ext, *values = e + 3 + e[1];
    const bool writes = e[0] & BC_IMAGE_WRITE, follow = d->code->mode & VM_UNDEF_IMAGE && !writes;
    if (!clean && !follow) join(d, b, NULL);
    if (!follow && (!writes || clean)) return;
    struct vm_undef_image *q = arena_new(d->arena, struct vm_undef_image);
    *q = (struct vm_undef_image){.op = dec_image(d, b), .clean = clean, .resume = resume};
    for (uint32_t k = 0; k < e[2]; k++) {
        q->rows[k] = row_of(d->fn, values[k]);
        q->how[k] = (uint8_t)how_of(d, b, values[k]);
    }
    dec_emit(d, writes ? vm_undef_image_write : vm_undef_image, b)->p = q;
}

static void mark(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume)
{
    struct vm_undef_mark *q = arena_new(d->arena, struct vm_undef_mark);
    *q = (struct vm_undef_mark){.row = row_of(d->fn, b->dst),
                                .name = b->ext,
                                .how = (uint8_t)how_of(d, b, b->dst),
                                .size = b->a,
                                .clean = clean,
                                .resume = resume};
    dec_emit(d, vm_undef_mark, b)->p = q;
}

static void collect(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume)
{
    const unsigned what = b->ext & 0xff;
    const bool is_group = b->ext >> 24 == BC_SCOPE_GROUP,
               truth = what >= BC_COL_ALL && what <= BC_COL_BALLOT;
    const unsigned size = truth ? 4 : bc_type_size((enum bc_type)(b->ext >> 16 & 0x7f));
    if (is_group ? !d->code->undef_put : clean && !may_lack(b) && !d->code->stepped)
        return; // stepped: values of others may be undefined
    if (what != BC_COL_PUT && !row_of(d->fn, b->dst)) return;
    struct vm_undef_collect *q = arena_new(d->arena, struct vm_undef_collect);
    *q = (struct vm_undef_collect){.how = dec_collect(d, b),
                                   .row = row_of(d->fn, b->a),
                                   .dst = row_of(d->fn, b->dst),
                                   .size = (uint8_t)((1u << size) - 1),
                                   .is_group = is_group,
                                   .may_lack = may_lack(b),
                                   .clean = clean,
                                   .resume = resume};
    if (b->dst != BC_NONE) q->how_put = how_of(d, b, b->dst);
    dec_emit(d, vm_undef_collect, b)->p = q;
}

static void lane_function(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    uint8_t types[BC_MAX_LANE_TYPES] = {0};
    unsigned ndst, nsrc;
    if (e[0] >= BI_FN_pick2_I8 && e[0] <= BI_FN_pick16_I64) {
        pick(d, b, e);
        return;
    }
    bi_lane_types(e[0], &ndst, &nsrc, types);
    join(d, b, types);
}

static void ret(struct decoder *d, const struct bc_insn *b)
{
    const uint32_t *e = d->fn->bc->ext + b->ext;
    for (uint32_t i = 0; b->ext && i < e[0]; i++) {
        const uint32_t to = d->fn->bc->rets[i];
        move(d, b, row_of(d->fn, to), row_of(d->fn, e[1 + i]), 8,
             !dec_is_varying(to) ? VM_U_UNIFORM
             : d->masked         ? VM_U_BLEND
                                 : VM_U_ALL);
    }
}

void vm_undef_before(struct decoder *d, const struct bc_insn *b, bool clean, uint32_t resume)
{
    if (bc_ops[b->op].shape != BC_SPECIAL) {
        if (!clean) plain(d, b);
        return;
    }
    if (!clean) check(d, b, BC_USE_WHERE, CHK_UNDEF_ADDRESS);
    switch ((enum bc_op)b->op) { // instructions that run in both streams
    case BC_UNDEF: mark(d, b, clean, resume); return;
    case BC_FORGET: dec_emit(d, vm_undef_forget, b)->imm = b->ext + 1; return;
    case BC_ATOMIC: atomic(d, b, clean, resume); return;
    case BC_COPY:
    case BC_SET: range(d, b); return;
    case BC_IMAGE: image(d, b, clean, resume); return;
    case BC_COLLECT: collect(d, b, clean, resume); return;
    case BC_LOAD: return; // emit_load
    default: break;
    }
    if (clean) return;
    switch ((enum bc_op)b->op) {
    case BC_LANEFN: lane_function(d, b); break;
    case BC_CBR: check(d, b, 0, CHK_UNDEF_BRANCH); break;
    case BC_PRINTF: check(d, b, 0, CHK_UNDEF_PRINT), join(d, b, NULL); break;
    case BC_CALL: call(d, b); break;
    case BC_RET: ret(d, b); break;
    default: join(d, b, NULL); break;
    }
}

void vm_undef_after(struct decoder *d, const struct bc_insn *b, bool clean)
{
    if (b->op != BC_CALL || clean) return;
    const uint32_t *e = d->fn->bc->ext + b->ext;
    const struct vm_fn *callee = &d->code->fns[d->code->fn_of[*e++]];
    e += *e + 1;
    const uint32_t nrets = *e++;
    for (uint32_t i = 0; i < nrets; i++) {
        if (e[i] == BC_NONE) continue;
        move(d, b, row_of(d->fn, e[i]), row_of(callee, callee->bc->rets[i]), 8, how_of(d, b, e[i]));
    }
}
