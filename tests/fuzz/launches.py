# SPDX-License-Identifier: MIT
"""Many launches in one process of tests/fuzz/launches, under cldbg or on another OpenCL."""
import json
import os
import shlex
import subprocess
import tempfile

VENDORS = '/etc/OpenCL/vendors'


class Launch:
    """args: ('buffer', bytes), ('zero', n), ('fresh', n), ('value', bytes), ('local', n)."""

    def __init__(self, kernel, size, local, args, offset=()):
        self.kernel, self.args = kernel, args
        self.range = [*offset, 0, 0, 0][:3] + [*size, 1, 1][:3] + ([*local, 1, 1][:3] if local else [0, 0, 0])

    def lines(self):
        yield f'launch {self.kernel} {" ".join(map(str, self.range))} {len(self.args)}'
        for kind, value in self.args:
            yield f'{kind} {value.hex() if isinstance(value, bytes) else value}'


def script(programs):
    """programs: (path, build options, launches)."""
    return ''.join(line + '\n' for path, options, launches in programs
                   for line in [f'program {path} {options}', *(x for k in launches for x in k.lines())])


def parse(text):
    """A list of (kernel, buffers after it as bytes), or (kernel, why it failed)."""
    results = []
    for line in text.splitlines():
        word, _, rest = line.partition(' ')
        if word == 'result':
            results.append((rest, []))
        elif word == 'failed':
            name, _, why = rest.partition(' ')
            if results and results[-1][0] == name and not results[-1][1]:
                results.pop()
            results.append((name, why))
        elif word == 'bytes':
            results[-1][1].append(bytes.fromhex(rest))
    return results


def under_cldbg(binary, programs, options, timeout, env=None):
    """Results as parse() gives them, and the findings: dicts of cldbg's JSON report."""
    cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report')
        p = subprocess.run(cldbg + options + [f'--report=json:{report}', '--log-file=/dev/null', binary], input=script(programs),
                           capture_output=True, timeout=timeout, text=True, env={**os.environ, **(env or {})})
        if p.returncode not in (0, 66):
            raise RuntimeError(f'status {p.returncode}: {p.stderr[-2000:]}')
        with open(report) as f:
            return parse(p.stdout), json.load(f)['findings']


def pocl():
    """The environment for pocl, or None where it is not installed."""
    icd = os.path.join(VENDORS, 'pocl.icd')
    return {**os.environ, 'OCL_ICD_VENDORS': icd} if os.path.exists(icd) else None


def elsewhere(binary, programs, env, seconds):
    """Results as parse() gives them, as far as the process came; each launch may take so many seconds of processor time, together they may take ten
    times as many of any. Those of a launch in which it ended are [], or missing."""
    with tempfile.TemporaryDirectory() as folder:  # pocl leaves files where it fails
        try:
            told = subprocess.run([os.path.abspath(binary), str(seconds)], input=script(programs).encode(), capture_output=True, env=env, cwd=folder,
                                  timeout=10 * seconds * sum(len(launches) for *_, launches in programs)).stdout
        except subprocess.TimeoutExpired as e:
            told = e.stdout or b''
    return parse(told.decode())
