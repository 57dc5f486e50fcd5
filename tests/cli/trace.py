#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--trace: the timeline is valid, its slices nest, flows lead forwards, and it agrees with what the app did."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

CLDBG = os.path.abspath("cli/cldbg")
for part in ("src/api/.libs/libcldbg.so", "examples/nbody"):
    if not os.path.exists(part):
        print(f"skipped: {part} is not built")
        sys.exit(77)
tmp = tempfile.mkdtemp(prefix="cldbg-trace-")


def run(*args):
    return subprocess.run([CLDBG, *args], capture_output=True, text=True)




def breaches(events):
    """What Perfetto would drop or show wrongly: its rules of JSON traces (src/trace_processor/importers/json, slice_tracker.cc, flow_tracker.cc)."""
    out, tracks, flows = [], {}, {}
    ns = lambda us: int(us * 1000)
    for e in sorted((e for e in events if e["ph"] != "M"), key=lambda e: ns(e["ts"])):
        at, stack = ns(e["ts"]), tracks.setdefault((e["pid"], e["tid"]), [])
        if not 0 <= e["pid"] < 1 << 32 or not 0 <= e["tid"] < 1 << 32:
            out.append(f"ids beyond 32 bits: {e}")
        while stack and stack[-1] <= at:
            stack.pop()
        if e["ph"] == "X":
            if stack and stack[-1] < at + ns(e["dur"]):
                out.append(f"does not nest: {e}")
            stack.append(at + ns(e["dur"]))
        elif e["ph"] == "i" and e.get("s", "t") not in ("t", "p", "g"):
            out.append(f"no such scope: {e}")
        elif e["ph"] in "sf":
            key = (e["cat"], e["name"], e["id"])
            if not stack or e["ph"] == "f" and e.get("bp") != "e":
                out.append(f"a flow outside of a slice: {e}")
            if (e["ph"] == "s") == (key in flows):
                out.append(f"a flow that begins twice, or never: {e}")
            flows[key] = flows.get(key, "") + e["ph"]
    return out + [f"{key} is {phases}" for key, phases in flows.items() if phases != "sf"]


BAD = [{"ph": "X", "pid": 1, "tid": 1, "cat": "a", "name": "n", "ts": 1.0, "dur": 2.0}, {"ph": "X", "pid": 1, "tid": 1, "cat": "a", "name": "n", "ts": 2.0, "dur": 2.0}]
check("the rules find slices that overlap", len(breaches(BAD)) == 1)
FLOW = {"pid": 1, "tid": 1, "cat": "a", "name": "n", "id": 1, "bp": "e"}
check("the rules find flows outside", len(breaches([{"ph": "s", "ts": 0.5, **FLOW}, {"ph": "f", "ts": 1.0, **FLOW}] + BAD[:1])) == 2)
check("and not right ones", not breaches(BAD[:1] + [{"ph": "s", "ts": 1.0, **FLOW}, {"ph": "f", "ts": 2.9, **FLOW}]))
file = os.path.join(tmp, "t.json")
r = run(f"--trace={file}", "examples/nbody")
check("nothing else changes", r.returncode == 0, r.stderr)
with open(file, encoding="utf-8") as f:
    doc = json.load(f)
events = doc["traceEvents"]
check("format", doc["otherData"]["format"] == "cldbg-trace" and doc["otherData"]["dropped"] == 0)
of = lambda cat: [e for e in events if e.get("cat") == cat]
for e in events:
    check("members", all(k in e for k in ("ph", "pid", "tid", "name")) and e["ph"] in "XisfM", e)
    if e["ph"] != "M":
        check("time", e["ts"] >= 0 and e.get("dur", 0) >= 0, e)
check("Perfetto's rules", not breaches(events), breaches(events))
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
with open(file, encoding="utf-8") as f:
    events = json.load(f)["traceEvents"]
check("two processes", len({e["pid"] for e in events}) == 2, r.stderr)
check("Perfetto's rules for two processes", not breaches(events), breaches(events))

# An out-of-order queue and a second one: commands that overlap, dependencies, and host races as flows between their commands
PROGRAM = """
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
flags = cl.command_queue_properties
ooo, other = cl.CommandQueue(ctx, properties=flags.OUT_OF_ORDER_EXEC_MODE_ENABLE | flags.PROFILING_ENABLE), cl.CommandQueue(ctx)
prg = cl.Program(ctx, "kernel void slow(global int *a) { int s = 0; for (int i = 0; i < 300000; i++) s = s * 3 + i; a[get_global_id(0)] += s; }"
                      "kernel void quick(global int *a) { a[get_global_id(0)] = 1; }").build()
bufs = [cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 256) for _ in range(4)]
for b in bufs: cl.enqueue_fill_buffer(ooo, b, np.int32(0), 0, 256).wait()
first = [prg.slow(ooo, (64,), (64,), b) for b in bufs[:3]]
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
    with open(file, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    check("out of order", r.returncode == 0 and len(of("launch")) == 25, r.stderr)
    check("Perfetto's rules for an out-of-order queue", not breaches(events), breaches(events)[:5])
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
r = run("--trace=/no/such/folder/t.json", "examples/nbody")
check("a clear error before the app starts", r.returncode == 125 and "cannot be written" in r.stderr and not r.stdout, r.stderr)
sys.exit(result())
