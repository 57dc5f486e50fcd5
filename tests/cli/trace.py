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
    check("two processes", len({e["pid"] for e in json.load(f)["traceEvents"]}) == 2, r.stderr)
r = run("--trace=/no/such/folder/t.json", "examples/nbody")
check("a clear error before the app starts", r.returncode == 125 and "cannot be written" in r.stderr and not r.stdout, r.stderr)
sys.exit(result())
