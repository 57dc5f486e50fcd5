// SPDX-License-Identifier: MIT
#include "frontend/pipes.h"

#include "llvm/ir.h"

#include <string.h>

static const char text[] = "# 1 \"cldbg-pipes.cl\" 3\n" // (3: as a header of the system, about
                                                        // which clang does not complain)
#include "frontend/pipes.inc"
    ;

const char *fe_pipes(const struct fe_request *r, const struct fe_options *o)
{
    if (strcmp(o->std, "CL2.0") && strcmp(o->std, "CL3.0")) return "";
    bool named = memmem(r->source, r->source_len, "pipe", 4) ||
                 memmem(r->source, r->source_len, "include", 7); // (which may name them)
    for (unsigned i = 0; i < r->nheaders; i++) named |= strstr(r->headers[i].text, "pipe") != NULL;
    return named ? text : "";
}

// __read_pipe_2, __work_group_reserve_write_pipe, __get_pipe_num_packets_ro, …
static bool is_of_pipes(LLVMValueRef f)
{
    const char *name = l_name(f);
    return (str_starts(name, "__") && strstr(name, "_pipe")) ||
           !strcmp(name, "_Z19is_valid_reserve_id13ocl_reserveid");
}

const char *fe_pipes_missing(LLVMModuleRef program)
{
    l_each_function(program, f)
        if (LLVMIsDeclaration(f) && LLVMCountParams(f) && is_of_pipes(f))
            return LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, 0))) == LLVMTargetExtTypeKind
                       ? "-cl-std=CL3.0 -D__CLDBG_PIPE_FUNCTIONS"
                       : "-cl-std=CL3.0 -D__CLDBG_PIPE_POINTERS";
    return NULL;
}
