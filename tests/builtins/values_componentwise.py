# SPDX-License-Identifier: MIT
"""Functions that work on each component: mathematics, integers, common functions, relations. For values.py."""
import ctypes
import fractions
import math

import numpy as np
import pyopencl as cl
from values import FLOATS, INTEGERS, LONG, SIGNED, TYPES, WIDTHS, clip, nearest, numbers, rows, vector, wrap

TOTAL = 480  # components of an operand: a multiple of every width
INT, FLOAT = TYPES['int'], TYPES['float']
libm = ctypes.CDLL('libm.so.6')


def libm1(name):
    f = getattr(libm, name + 'l')
    f.restype, f.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
    return lambda x: np.array([f(float(v)) for v in x], LONG)


PI = LONG('3.14159265358979323846264338327950288')


def sinpi(x):
    r = np.fmod(x, 2)
    y = np.where(np.abs(r) <= 0.25, np.sin(PI * r), 0)
    q = np.rint(r * 2)
    t = PI * (r - q / 2)
    q = np.where(np.isfinite(q), q, 0).astype(int) & 3
    y = np.select([q == 0, q == 1, q == 2, q == 3], [np.sin(t), np.cos(t), -np.sin(t), -np.cos(t)])
    return np.where(np.isfinite(x), np.where(y == 0, np.copysign(LONG(0), x), y), LONG('nan'))


def cospi(x):
    r = np.abs(np.fmod(x, 2))
    q = np.rint(r * 2)
    t = PI * (r - q / 2)
    q = np.where(np.isfinite(q), q, 0).astype(int) & 3
    y = np.select([q == 0, q == 1, q == 2, q == 3], [np.cos(t), -np.sin(t), -np.cos(t), np.sin(t)])
    return np.where(np.isfinite(x), np.where(y == 0, LONG(0), y), LONG('nan'))


def powr(x, y):
    bad = (x < 0) | np.isnan(x) | np.isnan(y) | ((x == 0) | np.isinf(x)) & (y == 0) | (x == 1) & np.isinf(y)
    return np.where(bad, LONG('nan'), np.power(np.abs(x), y))


def rootn(x, n):
    odd = n.astype(int) % 2 != 0
    bad = (n == 0) | np.isnan(x) | (x < 0) & ~odd
    r = np.power(np.abs(x), 1 / np.where(n == 0, 1, n).astype(LONG))
    return np.where(bad, LONG('nan'), np.where(odd, np.copysign(r, x), r))


def magnitude(pick, other):
    def f(x, y):
        ax, ay = np.abs(x), np.abs(y)
        return np.where(np.isnan(x), y, np.where(np.isnan(y), x, np.where(pick(ax, ay), x, np.where(pick(ay, ax), y, other(x, y)))))
    return f


def half_away(x):
    return np.copysign(np.floor(np.abs(x) + (np.abs(x) < LONG(2) ** 60) * LONG(0.5)), x)


def gamma_error(t, want):
    """lgamma has no bound; so a relative one, and an absolute one near its zeros."""
    return np.abs(want) * 2.0 ** (3 - t.p) + 2.0 ** (6 - t.p)


def fdim(x, y):
    return np.where(np.isnan(x) | np.isnan(y), LONG('nan'), np.where(x > y, x - y, LONG(0)))


def logb(x):
    e = np.frexp(np.where(np.isfinite(x) & (x != 0), x, 1))[1] - LONG(1)
    return np.where(np.isnan(x), x, np.where(np.isinf(x), LONG('inf'), np.where(x == 0, LONG('-inf'), e)))


# name: value in long double, ULP for float and double, ULP for half
REAL = {
    'acos': (np.arccos, 4, 2), 'acosh': (np.arccosh, 4, 3), 'acospi': (lambda x: np.arccos(x) / PI, 5, 2), 'asin': (np.arcsin, 4, 2),
    'asinh': (np.arcsinh, 4, 3), 'asinpi': (lambda x: np.arcsin(x) / PI, 5, 2), 'atan': (np.arctan, 5, 2), 'atan2': (np.arctan2, 6, 2),
    'atan2pi': (lambda y, x: np.arctan2(y, x) / PI, 6, 2), 'atanh': (np.arctanh, 5, 3), 'atanpi': (lambda x: np.arctan(x) / PI, 5, 2),
    'cbrt': (np.cbrt, 2, 2), 'ceil': (np.ceil, 0, 0), 'copysign': (np.copysign, 0, 0), 'cos': (np.cos, 4, 2), 'cosh': (np.cosh, 4, 3),
    'cospi': (cospi, 4, 2), 'erf': (libm1('erf'), 16, 4), 'erfc': (libm1('erfc'), 16, 4), 'exp': (np.exp, 3, 2),
    'exp10': (lambda x: np.power(LONG(10), x), 3, 2), 'exp2': (np.exp2, 3, 2), 'expm1': (np.expm1, 3, 2), 'fabs': (np.abs, 0, 0),
    'fdim': (fdim, 0.5, 0.5), 'floor': (np.floor, 0, 0), 'fmax': (np.fmax, 'zero', 'zero'), 'fmin': (np.fmin, 'zero', 'zero'), 'fmod': (np.fmod, 0, 0),
    'hypot': (np.hypot, 4, 2), 'lgamma': (libm1('lgamma'), 'any', 'any'), 'log': (np.log, 3, 2), 'log10': (np.log10, 3, 2),
    'log1p': (np.log1p, 2, 2), 'log2': (np.log2, 3, 2), 'logb': (logb, 0, 0), 'maxmag': (magnitude(np.greater, np.fmax), 'zero', 'zero'),
    'minmag': (magnitude(np.less, np.fmin), 'zero', 'zero'), 'pow': (np.power, 16, 4), 'powr': (powr, 16, 4), 'rint': (np.rint, 0, 0),
    'round': (half_away, 0, 0), 'rsqrt': (lambda x: 1 / np.sqrt(x), 2, 1), 'sin': (np.sin, 4, 2), 'sinh': (np.sinh, 4, 3), 'sinpi': (sinpi, 4, 2),
    'sqrt': (np.sqrt, 0.5, 0.5), 'tan': (np.tan, 5, 2), 'tanh': (np.tanh, 5, 3), 'tanpi': (lambda x: sinpi(x) / cospi(x), 6, 2), 'tgamma': (libm1('tgamma'), 16, 4),
    'trunc': (np.trunc, 0, 0), 'pown': (np.power, 16, 4), 'rootn': (rootn, 16, 4), 'divide': (np.divide, 1, 1), 'recip': (lambda x: 1 / x, 1, 1),
    'ldexp': (lambda x, k: np.ldexp(x, np.clip(k, -20000, 20000).astype(int)), 0.5, 0.5),
}


def bits_reversed(t, x):
    return wrap(t, int(f'{x & (1 << t.bits) - 1:0{t.bits}b}'[::-1], 2))


def leading(t, x):
    return t.bits - (x & (1 << t.bits) - 1).bit_length()


def trailing(t, x):
    return t.bits if not x else ((x & -x).bit_length() - 1)


def rotated(t, x, n):
    x, n = x & (1 << t.bits) - 1, n % t.bits
    return wrap(t, x << n | x >> t.bits - n)


# name: value of Python integers; the first argument is the type
WHOLE = {
    'abs': lambda t, x: abs(x), 'abs_diff': lambda t, x, y: abs(x - y), 'add_sat': lambda t, x, y: clip(t, x + y),
    'sub_sat': lambda t, x, y: clip(t, x - y), 'hadd': lambda t, x, y: x + y >> 1, 'rhadd': lambda t, x, y: x + y + 1 >> 1,
    'mul_hi': lambda t, x, y: x * y >> t.bits, 'rotate': rotated, 'clz': leading, 'ctz': trailing,
    'popcount': lambda t, x: wrap(t, bin(x & (1 << t.bits) - 1).count('1')), 'bit_reverse': bits_reversed,
    'mul24': lambda t, x, y: wrap(t, x * y), 'mad24': lambda t, x, y, z: wrap(t, x * y + z),
    'mad_hi': lambda t, x, y, z: wrap(t, (x * y >> t.bits) + z), 'mad_sat': lambda t, x, y, z: clip(t, x * y + z),
    'max': lambda t, x, y: max(x, y), 'min': lambda t, x, y: min(x, y), 'clamp': lambda t, x, lo, hi: min(max(x, lo), hi),
}
NEWER = {'ctz': 'CL3.0'}

# name: comparison of long doubles
RELATIONS = {
    'isequal': np.equal, 'isnotequal': np.not_equal, 'isgreater': np.greater, 'isgreaterequal': np.greater_equal, 'isless': np.less,
    'islessequal': np.less_equal, 'islessgreater': lambda x, y: (x < y) | (x > y), 'isordered': lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    'isunordered': lambda x, y: np.isnan(x) | np.isnan(y), 'isfinite': np.isfinite, 'isinf': np.isinf, 'isnan': np.isnan,
    'isnormal': None, 'signbit': np.signbit,
}


def lines(call, arity, variants, result, save='out'):
    """The statements of a kernel: variant v of width n writes its TOTAL results behind those of the one before."""
    text = ''
    for v, (n, scalar) in enumerate(variants):
        args = ', '.join(f'a{k}[i * {n}]' if n == 1 or k in scalar else f'vload{n}(i, a{k})' for k in range(arity))
        value = f'{call}({args})'
        text += f'  if (i < {TOTAL // n}) ' + (f'{save}[i + {v * TOTAL}] = {value};\n' if n == 1 else f'vstore{n}({value}, i, {save} + {v * TOTAL});\n')
    return text


def kernel(name, operands, result, text):
    params = ''.join(f'global const {t.name} *a{k}, ' for k, t in enumerate(operands))
    return f'kernel void {name}({params}global {result.name} *out) {{\n  const size_t i = get_global_id(0);\n{text}}}\n'


def spread(arrays, n, scalar):
    """Operands as a variant sees them: those that are scalars repeat for all components of a vector."""
    return [np.repeat(a[::n], n) if n > 1 and k in scalar else a for k, a in enumerate(arrays)]


def compare(b, program, name, label, operands, arrays, result, variants, want, bound):
    """Runs a kernel of lines(); want(n, operands…) gives the values."""
    out = b.run(program, name, arrays, np.zeros(TOTAL * len(variants), result.dtype), TOTAL, 32)
    for v, (n, scalar) in enumerate(variants):
        seen = spread(arrays, n, scalar)
        w = want(n, *seen)
        limit = bound(*seen) if callable(bound) else bound
        what = ', '.join(t.name if k in scalar else vector(t, n) for k, t in enumerate(operands))
        b.same(f'{label}({what})', result, out[v * TOTAL:(v + 1) * TOTAL], w, limit, seen)


def widths(scalar=()):
    """Every width, and for vectors also with those operands as scalars."""
    return [(n, s) for n in WIDTHS for s in ([(), scalar] if scalar and n > 1 else [()])]


def real(b, table):
    for name, letters in table.items():
        base = name.split('_', 1)[1] if name.startswith(('half_', 'native_')) else name
        if base not in REAL or not b.wants(name):
            continue
        f, ulp, half = REAL[base]
        only_float = base != name
        program, todo = [], []
        for t in [FLOAT] if only_float else FLOATS:
            operands = [INT if c == 'i' else t for c in letters]
            arrays = [numbers(x, TOTAL, k) for k, x in enumerate(operands)]
            if 'i' in letters:
                arrays[1] = np.where(np.arange(TOTAL) % 3 == 0, arrays[1], arrays[1] % 41 - 20).astype(np.int32)
            variants = widths((1,) if 'e' in letters or base == 'ldexp' else ())
            bound = half if t.bits == 16 else ulp
            if bound == 'any':
                bound = lambda x, t=t: gamma_error(t, f(x.astype(LONG)))
            if bound == 'zero':  # either zero
                bound = 1e-9
            program.append(kernel(f'k_{t.name}', operands, t, lines(name, len(operands), variants, t)))
            todo.append((t, operands, arrays, variants, lambda n, *x: f(*(a.astype(LONG) for a in x)), bound))
        p = b.program(name, program)
        for t, operands, arrays, variants, want, bound in todo if p else ():
            with np.errstate(all='ignore'):
                compare(b, p, f'k_{t.name}', name, operands, arrays, t, variants, want, bound)


def whole(b, table):
    for name, f in WHOLE.items():
        if not b.wants(name):
            continue
        program, todo = [], []
        for t in INTEGERS:
            if name in ('mul24', 'mad24') and t.bits != 32:
                continue
            letters = table[name]
            operands = [t] * len(letters)
            arrays = [numbers(t, TOTAL, k) for k in range(len(letters))]
            if '24' in name:
                arrays[:2] = [a >> 8 for a in arrays[:2]]
            if name == 'clamp':
                arrays[1], arrays[2] = np.minimum(arrays[1], arrays[2]), np.maximum(arrays[1], arrays[2])
            result = TYPES['u' + t.name] if name in ('abs', 'abs_diff') and t.signed else t
            variants = widths(tuple(k for k, c in enumerate(letters) if c == 'e'))
            if name == 'clamp':  # the bounds of a vector's first component stand for all
                arrays[1:] = [np.repeat(a[::TOTAL // 10], TOTAL // 10) for a in arrays[1:]]
            program.append(kernel(f'k_{t.name}', operands, result, lines(name, len(operands), variants, result)))
            todo.append((t, operands, arrays, result, variants))
        p = b.program(name, program, NEWER.get(name, 'CL1.2'))
        for t, operands, arrays, result, variants in todo if p else ():
            compare(b, p, f'k_{t.name}', name, operands, arrays, result, variants,
                    lambda n, *x, t=t: [f(t, *map(int, v)) for v in zip(*x)], 0)


def exact(f):
    """A function of fractions, rounded once; what is not finite is left to long double."""
    def g(t, *arrays):
        with np.errstate(all='ignore'):
            loose = f(*(a.astype(LONG) for a in arrays))
        given = [f(*map(fractions.Fraction, map(float, v))) if all(np.isfinite(v)) else 0 for v in zip(*arrays)]
        return [nearest(t, y) if y else w for y, w in zip(given, loose)]
    return g


def common(b, table):
    """fma, mad and what has to do with floating point by more than one ULP's rule."""
    def tiny(t, *sizes):  # an error of some ULP of the largest of the values that were added
        return sum(np.abs(s.astype(LONG)) for s in sizes) * LONG(2.0) ** (3 - t.p) + LONG(2.0) ** (t.emin - t.p + 2)

    def smooth(lo, hi, x):
        s = np.clip((x - lo) / (hi - lo), 0, 1)
        return s * s * (3 - 2 * s)
    two = LONG(180) / PI
    cases = {
        'fma': (exact(lambda x, y, z: x * y + z), 0, False), 'mad': (lambda t, x, y, z: x * y + z, lambda t, x, y, z: tiny(t, x * y, z), True),
        'max': (lambda t, x, y: np.where(x < y, y, x), 0, True), 'min': (lambda t, x, y: np.where(y < x, y, x), 0, True),
        'clamp': (lambda t, x, lo, hi: np.minimum(np.maximum(x, lo), hi), 0, True), 'degrees': (lambda t, x: x * two, 2, False),
        'radians': (lambda t, x: x / two, 2, False), 'mix': (lambda t, x, y, a: x + (y - x) * a, lambda t, x, y, a: tiny(t, x, y * a, x * a), True),
        'sign': (lambda t, x: np.where(np.isnan(x), 0, np.where(x == 0, x, np.copysign(1, x))), 0, False), 'step': (lambda t, e, x: (x >= e) * LONG(1), 0, True),
        'smoothstep': (lambda t, lo, hi, x: smooth(lo, hi, x), lambda t, lo, hi, x: tiny(t, 1 + x / (hi - lo)), True),
    }
    for name, (f, bound, ordinary) in cases.items():
        if not b.wants(name):
            continue
        letters = table[name]
        program, todo = [], []
        for t in FLOATS:
            arrays = [numbers(t, TOTAL, k, ordinary) for k in range(len(letters))]
            if name == 'clamp':
                arrays[1:] = [np.full(TOTAL, -5, t.dtype), np.full(TOTAL, 7, t.dtype)]
            if name == 'smoothstep':
                arrays[:2] = [np.full(TOTAL, -6, t.dtype), np.full(TOTAL, 9, t.dtype)]
            variants = widths(tuple(k for k, c in enumerate(letters) if c == 'e'))
            operands = [t] * len(letters)
            program.append(kernel(f'k_{t.name}', operands, t, lines(name, len(letters), variants, t)))
            todo.append((t, operands, arrays, variants))
        p = b.program(name, program)
        for t, operands, arrays, variants in todo if p else ():
            with np.errstate(all='ignore'):
                wide = (lambda n, *x, t=t: f(t, *x)) if name == 'fma' else (lambda n, *x, t=t: f(t, *(a.astype(LONG) for a in x)))
                limit = (lambda *x, t=t: bound(t, *(a.astype(LONG) for a in x))) if callable(bound) else bound
                compare(b, p, f'k_{t.name}', name, operands, arrays, t, variants, wide, limit)


def exact_in_type(b):
    """nextafter, remainder, nan and ilogb."""
    for name in ('nextafter', 'remainder', 'ilogb', 'nan'):
        if not b.wants(name):
            continue
        program, todo = [], []
        for t in FLOATS:
            code = TYPES['u' + SIGNED[t.bits]]
            operands = [code] if name == 'nan' else [t] * (1 if name == 'ilogb' else 2)
            arrays = [numbers(x, TOTAL, k) for k, x in enumerate(operands)]
            result = INT if name == 'ilogb' else t

            def want(n, *x, t=t):
                if name == 'nan':
                    return np.full(TOTAL, np.nan)
                if name == 'nextafter':
                    return np.where(x[0] == x[1], x[1], np.nextafter(*x))
                if name == 'ilogb':
                    with np.errstate(all='ignore'):
                        e = logb(x[0].astype(LONG))
                    return [int(v) if math.isfinite(v) else -2**31 if v == -math.inf else 2**31 - 1 for v in e]
                return [math.remainder(float(v), float(w)) if math.isfinite(v) and w else math.nan for v, w in zip(*x)]
            variants = widths()
            program.append(kernel(f'k_{t.name}', operands, result, lines(name, len(operands), variants, result)))
            todo.append((t, operands, arrays, result, variants, want))
        p = b.program(name, program)
        for t, operands, arrays, result, variants, want in todo if p else ():
            compare(b, p, f'k_{t.name}', name, operands, arrays, result, variants, want, 0)


def relations(b):
    for name, f in RELATIONS.items():
        if not b.wants(name):
            continue
        program, todo = [], []
        for t in FLOATS:
            arity = f.nin if isinstance(f, np.ufunc) else 1 if f is None else 2
            operands, result = [t] * arity, TYPES[SIGNED[t.bits]]
            arrays = [numbers(t, TOTAL, k) for k in range(arity)]
            if arity == 2:
                arrays[1][::5] = arrays[0][::5]

            def want(n, *x, t=t):
                with np.errstate(all='ignore'):  # (of NaNs that signal)
                    x = [a.astype(LONG) for a in x]
                y = f(*x) if f else np.isfinite(x[0]) & (np.abs(x[0]) >= LONG(2.0) ** t.emin)
                return np.where(y, 1 if n == 1 else -1, 0)
            program.append(kernel(f'k_{t.name}', operands, result, lines(name, arity, widths(), result)))
            todo.append((t, operands, arrays, result, want))
        p = b.program(name, program)
        for t, operands, arrays, result, want in todo if p else ():
            compare(b, p, f'k_{t.name}', name, operands, arrays, result, widths(), want, 0)


def choices(b):
    """bitselect and select, which take any type; select by signed and by unsigned integers."""
    for name in ('bitselect', 'select'):
        if not b.wants(name):
            continue
        program, todo = [], []
        for t in TYPES.values():
            word = TYPES[SIGNED[t.bits]]
            for c in [t] if name == 'bitselect' else [word, TYPES['u' + word.name]]:
                operands = [t, t, c]
                arrays = [numbers(x, TOTAL, k) for k, x in enumerate(operands)]

                def want(n, x, y, z, t=t, word=word):
                    if name == 'select':
                        return np.where(z != 0 if n == 1 else z.view(word.dtype) < 0, y, x)
                    bits = [a.view(word.dtype) for a in (x, y, z)]
                    return (bits[0] & ~bits[2] | bits[1] & bits[2]).view(t.dtype)
                program.append(kernel(f'k_{t.name}_{c.name}', operands, t, lines(name, 3, widths(), t)))
                todo.append((f'k_{t.name}_{c.name}', t, operands, arrays, want))
        p = b.program(name, program)
        for k, t, operands, arrays, want in todo if p else ():
            compare(b, p, k, name, operands, arrays, t, widths(), want, 0)


def upsample(b):
    if not b.wants('upsample'):
        return
    program, todo = [], []
    for t in INTEGERS:
        if t.bits == 64:
            continue
        low = TYPES['u' + SIGNED[t.bits]]
        result = TYPES[('' if t.signed else 'u') + SIGNED[t.bits * 2]]
        operands = [t, low]
        arrays = [numbers(x, TOTAL, k) for k, x in enumerate(operands)]
        program.append(kernel(f'k_{t.name}', operands, result, lines('upsample', 2, widths(), result)))
        todo.append((t, operands, arrays, result))
    p = b.program('upsample', program)
    for t, operands, arrays, result in todo if p else ():
        compare(b, p, f'k_{t.name}', 'upsample', operands, arrays, result, widths(),
                lambda n, x, y, t=t: [(int(v) << t.bits) | int(w) for v, w in zip(x, y)], 0)


def bitfields(b):
    """The field's place and width are scalars, for vectors too."""
    for name in ('bitfield_insert', 'bitfield_extract_signed', 'bitfield_extract_unsigned'):
        if not b.wants(name):
            continue
        inserts, program, todo = name == 'bitfield_insert', [], []
        for t in INTEGERS:
            result = t if inserts else TYPES[('' if name.endswith('_signed') else 'u') + SIGNED[t.bits]]
            r = np.random.default_rng(t.bits)
            offset = r.integers(0, t.bits + 1, TOTAL)
            count = np.where(np.arange(TOTAL) % 7 == 0, t.bits - offset, (r.random(TOTAL) * (t.bits - offset + 1)).astype(int))
            operands = [t] * (1 + inserts) + [TYPES['uint']] * 2
            arrays = [numbers(t, TOTAL, k) for k in range(1 + inserts)] + [offset.astype(np.uint32), count.astype(np.uint32)]

            def want(n, *x, t=t, result=result, inserts=inserts):
                if inserts:
                    return [wrap(t, v & ~((1 << c) - 1 << o) | (w & (1 << c) - 1) << o) for v, w, o, c in zip(*(map(int, a) for a in x))]
                fields = [((v >> o) & (1 << c) - 1, c) for v, o, c in zip(*(map(int, a) for a in x))]
                return [v - (1 << c) if result.signed and c and v >> c - 1 else v for v, c in fields]
            variants = [(n, (len(operands) - 2, len(operands) - 1)) for n in WIDTHS]
            program.append(kernel(f'k_{t.name}', operands, result, lines(name, len(operands), variants, result)))
            todo.append((t, operands, arrays, result, variants, want))
        p = b.program(name, program)
        for t, operands, arrays, result, variants, want in todo if p else ():
            compare(b, p, f'k_{t.name}', name, operands, arrays, result, variants, want, 0)


def dots_of_bytes(b):
    """dot of four 8-bit integers, in vectors and packed, and added with saturation."""
    dot = lambda x, y: (x.astype(object) * y.astype(object)).reshape(-1, 4).sum(1)
    for s in (TYPES['uchar'], TYPES['char']):
        for t in (TYPES['uchar'], TYPES['char']):
            result = TYPES['int' if s.signed or t.signed else 'uint']
            packed = f'4x8packed_{"us"[s.signed]}{"us"[t.signed]}_{result.name}'
            x, y, z = numbers(s, TOTAL, 1), numbers(t, TOTAL, 2), numbers(result, TOTAL // 4, 3)
            calls = {'dot_acc_sat': 'vload4(i, a), vload4(i, b), c[i]', 'dot': 'vload4(i, a), vload4(i, b)',
                     f'dot_{packed}': 'as_uint(vload4(i, a)), as_uint(vload4(i, b))', f'dot_acc_sat_{packed}': 'as_uint(vload4(i, a)), as_uint(vload4(i, b)), c[i]'}
            for name, args in calls.items():
                if not b.wants(name):
                    continue
                p = b.program(name, [f'kernel void k(global const {s.name} *a, global const {t.name} *b, global const {result.name} *c, global {result.name} *out)\n'
                                     f'{{ const size_t i = get_global_id(0); out[i] = {name}({args}); }}\n'], 'CL1.2' if s is t else 'CL3.0')
                if p:
                    want = dot(x, y)
                    if 'acc' in name:
                        want = [clip(result, v + int(w)) for v, w in zip(want, z)]
                    b.same(f'{name}({s.name}4, {t.name}4)', result, b.run(p, 'k', [x, y, z], np.zeros(TOTAL // 4, result.dtype), TOTAL // 4, 8), want)


# with a second result through a pointer: (first, second) in long double; ULP of the first
def remquo(x, y):
    q = [round(fractions.Fraction(float(v)) / fractions.Fraction(float(w))) if math.isfinite(v) and math.isfinite(w) and w else 0 for v, w in zip(x, y)]
    return (np.array([math.remainder(float(v), float(w)) if math.isfinite(v) and w else math.nan for v, w in zip(x, y)]),
            [(abs(n) & 127) * (1 if n >= 0 else -1) for n in q])


def fract(t, x):
    below = np.nextafter(t.dtype(1), t.dtype(0))
    return np.where(np.isnan(x), x, np.where(np.isinf(x), np.copysign(LONG(0), x), np.where(x == 0, x, np.minimum(x - np.floor(x), LONG(below))))), np.floor(x)


def frexp(x):
    m, e = np.frexp(x)
    return m, np.where(np.isfinite(x), e, 0)


def modf(x):
    whole_ = np.trunc(x)
    return np.where(np.isinf(x), np.copysign(LONG(0), x), np.copysign(x - whole_, x)), whole_


def lgamma_sign(x):
    return [-1 if -math.inf < v < 0 and math.floor(v) % 2 else 1 for v in map(float, x)]


POINTERS = {
    'fract': (lambda t, x: fract(t, x), 1, 'f', 1), 'frexp': (lambda t, x: frexp(x), 1, 'i', 0), 'modf': (lambda t, x: modf(x), 1, 'f', 0),
    'remquo': (lambda t, x, y: remquo(x, y), 2, 'i', 0), 'sincos': (lambda t, x: (np.sin(x), np.cos(x)), 1, 'f', 4),
    'lgamma_r': (lambda t, x: (REAL['lgamma'][0](x), lgamma_sign(x)), 1, 'i', None),
}
def storage(space, kind, v, n):
    """A variable of a work-item's own in an address space: its declaration and its address."""
    return {'private': (f'{kind} s{n};', f'&s{n}'), 'local': (f'local {kind} s{n}[32];', f'&s{n}[get_local_id(0)]'),
            'global': (f'global {kind} *s{n} = (global {kind} *)(scratch + {v * TOTAL});', f'&s{n}[i]')}[space]


def pointers(b):
    for name, (f, arity, second, ulp) in POINTERS.items():
        if not b.wants(name):
            continue
        for std in ('CL1.2', 'CL3.0'):
            program, todo = [], []
            for t in FLOATS:
                other = INT if second == 'i' else t
                for space in ('private', 'local', 'global'):
                    k, text, heads = f'k_{t.name}_{space}', '', ''
                    for v, n in enumerate(WIDTHS):
                        declaration, address = storage(space, vector(other, n), v, n)
                        heads += f'  {declaration}\n'
                        args = ', '.join(f'a{m}[i]' if n == 1 else f'vload{n}(i, a{m})' for m in range(arity))
                        store = f'out[i + {v * TOTAL}] = y; more[i + {v * TOTAL}] = *q;' if n == 1 else \
                            f'vstore{n}(y, i, out + {v * TOTAL}); vstore{n}(*q, i, more + {v * TOTAL});'
                        text += f'''  if (i < {TOTAL // n}) {{ {space} {vector(other, n)} *q = {address};
    const {vector(t, n)} y = {name}({args}, q); {store} }}\n'''
                    params = ''.join(f'global const {t.name} *a{m}, ' for m in range(arity))
                    program.append(f'kernel void {k}({params}global {t.name} *out, global {other.name} *more, global double16 *scratch) {{\n'
                                   f'  const size_t i = get_global_id(0);\n{heads}{text}}}\n')
                    todo.append((k, t, other))
            p = b.program(name, program, std)
            for k, t, other in todo if p else ():
                arrays = [numbers(t, TOTAL, m) for m in range(arity)]
                with np.errstate(all='ignore'):
                    want = f(t, *(a.astype(LONG) for a in arrays))
                check_pointer(b, p, name, k, t, other, arrays, want, ulp)


def check_pointer(b, p, name, k, t, other, arrays, want, ulp):
    mf = cl.mem_flags
    more = np.zeros(TOTAL * len(WIDTHS), other.dtype)
    second = cl.Buffer(b.context, mf.READ_WRITE | mf.COPY_HOST_PTR, hostbuf=more)
    scratch = cl.Buffer(b.context, mf.READ_WRITE, TOTAL * 128 * len(WIDTHS))
    out = b.run(p, k, arrays, np.zeros(TOTAL * len(WIDTHS), t.dtype), TOTAL, 32, (second, scratch))
    cl.enqueue_copy(b.queue, more, second)
    if ulp is None:
        ulp = gamma_error(t, want[0])
    defined = np.ones(TOTAL, bool)
    if name == 'remquo':  # the quotient has no value where the remainder is NaN
        defined = ~np.isnan(np.asarray(want[0], LONG))
    elif name == 'lgamma_r':
        defined = np.array([not (math.isnan(v) or math.isinf(v) or v <= 0 and v == math.floor(v)) for v in map(float, arrays[0])])
    for v, n in enumerate(WIDTHS):
        part = slice(v * TOTAL, (v + 1) * TOTAL)
        what = f'{name}({vector(t, n)}) {k}'
        b.same(what, t, out[part], want[0], ulp, arrays)
        b.same(what + ', second result', other, more[part][defined], np.asarray(want[1])[defined], (ulp if name == 'sincos' else 0), [a[defined] for a in arrays])


def run(b):
    table = rows()
    real(b, table)
    whole(b, table)
    common(b, table)
    exact_in_type(b)
    relations(b)
    choices(b)
    upsample(b)
    bitfields(b)
    dots_of_bytes(b)
    pointers(b)
