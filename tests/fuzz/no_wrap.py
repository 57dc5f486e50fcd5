#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Index arithmetic that wraps, or nearly: machine code must compute what the interpreter does.

usage: no_wrap.py [FIRST COUNT]     (default 0 20)     environment: CLDBG (default cli/cldbg)

Random kernels compute with ids, a scalar argument of a random type, and loop counters that begin and end near 0 and the limits of their types.
Results are extended to 64 bits and used as indices, so that a wrong assumption about wrapping shows. Each kernel is launched with
arguments of all magnitudes, so that several versions of its code are made (src/devices/compiled_versions.c), under --engine=check.
"""
import concurrent.futures
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402

BINARY, TIMEOUT, SIZES = 'tests/fuzz/launches', 300, [([64], [16]), ([16, 4], [8, 2]), ([256], [64])]
TYPES = {'int': 'i', 'uint': 'I', 'long': 'q', 'short': 'h', 'ushort': 'H', 'uchar': 'B'}
NUMBERS = ['0', '1', '2', '3', '7', '-1', '-3', '64', '255', '0x8000', '0x10000', '0x7fffffff', '0x7ffffff0', '(-0x7fffffff - 1)', '0x80000000u', '0xfffffff5u',
           '0x10000000', '0x40000000']
VALUES = [0, 1, 3, 63, 64, 255, 256, 257, 4096, 65535, 65536, 1 << 20, (1 << 30) - 1, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 32) - 9]


def expression(rng, names, depth):
    if not depth or rng.random() < .15:
        return rng.choice(names) if rng.random() < .7 else rng.choice(NUMBERS)
    a, b = expression(rng, names, depth - 1), expression(rng, names, depth - 1)
    return rng.choice([
        f'({a} + {b})', f'({a} + {b})', f'({a} - {b})', f'({a} * {b})', f'({a} * {b})', f'({a} * n)', f'({a} << {rng.randrange(20)})', f'({a} >> {rng.randrange(20)})',
        f'(int)({a} + {b})', f'(uint)({a} - {b})', f'(short)({a})', f'(ushort)({a} + {b})', f'(uchar)({a})', f'(long)({a})', f'(ulong)(uint)({a})',
        f'min((int)({a}), (int)({b}))', f'max((int)({a}), (int)({b}))', f'clamp((int)({a}), 0, (int)n - 1)', f'max((uint)({a}), (uint)({b}))',
        f'abs((int)({a}))', f'({a} < {b} ? {a} : {b})', f'(int)(({a}) % {rng.choice([2, 3, 16, 1000])})', f'(uint)({a}) % 100u', f'(int)({a}) / {rng.choice([2, 3, 7])}',
        f'((uint)({a}) / {rng.choice([2, 3, 7])}u)', f'({a} & {rng.choice([1, 63, 0xffff])})', f'({a} | {b})', f'({a} ^ {b})', f'(-({a}))',
        f'(({b}) ? (int)({a}) % (int)(({b}) ? ({b}) : 1) : 3)',
    ])


def probe(rng, i, names):
    """What LLVM folds to a constant if it assumes that the operation does not wrap."""
    e, c = rng.choice(names), rng.choice(['1', '3', '100', '0x7fffff00', '0x10000000'])
    return rng.choice([f'({i} + {c} > {i})', f'({i} - {c} < {i})', f'({i} * 3 / 3 == {i})', f'(({i} << 4) >> 4 == {i})', f'((long)({i} + {e}) == (long){i} + (long){e})',
                       f'((long)({i} * {e}) == (long){i} * (long){e})', f'((long)({i} - {e}) == (long){i} - (long){e})', f'({i} + {e} - {e} + 7 > {i})',
                       f'({i} * n + {c} > {i} * n)', f'((long)({i} * n + {e}) - (long)({i} * n))'])


def loop(rng, names, number):
    i, kind = f'i{number}', rng.choice(['int', 'int', 'uint', 'long', 'short'])
    begin = rng.choice(['0', '1', 'x', 'n', 'n - 1', 'l', *NUMBERS])
    end = rng.choice(['n', 'n', 'x', 'n * 2', 'n + x', '16', *NUMBERS])
    go = rng.choice(['<', '<', '<=', '!=', '>', '>='])
    step = rng.choice([f'{i}++', f'{i}++', f'{i} += 3', f'{i} += 16', f'{i} += x', f'{i} += n', f'{i} += (int)get_global_size(0)', f'{i}--', f'{i} -= 2', f'{i} *= 2',
                       f'{i} <<= 1', f'{i} >>= 1', f'{i} /= 2', f'{i} *= n', f'{i} = {i} * 3 + 1', f'{i} += 0x20000000'])
    inner = [*names, i, i, i]
    body = f's = s * 3 + (long)({expression(rng, inner, 2)}); s ^= a[({expression(rng, inner, 2)}) & 63];'
    body += ''.join(f' s = s * 5 + {probe(rng, i, inner)};' for _ in range(3))
    if rng.random() < .5:
        body = f'if ({rng.choice([*names, i])} {rng.choice(["<", ">", "=="])} {rng.choice(NUMBERS)}) {{ {body} }} else s += {i};'
    if rng.random() < .4:
        body = f'const {kind} t{number} = {i} {rng.choice(["+", "-", "*"])} {rng.choice(names)}; s += (long)t{number} * 5; ' + body
    head = rng.choice([f'for ({kind} {i} = {begin}, r{number} = 0; {i} {go} {end} && r{number} < 9; {step}, r{number}++) {{ {body} }}',
                       f'{{ {kind} {i} = {begin}; int r{number} = 0; do {{ {body} {step}; }} while ({i} {go} {end} && ++r{number} < 9); }}',
                       f'{{ int r{number} = 0; for ({kind} {i} = {begin}; {i} {go} {end}; {step}) {{ if (++r{number} > 9) break; {body} }} }}'])
    return head


def kernel(rng, kind):
    names = ['x', 'y', 'l', 'n', 'w', 'g']
    lines = []
    for number in range(rng.randrange(1, 4)):
        what = rng.random()
        if what < .55:
            lines.append(loop(rng, names, number))
        else:
            lines.append(f'{rng.choice(["int", "uint", "long"])} v{number} = {expression(rng, names, 3)};')
            names = [*names, f'v{number}']
            lines += [f's = s * 5 + {probe(rng, rng.choice(names), names)};' for _ in range(4)]
            lines.append(f's = s * 7 + (long)v{number} + (long)({expression(rng, names, 3)});')
    lines.append(f's += a[({expression(rng, names, 2)}) & 63];')
    body = '\n    '.join(lines)
    return f'''kernel void k(global const int *a, global long *c, {kind} n)
{{
    const int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
    const uint w = get_global_id(0) + get_global_size(0) * get_global_id(1);
    const size_t g = get_group_id(0);
    long s = 0;
    {body}
    c[w] = s;
}}
'''


def sequence(rng, kind):
    data = struct.pack('<64i', *(rng.randrange(-1000, 1000) for _ in range(64)))
    mask = (1 << 8 * struct.calcsize(TYPES[kind])) - 1
    for value in rng.sample(VALUES, 5):
        size, local = rng.choice(SIZES) if rng.random() < .3 else SIZES[0]
        if kind == 'long' and rng.random() < .3:
            value -= 1 << 33
        bits = (value & mask).to_bytes(struct.calcsize(TYPES[kind]), 'little')
        yield launches.Launch('k', size, local, [('buffer', data), ('zero', 8 * 256), ('value', bits)], rng.choice([(), (), (5,)])[:1] if size == [64] else ())


def check(seed, folder):
    """(complaints, whether machine code ran, operations that were marked, and all)"""
    rng = random.Random(seed)
    kind = rng.choice(list(TYPES))
    text = kernel(rng, kind)
    path = os.path.join(folder, f'{seed}.cl')
    with open(path, 'w') as f:
        f.write(text)
    script = launches.script([(path, '-w', list(sequence(rng, kind)))])
    p = subprocess.run([*shlex.split(os.environ.get('CLDBG', 'cli/cldbg')), '--engine=check', '--remarks', BINARY], input=script, capture_output=True, text=True,
                       timeout=TIMEOUT, env={**os.environ, 'CLDBG_CACHE': 'off'})
    problems = [f'{seed}: {line}\n{text}\n{p.stderr[-1000:]}' for line in p.stderr.splitlines() if 'internal error' in line]
    if p.returncode not in (0, 66) or 'BUILD' in p.stdout:
        problems.append(f'{seed}: status {p.returncode}\n{p.stdout[-500:]}{p.stderr[-2000:]}\n{text}')
    marked = re.findall(r'(\d+) of (\d+) integer operations cannot wrap', p.stderr)
    return problems, bool(marked), sum(int(m) for m, _ in marked), sum(int(n) for _, n in marked)


def main():
    first, count = map(int, sys.argv[1:3]) if len(sys.argv) == 3 else (0, 20)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda seed: check(seed, folder), range(first, first + count)))
    problems = [p for r in results for p in r[0]]
    compiled, marked, operations = (sum(r[i] for r in results) for i in (1, 2, 3))
    print('\n'.join(problems))
    print(f'{len(results)} kernels, {compiled} of them as machine code, {marked} of {operations} operations cannot wrap, {len(problems)} problems')
    return 1 if problems or 3 * compiled < len(results) or not 0 < marked < operations else 0


if __name__ == '__main__':
    sys.exit(main())
