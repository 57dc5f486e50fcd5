#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Counts how often each byte occurs, with PyOpenCL: histogram.py [--fixed]"""
import sys

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void count(global const uchar *data, global uint *bins)
{
    bins[data[get_global_id(0)]]++;
}
"""

FIXED_SOURCE = """
kernel void count(global const uchar *data, global uint *bins)
{
    atomic_inc(&bins[data[get_global_id(0)]]);
}
"""

fixed = "--fixed" in sys.argv
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
data = (np.arange(4096) % 10).astype(np.uint8)
data_buffer = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
bins_buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 256 * 4)
if fixed:
    cl.enqueue_fill_buffer(queue, bins_buffer, np.uint32(0), 0, 256 * 4)
program = cl.Program(context, FIXED_SOURCE if fixed else SOURCE).build()
program.count(queue, data.shape, (64,), data_buffer, bins_buffer)
bins = np.empty(256, np.uint32)
cl.enqueue_copy(queue, bins, bins_buffer)
print("bins[3]:", bins[3])
