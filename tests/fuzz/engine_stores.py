#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels that store to data-dependent places, under the engines: races that machine code has to see, and races of equal values that it counts.

usage: engine_stores.py [FIRST COUNT]     (default 0 8)     environment: CLDBG (default cli/cldbg)

A kernel has one or two stores to buffers of elements of 1 to 8 bytes. Their places come from memory: all different, some twice, of one work-group
or of several, all the same, at either end of the buffer, or outside. Findings with all their counts, and bytes, must be the same with
--engine=compiled as interpreted, with one thread and with several, and --engine=check must not disagree.
"""
import concurrent.futures
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import engine_data  # noqa: E402
import launches  # noqa: E402

ELEMENTS = 1100
TYPES = {'uchar': 1, 'short': 2, 'uint': 4, 'float': 4, 'ulong': 8}
# E: the buffer, D: the place from memory, V: a value of all work-items, W: one of a work-item, X: the number of the work-item
STEPS = [
    *['E[D] = V;'] * 5,
    'E[D] = W;',
    'E[D] = a[0];',
    'if (D & 1) E[0] = V;',
    'if (D & 1) E[M - 1] = V;',
    'if (D & 1) E[get_group_id(0)] = V;',
    'if (D & 1) E[get_group_id(0)] = V;',
    'if (D & 1) E[get_group_id(0) + get_local_id(0) / 4] = V;',
    'if (D & 1) E[get_group_id(0)] = get_group_id(0);',
    'for (uint k = 0; k < (D & 3); k++) E[(X + k) % M] = V;',
    'for (uint k = 0; k < 2; k++) E[(D + k) % M] = V;',
    'E[D] = V; E[D] = V;',
    'E[X] = V; if (D & 1) E[X] = W;',
    'E[X] = V; if (D == 5) E[X + 1] = V;',
    'E[D] = V; if (X == 3) s += E[M - 1];',
    'E[D] += V;',
    'if (E[D] != V) E[D] = V;',
    'put(&E[D], V); if (D == 9) put(&E[X], V);',
    'put(&E[D], V);',
    'E[D] = W; s += (uint)E[D];',
    '((global uint2 *)e)[D / 4] = (uint2)(V, V);',
    'E[D] = V; barrier(CLK_GLOBAL_MEM_FENCE);',
    '((global pair *)e)[D / 8] = (pair){V, V};',
]
ATOMICS = [''] * 9 + ['atomic_add(&h[D & 7], 3);', 'atomic_min(&h[D], X); ', 'if (D < 8) atomic_inc(&h[D]);', 'atomic_or(&h[D & 7], X); if (D == 2) h[9] = 1;']
VALUES = ['1', '7', 'n', 'n * 3 + 1', '0']
HEADER = f'#define M {ELEMENTS}u\ntypedef struct {{ uint v, w; }} pair;\n'


def places(rng, n, way):
    d = rng.sample(range(ELEMENTS), n)
    if way == 'edges':
        d[rng.randrange(n)], d[rng.randrange(n)] = 0, ELEMENTS - 1
    if way == 'once':
        d[rng.randrange(n)] = d[rng.randrange(n)]
    if way == 'near':
        i = rng.randrange(n - 1)
        d[i] = d[i + 1]
    if way == 'many':
        d = [rng.randrange(20, 40) for _ in range(n)]
    if way == 'one':
        d = [ELEMENTS - 1] * n
    if way == 'out':
        d[rng.randrange(n)] = rng.choice([ELEMENTS, ELEMENTS + 1, 1 << 31, 0xffffffff])
    return d


def kernel(rng):
    t = rng.choice(list(TYPES))
    first, second = rng.choice(STEPS), rng.choice(['', '', '', '', 'f[D] = V;', 'f[D] = V;', 'f[D] = W;', 'if (D & 1) f[0] = V;'])
    body = '\n    '.join(re.sub(r'\bV\b', f'(T)({rng.choice(VALUES)})', s) for s in (first, second, rng.choice(ATOMICS)) if s)
    body = re.sub(r'\bE\b', 'e', re.sub(r'\bW\b', '(T)(x * 7 + d)', re.sub(r'\bX\b', 'x', re.sub(r'\bD\b', 'd', body))))
    return HEADER + f'''#define T {t}
void put(global T *p, T v) {{ *p = v; }}
kernel void k(global const uint *a, global T *e, global T *f, global uint *h, global uint *c, uint n)
{{
    const uint x = get_global_linear_id(), d = a[x];
    uint s = 0;
    {body}
    c[x] = s;
}}
''', TYPES[t]


def sequence(rng, size):
    one = rng.random() < .7
    local = [rng.choice([1, 7, 32, 64, 256])] if one else [8, rng.choice([1, 4])]
    items = [local[0] * rng.choice([3, 4])] if one else [16, 16]
    if one and local[0] < 64:
        items = [local[0] * (600 // local[0])]
    if rng.random() < .3:
        items[0] -= 1  # the last group is smaller
    n = items[0] * (1 if one else items[1])
    n_value = engine_data.words([rng.randrange(3, 90)])
    ways = ['all', 'once', 'all', *rng.sample(['edges', 'near', 'many', 'one', 'all'], 5), 'out', *rng.sample(['once', 'near', 'edges'], 2), 'all']
    return [launches.Launch('k', items, local, [('buffer', engine_data.words(places(rng, n, way))), ('zero', size * ELEMENTS), ('zero', size * ELEMENTS),
                                                ('zero', 4 * ELEMENTS), ('zero', 4 * n), ('value', n_value)]) for way in ways]


def under(engine, programs, cache, threads):
    results, findings = launches.under_cldbg(engine_data.BINARY, programs, [f'--engine={engine}', f'--compute-units={threads}'], engine_data.TIMEOUT,
                                             {'CLDBG_CACHE': cache})
    counted = ['id', 'times', 'between_work_groups', 'work_groups', 'launches', 'launch', 'notes']
    return results, sorted(({**{k: f.get(k) for k in counted}, 'sides': [(s['place'].get('line'), s.get('item')) for s in f['sides']]} for f in findings), key=str)


def check(seed, folder):
    """(complaints, whether machine code ran, whether it counted a race of equal values)"""
    rng = random.Random(seed)
    text, size = kernel(rng)
    path, cache = os.path.join(folder, f'{seed}.cl'), os.path.join(folder, 'cache')
    with open(path, 'w') as f:
        f.write(text)
    programs, threads = [(path, '-w -cl-std=CL2.0', sequence(rng, size))], rng.choice([1, 2, 3])
    try:
        truth, got = under('interpret', programs, cache, threads), under('compiled', programs, cache, threads)
        log, said = engine_data.log_of('compiled', programs, cache), engine_data.log_of('check', programs, cache)
    except (RuntimeError, TimeoutError) as e:
        return [f'{seed}: {e}\n{text}'], False, False
    problems = [f'{seed}: {line}\n{text}' for line in said.splitlines() if 'internal error' in line]
    if got[1] != truth[1]:
        problems.append(f'{seed}: other findings\n  interpreted: {truth[1]}\n  compiled:    {got[1]}\n{text}')
    if not any(f['id'] == 'data-race' for f in truth[1]) and got[0] != truth[0]:
        problems.append(f'{seed}: other bytes\n{text}')
    if os.environ.get('CLDBG_TEST_SHOW'):
        print(seed, text[len(HEADER):], *[line for line in log.splitlines() if line.startswith('cldbg: launch')], truth[1], sep='\n  ', flush=True)
    return problems, 'as machine code' in log, 'as machine code' in log and any(f['id'] == 'same-value-race' for f in truth[1])


def main():
    first, count = map(int, sys.argv[1:3]) if len(sys.argv) == 3 else (0, 8)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda seed: check(seed, folder), range(first, first + count)))
    problems = [p for r in results for p in r[0]]
    compiled, equal = (sum(r[k] for r in results) for k in (1, 2))
    print('\n'.join(problems))
    print(f'{count} kernels, {compiled} of them as machine code, {equal} with races of equal values; {len(problems)} problems')
    return 1 if problems or 2 * compiled < count or not equal else 0


if __name__ == '__main__':
    sys.exit(main())
