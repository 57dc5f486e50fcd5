#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged reports and profiles, as a stranger may hand them over, given to `cldbg report` and `cldbg stats`.

usage: reports.py [SEED COUNT]     (default 1 12)     environment: CLDBG (default cli/cldbg)

Members of a real report get other types, vanish, or are repeated; texts are cut off or nested deeply. Each command must end with a status of
its own, and what stands in a report never becomes a script in HTML.
"""
import copy
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

CLDBG = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
FORMATS = ('html', 'sarif', 'junit', 'github', 'lcov', 'json')
SCRIPT = '</script><script>alert(1)</script>'
OTHERS = [None, True, 0, -1, 2**63 - 1, -2**63, 1e308, 3.5, '', 'x' * 5000, SCRIPT, '\x1b[31m\x07', '../' * 200, '%s%n', 'a\nb', [], {}, [[]] * 50, {'a': {}}]
KERNEL = '''kernel void k(global int *o, global int *p)
{
    local int t[8];
    t[get_local_id(0) / 2] = get_local_id(0);
    if (get_local_id(0) < 4) barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0) + 1] = t[0] + p[0];
}
'''


def seeds(folder):
    kernel, report, profile = (os.path.join(folder, n) for n in ('k.cl', 'report.json', 'profile.json'))
    open(kernel, 'w').write(KERNEL)
    subprocess.run([*CLDBG, 'run', kernel, '--global=16', '--local=8', '--arg=int[16]=0', '--arg=int[1]=undef', f'--report=json:{report}', f'--profile={profile}',
                    '--stats', f'--coverage={folder}/k.info'], capture_output=True)
    subprocess.run([*CLDBG, 'verify', kernel, '--global=16', '--local=8', '--arg=int[16]=0', '--arg=int[1]=0', f'--report=json:{folder}/proofs.json'], capture_output=True)
    return [json.load(open(f)) for f in (report, f'{folder}/proofs.json', profile)]


def places(x, path=()):
    yield path
    for k in x if isinstance(x, dict) else range(len(x)) if isinstance(x, list) else ():
        yield from places(x[k], path + (k,))


def damaged(r, seed):
    doc = copy.deepcopy(seed)
    for _ in range(r.choice([1, 1, 2, 4])):
        path = r.choice([p for p in places(doc) if p] or [()])
        if not path:
            break
        at = doc
        for k in path[:-1]:
            at = at[k]
        how = r.random()
        if how < 0.6:
            at[path[-1]] = copy.deepcopy(r.choice(OTHERS))
        elif how < 0.8:
            del at[path[-1]]
        elif isinstance(at, list):
            at.extend(copy.deepcopy(at) * 3)
        else:
            at[r.choice(list(at))] = copy.deepcopy(at[path[-1]])
    text = json.dumps(doc)
    how = r.random()
    return text[:r.randrange(len(text))] if how < 0.05 else '[' * 100000 if how < 0.06 else '{"a":' * 3000 + '1' + '}' * 3000 if how < 0.07 else text


def main():
    seed, count = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (1, 12)
    r, bad, read = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        real = seeds(folder)
        path = os.path.join(folder, 'damaged.json')
        for i in range(count):
            of = r.choice(real)
            open(path, 'w').write(damaged(r, of))
            for command in [['stats', path]] if of['format'] == 'cldbg-profile' else [['report', path, f'--to={f}'] for f in FORMATS]:
                p = subprocess.run([*CLDBG, *command], capture_output=True, timeout=60)
                read += p.returncode == 0
                if p.returncode not in (0, 1, 2) or b'Sanitizer' in p.stderr or p.returncode == 2 and not p.stderr or SCRIPT.encode() in p.stdout and command[-1] == '--to=html':
                    bad += 1
                    print(f'{command[0]} {command[-1]}, seed {seed}, number {i}: status {p.returncode}: {p.stderr.decode(errors="replace")[-500:]}')
    print(f'{count} damaged files, {read} conversions made, {bad} errors')
    sys.exit(1 if bad or not read else 0)


if __name__ == "__main__":
    main()
