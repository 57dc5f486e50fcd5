// SPDX-License-Identifier: MIT
// Whether values are used that were not written. Proved where nothing undefined exists: private
// variables all have a value, and memory is read only where every byte was written before.
#include "proof/kernel.h"

#include "llvm/ir.h"

static void operand(struct pk *k, LLVMValueRef i)
{
    for (int n = LLVMGetNumOperands(i); n-- > 0;) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
        if (!LLVMIsABasicBlock(v) && LLVMIsAConstant(v) && l_is_undef(v))
            pk_unknown(k, PROOF_INITIALIZED, (struct pk_sites){.at = i}, NULL,
                       "a variable may have no value here");
    }
}

void pk_decide_initialized(struct pk *k)
{
    if (!pk_is_wanted(k, PROOF_INITIALIZED)) return;
    for (unsigned b = 0; b < k->f.nblocks; b++)
        for (LLVMValueRef i = k->f.blocks[b].first; i && i != k->f.blocks[b].stop;
             i = LLVMGetNextInstruction(i))
            if (!l_is_debug(i)) operand(k, i);
    for (unsigned n = 0; n < k->accesses.len; n++) {
        const struct pk_access *a = &k->accesses.data[n];
        if (a->write && !a->atomic) continue;
        const struct pk_addresses at = pk_address(k, a->node, a->pointer);
        for (unsigned j = 0; j < at.n; j++) {
            const struct pk_base *b = &k->bases.data[at.of[j].base];
            const bool defined = b->kind == PK_CONST || b->kind == PK_STATIC ||
                                 (b->kind == PK_BUFFER && k->q->args[b->arg].defined) ||
                                 (b->kind == PK_PRIVATE && LLVMIsAArgument(b->value));
            if (!defined)
                pk_unknown(k, PROOF_INITIALIZED, (struct pk_sites){.at = a->insn}, NULL,
                           "it is not proved that all that is read from '%s' was written",
                           pk_name_of(k, at.of[j].base));
        }
    }
}
