#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures of the annotated kernels under `mpirun -n N cldbg check`: text, exit status and reports are those of one process.

Each run of a kernel becomes a capture. Compared byte for byte, without times, process ids and command lines: text, json, sarif, junit, lcov.

usage: ranks_check.py [--ranks=N,N...] [--captures=N] [--keep=FOLDER]   FOLDER: for the captures; they are made if it does not exist
environment: CLDBG, the command to test; MPIRUN, the launcher
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

options, sys.argv = sys.argv[1:], sys.argv[:1]
import run  # the annotations  # noqa: E402
from ranks import CLDBG, ENVIRONMENT, HERE, LAUNCHERS_WORDS, MPIRUN, kernels, skips  # noqa: E402


def option(name, default):
    return ([a.split('=', 1)[1] for a in options if a.startswith(f'--{name}=')] or [default])[-1]


RANKS = [int(n) for n in option('ranks', '1,2,3,8').split(',')]
CAPTURES = int(option('captures', '500'))


def make_captures(folder):
    """CAPTURES launches, from all parts of the list of kernels."""
    commands = [[path, *args] for path in kernels(HERE) for args in run.Kernel(path).runs]
    step, made = max(1, len(commands) // CAPTURES), 0
    for first in range(step):  # a launch that is not captured, such as one with pipes, is replaced by another
        for path, *args in commands[first::step]:
            if made >= CAPTURES:
                return made
            part = os.path.join(folder, f'{made:04}')
            subprocess.run([CLDBG, 'run', path, *args, '--capture=' + part, '--check=none'], capture_output=True)
            made += os.path.isdir(part) and any(n.endswith('.cldbg') for n in os.listdir(part))
    return made


def plain(name, text):
    """A report without what differs between two runs of one process."""
    if name == 'json':
        document = json.loads(text)
        document['processes'] = len(document['processes'])
        for k in document['kernels']:
            k['time_ns'] = 0
        return json.dumps(document, indent=1)
    if name == 'sarif':
        document = json.loads(text)
        for r in document['runs']:
            r.pop('invocations', None)
        return json.dumps(document, indent=1)
    return re.sub(r' (time|timestamp)="[^"]*"', '', text) if name == 'junit' else text


def outcome(launcher, captures, folder):
    names = ('json', 'sarif', 'junit', 'lcov')
    for n in os.listdir(folder):  # lcov adds to a file
        path = os.path.join(folder, n)
        if os.path.isfile(path):
            os.remove(path)
        elif n.startswith('report.'):
            shutil.rmtree(path)  # the sources of lcov
    reports = [f'--report={n}:{folder}/report.{n}' for n in names]
    begin = time.monotonic()
    p = subprocess.run([*launcher, CLDBG, 'check', captures, *reports], capture_output=True, env=ENVIRONMENT)
    seconds = time.monotonic() - begin
    err = re.sub(r' on \d+ ranks', '', LAUNCHERS_WORDS.sub('', p.stderr.decode(errors='replace')))
    found = {'stdout': p.stdout, 'stderr': err, 'exit status': p.returncode}
    for n in names:
        with open(f'{folder}/report.{n}', encoding='utf-8') as f:
            found[n] = plain(n, f.read())
    return found, seconds


def compare(captures, folder):
    one, seconds = outcome([], captures, folder)
    print(f'one process: {seconds:.1f} s, exit status {one["exit status"]}', flush=True)
    print(one['stderr'].splitlines()[-1])
    failed = 0
    for n in RANKS:
        many, seconds = outcome([MPIRUN, '-n', str(n)], captures, folder)
        differ = [k for k in one if many[k] != one[k]]
        print(f'{n} ranks: {seconds:.1f} s, {"differs: " + ", ".join(differ) if differ else "equal"}', flush=True)
        failed += bool(differ)
        for k in differ:
            with open(f'ranks-check-{n}.{k}', 'w') as f, open(f'ranks-check-1.{k}', 'w') as g:
                f.write(str(many[k]))
                g.write(str(one[k]))
    return failed


def main():
    if skips():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        captures = os.path.abspath(option('keep', os.path.join(folder, 'captures')))
        if not os.path.isdir(captures):
            os.makedirs(captures)
            print(f'{make_captures(captures)} captures', flush=True)
        return 1 if compare(captures, folder) else 0


sys.exit(main())
