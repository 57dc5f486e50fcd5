#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs OpenCL programs of Debian's under cldbg and on another OpenCL, and prints a table.

usage: real_apps.py [options] [name...]          names: whole words or globs ("clblast*")
options:
  --install        apt-get install the packages first (as root)
  --list           the names, and stop
  --limit SECONDS  of processor time, of a program and all that it starts (120)
  --stall SECONDS  in which it computes nothing: it hangs (100)
  --with COMMAND   what to put before each program (cldbg of this tree's _build)
  --option X       an option of cldbg's for all; may be repeated
  --vendor FILE    the .icd of the OpenCL to compare with (pocl.icd); "" compares with none
  --keep DIR       write what each program said to DIR
  --markdown       the table as doc/CONFORMANCE.md has it

A program is right when it ends with 0 (66 under cldbg: there were findings) and said what its row asks for. Findings are
listed with it: on programs of others each is to be looked at. Seconds are of processor time, so that a busy machine does
not change the table; two threads make them more than what one waits.
"""
import argparse
import fnmatch
import html
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from effort import effort

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ('clinfo clpeak clfft-client clblast-tests clblast-utils libviennacl-dev libviennacl-doc libboost-dev g++ ocl-icd-opencl-dev '
            'python3-pyopencl python-pyopencl-doc python3-pytest python3-mako python3-pil hashcat darktable pocl-opencl-icd').split()
SMALLER = {  # what makes the device smaller for programs that do as much as it can hold: options of cldbg's
    'clpeak-global-bandwidth': ['--global-mem-size=256M'],  # its buffer is a part of the memory
    'clpeak-compute-sp': ['--compute-units=1', '--max-wg-size=64'],  # its work-items are 2048 of the largest groups a compute unit
}
EXAMPLES = '/usr/share/doc/python-pyopencl-doc/examples'
VIENNACL = '/usr/share/doc/libviennacl-dev/html'

# name, shell command, what it says when all is right (a regex; '' asks for the status only)
ROWS = [('clinfo', 'clinfo', r'Number of platforms\s+1')]
ROWS += [(f'clpeak-{t}', f'clpeak --{t}', 'Platform: ') for t in ('kernel-latency', 'global-bandwidth', 'compute-sp')]
ROWS += [(f'clfft-{n}', f'clFFT-client {o}', '') for n, o in
         (('1d', '-x 1024 -b 8'), ('2d', '-x 64 -y 32'), ('double', '--double -x 256'), ('out-of-place', '-o -x 100 -y 9'))]
ROWS += [(f'clblast-{t}', f'clblast_test_{t}', r'(?s)0 test\(s\) failed(?!.*[1-9]\d* test\(s\) failed)') for t in
         ('xaxpy', 'xdot', 'xnrm2', 'xscal', 'xger', 'xgemv', 'xtrsv', 'xsyrk', 'xgemm', 'xtrsm', 'xomatcopy', 'xim2col')]
ROWS += [(f'tuner-{t}', f'clblast_tuner_{t} {o} -runs 1', 'best result|Completed|[Ff]ound best') for t, o in
         (('xaxpy', '-n 4096'), ('copy_fast', '-m 64 -n 64'), ('transpose_fast', '-m 64 -n 64'))]
ROWS += [(f'viennacl-{t}', f'viennacl:{t}', '') for t in
         ('blas1', 'custom-context', 'custom-kernels', 'fft', 'nmf', 'power-iter', 'scheduler', 'structured-matrices', 'tql2', 'vector-range')]
ROWS += [(f'pyopencl-{t}', f'/usr/bin/python3 {EXAMPLES}/{t}.py', '') for t in
         ('demo', 'demo_array', 'demo_array_svm', 'demo_elementwise', 'demo_elementwise_complex', 'demo_meta_template',
          'demo-struct-reduce', 'dump-properties', 'narray', 'pi-monte-carlo', 'svm', 'transpose')]
ROWS += [(f'pyopencl-{t}', f'/usr/bin/python3 -m pytest -q -p no:cacheprovider {EXAMPLES}/{t}.py', r'\d+ passed') for t in
         ('test_arrays_in_structs', 'test_clmath', 'test_enqueue_copy', 'test_clrandom', 'test_wrapper', 'test_algorithm', 'test_array')]
ROWS += [('hashcat-md5', "hashcat --force --potfile-disable --logfile-disable -m 0 -a 3 900150983cd24fb0d6963f7d28e17f72 '?l?l?l'", 'Cracked|:abc'),
         ('darktable-cltest', 'darktable-cltest', '')]


def viennacl(name, folder):
    """An example of ViennaCL's, out of its documentation, compiled."""
    page = open(f'{VIENNACL}/{name}_8cpp-example.html', encoding='utf-8', errors='replace').read()
    parts = re.findall(r'(?s)<div class="fragment">(.*?)<!-- fragment -->', page)
    whole = max(parts, key=len)  # the pieces come first
    code = html.unescape(re.sub(r'<[^>]*>', '', whole.replace('</div>\n', '\n')))
    path = os.path.join(folder, name)
    for header in re.findall(r'#include "(vector-io|Random|iterative_gmres)\.hpp"', code):
        raise RuntimeError(f'{header}.hpp of the examples is not packaged')
    with open(path + '.cpp', 'w') as f:
        f.write(code)
    built = subprocess.run(['g++', '-O0', '-w', '-DVIENNACL_WITH_OPENCL', path + '.cpp', '-o', path, '-lOpenCL', '-lpthread'],
                           capture_output=True, text=True)
    if built.returncode:
        raise RuntimeError('it does not compile: ' + next((s for s in built.stderr.split('\n') if 'error' in s), '?')[:120])
    return path


class Run:
    def __init__(self, argv, env, folder, right, o):
        with tempfile.TemporaryFile() as out:
            p = subprocess.Popen(argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
            cut, self.seconds = self.watch(p, o)
            out.seek(0)
            self.said = out.read().decode(errors='replace')
        self.status = p.returncode
        plain = re.sub(r'\x1b\[[0-9;]*m', '', self.said)
        self.end = (cut if cut else f'signal {-self.status}' if self.status < 0 else
                    f'status {self.status}' if self.status not in (0, 66) else 'right' if re.search(right, plain) else 'wrong')
        closing = re.findall(r'^cldbg: .*? in (\d+) kernel launch(?:es)?(?: \((.*?)\))?', plain, re.M)
        self.findings = ', '.join(kinds for _, kinds in closing if kinds)
        self.launches = sum(int(n) for n, _ in closing)

    @staticmethod
    def watch(p, o):
        """Waits for it: why it was ended, or None, and its processor time."""
        used, heard, cut = 0.0, time.monotonic(), None
        while os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            now, (cpu, busy) = time.monotonic(), effort(p.pid)
            heard = now if busy or cpu > used else heard
            used = max(used, cpu)
            cut = 'too long' if used > o.limit else 'hung' if now - heard > o.stall else None
            if cut:
                os.killpg(p.pid, signal.SIGKILL)
                break
            time.sleep(0.1)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        return cut, max(used, usage.ru_utime + usage.ru_stime)


def table(rows, markdown):
    widths = [max(len(r[k]) for r in rows) for k in range(len(rows[0]))]
    for i, r in enumerate(rows):
        cells = [c.ljust(w) for c, w in zip(r, widths)]
        print(('| ' + ' | '.join(cells) + ' |') if markdown else '  '.join(cells).rstrip())
        if markdown and not i:
            print('|' + '---|' * len(r))


def main():
    p = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n')[0], add_help=False)
    p.add_argument('names', nargs='*')
    p.add_argument('--install', action='store_true')
    p.add_argument('--list', action='store_true')
    p.add_argument('--limit', type=float, default=120)
    p.add_argument('--stall', type=float, default=100)
    p.add_argument('--with', dest='command', default=os.path.join(HERE, '..', '_build', 'cli', 'cldbg'))
    p.add_argument('--option', action='append', default=[])
    p.add_argument('--vendor', default='/etc/OpenCL/vendors/pocl.icd')
    p.add_argument('--keep')
    p.add_argument('--markdown', action='store_true')
    if len(sys.argv) > 1 and sys.argv[1] in ('-h', '--help'):
        print(__doc__)
        return 0
    o = p.parse_intermixed_args()
    command = o.command.split()
    if os.path.exists(command[0]):
        command[0] = os.path.abspath(command[0])  # programs run in a folder of their own
    if o.install:
        subprocess.run(['apt-get', 'install', '-y', '--no-install-recommends', *PACKAGES], check=True)
    rows = [r for r in ROWS if not o.names or any(fnmatch.fnmatch(r[0], n) for n in o.names)]
    if o.list:
        print('\n'.join(r[0] for r in rows))
        return 0
    if not rows:
        sys.exit(f'real_apps.py: no program is called {o.names[0]}; --list names them')
    shown, bad = [('program', 'cldbg', 'launches', 'findings', 'seconds', 'other', 'seconds', 'ratio')], 0
    if o.keep:
        os.makedirs(o.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        base = {k: v for k, v in os.environ.items() if not k.startswith('OCL_ICD')}
        base.update(HOME=folder, PYOPENCL_CTX='0', PYOPENCL_NO_CACHE='1', XDG_CACHE_HOME=folder, MPLBACKEND='Agg')
        for name, line, right in rows:
            try:
                if line.startswith('viennacl:'):
                    line = viennacl(line[9:], folder)
                elif not shutil.which(line.split()[0]):
                    raise RuntimeError('not installed')
            except (RuntimeError, OSError, ValueError) as e:
                shown.append((name, f'skipped: {e}', '', '', '', '', '', ''))
                continue
            ours = Run(command + SMALLER.get(name, []) + o.option + ['sh', '-c', 'exec ' + line], base, folder, right, o)
            other = None
            if o.vendor:
                other = Run(['sh', '-c', 'exec ' + line], {**base, 'OCL_ICD_VENDORS': o.vendor}, folder, right, o)
            if o.keep:
                for which, r in (('cldbg', ours), ('other', other)):
                    if r:
                        with open(os.path.join(o.keep, f'{name}.{which}'), 'w') as f:
                            f.write(r.said)
            bad += ours.end != 'right' and (not other or other.end == 'right')
            both = other and ours.end == other.end == 'right'
            shown.append((name, ours.end, str(ours.launches), ours.findings, f'{ours.seconds:.1f}', other.end if other else '',
                          f'{other.seconds:.1f}' if other else '', f'{ours.seconds / other.seconds:.1f}' if both else ''))
            print('  '.join(shown[-1]), file=sys.stderr)
    table(shown, o.markdown)
    return 1 if bad else 0


sys.exit(main())
