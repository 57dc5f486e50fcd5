#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A signal that asks for an end gets it from every call that blocks, with the closing line and the reports: SIGTERM, SIGINT
# and SIGHUP, once, while a kernel's printf, the report or a report file has a reader that does not read, while the compiler
# works, while the app waits for an event that never completes.
import concurrent.futures, fcntl, json, os, signal, struct, subprocess, sys, tempfile, termios, time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

cldbg, app = os.path.abspath('cli/cldbg'), os.path.abspath('tests/cli/unusual')
for part in cldbg, app, 'src/cc/cldbg-cc':
    if not os.path.exists(part):
        print('skipped:', part, 'is not built')
        sys.exit(77)
tmp = tempfile.TemporaryDirectory()
os.environ.setdefault('CLDBG_CACHE', tmp.name + '/cache')
os.environ.pop('CLDBG_OPTIONS', None)


def kernel(name, text):
    path = f'{tmp.name}/{name}.cl'
    with open(path, 'w') as f:
        f.write(text)
    return path


# Work-item 3 writes outside; the groups then print more than a pipe holds.
LOUD = '''kernel void k(global int *out)
{
    if (get_global_id(0) == 3) out[4096] = 1;
    for (int i = 0; i < 64; i++) printf("%d: a line of text that fills a pipe in the end\\n", i);
}
'''
loud = kernel('loud', LOUD)
args = ['--global=4096', '--local=64', '--arg=int[4096]=0']


def full_pipe():
    """A pipe that is full, whose reader does not read."""
    r, w = os.pipe()
    fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
    try:
        while True:
            os.write(w, b'x' * 4096)
    except BlockingIOError:
        pass
    fcntl.fcntl(w, fcntl.F_SETFL, 0)
    return r, w


def waiting(fd):
    """Bytes that nobody has read."""
    return struct.unpack('i', fcntl.ioctl(fd, termios.FIONREAD, b'0000'))[0]


def begin_file():
    """A file that the app makes once it blocks; each case has its own, because cases run at the same time."""
    return tempfile.mktemp(dir=tmp.name)


def ended(what, sig, command, limit=8, until=None, begun=None, **streams):
    """Runs it, sends the signal once it blocks, and gives what it said on stderr."""
    begun = begun or begin_file()
    err = tempfile.TemporaryFile('w+', dir=tmp.name)
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP)],
                         env={**os.environ, 'UNUSUAL_BEGUN': begun}, **{'stdout': subprocess.DEVNULL, 'stderr': err, **streams})
    until = until or (lambda: os.path.exists(begun))
    deadline = time.time() + 60
    while not until() and time.time() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    check(f'{what}: it blocks', p.poll() is None)
    p.send_signal(sig)
    try:
        p.wait(limit)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        check(f'{what}: it ends', False)
        return ''
    check(f'{what}: by the signal', p.returncode == -sig, p.returncode)
    err.seek(0)
    return err.read()


def findings(path):
    with open(path) as f:
        return [x['id'] for x in json.load(f)['findings']]


subprocess.run([cldbg, '--instruction-limit=1000', 'run', loud, *args], capture_output=True)  # so that no signal meets the compiler
subprocess.run([cldbg, app, 'print', '1'], capture_output=True)


def printed(sig):
    r, w = os.pipe()
    file = begin_file()
    said = ended(f'printf, {sig.name}', sig, [cldbg, 'run', f'--report=json:{file}', loud, *args], stdout=w, until=lambda: waiting(r) > 60000)
    check(f'printf, {sig.name}: the closing line', 'cldbg: 1 error in 1 kernel launch (1 out-of-bounds); 1 launch was interrupted' in said, said)
    check(f'printf, {sig.name}: the report', findings(file) == ['out-of-bounds'])
    said = ended(f"an app's printf, {sig.name}", sig, [cldbg, f'--report=json:{file}', app, 'print'], stdout=w)
    check(f"an app's printf, {sig.name}: the closing line", 'cldbg: 1 error in 1 kernel launch (1 out-of-bounds); 1 launch was interrupted' in said, said)
    check(f"an app's printf, {sig.name}: the report", findings(file) == ['out-of-bounds'])
    os.close(r), os.close(w)


def report_without_reader():
    """The text of the report has no reader, and neither has the closing line."""
    r, w = full_pipe()
    ended('the report', signal.SIGTERM, [cldbg, 'run', f'--report=json:{tmp.name}/t.json', loud, *args], stderr=w, until=lambda: time.sleep(3) or True)
    check('the report: its file', findings(f'{tmp.name}/t.json') == ['out-of-bounds'])
    ended("an app's report", signal.SIGTERM, [cldbg, f'--report=json:{tmp.name}/u.json', app, 'print'], stderr=w)
    check("an app's report: its file", findings(f'{tmp.name}/u.json') == ['out-of-bounds'])
    os.close(r), os.close(w)


def report_file_without_reader():
    os.mkfifo(f'{tmp.name}/fifo')
    ended('a report file', signal.SIGTERM, [cldbg, f'--report=json:{tmp.name}/fifo', app, 'print'], until=lambda: time.sleep(3) or True)


def compiler(command):
    begun = begin_file()
    slow = begin_file()
    with open(slow, 'w') as f:
        f.write(f'#!/bin/sh\n: >{begun}\nexec sleep 4322\n')
    os.chmod(slow, 0o755)
    said = ended('the compiler', signal.SIGTERM, ['env', 'CLDBG_CACHE=off', f'CLDBG_CLANG={slow}', *command], begun=begun)
    check('the compiler: the closing line', 'cldbg: no kernel was launched: ' in said, said)


def user_event():
    said = ended('a user event', signal.SIGTERM, [cldbg, app, 'event'])
    check('a user event: the closing line', 'in 1 kernel launch; 1 enqueued launch never ran' in said, said)


def launch_of_other_threads():
    said = ended('clFinish', signal.SIGTERM, [cldbg, app, 'finish'])
    check('clFinish: the closing line', 'cldbg: 1 error in 1 kernel launch (1 out-of-bounds); 1 launch was interrupted; 1 enqueued launch never ran' in said, said)


def stuck_launch():
    """A launch that comes to no point where it could be cut short: here it waits for a lock of the app's."""
    said = ended('a stuck launch', signal.SIGTERM, [cldbg, app, 'stuck'])
    check('a stuck launch: said', 'a launch does not end within 2 seconds: the process ends with it' in said, said)
    check('a stuck launch: the closing line', 'in 1 kernel launch; 1 launch was interrupted' in said, said)


def handler_of_the_app():
    """An app with a handler of its own has its own way."""
    begun = begin_file()
    p = subprocess.Popen([cldbg, app, 'handler'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         env={**os.environ, 'UNUSUAL_BEGUN': begun})
    while not os.path.exists(begun) and p.poll() is None:
        time.sleep(0.1)
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    out, said = p.communicate(timeout=60)
    check('a handler: called', 'SIGTERM came' in out, out)
    check('a handler: its status', p.returncode == 3, p.returncode)
    check('a handler: the closing line', 'cldbg: ' in said, said)


cases = [*((printed, sig) for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)), (report_without_reader,), (report_file_without_reader,),
         (compiler, [cldbg, 'run', loud, *args]), (compiler, [cldbg, app, 'print']), (user_event,), (launch_of_other_threads,), (stuck_launch,),
         (handler_of_the_app,)]
with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool: # they mostly wait
    for done in [pool.submit(*case) for case in cases]:
        done.result()
sys.exit(result())
