// SPDX-License-Identifier: MIT
#include "frontend/pipes.h"

#include <string.h>

static const char text[] = "# 1 \"cldbg-pipes.cl\" 3\n" // (3: as a header of the system, about which clang does not complain)
#include "frontend/pipes.inc"
    ;

const char *fe_pipes(const struct fe_request *r, const struct fe_options *o)
{
    if (strcmp(o->std, "CL2.0") && strcmp(o->std, "CL3.0")) return "";
    bool named = memmem(r->source, r->source_len, "pipe", 4) || memmem(r->source, r->source_len, "include", 7); // (which may name them)
    for (unsigned i = 0; i < r->nheaders; i++) named |= strstr(r->headers[i].text, "pipe") != NULL;
    return named ? text : "";
}
