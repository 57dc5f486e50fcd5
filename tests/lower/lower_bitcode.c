// SPDX-License-Identifier: MIT
// Lowers the bitcode of standard input, verifies the result and prints how many kernels it has. For
// every_overload.sh.
#include "builtins/builtins.h"
#include "frontend/debug_metadata.h"
#include "frontend/front_end.h"
#include "library/library.h"
#include "lower/lower.h"
#include "regions/regions.h"

#include <stdio.h>

int main(void)
{
    struct str in = {0}, log = {0};
    char part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, stdin)) > 0) str_put_n(&in, part, n);
    struct fe_blob object = {in.data, in.len};
    struct fe_request r = {.kind = FE_BUILD, .options = "", .objects = &object, .nobjects = 1};
    struct fe_module m = {0};
    if (fe_compile(&r, &m, &log) != FE_OK) {
        fprintf(stderr, "%s\n", str_text(&log));
        return 1;
    }
    struct bc_module *bc = NULL;
    struct err *e = lib_expand(m.llvm);
    if (!e) e = rg_normalize(m.llvm);
    struct fe_debug *d = fe_debug_create(&m);
    if (!e) e = lw_module(m.llvm, d, &bc);
    if (!e) e = bc_verify(bc, bi_lane_types);
    if (e) fprintf(stderr, "%s\n", err_message(e));
    else printf("%u\n", bc->nkernels);
    const bool failed = e != NULL;
    err_free(e);
    bc_module_destroy(bc);
    fe_debug_destroy(d);
    fe_module_deinit(&m);
    str_deinit(&in);
    str_deinit(&log);
    return failed;
}
