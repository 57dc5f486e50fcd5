// SPDX-License-Identifier: MIT
#ifndef API_USM_H
#define API_USM_H
#include "api/object.h"

#include <CL/cl_ext.h>

/** The functions of cl_intel_unified_shared_memory, which apps get by their names. */
void *api_clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                              size_t size, cl_uint alignment, cl_int *errcode_ret);
void *api_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                const cl_mem_properties_intel *properties, size_t size,
                                cl_uint alignment, cl_int *errcode_ret);
void *api_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                const cl_mem_properties_intel *properties, size_t size,
                                cl_uint alignment, cl_int *errcode_ret);
cl_int api_clMemFreeINTEL(cl_context context, void *ptr);
cl_int api_clMemBlockingFreeINTEL(cl_context context, void *ptr);
cl_int api_clGetMemAllocInfoINTEL(cl_context context, const void *ptr, cl_mem_info_intel param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret);
cl_int api_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                         const void *arg_value);
cl_int api_clEnqueueMemsetINTEL(cl_command_queue command_queue, void *dst_ptr, cl_int value,
                                size_t size, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event);
cl_int api_clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr, const void *pattern,
                                 size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event);
cl_int api_clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void *dst_ptr,
                                const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event);
cl_int api_clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event);
cl_int api_clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr, size_t size,
                                   cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                                   const cl_event *event_wait_list, cl_event *event);
#endif
