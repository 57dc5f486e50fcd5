#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A long launch on a terminal says how far it is, in a line that is erased before anything else is written; in a pipe nothing.
import os
import pty
import re
import subprocess
import sys
import tempfile
import time

if not os.path.exists("src/api/.libs/libcldbg.so"):
    print("skipped: the driver is not built")
    sys.exit(77)
folder = tempfile.TemporaryDirectory()
source = os.path.join(folder.name, "long.cl")
with open(source, "w") as f:
    f.write("""kernel void slow(global int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 3 + i;
    a[0] = sum + get_group_id(0);
}
""")


def command(n):
    return ["cli/cldbg", "run", source, "--global=40", "--local=1", "--gang=1", "--compute-units=1", "--arg=int[40]=0", "--arg=int=%d" % n]


def in_pipe(n):
    begin = time.time()
    p = subprocess.run(command(n), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return time.time() - begin, p.stdout + p.stderr


def on_terminal(n, term):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = term
        os.execv("cli/cldbg", command(n))
    text = b""
    try:
        while more := os.read(fd, 65536):
            text += more
    except OSError:  # the other end is closed
        pass
    os.waitpid(pid, 0)
    return text.decode()


def screen(text):
    """What is to be seen in the end."""
    lines = []
    for line in text.split("\r\n"):
        lines.append(line.split("\r\033[K")[-1])
    return "\n".join(lines)


n = 20000
while True:  # so many steps that it takes some seconds here
    seconds, text = in_pipe(n)
    if seconds > 2.5:
        break
    n = int(n * max(1.5, min(10, 3.5 / seconds)))
assert "work-groups (" not in text and "\033" not in text, "progress in a pipe: %r" % text
told = on_terminal(n, "xterm")
first = re.search(r"\r\033\[Kcldbg: kernel 'slow': (\d+) of 40 work-groups \((\d+) %\), [\d.]+/s, .*? left", told)
assert first, "no progress on a terminal: %r" % told
assert int(first[2]) == round(100 * int(first[1]) / 40), first[0]
assert "work-groups (" not in screen(told), "the line is still there: %r" % screen(told)
assert "data race" in screen(told) and "1 error" in screen(told), screen(told)
assert "work-groups (" not in on_terminal(n // 100, "xterm"), "a short launch has no progress"
assert "work-groups (" not in on_terminal(n, "dumb"), "a dumb terminal cannot take a line back"
print("seen: " + first[0].lstrip("\r").replace("\033[K", ""))
