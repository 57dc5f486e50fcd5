#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a build of the Khronos conformance tests (OpenCL-CTS) and prints what each suite gave.

usage: cts.py [options] BUILD [suite...]
  BUILD            the build folder of OpenCL-CTS: it has test_conformance/basic/test_basic and so on
  suite            basic, images/kernel_read_write, … (all that were built)
options:
  -j N             so many binaries at a time (1)
  --limit SECONDS  for a suite, this time; what it did not come to is not run, and is run the next time (600)
  --each SECONDS   for a test; the others of its suite get their turn (120)
  --stall SECONDS  of waiting, with nothing said and nothing computed: it hangs (100)
  --with COMMAND   what to put before each binary ("cldbg" of this tree); "" is the system's loader
  --full           without wimpy mode, and all of what is reduced below
  --commit NAME    the commit that was built, noted with each test (that of this tree)
  --results FILE   what is known, written after each test; tests that are in it are not run again (cts.json)
  --against FILE   results of another run: tests that pass there and do not here are listed
  --beside NAME=FILE  results of another run as one more column of the table; may be given again
  --table          nothing is run: the table of what is known (BUILD is not needed)
  --markdown       the table as doc/CONFORMANCE.md has it
  --again          suites named on the command line run again though their result is known
  --retry          tests that hung or took too long run again

Seconds are of processor time, of the binary and all that it starts, so that a busy machine does not change the table.
Suites whose single tests run for an hour are taken apart or reduced (SPLIT, CONVERSIONS, REDUCED below), so that a cut
loses little. A test is passed, failed, skipped (the device says that it lacks the feature), crashed (the binary ended in it), hung,
too long, or not run. After a crash, a hang or one that is too long the binary is started again with the tests that are
left. A finding of cldbg's is listed with its suite: the tests are right programs but for a few, so look at each.
"""
import argparse
import concurrent.futures
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import threading
import time

from effort import effort

STATES = ('passed', 'failed', 'skipped', 'crashed', 'hung', 'too long', 'not run')
REDUCED = {  # what is passed beside CL_WIMPY_MODE, to do less of each test
    'allocations': ['5%'],
    'c11_atomics': ['-internalIterations', '100', '-maxDeviceThreads', '256'],  # of 10000, 1024: 10^11 atomics, wimpy or not
    'conversions': ['-[4096]'],
    'math_brute_force': ['-[1024]'],
}
ORDERS = [f'CL_{o}' for o in ('R', 'A', 'RG', 'RA', 'RGB', 'RGBA', 'BGRA', 'ARGB', 'ABGR', 'INTENSITY', 'LUMINANCE', 'DEPTH', 'sRGB', 'sRGBA', 'sBGRA')]
SPLIT = {  # tests that become several, each in a process of its own: suite → test → arguments
    'images/kernel_read_write': {
        test: [f'{test} read {kind} {order}' for kind in ('int', 'uint', 'float') for order in ORDERS] +
              [f'{test} write {kind}' for kind in ('int', 'uint', 'float')]
        for test in ('1D', '2D', '3D', '1Darray', '2Darray')},
}
CONVERSIONS = 'conversions'  # one test that takes names of conversions: each is a test here
HERE = os.path.dirname(os.path.abspath(__file__))


def binaries(build):
    root = os.path.join(os.path.abspath(build), 'test_conformance')
    if not os.path.isdir(root):
        sys.exit(f'cts.py: {root} is not there: BUILD is the folder that OpenCL-CTS was built in')
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if name.startswith('test_') and '.' not in name and os.access(path, os.X_OK):
                found[os.path.relpath(folder, root)] = path
    return found


def conversions():
    """The names of all: dst, _sat where it is an integer, a rounding mode, and src."""
    types = 'uchar char ushort short uint int half float double ulong long'.split()
    return [f'{dst}{sat}{mode}_{src}' for dst in types for src in types
            for sat in (('',) if dst in ('half', 'float', 'double') else ('', '_sat')) for mode in ('', '_rte', '_rtp', '_rtn', '_rtz')]


class Suite:
    """One binary. `known` is what an earlier run found; `save` is called with the result so far after each test."""

    def __init__(self, name, path, options, known=None, save=lambda result: None):
        self.name, self.path, self.options, self.save = name, path, options, save
        known = known or {'tests': {}, 'findings': {}, 'seconds': 0}
        again = ('not run', 'hung', 'too long') if options.retry else ('not run',)
        self.tests = {t: s for t, s in known['tests'].items() if s not in again}
        self.findings, self.seconds = dict(known['findings']), known['seconds']
        self.times, self.ran = dict(known.get('times', {})), dict(known.get('ran', {}))
        self.log, self.words, self.nothing = None, '', False

    def start(self, args):
        env = dict(os.environ)
        if not self.options.full:
            env['CL_WIMPY_MODE'] = '1'
            args = args + REDUCED.get(self.name, [])
        # By lines, so that what it printed before it was cut is known.
        return subprocess.Popen(['stdbuf', '-oL'] + self.options.command + [self.path] + args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, cwd=os.path.dirname(self.path), env=env, start_new_session=True)

    def names(self):
        out = subprocess.run(self.options.command + [self.path, '--list'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                             stdin=subprocess.DEVNULL, cwd=os.path.dirname(self.path), timeout=60).stdout.decode(errors='replace')
        listed = [line.strip() for line in out.split('\n') if re.fullmatch(r'\t\w+', line)]
        if self.name == CONVERSIONS:
            return conversions()
        return [part for name in listed for part in SPLIT.get(self.name, {}).get(name, [name])]

    def put(self, test, state):
        self.tests[test] = state
        self.ran[test] = [time.strftime('%Y-%m-%d', time.gmtime()), self.options.commit]

    def line(self, text, left):
        """A line of the binary's output; gives the test that runs from here on, or None where it does not change."""
        if m := re.search(r': (error|warning): (.*) \[([a-z-]+)\]$', text):
            self.findings[m.group(3)] = self.findings.get(m.group(3), 0) + 1
        if self.name == CONVERSIONS:
            return self.conversion(text, left)
        said = {t.split()[0]: t for t in left}
        if m := re.match(r'(\w+)\.\.\.$', text):
            if m.group(1) in said:
                return said[m.group(1)]
        self.nothing |= text.startswith('No formats supported for')
        for m in re.finditer(r'(\w+) (passed|FAILED|test not supported|skipped|test currently not implemented)\b', text):
            if m.group(1) in said:
                passed = 'skipped' if self.nothing and self.name in SPLIT else 'passed'  # a part of which the device has nothing
                self.put(said[m.group(1)], {'passed': passed, 'FAILED': 'failed'}.get(m.group(2), 'skipped'))
        return None

    def conversion(self, text, left):
        """The same for a conversion, which is said to be built in each of its sizes, and else only where it fails."""
        if m := re.search(r'convert_([a-z]+)n((?:_sat)?(?:_rt[a-z])?)\( ([a-z]+)n \) FAILED', text):
            self.put(f'{m.group(1)}{m.group(2)}_{m.group(3)}', 'failed')
        elif m := re.match(r'Building (?:implicit )?convert_([a-z]+)\d*((?:_sat)?(?:_rt[a-z])?)\( ([a-z]+)\d* \)', text):
            return f'{m.group(1)}{m.group(2)}_{m.group(3)}'
        elif m := re.match(r'conversions (passed|FAILED)', text):
            return 'end'
        return None

    def stream(self, left, budget):
        """Runs the tests that are left, or as many as it comes to in `budget` seconds of processor time: the test it was
        in, why it ended, and the processor time."""
        self.nothing = False
        p = self.start(left if self.name not in SPLIT else left[0].split())
        waiting, current, rest, why = selectors.DefaultSelector(), None, b'', 'end'
        waiting.register(p.stdout, selectors.EVENT_READ)
        heard, used, began, looked = time.monotonic(), 0.0, 0.0, 0.0
        while True:
            now = time.monotonic()
            if now - looked >= 1:
                looked, (cpu, busy) = now, effort(p.pid)
                if busy or cpu > used:
                    heard = now
                used = max(used, cpu)
                why = ('late' if used > budget else 'hung' if now - heard > self.options.stall
                       else 'too long' if used - began > self.options.each else 'end')
                if why != 'end':
                    os.killpg(p.pid, signal.SIGKILL)
                    break
            if not waiting.select(timeout=1):
                continue
            data = os.read(p.stdout.fileno(), 65536)
            if not data:
                break
            heard = now
            *lines, rest = (rest + data).split(b'\n')
            for raw in lines:
                text = raw.decode(errors='replace')
                self.note(text)
                test = self.line(text, left)
                if test and test != current:
                    used = max(used, effort(p.pid)[0])
                    if current:
                        self.times[current] = round(used - began, 1)
                        if self.name == CONVERSIONS and current not in self.tests:
                            self.put(current, 'passed')
                        self.save(self.result(used))
                    current, began = test if test != 'end' else None, used
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        used = max(used, usage.ru_utime + usage.ru_stime)
        if current:
            self.times[current] = round(used - began, 1)
        return current, why, used

    def note(self, text):
        self.words = (self.words + ' ' + text)[-4000:]
        if not self.log:
            self.log = open(f'{self.options.results}.{self.name.replace("/", "_")}.log', 'a', encoding='utf-8')
        self.log.write(text + '\n')
        self.log.flush()

    def result(self, more=0.0):
        return {'tests': dict(self.tests), 'findings': self.findings, 'seconds': round(self.seconds + more),
                'times': self.times, 'ran': self.ran}

    def run(self):
        order = self.names()
        if not order:
            raise RuntimeError(f'{self.path} --list names no tests')
        left, budget = [t for t in order if t not in self.tests], self.options.limit
        while left:
            part = left[:1] if self.name in SPLIT else left
            current, why, used = self.stream(part, budget)
            budget -= used
            self.seconds += used
            before = len(left)
            if current and current not in self.tests and why != 'late':
                self.put(current, 'crashed' if why == 'end' else why)
            left = [t for t in left if t not in self.tests]
            self.save(self.result())
            if why == 'late' or len(left) == before:
                break
        # A suite that ends at once without a word for each test skips them all.
        nothing = 'skipped' if not self.tests and re.search(r'SKIPPED|[Nn]ot supported|skipping', self.words) else 'not run'
        self.tests = {t: self.tests.get(t, nothing) for t in order}
        return self.result()


def count(result, state):
    return sum(s == state for s in result['tests'].values())


def whence(result):
    """The commits that a suite's tests ran on, the oldest and the newest."""
    ran = sorted(set(map(tuple, result.get('ran', {}).values())))
    names = list(dict.fromkeys(commit for _, commit in ran))
    return '' if not ran else f'{ran[-1][0]} ' + ' to '.join(dict.fromkeys((names[0], names[-1])))


def short(result):
    """A suite's result in one cell."""
    cut = sum(count(result, s) for s in ('hung', 'too long', 'not run'))
    rest = ((count(result, 'failed'), 'failed'), (count(result, 'crashed'), 'crashed'), (count(result, 'skipped'), 'skipped'), (cut, 'cut'))
    return ', '.join([str(count(result, 'passed'))] + [f'{n} {what}' for n, what in rest if n])


def table(results, beside, markdown):
    head = ('suite', *STATES, 'seconds', 'findings', 'commit', *beside)
    rows = [head]
    for name in sorted(results):
        r = results[name]
        findings = ', '.join(f'{n} {kind}' for kind, n in sorted(r['findings'].items()))
        rows.append((name, *(str(count(r, s) or '') for s in STATES), str(r['seconds']), findings, whence(r),
                     *(short(b[name]) if name in b else '' for b in beside.values())))
    every = {'tests': {(n, t): s for n, r in results.items() for t, s in r['tests'].items()}}
    rows.append(('all', *(str(count(every, s)) for s in STATES), str(sum(r['seconds'] for r in results.values())), '', '',
                 *(short({'tests': {(n, t): s for n, r in b.items() for t, s in r['tests'].items()}}) for b in beside.values())))
    widths = [max(len(r[k]) for r in rows) for k in range(len(head))]
    numbers = range(1, len(STATES) + 2)
    for i, r in enumerate(rows):
        cells = [c.rjust(w) if k in numbers else c.ljust(w) for k, (c, w) in enumerate(zip(r, widths))]
        print(('| ' + ' | '.join(cells) + ' |') if markdown else '  '.join(cells).rstrip())
        if markdown and not i:
            print('|' + '|'.join('--:' if k in numbers else '---' for k in range(len(head))) + '|')


def bad_ones(results):
    for name in sorted(results):
        for state in STATES[1:]:
            tests = [t for t, s in results[name]['tests'].items() if s == state]
            if tests and state != 'skipped':
                print(f'{name}: {state}: {" ".join(tests)}')


def main():
    p = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n')[0], add_help=False)
    p.add_argument('build', nargs='?')
    p.add_argument('suites', nargs='*')
    p.add_argument('-j', type=int, default=1)
    p.add_argument('--limit', type=float, default=600)
    p.add_argument('--each', type=float, default=120)
    p.add_argument('--stall', type=float, default=100)
    p.add_argument('--with', dest='command', default=os.path.join(HERE, '..', '_build', 'cli', 'cldbg'))
    p.add_argument('--full', action='store_true')
    p.add_argument('--results', default='cts.json')
    p.add_argument('--against')
    p.add_argument('--commit')
    p.add_argument('--beside', action='append', default=[])
    p.add_argument('--table', action='store_true')
    p.add_argument('--markdown', action='store_true')
    p.add_argument('--again', action='store_true')
    p.add_argument('--retry', action='store_true')
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        print(__doc__)
        return 0
    o = p.parse_intermixed_args()
    o.command = o.command.split()
    o.commit = o.commit or subprocess.run(['git', '-C', HERE, 'rev-parse', '--short', 'HEAD'], stdout=subprocess.PIPE, text=True,
                                          check=False).stdout.strip()
    if not o.build and not o.table:
        sys.exit('cts.py: BUILD is missing: the folder that OpenCL-CTS was built in')
    found = {} if o.table else binaries(o.build)
    unknown = [s for s in o.suites if s not in found]
    if unknown and not o.table:
        sys.exit(f'cts.py: {unknown[0]} was not built; there are: {" ".join(sorted(found))}')
    results = {}
    if os.path.exists(o.results):
        with open(o.results) as f:
            results = json.load(f)
    if o.again:
        for name in o.suites:
            results.pop(name, None)
    guard = threading.Lock()

    def save(name, result):
        with guard:
            results[name] = result
            with open(o.results + '.new', 'w') as f:
                json.dump(results, f, indent=1)
            os.replace(o.results + '.new', o.results)

    with concurrent.futures.ThreadPoolExecutor(o.j) as pool:
        running = {}
        for name in o.suites or sorted(found):
            suite = Suite(name, found[name], o, results.get(name), lambda r, name=name: save(name, r))
            running[pool.submit(suite.run)] = suite
        for done in concurrent.futures.as_completed(running):
            suite = running[done]
            save(suite.name, done.result())
            r = results[suite.name]
            print(f'{suite.name}: ' + ', '.join(f'{count(r, s)} {s}' for s in STATES if count(r, s)), file=sys.stderr)
    beside = {}
    for name, file in (b.split('=', 1) for b in o.beside):
        with open(file) as f:
            beside[name] = json.load(f)
    table(results, beside, o.markdown)
    bad_ones(results)
    if o.against:
        with open(o.against) as f:
            other = json.load(f)
        for name in sorted(set(results) & set(other)):
            lost = [t for t, s in other[name]['tests'].items() if s == 'passed' and results[name]['tests'].get(t) != 'passed']
            if lost:
                print(f'{name}: passed there, not here: {" ".join(lost)}')
    return 0


sys.exit(main())
