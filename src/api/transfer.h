// SPDX-License-Identifier: MIT
#ifndef API_TRANSFER_H
#define API_TRANSFER_H
#include "api/cmdgraph.h"

/**
 * A command that copies a box of rows between memory objects or host memory, or fills one. Created
 * by enqueue_transfer.c for buffers, by enqueue_image.c for images.
 */
struct side {
    cl_mem mem;        // NULL: host memory
    uint8_t *first;    // first byte of the box
    size_t row, slice; // pitches
};

struct transfer {
    struct api_command cmd;
    struct side from, to;
    size_t region[3]; // bytes, rows, slices
    uint8_t pattern[128];
    size_t pattern_size;  // fill: of `to`
    uint64_t source_hash; // of the source in host memory; 0: not watched
};
/**
 * A copy of one row; the caller may set region[1], region[2], or another cmd.run. Takes references.
 */
struct transfer *api_transfer_new(struct side from, struct side to, size_t bytes);
/** Fills in cmd.accesses; to be called when all other members are set. */
void api_transfer_accesses(struct transfer *t);
/**
 * For a non-blocking write: reports a change of the source before it runs. To be called after
 * api_transfer_accesses.
 */
void api_transfer_watch(struct transfer *t, bool blocking);

enum host_access { HOST_READS, HOST_WRITES };
cl_int api_check_host_access(cl_mem m, enum host_access a);
/** Checks that m is a live buffer (or image) of the queue's context. */
cl_int api_check_buffer(cl_command_queue q, cl_mem m);
cl_int api_check_image(cl_command_queue q, cl_mem m);
#endif
