// SPDX-License-Identifier: MIT
#ifndef API_LIMITS_H
#define API_LIMITS_H
/** Fixed limits of the device. */
enum {
    API_BASE_ALIGN = 128, // of buffers and sub-buffers, bytes: the largest type, long16
    API_IMAGE2D_MAX = 16384,
    API_IMAGE3D_MAX = 2048,
    API_IMAGE_LAYERS_MAX = 2048, // pixels along each side
    API_IMAGE_BUFFER_MAX = 1 << 27,
    API_PIPE_ARGS = 16,
    API_PIPE_PACKET_MAX = 1024,    // bytes
    API_PIPE_RESERVATIONS = 1024,  // the value of the query; there is no limit
    API_MAX_PARAMETER_SIZE = 4096, // of all arguments of a kernel, bytes
    API_GROUP_MULTIPLE = 64,       // work-items: a good multiple for a work-group
};
/** Orders and scopes of atomics. */
#define API_ATOMICS                                                                                \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |                             \
     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |                          \
     CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
#endif
