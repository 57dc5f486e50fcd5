#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels under the engines: what is proved by one launch must hold for the next ones.

usage: engine.py [FIRST COUNT]     (default 0 24)     environment: CLDBG (default cli/cldbg)

In each kernel a value from memory, or a scalar argument, takes a random path (variables, arrays, functions, structs, local memory, …) to a
random use: an address, a branch, a loop bound, a divisor, a conversion, or only to what is stored. The first launches are right for every use.
Then come launches with other data, another scalar, smaller buffers or other groups, in which the use is an error. The brute-force truth is the
interpreter: findings, launch by launch, and bytes must be the same with --engine=compiled, and --engine=check must not disagree. HOSTILE are
kernels that machine code could take out of their buffers although the interpreter finds nothing.
"""
import concurrent.futures
import os
import random
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402

BINARY, TIMEOUT, N, GROUP = 'tests/fuzz/launches', 300, 256, 32

HELPERS = '''
typedef struct { int a; uint v; float f; } pair;
uint same(uint v) { return v; }
uint later(const uint *p, uint i) { return p[i]; }
void give(uint v, uint *to) { *to = v; }
uint of_struct(pair p) { return p.v; }
'''
# Statements that take the uint `v` on; T is a fresh name.
PATHS = [
    'uint T = v; v = T;',
    'v = same(v);',
    'uint T[4]; T[0] = 0; T[1] = v; T[2] = 2; T[3] = 3; v = T[1 + (x & 0)];',
    'uint T[4]; for (uint k = 0; k < 4; k++) T[k] = v; v = later(T, l & 3);',
    'uint T; give(v, &T); v = T;',
    'pair T; T.a = 1; T.v = v; T.f = 0; v = of_struct(T);',
    'pair T; T.a = 1; T.v = v; T.f = 0; pair T2 = T; v = T2.v;',
    'shared[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v = shared[l]; barrier(CLK_LOCAL_MEM_FENCE);',
    'uint4 T = (uint4)(v, x, l, 1); v = T.x;',
    'uint4 T = 0; T.z = v; v = T.z;',
    'v = v > 1000 ? v : v & 0xffff;',
    'v = as_uint(as_float(v));',
    'v = max(v, 0u);',
    'v = (v << 1) >> 1;',
    'union { uint u; int i; } T; T.u = v; v = (uint)T.i;',
    'uint T = 0; for (uint k = 0; k < 3; k++) { T ^= v; } v = T;',
    'v = (uint)(ulong)v;',
    'volatile uint T = v; v = T;',
    'uint *T = &v; *T = *T + 0;',
    'v ^= x; v ^= x;',
]
# What becomes of it. 0 is right for each of them, and BAD is wrong for all but the last.
USES = [
    ('address', 'c[x] = a[x + v];'),
    ('address', 'c[(ulong)x + v] = a[x];'),
    ('address', 'uint t[4] = {1, 2, 3, 4}; c[x] = t[(l & 3) + v];'),
    ('address', 'shared[l + v] = x; barrier(CLK_LOCAL_MEM_FENCE); c[x] = shared[l];'),
    ('race', 'if (v) { if (x < 2) c[0] = x; } else c[x] = a[x];'),
    ('branch', 'c[x] = a[x]; if (v == BAD) c[x] = a[x + 1000000];'),
    ('branch', 'c[x] = a[x]; switch (v) { case BAD: c[x] = a[x + 1000000]; }'),
    ('branch', 'c[x] = v == BAD ? a[x + 1000000] : a[x];'),
    ('loop', 'uint s = 0; for (uint k = 0; k <= v && k < 600; k++) s += a[(x + k)]; c[x] = s;' ),
    ('divisor', 'c[x] = a[x] / (v ^ BAD);'),
    ('conversion', 'c[x] = (int)(v * 1e9f);'),
    ('barrier', 'c[x] = a[x]; if (!(v && l == 3)) barrier(CLK_LOCAL_MEM_FENCE);'),
    ('value', 'c[x] = a[x] + v;'),
    ('value', 'float s = v; for (uint k = 0; k < 8; k++) s = s * 0.5f + a[(x + k) % N]; c[x] = as_uint(s);'),
]
BAD = 0x40000000


def kernel(rng):
    name, use = rng.choice(USES)
    source = rng.choice(['b[x]', 'n'] if name != 'value' else ['b[x]', 'b[x]', 'n'])
    lines = [f'uint v = {source};']
    for i in range(rng.randrange(4)):
        lines.append(rng.choice(PATHS).replace('T', f't{i}_'))
    body = '\n    '.join([*lines, use])
    text = f'''#define N {N}u
#define BAD {BAD}u{HELPERS}
kernel void k(global const uint *a, global const uint *b, global uint *c, uint n, local uint *shared)
{{
    const uint x = get_global_id(0), l = get_local_id(0);
    {body}
}}
'''
    return name, source, text


def words(values):
    return struct.pack(f'<{len(values)}I', *values)


def sequence(rng, source):
    """Launches: right ones with changing data, then one with something wrong, then a right one."""
    def one(b=None, n=0, size=N, group=GROUP, fresh=False):
        data = words([rng.randrange(1000) for _ in range(size)])
        out = ('fresh', 4 * size) if fresh else ('zero', 4 * size)
        return launches.Launch('k', [N], [group], [('buffer', data), ('buffer', b or words([0] * size)), out, ('value', words([n])), ('local', 4 * GROUP)])

    bad = words([BAD if i == N // 2 else 0 for i in range(N)])
    wrong = [one(b=bad) if source == 'b[x]' else one(n=BAD), one(size=N - 1), one(group=2 * GROUP)]
    fresh = rng.random() < 0.5
    right = [one(fresh=fresh) for _ in range(3)]
    return [*right, rng.choice(wrong), one(fresh=fresh), rng.choice(wrong), one()]


HOSTILE = {
    'overflow': 'int i = (int)x * 0x10000 * 0x10000 + (int)x; c[i] = a[i];',
    'overflow of an int index': 'int s = 0x7fffffff; s += 1 + (int)n; c[x] = a[(uint)(s ^ (int)0x80000000) + x];',
    'promise': '__builtin_assume(x > 1000000); c[x > 255 ? x : x & 255] = 1;',
    'address as a number': 'ulong p = (ulong)&a[x] >> 12; c[x] = a[p % 256];',
    'address in a union': 'union { global const uint *p; uint w[2]; } u; u.p = a; c[x] = a[(u.w[0] >> 8) % 256];',
    'address in memory': 'global const uint *t[2] = {a, b}; global const uint **q = t; c[x] = q[x & 1][x];',
    'addresses compared': 'c[x] = (global const uint *)c > a ? 1 : 2;',
    'number as an address': 'global uint *p = (global uint *)(((ulong)c + 4 * x)); *p = 1;',
    'no value': 'uint u; if (x > 1000) u = 3; c[x] = a[x] + (x > 1000 ? u : 0);',
    'any value': 'c[x] = a[__builtin_nondeterministic_value(x) & 0];',
    'shift': 'c[x] = a[x] << (x & 63) >> (n + 40);',
    'restrict': 'c[x] = a[x] + b[x];',
    'alignment': 'global const uint4 *v = (global const uint4 *)a; c[x] = v[x / 4].y;',
    'long': 'c[x] = a[((long)x << 62 >> 62 & 0) + x];',
    'unreachable': 'if (n == 7) __builtin_unreachable(); c[x] = a[x];',
}


def hostile(body):
    return f'''kernel void k(global const uint *restrict a, global const uint *b, global uint *restrict c, uint n, local uint *shared)
{{
    const uint x = get_global_id(0), l = get_local_id(0);
    {body}
}}
'''


def under(engine, path, programs, cache):
    results, findings = launches.under_cldbg(BINARY, programs, [f'--engine={engine}', '--build-options=-w'][:1], TIMEOUT, {'CLDBG_CACHE': cache})
    shown = [(f['id'], f.get('launch'), f.get('count'), [(s['place'].get('line'), s.get('item')) for s in f['sides']]) for f in findings]
    return results, sorted(shown, key=str)


def log_of(engine, programs, cache):
    p = subprocess.run([*shlex.split(os.environ.get('CLDBG', 'cli/cldbg')), f'--engine={engine}', '--verbose', BINARY], input=launches.script(programs),
                       capture_output=True, text=True, timeout=TIMEOUT, env={**os.environ, 'CLDBG_CACHE': cache})
    return p.returncode, p.stderr


def check(job, folder):
    """(complaints, whether machine code ran)"""
    name, text, runs = job
    path = os.path.join(folder, name.replace(' ', '-') + '.cl')
    with open(path, 'w') as f:
        f.write(text)
    programs, cache = [(path, '-w', runs)], os.path.join(folder, 'cache')
    problems = []
    try:
        truth = under('interpret', path, programs, cache)
        got = under('compiled', path, programs, cache)
        status, log = log_of('compiled', programs, cache)
        _, said = log_of('check', programs, cache)
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        return [f'{name}: {e}\n{text}'], False
    if got[1] != truth[1]:
        problems.append(f'{name}: other findings\n  interpreted: {truth[1]}\n  compiled:    {got[1]}\n{text}')
    if got[0] != truth[0]:
        problems.append(f'{name}: other bytes\n{text}')
    problems += [f'{name}: {line}\n{text}' for line in said.splitlines() if 'internal error' in line]
    return problems, 'as machine code' in log


def jobs(first, count):
    for seed in range(first, first + count):
        rng = random.Random(seed)
        use, source, text = kernel(rng)
        yield f'{use} {seed}', text, sequence(rng, source)
    if first == 0:
        for name, body in HOSTILE.items():
            rng = random.Random(1)
            runs = sequence(rng, 'n')
            yield name, hostile(body), [*runs[:3], runs[4]]


def main():
    first, count = map(int, sys.argv[1:3]) if len(sys.argv) == 3 else (0, 24)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        all_jobs = list(jobs(first, count))
        results = list(pool.map(lambda j: check(j, folder), all_jobs))
    problems = [p for r in results for p in r[0]]
    compiled = sum(r[1] for r in results)
    print('\n'.join(problems))
    print(f'{len(results)} kernels, {compiled} of them as machine code, {len(problems)} problems')
    return 1 if problems or 4 * compiled < len(results) else 0


if __name__ == '__main__':
    sys.exit(main())
