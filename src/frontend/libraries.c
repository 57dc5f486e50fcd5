// SPDX-License-Identifier: MIT
#include "frontend/libraries.h"

#include "llvm/ir.h"

#include <fnmatch.h>
#include <string.h>

static const struct library {
    const char *file, *text;
    bool is_new;               // OpenCL C 2.0 and later have it
    bool is_slow;              // takes clang 0.1 s: only if the source, or a message, names it
    const char *words[7];      // one of them is in a source that needs it
    const char *needs_it;      // a source that needs it and has nothing else
    const char *functions[12]; // patterns of symbols
    const char *options;       // that make functions of the text
    const char *with_pointers; // the same for programs in which its types are pointers
} libraries[FE_LIBRARIES] = {
    {.file = "cldbg-pipes.cl",
     .text =
#include "frontend/pipes.inc"
         ,
     .is_new = true,
     .words = {"pipe"},
     .needs_it = "// pipe\n",
     .functions = {"__*_pipe*", "_Z19is_valid_reserve_id13ocl_reserveid"},
     .options = "-cl-std=CL3.0 -D__CLDBG_PIPE_FUNCTIONS",
     .with_pointers = "-cl-std=CL3.0 -D__CLDBG_PIPE_POINTERS"},
    {.file = "cldbg-device-enqueue.cl",
     .text =
#include "frontend/device_enqueue.inc"
         ,
     .is_new = true,
     .words = {"enqueue_", "ndrange_", "clk_event_t", "queue_t", "get_kernel_"},
     .needs_it = "// enqueue_\n",
     .functions = {"__enqueue_kernel_*", "_Z10ndrange_*", "_Z17get_default_queue*",
                   "__get_kernel_*", "_Z14enqueue_marker*", "_Z17create_user_event*",
                   "_Z12retain_event*", "_Z13release_event*", "_Z21set_user_event_status*",
                   "_Z14is_valid_event*", "_Z28capture_event_profiling_info*"},
     .options = "-cl-std=CL3.0 -D__CLDBG_DEVICE_ENQUEUE_FUNCTIONS"},
    {.file = "cldbg-intel-sub-groups.cl",
     .text =
#include "frontend/intel_sub_groups.inc"
         ,
     .is_slow = true,
     .words = {"intel_sub_group_"},
     .needs_it = "// intel_sub_group_\n",
     .functions = {"_Z*intel_sub_group_*"},
     .options = "-cl-std=CL3.0 -D__CLDBG_SUB_GROUP_FUNCTIONS"},
};

static bool names(const struct library *l, const char *text, size_t n)
{
    for (unsigned i = 0; l->words[i]; i++)
        if (memmem(text, n, l->words[i], strlen(l->words[i]))) return true;
    return false;
}

static bool is_needed(const struct library *l, const struct fe_request *r,
                      const struct fe_options *o)
{
    if (l->is_new && strcmp(o->std, "CL2.0") && strcmp(o->std, "CL3.0")) return false;
    // (an included file may name it)
    bool needed = names(l, r->source, r->source_len) ||
                  (!l->is_slow && memmem(r->source, r->source_len, "include", 7));
    for (unsigned i = 0; !l->is_slow && i < r->nheaders; i++)
        needed |= names(l, r->headers[i].text, strlen(r->headers[i].text));
    return needed;
}

unsigned fe_libraries_of(const struct fe_request *r, const struct fe_options *o)
{
    unsigned found = 0;
    for (unsigned k = 0; k < FE_LIBRARIES; k++)
        if (is_needed(&libraries[k], r, o)) found |= 1u << k;
    return found;
}

unsigned fe_libraries_missed(const char *log, size_t len)
{
    unsigned found = 0;
    for (unsigned k = 0; k < FE_LIBRARIES; k++)
        if (libraries[k].is_slow && names(&libraries[k], log, len)) found |= 1u << k;
    return found;
}

void fe_libraries_write(unsigned which, const struct fe_options *o, struct str *out)
{
    if (which && o->wants_error_codes) str_put(out, "#define __CLDBG_ERROR_CODES 1\n");
    for (unsigned k = 0; k < FE_LIBRARIES; k++)
        if (which >> k & 1) // 3: as a header of the system, about which clang does not complain
            str_printf(out, "# 1 \"%s\" 3\n%s", libraries[k].file, libraries[k].text);
}

static bool is_of(const struct library *l, LLVMValueRef f)
{
    for (unsigned i = 0; l->functions[i]; i++)
        if (!fnmatch(l->functions[i], l_name(f), 0)) return true;
    return false;
}

const char *fe_library_missing(LLVMModuleRef program, unsigned k, const char **source)
{
    const struct library *const l = &libraries[k];
    *source = l->needs_it;
    l_each_function(program, f) {
        if (!LLVMIsDeclaration(f) || !is_of(l, f)) continue;
        const bool has_pointer = l->with_pointers && LLVMCountParams(f) &&
                                 LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, 0))) !=
                                     LLVMTargetExtTypeKind;
        return has_pointer ? l->with_pointers : l->options;
    }
    return NULL;
}
