#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Launches in which only a finding or the user can stop run as without the debugger. What a user sees is the same: output,
findings, their stops, causes in earlier launches. A breakpoint or an interrupt during such a launch stops in it."""
import os, re, subprocess, sys, tempfile, time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from adapter import Client, check, result

cldbg, app = (os.path.join(os.getcwd(), *x) for x in (("cli", "cldbg"), ("tests", "debug", "several")))
kernels = os.path.abspath(os.path.join(here, "kernels", "unrecorded.cl"))
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)


def run(script, operations, options=()):
    with open(tmp + "/script", "w") as f:
        f.write("\n".join(script) + "\n")
    debugger = ["-i", "--batch", "-x", tmp + "/script"] if script else []
    p = subprocess.run([cldbg, *options, *debugger, app, kernels, *operations], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, timeout=200)
    return p.returncode, p.stdout.decode(errors="replace")


def same(what, script, operations):
    """With and without a record of all launches."""
    one, all_ = run(script, operations), run(["set record-launches on"] + script, operations)
    all_ = all_[0], all_[1].replace("(cldbg) set record-launches on\n", "")
    check(what, one == all_, one[1] + "\n---\n" + all_[1])
    return one[1]


PRINTS, LOOK = "prints:0:0:7:64:16", "look:0:0:9:2:2"
plain = run([], [PRINTS])[1]
text = run(["run"], [PRINTS])[1]
lines = [x for x in plain.splitlines() if x.startswith("item")]
check("printf is the same as without -i", len(lines) == 4 and [x for x in text.splitlines() if x.startswith("item")] == lines, text)
text = same("a finding stops in the launch", ["run", "backtrace", "print i", "print w[5]", "reverse-step", "info findings", "quit"],
            [PRINTS, "late:0:0:70:128:16"])
check("and what was printed before is printed once", text.count("before") == 1, text)
same("a finding that is not a stop", ["set stop-on-findings off", "run"], [PRINTS, "late:0:0:70:128:16", "late:0:0:3:128:16"])
same("a race", ["run", "info race 1", "continue"], ["raced:0:0:8:64:16"])
same("until the third launch", ["until launch 3", "info launches", "next", "print i", "why w[3]"], [PRINTS, "late:0:0:1000:64:16", LOOK])

# the causes of values in launches that were not recorded
script = ["tbreak look", "run", "next"] + [f"why/1 w[{k}]" for k in (0, 1, 2, 63)]
text = same("causes in earlier launches", script, [PRINTS, "write:0:8:4:1", "late:0:0:1000:64:16", LOOK])
check("name the launch", text.count("by launch 2, kernel 'late', work-item global (") == 4, text)
text = run(script, ["tickets:0:0:0:128:16", LOOK])[1]
for k in (1, 2, 63):
    line = next(x for x in text.splitlines() if f" o[{4 * k}]@4 = " in x)
    m = re.search(r"= {(\d+), 0, 0, 0} by launch 1, kernel 'tickets', work-item global \((\d+),0,0\)", line)
    check("a ticket is of the work-item that has it, or unknown", m and m[1] == m[2] or ": unknown, " in line, line)
text = run(["tbreak look", "run", "next"] + ["why/1 w[3]"], ["prints:0:0:5:64:16", "build", LOOK])[1]
check("of a program that was released", "o[12]@4 = {5, 0, 0, 0} by launch 1, kernel 'prints', work-item global (3,0,0) at unrecorded.cl:7" in text, text)

# while it runs
LONG = ["--global=256", "--local=64", "--arg=int[256]=0", "--arg=int=2000000000"]


def long_launch():
    c = Client()
    c.launch("long.cl", LONG)
    c.body("configurationDone")
    time.sleep(1)
    return c


def stopped(c, reason):
    end = time.time() + 100
    while time.time() < end and not any(e["event"] in ("stopped", "terminated") for e in c.events):
        c.pump(10)
    s = c.event("stopped")
    check("it stops: " + reason, s.get("reason") == reason, s)
    r = c.ask("evaluate", expression="print sum", context="repl")
    check("in the kernel", " = " in (r.get("body") or {}).get("result", ""), r)
    c.ask("disconnect", terminateDebuggee=True)
    c.p.stdin.close()
    c.p.wait(timeout=100)


c = long_launch()
c.ask("setBreakpoints", source={"path": os.path.join(here, "kernels", "long.cl")}, breakpoints=[{"line": 6}])
stopped(c, "breakpoint")
c = long_launch()
c.ask("pause", threadId=1)
stopped(c, "pause")
sys.exit(result())
