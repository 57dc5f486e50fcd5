// SPDX-License-Identifier: MIT
// Polynomial normal form of integer expressions modulo 2^w. A polynomial is a sorted sum of
// monomials, and a monomial is a product of atoms: values of the program, ids, and extensions of
// narrower polynomials to 64 bits, which are identified by their operand. LLVM's add, sub, mul and
// shl are exactly those of the ring modulo 2^w, with or without wrapping. Invariant: equal
// polynomials are equal numbers, for all values of the variables.
#include "native/polynomial.h"

#include "llvm/ir.h"

#include <string.h>

enum { MAX_DEGREE = 4, MAX_MONOMIALS = 64 };

struct monomial {
    uint64_t factor;
    uint16_t atom[MAX_DEGREE]; // numbers + 1, descending; 0: none
};
struct nat_poly {
    unsigned bits, n;
    struct monomial m[];
};
struct nat_atom {
    unsigned kind; // enum nat_poly_kind; or EXTENDED + is_signed
    const void *key;
    const struct nat_poly *of;
};
enum { EXTENDED = 100 };

void nat_polys_init(struct nat_polys *p, struct nat_space *s, int scope)
{
    *p = (struct nat_polys){.s = s, .scope = scope};
    for (uintptr_t d = 0; d < 3; d++) p->ids[d] = nat_poly_variable(p, (void *)d, NAT_POLY_ID);
}

void nat_polys_deinit(struct nat_polys *p)
{
    map_deinit(&p->env);
    vec_free(&p->atoms);
}

static uint64_t mask(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static struct nat_poly *make(struct nat_polys *p, unsigned bits, unsigned n)
{
    struct nat_poly *r = arena_alloc(p->s->arena, sizeof *r + n * sizeof *r->m);
    r->bits = bits;
    return r;
}

// Adds a monomial at its sorted position.
static void put(struct nat_poly *r, struct monomial m)
{
    unsigned k = 0;
    while (k < r->n && memcmp(r->m[k].atom, m.atom, sizeof m.atom) < 0) k++;
    if (k < r->n && !memcmp(r->m[k].atom, m.atom, sizeof m.atom)) {
        r->m[k].factor = (r->m[k].factor + m.factor) & mask(r->bits);
        if (!r->m[k].factor) memmove(&r->m[k], &r->m[k + 1], (--r->n - k) * sizeof *r->m);
        return;
    }
    m.factor &= mask(r->bits);
    if (!m.factor) return;
    memmove(&r->m[k + 1], &r->m[k], (r->n++ - k) * sizeof *r->m);
    r->m[k] = m;
}

const struct nat_poly *nat_poly_number(struct nat_polys *p, int64_t n)
{
    struct nat_poly *r = make(p, 64, 1);
    put(r, (struct monomial){.factor = (uint64_t)n});
    return r;
}

static const struct nat_poly *atom(struct nat_polys *p, unsigned kind, const void *key,
                                   const struct nat_poly *of, unsigned bits)
{
    size_t k = 0;
    for (; k < p->atoms.len; k++) {
        const struct nat_atom *a = p->atoms.data[k];
        if (a->kind == kind && a->key == key && (!of || nat_poly_equal(a->of, of))) break;
    }
    if (k == p->atoms.len) {
        struct nat_atom *a = arena_alloc(p->s->arena, sizeof *a);
        *a = (struct nat_atom){kind, key, of};
        vec_push(&p->atoms, a);
    }
    struct nat_poly *r = make(p, bits, 1);
    put(r, (struct monomial){.factor = 1, .atom = {(uint16_t)(k + 1)}});
    return r;
}

const struct nat_poly *nat_poly_variable(struct nat_polys *p, const void *key, unsigned kind)
{
    return atom(p, kind, key, NULL, 64);
}

const struct nat_poly *nat_poly_add(struct nat_polys *p, const struct nat_poly *a,
                                    const struct nat_poly *b, int64_t by)
{
    if (!a || !b || a->n + b->n > MAX_MONOMIALS) return NULL;
    struct nat_poly *r = make(p, a->bits, a->n + b->n);
    for (unsigned k = 0; k < a->n; k++) put(r, a->m[k]);
    for (unsigned k = 0; k < b->n; k++) {
        struct monomial m = b->m[k];
        m.factor *= (uint64_t)by;
        put(r, m);
    }
    return r;
}

static const struct nat_poly *multiply(struct nat_polys *p, const struct nat_poly *a,
                                       const struct nat_poly *b)
{
    if (!a || !b || a->n * b->n > MAX_MONOMIALS) return NULL;
    struct nat_poly *r = make(p, a->bits, a->n * b->n);
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned j = 0; j < b->n; j++) {
            struct monomial m = {.factor = a->m[i].factor * b->m[j].factor};
            unsigned x = 0, y = 0;
            for (unsigned k = 0; k < MAX_DEGREE; k++) {
                const uint16_t s = x < MAX_DEGREE ? a->m[i].atom[x] : 0,
                               t = y < MAX_DEGREE ? b->m[j].atom[y] : 0;
                if (s >= t) m.atom[k] = s, x++;
                else m.atom[k] = t, y++;
            }
            if ((x < MAX_DEGREE && a->m[i].atom[x]) || (y < MAX_DEGREE && b->m[j].atom[y]))
                return NULL; // the degree is too high
            put(r, m);
        }
    return r;
}

// Reduces modulo a smaller power of two: truncating an extension from at least that width gives its
// operand.
static const struct nat_poly *truncated(struct nat_polys *p, const struct nat_poly *a,
                                        unsigned bits)
{
    if (!a) return NULL;
    const struct nat_poly *sum = make(p, bits, 0);
    for (unsigned k = 0; k < a->n && sum; k++) {
        struct nat_poly *f = make(p, bits, 1);
        put(f, (struct monomial){.factor = a->m[k].factor});
        const struct nat_poly *product = f;
        for (unsigned i = 0; i < MAX_DEGREE && a->m[k].atom[i]; i++) {
            const struct nat_atom *t = p->atoms.data[a->m[k].atom[i] - 1];
            struct nat_poly *one = make(p, bits, 1);
            put(one, (struct monomial){.factor = 1, .atom = {a->m[k].atom[i]}});
            product = multiply(p, product,
                               t->of && t->of->bits >= bits ? truncated(p, t->of, bits) : one);
        }
        sum = nat_poly_add(p, sum, product, 1);
    }
    return sum;
}

static const struct nat_poly *extended(struct nat_polys *p, const struct nat_poly *a,
                                       bool is_signed)
{
    if (!a) return NULL;
    int64_t n;
    if (nat_poly_constant(a, &n))
        return nat_poly_number(p, is_signed ? n : (int64_t)((uint64_t)n & mask(a->bits)));
    if (!p->through) return atom(p, EXTENDED + is_signed, (void *)(uintptr_t)a->bits, a, 64);
    struct nat_poly *r = make(p, 64, a->n);
    for (unsigned k = 0; k < a->n; k++) {
        struct monomial m = a->m[k];
        m.factor = (uint64_t)((int64_t)(m.factor << (64 - a->bits)) >> (64 - a->bits));
        put(r, m);
    }
    return r;
}

static unsigned bits_of(LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind   ? LLVMGetIntTypeWidth(t)
           : LLVMGetTypeKind(t) == LLVMPointerTypeKind ? 64
                                                       : 0;
}

static const struct nat_poly *value(struct nat_polys *p, LLVMValueRef v)
{
    return nat_is_symbol(p->s, v, p->scope) ? atom(p, NAT_POLY_VALUE, v, NULL, bits_of(v)) : NULL;
}

static const struct nat_poly *of_pointer(struct nat_polys *p, LLVMValueRef v)
{
    const LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                          : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                   : LLVMRet;
    if (op == LLVMBitCast || op == LLVMFreeze || op == LLVMAddrSpaceCast)
        return of_pointer(p, LLVMGetOperand(v, 0));
    if (op != LLVMGetElementPtr)
        return LLVMIsAArgument(v) || LLVMIsAGlobalVariable(v) ? nat_poly_number(p, 0) : value(p, v);
    const struct nat_poly *sum = of_pointer(p, LLVMGetOperand(v, 0));
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    for (int k = 1; k < LLVMGetNumOperands(v) && sum; k++) {
        LLVMValueRef i = LLVMGetOperand(v, (unsigned)k);
        if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(i);
            sum = nat_poly_add(p, sum,
                               nat_poly_number(p, (int64_t)l_field_offset(p->s->m, t, field)), 1);
            t = LLVMStructGetTypeAtIndex(t, field);
            continue;
        }
        if (k > 1) t = LLVMGetElementType(t);
        const struct nat_poly *n = nat_poly_of(p, i);
        if (n && n->bits < 64) n = extended(p, n, true);
        sum = nat_poly_add(p, sum, n, (int64_t)l_size(p->s->m, t));
    }
    return sum;
}

static const struct nat_poly *of_instruction(struct nat_polys *p, LLVMValueRef v, unsigned bits)
{
    LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL,
                 b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
    const bool by = b && LLVMIsAConstantInt(b) && bits_of(b) <= 64;
    LLVMValueRef init;
    unsigned dim;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI:
        if (!rg_is_divergent(p->s->f, v) || !nat_is_stepped(p->s, v, p->scope, &init)) return NULL;
        return nat_poly_add(p, nat_poly_of(p, init), atom(p, NAT_POLY_STEPS, v, NULL, bits), 1);
    case LLVMAdd: return nat_poly_add(p, nat_poly_of(p, a), nat_poly_of(p, b), 1);
    case LLVMSub: return nat_poly_add(p, nat_poly_of(p, a), nat_poly_of(p, b), -1);
    case LLVMMul: return multiply(p, nat_poly_of(p, a), nat_poly_of(p, b));
    case LLVMOr:
        return LLVMGetIsDisjoint(v) ? nat_poly_add(p, nat_poly_of(p, a), nat_poly_of(p, b), 1)
                                    : NULL;
    case LLVMShl:
        if (!by || LLVMConstIntGetZExtValue(b) >= bits) return NULL;
        return nat_poly_add(p, truncated(p, nat_poly_number(p, 0), bits), nat_poly_of(p, a),
                            (int64_t)(1ull << LLVMConstIntGetZExtValue(b)));
    case LLVMAShr: { // the second half of a sign extension
        LLVMValueRef left = LLVMIsAInstruction(a) && LLVMGetInstructionOpcode(a) == LLVMShl
                                ? LLVMGetOperand(a, 1)
                                : NULL;
        if (!by || bits != 64 || !left || !LLVMIsAConstantInt(left)) return NULL;
        const uint64_t up = LLVMConstIntGetZExtValue(left), down = LLVMConstIntGetZExtValue(b);
        if (up >= 64 || down > up) return NULL;
        const struct nat_poly *n = extended(
            p, truncated(p, nat_poly_of(p, LLVMGetOperand(a, 0)), 64 - (unsigned)up), true);
        return nat_poly_add(p, nat_poly_number(p, 0), n, (int64_t)(1ull << (up - down)));
    }
    case LLVMAnd: { // an extension of the lower bits
        const uint64_t n = by ? LLVMConstIntGetZExtValue(b) : 0;
        unsigned w = 0;
        while (w < 64 && n >> w & 1) w++;
        if (!w || w >= bits || n != mask(w) || bits != 64) return NULL;
        return extended(p, truncated(p, nat_poly_of(p, a), w), false);
    }
    case LLVMTrunc: return truncated(p, nat_poly_of(p, a), bits);
    case LLVMFreeze: return nat_poly_of(p, a);
    case LLVMSExt:
    case LLVMZExt:
        return bits == 64 ? extended(p, nat_poly_of(p, a), LLVMGetInstructionOpcode(v) == LLVMSExt)
                          : NULL;
    case LLVMCall:
        switch (nat_id_of(v, &dim)) {
        case NAT_LOCAL_ID: return p->ids[dim];
        case NAT_GLOBAL_ID:
            return nat_poly_add(p,
                                nat_poly_variable(p, (void *)(uintptr_t)dim, NAT_POLY_GROUP_BASE),
                                p->ids[dim], 1);
        default: return NULL;
        }
    default: return NULL;
    }
}

const struct nat_poly *nat_poly_of(struct nat_polys *p, LLVMValueRef v)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) return of_pointer(p, v);
    const unsigned bits = bits_of(v);
    if (!bits || bits > 64) return NULL;
    uint64_t *set = map_get_ptr(&p->env, v);
    if (set) return truncated(p, (const struct nat_poly *)(uintptr_t)*set, bits);
    if (LLVMIsAConstantInt(v))
        return truncated(p, nat_poly_number(p, LLVMConstIntGetSExtValue(v)), bits);
    const struct nat_poly *r = LLVMIsAInstruction(v) ? of_instruction(p, v, bits) : NULL;
    return r ? r : value(p, v);
}

const struct nat_poly *nat_poly_parameter(struct nat_polys *p, const char *name)
{
    LLVMValueRef v = p->s->symbols.data[strtoul(name + 1, NULL, 10)];
    if (*name == 'g')
        return nat_poly_variable(p, (void *)(uintptr_t)LLVMConstIntGetZExtValue(v),
                                 NAT_POLY_GROUP_BASE);
    const struct nat_poly *r = nat_poly_of(p, v);
    return r && r->bits < 64 ? extended(p, r, *name == 'p') : r;
}

bool nat_poly_equal(const struct nat_poly *a, const struct nat_poly *b)
{
    return a && b && a->bits == b->bits && a->n == b->n && !memcmp(a->m, b->m, a->n * sizeof *a->m);
}

bool nat_poly_constant(const struct nat_poly *a, int64_t *n)
{
    if (!a || a->n > 1 || (a->n && a->m[0].atom[0])) return false;
    *n = a->n ? (int64_t)(a->m[0].factor << (64 - a->bits)) >> (64 - a->bits) : 0;
    return true;
}

static const struct nat_atom *index_of(struct nat_polys *p, const struct nat_poly *a, int64_t *size,
                                       int64_t *constant)
{
    const struct nat_atom *index = NULL;
    *constant = 0;
    for (unsigned k = 0; k < a->n; k++) {
        const struct monomial *m = &a->m[k];
        if (!m->atom[0]) {
            *constant = (int64_t)m->factor;
            continue;
        }
        if (index || m->atom[1]) return NULL;
        index = p->atoms.data[m->atom[0] - 1];
        *size = (int64_t)m->factor;
    }
    return index && index->of && index->of->bits == 32 ? index : NULL;
}

bool nat_poly_same_index(struct nat_polys *p, const struct nat_poly *a, const struct nat_poly *b)
{
    int64_t size_a = 0, size_b = 0, more_a, more_b;
    if (!a || !b) return false;
    const struct nat_atom *x = index_of(p, a, &size_a, &more_a),
                          *y = index_of(p, b, &size_b, &more_b);
    if (!x || !y || x->kind != y->kind || size_a != size_b || size_a <= 0 ||
        (more_a - more_b) % size_a)
        return false;
    const struct nat_poly *shift = truncated(p, nat_poly_number(p, (more_b - more_a) / size_a), 32);
    return nat_poly_equal(x->of, nat_poly_add(p, y->of, shift, 1));
}
