// SPDX-License-Identifier: MIT
// Linear array-access descriptors, after Wen et al., "Improving performance portability for
// GPU-specific OpenCL kernels on multi-core/many-core CPUs by analysis-based transformations"
// (FITEE 16(11), 2015), §3, as isl's sets of integer points.
//
// An address is a term: an affine expression, in isl's language, over
//
//   l0 l1 l2     the local ids, within 0..size-1
//   p<n>         parameters: values that are uniform and do not change within the scope of the
//                analysis (`scope`)
//   v<n>         variables of this access alone: counters of loops inside the scope, quotients, and
//                values that are not analyzable, as any number
//
// Invariant: a nonlinear address makes a descriptor too large, never too small. LLVM integers are
// numbers modulo 2^w: a term is congruent to its value. If the value is used as a number (extended,
// compared, divided), the bounds of the term must prove that it is in range, or it becomes a
// variable. Conditions of branches that dominate the access restrict the instances. A descriptor is
// exact if these conditions alone decide whether an instance runs. This file has the values that a
// descriptor is made of, addresses, and the descriptor itself; terms are in term.c, conditions in
// instances.c, and the accesses of a kernel in accesses.c.
#include "native/term.h"

#include "llvm/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum nat_id nat_id_of(LLVMValueRef v, unsigned *dim)
{
    char name[64];
    if (!LLVMIsACallInst(v) || LLVMGetNumArgOperands(v) != 1 ||
        !LLVMIsAConstantInt(LLVMGetOperand(v, 0)))
        return NAT_NO_ID;
    rg_callee_base_name(v, name, sizeof name);
    const enum nat_id id = !strcmp(name, "get_local_id")    ? NAT_LOCAL_ID
                           : !strcmp(name, "get_global_id") ? NAT_GLOBAL_ID
                                                            : NAT_NO_ID;
    const uint64_t d = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    *dim = (unsigned)d;
    return d < 3 ? id : NAT_NO_ID;
}

bool nat_loop_holds(const struct rg_fn *f, int outer, int inner)
{
    if (outer < 0) return true;
    for (; inner >= 0; inner = f->loops[inner].parent)
        if (inner == outer) return true;
    return false;
}

bool nat_is_query(const struct nat_space *s, LLVMValueRef v)
{
    char name[64];
    if (!LLVMIsACallInst(v) || rg_is_divergent(s->f, v) || LLVMGetNumArgOperands(v) > 1)
        return false;
    if (LLVMGetNumArgOperands(v) == 1 && !LLVMIsAConstantInt(LLVMGetOperand(v, 0))) return false;
    rg_callee_base_name(v, name, sizeof name);
    return str_starts(name, "get_");
}

bool nat_is_symbol(const struct nat_space *s, LLVMValueRef v, int scope)
{
    if (LLVMIsAArgument(v) || LLVMIsAConstant(v)) return true;
    if (!LLVMIsAInstruction(v) || rg_is_divergent(s->f, v)) return false;
    const int b = rg_block_of(s->f, v);
    return b >= 0 && (nat_loop_holds(s->f, s->f->blocks[b].loop, scope) || nat_is_query(s, v));
}

bool nat_is_stepped(const struct nat_space *s, LLVMValueRef phi, int scope, LLVMValueRef *init)
{
    const struct rg_fn *f = s->f;
    const int h = rg_block_of(f, phi), l = h < 0 ? -1 : f->blocks[h].loop;
    if (l < 0 || f->loops[l].header != (unsigned)h || f->loops[l].divergent ||
        !nat_loop_holds(f, l, scope) || LLVMCountIncoming(phi) != 2)
        return false;
    LLVMValueRef next = NULL;
    *init = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const int from = rg_incoming_block(f, phi, k);
        if (from < 0) return false;
        *(nat_loop_holds(f, l, f->blocks[from].loop) ? &next : init) = LLVMGetIncomingValue(phi, k);
    }
    if (!*init || !next || !LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
        return false;
    LLVMValueRef a = LLVMGetOperand(next, 0), step = a == phi ? LLVMGetOperand(next, 1) : a;
    if (a != phi && LLVMGetOperand(next, 1) != phi) return false;
    return LLVMIsAConstant(step) || LLVMIsAArgument(step) || !rg_is_divergent(f, step);
}

// ---- addresses

// The object that a pointer is based on, and the offset in it.
LLVMValueRef nat_address(struct nat_making *x, LLVMValueRef p, struct nat_term *offset)
{
    while (true) {
        LLVMValueRef u = p;
        const LLVMOpcode op = LLVMIsAInstruction(p)    ? LLVMGetInstructionOpcode(p)
                              : LLVMIsAConstantExpr(p) ? LLVMGetConstOpcode(p)
                                                       : LLVMRet;
        if (op == LLVMBitCast || op == LLVMFreeze || op == LLVMAddrSpaceCast) {
            p = LLVMGetOperand(p, 0);
            continue;
        }
        if (op != LLVMGetElementPtr) return u;
        LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
        for (int k = 1; x && k < LLVMGetNumOperands(p); k++) {
            LLVMValueRef i = LLVMGetOperand(p, (unsigned)k);
            if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
                const unsigned field = (unsigned)LLVMConstIntGetZExtValue(i);
                *offset = nat_add(x, *offset,
                                  nat_number(x, (nat_wide)l_field_offset(x->s->m, t, field)), 1);
                t = LLVMStructGetTypeAtIndex(t, field);
                continue;
            }
            if (k > 1) t = LLVMGetElementType(t);
            *offset =
                nat_add(x, *offset,
                        nat_times(x, (nat_wide)l_size(x->s->m, t),
                                  nat_width(i) == 64 ? nat_term(x, i) : nat_as_number(x, i, true)),
                        1);
        }
        p = LLVMGetOperand(p, 0);
    }
}

void nat_describe(struct nat_space *s, const struct nat_access *a, int scope, int upto,
                  struct nat_descriptor *out)
{
    *out = (struct nat_descriptor){.exact = true};
    struct nat_making x = {.s = s, .d = out, .scope = scope, .upto = upto};
    struct nat_term at = nat_number(&x, 0);
    nat_address(&x, a->pointer, &at);
    const size_t defined = x.constraints.len;
    nat_guards(&x, a->block);
    out->exact &= at.known;
    if (at.text) {
        struct str text = {0};
        str_printf(&text, "[%s] -> { [l0,l1,l2", str_text(&x.params));
        for (size_t k = 0; k < out->vars.len; k++) str_printf(&text, ",v%u", (unsigned)k + 1);
        str_printf(&text, "] -> [%s] : ", at.text);
        const size_t head = text.len;
        str_printf(&text, "0 = 0%.*s }", (int)defined, str_text(&x.constraints));
        out->anywhere = isl_map_read_from_str(s->isl, text.data);
        text.len = head;
        for (unsigned d = 0; d < 3; d++)
            str_printf(&text, "%s0 <= l%u < %llu", d ? " and " : "", d,
                       (unsigned long long)s->shape->local[d]);
        str_printf(&text, "%s }", str_text(&x.constraints));
        out->map = isl_map_read_from_str(s->isl, text.data);
        if (getenv("CLDBG_NATIVE_PRINT"))
            fprintf(stderr, "%s %s%s\n", a->write ? "write" : "read", text.data,
                    out->exact ? "" : " (at most)");
        str_deinit(&text);
    }
    str_deinit(&x.constraints);
    str_deinit(&x.params);
    map_deinit(&x.param);
    map_deinit(&x.var);
    map_deinit(&x.terms);
}

void nat_descriptor_deinit(struct nat_descriptor *d)
{
    isl_map_free(d->map);
    isl_map_free(d->anywhere);
    vec_free(&d->vars);
}
