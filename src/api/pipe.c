// SPDX-License-Identifier: MIT
// Pipes: a memory object that begins with a header defined in frontend/pipes.cl, which also
// implements the operations of kernels.
#include "api/pipe.h"

#include "api/limits.h"
#include "bytecode/pipe_head.h"
#include "devices/dev.h"

#include <string.h>

cl_mem api_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                        cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                        cl_int *errcode_ret)
{
    API_ENTER();
    if (!api_is(context, API_CONTEXT)) API_RETURN(api_bad_handle(NULL, context, API_CONTEXT), NULL);
    if (flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
        API_RETURN(
            api_fail(context, CL_INVALID_VALUE,
                     "flags 0x%llx: a pipe takes CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS only",
                     (unsigned long long)flags),
            NULL);
    if (properties)
        API_RETURN(
            api_fail(context, CL_INVALID_VALUE, "properties must be NULL: there are none of pipes"),
            NULL);
    if (!pipe_packet_size || pipe_packet_size > API_PIPE_PACKET_MAX)
        API_RETURN(api_fail(context, CL_INVALID_PIPE_SIZE,
                            "packets of %u bytes; CL_DEVICE_PIPE_MAX_PACKET_SIZE is %d",
                            pipe_packet_size, API_PIPE_PACKET_MAX),
                   NULL);
    const uint64_t data =
        (sizeof(struct bc_pipe_head) + 4ull * pipe_max_packets + API_BASE_ALIGN - 1) /
        API_BASE_ALIGN * API_BASE_ALIGN;
    const uint64_t size = data + (uint64_t)pipe_packet_size * pipe_max_packets;
    if (!pipe_max_packets || pipe_max_packets > 0x3fffffff || size > dev_settings()->max_alloc_size)
        API_RETURN(api_fail(context, CL_INVALID_PIPE_SIZE, "%u packets of %u bytes",
                            pipe_max_packets, pipe_packet_size),
                   NULL);
    cl_mem m = api_mem_new(context, flags | CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, size);
    if (!m) API_RETURN(CL_OUT_OF_HOST_MEMORY, NULL);
    m->type = CL_MEM_OBJECT_PIPE;
    const cl_int bad = api_mem_allocate(m);
    if (bad) {
        m->obj.refs = 1;
        api_mem_put(m);
        API_RETURN(bad, NULL);
    }
    *(struct bc_pipe_head *)(void *)m->data =
        (struct bc_pipe_head){.size = pipe_packet_size,
                              .most = pipe_max_packets,
                              .data = (cl_uint)data,
                              .space = (cl_int)pipe_max_packets};
    api_mem_written(m, m->data, data, NULL, NULL);
    API_RETURN(CL_SUCCESS, m);
}

cl_int api_clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                         void *param_value, size_t *param_value_size_ret)
{
    API_ENTER();
    if (!api_is(pipe, API_MEM)) return api_bad_handle(NULL, pipe, API_MEM);
    if (!api_is_pipe(pipe))
        return api_fail(pipe->ctx, CL_INVALID_MEM_OBJECT, "the memory object is %s, not a pipe",
                        api_is_image(pipe) ? "an image" : "a buffer");
    const struct bc_pipe_head *h = (const void *)pipe->data;
    switch (param_name) {
    case CL_PIPE_PACKET_SIZE: return REPLY(cl_uint, h->size);
    case CL_PIPE_MAX_PACKETS: return REPLY(cl_uint, h->most);
    case CL_PIPE_PROPERTIES: return REPLY_BYTES(NULL, 0);
    }
    return api_fail(pipe->ctx, CL_INVALID_VALUE, "param_name 0x%x is not a query of pipes",
                    param_name);
}

// Is the header valid? A kernel may have overwritten it.
static bool is_sound(const struct _cl_mem *m, const struct bc_pipe_head *h)
{
    return h->size && h->most && h->data >= sizeof *h &&
           h->data + (uint64_t)h->size * h->most <= m->size;
}

cl_int api_pipe_packets(cl_mem pipe, cl_bool put, void *packets, size_t *bytes)
{
    API_ENTER();
    if (!api_is(pipe, API_MEM) || !api_is_pipe(pipe)) return CL_INVALID_MEM_OBJECT;
    struct bc_pipe_head *h = (void *)pipe->data;
    size_t moved = 0;
    while (is_sound(pipe, h) && moved + h->size <= *bytes && (put ? h->space : h->ready) > 0) {
        uint8_t *packet = pipe->data + h->data +
                          (uint64_t)h->size * ((put ? h->writes : h->reads) % h->most),
                *other = (uint8_t *)packets + moved;
        if (put) {
            memcpy(packet, other, h->size);
            api_mem_written(pipe, packet, h->size, NULL, NULL);
            h->writes++, h->space--, h->ready++;
        } else {
            memcpy(other, packet, h->size);
            h->reads++, h->space++, h->ready--;
        }
        moved += h->size;
    }
    *bytes = moved;
    return CL_SUCCESS;
}

cl_int api_pipe_bytes(cl_mem pipe, size_t at, const void *bytes, size_t n)
{
    API_ENTER();
    if (!api_is(pipe, API_MEM) || !api_is_pipe(pipe)) return CL_INVALID_MEM_OBJECT;
    if (at > pipe->size || n > pipe->size - at) return CL_INVALID_VALUE;
    memcpy(pipe->data + at, bytes, n);
    api_mem_written(pipe, pipe->data + at, n, NULL, NULL);
    return CL_SUCCESS;
}
