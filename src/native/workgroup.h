// SPDX-License-Identifier: MIT
#ifndef NATIVE_WORKGROUP_H
#define NATIVE_WORKGROUP_H
#include "native/abi.h"
#include "native/native.h"

#include "llvm/ir.h"

/**
 * What the steps of nat_workgroup share: workgroup.c (the function), places.c (where values that
 * outlive a block are kept), work_item.c (ids and sizes), hazards.c (what is not parallel),
 * region_loops.c (a region's loops and the copy of its blocks), continuations.c (work-items that go
 * on each from its own barrier).
 */
enum nat_place { PLACE_SHARED, PLACE_ARRAY, PLACE_SCALAR };

struct nat_place_of {
    enum nat_place place;
    bool takes;          // some region takes over its value
    LLVMValueRef memory; // SHARED: the variable; ARRAY: first element; SCALAR: the group's
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
    struct nat_place_of *slot;
    char *first;        // by slot and block: see find_accesses
    struct map slot_of; // alloca → slot + 1
    struct map now; // what stands for a value of the kernel, for the whole function or the block
                    // that is copied
    LLVMValueRef fn, launch, next;
    LLVMTypeRef i64, i32, ptr;
    // of the group
    LLVMValueRef group[3], size[3], base[3], fields[14], items;
    // of the block of it that is run at a time; without blocks: the group's. extent: its
    // work-items; most: how many there can be
    LLVMValueRef origin[3], extent[3];
    uint64_t block[3];
    bool in_registers;           // the values handed over between loops of one block
    LLVMValueRef local[3], item; // of the work-item; item: its number in the block
    LLVMBasicBlockRef *heads;    // by region
    LLVMBasicBlockRef group_end;
    // continuations: by work-item where it is; NULL: all are at the same place
    LLVMValueRef at;
    LLVMValueRef
        all; // of the conditions of those that were in the present region: what NAT_ALL stands for
    LLVMBasicBlockRef dispatch;
    struct map hazards; // hazards.c: objects of the present region
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

// ---- places.c
/** The pointer of a load or store, else NULL. */
LLVMValueRef nat_pointer_of(LLVMValueRef i);
/** The alloca that a pointer is based on, through GEPs and casts, else NULL. */
LLVMValueRef nat_root(LLVMValueRef p);
/** Decides where each slot is kept. */
void nat_place_slots(struct nat_gen *g);
/** Makes them, where the builder stands: in the function's entry. */
void nat_make_slots(struct nat_gen *g);
/** Slots as the copied code finds them: arrays by the work-item's number. */
void nat_bind_slots(struct nat_gen *g);
LLVMValueRef nat_variable(struct nat_gen *g, LLVMTypeRef t, const char *name);

// ---- work_item.c
/** What a call of a work-item function gives for the present work-item; NULL: it is none. */
LLVMValueRef nat_work_item(struct nat_gen *g, LLVMValueRef call);
LLVMValueRef nat_linear(struct nat_gen *g, LLVMValueRef const *id, LLVMValueRef const *size);

// ---- hazards.c
/** Finds the objects of a region whose accesses are not to be said to be parallel. */
void nat_find_hazards(struct nat_gen *g, const struct nat_region *r);
bool nat_is_hazard(const struct nat_gen *g, LLVMValueRef pointer);

// ---- region_loops.c
LLVMValueRef nat_value_now(struct nat_gen *g, LLVMValueRef v);
void nat_now_is(struct nat_gen *g, LLVMValueRef v, LLVMValueRef is);
/** Marks a branch that may come to close a loop which is none over work-items. */
void nat_ordinary_loop(struct nat_gen *g, LLVMValueRef branch);
/** Whether a block begins with a function of sub-groups. */
bool nat_waits_for_sub_group(const struct nat_gen *g, unsigned block);
/** Builds region r behind heads[r]. */
void nat_region_loops(struct nat_gen *g, const struct nat_region *r);

// ---- corrupt.c
/** For tests: after nat_bind_slots one slot of region r may be another. */
void nat_corrupt_value(struct nat_gen *g, const struct nat_region *r);

// ---- continuations.c
/**
 * Makes g->at where it is needed, in the function's entry. The others are called if there is one.
 */
void nat_continue_make(struct nat_gen *g);
/** The beginning of a group, and where it is decided which region is next. */
void nat_continue_group(struct nat_gen *g);
/** A work-item that is in region r goes on behind it, any other to `not_in_it`. */
void nat_continue_enter(struct nat_gen *g, const struct nat_region *r, LLVMBasicBlockRef not_in_it);
/** A work-item leaves its region at the end of a block. */
void nat_continue_leave(struct nat_gen *g, unsigned block);
/** Behind the loops of a region. */
void nat_continue_on(struct nat_gen *g);
#endif
