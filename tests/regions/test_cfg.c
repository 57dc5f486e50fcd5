// SPDX-License-Identifier: MIT
// Blocks, dominators, loops, variables, private memory and chains of reasons on small IR.
#include "tests/regions/unit.h"

#define ID      " %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n %i = trunc i64 %id to i32\n"
#define BARRIER " call spir_func void @_Z7barrierj(i32 1)\n"

// The block that begins with this LLVM block, `piece` barriers on.
static unsigned block(const struct unit *u, const char *name, unsigned piece)
{
    for (unsigned b = 0; b < u->fns[0].nblocks; b++)
        if (!strcmp(LLVMGetBasicBlockName(u->fns[0].blocks[b].bb), name) && !piece--) return b;
    fail_msg("no block %s", name);
    return 0;
}

static void blocks_are_cut_at_barriers(void **state)
{
    struct unit u;
    load(&u, KERNEL("i32 %n") "entry:\n" BARRIER " %x = add i32 %n, 1\n" BARRIER BARRIER
                              " ret void\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->nblocks, 4);
    for (unsigned b = 0; b < 3; b++) {
        assert_int_equal(f->blocks[b].end, RG_BARRIER);
        assert_int_equal(f->blocks[b].nsucc, 1);
        assert_int_equal(f->blocks[b].succ[0], b + 1);
        assert_int_equal(f->blocks[b + 1].idom, b);
        assert_int_equal(f->blocks[b].ipdom, b + 1);
    }
    assert_null(f->blocks[0].first);
    assert_null(f->blocks[2].first);
    assert_int_equal(f->blocks[3].end, RG_RETURN);
    assert_true(f->has_barrier);
    assert_int_equal(rg_block_of(f, f->blocks[1].first), 1);
    unload(&u);
}

static void an_async_copy_begins_the_next_block(void **state)
{
    struct unit u;
    load(&u, "declare spir_func i64 @_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event(ptr "
             "addrspace(3), ptr addrspace(1), i64, i64)\n"
             "declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, ptr)\n" KERNEL(
                 "ptr addrspace(3) %t, ptr addrspace(1) %p") "entry:\n %e = alloca i64\n"
                                                             " %x = call spir_func i64 "
                                                             "@_Z21async_work_group_"
                                                             "copyPU3AS3iPU3AS1Kim9ocl_event(ptr "
                                                             "addrspace(3) %t, ptr addrspace(1) "
                                                             "%p, i64 4, i64 0)\n"
                                                             " store i64 %x, ptr %e\n call "
                                                             "spir_func void "
                                                             "@_Z17wait_group_eventsiP9ocl_event("
                                                             "i32 1, ptr %e)\n ret void\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->nblocks, 3);
    assert_int_equal(f->blocks[0].barrier, RG_ASYNC_COPY);
    assert_int_equal(f->blocks[1].barrier, RG_WAIT_EVENTS);
    assert_ptr_equal(f->blocks[1].first, f->blocks[0].stop); // the copy is done after the meeting
    unload(&u);
}

static void dominators_and_post_dominators(void **state)
{
    struct unit u;
    load(&u, KERNEL("i1 %c") "entry:\n br i1 %c, label %a, label %b\na:\n br i1 %c, label %x, "
                             "label %y\nx:\n br label %z\ny:\n br label %z\n"
                             "z:\n br label %end\nb:\n br label %end\nend:\n ret void\nnowhere:\n "
                             "br label %end\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->nblocks, 7); // what is not reached is left out
    const unsigned a = block(&u, "a", 0), z = block(&u, "z", 0), end = block(&u, "end", 0);
    assert_int_equal(f->blocks[z].idom, a);
    assert_int_equal(f->blocks[a].ipdom, z);
    assert_int_equal(f->blocks[end].idom, 0);
    assert_int_equal(f->blocks[0].ipdom, end);
    assert_int_equal(f->blocks[end].ipdom, -1);
    assert_int_equal(f->blocks[block(&u, "b", 0)].ipdom, end);
    assert_true(rg_dominates(f, 0, z) && rg_dominates(f, a, z) && rg_dominates(f, z, z) &&
                !rg_dominates(f, a, end));
    bool marked[7] = {0};
    rg_dependants(f, a, marked);
    for (unsigned b = 0; b < 7; b++)
        assert_int_equal(marked[b], b == block(&u, "x", 0) || b == block(&u, "y", 0));
    unload(&u);
}

// Every block has a place in the tree of post-dominators, though no way leads out.
static void an_endless_loop_has_post_dominators(void **state)
{
    struct unit u;
    load(&u, KERNEL("i1 %c") "entry:\n br label %h\nh:\n br i1 %c, label %a, label %b\na:\n br "
                             "label %l\nb:\n br label %l\nl:\n" BARRIER " br label %h\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->blocks[block(&u, "h", 0)].ipdom, block(&u, "l", 0));
    assert_int_equal(f->nloops, 1);
    assert_true(f->loops[0].has_barrier);
    struct rg_workgroup w;
    struct str bad = {0};
    rg_form(f, 0, &u.a, &w);
    rg_validate(&w, &bad);
    assert_int_equal(bad.len, 0);
    assert_true(w.is_regions);
    unload(&u);
}

static void loops_nest(void **state)
{
    struct unit u;
    load(&u,
         KERNEL("i1 %c") "entry:\n br label %h\n"
                         "h:\n br i1 %c, label %k, label %end\n"
                         "k:\n br i1 %c, label %body, label %out\n"
                         "body:\n" BARRIER
                         " br i1 %c, label %k, label %more\nmore:\n br label %k\n" // two latches
                         "out:\n br i1 %c, label %m, label %h\n"
                         "m:\n br i1 %c, label %m, label %h\n"
                         "end:\n ret void\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->nloops, 3);
    assert_int_equal(f->loops[0].header, block(&u, "h", 0));
    assert_int_equal(f->loops[0].parent, -1);
    for (unsigned l = 1; l < 3; l++) assert_int_equal(f->loops[l].parent, 0);
    const unsigned k = block(&u, "k", 0), m = block(&u, "m", 0);
    const struct rg_loop *inner = &f->loops[f->blocks[k].loop],
                         *small = &f->loops[f->blocks[m].loop];
    assert_int_equal(inner->header, k);
    assert_int_equal(f->blocks[block(&u, "more", 0)].loop, f->blocks[k].loop);
    assert_true(inner->has_barrier && f->loops[0].has_barrier && !small->has_barrier);
    assert_int_equal(small->header, small->last);
    assert_int_equal(f->blocks[block(&u, "end", 0)].loop, -1);
    assert_false(f->irreducible);
    for (unsigned b = 0; b < f->nblocks;
         b++) // contiguous: what lies between header and last is inside
        for (int l = 0; l < 3; l++) {
            bool in = false;
            for (int x = f->blocks[b].loop; x >= 0; x = f->loops[x].parent) in |= x == l;
            assert_int_equal(in, b >= f->loops[l].header && b <= f->loops[l].last);
        }
    unload(&u);
}

static void a_cycle_with_two_entries_is_irreducible(void **state)
{
    struct unit u;
    struct rg_workgroup w;
    struct str bad = {0};
    load(&u,
         KERNEL("i1 %c") "entry:\n %i = call spir_func i64 @_Z12get_local_idj(i32 0)\n %v = icmp "
                         "eq i64 %i, 0\n br i1 %v, label %a, label %b\n"
                         "a:\n" BARRIER
                         " br label %b\nb:\n br i1 %c, label %a, label %end\nend:\n ret void\n}\n");
    assert_true(u.fns[0].irreducible && u.fns[0].may_part);
    rg_form(&u.fns[0], 0, &u.a, &w);
    rg_validate(&w, &bad);
    assert_int_equal(bad.len, 0);
    assert_false(w.is_regions);
    assert_string_equal(w.why_not,
                        "a loop has several entries, and work-items may take different ones");
    unload(&u);
}

// Definitions that reach common uses share a web; those that do not have webs of their own.
static void variables_have_webs(void **state)
{
    struct unit u;
    load(&u, KERNEL("i1 %c, i32 %n, ptr addrspace(1) %p") "entry:\n %x = alloca i32\n %y = alloca "
                                                          "i32\n %z = alloca i32\n store i32 1, "
                                                          "ptr %x\n %x0 = load i32, ptr %x\n"
                                                          " store i32 %x0, ptr addrspace(1) %p\n "
                                                          "br i1 %c, label %a, label %b\n"
                                                          "a:\n store i32 2, ptr %x\n br label "
                                                          "%j\nb:\n store i32 3, ptr %x\n store "
                                                          "i32 5, ptr %y\n br label %j\n"
                                                          "j:\n %x1 = load i32, ptr %x\n %y1 = "
                                                          "load i32, ptr %y\n %z0 = ptrtoint ptr "
                                                          "%z to i32\n ret void\n}\n");
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(f->nvars, 2); // z's address is taken
    LLVMValueRef x0 = NULL, x1 = NULL, y1 = NULL;
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            size_t n;
            const char *name = LLVMGetValueName2(i, &n);
            if (!strcmp(name, "x0")) x0 = i;
            if (!strcmp(name, "x1")) x1 = i;
            if (!strcmp(name, "y1")) y1 = i;
        }
    assert_int_not_equal(rg_web_of(f, x0), rg_web_of(f, x1));
    assert_false(f->webs[rg_web_of(f, x1)].has_undef);
    assert_int_equal(f->webs[rg_web_of(f, x1)].ndefs, 3); // two stores and where they meet
    assert_true(f->webs[rg_web_of(f, y1)].has_undef);
    unload(&u);
}

// Arrays: whether a load at a uniform place gives all work-items the same.
static bool array_is_uniform(const char *stores)
{
    struct unit u;
    struct str ir = {0};
    str_put(&ir,
            "declare spir_func void @other(ptr)\n" KERNEL(
                "i32 %n, ptr addrspace(1) %p") "entry:\n %a = alloca [4 x i32]\n" ID
                                               " %v = icmp slt i32 %i, %n\n %at = getelementptr [4 "
                                               "x i32], ptr %a, i64 0, i64 1\n"
                                               " %mine = getelementptr [4 x i32], ptr %a, i64 0, "
                                               "i64 %id\n");
    str_put(&ir, stores);
    str_put(&ir, " %x = load i32, ptr %at\n store i32 %x, ptr addrspace(1) %p\n ret void\n}\n");
    load(&u, ir.data);
    bool divergent = false;
    for (unsigned b = 0; b < u.fns[0].nblocks; b++)
        for (LLVMValueRef i = u.fns[0].blocks[b].first; i && i != u.fns[0].blocks[b].stop;
             i = LLVMGetNextInstruction(i)) {
            size_t n;
            if (!strcmp(LLVMGetValueName2(i, &n), "x")) divergent = rg_is_divergent(&u.fns[0], i);
        }
    str_deinit(&ir);
    unload(&u);
    return !divergent;
}

static void private_memory_is_uniform_as_its_stores_are(void **state)
{
    assert_true(array_is_uniform(" store i32 %n, ptr %at\n"));
    assert_true(array_is_uniform(" store i32 1, ptr %at\n br label %next\nnext:\n"));
    assert_false(array_is_uniform(" store i32 %i, ptr %at\n"));   // the value
    assert_false(array_is_uniform(" store i32 %n, ptr %mine\n")); // the place
    assert_false(array_is_uniform(" br i1 %v, label %some, label %next\nsome:\n store i32 %n, ptr "
                                  "%at\n br label %next\nnext:\n"));         // the latch
    assert_false(array_is_uniform(" call spir_func void @other(ptr %a)\n")); // somebody else
    assert_false(array_is_uniform(" store ptr %a, ptr addrspace(1) %p\n"));
    assert_true(array_is_uniform(
        " %y = load i32, ptr %mine\n store i32 %n, ptr %at\n")); // reading does nothing
}

// From the branch to the id: its condition, the variable's assignment, the id.
static void a_chain_says_why_a_branch_varies(void **state)
{
    struct unit u;
    load(&u, KERNEL("i32 %n") "entry:\n %x = alloca i32\n" ID
                              " store i32 %i, ptr %x\n %x0 = load i32, ptr %x\n %c = icmp slt i32 "
                              "%x0, %n\n br i1 %c, label %a, label %b\n"
                              "a:\n" BARRIER " br label %b\nb:\n ret void\n}\n");
    struct rg_link links[8];
    unsigned by[4];
    const struct rg_fn *f = &u.fns[0];
    assert_int_equal(rg_decided_by(f, block(&u, "a", 0), by, 4), 1);
    assert_int_equal(by[0], 0);
    assert_int_equal(rg_decided_by(f, block(&u, "b", 0), by, 4), 0);
    assert_int_equal(rg_why_varying(f, 0, links, 8), 3);
    assert_int_equal(links[0].kind, RG_LINK_BRANCH);
    assert_int_equal(links[1].kind, RG_LINK_ASSIGNED);
    assert_ptr_equal(links[1].variable, f->vars[0].alloca);
    assert_int_equal(links[2].kind, RG_LINK_ROOT);
    assert_int_equal(LLVMGetInstructionOpcode(links[2].at), LLVMCall);
    unload(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_cut_at_barriers),
        cmocka_unit_test(an_async_copy_begins_the_next_block),
        cmocka_unit_test(dominators_and_post_dominators),
        cmocka_unit_test(an_endless_loop_has_post_dominators),
        cmocka_unit_test(loops_nest),
        cmocka_unit_test(a_cycle_with_two_entries_is_irreducible),
        cmocka_unit_test(variables_have_webs),
        cmocka_unit_test(private_memory_is_uniform_as_its_stores_are),
        cmocka_unit_test(a_chain_says_why_a_branch_varies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
