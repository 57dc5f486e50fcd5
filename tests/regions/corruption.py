#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Regions as machine code, corrupted: kernels of tests/kernels with one edge between regions bent, or one carried value read from
another's place (src/native/corrupt.c), must compute something else, fail, or not come to an end.

usage: corruption.py [-v] [KERNELS EACH]   so many kernels, and corruptions of each (default 6 2); environment: CLDBG (default cli/cldbg)

Some corruptions change nothing: of a region that no run comes to, of values that are the same. At least LEAST of a hundred must show.
"""
import concurrent.futures
import glob
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

LEAST, TIMEOUT = 75, 10
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


def execute(cldbg, path, options, corrupt, folder):
    env = {**os.environ, 'CLDBG_CACHE': 'off', 'XDG_CACHE_HOME': folder}
    if corrupt:
        env['CLDBG_NATIVE_CORRUPT'] = corrupt
    try:
        p = subprocess.run(cldbg + ['run', '--native', path, '--dump=0', *options], stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=TIMEOUT, env=env)
    except subprocess.TimeoutExpired:
        return None, True
    return (p.returncode, p.stdout), not corrupt or b'corrupted: ' in p.stderr


class Kernel:
    def __init__(self, path, folder):
        self.cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
        self.path, self.folder = path, folder
        text = open(path).read()
        name = re.findall(r'\bkernel\s+(?:__attribute__\s*\(\(.*?\)\)\)\s*)?void\s+(\w+)', text)[0]
        runs = [shlex.split(r) for r in re.findall(r'//\s*RUN:\s*(.*)', text)]
        self.right = {}
        self.runs = [[o for o in r if not o.startswith('--kernel')] + [f'--kernel={name}'] for r in runs[-2:]]

    def check(self, corruption):
        """Whether it shows; None: there was nothing to corrupt."""
        tried = False
        for options in self.runs:
            key = tuple(options)
            if key not in self.right:
                self.right[key], _ = execute(self.cldbg, self.path, options, None, self.folder)
            got, done = execute(self.cldbg, self.path, options, corruption, self.folder)
            tried |= done
            if done and got != self.right[key]:
                return True
        return False if tried else None


def main():
    args = [a for a in sys.argv[1:] if a != '-v']
    kernels, each = map(int, args) if args else (6, 2)
    paths = [p for p in sorted(glob.glob(os.path.join(TOP, 'tests/kernels/clean/barrier_*.cl'))) if '// NOT-NATIVE' not in open(p).read()]
    rng = random.Random(kernels)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(k, f'{("edge", "value")[n % 2]}:{rng.randrange(1000)}') for k in (Kernel(p, folder) for p in rng.sample(paths, min(kernels, len(paths))))
                for n in range(each)]
        results = list(pool.map(lambda j: j[0].check(j[1]), jobs))
    tried = [(j, r) for j, r in zip(jobs, results) if r is not None]
    if not tried:
        print('skipped: nothing was corrupted; this is no build with --enable-werror')
        return 77
    for (k, corruption), shows in tried if '-v' in sys.argv else []:
        print(f'{"shows     " if shows else "does not  "}{corruption} {os.path.basename(k.path)}')
    shown = sum(r for _, r in tried)
    print(f'{shown} of {len(tried)} corruptions show')
    return 0 if shown * 100 >= LEAST * len(tried) else 1


if __name__ == '__main__':
    sys.exit(main())
