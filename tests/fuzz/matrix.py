#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels in every way that the engine runs them: what they compute and what is reported must be the same.

usage: matrix.py [FIRST COUNT]         checks so many seeds; environment: CLDBG (default cli/cldbg)
       matrix.py --show SEED           prints a kernel

The ways: gangs of 1, 8, 64, 256 lanes and as the engine chooses, one and two threads, the loops over lanes of each
instruction set, all checks and none. The kernels: those of generate.py, with barriers and local memory, and their like
for small groups that may run together: ids of groups in data and in control, private arrays, vectors from anywhere,
atomics. Some have a planted mistake: what is told of it must not depend on the way either, and buffers are compared
but for races, where the order of groups may show.
"""
import concurrent.futures
import itertools
import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402
import launches  # noqa: E402

SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (130, 65), (256, 256), (51, 17)]
SMALL = [((96,), (1,)), ((96,), (3,)), ((128,), (8,)), ((12, 9), (1, 3)), ((6, 4, 3), (2, 1, 1)), ((100,), (50,)), ((16, 16), (8, 2))]
PLANTS = ['none', 'none', 'bounds', 'undefined', 'copied', 'division', 'race', 'same-value', 'neighbors']
# gang, threads, instruction set, checks; the first is what the others are compared with
WAYS = [(1, 1, 4, 'all'), (8, 2, 1, 'all'), (64, 1, 3, 'all'), (256, 2, 4, 'all'), (0, 1, 1, 'all'), (0, 2, 4, 'all'),
        (64, 2, 4, 'none'), (0, 1, 3, 'none'), (1, 2, 1, 'none')]
RACES = ('data-race', 'same-value-race', 'missing-fence')
TIMEOUT = 300
CHUNK = 10  # seeds of a program


class Small(generate.Gen):
    """Kernels without barriers and local memory."""

    def __init__(self, seed):
        super().__init__(seed, f'_{seed}')
        self.plant = random.Random(seed).choice(PLANTS)

    def vector(self, scope):
        t, n = self.pick(('uint', 2), ('uint', 4), ('uint', 8), ('uchar', 4), ('uchar', 8), ('uchar', 16), ('ushort', 2), ('ushort', 4), ('ushort', 8), ('ushort', 16))
        name, at = self.fresh('w'), f'(({self.expr(scope, "uint")}) & 3)'
        self.emit(f'{t}{n} {name} = vload{n}({at}, (__global const {t} *)in);')
        self.emit('h = h * 31u + (uint)(' + ' ^ '.join(f'{name}.s{k:x} * {2 * k + 1}u' for k in range(n)) + ');')

    def record(self, scope):
        """Structs and arrays that are set up, copied by some work-items and read at data's will; odd sizes too."""
        s, t, a, n = self.fresh('s'), self.fresh('t'), self.fresh('a'), self.r.randint(3, 11)
        self.emit(f'struct {{ uint a; uchar b[5]; ushort c; uint d[3]; }} {s}[3], {t};')
        self.emit(f'uchar {a}[{n}] = {{1, 2, 3}}, {a}b[{n}] = {{0}}; uint {a}c[9] = {{{self.expr(scope, "uint")}, 5, [7] = 3}};')
        for k in range(3):
            self.emit(f'{s}[{k}].a = {self.expr(scope, "uint")}; {s}[{k}].c = gid; for (int q = 0; q < 5; q++) {s}[{k}].b[q] = q * grp;')
            self.emit(f'for (int q = 0; q < 3; q++) {s}[{k}].d[q] = {self.expr(scope, "uint")} + q;')
        self.emit(f'{t} = {s}[h % 3]; if (({self.expr(scope, "uint")}) & 1) {s}[1] = {t};')
        self.emit(f'{a}b[h % {n}] = 7; {t} = {s}[h / 3 % 3];')
        self.emit(f'h = h * 31u + {t}.a + {t}.b[x0 % 5] + {t}.c + {t}.d[x1 % 3] + {a}[h % {n}] + {a}b[x1 % {n}] + {a}c[x0 % 9];')

    def tail(self, scope):
        """A loop that few work-items go round for long."""
        i, j, r = self.fresh('i'), self.fresh('j'), self.r
        self.emit(f'for (uint {i} = 0, {i}n = (h ^ gid * 7u) % {r.choice((5, 9, 17))} == 1 ? {r.randint(9, 40)} : {r.randint(0, 3)}; {i} < {i}n; {i}++) {{')
        body = [f'h = h * 31u + in[(h + {i}) % n];', f'if (h & 1) h ^= gid + {i} * get_local_id(0) + grp;', 'out[gid] = h;',
                'atomic_add(&count[20 + h % 8], 1 + lid);', f'for (uint {j} = 0; {j} < h % 5; {j}++) h += in[{j} * h % n] >> {j};',
                'h += (uint)fabs(sin((float)(h & 255)) * 100);', f'if (h % 11 == 3) {r.choice(("break", "continue"))};',
                f'uint4 {j}v = vload4(h & 3, in); h ^= {j}v.x + {j}v.w * 3u;', f'if (h % 5 == 2) h += {self.expr(scope, "uint")};',
                f'h += get_global_id(0) * {i} + get_group_id(0);', f'h = h & 8 ? h >> 1 : h * 3u + {i};']
        for line in r.sample(body, r.randint(2, 7)):
            if line != 'out[gid] = h;' or self.plant != 'neighbors':
                self.emit(line)
        planted = {'bounds': f'if (h % 29 == 5) h += in[n + {i} * 1000];', 'copied': f'uint {j}u; if (h % 13) {j}u = h; if ({j}u > 7) h++;',
                   'undefined': f'uint {j}u; if (h % 17) {j}u = h; h ^= {j}u & 3;', 'division': f'h += 9 / (int)(h % 7);',
                   'race': f'if (h % 7 == 2) count[16] = gid + {i};', 'same-value': 'if (h % 7 == 2) count[17] = 3;'}.get(self.plant)
        if planted:
            self.emit(planted)
        if self.plant in ('race', 'same-value'):  # one place only: which of several are reported depends on the order
            self.plant = self.plant + 'd'
        self.emit('}')

    def mistake(self, name):
        line = {
            'bounds': 'if (gid % 13 == 5) out[size + gid] = h;',
            'undefined': 'int bad; if (gid % 11 != 3) bad = 1; if (bad > 0) h += 3;',
            'copied': 'struct { uint a, b[3]; uchar c[3]; } u, v[2]; u.a = h; u.b[1] = gid; if (gid % 5) u.c[2] = 1; v[0].c[2] = 9; '
                      'v[h & 1] = u; if (v[1].c[2] == 1) h += 5; if (gid % 7 != 3) v[0] = v[1]; if (v[0].b[1] > 6) h += 3; h += v[0].b[0] > 1;',
            'division': 'h += 100u / (uint)(grp % 5);',
            'race': 'if (gid % 7 == 2) count[16] = gid;',
            'same-value': 'if (gid % 7 == 2) count[17] = 3;',
            'neighbors': 'out[(gid + 1) % size] = h;',
        }.get(name)
        if line:
            self.emit(line)

    def kernel(self):
        self.functions()
        self.locals, self.own = None, None
        self.in_kernel, self.budget, self.arrays, self.uniform_control = True, 24, [], False
        self.lines.append(f'__kernel void k{self.suffix}(__global const uint *in, __global uint *out, __global int *count, int n)\n{{')
        self.emit('int size = get_global_size(0) * get_global_size(1) * get_global_size(2), lid = get_local_id(0);')
        self.emit('int gid = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));')
        self.emit('int grp = get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2);')
        self.emit('uint h = 17;')
        self.emit('uint x0 = in[gid % n], x1 = in[grp % n];')
        self.emit('int cgid = gid, clid = lid, cgrp = grp;')
        scope = [('int', 'cgid'), ('int', 'clid'), ('int', 'cgrp'), ('uint', 'x0'), ('uint', 'x1')]
        for k in range(self.r.randint(3, 7)):
            self.statement(scope)
            if self.r.random() < 0.3:
                self.vector(scope)
            if self.r.random() < 0.15:
                self.record(scope)
            if self.r.random() < 0.25:
                self.tail(scope)
        self.emit(f'if ((grp + {self.r.randrange(5)}) % {self.r.randint(3, 6)} == 1) {{')
        self.block(scope, 2)
        self.emit('}')
        self.mistake(self.plant)
        self.fold(scope)
        self.fold_arrays()
        if self.plant != 'neighbors':
            self.emit('out[gid] = h;')
        self.lines.append('}')
        return generate.PRELUDE + '\n'.join(self.lines) + '\n'


def kernel_of(seed):
    """Its text, range, group, and whether groups may show in what it computes."""
    if seed % 2:
        small = Small(seed)
        size, group = SMALL[seed // 2 % len(SMALL)]
        return small.kernel(), size, group, small.plant in ('race', 'raced', 'neighbors')
    size, group = SHAPES[seed // 2 % len(SHAPES)]
    return generate.generate(seed, f'_{seed}'), (size,), (group,), False


def launch(seed, size, group):
    r = random.Random(seed)
    n = 1
    for s in size:
        n *= s
    item = 4 if seed % 2 else 64
    return launches.Launch(f'k_{seed}', size, group, [('buffer', r.randbytes(37 * 4)), ('zero', item * n), ('zero', 128), ('value', (37).to_bytes(4, 'little'))])


def by_kernel(findings):
    """What is told of each kernel, as text that can be compared: of races which places race, of all else everything."""
    told = {}
    for f in findings:
        if f['id'] in RACES:
            places = sorted((s['place']['line'], s['place']['column'], s['what']) for s in f['sides'])
            f = {'id': f['id'], 'object': f['object'], 'sides': places, 'kernel': f['kernel']}
        told.setdefault(f['kernel'], set()).add(json.dumps(f, sort_keys=True))
    return {k: sorted(v) for k, v in told.items()}


def check(seeds, binary):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'p.cl')
        kernels = {s: kernel_of(s) for s in seeds}
        with open(path, 'w') as f:
            f.write('\n'.join(kernels[s][0] for s in seeds))
        programs = [(path, '-w', [launch(s, *kernels[s][1:3]) for s in seeds])]
        reference = None
        for gang, threads, level, checks in WAYS:
            options = [f'--compute-units={threads}', f'--check={checks}'] + ([f'--gang={gang}'] if gang else [])
            way = ' '.join(options) + f' CLDBG_CPU_LEVEL={level}'
            results, findings = launches.under_cldbg(binary, programs, options, TIMEOUT, {'CLDBG_CPU_LEVEL': str(level)})
            told = by_kernel(findings)
            if len(results) != len(seeds):
                problems.append(f'{way}: {len(results)} results of {len(seeds)}')
                continue
            if reference is None:
                reference = results, told
            for seed, (name, got), (_, want) in zip(seeds, results, reference[0]):
                if isinstance(got, str):
                    problems.append(f'seed {seed}: {way}: {got}')
                elif got != want and not kernels[seed][3]:
                    problems.append(f'seed {seed}: {way}: another result')
                a, b = told.get(name, []), reference[1].get(name, [])
                if checks == 'none' or a == b:
                    continue
                first = next(((x, y) for x, y in itertools.zip_longest(a, b) if x != y), None)
                problems.append(f'seed {seed}: {way}: another report:\n    {first[0]}\n    {first[1]}')
    return problems


def main():
    args = sys.argv[1:]
    if args[:1] == ['--show']:
        print(kernel_of(int(args[1]))[0], end='')
        return 0
    first, count = (int(args[0]), int(args[1])) if args else (0, 20)
    binary = os.environ.get('LAUNCHES', 'tests/fuzz/launches')
    chunks = [range(s, min(s + CHUNK, first + count)) for s in range(first, first + count, CHUNK)]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ.setdefault('CLDBG_CACHE', cache)
        problems = [p for found in pool.map(lambda s: check(s, binary), chunks) for p in found]
    for p in problems:
        print(p)
    print(f'{count} kernels in {len(WAYS)} ways, {len(problems)} differences')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
