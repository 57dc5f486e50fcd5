#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Without breakpoints, `cldbg -i` takes at most three times the CPU time of a checked run on one thread: many trivial
work-items, small groups, barriers, loops, used results of atomics, many launches, less that of few. With
`set record-launches on` it records the history, and the limits are generous, since the machine may be busy: stepping, or
work for each group that grows with their number, takes 20 times as long."""
import os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(here, ".."))
from checks import check, result

cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
with open(tmp + "/k.cl", "w") as f:
    f.write("""kernel void trivial(global int *o, global const int *a) { size_t i = get_global_id(0); o[i] = a[i] * 2 + 1; }
kernel void sums(global int *o, global const int *a, local int *t) {
  int l = get_local_id(0), n = get_local_size(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n / 2; s > 0; s /= 2) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (!l) o[get_group_id(0)] = t[0];
}
kernel void loops(global int *o, global const int *a) {
  int i = get_global_id(0), s = a[i];
  for (int k = 0; k < 30; k++) s += k ^ (s >> 3);
  o[i] = s;
}
kernel void tickets(global int *o, global const int *a) {
  size_t i = get_global_id(0), at = i % 64 ? 0 : atomic_add(&o[0], a[i]);
  if (at && at < 1048576) o[at] = i;
}
""")
SCRIPT = {"record": "set record-launches on\nrun\n", "run": "run\n"}
for name, text in SCRIPT.items():
    with open(f"{tmp}/{name}", "w") as f:
        f.write(text)


def seconds(debugger, items, kernel, local):
    """CPU time of all processes of a run."""
    args = ["run", tmp + "/k.cl", f"--kernel={kernel}", f"--global={items}", f"--local={local}", "--arg=int[1048576]=0", "--arg=int[1048576]=1"]
    if kernel == "sums":
        args.append(f"--arg=local:int[{local}]")
    before = os.times()
    p = subprocess.run([cldbg, "--compute-units=1"] + debugger + args, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    after = os.times()
    check(f"{kernel} runs", b"no findings in 1 kernel launch" in p.stdout, p.stdout[-500:])
    return after.children_user + after.children_system - before.children_user - before.children_system


LIMIT = {("record", "trivial", 256): 8, ("record", "trivial", 16): 24, ("record", "sums", 256): 8,
         ("run", "trivial", 256): 3, ("run", "trivial", 16): 3, ("run", "sums", 256): 3, ("run", "loops", 256): 3, ("run", "tickets", 64): 3}
for (script, kernel, local), limit in LIMIT.items():
    debugger = ["-i", "--batch", "-x", f"{tmp}/{script}"]
    seconds(debugger, 2048, kernel, local)  # compiles
    plain, under = (seconds(d, 1 << 20, kernel, local) - seconds(d, 2048, kernel, local) for d in ([], debugger))
    print(f"{kernel}, groups of {local}: {plain:.2f} s, with -i ({script}) {under:.2f} s")
    check(f"{kernel}, groups of {local} ({script})", under < limit * max(plain, 0.05), (plain, under))


def launches(debugger, n):
    """CPU time of n launches of groups of 256."""
    before = os.times()
    app = [os.path.join("tests", "debug", "several"), os.path.join(here, "kernels", "several.cl")] + ["bytes:0:0:1:256:256"] * n
    p = subprocess.run([cldbg, "--compute-units=1"] + debugger + app, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    after = os.times()
    check("launches run", b"no findings in %d kernel launch" % n in p.stdout, p.stdout[-500:])
    return after.children_user + after.children_system - before.children_user - before.children_system


for script, limit in ("record", 6), ("run", 3):
    debugger = ["-i", "--batch", "-x", f"{tmp}/{script}"]
    plain, under = (launches(d, 801) - launches(d, 1) for d in ([], debugger))
    print(f"800 launches: {plain:.2f} s, with -i ({script}) {under:.2f} s")
    check(f"launches ({script})", under < limit * max(plain, 0.05), (plain, under))
sys.exit(result())
