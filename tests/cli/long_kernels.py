#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels of thousands of statements, as loops unrolled by a generator have: to build and to run one of four times as many takes about four times as long.

Counted is processor time of all processes, against that of a kernel of a few lines; four times as long, and no more than eight.
"""
import os
import resource
import subprocess
import sys
import tempfile

CLDBG = os.environ.get('CLDBG', 'cli/cldbg')
HEAD = '__kernel void k(__global float *a, __global const float *b, int n)\n{\n    int i = get_global_id(0), l = get_local_id(0);\n    float x = b[i];\n'

SHAPES = {
    'branches': (1000, '', lambda j: f'    if (((int)x ^ {j}) & {1 << j % 7}) x = x * 0.5f + b[(i + {j}) % n]; else x -= {j}.f;\n'),
    'barriers': (400, '    __local float t[256];\n    t[l] = x;\n',
                 lambda j: f'    barrier(CLK_LOCAL_MEM_FENCE);\n    float q{j} = t[(l + {j * 37 % 256}) & 255];\n'
                           f'    barrier(CLK_LOCAL_MEM_FENCE);\n    t[l] = q{j} * 0.5f;\n    x += q{j};\n'),
    'accesses': (1000, '', lambda j: f'    a[i + n * {j % 13 + 1}] = b[(i + {j}) % n] + a[i + n * {j % 13 + 1}];\n    x += a[i + n * {j % 13 + 1}];\n'),
    'loops': (250, '', lambda j: f'    for (int r = 0; r < (i & {j % 3}); r++) x = x * 0.5f + b[(i + r) % n];\n'),
    'cases': (1000, '    switch ((int)x % 999) {\n', lambda j: f'    case {j}: x = x * {j}.f; break;\n'),
}


def seconds(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as f:
        f.write(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run([CLDBG, 'run', path, '--global=512', '--local=256', '--arg=float[8192]=iota', '--arg=float[512]=iota', '--arg=int=512'],
                       capture_output=True, text=True, env=dict(os.environ, CLDBG_CACHE='off'))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode or 'no findings' not in p.stderr:
        sys.exit(f'{name}: {p.stdout}{p.stderr}')
    return after.ru_utime - before.ru_utime


def kernel(shape, n):
    _, first, line = SHAPES[shape]
    return HEAD + first + ''.join(map(line, range(n))) + ('    }\n' if first.endswith('{\n') else '') + '    a[i] = x;\n}\n'


def main():
    if os.environ.get('CLDBG_TEST_TSAN'):
        print('skipped: ThreadSanitizer has costs of its own')
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for shape, (n, _, _) in SHAPES.items():
            ratios = []
            while len(ratios) < 3 and (not ratios or ratios[-1] > 8): # other work on the machine, once
                base = seconds(folder, 'short.cl', kernel(shape, 1))
                one, four = (seconds(folder, f'{shape}{k}.cl', kernel(shape, k * n)) - base for k in (1, 4))
                ratios.append(four / max(one, 0.02))
            print(f'{shape}: {n} and {4 * n} lines: {min(ratios):.1f} times as long')
            failed += min(ratios) > 8
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
