// SPDX-License-Identifier: MIT
// Loops with several entries: small ones of each kind, and random flows, whose every walk must stay
// the walk that it was.
#include "tests/regions/unit.h"

#include <llvm-c/Analysis.h>
#include <stdlib.h>

#define ID                                                                                         \
    " %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %i = trunc i64 %id to i32\n %v = icmp " \
    "slt i32 %i, %n\n"
#define BARRIER " call spir_func void @_Z7barrierj(i32 1)\n"

static void verify(LLVMModuleRef m)
{
    char *why = NULL;
    if (LLVMVerifyModule(m, LLVMReturnStatusAction, &why)) fail_msg("%s", why);
    LLVMDisposeMessage(why);
}

// What becomes of a kernel: its form, and how many blocks were copied.
static void form(struct unit *u, struct rg_workgroup *w, const char *ir)
{
    struct str bad = {0};
    load(u, ir);
    verify(u->m);
    rg_form(&u->fns[0], 0, &u->a, w);
    rg_validate(w, &bad);
    if (bad.len) fail_msg("%s", bad.data);
}

static void expect_split(const char *ir, unsigned copies, unsigned loops)
{
    struct unit u;
    struct rg_workgroup w;
    form(&u, &w, ir);
    assert_false(u.fns[0].irreducible || u.fns[0].may_part);
    assert_true(w.is_regions);
    assert_int_equal(rg_split_copies(u.fns[0].fn), copies);
    assert_int_equal(u.fns[0].nloops, loops);
    unload(&u);
}

static void expect_left(const char *ir, const char *why)
{
    struct unit u;
    struct rg_workgroup w;
    form(&u, &w, ir);
    assert_true(u.fns[0].irreducible && !w.is_regions);
    assert_int_equal(rg_split_copies(u.fns[0].fn), 0);
    assert_string_equal(w.why_not, why);
    unload(&u);
}

static void two_entries(void **state)
{
    // without a barrier; values made before the loop, in it and after it is used on every way
    expect_split(
        KERNEL("i32 %n, ptr addrspace(1) %p") "entry:\n %c = icmp slt i32 %n, 5\n %x = mul i32 %n, "
                                              "3\n br i1 %c, label %a, label %b\n"
                                              "a:\n %s = phi i32 [%x, %entry], [%t, %b]\n %s1 = "
                                              "add i32 %s, %x\n br label %b\n"
                                              "b:\n %t = phi i32 [7, %entry], [%s1, %a]\n %t1 = "
                                              "add i32 %t, 1\n %d = icmp slt i32 %t1, 100\n br i1 "
                                              "%d, label %a, label %end\n"
                                              "end:\n %r = add i32 %t1, %x\n store i32 %r, ptr "
                                              "addrspace(1) %p\n ret void\n}\n",
        1, 1);
    // with one, in the part that is copied and in the other
    expect_split(
        KERNEL("i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n br i1 %c, label %a, label %b\n"
                         "a:\n" BARRIER " br label %b\nb:\n" BARRIER
                         " %d = icmp slt i32 %n, 9\n br i1 %d, label %a, label %end\nend:\n ret "
                         "void\n}\n",
        1, 1);
}

static void entries_of_inner_and_outer_loop(void **state)
{
    // o is the outer header, a and b the inner loop, which is entered at both
    expect_split(
        KERNEL(
            "i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n %d = icmp slt i32 %n, 6\n br label %o\n"
                      "o:\n br i1 %d, label %a, label %b\na:\n" BARRIER
                      " br label %b\nb:\n br i1 %c, label %a, label %l\n"
                      "l:\n br i1 %d, label %o, label %end\nend:\n ret void\n}\n",
        1, 2);
    // the entry leads to the inner loop as well: with b as the header all of it is one loop
    expect_split(KERNEL("i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n %d = icmp slt i32 %n, 6\n br "
                                  "i1 %c, label %o, label %b\n"
                                  "o:\n br i1 %d, label %a, label %b\na:\n" BARRIER
                                  " br label %b\nb:\n br i1 %c, label %a, label %l\n"
                                  "l:\n br i1 %d, label %o, label %end\nend:\n ret void\n}\n",
                 2, 1);
}

static void a_switch_into_a_loop(void **state)
{
    // four entries in a row (Duff's device): each block but the header once more
    expect_split(KERNEL("i32 %n") "entry:\n switch i32 %n, label %end [i32 0, label %a\n i32 1, "
                                  "label %b\n i32 2, label %c\n i32 3, label %d]\n"
                                  "a:\n" BARRIER " br label %b\nb:\n" BARRIER
                                  " br label %c\nc:\n" BARRIER " br label %d\n"
                                  "d:\n" BARRIER " %x = icmp slt i32 %n, 9\n br i1 %x, label %a, "
                                  "label %end\nend:\n ret void\n}\n",
                 3, 1);
}

// Work-items that come in at different places may meet at the barrier: it must not become two.
static void entries_that_vary_are_left(void **state)
{
    expect_left(KERNEL("i32 %n") "entry:\n" ID " br i1 %v, label %a, label %b\na:\n br label %b\n"
                                 "b:\n" BARRIER " %d = icmp slt i32 %n, 9\n br i1 %d, label %a, "
                                 "label %end\nend:\n ret void\n}\n",
                "a loop has several entries, and work-items may take different ones");
    // without a barrier it does not matter
    struct unit u;
    load(&u, KERNEL("i32 %n") "entry:\n" ID " br i1 %v, label %a, label %b\na:\n br label %b\n"
                              "b:\n %d = icmp slt i32 %n, 9\n br i1 %d, label %a, label "
                              "%end\nend:\n ret void\n}\n");
    verify(u.m);
    assert_false(u.fns[0].irreducible);
    unload(&u);
}

// Work-items that leave the loop in different iterations: that is what continuations are for, with
// iterations known.
static void exits_that_vary_are_split(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    form(&u, &w,
         KERNEL("i32 %n") "entry:\n" ID
                          " %c = icmp slt i32 %n, 5\n br i1 %c, label %a, label %b\na:\n" BARRIER
                          " br label %b\n"
                          "b:\n br i1 %v, label %a, label %end\nend:\n ret void\n}\n");
    assert_false(u.fns[0].irreducible || w.is_regions);
    assert_int_equal(u.fns[0].nloops, 1);
    unload(&u);
}

// Everything leads to everything: that would need more than 2^9 copies.
static void a_clique_is_left(void **state)
{
    struct str ir = {0};
    enum { N = 9 };
    str_put(&ir, KERNEL("i32 %n") "entry:\n switch i32 %n, label %end [");
    for (int k = 0; k < N; k++) str_printf(&ir, "i32 %d, label %%b%d\n", k, k);
    str_put(&ir, "]\n");
    for (int b = 0; b < N; b++) {
        str_printf(&ir, "b%d:\n" BARRIER " switch i32 %%n, label %%end [", b);
        for (int k = 0; k < N; k++) str_printf(&ir, "i32 %d, label %%b%d\n", k + 1, k);
        str_put(&ir, "]\n");
    }
    str_put(&ir, "end:\n ret void\n}\n");
    expect_left(ir.data, "a loop has several entries, and splitting it would take too much code");
    str_deinit(&ir);
}

// ---- random flows

enum { BLOCKS = 9, WALKS = 60, STEPS = 40 };

// Block k computes from a value of a block that dominates it (the entry), and one of its own that
// others use if they can.
static char *random_flow(unsigned seed)
{
    struct str ir = {0};
    srand(seed);
    str_put(&ir, KERNEL("i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n switch i32 %n, label %b0 [");
    for (int k = 1; k < BLOCKS; k++)
        if (rand() % 3 == 0) str_printf(&ir, "i32 %d, label %%b%d\n", k, k);
    str_put(&ir, "]\n");
    for (int b = 0; b < BLOCKS; b++) {
        str_printf(&ir, "b%d:\n %%x%d = add i32 %%n, %d\n %%y%d = add i32 %%x%d, 1\n", b, b, b, b,
                   b);
        if (rand() % 4 == 0) str_put(&ir, BARRIER);
        const int kind = rand() % 4, to = rand() % BLOCKS, other = rand() % BLOCKS;
        if (kind == 0) str_put(&ir, " ret void\n");
        else if (kind == 1) str_printf(&ir, " br label %%b%d\n", to);
        else str_printf(&ir, " br i1 %%c, label %%b%d, label %%b%d\n", to, other);
    }
    str_put(&ir, "}\n");
    return ir.data;
}

static LLVMModuleRef parse(LLVMContextRef c, const char *ir)
{
    struct str text = {0};
    char *message = NULL;
    LLVMModuleRef m;
    str_printf(&text, "%s%s", head, ir);
    LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.data, text.len, "test");
    if (LLVMParseIRInContext(c, b, &m, &message)) fail_msg("%s", message);
    str_deinit(&text);
    return m;
}

static void name_of(LLVMBasicBlockRef b, char *out)
{
    snprintf(out, 32, "%s", LLVMGetBasicBlockName(b));
    char *copy = strstr(out, ".copy");
    if (copy) *copy = 0;
}

// The same decisions lead through blocks of the same names in both.
static void walk(LLVMModuleRef was, LLVMModuleRef is, unsigned seed)
{
    LLVMBasicBlockRef a = LLVMGetEntryBasicBlock(LLVMGetNamedFunction(was, "k")),
                      b = LLVMGetEntryBasicBlock(LLVMGetNamedFunction(is, "k"));
    for (int step = 0; step < STEPS; step++) {
        char x[32], y[32];
        name_of(a, x);
        name_of(b, y);
        if (strcmp(x, y)) fail_msg("seed %u, step %d: %s instead of %s", seed, step, y, x);
        LLVMValueRef ta = LLVMGetBasicBlockTerminator(a), tb = LLVMGetBasicBlockTerminator(b);
        const unsigned n = LLVMGetNumSuccessors(ta);
        assert_int_equal(n, LLVMGetNumSuccessors(tb));
        if (!n) return;
        const unsigned k = (unsigned)rand() % n;
        a = LLVMGetSuccessor(ta, k);
        b = LLVMGetSuccessor(tb, k);
    }
}

static void every_walk_stays(void **state)
{
    unsigned irreducible = 0, left = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        char *ir = random_flow(seed);
        LLVMContextRef c = LLVMContextCreate();
        LLVMModuleRef was = parse(c, ir), is = parse(c, ir);
        verify(was);
        rg_split(is);
        verify(is);
        for (int k = 0; k < WALKS; k++) walk(was, is, seed);
        struct arena a = {0};
        struct rg_fn f, g;
        rg_cfg_build(&f, LLVMGetNamedFunction(was, "k"), &a);
        rg_cfg_build(&g, LLVMGetNamedFunction(is, "k"), &a);
        const unsigned copies = rg_split_copies(g.fn);
        irreducible += f.irreducible;
        left += g.irreducible;
        assert_true(f.irreducible || !g.irreducible);
        assert_true(f.irreducible ==
                    (copies || g.irreducible)); // what needs nothing is not touched
        assert_true(copies <= 4 * (BLOCKS + 1));
        rg_fn_deinit(&f);
        rg_fn_deinit(&g);
        arena_deinit(&a);
        LLVMDisposeModule(was);
        LLVMDisposeModule(is);
        LLVMContextDispose(c);
        free(ir);
    }
    assert_true(irreducible > 80 && left * 10 < irreducible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_entries),
        cmocka_unit_test(entries_of_inner_and_outer_loop),
        cmocka_unit_test(a_switch_into_a_loop),
        cmocka_unit_test(entries_that_vary_are_left),
        cmocka_unit_test(exits_that_vary_are_split),
        cmocka_unit_test(a_clique_is_left),
        cmocka_unit_test(every_walk_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
