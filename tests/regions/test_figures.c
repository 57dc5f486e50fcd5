// SPDX-License-Identifier: MIT
// The cases that figures 4 to 11 of the paper's §4 treat, each as a control flow and the regions
// expected. A flow is written as blocks: "a: b c" goes to b or c by the uniform condition, "a? b c"
// by one that varies, "a| b" has a barrier at its end, "a." returns. In a form, a' is what follows
// the barrier of block a; a barrier is named by its block: a| of the source, >a at the end of block
// a before a loop, ^a before header a, a< at the end of latch a.
//
// The paper's text was not at hand when this was written: the flows are ours, drawn after what
// section 4 says each figure is about, and so are the names of the blocks.
#include "tests/regions/unit.h"

#include "base/mem.h"

#include <stdlib.h>

#define ID                                                                                         \
    " %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %i = trunc i64 %id to i32\n %varies = " \
    "icmp slt i32 %i, %n\n"
#define BARRIER " call spir_func void @_Z7barrierj(i32 1)\n"

static void flow(struct unit *u, const char *text)
{
    struct str ir = {0};
    str_put(&ir, KERNEL("i32 %n") "start:\n" ID " %uniform = icmp slt i32 %n, 5\n");
    char *copy = mem_strdup(text), *rest = copy, *save = NULL;
    bool first = true;
    for (char *line; (line = strtok_r(first ? rest : NULL, ";", &save)); first = false) {
        char name[16], kind, to[2][16];
        const int n = sscanf(line, " %15[a-z]%c %15s %15s", name, &kind, to[0], to[1]) - 2;
        if (first) str_printf(&ir, " br label %%%s\n", name);
        str_printf(&ir, "%s:\n%s", name, kind == '|' ? BARRIER : "");
        if (n <= 0) str_put(&ir, " ret void\n");
        else if (n == 1) str_printf(&ir, " br label %%%s\n", to[0]);
        else
            str_printf(&ir, " br i1 %s, label %%%s, label %%%s\n",
                       kind == '?' ? "%varies" : "%uniform", to[0], to[1]);
    }
    str_put(&ir, "}\n");
    load(u, ir.data);
    str_deinit(&ir);
    free(copy);
}

static void put_block(struct str *s, const struct rg_fn *f, unsigned b)
{
    const char *name = LLVMGetBasicBlockName(f->blocks[b].bb);
    str_put(s, name);
    for (unsigned k = 0; k < b; k++)
        if (f->blocks[k].bb == f->blocks[b].bb) str_put(s, "'");
}

static void put_bar(struct str *s, const struct rg_workgroup *w, unsigned b)
{
    const struct rg_bar *x = &w->bars[b];
    if (x->mark == RG_ENTRY) str_put(s, "entry");
    if (x->mark == RG_EXIT) str_put(s, "exit");
    if (x->mark == RG_LOOP_ENTRY) str_put(s, ">");
    if (x->mark == RG_LOOP_HEADER) str_put(s, "^");
    if (x->mark != RG_ENTRY && x->mark != RG_EXIT) put_block(s, w->fn, x->block);
    if (x->mark == RG_SOURCE) str_put(s, "|");
    if (x->mark == RG_LOOP_LATCH) str_put(s, "<");
}

// One line a region: where from, its blocks, where to; "peeled" when the first work-item's way
// decides.
static void expect(struct unit *u, struct rg_workgroup *w, unsigned flags, const char *want)
{
    struct str s = {0}, bad = {0};
    rg_form(&u->fns[0], flags, &u->a, w);
    rg_validate(w, &bad);
    if (bad.len) fail_msg("%s", bad.data);
    for (unsigned r = 0; r < w->nregions; r++) {
        const struct rg_region *x = &w->regions[r];
        if (w->bars[r].mark == RG_EXIT) continue;
        put_bar(&s, w, r);
        str_put(&s, ":");
        for (unsigned k = 0; k < x->nblocks; k++) {
            if (x->blocks[k] == 0) continue; // start
            str_put(&s, " ");
            put_block(&s, w->fn, x->blocks[k]);
        }
        str_put(&s, " ->");
        for (unsigned k = 0; k < x->nto; k++) {
            str_put(&s, " ");
            put_bar(&s, w, x->to[k]);
        }
        str_put(&s, x->peeled ? " peeled\n" : "\n");
    }
    assert_string_equal(str_text(&s), want);
    str_deinit(&s);
}

// Figure 4a: no barrier of the source. Between the implicit ones at entry and exit the whole kernel
// is one region.
static void figure_4a_one_region(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a? b c; b: d; c: d; d.");
    expect(&u, &w, 0, "entry: a b c d -> exit\n");
    assert_true(w.is_regions);
    assert_int_equal(w.duplicated, 0);
    unload(&u);
}

// Figure 4b: an unconditional barrier makes two regions of it, whatever the control flow on either
// side.
static void figure_4b_an_unconditional_barrier(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a? b c; b: d; c: d; d| e; e? f g; f: g; g.");
    expect(&u, &w, 0, "entry: a b c d -> d|\nd|: d' e f g -> exit\n");
    assert_true(w.is_regions && w.bars[1].unconditional);
    assert_int_equal(w.duplicated, 0);
    unload(&u);
}

// Figure 5: a barrier in one arm. The code after the join is reached from it and from the entry: it
// is in both regions.
static void figure_5_a_conditional_barrier(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a: b c; b| d; c: d; d.");
    expect(&u, &w, 0, "entry: a b c d -> b| exit peeled\nb|: b' d -> exit\n");
    assert_true(w.is_regions && !w.bars[1].unconditional);
    assert_int_equal(w.duplicated, 1); // d
    unload(&u);
}

// Figure 6: tails are duplicated as far as the next barrier that all reach; after it there is one
// of each again.
static void figure_6_tails_merge_behind_an_unconditional_barrier(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a: b c; b| d; c: d; d: e f; e| g; f: g; g| h; h.");
    expect(&u, &w, 0,
           "entry: a b c d e f g -> b| e| g| peeled\n"
           "b|: b' d e f g -> e| g| peeled\n"
           "e|: e' g -> g|\n"
           "g|: g' h -> exit\n");
    assert_true(w.is_regions && w.bars[3].unconditional);
    unload(&u);
}

// Figure 7: where a region is left to several barriers, the first work-item's way is taken for all
// of them: that way is peeled. Under control that varies nothing can be peeled, and the form says
// so.
static void figure_7_peeling(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a| b; b: c d; c| e; d| e; e.");
    expect(&u, &w, 0,
           "entry: a -> a|\na|: a' b c d -> c| d| peeled\nc|: c' e -> exit\nd|: d' e -> exit\n");
    assert_true(w.is_regions);
    unload(&u);
    flow(&u, "a| b; b? c d; c| e; d| e; e.");
    expect(&u, &w, 0,
           "entry: a -> a|\na|: a' b c d -> c| d| peeled\nc|: c' e -> exit\nd|: d' e -> exit\n");
    assert_false(w.is_regions);
    unload(&u);
}

// Figure 8: a loop with a barrier gets one more before it, one after its header's phis and one in
// its latch.
static void figure_8_a_b_loop(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a: h; h: b e; b| l; l: h; e.");
    expect(&u, &w, 0,
           "entry: a -> >a\n"
           "b|: b' l -> l<\n"
           "^h: h b e -> b| exit peeled\n"
           ">a: -> ^h\n"
           "l<: -> ^h\n");
    assert_true(w.is_regions);
    unload(&u);
}

// Figures 9 and 10: in a kernel like the DCT's, with a loop of uniform trip count and no barrier,
// the loop over work-items goes inside that loop: it is cut as if it were a b-loop.
static void figures_9_and_10_a_horizontal_loop(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    flow(&u, "a| p; p: h; h: b e; b: h; e| x; x.");
    expect(&u, &w, 0, "entry: a -> a|\na|: a' p h b e -> e|\ne|: e' x -> exit\n");
    expect(&u, &w, RG_HORIZONTAL,
           "entry: a -> a|\n"
           "a|: a' p -> >p\n"
           "e|: e' x -> exit\n"
           "^h: h b e -> e| b< peeled\n"
           ">p: -> ^h\n"
           "b<: -> ^h\n");
    assert_true(w.is_regions);
    unload(&u);
    flow(&u, "a| p; p: h; h? b e; b: h; e| x; x."); // trip counts differ: as it is
    expect(&u, &w, RG_HORIZONTAL, "entry: a -> a|\na|: a' p h b e -> e|\ne|: e' x -> exit\n");
    unload(&u);
}

// Figure 11: of three private variables, the one used in one region only needs no place; the one
// that crosses gets an element of the context array for each work-item; and the one that is the
// same for all is one scalar.
static void figure_11_private_variables(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    load(&u,
         "@tile = internal addrspace(3) global [16 x i32] undef\n" KERNEL(
             "ptr addrspace(1) %p, i32 %n") "entry:\n %a = alloca i32\n %b = alloca i64\n %c = "
                                            "alloca i32\n"
                                            " %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
                                            " %t = trunc i64 %id to i32\n store i32 %t, ptr %a\n "
                                            "store i64 %id, ptr %b\n store i32 %n, ptr %c\n"
                                            " %a0 = load i32, ptr %a\n store i32 %a0, ptr "
                                            "addrspace(3) @tile\n" BARRIER
                                            " %b0 = load i64, ptr %b\n store i64 %b0, ptr "
                                            "addrspace(1) %p\n"
                                            " %c0 = load i32, ptr %c\n store i32 %c0, ptr "
                                            "addrspace(1) %p\n ret void\n}\n");
    rg_form(&u.fns[0], 0, &u.a, &w);
    assert_int_equal(w.ncarried, 2);
    for (unsigned k = 0; k < 2; k++) {
        const struct rg_carried *x = &w.carried[k];
        size_t len;
        const char *name =
            LLVMGetValueName2(u.fns[0].vars[u.fns[0].webs[x->web].variable].alloca, &len);
        assert_true(!strcmp(name, "b") || !strcmp(name, "c"));
        assert_int_equal(x->uniform, !strcmp(name, "c"));
        assert_int_equal(x->size, !strcmp(name, "c") ? 4 : 8);
        assert_int_equal(x->offset, 0);
    }
    assert_int_equal(w.item_bytes, 8);
    assert_int_equal(w.group_bytes, 4);
    assert_int_equal(w.nlocals, 1); // and the automatic local variable becomes an argument
    unload(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4a_one_region),
        cmocka_unit_test(figure_4b_an_unconditional_barrier),
        cmocka_unit_test(figure_5_a_conditional_barrier),
        cmocka_unit_test(figure_6_tails_merge_behind_an_unconditional_barrier),
        cmocka_unit_test(figure_7_peeling),
        cmocka_unit_test(figure_8_a_b_loop),
        cmocka_unit_test(figures_9_and_10_a_horizontal_loop),
        cmocka_unit_test(figure_11_private_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
