// SPDX-License-Identifier: MIT
// Linear array-access descriptors, after Wen et al., "Improving performance portability for GPU-specific OpenCL kernels on
// multi-core/many-core CPUs by analysis-based transformations" (FITEE 16(11), 2015), §3, as isl's sets of integer points.
//
// An address is a term: an affine expression, in isl's language, over
//   l0 l1 l2     the local ids, within 0..size-1
//   p<n>         parameters: values that are the same for all work-items and that do not change as long as is looked at (`scope`)
//   v<n>         variables of this access alone: counters of loops inside the scope, quotients, and whatever is not understood, as
//                any number
// So what is not linear makes a descriptor too large, never too small. Integers of LLVM are numbers modulo 2^w: a term is congruent to its
// value, and where the value is used as a number (extended, compared, divided) its bounds must show that it is in range, or it becomes a
// variable. Conditions of branches that dominate the access restrict the instances; a descriptor is exact when nothing but those decides
// whether an instance runs.
#include "native/descriptor.h"

#include "llvm/ir.h"

#include <isl/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

struct term {
    const char *text;
    wide lo, hi;    // bounds of its value
    bool known;     // made of parameters and ids alone: no variable that stands for just anything
};

enum { MAX_TEXT = 1500, MAX_VARS = 24 };

struct making {
    struct nat_space *s;
    struct nat_descriptor *d;
    int scope;
    struct str constraints, params;
    struct map param, var; // param: by hash of its name; var: by value → number + 1
    struct map terms;      // by value → struct term
    int upto;              // a block whose guards are taken for granted, or -1
};

static const struct term TOO_MUCH = {NULL, 0, 0, false};

static wide pow2(unsigned n) { return (wide)1 << n; }
static unsigned width_of(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 64;
}
static bool in_signed(struct term t, unsigned w) { return t.text && t.lo >= -pow2(w - 1) && t.hi < pow2(w - 1); }
static bool in_unsigned(struct term t, unsigned w) { return t.text && t.lo >= 0 && t.hi < pow2(w); }

enum nat_id nat_id_of(LLVMValueRef v, unsigned *dim)
{
    char name[64];
    if (!LLVMIsACallInst(v) || LLVMGetNumArgOperands(v) != 1 || !LLVMIsAConstantInt(LLVMGetOperand(v, 0))) return NAT_NO_ID;
    rg_callee_base_name(v, name, sizeof name);
    const enum nat_id id = !strcmp(name, "get_local_id") ? NAT_LOCAL_ID : !strcmp(name, "get_global_id") ? NAT_GLOBAL_ID : NAT_NO_ID;
    const uint64_t d = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0));
    *dim = (unsigned)d;
    return d < 3 ? id : NAT_NO_ID;
}

static bool loop_holds(const struct rg_fn *f, int outer, int inner)
{
    if (outer < 0) return true;
    for (; inner >= 0; inner = f->loops[inner].parent)
        if (inner == outer) return true;
    return false;
}

bool nat_is_query(const struct nat_space *s, LLVMValueRef v)
{
    char name[64];
    if (!LLVMIsACallInst(v) || rg_is_divergent(s->f, v) || LLVMGetNumArgOperands(v) > 1) return false;
    if (LLVMGetNumArgOperands(v) == 1 && !LLVMIsAConstantInt(LLVMGetOperand(v, 0))) return false;
    rg_callee_base_name(v, name, sizeof name);
    return str_starts(name, "get_");
}

bool nat_is_symbol(const struct nat_space *s, LLVMValueRef v, int scope)
{
    if (LLVMIsAArgument(v) || LLVMIsAConstant(v)) return true;
    if (!LLVMIsAInstruction(v) || rg_is_divergent(s->f, v)) return false;
    const int b = rg_block_of(s->f, v);
    return b >= 0 && (loop_holds(s->f, s->f->blocks[b].loop, scope) || nat_is_query(s, v));
}

bool nat_is_stepped(const struct nat_space *s, LLVMValueRef phi, int scope, LLVMValueRef *init)
{
    const struct rg_fn *f = s->f;
    const int h = rg_block_of(f, phi), l = h < 0 ? -1 : f->blocks[h].loop;
    if (l < 0 || f->loops[l].header != (unsigned)h || f->loops[l].divergent || !loop_holds(f, l, scope) || LLVMCountIncoming(phi) != 2) return false;
    LLVMValueRef next = NULL;
    *init = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const int from = rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        if (from < 0) return false;
        *(loop_holds(f, l, f->blocks[from].loop) ? &next : init) = LLVMGetIncomingValue(phi, k);
    }
    if (!*init || !next || !LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) return false;
    LLVMValueRef a = LLVMGetOperand(next, 0), step = a == phi ? LLVMGetOperand(next, 1) : a;
    if (a != phi && LLVMGetOperand(next, 1) != phi) return false;
    return LLVMIsAConstant(step) || LLVMIsAArgument(step) || !rg_is_divergent(f, step);
}

// ---- terms

static struct term number(struct making *x, wide n)
{
    return (struct term){arena_printf(x->s->arena, "%lld", (long long)n), n, n, true};
}

static struct term variable(struct making *x, LLVMValueRef v, bool known, wide lo, wide hi)
{
    bool is_new = true;
    uint64_t none = 0, *at = v ? map_put_ptr(&x->var, v, &is_new) : &none;
    if (is_new) {
        if (x->d->vars.len >= MAX_VARS) return TOO_MUCH;
        vec_push(&x->d->vars, ((struct nat_variable){v, lo < 0}));
        *at = x->d->vars.len;
        if (lo > -pow2(63)) str_printf(&x->constraints, " and v%u >= %lld", (unsigned)*at, (long long)lo);
        if (hi < pow2(63)) str_printf(&x->constraints, " and v%u <= %lld", (unsigned)*at, (long long)hi);
    }
    return (struct term){arena_printf(x->s->arena, "v%u", (unsigned)*at), lo, hi, known};
}

static struct term parameter(struct making *x, LLVMValueRef v, char letter, wide lo, wide hi)
{
    unsigned n = 0;
    while (n < x->s->symbols.len && x->s->symbols.data[n] != v) n++;
    if (n == x->s->symbols.len) vec_push(&x->s->symbols, v);
    const char *name = arena_printf(x->s->arena, "%c%u", letter, n);
    bool is_new;
    map_put(&x->param, hash_bytes(name, strlen(name), 0), &is_new);
    if (is_new) {
        str_printf(&x->params, "%s%s", x->params.len ? "," : "", name);
        if (lo > -pow2(63)) str_printf(&x->constraints, " and %s >= %lld", name, (long long)lo);
        if (hi < pow2(63)) str_printf(&x->constraints, " and %s <= %lld", name, (long long)hi);
    }
    return (struct term){name, lo, hi, true};
}

static struct term limit(struct term t)
{
    return t.text && strlen(t.text) <= MAX_TEXT && t.lo > -pow2(90) && t.hi < pow2(90) ? t : TOO_MUCH;
}
static struct term add(struct making *x, struct term a, struct term b, int sign)
{
    if (!a.text || !b.text) return TOO_MUCH;
    const wide lo = sign > 0 ? b.lo : -b.hi, hi = sign > 0 ? b.hi : -b.lo;
    const char *text = b.lo == 0 && b.hi == 0 ? a.text : arena_printf(x->s->arena, "(%s %c %s)", a.text, sign > 0 ? '+' : '-', b.text);
    return limit((struct term){text, a.lo + lo, a.hi + hi, a.known && b.known});
}
static struct term times(struct making *x, wide n, struct term a)
{
    if (!a.text || n > pow2(40) || n < -pow2(40)) return TOO_MUCH;
    if (n == 1) return a;
    const wide p = n * a.lo, q = n * a.hi;
    return limit((struct term){arena_printf(x->s->arena, "%lld * (%s)", (long long)n, a.text), p < q ? p : q, p < q ? q : p, a.known});
}

// A value of which nothing is known but, perhaps, that it is the same for all.
static struct term opaque(struct making *x, LLVMValueRef v, bool is_unsigned)
{
    const unsigned w = width_of(v);
    const wide lo = is_unsigned ? 0 : -pow2(w - 1), hi = is_unsigned ? pow2(w) - 1 : pow2(w - 1) - 1;
    if (nat_is_symbol(x->s, v, x->scope)) return parameter(x, v, is_unsigned ? 'u' : 'p', lo, hi);
    return is_unsigned ? variable(x, NULL, false, lo, hi) : variable(x, v, false, lo, hi);
}

static struct term term(struct making *x, LLVMValueRef v);

// The value as the number that it is read as.
static struct term as_number(struct making *x, LLVMValueRef v, bool is_signed)
{
    struct term t = term(x, v);
    if (is_signed ? in_signed(t, width_of(v)) : in_unsigned(t, width_of(v))) return t;
    return opaque(x, v, !is_signed);
}

static struct term divided(struct making *x, LLVMValueRef v, wide by, bool rest)
{
    struct term n = as_number(x, v, false), q;
    if (!n.text || by <= 0) return TOO_MUCH;
    if (n.hi < by) return rest ? n : number(x, 0);
    q = variable(x, NULL, n.known, n.lo / by, n.hi / by);
    if (!q.text) return q;
    str_printf(&x->constraints, " and %lld * %s <= %s and %s < %lld * %s + %lld", (long long)by, q.text, n.text, n.text, (long long)by, q.text,
               (long long)by);
    if (!rest) return q;
    struct term r = add(x, n, times(x, by, q), -1);
    r.lo = 0;
    r.hi = by - 1;
    return r;
}

// Of nsw and nuw arithmetic the result is in range, or the program is wrong.
static struct term in_range(LLVMValueRef v, struct term t, bool a_signed, bool b_signed, bool a_unsigned, bool b_unsigned)
{
    const unsigned w = width_of(v);
    if (!t.text) return t;
    if (LLVMGetNSW(v) && a_signed && b_signed) {
        if (t.lo < -pow2(w - 1)) t.lo = -pow2(w - 1);
        if (t.hi >= pow2(w - 1)) t.hi = pow2(w - 1) - 1;
    } else if (LLVMGetNUW(v) && a_unsigned && b_unsigned) {
        if (t.lo < 0) t.lo = 0;
        if (t.hi >= pow2(w)) t.hi = pow2(w) - 1;
    }
    return t;
}

static struct term arithmetic(struct making *x, LLVMValueRef v, LLVMOpcode op)
{
    LLVMValueRef r = LLVMGetOperand(v, 1);
    struct term a = term(x, LLVMGetOperand(v, 0)), b = term(x, r), t = TOO_MUCH;
    const unsigned w = width_of(v);
    if (op == LLVMShl && LLVMIsAConstantInt(r) && b.lo >= 0 && b.lo < 40) b = number(x, pow2((unsigned)b.lo));
    else if (op == LLVMShl) return TOO_MUCH;
    if (op == LLVMAdd || op == LLVMSub) t = add(x, a, b, op == LLVMAdd ? 1 : -1);
    else if (b.text && b.lo == b.hi) t = times(x, b.lo, a);
    else if (a.text && a.lo == a.hi) t = times(x, a.lo, b);
    return in_range(v, t, in_signed(a, w), in_signed(b, w), in_unsigned(a, w), in_unsigned(b, w));
}

// A counter: init at entry, a constant more with every iteration, compared with a bound at the header before anything else.
static struct term counter(struct making *x, LLVMValueRef phi)
{
    const struct rg_fn *f = x->s->f;
    const int h = rg_block_of(f, phi), l = h < 0 ? -1 : f->blocks[h].loop;
    const unsigned w = width_of(phi);
    if (l < 0 || f->loops[l].header != (unsigned)h || LLVMCountIncoming(phi) != 2 || w > 64) return TOO_MUCH;
    LLVMValueRef init = NULL, next = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const int from = rg_block_of(f, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        if (from < 0) return TOO_MUCH;
        *(loop_holds(f, l, f->blocks[from].loop) ? &next : &init) = LLVMGetIncomingValue(phi, k);
    }
    if (!init || !next || !LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return TOO_MUCH;
    const long long step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    LLVMValueRef stop = f->blocks[h].stop, cond = f->blocks[h].nsucc == 2 && LLVMIsABranchInst(stop) ? LLVMGetCondition(stop) : NULL;
    if (step <= 0 || step > 1 << 20 || !cond || !LLVMIsAICmpInst(cond) || LLVMGetOperand(cond, 0) != phi) return TOO_MUCH;
    if (loop_holds(f, l, f->blocks[f->blocks[h].succ[1]].loop)) return TOO_MUCH; // goes on when true
    const LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
    if (p != LLVMIntULT && p != LLVMIntSLT) return TOO_MUCH;
    struct term first = as_number(x, init, p == LLVMIntSLT), bound = as_number(x, LLVMGetOperand(cond, 1), p == LLVMIntSLT);
    const wide most = p == LLVMIntSLT ? pow2(w - 1) : pow2(w);
    if (!first.text || !bound.text) return TOO_MUCH;
    const bool goes_round = bound.hi + step > most && step > 1 && !(p == LLVMIntSLT ? LLVMGetNSW(next) : LLVMGetNUW(next));
    if (goes_round) return TOO_MUCH;
    struct term t = variable(x, phi, true, first.lo, bound.hi + step - 1 < most ? bound.hi + step - 1 : most - 1);
    if (!t.text) return t;
    struct term k = variable(x, NULL, true, 0, pow2(63));
    if (!k.text) return k;
    str_printf(&x->constraints, " and %s = %s + %lld * %s", t.text, first.text, step, k.text);
    return t;
}

static struct term call_term(struct making *x, LLVMValueRef v)
{
    const uint64_t *size = x->s->shape->local;
    unsigned dim;
    char name[64];
    const enum nat_id id = nat_id_of(v, &dim);
    if (id == NAT_LOCAL_ID) return (struct term){arena_printf(x->s->arena, "l%u", dim), 0, (wide)size[dim] - 1, true};
    if (id == NAT_GLOBAL_ID) {
        // the group's first id: by the place of the call's function and dimension, so that all calls have the same
        struct term base = parameter(x, LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(x->s->m)), dim, false), 'g', 0,
                                     x->s->shape->small ? pow2(31) - (wide)size[dim] : pow2(62));
        return add(x, base, (struct term){arena_printf(x->s->arena, "l%u", dim), 0, (wide)size[dim] - 1, true}, 1);
    }
    rg_callee_base_name(v, name, sizeof name);
    const bool one = LLVMGetNumArgOperands(v) == 1 && LLVMIsAConstantInt(LLVMGetOperand(v, 0));
    const uint64_t d = one ? LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) : 3;
    if (!x->s->shape->uneven && d < 3 && !strcmp(name, "get_local_size")) return number(x, (wide)size[d]);
    if (d < 3 && !strcmp(name, "get_enqueued_local_size")) return number(x, (wide)size[d]);
    if (!x->s->shape->uneven && !strcmp(name, "get_local_linear_id")) {
        const char *text = arena_printf(x->s->arena, "(l0 + %llu * (l1 + %llu * l2))", (unsigned long long)size[0], (unsigned long long)size[1]);
        return (struct term){text, 0, (wide)(size[0] * size[1] * size[2]) - 1, true};
    }
    return opaque(x, v, d < 3 && str_starts(name, "get_")); // sizes and ids: no negative numbers
}

static struct term new_term(struct making *x, LLVMValueRef v)
{
    const unsigned w = width_of(v);
    if (LLVMIsAConstantInt(v) && w <= 64) return number(x, LLVMConstIntGetSExtValue(v));
    if (w > 64 || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) return TOO_MUCH;
    if (!LLVMIsAInstruction(v)) return opaque(x, v, false);
    struct term t = TOO_MUCH;
    const LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef r = LLVMGetNumOperands(v) > 1 && op != LLVMPHI ? LLVMGetOperand(v, 1) : NULL;
    const bool by = r && LLVMIsAConstantInt(r) && width_of(r) <= 64;
    const wide n = by ? (wide)LLVMConstIntGetZExtValue(r) : 0;
    switch (op) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: t = arithmetic(x, v, op); break;
    case LLVMOr:
        if (LLVMGetIsDisjoint(v)) t = add(x, term(x, LLVMGetOperand(v, 0)), term(x, r), 1);
        break;
    case LLVMAnd:
        if (by && (n & (n + 1)) == 0) t = divided(x, LLVMGetOperand(v, 0), n + 1, true);
        break;
    case LLVMLShr:
        if (by && n < 63) t = divided(x, LLVMGetOperand(v, 0), pow2((unsigned)n), false);
        break;
    case LLVMAShr: { // behind a shift to the left: the value of the lower bits, with its sign
        LLVMValueRef inner = LLVMGetOperand(v, 0), left = LLVMIsAInstruction(inner) && LLVMGetInstructionOpcode(inner) == LLVMShl ? LLVMGetOperand(inner, 1) : NULL;
        const uint64_t by_left = left && LLVMIsAConstantInt(left) ? LLVMConstIntGetZExtValue(left) : 0;
        const bool extends = by && n && by_left < w && n <= by_left;
        struct term a = term(x, extends ? LLVMGetOperand(inner, 0) : inner);
        if (extends && in_signed(a, w - (unsigned)by_left)) t = times(x, pow2((unsigned)by_left - (unsigned)n), a);
        else if (!extends && by && n < 63 && in_signed(a, w) && a.lo >= 0) t = divided(x, inner, pow2((unsigned)n), false);
        break;
    }
    case LLVMUDiv: case LLVMURem:
        if (by && n) t = divided(x, LLVMGetOperand(v, 0), n, op == LLVMURem);
        break;
    case LLVMSDiv: case LLVMSRem: {
        struct term a = as_number(x, LLVMGetOperand(v, 0), true);
        if (by && n && n < pow2(w - 1) && a.text && a.lo >= 0) t = divided(x, LLVMGetOperand(v, 0), n, op == LLVMSRem);
        break;
    }
    case LLVMTrunc: t = term(x, LLVMGetOperand(v, 0)); break;
    case LLVMFreeze: t = term(x, LLVMGetOperand(v, 0)); break;
    case LLVMZExt: {
        struct term a = term(x, LLVMGetOperand(v, 0));
        if (in_unsigned(a, width_of(LLVMGetOperand(v, 0)))) t = a;
        break;
    }
    case LLVMSExt: {
        struct term a = term(x, LLVMGetOperand(v, 0));
        if (in_signed(a, width_of(LLVMGetOperand(v, 0)))) t = a;
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

static struct term term(struct making *x, LLVMValueRef v)
{
    uint64_t *had = map_get_ptr(&x->terms, v);
    if (had) return *(struct term *)(uintptr_t)*had;
    struct term t = new_term(x, v);
    *map_put_ptr(&x->terms, v, NULL) = (uintptr_t)arena_dup(x->s->arena, &t, sizeof t);
    return t;
}

// ---- conditions

static const char *condition(struct making *x, LLVMValueRef c, bool is, unsigned depth)
{
    if (!LLVMIsAInstruction(c) || depth > 6) return NULL;
    const LLVMOpcode op = LLVMGetInstructionOpcode(c);
    if (op == LLVMICmp) {
        static const char *const words[] = {"=", "!=", ">", ">=", "<", "<=", ">", ">=", "<", "<="}; // from LLVMIntEQ on
        static const unsigned char not[] = {1, 0, 5, 4, 3, 2, 9, 8, 7, 6};
        unsigned p = LLVMGetICmpPredicate(c) - LLVMIntEQ;
        LLVMValueRef a = LLVMGetOperand(c, 0), b = LLVMGetOperand(c, 1);
        if (LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMIntegerTypeKind || width_of(a) > 64 || width_of(a) == 1) return NULL;
        if (!is) p = not[p];
        struct term l = as_number(x, a, p >= 6 || p < 2), r = as_number(x, b, p >= 6 || p < 2);
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
    } else if (op == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(c, 1)) && LLVMConstIntGetZExtValue(LLVMGetOperand(c, 1))) {
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

static const char *switch_condition(struct making *x, const struct rg_block *d, unsigned to)
{
    struct term v = as_number(x, LLVMGetOperand(d->stop, 0), true);
    struct str text = {0};
    bool plain = v.text && v.known;
    for (unsigned k = 1; k < d->nsucc && plain; k++) {
        LLVMValueRef value = l_case_value(d->stop, k);
        plain = width_of(value) <= 64 && (d->succ[0] == to ? d->succ[k] != to : true);
        if (d->succ[0] == to || d->succ[k] == to)
            str_printf(&text, "%s%s %s %lld", text.len ? " and " : "", v.text, d->succ[0] == to ? "!=" : "=", LLVMConstIntGetSExtValue(value));
    }
    const char *r = plain && text.len ? arena_strdup(x->s->arena, text.data) : NULL;
    str_deinit(&text);
    return r;
}

// Whether a block is entered, but for ways round a loop that it is the head of, on one edge from d.
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

// Up the dominators: what was decided on the way.
static void guards(struct making *x, unsigned block)
{
    const struct rg_fn *f = x->s->f;
    bool inside = true; // what is decided there does not decide about `upto`
    for (int b = (int)block; f->blocks[b].idom >= 0; b = f->blocks[b].idom) {
        const struct rg_block *d = &f->blocks[f->blocks[b].idom];
        inside = inside && !(x->upto >= 0 && rg_dominates(f, (unsigned)b, (unsigned)x->upto));
        if (d->nsucc < 2) continue;
        const bool one = entered_from(f, (unsigned)b, (unsigned)f->blocks[b].idom), two = d->nsucc == 2 && LLVMIsABranchInst(d->stop) && d->succ[0] != d->succ[1];
        const char *c = one && two ? condition(x, LLVMGetCondition(d->stop), d->succ[0] == (unsigned)b, 0)
                        : one && LLVMIsASwitchInst(d->stop) ? switch_condition(x, d, (unsigned)b) : NULL;
        if (c) str_printf(&x->constraints, " and (%s)", c);
        else if (inside && !postdominates(f, (unsigned)b, (unsigned)f->blocks[b].idom)) x->d->exact = false;
        // of a loop inside the scope, only that its counter runs is known
        if (inside && two && d->loop >= 0 && d->loop != x->scope && (unsigned)f->blocks[b].idom == f->loops[d->loop].header) {
            const struct rg_loop *l = &f->loops[d->loop];
            LLVMValueRef cond = LLVMGetCondition(d->stop), phi = LLVMIsAICmpInst(cond) ? LLVMGetOperand(cond, 0) : NULL;
            if (!phi || !map_get_ptr(&x->var, phi)) x->d->exact = false;
            for (unsigned k = l->header + 1; k <= l->last; k++)
                for (unsigned i = 0; i < f->blocks[k].nsucc; i++)
                    if (f->blocks[k].succ[i] < l->header || f->blocks[k].succ[i] > l->last) x->d->exact = false; // left elsewhere
        }
    }
}

// ---- addresses

// The object that a pointer leads to, and the distance from it.
static LLVMValueRef address(struct making *x, LLVMValueRef p, struct term *offset)
{
    while (true) {
        LLVMValueRef u = p;
        const LLVMOpcode op = LLVMIsAInstruction(p) ? LLVMGetInstructionOpcode(p) : LLVMIsAConstantExpr(p) ? LLVMGetConstOpcode(p) : LLVMRet;
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
                *offset = add(x, *offset, number(x, (wide)l_field_offset(x->s->m, t, field)), 1);
                t = LLVMStructGetTypeAtIndex(t, field);
                continue;
            }
            if (k > 1) t = LLVMGetElementType(t);
            *offset = add(x, *offset, times(x, (wide)l_size(x->s->m, t), width_of(i) == 64 ? term(x, i) : as_number(x, i, true)), 1);
        }
        p = LLVMGetOperand(p, 0);
    }
}

void nat_describe(struct nat_space *s, const struct nat_access *a, int scope, int upto, struct nat_descriptor *out)
{
    *out = (struct nat_descriptor){.exact = true};
    struct making x = {.s = s, .d = out, .scope = scope, .upto = upto};
    struct term at = number(&x, 0);
    address(&x, a->pointer, &at);
    const size_t defined = x.constraints.len;
    guards(&x, a->block);
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
        for (unsigned d = 0; d < 3; d++) str_printf(&text, "%s0 <= l%u < %llu", d ? " and " : "", d, (unsigned long long)s->shape->local[d]);
        str_printf(&text, "%s }", str_text(&x.constraints));
        out->map = isl_map_read_from_str(s->isl, text.data);
        if (getenv("CLDBG_NATIVE_PRINT")) fprintf(stderr, "%s %s%s\n", a->write ? "write" : "read", text.data, out->exact ? "" : " (at most)");
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

// ---- the accesses of a kernel

static LLVMValueRef base_of(LLVMValueRef p)
{
    LLVMValueRef b = address(NULL, p, NULL);
    return LLVMIsAArgument(b) || LLVMIsAGlobalVariable(b) ? b : NULL;
}

static bool is_private(LLVMValueRef p) { return LLVMIsAAllocaInst(address(NULL, p, NULL)) != NULL; }

static void add_access(struct nat_space *s, LLVMValueRef i, unsigned block)
{
    struct nat_access a = {.insn = i, .block = block};
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef t = NULL;
    switch (op) {
    case LLVMLoad:
    case LLVMStore:
        a.pointer = LLVMGetOperand(i, op == LLVMStore);
        a.write = op == LLVMStore;
        a.plain = !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
        t = op == LLVMLoad ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicRMW: case LLVMAtomicCmpXchg: case LLVMFence: a.write = true; break;
    case LLVMCall: {
        LLVMValueRef f = l_callee(i);
        unsigned dim;
        char name[64];
        if (nat_id_of(i, &dim) || rg_barrier_of(i) != RG_NO_BARRIER) return;
        rg_callee_base_name(i, name, sizeof name);
        if (f && (str_starts(name, "get_") || str_starts(l_name(f), "cldbg.v") || l_is_intrinsic(f, "lifetime.start") || l_is_intrinsic(f, "lifetime.end"))) return;
        if (f && str_starts(l_name(f), "llvm.") && !l_is_intrinsic(f, "memcpy") && !l_is_intrinsic(f, "memset") && !l_is_intrinsic(f, "memmove")) return;
        a.write = true;
        break;
    }
    default: return;
    }
    if (a.pointer && is_private(a.pointer)) return;
    if (t) a.size = l_store_size(s->m, t);
    if (a.pointer) a.base = base_of(a.pointer);
    vec_push(&s->accesses, a);
}

void nat_space_init(struct nat_space *s, const struct rg_fn *f, const struct nat_shape *shape, struct arena *a)
{
    *s = (struct nat_space){.f = f, .shape = shape, .arena = a, .m = LLVMGetGlobalParent(f->fn)};
    s->isl = isl_ctx_alloc();
    isl_options_set_on_error(s->isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(s->isl, 2000000); // a second or so: what is not found by then is not found
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) add_access(s, i, b);
}

void nat_space_deinit(struct nat_space *s)
{
    vec_free(&s->accesses);
    vec_free(&s->symbols);
    isl_ctx_free(s->isl);
}

static unsigned space_of(const struct nat_access *a) { return LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)); }

bool nat_may_meet(const struct nat_space *s, const struct nat_access *a, const struct nat_access *b)
{
    enum { LOCAL = 3, GENERIC = 4, PRIVATE = 0 };
    if (!a->pointer || !b->pointer) return true;
    const unsigned p = space_of(a), q = space_of(b);
    if (p != q && p != GENERIC && q != GENERIC && p != PRIVATE && q != PRIVATE && (p == LOCAL || q == LOCAL)) return false;
    if (!a->base || !b->base || a->base == b->base) return true;
    if (p == LOCAL && q == LOCAL) return false; // each local object is one of its own
    return !s->shape->apart;
}
