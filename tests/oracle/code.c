// SPDX-License-Identifier: MIT
// Makes the module's functions ready: registers, operands, places, loops, and which components of a
// vector a load or store means. Clang writes `p->x = v` as a load of the vector, an insertelement
// and a store of the vector; the program means one component, and that is what is taken as
// accessed.
#include "walker.h"

#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct function *functions;
static struct type *types;
static LLVMTargetDataRef layout(void) { return LLVMGetModuleDataLayout(L.module); }

static void add_cells(struct type *t, LLVMTypeRef ty, uint64_t off)
{
    const LLVMTypeKind k = LLVMGetTypeKind(ty);
    if (k == LLVMStructTypeKind) {
        const char *name = LLVMGetStructName(ty);
        const unsigned first = t->n;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(ty); i++)
            add_cells(t, LLVMStructGetTypeAtIndex(ty, i),
                      off + LLVMOffsetOfElement(layout(), ty, i));
        for (unsigned i = first; name && !strncmp(name, "union.", 6) && i < t->n; i++)
            t->cells[i].in_union = true;
        return;
    }
    if (k == LLVMArrayTypeKind) {
        const uint64_t size = LLVMABISizeOfType(layout(), LLVMGetElementType(ty));
        for (uint64_t i = 0; i < LLVMGetArrayLength2(ty); i++)
            add_cells(t, LLVMGetElementType(ty), off + i * size);
        return;
    }
    if (k == LLVMVectorTypeKind) {
        const uint64_t size = LLVMABISizeOfType(layout(), LLVMGetElementType(ty));
        for (unsigned i = 0; i < LLVMGetVectorSize(ty); i++)
            add_cells(t, LLVMGetElementType(ty), off + i * size);
        return;
    }
    struct cell c = {.off = (uint32_t)off, .kind = 'i', .bits = 64};
    if (k == LLVMIntegerTypeKind) c.bits = (uint8_t)LLVMGetIntTypeWidth(ty);
    else if (k == LLVMFloatTypeKind) c.bits = 32, c.kind = 'f';
    else if (k == LLVMDoubleTypeKind) c.kind = 'f';
    else if (k == LLVMHalfTypeKind) c.bits = 16, c.kind = 'f';
    else if (k == LLVMPointerTypeKind || k == LLVMTargetExtTypeKind) c.kind = 'p';
    else give_up("type of kind %d", k);
    if (LLVMGetTypeKind(ty) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(ty) > 64)
        give_up("wide integer");
    c.bytes = (uint8_t)((c.bits + 7) / 8);
    t->cells = realloc(t->cells, (t->n + 1) * sizeof c);
    t->cells[t->n++] = c;
}

struct type *code_pointee(LLVMValueRef p)
{
    while (LLVMIsAAddrSpaceCastInst(p)) p = LLVMGetOperand(p, 0);
    LLVMTypeRef t = LLVMIsAAllocaInst(p)          ? LLVMGetAllocatedType(p)
                    : LLVMIsAGlobalVariable(p)    ? LLVMGlobalGetValueType(p)
                    : LLVMIsAGetElementPtrInst(p) ? LLVMGetGEPSourceElementType(p)
                                                  : NULL;
    for (int i = 2; LLVMIsAGetElementPtrInst(p) && i < LLVMGetNumOperands(p); i++)
        t = LLVMGetTypeKind(t) != LLVMStructTypeKind
                ? LLVMGetElementType(t)
                : LLVMStructGetTypeAtIndex(
                      t, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(p, (unsigned)i)));
    return t && LLVMGetTypeKind(t) == LLVMStructTypeKind ? code_type(t) : NULL;
}

struct type *code_type(LLVMTypeRef ty)
{
    for (struct type *t = types; t; t = t->next)
        if (t->t == ty) return t;
    struct type *t = calloc(1, sizeof *t);
    t->t = ty;
    t->next = types;
    types = t;
    const LLVMTypeKind k = LLVMGetTypeKind(ty);
    if (k == LLVMVoidTypeKind || k == LLVMMetadataTypeKind || k == LLVMLabelTypeKind ||
        k == LLVMFunctionTypeKind)
        return t;
    t->size = LLVMABISizeOfType(layout(), ty);
    t->is_vector = k == LLVMVectorTypeKind;
    add_cells(t, ty, 0);
    return t;
}

/** For variables of static lifetime: their objects, made at first sight. */
static uint64_t global_variable(LLVMValueRef v)
{
    static struct known {
        struct known *next;
        LLVMValueRef v;
        uint64_t at;
    } *all;
    for (struct known *k = all; k; k = k->next)
        if (k->v == v) return k->at;
    struct known *k = calloc(1, sizeof *k);
    k->next = all;
    k->v = v;
    all = k;
    size_t len;
    const char *full = LLVMGetValueName2(v, &len), *dot = strchr(full, '.');
    char *name = strdup(dot && dot[1] ? dot + 1 : full);
    for (char *p = strchr(name, '.'); p; p = NULL) *p = 0;
    LLVMTypeRef ty = LLVMGlobalGetValueType(v);
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    const uint64_t size = LLVMABISizeOfType(layout(), ty);
    if (space == LOCAL) {
        L.locals[L.nlocals].name = name;
        L.locals[L.nlocals].size = size;
        k->at = local_address(L.nlocals++);
        return k->at;
    }
    struct object *o = object_new(name, space == GLOBAL ? GLOBAL : CONSTANT, size, true);
    o->constant = space != GLOBAL;
    k->at = object_address(o);
    LLVMValueRef init = LLVMGetInitializer(v);
    if (init) {
        struct type *t;
        struct sc *s = code_constant(init, &t);
        for (unsigned i = 0; i < t->n; i++)
            object_put(o, t->cells[i].off, t->cells[i].bytes, (struct sc){.v = s[i].v});
    }
    return k->at;
}

static uint64_t constant_address(LLVMValueRef v)
{
    if (LLVMIsAGlobalVariable(v)) return global_variable(v);
    if (LLVMIsAConstantPointerNull(v)) return 0;
    if (LLVMIsAConstantInt(v)) return (uint64_t)LLVMConstIntGetSExtValue(v);
    if (!LLVMIsAConstantExpr(v)) give_up("constant address");
    switch (LLVMGetConstOpcode(v)) {
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMIntToPtr: return constant_address(LLVMGetOperand(v, 0));
    case LLVMPtrToInt:
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == LOCAL)
            give_up("the address of a local variable is a part of a constant");
        return constant_address(LLVMGetOperand(v, 0));
    case LLVMGetElementPtr: {
        uint64_t at = constant_address(LLVMGetOperand(v, 0));
        LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
        for (int i = 1; i < LLVMGetNumOperands(v); i++) {
            const int64_t x = LLVMConstIntGetSExtValue(LLVMGetOperand(v, (unsigned)i));
            if (i == 1) {
                at += (uint64_t)(x * (int64_t)LLVMABISizeOfType(layout(), t));
            } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
                at += LLVMOffsetOfElement(layout(), t, (unsigned)x);
                t = LLVMStructGetTypeAtIndex(t, (unsigned)x);
            } else {
                t = LLVMGetElementType(t);
                at += (uint64_t)(x * (int64_t)LLVMABISizeOfType(layout(), t));
            }
        }
        return at;
    }
    default: give_up("constant expression %d", LLVMGetConstOpcode(v));
    }
}

static uint64_t float_bits(double d, unsigned bits)
{
    uint64_t v = 0;
    if (bits == 64) return memcpy(&v, &d, 8), v;
    if (bits == 32) {
        float f = (float)d;
        return memcpy(&v, &f, 4), v;
    }
    _Float16 h = (_Float16)d;
    return memcpy(&v, &h, 2), v;
}

static unsigned fill(LLVMValueRef v, struct type *t, struct sc *out)
{
    if (LLVMIsUndef(v) || LLVMIsPoison(v)) {
        for (unsigned i = 0; i < t->n; i++)
            out[i] =
                (struct sc){.u = t->cells[i].bits == 64 ? ~0ull : (1ull << t->cells[i].bits) - 1};
        return t->n;
    }
    if (LLVMIsAConstantInt(v)) {
        out->v = LLVMConstIntGetZExtValue(v);
        return 1;
    }
    if (LLVMIsAConstantFP(v)) {
        LLVMBool lost;
        out->v = float_bits(LLVMConstRealGetDouble(v, &lost), t->cells[0].bits);
        return 1;
    }
    if (LLVMIsAConstantAggregateZero(v) || LLVMIsAConstantPointerNull(v) ||
        LLVMGetTypeKind(t->t) == LLVMTargetExtTypeKind)
        return t->n;
    if (LLVMIsAConstantDataArray(v) || LLVMIsAConstantDataVector(v) || LLVMIsAConstantVector(v) ||
        LLVMIsAConstantArray(v) || LLVMIsAConstantStruct(v)) {
        unsigned n = 0;
        const LLVMTypeKind k = LLVMGetTypeKind(t->t);
        const unsigned count = k == LLVMStructTypeKind  ? LLVMCountStructElementTypes(t->t)
                               : k == LLVMArrayTypeKind ? (unsigned)LLVMGetArrayLength2(t->t)
                                                        : LLVMGetVectorSize(t->t);
        for (unsigned i = 0; i < count; i++) {
            LLVMValueRef e = LLVMGetAggregateElement(v, i);
            n += fill(e, code_type(LLVMTypeOf(e)), out + n);
        }
        return n;
    }
    out->v = constant_address(v);
    return 1;
}

struct sc *code_constant(LLVMValueRef v, struct type **t)
{
    *t = code_type(LLVMTypeOf(v));
    struct sc *s = calloc((*t)->n + 1, sizeof *s);
    fill(v, *t, s);
    return s;
}

// ---- registers by value

struct numbering {
    struct function *f;
    LLVMValueRef *values;
    unsigned *regs, n;
};

static unsigned reg_of(const struct numbering *m, LLVMValueRef v)
{
    for (unsigned i = m->n; i-- > 0;)
        if (m->values[i] == v) return m->regs[i];
    give_up("a value is not known");
}

static unsigned give_reg(struct numbering *m, LLVMValueRef v, unsigned n)
{
    m->values = realloc(m->values, (m->n + 1) * sizeof *m->values);
    m->regs = realloc(m->regs, (m->n + 1) * sizeof *m->regs);
    m->values[m->n] = v;
    m->regs[m->n++] = m->f->nregs;
    m->f->nregs += n;
    return m->f->nregs - n;
}

static bool is_local_number(LLVMValueRef v)
{
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == LOCAL;
}

static struct operand operand(const struct numbering *m, LLVMValueRef v)
{
    struct operand o = {0};
    struct type *t;
    if (is_local_number(
            v)) { // another one in each work-group: a register that has it from the start
        struct function *f = m->f;
        f->numbers = realloc(f->numbers, (f->nnumbers + 1) * sizeof *f->numbers);
        f->numbers[f->nnumbers++] =
            (struct local_number){f->nregs, constant_address(LLVMGetOperand(v, 0))};
        return (struct operand){.reg = f->nregs++, .n = 1};
    }
    if (LLVMIsAConstant(v)) {
        if (LLVMIsAFunction(v)) give_up("a function's address");
        o.k = code_constant(v, &t);
        o.n = t->n;
    } else {
        o.reg = reg_of(m, v);
        o.n = code_type(LLVMTypeOf(v))->n;
    }
    return o;
}

// ---- which components of vectors are meant

static int64_t constant_index(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? (int64_t)LLVMConstIntGetZExtValue(v) : -1;
}
static uint64_t all_of(LLVMValueRef v)
{
    const unsigned n = code_type(LLVMTypeOf(v))->n;
    return n >= 64 ? ~0ull : (1ull << n) - 1;
}

/** Does component i of v come unchanged from component i of memory at p, or from nowhere? */
static bool unchanged(LLVMValueRef v, unsigned i, LLVMValueRef p)
{
    if (LLVMIsAConstant(v))
        return LLVMIsUndef(v) ||
               (LLVMIsAConstantVector(v) &&
                LLVMIsUndef(LLVMGetAggregateElement(v, i))); // a 3-vector's fourth
    if (LLVMIsALoadInst(v)) return LLVMGetOperand(v, 0) == p && !LLVMGetVolatile(v);
    if (LLVMIsAInsertElementInst(v)) {
        const int64_t at = constant_index(LLVMGetOperand(v, 2));
        return at != i && unchanged(LLVMGetOperand(v, 0), i, p);
    }
    if (LLVMIsAShuffleVectorInst(v)) {
        const int m = LLVMGetMaskValue(v, i);
        if (m == LLVMGetUndefMaskElem()) return true;
        const unsigned n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
        LLVMValueRef from = LLVMGetOperand(v, (unsigned)m >= n);
        // the component must be the same, whatever it passed through
        if (LLVMIsALoadInst(from)) return (unsigned)m % n == i && LLVMGetOperand(from, 0) == p;
        if (LLVMIsAShuffleVectorInst(from) && (unsigned)m < n)
            return (unsigned)m == i && unchanged(from, i, p);
        if (LLVMIsAInsertElementInst(from) && (unsigned)m % n == i) return unchanged(from, i, p);
    }
    return false;
}

static uint64_t stored(LLVMValueRef s)
{
    LLVMValueRef v = LLVMGetOperand(s, 0), p = LLVMGetOperand(s, 1);
    uint64_t mask = all_of(v);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVectorTypeKind) return mask;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(v)); i++)
        if (unchanged(v, i, p)) mask &= ~(1ull << i);
    return mask;
}

/** `v[i] = x` with a variable i: only that component is stored. */
static LLVMValueRef stored_at(LLVMValueRef s)
{
    LLVMValueRef v = LLVMGetOperand(s, 0);
    if (!LLVMIsAInsertElementInst(v) || constant_index(LLVMGetOperand(v, 2)) >= 0) return NULL;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    return LLVMIsALoadInst(from) && LLVMGetOperand(from, 0) == LLVMGetOperand(s, 1)
               ? LLVMGetOperand(v, 2)
               : NULL;
}

static uint64_t wanted(LLVMValueRef v)
{
    uint64_t mask = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAExtractElementInst(user) && LLVMGetOperand(user, 0) == v) {
            const int64_t at = constant_index(LLVMGetOperand(user, 1));
            mask |= at < 0 ? all_of(v) : 1ull << at;
        } else if (LLVMIsAInsertElementInst(user) && LLVMGetOperand(user, 0) == v) {
            const int64_t at = constant_index(LLVMGetOperand(user, 2));
            mask |= at < 0 ? wanted(user) : wanted(user) & ~(1ull << at);
        } else if (LLVMIsAShuffleVectorInst(user)) {
            const uint64_t of = wanted(user);
            const unsigned n = LLVMGetVectorSize(LLVMTypeOf(v));
            for (unsigned i = 0; i < LLVMGetNumMaskElements(user); i++) {
                const int m = LLVMGetMaskValue(user, i);
                if (m == LLVMGetUndefMaskElem() || !(of >> i & 1)) continue;
                if (LLVMGetOperand(user, (unsigned)m >= n) == v) mask |= 1ull << ((unsigned)m % n);
            }
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) {
            mask |= stored_at(user) ? 0 : stored(user);
        } else {
            mask |= all_of(v);
        }
    }
    return mask;
}

// ---- loops: natural ones, by dominators

static void find_loops(struct function *f)
{
    const unsigned n = f->nblocks;
    bool *dom = malloc(n * n); // dom[b * n + a]: a dominates b
    memset(dom, 1, n * n);
    for (unsigned a = 1; a < n; a++) dom[a] = false;
    struct edge {
        unsigned from, to;
    } *edges = NULL;
    unsigned nedges = 0;
    for (unsigned b = 0; b < n; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[b].b);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(t); s++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(t, s);
            for (unsigned c = 0; c < n; c++)
                if (f->blocks[c].b == to) {
                    edges = realloc(edges, (nedges + 1) * sizeof *edges);
                    edges[nedges++] = (struct edge){b, c};
                }
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned b = 1; b < n; b++)
            for (unsigned a = 0; a < n; a++) {
                if (!dom[b * n + a] || a == b) continue;
                bool all = true;
                for (unsigned e = 0; e < nedges; e++)
                    if (edges[e].to == b) all &= dom[edges[e].from * n + a];
                if (!all) dom[b * n + a] = false, more = true;
            }
    }
    f->in_loop = calloc(n, sizeof *f->in_loop);
    for (unsigned e = 0; e < nedges; e++) {
        const unsigned h = edges[e].to, latch = edges[e].from;
        if (!dom[latch * n + h]) continue;
        if (!f->in_loop[h]) f->in_loop[h] = calloc(n, 1);
        bool *in = f->in_loop[h];
        in[h] = true;
        unsigned *todo = malloc((nedges + n) * sizeof *todo), count = 0;
        if (!in[latch]) in[latch] = true, todo[count++] = latch;
        while (count) {
            const unsigned b = todo[--count];
            for (unsigned k = 0; k < nedges; k++)
                if (edges[k].to == b && !in[edges[k].from])
                    in[edges[k].from] = true, todo[count++] = edges[k].from;
        }
        free(todo);
    }
    free(dom);
    free(edges);
}

// ---- instructions

static void steps_of(struct insn *in, const struct numbering *m)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(in->v);
    const int n = LLVMGetNumOperands(in->v);
    in->steps = calloc((size_t)n, sizeof *in->steps);
    for (int i = 1; i < n; i++) {
        LLVMValueRef x = LLVMGetOperand(in->v, (unsigned)i);
        if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind) give_up("vector of addresses");
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            const unsigned k = (unsigned)LLVMConstIntGetZExtValue(x);
            in->offset += (int64_t)LLVMOffsetOfElement(layout(), t, k);
            t = LLVMStructGetTypeAtIndex(t, k);
            continue;
        }
        int64_t bound = -1;
        if (i > 1) {
            if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) bound = (int64_t)LLVMGetArrayLength2(t);
            t = LLVMGetElementType(t);
        }
        in->steps[in->nsteps++] = (struct step){operand(m, x), LLVMGetIntTypeWidth(LLVMTypeOf(x)),
                                                (int64_t)LLVMABISizeOfType(layout(), t), bound};
    }
}

static void builtin_name(struct insn *in, const char *mangled)
{
    if (strncmp(mangled, "_Z", 2)) {
        in->builtin = mangled;
        in->params = "";
        return;
    }
    char *end;
    const unsigned long len = strtoul(mangled + 2, &end, 10);
    in->builtin = strndup(end, len);
    in->params = strdup(end + len);
}

static struct block *block_of(struct function *f, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < f->nblocks; i++)
        if (f->blocks[i].b == b) return &f->blocks[i];
    give_up("a block is not known");
}

static struct type *in_memory(LLVMValueRef v, unsigned i, const char *how, bool is_call)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(how, strlen(how));
    LLVMAttributeRef a = is_call ? LLVMGetCallSiteEnumAttribute(v, i + 1, kind)
                                 : LLVMGetEnumAttributeAtIndex(v, i + 1, kind);
    return a ? code_type(LLVMGetTypeAttributeValue(a)) : NULL;
}

// A variable's declaration: its previous value is lost. Not of parameters, which have their values
// then. Up to LLVM 19 it can be had as an instruction, later only as a record before one.

static bool is_declared(LLVMValueRef variable)
{
    size_t len;
    return variable && LLVMIsAAllocaInst(variable) &&
           !strstr(LLVMGetValueName2(variable, &len), ".addr");
}

static void declared(struct insn *in, LLVMValueRef variable, const struct numbering *m)
{
    in->builtin = "declaration";
    in->params = "";
    in->nops = 1;
    in->ops = calloc(1, sizeof *in->ops);
    in->ops[0] = operand(m, variable);
    in->alloca_size = LLVMABISizeOfType(layout(), LLVMGetAllocatedType(variable));
}

#if LLVM_VERSION_MAJOR >= 22
static LLVMValueRef variable_of(LLVMDbgRecordRef r)
{
    LLVMValueRef v = LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare
                         ? LLVMDbgVariableRecordGetValue(r, 0)
                         : NULL;
    return is_declared(v) ? v : NULL;
}
#endif

/** Makes instructions of the records before i, if there is `code`; how many there are. */
static unsigned declarations(struct function *f, struct insn *code, LLVMValueRef i, struct block *b,
                             const struct numbering *m)
{
    unsigned n = 0;
#if LLVM_VERSION_MAJOR >= 22
    for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i); r; r = LLVMGetNextDbgRecord(r)) {
        LLVMValueRef v = variable_of(r);
        if (!v) continue;
        if (code) {
            code[n] = (struct insn){
                .op = LLVMCall,
                .v = v,
                .fn = f,
                .block = b,
                .type = code_type(LLVMVoidTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))))};
            declared(&code[n], v, m);
        }
        n++;
    }
#endif
    return n;
}

static void one(struct function *f, struct insn *in, const struct numbering *m)
{
    LLVMValueRef v = in->v;
    in->fn = f;
    in->op = LLVMGetInstructionOpcode(v);
    in->type = code_type(LLVMTypeOf(v));
    in->dst = in->type->n ? reg_of(m, v) : 0;
    LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(v);
    if (loc)
        in->line = (int)LLVMDILocationGetLine(loc), in->col = (int)LLVMDILocationGetColumn(loc);
    const int n = LLVMGetNumOperands(v);
    if (in->op != LLVMCall && in->op != LLVMBr && in->op != LLVMSwitch && in->op != LLVMPHI &&
        in->op != LLVMAlloca) {
        in->nops = (unsigned)n;
        in->ops = calloc((size_t)n + 1, sizeof *in->ops);
        for (int i = 0; i < n; i++) in->ops[i] = operand(m, LLVMGetOperand(v, (unsigned)i));
        if (n) in->from = code_type(LLVMTypeOf(LLVMGetOperand(v, 0)));
    }
    switch (in->op) {
    case LLVMAlloca:
        in->alloca_size = LLVMABISizeOfType(layout(), LLVMGetAllocatedType(v));
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 0)) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) != 1)
            give_up("alloca of many");
        size_t len;
        char *name = strdup(LLVMGetValueName2(v, &len)), *tail = strstr(name, ".addr");
        if (!tail &&
            (tail = strstr(
                 name,
                 ".i"))) // of a body that stands in its caller, with a number from the second on
            for (const char *p = tail + 2; *p && tail; p++)
                if (*p < '0' || *p > '9') tail = NULL;
        if (tail) *tail = 0;
        in->name = name;
        if (!strcmp(name, "retval")) in->name = f->returned;
        break;
    case LLVMLoad:
        in->align = LLVMGetAlignment(v);
        in->space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
        in->mask = in->type->is_vector ? wanted(v) : ~0ull;
        break;
    case LLVMStore:
        in->align = LLVMGetAlignment(v);
        in->space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 1)));
        in->mask = in->from->is_vector ? stored(v) : ~0ull;
        if (in->from->is_vector && stored_at(v)) {
            in->at = calloc(1, sizeof *in->at);
            *in->at = operand(m, stored_at(v));
        }
        break;
    case LLVMGetElementPtr: steps_of(in, m); break;
    case LLVMICmp: in->pred = (int)LLVMGetICmpPredicate(v); break;
    case LLVMFCmp: in->pred = (int)LLVMGetFCmpPredicate(v); break;
    case LLVMShuffleVector:
        in->nshuffle = LLVMGetNumMaskElements(v);
        in->shuffle = calloc(in->nshuffle, sizeof *in->shuffle);
        for (unsigned i = 0; i < in->nshuffle; i++) {
            in->shuffle[i] = LLVMGetMaskValue(v, i);
            if (in->shuffle[i] == LLVMGetUndefMaskElem()) in->shuffle[i] = -1;
        }
        break;
    case LLVMPHI:
        in->nops = LLVMCountIncoming(v);
        in->ops = calloc(in->nops, sizeof *in->ops);
        in->to = calloc(in->nops, sizeof *in->to);
        for (unsigned i = 0; i < in->nops; i++) {
            in->ops[i] = operand(m, LLVMGetIncomingValue(v, i));
            in->to[i] = block_of(f, LLVMGetIncomingBlock(v, i));
        }
        break;
    case LLVMBr:
    case LLVMSwitch:
        in->to = calloc(LLVMGetNumSuccessors(v), sizeof *in->to);
        in->cases = calloc(LLVMGetNumSuccessors(v), sizeof *in->cases);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(v); i++) {
            in->to[i] = block_of(f, LLVMGetSuccessor(v, i));
#if LLVM_VERSION_MAJOR >= 22
            if (in->op == LLVMSwitch && i)
                in->cases[i] = LLVMConstIntGetZExtValue(LLVMGetSwitchCaseValue(v, i));
#else
            if (in->op == LLVMSwitch && i)
                in->cases[i] = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2 * i));
#endif
        }
        in->nshuffle = LLVMGetNumSuccessors(v);
        if (in->op == LLVMSwitch || LLVMIsConditional(v)) {
            in->nops = 1;
            in->ops = calloc(1, sizeof *in->ops);
            in->ops[0] =
                operand(m, in->op == LLVMSwitch ? LLVMGetOperand(v, 0) : LLVMGetCondition(v));
        }
        break;
    case LLVMCall: {
        LLVMValueRef to = LLVMGetCalledValue(v);
        if (!LLVMIsAFunction(to)) give_up("call through a pointer");
        const char *called = LLVMGetValueName2(to, &len);
        if (!strncmp(called, "llvm.dbg.", 9)) {
            LLVMValueRef wrapped = LLVMGetOperand(v, 0), of[2] = {0};
            in->builtin = "nothing";
            in->params = "";
            if (LLVMGetMDNodeNumOperands(wrapped) == 1) LLVMGetMDNodeOperands(wrapped, of);
            if (!strcmp(called, "llvm.dbg.declare") && is_declared(of[0])) declared(in, of[0], m);
            break;
        }
        in->nops = LLVMGetNumArgOperands(v);
        in->ops = calloc(in->nops + 1, sizeof *in->ops);
        in->byval = calloc(in->nops + 1, sizeof *in->byval);
        for (unsigned i = 0; i < in->nops; i++) {
            in->ops[i] = operand(m, LLVMGetOperand(v, i));
            in->byval[i] = in_memory(v, i, "byval", true);
        }
        if (in->nops) in->from = code_type(LLVMTypeOf(LLVMGetOperand(v, 0)));
        if (LLVMCountBasicBlocks(to)) in->callee = code_function(to);
        else builtin_name(in, called);
        break;
    }
    default: break;
    }
}

/** A vector of which one component, chosen at run time, is read: carried out where it is chosen. */
static void lazy_loads(struct function *f)
{
    for (unsigned i = 0; i < f->ncode; i++) {
        struct insn *load = &f->code[i];
        LLVMUseRef u = load->op == LLVMLoad && load->type->is_vector ? LLVMGetFirstUse(load->v)
                                                                     : NULL;
        if (!u || LLVMGetNextUse(u)) continue;
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAExtractElementInst(user) || constant_index(LLVMGetOperand(user, 1)) >= 0)
            continue;
        for (unsigned k = 0; k < f->ncode; k++)
            if (f->code[k].v == user) f->code[k].lazy = load, load->mask = 0;
    }
}

struct function *code_function(LLVMValueRef fn)
{
    for (struct function *f = functions; f; f = f->next)
        if (f->v == fn) return f;
    struct function *f = calloc(1, sizeof *f);
    f->v = fn;
    f->next = functions;
    functions = f;
    size_t len;
    f->name = LLVMGetValueName2(fn, &len);
    char *returned = malloc(strlen(f->name) + 3);
    sprintf(returned, "%s()", f->name);
    f->returned = returned;
    struct numbering m = {f, NULL, NULL, 0};
    f->nargs = LLVMCountParams(fn);
    f->arg_reg = calloc(f->nargs + 1, sizeof *f->arg_reg);
    f->arg_type = calloc(f->nargs + 1, sizeof *f->arg_type);
    f->arg_byval = calloc(f->nargs + 1, sizeof *f->arg_byval);
    f->arg_sret = calloc(f->nargs + 1, sizeof *f->arg_sret);
    f->arg_name = calloc(f->nargs + 1, sizeof *f->arg_name);
    for (unsigned i = 0; i < f->nargs; i++) {
        LLVMValueRef p = LLVMGetParam(fn, i);
        f->arg_type[i] = code_type(LLVMTypeOf(p));
        f->arg_byval[i] = in_memory(fn, i, "byval", false);
        f->arg_sret[i] = in_memory(fn, i, "sret", false);
        f->arg_name[i] = LLVMGetValueName2(p, &len);
        f->arg_reg[i] = give_reg(&m, p, f->arg_type[i]->n);
    }
    f->nblocks = LLVMCountBasicBlocks(fn);
    f->blocks = calloc(f->nblocks, sizeof *f->blocks);
    unsigned nb = 0, n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b), nb++) {
        f->blocks[nb] = (struct block){.b = b, .number = nb, .first = n};
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i), n++) {
            struct type *t = code_type(LLVMTypeOf(i));
            if (t->n) give_reg(&m, i, t->n);
            n += declarations(f, NULL, i, NULL, &m);
        }
    }
    f->ncode = n;
    f->code = calloc(n, sizeof *f->code);
    n = 0;
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b].b); i;
             i = LLVMGetNextInstruction(i), n++) {
            n += declarations(f, f->code + n, i, &f->blocks[b], &m);
            f->code[n].v = i;
            f->code[n].block = &f->blocks[b];
            one(f, &f->code[n], &m);
        }
    lazy_loads(f);
    find_loops(f);
    free(m.values);
    free(m.regs);
    return f;
}

bool code_calls(const char *prefix)
{
    for (struct function *f = functions; f; f = f->next)
        for (unsigned i = 0; i < f->ncode; i++)
            if (f->code[i].builtin && !strncmp(f->code[i].builtin, prefix, strlen(prefix)))
                return true;
    return false;
}
