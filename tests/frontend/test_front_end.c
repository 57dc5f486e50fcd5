// SPDX-License-Identifier: MIT
// From source to an LLVM module: messages, broken compilers, headers, linking, debug info, kernel
// arguments.
#include "frontend/debug_metadata.h"
#include "frontend/kernel_meta.h"
#include "llvm/ir.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct str words;

static enum fe_status compile(const struct fe_request *r, struct fe_module *m)
{
    str_clear(&words);
    return fe_compile(r, m, &words);
}

static struct fe_request source(const char *text)
{
    static const struct fe_segment seg = {0, "sum.cl", "/src/sum.cl", 1, 0};
    return (struct fe_request){.kind = FE_BUILD,
                               .source = text,
                               .source_len = strlen(text),
                               .segments = &seg,
                               .nsegments = 1};
}

static void assert_said(const char *part)
{
    if (!strstr(str_text(&words), part))
        fail_msg("'%s' is not in the log:\n%s", part, str_text(&words));
}

static void errors_have_clangs_words_and_the_users_file(void **state)
{
    struct fe_module m;
    struct fe_request r = source("kernel void k(global int *p)\n{\n    p[0] = undeclared;\n}\n");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("sum.cl:3:12: error: use of undeclared identifier 'undeclared'");
    r = source("kernel void k(global int *p) { p[0] = 1 }");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("expected ';'");
    r = source("kernel void k(global int *p) { p[0] = 1; }");
    r.options = "-fplugin=x";
    assert_int_equal(compile(&r, &m), FE_BAD_OPTIONS);
}

static void segments_name_their_lines(void **state)
{
    const char *text =
        "#define N 1\nint a(void) { return N; }\nkernel void k(global int *p) { p[0] = oops; }\n";
    size_t second = (size_t)(strchr(text, '\n') - text) + 1;
    const struct fe_segment seg[] = {{0, "program-1.cl", NULL, 1, 0},
                                     {second, "dir/b \"x\".cl", "/b.cl", 40, 0}};
    struct fe_request r = source(text);
    struct fe_module m;
    r.segments = seg;
    r.nsegments = 2;
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("dir/b \"x\".cl:41:39: error");
}

static void older_sources_compile(void **state)
{
    static const char *const texts[] = {
        "foo(int a) { return a; }\nkernel void k(global int *p) { p[0] = foo(1); }",
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nkernel void k(global double *p) { p[0] = "
        "sqrt(2.0); }",
        "#ifndef __IMAGE_SUPPORT__\n#error there are images\n#endif\nkernel void k(global int *p) "
        "{ p[0] = __OPENCL_VERSION__ / __ENDIAN_LITTLE__; }",
        "kernel void k(global ulong *p) { atom_add(p, 1ul); }",
        "kernel void k(read_only image2d_t i, write_only image3d_t o, sampler_t s) { "
        "write_imagef(o, (int4)(0), read_imagef(i, s, (int2)(0))); }",
        "kernel void k(global half *h, global float *f) { vstore_half(vload_half(0, h), 0, h); "
        "printf(\"%f\", f[0]); }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fe_module m;
        struct fe_request r = source(texts[i]);
        if (compile(&r, &m) != FE_OK) fail_msg("%s\n%s", texts[i], str_text(&words));
        fe_module_deinit(&m);
    }
    struct fe_module m;
    struct fe_request r = source("int g = 3;\nint get(int *p) { return *p; }\nkernel void k(global "
                                 "int *p) { p[0] = get(p) + g; }");
    r.options = "-cl-std=CL3.0";
    if (compile(&r, &m) != FE_OK) fail_msg("%s", str_text(&words));
    fe_module_deinit(&m);
    r.options = "-cl-std=CL2.0";
    if (compile(&r, &m) != FE_OK) fail_msg("%s", str_text(&words));
    fe_module_deinit(&m);
}

static void nothing_the_user_wrote_is_optimized_away(void **state)
{
    struct fe_request r = source("kernel void k(global int *o, int c) { int x; int a[4]; if (c) x "
                                 "= 1; a[5] = 2; o[0]; o[0] = x; }");
    struct fe_module m;
    assert_int_equal(compile(&r, &m), FE_OK);
    unsigned loads = 0, stores = 0;
    l_each_function(m.llvm, f)
        l_each_block(f, b)
            l_each_insn(b, i) {
                loads += LLVMIsALoadInst(i) != NULL;
                stores += LLVMIsAStoreInst(i) != NULL;
            }
    assert_int_equal(stores, 5); // two parameters, x, a[5], o[0]
    assert_true(loads >= 5);     // c, x, o twice, o[0] whose value is unused
    fe_module_deinit(&m);
}

static void loops_may_be_unrolled(void **state)
{
    struct fe_request r =
        source("kernel void k(global int *o) { for (int i = 0; i < 3; i++) o[i] = i; }");
    struct fe_module m;
    assert_int_equal(compile(&r, &m), FE_OK);
    char *text = LLVMPrintModuleToString(m.llvm);
    assert_non_null(strstr(text, "llvm.loop"));
    assert_null(strstr(text, "unroll.disable"));
    LLVMDisposeMessage(text);
    fe_module_deinit(&m);
}

// ---- compilers that misbehave

static void use_fake(const char *script)
{
    static char path[] = "./fake-clang";
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    fclose(f);
    assert_int_equal(chmod(path, 0755), 0);
    setenv("CLDBG_CLANG", path, 1);
}

static void broken_compilers_are_build_errors(void **state)
{
    struct fe_request r = source("kernel void k(global int *p) { p[0] = 1; }");
    struct fe_module m;
    if (!getenv(
            "CLDBG_TEST_VALGRIND")) { // there a program that is missing starts, and ends with 127
        setenv("CLDBG_CLANG", "/nonexistent/clang", 1);
        assert_int_equal(compile(&r, &m), FE_NO_COMPILER);
        assert_said("apt-get install clang-");
    }
    use_fake("kill -SEGV $$");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("was killed by signal 11");
    use_fake("cat >/dev/null; echo garbage");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("not LLVM bitcode");
    use_fake("exit 0");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("gave no output");
    use_fake("echo oh dear >&2; exit 77");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("oh dear");
    assert_said("ended with status 77");
    setenv("CLDBG_COMPILE_SECONDS", "1", 1);
    use_fake("exec sleep 30");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("did not end within 1 seconds");
    unsetenv("CLDBG_COMPILE_SECONDS");
    unlink("fake-clang");
    unsetenv("CLDBG_CLANG");
}

static void the_apps_preloading_does_not_reach_clang(void **state)
{
    struct fe_request r = source("kernel void k(global int *p) { p[0] = 1; }");
    struct fe_module m;
    setenv("OCL_ICD_VENDORS", "x", 1);
    setenv("CLDBG_OPTIONS", "x", 1);
    setenv("LD_LIBRARY_PATH", "/nowhere", 1);
    use_fake("env | grep -e OCL_ICD -e CLDBG_O -e LD_ >&2; exit 3");
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_null(strstr(str_text(&words), "OCL_ICD"));
    assert_null(strstr(str_text(&words), "CLDBG_O"));
    assert_null(strstr(str_text(&words), "LD_LIB"));
    unsetenv("OCL_ICD_VENDORS");
    unsetenv("CLDBG_OPTIONS");
    unsetenv("LD_LIBRARY_PATH");
    unlink("fake-clang");
    unsetenv("CLDBG_CLANG");
}

// ---- headers, linking, bitcode

static void headers_and_linking(void **state)
{
    const struct fe_header h[] = {{"util/sum.h", "int sum(int a, int b);\n#include \"two.h\"\n"},
                                  {"util/two.h", "#define TWO 2\n"}};
    struct fe_module m, lib;
    struct fe_request r =
        source("#include \"util/sum.h\"\nkernel void k(global int *p) { p[0] = sum(p[0], TWO); }");
    r.kind = FE_COMPILE;
    r.headers = h;
    r.nheaders = 2;
    if (compile(&r, &m) != FE_OK) fail_msg("%s", str_text(&words));
    struct str one = {0}, two = {0}, other = {0};
    fe_module_bitcode(&m, &one);
    fe_module_deinit(&m);
    r = source("int sum(int a, int b) { return a + b; }");
    r.kind = FE_COMPILE;
    assert_int_equal(compile(&r, &m), FE_OK);
    fe_module_bitcode(&m, &two);
    fe_module_deinit(&m);
    r = source("int sum(int a, int b) { return a - b; }");
    r.kind = FE_COMPILE;
    assert_int_equal(compile(&r, &m), FE_OK);
    fe_module_bitcode(&m, &other);
    fe_module_deinit(&m);

    const struct fe_blob both[] = {
        {one.data, one.len}, {two.data, two.len}, {two.data, two.len}, {other.data, other.len}};
    struct fe_request link = {
        .kind = FE_LINK, .objects = both, .nobjects = 2, .options = "-create-library"};
    if (compile(&link, &lib) != FE_OK) fail_msg("%s", str_text(&words));
    assert_true(lib.is_library);
    assert_false(LLVMIsDeclaration(LLVMGetNamedFunction(lib.llvm, "sum")));
    struct fe_debug *d = fe_debug_create(&lib); // where the text came from is still known
    uint32_t n;
    const struct fe_file *files = fe_debug_files(d, &n);
    assert_true(n >= 3);
    assert_string_equal(files[0].name, "sum.cl");
    assert_string_equal(files[1].name, "util/sum.h");
    assert_string_equal(files[1].text, h[0].text);
    fe_debug_destroy(d);
    fe_module_deinit(&lib);

    link.nobjects = 3; // sum twice, and both are the same
    if (compile(&link, &lib) != FE_OK) fail_msg("%s", str_text(&words));
    fe_module_deinit(&lib);
    link.nobjects = 4; // and another one
    assert_int_equal(compile(&link, &lib), FE_FAILED);
    assert_said("sum");
    const struct fe_blob bad = {"not bitcode", 11};
    link.objects = &bad;
    link.nobjects = 1;
    assert_int_equal(compile(&link, &lib), FE_BAD_BINARY);
    link.kind = FE_BUILD;
    assert_int_equal(compile(&link, &lib), FE_BAD_BINARY);
    str_deinit(&one);
    str_deinit(&two);
    str_deinit(&other);

    r.headers = (const struct fe_header[]){{"../evil.h", ""}};
    r.nheaders = 1;
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("not a relative path");
}

static void headers_leave_nothing(void **state)
{
    char tmp[] = "/tmp/cldbg-test-XXXXXX", left[64];
    assert_non_null(mkdtemp(tmp));
    snprintf(left, sizeof left, "%s/cldbg-headers-killed", tmp); // by a build that was killed
    assert_int_equal(mkdir(left, 0700), 0);
    setenv("TMPDIR", tmp, 1);
    const struct fe_header h = {"a/b/c.h", "#define C 1\n"};
    struct fe_request r = source("#include <a/b/c.h>\nkernel void k(global int *p) { p[0] = C; }");
    struct fe_module m;
    r.headers = &h;
    r.nheaders = 1;
    assert_int_equal(compile(&r, &m), FE_OK);
    fe_module_deinit(&m);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(tmp), 0);
}

static void broken_headers_are_named_as_the_user_knows_them(void **state)
{
    const struct fe_header h = {"inc/bad.h", "int f( {\n"};
    struct fe_request r =
        source("#include <inc/bad.h>\nkernel void k(global int *p) { p[0] = 1; }");
    struct fe_module m;
    r.headers = &h;
    r.nheaders = 1;
    assert_int_equal(compile(&r, &m), FE_FAILED);
    assert_said("\ninc/bad.h:1:");
    assert_null(strstr(str_text(&words), "cldbg-headers"));
}

// ---- what debug info and metadata tell

static const char tile[] =
    "struct P { int x; };\n"
    "constant float tab[4] = {1, 2, 3, 4};\n"
    "kernel __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(uint4)))\n"
    "void k(global const float *restrict in, global uint4 *out, local volatile int *l, struct P "
    "s)\n"
    "{\n"
    "    local float tile[16][17];\n"
    "    int a[3];\n"
    "    struct P q; global const float *end = in;\n"
    "    tile[0][0] = tab[a[1]];\n"
    "    q = s;\n"
    "}\n";

static LLVMValueRef find_alloca(LLVMModuleRef m, const char *name)
{
    l_each_function(m, f)
        l_each_block(f, b)
            l_each_insn(b, i)
                if (LLVMIsAAllocaInst(i) && !strcmp(l_name(i), name)) return i;
    fail_msg("no alloca %s", name);
    return NULL;
}

static void assert_variable(struct fe_debug *d, LLVMValueRef v, const char *name, const char *type,
                            unsigned line)
{
    struct fe_variable var;
    uint32_t n;
    assert_true(fe_debug_variable(d, v, &var));
    assert_string_equal(var.name, name);
    assert_string_equal(var.type, type);
    const struct fe_loc *loc = &fe_debug_locs(d, &n)[var.loc];
    assert_int_equal(loc->line, line);
}

static void variables_have_names_types_and_lines(void **state)
{
    struct fe_request r = source(tile);
    struct fe_module m;
    if (compile(&r, &m) != FE_OK) fail_msg("%s", str_text(&words));
    struct fe_debug *d = fe_debug_create(&m);
    assert_variable(d, LLVMGetNamedGlobal(m.llvm, "k.tile"), "tile", "float[16][17]", 6);
    assert_variable(d, LLVMGetNamedGlobal(m.llvm, "tab"), "tab", "float[4]", 2);
    assert_variable(d, find_alloca(m.llvm, "a"), "a", "int[3]", 7);
    assert_variable(d, find_alloca(m.llvm, "q"), "q", "struct P", 8);
    assert_variable(d, find_alloca(m.llvm, "end"), "end", "const float*", 8);
    assert_variable(d, find_alloca(m.llvm, "out.addr"), "out", "uint4*", 4);
    assert_variable(d, LLVMGetParam(LLVMGetNamedFunction(m.llvm, "k"), 3), "s", "struct P", 4);
    uint32_t n;
    LLVMValueRef last =
        LLVMGetLastInstruction(LLVMGetLastBasicBlock(LLVMGetNamedFunction(m.llvm, "k")));
    uint32_t id = fe_debug_insn(d, last);
    assert_int_not_equal(id, 0);
    const struct fe_loc *loc = &fe_debug_locs(d, &n)[id];
    assert_int_equal(loc->line, 11);
    assert_string_equal(loc->function, "k");
    const struct fe_file *file = &fe_debug_files(d, &n)[loc->file];
    assert_string_equal(file->name, "sum.cl");
    assert_string_equal(file->path, "/src/sum.cl");
    fe_debug_destroy(d);
    fe_module_deinit(&m);
}

static void kernels_describe_their_arguments(void **state)
{
    struct fe_request r = source(tile);
    struct fe_module m;
    struct arena a = {0};
    struct fe_kernel k;
    assert_int_equal(compile(&r, &m), FE_OK);
    fe_kernel_read(m.llvm, LLVMGetNamedFunction(m.llvm, "k"), &a, &k);
    assert_string_equal(k.name, "k");
    assert_int_equal(k.nargs, 4);
    assert_string_equal(k.args[0].name, "in");
    assert_string_equal(k.args[0].type, "float*");
    assert_int_equal(k.args[0].space, 1);
    assert_true(k.args[0].is_const && k.args[0].is_restrict && !k.args[0].is_volatile);
    assert_string_equal(k.args[1].type, "uint4*");
    assert_int_equal(k.args[2].space, 3);
    assert_true(k.args[2].is_volatile);
    assert_string_equal(k.args[3].type, "struct P");
    assert_int_equal(k.reqd_wg_size[0], 8);
    assert_int_equal(k.reqd_wg_size[1], 4);
    assert_int_equal(k.wg_size_hint[0], 0);
    assert_string_equal(k.vec_type_hint, "uint4");
    assert_string_equal(k.attributes, "vec_type_hint(uint4) reqd_work_group_size(8,4,1)");
    arena_deinit(&a);
    fe_module_deinit(&m);
}

// ---- constants

struct pointers {
    unsigned n;
    uint64_t offset[4];
    const char *target[4];
    int64_t addend[4];
};

static void take_pointer(void *context, uint64_t offset, LLVMValueRef target, int64_t addend)
{
    struct pointers *p = context;
    p->offset[p->n] = offset;
    p->target[p->n] = l_name(target);
    p->addend[p->n++] = addend;
}

static void constants_have_their_bytes(void **state)
{
    struct fe_request r = source("struct S { char c; int i; float f; double d; };\n"
                                 "constant struct S s = {1, -2, 0.5f, 0.25};\n"
                                 "constant int tab[2][2] = {{1, 2}, {3, 4}};\n"
                                 "constant uchar4 v = (uchar4)(1, 2, 3, 4);\n"
                                 "constant char text[6] = \"abc\";\n"
                                 "constant int *constant ptr[3] = {0, &tab[1][1], tab[0]};\n"
                                 "constant ulong zero[2] = {0, 0};\n"
                                 "kernel void k(global int *o) { o[0] = s.c + tab[0][0] + v.x + "
                                 "text[0] + *ptr[1] + zero[0]; }\n");
    struct fe_module m;
    struct pointers p = {0};
    uint8_t b[64], want[24] = {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0,    0x3f,
                               0, 0, 0, 0, 0,    0,    0,    0,    0, 0, 0xd0, 0x3f};
    static const struct {
        const char *name, *bytes;
        size_t size;
    } rows[] = {{"tab", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0", 16},
                {"v", "\1\2\3\4", 4},
                {"text", "abc\0\0", 6},
                {"zero", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16}};
    if (compile(&r, &m) != FE_OK) fail_msg("%s", str_text(&words));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(b, 0x55, sizeof b);
        assert_null(l_const_bytes(m.llvm,
                                  LLVMGetInitializer(LLVMGetNamedGlobal(m.llvm, rows[i].name)), b,
                                  take_pointer, &p));
        assert_memory_equal(b, rows[i].bytes, rows[i].size);
        assert_int_equal(b[rows[i].size], 0x55);
    }
    assert_null(l_const_bytes(m.llvm, LLVMGetInitializer(LLVMGetNamedGlobal(m.llvm, "s")), b,
                              take_pointer, &p));
    assert_memory_equal(b, want, sizeof want);
    assert_int_equal(p.n, 0);
    assert_null(l_const_bytes(m.llvm, LLVMGetInitializer(LLVMGetNamedGlobal(m.llvm, "ptr")), b,
                              take_pointer, &p));
    assert_int_equal(p.n, 2);
    assert_int_equal(p.offset[0], 8);
    assert_string_equal(p.target[0], "tab");
    assert_int_equal(p.addend[0], 12);
    assert_int_equal(p.offset[1], 16);
    assert_int_equal(p.addend[1], 0);
    fe_module_deinit(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_clangs_words_and_the_users_file),
        cmocka_unit_test(segments_name_their_lines),
        cmocka_unit_test(older_sources_compile),
        cmocka_unit_test(nothing_the_user_wrote_is_optimized_away),
        cmocka_unit_test(loops_may_be_unrolled),
        cmocka_unit_test(broken_compilers_are_build_errors),
        cmocka_unit_test(the_apps_preloading_does_not_reach_clang),
        cmocka_unit_test(headers_and_linking),
        cmocka_unit_test(headers_leave_nothing),
        cmocka_unit_test(broken_headers_are_named_as_the_user_knows_them),
        cmocka_unit_test(variables_have_names_types_and_lines),
        cmocka_unit_test(kernels_describe_their_arguments),
        cmocka_unit_test(constants_have_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
