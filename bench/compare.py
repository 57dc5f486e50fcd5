#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares cldbg with pocl (native code, nothing checked) and with Oclgrind, as ratios of CPU time.

    compare.py MEASURE CLDBG KERNELS [--no-oclgrind] [WORK...]

Rounds alternate between the implementations, so that a disturbance of the machine affects all of them. The table
shows the medians of the rounds. Oclgrind runs a smaller problem, and its time is scaled by the work.
README.md explains how to read the table.
"""
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3
WARM_UPS = 2  # also what works that add to their output agree on
AIM_POCL, AIM_CODE, AIM_UNCHECKED, AIM_OCLGRIND = 8, 0.5, 2.5, 500  # of single works at most; of geometric means
LINE = "%-24s %9s %9s %9s %9s %9s   %8s %8s %8s %8s"
# name, size, Oclgrind's size, power of the size that the work grows with
WORKS = [
    ("vector_add", 1 << 22, 1 << 13, 1),
    ("matmul_naive", 256, 48, 3),
    ("matmul_tiled", 256, 48, 3),
    ("reduction", 1 << 22, 1 << 13, 1),
    ("scan", 1 << 20, 1 << 11, 1),
    ("nbody", 4096, 256, 2),
    ("mandelbrot", 512, 32, 2),
    ("histogram_global", 1 << 20, 1 << 13, 1),
    ("histogram_local", 1 << 20, 1 << 13, 1),
    ("stencil_2d", 1024, 64, 2),
    ("stencil_3d", 128, 16, 3),
    ("transpose", 1024, 64, 2),
    ("fft", 1 << 19, 1 << 11, 1),
    ("bitonic_sort", 1 << 18, 1 << 11, 1),
    ("spmv", 1 << 16, 1 << 10, 1),
    ("bfs_step", 1 << 18, 1 << 12, 1),
    ("sha256", 1 << 15, 1 << 8, 1),
    ("image_filter", 512, 32, 2),
    ("monte_carlo", 1 << 15, 1 << 9, 1),
    ("dct_8x8", 512, 32, 2),
    ("one_item", 100000, 1000, 1),
    ("empty", 10000, 50, 1),
]
APART = {"one_item", "empty"}  # not in the means
GROUPS, GROUPED_ITEMS = [1, 8, 64, 256, 1024], 10000000
AIM_THREADS, THREAD_ROUNDS = 1.8, 3
# Name, size, launches: short ones would measure how soon a thread wakes up.
THREADED = [
    ("matmul_naive", 1024, 2),
    ("nbody", 16384, 2),
    ("mandelbrot", 1536, 2),
    ("bitonic_sort", 1 << 22, 2),
    ("sha256", 1 << 20, 2),
    ("vector_add", 1 << 24, 8),
    ("transpose", 4096, 3),
    ("spmv", 1 << 20, 6),
    ("bfs_step", 1 << 21, 6),
    ("histogram_local", 1 << 24, 4),
    ("stencil_3d", 192, 3),
]


def start(command, environment, work, size, warm_ups, repeats, *more):
    measure = [MEASURE, KERNELS, work, str(size), str(warm_ups), str(repeats), *map(str, more)]
    return subprocess.Popen(command + measure, env={**os.environ, **environment}, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def rows_of(p):
    """Of each launch: CPU and wall seconds, the checksum, CPU seconds of its busiest thread; or the reason why there are none."""
    try:
        out, errors = p.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        p.kill()
        p.communicate()
        return "no end in 600 s"
    rows = [[float(x) for x in line.split()] for line in out.splitlines()]
    if p.returncode or not rows:
        return ("exit status %d: %s" % (p.returncode, (errors.strip().splitlines() or ["no message"])[-1]))[:100]
    return rows


def run(*what):
    """Medians of the columns; or the reason why there are none."""
    rows = rows_of(start(*what))
    return rows if isinstance(rows, str) else [statistics.median(column) for column in zip(*rows)]


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


def seconds(t):
    return "%.1f us" % (t * 1e6) if t < 1e-3 else "%.2f ms" % (t * 1e3) if t < 1 else "%.2f s" % t


class Table:
    """Rows of the works, and what became of the aims."""

    def __init__(self):
        self.good, self.ratios = True, {"pocl": [], "code": [], "unchecked": [], "oclgrind": []}

    def complain(self, text):
        print(text)
        self.good = False

    def ratio(self, kind, a, b, counts):
        if a is None or b is None or b <= 0:
            return "-"
        if counts:
            self.ratios[kind].append(a / b)
        if kind == "pocl" and counts and a / b > AIM_POCL:
            self.good = False
            return "%.1f MISSED" % (a / b)
        return "%.2f" % (a / b) if a / b < 10 else "%.0f" % (a / b)

    def value(self, name, what, results, scale=1):
        m = middle(results) if results else None
        if isinstance(m, str):
            self.complain("%s: %s: %s" % (name, what, m))
        return m[0] * scale if isinstance(m, list) else None

    def row(self, name, size, small, power, pocl, oclgrind):
        ours, code, free, theirs, slow = [], [], [], [], []
        for _ in range(ROUNDS):
            ours.append(run(INTERPRETED, {}, name, size, WARM_UPS, 3))
            code.append(run([CLDBG, "--engine=compiled"], {}, name, size, WARM_UPS, 3))
            free.append(run([CLDBG, "--check=none"], {}, name, size, WARM_UPS, 3))
            if pocl:
                theirs.append(run([], {"OCL_ICD_VENDORS": pocl}, name, size, WARM_UPS, 3))
        if oclgrind:
            slow.append(run([oclgrind, "--data-races"], {}, name, small, 0, 1))
        a, c, n, p = (self.value(name, *x) for x in (("interpreted", ours), ("compiled", code), ("cldbg --check=none", free),
                                                     ("pocl", theirs)))
        g = self.value(name, "oclgrind", slow, (size / small) ** power)
        sums = [middle(x)[2] for x in (ours, code, free, theirs) if x and isinstance(middle(x), list)]
        if any(abs(x - sums[0]) > 1e-4 * max(abs(x), abs(sums[0])) for x in sums):
            self.complain("%s: the results differ: %s" % (name, sums))
        counts, each = name not in APART, size if name == "empty" else 1
        cells = [seconds(x / each) if x is not None else "-" for x in (a, c, n, p, g)]
        print(LINE % ("%s %d" % (name, size), *cells, self.ratio("pocl", a, p, counts), self.ratio("code", c, p, counts),
              self.ratio("unchecked", a, n, counts), self.ratio("oclgrind", g, a, counts)), flush=True)

    def means(self):
        aims = {"pocl": lambda m: m <= 2, "code": lambda m: m <= AIM_CODE, "unchecked": lambda m: m <= AIM_UNCHECKED, "oclgrind": lambda m: m >= AIM_OCLGRIND}
        text = []
        for kind, values in self.ratios.items():
            mean = math.exp(statistics.fmean(map(math.log, values))) if values else None
            text.append("-" if mean is None else "%.2f" % mean + ("" if aims[kind](mean) else "!"))
            self.good = self.good and (mean is None or aims[kind](mean))
        print(LINE % ("geometric mean", "", "", "", "", "", *text))


def groups():
    """Vector addition in groups of different sizes: nanoseconds a work-item."""
    print("\nvector_add of %d work-items by size of the work-groups" % GROUPED_ITEMS)
    for what, more in (("all checks", ["--engine=interpret"]), ("--check=none", ["--check=none"])):
        cells = []
        for size in GROUPS:
            m = run([CLDBG, *more], {}, "vector_add", GROUPED_ITEMS // 1024 * 1024, 1, 3, size)
            cells.append("%d: %s" % (size, m if isinstance(m, str) else "%.2f ns" % (m[0] / GROUPED_ITEMS * 1e9)))
        print("%-14s %s" % (what, "   ".join(cells)), flush=True)


def threads(table):
    """One worker thread against two, by the best launch of each; and what the machine gives to two processes of one thread each."""
    print("\none worker thread against two (aim: %.1f)" % AIM_THREADS)
    print("%-24s %9s %9s %8s %9s %10s" % ("", "one", "two", "gain", "machine", "by busiest"))
    for name, size, launches in THREADED:
        one, two, pair = [], [], []
        for _ in range(THREAD_ROUNDS):
            for threads, processes, results in ((1, 1, one), (2, 1, two), (1, 2, pair)):
                started = [start([*INTERPRETED, "--compute-units=%d" % threads], {}, name, size, 1, launches) for _ in range(processes)]
                results.append([rows_of(p) for p in started])
        bad = [rows for r in one + two + pair for rows in r if isinstance(rows, str)]
        if bad:
            table.complain("%s: %s" % (name, bad[0]))
            continue

        def marked(ratio):
            return "%.2f" % ratio + "!" * (ratio < AIM_THREADS)

        def best(results, column):
            return min(row[column] for r in results for rows in r for row in rows)
        together = min(max(statistics.median(row[1] for row in rows) for rows in r) for r in pair)
        gain, machine = best(one, 1) / best(two, 1), 2 * best(one, 1) / together
        by_busiest = best(one, 0) / best(two, 3)
        table.good = table.good and max(gain, by_busiest) >= AIM_THREADS
        print("%-24s %9s %9s %8s %9.2f %10s" % ("%s %d" % (name, size), seconds(best(one, 1)), seconds(best(two, 1)), marked(gain),
              machine, marked(by_busiest)), flush=True)


def main():
    wanted = [x for x in sys.argv[4:] if not x.startswith("--")]
    pocl = only_pocl()
    oclgrind = None if "--no-oclgrind" in sys.argv else shutil.which("oclgrind")
    if not pocl:
        print("pocl is not installed (Debian: pocl-opencl-icd): no ratio to native code")
    if not oclgrind:
        print("without oclgrind (not wanted, or not installed; Debian: oclgrind): no ratio to it")
    print("CPU time of the launches; cldbg with all its checks, oclgrind with --data-races")
    print(LINE % ("", "interpr.", "compiled", "no checks", "pocl", "oclgrind", "/pocl", "comp./p.", "/none", "oclgr./"))
    table = Table()
    for work in WORKS:
        if not wanted or work[0] in wanted:
            table.row(*work, pocl, oclgrind)
    table.means()
    if not wanted or "groups" in wanted:
        groups()
    if not wanted or "threads" in wanted:
        threads(table)
    if pocl:
        shutil.rmtree(pocl)
    sys.exit(0 if table.good else 1)


if len(sys.argv) < 4:
    sys.exit(__doc__)
MEASURE, CLDBG, KERNELS = sys.argv[1:4]
INTERPRETED = [CLDBG, "--engine=interpret"]
if __name__ == "__main__":
    main()
