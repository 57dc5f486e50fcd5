#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotated kernels: runs each .cl with `cldbg run` and compares what is reported with what it says.

In a kernel's remarks:
  // RUN: --global=64 --local=16 --arg=int[64]=iota    options of a run; several lines are several runs
  // EXPECT id [id...] ['object'...]
                         a finding of that id on this very line, about that variable, in every run (several: any of them)
  // OTHER id            another side of such a finding may be, or be reported, on this line
  // DUMP n: expression  contents of argument n afterwards, as a list in Python; None: any value. N and L are the
                         run's --global and --local (first dimension); by_group(f) joins f(ids of a group) of all groups;
                         T(x) is x as a value of the type that --build-options has as -DT=type
  // SAYS: text          the report has this text (the file's folder left out)
  // NOTE: text          a note of the report ("   = text"); a file with any has all of them, in order
  // OUTPUT: text        stdout has this text
A file without EXPECT expects silence. The values of DUMP are computed here, not copied from a run.
Every run is repeated with other sizes of gangs and numbers of threads, which must not show; silent ones under 16 schedules, too. Memory ends at pages that fault (guard.c, where
it is built).

With --native the kernels that expect silence, or nothing but barrier-divergence, are run as machine code: what they compute must be the
same (at divergent barriers it is defined as well), nothing is told. Those that are marked NOT-NATIVE must be refused with words.

With --engine=check every launch that can be proved runs as machine code, too, and must leave the same bytes. --every=N: of the kernels every
Nth.

usage: run.py [-v] [--native] [--engine=NAME] [--every=N] [file or folder...]   environment: CLDBG, the command to test (default cli/cldbg)
"""
import concurrent.futures
import itertools
import math
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile

TSAN = 'CLDBG_TEST_TSAN' in os.environ  # which sees the plain stores of two threads where the kernel itself races: those run on one
TIMEOUT = 600 if TSAN else 60
RACES = ('data-race', 'same-value-race', 'missing-fence')
VARIANTS = (['--gang=1', '--compute-units=1'], ['--gang=5', '--compute-units=3'])
SCHEDULES = ['--schedules=16']
NATIVE = '--native' in sys.argv
ENGINE = [a for a in sys.argv if a.startswith('--engine=')]
EVERY = max([int(a[8:]) for a in sys.argv if a.startswith('--every=')], default=1)
if NATIVE or ENGINE:
    VARIANTS = ()
HERE = os.path.dirname(os.path.abspath(__file__))
PREFILL = os.path.abspath('tests/kernels/prefill')
GUARD = os.path.abspath('tests/kernels/.libs/guard.so')
ENVIRONMENT = {**os.environ, **({'LD_PRELOAD': GUARD} if os.path.exists(GUARD) else {})}


def wrap(bits, signed):
    def f(x):
        x &= (1 << bits) - 1
        return x - (1 << bits) if signed and x >> (bits - 1) else x
    return f


def collatz(x):
    n = 0
    while x != 1:
        x = 3 * x + 1 if x % 2 else x // 2
        n += 1
    return n


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


VALUES = {
    'math': math,
    'itertools': itertools,
    'wrap': wrap,
    **{f'i{b}': wrap(b, True) for b in (8, 16, 32, 64)},
    **{f'u{b}': wrap(b, False) for b in (8, 16, 32, 64)},
    'f32': lambda x: struct.unpack('f', struct.pack('f', x))[0],
    'bits': lambda x: struct.unpack('I', struct.pack('f', x))[0],
    'cdiv': lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),  # towards zero
    'rte': round,
    'collatz': collatz,
    'fibonacci': fibonacci,
}


class Kernel:
    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, HERE)
        self.runs, self.dumps, self.says, self.notes, self.output = [], [], [], [], []
        self.expect, self.other = {}, {}  # line -> ids
        self.objects = {}  # line -> names
        with open(path) as f:
            text = f.read()
        self.refused = '// NOT-NATIVE' in text
        self.races = re.search(f'// (EXPECT|cldbg-ignore:).*({"|".join(RACES)})', text)
        self.atomics = 'atom' in text
        self.kernels = re.findall(r'\bkernel\s+(?:__attribute__\s*\(\(.*?\)\)\)\s*)?void\s+(\w+)', text)
        for number, line in enumerate(text.split('\n'), 1):
            m = re.search(r'//\s*(RUN|DUMP (\d+)|SAYS|NOTE|OUTPUT):\s*(.*)', line)
            if m and m[1] == 'RUN':
                self.runs.append(shlex.split(m[3]))
            elif m and m[2]:
                self.dumps.append((int(m[2]), m[3]))
            elif m:
                {'SAYS': self.says, 'NOTE': self.notes, 'OUTPUT': self.output}[m[1]].append(m[3].strip())
            for m in re.finditer(r"//\s*(EXPECT|OTHER)((?:\s+[a-z-]+)+)((?:\s+'\w+')*)", line):
                (self.expect if m[1] == 'EXPECT' else self.other)[number] = m[2].split()
                if m[3]:
                    self.objects[number] = re.findall(r'\w+', m[3])


class Finding:
    def __init__(self, line, severity, kind):
        self.line, self.severity, self.kind, self.lines, self.object = line, severity, kind, set(), None
        self.also = []  # lines of each further place of the same cause


def parse_report(text, path):
    findings, strange = [], []
    for line in text.split('\n'):
        m = re.match(r'(.+?)(?::(\d+))?(?::(\d+))?: (error|warning|advice): .* \[([a-z-]+)\]$', line)
        if m and m[4] == 'advice' and m[5] != 'needless-barrier':
            continue  # about costs
        if m:
            findings.append(Finding(int(m[2] or 0), m[4], m[5]))
            findings[-1].object = (re.findall(r"'(\w+)'", line) or [None])[0]
            if os.path.basename(m[1]) != os.path.basename(path):
                strange.append(f'the finding names {m[1]}')
            continue
        m = re.match(r'\s*= also: (.*:\d+:\d+.*)', line) # "also: 3 more places" names none
        if m and findings:
            findings[-1].also.append([int(n) for n in re.findall(r':(\d+):\d+', m[1])])
        m = re.match(r'\s*(\d+) \| ', line)
        if m and findings:
            findings[-1].lines.add(int(m[1]))
        m = re.match(r"\s*= (?:variable )?'(\w+)' (?:is \d+ bytes|is an image|declared)", line)
        if m and findings and not findings[-1].object:
            findings[-1].object = m[1]
    return findings, strange


def parse_dumps(text):
    dumps = []
    for line in text.split('\n'):
        if re.match(r"Argument '.*': \d+ bytes", line):
            dumps.append([])
        m = re.match(r"\s+\S+\[\d+\] = (.*)$", line)
        if m and dumps:
            dumps[-1] += [float(v) if re.search(r'[.naife]', v) else int(v, 0)
                          for v in re.findall(r'[^\s(),{}]+', m[1])]
    return dumps


def same(a, b):
    if b is None:
        return True
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=2e-6, abs_tol=1e-6)
    return a == b


def check_findings(k, findings):
    problems = []
    lines_of = lambda table, kind: {n for n, kinds in table.items() if kind in kinds}
    unmet = set(k.expect)
    for f in findings:
        expected, other = lines_of(k.expect, f.kind), lines_of(k.other, f.kind)
        met = set()
        for first, *rest in [[f.line, *f.lines], *f.also]:
            here = {first} & expected or (first in other and {*rest} & expected)
            if not here:
                problems.append(f'line {first}: not expected: {f.kind}')
            met |= here or set()
        for n in met or ():
            if n in k.objects and f.object not in k.objects[n]:
                problems.append(f'line {n}: {f.kind} of {f.object} instead of {" or ".join(k.objects[n])}')
        unmet -= met or set()
    return problems + [f'line {n}: expected, not reported: {" or ".join(k.expect[n])}' for n in sorted(unmet)]


def names_of(options):
    size = {o.split('=')[0]: int(re.match(r'--\w+=(\d+)', o)[1]) for o in options if re.match(r'--(global|local)=', o)}
    n, local = size.get('--global', 1), size.get('--local')
    by_group = local and (lambda f: [x for first in range(0, n, local) for x in f(list(range(first, min(first + local, n))))])
    named = re.search(r'-DT=(u?)(\w+)', ' '.join(options))
    bits = named and {'char': 8, 'short': 16, 'int': 32, 'long': 64}.get(named[2])
    return {**VALUES, 'N': n, 'L': local, 'by_group': by_group, 'T': wrap(bits, not named[1]) if bits else lambda x: x}


def check_dumps(k, options, dumps):
    problems = []
    if len(dumps) != len(k.dumps):
        return [f'{len(dumps)} dumps instead of {len(k.dumps)}']
    for (arg, text), got in zip(k.dumps, dumps):
        expected = eval(text, names_of(options))
        if expected is None:
            continue
        if len(got) != len(expected):
            problems.append(f'dump of argument {arg}: {len(got)} values instead of {len(expected)}')
            continue
        wrong = [i for i in range(len(got)) if not same(got[i], expected[i])]
        if wrong:
            i = wrong[0]
            problems.append(f'dump of argument {arg}: [{i}] is {got[i]} instead of {expected[i]}'
                            f' ({len(wrong)} of {len(got)} wrong)')
    return problems


def command(k, options, cldbg):
    cmd = shlex.split(cldbg) + ['run', k.path] + options + (['--native'] if NATIVE else ENGINE)
    if k.kernels and not any(o.startswith('--kernel') for o in options):
        cmd.append('--kernel=' + k.kernels[0])
    if TSAN and k.races:
        cmd = [o for o in cmd if not o.startswith('--compute-units')] + ['--compute-units=1']
    return cmd + [f'--dump={arg}' for arg, _ in k.dumps]


def execute(cmd):
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, env=ENVIRONMENT)
    return p.returncode, p.stdout.decode(errors='replace'), p.stderr.decode(errors='replace')


def check_variant(k, options, variant, cldbg, expected):
    got = execute(command(k, options + variant, cldbg))
    if variant == SCHEDULES:
        got = (*got[:2], re.sub(r'( in 1 kernel launch) under (16 schedules|one schedule)', r'\1', got[2]))
    if got == expected:
        return []
    if any(kind in RACES for kinds in k.expect.values() for kind in kinds):
        # what a racy kernel computes may differ, and which of its work-items are the example
        return [f'with {" ".join(variant)}: {p}' for p in check_findings(k, parse_report(got[2], k.path)[0])]
    lines = [t.split('\n') for t in ('\n'.join(map(str, expected)), '\n'.join(map(str, got)))]
    first = next((x for x in zip(*lines) if x[0] != x[1]), ('(end)', '(end)'))
    return [f'with {" ".join(variant)} another answer:', f'  {first[0]}', f'  {first[1]}']


def run(k, options, cldbg):
    cmd = command(k, options, cldbg)
    shown = 'command: ' + shlex.join(cmd)
    report = ''
    try:
        code, out, report = execute(cmd)
        findings, problems = parse_report(report, k.path)
        if NATIVE and k.refused:
            return [] if code == 2 and 'is not run natively' in report else ['it should be refused', shown, *report.split('\n')]
        status = 1 if any(f.severity == 'error' for f in findings) else 0
        if code != status:
            problems.append(f'exit status {code} instead of {status}')
        if code in (0, 1):
            problems += check_findings(k, findings) + check_dumps(k, options, parse_dumps(out))
            said = re.sub(r'\S*/(?=' + re.escape(os.path.basename(k.path)) + ')', '', report)
            notes = [n for n in re.findall(r'^   = (.*)', said, re.M) if not n.startswith('help: ')]
            if not NATIVE and k.notes and notes != k.notes:
                problems += ['other notes:', *notes]
            if not NATIVE:
                problems += [f'the report does not say: {s}' for s in k.says if s not in said]
            problems += [f'stdout does not say: {s}' for s in k.output if s not in out]
            schedules = [SCHEDULES] if VARIANTS and k.atomics and not findings and not any(o.startswith('--schedule') for o in options) else []
            for variant in [*VARIANTS, *schedules]:
                problems += check_variant(k, options, variant, cldbg, (code, out, report))
    except subprocess.TimeoutExpired:
        problems = [f'no end after {TIMEOUT} s']
    return problems and problems + [shown] + report.split('\n')[:40]


def test(path, cldbg):
    try:
        k = Kernel(path)
    except Exception as e:
        return path, [f'bad annotation: {e!r}']
    problems = [] if k.runs else ['no RUN line']
    if not k.dumps and not k.expect:
        problems.append('neither DUMP nor EXPECT: it cannot fail')
    if NATIVE:
        k.expect, k.other = {}, {}
    for options in k.runs:
        problems += run(k, options, cldbg)
    return k.name, problems


def prefill(paths, cldbg):
    """Fills the cache with the programs of all kernels: many in one process, for which the compiler is started once."""
    programs = {}
    for path in paths:
        with open(path) as f:
            for options in re.findall(r'//\s*RUN:\s*(.*)', f.read()):
                built = [o.split('=', 1)[1] for o in shlex.split(options) if o.startswith('--build-options=')]
                programs.setdefault(os.path.dirname(path), {})[f'{path}\t{built[-1] if built else ""}\n'] = True
    chunks = [(folder, lines[i:i + 50]) for folder, lines in ((f, list(p)) for f, p in programs.items()) for i in range(0, len(lines), 50)]

    def build(chunk):
        cmd = shlex.split(cldbg) + [f'--source-dir={chunk[0]}'] + (['--native'] if NATIVE else []) + [PREFILL]
        subprocess.run(cmd, input=''.join(chunk[1]), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT, timeout=TIMEOUT * 10)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, chunks))


def find(paths):
    for p in paths:
        if not os.path.isdir(p):
            yield p
        for folder, _, names in os.walk(p):
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith('.cl'))


def main():
    args = sys.argv[1:]
    verbose = '-v' in args
    paths = sorted(find([a for a in args if not a.startswith('-')] or [HERE]))[::EVERY]
    if NATIVE:
        paths = [p for p in paths if not re.search(r'// EXPECT (?!barrier-divergence)', open(p).read())]
    cldbg = os.environ.get('CLDBG', 'cli/cldbg')
    with tempfile.TemporaryDirectory() as cache, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ENVIRONMENT.setdefault('CLDBG_CACHE', cache)
        if len(paths) > 20 and os.path.exists(PREFILL):
            prefill(paths, cldbg)
        results = list(pool.map(lambda p: test(p, cldbg), paths))
    failed = [r for r in results if r[1]]
    for name, problems in results:
        if problems:
            print(f'FAIL {name}')
            print('\n'.join('     ' + p for p in problems))
        elif verbose:
            print(f'ok   {name}')
    print(f'{len(results) - len(failed)} kernels as annotated, {len(failed)} not')
    return 1 if failed or not results else 0


if __name__ == '__main__':
    sys.exit(main())
