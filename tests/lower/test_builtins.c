// SPDX-License-Identifier: MIT
// Runs every kernel of builtins.cl, from source to bytecode to engine, in gangs of several sizes. A
// kernel checks itself: it counts in fails[0] and leaves in fails[1…] the lines of what does not
// hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "builtins/builtins.h"
#include "frontend/debug_metadata.h"
#include "frontend/front_end.h"
#include "interp/vm.h"
#include "library/library.h"
#include "lower/lower.h"
#include "regions/regions.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, FAILS = 32 };

static char *read_file(const char *name, size_t *size)
{
    const char *dir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir ? dir : ".", name);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot read %s", path);
    char *text = mem_alloc(1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, f);
    fclose(f);
    return text;
}

// Source to bytecode; the error or log is the caller's to free (with free) when NULL comes back.
static struct bc_module *compile(const char *source, size_t size, const char *options, char **why)
{
    struct fe_segment segment = {.name = "builtins.cl", .line = 1};
    struct fe_request r = {.kind = FE_BUILD,
                           .source = source,
                           .source_len = size,
                           .options = options,
                           .segments = &segment,
                           .nsegments = 1};
    struct fe_module m = {0};
    struct str log = {0};
    struct bc_module *bc = NULL;
    if (fe_compile(&r, &m, &log) != FE_OK) {
        *why = str_take(&log);
        return NULL;
    }
    struct err *e = lib_expand(m.llvm);
    if (!e) e = rg_normalize(m.llvm);
    struct fe_debug *d = fe_debug_create(&m);
    if (!e) e = lw_module(m.llvm, d, &bc);
    if (!e) e = bc_verify(bc, bi_lane_types);
    fe_debug_destroy(d);
    fe_module_deinit(&m);
    str_deinit(&log);
    if (!e) return bc;
    *why = mem_strdup(err_message(e));
    err_free(e);
    bc_module_destroy(bc);
    return NULL;
}

static void run(struct vm_program *p, const struct bc_module *m, const struct bc_kernel *k,
                unsigned gang, struct rep_session *rep, FILE *out)
{
    int32_t fails[FAILS + 1] = {0};
    uint8_t scratch[65536];
    for (unsigned i = 0; i < sizeof scratch; i++) scratch[i] = (uint8_t)(i * 7 + 3);
    struct vm_arg args[2] = {
        {.buffer = {.host = fails, .root_size = sizeof fails, .size = sizeof fails, .root = fails}},
        {.buffer = {.host = scratch,
                    .root_size = sizeof scratch,
                    .size = sizeof scratch,
                    .root = scratch}},
    };
    struct vm_launch l = {.program = p,
                          .kernel = k,
                          .dims = 1,
                          .global = {ITEMS, 1, 1},
                          .local = {ITEMS, 1, 1},
                          .args = args,
                          .checks = VM_CHECK_BOUNDS,
                          .threads = 1,
                          .gang = gang,
                          .rep = rep,
                          .number = 1,
                          .out = out};
    fesetround(FE_UPWARD); // the app's business: kernels round to nearest
    struct err *e = vm_run(&l, NULL);
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    if (e) fail_msg("%s: %s", bc_str(m, k->name), err_message(e));
    if (!fails[0]) return;
    for (int i = 0; i < fails[0] && i < FAILS; i++)
        print_error("%s, gang of %u: builtins.cl:%d does not hold\n", bc_str(m, k->name), gang,
                    fails[1 + i]);
    fail_msg("%d checks fail", fails[0]);
}

static void kernels_check_themselves(void **state)
{
    size_t size;
    char *source = read_file("tests/lower/builtins.cl", &size), *why = NULL;
    static const char *const stds[] = {"-cl-std=CL1.2", "-cl-std=CL2.0"};
    for (unsigned s = 0; s < 2; s++) {
        struct bc_module *m = compile(source, size, stds[s], &why);
        if (!m) fail_msg("%s", why);
        assert_int_equal(m->nkernels, 12 + s);
        struct vm_program *p = vm_program_create(m, NULL);
        char *text = NULL;
        size_t len = 0;
        FILE *out = open_memstream(&text, &len);
        struct rep_session *rep = rep_create(&(struct rep_options){.out = out});
        static const unsigned gangs[] = {1, 8, 64};
        for (unsigned k = 0; k < m->nkernels; k++)
            for (unsigned g = 0; g < 3; g++) run(p, m, &m->kernels[k], gangs[g], rep, out);
        rep_flush(rep);
        fflush(out);
        if (len) fail_msg("%s", text);
        rep_destroy(rep);
        fclose(out);
        free(text);
        vm_program_destroy(p);
        bc_module_destroy(m);
    }
    free(source);
}

static void printf_prints(void **state)
{
    static const char source[] =
        "kernel void k(global int *fails, global uchar *scratch)\n{\n"
        "    if (get_local_id(0) != 2) return;\n"
        "    int t = get_local_id(0);\n"
        "    int r = printf(\"%d %5.2f %v4hlf %v3hhx %s %c%% %lu|\\n\", t, t * 1.5f, (float4)(1, "
        "2, 3, t), (uchar3)(1, 255, 3), \"text\", 'a' + t, 1UL << 40);\n"
        "    if (r) fails[0] = 1;\n}\n";
    char *why = NULL, *text = NULL;
    size_t len = 0;
    struct bc_module *m = compile(source, sizeof source - 1, "", &why);
    if (!m) fail_msg("%s", why);
    struct vm_program *p = vm_program_create(m, NULL);
    FILE *out = open_memstream(&text, &len);
    struct rep_session *rep = rep_create(&(struct rep_options){.out = out});
    run(p, m, &m->kernels[0], 8, rep, out);
    fclose(out);
    assert_string_equal(
        text, "2  3.00 1.000000,2.000000,3.000000,2.000000 1,ff,3 text c% 1099511627776|\n");
    free(text);
    rep_destroy(rep);
    vm_program_destroy(p);
    bc_module_destroy(m);
}

static void what_is_unknown_is_named(void **state)
{
    static const char source[] =
        "float other(float x);\nkernel void k(global float *p)\n{\n    p[0] = other(p[1]);\n}\n";
    char *why = NULL;
    assert_null(compile(source, sizeof source - 1, "", &why));
    assert_non_null(strstr(why, "builtins.cl:4"));
    assert_non_null(strstr(why, "'other'"));
    free(why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_check_themselves),
        cmocka_unit_test(printf_prints),
        cmocka_unit_test(what_is_unknown_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
