# SPDX-License-Identifier: MIT
"""Conversions, loads and stores of vectors, shuffles, geometry, copies of groups. For values.py."""
import fractions
import math

import numpy as np
import pyopencl as cl
from values import FLOATS, INTEGERS, LONG, SIGNED, TYPES, WIDTHS, clip, largest, least, most, nearest, numbers, rounded, vector, wrap

MODES = ('', '_rte', '_rtz', '_rtp', '_rtn')
N = 96  # elements that are converted: a multiple of every width


# ---- convert_

def converted(source, t, saturated, mode, x):
    """x, a number of Python, as a value of t. None: undefined."""
    if isinstance(x, float) and not math.isfinite(x):
        if t.p:
            return x
        return None if not saturated else 0 if math.isnan(x) else most(t) if x > 0 else least(t)
    if t.p:
        y = nearest(t, fractions.Fraction(x), mode or 'rte')
        return math.copysign(y, x) if x == 0 and isinstance(x, float) else y
    y = rounded(fractions.Fraction(x), mode or 'rtz')
    if saturated:
        return clip(t, y)
    return wrap(t, y) if not source.p else y if least(t) <= y <= most(t) else None


def around(source, t):
    """Values near the ends of t and between its numbers, as values of the source."""
    ends = [float(largest(t)), -float(largest(t)), float(least(t)) if not t.p else 2.0 ** t.emin, 2.0 ** (t.p or t.bits), 1e-40, 3e-8]
    close = [e * f for e in ends for f in (1, 1 + 2.0 ** -t.p if t.p else 1 - 2.0 ** -24, 1 - 2.0 ** -12)] + [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.99, -0.99, 100.5]
    with np.errstate(all='ignore'):
        if source.p:
            return np.array(close).astype(source.dtype)
        return np.array([clip(source, int(c)) for c in close if math.isfinite(c)], object).astype(source.dtype)


def conversions(b):
    if not b.wants('convert_'):
        return
    for source in TYPES.values():
        for t in TYPES.values():
            ways = [(sat, mode) for sat in (('', '_sat') if not t.p else ('',)) for mode in MODES]
            x = np.resize(np.concatenate([around(source, t), numbers(source, N)]), N)
            text, todo = [], []
            for sat, mode in ways:
                want = [converted(source, t, bool(sat), mode[1:], v.item()) for v in x]
                defined = np.array([w is not None for w in want])
                y = np.where(defined, x, source.dtype(1)).astype(source.dtype)
                want = [converted(source, t, bool(sat), mode[1:], v.item()) for v in y]
                name = f'k{sat}{mode}'
                lines = ''
                for v, n in enumerate(WIDTHS):
                    value = f'convert_{vector(t, n)}{sat}{mode}({f"vload{n}(i, a)" if n > 1 else "a[i]"})'
                    store = f'vstore{n}({value}, i, out + {v * N})' if n > 1 else f'out[i] = {value}'
                    lines += f'  if (i < {N // n}) {store};\n'
                text.append(f'kernel void {name}(global const {source.name} *a, global {t.name} *out) {{ const size_t i = get_global_id(0);\n{lines}}}\n')
                todo.append((name, y, want))
            p = b.program(f'convert_{t.name}({source.name})', text)
            for name, y, want in todo if p else ():
                out = b.run(p, name, [y], np.zeros(N * len(WIDTHS), t.dtype), N, 32)
                for v, n in enumerate(WIDTHS):
                    b.same(f'convert_{vector(t, n)}{name[1:]}({vector(source, n)})', t, out[v * N:(v + 1) * N], want, 0, [y])


# ---- vload, vstore

def address(space, t, at, n=N):
    """Statements that give `p`, where the n elements of `a` are in an address space, and one that brings them back."""
    if space == 'private':
        return f'{t} s[{n}]; for (int k = 0; k < {n}; k++) s[k] = a[k]; private {t} *p = s; ', ''
    if space == 'local':
        return f'local {t} s[{n}]; for (int k = 0; k < {n}; k++) s[k] = a[k]; local {t} *p = s; ', ''
    return f'{space} {t} *p = a; ', ''


def loads(b):
    """One work-item loads at an odd place and stores at another, every width, type and address space."""
    want_load, want_store = b.wants('vload'), b.wants('vstore')
    if not (want_load or want_store):
        return
    for std in ('CL1.2', 'CL3.0'):
        for t in TYPES.values():
            x = numbers(t, N)
            text = []
            for space in ('global', 'constant', 'local', 'private'):
                before, _ = address(space, t.name, 0)
                moves = ''
                for v, n in enumerate(WIDTHS[1:]):
                    value = f'vload{n}(1, p + 3)'
                    if space in ('global', 'constant'):
                        moves += f'  vstore{n}({value}, 1, out + {v * 40} + 1);\n'
                    else:
                        moves += f'  {space} {t.name} *q{n} = p + 45; vstore{n}({value}, 1, q{n} + 1);' \
                                 f' for (int k = 0; k < {n}; k++) out[{v * 40} + 1 + {n} + k] = s[46 + {n} + k];\n'
                from_ = 'constant' if space == 'constant' else 'global'
                text.append(f'kernel void k_{space}({from_} {t.name} *a, global {t.name} *out) {{ {before}\n{moves}}}\n')
            p = b.program(f'vload, vstore of {t.name}', text, std)
            for space in ('global', 'constant', 'local', 'private') if p else ():
                out = b.run(p, f'k_{space}', [x], np.zeros(200, t.dtype), 1)
                want = np.zeros(200, t.dtype)
                for v, n in enumerate(WIDTHS[1:]):
                    want[v * 40 + 1 + n:v * 40 + 1 + 2 * n] = x[3 + n:3 + 2 * n]
                b.same(f'vload and vstore of {t.name}, {space}, {std}', TYPES['u' + SIGNED[t.bits]], out.view(f'u{t.bits // 8}'), want.view(f'u{t.bits // 8}'))


def widths(name):
    """The aligned forms have no scalar one."""
    return [(v, n) for v, n in enumerate(WIDTHS) if n > 1 or not name.startswith(('vloada', 'vstorea'))]


def halves(b):
    """vload_half, vloada_half; vstore_half, vstorea_half of float and double in every rounding mode."""
    names = [n for n in ('vload_half', 'vloada_half', 'vstore_half', 'vstorea_half') if b.wants(n)]
    if not names:
        return
    half, x = TYPES['half'], numbers(TYPES['half'], N)
    for load in [n for n in names if n.startswith('vload')]:
        text = []
        for space in ('global', 'constant', 'local', 'private'):
            before = address(space, 'half', 0)[0]
            if space in ('local', 'private'):
                before = before.replace(f's[{N}]', f's[{N}] __attribute__((aligned(32)))')
            lines = ''
            for v, n in widths(load):
                wide = 4 if n == 3 and 'loada' in load else n
                value = f'{load}{n if n > 1 else ""}(i, p)'
                lines += f'  for (int i = 0; i < {N // wide}; i++) ' + (f'vstore{n}({value}, i, out + {v * N});\n' if n > 1 else f'out[i + {v * N}] = {value};\n')
            from_ = 'constant' if space == 'constant' else 'global'
            text.append(f'kernel void k_{space}({from_} half *a, global float *out) {{ {before}\n{lines}}}\n')
        p = b.program(load, text)
        for space in ('global', 'constant', 'local', 'private') if p else ():
            out = b.run(p, f'k_{space}', [x], np.zeros(N * len(WIDTHS), np.float32), 1)
            for v, n in widths(load):
                want = x.reshape(-1, 4)[:, :3].ravel() if n == 3 and 'loada' in load else x
                b.same(f'{load}{n}, {space}', TYPES['float'], out[v * N:v * N + len(want)], want.astype(LONG), 0, [want])
    for save in [n for n in names if n.startswith('vstore')]:
        for t in (TYPES['float'], TYPES['double']):
            y = np.resize(np.concatenate([around(t, half), numbers(t, N)]), N)
            text = []
            for space in ('global', 'local', 'private'):
                for mode in MODES:
                    lines = ''
                    for v, n in widths(save):
                        value = f'vload{n}(i, a)' if n > 1 else 'a[i]'
                        lines += f'  for (int i = 0; i < {N // n}; i++) {save}{n if n > 1 else ""}{mode}({value}, i, {"p" if space != "global" else f"out + {v * 128}"});\n'
                        if space != 'global':
                            lines += f'  for (int k = 0; k < {N // 3 * 4 if n == 3 and "storea" in save else N}; k++) if (!({n} == 3 && {int("storea" in save)} && k % 4 == 3)) out[{v * 128} + k] = p[k];\n'
                    declare = '' if space == 'global' else f'{space} half s[128] __attribute__((aligned(32))); {space} half *p = s;'
                    text.append(f'kernel void k_{space}{mode}(global const {t.name} *a, global half *out) {{ {declare}\n{lines}}}\n')
            p = b.program(f'{save} of {t.name}', text)
            for space in ('global', 'local', 'private') if p else ():
                for mode in MODES:
                    out = b.run(p, f'k_{space}{mode}', [y], np.zeros(128 * len(WIDTHS), np.float16), 1)
                    want = np.array([converted(t, half, False, mode[1:], v.item()) for v in y])
                    for v, n in widths(save):
                        got = out[v * 128:(v + 1) * 128]
                        got = got.reshape(-1, 4)[:, :3].ravel() if n == 3 and 'storea' in save else got[:N]
                        b.same(f'{save}{n}{mode} of {t.name}, {space}', half, got, want, 0, [y])


# ---- shuffle

def shuffles(b):
    for name, sources in (('shuffle', 1), ('shuffle2', 2)):
        if not b.wants(name):
            continue
        for t in TYPES.values():
            mask = TYPES['u' + SIGNED[t.bits]]
            a, m = numbers(t, 32), numbers(mask, 16)
            pairs = [(i, o) for i in (2, 4, 8, 16) for o in (2, 4, 8, 16)]
            args = {1: 'vload{i}(0, a)', 2: 'vload{i}(0, a), vload{i}(0, a + {i})'}[sources]
            lines = ''.join(f'  vstore{o}({name}({args.format(i=i)}, vload{o}(0, m)), 0, out + {16 * k});\n' for k, (i, o) in enumerate(pairs))
            p = b.program(f'{name} of {t.name}', [f'kernel void k(global const {t.name} *a, global const {mask.name} *m, global {t.name} *out) {{\n{lines}}}\n'])
            if not p:
                continue
            out = b.run(p, 'k', [a, m], np.zeros(16 * len(pairs), t.dtype), 1)
            for k, (i, o) in enumerate(pairs):
                b.same(f'{name}({vector(t, i)}) to {o}', mask, out[16 * k:16 * k + o].view(mask.dtype), a[m[:o] % mask.dtype(i * sources)].view(mask.dtype))


# ---- geometry, all, any

def geometry(b):
    eps = {t.name: LONG(2.0) ** (1 - t.p) for t in FLOATS}
    length = lambda x: np.sqrt((x * x).sum(1))
    unit = lambda x: x / length(x)[:, None]
    cases = {  # operands, value, ULP of the largest part, only float, widths
        'dot': (2, lambda x, y: (x * y).sum(1), lambda x, y: np.abs(x * y).sum(1), 8, FLOATS, (1, 2, 3, 4)),
        'cross': (2, lambda x, y: crossed(x, y), lambda x, y: np.full(x.shape, np.abs(x).max() * np.abs(y).max()), 8, FLOATS, (3, 4)),
        'length': (1, length, length, 8, FLOATS, (1, 2, 3, 4)), 'distance': (2, lambda x, y: length(x - y), lambda x, y: length(x) + length(y), 8, FLOATS, (1, 2, 3, 4)),
        'normalize': (1, unit, lambda x: np.ones(x.shape), 8, FLOATS, (1, 2, 3, 4)),
        'fast_length': (1, length, length, 8192, [TYPES['float']], (1, 2, 3, 4)),
        'fast_distance': (2, lambda x, y: length(x - y), lambda x, y: length(x) + length(y), 8192, [TYPES['float']], (1, 2, 3, 4)),
        'fast_normalize': (1, unit, lambda x: np.ones(x.shape), 8192, [TYPES['float']], (1, 2, 3, 4)),
    }
    for name, (arity, f, size, ulp, types, widths) in cases.items():
        if not b.wants(name):
            continue
        for t in types:
            arrays = [numbers(t, N, k, True) for k in range(arity)]
            lines, spans = '', []
            for v, n in enumerate(widths):
                args = ', '.join(f'vload{n}(i, a{k})' if n > 1 else f'a{k}[i]' for k in range(arity))
                whole = n > 1 and (name == 'cross' or 'normalize' in name)
                lines += f'  if (i < {N // n}) ' + (f'vstore{n}({name}({args}), i, out + {v * N});\n' if whole else f'out[i + {v * N}] = {name}({args});\n')
                spans.append((n, N if whole else N // n))
            params = ''.join(f'global const {t.name} *a{k}, ' for k in range(arity))
            p = b.program(f'{name} of {t.name}', [f'kernel void k({params}global {t.name} *out) {{ const size_t i = get_global_id(0);\n{lines}}}\n'])
            if not p:
                continue
            out = b.run(p, 'k', arrays, np.zeros(N * len(widths), t.dtype), N)
            for v, (n, count) in enumerate(spans):
                x = [a.astype(LONG).reshape(-1, n) for a in arrays]
                b.same(f'{name}({vector(t, n)})', t, out[v * N:v * N + count], np.ravel(f(*x)), np.ravel(size(*x)).astype(LONG) * ulp * eps[t.name])


def crossed(x, y):
    c = np.cross(x[:, :3], y[:, :3])
    return c if x.shape[1] == 3 else np.concatenate([c, np.zeros((len(c), 1), c.dtype)], 1)


def all_any(b):
    for name, f in (('all', np.all), ('any', np.any)):
        if not b.wants(name):
            continue
        for t in [t for t in INTEGERS if t.signed]:
            x = np.where(np.arange(N) % 5 < 4, -np.abs(numbers(t, N).astype(object) // 2) - 1, np.arange(N) % 2 * -3).astype(t.dtype)
            x = np.where(np.arange(N) < N // 2, x, ~x)
            lines = ''.join(f'  if (i < {N // n}) out[i + {v * N}] = {name}({f"vload{n}(i, a)" if n > 1 else "a[i]"});\n' for v, n in enumerate(WIDTHS))
            p = b.program(f'{name} of {t.name}', [f'kernel void k(global const {t.name} *a, global int *out) {{ const size_t i = get_global_id(0);\n{lines}}}\n'])
            if p:
                out = b.run(p, 'k', [x], np.zeros(N * len(WIDTHS), np.int32), N)
                for v, n in enumerate(WIDTHS):
                    b.same(f'{name}({vector(t, n)})', TYPES['int'], out[v * N:v * N + N // n], f((x < 0).reshape(-1, n), 1).astype(int))


# ---- async_work_group_copy: to local memory, in place there, and back, with and without strides

def copies(b):
    plain, strided = b.wants('async_work_group_copy'), b.wants('async_work_group_strided_copy')
    if not (plain or strided):
        return
    for t in TYPES.values():
        text, todo = [], []
        for n in WIDTHS:
            v, count = vector(t, n), 24
            x = numbers(t, 2 * count * 16)
            text.append(f'''kernel void c{n}(global const {v} *a, global {v} *out, local {v} *s) {{
  event_t e = async_work_group_copy(s, a + 1, {count}, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy(out, (const local {v} *)s, {count}, 0);
  wait_group_events(1, &e);
}}
kernel void s{n}(global const {v} *a, global {v} *out, local {v} *s) {{
  event_t e = async_work_group_strided_copy(s, a, 8, 3, 0);
  wait_group_events(1, &e);
  e = async_work_group_strided_copy(out, (const local {v} *)s, 8, 2, 0);
  wait_group_events(1, &e);
}}
''')
            todo.append((n, v, count, x))
        p = b.program(f'copies of {t.name}', text)
        code = TYPES['u' + SIGNED[t.bits]]
        for n, v, count, x in todo if p else ():
            wide = 4 if n == 3 else n
            cells = x[:2 * count * wide].reshape(-1, wide)
            for kind in 'cs':
                out = b.run(p, f'{kind}{n}', [cells], np.zeros((count, wide), t.dtype), 8, 8, (cl.LocalMemory(count * wide * t.bits // 8),))
                want = np.zeros_like(out)
                if kind == 'c':
                    want[:] = cells[1:1 + count]
                else:
                    want[:16:2] = cells[:24:3]
                b.same(f'async copy {kind} of {v}', code, np.ravel(out[:, :n].copy().view(code.dtype)), np.ravel(want[:, :n].copy().view(code.dtype)))


def run(b):
    conversions(b)
    loads(b)
    halves(b)
    shuffles(b)
    geometry(b)
    all_any(b)
    copies(b)
