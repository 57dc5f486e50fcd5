#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs generated kernels on the OpenCL that PyOpenCL finds and prints a hash of their buffers.

usage: differential.py FIRST COUNT        (prints "SEED HASH" a line)

Run once with OCL_ICD_VENDORS pointing to pocl and once under cldbg (with different --gang and
--compute-units), and compare the outputs: they must be equal.
"""
import hashlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
os.environ.setdefault("PYOPENCL_COMPILER_OUTPUT", "0")
import numpy as np  # noqa: E402
import pyopencl as cl  # noqa: E402

from generate import generate  # noqa: E402

SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (130, 65), (256, 256), (51, 17)]


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    device = cl.get_platforms()[0].get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    flags = cl.mem_flags
    for seed in range(first, first + count):
        size, group = SHAPES[seed % len(SHAPES)]
        rng = np.random.default_rng(seed)
        data = rng.integers(0, 2**32, 37, dtype=np.uint32)
        out = np.zeros(size, np.uint32)
        counts = np.zeros(16, np.int32)
        try:
            program = cl.Program(context, generate(seed)).build(options=["-w"])
        except cl.Error as e:
            print(seed, "build failed:", str(e).splitlines()[0], flush=True)
            continue
        b_in = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=data)
        b_out = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=out)
        b_count = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=counts)
        program.k(queue, (size,), (group,), b_in, b_out, b_count, np.int32(37))
        cl.enqueue_copy(queue, out, b_out)
        cl.enqueue_copy(queue, counts, b_count)
        print(seed, hashlib.sha256(out.tobytes() + counts.tobytes()).hexdigest()[:16], flush=True)


main()
