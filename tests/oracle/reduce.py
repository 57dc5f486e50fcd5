#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a kernel on which oracle and report disagree as small as lines and arguments can be taken from it.

usage: reduce.py FILE.cl... [--out=DIR]     files as score.py --keep writes them (options on a RUN line)

Statements go first in blocks (a line that opens a brace goes with all up to its end), then singly, then what brackets hold,
then the range; what remains must still be told wrongly in the same way: the same ids missed or falsely reported.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import judge  # noqa: E402
import mutate  # noqa: E402


def signature(verdict):
    """What is wrong, without places."""
    ids = lambda texts: frozenset(w for t in texts for w in re.findall(r'[a-z]+(?:-[a-z]+)+', t) if w in judge.JUDGED)
    return ids(verdict[1]), ids(verdict[2])


def decide(text, options):
    with tempfile.TemporaryDirectory() as workdir:
        path = os.path.join(workdir, 'kernel.cl')
        with open(path, 'w') as f:
            f.write(text)
        try:
            return signature(judge.judge(path, options, workdir))
        except (judge.Unknown, RuntimeError, subprocess.TimeoutExpired):
            return None


def spans(lines):
    """Runs of lines that can go: blocks, long ones first, then single lines."""
    found = []
    for i, line in enumerate(lines):
        depth = line.count('{') - line.count('}')
        if depth > 0:
            for k in range(i + 1, len(lines)):
                depth += lines[k].count('{') - lines[k].count('}')
                if depth <= 0:
                    found.append((i, k + 1))
                    break
        found.append((i, i + 1))
    for size in (8, 4, 2):
        found += [(i, i + size) for i in range(0, len(lines) - size, size)]
    return sorted(set(found), key=lambda s: s[0] - s[1])


def unwrapped(lines):
    """Blocks without what opens them: `if (..) { X }` as `{ X }`."""
    for i, line in enumerate(lines):
        m = re.match(r'(\s*)(?:\} else |if|for|while|switch|do)\b.*\{\s*$', line)
        if m:
            yield lines[:i] + [m[1] + ('} {' if line.strip().startswith('}') else '{')] + lines[i + 1:]


def simpler(lines):
    """Brackets in expressions replaced by 1."""
    text = '\n'.join(lines)
    code = mutate.blank_remarks(text)
    for m in re.finditer(r'\(', code):
        end = mutate.matching(code, m.start())
        if end - m.start() > 3 and not re.search(r'\b(kernel|void|for|vload|barrier|local_id|global_id)\b[\w \t*]*$', code[:m.start()][-40:]):
            yield (text[:m.start()] + '(1)' + text[end + 1:]).split('\n')


def smaller_ranges(options):
    at = {o.split('=')[0]: i for i, o in enumerate(options) if o.startswith(('--global=', '--local='))}
    for g, n in (('2', '2'), ('4', '4'), ('4', '2'), ('8', '8'), ('8', '4')):
        if len(at) == 2 and int(options[at['--global']].split('=')[1].split(',')[0]) > int(g):
            changed = list(options)
            changed[at['--global']], changed[at['--local']] = '--global=' + g, '--local=' + n
            yield changed


def reduce(text, options, tries=400):
    wanted = decide(text, options)
    if wanted is None or not (wanted[0] or wanted[1]):
        return None
    lines = [x for x in text.split('\n') if x.strip() and not x.lstrip().startswith('//')]
    left = [tries]

    def still(candidate, run):
        left[0] -= 1
        return left[0] > 0 and decide('\n'.join(candidate) + '\n', run) == wanted

    if not still(lines, options):
        lines = text.split('\n')
    for run in smaller_ranges(options):
        if still(lines, run):
            options = run
            break
    shrunk = True
    while shrunk and left[0] > 0:
        shrunk = False
        for start, end in spans(lines):
            if end <= len(lines) and still(lines[:start] + lines[end:], options):
                lines, shrunk = lines[:start] + lines[end:], True
                break
        if shrunk:
            continue
        for candidate in [*unwrapped(lines), *simpler(lines)]:
            if len('\n'.join(candidate)) < len('\n'.join(lines)) and still(candidate, options):
                lines, shrunk = candidate, True
                break
    return '\n'.join(lines) + '\n', options


def main():
    out = next((a[6:] for a in sys.argv[1:] if a.startswith('--out=')), '.')
    for path in [a for a in sys.argv[1:] if not a.startswith('--')]:
        with open(path) as f:
            text = f.read()
        result = reduce(text, shlex.split(re.search(r'// RUN: (.*)', text)[1]))
        if not result:
            print(f'{path}: told alike')
            continue
        small = os.path.join(out, 'small-' + os.path.basename(path))
        os.makedirs(out, exist_ok=True)
        with open(small, 'w') as f:
            f.write(f'// RUN: {shlex.join(result[1])}\n{result[0]}')
        print(f'{small}: {text.count(chr(10))} lines to {result[0].count(chr(10))}')


if __name__ == '__main__':
    main()
