// SPDX-License-Identifier: MIT
// Pipes as arguments of `cldbg run`:
//   pipe:TYPE[N]        empty, with room for N packets of TYPE
//   pipe:TYPE[N]=INIT   full: packets that the kernel reads
// The packets that it contains when the kernel has ended can be dumped. In OpenCL only kernels can
// access a pipe; the driver has functions for the host (api/pipe.h).
#include "cli/host.h"

#include <string.h>

enum { MOST = 0x3fffffff };

struct err *cmd_pipe_spec(struct cmd_arg *a, uint64_t count)
{
    a->packet = cmd_type_size(a->type);
    if (count > MOST) return err_new("a pipe has at most 2^30 - 1 packets");
    a->size = a->packet * count;
    return NULL;
}

/** Writes the packets into a pipe, or reads them. */
static cl_int packets(struct cmd_kernel *k, cl_mem pipe, cl_bool put, void *data, size_t *bytes)
{
    cl_int (*call)(cl_mem pipe, cl_bool put, void *packets, size_t *bytes);
    *(void **)&call = k->cl->clGetExtensionFunctionAddress("cldbgPipePackets");
    return call(pipe, put, data, bytes);
}

cl_int cmd_pipe_make(struct cmd_kernel *k, struct cmd_arg *a)
{
    cl_int code;
    a->mem = k->cl->clCreatePipe(k->context, 0, (cl_uint)a->packet, (cl_uint)(a->size / a->packet),
                                 NULL, &code);
    if (code) return code;
    vec_push(&k->made, a->mem);
    size_t bytes = a->size;
    return a->data ? packets(k, a->mem, CL_TRUE, a->data, &bytes) : CL_SUCCESS;
}

cl_int cmd_pipe_read(struct cmd_kernel *k, const struct cmd_arg *a, void *to, size_t *n)
{
    *n = a->size;
    return packets(k, a->mem, CL_FALSE, to, n);
}

cl_mem cmd_pipe_captured(struct cmd_kernel *k, const struct dev_capture_memory *m, cl_int *code)
{
    cl_uint head[2] = {0}; // bytes of a packet, packets
    if (m->size >= sizeof head) memcpy(head, m->data, sizeof head);
    cl_mem pipe = k->cl->clCreatePipe(k->context, 0, head[0], head[1], NULL, code);
    if (pipe) vec_push(&k->made, pipe);
    return pipe;
}

void cmd_pipe_known(struct cmd_kernel *k, const char *type, struct cmd_arg *a)
{
    cl_uint packet = 1, most = 0;
    k->cl->clGetPipeInfo(a->mem, CL_PIPE_PACKET_SIZE, sizeof packet, &packet, NULL);
    k->cl->clGetPipeInfo(a->mem, CL_PIPE_MAX_PACKETS, sizeof most, &most, NULL);
    a->type = cmd_type_find(type, strlen(type));
    a->packet = packet;
    a->size = (size_t)packet * most;
}

cl_int cmd_pipe_bytes(struct cmd_kernel *k, cl_mem pipe, size_t at, const void *bytes, size_t n)
{
    cl_int (*put)(cl_mem pipe, size_t at, const void *bytes, size_t n);
    *(void **)&put = k->cl->clGetExtensionFunctionAddress("cldbgPipeBytes");
    return put(pipe, at, bytes, n);
}
