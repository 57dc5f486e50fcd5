#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotated kernels under `mpirun -n N cldbg run`: report, output and exit status are those of one process, byte for byte.

The line that says why rank 0 ran all work-groups is left out. Every run dumps all arguments that are buffers.

usage: ranks.py [-v] [--ranks=N,N...] [--every=N] [file or folder...]   environment: CLDBG, the command to test
"""
import os
import re
import shutil
import subprocess
import sys

sys.argv, options = [sys.argv[0]] + [a for a in sys.argv[1:] if not a.startswith('-')], [a for a in sys.argv[1:] if a.startswith('-')]
import run  # the annotations  # noqa: E402

RANKS = [int(n) for a in options if a.startswith('--ranks=') for n in a[8:].split(',')] or [2]
EVERY = max([int(a[8:]) for a in options if a.startswith('--every=')], default=1)
VERBOSE = '-v' in options
CLDBG = os.path.abspath(os.environ.get('CLDBG', 'cli/cldbg'))
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
               'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_btl': 'self,vader', 'OMPI_MCA_mpi_yield_when_idle': '1'}
LAUNCHERS_WORDS = re.compile(r'^-{20,}\n.*?^-{20,}\n', re.M | re.S)
WHY = re.compile(r'^cldbg: rank 0 runs all work-groups.*: (.*)\n', re.M)


def outcome(command):
    """What a command prints, its exit status, and why rank 0 ran all work-groups."""
    try:
        p = subprocess.run(command, capture_output=True, timeout=400, env=ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return ('', 'it did not end', -1), None
    err = LAUNCHERS_WORDS.sub('', p.stderr.decode(errors='replace'))
    why = WHY.search(err)
    return (p.stdout, WHY.sub('', err), p.returncode), why and why[1]


def dumps(args):
    """--dump for all arguments that are buffers."""
    buffers = [i for i, a in enumerate(a for a in args if a.startswith('--arg=')) if re.match(r'--arg=(?!local|image|pipe)[^:]*\[', a)]
    return [f'--dump={i}' for i in buffers if not any(a.startswith('--dump') for a in args)]


def files():
    for path in sys.argv[1:] or [os.path.dirname(os.path.abspath(__file__))]:
        if path.endswith('.cl'):
            yield path
            continue
        for folder, _, names in sorted(os.walk(path)):
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith('.cl'))


def main():
    if not shutil.which('mpirun') or not os.path.exists(os.path.join(os.path.dirname(CLDBG), '.libs/libcldbg-mpi.so')):
        print('skipped: mpirun is missing, or cldbg was built without MPI')
        return 77
    if subprocess.run(['mpirun', '-n', '2', 'true'], capture_output=True, env=ENVIRONMENT).returncode:
        print('skipped: mpirun does not work here')
        return 77
    failed, runs, reasons = 0, 0, {}
    for path in list(files())[::EVERY]:
        for args in run.Kernel(path).runs:
            command = [CLDBG, 'run', path, '--compute-units=1', *args, *dumps(args)]
            one, _ = outcome(command)
            for n in RANKS:
                many, why = outcome(['mpirun', '-n', str(n), *command])
                runs += 1
                reasons[why] = reasons.get(why, 0) + 1
                if VERBOSE:
                    print(os.path.relpath(path), *args, n, why or 'divided', flush=True)
                if many == one:
                    continue
                failed += 1
                print(f'{path} {" ".join(args)}: {n} ranks differ from one process', one, many, sep='\n', flush=True)
    print(f'{runs} runs, {failed} differ; {reasons.get(None, 0)} were divided')
    for why, n in sorted(reasons.items(), key=lambda x: -x[1]):
        print(f'  {n}: {why or "divided"}')
    return 1 if failed or not runs else 0


sys.exit(main())
