// SPDX-License-Identifier: MIT
#ifndef NATIVE_WORKGROUP_H
#define NATIVE_WORKGROUP_H
#include "native/abi.h"
#include "native/native.h"

#include "llvm/ir.h"

/**
 * Shared by the steps of nat_workgroup: workgroup.c (the function), spill_slots.c (storage of
 * values that are live across blocks), work_item.c (ids and sizes), hazards.c (accesses that are
 * not parallel), region_loops.c (a region's loops and the copy of its blocks), continuations.c
 * (work-items that each resume from their own barrier).
 */
enum nat_storage { STORAGE_SHARED, STORAGE_ARRAY, STORAGE_SCALAR };

struct nat_slot_storage {
    enum nat_storage storage;
    bool takes;          // some region reads the value that another one wrote
    LLVMValueRef memory; // SHARED: the variable; ARRAY: first element; SCALAR: that of the group
    LLVMValueRef own;    // SCALAR: the copy
    LLVMTypeRef type;
};

struct nat_gen {
    LLVMModuleRef m;
    LLVMContextRef c;
    LLVMBuilderRef b;
    const struct nat_form *w;
    const struct rg_fn *f;
    const struct nat_slots *slots;
    const struct nat_shape *shape;
    struct nat_slot_storage *slot;
    char *first;        // by slot and block: see find_accesses
    struct map slot_of; // alloca → slot + 1
    struct map now; // the replacement of a value of the kernel, for the whole function or the block
                    // that is being copied
    LLVMValueRef fn, launch, next;
    LLVMTypeRef i64, i32, ptr;
    // of the group
    LLVMValueRef group[3], size[3], base[3], fields[NAT_FIELDS], items;
    // Of the block of the group that is run at a time; without blocks: of the group. extent: its
    // work-items; most: their maximum number.
    LLVMValueRef origin[3], extent[3];
    uint64_t block[3];
    bool in_registers;           // the values that loops of one block pass to one another
    bool calls_lanes;            // the region calls a function over lanes: LLVM takes
                                 // a call to be cheap, and would not vectorize for it
    LLVMValueRef local[3], item; // of the work-item; item: its index in the block
    LLVMBasicBlockRef *heads;    // by region
    LLVMBasicBlockRef group_end;
    // Continuations: the state of each work-item; NULL: all work-items are in the same region.
    LLVMValueRef at;
    LLVMValueRef all; // conjunction of the conditions in the current region: the value of NAT_ALL
    LLVMBasicBlockRef dispatch;
    // Of nat_shape.checks: i32, not 0 after an anomaly; i64, iterations left; i64, enum nat_count
    LLVMValueRef anomaly, ticks, counts[NAT_COUNTS];
    struct map hazards; // hazards.c: objects of the current region
    bool all_hazardous;
    LLVMMetadataRef access;
    unsigned access_kind, loop_kind, nloops;
};

static inline char *nat_accesses(struct nat_gen *g, size_t slot)
{
    return g->first + slot * g->f->nblocks;
}
static inline LLVMValueRef nat_k64(struct nat_gen *g, uint64_t x)
{
    return LLVMConstInt(g->i64, x, false);
}
static inline LLVMBasicBlockRef nat_block(struct nat_gen *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->c, g->fn, name);
}
static inline void nat_at_end(struct nat_gen *g, LLVMBasicBlockRef b)
{
    LLVMPositionBuilderAtEnd(g->b, b);
}
static inline LLVMValueRef nat_field(struct nat_gen *g, unsigned i) { return g->fields[i]; }

// ---- spill_slots.c
/** The pointer of a load or store; NULL for other instructions. */
LLVMValueRef nat_pointer_of(LLVMValueRef i);
/** The alloca that a pointer is based on, through GEPs and casts; NULL if there is none. */
LLVMValueRef nat_root(LLVMValueRef p);
/** Decides the storage of each slot. */
void nat_allocate_slots(struct nat_gen *g);
/** Creates the slots at the builder's position, in the function's entry. */
void nat_make_slots(struct nat_gen *g);
/** Binds slots to the addresses that the copied code uses: arrays are indexed by the work-item. */
void nat_bind_slots(struct nat_gen *g);
LLVMValueRef nat_variable(struct nat_gen *g, LLVMTypeRef t, const char *name);

// ---- work_item.c
/**
 * The result of a work-item function for the current work-item; NULL if the call is not of a
 * work-item function.
 */
LLVMValueRef nat_work_item(struct nat_gen *g, LLVMValueRef call);
LLVMValueRef nat_linear(struct nat_gen *g, LLVMValueRef const *id, LLVMValueRef const *size);

// ---- hazards.c
/** Finds the objects of a region whose accesses must not be marked parallel. */
void nat_find_hazards(struct nat_gen *g, const struct nat_region *r);
bool nat_is_hazard(const struct nat_gen *g, LLVMValueRef pointer);

// ---- values_now.c
/** The value in the copy that is being built of what the kernel computes as `v`. */
LLVMValueRef nat_value_now(struct nat_gen *g, LLVMValueRef v);
void nat_now_is(struct nat_gen *g, LLVMValueRef v, LLVMValueRef is);

// ---- region_loops.c
/** Marks a branch that may be the latch of a loop that is not over work-items. */
void nat_ordinary_loop(struct nat_gen *g, LLVMValueRef branch);
/** Whether a block begins with a sub-group function. */
bool nat_waits_for_sub_group(const struct nat_gen *g, unsigned block);
/** At the beginning and the end of a group: nat_shape.checks. */
void nat_begin_checks(struct nat_gen *g);
void nat_end_checks(struct nat_gen *g);
/** Builds region r at heads[r]. */
void nat_region_loops(struct nat_gen *g, const struct nat_region *r);

// ---- corrupt.c
/** For tests: after nat_bind_slots, one slot of region r may be replaced by another. */
void nat_corrupt_value(struct nat_gen *g, const struct nat_region *r);

// ---- continuations.c
/**
 * Creates g->at if it is needed, in the function's entry. The other functions are called only if it
 * exists.
 */
void nat_continue_make(struct nat_gen *g);
/** Starts a group, and dispatches to the next region. */
void nat_continue_group(struct nat_gen *g);
/** A work-item that is in region r continues here, all others at `not_in_it`. */
void nat_continue_enter(struct nat_gen *g, const struct nat_region *r, LLVMBasicBlockRef not_in_it);
/** A work-item leaves its region at the end of a block. */
void nat_continue_leave(struct nat_gen *g, unsigned block);
/** After the loops of a region. */
void nat_continue_on(struct nat_gen *g);
#endif
