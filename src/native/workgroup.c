// SPDX-License-Identifier: MIT
// The work-group function of a kernel: for each region a loop nest over the work-items, around a copy of its blocks.
//
//   cldbg.K:   slots; arguments
//   groups:    for g in first..last: ids and sizes of the group
//   region r:    scalars that the region takes over from others are read        (uniform slots)
//                for z, y, x: item = (z * ly + y) * lx + x
//                  copies of the region's blocks; each way out notes where to go on, and ends the iteration
//                where to go on: a return ends the group; behind a cut its branch is taken, once
//
// A slot that only one region uses at a time is one variable; one whose value a region takes over from another is an
// array over the work-items, or, when it is uniform, a scalar: within an iteration a copy of it is used, so that each
// work-item sees what was there before the region.
//
// Work-items of a group between two barriers are independent but for atomics: loads and stores that are not of a variable that
// work-items share by being run one after the other are in an access group, and the loops over work-items say that theirs are
// parallel (llvm.loop.parallel_accesses).
#include "native/abi.h"
#include "native/native.h"

#include "llvm/ir.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum place { PLACE_SHARED, PLACE_ARRAY, PLACE_SCALAR };

struct slot {
    enum place place;
    bool takes; // some region takes over its value
    LLVMValueRef memory; // SHARED: the variable; ARRAY: first element; SCALAR: the group's
    LLVMValueRef own;    // SCALAR: the copy
    LLVMTypeRef type;
};

struct gen {
    LLVMModuleRef m;
    LLVMContextRef c;
    LLVMBuilderRef b;
    const struct nat_form *w;
    const struct rg_fn *f;
    const struct nat_slots *slots;
    struct slot *slot;
    char *first;        // by slot and block: see find_accesses
    struct map slot_of; // alloca → slot + 1
    struct map now;     // what stands for a value of the kernel, for the whole function or the block that is copied
    LLVMValueRef fn, launch, next;
    LLVMTypeRef i64, i32, ptr;
    // of the group
    LLVMValueRef group[3], size[3], base[3], fields[14], items;
    LLVMValueRef local[3], item; // of the work-item
    LLVMBasicBlockRef *heads;    // by region
    LLVMBasicBlockRef group_end;
    LLVMMetadataRef access;
    unsigned access_kind, loop_kind, nloops;
};

static char *accesses(struct gen *g, size_t slot) { return g->first + slot * g->f->nblocks; }
static LLVMValueRef k64(struct gen *g, uint64_t x) { return LLVMConstInt(g->i64, x, false); }
static LLVMBasicBlockRef block(struct gen *g, const char *name) { return LLVMAppendBasicBlockInContext(g->c, g->fn, name); }
static void at_end(struct gen *g, LLVMBasicBlockRef b) { LLVMPositionBuilderAtEnd(g->b, b); }

// ---- slots

static LLVMValueRef pointer_of(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return LLVMGetOperand(i, 0);
    case LLVMStore: return LLVMGetOperand(i, 1);
    default: return NULL;
    }
}

// The alloca that a pointer is based on, through GEPs and casts, else NULL.
static LLVMValueRef root(LLVMValueRef p)
{
    while (LLVMIsAInstruction(p) && (LLVMGetInstructionOpcode(p) == LLVMGetElementPtr || LLVMGetInstructionOpcode(p) == LLVMBitCast ||
                                     LLVMGetInstructionOpcode(p) == LLVMAddrSpaceCast))
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) ? p : NULL;
}

// By slot and block, 0: not touched, 1: read before it is written, 2: written first.
static void find_accesses(struct gen *g)
{
    const struct rg_fn *f = g->f;
    g->first = mem_alloc(g->slots->len * f->nblocks + 1);
    for (unsigned b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = f->blocks[b].first; i && i != f->blocks[b].stop; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = pointer_of(i);
            uint64_t *s = p ? map_get_ptr(&g->slot_of, p) : NULL;
            if (s && !accesses(g, *s - 1)[b]) accesses(g, *s - 1)[b] = LLVMGetInstructionOpcode(i) == LLVMLoad ? 1 : 2;
        }
}

static bool taken_over(const struct nat_form *w, const struct rg_fn *f, const struct nat_region *r, const char *access)
{
    bool *seen = mem_alloc(f->nblocks), found = false;
    VEC(unsigned) work = {0};
    vec_push(&work, r->start);
    while (work.len && !found) {
        unsigned b = vec_pop(&work);
        if (seen[b]) continue;
        seen[b] = true;
        if (access[b] == 1) found = true;
        if (access[b]) continue;
        for (unsigned k = 0; k < f->blocks[b].nsucc && !r->leaves[b]; k++) vec_push(&work, f->blocks[b].succ[k]);
    }
    vec_free(&work);
    free(seen);
    return found;
}

// Whether all that is done with an object of the program happens in one region, by instructions that show it.
static bool stays_in_region(struct gen *g, LLVMValueRef p, int *region)
{
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int b = LLVMIsAInstruction(i) ? rg_block_of(g->f, i) : -1;
        if (b < 0) continue;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad: break;
        case LLVMStore:
            if (LLVMGetOperand(i, 0) == p) return false;
            break;
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
            if (!stays_in_region(g, i, region)) return false;
            break;
        case LLVMCall:
            if (strncmp(l_name(l_callee(i)), "llvm.", 5)) return false;
            break;
        default: return false;
        }
        for (unsigned r = 0; r < g->w->nregions; r++) {
            if (!g->w->regions[r].has[b]) continue;
            if (*region >= 0 && *region != (int)r) return false;
            *region = (int)r;
        }
    }
    return true;
}

static void place_slots(struct gen *g)
{
    const struct rg_fn *f = g->f;
    g->slot = mem_alloc((g->slots->len + 1) * sizeof *g->slot);
    for (size_t k = 0; k < g->slots->len; k++) *map_put_ptr(&g->slot_of, g->slots->data[k].alloca, NULL) = k + 1;
    find_accesses(g);
    for (size_t k = 0; k < g->slots->len; k++) {
        const struct nat_slot *s = &g->slots->data[k];
        struct slot *t = &g->slot[k];
        t->type = LLVMGetAllocatedType(s->alloca);
        if (!s->own) {
            int region = -1;
            t->place = g->w->nregions > 1 && !stays_in_region(g, s->alloca, &region) ? PLACE_ARRAY : PLACE_SHARED;
            continue;
        }
        bool takes = false, at_cut = false;
        for (unsigned r = 0; r < g->w->nregions && !takes; r++) takes = taken_over(g->w, f, &g->w->regions[r], accesses(g, k));
        for (unsigned b = 0; b < f->nblocks; b++) {
            LLVMValueRef stop = f->blocks[b].stop;
            at_cut |= g->w->cut[b] && f->blocks[b].nsucc > 1 && LLVMIsALoadInst(LLVMGetOperand(stop, 0)) &&
                      pointer_of(LLVMGetOperand(stop, 0)) == s->alloca;
        }
        t->takes = takes;
        t->place = !takes && !at_cut ? PLACE_SHARED : s->uniform ? PLACE_SCALAR : PLACE_ARRAY;
    }
}

static LLVMValueRef variable(struct gen *g, LLVMTypeRef t, const char *name)
{
    LLVMValueRef a = LLVMBuildAlloca(g->b, t, name);
    return a;
}

static void make_slots(struct gen *g)
{
    for (size_t k = 0; k < g->slots->len; k++) {
        struct slot *s = &g->slot[k];
        const unsigned align = LLVMGetAlignment(g->slots->data[k].alloca);
        if (s->place == PLACE_ARRAY) {
            s->memory = LLVMBuildArrayAlloca(g->b, s->type, g->items, "carried");
            LLVMSetAlignment(s->memory, align > 64 ? align : 64);
        } else {
            s->memory = variable(g, s->type, "");
            LLVMSetAlignment(s->memory, align);
        }
        if (s->place == PLACE_SCALAR) s->own = variable(g, s->type, "");
    }
}

// ---- work-item functions

static LLVMValueRef field(struct gen *g, unsigned i) { return g->fields[i]; }

static LLVMValueRef linear(struct gen *g, LLVMValueRef const *id, LLVMValueRef const *size)
{
    LLVMValueRef r = id[2];
    for (int d = 1; d >= 0; d--) r = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, r, size[d], ""), id[d], "");
    return r;
}

enum wi { LOCAL_ID, GLOBAL_ID, GROUP_ID, GLOBAL_SIZE, LOCAL_SIZE, ENQUEUED, NUM_GROUPS, OFFSET, DIM, GLOBAL_LINEAR, LOCAL_LINEAR, NO_WI };
static const char *const wi_names[] = {
    [LOCAL_ID] = "get_local_id", [GLOBAL_ID] = "get_global_id", [GROUP_ID] = "get_group_id", [GLOBAL_SIZE] = "get_global_size",
    [LOCAL_SIZE] = "get_local_size", [ENQUEUED] = "get_enqueued_local_size", [NUM_GROUPS] = "get_num_groups",
    [OFFSET] = "get_global_offset", [DIM] = "get_work_dim", [GLOBAL_LINEAR] = "get_global_linear_id", [LOCAL_LINEAR] = "get_local_linear_id",
};

static LLVMValueRef wi_in(struct gen *g, enum wi wi, unsigned d)
{
    switch (wi) {
    case LOCAL_ID: return g->local[d];
    case GLOBAL_ID: return LLVMBuildAdd(g->b, g->base[d], g->local[d], "");
    case GROUP_ID: return g->group[d];
    case GLOBAL_SIZE: return field(g, NAT_GLOBAL + d);
    case LOCAL_SIZE: return g->size[d];
    case ENQUEUED: return field(g, NAT_LOCAL + d);
    case NUM_GROUPS: return field(g, NAT_GROUPS + d);
    case OFFSET: return field(g, NAT_OFFSET + d);
    default: return k64(g, 0);
    }
}

static LLVMValueRef wi_plain(struct gen *g, enum wi wi)
{
    LLVMValueRef id[3];
    if (wi == DIM) return field(g, NAT_DIMS);
    if (wi == LOCAL_LINEAR) return linear(g, g->local, g->size);
    for (unsigned d = 0; d < 3; d++) id[d] = LLVMBuildSub(g->b, wi_in(g, GLOBAL_ID, d), field(g, NAT_OFFSET + d), "");
    return linear(g, id, &g->fields[NAT_GLOBAL]);
}

// Beyond the third dimension sizes are 1 and all else is 0.
static LLVMValueRef work_item(struct gen *g, LLVMValueRef call, enum wi wi, LLVMValueRef dim)
{
    const bool is_size = wi == GLOBAL_SIZE || wi == LOCAL_SIZE || wi == ENQUEUED || wi == NUM_GROUPS;
    LLVMValueRef r = k64(g, is_size);
    if (!dim) {
        r = wi_plain(g, wi);
    } else if (LLVMIsAConstantInt(dim)) {
        uint64_t d = LLVMConstIntGetZExtValue(dim);
        if (d < 3) r = wi_in(g, wi, (unsigned)d);
    } else {
        for (unsigned d = 0; d < 3; d++) {
            LLVMValueRef is = LLVMBuildICmp(g->b, LLVMIntEQ, dim, LLVMConstInt(LLVMTypeOf(dim), d, false), "");
            r = LLVMBuildSelect(g->b, is, wi_in(g, wi, d), r, "");
        }
    }
    return LLVMBuildIntCast2(g->b, r, LLVMTypeOf(call), false, "");
}

// ---- copying blocks

static LLVMValueRef value_now(struct gen *g, LLVMValueRef v)
{
    uint64_t *at = map_get_ptr(&g->now, v);
    if (at) return (LLVMValueRef)(uintptr_t)*at;
    return v;
}

static void now_is(struct gen *g, LLVMValueRef v, LLVMValueRef is) { *map_put_ptr(&g->now, v, NULL) = (uintptr_t)is; }

// Accesses that are independent between work-items: of memory that they cannot share, or that the program shares.
static bool is_parallel(struct gen *g, LLVMValueRef i)
{
    LLVMValueRef p = pointer_of(i);
    if (!p || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    if (space >= 1 && space <= 3) return true;
    LLVMValueRef a = root(p);
    uint64_t *s = a ? map_get_ptr(&g->slot_of, a) : NULL;
    return s && g->slot[*s - 1].place == PLACE_ARRAY;
}

static void copy_insn(struct gen *g, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMAlloca) return;
    if (op == LLVMCall) {
        char name[64];
        LLVMValueRef callee = l_callee(i);
        if (callee && (l_is_intrinsic(callee, "lifetime.start") || l_is_intrinsic(callee, "lifetime.end"))) return;
        rg_callee_base_name(i, name, sizeof name);
        for (unsigned k = 0; callee && LLVMIsDeclaration(callee) && k < NO_WI; k++)
            if (!strcmp(name, wi_names[k])) {
                now_is(g, i, work_item(g, i, k, LLVMGetNumArgOperands(i) ? value_now(g, LLVMGetOperand(i, 0)) : NULL));
                return;
            }
    }
    LLVMValueRef c = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(g->b, c);
    for (int k = LLVMGetNumOperands(i); k-- > 0;) LLVMSetOperand(c, (unsigned)k, value_now(g, LLVMGetOperand(i, (unsigned)k)));
    if (is_parallel(g, i)) LLVMSetMetadata(c, g->access_kind, LLVMMetadataAsValue(g->c, g->access));
    now_is(g, i, c);
}

// Slots as the copied code finds them: arrays by the work-item's number.
static void bind_slots(struct gen *g)
{
    for (size_t k = 0; k < g->slots->len; k++) {
        struct slot *s = &g->slot[k];
        LLVMValueRef at = s->memory;
        if (s->place == PLACE_ARRAY) at = LLVMBuildInBoundsGEP2(g->b, s->type, s->memory, &g->item, 1, "");
        if (s->place == PLACE_SCALAR) at = s->own;
        now_is(g, g->slots->data[k].alloca, at);
    }
}

// A branch that may come to close a loop of the program says so itself: LLVM, folding the branch of a loop over work-items that runs once,
// leaves that loop's metadata on what remains, and an outer loop would inherit the claim that its accesses are parallel.
static void ordinary_loop(struct gen *g, LLVMValueRef branch)
{
    char tag[32];
    snprintf(tag, sizeof tag, "cldbg.loop.%u", ++g->nloops);
    LLVMMetadataRef part = LLVMMDStringInContext2(g->c, tag, strlen(tag));
    LLVMSetMetadata(branch, g->loop_kind, LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, &part, 1)));
}

// Where the branch at the end of a cut goes: the heads of regions. Once for the group.
static void branch_behind_cut(struct gen *g, unsigned b)
{
    const struct rg_block *B = &g->f->blocks[b];
    if (B->end == RG_BARRIER || B->nsucc == 1) {
        ordinary_loop(g, LLVMBuildBr(g->b, g->heads[g->w->region_at[B->succ[0]]]));
        return;
    }
    LLVMValueRef cond = LLVMGetOperand(B->stop, 0), now = cond;
    if (LLVMIsALoadInst(cond)) {
        uint64_t *s = map_get_ptr(&g->slot_of, pointer_of(cond));
        assert(s);
        struct slot *t = &g->slot[*s - 1];
        now = LLVMBuildLoad2(g->b, t->type, t->memory, ""); // of an array: the first work-item's
    } else {
        now = value_now(g, cond);
    }
    LLVMValueRef c = LLVMInstructionClone(B->stop);
    LLVMSetOperand(c, 0, now);
    for (unsigned k = 0; k < B->nsucc; k++) LLVMSetSuccessor(c, k, g->heads[g->w->region_at[B->succ[k]]]);
    LLVMInsertIntoBuilder(g->b, c);
    ordinary_loop(g, c);
}

// ---- a region

struct nest {
    LLVMBasicBlockRef head[3], latch[3], body, done;
    LLVMValueRef id[3];
};

static void parallel_loop(struct gen *g, LLVMValueRef latch_branch)
{
    // nat_flatten makes of this: a distinct node that names itself first
    char tag[32];
    snprintf(tag, sizeof tag, "cldbg.loop.%u", ++g->nloops);
    LLVMMetadataRef accesses[] = {LLVMMDStringInContext2(g->c, "llvm.loop.parallel_accesses", 27), g->access};
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(g->c, tag, strlen(tag)), LLVMMDNodeInContext2(g->c, accesses, 2)};
    LLVMSetMetadata(latch_branch, g->loop_kind, LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, parts, 2)));
}

// Loops over z, y and x, opened: the builder stands in the body.
static void open_nest(struct gen *g, struct nest *n)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int d = 2; d >= 0; d--) {
        n->head[d] = block(g, names[d]);
        n->latch[d] = block(g, "next");
    }
    n->done = block(g, "done");
    for (int d = 2; d >= 0; d--) {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
        LLVMBuildBr(g->b, n->head[d]);
        at_end(g, n->head[d]);
        n->id[d] = g->local[d] = LLVMBuildPhi(g->b, g->i64, names[d]);
        LLVMValueRef zero = k64(g, 0);
        LLVMAddIncoming(n->id[d], &zero, &from, 1);
    }
    g->item = linear(g, g->local, g->size);
}

static void close_nest(struct gen *g, struct nest *n)
{
    for (int d = 0; d < 3; d++) {
        at_end(g, n->latch[d]);
        LLVMValueRef up = LLVMBuildAdd(g->b, n->id[d], k64(g, 1), "");
        LLVMSetNUW(up, true);
        LLVMSetNSW(up, true);
        LLVMAddIncoming(n->id[d], &up, &n->latch[d], 1);
        LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntULT, up, g->size[d], "");
        LLVMValueRef branch = LLVMBuildCondBr(g->b, more, n->head[d], d < 2 ? n->latch[d + 1] : n->done);
        if (d == 0) parallel_loop(g, branch); // the one that is vectorised
        else ordinary_loop(g, branch);
    }
    at_end(g, n->done);
}

static bool touches(struct gen *g, const struct nat_region *r, size_t slot)
{
    for (unsigned b = 0; b < g->f->nblocks; b++)
        if (r->has[b] && accesses(g, slot)[b]) return true;
    return false;
}

static bool leaf_only(struct gen *g, const struct nat_region *r)
{
    const struct rg_block *B = &g->f->blocks[r->start];
    return r->leaves[r->start] && !B->first;
}

static void go_on(struct gen *g, const struct nat_region *r)
{
    LLVMValueRef sw = NULL;
    if (r->nleaves > 1) {
        LLVMValueRef where = LLVMBuildLoad2(g->b, g->i32, g->next, "");
        LLVMBasicBlockRef never = block(g, "");
        sw = LLVMBuildSwitch(g->b, where, never, r->nleaves);
        at_end(g, never);
        LLVMBuildUnreachable(g->b);
    }
    for (unsigned b = 0; b < g->f->nblocks; b++) {
        if (!r->leaves[b]) continue;
        if (sw) {
            LLVMBasicBlockRef here = block(g, "");
            LLVMAddCase(sw, LLVMConstInt(g->i32, b, false), here);
            at_end(g, here);
        }
        if (g->f->blocks[b].end == RG_RETURN) ordinary_loop(g, LLVMBuildBr(g->b, g->group_end));
        else branch_behind_cut(g, b);
    }
}

static void region(struct gen *g, const struct nat_region *r)
{
    const struct rg_fn *f = g->f;
    struct nest n;
    at_end(g, g->heads[r - g->w->regions]);
    if (leaf_only(g, r)) { // nothing to do in it
        go_on(g, r);
        return;
    }
    bool *in = mem_alloc(g->slots->len + 1);
    LLVMValueRef *before = mem_alloc((g->slots->len + 1) * sizeof *before);
    for (size_t k = 0; k < g->slots->len; k++) {
        in[k] = g->slot[k].place == PLACE_SCALAR && touches(g, r, k);
        if (in[k]) before[k] = LLVMBuildLoad2(g->b, g->slot[k].type, g->slot[k].memory, "");
    }
    open_nest(g, &n);
    for (size_t k = 0; k < g->slots->len; k++)
        if (in[k]) LLVMBuildStore(g->b, before[k], g->slot[k].own);
    bind_slots(g);
    LLVMBasicBlockRef *copy = mem_alloc(f->nblocks * sizeof *copy), end = block(g, "end");
    for (unsigned b = 0; b < f->nblocks; b++)
        if (r->has[b]) copy[b] = block(g, "");
    LLVMBuildBr(g->b, copy[r->start]);
    for (unsigned b = 0; b < f->nblocks; b++) {
        if (!r->has[b]) continue;
        const struct rg_block *B = &f->blocks[b];
        at_end(g, copy[b]);
        for (LLVMValueRef i = B->first; i && i != B->stop; i = LLVMGetNextInstruction(i)) copy_insn(g, i);
        if (r->leaves[b]) {
            if (r->nleaves > 1) LLVMBuildStore(g->b, LLVMConstInt(g->i32, b, false), g->next);
            LLVMBuildBr(g->b, end);
        } else if (B->end == RG_BARRIER) {
            LLVMBuildBr(g->b, copy[B->succ[0]]);
        } else {
            LLVMValueRef c = LLVMInstructionClone(B->stop);
            if (B->nsucc > 1) LLVMSetOperand(c, 0, value_now(g, LLVMGetOperand(B->stop, 0)));
            for (unsigned k = 0; k < B->nsucc; k++) LLVMSetSuccessor(c, k, copy[B->succ[k]]);
            LLVMInsertIntoBuilder(g->b, c);
        }
    }
    at_end(g, end);
    for (size_t k = 0; k < g->slots->len; k++)
        if (in[k]) LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, g->slot[k].type, g->slot[k].own, ""), g->slot[k].memory);
    LLVMBuildBr(g->b, n.latch[0]);
    close_nest(g, &n);
    go_on(g, r);
    free(copy);
    free(before);
    free(in);
}

// ---- the function

static LLVMValueRef call_open(struct gen *g, const char *name, LLVMTypeRef *types, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef t = LLVMFunctionType(g->i64, types, n, false);
    LLVMValueRef fn = LLVMGetNamedFunction(g->m, name);
    if (!fn) fn = LLVMAddFunction(g->m, name, t);
    return LLVMBuildCall2(g->b, t, fn, args, n, "");
}

// Offsets of the local variables that the kernel uses, in one block; gives its size.
static uint64_t find_locals(struct gen *g, struct map *locals)
{
    uint64_t at = 0;
    l_each_global(g->m, v) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != 3) continue;
        bool used = false;
        for (LLVMUseRef u = LLVMGetFirstUse(v); u && !used; u = LLVMGetNextUse(u)) {
            LLVMValueRef i = LLVMGetUser(u);
            used = LLVMIsAInstruction(i) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)) == g->f->fn;
        }
        if (!used) continue;
        LLVMTypeRef t = LLVMGlobalGetValueType(v);
        uint64_t align = LLVMGetAlignment(v) > 16 ? LLVMGetAlignment(v) : 16;
        at = (at + align - 1) / align * align;
        *map_put_ptr(locals, v, NULL) = at + 1;
        at += l_size(g->m, t);
    }
    return at;
}

static LLVMValueRef argument(struct gen *g, LLVMValueRef param, LLVMValueRef given, bool by_value)
{
    LLVMTypeRef t = LLVMTypeOf(param);
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, t, given, "");
        LLVMSetAlignment(v, 1);
        return v;
    }
    return by_value || LLVMGetPointerAddressSpace(t) == 0 ? given : LLVMBuildAddrSpaceCast(g->b, given, t, "");
}

static void begin_group(struct gen *g, LLVMValueRef number)
{
    LLVMValueRef rest = number, nx = field(g, NAT_GROUPS), ny = field(g, NAT_GROUPS + 1);
    g->group[0] = LLVMBuildURem(g->b, rest, nx, "");
    rest = LLVMBuildUDiv(g->b, rest, nx, "");
    g->group[1] = LLVMBuildURem(g->b, rest, ny, "");
    g->group[2] = LLVMBuildUDiv(g->b, rest, ny, "");
    LLVMTypeRef types[] = {g->ptr, g->i32, g->i64};
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef args[] = {g->launch, LLVMConstInt(g->i32, d, false), g->group[d]};
        g->size[d] = call_open(g, NAT_LOCAL_SIZE, types, args, 3);
        LLVMValueRef first = LLVMBuildMul(g->b, g->group[d], field(g, NAT_LOCAL + d), "");
        g->base[d] = LLVMBuildAdd(g->b, first, field(g, NAT_OFFSET + d), "");
    }
}

static void set_text(struct gen *g, const char *key, const char *value)
{
    LLVMAddAttributeAtIndex(g->fn, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->c, key, (unsigned)strlen(key), value, (unsigned)strlen(value)));
}

static void declare(struct gen *g, const char *name, unsigned nparams)
{
    VEC(LLVMTypeRef) types = {0};
    for (unsigned i = 0; i < nparams + 2; i++) vec_push(&types, g->ptr);
    vec_push(&types, g->i64);
    vec_push(&types, g->i64);
    struct str full = {0};
    str_printf(&full, NAT_PREFIX "%s", name);
    g->fn = LLVMAddFunction(g->m, full.data, LLVMFunctionType(LLVMVoidTypeInContext(g->c), types.data, (unsigned)types.len, false));
    LLVMAddAttributeAtIndex(g->fn, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(g->c, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
    str_deinit(&full);
    vec_free(&types);
}

static void arguments(struct gen *g, unsigned nparams)
{
    const unsigned by = LLVMGetEnumAttributeKindForName("byval", 5);
    struct map locals = {0};
    const uint64_t bytes = find_locals(g, &locals);
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
    set_text(g, NAT_LOCALS, text);
    at_end(g, LLVMGetFirstBasicBlock(g->fn));
    for (unsigned i = 0; i < nparams; i++) {
        LLVMValueRef p = LLVMGetParam(g->f->fn, i);
        now_is(g, p, argument(g, p, LLVMGetParam(g->fn, i), LLVMGetEnumAttributeAtIndex(g->f->fn, i + 1, by) != NULL));
    }
    l_each_global(g->m, v) {
        uint64_t *at = map_get_ptr(&locals, v);
        if (!at) continue;
        LLVMValueRef offset = k64(g, *at - 1);
        LLVMValueRef p = LLVMBuildInBoundsGEP2(g->b, LLVMInt8TypeInContext(g->c), LLVMGetParam(g->fn, nparams), &offset, 1, "");
        now_is(g, v, LLVMBuildAddrSpaceCast(g->b, p, LLVMTypeOf(v), ""));
    }
    map_deinit(&locals);
}

void nat_workgroup(LLVMModuleRef m, const char *name, const struct nat_form *w, const struct rg_fn *f, const struct nat_slots *slots)
{
    struct gen g = {.m = m, .c = LLVMGetModuleContext(m), .w = w, .f = f, .slots = slots};
    const unsigned n = LLVMCountParams(f->fn);
    g.b = LLVMCreateBuilderInContext(g.c);
    g.i64 = LLVMInt64TypeInContext(g.c);
    g.i32 = LLVMInt32TypeInContext(g.c);
    g.ptr = LLVMPointerTypeInContext(g.c, 0);
    g.access_kind = LLVMGetMDKindIDInContext(g.c, "llvm.access.group", 17);
    g.loop_kind = LLVMGetMDKindIDInContext(g.c, "llvm.loop", 9);
    LLVMMetadataRef tag = LLVMMDStringInContext2(g.c, "cldbg.access", 12);
    g.access = LLVMMDNodeInContext2(g.c, &tag, 1);
    declare(&g, name, n);
    g.launch = LLVMGetParam(g.fn, n + 1);
    LLVMBasicBlockRef entry = block(&g, "entry"), head = block(&g, "groups"), body = block(&g, "group"), done = block(&g, "return");
    g.group_end = block(&g, "group_end");
    place_slots(&g);
    arguments(&g, n);
    for (unsigned i = 0; i < 13; i++) {
        LLVMValueRef at = k64(&g, i);
        g.fields[i] = LLVMBuildLoad2(g.b, g.i64, LLVMBuildInBoundsGEP2(g.b, g.i64, g.launch, &at, 1, ""), "");
    }
    g.items = call_open(&g, NAT_ITEMS, &g.ptr, &g.launch, 1);
    g.next = variable(&g, g.i32, "next");
    make_slots(&g);
    LLVMBuildBr(g.b, head);

    at_end(&g, head);
    LLVMValueRef number = LLVMBuildPhi(g.b, g.i64, "group"), first = LLVMGetParam(g.fn, n + 2);
    LLVMAddIncoming(number, &first, &entry, 1);
    LLVMBuildCondBr(g.b, LLVMBuildICmp(g.b, LLVMIntULT, number, LLVMGetParam(g.fn, n + 3), ""), body, done);
    at_end(&g, body);
    begin_group(&g, number);
    g.heads = mem_alloc(w->nregions * sizeof *g.heads);
    for (unsigned r = 0; r < w->nregions; r++) g.heads[r] = block(&g, "region");
    LLVMBuildBr(g.b, g.heads[0]);
    for (unsigned r = 0; r < w->nregions; r++) region(&g, &w->regions[r]);
    at_end(&g, g.group_end);
    LLVMValueRef up = LLVMBuildAdd(g.b, number, k64(&g, 1), "");
    LLVMAddIncoming(number, &up, &g.group_end, 1);
    ordinary_loop(&g, LLVMBuildBr(g.b, head));
    at_end(&g, done);
    LLVMBuildRetVoid(g.b);

    free(g.heads);
    free(g.slot);
    free(g.first);
    map_deinit(&g.slot_of);
    map_deinit(&g.now);
    LLVMDisposeBuilder(g.b);
}
