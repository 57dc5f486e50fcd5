// SPDX-License-Identifier: MIT
// The driver of the lowering: from LLVM IR to bytecode in one function (lw_module).
#include "lower/lower.h"

#include "lower/lw.h"

// Copies what debug info numbered into the module's tables: same numbers.
static void take_places(struct lw_module *m)
{
    uint32_t n;
    const struct fe_loc *l = fe_debug_locs(m->debug, &n);
    struct bc_loc *locs = arena_array(m->arena, struct bc_loc, n);
    for (uint32_t i = 1; i < n; i++)
        locs[i] = (struct bc_loc){l[i].file,       l[i].line, l[i].col, lw_intern(m, l[i].function),
                                  l[i].inlined_at, l[i].scope};
    m->out->locs = locs;
    m->out->nlocs = n;
    const struct fe_file *f = fe_debug_files(m->debug, &n);
    struct bc_file *files = arena_array(m->arena, struct bc_file, n);
    for (uint32_t i = 0; i < n; i++)
        files[i] = (struct bc_file){lw_intern(m, f[i].name), lw_intern(m, f[i].path),
                                    lw_intern(m, f[i].text), f[i].first_line};
    m->out->files = files;
    m->out->nfiles = n;
}

static void hand_over(struct lw_module *m)
{
    struct bc_module *o = m->out;
#define GIVE(field, count, from)                                                                   \
    o->field = arena_dup(m->arena, m->from.data, m->from.len * sizeof *m->from.data);              \
    o->count = (uint32_t)m->from.len
    take_places(m);
    GIVE(fns, nfns, fns);
    GIVE(kernels, nkernels, kernels);
    o->nvariants = m->nvariants;
    o->nkernels -= m->nvariants;
    GIVE(args, nargs, args);
    GIVE(pieces, npieces, pieces);
    GIVE(objects, nobjects, objects);
    GIVE(relocs, nrelocs, relocs);
    GIVE(sites, nsites, sites);
    GIVE(strings, nstrings, strings);
#undef GIVE
}

// Blocks, variables and uniformity of all functions.
static void analyze(struct lw_module *m, const LLVMValueRef *fns, bool keep_in_memory)
{
    for (unsigned i = 0; i < m->nfns; i++) {
        rg_cfg_build(&m->rg[i], fns[i], &m->rg_arena);
        m->rg[i].keep_in_memory = keep_in_memory;
        rg_variables(&m->rg[i]);
    }
    rg_uniformity(m->rg, m->nfns);
}

static bool is_called(LLVMValueRef fn)
{
    for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == fn) return true;
    }
    return false;
}

// Whether lanes may wait for one another is asked of the program with its variables in registers:
// what lies in memory counts as varying, and would make nearly every loop with a barrier look as if
// lanes could part there.
static void analyze_for_debugger(struct lw_module *m, const LLVMValueRef *fns)
{
    bool *may_part = mem_alloc(m->nfns + 1);
    analyze(m, fns, false);
    for (unsigned i = 0; i < m->nfns; i++) {
        may_part[i] = m->rg[i].may_part;
        rg_fn_deinit(&m->rg[i]);
        m->rg[i] = (struct rg_fn){0};
    }
    analyze(m, fns, true);
    for (unsigned i = 0; i < m->nfns; i++) m->rg[i].may_part = may_part[i];
    free(may_part);
}

static struct err *lower(LLVMModuleRef llvm, struct fe_debug *d, bool for_debugger,
                         struct bc_module **out)
{
    struct lw_module M = {.llvm = llvm,
                          .debug = d,
                          .out = bc_module_create(),
                          .for_debugger = for_debugger},
                     *m = &M;
    m->arena = &m->out->arena;
    lw_intern(m, "");
    vec_push(&m->sites, (struct bc_mem){0});
    if (!for_debugger) rg_merge_blocks(llvm);
    VEC(LLVMValueRef) fns = {0};
    l_each_function(llvm, fn) {
        if (LLVMIsDeclaration(fn)) continue;
        // functions that were inlined everywhere are not lowered (a block still has the address of
        // its function)
        if (!l_is_kernel(fn) && !is_called(fn)) continue;
        vec_push(&fns, fn);
        *map_put_ptr(&m->fn_of, fn, NULL) = fns.len;
    }
    m->nfns = (unsigned)fns.len;
    m->rg = mem_alloc((m->nfns + 1) * sizeof *m->rg);
    if (for_debugger) analyze_for_debugger(m, fns.data);
    else analyze(m, fns.data, false);
    lw_globals(m);
    for (unsigned i = 0; i < m->nfns; i++) vec_push(&m->fns, (struct bc_fn){0});
    for (unsigned i = 0; i < m->nfns && !m->error; i++) lw_function(m, i);
    if (!m->error && for_debugger) lw_variables(m);
    if (!m->error && !for_debugger) lw_argument_types(m);
    if (!m->error && !for_debugger) lw_kernel_variants(m);
    if (!m->error) {
        lw_kernel_sizes(m);
        hand_over(m);
    }
    for (unsigned i = 0; i < m->nfns; i++) rg_fn_deinit(&m->rg[i]);
    arena_deinit(&m->rg_arena);
    free(m->rg);
    vec_free(&fns);
    vec_free(&m->strings);
    map_deinit(&m->string_of);
    vec_free(&m->fns);
    vec_free(&m->kernels);
    vec_free(&m->args);
    vec_free(&m->pieces);
    vec_free(&m->objects);
    vec_free(&m->relocs);
    vec_free(&m->sites);
    map_deinit(&m->object_of);
    map_deinit(&m->own_of);
    map_deinit(&m->fn_of);
    if (m->error) {
        bc_module_destroy(m->out);
        m->out = NULL;
    }
    *out = m->out;
    return m->error;
}

struct err *lw_module(LLVMModuleRef m, struct fe_debug *d, struct bc_module **out)
{
    return lower(m, d, false, out);
}

struct err *lw_module_for_debugging(LLVMModuleRef m, struct fe_debug *d, struct bc_module **out)
{
    return lower(m, d, true, out);
}
