#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every builtin function of OpenCL C in every overload, under cldbg, against values computed here.

For each row of src/builtins/builtins.def that has a value there are kernels with all types, widths, kinds of operands
and address spaces; what they give is compared with Python's integers and fractions and numpy's long double. The
programs are right, so a finding is a failure, too. A row that nothing here knows is a failure.

usage: values.py [--sample] [--native] [name...]   rows by name (convert_ is one); --sample: a twentieth of it
environment: CLDBG, the command to test (cli/cldbg)
"""
import collections
import fractions
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = '/usr/bin/python3'  # Debian's, for which PyOpenCL and numpy are packaged


def outside():
    if subprocess.run([PYTHON, '-c', 'import pyopencl, numpy'], stderr=subprocess.DEVNULL).returncode:
        print('SKIP: there is no PyOpenCL for', PYTHON)
        return 77
    native = ['--native'] if '--native' in sys.argv else []
    args = [a for a in sys.argv[1:] if a != '--native']
    env = dict(os.environ, PYOPENCL_NO_CACHE='1')
    return subprocess.run([os.environ.get('CLDBG', 'cli/cldbg'), *native, PYTHON, os.path.abspath(__file__), '--inside', *args],
                          env=env, timeout=3000).returncode


if '--inside' not in sys.argv:
    sys.exit(outside())

import numpy as np
import pyopencl as cl

WIDTHS = (1, 2, 3, 4, 8, 16)
SAMPLE = '--sample' in sys.argv
NAMES = {a for a in sys.argv[1:] if not a.startswith('-')}

# name: numpy's type, bits, signed; of floating point the bits of the significand and the least exponent
Scalar = collections.namedtuple('Scalar', 'name dtype bits signed p emin')
TYPES = {s.name: s for s in (
    Scalar('char', np.int8, 8, True, 0, 0), Scalar('uchar', np.uint8, 8, False, 0, 0),
    Scalar('short', np.int16, 16, True, 0, 0), Scalar('ushort', np.uint16, 16, False, 0, 0),
    Scalar('int', np.int32, 32, True, 0, 0), Scalar('uint', np.uint32, 32, False, 0, 0),
    Scalar('long', np.int64, 64, True, 0, 0), Scalar('ulong', np.uint64, 64, False, 0, 0),
    Scalar('half', np.float16, 16, True, 11, -14), Scalar('float', np.float32, 32, True, 24, -126),
    Scalar('double', np.float64, 64, True, 53, -1022))}
INTEGERS = [t for t in TYPES.values() if not t.p]
FLOATS = [t for t in TYPES.values() if t.p]
SIGNED = {8: 'char', 16: 'short', 32: 'int', 64: 'long'}
LONG = np.longdouble


def vector(t, n):
    return t.name + (str(n) if n > 1 else '')


def least(t):
    return -(1 << t.bits - 1) if t.signed else 0


def most(t):
    return (1 << t.bits - t.signed) - 1


def largest(t):
    """The largest finite number of a floating type."""
    return fractions.Fraction(2) ** (2 - t.emin) * (1 - fractions.Fraction(1, 2 ** t.p)) if t.p else most(t)


def wrap(t, x):
    x &= (1 << t.bits) - 1
    return x - (1 << t.bits) if t.signed and x >> t.bits - 1 else x


def clip(t, x):
    return max(least(t), min(most(t), x))


def rounded(x, mode):
    """An integer near the fraction x: rte to nearest even, rtz, rtp, rtn."""
    floor = x.numerator // x.denominator
    if mode == 'rte':
        return round(x)
    return floor if mode == 'rtn' or mode == 'rtz' and x >= 0 else -(-x.numerator // x.denominator)


def nearest(t, x, mode='rte'):
    """Fraction x as a value of the floating type t."""
    if not x:
        return 0.0
    e = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < fractions.Fraction(2) ** e:
        e -= 1
    unit = fractions.Fraction(2) ** (max(e, t.emin) - t.p + 1)
    y = rounded(x / unit, mode) * unit
    if abs(y) > largest(t):
        inward = mode == 'rtz' or mode == ('rtn' if x > 0 else 'rtp')
        return float(largest(t)) * (1 if x > 0 else -1) if inward else float('inf' if x > 0 else '-inf')
    return float(y) if y or x > 0 else -0.0


def ulps(t, got, want):
    """How far apart, in units of the last place of the exact value `want` (long double)."""
    got, want = np.asarray(got), np.asarray(want, LONG)
    over = LONG(2) ** (1 - t.emin) * 2 if t.emin != -1022 else np.ldexp(LONG(1), 1024)
    with np.errstate(all='ignore'):
        g = np.where(np.isinf(got), np.copysign(over, got.astype(LONG)), got.astype(LONG))
        w = np.where(np.abs(want) >= over, np.copysign(over, want), want)
        e = np.clip(np.where((w == 0) | ~np.isfinite(w), t.emin, np.frexp(np.where(np.isfinite(w), w, 1))[1] - 1), t.emin, -t.emin + 1)
        d = np.abs(g - w) / np.ldexp(LONG(1), (e - t.p + 1).astype(int))
        d = np.where(np.isnan(got) & np.isnan(want), 0, np.where(np.isnan(got) | np.isnan(want), np.inf, d))
    return d


rng = np.random.default_rng(6)
SPECIAL = [0.0, -0.0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2, 2.5, -2.5, 3, -3, 4, 7, -8, 10, 16, 33, 64, 100, 127, 128, 255, 1e-3, 1e-4, 6e-8, -6e-8, 6.1e-5, 65504,
           -65504, 1e9, -1e9, 1e15, 1e-30, -1e-40, 1e30, 88.7, -103, 709, -745, 3.14159, 0.999, -0.999, 1.001, float('inf'), float('-inf'), float('nan')]


def numbers(t, n, seed=0, ordinary=False):
    """n values of the type: special ones, random bits, ordinary ones; the same for the same seed."""
    r = np.random.default_rng(seed * 7919 + t.bits * 2 + t.signed + 100 * bool(t.p))
    if t.p:
        plain = (r.random(n) * 40 - 20).astype(t.dtype)
        if ordinary:
            return plain
        bits = np.frombuffer(r.bytes(n * t.bits // 8), t.dtype)
        with np.errstate(all='ignore'):
            special = r.permutation(np.resize(np.array(SPECIAL), n)).astype(t.dtype)
        kind = r.integers(0, 4, n)
        return np.where(kind == 0, bits, np.where(kind < 3, special, plain)).astype(t.dtype)
    bits = np.frombuffer(r.bytes(n * t.bits // 8), t.dtype)
    corners = [0, 1, 2, 3, least(t), most(t), most(t) - 1, most(t) // 2, most(t) // 3] + ([-1, -2, least(t) + 1] if t.signed else [])
    return np.where(r.integers(0, 2, n) == 0, bits, r.choice(np.array(corners, object), n).astype(t.dtype)).astype(t.dtype)


class Bench:
    """The device; counts what was compared."""

    def __init__(self):
        self.context = cl.create_some_context(interactive=False)
        self.queue = cl.CommandQueue(self.context)
        self.compared = self.bad = self.programs = 0
        self.known = set()

    def wants(self, name):
        """Whether the row is to be run; to be asked for each row."""
        self.known.add(name)
        return not NAMES or name in NAMES

    def program(self, what, kernels, std='CL1.2', head=''):
        self.programs += 1
        if SAMPLE and self.programs % 20 != 1:
            return None
        text = '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + head + ''.join(kernels)
        try:
            return cl.Program(self.context, text).build([f'-cl-std={std}', '-w'])
        except cl.RuntimeError as e:
            print(f'{what}: {str(e)[:2000]}')
            self.bad += 1
            return None

    def run(self, program, name, inputs, out, items, group=None, locals_=()):
        """Launches; gives `out`, an array of zeros, as the kernel left it."""
        mf = cl.mem_flags
        args = [cl.Buffer(self.context, mf.READ_ONLY | mf.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(a)) for a in inputs]
        result = cl.Buffer(self.context, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=out)
        kernel = cl.Kernel(program, name)
        kernel.set_args(*args, result, *locals_)
        cl.enqueue_nd_range_kernel(self.queue, kernel, (items,), (group or items,))
        cl.enqueue_copy(self.queue, out, result)
        return out

    def same(self, what, t, got, want, bound=0, inputs=()):
        """bound: in ULP, or an array of absolute errors; 0 asks for the same value and the same sign of zero."""
        got = np.asarray(got)
        self.compared += got.size
        with np.errstate(all='ignore'):
            if not t.p:
                wrong = got.astype(object) != np.asarray(want, object)
            elif isinstance(bound, np.ndarray):
                want = np.where(np.abs(want) > float(largest(t)), np.copysign(LONG('inf'), want), want)
                wrong = ~((np.abs(got.astype(LONG) - want) <= bound) | (got == want) | (np.isnan(got) & np.isnan(want)))
            elif bound:
                wrong = ~(ulps(t, got, want) <= bound)
            else:
                w = np.asarray(want, LONG)
                wrong = ~((got.astype(LONG) == w) & (np.signbit(got) == np.signbit(w)) | np.isnan(got) & np.isnan(w))
        if not wrong.any():
            return
        i = int(np.flatnonzero(wrong)[0])
        of = ', '.join(repr(a[i]) for a in inputs)
        print(f'{what}: {int(wrong.sum())} of {got.size} wrong, first at {i}: of {of}: {got[i]!r}, not {want[i]!r}')
        self.bad += 1


def rows():
    """Names in builtins.def with the letters of their arguments (of MATHP without the pointer)."""
    with open(os.path.join(HERE, '..', '..', 'src', 'builtins', 'builtins.def')) as f:
        return {m[2]: m[4] or m[3] for m in re.finditer(r'^(OP|MATHP?|ALIAS|LIBRARY|LIBRARY_FAMILY|EXPAND|FAMILY|FLOW)\((\w+), "([^"]*)"(?:, "([^"]*)")?', f.read(), re.M)}


def main():
    sys.path.insert(0, HERE)
    sys.modules['values'] = sys.modules['__main__']
    import values_componentwise
    import values_groups
    import values_memory
    b = Bench()
    for part in (values_componentwise, values_memory, values_groups):
        part.run(b)
    # no values: order, time, text and checks of arguments; images and pipes have tests of their own
    elsewhere = re.compile(r'barrier|fence|clock_read|wait_group|prefetch|printf|image|sampler|__cldbg|get_(global|local|enqueued_local|num|group)_|get_work_dim$')
    missing = [] if NAMES else [n for n in rows() if n not in b.known and not elsewhere.search(n)]
    if missing:
        print('no values for', *missing)
    print(f'{len(b.known)} rows, {b.programs} programs, {b.compared} values compared, {b.bad} overloads wrong')
    return 1 if b.bad or missing or not b.compared else 0


if __name__ == '__main__':
    sys.exit(main())
