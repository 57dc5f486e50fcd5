// SPDX-License-Identifier: MIT
#ifndef DEBUG_DYNAMIC_SLICE_H
#define DEBUG_DYNAMIC_SLICE_H
#include "debug/expressions/kernel_value.h"
#include "debug/history/earlier_writes.h"
#include "debug/history/event_trace.h"

/**
 * The causes of a value: dynamic slicing (Agrawal and Horgan, PLDI 1990), one step at a time. An
 * event depends on the writes of the bytes that it reads (data), on what determined which bytes it
 * accesses (address), and on the branch that decided that it runs (control).
 */
enum dbg_role { DBG_DATA, DBG_ADDRESS, DBG_CONTROL };
enum dbg_cause_kind {
    DBG_BY_WRITE,       // the event wrote the bytes
    DBG_BY_READ,        // the event read the bytes: of a race
    DBG_BY_VAGUE,       // the event may have written them: a write to an image
    DBG_BY_BRANCH,      // the event is a CBR
    DBG_BY_ID,          // the event got a number of the work-item
    DBG_BY_IMAGE,       // the event read pixels, which are not followed
    DBG_BY_OTHERS,      // the event combined values of other work-items
    DBG_BY_UNDEF,       // the event has no value
    DBG_BY_USER,        // the user assigned the bytes
    DBG_BY_ARGUMENT,    // of the kernel
    DBG_BY_EARLIER,     // an earlier launch, or a command of the app
    DBG_BY_HOST,        // global memory that no launch or command is known to have written
    DBG_BY_CONSTANT,    // constant memory
    DBG_BY_NOTHING,     // local or private memory that was not written since it began to exist
    DBG_BY_DECLARATION, // the same, since the event
    DBG_IS_FORGOTTEN,   // the history does not reach so far
    DBG_IS_NOT_KEPT,    // too little is kept of what happened before the repeated launch
    DBG_IS_CLOSED,      // it ran at full speed up to an interrupt
    DBG_IS_LOST,        // replay differs from the recording
    DBG_IS_INTERRUPTED, // the user interrupted the search
};
struct dbg_cause {
    enum dbg_cause_kind kind;
    enum dbg_role role;
    struct dbg_moment moment; // of the event
    struct dbg_event event;
    uint32_t item;          // the work-item of the event, or that read the bytes
    uint64_t address, size; // the bytes; size 0: no memory
    uint8_t bytes[DBG_MAX_BYTES];
    uint8_t written[DBG_MAX_BYTES];   // undefined: the enum vm_byte of each
    bool known, undefined;            // `bytes` is known; some of them have no value
    bool is_later;                    // BY_HOST: the launch may have written the bytes later
    struct dbg_earlier_write earlier; // BY_EARLIER
    uint64_t place;                   // BY_EARLIER: the bytes in the app's memory
};
struct dbg_causes {
    VEC(struct dbg_cause) list;
};
/** The bytes whose causes are searched, as a work-item sees them at the moment. */
struct dbg_bytes_at {
    struct dbg_moment moment;
    uint32_t item;
    uint64_t address, size;
    const void *value; // the bytes, if they are known; otherwise NULL
};
/** The writes that made the bytes, or where they come from. */
void dbg_causes_of_bytes(struct vm_group *grp, const struct dbg_bytes_at *b, enum dbg_role role,
                         struct dbg_causes *out);
/** What the write of the cause's bytes, or the branch, depends on. */
void dbg_causes_of_event(struct vm_group *grp, const struct dbg_cause *c, struct dbg_causes *out);
/** The branch that decided that the event happened; false: none did. */
bool dbg_branch_of(struct vm_group *grp, const struct dbg_cause *c, struct dbg_cause *out);
#endif
