// SPDX-License-Identifier: MIT
// A host program with two refused calls and one buffer that is never released, for check_api.sh.
#include "api/dispatch.h"

int main(void)
{
    const struct _cl_icd_dispatch *cl = cldbg_dispatch();
    cl_platform_id p;
    cl_device_id d;
    cl_int e = cl->clGetPlatformIDs(1, &p, NULL) |
               cl->clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    cl_context c = cl->clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl->clReleaseMemObject(cl->clCreateBuffer(c, CL_MEM_READ_WRITE, 16, NULL, NULL));
    cl->clCreateBuffer(c, CL_MEM_READ_WRITE, 0, NULL, NULL);
    const cl_image_desc tall = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 16385};
    cl->clCreateImage(c, CL_MEM_READ_WRITE, &(cl_image_format){CL_RGBA, CL_FLOAT}, &tall, NULL,
                      NULL);
    cl->clCreateBuffer(c, CL_MEM_READ_WRITE, 32, NULL, NULL);
    cl->clReleaseContext(c);
    return e != CL_SUCCESS;
}
