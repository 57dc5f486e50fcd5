// SPDX-License-Identifier: MIT
// What the instructions of the unfolded kernel do: accesses of memory, and what the proofs do not
// model, which becomes an obstacle to the properties that it touches. An instruction that is not
// known here is an obstacle.
#include "proof/kernel.h"

#include "llvm/ir.h"

#include <string.h>

void pk_obstruct(struct pk *k, enum proof_property p, const char *reason, LLVMValueRef insn)
{
    if (!k->obstacle[p].reason) k->obstacle[p] = (struct pk_obstacle){reason, insn};
}

void pk_obstruct_memory(struct pk *k, const char *reason, LLVMValueRef insn)
{
    static const enum proof_property all[] = {PROOF_LOCAL_RACES,  PROOF_GROUP_RACES,
                                              PROOF_GLOBAL_RACES, PROOF_BOUNDS,
                                              PROOF_INITIALIZED,  PROOF_OTHER};
    k->writes_anywhere = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pk_obstruct(k, all[i], reason, insn);
}

bool pk_is_division(LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static void access(struct pk *k, unsigned node, LLVMValueRef i, LLVMValueRef pointer, uint64_t size,
                   struct pk_access how)
{
    how.node = node;
    how.insn = i;
    how.pointer = pointer;
    how.space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    how.size = size;
    if (size) vec_push(&k->accesses, how);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names)) return true;
    return false;
}

/** Whether two objects may be the same or, as buffers, share memory. */
static bool may_overlap(const struct pk *k, unsigned a, unsigned b)
{
    const enum pk_base_kind x = k->bases.data[a].kind, y = k->bases.data[b].kind;
    return a == b || x == PK_NOWHERE || y == PK_NOWHERE || (x == PK_BUFFER && y == PK_BUFFER);
}

static void transfer(struct pk *k, unsigned node, LLVMValueRef i, bool copies)
{
    LLVMValueRef n = LLVMGetOperand(i, 2);
    if (!LLVMIsAConstantInt(n)) {
        pk_obstruct_memory(k, "memory is copied in an amount that is not a constant", i);
        return;
    }
    const uint64_t size = LLVMConstIntGetZExtValue(n);
    access(k, node, i, LLVMGetOperand(i, 0), size, (struct pk_access){.write = true, .align = 1});
    if (!copies) return;
    access(k, node, i, LLVMGetOperand(i, 1), size, (struct pk_access){.align = 1});
    const struct pk_addresses a = pk_address(k, node, LLVMGetOperand(i, 0)),
                              b = pk_address(k, node, LLVMGetOperand(i, 1));
    for (unsigned x = 0; x < a.n; x++)
        for (unsigned y = 0; y < b.n; y++)
            if (may_overlap(k, a.of[x].base, b.of[y].base))
                pk_obstruct(k, PROOF_OTHER, "a struct may be copied onto a part of itself", i);
}

static uint64_t bytes_of(struct pk *k, LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind ? 0
                                                              : l_store_size(k->m, LLVMTypeOf(v));
}

/** Of a call; the functions named _explicit have the scope as their last argument, or none. */
static unsigned scope_of_call(LLVMValueRef i, const char *name, bool compares)
{
    static const unsigned of[] = {0, 1, 2, 2, 0}; // memory_scope_work_item, … as clang numbers them
    const unsigned n = LLVMGetNumArgOperands(i);
    if (!str_ends(name, "_explicit")) return 2;
    const bool no_value = str_starts(name, "atomic_load") || str_starts(name, "atomic_flag");
    if (n < (compares ? 6u : no_value ? 3u : 4u)) return 2;
    LLVMValueRef scope = LLVMGetOperand(i, n - 1);
    if (!LLVMIsAConstantInt(scope)) return 0;
    const uint64_t v = LLVMConstIntGetZExtValue(scope);
    return v < sizeof of / sizeof *of ? of[v] : 0;
}

/** Of an instruction: that of the system, unless its text names another. */
static unsigned scope_of_instruction(LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if ((op == LLVMLoad || op == LLVMStore) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
        return 0;
    char *text = LLVMPrintValueToString(i);
    const bool other = strstr(text, "syncscope(") != NULL;
    LLVMDisposeMessage(text);
    return other ? 0 : 2;
}

static void atomic_call(struct pk *k, unsigned node, LLVMValueRef i, const char *name)
{
    const unsigned n = LLVMGetNumArgOperands(i);
    unsigned pointers = 0;
    for (unsigned a = 0; a < n; a++) pointers += is_pointer(LLVMGetOperand(i, a));
    if (pointers == 2 && n >= 3 && is_pointer(LLVMGetOperand(i, 1)) &&
        str_starts(name, "atomic_compare_exchange")) { // *expected: read, and written if it differs
        const uint64_t size = bytes_of(k, LLVMGetOperand(i, 2));
        access(k, node, i, LLVMGetOperand(i, 1), size, (struct pk_access){.align = 1});
        access(k, node, i, LLVMGetOperand(i, 1), size,
               (struct pk_access){.write = true, .align = 1});
        access(k, node, i, LLVMGetOperand(i, 0), size,
               (struct pk_access){.write = true,
                                  .atomic = true,
                                  .scope = scope_of_call(i, name, true),
                                  .align = (unsigned)size});
        return;
    }
    if (pointers != 1 || !is_pointer(LLVMGetOperand(i, 0))) {
        pk_obstruct_memory(k, "the proofs do not model this atomic function", i);
        return;
    }
    const bool flag = str_starts(name, "atomic_flag"), init = !strcmp(name, "atomic_init");
    uint64_t size = flag ? 4 : bytes_of(k, i);
    if (!size && n > 1) size = bytes_of(k, LLVMGetOperand(i, 1));
    access(k, node, i, LLVMGetOperand(i, 0), size ? size : 8,
           (struct pk_access){.write = strcmp(name, "atomic_load") &&
                                       strcmp(name, "atomic_load_explicit"),
                              .atomic = !init,
                              .scope = scope_of_call(i, name, false),
                              .align = (unsigned)(size ? size : 8)});
}

/** Images are other memory than buffers and local memory. */
static bool image_call(struct pk *k, unsigned node, LLVMValueRef i, const char *name)
{
    static const enum proof_property reads[] = {PROOF_BOUNDS, PROOF_INITIALIZED, PROOF_OTHER},
                                     writes[] = {PROOF_GROUP_RACES, PROOF_GLOBAL_RACES};
    const bool read = str_starts(name, "read_image"), write = str_starts(name, "write_image");
    if ((read || write) && pk_image_access(k, node, i)) return true;
    for (size_t p = 0; p < sizeof reads / sizeof *reads && (read || write); p++)
        pk_obstruct(k, reads[p], "the proofs do not model this use of an image", i);
    for (size_t p = 0; p < sizeof writes / sizeof *writes && write; p++)
        pk_obstruct(k, writes[p], "the proofs do not model this use of an image", i);
    if (str_starts(name, "image_block_"))
        pk_obstruct_memory(k, "the proofs do not model block accesses of images", i);
    return read || write || str_starts(name, "get_image_") || str_starts(name, "image_block_");
}

/** A function of the library without effects of its own: it computes, or uses memory. */
static void builtin_memory(struct pk *k, unsigned node, LLVMValueRef i, const char *name)
{
    static const char *const returns_by_pointer[] = {"fract", "modf", "sincos", NULL};
    static const char *const returns_int[] = {"frexp", "remquo", "lgamma_r", NULL};
    const unsigned n = LLVMGetNumArgOperands(i);
    unsigned pointers = 0;
    for (unsigned a = 0; a < n; a++) {
        const LLVMTypeKind t = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, a)));
        if (t == LLVMPointerTypeKind) pointers++;
        else if (t == LLVMTargetExtTypeKind) pointers += 2; // an image, event, …
    }
    if (!pointers) return; // it computes
    LLVMValueRef last = LLVMGetOperand(i, n - 1);
    if (pointers == 1 && is_pointer(last) &&
        (is_one_of(name, returns_by_pointer) || is_one_of(name, returns_int))) {
        const uint64_t size = bytes_of(k, i);
        access(k, node, i, last, size, (struct pk_access){.write = true, .align = 1});
        return;
    }
    pk_obstruct_memory(k, "the proofs do not model this function's use of memory", i);
}

/** A function of the sub-group: its result is any value. */
static void sub_group_call(struct pk *k, LLVMValueRef i, const char *name)
{
    static const char *const plain[] = {"sub_group_barrier", "sub_group_all", "sub_group_any",
                                        NULL};
    static const char *const asking[] = {"shuffle", "broadcast", "rotate"};
    if (str_starts(name, "sub_group_block_")) {
        pk_obstruct(k, PROOF_DIVERGENCE, "arguments of block accesses are not proved", i);
        return;
    }
    for (unsigned a = 0; a < LLVMGetNumArgOperands(i); a++)
        if (is_pointer(LLVMGetOperand(i, a)))
            pk_obstruct_memory(k, "the proofs do not model this function's use of memory", i);
    for (size_t a = 0; a < sizeof asking / sizeof *asking; a++) {
        if (!strstr(name, asking[a])) continue;
        pk_obstruct(k, PROOF_BOUNDS, "the work-item whose value is asked for is not proved", i);
        pk_obstruct(k, PROOF_INITIALIZED, "the work-item whose value is asked for is not proved",
                    i);
    }
    if (!is_one_of(name, plain) && !str_starts(name, "sub_group_reduce_") &&
        !str_starts(name, "sub_group_scan_"))
        pk_obstruct(k, PROOF_OTHER, "arguments of sub-group functions are not proved", i);
}

static void call(struct pk *k, unsigned node, LLVMValueRef i)
{
    static const char *const harmless[] = {"mem_fence",
                                           "read_mem_fence",
                                           "write_mem_fence",
                                           "atomic_work_item_fence",
                                           "barrier",
                                           "work_group_barrier",
                                           NULL};
    char name[64];
    LLVMValueRef callee = l_callee(i);
    if (!callee) {
        pk_obstruct_memory(k, "a function is called through a pointer", i);
        return;
    }
    if (l_is_debug(i) || str_starts(l_name(callee), "llvm.lifetime.")) return;
    if (l_is_intrinsic(callee, "memcpy") || l_is_intrinsic(callee, "memmove")) {
        transfer(k, node, i, true);
        return;
    }
    if (l_is_intrinsic(callee, "memset")) {
        transfer(k, node, i, false);
        return;
    }
    rg_callee_base_name(i, name, sizeof name);
    if (!strcmp(name, PK_DECLARED)) {
        const struct pk_addresses at = pk_address(k, node, LLVMGetOperand(i, 0));
        for (unsigned j = 0; j < at.n; j++)
            vec_push(&k->declared, (struct pk_declared){node, at.of[j].base, k->accesses.len});
        return;
    }
    if (!LLVMIsDeclaration(callee)) {
        pk_obstruct_memory(k, "this call was not inlined", i);
        pk_obstruct(k, PROOF_DIVERGENCE, "this call was not inlined", i);
        pk_obstruct(k, PROOF_DIVISIONS, "this call was not inlined", i);
        return;
    }
    if (!strcmp(name, "printf")) {
        pk_obstruct(k, PROOF_OTHER, "the arguments of printf are not proved", i);
        return;
    }
    if (is_one_of(name, harmless) || image_call(k, node, i, name)) return;
    if (rg_barrier_of(i) == RG_ASYNC_COPY) {
        pk_async_copy(k, node, i);
        return;
    }
    if (str_starts(name, "atomic_") || str_starts(name, "atom_")) {
        atomic_call(k, node, i, name);
        return;
    }
    if (str_starts(name, "convert_") && !(k->q->checks & PROOF_CHECK_CONVERSIONS))
        pk_obstruct(k, PROOF_OTHER, "a conversion may have no valid result", i);
    if (str_starts(name, "work_group_broadcast"))
        pk_obstruct(k, PROOF_BOUNDS, "the id of a broadcast is not proved", i);
    if (str_starts(name, "work_group_"))
        pk_obstruct(k, PROOF_OTHER, "arguments of work-group functions are not proved", i);
    if (rg_reconvergence_of(i) != RG_NO_RECONVERGENCE) {
        sub_group_call(k, i, name);
        return;
    }
    builtin_memory(k, node, i, name);
}

static void instruction(struct pk *k, unsigned node, LLVMValueRef i)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMLoad:
        access(k, node, i, LLVMGetOperand(i, 0), bytes_of(k, i),
               (struct pk_access){.atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic,
                                  .scope = scope_of_instruction(i),
                                  .align = LLVMGetAlignment(i)});
        break;
    case LLVMStore:
        access(k, node, i, LLVMGetOperand(i, 1), bytes_of(k, LLVMGetOperand(i, 0)),
               (struct pk_access){.write = true,
                                  .atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic,
                                  .scope = scope_of_instruction(i),
                                  .align = LLVMGetAlignment(i)});
        if (is_pointer(LLVMGetOperand(i, 0)))
            pk_obstruct(k, PROOF_OTHER, "a pointer is stored in memory", i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: {
        const uint64_t size = bytes_of(k, LLVMGetOperand(i, 1));
        access(k, node, i, LLVMGetOperand(i, 0), size,
               (struct pk_access){.write = true,
                                  .atomic = true,
                                  .scope = scope_of_instruction(i),
                                  .align = (unsigned)size});
        break;
    }
    case LLVMCall: call(k, node, i); break;
    case LLVMFPToSI:
    case LLVMFPToUI:
        if (!(k->q->checks & PROOF_CHECK_CONVERSIONS))
            pk_obstruct(k, PROOF_OTHER, "a conversion may have no valid result", i);
        break;
    case LLVMIntToPtr: pk_obstruct(k, PROOF_OTHER, "an integer becomes a pointer", i); break;
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMIndirectBr:
    case LLVMVAArg:
        pk_obstruct_memory(k, "the proofs do not model this instruction", i);
        pk_obstruct(k, PROOF_DIVERGENCE, "the proofs do not model this instruction", i);
        break;
    default: break; // values only, see values.c
    }
}

/**
 * A program that reaches __builtin_unreachable() has no defined behavior from there on: then
 * nothing is proved.
 */
static void unreachable(struct pk *k, unsigned node, LLVMValueRef i)
{
    if (k->q->assumes && l_is_assumption(i)) return;
    const pf reached = pf_and(&k->s, k->nodes.data[node].reached, pk_ids_hold(k));
    if (pk_solve(k, reached) == PK_NEVER) return;
    for (int p = 0; p < PROOF_PROPERTIES; p++)
        pk_obstruct(k, (enum proof_property)p, "code may be reached that is marked as unreachable",
                    i);
}

void pk_find_effects(struct pk *k)
{
    if (LLVMGetNamedMetadata(k->m, PK_POINTERS_OUTLIVE, strlen(PK_POINTERS_OUTLIVE)))
        pk_obstruct(k, PROOF_OTHER, "a function returns or stores pointers to private memory",
                    NULL);
    for (unsigned n = 0; n < k->nodes.len; n++) {
        const struct rg_block *b = &k->f.blocks[k->nodes.data[n].block];
        if (pf_is_false(&k->s, k->nodes.data[n].reached)) continue;
        for (LLVMValueRef i = b->first; i && i != b->stop; i = LLVMGetNextInstruction(i))
            instruction(k, n, i);
        if (b->end == RG_BARRIER) {
            k->has_barrier = true;
            if (b->barrier == RG_WAIT_EVENTS) pk_wait_events(k, n, b->stop);
        }
        if (b->end == RG_UNREACHABLE) unreachable(k, n, b->stop);
        if (b->end == RG_RECONVERGE)
            k->has_barrier |= rg_reconvergence_of(b->stop) == RG_RECONVERGES_ALL;
    }
}
