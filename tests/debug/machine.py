#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cldbg -i --interpreter=json`: every line of standard output is an object, each command has exactly one answer, in order, and
output of the app comes as events, whatever its bytes are. The client of examples/ and its demonstration work."""
import json, os, re, signal, subprocess, sys, tempfile, time

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
here = os.path.join(top, "tests", "debug")
sys.path[:0] = [here, os.path.join(top, "examples")]
from adapter import check, result
import debug_client

cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
kernels = os.path.abspath(os.path.join(here, "kernels"))
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"), CLDBG=cldbg)
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
LOOP = ["run", "loop.cl", "--global=8", "--local=4", "--arg=int[8]=iota", "--arg=int=3", "--arg=local:int[4]"]
LONG = ["run", "long.cl", "--global=256", "--local=64", "--arg=int[256]=0", "--arg=int=2000000000"]


def session(lines, args=LOOP, options=()):
    """The objects that come for these lines (bytes, or a list of texts), and the exit status."""
    data = lines if isinstance(lines, bytes) else "".join(x + "\n" for x in lines).encode()
    p = subprocess.run([cldbg, "-i", "--interpreter=json", *options, *args], cwd=kernels, env=env, input=data, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=300)
    objects = []
    for line in p.stdout.split(b"\n")[:-1]:
        try:
            objects.append(json.loads(line))
        except ValueError:
            check("a line is an object", False, line[:300])
    check("the last line is whole", p.stdout.endswith(b"\n") or not p.stdout, p.stdout[-200:])
    check("no prompt and no echo", b"(cldbg)" not in p.stdout, p.stdout[:300])
    return objects, p.returncode


def answers(objects):
    return [o for o in objects if o["type"] in ("done", "error")]


def events(objects, kind):
    return [o for o in objects if o["type"] == kind]


def usual():
    o, status = session(["break 9", "run", '{"id":"b","command":"backtrace"}', '{"id":4,"command":"print i"}', "nonsense", "info work-items", "info b", "info locals",
                         "x/2w o", '{"id":5,"command":"delete\\nprint 1\\nprint 2"}', "continue"])
    a = answers(o)
    check("eleven answers", len(a) == 11, [x.get("id") for x in a])
    check("ids come back", [x["id"] for x in a] == [None, None, "b", 4, None, None, None, None, None, 5, None], a)
    kinds = [x["type"] for x in o]
    check("started comes first", kinds[0] == "started" and o[0]["interface"] == 1, o[0])
    check("running follows its answer", a[1].get("running") is True and kinds[o.index(a[1]) + 1] == "running")
    check("the launch has sizes", events(o, "launch")[0]["global"] == [8, 1, 1] and events(o, "launch")[0]["local"] == [4, 1, 1])
    stop = events(o, "stopped")[0]
    check("it stops at the breakpoint", stop["reason"] == "breakpoint" and stop["breakpoint"] == 1, stop)
    check("where", stop["place"]["line"] == 9 and stop["place"]["file"] == "loop.cl" and stop["place"]["function"] and stop["place"]["column"] > 0, stop)
    check("which work-item", stop["work_item"]["local"] == [0, 0, 0] and stop["work_item"]["group"] == [0, 0, 0], stop)
    check("frames", a[2]["value"][0]["place"]["line"] == 9 and a[2]["output"].startswith("#0"), a[2])
    check("a value", a[3]["value"]["type"] == "int" and a[3]["value"]["value"].lstrip("-").isdigit(), a[3])
    check("an unknown command", a[4]["type"] == "error" and "Undefined command" in a[4]["message"], a[4])
    check("work-items", sum(x["count"] for x in a[5]["value"]) == 4 and sum(x["focus"] for x in a[5]["value"]) == 1, a[5])
    check("breakpoints", a[6]["value"][0]["id"] == 1 and a[6]["value"][0]["hits"] == 1 and a[6]["value"][0]["line"] == 9, a[6])
    check("locals", any(v["name"] == "i" for v in a[7]["value"]), a[7])
    check("memory", len(a[8]["value"]["values"]) == 2 and a[8]["value"]["object"] == "o" and a[8]["value"]["unit"] == 4, a[8])
    check("several lines, one answer", a[9]["output"].count(" = ") == 2, a[9])
    check("it ended", kinds[-1] == "ended" and o[-1]["status"] == 0 and o[-1]["killed"] is False, o[-1])
    check("the exit status", status == 0, status)


def flat(causes):
    for c in causes:
        yield c
        yield from flat(c.get("causes", []))


def past():
    """`why`, `diff items`, `map` and stories have values that say what their texts say."""
    cross = ["run", "cross.cl", "--global=128", "--local=16", "--arg=int[128]=0", "--arg=int[128]=0"]
    questions = ["why o[0]", "why/6 a[5]", "why 3", "why o[127]", "why a[6]", "why/9 o[20]", "why s", "info race", "info race 1", "why/20 o[3]"]
    o, _ = session(["set stop-on-findings off", "catch launch-end", "run", *questions], cross)
    for question, a in zip(questions, answers(o)[3:]):
        check(question + " has a value", "causes" in a.get("value", {}), a)
        if "causes" not in a.get("value", {}):
            continue
        nodes = list(flat(a["value"]["causes"]))
        lines = [x for x in a["output"].split("\n") if x.startswith("#")]
        numbers = [int(n) for line in a["output"].split("\n") for n in re.findall(r"^#(\d+)|(?<!see )(?<!`)\(#(\d+)\)", line) for n in n if n]
        check(question + ": its numbers, in order", [c["number"] for c in nodes if "number" in c] == numbers, (numbers, a["output"]))
        check(question + ": a cause for each line", len([c for c in nodes if any(x.split(None, 1)[1].startswith(c["text"]) for x in lines)]) >= len(lines), a["output"])
        for c in nodes:
            item, place, value = (re.search(p, c["text"]) for p in (r" work-item global \((\d+),(\d+),(\d+)\)", r" at cross\.cl:(\d+)", r"^([^:]*?) = (\S+?)(,| |:|$)"))
            check(question + ": the work-item", not item or c["work_item"]["global"] == [int(x) for x in item.groups()], c)
            check(question + ": the line", not place or c["place"]["line"] == int(place[1]), c)
            check(question + ": the value", not value or (c["name"], c["value"]) == value.groups()[:2], c)
            check(question + ": [+] and see", (c["text"] + " [+]" in a["output"] if c.get("more") and c["role"] == "data" else f"#{c.get('number')} " not in [x.split(" ")[0] + " " for x in lines if x.endswith(" [+]")] or c.get("more")), c)
    stories = answers(o)[10:12]
    check("the finding of a story", [s["value"]["finding"]["number"] for s in stories] == [3, 1], stories)
    check("two accesses", all(len(s["value"]["causes"]) == 2 for s in stories), stories)
    o, _ = session(["set stop-on-findings off", "break 12 wi (103)", "run", "diff items 3 19", "diff items 0 1", "map", "workgroup", "diff items 102 103", "why nothing", "why 1000"], cross)
    a = answers(o)
    d = a[3]["value"]
    check("diff", d["result"] == "parted" and d["branch"]["line"] == 10 and [s["next"]["line"] for s in d["sides"]] == [11, 10] and d["variables"] == [{"name": "g", "values": ["0", "1"]}], a[3])
    check("whom", [s["work_item"]["global"][0] for s in d["sides"]] == [3, 19] and d["sides"][1]["work_item"]["group"] == [1, 0, 0], d)
    check("no difference", a[4]["value"]["result"] == "equal" and "branch" not in a[4]["value"] and a[4]["value"]["variables"] == [], a[4])
    m = a[5]["value"]
    check("map", m["cells"].count("@") == 1 and len(m["cells"]) == 16 and m["shape"] == [16, 1, 1] and m["group"] == [6, 0, 0] and sum(p["count"] for p in m["places"]) == 16, m)
    check("the letters of the map", set(m["cells"]) <= {p["letter"] for p in m["places"]} | set("@!"), m)
    check("workgroup", a[6]["value"] == m, a[6])
    check("errors have no value", all(x["type"] == "error" and "value" not in x for x in a[8:]), a[8:])
    several = os.path.join(os.getcwd(), "tests", "debug", "several")
    o, _ = session(["set stop-on-findings off", "tbreak look", "run", "why o[3]", "why o[4]", "why x[3]", "why o[30]", "why o[60]"],
                   [several, kernels + "/several.cl", "bytes:0:0:7:2:2", "copy:0:3:1:3", "write:0:30:2:9", "look:0:0:0:2:2"])
    x, copied, written, nothing = (answers(o)[k]["value"]["causes"][0] for k in (3, 5, 6, 7))
    check("an earlier launch", x["kind"] == "earlier" and x["launch"] == 1 and x["kernel"] == "bytes" and x["work_item"]["global"] == [1, 0, 0] and x["value"] == "8" and x["place"]["file"] == "several.cl", x)
    check("copied", copied["launch"] == 1 and copied["command"] == "clEnqueueCopyBuffer", copied)
    check("written by the host", written["command"] == "clEnqueueWriteBuffer" and "launch" not in written and written["host"].startswith("enqueued at several"), written)
    check("written by nobody", nothing["kind"] == "host" and "command" not in nothing, nothing)


def garbage():
    long = "x" * (1 << 20)
    lines = [b"{", b"{\"command\":", b"[1,2]", b"{}", b'{"command":3}', b'{"id":[1],"command":"print 1"}', b'{"id":1,"command":"print 1","command":"print 2"}', b"\xff\xfe print",
             b"print \x00 1", b'{"id":2,"interrupt":1}', b'{"id":4,"command":"print \\u0000"}', b"\"", b'{"id":5,"command":"commands 1"}', long.encode() + b"y",
             b'{"id":6,"command":"' + long.encode() + b'"}', b'{"id":"end","command":"print 7"}', b"", b"   ", b"print 8\r", b'{"id":9,"comm']
    o, _ = session(b"\n".join(lines))
    a = answers(o)
    check("each line but blank ones has an answer", len(a) == len(lines) - 2, (len(a), len(lines)))
    check("all of them errors", all(x["type"] == "error" and x["message"] for x in a[:15]), [x for x in a[:15] if x["type"] != "error"])
    check("ids of wrong objects", [x["id"] for x in a if x["id"] is not None] == [2, 5, "end"], [x["id"] for x in a])
    check("it says that lines are too long", sum("longer than" in x["message"] for x in a if x["type"] == "error") == 2)
    check("the next ones work", a[15]["output"].strip().endswith("= 7") and a[16]["output"].strip().endswith("= 8"), a[15:17])
    check("an end in an object", "in the middle" in a[-1]["message"], a[-1])
    o, _ = session(b"define x\nprint 1\n")
    check("a block without its end", answers(o)[0]["type"] == "error" and "`end`" in answers(o)[0]["message"], o)
    o, _ = session(b'define twice\nprint $arg0 * 2\nend\ntwice 4\nprint 1')
    check("a block of plain lines is one command", [x["output"] for x in answers(o)] == ["", "$1 = 8\n", "$2 = 1\n"], o)


def many():
    o, _ = session([f'{{"id":{n},"command":"print {n}"}}' for n in range(10000)])
    a = answers(o)
    check("10,000 answers in order", [x["id"] for x in a] == list(range(10000)), len(a))
    check("each is its own", all(x["value"]["value"] == str(x["id"]) for x in a))
    p = subprocess.Popen([cldbg, "-i", "--interpreter=json", *LOOP], cwd=kernels, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    p.stdin.write(b'{"command":"help info"}\n' * 3000)  # nothing is read meanwhile
    p.stdin.close()
    check("a client that writes before it reads", p.stdout.read().count(b'"done"') == 3000)
    p.wait()


def bytes_of_the_app():
    said = b'{"type":"stopped","id":1}\n\\"\\\\ \xff\xfe\xc3(\n\xf0\x9f\x98\x80 \x01\x00 end'
    script = tmp + "/app.py"
    with open(script, "w") as f:
        f.write("import sys, time\n"
                f"for b in {said!r}: sys.stdout.buffer.write(bytes([b])); sys.stdout.buffer.flush()\n"
                "sys.stderr.write('to stderr'); sys.exit(3)\n")
    o, _ = session([], ["/usr/bin/python3", script])
    out = [x for x in events(o, "output") if x["category"] == "stdout"]
    got = b"".join(bytes.fromhex(x["hex"]) if "hex" in x else x["output"].encode() for x in out)
    check("every byte of the app", got == said, got)
    check("no stop was invented", not events(o, "stopped"))
    check("standard error", "".join(x["output"] for x in events(o, "output") if x["category"] == "stderr").startswith("to stderr"), o)
    check("its exit status", events(o, "ended")[-1]["status"] == 3, o[-1])
    o, _ = session(["shell printf '{\"type\":\"x\"}\\n'; printf '\\377'"])
    check("output of a shell command", answers(o)[0]["output"] == '{"type":"x"}\n\ufffd', o)


def interrupted():
    d = debug_client.Debugger(LONG, cldbg=cldbg, cwd=kernels, env=env, stderr=subprocess.DEVNULL)
    d.command("run", timeout=100)
    time.sleep(1)
    waiting = d.send(command="print i")
    d.interrupt(timeout=100)
    stop = d.wait("stopped", "ended", timeout=100)
    check("an interrupt stops a long kernel", stop.get("reason") == "pause", stop)
    check("the command before it was kept", d.answer(waiting, timeout=100)["value"]["type"] == "int")
    # the interrupt that directly follows a command is for that command
    first, second = d.send(command="continue"), d.send(interrupt=True)
    check("both are answered", d.answer(first, 100)["running"] and d.answer(second, 100)["type"] == "done")
    check("it stops again", d.wait("stopped", timeout=100)["reason"] == "pause")
    shell = d.send(command="shell sleep 1000")
    time.sleep(0.3)
    d.interrupt(timeout=100)
    try:
        d.answer(shell, timeout=100)
        check("a shell command that was interrupted has failed", False)
    except debug_client.CommandError:
        pass
    try:
        d.interrupt(timeout=100)
        check("nothing runs now", False)
    except debug_client.CommandError as e:
        check("that is an error", "Nothing is running" in str(e), e)
    begin = time.time()
    check("the session ends", d.close() == 0 and time.time() - begin < 60)
    try:
        d.command("print 1")
        check("nothing is sent after the end", False)
    except debug_client.Ended:
        pass


def abandoned():
    """A client that dies ends the debugger and the kernel."""
    p = subprocess.Popen([cldbg, "-i", "--interpreter=json", *LONG], cwd=kernels, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    p.stdin.write(b"run\n")
    p.stdin.flush()
    child = json.loads(p.stdout.readline())["pid"]
    while b'"launch"' not in p.stdout.readline():
        pass
    p.stdout.close()
    p.stdin.close()
    try:
        p.wait(60)
    except subprocess.TimeoutExpired:
        check("it ends without its client", False)
        p.kill()
    end = time.time() + 30
    while os.path.exists(f"/proc/{child}") and time.time() < end:
        time.sleep(0.1)
    check("the app has ended, too", not os.path.exists(f"/proc/{child}"))


def scripts():
    path = tmp + "/script"
    with open(path, "w") as f:
        f.write("print 1\nprint 2\n")
    o, _ = session(["print 3"], options=["-x", path])
    check("a script is not answered", len(answers(o)) == 1 and [x["output"] for x in events(o, "output")][:2] == ["$1 = 1\n", "$2 = 2\n"], o)
    o, _ = session([f"source {path}", "kill", "print 3"])
    check("a sourced script is one command", [x["output"] for x in answers(o)][0] == "$1 = 1\n$2 = 2\n", o)
    check("kill, then an answer without a program", answers(o)[2]["output"] == "$3 = 3\n" and events(o, "ended")[0]["killed"], o)
    o, _ = session(["break 9", "commands 1\nprint 5\ncontinue\nend", "run"])
    check("commands of a breakpoint", sum(x["output"].endswith("= 5\n") for x in events(o, "output")) > 1 and o[-1]["type"] == "ended", o)
    o, _ = session(["quit", "print 1"])
    check("after the end", [x["type"] for x in answers(o)] == ["done", "error"], o)
    o, status = session([], args=["./does-not-exist"])
    check("an app that cannot be started", events(o, "ended")[0]["status"] == status == 127, (o, status))
    p = subprocess.run([cldbg, "-i", "--interpreter=mi", "true"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check("another interpreter", p.returncode == 125 and b"only json" in p.stderr and not p.stdout, p)
    o, status = session([], args=[])
    check("no app", answers(o)[0]["type"] == "error" and "no app" in answers(o)[0]["message"] and status == 125, (o, status))


def demonstration():
    p = subprocess.run([sys.executable, os.path.join(top, "examples", "debug_client.py")], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300)
    out = p.stdout.decode()
    check("the demonstration", p.returncode == 0, (p.returncode, out))
    for text in ("stopped for a finding: data race on local memory 'tmp' [data-race]", "#0 reduce at group_sum.cl:8:", "after a step: reduce at group_sum.cl:", "s is ", "an error: No symbol", "ended with "):
        check(f"it shows: {text}", text in out, out)


for test in (usual, past, garbage, many, bytes_of_the_app, interrupted, abandoned, scripts, demonstration):
    test()
sys.exit(result())
