// SPDX-License-Identifier: MIT
#ifndef PROOF_FORMULA_H
#define PROOF_FORMULA_H
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Formulas over bit vectors of 1 to 64 bits, hash-consed: equal formulas have equal numbers. A sum
 * is in normal form (a constant and distinct terms with coefficients, modulo 2^width), so that
 * affine expressions are recognized and cancel. Each formula has bounds of its value, as an
 * unsigned and as a signed number; these move extensions to the leaves.
 *
 * A condition is a formula of one bit. PF_NONE is not a formula.
 */
typedef uint32_t pf;
enum { PF_NONE = 0 };

enum pf_op {
    PF_CONST,
    PF_SYMBOL,
    PF_SUM,  // value + Σ coefficient · term
    PF_MUL,  // of two terms
    PF_UDIV, // by zero: all bits set, as SMT-LIB has it; division by zero is an obligation of its
             // own
    PF_SDIV,
    PF_UREM,
    PF_SREM,
    PF_SHL, // by the width or more: 0, or the sign. The interpreter's and LLVM's results for such
            // shifts are arbitrary, so PF makes them only of counts known to be smaller
    PF_LSHR,
    PF_ASHR,
    PF_AND,
    PF_OR,
    PF_XOR,
    PF_ZEXT,
    PF_SEXT,
    PF_TRUNC,
    PF_EQ,
    PF_ULT,
    PF_SLT,
    PF_ITE, // condition, then, otherwise
};

struct pf_node {
    enum pf_op op : 8;
    uint8_t width;
    uint32_t nargs;
    pf *args;
    int64_t *coefficients; // SUM: by argument
    uint64_t value;        // CONST; SUM: the constant; SYMBOL: its number
    uint64_t ulo, uhi;     // bounds
    int64_t slo, shi;
};

/** The creator of the symbols numbers them and knows their meanings. */
struct pf_space {
    struct arena arena;
    VEC(struct pf_node) nodes; // [0] unused
    struct map by_hash;        // hash → first formula with it; chained by `next`
    VEC(pf) next;
    struct map resized; // operation, width and formula → the formula that it gives
};
void pf_init(struct pf_space *s);
void pf_deinit(struct pf_space *s);
static inline const struct pf_node *pf_get(const struct pf_space *s, pf f)
{
    return &s->nodes.data[f];
}

pf pf_const(struct pf_space *s, unsigned width, uint64_t value);
static inline pf pf_bool(struct pf_space *s, bool b) { return pf_const(s, 1, b); }
/** lo..hi: bounds as unsigned numbers. */
pf pf_symbol(struct pf_space *s, unsigned width, uint64_t number, uint64_t lo, uint64_t hi);
/** The same with signed bounds. */
pf pf_signed_symbol(struct pf_space *s, unsigned width, uint64_t number, int64_t lo, int64_t hi);
pf pf_add(struct pf_space *s, pf a, pf b);
pf pf_sub(struct pf_space *s, pf a, pf b);
pf pf_scale(struct pf_space *s, pf a, int64_t by);
pf pf_mul(struct pf_space *s, pf a, pf b);
/** UDIV, SDIV, UREM, SREM, SHL, LSHR, ASHR, AND, OR, XOR. */
pf pf_binary(struct pf_space *s, enum pf_op op, pf a, pf b);
pf pf_zext(struct pf_space *s, pf a, unsigned width);
pf pf_sext(struct pf_space *s, pf a, unsigned width);
pf pf_trunc(struct pf_space *s, pf a, unsigned width);
pf pf_eq(struct pf_space *s, pf a, pf b);
pf pf_ult(struct pf_space *s, pf a, pf b);
pf pf_slt(struct pf_space *s, pf a, pf b);
pf pf_ite(struct pf_space *s, pf c, pf a, pf b);
static inline pf pf_not(struct pf_space *s, pf a)
{
    return pf_binary(s, PF_XOR, a, pf_const(s, 1, 1));
}
static inline pf pf_and(struct pf_space *s, pf a, pf b) { return pf_binary(s, PF_AND, a, b); }
static inline pf pf_or(struct pf_space *s, pf a, pf b) { return pf_binary(s, PF_OR, a, b); }

bool pf_is_const(const struct pf_space *s, pf a, uint64_t *value);
static inline bool pf_is_true(const struct pf_space *s, pf a)
{
    uint64_t v;
    return pf_is_const(s, a, &v) && v == 1 && pf_get(s, a)->width == 1;
}
static inline bool pf_is_false(const struct pf_space *s, pf a)
{
    uint64_t v;
    return pf_is_const(s, a, &v) && v == 0 && pf_get(s, a)->width == 1;
}
static inline unsigned pf_width(const struct pf_space *s, pf a) { return pf_get(s, a)->width; }

/** The operation of a node with other operands. */
pf pf_rebuild(struct pf_space *s, const struct pf_node *n, const pf *args);
/** Replaces symbols: `to` gives the formula for each symbol's formula; memo: empty at first. */
typedef pf pf_replace_fn(void *context, pf symbol);
pf pf_replace(struct pf_space *s, pf f, struct map *memo, pf_replace_fn *to, void *context);

/** For debugging. */
struct str;
void pf_print(const struct pf_space *s, pf f, struct str *out);
#endif
