// SPDX-License-Identifier: MIT
#ifndef INTERP_DECODE_H
#define INTERP_DECODE_H
#include "base/vec.h"
#include "interp/core/gang.h"

// Private to decode.c, inactive_liveness.c and undef_decode.c.

struct dec_resume {
    uint32_t start, behind_call;
};
struct decoder {
    struct vm_code *code;
    const struct bc_module *m;
    const struct vm_isa *isa;
    struct arena *arena;
    struct vm_fn *fn;
    bool masked; // the stream being made
    VEC(struct vm_insn) out;
    bool clean;                    // it runs while nothing is undefined
    VEC(struct dec_resume) resume; // by instruction of the block: where the other stream goes on
    uint32_t call;                 // of the function: the next one's number
    uint32_t behind_call, resume_call, resume_start;
    uint32_t block; // being decoded
    uint64_t *kept; // of the function, [block][word]: registers of which inactive lanes may want
                    // what they have; NULL: of all
    uint32_t kept_words;
};

static inline bool dec_is_varying(uint32_t operand) { return operand != BC_NONE && operand & BC_V; }
uint32_t dec_place(const struct decoder *d, const struct vm_fn *fn, uint32_t operand);
struct vm_insn *dec_emit(struct decoder *d, vm_handler *fn, const struct bc_insn *src);
struct vm_access *dec_access(struct decoder *d, const struct bc_insn *b, uint32_t site);
/** Fills `kept`: inactive_liveness.c. */
void dec_find_kept(struct decoder *d);
/** What an image access does. */
struct vm_image_op *dec_image(struct decoder *d, const struct bc_insn *b);
struct vm_collect *dec_collect(struct decoder *d, const struct bc_insn *b);
#endif
