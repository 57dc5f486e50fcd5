#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels whose barriers are right by construction, and the same with one planted mistake.

usage: barriers.py FIRST COUNT           checks so many seeds; environment: CLDBG (default cli/cldbg)
       barriers.py --show SEED [PLANT]   prints a kernel; PLANT is its kind of mistake

Barriers stand under conditions that are equal for a whole group: of arguments, group ids, counters of loops, values that
the group shares, quotients of ids; in nested loops with break and continue, in switches, in functions called from several
places, behind returns that whole groups take. A right kernel must be silent, a planted one must give
barrier-divergence and nothing else; results must not depend on the size of gangs or the number of threads.
"""
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

SHAPES = [(16, 16), (24, 8), (15, 5), (8, 2), (7, 7), (66, 33), (260, 130)]
PLANTS = ['condition', 'else', 'return', 'trips', 'break', 'calls', 'data', 'switch', 'iterations']
VARIANTS = (['--gang=1', '--compute-units=1'], ['--gang=8', '--compute-units=2'], ['--gang=256', '--compute-units=1'])
TIMEOUT = 60


class Gen:
    def __init__(self, seed, plant):
        self.r = random.Random(seed)
        self.plant = plant
        self.lines, self.depth, self.names, self.budget, self.loops = [], 1, 0, 22, []
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

    def statement(self):
        self.budget -= 1
        k = self.r.randrange(14) if self.budget > 0 else 0
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
                self.emit(f'case {v}:')
                self.block(1)
                if self.r.random() < 0.6:
                    self.emit('    break;')
            self.emit('default:')
            self.block(1)
            self.emit('}')
        elif k == 12 and self.may_return:
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


def execute(path, shape, variant):
    cmd = shlex.split(os.environ.get('CLDBG', 'cli/cldbg')) + [
        'run', path, f'--global={shape[0]}', f'--local={shape[1]}', f'--arg=uint[{shape[0]}]=0',
        '--arg=uint[8]=3,8,1,6,4,7,2,5', '--arg=int=3', '--dump=0'] + variant
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
    return p.returncode, p.stdout.decode(), p.stderr.decode(errors='replace')


def check(seed, folder):
    problems = []
    shape = SHAPES[seed % len(SHAPES)]
    for plant in (None, PLANTS[seed % len(PLANTS)]):
        path = os.path.join(folder, f's{seed}{plant or ""}.cl')
        with open(path, 'w') as f:
            f.write(generate(seed, plant))
        first = None
        for v in VARIANTS:
            what = f'seed {seed} {plant or "right"} {" ".join(v)}: '
            try:
                got = execute(path, shape, v)
            except subprocess.TimeoutExpired:
                problems.append(what + 'no end')
                break
            kinds = set(re.findall(r'\[([a-z-]+)\]$', got[2], re.M))
            if got[0] not in (0, 1) or kinds != ({'barrier-divergence'} if plant else set()):
                problems.append(what + f'status {got[0]}, findings {sorted(kinds)}')
            elif plant and not re.search(r'the (condition|switch on) `.*` at ', got[2]):
                problems.append(what + 'the branch is not named')
            first = first or got
            if got != first:
                problems.append(what + 'another answer than with ' + ' '.join(VARIANTS[0]))
        os.unlink(path)
    return problems


def main():
    if sys.argv[1:2] == ['--show']:
        sys.stdout.write(generate(int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None))
        return 0
    first, count = (int(x) for x in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 50)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ['CLDBG_CACHE'] = os.path.join(folder, 'cache')
        bad = [p for p in pool.map(lambda s: check(s, folder), range(first, first + count)) if p]
    for problems in bad:
        print('\n'.join(problems))
    print(f'{count - len(bad)} seeds right, {len(bad)} not')
    return 1 if bad or not count else 0


if __name__ == '__main__':
    sys.exit(main())
