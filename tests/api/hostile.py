#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/api/hostile under cldbg: the host's memory stays as it was, and every kernel ends in a finding or a limit."""
import json
import os
import shlex
import subprocess
import sys
import tempfile

BOUNDS, ADDRESS = {'out-of-bounds'}, {'null-dereference', 'address-space', 'out-of-bounds'}
LIMIT = {'instruction-limit', 'no-progress'}
# by the beginning of the name: one of these findings, or the launch is refused (a negative status)
WANT = {
    'forged_': ADDRESS, 'huge_range': LIMIT, 'huge_': BOUNDS, 'wrapping_': BOUNDS, 'just_': BOUNDS, 'across_': BOUNDS, 'difference_': ADDRESS, 'private_': BOUNDS,
    'local_': BOUNDS, 'constant_': BOUNDS, 'async_': ADDRESS, 'memcpy_': BOUNDS, 'shuffle_': BOUNDS, 'vector_': BOUNDS, 'use_': ADDRESS,
    'endless': LIMIT, 'spin': LIMIT, 'giant_': 'refused', 'printf_wild': {'printf-mismatch'}, 'barrier_storm': {'barrier-divergence'},
    'lines_without_end': {'barrier-divergence'}, 'convert_wild': {'invalid-conversion'}, 'undefined_': {'uninitialized-read'}, 'shift_far': None, 'unreachable': None, 'many_frames': None,
    'call_null': {'null-dereference'}, 'divide': {'division-by-zero'}, 'image_write': BOUNDS,
    'printf_flood': None, 'keep_': None, 'honest': None, 'image_read': None,
}


def main():
    cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report')
        p = subprocess.run([*cldbg, '--instruction-limit=300000', '--all', f'--report=json:{report}', '--log-file=/dev/null', 'tests/api/hostile',
                            *sys.argv[1:]], capture_output=True, timeout=300)
        out, err = p.stdout.decode(errors='replace'), p.stderr.decode(errors='replace')
        if p.returncode != 66:
            print(f'status {p.returncode}\n{err[-3000:]}\n{out[-1000:]}')
            return 1
        with open(report) as f:
            findings = json.load(f)['findings']
    bad = 0 if "'deep' calls itself" in err else 1
    if bad:
        print('recursion is not refused with words')
    found = {}
    for f in findings:
        found.setdefault(f['kernel'], set()).add(f['id'])
    statuses = dict(line.split() for line in out.splitlines() if len(line.split()) == 2 and line.split()[1].lstrip('-').isdigit())
    seen = set()
    for name, status in statuses.items():
        key = next((k for k in WANT if name.startswith(k)), None)
        if not key:
            continue
        seen.add(key)
        want, ids = WANT[key], found.get(name, set())
        if want == 'refused' and int(status) >= 0 or isinstance(want, set) and not ids & want:
            print(f'{name}: status {status}, findings {sorted(ids)}')
            bad = 1
    if not sys.argv[1:] and seen != set(WANT):
        print('not run:', *sorted(set(WANT) - seen))
        bad = 1
    if 'was written' in out or 'was read' in out:
        print(out[-2000:])
        bad = 1
    print(f'{len(statuses)} kernels, {len(findings)} findings')
    return bad


if __name__ == '__main__':
    sys.exit(main())
