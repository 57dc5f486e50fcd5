#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Conversations of an editor with `cldbg dap`: breakpoints, stacks, variables, stepping both ways, watching,
disconnecting, and messages that make no sense. Each message of cldbg is checked against the protocol (protocol.py)."""
import base64, json, os, re, select, socket, subprocess, sys, tempfile, time

import protocol

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
LOOP = ["--global=8", "--local=4", "--arg=int[8]=iota", "--arg=int=3", "--arg=local:int[4]", "--dump=0"]


class Client:
    def __init__(self, command=None):
        if command: # over a port
            self.p = subprocess.Popen([cldbg, "--dap-port=0"] + command, env=env, cwd=kernels, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            port, self.token = re.search(r'port (\d+);.*"token": "(\w+)"', self.p.stderr.readline().decode()).groups()
            self.s = socket.create_connection(("127.0.0.1", int(port)))
            self.i = self.o = self.s.fileno()
        else:
            self.p = subprocess.Popen([cldbg, "dap"], env=env, cwd=kernels, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.i, self.o = self.p.stdout.fileno(), self.p.stdin.fileno()
        self.buf, self.seq, self.events, self.answers, self.out = b"", 0, [], {}, ""

    def raw(self, data):
        os.write(self.o, data)

    def send(self, command, **args):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": args}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.seq

    def pump(self, seconds):
        """One more message; False when there is none."""
        end = time.time() + seconds
        while True:
            head, sep, rest = self.buf.partition(b"\r\n\r\n")
            if sep:
                n = int(head.split(b":")[1])
                if len(rest) >= n:
                    m, self.buf = json.loads(rest[:n]), rest[n:]
                    wrong = protocol.wrong(m)
                    if wrong:
                        check("a message of the protocol", False, (wrong, m))
                    if m["type"] == "event":
                        self.events.append(m)
                        if m["event"] == "output":
                            self.out += m["body"]["output"]
                    else:
                        self.answers[m["request_seq"]] = m
                    return True
            if not select.select([self.i], [], [], max(0, end - time.time()))[0]:
                return False
            data = os.read(self.i, 65536)
            if not data:
                return False
            self.buf += data

    def ask(self, command, **args):
        seq = self.send(command, **args)
        while seq not in self.answers:
            if not self.pump(20):
                return {"success": False, "message": "(no answer)"}
        return self.answers.pop(seq)

    def body(self, command, **args):
        return self.ask(command, **args).get("body") or {}

    def event(self, name):
        while True:
            for i, e in enumerate(self.events):
                if e["event"] == name:
                    del self.events[i]
                    return e.get("body") or {}
            if not self.pump(20):
                return {}

    def launch(self, program, args, **more):
        caps = self.body("initialize", adapterID="cldbg")
        check("capabilities", caps.get("supportsStepBack") and caps.get("supportsDataBreakpoints"))
        r = self.ask("launch", program=program, args=args, cwd=kernels, **more)
        check("launch", r["success"], r)
        self.event("initialized")

    def end(self):
        try:
            self.p.wait(20)
        except subprocess.TimeoutExpired:
            self.p.kill()
            check("the adapter ends", False)


def conversation():
    c = Client()
    c.launch("loop.cl", LOOP)
    b = c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 9, "condition": "get_global_id(0) == 5 && j == 1"}, {"line": 99}])
    check("two breakpoints", len(b.get("breakpoints", [])) == 2, b)
    check("not built yet", b["breakpoints"][1]["message"] == "The program is not built yet.", b)
    c.body("setExceptionBreakpoints", filters=["findings"])
    c.body("configurationDone")
    told = [c.event("breakpoint").get("breakpoint", {}) for _ in range(2)]
    check("what became of them is told", [x.get("verified") for x in told] == [True, False] and told[1].get("message") == "No code at this line.", told)
    s = c.event("stopped")
    check("stopped at a breakpoint", s.get("reason") == "breakpoint" and s.get("threadId") == 2, s)
    t = c.body("threads")["threads"]
    check("a thread for each work-item", len(t) == 4 and "global (5,0,0)" in t[1]["name"], t)
    f = c.body("stackTrace", threadId=2)["stackFrames"]
    check("stack", f[0]["name"] == "k" and f[0]["line"] == 9 and f[0]["source"]["path"].endswith("loop.cl"), f)
    sc = {x["name"]: x["variablesReference"] for x in c.body("scopes", frameId=f[0]["id"])["scopes"]}
    v = {x["name"]: x for x in c.body("variables", variablesReference=sc["Locals"])["variables"]}
    check("locals", v["j"]["value"] == "1" and v["i"]["value"] == "5" and v["v"]["value"] == "{5, 2, 3, 4}", v)
    e = c.body("variables", variablesReference=v["v"]["variablesReference"], filter="indexed", start=1, count=2)["variables"]
    check("paging", [x["value"] for x in e] == ["2", "3"], e)
    a = {x["name"]: x for x in c.body("variables", variablesReference=sc["Arguments"])["variables"]}
    check("arguments", a["n"]["value"] == "3", a)
    o = a["o"]
    e = c.body("variables", variablesReference=o["variablesReference"], filter="indexed", start=4, count=2)["variables"]
    check("elements behind a pointer", o["indexedVariables"] == 8 and [x["name"] for x in e] == ["[4]", "[5]"] and e[1]["value"] == "10", (o, e))
    check("evaluate", c.body("evaluate", expression="o[i] + 1", frameId=f[0]["id"], context="watch").get("result") == "11")
    check("evaluate refuses", not c.ask("evaluate", expression="nosuch", context="hover")["success"])
    check("repl", "$1 = 1" in c.body("evaluate", expression="print j", context="repl").get("result", ""))
    check("completions", any(x["label"] == "breakpoints" for x in c.body("completions", text="info br", column=8)["targets"]))
    c.body("setVariable", variablesReference=sc["Locals"], name="q", value="100")
    check("setVariable", c.body("evaluate", expression="q", frameId=f[0]["id"]).get("result") == "100")
    c.body("next", threadId=2)
    check("next", c.event("stopped").get("reason") == "step")
    check("line 10", c.body("stackTrace", threadId=2)["stackFrames"][0]["line"] == 10)
    c.body("stepBack", threadId=2)
    c.event("stopped")
    check("stepBack", c.body("stackTrace", threadId=2)["stackFrames"][0]["line"] == 9)
    check("stale reference", not c.ask("variables", variablesReference=sc["Locals"])["success"])
    f = c.body("stackTrace", threadId=2)["stackFrames"]
    sc = {x["name"]: x["variablesReference"] for x in c.body("scopes", frameId=f[0]["id"])["scopes"]}
    d = c.body("dataBreakpointInfo", variablesReference=sc["Locals"], name="j")
    check("dataBreakpointInfo", d.get("dataId"), d)
    c.body("setDataBreakpoints", breakpoints=[{"dataId": d["dataId"], "accessType": "write"}])
    c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[])
    c.body("continue", threadId=2)
    s = c.event("stopped")
    check("data breakpoint", s.get("reason") == "data breakpoint", s)
    check("j is 2", c.body("evaluate", expression="j", frameId=c.body("stackTrace", threadId=2)["stackFrames"][0]["id"]).get("result") == "2")
    c.body("setDataBreakpoints", breakpoints=[])
    r = c.ask("setFunctionBreakpoints", breakpoints=[{"name": "twice"}])
    check("function breakpoint", r["body"]["breakpoints"][0]["verified"], r)
    c.body("continue", threadId=2)
    c.event("stopped")
    f = c.body("stackTrace", threadId=2)["stackFrames"]
    check("two frames", [x["name"] for x in f] == ["twice", "k"], f)
    c.body("stepOut", threadId=2)
    c.event("stopped")
    check("stepOut", c.body("stackTrace", threadId=2)["stackFrames"][0]["name"] == "k")
    c.body("setFunctionBreakpoints", breakpoints=[])
    c.body("continue", threadId=3)
    check("exit status", c.event("exited").get("exitCode") == 0)
    c.event("terminated")
    check("output", "o[5] = " in c.out, c.out)
    c.ask("disconnect")
    c.end()


def nonsense():
    c = Client()
    c.raw(b"Content-Length: 5\r\n\r\n{bad}")
    c.raw(b"Hello: 5\r\n\r\n")
    c.raw(b'Content-Length: 2\r\n\r\n[]')
    check("told", "left out" in (c.event("output").get("output", "")))
    check("unknown launch", not c.ask("launch")["success"])
    check("unknown request before the launch", not c.ask("nosuch")["success"])
    check("threads before the launch", c.ask("threads").get("body") == {"threads": []})
    early = c.send("setFunctionBreakpoints", breakpoints=[])
    c.launch("loop.cl", LOOP)
    while early not in c.answers and c.pump(20):
        pass
    check("what was set up before the launch", c.answers.pop(early, {}).get("success"))
    check("unknown request", not c.ask("nosuch")["success"])
    check("setBreakpoints without a source", not c.ask("setBreakpoints")["success"])
    check("frames before the start", not c.ask("stackTrace", threadId=1)["success"])
    check("variables of nothing", not c.ask("variables", variablesReference=7)["success"])
    check("no such frame", not c.ask("scopes", frameId=123456)["success"])
    check("evaluate nothing", not c.ask("evaluate")["success"])
    c.body("configurationDone")
    check("it runs all the same", c.event("exited").get("exitCode") == 0)
    c.ask("disconnect")
    c.end()


def not_as_machine_code():
    c = Client()
    c.ask("launch", program="loop.cl", args=LOOP, cwd=kernels, cldbgOptions=["--native"])
    check("--native is refused", c.event("exited").get("exitCode") == 2 and "--native cannot be combined with the debugger" in c.out, c.out)
    c.ask("disconnect")
    c.end()


def findings_and_log():
    c = Client()
    c.launch("reduce.cl", ["--global=128", "--local=64", "--arg=float[128]=1", "--arg=float[2]=0", "--arg=local:float[64]"])
    c.body("setBreakpoints", source={"name": "reduce.cl"}, breakpoints=[{"line": 10, "logMessage": "item {lid} is done", "condition": "lid == 0"}])
    c.body("setExceptionBreakpoints", filters=["findings"])
    c.body("configurationDone")
    s = c.event("stopped")
    check("a finding stops", s.get("reason") == "exception" and "data race" in s.get("cldbg", {}).get("text", ""), s)
    check("exceptionInfo", c.body("exceptionInfo", threadId=2).get("exceptionId") == "data-race")
    c.body("setExceptionBreakpoints", filters=[])
    c.body("continue", threadId=2)
    c.event("exited")
    check("logpoint", "item 0 is done" in c.out, c.out)
    c.ask("disconnect")
    c.end()


def end_of_launch():
    c = Client()
    c.launch("loop.cl", LOOP)
    c.body("setExceptionBreakpoints", filters=["launch-end"])
    c.body("configurationDone")
    s = c.event("stopped")
    check("the end of a launch stops", s.get("reason") == "exception" and "End of launch 1" in s.get("text", ""), s)
    check("exceptionInfo of it", c.body("exceptionInfo", threadId=1).get("exceptionId") == "launch-end")
    f = c.body("stackTrace", threadId=s["threadId"])["stackFrames"]
    check("a frame of the kernel", len(f) == 1 and f[0]["name"] == "k", f)
    c.ask("evaluate", expression="why o[1]", context="repl")
    again = c.event("stopped")
    check("why answers with an output", "o[1] = 11 by work-item global (1,0,0) at loop.cl:" in c.out, c.out)
    check("why keeps the focus", again.get("preserveFocusHint") is True)
    check("buffers are there", c.body("evaluate", expression="o[1]", frameId=f[0]["id"], context="watch")["result"] == "11")
    c.body("stepBack", threadId=s["threadId"])
    s = c.event("stopped")
    f = c.body("stackTrace", threadId=s["threadId"])["stackFrames"]
    check("back from the end", f[0]["line"] == 14, f)
    c.body("setExceptionBreakpoints", filters=[])
    c.body("continue", threadId=s["threadId"])
    c.event("exited")
    c.ask("disconnect")
    c.end()


def pause_and_leave():
    c = Client()
    c.launch("long.cl", ["--global=4", "--local=4", "--arg=int[4]=0", "--arg=int=2000000000"])
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "spin"}]) # from there on it is known to run
    c.body("configurationDone")
    c.event("stopped")
    c.body("continue", threadId=1)
    time.sleep(0.7)
    c.body("pause", threadId=1)
    check("pause", c.event("stopped").get("reason") == "pause")
    check("stackTrace", c.body("stackTrace", threadId=1).get("stackFrames", [{}])[0].get("name") == "spin")
    c.ask("disconnect", terminateDebuggee=True)
    c.end()
    c = Client()
    c.launch("long.cl", ["--global=4", "--local=4", "--arg=int[4]=0", "--arg=int=2000000000"])
    c.body("configurationDone")
    c.p.stdin.close()  # the editor disconnects
    c.end()


def asked_on_the_way_back():
    """A long way back in one piece: who asks on it is answered, and who has seen enough is obeyed."""
    c = Client()
    c.launch("long.cl", ["--global=1", "--local=1", "--arg=int[1]=0", "--arg=int=2000000000"])
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "spin"}])
    c.body("configurationDone")
    c.event("stopped")
    for line in ("set history-size 1", "delete"): # few states are kept
        c.ask("evaluate", expression=line, context="repl")
    c.body("continue", threadId=1)
    time.sleep(3)
    c.body("pause", threadId=1)
    c.event("stopped")
    c.ask("evaluate", expression="break 6 if i < 0", context="repl") # not looked at on the way here
    c.body("reverseContinue", threadId=1)
    check("an answer on the way back", c.ask("threads")["success"] and not [e for e in c.events if e["event"] == "stopped"], c.events)
    c.body("pause", threadId=1)
    s = c.event("stopped")
    check("a pause on the way back", "Interrupted while going back" in s.get("cldbg", {}).get("text", ""), s)
    check("a frame on the way back", c.body("stackTrace", threadId=1).get("stackFrames", [{}])[0].get("name") == "spin")
    c.body("stepBack", threadId=1)
    check("and a step", c.event("stopped").get("reason") == "step")
    c.ask("disconnect", terminateDebuggee=True)
    c.end()


def over_port():
    c = Client(["run", "loop.cl"] + LOOP)
    c.body("initialize")
    check("attach", c.ask("attach", stopOnEntry=True, token=c.token)["success"])
    c.event("initialized")
    c.body("configurationDone")
    check("stop on entry", c.event("stopped").get("reason") == "entry")
    c.body("continue", threadId=1)
    check("it ends", c.event("exited").get("exitCode") == 0)
    c.ask("disconnect")
    c.end()


def like_vs_code():
    """The messages of Visual Studio Code, in its order."""
    c = Client()
    c.body("initialize", clientID="vscode", clientName="Visual Studio Code", adapterID="cldbg", pathFormat="path", linesStartAt1=True, columnsStartAt1=True,
           supportsVariableType=True, supportsVariablePaging=True, supportsRunInTerminalRequest=True, locale="en", supportsProgressReporting=True,
           supportsInvalidatedEvent=True, supportsMemoryReferences=True, supportsArgsCanBeInterpretedByShell=True, supportsMemoryEvent=True, supportsStartDebuggingRequest=True)
    asked = c.send("launch", name="one kernel", type="cldbg", request="launch", program="loop.cl", args=LOOP, cwd=kernels, __sessionId="1", __configurationTarget=6)
    c.event("initialized")
    c.body("setBreakpoints", source={"name": "loop.cl", "path": kernels + "/loop.cl"}, lines=[9], breakpoints=[{"line": 9}], sourceModified=False)
    c.body("setFunctionBreakpoints", breakpoints=[])
    c.body("setDataBreakpoints", breakpoints=[])
    c.body("setExceptionBreakpoints", filters=["findings"], filterOptions=[])
    c.body("configurationDone")
    check("vscode: launch is answered", c.answers.get(asked, {}).get("success"))
    c.body("threads")
    s = c.event("stopped")
    check("vscode: stopped", s.get("allThreadsStopped") and s.get("hitBreakpointIds"), s)
    c.body("threads")
    one = c.body("stackTrace", threadId=1, startFrame=0, levels=1)
    rest = c.body("stackTrace", threadId=1, startFrame=1, levels=19)
    check("vscode: frames in two parts", len(one["stackFrames"]) == 1 and rest["totalFrames"] == 1 and not rest["stackFrames"], (one, rest))
    frame = one["stackFrames"][0]["id"]
    names = []
    for scope in c.body("scopes", frameId=frame)["scopes"]:
        for v in c.body("variables", variablesReference=scope["variablesReference"])["variables"]:
            names.append(v["name"])
            if v["name"] == "v":
                d = c.body("dataBreakpointInfo", variablesReference=v["variablesReference"], name="[1]")
                check("vscode: an element can be watched", d.get("dataId"), d)
                data = d["dataId"]
    check("vscode: variables", {"i", "j", "q", "v", "o", "n", "t", "global id"} <= set(names), names)
    check("vscode: hover", c.body("evaluate", expression="v.x", frameId=frame, context="hover").get("result") == "0")
    b = c.body("setDataBreakpoints", breakpoints=[{"dataId": data, "accessType": "write"}])
    check("vscode: data breakpoint on an element", b["breakpoints"][0]["verified"], b)
    c.body("setDataBreakpoints", breakpoints=[])
    b = c.body("setDataBreakpoints", breakpoints=[{"dataId": data, "accessType": "read"}, {"dataId": data, "accessType": "readWrite"}])
    check("vscode: reads", [x["verified"] for x in b["breakpoints"]] == [True, True], b)
    c.body("setDataBreakpoints", breakpoints=[])
    lines = [x["line"] for x in c.body("breakpointLocations", source={"path": kernels + "/loop.cl"}, line=5, endLine=9)["breakpoints"]]
    check("vscode: lines with code", lines == [5, 7, 8, 9], lines)
    check("vscode: loadedSources", any(x.get("path") == kernels + "/loop.cl" for x in c.body("loadedSources")["sources"]))
    scopes = {x["name"]: x["variablesReference"] for x in c.body("scopes", frameId=frame)["scopes"]}
    args = {x["name"]: x for x in c.body("variables", variablesReference=scopes["Arguments"])["variables"]}
    o = args["o"]["memoryReference"]
    m = c.body("readMemory", memoryReference=o, offset=8, count=100)
    check("vscode: readMemory", base64.b64decode(m["data"])[:4] == b"\2\0\0\0" and m["unreadableBytes"] == 76, m)
    check("vscode: nothing to read", c.body("readMemory", memoryReference="0x10", count=4).get("unreadableBytes") == 4)
    at = one["stackFrames"][0]["instructionPointerReference"]
    d = c.body("disassemble", memoryReference=at, offset=0, instructionOffset=-200, instructionCount=400, resolveSymbols=True)["instructions"]
    check("vscode: disassemble", len(d) == 400 and d[200]["address"] == at and d[0]["presentationHint"] == "invalid" and len({x["address"] for x in d}) == 400)
    check("vscode: source beside it", any(x.get("line") == 9 for x in d))
    c.body("next", threadId=1, granularity="instruction")
    c.event("stopped")
    after = c.body("stackTrace", threadId=1, startFrame=0, levels=1)["stackFrames"][0]["instructionPointerReference"]
    check("vscode: an instruction", int(after, 16) > int(at, 16), (at, after))
    c.body("stepBack", threadId=1, granularity="instruction")
    c.event("stopped")
    check("vscode: and back", c.body("stackTrace", threadId=1)["stackFrames"][0]["instructionPointerReference"] == at)
    check("vscode: no such request", not c.ask("gotoTargets", source={"path": kernels + "/loop.cl"}, line=9)["success"])
    c.body("terminate", restart=False)
    c.event("terminated")
    c.ask("disconnect", restart=False)
    c.end()


def every_answer():
    """Every request is answered, also when the program ends meanwhile; refusals say why in the body."""
    c = Client()
    c.body("initialize")
    r = c.ask("launch", program="./no-such-program", cwd=kernels)
    check("a program that does not exist fails the launch", not r["success"] and "no-such-program" in r["message"], r)
    check("the error has a body", r["body"]["error"]["format"] == r["message"], r)
    for program in ("no-such-kernel.cl", "no-such-word"):
        check("launch of " + program, not c.ask("launch", program=program, cwd=kernels)["success"])
    r = c.ask("stackTrace", threadId=1)
    check("an error before the launch has a body", not r["success"] and "format" in r["body"]["error"], r)
    check("launch", c.ask("launch", program="loop.cl", args=LOOP, cwd=kernels, stopOnEntry=True)["success"])
    c.event("initialized")
    c.body("configurationDone")
    s = c.event("stopped")
    check("entry", s.get("reason") == "entry", s)
    f = c.body("stackTrace", threadId=1)["stackFrames"][0]["id"]
    sc = {x["name"]: x["variablesReference"] for x in c.body("scopes", frameId=f)["scopes"]}
    for args in ({"name": "nosuch"}, {"name": "nosuch", "variablesReference": sc["Locals"]}, {"name": "nosuch", "frameId": f}, {"name": "1 + 1"}, {}):
        b = c.body("dataBreakpointInfo", **args)
        check("nothing to watch", b["dataId"] is None and b["description"], (args, b))
    check("a variable", c.body("dataBreakpointInfo", name="i", variablesReference=sc["Locals"])["dataId"])
    check("stepOut of the kernel", c.ask("stepOut", threadId=1)["success"])
    s = c.event("stopped")
    check("it runs to its end", s.get("reason") == "step" and s.get("description") == "returned" and s.get("threadId") == 1, s)
    check("and has no frames", c.body("stackTrace", threadId=1)["stackFrames"] == [])
    check("evaluate refuses with a body", "format" in c.ask("evaluate", expression="nosuch", context="hover")["body"]["error"])
    check("no such request", "format" in c.ask("nosuch")["body"]["error"])
    check("continue is answered", c.ask("continue", threadId=1).get("success"))
    c.event("terminated")
    r = c.ask("continue", threadId=1)
    check("after the end, too", not r["success"] and "format" in r["body"]["error"], r)
    c.body("disconnect")
    c.end()


def like_neovim_and_emacs():
    """nvim-dap sends breakpoints and configurationDone once `initialized` came; dape sends launch first and breakpoints as lines."""
    c = Client()
    c.body("initialize", clientID="neovim", clientName="neovim", adapterID="nvim-dap", pathFormat="path", columnsStartAt1=True, linesStartAt1=True,
           supportsRunInTerminalRequest=True, supportsVariableType=True, supportsProgressReporting=True, supportsStartDebuggingRequest=True, locale="en_US.UTF-8")
    c.send("launch", name="kernel", type="cldbg", request="launch", program="loop.cl", args=LOOP, cwd=kernels)
    c.event("initialized")
    c.body("setBreakpoints", source={"path": kernels + "/loop.cl", "name": "loop.cl"}, sourceModified=False, breakpoints=[{"line": 9}], lines=[9])
    c.body("setExceptionBreakpoints", filters=["findings"])
    c.body("configurationDone")
    s = c.event("stopped")
    t = c.body("threads")["threads"]
    check("nvim: threads", s["threadId"] in [x["id"] for x in t], (s, t))
    f = c.body("stackTrace", threadId=s["threadId"])["stackFrames"]
    check("nvim: source", os.path.exists(f[0]["source"]["path"]) and f[0]["line"] == 9, f)
    c.body("next", threadId=s["threadId"], granularity="statement")
    c.event("stopped")
    check("nvim: console", "0 of 4" not in c.body("evaluate", expression="info workgroup", context="repl", frameId=f[0]["id"]).get("result", "0 of 4"))
    c.body("stepBack", threadId=s["threadId"], granularity="line")
    c.event("stopped")
    c.body("disconnect", restart=False, terminateDebuggee=True)
    c.end()
    c = Client()
    c.body("initialize", clientID="dape", adapterID="cldbg", pathFormat="path", linesStartAt1=True, columnsStartAt1=True, locale="en_US.UTF-8", supportsRunInTerminalRequest=True,
           supportsProgressReporting=True, supportsVariableType=True, supportsStartDebuggingRequest=True)
    c.send("launch", type="cldbg", request="launch", program="long.cl", args=["--global=1024", "--local=1024", "--arg=int[1024]=0", "--arg=int=9"], cwd=kernels)
    c.event("initialized")
    c.body("setExceptionBreakpoints", filters=["findings"])
    c.body("setBreakpoints", source={"name": "long.cl", "path": kernels + "/long.cl"}, breakpoints=[{"line": 6, "condition": "i == 5 && get_local_id(0) == 900"}], lines=[6])
    c.body("setFunctionBreakpoints", breakpoints=[])
    c.body("configurationDone")
    s = c.event("stopped")
    t = c.body("threads")["threads"]
    check("dape: threads around the focus, not all", s["threadId"] == 901 and len(t) == 256 and 901 in [x["id"] for x in t], len(t))
    check("dape: another work-item", c.body("stackTrace", threadId=1024)["stackFrames"][0]["name"] == "spin")
    c.body("disconnect", restart=False)
    c.end()


if __name__ == "__main__":
    for f in (conversation, like_vs_code, every_answer, like_neovim_and_emacs, nonsense, not_as_machine_code, findings_and_log, end_of_launch, pause_and_leave, asked_on_the_way_back, over_port):
        f()
    sys.exit(result())
