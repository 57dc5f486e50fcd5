#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels, proved and run: no property that is proved may be refuted by a run.

The kernels are like real ones (tiles, reductions, scans, stencils, strided loops), with constants and conditions that are often slightly
wrong, so that about half of the properties are violated somewhere. Each kernel is verified once and run with several contents of
its buffers and values of its scalar argument. A kernel that disagrees is kept.

usage: random_kernels.py [--count=N] [--seed=N] [--keep=FOLDER] [-v]    environment: CLDBG, the command (default cli/cldbg)
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from annotated import CLDBG, OTHERS, PROPERTIES, properties_of  # noqa: E402


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.two = self.r.random() < 0.25
        self.lx = self.r.choice([2, 4, 5, 8, 16, 32])
        self.ly = self.r.choice([1, 2, 3, 4]) if self.two else 1
        self.groups = self.r.choice([1, 2, 3])
        self.items = self.lx * self.ly
        self.size = self.r.choice([self.items, self.items + 1, self.items + 2, 2 * self.items])
        self.out = self.r.choice([self.items * self.groups, self.items * self.groups + 2, 2 * self.items * self.groups])
        self.lo, self.hi = self.r.choice([(0, 3), (1, self.items), (self.items, self.items), (0, self.items + 2), (2, 5)])
        self.counters, self.depth, self.names = [], 0, 0
        self.sub_group = self.r.choice([2, 4, 8]) if self.r.random() < 0.3 else 0
        self.copies = self.r.random() < 0.3
        self.table = self.r.choice([2, 3, 4, 5, 20]) if self.r.random() < 0.3 else 0  # elements of the private arrays c (constants) and f
        self.constants = self.r.choice(['const int', 'const uchar', 'int'])

    def pick(self, *xs):
        return self.r.choice(xs)

    def atom(self):
        xs = ['l', 'l', 'l', 'lx', 'g', 'grp', 'n', str(self.r.randrange(0, 5)), str(self.items - 1), 'v'] + self.counters * 3
        if self.two:
            xs += ['ly', 'ly']
        if self.sub_group:
            xs += ['get_sub_group_id()', 'get_sub_group_local_id()', 'get_sub_group_size()', 'get_num_sub_groups()']
        if self.table and self.r.random() < 0.3:
            i = self.pick('l', 'lx', 'n', *self.counters)
            return f'{self.pick("c", "c", "d", "f")}[{self.pick(i, f"(uint){i} % {self.table}", f"{i} & 1", str(self.r.randrange(self.table)))}]'
        return self.r.choice(xs)

    def index(self, depth=0):
        r = self.r
        k = r.random()
        if k < 0.35 or depth > 2:
            return self.atom()
        a = self.index(depth + 1)
        if k < 0.6:
            return f'({a} {self.pick("+", "+", "-")} {self.index(depth + 1)})'
        if k < 0.7:
            return f'({a} * {self.pick("2", "3", "4", str(self.lx), "n")})'
        if k < 0.8:
            return f'({a} {self.pick("/", "%")} {self.pick("2", "3", str(self.lx), str(self.size))})'
        if k < 0.9:
            return f'({a} {self.pick("&", "^", ">>")} {self.pick("1", "2", "3")})'
        return f'({a} % {self.size})'

    def local_index(self):
        return self.pick('l', 'l', f'(l + 1) % {self.items}', f'l ^ 1', f'{self.items} - 1 - l', 'l + STEP', f'(l + STEP) % {self.size}', 'l * 2',
                         '2 * l + 1', 'lx', 'l + 1', f'(uint)(v) % {self.size}', self.index()).replace('STEP', self.counters[-1] if self.counters else '1') \
            if self.r.random() < 0.85 else f'(uint)({self.index()}) % {self.size}'

    def global_index(self):
        return self.pick('g', 'g', 'g', 'grp', f'g * 2', 'g + 1', f'grp * {self.items} + l', 'g ^ 1', self.index(), f'(uint)({self.index()}) % {self.out}')

    def condition(self):
        c = self.counters[-1] if self.counters else 'n'
        return self.pick(f'l < {c}', f'l >= {c}', 'l == 0', f'l < {self.items - 1}', f'g < {self.items * self.groups - 1}', 'l % 2 == 0', 'n > 2', 'grp == 0',
                         f'l + {c} < {self.items}', f'({self.index()}) < {self.size}', 'v > 0', f'{c} > 1', f'l % (2 * {c}) == 0' if self.counters else 'l > 1')

    def uniform(self):
        if self.sub_group and self.r.random() < 0.4:
            return self.pick('get_sub_group_id() == 0', f'l / {self.sub_group} < {self.pick("1", "n")}', 'sub_group_any(v > 0)')
        return self.pick('n > 2', 'grp == 0', f'n < {self.items}', 'x[0] > 0', f'{self.counters[-1]} > 1' if self.counters else 'n == 3')

    def value(self):
        if self.sub_group and self.r.random() < 0.15:
            return self.pick('sub_group_reduce_add(v)', 'sub_group_scan_exclusive_max(l)', f'sub_group_broadcast(v, {self.pick("0", "1", "n")})')
        return self.pick('v', f't[{self.local_index()}]', f'x[{self.global_index()}]', f't[{self.local_index()}] + 1', self.index(), f'v / ({self.index()})' if self.r.random() < 0.2 else 'v + 1')

    def barrier(self):
        if self.sub_group and self.r.random() < 0.5:
            return f'sub_group_barrier({self.pick("CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE")});'
        return self.pick('barrier(CLK_LOCAL_MEM_FENCE);', 'barrier(CLK_LOCAL_MEM_FENCE);', 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);', 'barrier(CLK_GLOBAL_MEM_FENCE);')

    def loop(self, has_barrier):
        self.names += 1
        c = f'i{self.names}'
        n = self.items
        head = self.pick(f'for (int {c} = 0; {c} < {self.pick("3", "n", "4")}; {c}++)', f'for (int {c} = {max(1, n // 2)}; {c} > 0; {c} >>= 1)',
                         f'for (int {c} = 1; {c} < {n}; {c} <<= 1)', f'for (int {c} = 1; {c} < {n}; {c} *= 2)', f'for (uint {c} = {n}; {c} != 0; {c} /= 2)',
                         f'for (int {c} = n; {c} > 0; {c}--)', f'for (int {c} = l; {c} < {self.size}; {c} += {n})', f'for (int {c} = l; {c} < {self.size}; {c} += {n})',
                         f'for (int {c} = {self.pick("0", "lx")}; {c} < {self.pick("6", "9", "n")}; {c} += {self.pick("2", "3")})',
                         f'for (int {c} = 0; {c} < v; {c}++)')
        if has_barrier and self.r.random() < 0.85:
            head = head.replace('= l;', '= 0;').replace('= lx;', '= 0;').replace('< v;', '< n;')
        self.counters.append(c)
        self.depth += 1
        body = self.statements(self.r.randrange(1, 4), has_barrier)
        if has_barrier and self.r.random() < 0.8:
            body.append(self.barrier())
        if self.r.random() < 0.1:
            body.insert(0, f'if ({self.pick(self.uniform(), self.condition())}) {self.pick("break", "continue")};')
        self.depth -= 1
        self.counters.pop()
        return [head + ' {', *body, '}']

    def copy(self):
        """A copy, a wait, or both with a statement between."""
        e = self.pick('e[0]', 'e[0]', 'e[1]', f'e[{self.counters[-1]} & 1]' if self.counters else 'e[1]')
        count = self.pick('2', '4', str(self.items), str(self.size), 'get_local_size(0)')
        there = self.pick('0', f'grp * {self.items}', 'n', '2', 'l' if self.r.random() < 0.2 else '4', f'{self.counters[-1]}' if self.counters else '1')
        copy = f'{e} = async_work_group_copy({self.pick(f"t + {there}", "t", "t", f"o + {there}")}, {self.pick(f"x + {there}", "x")}, {count}, {self.pick("0", "0", "0", e)});'
        if '(o' in copy:
            copy = copy.replace(', x', ', t')
        wait = f'wait_group_events({self.pick("1, &" + e, "1, &" + e, "1, &" + e, "2, e")});'
        return [[copy], [wait], [copy, wait], [copy, wait], [copy, wait], [copy, *self.statements(1, True), wait]][self.r.randrange(6)]

    def statement(self, has_barrier):
        k = self.r.random()
        if self.table and self.r.random() < 0.2:
            i = self.pick('l & 1', f'(uint)l % {self.table}', *self.counters)
            return [f'{"c" if self.constants == "int" and k < 0.1 else "f"}[{i}] = {self.value()};']
        if self.copies and has_barrier and self.r.random() < 0.25:
            return self.copy()
        if k < 0.30:
            return [f't[{self.local_index()}] {self.pick("=", "=", "+=")} {self.value()};']
        if k < 0.45:
            return [f'v {self.pick("=", "+=")} {self.value()};']
        if k < 0.55:
            return [f'o[{self.global_index()}] {self.pick("=", "=", "+=")} {self.value()};']
        if k < 0.60:
            return [f'atomic_add(&{self.pick("t", "o")}[{self.pick("0", self.local_index())}], 1);']
        if k < 0.75:
            self.depth += 1
            c = self.uniform() if has_barrier and self.r.random() < 0.5 else self.condition()
            inner = self.statements(self.r.randrange(1, 3), has_barrier and self.r.random() < 0.3)
            self.depth -= 1
            other = [f'}} else {{', f'v += {self.value()};'] if self.r.random() < 0.2 else []
            return [f'if ({c}) {{', *inner, *other, '}']
        if k < 0.9 and self.depth < 2:
            return self.loop(has_barrier and self.r.random() < 0.7)
        return [self.barrier()] if has_barrier else ['v++;']

    def statements(self, n, has_barrier):
        out = []
        for _ in range(n):
            out += self.statement(has_barrier)
        return out

    def kernel(self):
        body = []
        if self.r.random() < 0.7:
            body += [f't[{self.pick("l", "l", "l * 1")}] = {self.pick("x[g]", "0", "l")};']
            if self.size > self.items and self.r.random() < 0.7:
                body += [f'if (l < {self.size - self.items}) t[l + {self.items}] = 0;']
            if self.r.random() < 0.85:
                body += ['barrier(CLK_LOCAL_MEM_FENCE);']
        body += self.statements(self.r.randrange(2, 5), True)
        if self.r.random() < 0.6:
            body += ['barrier(CLK_LOCAL_MEM_FENCE);', self.pick('o[g] = t[l];', 'if (l == 0) o[grp] = t[0];', 'o[g] = v;')]
        if self.table:
            top = self.pick(self.table, self.size, 3)
            numbers = [', '.join(str(self.r.randint(-1 if self.r.random() < 0.1 else 0, top)) for _ in range(self.table)) for _ in 'cd']
            fill = self.pick(f'for (int i = 0; i < {self.table}; i++) f[i] = {self.pick("i", "l", "x[i]")};', f'for (int i = {self.pick("1", "n")}; i < {self.table}; i++) f[i] = i;',
                             f'if ({self.condition()}) for (int i = 0; i < {self.table}; i++) f[i] = i;', '')
            body = [f'{self.constants} c[{self.table}] = {{{numbers[0]}}};', f'int f[{self.table}];', fill, *body]
        ids = 'int lx = get_local_id(0), ly = get_local_id(1);' if self.two else 'int lx = get_local_id(0);'
        l = f'ly * {self.lx} + lx' if self.two else 'lx'
        return (f'constant short d[{self.table}] = {{{numbers[1]}}};\n' if self.table else '') + '\n    '.join(['kernel void k(global const int *x, global int *o, int n)', '{', ids, f'int l = {l}, grp = get_group_id(0), g = grp * {self.items} + l, v = x[g];',
                              f'local int t[{self.size}];', *(['event_t e[2];'] if self.copies else []), *body]) + '\n}\n'

    def options(self, size):
        """size: the global size in dimension 0, or a range."""
        sizes = [f'--global={size}', f'--local={self.lx}'] if not self.two else [f'--global={size},{self.ly}', f'--local={self.lx},{self.ly}']
        return sizes + ([f'--sub-group-size={self.sub_group}'] if self.sub_group else []) + ['--build-options=-cl-std=CL3.0']

    def args(self, n, contents, groups):
        """groups: how many there are; 'global': any number, the buffers have the size of the launch."""
        size = groups if groups == 'global' else self.items * groups
        out = size if self.out == self.items * self.groups else self.out
        return [f'--arg=int[{size}]={contents}', f'--arg=int[{out}]={contents}', f'--arg=int={n}']


def groups_of(g, seed):
    """The numbers of groups of one question: every third seed, those of a range."""
    return [g.groups] if seed % 3 else [g.groups, 1, 4 * g.groups]


def verify(path, g, seed):
    n = groups_of(g, seed)
    sizes = g.options(g.lx * n[0]) if len(n) == 1 else g.options(f'{g.lx}..{g.lx * max(n)}')
    args = g.args(f'{g.lo}..{g.hi}', '0', n[0] if len(n) == 1 else 'global')
    p = subprocess.run([CLDBG, 'verify', path, '--runs=0', '--seconds=10', *sizes, *args], capture_output=True, text=True, timeout=300)
    return dict(re.findall(r'^  (?:proved|refuted|unknown)\s+([a-z-]+):', p.stdout, re.M) and
                [(m[1], m[0]) for m in re.findall(r'^  (proved|refuted|unknown)\s+([a-z-]+):', p.stdout, re.M)]), p.stderr


def runs(path, g, seed):
    r = random.Random(seed)
    for i in range(3):
        n = [g.lo, g.hi, r.randint(g.lo, g.hi)][i]
        contents = ['1', 'rand:%d' % seed, 'iota'][i]
        sizes = groups_of(g, seed)
        args = [*g.options(g.lx * sizes[i % len(sizes)]), *g.args(n, contents, sizes[i % len(sizes)])]
        with tempfile.NamedTemporaryFile(suffix='.json') as t:
            try:
                p = subprocess.run([CLDBG, 'run', path, *args, '--instruction-limit=2000000', f'--report=json:{t.name}', '--overwrite'], capture_output=True, text=True, timeout=60)
                if p.returncode == 2:
                    continue
                for f in json.load(open(t.name))['findings']:
                    if not f['possible'] and f['id'] not in OTHERS:
                        yield f, args
            except (subprocess.TimeoutExpired, json.JSONDecodeError):
                continue


def main():
    options = dict(a[2:].split('=', 1) for a in sys.argv[1:] if a.startswith('--'))
    count, seed = int(options.get('count', 40)), int(options.get('seed', 1))
    proved, violated, bad, failed = 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(seed, seed + count):
            g = Generator(i)
            path = os.path.join(folder, f'k{i}.cl')
            text = g.kernel()
            open(path, 'w').write(text)
            verdicts, err = verify(path, g, i)
            if len(verdicts) != len(PROPERTIES):
                failed += 1
                print(f'seed {i}: {err.strip()[-300:]}', flush=True)
                continue
            proved += sum(v == 'proved' for v in verdicts.values())
            seen = set()
            for f, args in runs(path, g, i):
                new = properties_of(f) - seen
                violated += len(new)
                for p in new:
                    if verdicts[p] != 'proved':
                        continue
                    bad += 1
                    print(f'seed {i}: WRONG: {p} was proved, but: {f["title"]} [{f["id"]}]\n  {" ".join(args)}\n{text}', flush=True)
                    if 'keep' in options:
                        open(os.path.join(options['keep'], f'wrong{i}.cl'), 'w').write(text)
                seen |= new
    print(f'{count} kernels: {proved} of {count * len(PROPERTIES)} properties proved, {violated} violated in runs, {bad} wrong proofs, {failed} failed')
    sys.exit(1 if bad or failed or not proved or not violated else 0)


if __name__ == "__main__":
    main()
