#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Without breakpoints, `cldbg -i` runs a kernel nearly as fast as a checked run on one thread, although it records its
history: CPU time of many trivial work-items, of small groups and of barriers, less that of few. The limits are generous,
since the machine may be busy: stepping, or work for each group that grows with their number, takes 20 times as long."""
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
""")
with open(tmp + "/script", "w") as f:
    f.write("run\n")


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


LIMIT = {("trivial", 256): 8, ("trivial", 16): 24, ("sums", 256): 8}
for (kernel, local), limit in LIMIT.items():
    debugger = ["-i", "--batch", "-x", tmp + "/script"]
    seconds(debugger, 2048, kernel, local)  # compiles
    plain, under = (seconds(d, 1 << 20, kernel, local) - seconds(d, 2048, kernel, local) for d in ([], debugger))
    print(f"{kernel}, groups of {local}: {plain:.2f} s, with -i {under:.2f} s")
    check(f"{kernel}, groups of {local}", under < limit * max(plain, 0.05), (plain, under))


def launches(debugger, n):
    """CPU time of n launches of groups of 256."""
    before = os.times()
    app = [os.path.join("tests", "debug", "several"), os.path.join(here, "kernels", "several.cl")] + ["bytes:0:0:1:256:256"] * n
    p = subprocess.run([cldbg, "--compute-units=1"] + debugger + app, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    after = os.times()
    check("launches run", b"no findings in %d kernel launch" % n in p.stdout, p.stdout[-500:])
    return after.children_user + after.children_system - before.children_user - before.children_system


plain, under = (launches(d, 801) - launches(d, 1) for d in ([], debugger))
print(f"800 launches: {plain:.2f} s, with -i {under:.2f} s")
check("launches", under < 6 * max(plain, 0.05), (plain, under))
sys.exit(result())
