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
         '-emit-llvm', '-c', '-w', '-fno-discard-value-names', '-D__OPENCL_VERSION__=300']
RACES = ('data-race', 'same-value-race', 'missing-fence')
WILD = ('out-of-bounds', 'address-space', 'null-dereference', 'misaligned-access')
JUDGED = RACES + WILD + ('uninitialized-read', 'barrier-divergence', 'division-by-zero', 'use-after-release', 'read-only-write',
                         'async-not-waited', 'no-progress', 'invalid-conversion')


class Unknown(Exception):
    """The oracle does not know what this kernel does."""


def oracle(source, options, workdir, name='kernel'):
    std, plain, clang = '-cl-std=CL1.2', [], []
    for o in options:
        if o.startswith('--build-options='):
            for w in shlex.split(o.split('=', 1)[1]):
                if w.startswith('-cl-std='):
                    std = w
                else:
                    clang.append(w)
        else:
            plain.append(o)
    bitcode = os.path.join(workdir, name + '.bc')
    p = subprocess.run([CLANG, *FLAGS, std, *clang, '-o', bitcode, source], capture_output=True, text=True)
    if p.returncode:
        raise Unknown('clang: ' + p.stderr.strip().split('\n')[0])
    p = subprocess.run([WALKER, bitcode, *plain], capture_output=True, text=True, timeout=300,
                       env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
    if p.returncode not in (0, 3):
        raise Unknown(f'walker: status {p.returncode}: {p.stderr.strip()[-200:]}')
    verdict = json.loads(p.stdout)
    if verdict['status'] != 'ok':
        raise Unknown(verdict['status'])
    return verdict


def reported(source, options, workdir, name='kernel'):
    out = os.path.join(workdir, name + '.json')
    if os.path.exists(out):
        os.remove(out)
    p = subprocess.run([*CLDBG, 'run', source, *options, '--report=json:' + out, '--log-file=/dev/null'], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=120)
    if p.returncode not in (0, 1) or not os.path.exists(out):
        raise RuntimeError(f'cldbg: status {p.returncode}: {p.stderr.strip()[-300:]}')
    with open(out) as f:
        return json.load(f)['findings']


def place(side):
    p = side['place']
    return p.get('line', 0), p.get('column', 0)


def compare(verdict, findings):
    """(right, false alarms, misses): lists of texts."""
    right, false, missed = [], [], []
    claims = []  # (what, predicate on a finding)
    races = verdict['races']
    racy = {r['object'] for r in races}
    after_divergence = bool(verdict['divergence'])

    def fits_race(f, r):
        lines = sorted(place(s)[0] for s in f['sides'])
        if f.get('object', '') != r['object'] or len(lines) != 2:
            return False
        for kind, l1, c1, l2, c2, mild in r['pairs']:
            if sorted((l1, l2)) != lines:
                continue
            if kind == f['id'] or (kind == 'possible' and f['id'] == 'missing-fence' and f['possible']):
                return True
        return False

    hoped = False
    for r in races:
        if all(p[0] == 'possible' for p in r['pairs']):
            hoped = True
            continue
        claims.append((f"race on '{r['object']}': {r['pairs']}", lambda f, r=r: f['id'] in RACES and not f['possible'] and fits_race(f, r)))
    if hoped:
        claims.append(('order that is only hoped for', lambda f: f['possible'] and f['id'] == 'missing-fence'))
    for lines in verdict['divergence']:
        claims.append((f'barrier-divergence at {lines}', lambda f, lines=lines: f['id'] == 'barrier-divergence' and place(f['sides'][0])[0] in lines))
    optional = []
    for x in verdict['findings']:
        def fits(f, x=x):
            same = f['id'] == x['id'] or (x['id'] in WILD and f['id'] in WILD and x['object'] is None)
            if not same or place(f['sides'][0])[0] != x['line']:
                return False
            if x['id'] == 'uninitialized-read':
                return f.get('object') in (None, x['first'], x['last'])
            return x['object'] is None or f.get('object') in (None, x['object'])
        if x['id'] == 'uninitialized-read' and (racy & {x['first'], x['last']}):
            optional.append(fits)  # what a racing read sees is anybody's guess
        elif x['id'] == 'no-progress':
            claims.append(('no-progress', lambda f: f['id'] == 'no-progress'))
        else:
            claims.append((f"{x['id']} at line {x['line']} '{x['object'] or x['first']}' {x['how']}", fits))
    for what, fits in claims:
        if any(fits(f) for f in findings):
            right.append(what)
        else:
            missed.append(what)
    for f in findings:
        if f['id'] not in JUDGED:
            continue
        if any(fits(f) for _, fits in claims) or any(fits(f) for fits in optional):
            continue
        if any(fits_race(f, r) for r in races):
            continue
        if after_divergence and f['id'] != 'barrier-divergence':
            continue
        false.append(f"{f['id']} at {[place(s) for s in f['sides']]} '{f.get('object')}' {f['title']}")
    return right, false, missed


def judge(source, options, workdir, name='kernel'):
    return compare(oracle(source, options, workdir, name), reported(source, options, workdir, name))


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
