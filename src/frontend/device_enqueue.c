// SPDX-License-Identifier: MIT
#include "frontend/device_enqueue.h"

#include "llvm/ir.h"

#include <string.h>

static const char text[] = "# 1 \"cldbg-device-enqueue.cl\" 3\n" // (3: as a header of the system)
#include "frontend/device_enqueue.inc"
    ;
static const char with_codes[] = "#define __CLDBG_ERROR_CODES 1\n"
                                 "# 1 \"cldbg-device-enqueue.cl\" 3\n"
#include "frontend/device_enqueue.inc"
    ;

static bool names_one(const char *source, size_t n)
{
    static const char *const words[] = {"enqueue_",    "ndrange_", "clk_event_t", "queue_t",
                                        "get_kernel_", "include"}; // (a header may name them)
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(source, n, words[i], strlen(words[i]))) return true;
    return false;
}

const char *fe_device_enqueue(const struct fe_request *r, const struct fe_options *o)
{
    if (strcmp(o->std, "CL2.0") && strcmp(o->std, "CL3.0")) return "";
    bool named = names_one(r->source, r->source_len);
    for (unsigned i = 0; i < r->nheaders; i++)
        named |= names_one(r->headers[i].text, strlen(r->headers[i].text));
    return !named ? "" : o->wants_error_codes ? with_codes : text;
}

const char *fe_device_enqueue_missing(LLVMModuleRef program)
{
    static const char *const names[] = {"__enqueue_kernel_",
                                        "_Z10ndrange_",
                                        "_Z17get_default_queue",
                                        "__get_kernel_",
                                        "_Z14enqueue_marker",
                                        "_Z17create_user_event",
                                        "_Z12retain_event",
                                        "_Z13release_event",
                                        "_Z21set_user_event_status",
                                        "_Z14is_valid_event",
                                        "_Z28capture_event_profiling_info"};
    l_each_function(program, f)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (LLVMIsDeclaration(f) && str_starts(l_name(f), names[i]))
                return "-cl-std=CL3.0 -D__CLDBG_DEVICE_ENQUEUE_FUNCTIONS";
    return NULL;
}
