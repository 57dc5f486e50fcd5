#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The text user interface of the debugger in tmux: windows, sizes, layouts, keys, output of kernels and of the app, findings,
Ctrl-C, and the terminal after each way to end."""
import os, shutil, signal as sig, subprocess, sys, tempfile, time

if not shutil.which("tmux"):
    print("tmux is missing")
    sys.exit(77)
top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
socket = tmp + "/tmux"
LOOP = "run loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]"
LONG = "run long.cl --global=4 --local=4 --arg=int[4]=0 --arg=int=2000000000"
with open(tmp + "/odd.cl", "w") as f:
    f.write("// größer → 漢字 \x1b[2J end of the comment\nkernel void odd(global int *o)\n{\n\tint tabbed = 1;\n"
            "  printf(\"from the kernel \\033[2J%d\\n\", tabbed);\n  o[0] = tabbed; // " + "long " * 60 + "\n}\n"
            + "// filler\n" * 60 + "// the last line\n")
ODD = f"run {tmp}/odd.cl --global=1 --local=1 --arg=int[1]=0"


def fail(name, why, screen=""):
    tmux("kill-server")
    sys.exit(f"FAILED: {name}: {why}\n{screen}")


def tmux(*words):
    return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *words], capture_output=True, text=True,
                          env=dict(os.environ, LC_ALL="C.UTF-8", PS1="$ ", ENV="")).stdout


class Screen:
    def __init__(self, name, columns=100, rows=30):
        global socket
        self.name = name
        tmux("kill-server")
        socket += "x"  # the server before may still be ending
        tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", kernels, "sh")
        self.type("PS1='$ '; clear")
        self.expect_not("clear")
        self.expect("$")

    def start(self, arguments, before=""):
        self.type(f"stty -a | tail -n +2 >{tmp}/before; {before} CLDBG_HISTFILE={tmp}/history {cldbg} -i {arguments}; echo st''atus $?; stty -a | tail -n +2 >{tmp}/after")

    def type(self, line):
        tmux("send-keys", "-l", line)
        tmux("send-keys", "Enter")

    def key(self, *names):
        tmux("send-keys", *names)

    def text(self):
        return tmux("capture-pane", "-p")

    def expect(self, words, seconds=12):
        end = time.time() + seconds
        while words not in (screen := self.text()):
            if time.time() > end:
                fail(self.name, f"{words!r} did not come", screen)
            time.sleep(0.1)
        return screen

    def expect_not(self, words):
        end = time.time() + 20
        while words in (screen := self.text()):
            if time.time() > end:
                fail(self.name, f"{words!r} is still there", screen)
            time.sleep(0.1)
        return screen

    def resize(self, columns, rows):
        tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def sane(self, status):
        self.expect(f"status {status}")
        self.type("echo re''ady")
        self.expect("ready")
        with open(tmp + "/before") as a, open(tmp + "/after") as b:
            before, after = a.read(), b.read()
        if before != after:
            fail(self.name, f"the terminal was left as\n{after}and was\n{before}")


s = Screen("windows, sizes, layouts")
s.start("--tui " + LOOP)
s.expect("No source")
for line in ("break 9", "run", "display j"):
    s.type(line)
s.expect("1: j = 0")
for words in ("─ loop.cl", "B+>  9 a", "─ work-group", "0 @...", "not begun (3)", "j = 0", "─ display", "stopped  k:9"):
    s.expect(words)
s.type("tbreak 12")
s.expect("b+  12")
s.type("disable 1")
s.expect("B->  9")
s.type("next")
s.expect("> 10 a")
s.resize(20, 5)
s.expect_not("work-group")
s.expect("> 10")
s.resize(160, 50)
s.expect("─ display")
s.resize(80, 24)
s.expect("─ display")
s.type("layout src")
s.expect_not("─ work-group")
s.type("layout map")
s.expect_not("─ variables")
s.expect("─ work-group")
s.type("layout regs")
s.expect("─ variables")
s.expect_not("─ work-group")
s.type("layout nosuch")
s.expect("src, map, regs, all, next, prev or off is expected")
s.type("winheight cmd 3")
s.type("print 4242")
if s.expect("= 4242\n(cldbg)").rstrip().splitlines()[-4].find("stopped") < 0:
    fail(s.name, "winheight", s.text())
s.key("undisp", "Tab")
s.expect("undisplay")
s.key("C-u")
s.key("C-p")
s.expect("(cldbg) print 4242")
s.key("C-x", "a")
s.expect_not("─ loop.cl")
s.key("C-x", "a")
s.expect("─ loop.cl")
s.key("C-u")
s.type("layout off")
s.expect_not("─ loop.cl")
s.type("tui enable")
s.expect("─ loop.cl")
s.type("quit")
s.expect("Quit anyway?")
s.type("y")
s.sane(0)

s = Screen("tabs, UTF-8, long lines, control characters, printf, scrolling", 90, 24)
s.start("--tui " + ODD)
s.type("start")
s.expect(">  4")
s.expect("größer → 漢字")
s.expect("        int tabbed = 1;")
s.type("next")
s.type("next")
screen = s.expect("from the kernel")
if "─ odd.cl" not in screen or ">  6" not in s.expect(">  6"):
    fail(s.name, "printf destroyed the picture", screen)
s.type("focus src")
for _ in range(8):
    s.key("NPage")
s.expect("the last line")
s.key("PPage", "PPage", "PPage", "PPage", "PPage", "PPage", "PPage", "PPage")
s.expect("größer")
s.key("Down")
s.expect_not("größer")
s.key("Right", "Right")
s.key("C-l")
s.expect("─ odd.cl")
s.type("focus cmd")
s.key("Up")
s.expect("(cldbg) focus cmd")
s.key("C-u")
s.type("quit")
s.type("y")
s.sane(0)

s = Screen("a finding, and Ctrl-C")
s.start("--tui " + LONG)
s.type("tbreak spin")
s.type("run")
s.expect("stopped")
s.type("continue")
s.expect(" running")
time.sleep(1)
s.key("C-c")
s.expect("Interrupted.")
s.expect("stopped")
s.type("quit")
s.type("y")
s.sane(0)
with open(tmp + "/race.cl", "w") as f:
    f.write("kernel void race(global int *o)\n{\n  o[0] = get_global_id(0);\n}\n")
s.start(f"--tui run {tmp}/race.cl --global=4 --local=4 --arg=int[1]=0")
s.type("run")
s.expect("data race on")
s.expect(">  3")
s.expect("returned (1)")
s.type("quit")
s.type("y")
s.sane(0)

s = Screen("windows that are switched on later", 90, 24)
s.start(ODD)
s.type("start")
s.expect("4")
s.type("layout all")
s.expect(">  4")
s.type("next")
s.type("next")
s.expect(">  6")
if "─ odd.cl" not in s.expect("from the kernel"):
    fail(s.name, "printf destroyed the picture", s.text())
s.type("layout off")
s.expect_not("─ odd.cl")
s.expect("from the kernel")
s.type("quit")
s.type("y")
s.sane(0)

s = Screen("windows over an app, switched on later", 90, 24)
s.start(os.path.join(os.getcwd(), "examples", "reduction"))
s.type("start")
s.expect("reduce (")
s.type("layout all")
s.expect("─ reduction.cl")
s.type("continue")
s.expect("ended")
s.expect("no findings")
s.expect("sum of 4096 numbers: right")
s.expect("─ reduction.cl")
s.type("quit")
s.expect("no findings")
s.sane(0)

for signal in ("TERM", "HUP", "ABRT"):
    s = Screen("death by SIG" + signal)
    s.start("--tui " + LOOP)
    s.type("start")
    s.expect("stopped")
    shell = tmux("display-message", "-p", "#{pane_pid}").strip()
    with open(f"/proc/{shell}/task/{shell}/children") as f:
        os.kill(int(f.read().split()[0]), getattr(sig, "SIG" + signal))
    s.expect("status")
    s.sane({"TERM": 143, "HUP": 129, "ABRT": 134}[signal])

s = Screen("terminals that cannot show it")
s.start("--tui " + LOOP, "TERM=dumb")
s.expect('TERM is "dumb"')
s.type("layout src")
s.expect('TERM is "dumb"')
s.type("quit")
s.sane(0)
s.start(f"--tui --batch -x /dev/null {LOOP} 2>&1 | cat")
s.expect("does not go with --batch")
tmux("kill-server")
print("the text user interface works")
