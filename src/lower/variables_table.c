// SPDX-License-Identifier: MIT
// The tables that a debugger reads: every variable of the source, the types of them, the scopes.
// Programs that are not built for it have the types of the kernels' arguments, for reports.
#include "frontend/debug_types.h"
#include "lower/lw.h"

static uint32_t intern(void *m, const char *text) { return lw_intern(m, text); }

/** An argument, or the form in which clang keeps it in memory: a bool as i8, a 3-vector as four. */
static bool is_argument(LLVMValueRef v)
{
    if (LLVMIsAZExtInst(v) || LLVMIsAShuffleVectorInst(v)) v = LLVMGetOperand(v, 0);
    return LLVMIsAArgument(v);
}

// Clang stores a parameter into the variable that it gives it.
static bool is_parameter(LLVMValueRef v)
{
    if (LLVMIsAArgument(v)) return true;
    for (LLVMUseRef u = LLVMIsAAllocaInst(v) ? LLVMGetFirstUse(v) : NULL; u;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsAInstruction(i) && LLVMGetInstructionOpcode(i) == LLVMStore &&
            is_argument(LLVMGetOperand(i, 0)) && LLVMGetOperand(i, 1) == v)
            return true;
    }
    return false;
}

struct table {
    struct lw_module *m;
    struct fe_types types;
    VEC(struct bc_var) vars;
};

static void add(struct table *t, LLVMValueRef address)
{
    struct fe_variable v;
    if (!fe_debug_variable(t->m->debug, address, &v)) return;
    // Of a pipe clang's debug info has the type of its packets.
    const bool is_pipe = LLVMIsAAllocaInst(address) &&
                         lw_is_opaque(LLVMGetAllocatedType(address), "spirv.Pipe");
    vec_push(&t->vars, ((struct bc_var){.name = lw_intern(t->m, v.name),
                                        .type = is_pipe ? fe_type_pipe(&t->types, v.di_type)
                                                        : fe_type_number(&t->types, v.di_type),
                                        .object = lw_object(t->m, address),
                                        .scope = v.scope,
                                        .loc = v.loc,
                                        .is_param = is_parameter(address)}));
}

static void hand_over_types(struct lw_module *m, const struct fe_types *t)
{
    struct bc_module *o = m->out;
    o->dtypes = arena_dup(m->arena, t->types.data, t->types.len * sizeof *t->types.data);
    o->ndtypes = (uint32_t)t->types.len;
    o->members = arena_dup(m->arena, t->members.data, t->members.len * sizeof *t->members.data);
    o->nmembers = (uint32_t)t->members.len;
}

/** The variable that clang stores a parameter into, or NULL. */
static LLVMValueRef variable_of(LLVMValueRef param)
{
    LLVMUseRef u = LLVMGetFirstUse(param);
    LLVMValueRef i = u ? LLVMGetUser(u) : NULL;
    return i && LLVMIsAStoreInst(i) && LLVMIsAAllocaInst(LLVMGetOperand(i, 1))
               ? LLVMGetOperand(i, 1)
               : NULL;
}

void lw_argument_types(struct lw_module *m)
{
    struct fe_types t;
    fe_types_init(&t, m->llvm, intern, m);
    for (unsigned i = 0; i < m->nfns; i++) {
        LLVMValueRef fn = m->rg[i].fn;
        for (unsigned k = 0; l_is_kernel(fn) && k < LLVMCountParams(fn); k++) {
            LLVMValueRef p = LLVMGetParam(fn, k), at = variable_of(p);
            struct fe_variable v;
            if (at && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind &&
                fe_debug_variable(m->debug, at, &v))
                fe_type_number(&t, v.di_type);
        }
    }
    hand_over_types(m, &t);
    fe_types_deinit(&t);
}

void lw_variables(struct lw_module *m)
{
    struct table t = {.m = m};
    fe_types_init(&t.types, m->llvm, intern, m);
    l_each_global(m->llvm, g)
        if (map_get_ptr(&m->object_of, g)) add(&t, g);
    for (unsigned i = 0; i < m->nfns; i++) {
        LLVMValueRef fn = m->rg[i].fn;
        for (unsigned k = 0; k < LLVMCountParams(fn); k++)
            if (lw_is_byval(fn, k)) add(&t, LLVMGetParam(fn, k));
        l_each_block(fn, b)
            l_each_insn(b, inst)
                if (LLVMGetInstructionOpcode(inst) == LLVMAlloca) add(&t, inst);
    }
    uint32_t n;
    const struct fe_scope *s = fe_debug_scopes(m->debug, &n);
    struct bc_dscope *scopes = arena_array(m->arena, struct bc_dscope, n);
    for (uint32_t i = 0; i < n; i++)
        scopes[i] = (struct bc_dscope){s[i].parent, lw_intern(m, s[i].function),
                                       fe_type_number(&t.types, s[i].returns)};
    struct bc_module *o = m->out;
    o->vars = arena_dup(m->arena, t.vars.data, t.vars.len * sizeof *t.vars.data);
    o->nvars = (uint32_t)t.vars.len;
    hand_over_types(m, &t.types);
    o->scopes = scopes;
    o->nscopes = n;
    vec_free(&t.vars);
    fe_types_deinit(&t.types);
}
