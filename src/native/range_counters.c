// SPDX-License-Identifier: MIT
// Intervals of loop counters: phis at the header of a loop that begin at `init` and get `next`,
// which is a sum, product, quotient or shift of the phi, in each iteration.
//
// The loop goes on only if all branches hold that dominate its back edges and may leave it. If one
// of them compares the phi or `next` with a bound, the phi's interval follows by induction over the
// iterations: with a step that is not negative, and a phi that is at most `limit` where the loop
// goes on, the phi never exceeds the larger of init and limit + step. This holds only if
// limit + step cannot wrap. Counters that go down are the mirror image.
#include "native/ranges.h"

#include "llvm/ir.h"

struct counting {
    struct nat_ranges *x;
    const struct rg_loop *l;
    LLVMValueRef phi, next;
    struct nat_range init, step; // step: what is added, or the factor
    bool is_sum, is_product;
    unsigned width;
};

/** A comparison that holds if the loop goes on, with the phi or `next` on the left. */
struct staying {
    LLVMIntPredicate predicate;
    LLVMValueRef bound;
    bool of_next;
    unsigned block, to; // the branch, and where it goes if the loop goes on
};

static LLVMIntPredicate mirrored(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSLE: return LLVMIntSGE;
    case LLVMIntSGE: return LLVMIntSLE;
    default: return p;
    }
}

static LLVMIntPredicate negated(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntULE: return LLVMIntUGT;
    case LLVMIntUGE: return LLVMIntULT;
    case LLVMIntSLT: return LLVMIntSGE;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSLE: return LLVMIntSGT;
    default: return LLVMIntSLT;
    }
}

static bool is_unsigned(LLVMIntPredicate p)
{
    return p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntUGT || p == LLVMIntUGE;
}

/** The condition under which block b lets the loop go on, if it is about the counter. */
static bool staying_at(const struct counting *c, unsigned b, struct staying *out)
{
    const struct rg_block *d = &c->x->f->blocks[b];
    if (d->nsucc != 2 || !LLVMIsABranchInst(d->stop) || !LLVMIsConditional(d->stop)) return false;
    const bool in[] = {rg_in_loop(c->l, d->succ[0]), rg_in_loop(c->l, d->succ[1])};
    LLVMValueRef is = LLVMGetCondition(d->stop);
    if (in[0] == in[1] || !LLVMIsAICmpInst(is)) return false;
    LLVMValueRef left = LLVMGetOperand(is, 0), right = LLVMGetOperand(is, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(is);
    if (right == c->phi || right == c->next) {
        LLVMValueRef swap = left;
        left = right;
        right = swap;
        p = mirrored(p);
    }
    if (left != c->phi && left != c->next) return false;
    *out =
        (struct staying){in[0] ? p : negated(p), right, left == c->next, b, d->succ[in[0] ? 0 : 1]};
    return true;
}

/** Whether every iteration that is not the last one passes block b. */
static bool always_passes(const struct counting *c, unsigned b)
{
    const struct rg_block *h = &c->x->f->blocks[c->l->header];
    for (unsigned k = 0; k < h->npred; k++)
        if (rg_in_loop(c->l, h->pred[k]) && !rg_dominates(c->x->f, b, h->pred[k])) return false;
    return true;
}

static bool is_fixed(const struct counting *c, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v)) return true;
    const int b = rg_block_of(c->x->f, v);
    return b >= 0 && !rg_in_loop(c->l, (unsigned)b);
}

/** The largest value of the phi, or of `next`, with which the loop goes on. */
static bool upper_limit(const struct counting *c, const struct staying *s, nat_wide *limit)
{
    const struct nat_range bound = nat_range_of(c->x, s->bound);
    const bool open = s->predicate == LLVMIntULT || s->predicate == LLVMIntSLT ||
                      s->predicate == LLVMIntNE,
               by_one = c->is_sum && c->step.lo == 1 && c->step.hi == 1;
    if (s->predicate == LLVMIntNE &&
        (!by_one || !is_fixed(c, s->bound) || c->init.hi + s->of_next > bound.lo))
        return false;
    if (is_unsigned(s->predicate) && bound.lo < 0) return false;
    if (!open && s->predicate != LLVMIntULE && s->predicate != LLVMIntSLE) return false;
    *limit = bound.hi - open;
    return true;
}

/** The least one. */
static bool lower_limit(const struct counting *c, const struct staying *s, nat_wide *limit)
{
    const struct nat_range bound = nat_range_of(c->x, s->bound);
    const bool open = s->predicate == LLVMIntUGT || s->predicate == LLVMIntSGT ||
                      s->predicate == LLVMIntNE,
               by_one = c->is_sum && c->step.lo == -1 && c->step.hi == -1;
    if (s->predicate == LLVMIntNE &&
        (!by_one || !is_fixed(c, s->bound) || c->init.lo - s->of_next < bound.hi))
        return false;
    // as unsigned numbers, only for counters that stay positive
    if (is_unsigned(s->predicate) && (bound.lo < 0 || c->init.lo < 0)) return false;
    if (!open && s->predicate != LLVMIntUGE && s->predicate != LLVMIntSGE) return false;
    *limit = bound.lo + open;
    if (is_unsigned(s->predicate) && *limit + c->step.lo < 0) return false;
    return true;
}

/** `next` is computed only after that branch: where the phi is within the limit. */
static bool is_after(const struct counting *c, const struct staying *s)
{
    const struct rg_fn *f = c->x->f;
    const int at = rg_block_of(f, c->next);
    return at >= 0 && !s->of_next && f->blocks[s->to].npred == 1 &&
           rg_dominates(f, s->to, (unsigned)at);
}

static void keep_advance(const struct counting *c, struct nat_range r)
{
    r.sure = c->init.sure && c->step.sure;
    *map_put_ptr(&c->x->advances, c->next, NULL) = (uintptr_t)arena_dup(c->x->arena, &r, sizeof r);
}

static bool grows(const struct counting *c, const struct staying *s, struct nat_range *out)
{
    nat_wide limit;
    if (!upper_limit(c, s, &limit)) return false;
    if (limit < c->init.lo) limit = c->init.lo;
    const nat_wide top = c->init.hi > limit ? c->init.hi : limit, from = s->of_next ? top : limit,
                   next = c->is_sum ? from + c->step.hi : from * c->step.hi;
    if (next > nat_any(c->width).hi) return false;
    out->lo = c->init.lo;
    out->hi = s->of_next || next < top ? top : next;
    const nat_wide first = c->is_sum ? out->lo + c->step.lo : out->lo * c->step.lo;
    if (is_after(c, s)) keep_advance(c, (struct nat_range){first, next, false});
    return true;
}

static bool shrinks(const struct counting *c, const struct staying *s, struct nat_range *out)
{
    nat_wide limit;
    if (!c->is_sum || !lower_limit(c, s, &limit)) return false;
    if (limit > c->init.hi) limit = c->init.hi;
    const nat_wide bottom = c->init.lo < limit ? c->init.lo : limit,
                   from = s->of_next ? bottom : limit, next = from + c->step.lo;
    if (next < nat_any(c->width).lo) return false;
    if (s->of_next && is_unsigned(s->predicate) && next < 0) return false;
    out->lo = s->of_next || next > bottom ? bottom : next;
    out->hi = c->init.hi;
    if (is_after(c, s)) keep_advance(c, (struct nat_range){next, out->hi + c->step.hi, false});
    return true;
}

/** The values that the phi begins with, and the one that it gets in each iteration. */
static bool find_values(struct counting *c)
{
    bool has_init = false;
    const struct rg_fn *f = c->x->f;
    for (unsigned k = 0; k < LLVMCountIncoming(c->phi); k++) {
        LLVMValueRef in = LLVMGetIncomingValue(c->phi, k);
        const int from = rg_incoming_block(f, c->phi, k);
        if (from < 0) return false;
        if (rg_in_loop(c->l, (unsigned)from)) {
            if (c->next && c->next != in) return false;
            c->next = in;
            continue;
        }
        const struct nat_range r = nat_range_of(c->x, in);
        c->init = has_init ? nat_hull(c->init, r) : r;
        has_init = true;
    }
    return has_init && c->next && LLVMIsAInstruction(c->next);
}

/** How `next` follows from the phi. */
static bool find_step(struct counting *c, bool *is_quotient)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(c->next);
    if (LLVMGetNumOperands(c->next) != 2 || op == LLVMPHI) return false;
    LLVMValueRef a = LLVMGetOperand(c->next, 0), b = LLVMGetOperand(c->next, 1);
    if (b == c->phi && (op == LLVMAdd || op == LLVMMul)) {
        b = a;
        a = c->phi;
    }
    if (a != c->phi || b == c->phi) return false;
    c->step = nat_range_of(c->x, b);
    c->is_sum = op == LLVMAdd || op == LLVMSub;
    if (op == LLVMSub) {
        const nat_wide lo = c->step.lo;
        c->step.lo = -c->step.hi;
        c->step.hi = -lo;
    }
    if (op == LLVMShl && (c->step.lo < 0 || c->step.hi >= c->width)) return false;
    if (op == LLVMShl) {
        c->step.lo = nat_pow2((unsigned)c->step.lo);
        c->step.hi = nat_pow2((unsigned)c->step.hi);
    }
    c->is_product = op == LLVMShl || op == LLVMMul;
    const bool shifts = op == LLVMLShr || op == LLVMAShr;
    *is_quotient = (shifts && c->step.lo >= 0 && c->step.hi < c->width) ||
                   ((op == LLVMUDiv || op == LLVMSDiv) && c->step.lo >= 1);
    return c->is_sum || c->is_product || *is_quotient;
}

bool nat_counter_range(struct nat_ranges *x, LLVMValueRef phi, struct nat_range *out)
{
    const int h = rg_block_of(x->f, phi), l = h < 0 ? -1 : x->f->blocks[h].loop;
    if (l < 0 || x->f->loops[l].header != (unsigned)h) return false;
    struct counting c = {.x = x, .l = &x->f->loops[l], .phi = phi, .width = nat_width(phi)};
    bool is_quotient = false;
    if (!find_values(&c) || !find_step(&c, &is_quotient)) return false;
    out->sure = c.init.sure && c.step.sure;
    if (is_quotient && c.init.lo >= 0) { // it only becomes smaller
        out->lo = 0;
        out->hi = c.init.hi;
        return true;
    }
    const bool up = c.is_sum ? c.step.lo >= 0 : c.is_product && c.step.lo >= 1 && c.init.lo >= 0;
    if (!up && !(c.is_sum && c.step.hi <= 0)) return false;
    for (unsigned b = c.l->header; b <= c.l->last; b++) {
        struct staying s;
        if (staying_at(&c, b, &s) && always_passes(&c, b) &&
            (up ? grows(&c, &s, out) : shrinks(&c, &s, out)))
            return true;
    }
    return false;
}
