#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a build of the Khronos conformance tests (OpenCL-CTS) and prints what each suite gave.

usage: cts.py [options] BUILD [suite...]
  BUILD            the build folder of OpenCL-CTS: it has test_conformance/basic/test_basic and so on
  suite            basic, images/kernel_read_write, … (all that were built)
options:
  -j N             so many binaries at a time (1)
  --limit SECONDS  for a suite; what it did not come to is counted as not run (600)
  --each SECONDS   for a test; the others of its suite get their turn (120)
  --stall SECONDS  for a test that says nothing: it hangs (100)
  --with COMMAND   what to put before each binary ("cldbg" of this tree); "" is the system's loader
  --full           without wimpy mode
  --results FILE   what is known, written after each suite; suites that are in it are not run again (cts.json)
  --against FILE   results of another run: tests that pass there and do not here are listed
  --markdown       the table as doc/CONFORMANCE.md has it
  --again          suites named on the command line run again though their result is known

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
import time

STATES = ('passed', 'failed', 'skipped', 'crashed', 'hung', 'too long', 'not run')
NAMELESS = {'conversions'}  # takes names of conversions, not the one that it lists: without any it runs all
HERE = os.path.dirname(os.path.abspath(__file__))


def binaries(build):
    root = os.path.join(build, 'test_conformance')
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
    def __init__(self, name, path, options):
        self.name, self.path, self.options = name, path, options
        self.tests, self.findings, self.seconds = {}, {}, 0.0
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

    def stream(self, left, deadline):
        """Runs the tests that are left, or as many as it comes to: the one it was in, and why it ended."""
        p = self.start(left)
        waiting, current, rest, why = selectors.DefaultSelector(), None, b'', 'end'
        waiting.register(p.stdout, selectors.EVENT_READ)
        heard = began = time.monotonic()
        while True:
            now = time.monotonic()
            if now > deadline or now - heard > self.options.stall or now - began > (self.options.limit if self.name in NAMELESS else self.options.each):
                why = 'late' if now > deadline else 'hung' if now - heard > self.options.stall else 'too long'
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
                    current, began = test, now
        p.wait()
        return current, why

    def run(self):
        begin = time.monotonic()
        left = self.names()
        order = list(left)
        if not left:
            raise RuntimeError(f'{self.path} --list names no tests')
        while left:
            current, why = self.stream(left, begin + self.options.limit)
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
        self.seconds = time.monotonic() - begin
        return {'tests': self.tests, 'findings': self.findings, 'seconds': round(self.seconds)}


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
    todo = [s for s in (o.suites or sorted(found)) if s not in results or (o.again and s in o.suites)]
    with concurrent.futures.ThreadPoolExecutor(o.j) as pool:
        running = {}
        for name in todo:
            suite = Suite(name, found[name], o)
            running[pool.submit(suite.run)] = suite
        for done in concurrent.futures.as_completed(running):
            suite = running[done]
            results[suite.name] = done.result()
            with open(o.results + '.new', 'w') as f:
                json.dump(results, f, indent=1)
            os.replace(o.results + '.new', o.results)
            with open(f'{o.results}.{suite.name.replace("/", "_")}.log', 'w') as f:
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
