// SPDX-License-Identifier: MIT
#ifndef API_COMMAND_BUFFER_H
#define API_COMMAND_BUFFER_H
#include "api/cmdgraph.h"
#include "api/new_names.h"

/**
 * cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5. Theory:
 * command_buffer.c.
 */
typedef cl_ulong api_properties; // cl_properties

/** A recorded command. Its handle is valid as long as its command buffer. */
struct _cl_mutable_command_khr {
    struct api_object obj;
    cl_command_buffer_khr buffer; // borrowed
    cl_command_type type;
    struct api_command *cmd; // repeated by each enqueue; NULL: no work
    const char *function;    // that recorded it,
    const void *site;        // and its place
    api_properties *properties;
    unsigned nproperties;
    unsigned *after; // numbers of the commands that must end before it
    unsigned nafter;
};
struct _cl_command_buffer_khr {
    struct api_object obj;
    cl_context ctx;
    cl_command_queue queue;     // referenced
    api_properties *properties; // 0-ended as given, or NULL
    unsigned nproperties;
    cl_bitfield flags, asserts;
    pthread_mutex_t lock; // guards the rest; taken before the graph's
    bool is_finalized;
    VEC(cl_mutable_command_khr) commands; // a sync point is a number of this list, from 1
    unsigned barrier; // the number of commands up to and with the last barrier; 0: there is none
};

/** The arguments that all clCommand… functions share. */
struct api_record {
    struct api_recording recording; // the first member
    cl_command_buffer_khr buffer;
    cl_command_queue queue;
    const api_properties *properties;
    cl_uint n; // of the list
    const cl_sync_point_khr *list;
    cl_sync_point_khr *sync_point;
    cl_mutable_command_khr *handle;
};
/** Checks them, and fills in the request. */
cl_int api_record_begin(struct api_record *r, cl_command_type type);

/** The first statement of a clCommand… function: `request` records a command of that type. */
#define RECORD(type)                                                                               \
    API_ENTER();                                                                                   \
    struct api_record record = {.buffer = command_buffer,                                          \
                                .queue = command_queue,                                            \
                                .properties = properties,                                          \
                                .n = num_sync_points_in_wait_list,                                 \
                                .list = sync_point_wait_list,                                      \
                                .sync_point = sync_point,                                          \
                                .handle = mutable_handle};                                         \
    const cl_int cannot = api_record_begin(&record, type);                                         \
    if (cannot) return cannot;                                                                     \
    const struct api_request *const request = &record.recording.request

// ---- mutable_dispatch.c
/** Checks the properties of clCommandNDRangeKernelKHR. */
cl_int api_dispatch_check_properties(cl_context ctx, const api_properties *list);
/** Are all arguments of the recorded command set? */
bool api_dispatch_is_complete(const struct _cl_mutable_command_khr *c);

struct api_new_arg { // cl_mutable_dispatch_arg_khr
    cl_uint index;
    size_t size;
    const void *value;
};
struct api_new_exec_info { // cl_mutable_dispatch_exec_info_khr
    cl_uint name;
    size_t size;
    const void *value;
};
struct api_new_dispatch { // cl_mutable_dispatch_config_khr
    cl_mutable_command_khr command;
    cl_uint nargs, nsvm_args, nexec_infos, work_dim;
    const struct api_new_arg *args, *svm_args;
    const struct api_new_exec_info *exec_infos;
    const size_t *offset, *global, *local;
};

#define SYNC_POINTS                                                                                \
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,           \
        cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle
#define RECORDING                                                                                  \
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                          \
        const api_properties *properties

cl_command_buffer_khr api_clCreateCommandBufferKHR(cl_uint num_queues,
                                                   const cl_command_queue *queues,
                                                   const api_properties *properties,
                                                   cl_int *errcode_ret);
cl_int api_clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int api_clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int api_clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int api_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                     cl_command_buffer_khr command_buffer,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event);
cl_int api_clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer, cl_uint param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret);
cl_int api_clCommandBarrierWithWaitListKHR(RECORDING, SYNC_POINTS);
cl_int api_clCommandCopyBufferKHR(RECORDING, cl_mem src_buffer, cl_mem dst_buffer,
                                  size_t src_offset, size_t dst_offset, size_t size, SYNC_POINTS);
cl_int api_clCommandCopyBufferRectKHR(RECORDING, cl_mem src_buffer, cl_mem dst_buffer,
                                      const size_t *src_origin, const size_t *dst_origin,
                                      const size_t *region, size_t src_row_pitch,
                                      size_t src_slice_pitch, size_t dst_row_pitch,
                                      size_t dst_slice_pitch, SYNC_POINTS);
cl_int api_clCommandCopyBufferToImageKHR(RECORDING, cl_mem src_buffer, cl_mem dst_image,
                                         size_t src_offset, const size_t *dst_origin,
                                         const size_t *region, SYNC_POINTS);
cl_int api_clCommandCopyImageKHR(RECORDING, cl_mem src_image, cl_mem dst_image,
                                 const size_t *src_origin, const size_t *dst_origin,
                                 const size_t *region, SYNC_POINTS);
cl_int api_clCommandCopyImageToBufferKHR(RECORDING, cl_mem src_image, cl_mem dst_buffer,
                                         const size_t *src_origin, const size_t *region,
                                         size_t dst_offset, SYNC_POINTS);
cl_int api_clCommandFillBufferKHR(RECORDING, cl_mem buffer, const void *pattern,
                                  size_t pattern_size, size_t offset, size_t size, SYNC_POINTS);
cl_int api_clCommandFillImageKHR(RECORDING, cl_mem image, const void *fill_color,
                                 const size_t *origin, const size_t *region, SYNC_POINTS);
cl_int api_clCommandSVMMemcpyKHR(RECORDING, void *dst_ptr, const void *src_ptr, size_t size,
                                 SYNC_POINTS);
cl_int api_clCommandSVMMemFillKHR(RECORDING, void *svm_ptr, const void *pattern,
                                  size_t pattern_size, size_t size, SYNC_POINTS);
cl_int api_clCommandNDRangeKernelKHR(RECORDING, cl_kernel kernel, cl_uint work_dim,
                                     const size_t *global_work_offset,
                                     const size_t *global_work_size, const size_t *local_work_size,
                                     SYNC_POINTS);
cl_int api_clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                      const cl_uint *config_types, const void **configs);
cl_int api_clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_uint param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret);
#endif
