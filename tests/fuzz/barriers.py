#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose barriers are right by construction, and the same with one planted mistake.

usage: barriers.py [--pocl] [FIRST COUNT]   checks so many seeds; environment: CLDBG (default cli/cldbg)
       barriers.py --show SEED [PLANT]      prints a kernel; PLANT is its kind of mistake

Barriers stand under conditions that are equal for a whole group: of arguments, group ids, counters of loops, values that
the group shares, quotients of ids; in nested loops with break and continue, in loops that a goto enters in the middle, in
switches, in functions called from several places, behind returns that whole groups take. A right kernel must be silent, a planted one must give
barrier-divergence and nothing else; results must not depend on the size of gangs or the number of threads; with --pocl those of right kernels, smaller ones, are
compared with pocl's. Many kernels make one program, which one process launches.
"""
import concurrent.futures
import os
import random
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import launches  # noqa: E402

SHAPES = [(16, 16), (24, 8), (15, 5), (8, 2), (7, 7), (66, 33), (260, 130)]
PLANTS = ['condition', 'else', 'return', 'trips', 'break', 'calls', 'data', 'switch', 'iterations', 'goto', 'entry']
VARIANTS = (['--gang=1', '--compute-units=1'], ['--gang=8', '--compute-units=2'], ['--gang=256', '--compute-units=1'])
BUDGET = 22  # statements
TIMEOUT = 300
POCL_TIMEOUT = 20
CHUNK = 10  # seeds of a program


class Gen:
    def __init__(self, seed, plant):
        self.r = random.Random(seed)
        self.plant = plant
        self.lines, self.depth, self.names, self.budget, self.loops = [], 1, 0, BUDGET, []
        self.may_return = False

    def emit(self, text):
        self.lines.append('    ' * self.depth + text)

    def fresh(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    def uniform(self):
        """A number that is the same for all work-items of a group."""
        r = self.r
        return r.choice([lambda: 'n', lambda: '(int)get_group_id(0)', lambda: '(int)get_local_size(0)',
                         lambda: f'(int)in[{r.randrange(8)}]', lambda: '(int)in[get_group_id(0) & 7]',
                         lambda: '(int)(get_global_id(0) / get_local_size(0))', lambda: 'shared',
                         lambda: r.choice(self.loops) if self.loops else 'n'])()

    def condition(self):
        c = f'({self.uniform()} + {self.r.randrange(4)}) % {self.r.randint(2, 4)} {self.r.choice(["==", "!=", "<", ">"])} 1'
        return f'{c} {self.r.choice(["&&", "||"])} {self.uniform()} > {self.r.randrange(3)}' if self.r.random() < 0.3 else c

    def exchange(self):
        k = self.r.randrange(4)
        if k == 0:
            self.emit(f'h += swap(tile, h, {self.r.randint(1, 5)});')
        elif k == 1:
            self.emit(f'h ^= deep(tile, h, {self.uniform()} & 3);')
        elif k == 2:
            self.emit('tile[lid] = h;')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
            self.emit('shared = tile[0] & 7;')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
        else:
            self.emit('tile[lid] = h;')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')
            self.emit(f'h = h * 31 + tile[(lid + {self.r.randint(1, 9)}) % lsz];')
            self.emit('barrier(CLK_LOCAL_MEM_FENCE);')

    def block(self, n):
        self.depth += 1
        for _ in range(n):
            self.statement()
        self.depth -= 1

    def leave_loop(self, ways):
        for _ in range(self.r.randrange(3)):
            self.depth += 1
            self.emit(f'if ({self.condition()}) {self.r.choice(ways)};')
            self.depth -= 1
            self.block(1)

    def jump_over(self, parts):
        self.emit('{')
        for part in parts:
            part()
        self.emit('}')

    def statement(self):
        self.budget -= 1
        k = self.r.randrange(15) if self.budget > 0 else 0
        if k < 4:
            self.exchange()
        elif k < 6:
            self.emit(f'if ((h + lid) % {self.r.randint(2, 5)} == 0)')
            self.emit('    h = h * 17 + 3;')
        elif k < 8:
            self.emit(f'if ({self.condition()}) {{')
            self.block(self.r.randint(1, 2))
            if self.r.random() < 0.5:
                self.emit('} else {')
                self.block(1)
            self.emit('}')
        elif k < 10 and len(self.loops) < 3:
            c = self.fresh('c')
            self.emit(f'for (int {c} = 0; {c} < ({self.uniform()} & 3) + 1; {c}++) {{')
            self.loops.append(c)
            self.leave_loop(['break', 'continue'])
            self.block(self.r.randint(1, 2))
            self.loops.pop()
            self.emit('}')
        elif k == 10 and len(self.loops) < 3:
            c = self.fresh('c')
            self.emit(f'int {c} = 0;')
            self.emit(self.r.choice(['while (1) {', 'do {']))
            close = '}' if self.lines[-1].lstrip().startswith('while') else f'}} while ({c} < 9);'
            self.loops.append(c)
            self.emit(f'    if (++{c} > {self.r.randint(1, 3)}) break;')
            self.leave_loop(['break'])
            self.block(1)
            self.loops.pop()
            self.emit(close)
        elif k == 11:
            self.emit(f'switch ({self.uniform()} & 3) {{')
            for v in self.r.sample(range(4), 2):
                self.emit(f'case {v}:;')
                self.block(1)
                if self.r.random() < 0.6:
                    self.emit('    break;')
            self.emit('default:;')
            self.block(1)
            self.emit('}')
        elif k == 12:
            c = self.fresh('c')
            self.emit(f'int {c} = 0;')
            self.emit(f'if ({self.condition()}) goto middle_{c};')
            self.emit(f'top_{c}:;')
            self.jump_over([lambda: self.block(1)])
            self.emit(f'middle_{c}:;')
            self.jump_over([self.exchange, lambda: self.block(1)])
            self.emit(f'if (++{c} < {self.r.randint(1, 3)}) goto top_{c};')
        elif k == 13 and self.may_return:
            self.emit(f'if ({self.condition()} && get_group_id(0) == {self.r.randrange(3)}) {{')
            self.emit('    out[gid] = h;')
            self.emit('    return;')
            self.emit('}')
        else:
            self.exchange()

    def mistake(self):
        bar, at = 'barrier(CLK_LOCAL_MEM_FENCE);', self.r.randint(1, 4)
        varying = f'lid {self.r.choice(["<", ">=", "==", "!="])} 1'
        for line in {
            'condition': [f'if ({varying})', '    ' + bar],
            'else': [f'if ({varying}) {{', '    ' + bar, '} else {', '    ' + bar, '}'],
            'return': [f'if ({varying})', '    return;', bar],
            'trips': [f'for (int p = 0; p < lid % 2 + {at}; p++)', '    ' + bar],
            'break': ['for (int p = 0; p < 3; p++) {', f'    if (p == 1 && {varying})', '        break;', '    ' + bar, '}'],
            'calls': [f'if ({varying})', '    h += swap(tile, h, 1);', 'else', '    h += swap(tile, h, 2);'],
            'data': [f'if (in[lid % 2] & 1)', '    ' + bar],
            'switch': ['switch (lid % 2) {', 'case 0:', '    ' + bar, '    break;', 'default:', '    h++;', '}'],
            'goto': [f'if ({varying})', '    goto over;', bar, 'over:;'],
            'entry': ['int p = 0;', f'if (n > {at % 2 * 5})', '    goto middle;', 'top:;', '    h++;', '    ' + bar, 'middle:;', '    ' + bar,
                      f'if (p++ < lid % 2 + {at})', '    goto top;'],
            'iterations': ['for (int p = 0; p < 4; p++)', '    if ((p + lid) % 2)', '        ' + bar],
        }[self.plant]:
            self.emit(line)

    def kernel(self):
        n = self.r.randint(3, 6)
        at = self.r.randrange(3)
        for i in range(n):
            if self.plant and i == at:
                self.mistake()
            self.may_return = not self.plant
            self.statement()
        body = '\n'.join(self.lines)
        return f'''uint swap(local uint *tile, uint h, int by)
{{
    int lid = get_local_id(0);
    tile[lid] = h;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = tile[(lid + by) % (int)get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return other;
}}
uint deep(local uint *tile, uint h, int times)
{{
    for (int i = 0; i < times; i++) {{
        if (i == 2)
            return h;
        h = h * 5 + swap(tile, h, i + 1);
    }}
    return h;
}}
kernel void k(global uint *out, global const uint *in, int n)
{{
    local uint tile[256];
    int gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0), shared = 2;
    uint h = in[gid & 7] + gid;
    tile[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
{body}
    out[gid] = h;
}}
'''


def generate(seed, plant=None):
    return Gen(seed, plant).kernel()


def named(seed, plant):
    """The kernel and its helpers by names of their own."""
    name = f'{seed}_{plant or "right"}'
    return re.sub(r'\b(swap|deep|k)\(', lambda m: f'{m[1]}_{name}(', generate(seed, plant)), f'k_{name}'


class Chunk:
    def __init__(self, first, count, folder):
        self.path = os.path.join(folder, f'{first}.cl')
        self.launches, self.what = [], {}
        parts = []
        self.compared = self.failed = 0
        for seed in range(first, first + count):
            for plant in (None, PLANTS[seed % len(PLANTS)]):
                text, name = named(seed, plant)
                size, local = SHAPES[seed % len(SHAPES)]
                args = [('zero', 4 * size), ('buffer', struct.pack('8I', 3, 8, 1, 6, 4, 7, 2, 5)), ('value', struct.pack('i', 3))]
                parts.append(text)
                self.launches.append(launches.Launch(name, [size], [local], args))
                self.what[name] = seed, plant
        with open(self.path, 'w') as f:
            f.write(''.join(parts))

    def check(self, binary, env):
        """Problems, by seed."""
        problems = {}
        first = None

        def wrong(name, what):
            seed, plant = self.what[name]
            problems.setdefault(seed, []).append(f'seed {seed} {plant or "right"}: {what}')

        for v in VARIANTS:
            results, findings = launches.under_cldbg(binary, [(self.path, '', self.launches)], v, TIMEOUT)
            got = dict(results)
            kinds = {n: [f for f in findings if f['kernel'] == n] for n in self.what}
            for name, (seed, plant) in self.what.items():
                found = {f['id'] for f in kinds[name]}
                if not isinstance(got.get(name), list):
                    wrong(name, f'{got.get(name)} with {" ".join(v)}')
                if found != ({'barrier-divergence'} if plant else set()):
                    wrong(name, f'findings {sorted(found)} with {" ".join(v)}')
                elif plant and not any(re.match(r'(the condition|at the switch on) `.*` at ', n) for f in kinds[name] for n in f['notes']):
                    wrong(name, 'the branch is not named')
                if first and (got[name], kinds[name]) != (first[0][name], first[1][name]):
                    wrong(name, f'another answer with {" ".join(v)}')
            first = first or (got, kinds)
        for k in self.launches if env else []:
            if self.what[k.kernel][1]:
                continue
            path = f'{self.path}.{k.kernel}.cl'  # pocl takes minutes over some: each alone
            with open(path, 'w') as f:
                f.write(named(self.what[k.kernel][0], None)[0])
            buffers = dict(launches.elsewhere(binary, [(path, '-w', [k])], env, POCL_TIMEOUT)).get(k.kernel)
            if not buffers or isinstance(buffers, str):
                self.failed += 1
                continue
            self.compared += 1
            if buffers != first[0][k.kernel]:
                wrong(k.kernel, 'other results than with pocl')
        return problems


def main():
    args = sys.argv[1:]
    if args[:1] == ['--show']:
        sys.stdout.write(generate(int(args[1]), args[2] if len(args) > 2 else None))
        return 0
    env = None
    if '--pocl' in args:
        args.remove('--pocl')
        global BUDGET
        BUDGET = 6
        env = launches.pocl()
        if not env:
            print('skipped: pocl is not installed')
            return 77
    first, count = (int(x) for x in args) if args else (0, 50)
    problems = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ.setdefault('CLDBG_CACHE', os.path.join(folder, 'cache'))
        chunks = [Chunk(k, min(CHUNK, first + count - k), folder) for k in range(first, first + count, CHUNK)]
        for found in pool.map(lambda c: c.check('tests/fuzz/launches', env), chunks):
            problems.update(found)
            for lines in found.values():
                print('\n'.join(lines), flush=True)
    if env:
        print(f'{sum(c.compared for c in chunks)} compared with pocl, {sum(c.failed for c in chunks)} it could not compile or run')
    print(f'{count - len(problems)} seeds right, {len(problems)} not')
    return 1 if problems or not count else 0


if __name__ == '__main__':
    sys.exit(main())
