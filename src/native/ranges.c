// SPDX-License-Identifier: MIT
// Interval analysis (Cousot and Cousot, POPL 1977), without contexts: the interval of a value holds
// wherever it is computed, whatever branches lead there. Intervals start from what the shape of a
// launch says: sizes of groups, and limits of ids and arguments. In a cycle a value is unknown,
// unless it counts (range_counters.c).
//
// Invariant: integers wrap as in the interpreter, so the interval of an operation that may wrap
// contains all integers of its width. Flags of LLVM (nsw, nuw) are not used.
#include "native/ranges.h"

#include "llvm/ir.h"

#include <string.h>

void nat_ranges_init(struct nat_ranges *x, const struct rg_fn *f, const struct nat_shape *shape,
                     struct arena *a)
{
    *x = (struct nat_ranges){.f = f, .shape = shape, .arena = a};
}

void nat_ranges_deinit(struct nat_ranges *x)
{
    map_deinit(&x->known);
    map_deinit(&x->advances);
}

struct nat_range nat_any(unsigned width)
{
    return (struct nat_range){-nat_pow2(width - 1), nat_pow2(width - 1) - 1, false};
}

static nat_wide least(nat_wide a, nat_wide b) { return a < b ? a : b; }
static nat_wide most(nat_wide a, nat_wide b) { return a > b ? a : b; }

struct nat_range nat_hull(struct nat_range a, struct nat_range b)
{
    return (struct nat_range){least(a.lo, b.lo), most(a.hi, b.hi), a.sure && b.sure};
}

bool nat_fits(struct nat_range r, unsigned width)
{
    const struct nat_range any = nat_any(width);
    return r.lo >= any.lo && r.hi <= any.hi;
}

static struct nat_range wrapped(struct nat_range r, unsigned width)
{
    if (nat_fits(r, width)) return r;
    struct nat_range any = nat_any(width);
    any.sure = r.sure;
    return any;
}

static struct nat_range between(nat_wide lo, nat_wide hi, bool sure)
{
    return (struct nat_range){lo, hi, sure};
}

// ---- what the shape says

static struct nat_range argument(struct nat_ranges *x, LLVMValueRef v)
{
    const unsigned w = nat_width(v);
    struct nat_range r = nat_any(w);
    for (unsigned i = 0; i < NAT_MARKS && i < LLVMCountParams(x->f->fn); i++) {
        const unsigned bits = x->shape->argument_bits[i];
        if (LLVMGetParam(x->f->fn, i) != v || !bits || (w < 32 && bits + 2 > w)) continue;
        r = between(0, bits < 31 ? nat_pow2(bits) : nat_pow2(31) - 1, true);
    }
    r.sure = true;
    return r;
}

/** The value of a work-item function; dim: of its argument, or 3. False: it is another function. */
static bool work_item(const struct nat_shape *s, const char *name, uint64_t dim, nat_wide *hi)
{
    const nat_wide bits = dim < 3 && s->id_bits[dim] ? s->id_bits[dim] : 62,
                   local = dim < 3 ? (nat_wide)s->local[dim] : nat_pow2(32);
    const unsigned all = s->id_bits[0] + s->id_bits[1] + s->id_bits[2];
    const nat_wide items =
        nat_pow2(s->id_bits[0] && s->id_bits[1] && s->id_bits[2] && all < 62 ? all : 62);
    const struct {
        const char *name;
        nat_wide most;
    } of[] = {{"get_global_id", nat_pow2((unsigned)bits) - 1},
              {"get_global_size", nat_pow2((unsigned)bits)},
              {"get_global_offset", nat_pow2((unsigned)bits)},
              {"get_group_id", nat_pow2((unsigned)bits) - 1},
              {"get_num_groups", nat_pow2((unsigned)bits)},
              {"get_local_id", local - 1},
              {"get_local_size", local},
              {"get_enqueued_local_size", local},
              {"get_global_linear_id", items - 1},
              {"get_local_linear_id", (nat_wide)(s->local[0] * s->local[1] * s->local[2]) - 1},
              {"get_work_dim", 3}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (!strcmp(name, of[k].name)) {
            *hi = of[k].most;
            return true;
        }
    return false;
}

static struct nat_range call(struct nat_ranges *x, LLVMValueRef v)
{
    const unsigned w = nat_width(v), n = LLVMGetNumArgOperands(v);
    LLVMValueRef f = l_callee(v);
    char name[64];
    nat_wide hi;
    if (!f || !LLVMIsDeclaration(f) || n > 3) return nat_any(w);
    struct nat_range a = nat_any(w), b = a;
    if (str_starts(l_name(f), "llvm.")) {
        if (n >= 1 && nat_width(LLVMGetOperand(v, 0)) == w)
            a = nat_range_of(x, LLVMGetOperand(v, 0));
        if (n >= 2 && nat_width(LLVMGetOperand(v, 1)) == w)
            b = nat_range_of(x, LLVMGetOperand(v, 1));
        const bool sure = a.sure && b.sure, positive = a.lo >= 0 && b.lo >= 0;
        if (l_is_intrinsic(f, "smax") || (l_is_intrinsic(f, "umax") && positive))
            return between(most(a.lo, b.lo), most(a.hi, b.hi), sure);
        if (l_is_intrinsic(f, "smin") || (l_is_intrinsic(f, "umin") && positive))
            return between(least(a.lo, b.lo), least(a.hi, b.hi), sure);
        if (l_is_intrinsic(f, "umin") && (a.lo >= 0 || b.lo >= 0)) // the other one is larger
            return between(0, a.lo >= 0 ? a.hi : b.hi, sure);
        if (l_is_intrinsic(f, "abs") && a.lo > nat_any(w).lo)
            return between(a.lo > 0 ? a.lo : 0, most(-a.lo, a.hi), a.sure);
        if (l_is_intrinsic(f, "usub.sat") && a.lo >= 0) return between(0, a.hi, sure);
        return nat_any(w);
    }
    const bool one = n == 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 0));
    if (n > 1 || (n == 1 && !one)) return nat_any(w);
    rg_callee_base_name(v, name, sizeof name);
    const uint64_t dim = one ? LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) : 3;
    if (dim > 2 && one) return nat_any(w);
    return work_item(x->shape, name, dim, &hi) ? wrapped(between(0, hi, true), w) : nat_any(w);
}

// ---- operations

static struct nat_range product(struct nat_range a, struct nat_range b)
{
    const nat_wide p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return between(least(least(p[0], p[1]), least(p[2], p[3])),
                   most(most(p[0], p[1]), most(p[2], p[3])), a.sure && b.sure);
}

bool nat_exact_range(struct nat_ranges *x, LLVMValueRef v, struct nat_range *out)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) return false;
    const struct nat_range a = nat_range_of(x, LLVMGetOperand(v, 0)),
                           b = nat_range_of(x, LLVMGetOperand(v, 1));
    const bool sure = a.sure && b.sure;
    switch (op) {
    case LLVMAdd: *out = between(a.lo + b.lo, a.hi + b.hi, sure); return true;
    case LLVMSub: *out = between(a.lo - b.hi, a.hi - b.lo, sure); return true;
    case LLVMMul: *out = product(a, b); return true;
    default:
        if (b.lo < 0 || b.hi >= nat_width(v)) return false; // (63 + 63 bits fit)
        *out = product(a, between(nat_pow2((unsigned)b.lo), nat_pow2((unsigned)b.hi), b.sure));
        return true;
    }
}

/** Divisions by zero are guarded (guard.c). */
static struct nat_range divided(LLVMOpcode op, struct nat_range a, struct nat_range b, unsigned w)
{
    const bool sure = a.sure && b.sure, is_signed = op == LLVMSDiv || op == LLVMSRem;
    if (op == LLVMUDiv || op == LLVMURem) {
        if (op == LLVMURem && b.lo >= 0)
            return between(0, most(0, a.lo >= 0 ? least(a.hi, b.hi - 1) : b.hi - 1), sure);
        if (a.lo < 0) return wrapped(between(nat_any(w).lo, nat_any(w).hi, sure), w);
    }
    const nat_wide far = most(-a.lo, a.hi);
    if (op == LLVMUDiv || (op == LLVMSDiv && a.lo >= 0 && b.lo >= 0))
        return between(b.lo > 0 ? a.lo / b.hi : 0, b.lo > 0 ? a.hi / b.lo : a.hi, sure);
    if (op == LLVMSDiv) return wrapped(between(-far, far, sure), w);
    if (!is_signed) return between(0, a.hi, sure);
    const nat_wide rest = most(0, most(-b.lo, b.hi) - 1);
    return between(a.lo >= 0 ? 0 : -least(rest, -a.lo), a.hi <= 0 ? 0 : least(rest, a.hi), sure);
}

/** x << n >> n is the extension of the lower bits. */
static LLVMValueRef shifted_back(LLVMValueRef v)
{
    LLVMValueRef inner = LLVMGetOperand(v, 0);
    return LLVMIsAInstruction(inner) && LLVMGetInstructionOpcode(inner) == LLVMShl &&
                   LLVMGetOperand(inner, 1) == LLVMGetOperand(v, 1)
               ? LLVMGetOperand(inner, 0)
               : NULL;
}

static struct nat_range shifted(struct nat_ranges *x, LLVMValueRef v, unsigned w)
{
    const bool arithmetic = LLVMGetInstructionOpcode(v) == LLVMAShr;
    struct nat_range a = nat_range_of(x, LLVMGetOperand(v, 0)),
                     n = nat_range_of(x, LLVMGetOperand(v, 1));
    LLVMValueRef inner = shifted_back(v);
    if (n.lo < 0 || n.hi >= w) return nat_any(w);
    const unsigned few = (unsigned)n.lo, many = (unsigned)n.hi;
    const bool sure = a.sure && n.sure;
    if (inner && few == many && few) {
        const struct nat_range r = nat_range_of(x, inner);
        if (arithmetic ? nat_fits(r, w - few) : r.lo >= 0 && r.hi < nat_pow2(w - few)) return r;
    }
    if (a.lo >= 0) return between(a.lo >> many, a.hi >> few, sure);
    if (arithmetic) return between(a.lo >> few, a.hi >> (a.hi >= 0 ? few : many), sure);
    return few ? between(0, nat_pow2(w - few) - 1, sure)
               : between(nat_any(w).lo, nat_any(w).hi, sure);
}

static struct nat_range bitwise(LLVMOpcode op, struct nat_range a, struct nat_range b, unsigned w)
{
    const bool sure = a.sure && b.sure;
    struct nat_range any = nat_any(w);
    any.sure = sure;
    if (op == LLVMAnd && (a.lo >= 0 || b.lo >= 0))
        return between(0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : least(a.hi, b.hi), sure);
    if (op == LLVMAnd || a.lo < 0 || b.lo < 0) return any;
    nat_wide all = 1;
    while (all <= a.hi || all <= b.hi) all *= 2;
    return between(op == LLVMOr ? most(a.lo, b.lo) : 0, all - 1, sure);
}

static struct nat_range extended(struct nat_ranges *x, LLVMValueRef v)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(from)) != LLVMIntegerTypeKind || nat_width(from) > 64)
        return nat_any(nat_width(v));
    struct nat_range r = nat_range_of(x, from);
    if (LLVMGetInstructionOpcode(v) == LLVMZExt && r.lo < 0)
        return between(0, nat_pow2(nat_width(from)) - 1, r.sure);
    return wrapped(r, nat_width(v));
}

static struct nat_range phi(struct nat_ranges *x, LLVMValueRef v)
{
    struct nat_range r;
    if (nat_counter_range(x, v, &r)) return r;
    r = nat_range_of(x, LLVMGetIncomingValue(v, 0));
    for (unsigned k = 1; k < LLVMCountIncoming(v); k++)
        r = nat_hull(r, nat_range_of(x, LLVMGetIncomingValue(v, k)));
    return r;
}

static struct nat_range compute(struct nat_ranges *x, LLVMValueRef v)
{
    const unsigned w = nat_width(v);
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    struct nat_range r;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: return nat_exact_range(x, v, &r) ? wrapped(r, w) : nat_any(w);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return divided(op, nat_range_of(x, LLVMGetOperand(v, 0)),
                       nat_range_of(x, LLVMGetOperand(v, 1)), w);
    case LLVMLShr:
    case LLVMAShr: return shifted(x, v, w);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return bitwise(op, nat_range_of(x, LLVMGetOperand(v, 0)),
                       nat_range_of(x, LLVMGetOperand(v, 1)), w);
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt: return extended(x, v);
    case LLVMSelect:
        r = nat_hull(nat_range_of(x, LLVMGetOperand(v, 1)), nat_range_of(x, LLVMGetOperand(v, 2)));
        r.sure &= nat_range_of(x, LLVMGetOperand(v, 0)).sure;
        return r;
    case LLVMFreeze:
        r = nat_range_of(x, LLVMGetOperand(v, 0));
        if (!r.sure) r = nat_any(w); // frozen poison is any integer
        r.sure = true;
        return r;
    case LLVMICmp:
        r = nat_any(1);
        r.sure = nat_range_of(x, LLVMGetOperand(v, 0)).sure &&
                 nat_range_of(x, LLVMGetOperand(v, 1)).sure;
        return r;
    case LLVMPHI: return phi(x, v);
    case LLVMCall: return call(x, v);
    default: return nat_any(w);
    }
}

struct nat_range nat_range_of(struct nat_ranges *x, LLVMValueRef v)
{
    const unsigned w = nat_width(v);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || w > 64) return nat_any(64);
    if (LLVMIsAConstantInt(v)) {
        const nat_wide n = LLVMConstIntGetSExtValue(v);
        return between(n, n, true);
    }
    if (LLVMIsAArgument(v)) return argument(x, v);
    if (!LLVMIsAInstruction(v)) return nat_any(w);
    bool is_new;
    uint64_t *at = map_put_ptr(&x->known, v, &is_new);
    if (!is_new) return *(struct nat_range *)(uintptr_t)*at;
    struct nat_range *r = arena_alloc(x->arena, sizeof *r);
    *r = nat_any(w); // as long as it is being computed
    *at = (uintptr_t)r;
    const struct nat_range found = compute(x, v);
    *r = found;
    return found;
}
