// SPDX-License-Identifier: MIT
#ifndef NATIVE_BODY_H
#define NATIVE_BODY_H
#include "builtins/builtins.h"
#include "llvm/ir.h"
#include "native/native.h"

/**
 * Expansion of builtins into LLVM code: the declaration of a builtin gets a body, which is inlined
 * everywhere. Rows of the kinds OP, MATH and MATHP need only the table. An EXPAND or FAMILY row has
 * a handler nat_bi_HANDLER that returns the result, or sets `no`. If there is no such handler, a
 * kernel that calls the builtin is rejected.
 */
struct nat_body {
    LLVMModuleRef m;
    LLVMContextRef ctx;
    LLVMBuilderRef b;
    LLVMValueRef fn;
    const struct bi_call *c;
    unsigned nargs, n; // n: components of the result, 0 for void
    LLVMTypeRef type;  // of the result
    LLVMTypeRef gen;   // of c->gen; NULL if there is none
    bool no;           // the builtin is not supported
};

/**
 * Argument k; if it is a scalar and the others are vectors of `like`'s type: broadcast to all
 * components.
 */
LLVMValueRef nat_arg(struct nat_body *x, unsigned k);
LLVMValueRef nat_as(struct nat_body *x, LLVMValueRef v, LLVMTypeRef like);
/** The same integer in all components of type t. */
LLVMValueRef nat_int(struct nat_body *x, LLVMTypeRef t, uint64_t v);
/** A call of an LLVM intrinsic that is overloaded on type t. */
LLVMValueRef nat_intrinsic(struct nat_body *x, const char *name, LLVMTypeRef t, LLVMValueRef *args,
                           unsigned n);
/**
 * The opcode `op` of ops.def, for I8 or F32, over n values of any size; v has room for one more.
 * Sets x->no for opcodes that no builtin has.
 */
LLVMValueRef nat_op(struct nat_body *x, unsigned op, bool sgn, LLVMValueRef *v, unsigned n);
/** A call of a lane function, with values of the same number of components. */
LLVMValueRef nat_lane(struct nat_body *x, unsigned fn, LLVMValueRef *src);
/** Type t with components of type `elem`. */
LLVMTypeRef nat_with(LLVMTypeRef t, LLVMTypeRef elem);
LLVMTypeRef nat_elem(LLVMTypeRef t);
unsigned nat_lanes(LLVMTypeRef t);
/** A call of a run-time function: its type is derived from the types of its arguments. */
LLVMValueRef nat_call(struct nat_body *x, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned n);

void nat_attribute(struct nat_body *x, LLVMValueRef fn, const char *name, uint64_t value);

typedef LLVMValueRef nat_handler(struct nat_body *x);
#define EXPAND(n, a, h) nat_handler nat_bi_##h;
#define FAMILY(n, a, h) nat_handler nat_bi_##h;
#include "builtins/builtins.def"

/** Expands the calls of printf in the module. */
struct err *nat_printf(LLVMModuleRef m, LLVMValueRef printf);
#endif
