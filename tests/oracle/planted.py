#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels out of the idioms of real ones, right by construction, and the same with one planted bug.

usage: planted.py SEED    prints the kernel, its options, and what is planted

Each phase is a way in which work-items share memory or use their own; most have wrong variants, marked PLANT with the
id that cldbg must give. What phases compute goes into `h`, so that nothing is left out of a run.
"""
import random
import sys

SHAPES = [(64, 16), (32, 32), (24, 8), (15, 5), (8, 2), (66, 33), (48, 12)]
TYPES = ['int', 'uint', 'float', 'long', 'short', 'uchar']


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed * 7919 + 13)
        self.n, self.local = self.r.choice(SHAPES)
        self.lines, self.depth, self.names = [], 1, 0
        self.top, self.args, self.specs = [], [], []
        self.plant = None
        self.may_plant = self.r.random() < 0.75
        self.expected = set()

    def emit(self, text):
        self.lines.append('    ' * self.depth + text)

    def fresh(self, prefix):
        self.names += 1
        return f'{prefix}{self.names}'

    def argument(self, declaration, spec):
        self.args.append(declaration)
        self.specs.append('--arg=' + spec)

    def bug(self, *ids):
        """Whether this place is to be wrong."""
        if not self.may_plant or self.plant or self.r.random() > 0.3:
            return False
        self.plant, self.expected = 'line %d' % (len(self.lines) + 1), set(ids)
        return True

    def barrier(self, flag, removable=True):
        other = {'LOCAL': 'GLOBAL', 'GLOBAL': 'LOCAL'}[flag]
        if removable and self.local > 1 and self.bug('data-race', 'missing-fence', 'same-value-race', 'uninitialized-read'):
            if self.r.random() < 0.5:
                self.emit(f'barrier(CLK_{other}_MEM_FENCE); // PLANT')
            else:
                self.emit('; // PLANT')
            return
        flags = f'CLK_{flag}_MEM_FENCE' + (f' | CLK_{other}_MEM_FENCE' if self.r.random() < 0.2 else '')
        self.emit(f'barrier({flags});')

    def reach(self):
        """How far away another work-item of the group is."""
        return self.r.choice([k for k in (1, 2, 3) if k % self.local] or [1])

    def value(self, t='int'):
        return self.r.choice([f'({t})(h & 63)', f'({t})lid', f'({t})(gid + {self.r.randrange(9)})', f'({t})({self.r.randrange(9)})'])

    # ---- phases

    def exchange_local(self):
        t, tile, x = self.r.choice(TYPES), self.fresh('tile'), self.fresh('x')
        size = self.local
        if self.r.random() < 0.3:
            size += 1
        shorter = self.local > 1 and size == self.local and self.bug('out-of-bounds')
        self.emit(f'local {t} {tile}[{size - 1 if shorter else size}];' + (' // PLANT' if shorter else ''))
        if self.local > 1 and self.bug('uninitialized-read'):
            self.emit(f'if (lid != {self.r.randrange(self.local)}) {tile}[lid] = {self.value(t)}; // PLANT')
        else:
            self.emit(f'{tile}[lid] = {self.value(t)};')
        self.barrier('LOCAL', self.local > 1)
        self.emit(f'{t} {x} = {tile}[(lid + {self.reach()}) % {self.local}];')
        self.barrier('LOCAL', False)
        self.emit(f'h += (int){x};')

    def exchange_global(self):
        t, g = self.r.choice(TYPES), self.fresh('g')
        short = self.bug('out-of-bounds')
        self.argument(f'global {t} *{g}', f'{t}[{self.n - 1 if short else self.n}]={self.r.randrange(5)}')
        self.emit(f'{g}[gid] = {self.value(t)};' + (' // PLANT' if short else ''))
        self.barrier('GLOBAL', self.local > 1)
        reach = f'(lid + {self.reach()}) % lsz'
        if self.n > self.local and self.bug('data-race'):
            self.emit(f'h += (int){g}[(gid + 1) % {self.n}]; // PLANT')
        else:
            self.emit(f'h += (int){g}[gid - lid + {reach}];')
        self.barrier('GLOBAL', False)

    def private_array(self):
        a, i, size = self.fresh('a'), self.fresh('i'), self.r.randint(3, 9)
        t = self.r.choice(TYPES)
        self.emit(f'{t} {a}[{size}];')
        if self.bug('uninitialized-read'):
            self.emit(f'for (int {i} = 1; {i} < {size}; {i}++) {a}[{i}] = ({t})({i} * 3); // PLANT')
            self.emit(f'h += (int){a}[h & 0];')
        elif self.bug('out-of-bounds'):
            self.emit(f'for (int {i} = 0; {i} <= {size}; {i}++) {a}[{i}] = ({t})({i} + lid); // PLANT')
        else:
            self.emit(f'for (int {i} = 0; {i} < {size}; {i}++) {a}[{i}] = ({t})({i} + lid);')
        self.emit(f'h += (int){a}[(uint)(h + lid) % {size}u];' if self.plant is None or 'PLANT' not in self.lines[-2] else f'h += (int){a}[{size - 1}];')

    def reduction(self):
        t, s, size = self.fresh('t'), self.fresh('s'), 1
        while size * 2 <= self.local:
            size *= 2
        self.emit(f'local int {t}[{self.local}];')
        self.emit(f'{t}[lid] = h & 255;')
        self.barrier('LOCAL', False)
        self.emit(f'for (int {s} = {size // 2}; {s} > 0; {s} /= 2) {{')
        self.depth += 1
        wrong = size > 2 and self.bug('data-race')
        self.emit(f'if (lid < {s}) {t}[lid] += {t}[lid + {s}];')
        self.emit('; // PLANT' if wrong else 'barrier(CLK_LOCAL_MEM_FENCE);')
        self.depth -= 1
        self.emit('}')
        self.barrier('LOCAL', False)
        self.emit(f'h += {t}[0];')
        self.barrier('LOCAL', False)

    def structs(self):
        s, g = self.fresh('S'), self.fresh('g')
        self.top.append(f'struct {s} {{ char c; int x; short y[3]; float4 v; }};')
        self.argument(f'global struct {s} *{g}', f'uchar[{48 if False else 32 * self.n}]=1')
        self.emit(f'{g}[gid].x = h & 1023;')
        self.emit(f'{g}[gid].v.{self.r.choice("xyzw")} = (float)lid;')
        if self.n > 1 and self.bug('data-race', 'same-value-race'):
            self.emit(f'{g}[gid / 2].y[1] = (short)gid; // PLANT')
        else:
            self.emit(f'{g}[gid].y[lid % 3] = (short)gid;')
        copy = self.fresh('c')
        self.emit(f'struct {s} {copy} = {g}[gid];')
        self.emit(f'{copy}.c = (char){copy}.x;')
        self.emit(f'{g}[gid] = {copy};')
        self.emit(f'h += {copy}.c + {copy}.y[lid % 3];')

    def components(self):
        g = self.fresh('g')
        n = (self.n + 3) // 4
        self.argument(f'global int4 *{g}', f'int4[{n}]=0')
        arms = [f'if (gid % 4 == {k}) {g}[gid / 4].{c} = gid;' for k, c in enumerate('xyzw')]
        if self.n > 3 and self.bug('data-race'):
            arms[1] = f'if (gid % 4 == 1) {g}[gid / 4].x = gid; // PLANT'
        for a in arms:
            self.emit(a)

    def histogram(self):
        bins, g = self.fresh('bins'), self.fresh('g')
        self.argument(f'global int *{g}', 'int[8]=0')
        self.emit(f'local int {bins}[8];')
        if self.local > 1 and self.bug('uninitialized-read'):
            self.emit(f'if (lid == 0) for (int i = 0; i < 7; i++) {bins}[i] = 0; // PLANT')
            self.barrier('LOCAL', False)
            self.emit(f'atomic_inc(&{bins}[7]);')
        else:
            self.emit(f'if (lid == 0) for (int i = 0; i < 8; i++) {bins}[i] = 0;')
            self.barrier('LOCAL', self.local > 1)
        if self.local > 8 and self.bug('data-race'):
            self.emit(f'{bins}[gid & 7] += 1; // PLANT')
        else:
            self.emit(f'atomic_inc(&{bins}[gid & 7]);')
        self.barrier('LOCAL', False)
        self.emit(f'if (lid == 0) for (int i = 0; i < 8; i++) atomic_add(&{g}[i], {bins}[i]);')

    def broadcast(self):
        x = self.fresh('shared')
        self.emit(f'local int {x};')
        who = self.r.randrange(self.local)
        if self.local > 1 and self.bug('same-value-race'):
            self.emit(f'{x} = {self.r.randrange(100)}; // PLANT')
        elif self.local > 1 and self.bug('data-race'):
            self.emit(f'{x} = lid; // PLANT')
        else:
            self.emit(f'if (lid == {who}) {x} = h & 7;')
        self.barrier('LOCAL', self.local > 1)
        self.emit(f'h += {x};')
        self.barrier('LOCAL', False)

    def conditional_value(self):
        x = self.fresh('v')
        k = self.r.randrange(self.local)
        self.emit(f'int {x};')
        if self.bug('uninitialized-read'):
            self.emit(f'if (lid != {k}) {x} = h; // PLANT')
            self.emit(f'if ({x} > 3) h++;')
        else:
            self.emit(f'if (lid > {k}) {x} = h; else {x} = {k};')
            self.emit(f'h += {x};')

    def vectors(self):
        g, n = self.fresh('g'), self.r.choice([2, 3, 4, 8])
        short = self.bug('out-of-bounds')
        self.argument(f'global float *{g}', f'float[{self.n * n - (1 if short else 0)}]=1')
        v = self.fresh('v')
        self.emit(f'float{n} {v} = vload{n}(gid, {g});' + (' // PLANT' if short else ''))
        if not short and self.n > 1 and self.bug('data-race', 'out-of-bounds'):
            self.emit(f'vstore{n}({v} + (float)gid, 0, {g} + gid * {n - 1}); // PLANT')
        else:
            self.emit(f'vstore{n}({v} + 1.0f, gid, {g});')
        self.emit(f'h += (int){v}.x;')

    def helper(self):
        f, g = self.fresh('f'), self.fresh('g')
        self.argument(f'global int *{g}', f'int[{self.n}]=iota')
        wrong = self.n > 1 and self.bug('data-race')
        self.top.append(f'int {f}(global int *p, int i, int n)\n{{\n    int s = 0;\n    for (int k = 0; k < n; k++)\n        s += p[i] * k;\n'
                        f'    p[i] = s;\n    return s & 15;\n}}')
        self.emit(f'h += {f}({g}, {"gid / 2" if wrong else "gid"}, {self.r.randint(1, 4)});' + (' // PLANT' if wrong else ''))

    def divergent(self):
        if self.local > 1 and self.bug('barrier-divergence'):
            self.emit(f'if (lid != {self.r.randrange(self.local)}) barrier(CLK_LOCAL_MEM_FENCE); // PLANT')
        else:
            self.emit(f'if (n > {self.r.randrange(5)}) barrier(CLK_LOCAL_MEM_FENCE);')

    def async_copy(self):
        t, g, e = self.fresh('t'), self.fresh('g'), self.fresh('e')
        self.argument(f'global int *{g}', f'int[{self.n}]=iota')
        self.emit(f'local int {t}[{self.local}];')
        self.emit(f'event_t {e} = async_work_group_copy({t}, {g} + gid - lid, {self.local}, 0);')
        early = self.bug('data-race', 'uninitialized-read')
        if early:
            self.emit(f'h += {t}[(lid + 1) % {self.local}]; // PLANT')
        self.emit(f'wait_group_events(1, &{e});')
        self.emit(f'h += {t}[(lid + 2) % {self.local}];')

    def divide(self):
        g = self.fresh('d')
        zero = self.bug('division-by-zero')
        self.argument(f'int {g}', 'int=0' if zero else 'int=5')
        self.emit(f'h = h / {g} + h % 7;' + (' // PLANT' if zero else ''))

    def kernel(self):
        phases = [self.exchange_local, self.exchange_global, self.private_array, self.reduction, self.structs, self.components,
                  self.histogram, self.broadcast, self.conditional_value, self.vectors, self.helper, self.divergent, self.async_copy,
                  self.divide]
        self.emit('int gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0), h = gid * 7 + 1;')
        for phase in self.r.sample(phases, self.r.randint(2, 5)):
            phase()
        self.argument('global int *out', f'int[{self.n}]=0')
        self.argument('int n', 'int=3')
        self.emit('out[gid] = h;')
        head = f'kernel void k({", ".join(self.args)})'
        text = '\n'.join(self.top + [head, '{'] + self.lines + ['}']) + '\n'
        return text, ['--kernel=k', f'--global={self.n}', f'--local={self.local}', *self.specs]


def generate(seed):
    """(text, options, ids of which one must be found; empty: the kernel is right)."""
    g = Gen(seed)
    text, options = g.kernel()
    return text, options, g.expected


if __name__ == '__main__':
    source, run, ids = generate(int(sys.argv[1]))
    print(source)
    print(' '.join(run))
    print('planted:', ', '.join(sorted(ids)) or 'nothing')
