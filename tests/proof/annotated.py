#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proofs about the annotated kernels (tests/kernels), compared with what the interpreter reports.

For each RUN line of each kernel, `cldbg verify` decides its properties for any contents of the buffers. A property that is
proved must not be one that an EXPECT of the kernel violates, nor (--runs) be refuted by the run itself or runs with other contents. Prints a table of the verdicts and the most
frequent reasons why something is unknown.

usage: annotated.py [-v] [-j N] [--runs] [--all] [--any] [file or folder...]   environment: CLDBG, the command to test (default cli/cldbg)
Without --all: the first RUN line of each kernel. With --any: proofs for all local sizes (--local=any), and runs with several.
"""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, '..', 'kernels')
CLDBG = os.environ.get('CLDBG', 'cli/cldbg')
PROPERTIES = ['barrier-divergence', 'local-races', 'group-races', 'global-races', 'in-bounds', 'initialized', 'divisions', 'other-checks']
USED = ('--global=', '--local=', '--offset=', '--arg=', '--kernel=', '--build-options=', '--sub-group-size=')
BOUNDS = ('out-of-bounds', 'null-dereference', 'misaligned-access', 'read-only-write', 'address-space')
RACES = ('data-race', 'same-value-race', 'missing-fence')
# no property claims that a launch ends, or that its host's calls are right
OTHERS = ('no-progress', 'instruction-limit', 'async-not-waited', 'host-race', 'printf-mismatch')


def properties_of(f):
    """The properties that a finding refutes."""
    kind, title, between = f['id'], f['title'], f.get('between_work_groups', 0)
    if kind in RACES:
        if 'local memory' in title:
            return {'local-races'}
        return {p for p, holds in (('group-races', f.get('times', 1) > between or f.get('within_work_groups')), ('global-races', between > 0)) if holds}
    return {'barrier-divergence' if kind == 'barrier-divergence' else 'in-bounds' if kind in BOUNDS else
            'initialized' if kind == 'uninitialized-read' else 'divisions' if kind == 'division-by-zero' else 'other-checks'}


def any_local(args):
    """The options of a proof for all local sizes."""
    return [re.sub(r'^--local=(.*)', lambda m: '--local=' + ','.join('any' for _ in m[1].split(',')), a) for a in args]


def sizes(args):
    """The options of runs with the local sizes of the launch, and with others of which its global sizes are multiples."""
    ranges = {a[2:].split('=')[0]: [int(n) for n in a.split('=')[1].split(',')] for a in args if re.match(r'--(global|local)=[\d,]+$', a)}
    if len(ranges) < 2:
        return [args]
    shapes, n = [], ranges['local']
    for change in (lambda k: n[k], lambda k: 1, lambda k: max(1, n[k] // 2), lambda k: n[k] * 2 if k == 0 else n[k], lambda k: ranges['global'][k] if k == 0 else 1):
        shape = [change(k) for k in range(len(n))]
        items = 1
        for k in shape:
            items *= k
        if (items <= 256 or shape == n) and shape not in shapes and all(g % k == 0 for g, k in zip(ranges['global'], shape)):
            shapes.append(shape)
    return [[f'--local={",".join(map(str, shape))}' if a.startswith('--local=') else a for a in args] for shape in shapes]


def contents(args, number):
    """The options with other contents of the buffers."""
    if not number:
        return args
    what = ['0', 'rand', 'rand:7'][number - 1]
    return [re.sub(r'^(--arg=(?:ro:|wo:)?\w+\[\d+\])=.*', r'\1=' + what, a) if '=undef' not in a else a for a in args]


def findings(path, args):
    with tempfile.NamedTemporaryFile(suffix='.json') as t:
        p = subprocess.run([CLDBG, 'run', path, *args, f'--report=json:{t.name}', '--overwrite'], capture_output=True, text=True, timeout=120)
        if p.returncode == 2:
            return None
        found = json.load(open(t.name))['findings']
        if any(f['title'] == 'an assumption does not hold' for f in found):
            return None # proofs rely on it
        return [f for f in found if not f['possible'] and f['id'] not in OTHERS]


def one(job):
    path, args = job
    is_any = '--any' in sys.argv
    p = subprocess.run([CLDBG, 'verify', path, '--runs=0', '--seconds=20', *(any_local(args) if is_any else args)], capture_output=True, text=True, timeout=300)
    verdicts, reasons = {}, {}
    for m in re.finditer(r'^  (proved|refuted|unknown)\s+([a-z-]+): (.*)\n(?:\s+at (\S+))?', p.stdout, re.M):
        verdicts[m[2]] = m[1]
        reasons[m[2]] = (m[3], m[4])
    if len(verdicts) != len(PROPERTIES):
        return path, args, None, {'failed': (p.stderr.strip()[-200:], None)}, []
    wrong, found = [], set()
    source = '\n'.join(s for s in open(path) if 'cldbg-assume' not in s)  # proofs rely on assumptions
    for id in re.findall(r'[a-z-]+', ' '.join(re.findall(r"//\s*EXPECT((?:[ \t]+[a-z-]+)+)", source))):
        violated = {'local-races', 'group-races', 'global-races'} if id in RACES else properties_of({'id': id, 'title': ''}) if id not in OTHERS else set()
        found |= violated
        if violated and (not is_any or args in sizes(args)) and all(verdicts[p] == 'proved' for p in violated) and len(re.findall(r'EXPECT', open(path).read())) == 1:
            wrong.append(f'{", ".join(violated)} was proved, but {id} is expected')
    tried = [contents(a, n) for a in (sizes(args) if is_any else [args]) for n in range(3 if 'proved' in verdicts.values() else 1)]
    for options in tried if '--runs' in sys.argv else ():
        try:
            fs = findings(path, options)
        except subprocess.TimeoutExpired:
            continue
        for f in fs or []:
            found |= properties_of(f)
            for p in properties_of(f):
                if verdicts[p] == 'proved':
                    wrong.append(f'{p} was proved, but: {f["title"]} [{f["id"]}] ({shlex.join(options)})')
    return path, args, verdicts, {**reasons, 'found': found}, wrong


def main():
    flags = [a for a in sys.argv[1:] if a.startswith('-')]
    paths = [a for a in sys.argv[1:] if not a.startswith('-') and not a.isdigit()] or [KERNELS]
    workers = int(sys.argv[sys.argv.index('-j') + 1]) if '-j' in flags else 2
    files = []
    for p in paths:
        files += [p] if p.endswith('.cl') else sorted(os.path.join(d, f) for d, _, fs in os.walk(p) for f in fs if f.endswith('.cl'))
    jobs, skipped = [], 0
    for path in files:
        text = open(path).read()
        runs = [shlex.split(m) for m in re.findall(r'//\s*RUN:\s*(.*)', text)]
        usable = [[a for a in r if a.startswith(USED)] for r in runs if any(a.startswith('--local=') for a in r)]
        skipped += not usable
        usable = [r for r in usable if '--any' not in flags or sizes(r)] # --local=any: sizes that divide the global ones
        for r in usable if '--all' in flags else usable[:1]:
            jobs.append((path, r))
    table = collections.defaultdict(collections.Counter)
    why = collections.defaultdict(list)
    clean, buggy, bad = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for path, args, verdicts, reasons, wrong in pool.map(one, jobs):
            name = os.path.relpath(path, KERNELS)
            text = open(path).read()
            is_buggy = re.search(r'//\s*EXPECT', text)
            for w in wrong:
                print(f'{name}: WRONG: {w}')
                bad += 1
            if verdicts is None:
                print(f'{name}: {reasons["failed"][0]}')
                table['failed']['all'] += 1
                continue
            for p in PROPERTIES:
                table[p][verdicts[p]] += 1
                if verdicts[p] != 'proved' and p not in reasons['found']:
                    why[f"{p}: {re.sub(chr(39) + '[^' + chr(39) + ']*' + chr(39), 'X', reasons[p][0])}"].append(f'{name}:{(reasons[p][1] or "").split(":", 1)[-1]}')
            if not is_buggy and ('barrier' in text or 'local ' in text):
                clean['all'] += 1
                races = all(verdicts[p] == 'proved' for p in PROPERTIES[:2])
                clean['divergence and local races'] += races
                clean['divergence and all races'] += all(verdicts[p] == 'proved' for p in PROPERTIES[:4])
            if '-v' in flags:
                print(name, ' '.join(f'{p}={verdicts[p]}' for p in PROPERTIES))
    for w, names in sorted(why.items(), key=lambda x: -len(x[1]))[:40 if '-v' in flags else 15]:
        print(f'{len(names):4} {w}   e.g. {", ".join(names[:3])}')
    for p in PROPERTIES:
        print(f'{p:20} proved {table[p]["proved"]:4}, unknown {table[p]["unknown"]:4}')
    print(f'of {clean["all"]} clean kernels with barriers or local memory: divergence and local races proved {clean["divergence and local races"]}, '
          f'and global races {clean["divergence and all races"]}')
    print(f'{len(jobs)} runs, {skipped} kernels without a usable RUN line, {table["failed"]["all"]} failed, {bad} wrong proofs')
    sys.exit(1 if bad or not jobs else 0)


if __name__ == "__main__":
    main()
