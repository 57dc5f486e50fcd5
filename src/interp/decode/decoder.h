// SPDX-License-Identifier: MIT
#ifndef INTERP_DECODER_H
#define INTERP_DECODER_H
#include "base/vec.h"
#include "interp/decode/code.h"

struct dec_resume {
    uint32_t start, after_call;
};

struct decoder {
    struct vm_code *code;
    const struct bc_module *m;
    const struct vm_isa *isa;
    struct arena *arena;
    struct vm_fn *fn;
    bool masked; // of the current stream
    VEC(struct vm_insn) out;
    bool clean;                    // the current stream is the clean one
    VEC(struct dec_resume) resume; // by instruction of the block: where the other stream continues
    uint32_t call;                 // number of the function's next call
    uint32_t after_call, resume_call, resume_start;
    uint32_t block;          // being decoded
    uint64_t *inactive_live; // of the function, [block][word]: registers whose old values inactive
                             // lanes may need; NULL: all registers
    uint32_t live_words;
    uint32_t *npredecessors; // of the function's blocks; only with VM_COVERAGE
};

static inline bool dec_is_varying(uint32_t operand) { return operand != BC_NONE && operand & BC_V; }
static inline unsigned dec_log2(unsigned size) { return (unsigned)__builtin_ctz(size); }
/** log2 of the bytes of a varying register's element. */
static inline unsigned dec_elog(const struct vm_fn *fn, uint32_t operand)
{
    return dec_log2(fn->bc->vsize[operand & ~BC_V]);
}
static inline size_t dec_round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/** The offset of an operand in the register file; of the i-th scratch register. */
uint32_t dec_offset(const struct decoder *d, const struct vm_fn *fn, uint32_t operand);
uint32_t dec_scratch(const struct decoder *d, unsigned i);
struct vm_insn *dec_emit(struct decoder *d, vm_handler *fn, const struct bc_insn *src);
struct vm_insn *dec_emit2(struct decoder *d, vm_handler *fn, uint32_t dst, uint32_t a,
                          const struct bc_insn *src);
/** The location of a value in the register file. */
struct dec_value {
    uint32_t at;
    bool is_varying;
};
/** That of an operand of the function. */
struct dec_value dec_value_of(const struct decoder *d, const struct vm_fn *fn, uint32_t operand);
/** Moves a value of 1 << lg bytes; if `blend`, only for the active lanes. */
void dec_move(struct decoder *d, struct dec_value to, struct dec_value from, unsigned lg,
              bool blend, const struct bc_insn *src);
/** The same for varying values of active lanes: from the i-th scratch register. */
void dec_blend(struct decoder *d, uint32_t to, unsigned i, unsigned lg, const struct bc_insn *src);
/** Must this result leave inactive lanes unchanged? */
bool dec_must_blend(const struct decoder *d, const struct bc_insn *b, uint32_t dst);
struct vm_access *dec_access(struct decoder *d, const struct bc_insn *b, uint32_t site);
/** Operands for a handler that works lane by lane; operand 0 may be a result. */
struct vm_operands *dec_operands(struct decoder *d, const uint32_t *list, unsigned n);
struct vm_image_op *dec_image(struct decoder *d, const struct bc_insn *b);
struct vm_collect *dec_collect(struct decoder *d, const struct bc_insn *b);
#endif
