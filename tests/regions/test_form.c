// SPDX-License-Identifier: MIT
// Regions of small control flows: the shapes that the paper's §4 treats, and the validator against
// every corruption of one.
#include "tests/regions/unit.h"

#define ID      " %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %i = trunc i64 %id to i32\n"
#define BARRIER " call spir_func void @_Z7barrierj(i32 1)\n"

static void form(struct unit *u, struct rg_workgroup *w, unsigned flags)
{
    struct str text = {0};
    rg_form(&u->fns[0], flags, &u->a, w);
    rg_validate(w, &text);
    if (text.len) fail_msg("%s", text.data);
}

// "from>to,to/blocks" of every region but the exit's, as one text.
static void expect(const struct rg_workgroup *w, const char *want)
{
    struct str s = {0};
    for (unsigned r = 0; r < w->nregions; r++) {
        const struct rg_region *x = &w->regions[r];
        if (w->bars[r].mark == RG_EXIT) continue;
        if (s.len) str_put(&s, " ");
        str_printf(&s, "%u:", r);
        for (unsigned k = 0; k < x->nblocks; k++)
            str_printf(&s, "%s%u", k ? "," : "", x->blocks[k]);
        str_put(&s, ">");
        for (unsigned k = 0; k < x->nto; k++) str_printf(&s, "%s%u", k ? "," : "", x->to[k]);
    }
    assert_string_equal(str_text(&s), want);
    str_deinit(&s);
}

// No barrier: one region, the whole kernel.
static void a_kernel_without_barriers_is_one_region(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n" ID " %c = icmp slt i32 %i, %n\n br i1 %c, label %a, label "
                              "%b\na:\n br label %b\nb:\n ret void\n}\n");
    form(&u, &w, 0);
    expect(&w, "0:0,1,2>1");
    assert_true(w.is_regions);
    unload(&u);
}

// Unconditional barriers in a row, control flow between them.
static void unconditional_barriers_cut_the_kernel(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n" ID BARRIER " %c = icmp slt i32 %i, %n\n br i1 %c, label "
                              "%a, label %b\na:\n br label %b\nb:\n" BARRIER " ret void\n}\n");
    form(&u, &w, 0);
    // blocks: 0 entry | 1 test, 2 a, 3 b | 4; barriers: 0 entry, 1 after 0, 2 after 3, 3 exit
    expect(&w, "0:0>1 1:1,2,3>2 2:4>3");
    assert_true(w.is_regions);
    assert_true(w.bars[1].unconditional && w.bars[2].unconditional);
    assert_int_equal(w.duplicated, 0);
    unload(&u);
}

// A conditional barrier under uniform control: what follows the condition is in both regions (tail
// duplication), and the region before it is peeled.
static void a_conditional_barrier_duplicates_its_tail(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n br i1 %c, label %a, label "
                              "%b\na:\n" BARRIER " br label %b\nb:\n" BARRIER " ret void\n}\n");
    form(&u, &w, 0);
    // blocks: 0 entry, 1 a (barrier), 2 rest of a, 3 b (barrier), 4; barriers: 0, 1 after 1, 2
    // after 3, 3 exit
    expect(&w, "0:0,1,3>1,2 1:2,3>2 2:4>3");
    assert_true(w.is_regions);
    assert_true(w.regions[0].peeled);
    assert_false(w.bars[1].unconditional);
    assert_true(w.bars[2].unconditional);
    assert_int_equal(w.duplicated, 1); // b
    unload(&u);
}

// Two barriers in the arms of one uniform condition; the tails merge after them only at the next
// barrier.
static void barriers_in_both_arms(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n %c = icmp slt i32 %n, 5\n br i1 %c, label %a, label "
                              "%b\na:\n" BARRIER " br label %j\nb:\n" BARRIER
                              " br label %j\nj:\n ret void\n}\n");
    form(&u, &w, 0);
    assert_true(w.is_regions);
    assert_int_equal(w.regions[0].nto, 2);
    assert_int_equal(w.duplicated, 1); // the join, once after each barrier
    unload(&u);
}

// A b-loop: implicit barriers before it, after the header's phis, before the latch's branch.
static void a_b_loop_gets_three_barriers(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u,
         KERNEL("i32 %n") "entry:\n br label %head\nhead:\n %k = phi i32 [0, %entry], [%k1, "
                          "%latch]\n %t = icmp slt i32 %k, %n\n br i1 %t, label %body, label %end\n"
                          "body:\n" BARRIER " br label %latch\nlatch:\n %k1 = add i32 %k, 1\n br "
                          "label %head\nend:\n ret void\n}\n");
    form(&u, &w, 0);
    // blocks: 0 entry, 1 head, 2 body, 3 rest of body, 4 latch, 5 end barriers: 0 entry, 1 source
    // after 2, 2 header before 1, 3 entry after 0, 4 latch after 4, 5 exit
    expect(&w, "0:0>3 1:3,4>4 2:1,2,5>1,5 3:>2 4:>2");
    assert_true(w.is_regions);
    assert_true(w.regions[2].peeled);
    unload(&u);
}

// An inner loop without a barrier, uniform trip count and path: horizontal.
static void a_uniform_inner_loop_is_horizontal(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n br label %head\nhead:\n %k = phi i32 [0, %entry], [%k1, "
                              "%head]\n %k1 = add i32 %k, 1\n %t = icmp slt i32 %k1, %n\n br i1 "
                              "%t, label %head, label %end\nend:\n ret void\n}\n");
    form(&u, &w, 0);
    expect(&w, "0:0,1,2>1");
    form(&u, &w, RG_HORIZONTAL);
    assert_int_equal(w.nbars, 5);
    unsigned marked = 0;
    for (unsigned b = 0; b < w.nbars; b++) marked += w.bars[b].horizontal;
    assert_int_equal(marked, 3);
    unload(&u);
    // the same loop with a trip count that depends on the work-item is left alone
    load(&u, KERNEL("i32 %n") "entry:\n" ID
                              " br label %head\nhead:\n %k = phi i32 [0, %entry], [%k1, %head]\n "
                              "%k1 = add i32 %k, 1\n %t = icmp slt i32 %k1, %i\n br i1 %t, label "
                              "%head, label %end\nend:\n ret void\n}\n");
    form(&u, &w, RG_HORIZONTAL);
    expect(&w, "0:0,1,2>1");
    unload(&u);
}

static void a_barrier_under_varying_control_needs_continuations(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u,
         KERNEL("i32 %n") "entry:\n" ID
                          " %c = icmp slt i32 %i, %n\n br i1 %c, label %a, label %b\na:\n" BARRIER
                          " br label %b\nb:\n ret void\n}\n");
    form(&u, &w, 0);
    assert_false(w.is_regions);
    assert_non_null(strstr(w.why_not, "B1"));
    unload(&u);
}

// Twenty conditional barriers in a row: the paths are a million, the copies few.
static void growth_is_bounded(void **state)
{
    struct str ir = {0};
    str_put(&ir, KERNEL("i32 %n") "entry:\n br label %t0\n");
    for (unsigned k = 0; k < 20; k++)
        str_printf(&ir,
                   "t%u:\n %%c%u = icmp slt i32 %%n, %u\n br i1 %%c%u, label %%a%u, label "
                   "%%t%u\na%u:\n" BARRIER " br label %%t%u\n",
                   k, k, k, k, k, k + 1, k, k + 1);
    str_put(&ir, "t20:\n ret void\n}\n");
    struct unit u;
    struct rg_workgroup w;
    load(&u, ir.data);
    form(&u, &w, 0);
    assert_true(w.is_regions);
    assert_true(w.duplicated < 21 * u.fns[0].nblocks);
    str_deinit(&ir);
    unload(&u);
}

static unsigned violations(const struct rg_workgroup *w)
{
    struct str text = {0};
    rg_validate(w, &text);
    unsigned n = text.len != 0;
    str_deinit(&text);
    return n;
}

// Every edge, every block, every carried value and mark of a form, taken away one by one.
static void the_validator_finds_each_corruption(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(
        &u,
        KERNEL(
            "ptr addrspace(3) %p, i32 %n") "entry:\n %k = alloca i32\n %s = alloca i32\n" ID
                                           " store i32 %i, ptr %s\n store i32 0, ptr %k\n br label "
                                           "%head\n"
                                           "head:\n %k0 = load i32, ptr %k\n %t = icmp slt i32 "
                                           "%k0, %n\n br i1 %t, label %body, label %end\n"
                                           "body:\n %x = add i32 %i, %n\n %c = icmp slt i32 %n, "
                                           "7\n br i1 %c, label %cond, label %rest\ncond:\n" BARRIER
                                           " br label %rest\n"
                                           "rest:\n %s0 = load i32, ptr %s\n %s1 = add i32 %s0, "
                                           "%x\n store i32 %s1, ptr %s\n" BARRIER
                                           " %k1 = load i32, ptr %k\n %k2 = add i32 %k1, 1\n store "
                                           "i32 %k2, ptr %k\n br label %head\n"
                                           "end:\n %s2 = load i32, ptr %s\n store i32 %s2, ptr "
                                           "addrspace(3) %p\n ret void\n}\n");
    form(&u, &w, 0);
    assert_int_equal(violations(&w), 0);
    assert_true(w.ncarried >= 3); // k, s, and the value x
    unsigned tried = 0;
    for (unsigned r = 0; r < w.nregions; r++) {
        struct rg_region *x = &w.regions[r], keep = *x;
        for (unsigned k = 0; k < keep.nto; k++) { // an edge taken away, or bent
            unsigned to = x->to[k];
            x->to[k] = x->to[x->nto - 1];
            x->nto--;
            if (!violations(&w))
                fail_msg("region %u without its way to barrier %u is accepted", r, to);
            x->nto++;
            x->to[k] = to;
            for (unsigned other = 0; other < w.nbars; other++) {
                bool listed = other == to;
                for (unsigned j = 0; j < x->nto; j++) listed |= x->to[j] == other;
                if (listed) continue;
                x->to[k] = other;
                if (!violations(&w))
                    fail_msg("region %u with a way to barrier %u is accepted", r, other);
                tried++;
            }
            x->to[k] = to;
        }
        for (unsigned k = 0; k < keep.nblocks; k++) { // a block taken away
            unsigned b = x->blocks[k];
            x->blocks[k] = x->blocks[x->nblocks - 1];
            x->nblocks--;
            if (!violations(&w)) fail_msg("region %u without block %u is accepted", r, b);
            x->nblocks++;
            x->blocks[x->nblocks - 1] = x->blocks[k];
            x->blocks[k] = b;
            tried++;
        }
    }
    for (unsigned k = 0; k < w.ncarried; k++) {
        struct rg_carried c = w.carried[k];
        w.carried[k] = (struct rg_carried){.web = 1000};
        if (!violations(&w)) fail_msg("a form without carried value %u is accepted", k);
        w.carried[k] = c;
        tried++;
    }
    assert_int_equal(violations(&w), 0);
    assert_true(tried > 40);
    unload(&u);
}

static void the_picture_names_every_barrier(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u, KERNEL("i32 %n") "entry:\n" BARRIER " ret void\n}\n");
    form(&u, &w, 0);
    struct str s = {0};
    rg_dot(&w, "k", &s);
    for (unsigned b = 0; b < w.nbars; b++) {
        char name[16];
        snprintf(name, sizeof name, "B%u [", b);
        assert_non_null(strstr(s.data, name));
    }
    str_deinit(&s);
    unload(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_without_barriers_is_one_region),
        cmocka_unit_test(unconditional_barriers_cut_the_kernel),
        cmocka_unit_test(a_conditional_barrier_duplicates_its_tail),
        cmocka_unit_test(barriers_in_both_arms),
        cmocka_unit_test(a_b_loop_gets_three_barriers),
        cmocka_unit_test(a_uniform_inner_loop_is_horizontal),
        cmocka_unit_test(a_barrier_under_varying_control_needs_continuations),
        cmocka_unit_test(growth_is_bounded),
        cmocka_unit_test(the_validator_finds_each_corruption),
        cmocka_unit_test(the_picture_names_every_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
