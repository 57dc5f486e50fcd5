#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Precision and recall of cldbg by exact id, places and object; the truth is the oracle's.

usage: score.py [what...] [options]
  what: corpus      the annotated kernels of tests/kernels
        mutants     theirs
        generated   random kernels: right by construction, with planted bugs, and mutants of both
        (none: all three)
  --seconds=N   stop after so long (default: no limit)      --first=N --count=N   seeds of generated kernels
  --sample=P    take part P of all mutants (0..1)           --corpus-sample=P     and of the corpus
  --seed=N      which part, and in what order               --reasons=N           say why kernels were not judged
  --arithmetic=no  only generated kernels that share memory, none that only compute
  --keep=DIR    write each kernel on which the two disagree there, with its options
Environment: CLDBG, WALKER, CLANG. The exit status is 1 when anything was missed or wrongly reported.
"""
import concurrent.futures
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, '..', 'fuzz'))
import judge  # noqa: E402
import mutate  # noqa: E402
import generate  # noqa: E402
import planted  # noqa: E402

SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (51, 17)]


class Case:
    def __init__(self, group, name, text, options, ids=None):
        self.group, self.name, self.text, self.options = group, name, text, options
        self.ids = ids  # one of these by construction (none: right by construction), or None: only the oracle knows


def corpus():
    for path in sorted(judge.annotated.find([judge.annotated.HERE])):
        k = judge.annotated.Kernel(path)
        with open(path) as f:
            text = f.read()
        for options in k.runs:
            yield Case('corpus', k.name, text, judge.with_kernel(k, options))


def mutants_of(cases, group):
    for c in cases:
        for what, text, options in mutate.mutants(c.text, c.options):
            yield Case(group, f'{c.name}: {what}', text, options)


def generated(first, count, arithmetic):
    for seed in range(first, first + count):
        text, options, ids = planted.generate(seed)
        yield Case('planted' if ids else 'generated', f'planted.py {seed}', text, options, ids)
        if not arithmetic:
            continue
        r = random.Random(seed)
        size, local = SHAPES[seed % len(SHAPES)]
        yield Case('generated', f'generate.py {seed}', generate.generate(seed),
                   ['--kernel=k', f'--global={size}', f'--local={local}', '--arg=uint[37]=' + ','.join(str(r.getrandbits(32)) for _ in range(37)), f'--arg=uint[{16 * size}]=0',
                    '--arg=int[16]=0', '--arg=int=37'], set())


def decide(case):
    with tempfile.TemporaryDirectory() as workdir:
        path = os.path.join(workdir, 'kernel.cl')
        with open(path, 'w') as f:
            f.write(case.text)
        try:
            verdict = judge.judge(path, [*case.options], workdir)
            if case.ids and not any(i in what for i in case.ids for what in verdict[0] + verdict[2]):
                return [], [], [f'the oracle does not see what is planted: {case.ids}']
            if case.ids is not None and not case.ids and verdict[0]:
                return [], verdict[0], []
            return verdict
        except judge.Unknown as e:
            return str(e)
        except subprocess.TimeoutExpired as e:
            return f'no end of {e.cmd[0]}' if judge.CLDBG[0] not in e.cmd[0] else ([], [], ['no end of cldbg'])
        except RuntimeError as e:
            return [], [], [str(e)]


def keep(folder, number, case, verdict):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f'{case.group}-{number}.cl'), 'w') as f:
        f.write(f'// {case.name}\n// RUN: {shlex.join(case.options)}\n')
        f.write(''.join(f'// FALSE {x}\n' for x in verdict[1]) + ''.join(f'// MISSED {x}\n' for x in verdict[2]))
        f.write(case.text)


def main():
    args = [a for a in sys.argv[1:] if not a.startswith('--')] or ['corpus', 'mutants', 'generated']
    options = dict(a[2:].split('=', 1) for a in sys.argv[1:] if a.startswith('--'))
    first, count = int(options.get('first', 0)), int(options.get('count', 20))
    r = random.Random(int(options.get('seed', 1)))
    sample = float(options.get('sample', 1))
    cases = []
    if 'corpus' in args:
        cases += [c for c in corpus() if r.random() < float(options.get('corpus-sample', 1))]
    if 'mutants' in args:
        cases += [c for c in mutants_of(corpus(), 'mutants') if r.random() < sample]
    if 'generated' in args:
        arithmetic = options.get('arithmetic', 'yes') == 'yes'
        cases += generated(first, count, arithmetic)
        cases += [c for c in mutants_of(generated(first, count, arithmetic), 'mutants of generated') if r.random() < sample]
    r.shuffle(cases)
    end = time.monotonic() + float(options.get('seconds', 1e9))
    score, failed, unknown = {}, 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, verdict in zip(cases, pool.map(lambda c: decide(c) if time.monotonic() < end else None, cases)):
            if verdict is None:
                continue
            s = score.setdefault(case.group, [0, 0, 0, 0, 0, 0])
            s[0] += 1
            if isinstance(verdict, str):
                s[1] += 1
                unknown[verdict[:60]] = unknown.get(verdict[:60], 0) + 1
                continue
            s[2] += bool(verdict[0] or verdict[2])
            for i in range(3):
                s[3 + i] += len(verdict[i])
            if verdict[1] or verdict[2]:
                failed += 1
                print(f'{case.name}  {shlex.join(case.options)}')
                print('\n'.join([f'    false alarm: {x}' for x in verdict[1]] + [f'    missed: {x}' for x in verdict[2]]), flush=True)
                if 'keep' in options:
                    keep(options['keep'], failed, case, verdict)
    print(f'{"":24}{"kernels":>9}{"not judged":>12}{"wrong ones":>12}{"findings":>10}{"false":>7}{"missed":>8}{"precision":>11}{"recall":>8}')
    for group, (n, left, wrong, right, false, missed) in sorted(score.items()):
        precision, recall = right / ((right + false) or 1), right / ((right + missed) or 1)
        print(f'{group:24}{n:9}{left:12}{wrong:12}{right:10}{false:7}{missed:8}{precision if right else 1:11.4f}{recall if right else 1:8.4f}')
    for why, n in sorted(unknown.items(), key=lambda x: -x[1])[:int(options.get('reasons', 0))]:
        print(f'not judged, {n}: {why}')
    return 1 if failed or not score else 0


if __name__ == '__main__':
    sys.exit(main())
