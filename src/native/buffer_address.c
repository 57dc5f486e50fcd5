// SPDX-License-Identifier: MIT
// Computes the global address that an element of a local array was copied from, as seen from a read
// (buffers.c has the theory): as a polynomial, to compare it with the address that other stores
// copy from, and as instructions (rematerialization).
#include "native/buffer.h"

#include "llvm/ir.h"

#include <isl/set.h>
#include <isl/val.h>
#include <string.h>

// ---- the address as a polynomial

static const struct nat_poly *poly_of_aff(struct nat_polys *p, isl_aff *a,
                                          const struct nat_descriptor *d)
{
    if (!a || isl_aff_dim(a, isl_dim_div) > 0) return NULL;
    const struct nat_poly *sum = nat_poly_number(p, 0);
    static const enum isl_dim_type kinds[] = {isl_dim_in, isl_dim_param};
    for (unsigned t = 0; t < 2; t++)
        for (int k = 0; k < isl_aff_dim(a, kinds[t]) && sum; k++) {
            isl_val *v = isl_aff_get_coefficient_val(a, kinds[t], k);
            const bool zero = isl_val_is_zero(v), is_int = isl_val_is_int(v);
            const long n = isl_val_get_num_si(v);
            isl_val_free(v);
            if (!is_int) return NULL;
            if (zero) continue;
            const struct nat_poly *x =
                t == 1  ? nat_poly_parameter(p, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)k))
                : k < 3 ? p->ids[k]
                : d->vars.data[k - 3].value
                    ? nat_poly_variable(p, d->vars.data[k - 3].value, NAT_POLY_COUNTER)
                    : NULL;
            sum = nat_poly_add(p, sum, x, n);
        }
    isl_val *c = isl_aff_get_constant_val(a);
    if (sum)
        sum = isl_val_is_int(c) ? nat_poly_add(p, sum, nat_poly_number(p, isl_val_get_num_si(c)), 1)
                                : NULL;
    isl_val_free(c);
    return sum;
}

// The address of the store's load, with writers in place of its ids, as a polynomial over the
// instances of `d`. one: for the next work-item in dimension 0.
static const struct nat_poly *address_poly(struct nat_polys *p, struct nat_rewrite *r,
                                           const struct nat_descriptor *d, bool one)
{
    const struct nat_poly *was[3] = {p->ids[0], p->ids[1], p->ids[2]},
                          *now[3] = {was[0], was[1], was[2]};
    bool good = true;
    for (size_t k = 0; k < r->writers.len; k++) {
        struct nat_writer *w = &r->writers.data[k];
        const struct nat_poly *is = poly_of_aff(p, w->is, d);
        isl_val *step = one && w->is ? isl_aff_get_coefficient_val(w->is, isl_dim_in, 0) : NULL;
        if (step) is = nat_poly_add(p, is, nat_poly_number(p, isl_val_get_num_si(step)), 1);
        isl_val_free(step);
        good &= is != NULL;
        if (!w->value) now[w->dim] = is;
        else *map_put_ptr(&p->env, w->value, NULL) = (uintptr_t)is;
    }
    memcpy(p->ids, now, sizeof now);
    const struct nat_poly *a = good ? nat_poly_of(p, r->from->pointer) : NULL;
    memcpy(p->ids, was, sizeof was);
    map_deinit(&p->env);
    p->env = (struct map){0};
    return a;
}

bool nat_copies_alike(struct nat_rewrite *r, const struct nat_access *from,
                      const struct nat_descriptor *d, isl_map *seen)
{
    struct nat_polys p;
    nat_polys_init(&p, r->b->s, r->scope);
    for (unsigned k = 0; k < 3; k++) {
        isl_val *v = isl_map_plain_get_val_if_fixed(seen, isl_dim_in, k);
        if (v && isl_val_is_int(v) == isl_bool_true)
            p.ids[k] = nat_poly_number(&p, isl_val_get_num_si(v));
        isl_val_free(v);
    }
    for (size_t k = 0; k < d->vars.len; k++)
        if (d->vars.data[k].value)
            *map_put_ptr(&p.env, d->vars.data[k].value, NULL) =
                (uintptr_t)nat_poly_variable(&p, d->vars.data[k].value, NAT_POLY_COUNTER);
    const struct nat_poly *theirs = nat_poly_of(&p, from->pointer);
    map_deinit(&p.env);
    p.env = (struct map){0};
    const struct nat_poly *ours = address_poly(&p, r, d, false);
    const bool same = nat_poly_equal(theirs, ours) ||
                      (r->b->s->shape->small && nat_poly_same_index(&p, theirs, ours));
    nat_polys_deinit(&p);
    return same;
}

bool nat_lies_well(struct nat_rewrite *r)
{
    struct nat_polys p;
    if (r->b->s->shape->local[0] == 1) return true;
    nat_polys_init(&p, r->b->s, r->scope);
    p.through = true;
    int64_t step = 0;
    const struct nat_poly *here = address_poly(&p, r, r->d, false),
                          *next = address_poly(&p, r, r->d, true);
    const bool known = nat_poly_constant(nat_poly_add(&p, next, here, -1), &step);
    nat_polys_deinit(&p);
    const int64_t size = (int64_t)r->read->size;
    return known && (step == 0 || step == size || step == -size);
}

// ---- building the address at a read

static LLVMValueRef as_i64(struct nat_rewrite *r, LLVMValueRef v, bool is_signed)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(r->b->s->m));
    return LLVMBuildIntCast2(r->builder, v, i64, is_signed, "");
}

static LLVMValueRef id_call(struct nat_rewrite *r, bool global, unsigned dim)
{
    LLVMModuleRef m = r->b->s->m;
    LLVMContextRef c = LLVMGetModuleContext(m);
    const char *name = global ? "_Z13get_global_idj" : "_Z12get_local_idj";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c),
                t = LLVMFunctionType(LLVMInt64TypeInContext(c), &i32, 1, false);
    LLVMValueRef fn = LLVMGetNamedFunction(m, name), d = LLVMConstInt(i32, dim, false);
    if (!fn) fn = LLVMAddFunction(m, name, t);
    return LLVMBuildCall2(r->builder, t, fn, &d, 1, "");
}

static bool comes_before(struct nat_rewrite *r, LLVMValueRef v)
{
    const struct rg_fn *f = r->b->s->f;
    if (!LLVMIsAInstruction(v)) return true;
    const int at = rg_block_of(f, v);
    return at >= 0 && at != (int)r->read->block && rg_dominates(f, (unsigned)at, r->read->block);
}

static LLVMValueRef build_aff(struct nat_rewrite *r, isl_aff *a, bool *good)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(r->b->s->m));
    static const enum isl_dim_type kinds[] = {isl_dim_in, isl_dim_param};
    LLVMValueRef sum = NULL;
    if (!a || isl_aff_dim(a, isl_dim_div) > 0) *good = false;
    for (unsigned t = 0; t < 2 && *good; t++)
        for (int k = 0; k < isl_aff_dim(a, kinds[t]) && *good; k++) {
            isl_val *v = isl_aff_get_coefficient_val(a, kinds[t], k);
            const long n = isl_val_get_num_si(v);
            *good = isl_val_is_int(v);
            isl_val_free(v);
            if (n == 0 || !*good) continue;
            LLVMValueRef x = NULL;
            if (t == 0 && k < 3) {
                if (r->builder) x = id_call(r, false, (unsigned)k);
            } else if (t == 0) {
                const struct nat_variable *var = &r->d->vars.data[k - 3];
                *good = var->value && comes_before(r, var->value);
                if (*good && r->builder) x = as_i64(r, var->value, var->is_signed);
            } else {
                const char *name = isl_aff_get_dim_name(a, isl_dim_param, (unsigned)k);
                LLVMValueRef s = r->b->s->symbols.data[strtoul(name + 1, NULL, 10)];
                *good = *name == 'g' || comes_before(r, s);
                if (*good && r->builder && *name == 'g') {
                    const unsigned d = (unsigned)LLVMConstIntGetZExtValue(s);
                    x = LLVMBuildSub(r->builder, id_call(r, true, d), id_call(r, false, d), "");
                } else if (*good && r->builder) {
                    x = as_i64(r, s, *name == 'p');
                }
            }
            if (!x) continue;
            if (n != 1) x = LLVMBuildMul(r->builder, x, LLVMConstInt(i64, (uint64_t)n, true), "");
            sum = sum ? LLVMBuildAdd(r->builder, sum, x, "") : x;
        }
    if (!*good || !r->builder) return NULL;
    isl_val *c = isl_aff_get_constant_val(a);
    LLVMValueRef k = LLVMConstInt(i64, (uint64_t)isl_val_get_num_si(c), true);
    isl_val_free(c);
    return !sum ? k : LLVMConstIntGetSExtValue(k) ? LLVMBuildAdd(r->builder, sum, k, "") : sum;
}

static LLVMValueRef writer_of(struct nat_rewrite *r, LLVMValueRef counter, unsigned dim, bool *good)
{
    for (size_t k = 0; k < r->writers.len; k++) {
        struct nat_writer *w = &r->writers.data[k];
        if (counter ? w->value == counter : !w->value && w->dim == dim)
            return build_aff(r, w->is, good);
    }
    *good = false;
    return NULL;
}

// Without nsw, nuw and similar flags: they hold for ids of the group, but not for others.
static LLVMValueRef built(struct nat_rewrite *r, LLVMValueRef v, LLVMValueRef *o, unsigned n)
{
    LLVMBuilderRef b = r->builder;
    LLVMTypeRef t = LLVMTypeOf(v);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    switch (op) {
    case LLVMOr:
        return LLVMGetIsDisjoint(v) ? LLVMBuildAdd(b, o[0], o[1], "")
                                    : LLVMBuildOr(b, o[0], o[1], "");
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return LLVMBuildCast(b, op, o[0], t, "");
    case LLVMFreeze: return LLVMBuildFreeze(b, o[0], "");
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(v), o[0], o + 1, n - 1, "");
    default: return LLVMBuildBinOp(b, op, o[0], o[1], "");
    }
}

static LLVMValueRef again(struct nat_rewrite *r, LLVMValueRef v, bool *good, unsigned depth)
{
    LLVMValueRef o[8];
    unsigned dim;
    if (!LLVMIsAInstruction(v)) return v;
    *good &= depth > 0;
    if (!*good) return NULL;
    const enum nat_id id = nat_id_of(v, &dim);
    if (id) {
        LLVMValueRef is = writer_of(r, NULL, dim, good);
        if (id == NAT_LOCAL_ID || !*good || !r->builder) return is;
        return LLVMBuildAdd(
            r->builder, LLVMBuildSub(r->builder, id_call(r, true, dim), id_call(r, false, dim), ""),
            is, "");
    }
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (nat_is_symbol(r->b->s, v, r->scope) && comes_before(r, v)) return v;
    if (nat_is_query(r->b->s, v)) {
        LLVMValueRef c = r->builder ? LLVMInstructionClone(v) : NULL;
        if (c) LLVMInsertIntoBuilder(r->builder, c);
        return c;
    }
    LLVMValueRef init;
    if (op == LLVMPHI && nat_is_stepped(r->b->s, v, r->scope, &init) &&
        comes_before(r, v)) { // the phi's value here, with the other initial value
        LLVMValueRef other = again(r, init, good, depth - 1);
        return *good && r->builder
                   ? LLVMBuildAdd(r->builder, LLVMBuildSub(r->builder, v, init, ""), other, "")
                   : NULL;
    }
    if (op == LLVMPHI) {
        LLVMValueRef is = writer_of(r, v, 0, good);
        return is ? LLVMBuildIntCast2(r->builder, is, LLVMTypeOf(v), false, "") : NULL;
    }
    const int n = LLVMGetNumOperands(v);
    *good &= n <= 8 && (l_is_integer_operation(v) || l_is_integer_cast(v) || op == LLVMBitCast ||
                        op == LLVMAddrSpaceCast || op == LLVMFreeze || op == LLVMGetElementPtr);
    for (int k = 0; k < n && *good; k++)
        o[k] = again(r, LLVMGetOperand(v, (unsigned)k), good, depth - 1);
    return *good && r->builder ? built(r, v, o, (unsigned)n) : NULL;
}

LLVMValueRef nat_address_again(struct nat_rewrite *r, bool *good)
{
    return again(r, r->from->pointer, good, NAT_DEEP);
}
