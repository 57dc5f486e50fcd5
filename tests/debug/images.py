#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A session on an app with images, half, structs, nested and inlined calls: what is printed is what was put there."""
import os, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
python = "/usr/bin/python3"
if subprocess.run([python, "-c", "import pyopencl, numpy"], stderr=subprocess.DEVNULL).returncode:
    print("SKIP: there is no PyOpenCL for", python)
    sys.exit(77)

APP = r'''
import pyopencl as cl, numpy as np
ctx = cl.create_some_context(False); q = cl.CommandQueue(ctx); mf = cl.mem_flags
p = cl.Program(ctx, open("types.cl").read()).build()
src = cl.image_from_array(ctx, np.arange(64, dtype=np.float32).reshape(4, 4, 4), 4)
dst = cl.Image(ctx, mf.WRITE_ONLY, cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT), shape=(4, 4))
o = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=np.zeros(16, np.float32))
h = cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=(np.arange(16) / 4).astype(np.float16))
ps = cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=np.zeros(16 * 48, np.uint8))
for i in range(3): p.im(q, (4, 4), (4, 2), src, dst, o, h, ps)
q.finish()
'''
ASK = [("break helper if x > 46", "Breakpoint 1 (helper) pending"), ("run", "helper (x=48, k=2)"), ("backtrace", "#1  outer (q=48, t=&t[0])"), ("info args", "x = 48\nk = 2"),
       ("info locals", "y = <uninitialized>"), ("up", "outer (q=48"), ("info args", "q = 48\nt = (float *) &t[0]"), ("up", "im (src=<src>, dst=<dst>, o=&o[0]"), ("print src", "<src: 4 x 4 x 1, 16 bytes a pixel>"),
       ("info locals", "px = {48, 49, 50, 51}"), ("print xy", "{0, 3}"), ("print SCALE", "= 3"), ("print SCALE * 2 + 1", "= 7"), ("print table[1]", "= 2.5"), ("print hh[3]", "= 0.75"),
       ("print get_image_width(src)", "= 4"), ("print get_image_channel_order(src)", "= 4277"), ("print read_imagef(src, smp, xy)", "{48, 49, 50, 51}"),
       ("print read_imagef(src, (int2)(1, 2))", "{36, 37, 38, 39}"), ("print read_imagef(src, (int2)(4, 0))", "Coordinate 4 is outside of the image, which has 4"),
       ("print read_imagef(src, smp, (int2)(9, -1))", "{12, 13, 14, 15}"), ("print read_imagef(src, smp, (float2)(1.9f, 2.0f))", "{36, 37, 38, 39}"),
       ("print read_imagef(src, CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR, (float2)(0.25f, 0.375f))", "{18, 19, 20, 21}"),
       ("print smp == (CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP_TO_EDGE)", "= 1"), ("print INT_MIN", "= -2147483648"), ("print M_PI_F", "= 3.14159274"), ("print NAN", "= nan"),
       ("print read_imagei(src, xy)", "This image is read by read_imagef"), ("print read_imagef(o, xy)", "Not an image"), ("print read_imagef(src, 1)", "has 2 coordinates"),
       ("delete", ""), ("set stop-on-findings off", ""), ("break 20 if inner == 2 && get_global_id(0) == 1", "types.cl:20"), ("continue", "types.cl:20"), ("print i", "= 1"), ("print p", "{a = 3, f = "),
       ("print p.f.xy", "= {"), ("print p.s", "{0, 7, 0}"), ("print -a inner", "inner"), ("ptype p", "half h;"), ("whatis p.f", "float4"), ("print w", ""), ("print px.x * 2 + 1 == w", "= 1"),
       ("x/2fh hh", "0\t0.25"), ("x/4fw table", "Cannot access 4 bytes at offset 12 of 'table', which has 12"), ("x/2fw &p.f", ":"), ("info launches", "*    1  im, global 4x4, local 4x2"),
       ("delete", ""), ("until launch 3", "types.cl:11"), ("info launches", "*    3  im"), ("until launch 2", "begun already"), ("disassemble", "block 0:")]
with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
    with open(tmp + "/script", "w") as f:
        f.write("\n".join(a for a, _ in ASK) + "\n")
    with open(tmp + "/app.py", "w") as f:
        f.write(APP)
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"), PYOPENCL_NO_CACHE="1")
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script", python, tmp + "/app.py"], cwd=kernels, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=170)
answers = p.stdout.decode().split("(cldbg) ")[1:]
failed = 0
for (ask, want), got in zip(ASK, answers + ["(none)\n"] * len(ASK)):
    if want not in got:
        failed += 1
        print(f"FAILED {ask}: {want!r} is not in {got!r}")
print(f"{len(ASK)} questions, {failed} failed")
if failed: print(p.stderr.decode()[-1500:])
sys.exit(1 if failed else 0)
