#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Going back shows what was there on the way: at each stop of a run everything is printed, then the run is gone back
over, stop by stop, and forward again, and the words must be the same. The group is long enough to be cut into stretches
many times; with little memory for the history they are joined. A step back from the end of 10^8 instructions is quick.
So is the way to a condition that never holds: nobody is stepped then, and going back into that is the same all the same."""
import os, re, resource, subprocess, sys, tempfile, time

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
LOOK = ["info locals", "print -a x", "print -a mine.n", "print t[0]@64", "print o[0]@64", "print count[0]", "backtrace", "info workgroup"]


def run(script, args):
    path = os.path.join(tmp, "script")
    with open(path, "w") as f:
        f.write("\n".join(script) + "\n")
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    p = subprocess.run([cldbg, "-i", "--batch", "-x", path, "run"] + args, cwd=kernels, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return p.stdout.decode().split("(cldbg) ")[1:]


def without_numbers(answer):  # $17 = …; the work-item that is switched to depends on the previous one
    lines = [l.split(" = ", 1)[1] if l.startswith("$") and " = " in l else l for l in answer.split("\n")[1:]]
    return [l for l in lines if l and not l.startswith("[Switching")]


def history_args(options):
    return f"{options} --global=128 --local=64 --arg=float[128]=0 --arg=int[2]=0 --arg=local:float[64] --arg=int=40 history.cl".split()


def compare(what, at, places):
    wrong = 0
    for i in range(len(at)):
        for now, then in zip(at[i], at[places[i]]):
            if without_numbers(now) != without_numbers(then):
                wrong += 1
                print(f"FAILED {what}: stop {places[i]}, seen as number {i}: {now.splitlines()[0]}\n was {without_numbers(then)}\n is  {without_numbers(now)}")
                break
    return wrong


def there_and_back(size, stops, options):
    line = 29 if options else 31
    script = [f"set history-size {size}", "set stop-on-findings off", f"break {line} wi (9)", "break 23 wi (40..41) if k == 150", "run"] + LOOK
    for _ in range(stops - 1):
        script += ["continue"] + LOOK
    for _ in range(stops - 1):
        script += ["reverse-continue"] + LOOK
    for _ in range(stops - 1):
        script += ["continue"] + LOOK
    script.append("info history")
    answers = run(script, history_args(options))
    step = len(LOOK) + 1
    at = [answers[4 + i * step:4 + (i + 1) * step] for i in range(3 * stops - 2)]
    places = list(range(stops)) + list(range(stops - 2, -1, -1)) + list(range(1, stops))
    wrong = compare(f"history of {size} {options}", at, places)
    print(f"history of {size} {options}: {3 * stops - 2} stops, {wrong} wrong; {answers[-1].splitlines()[1]}")
    return wrong


ATOMIC, TOGETHER = "--build-options=-DATOMIC", "" # the outcome of atomics depends on the order


def into_what_ran_together():
    """Stops in intervals that were run over, seen first by going back, then in a run that stops there at once."""
    places = [("26", "(100)", "r == 31"), ("23", "(70)", "r == 3 && k == 77"), ("27", "(5)", "r == 39"), ("20", "(63)", "r == 20"), ("26", "(0)", "r == 1")]
    script = ["break 31 wi (127) if r == 39", "run", "delete"]
    for line, items, condition in places:
        script += [f"tbreak {line} wi {items} if {condition}", "reverse-continue"] + LOOK
    script += ["tbreak 31 wi (127) if r == 39", "continue", "print t[0]@64", "print o[0]@64"]
    back = run(script, history_args(TOGETHER))
    forth = []
    for line, items, condition in reversed(places):
        forth = run([f"break {line} wi {items} if {condition}", "run"] + LOOK, history_args(TOGETHER))[2:] + forth
    end = run(["break 31 wi (127) if r == 39", "run", "print t[0]@64", "print o[0]@64"], history_args(TOGETHER))[2:]
    step, wrong = len(LOOK), 0
    for i, place in enumerate(places):
        seen = back[3 + i * (step + 2) + 2:3 + (i + 1) * (step + 2)]
        for a, b in zip(seen, forth[i * step:(i + 1) * step]):
            if without_numbers(a) != without_numbers(b) and not a.startswith("info workgroup"):
                wrong += 1
                print(f"FAILED back to {place}: {a.splitlines()[0]}\n should be {without_numbers(b)}\n is        {without_numbers(a)}")
                break
    if [without_numbers(a) for a in back[-2:]] != [without_numbers(a) for a in end]:
        wrong += 1
        print("FAILED forward again from there", back[-2:], end)
    print(f"back into {len(places)} intervals that had been run over: {wrong} wrong")
    return wrong


def cpu_of(command, script):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    path = os.path.join(tmp, "script")
    with open(path, "w") as f:
        f.write("\n".join(script) + "\n")
    debugger = ["-i", "--batch", "-x", path] if script else []
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
    env.pop("CLDBG_OPTIONS", None)
    p = subprocess.run([cldbg] + debugger + ["run"] + command, cwd=kernels, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
    if p.returncode or (script and b"ended normally" not in p.stdout):
        sys.exit(f"FAILED: {command} {script}: {p.stdout} {p.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def never_holds():
    """At most 20 times the time without -i, in 10^8 instructions and more."""
    args = "long.cl --global=1024 --local=1024 --arg=int[1024]=0 --arg=int=20000".split()
    bad = 0
    cpu_of(args, [])
    cpu_of(args, ["run"]) # both are compiled now
    with open("Makefile") as f:
        is_optimized = not re.search("^CFLAGS = .*-O[01]", f.read(), re.M) # else nothing is promised
    plain = max(min(cpu_of(args, []) for _ in range(3)), 0.03) # too little to measure is not a failure
    for script in (["break 8 if sum == 123456789", "run"], ["break 6 if sum == 123456789 && i > 5", "run"],
                   ["break spin", "run", "delete", "break 6 if i < 0 || get_local_id(0) > 5000u", "continue"]):
        debugged = cpu_of(args, script)
        print(f"{script[-2]}: {debugged:.2f} s, {plain:.2f} s without -i")
        if debugged > 20 * plain and is_optimized:
            bad += 1
            print("FAILED: that is more than 20 times as long")
    return bad


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


def by_instructions():
    """So many instructions back at once is where as many single ones lead to, and takes no longer than the way."""
    args = history_args(ATOMIC)
    way, ways = ["set stop-on-findings off", "break 29 wi (9) if r == 4", "run"], []
    for steps in (["reverse-stepi 300"], ["reverse-stepi"] * 300, ["reverse-stepi 299", "reverse-stepi"]):
        ways.append([without_numbers(a) for a in run(way + steps + LOOK, args)[-len(LOOK):]])
    long = "long.cl --global=1 --local=1 --arg=int[1]=0 --arg=int=20000".split()
    _, answers = seconds_of(["break 8", "run", "reverse-stepi 100000", "print i", "reverse-stepi 1000000000000"], long)
    stuck = "No more reverse-execution history" in answers[-1] and "= 19999" not in answers[-2]
    wrong = (ways[0] != ways[1]) + (ways[0] != ways[2]) + (not stuck)
    if wrong:
        print("FAILED by instructions", ways, answers)
    return wrong


wrong = by_instructions() + there_and_back("256M", 14, ATOMIC) + there_and_back("200K", 14, ATOMIC) + there_and_back("4K", 6, ATOMIC) + there_and_back("256M", 12, TOGETHER)
wrong += there_and_back("64K", 6, TOGETHER) + into_what_ran_together() + quick() + never_holds()
sys.exit(1 if wrong else 0)
