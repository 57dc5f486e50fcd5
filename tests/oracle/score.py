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
  --part=K/N    the K-th of N parts, which have no kernel (with its mutants) in common and are all of them together
  --arithmetic=no  only generated kernels that share memory, none that only compute
  --jobs=N      programs at once (2)
  --every=N     shows the figures after so many kernels, too (as at the end, or at SIGTERM)
  --patience=N  seconds of the oracle for each order (20)   --unjudged=FILE       what was not judged, and why, is added there
  --again=FILE  only those that are in there
  --keep=DIR    write each kernel on which the two disagree there, with its options
Environment: CLDBG, WALKER, CLANG. The exit status is 1 when anything was missed or wrongly reported.
"""
import concurrent.futures
import contextlib
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, '..', 'fuzz'))
import batch  # noqa: E402
import judge  # noqa: E402
import mutate  # noqa: E402
import generate  # noqa: E402
import planted  # noqa: E402

CHUNK = 40  # kernels in a program
SHAPES = [(64, 64), (96, 32), (60, 12), (7, 1), (51, 17)]


class Case:
    def __init__(self, group, name, text, options, ids=None):
        self.group, self.name, self.text, self.options = group, name, text, options
        self.ids = ids  # one of these by construction (none: right by construction), or None: only the oracle knows


def corpus(path):
    k = judge.annotated.Kernel(path)
    with open(path) as f:
        text = f.read()
    return [Case('corpus', k.name, text, judge.with_kernel(k, options)) for options in k.runs]


def generated(seed, arithmetic):
    text, options, ids = planted.generate(seed)
    cases = [Case('planted' if ids else 'generated', f'planted.py {seed}', text, options, ids)]
    if arithmetic:
        r = random.Random(seed)
        size, local = SHAPES[seed % len(SHAPES)]
        cases.append(Case('generated', f'generate.py {seed}', generate.generate(seed),
                          ['--kernel=k', f'--global={size}', f'--local={local}', '--arg=uint[37]=' + ','.join(str(r.getrandbits(32)) for _ in range(37)),
                           f'--arg=uint[{16 * size}]=0', '--arg=int[16]=0', '--arg=int=37'], set()))
    return cases


def mutants_of(cases, group):
    for c in cases:
        for n, (what, text, options) in enumerate(mutate.mutants(c.text, c.options)):
            yield Case(group, f'{c.name}: {what} (mutant {n})', text, options)


def all_cases(what, options, r):
    """Kernel by kernel in any order, each with its mutants."""
    sample, corpus_sample = float(options.get('sample', 1)), float(options.get('corpus-sample', 1))
    arithmetic = options.get('arithmetic', 'yes') == 'yes'
    first = int(options.get('first', 0))
    kernels = [('corpus', path) for path in sorted(judge.annotated.find([judge.annotated.HERE]))] if {'corpus', 'mutants'} & set(what) else []
    kernels += [('generated', seed) for seed in range(first, first + int(options.get('count', 20)))] if 'generated' in what else []
    k, n = map(int, options.get('part', '1/1').split('/'))
    kernels = [of for of in kernels if zlib.crc32(os.path.basename(str(of[1])).encode()) % n == k - 1]  # by name: a new kernel moves no other
    r.shuffle(kernels)
    for kind, of in kernels:
        cases = corpus(of) if kind == 'corpus' else generated(of, arithmetic)
        if kind in what and (kind != 'corpus' or r.random() < corpus_sample):
            yield from cases
        if kind == 'generated' or 'mutants' in what:
            yield from (c for c in mutants_of(cases, 'mutants' if kind == 'corpus' else 'mutants of generated') if r.random() < sample)


def decide(case):
    """One case on its own."""
    with tempfile.TemporaryDirectory() as workdir:
        path = os.path.join(workdir, 'kernel.cl')
        with open(path, 'w') as f:
            f.write(case.text)
        try:
            return judge.judge(path, case.options, workdir)
        except judge.Unknown as e:
            return e.args[0]
        except subprocess.TimeoutExpired:
            return [], [], ['no end of cldbg']
        except RuntimeError as e:
            return [], [], [str(e)]


def by_construction(case, verdict):
    """The same verdict, or what is wrong with it."""
    if isinstance(verdict, str) or case.ids is None:
        return verdict
    if case.ids and not any(i in what for i in case.ids for what in verdict[0] + verdict[2]):
        return [], [], [f'the oracle does not see what is planted: {case.ids}']
    return ([], verdict[0], []) if not case.ids and verdict[0] else verdict


def decide_all(cases):
    """Cases of one program; what the two disagree on, and what cannot be part of a program of many, is tried on its own."""
    verdicts = [None] * len(cases)
    if len(cases) > 1:
        with contextlib.suppress(RuntimeError):  # the walker ended early: of which case shows by itself
            verdicts = batch.decide([(c.text, c.options) for c in cases])
    return [by_construction(c, decide(c) if v is None or not isinstance(v, str) and (v[1] or v[2]) else v) for c, v in zip(cases, verdicts)]


def programs(cases):
    """Cases with equal build options, some of them at a time."""
    open_ = {}
    for c in cases:
        part = open_.setdefault((c.text if c.group == 'corpus' else '', batch.build_options(c.options)), [])
        part.append(c)
        if len(part) == CHUNK:
            yield list(part)
            part.clear()
    yield from (part for part in open_.values() if part)


def keep(folder, number, case, verdict):
    os.makedirs(folder, exist_ok=True)
    words = [f'{kind} {x}'.replace('\n', ' ') for kind, list_ in (('FALSE', verdict[1]), ('MISSED', verdict[2])) for x in list_]
    with open(os.path.join(folder, f'{case.group}-{number}.cl'.replace(' ', '-')), 'w') as f:
        f.write(f'// {case.name}\n// RUN: {shlex.join(case.options)}\n')
        f.write(''.join(f'// {x}\n' for x in words))
        f.write(case.text)


def known_as(case):
    return f'{case.name}\t{shlex.join(case.options)}'


def those_of(cases, path):
    with open(path) as f:
        names = {line.rsplit('\t', 1)[0] for line in f}
    return (c for c in cases if known_as(c) in names)


class Score:
    def __init__(self, keep_in, reasons, unjudged):
        self.groups, self.unknown, self.failed, self.keep_in, self.reasons, self.unjudged = {}, {}, 0, keep_in, reasons, unjudged

    def add(self, case, verdict):
        s = self.groups.setdefault(case.group, [0, 0, 0, 0, 0, 0])
        s[0] += 1
        if isinstance(verdict, str):
            s[1] += 1
            self.unknown[verdict[:60]] = self.unknown.get(verdict[:60], 0) + 1
            if self.unjudged:
                with open(self.unjudged, 'a') as f:
                    f.write(f'{known_as(case)}\t{verdict}\n')
            return
        s[2] += bool(verdict[0] or verdict[2])
        for i in range(3):
            s[3 + i] += len(verdict[i])
        if verdict[1] or verdict[2]:
            self.failed += 1
            print(f'{case.name}  {shlex.join(case.options)}')
            print('\n'.join([f'    false alarm: {x}' for x in verdict[1]] + [f'    missed: {x}' for x in verdict[2]]), flush=True)
            if self.keep_in:
                keep(self.keep_in, self.failed, case, verdict)

    def show(self):
        print(f'{"":24}{"kernels":>9}{"not judged":>12}{"wrong ones":>12}{"findings":>10}{"false":>7}{"missed":>8}{"precision":>11}{"recall":>8}')
        for group, (n, left, wrong, right, false, missed) in sorted(self.groups.items()):
            precision, recall = right / ((right + false) or 1), right / ((right + missed) or 1)
            print(f'{group:24}{n:9}{left:12}{wrong:12}{right:10}{false:7}{missed:8}{precision if right else 1:11.4f}{recall if right else 1:8.4f}')
        for why, n in sorted(self.unknown.items(), key=lambda x: -x[1])[:self.reasons]:
            print(f'not judged, {n}: {why}')
        sys.stdout.flush()


def ahead(pool, parts, end):
    """(cases, verdicts) of one program after the other, as they are done, few of them under way; none begins after the end."""
    under_way, parts = {}, iter(parts)
    while True:
        while len(under_way) < 4 and time.monotonic() < end[0] and (part := next(parts, None)):
            under_way[pool.submit(decide_all, part)] = part
        if not under_way:
            return
        for verdicts in concurrent.futures.wait(under_way, return_when=concurrent.futures.FIRST_COMPLETED).done:
            yield under_way.pop(verdicts), verdicts.result()


def main():
    what = [a for a in sys.argv[1:] if not a.startswith('--')] or ['corpus', 'mutants', 'generated']
    if '--help' in sys.argv:
        print(__doc__)
        return 0
    options = dict(a[2:].split('=', 1) for a in sys.argv[1:] if a.startswith('--'))
    end = [time.monotonic() + float(options.get('seconds', 1e9))]
    signal.signal(signal.SIGTERM, lambda *_: end.__setitem__(0, 0))
    score = Score(options.get('keep'), int(options.get('reasons', 0)), options.get('unjudged'))
    judge.PATIENCE, every, shown = float(options.get('patience', judge.PATIENCE)), int(options.get('every', 10**9)), 0
    chosen = all_cases(what, options, random.Random(int(options.get('seed', 1))))
    if 'again' in options:
        chosen = those_of(chosen, options['again'])
    with concurrent.futures.ThreadPoolExecutor(int(options.get('jobs', 2))) as pool:
        for cases, verdicts in ahead(pool, programs(chosen), end):
            for case, verdict in zip(cases, verdicts):
                score.add(case, verdict)
            shown += len(cases)
            if shown >= every:
                score.show()
                shown = 0
    score.show()
    return 1 if score.failed or not score.groups else 0


if __name__ == '__main__':
    sys.exit(main())
