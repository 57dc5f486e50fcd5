#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The oracle's verdict on a kernel beside cldbg's report, compared by id, places and object.

judge.py [-v] FILE.cl... judges annotated kernels (their RUN lines); as a module it judges any text.
Environment: CLDBG, WALKER (the oracle), CLANG.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'kernels'))
import run as annotated  # noqa: E402


def configured_clang():
    try:
        with open('config.h') as f:
            return re.search(r'CLDBG_CLANG_PATH "(.*)"', f.read())[1]
    except (OSError, TypeError):
        return 'clang-19'


CLDBG = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
WALKER = os.environ.get('WALKER', 'tests/oracle/walker')
CLANG = os.environ.get('CLANG') or configured_clang()
FLAGS = ['--no-default-config', '-x', 'cl', '-target', 'spir64-unknown-unknown', '-O0', '-Xclang', '-disable-O0-optnone', '-g',
         '-emit-llvm', '-c', '-w', '-fno-discard-value-names', '-fno-elide-constructors', '-D__OPENCL_VERSION__=300']
RACES = ('data-race', 'same-value-race', 'missing-fence')
WILD = ('out-of-bounds', 'address-space', 'null-dereference', 'misaligned-access')
JUDGED = RACES + WILD + ('uninitialized-read', 'barrier-divergence', 'division-by-zero', 'use-after-release', 'read-only-write',
                         'async-not-waited', 'invalid-event', 'no-progress', 'invalid-conversion', 'write-only-read', 'overlapping-copy', 'unreachable')


LIMIT = 20000000  # instructions of a launch that the oracle says never ends
PATIENCE = 20  # seconds of processor time for one order of the oracle's


class Unknown(Exception):
    """The oracle does not know what this kernel does."""


def compiled(source, options, workdir, name='kernel'):
    """The program as bitcode, as clang writes it."""
    std, clang = '-cl-std=CL1.2', []
    for o in options:
        if o.startswith('--build-options='):
            for w in shlex.split(o.split('=', 1)[1]):
                if w.startswith('-cl-std='):
                    std = w
                else:
                    clang.append(w)
    bitcode = os.path.join(workdir, name + '.bc')
    p = subprocess.run([CLANG, *FLAGS, '-ferror-limit=0', std, *clang, '-o', bitcode, source], capture_output=True, text=True)
    if p.returncode:
        raise Unknown('clang: ' + p.stderr.strip().split('\n')[0], p.stderr)
    return bitcode


def walked(bitcode, launches, workdir):
    """For each launch (options): the oracle's verdicts, one for every order of the work-items."""
    each = os.path.join(workdir, 'each')
    with open(each, 'w') as f:
        for options in launches:
            f.write('\t'.join(o for o in options if not o.startswith('--build-options=')) + '\n')
    p = subprocess.run([WALKER, bitcode, '--each=' + each, f'--seconds={PATIENCE}'], capture_output=True, text=True, env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
    if p.returncode:
        raise RuntimeError(f'walker: status {p.returncode}: {p.stderr.strip()[-200:]}')
    return [[verdict(line) for line in lines.split('\n')] for lines in p.stdout.split('\n\n')[:-1]]


def verdict(line):
    v = json.loads(line)
    for x in v.get('findings', []):
        if x['id'] == 'no-progress':
            x['line'] = x['column'] = 0  # any of those that wait
    v['races'] = [{**r, 'pairs': sorted({(p[0], *sorted((tuple(p[1:3]), tuple(p[3:5]))), p[6]) for p in r['pairs']})} for r in v.get('races', [])]
    return v


def known(x):
    """What makes it the same finding in another order of the work-items."""
    return json.dumps({k: v.split(' ')[0] if k == 'path' else v for k, v in x.items()}, sort_keys=True)


def together(verdicts, key):
    """(what is found in every order, what in some)."""
    lists = [{known(x): x for x in v[key]} for v in verdicts]
    every = set.intersection(*(set(t) for t in lists))
    some = {}
    for t in lists:
        some.update(t)
    return [x for k, x in some.items() if k in every], [x for k, x in some.items() if k not in every]


def other_names(source, options):
    """Arguments that are the buffer of an earlier one: their names, with its name, which is the oracle's for both."""
    args = [o.split('=', 1)[1] for o in options if o.startswith('--arg=')]
    if not any(a.startswith('same:') for a in args):
        return {}
    kernel = next(o.split('=')[1] for o in options if o.startswith('--kernel='))
    with open(source) as f:
        names = re.findall(r'(\w+)\s*(?:,|$)', re.search(rf'\b{kernel}\s*\(([^)]*)\)', f.read())[1])
    return {names[i]: names[int(a[5:])] for i, a in enumerate(args) if a.startswith('same:')}


def reported(source, options, workdir, environ=None):
    out = os.path.join(workdir, 'report.json')
    if os.path.exists(out):
        os.remove(out)
    p = subprocess.run([*CLDBG, 'run', source, *options, '--report=json:' + out, '--log-file=/dev/null'], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=120, env=environ)
    if p.returncode not in (0, 1) or not os.path.exists(out):
        raise RuntimeError(f'cldbg: status {p.returncode}: {p.stderr.strip()[-300:]}')
    with open(out) as f:
        findings = json.load(f)['findings']
    # further places of a cause do not say which schedule they were seen under
    unsaid = ['seen under schedule unknown'] if any(o.startswith('--schedules=') for o in options) else []
    names = other_names(source, options)
    return [{**f, 'object': names.get(f.get('object'), f.get('object')), 'sides': sides, 'notes': f.get('notes', []) + (unsaid if sides is not f['sides'] else [])}
            for f in findings for sides in [f['sides'], *f['also']]]


def place(side):
    p = side['place']
    return p.get('line', 0), p.get('column', 0)


def is_of_other_schedule(f):
    """Under --schedules=N: the oracle does not run those orders, so it cannot deny what they show."""
    return any(n.startswith('seen under schedule') for n in f.get('notes', []))


def compare(verdicts, findings, judged=JUDGED, cautious=()):
    """(right, false alarms, misses): lists of texts. What depends on the order of the work-items may be told and need not;
    so may what only `cautious` verdicts have."""
    races, some_races = together(verdicts, 'races')
    found, some_found = together(verdicts, 'findings')
    parted = [v['divergence'] for v in verdicts]
    stuck = any(x['id'] == 'no-progress' for x in found + some_found)
    racy = {r['object'] for r in races + some_races}
    claims, optional = [], []  # (what, ids, predicate on a finding); predicates

    def race_fits(r):
        # Where no fence lies between them and earlier writes of other values, not all writes store the same.
        unfenced = {where for p in r['pairs'] if p[0] == 'missing-fence' for where in p[1:3]}

        def fits(f):
            if f['id'] not in RACES or f.get('object', '') != r['object'] or len(f['sides']) != 2:
                return False
            lines = sorted(place(s)[0] for s in f['sides'])
            return any([a[0], b[0]] == lines and (f['id'] == kind and not f['possible'] or values_race and kind == 'data-race' and f['id'] == 'same-value-race' or
                                                  kind == 'same-value-race' and f['id'] == 'data-race' and {a, b} & unfenced or
                                                  kind == 'possible' and f['id'] == 'missing-fence' and f['possible'])
                       for kind, a, b, _ in r['pairs'])
        return fits

    # What was read in a race may make two values equal in one order and different in another.
    values_race = any(f['id'] == 'data-race' for f in findings)
    hoped = False
    for r in races:
        optional.append(race_fits(r))
        kinds = {p[0] for p in r['pairs']}
        elsewhere = {place_ for q in races if q['object'] == r['object'] for p in q['pairs'] if p[0] not in ('same-value-race', 'possible')
                     for place_ in p[1:3]}
        if kinds == {'possible'}:
            hoped |= not all(p[3] for p in r['pairs'])
        elif all(any(x['id'] == 'async-not-waited' and (x['line'], x['column']) in p[1:3] for x in found) for p in r['pairs']):
            continue  # reported as a copy without a wait
        elif stuck or all(p[3] for p in r['pairs']):
            continue  # after a barrier that not all reached
        elif kinds == {'same-value-race'} and any(set(p[1:3]) & elsewhere for p in r['pairs']):
            continue  # reported under its own kind elsewhere
        else:
            # a store of equal values is reported as what it also is in the order that cldbg took
            also = [race_fits(q) for q in some_races if kinds == {'same-value-race'} and q['object'] == r['object'] and
                    {w for p in q['pairs'] for w in p[1:3]} & {w for p in r['pairs'] for w in p[1:3]}]
            claims.append((f"race on '{r['object']}': {[p[:3] for p in r['pairs']]}", kinds,
                           lambda f, fits=race_fits(r), also=also: fits(f) or f['id'] != 'same-value-race' and
                           (any(g(f) for g in also) or is_of_other_schedule(f) and fits({**f, 'id': 'same-value-race'}))))
    if hoped:
        claims.append(('order that is only hoped for', ['missing-fence'], lambda f: f['possible'] and f['id'] == 'missing-fence'))
    optional += map(race_fits, some_races)

    # How a group goes on after a barrier that not all reached is unspecified.
    all_parted = [lines for d in parted for lines in d]
    at_barrier = lambda lines: lambda f: f['id'] == 'barrier-divergence' and place(f['sides'][0])[0] in lines
    if all(parted):
        first = {n for d in parted for n in d[0]}
        claims.append((f'barrier-divergence at {sorted(first)}', ['barrier-divergence'], at_barrier(first)))
    optional += map(at_barrier, all_parted)

    addresses = {x['path'].split(' ')[0] for x in found + some_found if x['how'] == 'address'}
    told = set()
    for x, sure in [(x, True) for x in found] + [(x, False) for v in [{'findings': some_found}, *cautious] for x in v['findings']]:
        path = x['path'].split(' ')
        # a variable that decided an address is reported, and counts as defined from there on
        again = path[0] in addresses and path[0] in told
        told.add(path[0])

        def fits(f, x=x, path=path):
            if x['id'] == f['id'] == 'no-progress':
                return True
            same = f['id'] == x['id'] or (x['id'] in WILD and f['id'] in WILD and x['object'] is None)
            if not same or place(f['sides'][0])[0] != x['line']:
                return False
            if x['id'] == 'uninitialized-read':
                # clang numbers variables of equal names: 'k119' is a 'k' of the source
                return f.get('object') is None or any(re.fullmatch(re.escape(f['object']) + r'\d*', p) for p in path)
            return x['object'] is None or f.get('object') in (None, x['object'])
        optional.append(fits)
        if stuck and x['id'] != 'no-progress':
            continue  # the launch ends where one work-item runs forever
        if not sure or x['late'] or again or racy & set(path) or (racy and len(path) > 1):
            continue  # what a racing read sees is anybody's guess, and what became of it
        if x['id'] == 'no-progress':
            claims.append(('no-progress', ['no-progress'], lambda f: f['id'] in ('no-progress', 'instruction-limit')))
        else:
            claims.append((f"{x['id']} at line {x['line']} '{x['object'] or x['path']}' {x['how']}", [x['id']], fits))

    # Writes of one value beside a read that races with them: the pair may be reported as such when the race is reported too.
    raced = {f.get('object') for f in findings if f['id'] == 'data-race'}
    optional.append(lambda f: f['id'] == 'same-value-race' and f.get('object') in raced and
                    any(fits({**f, 'id': 'data-race'}) for fits in map(race_fits, races + some_races)))

    # What may only be read is written all the same, so it may race; the oracle's walk leaves such a write out.
    written = {x['object'] for x in found + some_found if x['id'] == 'read-only-write'}
    optional.append(lambda f: f['id'] in RACES and f.get('object') in written)

    # Where such a value decides a branch either way is right: what it does after the branch that one of the two did not take.
    deciding = {x['path'].split(' ')[0] for x in found + some_found if x['how'] == 'branch'}
    optional.append(lambda f: f['id'] == 'uninitialized-read' and any(re.fullmatch(re.escape(f.get('object') or '?') + r'\d*', p) for p in deciding))

    # Whether a compare-exchange with such a value takes a lock is anybody's guess, and so is what races after it.
    guessed = any(x['id'] == 'uninitialized-read' and x['how'] == 'atomic' for x in found + some_found)
    optional.append(lambda f: guessed and f['id'] in RACES)

    right, missed = [], []
    for what, ids, fits in claims:
        if set(ids) & set(judged):
            (right if any(map(fits, findings)) else missed).append(what)
    false = [f"{f['id']} at {[place(s) for s in f['sides']]} '{f.get('object')}' {f['title']}" for f in findings
             if f['id'] in judged and not is_of_other_schedule(f) and not any(fits(f) for fits in optional) and
             not any(fits(f) for _, _, fits in claims) and not all_parted]
    return right, false, missed


def racing_reads(verdicts):
    """Objects of which in any order something is read that another work-item writes, and nothing says when."""
    return {r['object'] for v in verdicts for r in v['races'] if any(p[0] == 'data-race' for p in r['pairs'])}


def held_against(verdicts, source, options, workdir, bitcode, environ=None):
    """What cldbg reports, beside what the oracle found in `bitcode`."""
    if any(o.startswith('--schedule=') for o in options):
        raise Unknown('one schedule, which the oracle does not run')
    with open(source) as f:
        if 'cldbg-assume' in f.read():
            raise Unknown('assumptions, which the oracle does not read')
    judged = JUDGED
    for o in options:
        if o.startswith('--check=none,'):
            judged = o.split(',')[1:]
    for v in verdicts:
        if v['status'] != 'ok':
            raise Unknown(v['status'])
    run = options
    if any(x['id'] == 'no-progress' for v in verdicts for x in v['findings']):
        run = [*options, f'--instruction-limit={LIMIT}']  # an endless loop that touches no memory need not be seen as one
    findings = reported(source, run, workdir, environ)
    result = compare(verdicts, findings, judged)
    if any('uninitialized-read' in x for x in result[1]):  # by bits, which the design does not promise
        result = compare(verdicts, findings, judged, walked(bitcode, [[*options, '--by-bytes']], workdir)[0])
    if (result[1] or result[2]) and any(f['id'] == 'data-race' for f in findings):  # what a value in a race decides: one work-item after the other, as in the oracle
        right, false, missed = compare(verdicts, reported(source, [*run, '--gang=1', '--compute-units=1'], workdir, environ), judged)
        others = racing_reads(verdicts)
        false += [x for x in result[1] if not others - {x.split("'")[1]}]
        result = right, false, missed
    return result


def judge(source, options, workdir):
    bitcode = compiled(source, options, workdir)
    return held_against(walked(bitcode, [options], workdir)[0], source, options, workdir, bitcode)


def with_kernel(k, options):
    if not k.kernels:
        with open(k.path) as f:
            k.kernels = re.findall(r'kernel void (\w+)', f.read())
    if k.kernels and not any(o.startswith('--kernel') for o in options):
        return ['--kernel=' + k.kernels[0], *options]
    return options


def judge_file(path):
    k = annotated.Kernel(path)
    results = []
    with tempfile.TemporaryDirectory() as workdir:
        for options in k.runs:
            try:
                results.append((options, judge(path, with_kernel(k, options), workdir)))
            except Unknown as e:
                results.append((options, str(e)))
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                results.append((options, ([], [], [f'no report: {e}'])))
    return path, results


def main():
    args = sys.argv[1:]
    paths = sorted(annotated.find([a for a in args if a != '-v'] or [annotated.HERE]))
    total = {'kernels': 0, 'right': 0, 'false': 0, 'missed': 0, 'unknown': 0}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, results in pool.map(judge_file, paths):
            for options, r in results:
                total['kernels'] += 1
                if isinstance(r, str):
                    total['unknown'] += 1
                    print(f'unknown {path}: {r}')
                    continue
                for key, list_ in zip(('right', 'false', 'missed'), r):
                    total[key] += len(list_)
                if r[1] or r[2]:
                    print(path, shlex.join(options))
                    print('\n'.join([f'    false alarm: {x}' for x in r[1]] + [f'    missed: {x}' for x in r[2]] +
                                    ([f'    right: {x}' for x in r[0]] if '-v' in args else [])))
    print(total)


if __name__ == '__main__':
    main()
