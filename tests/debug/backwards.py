#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Going back shows what was there on the way: at each stop of a run everything is printed, then the run is gone back
over, stop by stop, and forward again, and the words must be the same. The group is long enough to be cut into stretches
many times; with little memory for the history they are joined. A step back from the end of 10^8 instructions is quick."""
import os, subprocess, sys, tempfile, time

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
LOOK = ["info locals", "print -a x", "print -a mine.n", "print t[0]@64", "print o[0]@64", "print count[0]", "backtrace", "info workgroup"]


def run(script, args):
    path = os.path.join(tmp, "script")
    with open(path, "w") as f:
        f.write("\n".join(script) + "\n")
    env = dict(os.environ, CLDBG_CACHE=tmp + "/cache")
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    p = subprocess.run([cldbg, "-i", "--batch", "-x", path, "run"] + args, cwd=kernels, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return p.stdout.decode().split("(cldbg) ")[1:]


def without_numbers(answer):  # $17 = …; who is switched to depends on where one comes from
    lines = [l.split(" = ", 1)[1] if l.startswith("$") and " = " in l else l for l in answer.split("\n")[1:]]
    return [l for l in lines if l and not l.startswith("[Switching")]


def there_and_back(size, stops):
    script = [f"set history-size {size}", "set stop-on-findings off", "break 28 wi (9)", "break 23 wi (40..41) if k == 150", "run"] + LOOK
    for _ in range(stops - 1):
        script += ["continue"] + LOOK
    for _ in range(stops - 1):
        script += ["reverse-continue"] + LOOK
    for _ in range(stops - 1):
        script += ["continue"] + LOOK
    script.append("info history")
    answers = run(script, "history.cl --global=128 --local=64 --arg=float[128]=0 --arg=int[1]=0 --arg=local:float[64] --arg=int=40".split())
    step = len(LOOK) + 1
    at = [answers[4 + i * step:4 + (i + 1) * step] for i in range(3 * stops - 2)]
    wrong = 0
    places = list(range(stops)) + list(range(stops - 2, -1, -1)) + list(range(1, stops))
    for i in range(stops, len(at)):
        for now, then in zip(at[i], at[places[i]]):
            if without_numbers(now) != without_numbers(then):
                wrong += 1
                print(f"FAILED history of {size}: stop {places[i]}, seen as number {i}: {now.splitlines()[0]}\n was {without_numbers(then)}\n is  {without_numbers(now)}")
                break
    print(f"history of {size}: {3 * stops - 2} stops, {wrong} wrong; {answers[-1].splitlines()[1]}")
    return wrong


def seconds_of(script, args):
    begin = time.time()
    answers = run(script, args)
    return time.time() - begin, answers


def quick():
    args = "long.cl --global=1024 --local=1024 --arg=int[1024]=0 --arg=int=2000".split()
    way = ["break 8 wi (1023)", "run"]
    there, _ = seconds_of(way, args)
    both, answers = seconds_of(way + ["reverse-step", "print i", "reverse-step", "reverse-next", "reverse-stepi", "print i"], args)
    print(f"there {there:.2f} s, with four steps back {both:.2f} s")
    bad = both > 1.6 * there + 1
    if "= 1999" not in answers[3] or "5\t" not in answers[6] or "= 1999" not in answers[7]:
        print("FAILED: steps back from the end of many instructions", answers[2:])
        bad = True
    elif bad:
        print("FAILED: a step back takes as long as the way there")
    return bad


wrong = there_and_back("256M", 14) + there_and_back("200K", 14) + there_and_back("4K", 6) + quick()
sys.exit(1 if wrong else 0)
