#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An interrupt of a kernel that runs at full speed stops where the work-items are now: they have begun, the loop has got far,
and further at the next one. From there a work-item is stepped, back and forward, and the kernel ends with the right results."""
import os, re, sys, time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from adapter import Client, check, result

LONG = ["--global=256", "--local=64", "--arg=int[256]=0"]


def ask(c, command):
    r = c.ask("evaluate", expression=command, context="repl")
    return (r.get("body") or {}).get("result", "") or r.get("message", "")


def number(c, name):
    m = re.search(r"= (-?\d+)", ask(c, "print " + name))
    return int(m[1]) if m else None


def launch(kernel, args):
    c = Client()
    c.launch(kernel, args)
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "spin"}]) # from there on it is known to run
    c.body("configurationDone")
    c.event("stopped")
    ask(c, "delete")
    return c


def wait(c, *events):
    """For one of the events; patiently, since on a busy machine a work-item is stepped slowly."""
    while not any(e["event"] in events for e in c.events):
        if not c.pump(150):
            check("one of the events " + ", ".join(events), False, c.events[-5:])
            return


def pause(c, seconds):
    """Is it paused? Otherwise the program has ended first, as it may on a busy machine."""
    c.body("continue", threadId=1)
    time.sleep(seconds)
    c.ask("pause", threadId=1)
    wait(c, "stopped", "terminated")
    if not any(e["event"] == "stopped" for e in c.events):
        return False
    s = c.event("stopped")
    check("it pauses", s.get("reason") == "pause", s)
    return True


def pause_after(c, seconds, least):
    """Pauses until i is more than `least`: however slow the machine is, it gets there. Returns i."""
    i, end = None, time.time() + 100
    while (i is None or i <= least) and time.time() < end and pause(c, seconds):
        i = number(c, "i")
    check("they go on", i is not None and i > least, (i, least))
    return i or 0


def in_a_loop():
    c = launch("long.cl", LONG + ["--arg=int=2000000000"])
    first = pause_after(c, 0.5, 1000)
    where = ask(c, "workgroup")
    check("all have begun", "not begun" not in where and "64 work-items" in where.splitlines()[0].replace("64 x 1 x 1", "64"), where)
    everywhere = ask(c, "print -a i")
    check("all of them", all(abs(int(v) - first) <= 1 for v in re.findall(r"(?<!\()\b\d{4,}\b", everywhere)), everywhere)
    second = pause_after(c, 0.3, first)
    for _ in range(3):
        c.body("next", threadId=1)
        check("next", c.event("stopped").get("reason") == "step")
    check("one iteration further", second <= number(c, "i") <= second + 2)
    for _ in range(2):
        c.body("stepBack", threadId=1)
        c.event("stopped")
    check("and back", second <= number(c, "i") <= second + 1)
    pause_after(c, 0.3, second + 2)
    c.ask("disconnect", terminateDebuggee=True)
    c.end()


def results():
    """Paused several times, gone back in, and run to its end: what comes out is as without the debugger."""
    n, paused = 100000, 0
    c = launch("long.cl", LONG + [f"--arg=int={n}", "--dump=0"])
    while paused < 3 and pause(c, 0.01):
        paused += 1
        c.body("stepBack", threadId=1)
        wait(c, "stopped")
        c.event("stopped")
    print(f"paused {paused} times")
    if paused == 3:
        c.body("continue", threadId=1)
    wait(c, "terminated")
    total = 0
    for i in range(n):
        total = (total + (i ^ (total >> 3)) + 2**31) % 2**32 - 2**31
    out = "".join(e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"].get("category") == "stdout")
    values = re.findall(r"o\[\d+\] = (-?\d+)", out)
    check("the results are right", len(values) == 256 and set(values) == {str(total)}, (total, len(values), set(values)))
    c.body("disconnect")
    c.end()


in_a_loop()
results()
sys.exit(result())
