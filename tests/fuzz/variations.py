#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotated kernels that are silent, in launches and builds that change nothing they may depend on: they must stay silent, and compute what
they did.

  build options   optimization asked for and forbidden, debug information, a later OpenCL C
  groups          where a kernel knows nothing but its global id: one work-item each, odd sizes, sizes that do not divide the range
                  (from OpenCL C 2.0 on), cldbg's own choice, three dimensions of which two are 1
  parts           the same kernels over a part of the range, with an offset: what they find in memory is the rest's initial value, so
                  only silence is asked for

usage: variations.py [--sample=FRACTION] [file or folder of tests/kernels...]     environment: CLDBG (default cli/cldbg)"""
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'kernels')]
import run  # noqa: E402

# What has its meaning from the shape of the launch, or its result from the order.
SHAPED = re.compile(r'local|barrier|group|get_global_size|get_global_offset|get_work_dim|get_global_linear|get_global_id\([^0]|reqd|atom|printf|async|pipe|event|_sync|volatile')
BUILDS = ['-cl-opt-disable -g', '-O0', '-O3 -cl-mad-enable -cl-no-signed-zeros', '-cl-uniform-work-group-size', '-cl-kernel-arg-info -w']


def with_build(options, more):
    """The run's options, one more for the build."""
    old = [o.split('=', 1)[1] for o in options if o.startswith('--build-options=')]
    return [o for o in options if not o.startswith('--build-options=')] + ['--build-options=' + ' '.join(old + [more])]


def number(options, name):
    m = re.search(rf'--{name}=(\d+)$', '\n'.join(options), re.M)
    return int(m[1]) if m else None


def without(options, name):
    return [o for o in options if not o.startswith(f'--{name}=')]


def shapes(options):
    """(options, whether its results are all there) of other shapes for a kernel that knows its global id and no more."""
    n, later = number(options, 'global'), re.search(r'-cl-std=CL[23]', ' '.join(options))
    if not n or any(o.startswith('--offset') for o in options):
        return
    bare = without(options, 'local')
    yield bare, True
    for k in {1, 3, 7, n} | {d for d in (2, 5, 16, 33) if d < n}:
        if n % k == 0 and k <= 1024:
            yield bare + [f'--local={k}'], True
            yield without(bare, 'global') + [f'--global={n},1,1', f'--local={k},1,1'], True
        elif later and k < n:
            yield bare + [f'--local={k}'], True
    if n > 3:
        half = n // 2
        yield without(bare, 'global') + [f'--global={n - half}', f'--offset={half}'], False
        yield without(bare, 'global') + ['--global=1,1,1', f'--offset={n - 1},0,0'], False


def variations(k, text):
    for options in k.runs:
        builds = BUILDS if '-cl-std' in ' '.join(options) or '__OPENCL' in text else BUILDS + ['-cl-std=CL3.0']
        for b in builds:
            if 'uniform-work-group' in b and not (number(options, 'local') and (number(options, 'global') or 1) % number(options, 'local') == 0):
                continue
            yield with_build(options, b), True
        if not SHAPED.search(re.sub(r'//.*', '', text)):
            yield from shapes(options)


def check(k, options, complete, cldbg):
    try:
        cmd = run.command(k, options, cldbg)
        code, out, report = run.execute(cmd)
        problems = [] if code == 0 else [f'exit status {code}']
        problems += run.check_findings(k, run.parse_report(report, k.path)[0])
        shape_free = all(not re.search(r'\bL\b|by_group', text) for _, text in k.dumps) or number(options, 'local') in [number(r, 'local') for r in k.runs]
        if complete and code == 0 and shape_free:
            problems += run.check_dumps(k, [o.replace(',1,1', '') for o in options], run.parse_dumps(out))
    except subprocess.TimeoutExpired:
        problems = [f'no end after {run.TIMEOUT} s']
    return problems and ['FAIL ' + k.name, *problems, shlex.join(cmd), *report.split('\n')[:12]]


def main():
    args = sys.argv[1:]
    sample = next((float(a.split('=')[1]) for a in args if a.startswith('--sample=')), 1.0)
    paths = sorted(run.find([a for a in args if not a.startswith('--')] or [run.HERE]))
    cldbg = os.environ.get('CLDBG', 'cli/cldbg')
    chance, work = random.Random(1), []
    for p in paths:
        k = run.Kernel(p)
        with open(p) as f:
            text = f.read()
        if k.expect or k.notes or k.says or k.output or not k.runs:
            continue
        seen = set()
        for options, complete in variations(k, text):
            if tuple(options) not in seen and chance.random() < sample:
                work.append((k, options, complete))
            seen.add(tuple(options))
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ.setdefault('CLDBG_CACHE', cache)
        failed = [p for p in pool.map(lambda w: check(*w, cldbg), work) if p]
    for p in failed:
        print('\n     '.join(p))
    print(f'{len(work)} launches of {len({w[0].path for w in work})} kernels, {len(failed)} other than annotated')
    return 1 if failed or not work else 0


if __name__ == '__main__':
    sys.exit(main())
