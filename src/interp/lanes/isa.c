// SPDX-License-Identifier: MIT
// Function multi-versioning: the loops for the best level of the instruction set that the processor
// has.
#include "interp/lanes/isa.h"

#include "base/cpu.h"

static const struct vm_isa *forced;

void vm_isa_force(const struct vm_isa *isa) { forced = isa; }

const struct vm_isa *vm_isa_choose(void)
{
    if (forced) return forced;
#ifdef VM_ISA_X86
    switch (cpu_level()) {
    case 4: return &vm_isa_v4;
    case 3: return &vm_isa_v3;
    default: break;
    }
#endif
    return &vm_isa_v1;
}
