#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bitcode with integers of odd widths, checked and with --native: each operation on them, compared with Python's numbers, and what clang
makes of optimized.cl at -O2, compared with the same source.

usage: odd_integers.py [WIDTH...]     environment: CLDBG (default cli/cldbg), CLANG"""
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'fuzz')]
import bitcode  # noqa: E402

CLDBG = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
CLANG = os.environ.get('CLANG', 'clang-19')
ENV = {**os.environ, 'CLDBG_CACHE': 'off'}
WIDTHS = (3, 7, 12, 17, 24, 33, 48, 63, 65, 80, 127, 128)
ITEMS = 24
HEAD = '''target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
'''
PREDICATES = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'gt': lambda a, b: a > b, 'ge': lambda a, b: a >= b, 'lt': lambda a, b: a < b,
              'le': lambda a, b: a <= b}


class Kernel:
    """Text of a kernel on a and b of n bits; of each result its text and how Python computes it."""

    def __init__(self, n):
        self.n, self.lines, self.results, self.count = n, [], [], 0

    def emit(self, text):
        self.count += 1
        self.lines.append(f'  %t{self.count} = {text}')
        return f'%t{self.count}'

    def result(self, value, bits, f):
        wide = value if bits == 128 else self.emit(f'zext i{bits} {value} to i128')
        for part in (0, 64):
            v = self.emit(f'trunc i128 {wide if not part else self.emit(f"lshr i128 {wide}, 64")} to i64')
            at = self.emit(f'getelementptr i64, ptr addrspace(1) %r, i64 {2 * len(self.results) + part // 64}')
            self.lines.append(f'  store i64 {v}, ptr addrspace(1) {at}')
        self.results.append(lambda a, b: int(f(a, b)) & (1 << bits) - 1)


def signed(v, n):
    return v - (1 << n) if v >> (n - 1) else v


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def kernel(n):
    k, mask = Kernel(n), (1 << n) - 1

    def binary(op, f, y='%b'):
        k.result(k.emit(f'{op} i{n} %a, {y}'), n, f)

    for op, f in {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b, 'and': lambda a, b: a & b, 'or': lambda a, b: a | b,
                  'xor': lambda a, b: a ^ b}.items():
        binary(op, f)
    for by in sorted({0, 1, n // 2, n - 1, min(n - 1, 64)}):
        binary('shl', lambda a, b, by=by: a << by, by)
        binary('lshr', lambda a, b, by=by: a >> by, by)
        binary('ashr', lambda a, b, by=by: signed(a, n) >> by, by)
    if n < 64:
        by = k.emit(f'urem i{n} %b, {n}') if n > 3 else k.emit(f'and i{n} %b, 1')
        amount = (lambda b: b % n) if n > 3 else (lambda b: b & 1)
        binary('shl', lambda a, b: a << amount(b), by)
        binary('lshr', lambda a, b: a >> amount(b), by)
        binary('ashr', lambda a, b: signed(a, n) >> amount(b), by)
        by = k.emit(f'and i{n} {k.emit(f"or i{n} %b, 1")}, {mask >> 1}')  # neither 0 nor -1
        divisor = lambda b: (b | 1) & mask >> 1
        binary('udiv', lambda a, b: a // divisor(b), by)
        binary('urem', lambda a, b: a % divisor(b), by)
        binary('sdiv', lambda a, b: quotient(signed(a, n), divisor(b)), by)
        binary('srem', lambda a, b: signed(a, n) - divisor(b) * quotient(signed(a, n), divisor(b)), by)
    for name, f in PREDICATES.items():
        for kind in ('',) if name in ('eq', 'ne') else ('u', 's'):
            as_is = (lambda v: signed(v, n)) if kind == 's' else (lambda v: v)
            k.result(k.emit(f'icmp {kind}{name} i{n} %a, %b'), 1, lambda a, b, f=f, as_is=as_is: f(as_is(a), as_is(b)))
    for other in (2, 5, 8, 16, 31, 32, 40, 64, 66, 100, 128):
        if other < n:
            k.result(k.emit(f'trunc i{n} %a to i{other}'), other, lambda a, b: a)
        elif other > n:
            k.result(k.emit(f'zext i{n} %a to i{other}'), other, lambda a, b: a)
            k.result(k.emit(f'sext i{n} %a to i{other}'), other, lambda a, b: signed(a, n))
    c = k.emit(f'icmp ult i{n} %a, %b')
    k.result(k.emit(f'select i1 {c}, i{n} %a, i{n} {mask // 3}'), n, lambda a, b: a if a < b else mask // 3)
    k.result(k.emit(f'freeze i{n} %a'), n, lambda a, b: a)
    v = k.emit(f'insertelement <2 x i{n}> {k.emit(f"insertelement <2 x i{n}> poison, i{n} %a, i64 0")}, i{n} %b, i64 1')
    w = k.emit(f'mul <2 x i{n}> {k.emit(f"shufflevector <2 x i{n}> {v}, <2 x i{n}> poison, <2 x i32> <i32 1, i32 0>")}, <i{n} 3, i{n} {mask // 5}>')
    w = k.emit(f'lshr <2 x i{n}> {w}, <i{n} 1, i{n} 1>')
    k.result(k.emit(f'extractelement <2 x i{n}> {w}, i64 0'), n, lambda a, b: (b * 3 & mask) >> 1)
    k.result(k.emit(f'extractelement <2 x i{n}> {w}, i64 1'), n, lambda a, b: (a * (mask // 5) & mask) >> 1)
    k.lines += ['  br label %loop', 'loop:', f'  %s = phi i{n} [ %a, %entry ], [ %s.next, %loop ]', '  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]',
                f'  %s.next = add i{n} %s, %b', '  %i.next = add i32 %i, 1', '  %more = icmp ult i32 %i.next, 5', '  br i1 %more, label %loop, label %end', 'end:']
    k.result('%s.next', n, lambda a, b: a + 5 * b)
    return k


def text(k):
    load = ''.join(f'''  %at.{x}{part} = getelementptr i64, ptr addrspace(1) %in, i64 %at.{x}{part}.n
  %{x}{part} = load i64, ptr addrspace(1) %at.{x}{part}
  %{x}{part}.w = zext i64 %{x}{part} to i128
'''.replace(f'%at.{x}{part}.n', f'%n{2 * j + part}') for j, x in enumerate('ab') for part in (0, 1))
    join = ''.join(f'  %{x}.s = shl i128 %{x}1.w, 64\n  %{x}.w = or i128 %{x}0.w, %{x}.s\n' +
                   (f'  %{x} = freeze i128 %{x}.w\n' if k.n == 128 else f'  %{x} = trunc i128 %{x}.w to i{k.n}\n') for x in 'ab')
    index = ''.join(f'  %n{j} = add i64 %four, {j}\n' for j in range(4))
    body = '\n'.join(k.lines)
    return HEAD + f'''define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %four = mul i64 %id, 4
  %skip = mul i64 %id, {2 * len(k.results)}
  %r = getelementptr i64, ptr addrspace(1) %out, i64 %skip
{index}{load}{join}{body}
  ret void
}}
'''


def run(*args):
    p = subprocess.run([*CLDBG, 'run', *args], capture_output=True, text=True, timeout=300, env=ENV, stdin=subprocess.DEVNULL)
    return p, [int(v) for v in re.findall(r'\] = (-?\d+)$', p.stdout, re.M)]


def operations(folder, n, rng):
    k = kernel(n)
    path = os.path.join(folder, f'i{n}.bc')
    p = subprocess.run([bitcode.assembler(), '-o', path, '-'], input=text(k).encode(), capture_output=True)
    if p.returncode:
        return f'i{n}: {p.stderr.decode()}'
    edge = (0, 1, (1 << n) - 1, 1 << (n - 1), (1 << (n - 1)) - 1)
    pairs = [tuple(rng.choice(edge) if rng.random() < 0.4 else rng.getrandbits(n) for _ in 'ab') for _ in range(ITEMS)]
    words = ','.join(str(w) for pair in pairs for v in pair for w in (v & (1 << 64) - 1, v >> 64))
    want = [f(a, b) for a, b in pairs for f in k.results]
    for native in ([], ['--native']):
        p, got = run(*native, path, '--kernel=k', f'--global={ITEMS}', f'--local={ITEMS}', f'--arg=ulong[{4 * ITEMS}]={words}',
                     f'--arg=ulong[{2 * len(k.results) * ITEMS}]=0', '--dump=1')
        numbers = [lo | hi << 64 for lo, hi in zip(got[::2], got[1::2])]
        wrong = [(i, w, g) for i, (w, g) in enumerate(zip(want, numbers)) if g != w]
        if p.returncode or len(numbers) != len(want) or wrong:
            return f'i{n} {native}: status {p.returncode}, {len(numbers)} of {len(want)} numbers\n{p.stderr[-500:]}\n' + '\n'.join(
                f'result {i % len(k.results)} of {pairs[i // len(k.results)]}: {g:#x} instead of {w:#x}' for i, w, g in wrong[:5])
    return None


def optimized(folder):
    source, path = os.path.join(HERE, 'optimized.cl'), os.path.join(folder, 'optimized.bc')
    subprocess.run([CLANG, '-x', 'cl', '-cl-std=CL3.0', '-target', 'spir64', '-O2', '-emit-llvm', '-c', '-o', path, source], check=True)
    p = subprocess.run([os.path.join(os.path.dirname(bitcode.assembler()), 'llvm-dis'), '-o', '-', path], capture_output=True, text=True)
    odd = set(re.findall(r'\bi(\d+)\b', p.stdout)) - {'1', '8', '16', '32', '64'}
    if not {'33', '65'} <= odd:
        return f'optimized.cl: clang makes no i33 and i65 of it any more, but {odd}'
    args = ['--global=32', '--local=16', '--arg=int[32]=iota', '--arg=long[32]=iota', '--dump=0', '--dump=1']
    want = run(source, *args)[1]
    for native in ([], ['--native']):
        p, got = run(*native, path, *args)
        if p.returncode or got != want or len(got) != 64:
            return f'optimized.cl {native}: status {p.returncode}\n{got}\ninstead of\n{want}\n{p.stderr[-500:]}'
    return None


def main():
    if not os.path.exists(bitcode.assembler()):
        print('no llvm-as beside clang')
        return 77
    rng, bad = random.Random(17), []
    with tempfile.TemporaryDirectory() as folder:
        for n in [int(a) for a in sys.argv[1:]] or WIDTHS:
            bad.append(operations(folder, n, rng))
        bad.append(optimized(folder))
    for words in filter(None, bad):
        print(words)
    return any(bad)


if __name__ == '__main__':
    sys.exit(main())
