#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each kernel of passes.cl, checked and as machine code: the same results, and the remarks that it announces."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLDBG = os.environ.get('CLDBG', 'cli/cldbg')
os.environ['CLDBG_CACHE'] = 'off'

ALIASED = '''
import numpy, pyopencl as cl
c = cl.create_some_context(interactive=False)
q = cl.CommandQueue(c)
k = cl.Program(c, """%s""").build()
host = numpy.arange(64, dtype=numpy.float32)
x = cl.Buffer(c, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
k.reversed(q, (64,), (16,), x, x)
cl.enqueue_copy(q, host, x)
print(host.astype(int).tolist())
'''


def cldbg(*args):
    p = subprocess.run([CLDBG, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return p.returncode, p.stdout, p.stderr


def kernels(text):
    """Name and announcements of each."""
    for part in re.finditer(r'((?:^//.*\n)+)kernel void (\w+)', text, re.M):
        said = re.findall(r'^// (RUN|SAYS|NOT) (.*)', part[1], re.M)
        if said:
            yield part[2], said


def check(path, name, said):
    return [line for what, words in said if what == 'RUN' for line in check_run(path, name, said, words.split())]


def check_run(path, name, said, options):
    way = [] if '--native' in options else ['--both']
    status, _, err = cldbg('run', *way, '--remarks', path, f'--kernel={name}', *options)
    bad = [] if status == 0 and (not way or 'no findings' in err) else ['it does not run, or not to the same results']
    remarks = ' '.join(line for line in err.splitlines() if 'remark' in line)
    bad += [f'not said: {words}' for what, words in said if what == 'SAYS' and words not in remarks]
    bad += [f'said: {words}' for what, words in said if what == 'NOT' and words in remarks]
    return [f'{name}: {b}\n{err}' for b in bad]


def check_aliased(path):
    """The same buffer twice: the local array is what keeps what was there."""
    source = re.search(r'kernel void reversed.*?\n}\n', open(path).read(), re.S)[0]
    status, out, err = cldbg('--native', '--remarks', '/usr/bin/python3', '-c', ALIASED % source)
    if 'No module named' in err:
        print('aliased arguments: skipped, there is no PyOpenCL')
        return []
    want = str([g * 16 + 15 - l for g in range(4) for l in range(16)])
    return [] if want in out and "'tile' stays: arguments overlap" in err else [f'aliased arguments: status {status}\n{out}{err}']


def main():
    path = os.path.join(HERE, 'passes.cl')
    found = list(kernels(open(path).read()))
    bad = [b for name, said in found for b in check(path, name, said)] + check_aliased(path)
    status, _, err = cldbg('run', '--native', '--remarks', '--native-passes=none', path, '--kernel=reversed', '--global=64', '--local=16',
                           '--arg=float[64]=iota', '--arg=float[64]=0')
    if status or 'remark' in err:
        bad.append(f'--native-passes=none: {err}')
    print('\n'.join(bad))
    print(f'{len(found)} kernels, {len(bad)} problems')
    return 1 if bad or len(found) < 20 else 0


if __name__ == '__main__':
    sys.exit(main())
