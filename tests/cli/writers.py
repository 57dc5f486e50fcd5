#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The member `writers` of findings: random kernels, whose last writers are computed here, under several gangs and threads; and
what must not be stated: atomics that order memory, groups that nothing orders, async copies, parts of elements."""
import array
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

CLDBG = os.path.abspath("cli/cldbg")
if not os.path.exists("src/api/.libs/libcldbg.so"):
    print("skipped: the driver is not built")
    sys.exit(77)
tmp = tempfile.mkdtemp(prefix="cldbg-writers-")


def findings(source, *args):
    with open(os.path.join(tmp, "k.cl"), "w", encoding="utf-8") as f:
        f.write(source)
    name = os.path.join(tmp, "r.json")
    if os.path.exists(name):
        os.remove(name)
    p = subprocess.run([CLDBG, "run", "k.cl", *args, f"--report=json:{name}"], capture_output=True, text=True, cwd=tmp, timeout=120)
    check("the kernel ran", p.returncode < 2 and os.path.exists(name), p.stderr)
    if not os.path.exists(name):
        return []
    with open(name, encoding="utf-8") as f:
        return json.load(f)["findings"]


def writers(list_, title):
    """The writers of the finding: when, the first element, and a list of texts; None without any."""
    found = [f for f in list_ if title in f["title"]]
    check(f"a finding: {title}", len(found) == 1, [f["title"] for f in list_])
    w = found[0].get("writers") if found else None
    if not w:
        return None
    return w["when"], w["first"] // w["unit"], [f"{e['group']}/{e['item']}" if e["by"] == "item" else e["by"] for e in w["elements"]]


TYPES = {"char": 1, "ushort": 2, "int": 4, "ulong": 8, "int4": 16}
KERNEL = """kernel void k(global T *out, global const int *plan, int phases, int size, int far)
{
    local T tmp[COUNT];
    int l = get_local_id(0), n = get_global_size(0), i = get_global_id(0);
    T x = (T)(i % 100);
    for (int p = 0; p < phases; p++) {
        int to = plan[p * n + i], here = plan[(phases + p) * n + i];
        if (to >= 0) out[to] = x + (T)p;
        if (here >= 0) tmp[here] = x + (T)p;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (i == BAD) out[size + far] = x;
    if (l == LAST) tmp[COUNT + far] = x;
}
"""


def random_case(r, number):
    """A plan in which each element belongs to a group, but for some that several groups write."""
    kind, groups, items = r.choice(list(TYPES)), r.choice([1, 2, 3, 9]), r.choice([4, 7, 33, 64])
    size, local, phases = r.randrange(8, 90), r.randrange(3, 70), r.randrange(1, 5)
    n = groups * items
    owner = [r.randrange(groups) for _ in range(size)]
    plan = [[-1] * n for _ in range(2 * phases)]
    wrote, local_wrote = [{} for _ in range(size)], [{} for _ in range(groups)]
    for p in range(phases):
        used, used_here = set(), set()
        for i in range(n):
            g = i // items
            if r.random() < 0.5:
                to = r.randrange(size)
                if (to, g) not in used and (owner[to] == g or to % 11 == 3):
                    used.add((to, g))
                    plan[p][i] = to
                    wrote[to][g] = i
            here = r.randrange(local)
            if r.random() < 0.4 and (here, g) not in used_here:
                used_here.add((here, g))
                plan[phases + p][i] = here
                local_wrote[g][here] = i
    with open(os.path.join(tmp, "plan"), "wb") as f:
        array.array("i", sum(plan, [])).tofile(f)
    far, undef, last = r.choice([0, 1, 900]), r.random() < 0.5, r.randrange(items)
    source = KERNEL.replace("BAD", str(n - 1)).replace("COUNT", str(local)).replace("LAST", str(last)).replace("T ", kind + " ").replace("(T)", f"({kind})")
    element = "int" if kind == "int4" else kind
    args = [f"--global={n}", f"--local={items}", f"--arg={element}[{size * (4 if kind == 'int4' else 1)}]={'undef' if undef else 0}", f"--arg=int[{2 * phases * n}]=@plan",
            f"--arg=int={phases}", f"--arg=int={size}", f"--arg=int={far}", f"--gang={r.choice([1, 16, 64])}", f"--compute-units={r.choice([1, 2])}"]
    all_ = findings(source, *args)
    name = f"case {number}: {kind}, {groups} groups of {items}"

    def text(by, of_local):
        if not by:
            return {"never"} if undef or of_local else {"before"}
        if len(by) > 1:
            return {"mixed", "unknown"}
        i = list(by.values())[0]
        return {f"{i // items}/{i % items}"}
    races = [f for f in all_ if f["id"] != "out-of-bounds"]
    check(f"{name}: races only where groups share", all("race" in f["id"] and f["object"] == "out" for f in races), [f["title"] for f in races])
    when, first, list_ = writers(all_, "outside global memory 'out'") or (None, 0, [])
    check(f"{name}: global memory", when == "launch" and first + len(list_) == size and len(list_) >= min(size, 20), (when, first, list_))
    for i, by in enumerate(list_):
        check(f"{name}: element {first + i} of out", by in text(wrote[first + i], False), (by, text(wrote[first + i], False), args))
    when, first, list_ = writers(all_, "outside local memory 'tmp'") or (None, 0, [])
    check(f"{name}: local memory", when == "group" and first + len(list_) == local and len(list_) >= min(local, 20), (when, first, list_))
    for i, by in enumerate(list_):
        expected = text({0: local_wrote[0][first + i]} if first + i in local_wrote[0] else {}, True)
        check(f"{name}: element {first + i} of tmp", by in expected, (by, expected, args))
    return len(list_)


rng = random.Random(20261128)
for number in range(24):
    random_case(rng, number)

# Small groups share gangs; each has its own copy. The reported one is the first that has the error.
w = writers(findings("""kernel void k(global int *out)
{
    local int t[8];
    int l = get_local_id(0), g = get_group_id(0);
    t[(l + g) % 4 * 2] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g == 5 && l == 1) out[get_global_id(0)] = t[8];
}
""", "--global=64", "--local=4", "--arg=int[64]=0"), "'t'")
check("groups that share a gang", w == ("group", 0, ["5/3", "never", "5/0", "never", "5/1", "never", "5/2", "never"]), w)

# An uninitialized value: the writers of its neighbors when it was read, not what was written later.
w = writers(findings("""kernel void k(global int *out)
{
    local int t[8];
    int l = get_local_id(0);
    if (l < 6) t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[6];
    if (l == 7 && x > 3) out[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = 2;
}
""", "--global=8", "--local=8", "--arg=int[64]=0"), "never written")
check("an uninitialized read", w == ("access", 0, [f"0/{i}" for i in range(6)] + ["never"] * 2), w)
w = writers(findings("kernel void k(global int *a, global int *b) { int i = get_global_id(0); a[i] = i; if (b[i] > 0 && i == 2) a[0] += 1; }",
                     "--global=8", "--local=4", "--arg=int[8]=0", "--arg=int[8]=undef"), "never written")
check("of a buffer", w == ("launch", 0, ["never"] * 8), w)

# Buffers that are only read, negative offsets, variables of the program, both names of one buffer
all_ = findings("""global int v[6];
kernel void k(global int *a, global const int *b)
{
    int i = get_global_id(0);
    v[i] = b[i];
    a[i - 2] = v[i];
}
""", "--global=7", "--local=7", "--build-options=-cl-std=CL2.0", "--arg=int[40]=0", "--arg=int[5]=iota")
check("read only", writers(all_, "'b'") == ("launch", 0, ["before"] * 5), all_)
check("before the begin", writers(all_, "'a'") == ("launch", 0, [f"0/{i + 2}" for i in range(5)] + ["before"] * 19), writers(all_, "'a'"))
check("a variable of the program", (writers(findings("""global int v[6];
kernel void k(global int *a) { int i = get_global_id(0); v[i] = 1; a[i] = 2; }""", "--global=7", "--local=7", "--build-options=-cl-std=CL2.0", "--arg=int[40]=0"), "'v'") or [0])[-1]
      == [f"0/{i}" for i in range(6)])

# What is not known is not stated.
w = writers(findings("""kernel void k(global int *a, global atomic_int *f)
{
    int i = get_global_id(0);
    atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
    a[i] = atomic_load_explicit(f, memory_order_acquire, memory_scope_device);
}
""", "--global=8", "--local=4", "--arg=int[7]=0", "--arg=int[1]=0", "--build-options=-cl-std=CL2.0"), "'a'")
check("a kernel that synchronizes", w is None, w)
all_ = findings("""kernel void k(global int *a, global int *b)
{
    local int t[8];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 1) t[2] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(t + 3, b, 2, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy(a + 2, t, 3, 0);
    wait_group_events(1, &e);
    if (l < 2) a[l] = 1;
    if (l > 3) a[l + 6] = t[l + 1];
}
""", "--global=8", "--local=8", "--arg=int[10]=0", "--arg=int[2]=1")
check("async copies to local memory", writers(all_, "local memory 't'") == ("group", 0, ["0/0", "0/1", "0/1", "copy", "copy", "0/5", "0/6", "0/7"]), writers(all_, "local memory 't'"))
check("and to global memory", writers(all_, "outside global memory 'a'") is None, writers(all_, "outside global memory 'a'"))
w = writers(findings("""kernel void k(global uchar *a)
{
    int i = get_global_id(0);
    if (i < 8) a[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i < 2) ((global int *)a)[i + 2] = 5;
    if (i == 3) ((global int *)a)[4] = 5;
}
""", "--global=8", "--local=8", "--arg=uchar[16]=0"), "'a'")
check("elements in parts", w == ("launch", 0, ["mixed", "mixed", "0/0", "0/1"]), w)
w = writers(findings("kernel void k(global int *a) { int i = get_global_id(0); atomic_inc(a + i % 2); if (i == 9) a[4] = 1; if (i < 2) a[2 + i] = i; }",
                     "--global=16", "--local=4", "--arg=int[4]=0"), "outside global memory 'a'")
check("atomics by several", w == ("launch", 0, ["mixed", "mixed", "0/0", "0/1"]), w)
w = writers(findings("kernel void k(global int *a) { local int t[4]; t[0] = 1; t[1 + get_local_id(0)] = 2; a[get_global_id(0)] = t[0]; }",
                     "--global=4", "--local=4", "--arg=int[4]=0"), "outside local memory")
check("one store of all work-items", w == ("group", 0, ["mixed", "0/0", "0/1", "0/2"]), w)
check("nothing without races", writers(findings("kernel void k(global int *a) { a[get_global_id(0)] = 1; }", "--global=5", "--local=5", "--arg=int[4]=0", "--check=out-of-bounds"), "'a'") is None)
check("not of private memory", writers(findings("kernel void k(global int *a) { int t[4]; for (int i = 0; i < 5; i++) t[i] = a[i]; a[0] = t[a[1]]; }",
                                                "--global=1", "--local=1", "--arg=int[8]=0"), "'t'") is None)
shutil.rmtree(tmp)
sys.exit(result())
