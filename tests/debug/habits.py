#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the commands that users of gdb, cuda-gdb and rr type do in the debugger: the table of doc/DEBUGGER.md. It is made from a
session: the first line of each answer. `habits.py --update` writes it."""
import os, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
doc = os.path.join(top, "doc", "DEBUGGER.md")
BEGIN, END = "<!-- habits: made by tests/debug/habits.py -->\n", "<!-- end of habits -->\n"
RUN = "run loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]"
HABITS = {
    "gdb": """info program
file app
break k
info breakpoints
run
next
step
info args
info locals
backtrace
bt full
frame 0
up
down
info frame
list
list twice
list 3,5
search barrier
reverse-search kernel
forward-search float
tbreak twice
continue
finish
until
advance 9
stepi
nexti
print i
print/x i
print v
print v.x
print o[0]@4
print &o[0]
print *o
print sizeof(v)
print $
print $1
print $nothing
print twice(4)
call twice(2)
output i
printf "%d\\n", i
echo text\\n
set var j = 1
print j = 2
ptype v
whatis o
x/4dw o
display i
info display
undisplay 1
info line 9
info symbol o
info scope 9
info source
info functions
info variables
info types
info macro N
info registers
info sharedlibrary
info signals
disassemble
break 9 if j == 2
condition 1 i == 0
ignore 1 1
disable 1
enable once 1
delete 2
clear 9
hbreak 9
rbreak twice
dprintf 9,"%d",i
commands 1
save breakpoints
watch i
rwatch o[1]
awatch j
watch i+j
delete
catch launch-end
info threads
thread 2
thread apply all print i
thread find x
set scheduler-locking on
show scheduler-locking
set pagination off
set listsize 5
show listsize
set print pretty on
set logging on
set confirm off
help next
apropos watch
complete inf
info all-registers
jump 5
return
skip twice
handle SIGINT nostop
attach 1
target remote :1
core core
generate-core-file
python print(1)
macro expand N
alias n1 = next
shell true
starti
checkpoint
info checkpoints
restart 1
record
reverse-step
reverse-next
reverse-stepi
reverse-finish
reverse-continue
tui enable""",
    "cuda-gdb": """info cuda kernels
info cuda blocks
info cuda threads
info cuda lanes
info cuda devices
info cuda sms
cuda kernel block thread
cuda thread 1
cuda block 1
set cuda break_on_launch application
set cuda memcheck on
info workgroup
workitem 1""",
    "rr": """when
goto 5
checkpoint
restart 2
rc
rn
rs
watch -l o[0]
info record
kill""",
}


def answers():
    commands = [(who, c) for who, text in HABITS.items() for c in text.split("\n")]
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        with open(tmp + "/script", "w") as f:
            for _, c in commands:
                f.write(c + "\n" + ("end\n" if c.startswith("commands ") else ""))
        env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"), TERM="dumb")
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        p = subprocess.run([os.path.join(os.getcwd(), "cli", "cldbg"), "-i", "--batch", "-x", tmp + "/script"] + RUN.split(), env=env, cwd=os.path.join(top, "tests", "debug", "kernels"),
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=200)
    text, rows, at = p.stdout.decode(errors="replace"), [], 0
    for n, (who, c) in enumerate(commands):
        begin = text.find(f"(cldbg) {c}\n", at)
        if begin < 0:
            rows.append((who, c, "(the session has ended)"))
            continue
        at = begin + len(f"(cldbg) {c}\n")
        following = text.find(f"(cldbg) {commands[n + 1][1]}\n", at) if n + 1 < len(commands) else len(text)
        lines = [x for x in text[at:following].split("\n") if x.strip() and x not in (">end", "end")]
        rows.append((who, c, lines[0].strip() if lines else ""))
    return rows


def table():
    cell = lambda text: text.replace("\t", " ").replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[").replace("_", "\\_")
    out = "| | command | what happens |\n|---|---|---|\n"
    for who, c, answer in answers():
        answer = answer if len(answer) <= 130 else answer[:127] + "..."
        out += f"| {who} | `{c}` | {cell(answer) or 'no output'} |\n"
    return out


def main():
    with open(doc) as f:
        text = f.read()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = table()
    if "--update" in sys.argv:
        with open(doc, "w") as f:
            f.write(text[:begin] + new + text[end:])
        return 0
    for a, b in zip(text[begin:end].split("\n"), new.split("\n")):
        if a != b:
            print(f"doc/DEBUGGER.md: {a}\n  but now: {b}")
    print(f"{new.count(chr(10)) - 2} habits")
    return 0 if text[begin:end] == new else 1


if __name__ == "__main__":
    sys.exit(main())
