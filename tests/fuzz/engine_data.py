#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels in which data decides, under the engines: what is not proved, machine code has to check.

usage: engine_data.py [FIRST COUNT]     (default 0 10)     environment: CLDBG (default cli/cldbg)

A kernel consists of random steps: gathers, scatters, data-dependent loops and branches, private and local arrays, divisions, conversions, atomics.
Each step reads its own words of a buffer. In most launches they are right; in some, one word makes one step wrong: an access outside of an array,
a race, a loop without end, …  Findings, launch by launch, and bytes must be the same with --engine=compiled as interpreted, and --engine=check
must not disagree: where the interpreter finds something, a check of the machine code must have failed.
"""
import concurrent.futures
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402

BINARY, TIMEOUT, N, GROUP = 'tests/fuzz/launches', 300, 256, 32
LIMIT = '--livelock-limit=200000'  # of the interpreter, for loops without end


def bits(f):
    return struct.unpack('<I', struct.pack('<f', f))[0]


def any_of(least, most):
    return lambda rng: [rng.randrange(least, most) for _ in range(N)]


def permutation(n):
    return lambda rng: rng.sample(range(n), n)[:N]


def in_groups(rng):
    return [p for _ in range(N // GROUP) for p in rng.sample(range(GROUP), GROUP)]


def by_group(rng):
    return [v for _ in range(N // GROUP) for v in [rng.randrange(2)] * GROUP]


def one_of(*values):
    return lambda rng, d: d.__setitem__(rng.randrange(N), rng.choice(values))


def twice(rng, d):
    i, j = rng.sample(range(N), 2)
    d[i] = d[j]


def twice_in_group(rng, d):
    first = rng.randrange(N // GROUP) * GROUP
    i, j = rng.sample(range(GROUP), 2)
    d[first + i] = d[first + j]


def cycle(rng, d):
    i, j = rng.sample(range(1, N), 2)
    d[i], d[j] = j, i


def rest(rng):
    return [rng.randrange(N - i) for i in range(N)]


def floats(low, high):
    return lambda rng: [bits(rng.uniform(low, high)) for _ in range(N)]


def few(rng):
    d = [0] * N
    d[rng.randrange(N)] = 1
    return d


def second(rng, d):
    d[rng.choice([i for i in range(N) if not d[i]])] = 1


MANY = 1 << 31
# The step, where D is its word of the data; data for which it is right; how to make it wrong (None: any data is right). `e` is a buffer that
# one step of a kernel may use, `t` local memory.
STEPS = [
    ('s += a[D];', any_of(0, N), one_of(N, MANY, 0xffffffff)),
    ('s += a[(int)D];', any_of(0, N), one_of(N, 0xffffffff, MANY)),
    ('s += a[(ulong)D * 1u + 0];', any_of(0, N), one_of(N, 0xffffffff)),
    ('s += ((global const uint4 *)a)[D].y;', any_of(0, N // 4), one_of(N // 4, MANY)),
    ('s += vload4(D, a).z;', any_of(0, N // 4), one_of(N // 4, N)),
    ('s += *(global const uint *)((global const uchar *)a + D);', lambda rng: [4 * rng.randrange(N) for _ in range(N)], one_of(4 * N, 2, 4 * N - 2)),
    ('s += ((global const uchar *)a)[D];', any_of(0, 4 * N), one_of(4 * N)),
    ('if (D < N) s += a[D]; else s += 3;', any_of(0, 2 * N), None),
    ('s += a[D % N];', any_of(0, MANY), None),
    ('if (D == 77777) s += a[x + N];', any_of(0, N), one_of(77777)),
    ('if (D == 77777) e[x + N] = 1; else e[x] = s;', any_of(0, N), one_of(77777)),
    ('e[D] = x;', permutation(N), twice),
    ('e[D] = x; s += e[D];', permutation(N), twice),
    ('((global uchar *)e)[D] = x;', permutation(4 * N), twice),
    ('((global ushort *)e)[D] = x; s += ((global ushort *)e)[D];', permutation(2 * N), twice),
    ('if (D < N) e[D] = s;', permutation(2 * N), None),
    ('e[x] = s; s += e[D];', lambda rng: list(range(N)), one_of(0, 1)),
    ('if (D) e[0] = x;', few, second),
    ('if (D) e[0] = 7; else s += e[1];', few, second),
    ('t[D] = x; barrier(CLK_LOCAL_MEM_FENCE); s += t[l]; barrier(CLK_LOCAL_MEM_FENCE);', in_groups, twice_in_group),
    ('t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); s += t[D]; barrier(CLK_LOCAL_MEM_FENCE);', any_of(0, GROUP), one_of(GROUP, MANY)),
    ('if (D) t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); if (D & 1) s += t[l]; barrier(CLK_LOCAL_MEM_FENCE);', any_of(0, 2), None),
    ('if (D & 1) t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); if (D & 2) s += t[l]; barrier(CLK_LOCAL_MEM_FENCE);', lambda rng: [rng.choice([0, 1, 3]) for _ in range(N)],
     one_of(2)),
    ('t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); if (D & 1) t[l ^ 1] += 5; barrier(CLK_LOCAL_MEM_FENCE); s += t[l]; barrier(CLK_LOCAL_MEM_FENCE);',
     any_of(0, N), None),
    ('t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); if (D) t[(l + D) % GROUP] += 5; barrier(CLK_LOCAL_MEM_FENCE); s += t[l]; barrier(CLK_LOCAL_MEM_FENCE);',
     lambda rng: [3] * N, one_of(4)),
    ('for (uint k = 0; k < 3; k++) { t[(l + D) % GROUP] = x; barrier(CLK_LOCAL_MEM_FENCE); s += t[l]; barrier(CLK_LOCAL_MEM_FENCE); }',
     lambda rng: [5] * N, one_of(6)),
    ('if (D) barrier(CLK_LOCAL_MEM_FENCE);', by_group, lambda rng, d: d.__setitem__(5, 1 - d[5])),
    ('uint p[4] = {1, 2, 3, 4}; s += p[D];', any_of(0, 4), one_of(4, MANY, 0xffffffff)),
    ('uint p[8]; for (uint k = 0; k < 8; k++) p[k] = k * x; p[D] = 7; s += p[(D + 1) % 8];', any_of(0, 8), one_of(8, N)),
    ('uint p[4]; p[0] = x; p[1] = l; p[2] = 3; p[3] = 4; s += p[D] + p[3 - D];', any_of(0, 4), one_of(4)),
    ('uint p[4]; p[0] = 1; if (D & 1) p[1] = x; s += p[D & 1];', any_of(0, N), None),
    ('uint p[4]; p[D] = x; s += p[1];', any_of(1, 2), one_of(0, 2, 3)),
    ('uint p[4]; p[1] = D; if (D & 1) p[3] = x; uint *q = p + 1; s += q[D & 1 ? 2 : 0];', any_of(0, N), None),
    ('ushort p[200]; for (uint k = 0; k <= D; k++) p[k] = k; s += p[100];', any_of(100, 200), one_of(99, 0)),
    ('ushort p[200]; for (uint k = 0; k <= D; k++) p[k] = k; for (uint k = 0; k < 7; k++) s += p[100 + k * 2];', any_of(112, 200), one_of(111)),
    ('uint4 p[3]; p[D] = x; s += p[1].y;', any_of(1, 2), one_of(0, 2)),
    ('uint p[12]; vstore4((uint4)(x), D, p); s += p[7];', any_of(1, 2), one_of(0, 2)),
    ('uchar p[8]; for (uint k = 0; k < D; k++) p[k] = k; s += *(ushort *)(p + 4);', any_of(6, 9), one_of(5, 4)),
    ('float p[8]; for (uint i = 0; i < 8; i++) { float v = a[(D + i) % N]; uint k = i; for (; k > 0 && p[k - 1] > v; k--) p[k] = p[k - 1]; p[k] = v; } s += (uint)p[4];',
     any_of(0, N), None),
    ('for (uint k = 0; k < 2; k++) s += late(D, k);', any_of(1, N), one_of(0)),
    ('uint p[4]; fill(p, D); s += p[3];', any_of(4, 5), one_of(3, 0)),
    ('pair p[2]; p[D].v = 3; p[D].w[0] = x; pair q = p[1]; s += q.v + q.w[0];', any_of(1, 2), one_of(0)),
    ('padded p; p.v = D; if (D) p.c = 1; padded q = p; s += q.v + (D ? q.c : 0);', any_of(0, N), None),
    ('padded p; p.v = D; if (D) p.c = 1; padded q = p; s += q.v + q.c;', any_of(1, N), one_of(0)),
    ('struct { uint u[4]; uint w; } q = {{1, 2, 3, 4}, 5}; s += q.u[D];', any_of(0, 4), one_of(4, 5)),
    ('s += ((global const pair *)a)[D].v;', any_of(0, N // 2), one_of(N // 2)),
    ('s += ((global const pair *)a)[D >> 1].w[D & 1 ? 0 : 0];', any_of(0, N), one_of(N)),
    ('for (uint k = 0; k < D; k++) s += a[(x + k) % N];', any_of(0, 40), None),
    ('for (uint k = 0; k < D; k++) s += a[x + k];', rest, one_of(N + 1)),
    ('for (int k = D; k > 0; k--) s += a[k];', any_of(0, N), one_of(N)),
    ('for (uint k = 0; k <= D; k++) s += k;', any_of(0, 40), one_of(0xffffffff)),
    ('for (ulong k = 0; k < D * 4000000000ul; k++) s ^= a[k % N] + s / 3;', any_of(0, 1), one_of(1000)),
    ('for (uint k = D; k != 40; k += 2) s += a[k % N];', lambda rng: [2 * rng.randrange(20) for _ in range(N)], one_of(1)),
    ('for (uint k = x, n = 0; b[DATA + k] != k; n++) { k = b[DATA + k]; s += n; }', lambda rng: [rng.randrange(i + 1) for i in range(N)], cycle),
    ('uint k = D; do { s += k; k /= 2; } while (k);', any_of(0, N), None),
    ('global const uint *p = a; for (uint k = 0; k < D; k++) p++; s += *p;', any_of(0, N), one_of(N)),
    ('s += *(D & 1 ? &a[x] : &a[D >> 1]);', any_of(0, 2 * N), one_of(2 * N)),
    ('switch (D) { case 1: s += 4; break; case 2: s ^= a[x]; break; case 99: s += a[x + N]; }', any_of(0, 4), one_of(99)),
    ('s += 100u / D;', any_of(1, N), one_of(0)),
    ('s += (int)x % (int)D;', any_of(1, N), one_of(0)),
    ('s += (int)D / -1;', any_of(1, N), one_of(MANY)),
    ('s += (uint)((long)D << 32) / (uchar)(D & 255 ? D & 255 : 1);', any_of(0, N), None),
    ('uint2 w = (uint2)(x, l) / (uint2)(D, 3); s += w.x + w.y;', any_of(1, N), one_of(0)),
    ('s += (int)as_float(D);', floats(-1e9, 1e9), one_of(bits(3e9), 0x7fc00000, bits(-1e20))),
    ('s += (uint)as_float(D);', floats(0, 4e9), one_of(bits(5e9), 0x7f800000, bits(-2))),
    ('s += convert_uchar(as_float(D));', floats(0, 255), one_of(bits(256), bits(-1))),
    ('s += convert_int2((float2)(as_float(D), 1)).x;', floats(-1e9, 1e9), one_of(bits(3e9))),
    ('s += convert_uchar_sat(as_float(D));', floats(-1e6, 1e6), None),
    ('s += a[(uint)as_float(D)];', floats(0, N), one_of(bits(N), bits(5e9), bits(-7))),
    ('s += 1u << D;', any_of(0, MANY), None),
    ('atomic_add(&h[D & 15], D);', any_of(0, N), None),
    ('atomic_add(&h[D], 3);', any_of(0, 16), one_of(16, MANY)),
    ('atomic_inc(&h[D]);', any_of(0, 16), one_of(0x40000000)),
    ('if (D & 1) atomic_add(&h[l & 15], D);', any_of(0, N), None),
    ('s += atomic_add(&h[D & 15], 0);', any_of(0, N), None),
    ('e[x] = D; barrier(CLK_GLOBAL_MEM_FENCE); s += e[x ^ 1];', any_of(0, N), None),
    ('e[x] = D; barrier(CLK_GLOBAL_MEM_FENCE); s += e[D];', lambda rng: [i // GROUP * GROUP + rng.randrange(GROUP) for i in range(N)], one_of(0)),
    ('s += D;', any_of(0, MANY), None),
]
HEADER = f'''#define N {N}u
#define GROUP {GROUP}u
typedef struct {{ uint v; uint w[1]; }} pair;
typedef struct {{ uint v; uchar c; }} padded;
uint late(uint d, uint n) {{ uint p[4]; if (n == 0 || d) p[d & 3] = n; return p[d & 3]; }}
void fill(uint *p, uint n) {{ for (uint k = 0; k < n; k++) p[k] = k; }}
'''


def kernel(rng):
    """The text, and for each step of the kernel its data and what makes it wrong."""
    steps, used = [], set()
    for _ in range(rng.choice([1, 1, 2, 3])):
        step = rng.choice(STEPS)
        if 'e[' in step[0] or ')e)' in step[0]:
            if 'e' in used:
                continue
            used.add('e')
        steps.append(step)
    lines = []
    for i, (code, _, _) in enumerate(steps):
        code = re.sub(r'\bDATA\b', f'{i} * N', re.sub(r'\bD\b', f'd{i}', code))
        lines.append(f'{{ const uint d{i} = b[{i} * N + x]; {code} }}')
    body = '\n    '.join(lines)
    text = HEADER + f'''kernel void k(global const uint *a, global const uint *b, global uint *c, global uint *e, global uint *h)
{{
    local uint t[GROUP];
    const uint x = get_global_id(0), l = get_local_id(0);
    uint s = 0;
    {body}
    c[x] = s;
}}
'''
    return text, steps


def words(values):
    return struct.pack(f'<{len(values)}I', *values)


def sequence(rng, steps):
    first = words([rng.randrange(1000) for _ in range(N)])

    def one(wrong):
        data = [make(rng) for _, make, _ in steps]
        spoilt = [i for i, (_, _, spoil) in enumerate(steps) if spoil]
        if wrong and spoilt:
            i = rng.choice(spoilt)
            steps[i][2](rng, data[i])
        return launches.Launch('k', [N], [GROUP], [('buffer', first), ('buffer', words([v & 0xffffffff for d in data for v in d])), ('zero', 4 * N),
                                                   ('zero', 4 * N), ('zero', 64)])

    return [one(wrong) for wrong in (False, False, True, False, True, False)]


def under(engine, programs, cache):
    results, findings = launches.under_cldbg(BINARY, programs, [f'--engine={engine}', LIMIT], TIMEOUT, {'CLDBG_CACHE': cache})
    return results, sorted(((f['id'], f.get('launch'), f.get('times'), f.get('launches'), [(s['place'].get('line'), s.get('item')) for s in f['sides']]) for f in findings), key=str)


def log_of(engine, programs, cache):
    cldbg = os.environ.get('CLDBG', 'cli/cldbg').split()
    return subprocess.run([*cldbg, f'--engine={engine}', LIMIT, '--verbose', BINARY], input=launches.script(programs), capture_output=True, text=True,
                          timeout=TIMEOUT, env={**os.environ, 'CLDBG_CACHE': cache}).stderr


def check(seed, folder):
    """(complaints, whether machine code ran, whether checks did, whether something was found)"""
    rng = random.Random(seed)
    text, steps = kernel(rng)
    path, cache = os.path.join(folder, f'{seed}.cl'), os.path.join(folder, 'cache')
    with open(path, 'w') as f:
        f.write(text)
    programs = [(path, '-w', sequence(rng, steps))]
    try:
        truth, got = under('interpret', programs, cache), under('compiled', programs, cache)
        log, said = log_of('compiled', programs, cache), log_of('check', programs, cache)
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        return [f'{seed}: {e}\n{text}'], False, False, False
    problems = [f'{seed}: {line}\n{text}' for line in said.splitlines() if 'internal error' in line]
    if got[1] != truth[1]:
        problems.append(f'{seed}: other findings\n  interpreted: {truth[1]}\n  compiled:    {got[1]}\n{text}')
    if got[0] != truth[0]:
        problems.append(f'{seed}: other bytes\n{text}')
    if os.environ.get('CLDBG_TEST_SHOW'):
        print(seed, *[line for line in log.splitlines() if line.startswith('cldbg: launch')], sep='\n  ', flush=True)
    return problems, 'as machine code' in log, 'the code checks' in log, bool(truth[1])


def main():
    first, count = map(int, sys.argv[1:3]) if len(sys.argv) == 3 else (0, 10)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda seed: check(seed, folder), range(first, first + count)))
    problems = [p for r in results for p in r[0]]
    compiled, checked, found = (sum(r[k] for r in results) for k in (1, 2, 3))
    print('\n'.join(problems))
    print(f'{count} kernels, {compiled} of them as machine code, {checked} with checks, {found} with findings; {len(problems)} problems')
    return 1 if problems or 2 * compiled < count or not found else 0


if __name__ == '__main__':
    sys.exit(main())
