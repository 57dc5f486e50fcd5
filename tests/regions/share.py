#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The share of legal barrier kernels whose form is regions: tests/kernels (but for what diverges) and examples, each in all the
ways that its RUN lines build it.

usage: share.py [-v]      at least LEAST of a hundred must be; environment: CLDBG (default cli/cldbg)
"""
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

LEAST = 95
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


def builds(path):
    """Build options of the RUN lines."""
    runs = [shlex.split(r) for r in re.findall(r'//\s*RUN:\s*(.*)', open(path).read())] or [[]]
    return {tuple(o for o in run if o.startswith('--build-options=')) for run in runs}


def forms(path, options):
    p = subprocess.run(shlex.split(os.environ.get('CLDBG', 'cli/cldbg')) + ['regions', *options, path], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=60)
    if p.returncode:
        sys.exit(f'{path}: {p.stderr}')
    found = re.findall(r'^kernel (\w+)\nform: (\w+)(.*)\n(?:split: .*\n)?barriers:\n((?:  .*\n)*)', p.stdout, re.M)
    return [(os.path.relpath(path, TOP), name, form, why) for name, form, why, bars in found if ' barrier' in bars]


def is_legal(text):
    return 'barrier' in text and not re.search(r'EXPECT\b.*\bbarrier-divergence', text)


def main():
    paths = [p for folder in ('tests/kernels/*', 'examples') for p in glob.glob(os.path.join(TOP, folder, '*.cl'))]
    paths = [p for p in paths if is_legal(open(p).read())]
    programs = [(p, options) for p in sorted(paths) for options in sorted(builds(p))]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        os.environ['CLDBG_CACHE'] = cache
        kernels = [k for found in pool.map(forms, *zip(*programs)) for k in found]
    others = [k for k in kernels if k[2] != 'regions']
    for path, name, form, why in others if '-v' in sys.argv else []:
        print(f'{path}: {name}: {form}{why}')
    share = 100 * (len(kernels) - len(others)) / max(len(kernels), 1)
    print(f'{len(kernels)} barrier kernels, {len(kernels) - len(others)} of them in regions: {share:.1f} %')
    return 0 if share >= LEAST and len(kernels) >= 60 else 1


if __name__ == '__main__':
    sys.exit(main())
