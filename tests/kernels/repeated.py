#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From finding to reproducer: the launches of the annotated kernels, captured when something is found, are repeated by
`cldbg run FILE` elsewhere, with the same findings.

usage: repeated.py [--every=N] [file or folder...]    N: of the kernels that expect a finding every Nth, and of each id one at least
Environment: CLDBG, the command to test (default cli/cldbg)
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import run as annotated

CLDBG = [os.path.abspath(x) if os.path.exists(x) else x for x in shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))]
WITHOUT_LAUNCH = ('api-misuse', 'api-leak', 'host-race')  # calls of a host program, not launches


def found(report):
    """Each finding as (id, object, its places), whatever its files are called."""
    with open(report) as f:
        findings = json.load(f)['findings']
    return sorted((x['id'], x['possible'], x['severity'], x.get('object', ''), x['title'],
                   tuple((s['place'].get('line'), s['place'].get('column')) for sides in [x['sides'], *x['also']] for s in sides))
                  for x in findings)


def cldbg(args, cwd):
    return subprocess.run([*CLDBG, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def check(job):
    """(ids, complaint or None)"""
    path, options = job
    with tempfile.TemporaryDirectory() as folder:
        where = os.path.dirname(os.path.abspath(path))
        first = cldbg(['run', os.path.basename(path), *options, f'--capture={folder}/caps', '--capture-on-finding', f'--report=json:{folder}/first.json',
                       '--log-file=/dev/null'], where)
        if not os.path.exists(folder + '/first.json'):
            return [], f'no report: {first.stderr[-300:]}'
        wanted = found(folder + '/first.json')
        ids = sorted({x[0] for x in wanted})
        files = os.listdir(folder + '/caps') if os.path.isdir(folder + '/caps') else []
        if not wanted:
            return ids, f'captured without a finding: {files}' if files else None
        if len(files) != 1:
            return ids, f'{len(files)} captures'
        # A limit that the capture brings, and that ended the launch, would be an error of the capture (status 2).
        limits = [x for x in options if re.match('--(livelock|instruction)-limit=', x)]
        again = cldbg(['run', *limits, f'caps/{files[0]}', '--report=json:second.json', '--log-file=/dev/null'], folder)
        if not os.path.exists(folder + '/second.json'):
            return ids, f'not repeated: {again.stderr[-300:]}'
        got = found(folder + '/second.json')
        if got != wanted:
            return ids, '\n'.join([f'    only at first: {x}' for x in wanted if x not in got] + [f'    only again: {x}' for x in got if x not in wanted])
        if again.returncode != first.returncode:
            return ids, f'status {first.returncode}, then {again.returncode}'
        return ids, None


def jobs(args):
    every = next((int(a.split('=')[1]) for a in args if a.startswith('--every=')), 1)
    seen, n = set(), 0
    for path in sorted(annotated.find([a for a in args if not a.startswith('--')] or [annotated.HERE])):
        with open(path) as f:
            text = f.read()
        ids = set(re.findall(r'EXPECT ([\w-]+)', text))
        if not ids:
            continue
        n += 1
        if n % every and ids <= seen:
            continue
        seen |= ids
        for options in annotated.Kernel(path).runs[:1 if every > 1 else None]:
            yield path, options


def main():
    bad, n, ids = 0, 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = list(jobs(sys.argv[1:]))
        for (path, options), (seen, complaint) in zip(work, pool.map(check, work)):
            n += 1
            for i in seen:
                ids[i] = ids.get(i, 0) + 1
            if complaint:
                bad += 1
                print(f'FAIL {path} {shlex.join(options)}\n{complaint}', flush=True)
    print('repeated: ' + ', '.join(f'{i} {k}' for i, k in sorted(ids.items())))
    print(f'{n - bad} launches repeated with the same findings, {bad} not')
    return 1 if bad or not n else 0


if __name__ == '__main__':
    sys.exit(main())
