#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels of generate.py in every way there is to run them: the same buffers, bit for bit, and no findings.

usage: differential.py [FIRST COUNT] [options]    so many seeds; without: regressions/, then twenty seeds
       differential.py --reduce SEED|FILE         makes a kernel small on which the answers still differ, as regressions/ wants it
       differential.py --show SEED                prints a kernel with its line for regressions/
  --seconds=N     stop after so long
  --ways=A,B,…    of checked, lanes (one at a time), threads, native, pocl, oracle; default: all
  --jobs=N        chunks at once (default: as many as processors)
Environment: CLDBG (default cli/cldbg), WALKER, CLANG. Run from the build directory.

What is checked execution's is compared with each of the others. The oracle is tests/oracle/walker, a program that shares nothing with cldbg
and must not find anything either. pocl 3.1 has mistakes of its own: where it stands
against checked execution and the oracle, that is counted and no more. Many kernels make one program, which one process builds and launches; where a
process ends early or the build fails, the halves are tried by themselves. What pocl cannot build or run is only counted.
"""
import concurrent.futures
import glob
import json
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'oracle')]
import generate  # noqa: E402
import judge  # noqa: E402
import launches  # noqa: E402
import reduce as shorter  # noqa: E402

BINARY = os.environ.get('LAUNCHES', 'tests/fuzz/launches')
SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (130, 65), (256, 256), (51, 17)]
CLDBG_WAYS = {'checked': ['--compute-units=1'], 'lanes': ['--gang=1', '--compute-units=1'],
              'threads': ['--gang=8', '--compute-units=2'], 'native': ['--native']}
WAYS = [*CLDBG_WAYS, 'pocl', 'oracle']
CHUNK, TIMEOUT, POCL_SECONDS, WALKER_TIMEOUT = 25, 300, 8, 60
CUT_SHORT = 'did not end'


class Kernel:
    def __init__(self, name, text, entry, size, group, seed):
        self.name, self.text, self.entry, self.size, self.group = name, text, entry, size, group
        r = random.Random(seed)
        self.data = [r.randrange(1 << 32) for _ in range(37)]
        self.header = f'// RUN: {size} {group} {seed}\n'

    def launch(self):
        return launches.Launch(self.entry, [self.size], [self.group], [
            ('buffer', struct.pack('37I', *self.data)), ('zero', 64 * self.size), ('zero', 64), ('value', struct.pack('i', 37))])

    def options(self):
        return [f'--kernel={self.entry}', f'--global={self.size}', f'--local={self.group}',
                '--arg=uint[37]=' + ','.join(map(str, self.data)), f'--arg=uint[{16 * self.size}]=0', '--arg=int[16]=0', '--arg=int=37']


def of_seed(seed):
    size, group = SHAPES[seed % len(SHAPES)]
    return Kernel(f'seed {seed}', generate.generate(seed, f'_{seed}'), f'k_{seed}', size, group, seed)


def of_file(path):
    with open(path) as f:
        text = f.read()
    size, group, seed = map(int, re.match(r'// RUN: (\d+) (\d+) (\d+)\n', text).groups())
    return Kernel(os.path.basename(path), text, re.search(r'kernel void (\w+)', text)[1], size, group, seed)


# ---- ways: each gives, by kernel, its buffers or why there are none, and ids of findings

def together(kernels, folder, attempt):
    """attempt(path, kernels) for all, or where that fails for halves of them."""
    with tempfile.NamedTemporaryFile('w', dir=folder, suffix='.cl', delete=False) as f:
        f.write('\n'.join(k.text for k in kernels))
    why = attempt(f.name, kernels)
    if not isinstance(why, str):
        return why
    if len(kernels) == 1:
        return {kernels[0].name: (why, [])}
    half = len(kernels) // 2
    return {**together(kernels[:half], folder, attempt), **together(kernels[half:], folder, attempt)}


def by_name(kernels, results, findings):
    """Of those that were launched; a text when some are missing."""
    if len(results) != len(kernels) or any(not b or isinstance(b, str) for _, b in results):
        return next((b for _, b in results if isinstance(b, str) and b), CUT_SHORT)
    return {k.name: (b, sorted({f['id'] for f in findings if f['kernel'] == k.entry})) for k, (_, b) in zip(kernels, results)}


def under_cldbg(options):
    def attempt(path, kernels):
        try:
            results, findings = launches.under_cldbg(BINARY, [(path, '-w', [k.launch() for k in kernels])], options, TIMEOUT)
        except (RuntimeError, subprocess.TimeoutExpired, OSError) as e:
            return str(e)[-300:]
        return by_name(kernels, results, findings)
    return attempt


def on_pocl(path, kernels):
    """What it did not end, or died of, is left out and the rest tried again. Its optimizer takes seconds or minutes for many of them."""
    told, left = {}, kernels
    while left:
        results = launches.elsewhere(BINARY, [(path, '-w -cl-opt-disable', [k.launch() for k in left])], launches.pocl(), POCL_SECONDS)
        if not told and results and all(isinstance(b, str) for _, b in results):
            return results[0][1]  # the program is not built
        if results and not results[-1][1]:
            results.pop()
        told.update((k.name, (b, [])) for k, (_, b) in zip(left, results))
        left = left[len(results):]
        if left:
            told[left.pop(0).name] = CUT_SHORT, []
    return told


def by_oracle(path, kernels):
    bitcode = path + '.bc'
    p = subprocess.run([judge.CLANG, *judge.FLAGS, '-cl-std=CL1.2', '-Werror=return-type', '-o', bitcode, path], capture_output=True, text=True)
    if p.returncode:
        return 'clang: ' + p.stderr.strip().split('\n')[0]
    told = {}
    for k in kernels:
        try:
            p = subprocess.run([judge.WALKER, bitcode, *k.options(), '--values'], capture_output=True, text=True, timeout=WALKER_TIMEOUT,
                               env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0'})
            v = json.loads(p.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            told[k.name] = CUT_SHORT, []
            continue
        ids = sorted({f['id'] for f in v['findings']} | {q[0] for r in v['races'] for q in r['pairs']} | ({'barrier-divergence'} if v['divergence'] else set()))
        told[k.name] = ([bytes.fromhex(b) for b in v['buffers']] if v['status'] == 'ok' else v['status']), ids
    return told


def run(kernels, ways, folder):
    """{way: {kernel's name: (buffers or text, ids)}}"""
    attempts = {**{w: under_cldbg(o) for w, o in CLDBG_WAYS.items()}, 'pocl': on_pocl, 'oracle': by_oracle}
    return {w: together(kernels, folder, attempts[w]) for w in ways}


def wrong_with(name, told):
    """What is wrong about a kernel, in few words, or None."""
    first = told['checked'][name][0]
    for way, results in told.items():
        got, ids = results[name]
        if ids:
            return f'{way} finds {" ".join(ids)}'
        if isinstance(got, str):
            if way not in ('pocl', 'oracle'):
                return f'{way}: {got}'
        elif not isinstance(first, str) and got != first and not (way == 'pocl' and first == told['oracle' if 'oracle' in told else 'pocl'][name][0]):
            alike = [w for w, r in told.items() if r[name][0] == first]
            return f'{way} computes something else than {", ".join(alike)}'
    return None


# ---- making it small

def reduce(kernel, ways, end):
    """What is wrong, and the smallest text that time allowed."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault('CLDBG_CACHE', os.path.join(folder, 'cache'))
        wrong = wrong_with(kernel.name, run([kernel], ways, folder))
        if not wrong:
            return None, kernel.text
        print(wrong, file=sys.stderr)
        need = ['oracle', *(w for w in ways if w == 'checked' or wrong.startswith(w))]  # without the oracle, what is undefined would stay

        def still(lines):
            text = '\n'.join(lines) + '\n'
            if text.count('{') != text.count('}') or time.monotonic() > end:
                return False
            kernel.text = text
            told = run([kernel], need, folder)
            if any(isinstance(told[w][kernel.name][0], str) and w not in wrong for w in need):
                return False
            now = wrong_with(kernel.name, told)
            return now is not None and now.split(' than')[0].split(':')[0] == wrong.split(' than')[0].split(':')[0]

        lines, shrunk = kernel.text.split('\n'), True
        while shrunk:
            shrunk = False
            at = 0
            candidates = shorter.spans(lines)
            while at < len(candidates):
                first, last = candidates[at]
                at += 1
                if last <= len(lines) and still(lines[:first] + lines[last:]):
                    lines, shrunk, candidates = lines[:first] + lines[last:], True, shorter.spans(lines[:first] + lines[last:])
                    print(f'{len(lines)} lines', file=sys.stderr)
                    at = next((i for i, s in enumerate(candidates) if s[1] - s[0] <= last - first), len(candidates))
            for candidate in [*shorter.unwrapped(lines), *shorter.simpler(lines)]:
                if len('\n'.join(candidate)) < len('\n'.join(lines)) and still(candidate):
                    lines, shrunk = candidate, True
                    break
        return wrong, '\n'.join(lines) + '\n'


def main():
    if '--help' in sys.argv:
        print(__doc__)
        return 0
    options = dict(a[2:].split('=', 1) if '=' in a else (a[2:], '') for a in sys.argv[1:] if a.startswith('--'))
    args = [a for a in sys.argv[1:] if not a.startswith('--')]
    end = time.monotonic() + float(options.get('seconds', 1e9))
    ways = options['ways'].split(',') if 'ways' in options else [w for w in WAYS if w != 'pocl' or launches.pocl()]
    if 'checked' not in ways:
        ways.insert(0, 'checked')
    if 'show' in options or 'reduce' in options:
        kernel = of_file(args[0]) if not args[0].isdigit() else of_seed(int(args[0]))
        wrong, text = (None, kernel.text) if 'show' in options else reduce(kernel, ways, end)
        if 'reduce' in options and not wrong:
            print('nothing is wrong')
            return 0
        sys.stdout.write(text if text.startswith('// RUN') else kernel.header + text)
        return 0
    if args:
        first, count = map(int, args)
        chunks = [list(map(of_seed, range(s, min(s + CHUNK, first + count)))) for s in range(first, first + count, CHUNK)]
    else:
        folder = os.path.join(HERE, 'regressions')
        chunks = [[of_file(f)] for f in sorted(glob.glob(os.path.join(folder, '*.cl')))]
        chunks += [[of_seed(s) for s in range(f, f + 5)] for f in range(0, 20, 5)]
    done, bad, compared = 0, 0, dict.fromkeys(ways, 0)
    alone, reasons = 0, {}
    jobs = int(options.get('jobs', os.cpu_count()))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        os.environ.setdefault('CLDBG_CACHE', os.path.join(folder, 'cache'))
        for kernels, told in zip(chunks, pool.map(lambda c: run(c, ways, folder) if time.monotonic() < end else None, chunks)):
            if told is None:
                continue
            done += len(kernels)
            for k in kernels:
                wrong = wrong_with(k.name, told)
                bad += wrong is not None
                if wrong:
                    print(f'{k.name}: {wrong}', flush=True)
                pocl = told.get('pocl', told['checked'])[k.name][0]
                alone += not wrong and not isinstance(pocl, str) and pocl != told['checked'][k.name][0]
                for w in ways:
                    got = told[w][k.name][0]
                    compared[w] += not isinstance(got, str)
                    if isinstance(got, str):
                        reasons[f'{w}: {got}'[:90]] = reasons.get(f'{w}: {got}'[:90], 0) + 1
            if 'progress' in options:
                print(f'… {done} kernels, {bad} wrong', flush=True)
    for why, n in sorted(reasons.items(), key=lambda x: -x[1])[:8]:
        print(f'{n} without an answer: {why}')
    print(f'{done} kernels, {bad} on which answers differ; answers: ' + ', '.join(f'{w} {n}' for w, n in compared.items()) +
          (f'; pocl alone against all others: {alone}' if 'pocl' in ways else ''))
    return 1 if bad or not done else 0


if __name__ == '__main__':
    sys.exit(main())
