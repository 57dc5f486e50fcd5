// SPDX-License-Identifier: MIT
// Path conditions of an access: the conditions of the branches and switches that dominate it, as
// far as terms can express them. Invariant: a condition that cannot be expressed is dropped, and
// the descriptor is then not exact.
#include "native/term.h"

#include "llvm/ir.h"

static const char *condition(struct nat_making *x, LLVMValueRef c, bool is, unsigned depth)
{
    if (!LLVMIsAInstruction(c) || depth > 6) return NULL;
    const LLVMOpcode op = LLVMGetInstructionOpcode(c);
    if (op == LLVMICmp) {
        static const char *const words[] = {"=",  "!=", ">",  ">=", "<",
                                            "<=", ">",  ">=", "<",  "<="}; // from LLVMIntEQ on
        static const unsigned char not[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
        unsigned p = LLVMGetICmpPredicate(c) - LLVMIntEQ;
        LLVMValueRef a = LLVMGetOperand(c, 0), b = LLVMGetOperand(c, 1);
        if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind || nat_width(a) > 64 ||
            nat_width(a) == 1)
            return NULL;
        if (!is) p = not[p];
        struct nat_term l = nat_as_number(x, a, p >= 6 || p < 2),
                        r = nat_as_number(x, b, p >= 6 || p < 2);
        if (!l.text || !r.text || !l.known || !r.known) return NULL;
        return arena_printf(x->s->arena, "%s %s %s", l.text, words[p], r.text);
    }
    LLVMValueRef a = NULL, b = NULL;
    bool both = op == LLVMAnd;
    if (op == LLVMAnd || op == LLVMOr) {
        a = LLVMGetOperand(c, 0);
        b = LLVMGetOperand(c, 1);
    } else if (op == LLVMSelect) { // a && b, a || b
        LLVMValueRef yes = LLVMGetOperand(c, 1), no = LLVMGetOperand(c, 2);
        a = LLVMGetOperand(c, 0);
        if (LLVMIsAConstantInt(no) && !LLVMConstIntGetZExtValue(no)) both = true, b = yes;
        else if (LLVMIsAConstantInt(yes) && LLVMConstIntGetZExtValue(yes)) b = no;
    } else if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(c, 1)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(c, 1))) {
        return condition(x, LLVMGetOperand(c, 0), !is, depth + 1);
    }
    if (!a || !b) return NULL;
    const char *p = condition(x, a, is, depth + 1), *q = condition(x, b, is, depth + 1);
    if (!p || !q) return NULL;
    return arena_printf(x->s->arena, "((%s) %s (%s))", p, both == is ? "and" : "or", q);
}

static bool postdominates(const struct rg_fn *f, unsigned b, unsigned of)
{
    int p = (int)of;
    while (p >= 0 && p != (int)b) p = f->blocks[p].ipdom;
    return p == (int)b;
}

static const char *switch_condition(struct nat_making *x, const struct rg_block *d, unsigned to)
{
    struct nat_term v = nat_as_number(x, LLVMGetOperand(d->stop, 0), true);
    struct str text = {0};
    bool plain = v.text && v.known;
    for (unsigned k = 1; k < d->nsucc && plain; k++) {
        LLVMValueRef value = l_case_value(d->stop, k);
        plain = nat_width(value) <= 64 && (d->succ[0] == to ? d->succ[k] != to : true);
        if (d->succ[0] == to || d->succ[k] == to)
            str_printf(&text, "%s%s %s %lld", text.len ? " and " : "", v.text,
                       d->succ[0] == to ? "!=" : "=", LLVMConstIntGetSExtValue(value));
    }
    const char *r = plain && text.len ? arena_strdup(x->s->arena, text.data) : NULL;
    str_deinit(&text);
    return r;
}

// Whether control enters a block only through one edge from d, apart from the block's back edges.
static bool entered_from(const struct rg_fn *f, unsigned b, unsigned d)
{
    unsigned n = 0;
    for (unsigned k = 0; k < f->blocks[b].npred; k++) {
        const unsigned p = f->blocks[b].pred[k];
        if (p == d) n++;
        else if (!rg_dominates(f, b, p)) return false;
    }
    return n == 1;
}

static bool is_left_elsewhere(const struct rg_fn *f, const struct rg_loop *l)
{
    for (unsigned k = l->header + 1; k <= l->last; k++)
        for (unsigned i = 0; i < f->blocks[k].nsucc; i++)
            if (!rg_in_loop(l, f->blocks[k].succ[i])) return true;
    return false;
}

// Walks up the dominator tree and collects the branch conditions.
void nat_guards(struct nat_making *x, unsigned block)
{
    const struct rg_fn *f = x->s->f;
    bool inside = true; // the branch does not decide whether `upto` is reached
    for (int b = (int)block; f->blocks[b].idom >= 0; b = f->blocks[b].idom) {
        const struct rg_block *d = &f->blocks[f->blocks[b].idom];
        inside = inside && !(x->upto >= 0 && rg_dominates(f, (unsigned)b, (unsigned)x->upto));
        if (d->nsucc < 2) continue;
        const bool one = entered_from(f, (unsigned)b, (unsigned)f->blocks[b].idom),
                   two = d->nsucc == 2 && LLVMIsABranchInst(d->stop) && d->succ[0] != d->succ[1];
        const char *c = one && two
                            ? condition(x, LLVMGetCondition(d->stop), d->succ[0] == (unsigned)b, 0)
                        : one && LLVMIsASwitchInst(d->stop) ? switch_condition(x, d, (unsigned)b)
                                                            : NULL;
        if (c) str_printf(&x->constraints, " and (%s)", c);
        else if (inside && !postdominates(f, (unsigned)b, (unsigned)f->blocks[b].idom))
            x->d->exact = false;
        // Of a loop inside the scope, only the range of its counter is known.
        if (inside && two && d->loop >= 0 && d->loop != x->scope &&
            (unsigned)f->blocks[b].idom == f->loops[d->loop].header) {
            const struct rg_loop *l = &f->loops[d->loop];
            LLVMValueRef cond = LLVMGetCondition(d->stop),
                         phi = LLVMIsAICmpInst(cond) ? LLVMGetOperand(cond, 0) : NULL;
            if (!phi || !map_get_ptr(&x->var, phi) || is_left_elsewhere(f, l)) x->d->exact = false;
        }
    }
}
