#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Host instructions for each lane-instruction, by class of instruction, counted by callgrind.

    opcodes.py LAUNCHES CLDBG [CLASS...]

Each class is a kernel with a loop of that instruction over a gang of 256 lanes, all of them active; it is launched
with few and with many iterations, and the difference is what the loop costs. A handler that vectorizes takes a
fraction of an instruction or a few; one with a call or a branch for each lane takes dozens: those are marked.
Valgrind knows no AVX-512: the loops counted are those for AVX2.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

LANES, FEW, MANY = 256, 2, 34
AIM = 12  # host instructions a lane: loops of loads, shuffles and stores stay below, a call a lane does not
# name, statements in the loop (x: its own number, f: float, k: the counter)
CLASSES = [
    ("integer add", "x += k; x += lid; x ^= k; x += n;"),
    ("integer multiply", "x *= n; x *= lid; x *= n; x *= lid;"),
    ("integer division", "x = x / (lid + 3) + 7; x = x / (k + 3) + 9;"),
    ("64-bit multiply", "w = w * n; w = w * lid; w = w * n; w = w * lid;"),
    ("float add", "f += n; f += 0.5f; f += g; f += 0.25f;"),
    ("float fma", "f = fma(f, g, g); f = fma(f, g, 1.0f);"),
    ("float division", "f = 1.0f / (f + g); f = g / (f + 1.0f);"),
    ("sqrt", "f = sqrt(f + g);"),
    ("sin", "f = sin(f);"),
    ("exp", "f = exp(f * 0.01f);"),
    ("convert", "f = (float)(int)(f + g); x = (uint)f;"),
    ("compare and select", "x = select(x + 2, x - 1, x > lid); x = min(x, lid + 9);"),
    ("branch, uniform", "if (k > n) x++; if (k > n + 1) x += 2;"),
    ("branch, varying", "if (lid & 1) x += k;"),
    ("load, uniform", "x += p[k]; x += p[k + 1];"),
    ("load, consecutive", "x += p[lid + k]; x += p[lid + k + 1];"),
    ("load, strided", "x += p[lid * 3 + k];"),
    ("load, gathered", "x += p[(lid * 37 + k * 11) & 1023];"),
    ("load of float4", "v += ((global float4 *)p)[(lid * 7 + k) & 255];"),
    ("load of uchar4", "v += convert_float4(((global uchar4 *)p)[(lid * 7 + k) & 255]);"),
    ("store, consecutive", "q[lid] = k;"),
    ("store, scattered", "q[lid * 5 & 1023] = k;"),
    ("local memory", "tile[lid] = x; x += tile[lid];"),
    ("private array", "a[k & 7] = x; x += a[(k + 1) & 7];"),
    ("private array, gathered", "a[(lid + k) & 7] = x; x += a[(lid + 2 * k) & 7];"),
    ("private array, set up", "int t[4] = {5, 3, 1, 2}; x += t[x & 3];"),
    ("private array, cleared", "int t[16] = {0}; t[x & 15] = k; x += t[lid & 15];"),
    ("struct, copied", "struct pair s = pairs[lid & 63]; s.a += k; other[lid] = s;"),
    ("atomic, one place", "atomic_add(&c[0], lid);"),
    ("atomic, scattered", "atomic_max(&c[lid * 7 & 1023], k);"),
    ("atomic, local", "atomic_add(&tile[lid * 7 & 255], k);"),
    ("atomic, old value", "x += atomic_add(&c[lid], k);"),
    ("call", "x = twice(x);"),
]

KERNEL = """kernel void k%d(global uint *p, global uint *q, global uint *c, uint n, uint times)
{
    global const struct pair *pairs = (global const struct pair *)p;
    global struct pair *other = (global struct pair *)(q + 1280);
    local uint tile[256];
    uint lid = get_local_id(0), x = lid, a[8] = {0};
    float f = lid, g = lid * 0.5f;
    float4 v = f;
    ulong w = lid;
    tile[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < times; k++) {
        %s
    }
    q[lid + 1024] = x + as_uint(f) + (uint)w + tile[lid] + a[n & 7] + as_uint(v.x + v.y + v.z + v.w);
}
"""


def lane_instructions(cldbg, path):
    """Of each kernel's loop: how many instructions work on lanes."""
    text = subprocess.run([cldbg, "disasm", path], capture_output=True, text=True).stdout
    counts = []
    for fn in re.split(r'^fn ', text, flags=re.M)[1:]:
        if not re.match(r'"k\d+"', fn):
            continue
        blocks = re.split(r"^  block loop (-?\d+).*$", fn, flags=re.M)[1:]
        counts.append(sum(bool(re.search(r"\bv\d+", line)) for loop, body in zip(blocks[::2], blocks[1::2]) if loop != "-1"
                          for line in body.splitlines()))
    return counts


def script(path, classes):
    lines = ["program %s" % path]
    for i, _ in enumerate(classes):
        for times in (FEW, FEW, MANY):  # the first one decodes the kernel
            lines += ["launch k%d 0 0 0 %d 1 1 %d 1 1 5" % (i, LANES, LANES), "buffer " + "01" * 4096, "zero 16384", "zero 4096",
                      "value 05000000", "value %02x000000" % times]
    return "".join(x + "\n" for x in lines)


def totals(out):
    """Instructions between the calls of vm_run, in order: callgrind writes a part before each."""
    parts = [p for p in glob.glob(out + ".*") if re.search(r"\.\d+$", p)]
    counts = []
    for p in sorted(parts, key=lambda p: int(p.rsplit(".", 1)[1])):
        with open(p) as f:
            m = re.search(r"^(?:summary|totals): (\d+)", f.read(), re.M)
        counts.append(int(m[1]))
    return counts


def measure(launches, cldbg, classes, check):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "k.cl"), os.path.join(folder, "out")
        with open(path, "w") as f:
            f.write("struct pair { uint a, b; float c; uint d; };\n")
            f.write("uint __attribute__((noinline)) twice(uint x) { return x * 2; }\n")
            f.write("".join(KERNEL % (i, body) for i, (_, body) in enumerate(classes)))
        under = [cldbg, "--check=" + check, "--compute-units=1", "--gang=%d" % LANES, "--log-file=/dev/null", "--error-exitcode=0"]
        count = ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + out, "--dump-before=vm_run", "--dump-after=vm_run"]
        for by in [], count:  # the first run compiles: valgrind has no room under the memory limit of the compiler's process
            p = subprocess.run(under + by + [launches], input=script(path, classes), capture_output=True, text=True, timeout=900)
        counts = totals(out)
        # a part before each launch, and one of it
        if p.returncode or len(counts) < 6 * len(classes):
            sys.exit("opcodes.py: %d parts, status %d: %s" % (len(counts), p.returncode, p.stderr[-500:]))
        of_launch = counts[1::2]
        counts = lane_instructions(cldbg, path)
        return [(of_launch[3 * i + 2] - of_launch[3 * i + 1]) / (MANY - FEW) / LANES / counts[i] for i in range(len(classes))]


def main():
    launches, cldbg = sys.argv[1:3]
    classes = [c for c in CLASSES if not sys.argv[3:] or any(w in c[0] for w in sys.argv[3:])]
    if subprocess.run(["sh", "-c", "command -v valgrind"], capture_output=True).returncode:
        print("valgrind is not installed (package valgrind): host instructions are not counted")
        return 0
    free = measure(launches, cldbg, classes, "none")
    ours = measure(launches, cldbg, classes, "all")
    print("host instructions a lane-instruction, 256 lanes active     no checks   cldbg")
    for (name, _), a, b in zip(classes, free, ours):
        print("%-56s %11.2f %7.2f%s" % (name, a, b, "  lane by lane?" if a > AIM else ""), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
