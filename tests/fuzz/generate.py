#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random OpenCL C kernels with defined behavior.

generate(seed) gives the source of kernel `k(global const uint *in, global uint *out, global int *count, int n)`: every
work-item folds what it computes into one hash, which it stores in out[16 * global id]; the second half of these 64 bytes
is its own memory, used as one type. All types of integers, float and double, their vectors, structs, pointers to private,
local and global memory, private and local arrays, calls, divergent control, barriers under uniform control, atomics that
commute.

Defined means: indices are masked, signed sums are computed unsigned, divisors are odd or positive, conversions of floats
saturate, what a NaN looks like is nobody's business. Floating point is of operations that IEEE 754 rounds in one way only, and
zeros lose their sign where fmin and fmax may choose.

Names of a kernel's own get a suffix, so that many fit into one program. As a program it prints the kernel of a seed.
"""
import random
import sys

INTS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong']
BITS = {'char': 8, 'uchar': 8, 'short': 16, 'ushort': 16, 'int': 32, 'uint': 32, 'long': 64, 'ulong': 64}
FLOATS = ['float', 'double']
BYTES = {**{t: b // 8 for t, b in BITS.items()}, 'float': 4, 'double': 8}
WIDTHS = [2, 2, 3, 4, 4, 4, 8, 16]
DIGITS = '0123456789abcdef'
# one operation for each place: those of different kinds do not commute
COUNTERS = ['add', 'add', 'add', 'sub', 'xor', 'or', 'and', 'min', 'max', 'inc', 'dec', 'add']
PRELUDE = '''#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#ifndef FOLD
#define FOLD
#define fold_float(x) (isnan(x) ? 0x7fc00000u : as_uint(x))
#define fold_double(x) (isnan(x) ? 77u : (uint)as_ulong(x) * 31u + (uint)(as_ulong(x) >> 32))
#define fold_long(x) ((uint)(x) * 31u + (uint)((ulong)(x) >> 32))
#endif
'''


def unsigned(t):
    return t if t[0] == 'u' else 'u' + t


def parts(t):
    """Base and width of a vector's or a scalar's type."""
    base = t.rstrip('0123456789')
    return base, int(t[len(base):] or 1)


# Conditions that hold for all work-items, which the launch can know (interp/launch/preconditions.c), but for the last one, which only the kernel does.
GUARDS = {0: 'gid < n + 100000', 3: 'get_global_id(0) < 100000u && n + 1000 > lid', 6: '!((uint)gid >= 4000000000u)', 9: 'gid - 3 < n + 100000'}


class Gen:
    def __init__(self, seed, suffix=''):
        self.r = random.Random(seed)
        self.suffix = suffix
        self.lines, self.depth, self.names, self.loops, self.budget = [], 0, 0, 0, 28
        self.in_kernel = self.uniform_control = True
        self.may_leave = False
        self.arrays = []   # (text before the index, after it, element's type, how many)
        self.structs = []  # (name, [(member, type, how many or 0, or a struct's number)])
        self.helpers = []  # (name, kind of parameters)
        self.locals = []   # declarations
        self.own = None    # type of the work-item's own memory

    def pick(self, *xs):
        return self.r.choice(xs)

    def emit(self, text):
        self.lines.append('    ' * (self.depth + 1) + text)

    def fresh(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    def a_type(self):
        k = self.r.random()
        if k < 0.45:
            return self.pick('int', 'uint', *INTS)
        if k < 0.65:
            return self.pick('float', 'float', 'double')
        return self.pick(*INTS, 'float', 'float', 'double') + str(self.r.choice(WIDTHS))

    # ---- expressions; scope is a list of (type, lvalue)
    def var(self, scope, types):
        fits = [n for t, n in scope if t in types]
        return self.r.choice(fits) if fits else None

    def constant(self, t):
        if t in FLOATS:
            v = self.pick('0.0', '1.0', '-1.0', '0.5', '3.25', '-7.0', '1e10', '1e-3', '255.5', '2147483648.0', '1e-40', '3e38')
            return v + ('f' if t == 'float' else '')
        v = self.pick(0, 1, 2, 3, 7, 31, 100, 127, self.r.randrange(1 << 7), self.r.randrange(1 << (BITS[t] - 1)))
        v &= (1 << (BITS[t] - 1)) - 1
        return f'({t}){v}' + {'uint': 'u', 'long': 'L', 'ulong': 'UL'}.get(t, '')

    def cast(self, t, e):
        return f'({t})({e})'

    def floating(self, scope, t, depth):
        r = self.r
        a = lambda: self.expr(scope, t, depth + 1)
        if depth > 3 or r.random() < 0.2:
            v = self.var(scope, [t])
            return v if v and r.random() < 0.8 else self.constant(t)
        k = r.randrange(16)
        if k < 6:
            return f'({a()} {self.pick("+", "-", "*", "*", "/")} {a()})'
        if k == 6:
            return f'{self.pick("fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt")}({a()})'
        if k == 7:
            return f'({self.pick("fmin", "fmax")}({a()}, {a()}) + {self.zero(t)})'
        if k == 8:
            return f'fma({a()}, {a()}, {a()})'
        if k == 9:
            if r.random() < 0.25:
                return f'copysign({a()}, convert_{t}({self.expr(scope, "int", depth + 1)}))'  # not of a NaN
            return f'fmod({a()}, {a()})' if r.random() < 0.5 else f'ldexp({a()}, (int)({self.expr(scope, "int", depth + 1)}) & 15)'
        if k == 10:
            return f'({self.cond(scope, depth + 1)} ? {a()} : {a()})'
        if k == 11:
            return f'convert_{t}({self.expr(scope, self.pick(*FLOATS), depth + 1)})'
        if k == 12:
            return f'(- {a()})'
        if k == 13:
            e = self.element(scope, depth, lambda u: u == t)
            if e:
                return e
        if k == 14:
            e = self.component(scope, t)
            if e:
                return e
        return f'convert_{t}({self.expr(scope, self.pick(*INTS), depth + 1)})'

    def zero(self, t):
        base, n = parts(t)
        z = '0.0f' if base == 'float' else '0.0'
        return z if n == 1 else f'({t})({z})'

    def component(self, scope, base):
        vs = [(t, n) for t, n in scope if t[-1].isdigit() and parts(t)[0] == base]
        if not vs:
            return None
        t, name = self.r.choice(vs)
        return f'{name}.s{DIGITS[self.r.randrange(parts(t)[1])]}'

    def element(self, scope, depth, fits):
        found = [x for x in self.arrays if fits(x[2])]
        if not found:
            return None
        before, after, _, size = self.r.choice(found)
        return f'{before}[{self.expr(scope, "uint", depth + 1)} & {size - 1}]{after}'

    def expr(self, scope, t, depth=0):
        r = self.r
        if t[-1].isdigit():
            return self.vector_expr(scope, t, depth)
        if t in FLOATS:
            return self.floating(scope, t, depth)
        if depth > 3 or r.random() < 0.18:
            v = self.var(scope, [t])
            if v and r.random() < 0.8:
                return v
            v = self.var(scope, INTS)
            if v and r.random() < 0.6:
                return self.cast(t, v)
            return self.constant(t)
        k = r.randrange(24)
        a = lambda: self.expr(scope, t, depth + 1)
        other, u = self.pick(*INTS), unsigned(t)
        if k < 5:
            return f'({t})({self.wrap(t, a())} {self.pick("+", "-", "*")} {self.wrap(t, a())})'
        if k < 7:
            return f'({t})({a()} {self.pick("&", "|", "^")} {a()})'
        if k == 7:
            return f'({t})(({u})({a()}) {self.pick("<<", ">>")} ({a()} & {min(BITS[t], 32) - 1}))'
        if k == 8:
            if r.random() < 0.5:
                return f'({t})(({t})({a()}) {self.pick("/", "%")} (({t})({a()}) & 63 | 1))'
            return f'({t})(({u})({a()}) {self.pick("/", "%")} (({u})({a()}) | 1))'
        if k == 9:
            return f'({self.cond(scope, depth + 1)} ? {a()} : {a()})'
        if k == 10:
            return self.cast(t, self.cond(scope, depth + 1))
        if k == 11:
            return self.cast(t, self.expr(scope, other, depth + 1))
        if k == 12:
            f = self.pick('min', 'max', 'add_sat', 'sub_sat', 'rotate', 'hadd', 'rhadd', 'mul_hi', 'abs_diff')
            return f'({t}){f}(({t})({a()}), ({t})({a()}))'
        if k == 13:
            return f'({t}){self.pick("clz", "popcount", "abs")}(({t})({a()}))'
        if k == 14:
            e = self.element(scope, depth, lambda u: u in INTS)
            if e:
                return f'({t}){e}'
        if k == 15 and self.in_kernel:
            return f'({t})in[{self.expr(scope, "uint", depth + 1)} % (uint)n]'
        if k == 16:
            e = self.component(scope, self.pick(*INTS))
            if e:
                return f'({t}){e}'
        if k == 17 and self.helpers:
            e = self.call(scope, depth)
            if e:
                return f'({t}){e}'
        if k == 18:
            return f'({t})convert_{other}_sat({self.expr(scope, self.pick(*INTS), depth + 1)})'
        if k == 19:
            return f'convert_{t}_sat{self.pick("", "_rte", "_rtz")}({self.expr(scope, self.pick(*FLOATS), depth + 1)})'
        if k == 20:
            return f'({t})({self.wrap(t, a())} << {r.randrange(min(BITS[t], 32) - 1)})'
        if k == 21 and r.random() < 0.4:
            return f'({t}){self.pick("any", "all")}({self.comparison(scope, depth + 1)})'
        if k == 22:
            return f'select(({t})({a()}), ({t})({a()}), ({u})({self.expr(scope, u, depth + 1)}))'
        return f'({t})({self.pick("~", "")}({a()}))'

    def call(self, scope, depth):
        name, kind = self.r.choice(self.helpers)
        if kind == 'swap':
            return None
        if kind == 'pointer':
            v = self.var([x for x in scope if x[1][0] in 'v'], ['int'])
            return f'{name}(&{v}, {self.expr(scope, "uint", depth + 1)})' if v and depth < 2 else None
        if kind is not None:  # of a struct
            s = [n for t, n in scope if t == f'struct {kind[0]}']
            if not s:
                return None
            return f'{name}({"&" if kind[1] else ""}{self.r.choice(s)}, {self.expr(scope, "uint", depth + 1)})'
        return f'{name}({self.expr(scope, "int", depth + 1)}, {self.expr(scope, "uint", depth + 1)})'

    def comparison(self, scope, depth):
        """Of vectors: its type has as many bits as theirs."""
        t = self.pick('int', 'uint', 'char', 'short', 'long', 'float') + str(self.pick(2, 3, 4, 8))
        return f'({self.expr(scope, t, depth + 1)} {self.pick("<", "<=", ">", ">=", "==", "!=")} {self.expr(scope, t, depth + 1)})'

    def vector_expr(self, scope, t, depth):
        r, (base, n) = self.r, parts(t)
        a = lambda: self.expr(scope, t, depth + 1)
        is_float = base in FLOATS
        v = self.var(scope, [t])
        if depth > 2 or r.random() < 0.25:
            if v and r.random() < 0.85:
                return v
            return f'({t})({self.expr(scope, base, depth + 2)})'
        k = r.randrange(12)
        if k < 3:
            if is_float:
                return f'({a()} {self.pick("+", "-", "*", "/")} {a()})'
            u = unsigned(base) + str(n)
            return f'as_{t}(as_{u}({a()}) {self.pick("+", "-", "*")} as_{u}({a()}))'
        if k == 3 and not is_float:
            return f'({a()} {self.pick("&", "|", "^")} {a()})'
        if k == 4 and not is_float:
            return f'({a()} {self.pick(">>", "<<") if base[0] == "u" else ">>"} ({a()} & ({t})({BITS[base] - 1})))'
        if k == 5:
            if is_float:
                return f'{self.pick("fabs", "floor", "ceil", "trunc", "rint", "sqrt")}({a()})' if r.random() < 0.6 else f'fma({a()}, {a()}, {a()})'
            return f'{self.pick("min", "max", "add_sat", "sub_sat", "rotate", "hadd", "mul_hi")}({a()}, {a()})'
        if k == 6:
            other = self.pick(*INTS) if not is_float else self.pick(*INTS, *FLOATS)
            return f'convert_{t}{"" if is_float else "_sat"}({self.expr(scope, other + str(n), depth + 1)})'
        if k == 7:  # a mask of its own size, top bits decide
            c = {1: 'char', 2: 'short', 4: 'int', 8: 'long'}[BYTES[base]] + str(n)
            if r.random() < 0.5:
                return f'select({a()}, {a()}, {self.expr(scope, c, depth + 1)})'
            return f'({a()} {self.pick("<", ">", "==", "!=")} {a()} ? {a()} : {a()})'
        if k == 8:
            found = [(u, x) for u, x in scope if u[-1].isdigit() and parts(u)[0] == base]
            if found:
                u, x = r.choice(found)
                m = parts(u)[1]
                return f'{x}.s{"".join(DIGITS[r.randrange(m)] for _ in range(n))}'
        if k == 9 and v and n != 3 and not is_float:
            return f'shuffle({v}, {self.expr(scope, unsigned(base) + str(n), depth + 1)})'
        if k == 10 and n in (4, 8, 16):
            half = base + str(n // 2)
            return f'({t})({self.expr(scope, half, depth + 1)}, {self.expr(scope, half, depth + 1)})'
        if k == 11:
            found = [x for x in self.arrays if x[2] == base and x[1] == '' and x[3] >= n]
            if found:
                name, _, _, size = r.choice(found)
                return f'vload{n}({self.expr(scope, "uint", depth + 1)} % {size // n}u, {name})'
        if n <= 4:
            return f'({t})({", ".join(self.expr(scope, base, depth + 2) for _ in range(n))})'
        return f'({t})({self.expr(scope, base, depth + 1)})'

    def wrap(self, t, e):
        """Signed overflow is undefined: compute in the unsigned type."""
        return f'({unsigned(t)})({e})'

    def cond(self, scope, depth=0):
        t = self.pick(*INTS, 'float', 'double')
        c = f'({self.expr(scope, t, depth + 1)} {self.pick("<", "<=", ">", ">=", "==", "!=")} {self.expr(scope, t, depth + 1)})'
        if depth < 2 and self.r.random() < 0.3:
            c = f'({c} {self.pick("&&", "||")} {self.cond(scope, depth + 2)})'
        return c

    # ---- statements
    def assign(self, scope):
        t, name = self.r.choice([v for v in scope if v[1][0] != 'c' and not v[0].startswith('struct')] or [('int', None)])
        if name is None:
            return
        base, width = parts(t)
        if width == 1 or self.r.random() < 0.3:
            if self.r.random() < 0.2 and t in INTS:
                self.emit(f'{name} {self.pick("^=", "|=", "&=")} {self.expr(scope, t)};')
            else:
                self.emit(f'{name} = {self.expr(scope, t)};')
            return
        places = DIGITS[:width]
        k = self.r.randrange(4)
        if k == 0:
            self.emit(f'{name}.s{self.r.choice(places)} = {self.expr(scope, base)};')
        elif k == 1:
            self.emit(f'{name} = {name}.s{"".join(self.r.choice(places) for _ in range(width))};')
        elif k == 2 and base in INTS:
            self.emit(f'{name} = {name} {self.pick("&", "|", "^")} ({t})({self.expr(scope, base)});')
        else:
            self.emit(f'{name}.s{"".join(self.r.sample(places, 2))} = ({base}2)({self.expr(scope, base)}, {self.expr(scope, base)});')

    def declare(self, scope):
        t, name = self.a_type(), self.fresh('v')
        self.emit(f'{t} {name} = {self.expr(scope, t)};')
        scope.append((t, name))

    def declare_array(self, scope):
        name, size = self.fresh('a'), self.pick(2, 4, 8, 16)
        t = self.pick('int', 'uint', 'uchar', 'short', 'ulong', 'float', 'double', 'int4', 'float2', 'short3')
        i = self.fresh('c')
        rows = self.r.random() < 0.2
        self.emit(f'{t} {name}{"[2]" if rows else ""}[{size}];')
        inner = scope + [('int', i)]
        value = self.expr(inner, t)
        at = [f'{name}[{k}]' for k in range(2)] if rows else [name]
        self.emit(f'for (int {i} = 0; {i} < {size}; {i}++) {" = ".join(f"{x}[{i}]" for x in at)} = {value};')
        self.arrays += [(x, '', t, size) for x in at]

    def declare_pointer(self, scope):
        """To one of two variables; or to a place in an array, from where it may go back."""
        t = self.pick('int', 'uint', 'short', 'ulong', 'float', 'int4')
        found = [n for u, n in scope if u == t and n[0] in 'vs' and '.' not in n]
        name = self.fresh('p')
        if len(found) > 1 and self.r.random() < 0.7:
            a, b = self.r.sample(found, 2)
            self.emit(f'{t} *{name} = {self.cond(scope)} ? &{a} : &{b};')
            scope.append((t, f'(*{name})'))
            return
        flat = [x for x in self.arrays if x[1] == '' and x[0][0] == 'a' and x[3] > 2]
        if not flat:
            return self.declare(scope)
        array, _, u, size = self.r.choice(flat)
        self.emit(f'{u} *{name} = {array} + ({self.expr(scope, "uint")} & {size // 2 - 1});')
        if self.r.random() < 0.5:
            self.emit(f'{name} += {self.expr(scope, "uint")} & 1;')
        self.arrays.append((name, '', u, size // 2))

    # ---- structs
    def declare_structs(self):
        for number in range(self.r.randint(0, 2)):
            name, members = f'S{number}{self.suffix}', []
            for m in range(self.r.randint(1, 5)):
                k = self.r.random()
                if k < 0.2 and self.structs:
                    members.append((f'm{m}', f'struct {self.structs[0][0]}', 0))
                elif k < 0.4:
                    members.append((f'm{m}', self.pick(*INTS, 'float'), self.pick(2, 4)))
                else:
                    members.append((f'm{m}', self.a_type(), 0))
            self.structs.append((name, members))
            text = ' '.join(f'{t} {m}{f"[{n}]" if n else ""};' for m, t, n in members)
            self.lines.append(f'struct {name} {{ {text} }};')

    def leaves(self, name, at):
        """(type, lvalue) of all scalars and vectors of a struct."""
        for m, t, n in dict(self.structs)[name]:
            if t.startswith('struct '):
                yield from self.leaves(t[7:], f'{at}.{m}')
            elif n:
                yield from ((t, f'{at}.{m}[{k}]') for k in range(n))
            else:
                yield t, f'{at}.{m}'

    def rows_of(self, name, at):
        """Arrays inside a struct, as self.arrays has them."""
        return [(f'{at}.{m}', '', t, n) for m, t, n in dict(self.structs)[name] if n]

    def declare_struct(self, scope):
        if not self.structs:
            return self.declare(scope)
        name = self.r.choice(self.structs)[0]
        same = [n for t, n in scope if t == f'struct {name}']
        k = self.r.random()
        if k < 0.25 and same:
            s = self.fresh('s')
            self.emit(f'struct {name} {s} = {self.r.choice(same)};')
        elif k < 0.4 and len(same) > 1:
            p = self.fresh('p')
            self.emit(f'struct {name} *{p} = {self.cond(scope)} ? &{same[0]} : &{same[-1]};')
            scope += list(self.leaves(name, f'(*{p})'))
            return
        elif k < 0.6:
            s, size, c = self.fresh('s'), self.pick(2, 4), self.fresh('c')
            self.emit(f'struct {name} {s}[{size}];')
            self.emit(f'for (int {c} = 0; {c} < {size}; {c}++) {{')
            for t, at in self.leaves(name, f'    {s}[{c}]'):
                self.emit(f'{at} = {self.expr(scope + [("int", c)], t, 2)};')
            self.emit('}')
            self.arrays += [(s, at, t, size) for t, at in self.leaves(name, '')]
            return
        else:
            s = self.fresh('s')
            self.emit(f'struct {name} {s};')
            for t, at in self.leaves(name, s):
                self.emit(f'{at} = {self.expr(scope, t, 1)};')
        scope.append((f'struct {name}', s))
        scope += list(self.leaves(name, s))
        self.arrays += self.rows_of(name, s)

    # ---- control
    def block(self, scope, statements):
        inner, arrays = list(scope), list(self.arrays)
        self.depth += 1
        for _ in range(statements):
            self.statement(inner)
        self.depth -= 1
        self.arrays = arrays

    def same_for_all(self):
        """A condition that is the same for all work-items of a group."""
        return f'(({self.pick("n", "(int)get_group_id(0)", "(int)in[get_group_id(0) % n]")} + {self.r.randrange(5)}) & 3) {self.pick("<", ">", "==", "!=")} {self.r.randrange(3)}'

    def branch(self, scope):
        was = self.uniform_control
        same = self.in_kernel and was and self.r.random() < 0.3
        self.uniform_control = was and same
        self.emit(f'if ({self.same_for_all() if same else self.cond(scope)}) {{')
        self.block(scope, self.r.randint(1, 3))
        if self.r.random() < 0.5:
            self.emit('} else {')
            self.block(scope, self.r.randint(1, 3))
        self.emit('}')
        self.uniform_control = was

    def loop(self, scope):
        i = self.fresh('c')
        self.loops += 1
        was = self.uniform_control
        uniform = self.r.random() < 0.4
        self.uniform_control = was and uniform
        limit = self.pick('3', '5', '(n & 3) + 1' if self.in_kernel else '4') if uniform else f'({self.expr(scope, "int")} & 7)'
        bound = self.fresh('b')
        self.emit(f'int {bound} = {limit};')
        kind = self.r.random()
        if kind < 0.3:
            self.emit(f'int {i} = 0;')
            self.emit('do {')
            close = f'}} while (++{i} < {bound});'
        elif kind < 0.45:
            self.emit(f'int {i} = 0;')
            self.emit('for (;;) {')
            self.emit(f'    if ({i}++ >= {bound}) break;')
            close = '}'
        else:
            self.emit(f'for (int {i} = 0; {i} < {bound}; {i}++) {{')
            close = '}'
        inner = scope + [('int', i)]
        if not uniform and self.r.random() < 0.4:
            self.depth += 1
            self.emit(f'if ({self.cond(inner)}) {self.pick("break", "continue")};')
            self.depth -= 1
        self.block(inner, self.r.randint(1, 3))
        self.emit(close)
        self.loops -= 1
        self.uniform_control = was

    def switch(self, scope):
        was, self.uniform_control = self.uniform_control, False
        self.emit(f'switch ({self.expr(scope, "int")} & 7) {{')
        for c in self.r.sample(range(8), self.r.randint(1, 4)):
            self.emit(f'case {c}: {{')
            self.block(scope, 1)
            self.emit('}')
            if self.r.random() < 0.7:
                self.emit('break;')
        if self.r.random() < 0.6:
            self.emit('default: {')
            self.block(scope, 1)
            self.emit('}')
        self.emit('}')
        self.uniform_control = was

    # ---- memory that is shared
    def exchange(self, scope):
        """Every work-item gives one value, all read another's."""
        k = self.r.randrange(4)
        swaps = [f for f, kind in self.helpers if kind == 'swap']
        name = self.fresh('v')
        if k == 0 and swaps:
            self.emit(f'uint {name} = {swaps[0]}(tile, {self.expr(scope, "uint")}, {self.r.randint(0, 9)});')
            scope.append(('uint', name))
            return
        if k == 1:
            self.emit('for (int q = lid; q < 8; q += lsz) bins[q] = q;')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
            self.emit(f'atomic_{self.pick("add", "sub", "xor", "max", "min", "or")}(&bins[{self.expr(scope, "uint")} & 7], {self.expr(scope, "int")} & 255);')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
            self.emit(f'int {name} = bins[{self.expr(scope, "uint")} & 7];')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
            scope.append(('int', name))
            return
        t, tile = 'uint', 'tile'
        if k == 2:
            t, tile = self.pick('uchar', 'short', 'long', 'float', 'double', 'float4', 'int2', 'uchar4', 'ushort3'), self.fresh('t')
            self.locals.append(f'__local {t} {tile}[256];')
        guard = GUARDS.get(self.names % 12)
        if guard:
            self.emit(f'{t} {name} = 0;')
            self.emit(f'if ({guard}) {{')
        self.emit(f'{tile}[lid] = {self.expr(scope, t)};')
        self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
        self.emit(f'{"" if guard else t} {name} = {tile}[(lid + {self.r.randint(0, 9)}) % lsz];')
        self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
        if guard:
            self.emit('}')
        scope.append((t, name))

    def store_own(self, scope):
        t, size = self.own, 32 // BYTES[self.own]
        n = self.pick(1, 2, 3, 4, 8)
        if n > 1 and n <= size:
            self.emit(f'vstore{n}({self.expr(scope, f"{t}{n}")}, {self.expr(scope, "uint")} % {size // n}u, own);')
        else:
            self.emit(f'own[{self.expr(scope, "uint")} & {size - 1}] = {self.expr(scope, t)};')

    def without_nan(self):
        """Which bits a NaN has is not to be seen in the buffer."""
        return f'for (int q = 0; q < {32 // BYTES[self.own]}; q++) if (isnan(own[q])) own[q] = 7; ' if self.own in FLOATS else ''

    def count(self, scope):
        at = self.r.randrange(len(COUNTERS))
        op = COUNTERS[at]
        value = '' if op in ('inc', 'dec') else f', {self.expr(scope, "int")}'
        self.emit(f'atomic_{op}(&count[{at}]{value});')

    def statement(self, scope):
        if self.budget <= 0:
            return self.assign(scope)
        self.budget -= 1
        k = self.r.randrange(20)
        if k < 3:
            self.declare(scope)
        elif k < 6:
            self.assign(scope)
        elif k == 6:
            self.declare_array(scope)
        elif k == 7 and self.arrays:
            before, after, t, size = self.r.choice(self.arrays)
            self.emit(f'{before}[{self.expr(scope, "uint")} & {size - 1}]{after} = {self.expr(scope, t)};')
        elif k < 10:
            self.branch(scope)
        elif k < 12 and self.loops < 3:
            self.loop(scope)
        elif k == 12:
            self.switch(scope)
        elif k < 15 and self.in_kernel and self.uniform_control and self.locals is not None:
            self.exchange(scope)
        elif k == 15 and self.in_kernel:
            self.count(scope)
        elif k == 16:
            self.declare_struct(scope)
        elif k == 17:
            self.declare_pointer(scope)
        elif k == 18 and self.own and self.in_kernel:
            self.store_own(scope)
        elif k == 19 and self.may_leave and self.loops == 0:
            self.emit(f'if ({self.cond(scope)}) {{ {self.without_nan()}out[16 * gid] = h ^ {self.expr(scope, "uint")}; return; }}')
        else:
            self.assign(scope)

    def folded(self, t, name):
        base, width = parts(t)
        one = lambda x: f'fold_{base}({x})' if base in FLOATS else f'fold_long({x})' if base in ('long', 'ulong') else f'(uint){x}'
        if width == 1:
            return one(name)
        return ' ^ '.join(f'{one(f"{name}.s{DIGITS[i]}")} * {2 * i + 1}u' for i in range(width))

    def fold(self, scope):
        for t, name in scope:
            if not t.startswith('struct'):
                self.emit(f'h = h * 31u + ({self.folded(t, name)});')

    def fold_arrays(self):
        for before, after, t, size in self.arrays:
            self.emit(f'for (int q = 0; q < {size}; q++) h = h * 31u + ({self.folded(t, f"{before}[q]{after}")});')

    # ---- functions
    def helper(self, number):
        self.in_kernel, self.budget, self.arrays, self.uniform_control, self.may_leave = False, 6, [], False, False
        name, k = f'f{number}{self.suffix}', self.r.random()
        kind, scope = None, [('int', 'x'), ('uint', 'y')]
        if k < 0.2:
            kind, scope = 'pointer', [('int', '(*p)'), ('uint', 'y')]
            head = f'uint {name}(int *p, uint y)'
        elif k < 0.5 and self.structs:
            struct, by_pointer = self.r.choice(self.structs)[0], self.r.random() < 0.5
            kind = struct, by_pointer
            at = '(*s)' if by_pointer else 's'
            scope = [('uint', 'y'), *self.leaves(struct, at)]
            self.arrays = self.rows_of(struct, at)
            head = f'uint {name}(struct {struct} {"*" if by_pointer else ""}s, uint y)'
        else:
            head = f'uint {name}(int x, uint y)'
        self.lines.append(head + '\n{')
        self.emit('uint h = 7;')
        for _ in range(self.r.randint(1, 3)):
            self.statement(scope)
        if self.r.random() < 0.5:
            self.emit(f'if ({self.cond(scope)}) return {self.expr(scope, "uint")};')
        self.fold(scope)
        self.emit('return h;')
        self.lines.append('}\n')
        self.helpers.append((name, kind))

    def swap(self):
        name = f'swap{self.suffix}'
        self.lines.append(f'''uint {name}(__local uint *t, uint h, int by)
{{
    int lid = get_local_id(0);
    t[lid] = h;
    barrier(CLK_LOCAL_MEM_FENCE);
    h = t[(lid + by) % (int)get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return h;
}}''')
        self.helpers.append((name, 'swap'))

    def functions(self):
        self.declare_structs()
        for i in range(self.r.randint(0, 2)):
            self.helper(i)

    def kernel(self):
        self.functions()
        if self.r.random() < 0.3:
            self.swap()
        self.in_kernel, self.budget, self.arrays, self.uniform_control = True, 28, [], True
        self.own = self.pick(*INTS, *FLOATS)
        self.lines.append(f'__kernel void k{self.suffix}(__global const uint *in, __global uint *out, __global int *count, int n)\n{{')
        start = len(self.lines)
        self.emit('int gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0);')
        self.emit(f'__global {self.own} *own = (__global {self.own} *)(out + 16 * gid + 8);')
        self.emit('uint h = 17;')
        self.emit('uint x0 = in[gid % n];')
        scope = [('int', 'cgid'), ('int', 'clid'), ('uint', 'x0')]
        self.emit('int cgid = gid, clid = lid;')
        self.arrays.append(('own', '', self.own, 32 // BYTES[self.own]))
        for _ in range(self.r.randint(4, 9)):
            self.statement(scope)
        self.uniform_control, self.may_leave = False, True
        self.statement(scope)
        self.fold(scope)
        self.fold_arrays()
        if self.own in FLOATS:
            self.emit(self.without_nan())
        self.emit('out[16 * gid] = h;')
        self.lines[start:start] = ['    __local uint tile[256];', '    __local int bins[8];'] + ['    ' + x for x in self.locals]
        self.lines.append('}')
        return PRELUDE + '\n'.join(self.lines) + '\n'


def generate(seed, suffix=''):
    return Gen(seed, suffix).kernel()


if __name__ == '__main__':
    sys.stdout.write(generate(int(sys.argv[1])))
