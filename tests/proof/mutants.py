#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proofs about mutants of the annotated kernels (tests/oracle/mutate.py): none may be refuted by a run.

A mutant has one mistake of the kinds people make, which may or may not matter. `cldbg verify` decides its properties without runs; then it
is run with the contents of the RUN line and with random ones, and a finding must not be of a property that was proved.

usage: mutants.py [--count=N] [--seed=S] [--workers=N] [--any=1]   environment: CLDBG, the command to test (default cli/cldbg)
--any=1: proofs for all local sizes, and runs with several.
"""
import collections
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'oracle'))
import annotated  # noqa: E402
import mutate  # noqa: E402


IS_ANY = '--any=1' in sys.argv


def all_mutants():
    for folder, _, files in sorted(os.walk(annotated.KERNELS)):
        for name in sorted(f for f in files if f.endswith('.cl')):
            with open(os.path.join(folder, name)) as f:
                text = f.read()
            run = re.search(r'//\s*RUN:\s*(.*)', text)
            args = [a for a in shlex.split(run[1]) if a.startswith(annotated.USED)] if run else []
            if any(a.startswith('--local=') for a in args) and (not IS_ANY or annotated.sizes(args)):
                yield from ((name, what, changed, options) for what, changed, options in mutate.mutants(text, args))


def judge(case):
    """Counts of verdicts, and descriptions of wrong proofs."""
    name, what, text, args = case
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, 'w') as f:
            f.write(text)
        try:
            p = subprocess.run([annotated.CLDBG, 'verify', path, '--runs=0', '--seconds=10', *(annotated.any_local(args) if IS_ANY else args)], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return collections.Counter(late=1), []
        proved = set(re.findall(r'^  proved\s+([a-z-]+):', p.stdout, re.M))
        if p.returncode == 2:
            return collections.Counter(not_built=1), []
        counts.update(mutants=1, proved=len(proved), unknown=len(annotated.PROPERTIES) - len(proved))
        violated = set()
        for options in (annotated.contents(a, n) for a in (annotated.sizes(args) if IS_ANY else [args]) for n in (0, 2)):
            try:
                found = annotated.findings(path, options)
            except subprocess.TimeoutExpired:
                continue
            for f in found or []:
                violated |= annotated.properties_of(f)
                for property in annotated.properties_of(f) & proved:
                    wrong.append(f'{name}: {what}: {property} was proved, but: {f["title"]} [{f["id"]}] ({shlex.join(options)})')
        counts.update(violated=len(violated), wrong_mutants=bool(violated))
    return counts, wrong


def main():
    options = dict(a[2:].split('=', 1) for a in sys.argv[1:] if a.startswith('--'))
    cases = list(all_mutants())
    random.Random(options.get('seed', '1')).shuffle(cases)
    total, bad = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(int(options.get('workers', 2))) as pool:
        for counts, wrong in pool.map(judge, cases[:int(options.get('count', 500))]):
            total += counts
            bad += len(wrong)
            for w in wrong:
                print('WRONG:', w, flush=True)
    print(f'{total["mutants"]} of {len(cases)} mutants ({total["wrong_mutants"]} of them wrong in a run): {total["proved"]} properties proved, '
          f'{total["violated"]} violated, {bad} both; {total["not_built"]} do not build, {total["late"]} were not finished')
    sys.exit(bool(bad) or not total['mutants'])


if __name__ == '__main__':
    main()
