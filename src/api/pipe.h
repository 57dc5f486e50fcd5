// SPDX-License-Identifier: MIT
#ifndef API_PIPE_H
#define API_PIPE_H
#include "api/object.h"

/**
 * What a host program cannot do with a pipe and `cldbg run` does for a kernel that is run alone;
 * commands that use the pipe are not under way. Puts as many whole packets into it, or takes out
 * (`put` false), as go into *bytes, are there and have room; then *bytes is how much they were. An
 * extension function, cldbgPipePackets.
 */
cl_int api_pipe_packets(cl_mem pipe, cl_bool put, void *packets, size_t *bytes);
/**
 * For launches that are repeated: n bytes of a pipe's own memory, as they were when the launch was
 * captured. cldbgPipeBytes.
 */
cl_int api_pipe_bytes(cl_mem pipe, size_t at, const void *bytes, size_t n);
#endif
