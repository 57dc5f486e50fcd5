#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program in SPIR 1.2 (spir.ll) is built, or compiled and linked, and run, checked and as machine code."""
import os
import subprocess
import sys
import tempfile

PYTHON = '/usr/bin/python3'
HERE = os.path.dirname(os.path.abspath(__file__))
APP = r'''
import sys, numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False); q = cl.CommandQueue(ctx); mf = cl.mem_flags; dev = ctx.devices[0]
code = open(sys.argv[1], 'rb').read()
def given():
    p = cl._cl._Program(ctx, [dev], [code])
    assert p.get_build_info(dev, cl.program_build_info.BINARY_TYPE) == 0x40e1, 'not intermediate'
    return p
built = given(); built._build(b'-x spir -spir-std=1.2', [dev])
part = given(); part.compile(b'-x spir', [dev], [])
assert part.get_build_info(dev, cl.program_build_info.BINARY_TYPE) == 1, 'not compiled'
pixels = np.arange(16, dtype=np.float32).reshape(4, 4)
image = cl.image_from_array(ctx, np.repeat(pixels[..., None], 4, 2).copy(), 4)
rgba = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
layers = cl.Image(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, rgba, shape=(2, 2, 3), is_array=True, hostbuf=np.zeros((3, 2, 2, 4), np.float32))
for p in (built, cl._cl._Program.link(ctx, [part], b'', [dev])):
    k = cl.Kernel(p, 'sample')
    assert k.get_arg_info(0, cl.kernel_arg_info.TYPE_NAME) == 'image2d_t' and k.get_arg_info(1, cl.kernel_arg_info.NAME) == 'sampler'
    assert k.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, dev)[0] == 4
    out = np.zeros((4, 4), np.float32); o = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=out)
    k.set_args(image, cl.Sampler(ctx, False, cl.addressing_mode.CLAMP, cl.filter_mode.NEAREST), o, layers)
    cl.enqueue_nd_range_kernel(q, k, (4,), None)
    cl.enqueue_copy(q, out, o)
    want = [[pixels[0, x], (pixels[0, x] + (pixels[0, x - 1] if x else 0)) / 2, 4, 3] for x in range(4)]
    assert (out == np.array(want, np.float32)).all(), out
print('right')
'''
if subprocess.run([PYTHON, '-c', 'import pyopencl, numpy'], stderr=subprocess.DEVNULL).returncode:
    print('SKIP: there is no PyOpenCL for', PYTHON)
    sys.exit(77)
clang = os.environ.get('CLANG', 'clang-19')
assembler = os.path.join(os.path.dirname(os.path.realpath(clang if '/' in clang else '/usr/bin/' + clang)), 'llvm-as')
if not os.access(assembler, os.X_OK):
    print('SKIP: no llvm-as beside', clang)
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([assembler, os.path.join(HERE, 'spir.ll'), '-o', f'{folder}/spir.bc'], check=True)
    with open(f'{folder}/app.py', 'w') as f:
        f.write(APP)
    for way in ([], ['--native']):
        p = subprocess.run([os.environ.get('CLDBG', 'cli/cldbg'), *way, PYTHON, f'{folder}/app.py', f'{folder}/spir.bc'], capture_output=True, text=True, timeout=120)
        if p.returncode or 'right' not in p.stdout or 'no findings' not in p.stderr:
            sys.exit(f'{way} {p.returncode} {p.stdout} {p.stderr}')
