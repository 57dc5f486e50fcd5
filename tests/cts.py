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
  --full           without wimpy mode
  --results FILE   what is known, written after each test; tests that are in it are not run again (cts.json)
  --against FILE   results of another run: tests that pass there and do not here are listed
  --markdown       the table as doc/CONFORMANCE.md has it
  --again          suites named on the command line run again though their result is known
  --retry          tests that hung or took too long run again

Seconds are of processor time, of the binary and all that it starts, so that a busy machine does not change the table.
A test is passed, failed, skipped (the device says that it lacks the feature), crashed (the binary ended in it), hung,
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

STATES = ('passed', 'failed', 'skipped', 'crashed', 'hung', 'too long', 'not run')
NAMELESS = {'conversions'}  # takes names of conversions, not the one that it lists: without any it runs all
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


class Suite:
    """One binary. `known` is what an earlier run found; `save` is called with the result so far after each test."""

    def __init__(self, name, path, options, known=None, save=lambda result: None):
        self.name, self.path, self.options, self.save = name, path, options, save
        known = known or {'tests': {}, 'findings': {}, 'seconds': 0}
        again = ('not run', 'hung', 'too long') if options.retry else ('not run',)
        self.tests = {t: s for t, s in known['tests'].items() if s not in again}
        self.findings, self.seconds = dict(known['findings']), known['seconds']
        self.times = dict(known.get('times', {}))
        self.log = []

    def start(self, args):
        env = dict(os.environ)
        if not self.options.full:
            env['CL_WIMPY_MODE'] = '1'
        if self.name in NAMELESS and args != ['--list']:
            args = []
        return subprocess.Popen(self.options.command + [self.path] + args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, cwd=os.path.dirname(self.path), env=env, start_new_session=True)

    def names(self):
        out = self.start(['--list']).communicate(timeout=60)[0].decode(errors='replace')
        return [line.strip() for line in out.split('\n') if re.fullmatch(r'\t\w+', line)]

    def line(self, text, left):
        """A line of the binary's output; gives the test that runs from here on, or None where it does not change."""
        if m := re.match(r'(\w+)\.\.\.$', text):
            if m.group(1) in left:
                return m.group(1)
        for m in re.finditer(r'(\w+) (passed|FAILED|test not supported|skipped|test currently not implemented)\b', text):
            if m.group(1) in left:
                self.tests[m.group(1)] = {'passed': 'passed', 'FAILED': 'failed'}.get(m.group(2), 'skipped')
        if m := re.search(r': (error|warning): (.*) \[([a-z-]+)\]$', text):
            self.findings[m.group(3)] = self.findings.get(m.group(3), 0) + 1
        return None

    def stream(self, left, budget):
        """Runs the tests that are left, or as many as it comes to in `budget` seconds of processor time: the test it was
        in, why it ended, and the processor time."""
        p = self.start(left)
        waiting, current, rest, why = selectors.DefaultSelector(), None, b'', 'end'
        waiting.register(p.stdout, selectors.EVENT_READ)
        heard, used, began, looked = time.monotonic(), 0.0, 0.0, 0.0
        each = budget if self.name in NAMELESS else self.options.each
        while True:
            now = time.monotonic()
            if now - looked >= 1:
                looked, (cpu, busy) = now, effort(p.pid)
                if busy or cpu > used:
                    heard = now
                used = max(used, cpu)
                why = 'late' if used > budget else 'hung' if now - heard > self.options.stall else 'too long' if used - began > each else 'end'
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
                self.log.append(text)
                test = self.line(text, left)
                if test and test != current:
                    used = max(used, effort(p.pid)[0])
                    if current:
                        self.times[current] = round(used - began, 1)
                        self.save(self.result(used))
                    current, began = test, used
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        used = max(used, usage.ru_utime + usage.ru_stime)
        if current:
            self.times[current] = round(used - began, 1)
        return current, why, used

    def result(self, more=0.0):
        return {'tests': dict(self.tests), 'findings': self.findings, 'seconds': round(self.seconds + more), 'times': self.times}

    def run(self):
        order = self.names()
        if not order:
            raise RuntimeError(f'{self.path} --list names no tests')
        left, budget = [t for t in order if t not in self.tests], self.options.limit
        while left:
            current, why, used = self.stream(left, budget)
            budget -= used
            self.seconds += used
            before = len(left)
            if current and current not in self.tests and why != 'late':
                self.tests[current] = 'crashed' if why == 'end' else why
            left = [t for t in left if t not in self.tests]
            if why == 'late' or len(left) == before:
                break
        # A suite that ends at once without a word for each test skips them all.
        words = ' '.join(self.log)
        nothing = 'skipped' if not self.tests and re.search(r'SKIPPED|[Nn]ot supported|skipping', words) else 'not run'
        self.tests = {t: self.tests.get(t, nothing) for t in order}
        return self.result()


def effort(session):
    """Processor time in seconds that the processes of a session have used, with those they waited for, and whether one wants more."""
    ticks, busy = 0, False
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/stat') as f:
                fields = f.read().rsplit(')', 1)[1].split()
            if int(fields[3]) != session:
                continue
            ticks += sum(map(int, fields[11:15]))
            for thread in os.listdir(f'/proc/{pid}/task'):
                with open(f'/proc/{pid}/task/{thread}/stat') as f:
                    busy |= f.read().rsplit(')', 1)[1].split()[0] in 'RD'
        except OSError:
            continue
    return ticks / os.sysconf('SC_CLK_TCK'), busy


def count(result, state):
    return sum(s == state for s in result['tests'].values())


def table(results, markdown):
    head = ('suite', *STATES, 'findings', 'seconds')
    rows = [head]
    for name in sorted(results):
        r = results[name]
        findings = ', '.join(f'{n} {kind}' for kind, n in sorted(r['findings'].items()))
        rows.append((name, *(str(count(r, s) or '') for s in STATES), findings, str(r['seconds'])))
    rows.append(('all', *(str(sum(count(r, s) for r in results.values())) for s in STATES), '', str(sum(r['seconds'] for r in results.values()))))
    widths = [max(len(r[k]) for r in rows) for k in range(len(head))]
    for i, r in enumerate(rows):
        cells = [c.ljust(w) if k in (0, len(STATES) + 1) else c.rjust(w) for k, (c, w) in enumerate(zip(r, widths))]
        print(('| ' + ' | '.join(cells) + ' |') if markdown else '  '.join(cells).rstrip())
        if markdown and not i:
            print('|' + '|'.join('---' if k in (0, len(STATES) + 1) else '--:' for k in range(len(head))) + '|')


def bad_ones(results):
    for name in sorted(results):
        for state in STATES[1:]:
            tests = [t for t, s in results[name]['tests'].items() if s == state]
            if tests and state != 'skipped':
                print(f'{name}: {state}: {" ".join(tests)}')


def main():
    p = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n')[0], add_help=False)
    p.add_argument('build')
    p.add_argument('suites', nargs='*')
    p.add_argument('-j', type=int, default=1)
    p.add_argument('--limit', type=float, default=600)
    p.add_argument('--each', type=float, default=120)
    p.add_argument('--stall', type=float, default=100)
    p.add_argument('--with', dest='command', default=os.path.join(HERE, '..', '_build', 'cli', 'cldbg'))
    p.add_argument('--full', action='store_true')
    p.add_argument('--results', default='cts.json')
    p.add_argument('--against')
    p.add_argument('--markdown', action='store_true')
    p.add_argument('--again', action='store_true')
    p.add_argument('--retry', action='store_true')
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        print(__doc__)
        return 0
    o = p.parse_intermixed_args()
    o.command = o.command.split()
    found = binaries(o.build)
    unknown = [s for s in o.suites if s not in found]
    if unknown:
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
            if suite.log:
                with open(f'{o.results}.{suite.name.replace("/", "_")}.log', 'a') as f:
                    f.write('\n'.join(suite.log) + '\n')
            r = results[suite.name]
            print(f'{suite.name}: ' + ', '.join(f'{count(r, s)} {s}' for s in STATES if count(r, s)), file=sys.stderr)
    table(results, o.markdown)
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
