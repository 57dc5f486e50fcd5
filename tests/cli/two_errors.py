#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One error never hides another: kernels with two errors of all pairs of kinds, both on the same local array, must have both findings and no other.

Each error uses 8 elements of the array that the other leaves alone. Both are of all work-items, within one launch.
"""
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

CLDBG = os.environ.get('CLDBG', 'cli/cldbg')
HEAD = '''kernel void k(global const int *in, global int *out, int zero)
{
    local int t[32];
    int l = get_local_id(0), i = get_global_id(0);
'''
# Statements on elements [B, B + 8) of t, and the line of them that is reported. Those that need it end at a barrier, or begin after one.
SYNC = 'barrier(CLK_LOCAL_MEM_FENCE);'
ERRORS = {
    'out-of-bounds': (['t[B + l] = l;', 't[B + l + 64] = 1;', 'out[i] = t[B + l];'], 1),
    'uninitialized-read': (['out[i] = t[B + l];'], 0),
    'data-race': (['t[B + l] = l;', 'out[i] = t[B + 7 - l];'], 0),
    'same-value-race': (['t[B] = 5;', SYNC, 'out[i] = t[B];'], 0),
    'missing-fence': (['t[B + l] = l;', 'barrier(CLK_GLOBAL_MEM_FENCE);', 'out[i] = t[B + 7 - l];'], 0),
    'async-not-waited': (['async_work_group_copy(t + B, in, 8, 0);'], 0),
    'barrier-divergence': (['t[B + l] = l;', 'barrier(l < 4 ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);',
                            'out[i] = t[B + 7 - l];'], 1),
    'division-by-zero': (['t[B + l] = l;', 't[B + l] /= zero;'], 1),
    'misaligned-access': (['t[B + l] = l;', SYNC, 'out[i] = *(local int *)((local char *)(t + B) + 2 * (l == 0));'], 2),
}


def kernel(first, second):
    """The text, and {(id, line)}."""
    lines, want = HEAD.split('\n')[:-1], set()
    for base, kind in ((0, first), (16, second)):
        statements, at = ERRORS[kind]
        want.add((kind, len(lines) + 1 + at))
        lines += ['    ' + re.sub(r'\bB\b', str(base), s) for s in statements]
        if base == 0 and second != first:
            lines.append(f'    {SYNC}')
    return '\n'.join(lines) + '\n}\n', want


def check(folder, first, second):
    text, want = kernel(first, second)
    name = os.path.join(folder, f'{first}-{second}')
    with open(name + '.cl', 'w') as f:
        f.write(text)
    p = subprocess.run([CLDBG, 'run', name + '.cl', '--global=16', '--local=8', '--arg=int[8]=iota', '--arg=int[16]=0', '--arg=int=0',
                        f'--report=json:{name}.json'], capture_output=True, text=True)
    try:
        with open(name + '.json') as f:
            findings = json.load(f)['findings']
    except OSError:
        return [f'{first}, {second}:', text, p.stderr]
    got = {(f['id'], s['place']['line']) for f in findings for s in f['sides'][:1]}
    got |= {(f['id'], sides[0]['place']['line']) for f in findings for sides in f['also']}
    return [] if got == want else [f'{first}, {second}: missed {sorted(want - got)}, not expected {sorted(got - want)}', text, p.stderr]


def main():
    pairs = list(itertools.permutations(ERRORS, 2))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p for found in pool.map(lambda x: check(folder, *x), pairs) for p in found]
    print('\n'.join(problems) or f'{len(pairs)} pairs of errors reported')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
