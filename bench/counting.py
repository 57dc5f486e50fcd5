#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What --coverage and --profile cost: CPU time of interpreted launches, divided by that without them.

    counting.py MEASURE CLDBG KERNELS [WORK...]

The three take turns; each counts with its fastest launch. The works are those of compare.py, smaller.
"""
import math
import os
import subprocess
import sys
import tempfile

from compare import APART, WORKS

ROUNDS, LAUNCHES = 3, 3
SMALLER = {1: 4, 2: 2, 3: 2}  # of the sizes of compare.py, by the power that the work grows with


def fastest(options, work, size):
    measure, cldbg, kernels = sys.argv[1:4]
    p = subprocess.run([cldbg, "--engine=interpret", "--compute-units=1", *options, measure, kernels, work, str(size),
                        "1", str(LAUNCHES)], capture_output=True, text=True, timeout=600)
    if p.returncode:
        sys.exit(f"{work}: {p.stderr}")
    return min(float(line.split()[0]) for line in p.stdout.splitlines())


def main():
    logs, n = [0, 0], 0
    print(f"{'':24} {'checked':>10} {'coverage':>9} {'profile':>9}")
    with tempfile.TemporaryDirectory() as folder:
        ways = [[], ["--coverage=" + os.path.join(folder, "c")], ["--profile=" + os.path.join(folder, "p")]]
        for work, size, _, power in WORKS:
            if work in APART or (sys.argv[4:] and work not in sys.argv[4:]):
                continue
            rounds = [[fastest(w, work, size // SMALLER[power]) for w in ways] for _ in range(ROUNDS)]
            checked, *others = [min(times) for times in zip(*rounds)]
            ratios = [t / checked for t in others]
            print(f"{work:24} {1000 * checked:7.1f} ms {ratios[0]:9.2f} {ratios[1]:9.2f}", flush=True)
            logs = [a + math.log(r) for a, r in zip(logs, ratios)]
            n += 1
    if n:
        print(f"{'geometric mean':24} {'':10} {math.exp(logs[0] / n):9.2f} {math.exp(logs[1] / n):9.2f}")


if __name__ == "__main__":
    main()
