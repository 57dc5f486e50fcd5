// SPDX-License-Identifier: MIT
#ifndef API_PIPE_H
#define API_PIPE_H
#include "api/object.h"

/**
 * Puts packets into a pipe, or takes them out (`put` false), for `cldbg run`; a host program cannot
 * do this. No command may use the pipe meanwhile. Moves as many whole packets as *bytes and the
 * pipe permit, and sets *bytes to their size. An extension function, cldbgPipePackets.
 */
cl_int api_pipe_packets(cl_mem pipe, cl_bool put, void *packets, size_t *bytes);
/**
 * For launches that are repeated: sets n bytes of a pipe's memory to their values in the captured
 * launch. An extension function, cldbgPipeBytes.
 */
cl_int api_pipe_bytes(cl_mem pipe, size_t at, const void *bytes, size_t n);
#endif
