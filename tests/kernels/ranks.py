#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotated kernels and captures under `mpirun -n N cldbg run`: all that it prints and writes is that of one process.

Compared byte for byte: text, buffers (every run dumps all arguments that are buffers), exit status, and the reports json, lcov and
profile without times and process ids. Left out: the line that says why rank 0 ran all work-groups.

usage: ranks.py [-v] [--ranks=N,N...] [--every=N] [--jobs=N] [file or folder...]   files: .cl and .cldbg; default: this folder
environment: CLDBG, the command to test; MPIRUN, the launcher
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.argv, options = [sys.argv[0]] + [a for a in sys.argv[1:] if not a.startswith('-')], [a for a in sys.argv[1:] if a.startswith('-')]
import run  # the annotations  # noqa: E402

RANKS = [int(n) for a in options if a.startswith('--ranks=') for n in a[8:].split(',')] or [2]
EVERY = max([int(a[8:]) for a in options if a.startswith('--every=')], default=1)
JOBS = max([int(a[7:]) for a in options if a.startswith('--jobs=')], default=1)
VERBOSE = '-v' in options
CLDBG = os.path.abspath(os.environ.get('CLDBG', 'cli/cldbg'))
HERE = os.path.dirname(os.path.abspath(__file__))
MPIRUN = os.environ.get('MPIRUN', 'mpirun')
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
               'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_btl': 'self,vader', 'OMPI_MCA_mpi_yield_when_idle': '1',
               'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_osc': 'rdma,sm,pt2pt'}  # the start takes half the time
REPORTS = [f'--report={name}:report.{name}' for name in ('json', 'lcov', 'profile')]
LAUNCHERS_WORDS = re.compile(r'^-{20,}\n.*?^-{20,}\n', re.M | re.S)
WHY = re.compile(r'^cldbg: rank 0 runs all work-groups.*: (.*)\n', re.M)


def reports(folder):
    """The report files of a run, without what differs between two runs of one process."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path):
            continue
        with open(path, encoding='utf-8') as f:
            found[name] = f.read()
    if 'report.json' in found:
        document = json.loads(found['report.json'])
        document['processes'] = len(document['processes'])
        for k in document['kernels']:
            k['time_ns'] = 0
        found['report.json'] = json.dumps(document, indent=1)
    if 'report.profile' in found:
        found['report.profile'] = ''.join(x for x in found['report.profile'].splitlines(True) if '_ns' not in x)
    return found


def outcome(command, folder):
    """What a command prints and writes, its exit status, and why rank 0 ran all work-groups."""
    shutil.rmtree(folder, ignore_errors=True)  # the same name for all runs, since reports name files
    os.mkdir(folder)
    try:
        # a TMPDIR of its own: Open MPI removes the folder of all its jobs when the last one ends, while another begins
        env = {**ENVIRONMENT, 'TMPDIR': os.path.dirname(folder)}
        p = subprocess.run(command, capture_output=True, timeout=400, env=env, cwd=folder)
    except subprocess.TimeoutExpired:
        return ('', 'it did not end', -1), None
    err = LAUNCHERS_WORDS.sub('', p.stderr.decode(errors='replace'))
    why = WHY.search(err)
    return (p.stdout, WHY.sub('', err), p.returncode, reports(folder)), why and why[1]


def dumps(args):
    """--dump for all arguments that are buffers."""
    buffers = [i for i, a in enumerate(a for a in args if a.startswith('--arg=')) if re.match(r'--arg=(?!local|image|pipe)[^:]*\[', a)]
    return [f'--dump={i}' for i in buffers if not any(a.startswith('--dump') for a in args)]


def kernels(path):
    """The kernels and captures of a folder, or the file."""
    if os.path.isfile(path):
        return [os.path.abspath(path)]
    return [os.path.join(folder, n) for folder, _, names in sorted(os.walk(os.path.abspath(path)))
            for n in sorted(names) if n.endswith(('.cl', '.cldbg'))]


def runs(path):
    """The commands of a file."""
    if path.endswith('.cldbg'):
        return [[CLDBG, 'run', path, '--compute-units=1', *REPORTS]]
    return [[CLDBG, 'run', path, '--compute-units=1', *REPORTS, *args, *dumps(args)] for args in run.Kernel(path).runs]


def compare(command):
    """Prints differences. The result: for each number of ranks, why rank 0 ran all work-groups, and whether they differ."""
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        one, _ = outcome(command, folder + '/run')
        for n in RANKS:
            many, why = outcome([MPIRUN, '-n', str(n), *command], folder + '/run')
            seen.append((why, many != one))
            if VERBOSE:
                print(n, why or 'divided', *command[2:], flush=True)
            if many != one:
                print(f'{" ".join(command[1:])}: {n} ranks differ from one process', one, many, sep='\n', flush=True)
    return seen


def skips():
    """Whether there is nothing to test with; says why."""
    plugin = os.path.join(os.path.dirname(CLDBG), '.libs/libcldbg-mpi.so')
    if not shutil.which(MPIRUN) or not (os.path.exists(plugin) or 'CLDBG' in os.environ):
        print(f'skipped: {MPIRUN} is missing, or cldbg was built without MPI')
    elif subprocess.run([MPIRUN, '-n', '2', 'true'], capture_output=True, env=ENVIRONMENT).returncode:
        print(f'skipped: {MPIRUN} does not work here')
    else:
        return False
    return True


def main():
    if skips():
        return 77
    reasons, failed = {}, 0
    commands = [c for path in [k for p in sys.argv[1:] or [HERE] for k in kernels(p)][::EVERY] for c in runs(path)]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for seen in pool.map(compare, commands):
            for why, differs in seen:
                reasons[why] = reasons.get(why, 0) + 1
                failed += differs
    total = sum(reasons.values())
    print(f'{len(commands)} launches, {total} runs with {RANKS} ranks, {failed} differ; {reasons.get(None, 0)} were divided')
    for why, n in sorted(reasons.items(), key=lambda x: -x[1]):
        print(f'  {n}: {why or "divided"}')
    return 1 if failed or not total else 0


if __name__ == '__main__':
    sys.exit(main())
