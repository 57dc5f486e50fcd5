#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# On a terminal: Ctrl-Z stops the app and the command as one job of the shell, fg goes on, Ctrl-C ends both.
import os
import pty
import select
import shutil
import signal
import sys
import time

if not shutil.which("bash"):
    print("skipped: there is no bash")
    sys.exit(77)
if not os.path.exists("src/api/.libs/libOpenCL.so.1"):
    print("skipped: the thin libOpenCL.so.1 is not built")
    sys.exit(77)
pid, fd = pty.fork()
if pid == 0:
    for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)  # a shell passes on what it was started to ignore
    os.environ.update(PS1="$ ", TERM="dumb")
    os.execvp("bash", ["bash", "--norc", "--noediting", "-i"])
seen = ""


def expect(words, seconds=100):
    """What comes until the words were seen."""
    global seen
    end = time.time() + seconds
    while words not in seen:
        if time.time() > end:
            sys.exit("FAILED: %r did not come; there is: %r" % (words, seen))
        if select.select([fd], [], [], 0.2)[0]:
            seen += os.read(fd, 65536).decode(errors="replace")
    seen = seen[seen.index(words) + len(words):]


def send(text):
    os.write(fd, text.encode())


# exec: dash starts commands by vfork, and a Ctrl-Z that meets its child before the exec leaves dash waiting unstopped
send("cli/cldbg sh -c 'echo rea''dy; exec sleep 100'; echo sta''tus $?\n")
expect("ready")
send("\x1a")
expect("Stopped")
send("jobs; echo do''ne\n")
expect("done")
send("fg\n")
expect("cli/cldbg")
time.sleep(0.3)
send("\x03")
expect("no kernel was launched")
send("echo sta''tus $?\n")
expect("status 130")
send("cli/cldbg cat\nhello\n")
expect("hello")
expect("hello")  # the echo of the terminal, then cat's
send("\x04")
expect("no kernel was launched")
# The closing line's colors, by the rule of the report's.
for how, words in (("TERM=xterm", "cldbg: \x1b[1;35mno kernel"), ("NO_COLOR=1 TERM=xterm", "cldbg: no kernel"), ("TERM=dumb", "cldbg: no kernel"),
                   ("NO_COLOR= TERM=xterm", "cldbg: \x1b[1;35mno kernel")):
    send(how + " cli/cldbg tr''ue\n")
    expect(words)
for when, words in (("always", "cldbg: \x1b[1;35mno kernel"), ("never", "cldbg: no kernel")):
    send("TERM=xterm cli/cldbg --color=%s tr''ue\n" % when)
    expect(words)
send("exit\n")
os.waitpid(pid, 0)
print("all as on a terminal without cldbg")
