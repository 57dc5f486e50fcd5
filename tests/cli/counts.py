#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts are exact: "N times in M work-groups" of a kernel whose number of errors follows from the size of the launch.

Each line of the kernel that ends in `// ID: ERRORS` is wrong in its own way. ERRORS, in Python, is how often one work-item does it (item and lid:
its number in the launch and in the group; group, L: the group and its size). For a race it is between work-items of one group, by the least of them;
`between` is how often groups race. Text, JSON and SARIF must have these numbers for every number of threads and gang size, for groups that share a
gang and groups of several gangs, in 1 to 3 dimensions.
"""
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile

CLDBG = os.environ.get('CLDBG', 'cli/cldbg')

KERNEL = '''kernel void k(global int *a, global int *out, global int *shared, local int *t, local int *u, global int *never, int zero)
{
    int lid = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    int group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    int L = get_local_size(0) * get_local_size(1) * get_local_size(2), item = group * L + lid, v, w, m[3];
    struct { int a[2], b; } p = {{1, 2}, 3};
    for (int j = 0; j < 2; j++)
        if (item % 3 == 0) a[-1 - item] = j; // out-of-bounds: 2 * (item % 3 == 0)
    if (item % 7 == 1) v = 1;
    if (group % 5 == 2 && lid == 1) out[item] = v > 0 ? 1 : 2; // uninitialized-read: group % 5 == 2 and lid == 1 and item % 7 != 1
    if (item % 2) out[item] = w; // uninitialized-read: item % 2
    if (item % 5 == 3) out[item] = never[item % 4]; // uninitialized-read: item % 5 == 3
    if (item % 11 == 4) out[item] = item / zero; // division-by-zero: item % 11 == 4
    if (item % 13 == 5) out[item] = (int)(3e9f + zero); // invalid-conversion: item % 13 == 5
    if (lid == 1) out[item] = p.a[2 + zero]; // subobject-overflow: lid == 1
    if (item % 17 == 2) out[item] = *(global int *)((global char *)a + 1); // misaligned-access: item % 17 == 2
    if (item % 19 == 3) *(global int *)(size_t)zero = 1; // null-dereference: item % 19 == 3
    u[lid] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group % 2) { if (lid < L - 1) out[item] = u[lid + 1]; u[lid] = 2; } // data-race: group % 2 and lid < L - 1
    t[lid] = 1; barrier(CLK_GLOBAL_MEM_FENCE); if (group % 3 == 0 && lid < 2) out[item] = t[1 - lid]; // missing-fence: group % 3 == 0 and lid < 2
    if (group % 2 == 0) shared[group] = 5; // same-value-race: group % 2 == 0 and lid == 0
    if (lid == 0 && group < 8) shared[1024] = item; // data-race: between 1
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group % 4 == 3) async_work_group_copy(t, (const global int *)a, 1, 0); // async-not-waited: group % 4 == 3 and lid == 0
}
'''
SHAPES = (((8192,), (64,)), ((3000,), (6,)), ((96, 40), (8, 5)), ((16, 24, 6), (4, 6, 2)), ((1400,), (700,)))
UNITS, GANGS = (1, 2, 3, 8), (16, 64, 512)


def expected(shape, local):
    size = math.prod(local)
    table = {}
    for number, line in enumerate(KERNEL.split('\n'), 1):
        m = re.search(r'// ([a-z-]+): (between )?(.*)', line)
        if not m:
            continue
        if m[2]:
            table[number, m[1]] = (int(m[3]), 0, int(m[3]))
            continue
        errors = eval(f'lambda item, lid, group, L: {m[3]}')
        each = [sum(int(errors(g * size + i, i, g, size)) for i in range(size)) for g in range(math.prod(shape) // size)]
        table[number, m[1]] = (sum(each), sum(x > 0 for x in each), 0)
    return table


def from_json(path):
    found = {}
    for f in json.load(open(path))['findings']:
        found[f['sides'][0]['place']['line'], f['id']] = (f['times'], f['work_groups'], f.get('between_work_groups', 0))
    return found


def from_sarif(path):
    found = {}
    for r in json.load(open(path))['runs'][0]['results']:
        p = r['properties']
        found[r['locations'][0]['physicalLocation']['region']['startLine'], r['ruleId']] = (p['times'], p['work_groups'], p.get('between_work_groups', 0))
    return found


def from_text(text):
    found = {}
    for part in re.split(r'^(?=\S+\.cl:\d+:\d+: )', text, flags=re.M)[1:]:
        head = re.match(r'\S+?:(\d+):.*\[([a-z-]+)\]', part)
        m = re.search(r'   = (?:(\d+) times?(?: in (\d+) work-groups?)?)?(?: and )?(?:(\d+) times? between work-groups)?; shown once', part)
        within, groups, between = (int(x or 0) for x in m.groups()) if m else (1, None, None)
        found[int(head[1]), head[2]] = (within + (between or 0), groups, between)
    return found


def check(folder, kernel, case):
    (shape, local), units, gang = case
    name = os.path.join(folder, '-'.join(map(str, (*shape, *local, units, gang))))
    n = math.prod(shape)
    size = {'global': shape, 'local': local}
    p = subprocess.run([CLDBG, 'run', kernel, *(f'--{k}=' + ','.join(map(str, v)) for k, v in size.items()), f'--compute-units={units}', f'--gang={gang}',
                        f'--arg=int[{n}]=0', f'--arg=int[{n}]=0', '--arg=int[2048]=0', f'--arg=local:int[{math.prod(local)}]',
                        f'--arg=local:int[{math.prod(local)}]', '--arg=int[4]=undef', '--arg=int=0',
                        f'--report=json:{name}.json', f'--report=sarif:{name}.sarif'], capture_output=True, text=True)
    want = expected(shape, local)
    got = {'json': from_json(name + '.json'), 'sarif': from_sarif(name + '.sarif'), 'text': from_text(p.stderr)}
    problems = []
    for form, found in got.items():
        for key in sorted(want.keys() | found.keys()):
            x, y = want.get(key), found.get(key)
            if x and y and y[1] is None:
                y = (y[0], *x[1:]) # the text says no more of what was found once
            if x != y and (x or (0,))[0] + (y or (0,))[0]:
                problems.append(f'{form}: line {key[0]} {key[1]}: {y} instead of {x} (times, groups, between groups)')
    return problems and [f'{shape} {local} --compute-units={units} --gang={gang}', *problems]


def main():
    cases = [(s, UNITS[(i + k) % 4], GANGS[k % 3]) for i, s in enumerate(SHAPES) for k in range(5)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        kernel = os.path.join(folder, 'k.cl')
        with open(kernel, 'w') as f:
            f.write(KERNEL)
        problems = [p for case in pool.map(lambda c: check(folder, kernel, c), cases) for p in case]
    print('\n'.join(problems) or f'{len(cases)} launches counted')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
