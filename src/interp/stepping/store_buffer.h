// SPDX-License-Identifier: MIT
#ifndef INTERP_STORE_BUFFER_H
#define INTERP_STORE_BUFFER_H
#include "base/map.h"
#include "base/vec.h"
#include "bytecode/bytecode.h"

/**
 * Late stores of a work-item under a schedule: atomics that have run, but that others do not see
 * yet. Theory in store_buffer.c.
 */
struct vm_gang;
struct vm_insn;

struct vm_late_store {
    char *p;
    uint64_t value;  // while the view is open: what the others see
    uint64_t offset; // in the object
    uint32_t object; // its id in the gang
    uint32_t record; // see race_fork
    uint32_t site;
    uint8_t size;       // bytes
    bool is_update;     // a read-modify-write
    bool is_sequential; // memory_order_seq_cst
};
/** Zero is an empty buffer. */
struct vm_store_buffer {
    VEC(struct vm_late_store) late; // oldest first
    bool is_ordered; // a fence orders the late stores before later ones of the work-item
};

enum vm_late_effect {
    VM_LATE_PASSES, // may run while stores are late
    VM_LATE_JOINS,  // a store that must be seen after the late ones
    VM_LATE_DRAINS  // the late stores must be seen first
};

/** May an atomic of this site be late? */
bool vm_may_be_late(const struct bc_mem *m);

/** Is there room for another late store? */
bool vm_store_buffer_has_room(const struct vm_store_buffer *b);

/** What the next instruction of the work-item requires of its late stores. */
enum vm_late_effect vm_late_effect(const struct vm_store_buffer *b, const struct vm_gang *g,
                                   const struct bc_insn *i);

/**
 * Opens the view, in which memory has the late stores, for an instruction of the work-item itself;
 * then closes it.
 */
void vm_view_open(struct vm_store_buffer *b, struct vm_gang *g);
void vm_view_close(struct vm_store_buffer *b, struct vm_gang *g, const struct bc_insn *i);

/**
 * An atomic on memory at p, which vm_late_address gave: before and after it runs in the open view.
 * It is late from when the view is closed.
 */
struct vm_late_store vm_late_begin(struct vm_gang *g, char *p, const struct bc_insn *i);
void vm_late_end(struct vm_late_store *s, struct vm_gang *g);
/**
 * `seen`: by address, the number of late stores of all work-items * 2, + 1 if one of them is an
 * update.
 */
void vm_late_add(struct vm_store_buffer *b, struct vm_late_store s, struct map *seen);

/** The memory of the atomic that the gang's only lane runs next; NULL: private, or an error. */
char *vm_late_address(struct vm_gang *g, const struct vm_insn *ip);
/** A late store to p; NULL: there is none. */
const struct vm_late_store *vm_late_at(const struct vm_store_buffer *b, const char *p);

/** Makes the late stores visible. Returns whether memory changed. */
bool vm_store_buffer_drain(struct vm_store_buffer *b, struct vm_gang *g, struct map *seen);
#endif
