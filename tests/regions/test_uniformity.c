// SPDX-License-Identifier: MIT
// Uniformity, loops, regions on small IR. Values are named u… where they must be found uniform, d…
// where divergent.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/regions/unit.h"

// Every value named u… must be uniform, every d… divergent.
static void check_names(const struct unit *u)
{
    for (unsigned k = 0; k < u->n; k++)
        for (unsigned b = 0; b < u->fns[k].nblocks; b++) {
            const struct rg_block *B = &u->fns[k].blocks[b];
            for (LLVMValueRef i = B->first; i && i != B->stop; i = LLVMGetNextInstruction(i)) {
                size_t n;
                const char *name = LLVMGetValueName2(i, &n);
                if (!n || (name[0] != 'u' && name[0] != 'd')) continue;
                if (rg_is_divergent(&u->fns[k], i) != (name[0] == 'd'))
                    fail_msg("%%%s is found %s", name, name[0] == 'd' ? "uniform" : "divergent");
            }
        }
}

static void uniform_loop_in_a_divergent_guard(void **state)
{
    struct unit u;
    load(
        &u,
        KERNEL("ptr addrspace(1) %p, i32 %n") "entry:\n %k = alloca i32\n %s = alloca i32\n store "
                                              "i32 0, ptr %s\n"
                                              " %d.id = call spir_func i64 @_Z13get_global_idj(i32 "
                                              "0)\n %d.i = trunc i64 %d.id to i32\n"
                                              " %d.c = icmp slt i32 %d.i, %n\n br i1 %d.c, label "
                                              "%then, label %end\n"
                                              "then:\n store i32 0, ptr %k\n br label %head\n"
                                              "head:\n %u.k = load i32, ptr %k\n %u.t = icmp slt "
                                              "i32 %u.k, %n\n br i1 %u.t, label %body, label %end\n"
                                              "body:\n %u.k2 = load i32, ptr %k\n %d.old = load "
                                              "i32, ptr %s\n %d.x = add i32 %d.old, %d.i\n store "
                                              "i32 %d.x, ptr %s\n"
                                              " %u.n = add i32 %u.k2, 1\n store i32 %u.n, ptr %k\n "
                                              "br label %head\n"
                                              "end:\n ret void\n}\n");
    check_names(&u);
    assert_int_equal(u.fns[0].nloops, 1);
    assert_false(u.fns[0].loops[0].divergent);
    assert_false(u.fns[0].may_part);
    unload(&u);
}

static void values_leave_a_loop_in_different_iterations(void **state)
{
    struct unit u;
    load(&u,
         KERNEL(
             "ptr addrspace(1) %p, i32 %n") "entry:\n %k = alloca i32\n store i32 0, ptr %k\n %j = "
                                            "alloca i32\n store i32 0, ptr %j\n"
                                            " %d.id = call spir_func i64 @_Z13get_global_idj(i32 "
                                            "0)\n %d.i = trunc i64 %d.id to i32\n br label %head\n"
                                            "head:\n %d.k = load i32, ptr %k\n %d.t = icmp slt i32 "
                                            "%d.k, %d.i\n br i1 %d.t, label %body, label %end\n"
                                            "body:\n %u.j = load i32, ptr %j\n %u.j1 = add i32 "
                                            "%u.j, 1\n store i32 %u.j1, ptr %j\n"
                                            " %d.k1 = load i32, ptr %k\n %d.k2 = add i32 %d.k1, "
                                            "1\n store i32 %d.k2, ptr %k\n br label %head\n"
                                            "end:\n %d.after = load i32, ptr %k\n ret void\n}\n");
    check_names(&u);
    assert_true(u.fns[0].loops[0].divergent);
    unload(&u);
}

static void joins_of_a_divergent_branch(void **state)
{
    struct unit u;
    load(&u,
         KERNEL(
             "i32 %n") "entry:\n %d.id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %d.c = "
                       "icmp slt i64 %d.id, 4\n %u.c = icmp slt i32 %n, 4\n"
                       " br i1 %d.c, label %a, label %b\n"
                       "a:\n br label %join\n"
                       "b:\n br i1 %u.c, label %b1, label %b2\nb1:\n br label %b3\nb2:\n br label "
                       "%b3\n"
                       "b3:\n %u.inner = phi i32 [1, %b1], [2, %b2]\n br label %join\n"
                       "join:\n %d.x = phi i32 [0, %a], [1, %b3]\n br i1 %u.c, label %e, label %f\n"
                       "e:\n br label %g\nf:\n br label %g\n"
                       "g:\n %u.y = phi i32 [0, %e], [1, %f]\n ret void\n}\n");
    check_names(&u);
    unload(&u);
}

static void parameters_and_results_carry_divergence(void **state)
{
    struct unit u;
    load(&u,
         "define spir_func i32 @twice(i32 %x) {\n %d.y = add i32 %x, %x\n ret i32 %d.y\n}\n"
         "define spir_func i32 @half(i32 %x) {\n %u.y = lshr i32 %x, 1\n ret i32 %u.y\n}\n" KERNEL(
             "i32 %n") " %d.id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %d.i = trunc i64 "
                       "%d.id to i32\n"
                       " %d.a = call spir_func i32 @twice(i32 %d.i)\n %u.b = call spir_func i32 "
                       "@half(i32 %n)\n"
                       " %d.c = call spir_func i32 @twice(i32 %n)\n ret void\n}\n");
    check_names(&u);
    unload(&u);
}

static void barrier_under_varying_control_parts_the_group(void **state)
{
    struct unit u;
    load(&u, KERNEL("i32 %n") "entry:\n %d.id = call spir_func i64 @_Z12get_local_idj(i32 0)\n "
                              "%d.c = icmp slt i64 %d.id, 4\n br i1 %d.c, label %a, label %b\n"
                              "a:\n call spir_func void @_Z7barrierj(i32 1)\n br label %b\n"
                              "b:\n ret void\n}\n");
    check_names(&u);
    assert_true(u.fns[0].may_part);
    struct rg_workgroup w;
    rg_form(&u.fns[0], 0, &u.a, &w);
    assert_false(w.is_regions);
    assert_non_null(strstr(w.why_not, "varies"));
    unload(&u);
}

static void b_loop_has_its_implicit_barriers(void **state)
{
    struct unit u;
    load(&u,
         KERNEL("i32 %n") "entry:\n %k = alloca i32\n store i32 0, ptr %k\n br label %head\n"
                          "head:\n %u.k = load i32, ptr %k\n %u.t = icmp slt i32 %u.k, %n\n br i1 "
                          "%u.t, label %body, label %end\n"
                          "body:\n call spir_func void @_Z7barrierj(i32 1)\n %u.k2 = load i32, ptr "
                          "%k\n %u.n = add i32 %u.k2, 1\n store i32 %u.n, ptr %k\n br label %head\n"
                          "end:\n ret void\n}\n");
    check_names(&u);
    struct rg_workgroup w;
    rg_form(&u.fns[0], 0, &u.a, &w);
    if (!w.is_regions) fail_msg("%s", w.why_not);
    unsigned count[6] = {0};
    for (unsigned b = 0; b < w.nbars; b++) count[w.bars[b].mark]++;
    const unsigned expect[6] = {1, 1, 1, 1, 1, 1};
    assert_memory_equal(count, expect, sizeof expect);
    // k is written before the loop and in its latch, read in the header's region: one scalar for
    // the group
    assert_int_equal(w.ncarried, 1);
    assert_true(w.carried[0].uniform);
    struct str text = {0};
    rg_dump(&w, "k", NULL, NULL, &text);
    assert_non_null(strstr(text.data, "form: regions"));
    str_deinit(&text);
    unload(&u);
}

static void barriers_in_callees_are_inlined_and_recursion_refused(void **state)
{
    struct unit u;
    load(
        &u,
        "define spir_func void @inner() {\n call spir_func void @_Z7barrierj(i32 1)\n ret void\n}\n"
        "define spir_func void @outer() {\n call spir_func void @inner()\n call spir_func void "
        "@inner()\n ret void\n}\n" KERNEL(
            "i32 %n") " call spir_func void @outer()\n ret void\n}\n");
    unsigned barriers = 0;
    for (unsigned k = 0; k < u.n; k++)
        if (LLVMGetFunctionCallConv(u.fns[k].fn) == 76)
            for (unsigned b = 0; b < u.fns[k].nblocks; b++)
                barriers += u.fns[k].blocks[b].end == RG_BARRIER;
    assert_int_equal(barriers, 2);
    unload(&u);

    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m;
    char *message = NULL;
    static const char ir[] =
        "define i32 @f(i32 %x) {\n %y = call i32 @g(i32 %x)\n ret i32 %y\n}\ndefine i32 @g(i32 %x) "
        "{\n %y = call i32 @f(i32 %x)\n ret i32 %y\n}\n";
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, strlen(ir), "r");
    assert_int_equal(LLVMParseIRInContext(c, b, &m, &message), 0);
    struct err *e = rg_inline(m);
    assert_non_null(e);
    assert_non_null(strstr(err_message(e), "recursion"));
    err_free(e);
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
}

static void a_loop_on_an_atomic_may_spin(void **state)
{
    struct unit u;
    load(&u, KERNEL("ptr addrspace(1) %p, i32 %n") "entry:\n br label %spin\n"
                                                   "spin:\n %d.v = call spir_func i32 "
                                                   "@_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %p, "
                                                   "i32 0)\n %d.c = icmp eq i32 %d.v, 0\n br i1 "
                                                   "%d.c, label %spin, label %count\n"
                                                   "count:\n %d.w = call spir_func i32 "
                                                   "@_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %p, "
                                                   "i32 1)\n ret void\n}\n");
    check_names(&u);
    assert_true(u.fns[0].loops[0].may_spin);
    assert_true(u.fns[0].may_part);
    unload(&u);
}

// for (k = 0; k < n;) { if (atomic_add(p, 0)) atomic_add(p, 1), k++; else ... }
#define COUNTED(otherwise)                                                                         \
    KERNEL("ptr addrspace(1) %p, i32 %n")                                                          \
    "entry:\n %k = alloca i32\n store i32 0, ptr %k\n br label %head\n"                            \
    "head:\n %i = load i32, ptr %k\n %t = icmp slt i32 %i, %n\n br i1 %t, label %body, label "     \
    "%end\n"                                                                                       \
    "body:\n %v = call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %p, i32 0)\n"       \
    " %c = icmp eq i32 %v, 0\n br i1 %c, label %other, label %then\n"                              \
    "then:\n %w = call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %p, i32 1)\n"       \
    " br label %next\n"                                                                            \
    "other:\n " otherwise "\n"                                                                     \
    "next:\n %j = load i32, ptr %k\n %j1 = add i32 %j, 1\n store i32 %j1, ptr %k\n br label "      \
    "%head\n"                                                                                      \
    "end:\n ret void\n}\n"

// A counted loop whose body branches on an atomic: it ends whatever others do.
static void a_counted_loop_around_an_atomic_does_not_spin(void **state)
{
    struct unit u;
    load(&u, COUNTED("br label %next"));
    assert_int_equal(u.fns[0].nloops, 1);
    assert_false(u.fns[0].loops[0].may_spin);
    assert_false(u.fns[0].may_part);
    unload(&u);
}

// The counter, or a flag, moves only where the atomic said so.
static void a_loop_counted_by_an_atomic_may_spin(void **state)
{
    struct unit u;
    load(&u, COUNTED("br label %head"));
    assert_true(u.fns[0].loops[0].may_spin);
    assert_true(u.fns[0].may_part);
    unload(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_loop_in_a_divergent_guard),
        cmocka_unit_test(values_leave_a_loop_in_different_iterations),
        cmocka_unit_test(joins_of_a_divergent_branch),
        cmocka_unit_test(parameters_and_results_carry_divergence),
        cmocka_unit_test(barrier_under_varying_control_parts_the_group),
        cmocka_unit_test(b_loop_has_its_implicit_barriers),
        cmocka_unit_test(barriers_in_callees_are_inlined_and_recursion_refused),
        cmocka_unit_test(a_loop_on_an_atomic_may_spin),
        cmocka_unit_test(a_counted_loop_around_an_atomic_does_not_spin),
        cmocka_unit_test(a_loop_counted_by_an_atomic_may_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
