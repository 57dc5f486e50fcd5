#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""PyOpenCL: each element becomes the mean of itself and its neighbors. With --bug this is done in place,
so that a work-item reads what its neighbor may have replaced already."""
import sys

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void smooth(global const float *x, global float *y, uint n)
{
    uint i = get_global_id(0);
    float left = x[max(i, 1u) - 1], right = x[min(i + 1, n - 1)];
    y[i] = (left + x[i] + right) / 3; // bug 1: data-race
}
"""


def main():
    bug = sys.argv[1:] == ["--bug"]
    x = np.random.default_rng(1).random(1000, dtype=np.float32)
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    flags = cl.mem_flags
    source = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=x)
    target = source if bug else cl.Buffer(context, flags.WRITE_ONLY, x.nbytes)
    program = cl.Program(context, SOURCE).build()
    program.smooth(queue, x.shape, None, source, target, np.uint32(len(x)))
    y = np.empty_like(x)
    cl.enqueue_copy(queue, y, target)
    queue.finish()

    padded = np.concatenate([x[:1], x, x[-1:]])
    right = np.allclose(y, (padded[:-2] + padded[1:-1] + padded[2:]) / 3)
    print("smooth: mean of neighbors:", "right" if right else "wrong (that is the bug)" if bug else "WRONG")
    sys.exit(0 if right or bug else 1)


main()
