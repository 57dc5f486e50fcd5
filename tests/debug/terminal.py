#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cldbg -i` leaves the terminal to the app: what an app writes (much, and any bytes), reads and finds out about its terminal is as
without the debugger; under --tui it can do no harm. Ctrl-Z and fg, and NO_COLOR."""
import fcntl, os, pty, select, signal, struct, sys, tempfile, termios, time

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
LOOP = ["run", "loop.cl", "--global=8", "--local=4", "--arg=int[8]=iota", "--arg=int=3", "--arg=local:int[4]"]
LONG = ["run", "long.cl", "--global=4", "--local=4", "'--arg=int[4]=0'", "--arg=int=2000000000"]
APP = """import os, sys, time
mode, out = sys.argv[1], sys.stdout.buffer
if mode == "terminal":
    print([os.isatty(k) for k in range(3)], os.ttyname(1) == os.ttyname(0) == os.ttyname(2), os.tcgetpgrp(1) == os.getpgrp(), os.get_terminal_size(1) == (77, 33))
elif mode == "much":
    for i in range(60000):
        out.write(b"%06d 0123456789012345678901234567890123456789\\n" % i)
elif mode == "bytes":
    for k in range(300):
        out.write(bytes(range(256)))
elif mode == "lines":
    for line in sys.stdin:
        print("read", line.strip(), flush=True)
    print("end of input")
elif mode == "asks":
    print("you are", input("name? "))
    with open("/dev/tty", "r+b", buffering=0) as t:
        t.write(b"really? ")
        print("answer", t.readline())
elif mode == "keys":
    import curses
    print("key", curses.wrapper(lambda s: (s.addstr(1, 1, "press"), s.refresh(), s.getch())[2]))
out.flush()
"""
with open(tmp + "/app.py", "w") as f:
    f.write(APP)
failures = 0


def check(what, ok, more=""):
    global failures
    if not ok:
        failures += 1
        print("FAILED:", what, more)


class Terminal:
    def __init__(self, command, term="xterm", **env):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
            os.chdir(kernels)
            new = dict(os.environ, TERM=term, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"), CLDBG_HISTFILE=tmp + "/history", PS1="$ ", ENV="", LC_ALL="C.UTF-8", **env)
            for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
                new.pop(k, None)
            os.execvpe(command[0], command, new)
        self.data, self.seen = bytearray(), 0

    def wait(self, words, seconds=40):
        """Up to the words; what came before them."""
        end = time.time() + seconds
        while (at := self.data.find(words, self.seen)) < 0:
            ready = select.select([self.fd], [], [], max(0, end - time.time()))[0]
            try:
                new = os.read(self.fd, 65536) if ready else b""
            except OSError:
                new = b""
            if not new:
                check(f"{words!r} comes", False, bytes(self.data[-500:]))
                return b""
            self.data += new
        before = bytes(self.data[self.seen:at])
        self.seen = at + len(words)
        return before

    def send(self, text):
        time.sleep(0.1)
        os.write(self.fd, text)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def debug(mode, *options):
    return Terminal([cldbg, "-i", *options, sys.executable, tmp + "/app.py", mode])


def apps():
    t = debug("terminal")
    check("the terminal is the app's", b"[True, True, True] True True True\r\n" in t.wait(b"(cldbg) "), bytes(t.data))
    t.end()
    t = debug("much")
    check("much output", t.wait(b"cldbg:") == b"".join(b"%06d 0123456789012345678901234567890123456789\r\n" % i for i in range(60000)), t.data[-200:])
    t.end()
    t = debug("bytes")
    check("any bytes", t.wait(b"cldbg:") == (bytes(range(256)) * 300).replace(b"\n", b"\r\n"), t.data[-600:])
    t.end()
    t = debug("lines")
    for line in (b"one", b"two"):
        t.send(line + b"\n")
        t.wait(b"read " + line)
    t.send(b"\4")
    t.wait(b"end of input\r\n")
    t.wait(b"(cldbg) ")
    t.end()
    t = debug("asks")
    t.wait(b"name? ")
    t.send(b"Ada\n")
    t.wait(b"you are Ada")
    t.wait(b"really? ")
    t.send(b"yes\n")
    t.wait(b"answer b'yes\\n'")
    t.wait(b"(cldbg) ")
    t.end()
    t = debug("keys")
    t.wait(b"press")
    t.send(b"x")
    t.wait(b"key 120")
    t.wait(b"(cldbg) ")
    t.end()


def windows():
    for mode in ("much", "bytes", "terminal"):
        t = debug(mode, "--tui")
        t.wait(b"ended")
        t.send(b"print 40 + 2\n")
        t.wait(b"= 42")
        t.send(b"quit\n")
        t.wait(b"\x1b[?1049l")
        t.end()
    t = debug("lines", "--tui")
    t.send(b"one\n")
    t.wait(b"read one")
    t.send(b"\4")
    t.wait(b"end of input")
    t.end()


def stopped_and_continued():
    for options in ([], ["--tui"]):
        t = Terminal(["/bin/bash", "--norc", "--noprofile", "-i"])
        t.wait(b"$ ")
        t.send(" ".join([cldbg, "-i", *options, *[f"'{x}'" for x in LOOP]]).encode() + b"\n")
        t.wait(b"(cldbg) ")
        t.send(b"start\n")
        t.wait(b"get_global_id")
        t.wait(b"(cldbg) ")
        t.send(b"\x1a")
        t.wait(b"Stopped")
        t.send(b"echo now''here $(stty -a | tr ' ' '\\n' | grep -c '^-icanon\\|^-echo;*$')\n")
        t.wait(b"nowhere 0")
        t.send(b"fg\n")
        t.wait(b"(cldbg)")
        t.send(b"print 40 + 2\n")
        t.wait(b"= 42")
        t.send(b"next\n")
        t.wait(b"float4")
        t.send(b"quit\n")
        t.wait(b"Quit anyway?")
        t.send(b"y\n")
        t.send(b"echo at''end\n")
        t.wait(b"atend")
        t.send(" ".join([cldbg, "-i", *options, *LONG]).encode() + b"\n")
        t.wait(b"(cldbg) ")
        t.send(b"run\n")
        time.sleep(1)
        t.send(b"\x1a")  # while a kernel runs
        t.wait(b"Stopped")
        t.send(b"fg\n")
        time.sleep(0.5)
        t.send(b"\3")
        t.wait(b"Interrupted.")
        t.end()


def plain_colors():
    for term in ("xterm-256color", "screen", "vt100", "linux"):
        for no in ({"NO_COLOR": "1"}, {}):
            t = Terminal([cldbg, "-i", "--tui", *LOOP], term, **no)
            t.wait(b"(cldbg)")
            t.send(b"start\n")
            t.wait(b"get_global_id")
            t.send(b"map\n")
            t.wait(b"not begun")
            t.send(b"quit\n")
            t.wait(b"Quit anyway?")
            t.send(b"y\n")
            time.sleep(0.5)
            codes = [c for part in bytes(t.data).split(b"\x1b[")[1:] if (m := part.partition(b"m")[0]).replace(b";", b"").isdigit() for c in m.split(b";")]
            colored = [c for c in codes if len(c) == 2 and c[:1] in b"34" and c not in (b"39", b"49")]
            check(f"colors of {term}, {no}", not colored if no or term == "vt100" else colored, codes[:20])
            t.end()


for test in (apps, windows, stopped_and_continued, plain_colors):
    test()
print("the terminal is the app's" if not failures else f"{failures} failed")
sys.exit(failures > 0)
