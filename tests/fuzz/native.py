#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels, checked and as machine code: the same results.

usage: native.py [FIRST COUNT]     (default 0 20)     environment: CLDBG (default cli/cldbg)

Three of four are barriers.py's, whose barriers are right by construction, under --both; the others are generate.py's, which have
atomics: there the buffers of two runs are compared. With a mistake planted some of barriers.py's must come to an end.
"""
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import barriers  # noqa: E402
import generate  # noqa: E402

TIMEOUT = 120


def execute(path, options):
    cmd = shlex.split(os.environ.get('CLDBG', 'cli/cldbg')) + ['run', path, '--kernel=k'] + options
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
    return p.returncode, p.stdout.decode(), p.stderr.decode(errors='replace'), shlex.join(cmd)


def check(seed, folder):
    path = os.path.join(folder, f's{seed}.cl')
    size, group = barriers.SHAPES[seed % len(barriers.SHAPES)]
    ours = seed % 4 != 3
    shape = [f'--global={size}', f'--local={group}', f'--arg=uint[{size if ours else 16 * size}]=0']
    with open(path, 'w') as f:
        f.write(barriers.generate(seed) if ours else generate.generate(seed))
    if ours:
        runs = [shape + ['--arg=uint[8]=3,8,1,6,4,7,2,5', '--arg=int=3', '--both']]
    else:
        runs = [['--build-options=-w', shape[0], shape[1], f'--arg=uint[37]=rand:{seed}', shape[2], '--arg=int[16]=0', '--arg=int=37',
                 '--dump=1', '--dump=2'] + more for more in ([], ['--native'])]
    try:
        results = [execute(path, r) for r in runs]
        if seed % 4 == 0:
            with open(path, 'w') as f:
                f.write(barriers.generate(seed, barriers.PLANTS[seed % len(barriers.PLANTS)]))
            results.append(execute(path, runs[0][:-1] + ['--native']))
    except subprocess.TimeoutExpired:
        return [f'seed {seed}: no end']
    problems = [f'seed {seed}: {r[2].strip()}\n  {r[3]}' for r in results if r[0] or 'no findings in 1' not in r[2]]
    if not problems and not ours and len({r[1] for r in results}) > 1:
        problems.append(f'seed {seed}: machine code computes something else\n  {results[1][3]}')
    return problems


def main():
    first, count = map(int, sys.argv[1:3]) if len(sys.argv) == 3 else (0, 20)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ.setdefault('CLDBG_CACHE', 'off')
        problems = [p for r in pool.map(lambda s: check(s, folder), range(first, first + count)) for p in r]
    print('\n'.join(problems))
    print(f'{count} kernels, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
