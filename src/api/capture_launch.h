// SPDX-License-Identifier: MIT
#ifndef API_CAPTURE_LAUNCH_H
#define API_CAPTURE_LAUNCH_H
#include "api/program.h"

/**
 * Writes a launch to a file, before it runs (--capture, --capture-on-finding). NULL: it is not to
 * be captured, or could not be, which was reported. The result is for api_capture_end, when the
 * findings of the launch have been printed: an unneeded capture is removed again.
 */
struct api_capture;
struct api_capture *api_capture_begin(const struct _cl_kernel *k, const cl_mem *mems,
                                      const struct vm_launch *l);
void api_capture_end(struct api_capture *c);
#endif
