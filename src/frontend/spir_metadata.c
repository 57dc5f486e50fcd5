// SPDX-License-Identifier: MIT
#include "frontend/spir_metadata.h"

#include "base/mem.h"
#include "llvm/ir.h"

#include <stdlib.h>

// `!{!"name", …}` becomes `!name !{…}` of the function.
static void take(LLVMModuleRef m, LLVMValueRef kernel, LLVMValueRef part)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    unsigned len, n = 0;
    const char *name = part && LLVMIsAMDNode(part) ? l_md_string(l_md_operand(part, 0), &len)
                                                   : NULL;
    if (!name) return;
    LLVMMetadataRef *rest = mem_array(NULL, LLVMGetMDNodeNumOperands(part), sizeof *rest);
    for (LLVMValueRef v; (v = l_md_operand(part, n + 1)); n++) rest[n] = LLVMValueAsMetadata(v);
    LLVMGlobalSetMetadata(kernel, LLVMGetMDKindIDInContext(c, name, len),
                          LLVMMDNodeInContext2(c, rest, n));
    free(rest);
}

void fe_take_spir_metadata(LLVMModuleRef m)
{
    const unsigned n = LLVMGetNamedMetadataNumOperands(m, "opencl.kernels");
    LLVMValueRef *all = mem_array(NULL, n + 1, sizeof *all);
    LLVMGetNamedMetadataOperands(m, "opencl.kernels", all);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef kernel = l_md_operand(all[i], 0);
        if (!kernel || !LLVMIsAFunction(kernel)) continue;
        size_t has;
        LLVMDisposeValueMetadataEntries(LLVMGlobalCopyAllMetadata(kernel, &has));
        for (unsigned k = 1; !has && k < (unsigned)LLVMGetMDNodeNumOperands(all[i]); k++)
            take(m, kernel, l_md_operand(all[i], k));
    }
    free(all);
}
