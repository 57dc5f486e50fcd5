// SPDX-License-Identifier: MIT
#ifndef API_CAPTURE_LAUNCH_H
#define API_CAPTURE_LAUNCH_H
#include "api/program.h"

/**
 * Writes a launch to a file, before it runs (--capture, --capture-on-finding). NULL: not requested,
 * or failed with a message. Pass the result to api_capture_end after the findings of the launch
 * were printed; it removes an unneeded capture.
 */
struct api_capture;
struct api_capture *api_capture_begin(const struct _cl_kernel *k, const cl_mem *mems,
                                      const struct vm_launch *l);
/** child_has_finding: the launch had none itself, perhaps, but one that it enqueued had. */
void api_capture_end(struct api_capture *c, bool child_has_finding);
/** For `cldbg fuzz`: captures the next launches to this file, whatever the options; NULL: none. */
void api_capture_next(const char *path);
#endif
