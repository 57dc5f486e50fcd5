// SPDX-License-Identifier: MIT
// Counters of loops: phis that advance by a step that is the same in all iterations, or are shifted
// by a constant (induction variables: Allen, Cocke, Kennedy, "Reduction of operator strength",
// 1981); and the tests of counters that decide whether a loop continues.
#include "proof/loops.h"

#include "llvm/ir.h"

/** The incoming value from outside of the loop, and that from inside; false: several. */
static bool parts_of(const struct pk *k, LLVMValueRef phi, unsigned header, LLVMValueRef *init,
                     LLVMValueRef *next)
{
    const struct rg_fn *f = &k->f;
    const struct rg_loop *l = &f->loops[f->blocks[header].loop];
    *init = *next = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        const int from = rg_incoming_block(f, phi, i);
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

bool pk_is_fixed(const struct pk *k, int loop, LLVMValueRef v, unsigned depth)
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
        return pk_is_fixed(k, loop, LLVMGetOperand(v, 0), depth + 1) &&
               pk_is_fixed(k, loop, LLVMGetOperand(v, 1), depth + 1);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc: return pk_is_fixed(k, loop, LLVMGetOperand(v, 0), depth + 1);
    default: return false;
    }
}

static bool log_of(LLVMValueRef v, unsigned *log)
{
    if (!LLVMIsAConstantInt(v) || !pk_bits(v)) return false;
    const uint64_t n = LLVMConstIntGetZExtValue(v);
    if (!n || (n & (n - 1))) return false;
    *log = (unsigned)__builtin_ctzll(n);
    return *log >= 1;
}

/** `i += get_global_size(0)` of an int: (int)((ulong)i + step), which is i + (int)step. */
static bool steps_in_wider_type(const struct pk *k, int loop, struct pk_counter *c)
{
    LLVMValueRef sum = LLVMIsATruncInst(c->next) ? LLVMGetOperand(c->next, 0) : NULL;
    if (!sum || !LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd) return false;
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef x = LLVMGetOperand(sum, side), step = LLVMGetOperand(sum, !side);
        if (!LLVMIsASExtInst(x) && !LLVMIsAZExtInst(x)) continue;
        if (LLVMGetOperand(x, 0) != c->phi || !pk_is_fixed(k, loop, step, 0)) continue;
        c->form = STEPS;
        c->step = step;
        return true;
    }
    return false;
}

struct pk_counter pk_counter_of(const struct pk *k, unsigned header, LLVMValueRef phi)
{
    struct pk_counter c = {.phi = phi};
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
        else if (pk_is_fixed(k, loop, other, 0)) c.form = STEPS, c.step = other;
        break;
    case LLVMSub:
        if (first && pk_is_fixed(k, loop, other, 0))
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

bool pk_test_of(const struct pk *k, int loop, unsigned block, const struct pk_counter *c,
                struct pk_test *out)
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
        if ((x != c->phi && x != c->next) || !pk_bits(out->bound)) continue;
        out->is_fixed = pk_is_fixed(k, loop, out->bound, 0);
        out->stay = side ? swapped(p) : p;
        if (!in0) out->stay = inverse(out->stay);
        return true;
    }
    return false;
}
