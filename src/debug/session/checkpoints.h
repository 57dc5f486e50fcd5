// SPDX-License-Identifier: MIT
#ifndef DEBUG_CHECKPOINTS_H
#define DEBUG_CHECKPOINTS_H
#include "base/vec.h"

#include <stdint.h>

/** Moments that the user has named by `checkpoint`. */
struct dbg_checkpoint {
    unsigned number;
    uint64_t launch, group, time; // group: linear; time: see dbg_history.time
    uint32_t item;                // the focused work-item
    char *text;                   // where it was
};
struct dbg_checkpoints {
    VEC(struct dbg_checkpoint) list;
    unsigned last; // number
};
extern struct dbg_checkpoints dbg_checkpoints;
#endif
