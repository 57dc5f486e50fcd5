#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--trace: the timeline is valid, its slices nest, flows lead forwards, and it agrees with what the app did."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result
import devtools
import trace_event

CLDBG = os.path.abspath("cli/cldbg")
for part in ("src/api/.libs/libcldbg.so", "examples/nbody"):
    if not os.path.exists(part):
        print(f"skipped: {part} is not built")
        sys.exit(77)
tmp = tempfile.mkdtemp(prefix="cldbg-trace-")


def run(*args):
    return subprocess.run([CLDBG, *args], capture_output=True, text=True)


def slices(events):
    """The slices of each track as a tree of [name, children], and the name of the track."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    tracks, stacks = {}, {}
    for e in sorted((e for e in events if e["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"])):
        track = e["pid"], e["tid"]
        tree, stack = tracks.setdefault(track, (names.get(track), []))[1], stacks.setdefault(track, [])
        while stack and stack[-1][0] <= e["ts"]:
            stack.pop()
        node = [e["name"], []]
        (stack[-1][1][1] if stack else tree).append(node)
        stack.append((e["ts"] + e["dur"], node))
    return tracks


kept = []  # valid traces, for other readers


def is_valid(what, name):
    """Its events; the format and Perfetto's rules hold."""
    with open(name, encoding="utf-8") as f:
        trace = json.load(f)
    wrong = trace_event.breaches(trace)
    check(f"{what}: a valid trace", not wrong, wrong[:5])
    kept.append(shutil.copy(name, os.path.join(tmp, f"kept{len(kept)}.json")))
    return trace["traceEvents"]


file = os.path.join(tmp, "t.json")
r = run(f"--trace={file}", "examples/nbody")
check("nothing else changes", r.returncode == 0, r.stderr)
with open(file, encoding="utf-8") as f:
    doc = json.load(f)
events = doc["traceEvents"]
check("format", doc["otherData"]["format"] == "cldbg-trace" and doc["otherData"]["dropped"] == 0)
of = lambda cat: [e for e in events if e.get("cat") == cat]
check("calls", {"clBuildProgram", "clEnqueueNDRangeKernel"} <= {e["name"] for e in of("api")}, {e["name"] for e in of("api")})
check("a build", len(of("build")) >= 1)
launches, commands = of("launch"), of("command")
check("launches", {e["name"] for e in launches} == {"move"} and len(launches) == sum(e["name"] == "clEnqueueNDRangeKernel" for e in of("api")), launches)
for l in launches:
    around = [c for c in commands if c["tid"] == l["tid"] and c["ts"] <= l["ts"] + 0.001 and l["ts"] + l["dur"] <= c["ts"] + c["dur"] + 0.001]
    check("a launch lies inside of its command", len(around) == 1 and around[0]["name"] == "NDRange kernel", l)
for c in commands:
    a = c["args"]
    check("queued, submitted, started", a["queued"] <= a["submitted"] <= c["ts"] and a["status"] == 0, c)
ends = {e["id"]: e for e in of("dependency") if e["ph"] == "f"}
for e in of("dependency"):
    if e["ph"] == "s":
        check("a flow ends later", e["id"] in ends and e["ts"] <= ends[e["id"]]["ts"], e)
names = [e for e in events if e["ph"] == "M" and e["name"] == "thread_name"]
check("each queue has a name", {c["tid"] for c in commands} <= {e["tid"] for e in names}, names)

r = run(f"--trace={file}", "sh", "-c", "examples/nbody; examples/nbody")
events = is_valid("two processes", file)
check("two processes", len({e["pid"] for e in events}) == 2, r.stderr)

# An out-of-order queue and a second one: commands that overlap, dependencies, and host races as flows between their commands
PROGRAM = """
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
flags = cl.command_queue_properties
ooo, other = cl.CommandQueue(ctx, properties=flags.OUT_OF_ORDER_EXEC_MODE_ENABLE | flags.PROFILING_ENABLE), cl.CommandQueue(ctx)
prg = cl.Program(ctx, "kernel void slow(global int *a) { int s = 0; for (int i = 0; i < 300000; i++) s = s * 3 + i; a[get_global_id(0)] += s; }"
                      "kernel void quick(global int *a) { a[get_global_id(0)] = 1; }").build()
bufs = [cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 256) for _ in range(4)]
fills = [cl.enqueue_fill_buffer(ooo, b, np.int32(0), 0, 256) for b in bufs]
cl.wait_for_events(fills)
first = [prg.slow(ooo, (64,), (64,), b, wait_for=[e]) for b, e in zip(bufs, fills[:3])]
for k in range(20): last = prg.quick(ooo, (64,), (64,), bufs[3], wait_for=[first[k % 3]])
prg.quick(other, (64,), (64,), bufs[0])
prg.quick(other, (64,), (64,), bufs[3], wait_for=[last])
cl.enqueue_marker(ooo, wait_for=first)
ooo.finish(); other.finish()
"""
if subprocess.run(["/usr/bin/python3", "-c", "import numpy, pyopencl"], capture_output=True).returncode:
    print("python3-pyopencl is missing: queues out of order are not traced")
else:
    page = os.path.join(tmp, "t.html")
    r = run(f"--trace={file}", f"--report=html:{page}", "--error-exitcode=0", "/usr/bin/python3", "-c", PROGRAM)
    events = is_valid("out of order", file)
    check("out of order", r.returncode == 0 and len(of("launch")) == 25, r.stderr)
    check("commands overlap", any("(2)" in e["args"]["name"] for e in events if e["ph"] == "M"), [e for e in events if e["ph"] == "M"])
    races, commands = of("host-race"), of("command")
    check("a mark on the host's thread", any(e["ph"] == "i" and "nothing orders them" in e["name"] for e in races), races)
    begins = {(e["tid"], e["ts"]): e for e in commands}
    pairs = {}
    for e in races:
        if e["ph"] in "sf":
            pairs.setdefault(e["id"], {})[e["ph"]] = (begins.get((e["tid"], e["ts"])) or {}).get("name")
    check("a flow between the commands of a race", pairs and all(p == {"s": "NDRange kernel", "f": "NDRange kernel"} for p in pairs.values()), (pairs, r.stderr))
    check("dependencies", sum(e["ph"] == "f" for e in of("dependency")) >= 20, of("dependency"))
    def command_at(e):
        """The command that a flow begins or ends in."""
        return [c["name"] for c in commands if c["tid"] == e["tid"] and c["ts"] <= e["ts"] <= c["ts"] + c["dur"]]
    pairs = {}
    for e in of("dependency"):
        pairs.setdefault(e["id"], []).extend(command_at(e))
    check("dependencies on commands that had ended", sum(p == ["fill buffer", "NDRange kernel"] for p in pairs.values()) == 3, pairs)
    check("each from the command to the one that waits", len(pairs) == 3 + 20 + 1 + 3 and sum(p == ["NDRange kernel", "marker"] for p in pairs.values()) == 3, pairs)
    # A command that never runs has no end of a flow.
    lost = PROGRAM.partition("first =")[0] + "event = cl.UserEvent(ctx)\nprg.quick(ooo, (64,), (64,), bufs[0], wait_for=[fills[0], event])\n"
    run(f"--trace={file}", "--error-exitcode=0", "/usr/bin/python3", "-c", lost)
    events = is_valid("a command that does not run", file)
    check("its flow", len(of("command")) == 4 and not of("dependency"), of("dependency"))
r = run("--trace=/no/such/folder/t.json", "examples/nbody")
check("a clear error before the app starts", r.returncode == 125 and "cannot be written" in r.stderr and not r.stdout, r.stderr)

# The checks find what is wrong: each copy of a valid trace has one damaged member.
for name in kept[::2]:
    with open(name, encoding="utf-8") as f:
        trace = json.load(f)
    bad = list(trace_event.damaged(trace))
    check("many damaged copies", len(bad) > 150, len(bad))
    passed = [what for what, copy in bad if not trace_event.breaches(copy)]
    check("none is valid", not passed, passed)

# Chromium's own reader of traces finds the same slices on the same tracks.
read = devtools.read_traces(kept)
if read is None:
    print("Chromium with DevTools is not installed: no other program has read the traces")
for name, tracks in zip(kept, read or []):
    with open(name, encoding="utf-8") as f:
        want = slices(json.load(f)["traceEvents"])
    check(f"Chromium reads {name}", {k: list(v) for k, v in tracks.items()} == {k: list(v) for k, v in want.items()}, (tracks, want))
shutil.rmtree(tmp)
sys.exit(result())
