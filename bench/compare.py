#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares cldbg with pocl (native code, nothing checked) and with Oclgrind, as ratios of CPU time.

    compare.py MEASURE CLDBG KERNELS [WORK…]

Rounds alternate between the implementations, so that a disturbance of the machine meets all of them; what is
shown is the median of the rounds. Oclgrind runs a smaller problem, and its time is scaled by the work.
README.md beside this file says how to read the table.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3
# name, size, Oclgrind's size, power of the size that the work grows with, at most this many times pocl's CPU
# time, at least this many times faster than Oclgrind (None: no aim)
WORKS = [
    ("matmul_naive", 256, 48, 3, 5, 100),
    ("matmul_tiled", 256, 48, 3, None, None),
    ("mandelbrot", 512, 32, 2, 8, None),
    ("vector_add", 1 << 22, 1 << 13, 1, None, None),
    ("reduction", 1 << 22, 1 << 13, 1, None, None),
    ("nbody", 4096, 256, 2, None, None),
    ("empty", 10000, 50, 1, None, None),
]


def run(command, environment, work, size, warm_ups, repeats):
    """Medians of CPU and wall seconds, and the checksum; or the reason why there is none."""
    measure = [MEASURE, KERNELS, work, str(size), str(warm_ups), str(repeats)]
    try:
        p = subprocess.run(command + measure, env={**os.environ, **environment}, text=True, timeout=600,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return "no end in 600 s"
    rows = [[float(x) for x in line.split()] for line in p.stdout.splitlines()]
    if p.returncode or not rows:
        return ("exit status %d: %s" % (p.returncode, (p.stderr.strip().splitlines() or ["no message"])[-1]))[:100]
    return [statistics.median(column) for column in zip(*rows)]


def middle(results):
    """Of several rounds: the medians; a failure in any is the result."""
    for r in results:
        if isinstance(r, str):
            return r
    return [statistics.median(column) for column in zip(*results)]


def only_pocl():
    """A folder for OCL_ICD_VENDORS that names pocl alone, or None where it is not installed."""
    vendors = "/etc/OpenCL/vendors"
    for name in sorted(os.listdir(vendors)) if os.path.isdir(vendors) else []:
        if "pocl" in name:
            folder = tempfile.mkdtemp(prefix="cldbg-bench-")
            shutil.copy(os.path.join(vendors, name), folder)
            return folder
    return None


def ratio(a, b, aim=None, at_most=True):
    if not isinstance(a, float) or not isinstance(b, float) or b <= 0:
        return "-", True
    kept = aim is None or (a / b <= aim if at_most else a / b >= aim)
    text = "%.2f" % (a / b) if a / b < 10 else "%.0f" % (a / b)
    return text + ("" if aim is None else " (aim %s%d%s)" % ("<=" if at_most else ">=", aim, "" if kept else ", MISSED")), kept


def seconds(t):
    return "%.1f us" % (t * 1e6) if t < 1e-3 else "%.2f ms" % (t * 1e3) if t < 1 else "%.2f s" % t


def main():
    wanted = sys.argv[4:]
    pocl = only_pocl()
    oclgrind = shutil.which("oclgrind")
    if not pocl:
        print("pocl is not installed (Debian: pocl-opencl-icd): no ratio to native code")
    if not oclgrind:
        print("oclgrind is not installed (Debian: oclgrind): no ratio to it")
    print("CPU time of the launches; cldbg with all its checks, oclgrind with --data-races")
    print("%-22s %10s %10s %12s  %-26s %s" % ("", "cldbg", "pocl", "oclgrind", "cldbg/pocl", "oclgrind/cldbg"))
    good = True
    for name, size, small, power, aim_pocl, aim_oclgrind in WORKS:
        if wanted and name not in wanted:
            continue
        ours, theirs, slow = [], [], []
        for _ in range(ROUNDS):
            ours.append(run([CLDBG, "--ci"], {}, name, size, 1, 3))
            if pocl:
                theirs.append(run([], {"OCL_ICD_VENDORS": pocl}, name, size, 1, 3))
        if oclgrind:
            slow.append(run([oclgrind, "--data-races"], {}, name, small, 0, 1))
        cells, values = [], []
        for what, results, scale in (("cldbg", ours, 1), ("pocl", theirs, 1),
                                     ("oclgrind", slow, (size / small) ** power)):
            m = middle(results) if results else None
            if isinstance(m, str):
                print("%s: %s: %s" % (name, what, m))
                good = False
            values.append(m[0] * scale if isinstance(m, list) else None)
            cells.append(seconds(m[0] * scale / (size if name == "empty" else 1)) if isinstance(m, list) else "-")
            if isinstance(m, list) and what == "pocl" and isinstance(middle(ours), list):
                a, b = middle(ours)[2], m[2]
                if abs(a - b) > 1e-2 * max(abs(a), abs(b)):
                    print("%s: the results differ: checksum %g, pocl's %g" % (name, a, b))
                    good = False
        to_pocl, kept1 = ratio(values[0], values[1], aim_pocl)
        to_oclgrind, kept2 = ratio(values[2], values[0], aim_oclgrind, at_most=False)
        good = good and kept1 and kept2
        label = "empty launch (of %d)" % size if name == "empty" else "%s %d" % (name, size)
        print("%-22s %10s %10s %12s  %-26s %s" % (label, *cells, to_pocl, to_oclgrind), flush=True)
    if pocl:
        shutil.rmtree(pocl)
    sys.exit(0 if good else 1)


if len(sys.argv) < 4:
    sys.exit(__doc__)
MEASURE, CLDBG, KERNELS = sys.argv[1:4]
main()
