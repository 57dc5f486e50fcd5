# SPDX-License-Identifier: MIT
"""What captures cost: CPU time of an app with --native, and with --native --capture.

usage: captures.py CLDBG APP [FOLDER]     FOLDER: where captures are written (default: the folder of temporary files)
"""
import os
import subprocess
import sys
import tempfile

CLDBG, APP = (os.path.abspath(p) for p in sys.argv[1:3])
CASES = [(10000 if size < 16 << 20 and rounds < 30000 else 1000, rounds, size)
         for size in (4 << 10, 128 << 10, 1 << 20, 16 << 20) for rounds in (500, 1000, 3000, 30000)]
CHANGED = 256


def run(case, *options):
    """CPU time in µs of a launch: the smaller one of two runs."""
    launches, rounds, size = case
    command = [CLDBG, '--native', *options, APP, str(launches), str(rounds), str(size), str(CHANGED)]
    times = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0] for _ in range(2)]
    return min(map(float, times)) / (launches - 1) * 1e6


print('| memory | native | captured | ratio | bytes of captures for a launch |\n|---|---|---|---|---|')
for case in CASES:
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        native, captured = run(case), run(case, '--capture=' + os.path.join(folder, 'caps'))
        stored = int(subprocess.run(['du', '-sb', folder], capture_output=True, text=True, check=True).stdout.split()[0])
    print(f'| {case[2] >> 10} KiB | {native:.0f} µs | {captured:.0f} µs | {captured / native:.2f} | {stored // case[0]:,} |', flush=True)
