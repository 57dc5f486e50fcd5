// SPDX-License-Identifier: MIT
#include "frontend/intel_sub_groups.h"

#include "llvm/ir.h"

#include <string.h>

static const char prefix[] = "intel_sub_group_";
static const char text[] = "# 1 \"cldbg-intel-sub-groups.cl\" 3\n" // (3: a system header)
#include "frontend/intel_sub_groups.inc"
    ;

const char *fe_intel_sub_groups(const struct fe_request *r, const struct fe_options *o)
{
    bool named = memmem(r->source, r->source_len, prefix, strlen(prefix)) ||
                 (o->reads_files && memmem(r->source, r->source_len, "include", 7));
    for (unsigned i = 0; i < r->nheaders; i++) named |= strstr(r->headers[i].text, prefix) != NULL;
    return named ? text : "";
}

const char *fe_intel_sub_groups_missing(LLVMModuleRef program)
{
    l_each_function(program, f) {
        const char *name = strstr(l_name(f), prefix);
        if (LLVMIsDeclaration(f) && name && str_starts(l_name(f), "_Z"))
            return "-cl-std=CL3.0 -D__CLDBG_SUB_GROUP_FUNCTIONS";
    }
    return NULL;
}
