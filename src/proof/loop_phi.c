// SPDX-License-Identifier: MIT
// Values at the header of a cut loop, in an arbitrary iteration k: counters that advance by a
// uniform step, or are shifted by a constant, have a closed form in k (induction variables: Allen,
// Cocke, Kennedy, "Reduction of operator strength", 1981), modulo 2^width. Bounds of k come from
// the conditions under which the loop continues. All other values are arbitrary.
//
// k is at most `most` if every iteration that continues has passed a test that bounds its counter:
// the counters of iterations 0..k-1 passed it. The test must have been reached in each of them, so
// its block dominates the ends of the loop's back edges.
#include "proof/kernel.h"

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

/** The incoming value from outside of the loop, and that from inside; false: several. */
static bool parts_of(const struct pk *k, LLVMValueRef phi, unsigned header, LLVMValueRef *init,
                     LLVMValueRef *next)
{
    const struct rg_fn *f = &k->f;
    const struct rg_loop *l = &f->loops[f->blocks[header].loop];
    *init = *next = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        const int from = rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        if (from < 0) continue; // it is never reached
        LLVMValueRef *part = rg_in_loop(l, (unsigned)from) ? next : init;
        if (*part && *part != v) return false;
        *part = v;
    }
    return *init && *next;
}

LLVMValueRef pk_loop_start(const struct pk *k, LLVMValueRef phi, unsigned block)
{
    LLVMValueRef init, next;
    return parts_of(k, phi, block, &init, &next) ? init : NULL;
}

static bool is_invariant(const struct pk *k, int loop, LLVMValueRef v)
{
    if (!LLVMIsAInstruction(v)) return !l_is_undef(v);
    const int b = rg_block_of(&k->f, v);
    if (b < 0) return false;
    if (!rg_in_loop(&k->f.loops[loop], (unsigned)b)) return true;
    char name[64]; // sizes of the launch, where the loop asks for them each time
    if (!LLVMIsACallInst(v)) return false;
    rg_callee_base_name(v, name, sizeof name);
    return LLVMGetNumArgOperands(v) == 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 0)) &&
           (!strncmp(name, "get_", 4));
}

/** A value of the loop that is the same in all iterations, through casts and arithmetic. */
static bool is_fixed(const struct pk *k, int loop, LLVMValueRef v, unsigned depth)
{
    if (is_invariant(k, loop, v)) return true;
    if (depth > 8 || !LLVMIsAInstruction(v)) return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return is_fixed(k, loop, LLVMGetOperand(v, 0), depth + 1) &&
               is_fixed(k, loop, LLVMGetOperand(v, 1), depth + 1);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc: return is_fixed(k, loop, LLVMGetOperand(v, 0), depth + 1);
    default: return false;
    }
}

/** The value of such an expression, wherever in the loop it is computed. */
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

enum form { NO_FORM, STEPS, SHIFTS_LEFT, SHIFTS_RIGHT, STAYS };
struct counter {
    enum form form;
    LLVMValueRef phi, init, next;
    bool subtracts;
    LLVMValueRef step; // STEPS
    unsigned shift;    // SHIFTS
};

static bool log_of(LLVMValueRef v, unsigned *log)
{
    if (!LLVMIsAConstantInt(v) || !pk_bits(v)) return false;
    const uint64_t n = LLVMConstIntGetZExtValue(v);
    if (!n || (n & (n - 1))) return false;
    *log = (unsigned)__builtin_ctzll(n);
    return *log >= 1;
}

/** `i += get_global_size(0)` of an int: (int)((ulong)i + step), which is i + (int)step. */
static bool steps_in_wider_type(const struct pk *k, int loop, struct counter *c)
{
    LLVMValueRef sum = LLVMIsATruncInst(c->next) ? LLVMGetOperand(c->next, 0) : NULL;
    if (!sum || !LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd) return false;
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef x = LLVMGetOperand(sum, side), step = LLVMGetOperand(sum, !side);
        if (!LLVMIsASExtInst(x) && !LLVMIsAZExtInst(x)) continue;
        if (LLVMGetOperand(x, 0) != c->phi || !is_fixed(k, loop, step, 0)) continue;
        c->form = STEPS;
        c->step = step;
        return true;
    }
    return false;
}

static struct counter counter_of(const struct pk *k, unsigned header, LLVMValueRef phi)
{
    struct counter c = {.phi = phi};
    const int loop = k->f.blocks[header].loop;
    if (!pk_bits(phi) || !parts_of(k, phi, header, &c.init, &c.next)) return c;
    if (c.next == phi) {
        c.form = STAYS;
        return c;
    }
    if (!LLVMIsAInstruction(c.next) || steps_in_wider_type(k, loop, &c)) return c;
    if (LLVMGetNumOperands(c.next) != 2) return c;
    LLVMValueRef a = LLVMGetOperand(c.next, 0), b = LLVMGetOperand(c.next, 1);
    const LLVMOpcode op = LLVMGetInstructionOpcode(c.next);
    const bool first = a == phi;
    if (a != phi && b != phi) return c;
    LLVMValueRef other = first ? b : a;
    switch (op) {
    case LLVMAdd:
        if (a == b) c.form = SHIFTS_LEFT, c.shift = 1;
        else if (is_fixed(k, loop, other, 0)) c.form = STEPS, c.step = other;
        break;
    case LLVMSub:
        if (first && is_fixed(k, loop, other, 0))
            c.form = STEPS, c.step = other, c.subtracts = true;
        break;
    case LLVMMul:
        if (log_of(other, &c.shift)) c.form = SHIFTS_LEFT;
        break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        if (!first || !LLVMIsAConstantInt(other)) break;
        c.shift = (unsigned)LLVMConstIntGetZExtValue(other);
        if (c.shift >= 1 && c.shift < pk_bits(phi))
            c.form = op == LLVMShl ? SHIFTS_LEFT : SHIFTS_RIGHT;
        break;
    case LLVMUDiv:
    case LLVMSDiv:
        if (first && log_of(other, &c.shift)) c.form = SHIFTS_RIGHT;
        break;
    default: break;
    }
    return c;
}

static bool shifts_by_sign(const struct counter *c)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(c->next);
    return op == LLVMAShr || op == LLVMSDiv;
}

static pf step_of(struct pk *k, unsigned node, const struct counter *c)
{
    const unsigned w = pk_bits(c->phi);
    pf step = fixed_value(k, node, c->step);
    if (pf_width(&k->s, step) > w) step = pf_trunc(&k->s, step, w);
    return c->subtracts ? pf_scale(&k->s, step, -1) : step;
}

// ---- the bound of k

struct test {
    LLVMIntPredicate stay; // counter PREDICATE bound: the loop goes on
    bool of_next;          // the counter of the following iteration is tested
    int extended;          // to 64 bits before: 1 signed, -1 unsigned
    LLVMValueRef bound;
};

static LLVMIntPredicate inverse(LLVMIntPredicate p)
{
    static const LLVMIntPredicate of[] = {
        [LLVMIntEQ - LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE - LLVMIntEQ] = LLVMIntEQ,
        [LLVMIntUGT - LLVMIntEQ] = LLVMIntULE, [LLVMIntUGE - LLVMIntEQ] = LLVMIntULT,
        [LLVMIntULT - LLVMIntEQ] = LLVMIntUGE, [LLVMIntULE - LLVMIntEQ] = LLVMIntUGT,
        [LLVMIntSGT - LLVMIntEQ] = LLVMIntSLE, [LLVMIntSGE - LLVMIntEQ] = LLVMIntSLT,
        [LLVMIntSLT - LLVMIntEQ] = LLVMIntSGE, [LLVMIntSLE - LLVMIntEQ] = LLVMIntSGT};
    return of[p - LLVMIntEQ];
}
static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
    static const LLVMIntPredicate of[] = {
        [LLVMIntEQ - LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE - LLVMIntEQ] = LLVMIntNE,
        [LLVMIntUGT - LLVMIntEQ] = LLVMIntULT, [LLVMIntUGE - LLVMIntEQ] = LLVMIntULE,
        [LLVMIntULT - LLVMIntEQ] = LLVMIntUGT, [LLVMIntULE - LLVMIntEQ] = LLVMIntUGE,
        [LLVMIntSGT - LLVMIntEQ] = LLVMIntSLT, [LLVMIntSGE - LLVMIntEQ] = LLVMIntSLE,
        [LLVMIntSLT - LLVMIntEQ] = LLVMIntSGT, [LLVMIntSLE - LLVMIntEQ] = LLVMIntSGE};
    return of[p - LLVMIntEQ];
}

/** Whether the branch of a block, which the loop takes in each iteration, tests the counter. */
static bool test_of(const struct pk *k, int loop, unsigned block, const struct counter *c,
                    struct test *out)
{
    const struct rg_fn *f = &k->f;
    const struct rg_loop *l = &f->loops[loop];
    const struct rg_block *b = &f->blocks[block];
    if (b->end != RG_BRANCH || b->nsucc != 2 || !LLVMIsABranchInst(b->stop) ||
        !LLVMIsConditional(b->stop))
        return false;
    const bool in0 = rg_in_loop(l, b->succ[0]), in1 = rg_in_loop(l, b->succ[1]);
    if (in0 == in1) return false;
    for (unsigned p = 0; p < f->blocks[l->header].npred; p++) {
        const unsigned from = f->blocks[l->header].pred[p];
        if (rg_in_loop(l, from) && !rg_dominates(f, block, from)) return false;
    }
    LLVMValueRef cond = LLVMGetCondition(b->stop);
    if (!LLVMIsAICmpInst(cond)) return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef x = LLVMGetOperand(cond, side);
        out->bound = LLVMGetOperand(cond, !side);
        out->extended = 0;
        if (LLVMIsAInstruction(x) && (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x))) {
            out->extended = LLVMIsASExtInst(x) ? 1 : -1;
            x = LLVMGetOperand(x, 0);
        }
        out->of_next = x == c->next;
        if ((x != c->phi && x != c->next) || !is_fixed(k, loop, out->bound, 0)) continue;
        out->stay = side ? swapped(p) : p;
        if (!in0) out->stay = inverse(out->stay);
        return true;
    }
    return false;
}

/**
 * The most iterations that can pass the test; NO_BOUND: it bounds nothing, or the counter may wrap
 * around before it fails.
 */
static uint64_t most_steps(struct pk *k, unsigned node, const struct counter *c,
                           const struct test *t)
{
    const struct pf_node i = *pf_get(&k->s, pk_value(k, node, c->init));
    const struct pf_node b = *pf_get(&k->s, fixed_value(k, node, t->bound));
    const struct pf_node d = *pf_get(&k->s, step_of(k, node, c));
    const unsigned w = i.width;
    const wide smax = ((wide)1 << (w - 1)) - 1, umax = ((wide)1 << w) - 1;
    LLVMIntPredicate p = t->stay;
    if (p == LLVMIntNE) { // by steps of 1, up to a bound that is not passed already, or down
        if (t->extended || d.slo != d.shi || (d.slo != 1 && d.slo != -1)) return NO_BOUND;
        const bool up = d.slo == 1;
        const wide gap = up ? (wide)b.slo - i.shi : (wide)i.slo - b.shi;
        if (gap < t->of_next) return NO_BOUND; // (already there, the next would be beyond it)
        return (uint64_t)(up ? (wide)b.shi - i.slo : (wide)i.shi - b.slo);
    }
    const bool up = p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE;
    const bool down = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
    const bool strict = p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntUGT || p == LLVMIntSGT;
    bool is_signed = p >= LLVMIntSGT;
    if (!up && !down) return NO_BOUND;
    // the bound as a number
    wide lo = is_signed ? (wide)b.slo : (wide)b.ulo, hi = is_signed ? (wide)b.shi : (wide)b.uhi;
    if (t->extended > 0 && !is_signed) { // (ulong)(long)i < n: passes no negative i if n < 2^63
        if (!up || hi > INT64_MAX) return NO_BOUND;
        is_signed = true;
    } else if (t->extended < 0) {
        is_signed = false; // the counter counts as unsigned; the bound is what it is
    }
    // it passes: counter <= hi, or counter >= lo
    if (up && strict) hi--;
    if (down && strict) lo++;
    const wide least = is_signed ? -smax - 1 : 0, most = is_signed ? smax : umax;
    if (hi > most) hi = most;
    if (lo < least) lo = least;
    const wide from = is_signed ? (up ? (wide)i.slo : (wide)i.shi)
                                : (up ? (wide)i.ulo : (wide)i.uhi);
    const wide far = is_signed ? (up ? (wide)i.shi : (wide)i.slo)
                               : (up ? (wide)i.uhi : (wide)i.ulo);
    if (up) {
        if (d.slo <= 0) return NO_BOUND;
        wide last = hi; // the largest counter that is advanced
        if (t->of_next && far > last) last = far;
        if (last + d.shi > most) return NO_BOUND;
        if (hi < from) return 0;
        return (uint64_t)((hi - from) / d.slo + !t->of_next);
    }
    if (d.shi >= 0) return NO_BOUND;
    wide last = lo;
    if (t->of_next && far < last) last = far;
    if (last + d.slo < least) return NO_BOUND;
    if (lo > from) return 0;
    return (uint64_t)((from - lo) / -d.shi + !t->of_next);
}

static unsigned top_bit(uint64_t x) { return x ? 63 - (unsigned)__builtin_clzll(x) : 0; }

static uint64_t most_shifts(struct pk *k, unsigned node, const struct counter *c,
                            const struct test *t)
{
    const struct pf_node i = *pf_get(&k->s, pk_value(k, node, c->init));
    const struct pf_node b = *pf_get(&k->s, fixed_value(k, node, t->bound));
    const unsigned w = i.width;
    const LLVMIntPredicate p = t->stay;
    if (t->extended || i.slo < 0 || b.slo < 0)
        return NO_BOUND; // (no sign, so that both orders agree)
    const bool up = p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE;
    if (c->form == SHIFTS_RIGHT) {
        const bool positive = p == LLVMIntUGT || p == LLVMIntSGT ||
                              (p == LLVMIntNE && b.uhi == 0) ||
                              ((p == LLVMIntUGE || p == LLVMIntSGE) && b.ulo >= 1);
        if (!positive) return NO_BOUND;
        return top_bit(i.uhi) / c->shift + !t->of_next; // those that pass are 1 or more
    }
    // the counter stays below a bound, and one more shift does not reach the sign
    if (!up || i.ulo < 1 || b.uhi >= 1ull << 62) return NO_BOUND;
    const uint64_t passes = b.uhi;
    const uint64_t last = t->of_next && i.uhi > passes ? i.uhi : passes;
    if (top_bit(last) + 1 + c->shift > w - 1) return NO_BOUND;
    return top_bit(passes) / c->shift + !t->of_next;
}

static uint64_t most_iterations(struct pk *k, unsigned node)
{
    const struct rg_fn *f = &k->f;
    const unsigned header = k->nodes.data[node].block;
    const int loop = f->blocks[header].loop;
    uint64_t most = NO_BOUND;
    for (LLVMValueRef i = f->blocks[header].first; i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        const struct counter c = counter_of(k, header, i);
        if (c.form != STEPS && c.form != SHIFTS_LEFT && c.form != SHIFTS_RIGHT) continue;
        for (unsigned b = f->loops[loop].header; b <= f->loops[loop].last; b++) {
            struct test t;
            if (!test_of(k, loop, b, &c, &t)) continue;
            const uint64_t n = c.form == STEPS ? most_steps(k, node, &c, &t)
                                               : most_shifts(k, node, &c, &t);
            if (n < most) most = n;
        }
    }
    return most;
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
    const struct counter c = counter_of(k, k->nodes.data[node].block, phi);
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
