#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The debugger on a terminal: completion, history, an empty line, Ctrl-C while a kernel runs and at the prompt, a window
that changes its size, quit that asks, the end of input, an app whose input is redirected."""
import fcntl, os, pty, select, struct, sys, tempfile, termios, time

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
LOOP = "loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]".split()
LONG = "long.cl --global=4 --local=4 --arg=int[4]=0 --arg=int=2000000000".split()
PROMPT = "(cldbg) "
sessions = 0


class Session:
    def __init__(self, args, name, stdin=None, term="dumb", no_color=""):
        global sessions
        sessions += 1
        self.name, self.seen = name, ""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(kernels)
            os.environ.update(TERM=term, NO_COLOR=no_color, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"), CLDBG_HISTFILE=tmp + "/history")
            for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG", "INPUTRC"):
                os.environ.pop(k, None)
            if stdin:
                os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.execv(cldbg, ["cldbg", "-i", "run"] + args)
        self.expect(PROMPT)

    def expect(self, words, seconds=400):
        end = time.time() + seconds
        while words not in self.seen:
            if time.time() > end:
                sys.exit(f"FAILED: {self.name}: {words!r} did not come; there is {self.seen!r}")
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    self.seen += "(end)"
        before, self.seen = self.seen.split(words, 1)
        return before

    def type(self, text):
        os.write(self.fd, text.encode())

    def line(self, text):
        self.type(text + "\n")
        self.expect("\n")
        return self.expect(PROMPT)

    def end(self, status=0):
        end = time.time() + 100
        while time.time() < end:
            pid, got = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                if os.waitstatus_to_exitcode(got) != status:
                    sys.exit(f"FAILED: {self.name}: ended with {os.waitstatus_to_exitcode(got)}, not {status}")
                os.close(self.fd)
                return
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    pass
        sys.exit(f"FAILED: {self.name}: it does not end")


def has(text, words, name):
    if words not in text:
        sys.exit(f"FAILED: {name}: {words!r} is not in {text!r}")


s = Session(LOOP, "completion of commands")
s.type("undisp\t")
s.expect("undisplay ")
s.type("\x15")
s.type("info brea\t")
s.expect("info breakpoints ")
s.type("\n")
has(s.expect(PROMPT), "No breakpoints", s.name)
s.type("break twi\t")
s.type("\x15quit\n")
s.end()

s = Session(LOOP, "completion of variables and functions")
s.line("break 9")
s.line("run")
s.type("print get_gl\t\t")
s.expect("obal_")
s.type("\x15")
s.type("break twi\t")
s.expect("break twice")
s.type("\x15")
s.type("until loop.cl:1\x15quit\n")
s.expect("Quit anyway? (y or n) ")
s.type("n\n")
s.expect(PROMPT)
s.type("quit\n")
s.expect("(y or n) ")
s.type("x\n")
s.expect("Please answer y or n.")
s.expect("(y or n) ")
s.type("y\n")
s.end()

s = Session(LOOP, "an empty line repeats a step, and nothing else")
s.line("start")
has(s.line("next"), "5\t", s.name)
has(s.line(""), "7\t", s.name)
has(s.line(""), "8\t", s.name)
has(s.line("print j"), "= 0", s.name)
if "$2" in s.line(""):
    sys.exit("FAILED: print was repeated")
s.type("\x04")
s.end()

s = Session(LOOP, "history of the session before")
s.type("\x10")
s.expect("print j")
s.type("\x10\x10")
s.expect("next")
s.type("\x15quit\n")
s.end()

s = Session(LONG, "Ctrl-C while a kernel runs")
s.line("tbreak spin") # from here on it is known to run
has(s.line("run"), "spin", s.name)
s.type("continue\n")
time.sleep(1)
s.type("\x03")
s.expect("Interrupted.")
has(s.expect(PROMPT), "spin", s.name)
has(s.line("print i > 1000"), "$1 = 1", s.name)
s.type("continue\n")
time.sleep(0.5)
s.type("\x03")
s.expect("Interrupted.")
s.expect(PROMPT)
s.line("set confirm off")
s.type("quit\n")
s.end()

if not os.environ.get("CLDBG_TEST_TSAN"):  # which keeps the signal until readline calls what it knows
    s = Session(LOOP, "Ctrl-C at the prompt clears the line")
    s.type("print 12345")
    s.expect("12345")
    s.type("\x03")
    s.expect(PROMPT)
    has(s.line("print 1"), "$1 = 1", s.name)
    s.type("quit\n")
    s.end()

s = Session(LOOP, "a window that changes its size; pages")
fcntl.ioctl(s.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 60, 0, 0))
time.sleep(0.3)
s.type("help\n")
s.expect("c for all--")
s.type("\n")
s.expect("c for all--")
s.type("q\n")
s.expect(PROMPT)
s.line("set pagination off")
help = s.line("help all")
has(help, "unique", s.name)
if any(len(x) > 79 for x in (help + s.line("apropos e")).splitlines()):
    sys.exit("FAILED: the lists of commands are not folded")
s.type("quit\n")
s.end()

s = Session(LOOP, "the end of input quits, without asking")
s.line("start")
s.type("\x04")
s.expect("quit")
s.end()

s = Session(LOOP, "the app ends, and is run again")
has(s.line("run"), "[The program ended normally]", s.name)
has(s.line("print 1"), "= 1", s.name)
has(s.line("next"), "not being run", s.name)
s.line("break 9")
has(s.line("run"), "Breakpoint 1, k", s.name)
s.type("run\n")
s.expect("Start it from the beginning? (y or n) ")
has(s.line("n"), "", s.name)
has(s.line("print j"), "= 0", s.name)
s.type("run\ny\n")
s.expect("Breakpoint 1, k")
s.expect(PROMPT)
s.type("quit\ny\n")
s.end()

s = Session("history.cl --global=8192 --local=64 --arg=float[8192]=0 --arg=int[128]=0 --arg=local:float[64] --arg=int=40".split(), "Ctrl-C on the way back")
s.line("break 26 wi (8000) if r == 39")
has(s.line("run"), "Breakpoint 1, history", s.name)
s.line("delete 1")
for place in (7, 8, 9) * 10:  # whose conditions make the way last
    s.line(f"break {place} if y < -1")
s.type("reverse-continue\n")
time.sleep(0.5)
s.type("\x03")
s.expect("Interrupted while going back.")
s.expect(PROMPT)
s.type("quit\ny\n")
s.end()

s = Session(LOOP, "colors", term="xterm")
s.line("break 9")
s.line("run")
has(s.line("map"), "\033[1;7m@\033[0m", s.name)
s.type("quit\ny\n")
s.end()

s = Session(LOOP, "no colors", term="xterm", no_color="1")
s.line("break 9")
s.line("run")
if "\033[1;7m" in s.line("map"):
    sys.exit("FAILED: NO_COLOR is not heeded")
s.type("quit\ny\n")
s.end()

s = Session(LOOP, "a command of one's own")
s.type("define twins\n")
s.expect("just \"end\".")
s.expect(">")
s.type("print $arg0\nprint $arg0\nend\n")
s.expect(PROMPT)
has(s.line("twins 7"), "$2 = 7", s.name)
s.type("twi\t 8\n")
s.expect("$4 = 8")
s.expect(PROMPT)
s.type("quit\n")
s.end()

s = Session(LOOP, "a command of one's own that has the name of another")
s.type("define list\n")
s.expect("Really redefine built-in command \"list\"? (y or n) ")
s.type("n\n")
s.expect(PROMPT)
s.type("define hop\n")
s.expect(">")
s.type("print 1\nend\n")
s.expect(PROMPT)
s.type("define hop\n")
s.expect("Redefine command \"hop\"? (y or n) ")
s.type("y\n")
s.expect(">")
s.type("print 2\nend\n")
s.expect(PROMPT)
has(s.line("hop"), "$1 = 2", s.name)
has(s.line("set confirm maybe"), "\"on\" or \"off\" expected", s.name)
s.line("set confirm off")
s.type("define list\n")
s.expect(">")
s.type("print 3\nend\n")
s.expect(PROMPT)
has(s.line("list"), "$2 = 3", s.name)
s.type("\x04")
s.end()

s = Session(LOOP, "commands typed for a breakpoint")
s.line("break 9")
s.type("commands\n")
s.expect(">")
s.type("print j\nend\n")
s.expect(PROMPT)
has(s.line("run"), "$1 = 0", s.name)
s.type("\x04")
s.end()

s = Session("long.cl --global=64 --local=64 --arg=int[64]=0 --arg=int=300000".split(), "Ctrl-C at a question about the past")
s.line("catch launch-end")
s.line("run")
s.type("diff items 0 1\n")
s.expect("\n")
time.sleep(1)
s.type("\x03")
has(s.expect(PROMPT), "interrupted there", s.name)
has(s.line("why/1 o[3]"), "o[3] = ", s.name)
has(s.line("info history"), "work-group", s.name)
s.type("diff it\t")
s.expect("diff items ")
s.type("\x15quit\n")
s.expect("(y or n) ")
s.type("y\n")
s.end()

s = Session(LOOP, "a block whose head is wrong is refused at once")
has(s.line("commands 99"), "No breakpoint number 99.", s.name)
has(s.line("if"), "an expression is missing", s.name)
has(s.line("print 42"), "$1 = 42", s.name)
s.type("\x04")
s.end()

s = Session(LOOP, "an app whose input is a file: the terminal is ours", stdin="/dev/null")
has(s.line("start"), "loop.cl:4", s.name)
s.type("\x04")
s.end()

with open(tmp + "/script", "w") as f:
    f.write("break 9\nrun\nprint j\n")
s = Session(LOOP, "source")
s.type("source " + tmp + "/script\n")
s.expect(PROMPT + "break 9")
s.expect("$1 = 0")
s.expect(PROMPT)
has(s.line("source nosuch"), "No such file", s.name)
s.type("\x04")
s.end()
print(f"{sessions} sessions on a terminal")
