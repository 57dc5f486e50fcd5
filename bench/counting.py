#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What --coverage and --profile cost: CPU time of interpreted launches, divided by that without them.

    counting.py MEASURE CLDBG KERNELS [--instructions] [WORK...]

The three take turns; each counts with its fastest launch. The works are those of compare.py, smaller.
--instructions: host instructions instead of time, counted by Valgrind, of smaller works; the table is the same on a loaded machine.
"""
import glob
import math
import os
import re
import subprocess
import sys
import tempfile

from compare import APART, WORKS

ROUNDS, LAUNCHES = 3, 3
SMALLER = {1: 4, 2: 2, 3: 2}  # of the sizes of compare.py, by the power that the work grows with
SMALLEST = {1: 64, 2: 8, 3: 4}  # likewise, under Valgrind


def executed(options, work, size, launches):
    """Host instructions of the process that makes so many launches."""
    measure, cldbg, kernels = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", "--trace-children-skip=*cldbg-cc*,*clang*", f"--callgrind-out-file={folder}/%p",
                            cldbg, "--engine=interpret", "--compute-units=1", *options, measure, kernels, work, str(size), "1", str(launches)], capture_output=True, text=True, timeout=600)
        most = 0
        for name in glob.glob(f"{folder}/*"):
            with open(name, encoding="utf-8") as f:
                text = f.read()
            if measure in text.partition("events:")[0]:
                most = max(most, int(re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1]))
    if p.returncode or not most:
        sys.exit(f"{work}: {p.stderr}")
    return most


def instructions(options, work, size):
    return (executed(options, work, size, 4) - executed(options, work, size, 1)) / 3


def fastest(options, work, size):
    measure, cldbg, kernels = sys.argv[1:4]
    p = subprocess.run([cldbg, "--engine=interpret", "--compute-units=1", *options, measure, kernels, work, str(size),
                        "1", str(LAUNCHES)], capture_output=True, text=True, timeout=600)
    if p.returncode:
        sys.exit(f"{work}: {p.stderr}")
    return min(float(line.split()[0]) for line in p.stdout.splitlines())


def main():
    logs, n = [0, 0], 0
    counts = "--instructions" in sys.argv
    if counts:
        sys.argv.remove("--instructions")
    print(f"{'':24} {'checked':>10} {'coverage':>9} {'profile':>9}")
    with tempfile.TemporaryDirectory() as folder:
        ways = [[], ["--coverage=" + os.path.join(folder, "c")], ["--profile=" + os.path.join(folder, "p")]]
        for work, size, _, power in WORKS:
            if work in APART or (sys.argv[4:] and work not in sys.argv[4:]):
                continue
            rounds = [[instructions(w, work, size // SMALLEST[power]) for w in ways]] if counts else \
                [[fastest(w, work, size // SMALLER[power]) for w in ways] for _ in range(ROUNDS)]
            checked, *others = [min(times) for times in zip(*rounds)]
            ratios = [t / checked for t in others]
            print(f"{work:24} {checked / 1e6 if counts else 1000 * checked:7.1f} {'M ' if counts else 'ms'} {ratios[0]:9.2f} {ratios[1]:9.2f}", flush=True)
            logs = [a + math.log(r) for a, r in zip(logs, ratios)]
            n += 1
    if n:
        print(f"{'geometric mean':24} {'':10} {math.exp(logs[0] / n):9.2f} {math.exp(logs[1] / n):9.2f}")


if __name__ == "__main__":
    main()
