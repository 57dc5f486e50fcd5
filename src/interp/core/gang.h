// SPDX-License-Identifier: MIT
#ifndef INTERP_GANG_H
#define INTERP_GANG_H
#include "interp/core/memory_object.h"
#include "interp/decode/code.h"
#include "interp/lanes/isa.h"
#include "interp/livelock/gang_livelock.h"

/**
 * A gang is up to `code->width` lanes of one work-group. Its register file is one block: the
 * uniform slots (8 bytes each) and the varying registers (arrays over lanes, 64-byte aligned) of
 * every function that the kernel can reach, then scratch.
 *
 * Loops over lanes run to `n`, a multiple of VM_PAD, so that they have no tails: results of lanes
 * that do not exist are never used. Memory is not accessed for such lanes.
 */

/** A function's activation: which lanes wait before which block. */
struct vm_frame {
    const struct vm_fn *fn;
    uint64_t *pending; // bit per block
    uint32_t words, npending;
    uint8_t **masks;               // [block]: waiting lanes, if the bit of the block is set
    struct vm_lane_count *waiting; // [block]: number of waiting lanes
    uint8_t *mask;                 // lanes running
    uint32_t block;                // running
    uint32_t spins;                // loop headers re-entered while others wait
    uint16_t *sparse,
        *patience; // [loop]: iterations with few active lanes; their number at which the lanes are
                   // compacted
    struct vm_frame *caller;
    const struct bc_insn *call;      // in the caller
    const struct vm_insn *call_insn; // the same, decoded; only when stepped
    const struct vm_call_path *path; // NULL: call paths are not distinguished
};

/**
 * Numbers of lanes that depend only on the groups' shape: local ids by dimension and linear; in
 * packs also the group's index, the distance from the first lane in dimension 0, and 0. An id is
 * one of these plus g->ids.
 */
enum vm_lane_number {
    VM_LANE_X,
    VM_LANE_Y,
    VM_LANE_Z,
    VM_LANE_LINEAR,
    VM_LANE_GROUP,
    VM_LANE_OFFSET,
    VM_LANE_0,
    VM_LANE_NUMBERS
};

enum vm_state { VM_RUNNING, VM_WAITING, VM_YIELDED, VM_DONE };

struct vm_gang {
    // hot
    char *r;
    const uint8_t *mask; // 0xff for active lanes, otherwise 0
    uint32_t n; // lanes for which instructions run: `all`, or only the first ones in blocks where
                // no other is active
    uint32_t all, end; // nlanes, and the end of the active lanes, rounded up to VM_PAD
    uint32_t nlanes, nactive;
    struct vm_frame *frame;
    struct vm_object *objects;
    uint32_t nobjects;
    uint32_t nundef;   // number of rows with a set flag
    bool is_compacted; // the active lanes were compacted: compaction.h
    bool in_row;       // cached for insns == row_at and mask == row_mask: see active_lanes.h
    uint32_t row_first;
    uint64_t row_at;
    const uint8_t *row_mask;
    uint64_t insns, lane_insns;
    uint64_t effects;            // of the blocks that ran
    uint64_t slots, slots_until; // sum of nlanes over the instructions before number slots_until
    uint64_t counted;            // the part of lane_insns that was added to the launch (if there is
                                 // a limit)

    struct vm_worker *worker;
    struct vm_group *group;
    const struct vm_code *code;
    const struct vm_isa *isa;
    struct vm_gang *next;
    struct vm_frame *frames;
    uint8_t *full_mask, *spare_mask, *fail_mask, *ok_mask;
    uint64_t *offsets;              // scratch for addresses
    uint64_t *spread;               // scratch in the register file: a uniform index, repeated for
                                    // each lane
    uint32_t *elements;             // scratch for element indices
    uint16_t *lane_ids;             // scratch for object ids
    char *values;                   // scratch: stored values, packed
    uint32_t *lid[VM_LANE_NUMBERS]; // [..][lane]: enum vm_lane_number
    uint32_t lid_shape[3], lid_first;
    bool one_row;         // the groups of the pack are neighbors in dimension 0
    uint64_t *gids[2][3]; // [0: group id, 1: global id][dimension], by lane; for packs not in one
                          // row, if used
    uint64_t ids[BC_WI_KINDS * 3]; // work-item functions: the value, or the uniform part of it
    uint32_t first_item; // linear local id of lane 0, counted from the first group of the pack
    uint32_t *parked;    // [lane]: block of the barrier it waits at, plus 1
    uint32_t *flags;     // [lane]: flags flags of that barrier
    uint32_t nparked, nreturned;
    uint32_t ncopied;          // async copies that the gang began
    uint32_t *entered;         // [block of code]: lanes of its last run; only with VM_COVERAGE
    uint8_t *trips;            // [loop of code]: see block_counts.c; only with VM_COVERAGE
    uint32_t *nchoices;        // [lane]: since the last barrier that all passed; if code->decides
    struct vm_choice *choices; // [slot][lane]: a ring
    uint8_t *returned;         // mask
    char *private_mem;
    struct vm_undef *undef;              // or NULL
    struct vm_compaction *compaction;    // created on first use
    void *image_room;                    // created on first use: scratch of sys_image.c
    struct vm_description *descriptions; // [lane]; created on first use: sys_enqueue.c
    struct vm_lane_shapes *lane_shapes;  // created on first use: lane_shapes.h
    bool *worker_changed; // set when a store changes memory (kernels with bc_fn.may_part)
    struct vm_gang_livelock livelock;
    enum vm_state state;
    bool fresh; // not begun
    bool stop;  // the group ends here: canceled, limit, no progress
    const struct vm_insn
        *at; // stepped: the next instruction of the lane; NULL if it waits or has returned
    void *block_mem;
    size_t block_size;
};

struct vm_group;
struct vm_program;
struct vm_gang *vm_gang_get(struct vm_program *p, struct vm_code *c); // NULL: no memory
void vm_gang_put(struct vm_program *p, struct vm_code *c, struct vm_gang *g);
void vm_gang_bind(struct vm_gang *g, struct vm_group *grp);
void vm_gang_free(struct vm_gang *g);
/** Sets shape and ids for lanes first.. of the group */
void vm_gang_start(struct vm_gang *g, struct vm_group *grp, uint32_t first);

static inline void *vm_reg(struct vm_gang *g, uint32_t off) { return g->r + off; }

/** The number of existing lanes for which instructions run. */
static inline uint32_t vm_lanes_run(const struct vm_gang *g)
{
    return g->n < g->nlanes ? g->n : g->nlanes;
}

/**
 * For code that reads all lanes: from here to the end of the block, instructions run for all lanes.
 * The added lanes hold the values of inactive lanes.
 */
static inline void vm_widen(struct vm_gang *g) { g->n = g->all; }

/**
 * Must a store check whether it changes memory? Only if lanes may wait for one another and nothing
 * has changed yet.
 */
static inline bool vm_asks_for_change(const struct vm_gang *g)
{
    return g->code->may_part && !*g->worker_changed;
}

static inline struct vm_object *vm_object_of(struct vm_gang *g, uint64_t p)
{
    uint64_t id = p >> BC_PTR_ID_SHIFT;
    return &g->objects[id < g->nobjects ? id : g->nobjects];
}

/** The offset of the lane's copy of the object. */
static inline uint64_t vm_own_copy(const struct vm_gang *g, const struct vm_object *o,
                                   uint32_t lane)
{
    return o->step ? (uint64_t)o->step * g->lid[VM_LANE_GROUP][lane] : 0;
}

/**
 * Pointer canonicalization: if several arguments are the same bytes, the pointer based on the first
 * of them.
 */
static inline uint64_t vm_canonical_pointer(struct vm_gang *g, uint64_t p)
{
    const uint64_t first = vm_object_of(g, p)->same;
    return first ? BC_PTR(first, vm_offset_of(p)) : p;
}
#endif
