#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kernels of other shapes than the suite's: what checking costs there, against pocl and without checks (CPU time).

    wider.py CLDBG KERNELS [WORK...]
    wider.py --measure KERNELS [WORK...]    what it starts itself: a line "WORK SECONDS CHECKSUM" each, on the OpenCL that is there
    wider.py --once KERNELS WORK            one launch

The suite of compare.py is what we aim with; these say whether the aim is right. Nothing is to be tuned to them. The exit status is 1
when results differ or something is found.
"""
import math
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def works():
    """Name, global and local sizes, arguments: an array is a buffer, a number an argument, ('local', n) local memory."""
    import numpy as np
    rng = np.random.default_rng(3)

    def f(*n):
        return rng.random(n, dtype=np.float32)

    def u(n, top):
        return rng.integers(0, top, n, dtype=np.uint32)

    def bytes_of(n):
        return rng.integers(0, 256, n, dtype=np.uint8)
    i, r, big = np.int32, np.float32, 1 << 31
    o = np.zeros
    rows = np.concatenate([[0], np.cumsum(np.minimum(rng.zipf(1.6, 16384), 200))]).astype(np.int32)
    filled = int(rows[-1])
    links = np.concatenate([[0], np.cumsum(rng.integers(0, 12, 1 << 16))]).astype(np.int32)
    return [
        ('black_scholes', (65536,), (128,), [o(1 << 18, r), o(1 << 18, r), 5 + 25 * f(1 << 18), 1 + 99 * f(1 << 18),
                                             .25 + f(1 << 18), r(.02), r(.3), np.uint32(1 << 18)]),
        ('heat', (16 * 43, 16 * 43), (16, 16), [f(512 * 512), o(512 * 512, r), f(512 * 512), i(512), i(2)]),
        ('align_tiles', (16 * 64,), (16,), [u(1025 * 1025, 5), u(1025 * 1025, 20), i(1025), i(10), i(64)]),
        ('nearest_center', (65536,), (256,), [f(16 * 65536), f(16 * 8), o(65536, i), i(65536), i(16), i(8)]),
        ('eliminate', (512, 512), (16, 16), [f(512 * 512), f(512), i(512), i(3)]),
        ('shortest_paths', (512, 512), (16, 16), [u(512 * 512, 200), o(512 * 512, i), i(512), i(7)]),
        ('walsh_step', (1 << 18,), (256,), [f(1 << 19), i(64)]),
        ('count_bytes', (128 * 32,), (128,), [u(128 * 128 * 32, big), o(256 * 32, i), ('local', 128 * 256)]),
        ('convolve_rows', (64, 512), (16, 4), [o(512 * 512, r), f(512 * 512), f(17), i(512)]),
        ('noise', (512, 256), (64, 1), [bytes_of(512 * 256 * 4), o(512 * 256, i), i(25)]),
        ('price_tree', (255 * 128,), (255,), [f(128 * 4), o(128 * 4, r), ('local', 256 * 16), ('local', 256 * 16), i(254)]),
        ('cipher', (65536,), (64,), [u(65536 * 4, big), o(65536 * 4, i), u(256, big), u(64, big), i(10)]),
        ('boxes', (128 * 64,), (128,), [f(100 * 64 * 4), f(100 * 64), o(100 * 64 * 4, r), i(9), i(100)]),
        ('cheapest_way', (256 * 255,), (256,), [u(55000 * 20, 10), u(55000, 10), o(55000, i), i(55000), i(20)]),
        ('count_digits', (16 * 64,), (16,), [u(16 * 64 * 256, big), o(16 * 64 * 256, i), ('local', 16 * 256 * 2), i(8)]),
        ('fourier_sums', (8192,), (256,), [f(8192), f(8192), f(8192), o(8192, r), o(8192, r), f(512 * 4), i(512)]),
        ('block_differences', (128, 128), (16, 4), [bytes_of(512 * 512), bytes_of(512 * 512), o(128 * 128 * 9, np.uint16), i(512)]),
        ('lattice', (128, 128), (128, 1), [f(9 * 128 * 128) + r(.1), o(9 * 128 * 128, r), (bytes_of(128 * 128) > 250).astype(np.uint8),
                                           i(128), i(128), r(1.2)]),
        ('sparse_rows', (16384,), (128,), [rows, u(filled, 16384), f(filled), f(16384), o(16384, r), i(16384)]),
        ('shuffle_bytes', (32768,), (64,), [bytes_of(16 * 32768), o(16 * 32768, np.uint8), i(4)]),
        ('state_machine', (8192,), (64,), [bytes_of(1024), o(8192, i), i(100)]),
        ('visit_neighbors', (1 << 16,), (256,), [links, u(int(links[-1]), 1 << 16), (bytes_of(1 << 16) > 100).astype(np.uint8),
                                                  (bytes_of(1 << 16) > 128).astype(np.uint8), o(1 << 16, np.uint8), o(1 << 16, i), i(1 << 16), i(3)]),
        ('claim_neighbors', (1 << 16,), (128,), [links, u(int(links[-1]), 1 << 16), (bytes_of(1 << 16) > 100).astype(np.uint8), o(1 << 16, i),
                                                 o(1, i), i(1 << 16)]),
        ('relax_edges', (1 << 16,), (256,), [links, u(int(links[-1]), 1 << 16), u(int(links[-1]), 100), u(1 << 16, 1000),
                                             u(1 << 16, 1000), o(1, i), i(1 << 16)]),
        ('scatter_digits', (1 << 18,), (256,), [u(1 << 18, big), u(1 << 18, big), np.argsort(np.argsort(u(1 << 18, 16), kind='stable')).astype(np.uint32),
                                                o(1 << 18, i), o(1 << 18, i)]),
        ('bin_particles', (1 << 17,), (128,), [f(1 << 18), o(1 << 14, i), o(1 << 18, i), i(128), i(16)]),
        ('move_particles', (1 << 15,), (128,), [f(12 << 15), r(.01)]),
        ('factor_tiles', (16 * 256,), (16,), [1 + f(256 * 256), o(256 * 256, r)]),
        ('triangle', (256, 256), (32, 8), [f(256 * 256), f(256 * 256), o(256 * 256, r), i(256)]),
        ('column_moments', (512,), (128,), [f(512 * 512), o(512, r), o(512, r), i(512), i(512)]),
        ('channels', (4,), (1,), [f(16 * 4), i(50)]),
        ('fluxes', (32768,), (128,), [rng.integers(-1000, 32768, 4 * 32768, dtype=np.int32), f(8 * 32768), .5 + f(4 * 32768), o(4 * 32768, r),
                                      i(32768)]),
        ('ranks', (65536,), (64,), [u(65536, big), o(65536, i), i(3)]),
        ('exchange', (60 * 512,), (60,), [u(60 * 512, 9), i(16)]),
        ('red_points', (512, 512), (16, 16), [f(512 * 512), i(512), i(512)]),
        ('sweep_rows', (512,), (256,), [f(512 * 512), 1 + f(512 * 512), f(512 * 512), i(512)]),
        ('eliminate_below', (512, 512), (32, 8), [r(1e-3) * f(512 * 512), i(3), i(512)]),
        ('convolve_grid', (512, 512), (32, 8), [f(512 * 512), o(512 * 512, r), i(512), i(512)]),
        ('field_step', (512, 512), (32, 8), [f(513 * 512), f(513 * 512), f(512 * 512), i(512), i(512)]),
        ('corner_sums', (512, 512), (32, 8), [f(512 * 512), o(512 * 512, r), np.uint64(512)]),
        ('add_products', (512, 512), (32, 8), [f(512 * 512), f(512), f(512), f(512), f(512), i(512)]),
        ('invert_pixels', (1 << 17,), (256,), [bytes_of(3 << 17), i(1 << 17)]),
        ('drift_bodies', (1 << 15,), (128,), [rng.random(7 << 15).view(np.uint64), np.float64(.01)]),
        ('say_whether_done', (1 << 18,), (256,), [u(1 << 18, big), o(1, i), i(1 << 18)]),
        # atomics and fences: what orders accesses is followed
        ('scratch_table', (8192,), (256,), [o(8192, i), o(1, i), np.uint32(200)]),
        ('table_beside_results', (8192,), (256,), [u(8192 + 1024, big), o(1, i), np.uint32(50)]),
        ('count_with_fences', (16 * 128,), (128,), [u(16 * 128 * 16, big), o(256, i), i(16)]),
    ]


def measure(kernels, names, once=False):
    os.environ['PYOPENCL_COMPILER_OUTPUT'] = '0'
    os.environ['PYOPENCL_NO_CACHE'] = '1'  # programs as this cldbg makes them, not an earlier one's binaries
    import numpy as np
    import pyopencl as cl
    context = cl.Context(cl.get_platforms()[0].get_devices())
    queue = cl.CommandQueue(context)
    with open(kernels) as file:
        program = cl.Program(context, file.read()).build()
    for name, size, local, args in works():
        if names and name not in names:
            continue
        kernel, buffers, given = getattr(program, name), [], []
        for a in args:
            if isinstance(a, tuple):
                given.append(cl.LocalMemory(a[1]))
            elif isinstance(a, np.ndarray):
                a = np.ascontiguousarray(a, dtype=np.float32) if a.dtype == np.float64 else a
                buffers.append((a, cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)))
                given.append(buffers[-1][1])
            else:
                given.append(a)
        kernel(queue, size, local, *given)
        queue.finish()
        if once:
            continue
        total = 0
        for host, buffer in buffers:
            cl.enqueue_copy(queue, host, buffer)
            total += float((host.astype(np.float64) * (1 + np.arange(host.size) % 7)).sum())
        best = math.inf
        for _ in range(5):
            n, begin, end = 0, time.process_time(), 0
            while end - begin < .05:
                kernel(queue, size, local, *given)
                queue.finish()
                n, end = n + 1, time.process_time()
            best = min(best, (end - begin) / n)
        print(name, best, total, flush=True)


def main():
    if sys.argv[1] == '--measure':
        return measure(sys.argv[2], sys.argv[3:])
    if sys.argv[1] == '--once':
        return measure(sys.argv[2], sys.argv[3:], True)
    cldbg, kernels, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    sys.argv[1:] = ['', cldbg, kernels]
    import compare
    vendors, good, tables = compare.only_pocl(), True, []
    again = ['/usr/bin/python3', os.path.abspath(__file__), '--measure', kernels, *names]
    for command, env in (compare.INTERPRETED, {}), ([cldbg, '--engine=compiled'], {}), ([cldbg, '--check=none'], {}), ([], {'OCL_ICD_VENDORS': vendors or ''}):
        if not command and not vendors:
            tables.append({})
            continue
        p = subprocess.run(command + again, env={**os.environ, **env}, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=600)
        if p.returncode:
            good = False
            print(' '.join(command + again[:2]), 'ended with', p.returncode, '\n', p.stderr)
        tables.append({name: (float(s), float(sum)) for name, s, sum in map(str.split, p.stdout.splitlines())})
    checked, compiled, free, native = tables
    ratios = []
    print(f'{"work":18} {"interpr.":>10} {"compiled":>10} {"no checks":>10} {"pocl":>10} {"/pocl":>7} {"comp./p.":>8} {"/none":>7}')
    for name in checked:
        row = [t[name][0] if name in t else math.nan for t in tables]
        print(f'{name:18}', *(f'{compare.seconds(t):>10}' for t in row), f'{row[0] / row[3]:7.2f} {row[1] / row[3]:8.2f} {row[0] / row[2]:7.2f}')
        for other in compiled, free, native:
            if name in other and not math.isclose(checked[name][1], other[name][1], rel_tol=1e-4):
                good = False
                print(f'{name}: results differ: {checked[name][1]} {other[name][1]}')
        ratios.append((row[0] / row[3], row[1] / row[3]))
    if ratios and native:
        means = [math.exp(statistics.fmean(map(math.log, r))) for r in zip(*ratios)]
        print(f'geometric mean against pocl: interpreted {means[0]:.2f}, compiled {means[1]:.2f}')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
