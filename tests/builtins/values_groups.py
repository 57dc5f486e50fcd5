# SPDX-License-Identifier: MIT
"""Atomics, functions of work-groups and sub-groups, work-items' places, address spaces. For values.py."""
import numpy as np
import pyopencl as cl
from values import TYPES, numbers, wrap

INT, UINT = TYPES['int'], TYPES['uint']
ITEMS, WAVE = 40, 32  # of the work-group, of a sub-group (the default): one is whole, one of 8
BINARY = {'add': lambda x, y: x + y, 'sub': lambda x, y: x - y, 'min': min, 'max': max, 'and': lambda x, y: x & y,
          'or': lambda x, y: x | y, 'xor': lambda x, y: x ^ y, 'mul': lambda x, y: x * y, 'xchg': lambda x, y: y, 'exchange': lambda x, y: y}


class Steps:
    """The statements of a kernel of one work-item that each store a value, and the values."""

    def __init__(self, t):
        self.t, self.text, self.want = t, '', []

    def add(self, expression, value):
        self.text += f'  out[{len(self.want)}] = {expression};\n'
        self.want.append(value)

    def check(self, b, what, head, std):
        t = self.t
        p = b.program(what, [f'kernel void k(global {t.name} *out, global {t.name} *cell) {{\n{head}{self.text}}}\n'], std)
        if not p:
            return
        cell = cl.Buffer(b.context, cl.mem_flags.READ_WRITE, 64)
        out = b.run(p, 'k', [], np.zeros(len(self.want), t.dtype), 1, 1, (cell,))
        b.same(what, t, out, self.want)


def old_atomics(b):
    """atomic_… of 32 bits, atom_… of 32 and 64, global and local."""
    for prefix in ('atomic', 'atom'):
        for t in (INT, UINT, TYPES['float'], TYPES['long'], TYPES['ulong']):
            if t.bits == 64 and prefix == 'atomic' or t.p and prefix == 'atom':
                continue
            for space in ('global', 'local'):
                s, value = Steps(t), 5
                head = f'  volatile global {t.name} *p = cell; *p = 5;\n' if space == 'global' else f'  local {t.name} s; s = 5; volatile local {t.name} *p = &s;\n'
                ops = ['xchg'] if t.p else ['add', 'sub', 'xchg', 'min', 'max', 'and', 'or', 'xor', 'inc', 'dec', 'cmpxchg']
                for op in ops:
                    if not b.wants(f'{prefix}_{op}'):
                        continue
                    for x in numbers(t, 4, 3, True).tolist():
                        literal = f'({t.name}){x!r}' + ('f' if t.p else 'ul' if not t.signed else 'l' if t.bits == 64 and x != -2**63 else '')
                        if not t.p and x == -(1 << t.bits - 1):
                            literal = f'({t.name})({x + 1}l - 1)'
                        if op in ('inc', 'dec'):
                            s.add(f'{prefix}_{op}(p)', value)
                            value = wrap(t, value + (1 if op == 'inc' else -1))
                        elif op == 'cmpxchg':
                            s.add(f'{prefix}_cmpxchg(p, {literal}, ({t.name})77)', value)
                            value = 77 if value == x else value
                            s.add(f'{prefix}_cmpxchg(p, *p, {literal})', value)
                            value = x
                        else:
                            s.add(f'{prefix}_{op}(p, {literal})', value)
                            value = x if t.p else wrap(t, BINARY[op](value, x))
                        s.add('*p', value)
                if s.want:
                    s.check(b, f'{prefix}_ of {t.name}, {space}', head, 'CL1.2')


def new_atomics(b):
    """atomic_fetch_… and their kin: plain, with an order, with a scope; global, local and generic."""
    orders = ['memory_order_relaxed', 'memory_order_acquire', 'memory_order_release', 'memory_order_acq_rel', 'memory_order_seq_cst']
    for t in (INT, UINT, TYPES['long'], TYPES['ulong'], TYPES['float'], TYPES['double']):
        for space in ('global', 'local', 'generic'):
            for form, (tail, extra) in enumerate((('', ''), ('_explicit', ', {order}'), ('_explicit', ', {order}, memory_scope_device'))):
                s, value = Steps(t), 5
                wants = lambda name: b.wants(f'atomic_{name}{tail}')
                qualifier = '' if space == 'generic' else space + ' '
                place = '(global atomic_{0} *)cell' if space == 'global' else '&s'
                head = '' if space == 'global' else f'  local atomic_{t.name} s;\n'
                head += f'  volatile {qualifier}atomic_{t.name} *p = {place.format(t.name)};\n'
                head += f'  atomic_init(p, ({t.name})5);\n  private {t.name} e;\n' if b.wants('atomic_init') else f'  atomic_store(p, ({t.name})5);\n  private {t.name} e;\n'
                order = lambda among, k: extra.format(order=[orders[i] for i in among][k % len(among)])
                for k, x in enumerate((3, 9, 40, 12, 1)):
                    if wants('load'):
                        s.add(f'atomic_load{tail}(p{order((0, 1, 4), k)})', value)
                    if wants('store'):
                        s.text += f'  atomic_store{tail}(p, ({t.name}){x}{order((0, 2, 4), k)});\n'
                        value = x
                    if wants('exchange'):
                        s.add(f'atomic_exchange{tail}(p, ({t.name}){x + 1}{order(range(5), k)})', value)
                        value = x + 1
                    for op in ('add', 'sub', 'or', 'xor', 'and', 'min', 'max') if not t.p else ():
                        if wants(f'fetch_{op}'):
                            s.add(f'atomic_fetch_{op}{tail}(p, ({t.name}){x * 3}{order(range(5), k)})', value)
                            value = wrap(t, BINARY[op](value, x * 3))
                    for kind in ('strong', 'weak'):
                        if wants(f'compare_exchange_{kind}'):
                            second = extra.format(order=orders[k]) and f', {orders[k]}, {orders[(0, 1, 0, 1, 4)[k]]}' + (', memory_scope_device' if form == 2 else '')
                            call = f'atomic_compare_exchange_{kind}{tail}(p, &e, ({t.name}){x + 7}{second})'
                            s.text += f'  e = ({t.name})1000;\n'
                            s.add(call, 0)
                            s.add('e', value)
                            s.add(call, 1)
                            value = x + 7
                s.add('atomic_load(p)', value)
                s.check(b, f'atomic{tail}{form} of {t.name}, {space}', head, 'CL3.0')
    flags = Steps(INT)
    for tail, extra in (('', ''), ('_explicit', ', memory_order_acq_rel'), ('_explicit', ', memory_order_seq_cst, memory_scope_device')):
        if b.wants('atomic_flag_test_and_set' + tail) and b.wants('atomic_flag_clear' + tail):
            for place in ('p', '&s'):
                flags.text += f'  atomic_flag_clear{tail}({place}{extra.replace("acq_rel", "release")});\n'
                flags.add(f'atomic_flag_test_and_set{tail}({place}{extra})', 0)
                flags.add(f'atomic_flag_test_and_set{tail}({place}{extra})', 1)
    if flags.want:
        flags.check(b, 'atomic_flag', '  local atomic_flag s; global atomic_flag *p = (global atomic_flag *)cell;\n', 'CL3.0')


class Group:
    """Functions of groups: each is a line of a kernel of one work-group; `value(ids)` are the values of one (sub-)group."""

    def __init__(self, t, x):
        self.t, self.x, self.rows = t, x, []

    def add(self, call, parts, value):
        want = np.zeros(ITEMS, object)
        for ids in parts:
            want[ids] = value(ids)
        self.rows.append((call, want))

    def check(self, b, head=''):
        if not self.rows:
            return
        t = self.t
        text = ''.join(f'  out[i + {k * ITEMS}] = {call};\n' for k, (call, _) in enumerate(self.rows))
        p = b.program(f'functions of groups of {t.name}', [f'kernel void k(global const {t.name} *a, global {t.name} *out) {{\n  const uint i = get_global_id(0), l = get_sub_group_local_id();\n'
                                                           f'  const {t.name} x = a[i];\n{head}{text}}}\n'], 'CL3.0')
        if not p:
            return
        out = b.run(p, 'k', [self.x], np.zeros(ITEMS * len(self.rows), t.dtype), ITEMS, ITEMS)
        for k, (call, want) in enumerate(self.rows):
            b.same(f'{call} of {t.name}', t, out[k * ITEMS:(k + 1) * ITEMS], want.astype(t.dtype))


GROUP = [np.arange(ITEMS)]
WAVES = [np.arange(WAVE), np.arange(WAVE, ITEMS)]


def folded(t, op, x):
    """Running results of op over x."""
    y = []
    for v in x:
        v = v.item()
        y.append(v if not y else BINARY[op](y[-1], v) if t.p else wrap(t, BINARY[op](y[-1], v)))
    return y


def identity(t, op):
    if t.p:
        return {'add': 0.0, 'mul': 1.0, 'min': float('inf'), 'max': float('-inf')}[op]
    low, high = np.iinfo(t.dtype).min, np.iinfo(t.dtype).max
    return {'add': 0, 'or': 0, 'xor': 0, 'mul': 1, 'and': wrap(t, -1), 'min': int(high), 'max': int(low)}[op]


def collectives(b):
    for t in TYPES.values():
        with np.errstate(all='ignore'):  # small whole numbers: sums of them are exact in any order
            x = (np.arange(ITEMS) * 7 % 11 - 3 * t.signed).astype(t.dtype) if t.bits > 16 or not t.p else (np.arange(ITEMS) * 7 % 11 - 3).astype(t.dtype)
        g = Group(t, x)
        basic, arithmetic = ('add', 'min', 'max'), () if t.p else ('and', 'or', 'xor')
        scopes = [('sub_group_', WAVES, basic), ('sub_group_non_uniform_', WAVES, basic + arithmetic + ('mul',))]
        if t.bits >= 32 or t.p:
            scopes.insert(0, ('work_group_', GROUP, basic))
        for prefix, parts, ops in scopes:
            for op in ops:
                y = np.where(x % 3 == 0, 2, 1).astype(t.dtype) if op == 'mul' else x
                arg = '(x - x / 3 * 3 == 0 ? 2 : 1)' if op == 'mul' else 'x'
                if op == 'mul' and t.p:
                    continue
                arg = f'({t.name}){arg}'
                if b.wants(f'{prefix}reduce_'):
                    g.add(f'{prefix}reduce_{op}({arg})', parts, lambda ids, y=y, op=op: folded(t, op, y[ids])[-1])
                if b.wants(f'{prefix}scan_inclusive_'):
                    g.add(f'{prefix}scan_inclusive_{op}({arg})', parts, lambda ids, y=y, op=op: folded(t, op, y[ids]))
                if b.wants(f'{prefix}scan_exclusive_'):
                    g.add(f'{prefix}scan_exclusive_{op}({arg})', parts, lambda ids, y=y, op=op: [identity(t, op)] + folded(t, op, y[ids])[:-1])
        if b.wants('work_group_broadcast') and (t.bits >= 32 or t.p):
            g.add('work_group_broadcast(x, 7)', GROUP, lambda ids: x[7].item())
        one = lambda ids, k: [x[ids[j]].item() for j in k]
        moves = {
            'sub_group_broadcast(x, 5)': lambda ids: x[ids[5]].item(), 'sub_group_non_uniform_broadcast(x, 6)': lambda ids: x[ids[6]].item(),
            'sub_group_broadcast_first(x)': lambda ids: x[ids[0]].item(), 'sub_group_shuffle(x, (l * 3 + 1) % 8)': lambda ids: one(ids, [(j * 3 + 1) % 8 for j in range(len(ids))]),
            'sub_group_shuffle_xor(x, 5)': lambda ids: one(ids, [j ^ 5 for j in range(len(ids))]),
            'sub_group_clustered_rotate(x, 3, 4)': lambda ids: one(ids, [j // 4 * 4 + (j + 3) % 4 for j in range(len(ids))]),
        }
        for call, value in moves.items():
            if b.wants(call.split('(')[0]):
                g.add(call, WAVES, value)
        # where there is none to take from, the value is any
        for name, step, none in (('shuffle_up', -2, 'l < 2'), ('shuffle_down', 2, 'l + 2 >= get_sub_group_size()'), ('rotate', 3, f'(l + 3) % {WAVE} >= get_sub_group_size()')):
            if b.wants('sub_group_' + name):
                apart = Group(t, x)
                at = lambda j, step=step, name=name: (j + step) % WAVE if name == 'rotate' else j + step
                apart.add('r', WAVES, lambda ids, at=at: [x[ids[at(j)]].item() if 0 <= at(j) < len(ids) else 0 for j in range(len(ids))])
                apart.check(b, f'  {t.name} r = sub_group_{name}(x, {abs(step)}); if ({none}) r = 0;\n')
        if b.wants('sub_group_non_uniform_all_equal'):
            g.add('sub_group_non_uniform_all_equal(x)', WAVES, lambda ids: 0)
        if b.wants('sub_group_clustered_reduce_'):
            for op in basic + arithmetic:
                g.add(f'sub_group_clustered_reduce_{op}(x, 4)', [np.arange(k, k + 4) for k in range(0, ITEMS, 4)], lambda ids, op=op: folded(t, op, x[ids])[-1])
        g.check(b)


def votes(b):
    """All, any, ballots and masks; what work-items say of their place."""
    x = (np.arange(ITEMS) * 7 % 11 - 3).astype(np.int32)
    g = Group(INT, x)
    local = lambda ids: np.arange(len(ids))
    for scope, parts in (('work_group_', GROUP), ('sub_group_', WAVES), ('sub_group_non_uniform_', WAVES)):
        for name, f in (('all', all), ('any', any)):
            if b.wants(scope + name):
                for condition, holds in (('x > 6', x > 6), ('x > -9', x > -9), ('x > 99', x > 99)):
                    g.add(f'{scope}{name}({condition})', parts, lambda ids, f=f, holds=holds: int(f(holds[ids])))
    odd = 'sub_group_ballot(x & 1)'
    bits = lambda ids: [int(v) & 1 for v in x[ids]]
    ballots = {
        'sub_group_elect()': lambda ids: [int(j == 0) for j in local(ids)],
        f'(int){odd}.x': lambda ids: wrap(INT, sum(v << j for j, v in enumerate(bits(ids)))),
        f'sub_group_inverse_ballot({odd}) != 0': bits, f'sub_group_ballot_bit_extract({odd}, 3) != 0': lambda ids: bits(ids)[3],
        f'sub_group_ballot_bit_count({odd})': lambda ids: sum(bits(ids)),
        f'sub_group_ballot_inclusive_scan({odd})': lambda ids: list(np.cumsum(bits(ids))),
        f'sub_group_ballot_exclusive_scan({odd})': lambda ids: list(np.cumsum(bits(ids)) - bits(ids)),
        f'sub_group_ballot_find_lsb({odd})': lambda ids: bits(ids).index(1),
        f'sub_group_ballot_find_msb({odd})': lambda ids: len(ids) - 1 - bits(ids)[::-1].index(1),
        'get_sub_group_id()': lambda ids: ids[0] // WAVE, 'get_sub_group_local_id()': lambda ids: list(local(ids)), 'get_sub_group_size()': lambda ids: len(ids),
        'get_max_sub_group_size()': lambda ids: WAVE, 'get_num_sub_groups()': lambda ids: 2, 'get_enqueued_num_sub_groups()': lambda ids: 2,
    }
    whole = lambda ids: (1 << len(ids)) - 1
    for name, f in (('eq', lambda j: 1 << j), ('ge', lambda j: -1 << j), ('gt', lambda j: -2 << j), ('le', lambda j: (2 << j) - 1), ('lt', lambda j: (1 << j) - 1)):
        ballots[f'(int)get_sub_group_{name}_mask().x'] = lambda ids, f=f: [wrap(INT, f(j) & whole(ids)) for j in range(len(ids))]
    for call, value in ballots.items():
        name = next(w for w in call.replace('(int)', '').replace('(', ' ').split() if w.startswith(('sub_group_', 'get_')))
        if b.wants(name):
            if name != 'sub_group_ballot':
                b.known.add('sub_group_ballot')
            g.add(call, WAVES, value)
    for space, expression in (('global', 'to_global(q)'), ('local', 'to_local(q)'), ('private', 'to_private(q)')):
        if b.wants('__to_' + space):
            for own, variable in (('global', 'a'), ('local', '&s'), ('private', '&m')):
                at = {'global': 'a', 'local': '&s', 'private': '&m'}[own]
                g.add(f'({{ const int *q = {at}; {expression} != 0; }})', GROUP, lambda ids, e=int(own == space): e)
    g.check(b, '  local int s; int m = 0; if (i == 0) s = 0;\n')


def run(b):
    old_atomics(b)
    new_atomics(b)
    collectives(b)
    votes(b)
