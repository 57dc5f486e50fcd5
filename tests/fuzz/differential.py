#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of generate.py: the same buffers with gangs of any size, any number of threads, and on pocl.

usage: differential.py [FIRST COUNT]     environment: CLDBG (default cli/cldbg)
       differential.py --reduce SEED     a shorter kernel on which the answers still differ

Findings count as mistakes too: the kernels have none. What pocl cannot build or run in time is only counted.
"""
import concurrent.futures
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402
from generate import generate  # noqa: E402

BINARY = 'tests/fuzz/launches'
SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (130, 65), (256, 256), (51, 17)]
VARIANTS = (['--gang=1', '--compute-units=1'], ['--gang=8', '--compute-units=2'], ['--gang=256', '--compute-units=1'])
TIMEOUT, POCL_TIMEOUT = 300, 30


def launch(seed):
    size, group = SHAPES[seed % len(SHAPES)]
    r = random.Random(seed)
    data = struct.pack('37I', *(r.randrange(1 << 32) for _ in range(37)))
    return launches.Launch('k', [size], [group], [('buffer', data), ('zero', 4 * size), ('zero', 64), ('value', struct.pack('i', 37))])


def judge(source, seed, folder, env):
    """What is wrong with cldbg's answers to this kernel (a text, or None), and whether pocl had one."""
    path = os.path.join(folder, f'd{seed}.cl')
    with open(path, 'w') as f:
        f.write(source)
    program, first, kinds = [(path, '-w', [launch(seed)])], None, set()
    for v in VARIANTS:
        results, findings = launches.under_cldbg(BINARY, program, v, TIMEOUT)
        if not results or isinstance(results[0][1], str):
            return f'{results[0][1] if results else "no result"} with {" ".join(v)}', False
        kinds |= {f['id'] for f in findings}
        if first and results != first:
            return f'other results with {" ".join(v)}', False
        first = results
    if kinds:
        return f'findings: {", ".join(sorted(kinds))}', False
    if not env:
        return None, False
    try:
        results = launches.elsewhere(BINARY, program, env, POCL_TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, False
    if not results or not results[0][1] or isinstance(results[0][1], str):
        return None, False
    return None if results == first else 'other results than with pocl', True


def reduce(seed, folder, env):
    """Takes runs of lines away, long ones first, as long as something stays wrong that is no failed build."""
    lines = generate(seed).split('\n')
    wrong = judge('\n'.join(lines), seed, folder, env)[0]
    if not wrong:
        return None, None
    size = len(lines) // 2
    while size:
        at = 0
        while at < len(lines):
            shorter = lines[:at] + lines[at + size:]
            text = '\n'.join(shorter)
            now = judge(text, seed, folder, env)[0] if text.count('{') == text.count('}') else None
            if now and now.split(':')[0] == wrong.split(':')[0]:
                lines = shorter
            else:
                at += size
        size //= 2
    return '\n'.join(lines), wrong


def main():
    env = launches.pocl()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ['CLDBG_CACHE'] = os.path.join(folder, 'cache')
        if sys.argv[1:2] == ['--reduce']:
            text, wrong = reduce(int(sys.argv[2]), folder, env)
            print(f'// {wrong}\n{text}' if text else 'nothing is wrong')
            return 0
        first, count = (int(x) for x in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 100)
        bad = compared = 0
        for seed, (wrong, has_other) in zip(range(first, first + count),
                                            pool.map(lambda s: judge(generate(s), s, folder, env), range(first, first + count))):
            compared += has_other
            bad += wrong is not None
            if wrong:
                print(f'seed {seed}: {wrong}', flush=True)
    print(f'{count - bad} seeds right, {bad} not; {compared} compared with pocl')
    return 1 if bad or not count else 0


if __name__ == '__main__':
    sys.exit(main())
