#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of attacks/ in tests/api/hostile under cldbg: the host's memory stays as it was, and each ends in what its line `//= …`
says: one of these findings, `refused` (the launch), or `anything`.

usage: hostile.py [FILE.cl... [-k KERNEL]]"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def wanted(files):
    for f in files:
        with open(f) as text:
            for want, name in re.findall(r'^//= (.*)\nkernel void (\w+)\(', text.read(), re.M):
                yield name, want.split()


def compiled(cldbg, args, want):
    """Each kernel that ends, launched several times, as machine code where that is proved or checked: complaints, how many launches were that, and
    how many of these a check ended."""
    problems, launches, failed = [], 0, 0
    for f in (a for a in args if a.endswith('.cl')):
        for name, ids in wanted([f]):
            if not name.startswith('data_') and {'no-progress', 'instruction-limit', 'refused'} & set(ids):
                continue
            q = subprocess.run([*cldbg, '--engine=compiled', '--livelock-limit=100000', '--verbose', 'tests/api/hostile', f, '-k', name], capture_output=True, timeout=300,
                               env={**os.environ, 'HOSTILE_LAUNCHES': '3', **({'HOSTILE_COPIES': '1'} if name.startswith('data_') else {})})
            launches += q.stderr.count(b'runs as machine code')
            failed += q.stderr.count(b'a check of its machine code failed')
            if q.returncode not in (0, 66):
                problems.append(f'{name}, compiled: status {q.returncode}\n{q.stdout[-500:].decode(errors="replace")}{q.stderr[-500:].decode(errors="replace")}')
    return problems, launches, failed


def main():
    cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
    args = sys.argv[1:] or sorted(glob.glob(os.path.join(HERE, 'attacks', '*.cl')))
    want = dict(wanted(a for a in args if a.endswith('.cl')))
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report')
        p = subprocess.run([*cldbg, '--instruction-limit=300000', '--all', f'--report=json:{report}', '--log-file=/dev/null', 'tests/api/hostile', *args],
                           capture_output=True, timeout=300)
        out, err = p.stdout.decode(errors='replace'), p.stderr.decode(errors='replace')
        if p.returncode not in (0, 66):
            print(f'status {p.returncode}\n{err[-3000:]}\n{out[-1000:]}')
            return 1
        with open(report) as f:
            findings = json.load(f)['findings']
        # whatever is checked, and however many work-items run together: the memory stays as it was
        plain = ['--check=none']
        if os.environ.get('CLDBG_TEST_TSAN'):
            plain += ['--compute-units=1']  # only this test looks for races of the kernels there
        for how in (plain, ['--gang=1'], ['--gang=5', '--compute-units=3']):
            q = subprocess.run([*cldbg, '--instruction-limit=100000', *how, '--log-file=/dev/null', 'tests/api/hostile', *args], capture_output=True, timeout=300)
            if q.returncode != (0 if how is plain else p.returncode):
                print(f'with {" ".join(how)}: status {q.returncode}\n{q.stdout[-1000:].decode(errors="replace")}')
                return 1
    bad = 0 if '-k' in args or "'deep' calls itself" in err else 1
    if bad:
        print('recursion is not refused with words')
    found = {}
    for f in findings:
        found.setdefault(f['kernel'], set()).add(f['id'])
    statuses = dict(line.split() for line in out.splitlines() if re.fullmatch(r'\w+ -?\d+', line))
    for name, status in statuses.items():
        ids = found.get(name, set())
        fits = name in want and (want[name] == ['anything'] or int(status) < 0 if want[name] in (['anything'], ['refused']) else ids & set(want[name]))
        if not fits:
            print(f'{name}: status {status}, findings {sorted(ids)}, wanted {want.get(name)}')
            bad = 1
    if '-k' not in args:
        problems, launches, failed = compiled(cldbg, args, want)
        print('\n'.join([*problems, f'{launches} launches as machine code, {failed} that a check ended']))
        bad |= bool(problems) or failed < 10
    if '-k' not in args and set(want) - set(statuses):
        print('not run:', *sorted(set(want) - set(statuses)))
        bad = 1
    print(f'{len(statuses)} kernels, {len(findings)} findings')
    return bad


if __name__ == '__main__':
    sys.exit(main())
