// SPDX-License-Identifier: MIT
// Build options: what each becomes for clang, and what is refused with which words.
#include "frontend/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    enum fe_kind kind;
    const char *options;
    const char *clang; // words for clang, joined by '|'; NULL: refused
    const char *std;
    const char *log; // a part of the log; "" the log is empty
};

static const struct row rows[] = {
    {FE_BUILD, NULL, "", "CL1.2", ""},
    {FE_BUILD, "  \t\n ", "", "CL1.2", ""},
    {FE_BUILD, "-DN=4", "-DN=4", "CL1.2", ""},
    {FE_BUILD, "-D N=4", "-DN=4", "CL1.2", ""},
    {FE_BUILD, "-D N", "-DN", "CL1.2", ""},
    {FE_BUILD, "-DT='unsigned int' -D\tU=\"a b\"", "-DT=unsigned int|-DU=a b", "CL1.2", ""},
    {FE_BUILD, "-DS=\\\"hi\\\"", "-DS=\"hi\"", "CL1.2", ""},
    {FE_BUILD, "-DS=\"\\\"a b\\\"\"", "-DS=\"a b\"", "CL1.2", ""},
    {FE_BUILD, "-DP=a\\b", "-DP=a\\b", "CL1.2", ""},
    {FE_BUILD, "-I inc -I. -I\"my dir\"", "-Iinc|-I.|-Imy dir", "CL1.2", ""},
    {FE_BUILD, "-w -Werror", "-w|-Werror", "CL1.2", ""},
    {FE_BUILD, "-W -Wall -Wconversion -Wno-shadow -Werror=format -Wframe-larger-than=9 -pedantic",
     "-W|-Wall|-Wconversion|-Wno-shadow|-Werror=format|-Wframe-larger-than=9|-pedantic", "CL1.2",
     ""},
    {FE_BUILD, "-cl-std=CL2.0", "", "CL2.0", ""},
    {FE_BUILD, "-cl-std=CL3.0 -cl-std=CL1.1", "", "CL1.1", ""},
    {FE_BUILD, "-cl-fast-relaxed-math", "-D__FAST_RELAXED_MATH__=1", "CL1.2", ""},
    {FE_BUILD, "-cl-mad-enable -cl-no-signed-zeros -cl-finite-math-only -cl-opt-disable -g -O3", "",
     "CL1.2", ""},
    {FE_BUILD, "-cl-single-precision-constant", "-cl-single-precision-constant", "CL1.2", ""},
    {FE_BUILD, "-cl-nv-verbose -DA", "-DA", "CL1.2",
     "'-cl-nv-verbose' of another vendor is ignored"},
    {FE_BUILD, "-x spir -spir-std=1.2", "", "CL1.2", ""},
    {FE_LINK, "-create-library -enable-link-options", "", "CL1.2", ""},
    {FE_BUILD, "-x clc++", NULL, NULL, "C++ kernel language"},
    {FE_BUILD, "-cl-std=CLC++", NULL, NULL, "C++ for OpenCL"},
    {FE_BUILD, "-cl-std=CL9", NULL, NULL, "names no version"},
    {FE_BUILD, "-Xclang -load", NULL, NULL, "'-Xclang' is not known"},
    {FE_BUILD, "-fplugin=./evil.so", NULL, NULL, "is not known"},
    {FE_BUILD, "-o /tmp/x", NULL, NULL, "'-o' is not known"},
    {FE_BUILD, "-include /etc/passwd", NULL, NULL, "'-include' is not known"},
    {FE_BUILD, "@response", NULL, NULL, "'@response' is not an option"},
    {FE_BUILD, "-Wl,x", NULL, NULL, "is not known"},
    {FE_BUILD, "-Wp,-MD,x", NULL, NULL, "is not known"},
    {FE_BUILD, "-Wa,-o,x", NULL, NULL, "is not known"},
    {FE_BUILD, "other.cl", NULL, NULL, "is not an option"},
    {FE_BUILD, "-D", NULL, NULL, "needs a value"},
    {FE_BUILD, "-I", NULL, NULL, "needs a value"},
    {FE_BUILD, "-D 5x", NULL, NULL, "name of a macro"},
    {FE_BUILD, "-DA=\"x", NULL, NULL, "quote that is not closed"},
    {FE_BUILD, "-D \"x", NULL, NULL, "needs a value"},
    {FE_COMPILE, "-create-library", NULL, NULL, "only an option of linking"},
    {FE_LINK, "-DX=1", NULL, NULL, "not an option of linking"},
};

static void options_become(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct fe_options o;
        struct str log = {0}, got = {0};
        bool ok = fe_options_parse(r->kind, r->options, &o, &log);
        for (unsigned k = 0; k < o.nclang; k++) str_printf(&got, "%s%s", k ? "|" : "", o.clang[k]);
        if (ok != (r->clang != NULL))
            fail_msg("'%s': %s\n%s", r->options, ok ? "accepted" : "refused", str_text(&log));
        if (ok) {
            assert_string_equal(str_text(&got), r->clang);
            assert_string_equal(o.std, r->std);
        }
        if (*r->log ? !strstr(str_text(&log), r->log) : log.len)
            fail_msg("'%s': log: %s", r->options, str_text(&log));
        fe_options_deinit(&o);
        str_deinit(&log);
        str_deinit(&got);
    }
}

static void flags_are_seen(void **state)
{
    struct fe_options o;
    struct str log = {0};
    assert_true(fe_options_parse(FE_LINK, "-create-library", &o, &log));
    assert_true(o.create_library);
    fe_options_deinit(&o);
    assert_true(fe_options_parse(FE_BUILD, "-I x", &o, &log));
    assert_true(o.reads_files);
    assert_false(o.create_library);
    fe_options_deinit(&o);
    static const struct {
        const char *options;
        bool werror;
    } strict[] = {{"-Werror", true},
                  {"-Wno-error -Werror", true},
                  {"-Werror -Wno-error", false},
                  {"-Werror=format", false}};
    for (size_t i = 0; i < sizeof strict / sizeof *strict; i++) {
        assert_true(fe_options_parse(FE_BUILD, strict[i].options, &o, &log));
        assert_int_equal(o.werror, strict[i].werror);
        fe_options_deinit(&o);
    }
    str_deinit(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_become),
                                       cmocka_unit_test(flags_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
