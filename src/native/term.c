// SPDX-License-Identifier: MIT
// Terms of descriptors (descriptor.c defines them): affine forms of LLVM values, computed by
// recursion over their operands. Invariant: a value without an affine form becomes a variable that
// may be any number.
#include "native/term.h"

#include "llvm/ir.h"

#include <string.h>

enum { MAX_TEXT = 1500, MAX_VARS = 24 };

static const struct nat_term TOO_MUCH = {NULL, 0, 0, false};

unsigned nat_width(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
}
static bool in_signed(struct nat_term t, unsigned w)
{
    return t.text && t.lo >= -nat_pow2(w - 1) && t.hi < nat_pow2(w - 1);
}
static bool in_unsigned(struct nat_term t, unsigned w)
{
    return t.text && t.lo >= 0 && t.hi < nat_pow2(w);
}

struct nat_term nat_number(struct nat_making *x, nat_wide n)
{
    return (struct nat_term){arena_printf(x->s->arena, "%lld", (long long)n), n, n, true};
}

static struct nat_term variable(struct nat_making *x, LLVMValueRef v, bool known, nat_wide lo,
                                nat_wide hi)
{
    bool is_new = true;
    uint64_t none = 0, *at = v ? map_put_ptr(&x->var, v, &is_new) : &none;
    if (is_new) {
        if (x->d->vars.len >= MAX_VARS) return TOO_MUCH;
        vec_push(&x->d->vars, ((struct nat_variable){v, lo < 0}));
        *at = x->d->vars.len;
        if (lo > -nat_pow2(63))
            str_printf(&x->constraints, " and v%u >= %lld", (unsigned)*at, (long long)lo);
        if (hi < nat_pow2(63))
            str_printf(&x->constraints, " and v%u <= %lld", (unsigned)*at, (long long)hi);
    }
    return (struct nat_term){arena_printf(x->s->arena, "v%u", (unsigned)*at), lo, hi, known};
}

static struct nat_term parameter(struct nat_making *x, LLVMValueRef v, char letter, nat_wide lo,
                                 nat_wide hi)
{
    unsigned n = 0;
    while (n < x->s->symbols.len && x->s->symbols.data[n] != v) n++;
    if (n == x->s->symbols.len) vec_push(&x->s->symbols, v);
    const char *name = arena_printf(x->s->arena, "%c%u", letter, n);
    bool is_new;
    map_put(&x->param, hash_bytes(name, strlen(name), 0), &is_new);
    if (is_new) {
        str_printf(&x->params, "%s%s", x->params.len ? "," : "", name);
        if (lo > -nat_pow2(63)) str_printf(&x->constraints, " and %s >= %lld", name, (long long)lo);
        if (hi < nat_pow2(63)) str_printf(&x->constraints, " and %s <= %lld", name, (long long)hi);
    }
    return (struct nat_term){name, lo, hi, true};
}

static struct nat_term limit(struct nat_term t)
{
    return t.text && strlen(t.text) <= MAX_TEXT && t.lo > -nat_pow2(90) && t.hi < nat_pow2(90)
               ? t
               : TOO_MUCH;
}
struct nat_term nat_add(struct nat_making *x, struct nat_term a, struct nat_term b, int sign)
{
    if (!a.text || !b.text) return TOO_MUCH;
    const nat_wide lo = sign > 0 ? b.lo : -b.hi, hi = sign > 0 ? b.hi : -b.lo;
    const char *text = b.lo == 0 && b.hi == 0 ? a.text
                                              : arena_printf(x->s->arena, "(%s %c %s)", a.text,
                                                             sign > 0 ? '+' : '-', b.text);
    return limit((struct nat_term){text, a.lo + lo, a.hi + hi, a.known && b.known});
}
struct nat_term nat_times(struct nat_making *x, nat_wide n, struct nat_term a)
{
    if (!a.text || n > nat_pow2(40) || n < -nat_pow2(40)) return TOO_MUCH;
    if (n == 1) return a;
    const nat_wide p = n * a.lo, q = n * a.hi;
    return limit((struct nat_term){arena_printf(x->s->arena, "%lld * (%s)", (long long)n, a.text),
                                   p < q ? p : q, p < q ? q : p, a.known});
}

// A value of unknown form; it is a parameter if it is uniform.
static struct nat_term opaque(struct nat_making *x, LLVMValueRef v, bool is_unsigned)
{
    const unsigned w = nat_width(v);
    const nat_wide lo = is_unsigned ? 0 : -nat_pow2(w - 1),
                   hi = is_unsigned ? nat_pow2(w) - 1 : nat_pow2(w - 1) - 1;
    if (nat_is_symbol(x->s, v, x->scope)) return parameter(x, v, is_unsigned ? 'u' : 'p', lo, hi);
    return is_unsigned ? variable(x, NULL, false, lo, hi) : variable(x, v, false, lo, hi);
}

// The value as a signed or unsigned number.
struct nat_term nat_as_number(struct nat_making *x, LLVMValueRef v, bool is_signed)
{
    struct nat_term t = nat_term(x, v);
    if (is_signed ? in_signed(t, nat_width(v)) : in_unsigned(t, nat_width(v))) return t;
    return opaque(x, v, !is_signed);
}

static struct nat_term divided(struct nat_making *x, LLVMValueRef v, nat_wide by, bool rest)
{
    struct nat_term n = nat_as_number(x, v, false), q;
    if (!n.text || by <= 0) return TOO_MUCH;
    if (n.hi < by) return rest ? n : nat_number(x, 0);
    q = variable(x, NULL, n.known, n.lo / by, n.hi / by);
    if (!q.text) return q;
    str_printf(&x->constraints, " and %lld * %s <= %s and %s < %lld * %s + %lld", (long long)by,
               q.text, n.text, n.text, (long long)by, q.text, (long long)by);
    if (!rest) return q;
    struct nat_term r = nat_add(x, n, nat_times(x, by, q), -1);
    r.lo = 0;
    r.hi = by - 1;
    return r;
}

// The result of nsw or nuw arithmetic is in range; otherwise the program's behavior is undefined.
static struct nat_term in_range(LLVMValueRef v, struct nat_term t, bool a_signed, bool b_signed,
                                bool a_unsigned, bool b_unsigned)
{
    const unsigned w = nat_width(v);
    if (!t.text) return t;
    if (LLVMGetNSW(v) && a_signed && b_signed) {
        if (t.lo < -nat_pow2(w - 1)) t.lo = -nat_pow2(w - 1);
        if (t.hi >= nat_pow2(w - 1)) t.hi = nat_pow2(w - 1) - 1;
    } else if (LLVMGetNUW(v) && a_unsigned && b_unsigned) {
        if (t.lo < 0) t.lo = 0;
        if (t.hi >= nat_pow2(w)) t.hi = nat_pow2(w) - 1;
    }
    return t;
}

static struct nat_term arithmetic(struct nat_making *x, LLVMValueRef v, LLVMOpcode op)
{
    LLVMValueRef r = LLVMGetOperand(v, 1);
    struct nat_term a = nat_term(x, LLVMGetOperand(v, 0)), b = nat_term(x, r), t = TOO_MUCH;
    const unsigned w = nat_width(v);
    if (op == LLVMShl && LLVMIsAConstantInt(r) && b.lo >= 0 && b.lo < 40)
        b = nat_number(x, nat_pow2((unsigned)b.lo));
    else if (op == LLVMShl) return TOO_MUCH;
    if (op == LLVMAdd || op == LLVMSub) t = nat_add(x, a, b, op == LLVMAdd ? 1 : -1);
    else if (b.text && b.lo == b.hi) t = nat_times(x, b.lo, a);
    else if (a.text && a.lo == a.hi) t = nat_times(x, a.lo, b);
    return in_range(v, t, in_signed(a, w), in_signed(b, w), in_unsigned(a, w), in_unsigned(b, w));
}

// An induction variable: init at entry, a constant step, and a comparison with a bound at the start
// of the header.
static struct nat_term counter(struct nat_making *x, LLVMValueRef phi)
{
    const struct rg_fn *f = x->s->f;
    const int h = rg_block_of(f, phi), l = h < 0 ? -1 : f->blocks[h].loop;
    const unsigned w = nat_width(phi);
    if (l < 0 || f->loops[l].header != (unsigned)h || LLVMCountIncoming(phi) != 2 || w > 64)
        return TOO_MUCH;
    LLVMValueRef init = NULL, next = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const int from = rg_incoming_block(f, phi, k);
        if (from < 0) return TOO_MUCH;
        *(nat_loop_holds(f, l, f->blocks[from].loop) ? &next : &init) =
            LLVMGetIncomingValue(phi, k);
    }
    if (!init || !next || !LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
        LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return TOO_MUCH;
    const long long step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    LLVMValueRef stop = f->blocks[h].stop, cond = f->blocks[h].nsucc == 2 && LLVMIsABranchInst(stop)
                                                      ? LLVMGetCondition(stop)
                                                      : NULL;
    if (step <= 0 || step > 1 << 20 || !cond || !LLVMIsAICmpInst(cond) ||
        LLVMGetOperand(cond, 0) != phi)
        return TOO_MUCH;
    if (nat_loop_holds(f, l, f->blocks[f->blocks[h].succ[1]].loop))
        return TOO_MUCH; // continues if true
    const LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
    if (p != LLVMIntULT && p != LLVMIntSLT) return TOO_MUCH;
    struct nat_term first = nat_as_number(x, init, p == LLVMIntSLT),
                    bound = nat_as_number(x, LLVMGetOperand(cond, 1), p == LLVMIntSLT);
    const nat_wide most = p == LLVMIntSLT ? nat_pow2(w - 1) : nat_pow2(w);
    if (!first.text || !bound.text) return TOO_MUCH;
    const bool goes_round = bound.hi + step > most && step > 1 &&
                            !(p == LLVMIntSLT ? LLVMGetNSW(next) : LLVMGetNUW(next));
    if (goes_round) return TOO_MUCH;
    struct nat_term t = variable(x, phi, true, first.lo,
                                 bound.hi + step - 1 < most ? bound.hi + step - 1 : most - 1);
    if (!t.text) return t;
    struct nat_term k = variable(x, NULL, true, 0, nat_pow2(63));
    if (!k.text) return k;
    str_printf(&x->constraints, " and %s = %s + %lld * %s", t.text, first.text, step, k.text);
    return t;
}

static struct nat_term call_term(struct nat_making *x, LLVMValueRef v)
{
    const uint64_t *size = x->s->shape->local;
    unsigned dim;
    char name[64];
    const enum nat_id id = nat_id_of(v, &dim);
    if (id == NAT_LOCAL_ID)
        return (struct nat_term){arena_printf(x->s->arena, "l%u", dim), 0, (nat_wide)size[dim] - 1,
                                 true};
    if (id == NAT_GLOBAL_ID) {
        // The first id of the group: keyed by function and dimension, so that all calls share the
        // parameter.
        struct nat_term base = parameter(
            x, LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(x->s->m)), dim, false), 'g',
            0, x->s->shape->small ? nat_pow2(31) - (nat_wide)size[dim] : nat_pow2(62));
        return nat_add(x, base,
                       (struct nat_term){arena_printf(x->s->arena, "l%u", dim), 0,
                                         (nat_wide)size[dim] - 1, true},
                       1);
    }
    rg_callee_base_name(v, name, sizeof name);
    const bool one = LLVMGetNumArgOperands(v) == 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 0));
    const uint64_t d = one ? LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) : 3;
    if (!x->s->shape->uneven && d < 3 && !strcmp(name, "get_local_size"))
        return nat_number(x, (nat_wide)size[d]);
    if (d < 3 && !strcmp(name, "get_enqueued_local_size")) return nat_number(x, (nat_wide)size[d]);
    if (!x->s->shape->uneven && !strcmp(name, "get_local_linear_id")) {
        const char *text = arena_printf(x->s->arena, "(l0 + %llu * (l1 + %llu * l2))",
                                        (unsigned long long)size[0], (unsigned long long)size[1]);
        return (struct nat_term){text, 0, (nat_wide)(size[0] * size[1] * size[2]) - 1, true};
    }
    // sizes and ids are not negative
    return opaque(x, v, d < 3 && str_starts(name, "get_") && strcmp(name, NAT_MARK_DISTANCE) != 0);
}

// An arithmetic shift to the right. After a shift to the left: sign extension of the lower bits.
// `n` is the distance if `by`.
static struct nat_term shifted(struct nat_making *x, LLVMValueRef v, bool by, nat_wide n)
{
    const unsigned w = nat_width(v);
    LLVMValueRef inner = LLVMGetOperand(v, 0),
                 left = LLVMIsAInstruction(inner) && LLVMGetInstructionOpcode(inner) == LLVMShl
                            ? LLVMGetOperand(inner, 1)
                            : NULL;
    const uint64_t by_left = left && LLVMIsAConstantInt(left) ? LLVMConstIntGetZExtValue(left) : 0;
    const bool extends = by && n && by_left < w && n <= by_left;
    struct nat_term a = nat_term(x, extends ? LLVMGetOperand(inner, 0) : inner);
    if (extends && in_signed(a, w - (unsigned)by_left))
        return nat_times(x, nat_pow2((unsigned)by_left - (unsigned)n), a);
    if (!extends && by && n < 63 && in_signed(a, w) && a.lo >= 0)
        return divided(x, inner, nat_pow2((unsigned)n), false);
    return TOO_MUCH;
}

static struct nat_term new_term(struct nat_making *x, LLVMValueRef v)
{
    const unsigned w = nat_width(v);
    if (LLVMIsAConstantInt(v) && w <= 64) return nat_number(x, LLVMConstIntGetSExtValue(v));
    if (w > 64 || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) return TOO_MUCH;
    if (!LLVMIsAInstruction(v)) return opaque(x, v, false);
    struct nat_term t = TOO_MUCH;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef r = LLVMGetNumOperands(v) > 1 && op != LLVMPHI ? LLVMGetOperand(v, 1) : NULL;
    const bool by = r && LLVMIsAConstantInt(r) && nat_width(r) <= 64;
    const nat_wide n = by ? (nat_wide)LLVMConstIntGetZExtValue(r) : 0;
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: t = arithmetic(x, v, op); break;
    case LLVMOr:
        if (LLVMGetIsDisjoint(v))
            t = nat_add(x, nat_term(x, LLVMGetOperand(v, 0)), nat_term(x, r), 1);
        break;
    case LLVMAnd:
        if (by && (n & (n + 1)) == 0) t = divided(x, LLVMGetOperand(v, 0), n + 1, true);
        break;
    case LLVMLShr:
        if (by && n < 63) t = divided(x, LLVMGetOperand(v, 0), nat_pow2((unsigned)n), false);
        break;
    case LLVMAShr: t = shifted(x, v, by, n); break;
    case LLVMUDiv:
    case LLVMURem:
        if (by && n) t = divided(x, LLVMGetOperand(v, 0), n, op == LLVMURem);
        break;
    case LLVMSDiv:
    case LLVMSRem: {
        struct nat_term a = nat_as_number(x, LLVMGetOperand(v, 0), true);
        if (by && n && n < nat_pow2(w - 1) && a.text && a.lo >= 0)
            t = divided(x, LLVMGetOperand(v, 0), n, op == LLVMSRem);
        break;
    }
    case LLVMTrunc: t = nat_term(x, LLVMGetOperand(v, 0)); break;
    case LLVMFreeze: t = nat_term(x, LLVMGetOperand(v, 0)); break;
    case LLVMZExt: {
        struct nat_term a = nat_term(x, LLVMGetOperand(v, 0));
        if (in_unsigned(a, nat_width(LLVMGetOperand(v, 0)))) t = a;
        break;
    }
    case LLVMSExt: {
        struct nat_term a = nat_term(x, LLVMGetOperand(v, 0));
        if (in_signed(a, nat_width(LLVMGetOperand(v, 0)))) t = a;
        break;
    }
    case LLVMCall: t = call_term(x, v); break;
    case LLVMPHI:
        if (!nat_is_symbol(x->s, v, x->scope)) t = counter(x, v);
        break;
    default: break;
    }
    return t.text ? t : opaque(x, v, op == LLVMZExt);
}

struct nat_term nat_term(struct nat_making *x, LLVMValueRef v)
{
    uint64_t *had = map_get_ptr(&x->terms, v);
    if (had) return *(struct nat_term *)(uintptr_t)*had;
    struct nat_term t = new_term(x, v);
    *map_put_ptr(&x->terms, v, NULL) = (uintptr_t)arena_dup(x->s->arena, &t, sizeof t);
    return t;
}
