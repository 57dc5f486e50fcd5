#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verdicts about the kernels of verdicts.cl, which says what each of them violates.

A property that is violated must not be proved; one that is not must not be refuted. Each capture of a refutation must repeat
a finding with `cldbg run`. Every unknown must say what would help.

usage: verdicts.py [-v] [kernel...]    environment: CLDBG, the command (default cli/cldbg)
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from annotated import CLDBG, PROPERTIES  # noqa: E402

LEAST_DECIDED = 0.9  # of all properties


def kernels():
    """Name, properties that are violated, options and source of each kernel."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'verdicts.cl')) as f:
        for block in f.read().split('// VIOLATES ')[1:]:
            violated, rest = block.split('\n', 1)
            options, source = rest.split('\n', 1)
            name = re.search(r'kernel void (\w+)', source)[1]
            yield name, set(violated.split()) - {'nothing'}, shlex.split(options.replace('// OPTIONS ', '')), source


def judge(folder, name, violated, options, source):
    """The results of the properties, and complaints."""
    path = os.path.join(folder, f'{name}.cl')
    with open(path, 'w') as f:
        f.write(source)
    p = subprocess.run([CLDBG, 'verify', path, f'--capture={folder}/captures', *options], capture_output=True, text=True, timeout=300)
    verdicts = re.findall(r'^  (proved|refuted|unknown)\s+([a-z-]+): (.*(?:\n {5,}.*)*)', p.stdout, re.M)
    complaints = [f'{property} is proved, but violated' for result, property, _ in verdicts if result == 'proved' and property in violated]
    for result, property, text in verdicts:
        if result == 'refuted' and property not in violated:
            complaints.append(f'{property} is refuted, but holds: {text}')
        if result == 'unknown' and 'help: ' not in text:
            complaints.append(f'{property} is unknown, without help: {text}')
        capture = re.search(r'capture: cldbg run (.*)', text)
        if result == 'refuted':
            again = subprocess.run([CLDBG, *shlex.split((capture or re.search(r'repeat: cldbg run (.*)', text))[0].split('cldbg ')[1])], capture_output=True, text=True)
            title = text.split('\n')[0]
            if title.rsplit(' [', 1)[0] not in again.stderr:
                complaints.append(f'the capture does not repeat: {title}')
    if len(verdicts) != len(PROPERTIES):
        complaints.append(f'no verdicts: {p.stderr}')
    return [result for result, _, _ in verdicts], complaints


def main():
    chosen = [a for a in sys.argv[1:] if not a.startswith('-')]
    bad, results = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, violated, options, source in kernels():
            if chosen and name not in chosen:
                continue
            found, complaints = judge(folder, name, violated, options, source)
            results += found
            bad += len(complaints)
            for c in complaints:
                print(f'{name}: WRONG: {c}', flush=True)
            if '-v' in sys.argv:
                print(name, *found, flush=True)
    decided = len(results) - results.count('unknown')
    print(f'{len(results)} properties: {results.count("proved")} proved, {results.count("refuted")} refuted, {results.count("unknown")} unknown; {bad} wrong')
    sys.exit(1 if bad or (not chosen and decided < LEAST_DECIDED * len(results)) else 0)


if __name__ == '__main__':
    main()
