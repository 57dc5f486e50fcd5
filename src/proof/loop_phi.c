// SPDX-License-Identifier: MIT
// Values at the header of a cut loop, in an arbitrary iteration k: counters that advance by a
// uniform step, or are shifted by a constant, have a closed form in k, modulo 2^width. Bounds of k
// come from the conditions under which the loop continues. All other values are arbitrary.
//
// k is at most `most` if every iteration that continues has passed a test that bounds its counter:
// the counters of iterations 0..k-1 passed it. The test must have been reached in each of them, so
// its block dominates the ends of the loop's back edges. A counter that cannot pass the test and
// wrap around has not passed its initial value either, whatever the bound is in each iteration.
#include "proof/loops.h"

#include "llvm/ir.h"

typedef __int128 wide;

static const uint64_t NO_BOUND = 1ull << 62; // iterations: no work-item lives longer

bool pk_is_cut_header(const struct pk *k, unsigned node)
{
    const struct pk_node *n = &k->nodes.data[node];
    const int l = k->f.blocks[n->block].loop;
    if (l < 0 || k->f.loops[l].header != n->block || !k->is_cut[l]) return false;
    return !k->f.loops[l].has_barrier || n->labels[l] == PK_SOME || n->labels[l] == PK_LATER;
}

/** The value of a fixed expression, wherever in the loop it is computed. */
static pf fixed_value(struct pk *k, unsigned node, LLVMValueRef v)
{
    struct pf_space *s = &k->s;
    const int loop = k->f.blocks[k->nodes.data[node].block].loop, b = rg_block_of(&k->f, v);
    const bool is_inside = LLVMIsAInstruction(v) && b >= 0 &&
                           rg_in_loop(&k->f.loops[loop], (unsigned)b);
    if (!is_inside) return pk_value(k, node, v);
    if (LLVMIsACallInst(v)) {
        char name[64];
        rg_callee_base_name(v, name, sizeof name);
        const pf id = pk_work_item(k, v, name, pk_dimension(k, node, v));
        return id ? id : pk_value(k, node, v);
    }
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    const pf x = fixed_value(k, node, LLVMGetOperand(v, 0));
    const unsigned w = pk_bits(v);
    switch (op) {
    case LLVMZExt: return pf_zext(s, x, w);
    case LLVMSExt: return pf_sext(s, x, w);
    case LLVMTrunc: return pf_trunc(s, x, w);
    case LLVMAdd: return pf_add(s, x, fixed_value(k, node, LLVMGetOperand(v, 1)));
    case LLVMSub: return pf_sub(s, x, fixed_value(k, node, LLVMGetOperand(v, 1)));
    case LLVMMul: return pf_mul(s, x, fixed_value(k, node, LLVMGetOperand(v, 1)));
    default: return pk_value(k, node, v);
    }
}

static pf step_of(struct pk *k, unsigned node, const struct pk_counter *c)
{
    const unsigned w = pk_bits(c->phi);
    pf step = fixed_value(k, node, c->step);
    if (pf_width(&k->s, step) > w) step = pf_trunc(&k->s, step, w);
    return c->subtracts ? pf_scale(&k->s, step, -1) : step;
}

/** The least and the largest value that the bound of a test may have, as formulas have them. */
static struct pf_node bound_of(struct pk *k, unsigned node, const struct pk_test *t)
{
    if (t->is_fixed) return *pf_get(&k->s, fixed_value(k, node, t->bound));
    const unsigned w = pk_bits(t->bound);
    const uint64_t all = w == 64 ? UINT64_MAX : (1ull << w) - 1;
    return (struct pf_node){.width = (uint8_t)w,
                            .uhi = all,
                            .slo = -(int64_t)(all >> 1) - 1,
                            .shi = (int64_t)(all >> 1)};
}

static bool is_up(const struct pk_test *t)
{
    const LLVMIntPredicate p = t->stay;
    return p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE;
}

static bool is_down(const struct pk_test *t)
{
    const LLVMIntPredicate p = t->stay;
    return p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
}

/** The counters that pass a test, and all numbers of their type, in its order. */
struct range {
    bool is_signed;
    wide lo, hi;      // of counters that pass
    wide least, most; // of the type
};

/** false: the test says nothing about the counter. */
static bool range_of(const struct pk_test *t, const struct pf_node *b, unsigned w, struct range *r)
{
    const LLVMIntPredicate p = t->stay;
    const bool strict = p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntUGT || p == LLVMIntSGT;
    const wide smax = ((wide)1 << (w - 1)) - 1, umax = ((wide)1 << w) - 1;
    r->is_signed = p >= LLVMIntSGT;
    r->lo = r->is_signed ? (wide)b->slo : (wide)b->ulo;
    r->hi = r->is_signed ? (wide)b->shi : (wide)b->uhi;
    if (t->extended > 0 && !r->is_signed) { // (ulong)(long)i < n: passes no negative i if n < 2^63
        if (!is_up(t) || r->hi > INT64_MAX) return false;
        r->is_signed = true;
    } else if (t->extended < 0) {
        r->is_signed = false; // the counter counts as unsigned; the bound is what it is
    }
    // it passes: counter <= hi, or counter >= lo
    if (is_up(t) && strict) r->hi--;
    if (is_down(t) && strict) r->lo++;
    r->least = r->is_signed ? -smax - 1 : 0;
    r->most = r->is_signed ? smax : umax;
    if (r->hi > r->most) r->hi = r->most;
    if (r->lo < r->least) r->lo = r->least;
    return true;
}

/** By steps of 1, up to a bound that is not passed already, or down. */
static uint64_t most_unequal(const struct pk_test *t, const struct pf_node *i,
                             const struct pf_node *b, const struct pf_node *d)
{
    if (!t->is_fixed || t->extended || d->slo != d->shi || (d->slo != 1 && d->slo != -1))
        return NO_BOUND;
    const bool up = d->slo == 1;
    const wide gap = up ? (wide)b->slo - i->shi : (wide)i->slo - b->shi;
    if (gap < t->of_next) return NO_BOUND; // (already there, the next would be beyond it)
    return (uint64_t)(up ? (wide)b->shi - i->slo : (wide)i->shi - b->slo);
}

/**
 * The most iterations that can pass the test; NO_BOUND: it bounds nothing, or the counter may wrap
 * around before it fails.
 */
static uint64_t most_steps(struct pk *k, unsigned node, const struct pk_counter *c,
                           const struct pk_test *t)
{
    const struct pf_node i = *pf_get(&k->s, pk_value(k, node, c->init));
    const struct pf_node b = bound_of(k, node, t);
    const struct pf_node d = *pf_get(&k->s, step_of(k, node, c));
    struct range r;
    if (t->stay == LLVMIntNE) return most_unequal(t, &i, &b, &d);
    if ((!is_up(t) && !is_down(t)) || !range_of(t, &b, i.width, &r)) return NO_BOUND;
    const wide low = r.is_signed ? (wide)i.slo : (wide)i.ulo,
               high = r.is_signed ? (wide)i.shi : (wide)i.uhi;
    if (is_up(t)) {
        if (d.slo <= 0) return NO_BOUND;
        wide last = r.hi; // the largest counter that is advanced
        if (t->of_next && high > last) last = high;
        if (last + d.shi > r.most) return NO_BOUND;
        if (r.hi < low) return 0;
        return (uint64_t)((r.hi - low) / d.slo + !t->of_next);
    }
    if (d.shi >= 0) return NO_BOUND;
    wide last = r.lo;
    if (t->of_next && low < last) last = low;
    if (last + d.slo < r.least) return NO_BOUND;
    if (r.lo > high) return 0;
    return (uint64_t)((high - r.lo) / -d.shi + !t->of_next);
}

static unsigned top_bit(uint64_t x) { return x ? 63 - (unsigned)__builtin_clzll(x) : 0; }

static uint64_t most_shifts(struct pk *k, unsigned node, const struct pk_counter *c,
                            const struct pk_test *t)
{
    const struct pf_node i = *pf_get(&k->s, pk_value(k, node, c->init));
    const struct pf_node b = bound_of(k, node, t);
    const unsigned w = i.width;
    const LLVMIntPredicate p = t->stay;
    if (t->extended || i.slo < 0 || b.slo < 0)
        return NO_BOUND; // (no sign, so that both orders agree)
    if (c->form == SHIFTS_RIGHT) {
        const bool positive = p == LLVMIntUGT || p == LLVMIntSGT ||
                              (p == LLVMIntNE && b.uhi == 0) ||
                              ((p == LLVMIntUGE || p == LLVMIntSGE) && b.ulo >= 1);
        if (!positive) return NO_BOUND;
        return top_bit(i.uhi) / c->shift + !t->of_next; // those that pass are 1 or more
    }
    // the counter stays below a bound, and one more shift does not reach the sign
    if (!is_up(t) || i.ulo < 1 || b.uhi >= 1ull << 62) return NO_BOUND;
    const uint64_t passes = b.uhi;
    const uint64_t last = t->of_next && i.uhi > passes ? i.uhi : passes;
    if (top_bit(last) + 1 + c->shift > w - 1) return NO_BOUND;
    return top_bit(passes) / c->shift + !t->of_next;
}

/** Calls `each` for each test of a counter of the header's loop. */
static void for_each_test(struct pk *k, unsigned node,
                          void (*each)(struct pk *k, unsigned node, const struct pk_counter *c,
                                       const struct pk_test *t, void *context),
                          void *context)
{
    const struct rg_fn *f = &k->f;
    const unsigned header = k->nodes.data[node].block;
    const int loop = f->blocks[header].loop;
    for (LLVMValueRef i = f->blocks[header].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        const struct pk_counter c = pk_counter_of(k, header, i);
        if (c.form != STEPS && c.form != SHIFTS_LEFT && c.form != SHIFTS_RIGHT) continue;
        for (unsigned b = f->loops[loop].header; b <= f->loops[loop].last; b++) {
            struct pk_test t;
            if (pk_test_of(k, loop, b, &c, &t)) each(k, node, &c, &t, context);
        }
    }
}

static void lower(struct pk *k, unsigned node, const struct pk_counter *c, const struct pk_test *t,
                  void *context)
{
    uint64_t *most = context;
    const uint64_t n = c->form == STEPS ? most_steps(k, node, c, t) : most_shifts(k, node, c, t);
    if (n < *most) *most = n;
}

static uint64_t most_iterations(struct pk *k, unsigned node)
{
    uint64_t most = NO_BOUND;
    for_each_test(k, node, lower, &most);
    return most;
}

/** A counter that cannot wrap around has not passed its initial value. */
static void hold(struct pk *k, unsigned node, const struct pk_counter *c, const struct pk_test *t,
                 void *context)
{
    struct pf_space *s = &k->s;
    pf *all = context;
    struct range r;
    if (c->form != STEPS || t->stay == LLVMIntNE || most_steps(k, node, c, t) == NO_BOUND) return;
    const pf now = pk_value(k, node, c->phi), init = pk_value(k, node, c->init);
    const struct pf_node i = *pf_get(s, init), d = *pf_get(s, step_of(k, node, c)),
                         b = bound_of(k, node, t), n = *pf_get(s, pk_iterations(k, node));
    if (!range_of(t, &b, i.width, &r)) return;
    const wide far = is_up(t) ? (r.is_signed ? (wide)i.shi : (wide)i.uhi) + (wide)n.uhi * d.shi
                              : (r.is_signed ? (wide)i.slo : (wide)i.ulo) + (wide)n.uhi * d.slo;
    if (far >= r.least && far <= r.most) return; // (its formula says so)
    const pf x = is_up(t) ? now : init, y = is_up(t) ? init : now;
    *all = pf_and(s, *all, pf_not(s, r.is_signed ? pf_slt(s, x, y) : pf_ult(s, x, y)));
}

pf pk_relate(struct pk *k, enum pk_relation r, pf a, pf b)
{
    struct pf_space *s = &k->s;
    switch (r) {
    case PK_AT_LEAST: return pf_not(s, pf_slt(s, a, b));
    case PK_AT_MOST: return pf_not(s, pf_slt(s, b, a));
    case PK_BELOW: return pf_slt(s, a, b);
    case PK_AT_MOST_UNSIGNED: return pf_not(s, pf_ult(s, b, a));
    default: return pf_ult(s, a, b);
    }
}

pf pk_invariants_hold(struct pk *k, unsigned node, const struct pk_invariant *list, size_t n)
{
    pf all = pf_bool(&k->s, true);
    for (size_t i = 0; i < n; i++) {
        const struct pk_invariant *v = &list[i];
        if (v->header != k->nodes.data[node].block) continue;
        const pf holds =
            pk_relate(k, v->relation, pk_value(k, node, v->phi), pk_value(k, node, v->other));
        all = pf_and(&k->s, all, holds);
    }
    return all;
}

pf pk_loop_holds(struct pk *k, unsigned node)
{
    pf all = pf_bool(&k->s, true);
    for_each_test(k, node, hold, &all);
    return pf_and(&k->s, all, pk_invariants_hold(k, node, k->invariants.data, k->invariants.len));
}

static bool shifts_by_sign(const struct pk_counter *c)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(c->next);
    return op == LLVMAShr || op == LLVMSDiv;
}

pf pk_iterations(struct pk *k, unsigned node)
{
    const uint64_t *known = map_get(&k->counters, node);
    if (known) return (pf)*known;
    const int loop = k->f.blocks[k->nodes.data[node].block].loop;
    const uint64_t most = most_iterations(k, node);
    const pf r = pk_new_symbol(
        k, 64,
        (struct pk_symbol){
            .kind = PK_ITERATION, .node = node, .index = (unsigned)loop, .is_uniform = true},
        0, most);
    *map_put(&k->counters, node, NULL) = r;
    return r;
}

/** A value that a node cannot compute: any. */
static pf any(struct pk *k, unsigned node, LLVMValueRef phi)
{
    const unsigned w = pk_bits(phi);
    return pk_new_symbol(k, w,
                         (struct pk_symbol){.kind = PK_UNKNOWN,
                                            .node = node,
                                            .value = phi,
                                            .is_uniform = !rg_is_divergent(&k->f, phi)},
                         0, w == 64 ? UINT64_MAX : (1ull << w) - 1);
}

pf pk_loop_phi(struct pk *k, unsigned node, LLVMValueRef phi)
{
    struct pf_space *s = &k->s;
    const unsigned w = pk_bits(phi);
    const struct pk_counter c = pk_counter_of(k, k->nodes.data[node].block, phi);
    if (c.form == NO_FORM || l_is_undef(c.init)) return any(k, node, phi);
    const pf init = pk_value(k, node, c.init);
    if (c.form == STAYS) return init;
    const pf n = pk_iterations(k, node);
    if (c.form == STEPS) {
        const pf times = w == 64 ? n : pf_trunc(s, n, w);
        return pf_add(s, init, pf_mul(s, times, step_of(k, node, &c)));
    }
    // shifts: only if k is bounded so that the count is less than the width
    const uint64_t most = pf_get(s, n)->uhi;
    if (most >= w || most * c.shift >= w) return any(k, node, phi);
    const pf count = pf_trunc(s, pf_scale(s, n, c.shift), w);
    if (c.form == SHIFTS_LEFT) return pf_binary(s, PF_SHL, init, count);
    if (shifts_by_sign(&c) && pf_get(s, init)->slo < 0) return any(k, node, phi);
    return pf_binary(s, PF_LSHR, init, count);
}
