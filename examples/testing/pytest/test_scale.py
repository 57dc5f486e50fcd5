# SPDX-License-Identifier: MIT
"""A test with PyOpenCL. Its kernel is wrong where n is not a multiple of the work-group size."""
import numpy as np
import pyopencl as cl

SOURCE = """
kernel void scale(global float *x, float factor)
{
    x[get_global_id(0)] *= factor;
}
"""


def scale(queue, x, factor):
    buffer = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    rounded = (len(x) + 63) // 64 * 64
    cl.Program(queue.context, SOURCE).build().scale(queue, (rounded,), (64,), buffer, np.float32(factor))
    result = np.empty_like(x)
    cl.enqueue_copy(queue, result, buffer)
    return result


def test_scale(queue):
    assert (scale(queue, np.ones(128, np.float32), 3) == 3).all()


def test_scale_of_an_odd_size(queue):
    assert (scale(queue, np.ones(100, np.float32), 3) == 3).all()
