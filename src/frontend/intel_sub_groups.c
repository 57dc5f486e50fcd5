// SPDX-License-Identifier: MIT
#include "frontend/intel_sub_groups.h"

#include "base/str.h"
#include "llvm/ir.h"

#include <string.h>

static const char prefix[] = "intel_sub_group_";
static const char text[] = "# 1 \"cldbg-intel-sub-groups.cl\" 3\n" // (3: a system header)
#include "frontend/intel_sub_groups.inc"
    ;

bool fe_names_intel_sub_groups(const char *source, size_t len)
{
    return memmem(source, len, prefix, strlen(prefix)) != NULL;
}

const char *fe_intel_sub_groups(void) { return text; }

const char *fe_intel_sub_groups_missing(LLVMModuleRef program)
{
    l_each_function(program, f) {
        const char *name = strstr(l_name(f), prefix);
        if (LLVMIsDeclaration(f) && name && str_starts(l_name(f), "_Z"))
            return "-cl-std=CL3.0 -D__CLDBG_SUB_GROUP_FUNCTIONS";
    }
    return NULL;
}
