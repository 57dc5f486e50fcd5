// SPDX-License-Identifier: MIT
#ifndef BYTECODE_PIPE_HEAD_H
#define BYTECODE_PIPE_HEAD_H
#include <stdint.h>

/**
 * What a pipe's memory begins with: struct __cldbg_pipe of frontend/pipes.cl, which says what it
 * means.
 */
struct bc_pipe_head {
    uint32_t size, most, data,
        reserved;         // bytes of a packet, how many there can be, where they begin
    int32_t space, ready; // packets that can be written, and read
    uint32_t reads, writes;
};
#endif
