#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The session ends while a question about the past is answered: the launch is canceled in the middle of a replay, at its
barriers and in repeated earlier launches, and the app ends without a crash."""
import os, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adapter import Client, check, kernels, result

BARRIERS = os.path.join(kernels, "barriers.cl")
ARGS = ["--global=512", "--local=256", "--arg=int[512]=iota", "--arg=local:int[256]"]


def leave(question, seconds):
    c = Client(["run", BARRIERS] + ARGS)
    c.body("initialize", adapterID="cldbg")
    c.ask("attach", token=c.token)
    c.body("setExceptionBreakpoints", filters=["launch-end"])
    c.body("configurationDone")
    c.event("stopped")
    c.send(*question[0], **question[1])
    time.sleep(seconds)
    c.send("disconnect", terminateDebuggee=True)
    try:
        c.p.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        c.p.kill()
        check(f"{question[1]} and left after {seconds} s: it ends", False)
    check(f"{question[1]} and left after {seconds} s", c.p.returncode in (0, 66, 130, 143), c.p.returncode)


why = (["evaluate"], {"expression": "why/20 o[0]", "context": "repl"})
back = (["reverseContinue"], {"threadId": 1})
for step in range(4):
    leave(why, 0.1 * step)
    leave(back, 0.1 * step)
sys.exit(result())
