// SPDX-License-Identifier: MIT
#ifndef API_SEMAPHORE_H
#define API_SEMAPHORE_H
#include "api/object.h"

/** cl_khr_semaphore 1.0.0. Theory: semaphore.c. The installed headers may lack its types. */
typedef struct _cl_semaphore_khr *api_semaphore;

api_semaphore api_clCreateSemaphoreWithPropertiesKHR(cl_context context, const cl_ulong *sema_props,
                                                     cl_int *errcode_ret);
cl_int api_clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                      const api_semaphore *sema_objects,
                                      const cl_ulong *sema_payload_list,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event);
cl_int api_clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                        const api_semaphore *sema_objects,
                                        const cl_ulong *sema_payload_list,
                                        cl_uint num_events_in_wait_list,
                                        const cl_event *event_wait_list, cl_event *event);
cl_int api_clGetSemaphoreInfoKHR(api_semaphore sema_object, cl_uint param_name,
                                 size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret);
/** Of cl_khr_external_semaphore, which is absent: rejects every type of handle. */
cl_int api_clGetSemaphoreHandleForTypeKHR(api_semaphore sema_object, cl_device_id device,
                                          cl_uint handle_type, size_t handle_size, void *handle_ptr,
                                          size_t *handle_size_ret);
cl_int api_clRetainSemaphoreKHR(api_semaphore sema_object);
cl_int api_clReleaseSemaphoreKHR(api_semaphore sema_object);
#endif
