#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests of an editor beyond breakpoints and steps: what is announced is served, breakpoints on instructions, memory that is
written, modules, filters for each kind of finding, hexadecimal values, names of members, the console."""
import base64, os, sys, time

import protocol
from adapter import Client, LOOP, check, kernels, result

REDUCE = ["--global=128", "--local=64", "--arg=float[128]=1", "--arg=float[2]=0", "--arg=local:float[64]"]


def stopped_at(line, program="loop.cl", args=LOOP, **more):
    """A client whose kernel is stopped at the line in work-item 0; the innermost frame."""
    c = Client()
    c.launch(program, args, **more)
    c.body("setBreakpoints", source={"path": f"{kernels}/{program}"}, breakpoints=[{"line": line}])
    c.body("configurationDone")
    c.event("stopped")
    c.body("setBreakpoints", source={"path": f"{kernels}/{program}"}, breakpoints=[])
    return c, top(c)


def top(c, thread=1, **more):
    return (c.body("stackTrace", threadId=thread, **more).get("stackFrames") or [{}])[0]


def variables(c, frame, scope, **more):
    refs = {x["name"]: x["variablesReference"] for x in c.body("scopes", frameId=frame["id"])["scopes"]}
    return {x["name"]: x for x in c.body("variables", variablesReference=refs[scope], **more)["variables"]}


def end(c):
    c.ask("disconnect", terminateDebuggee=True)
    c.end()


def announced():
    """The capabilities are those of the requests that are served."""
    for message in ({"body": {}}, {"body": {"reason": "step", "threadId": "1"}}, {"body": {"reason": "step", "nosuch": 1}}):
        check("the check finds errors", protocol.wrong({"type": "event", "event": "stopped", "seq": 1, **message}), message)
    if os.environ.get("CLDBG_DAP_SCHEMA"):
        check("the tables are those of the schema", not (d := protocol.differences(os.environ["CLDBG_DAP_SCHEMA"])), d)
    check("the check accepts", not protocol.wrong({"type": "event", "event": "stopped", "seq": 1, "body": {"reason": "step", "threadId": 1}}))
    c = Client()
    can = c.body("initialize", adapterID="cldbg")
    c.ask("launch", program="loop.cl", args=LOOP, cwd=kernels, stopOnEntry=True)
    c.body("configurationDone")
    c.event("stopped")
    last = ("restart", "terminate")  # end the program
    for capability, request in sorted(protocol.CAPABILITIES.items(), key=lambda x: x[1] in last):
        r = c.ask(request)
        served = r["success"] or not ("is not known" in r["message"] or "cannot jump" in r["message"])
        check(f"{capability} is announced if {request} is served", served == can.get(capability, False), r)
    r = c.ask("goto", threadId=1, targetId=1)
    check("goto is refused with a reason", not r["success"] and "jump" in r["message"] or "ended" in r["message"], r)
    end(c)


def instructions():
    c, f = stopped_at(9)
    at = int(f["instructionPointerReference"], 16)
    code = c.body("disassemble", memoryReference=hex(at), instructionCount=8)["instructions"]
    b = c.body("setInstructionBreakpoints", breakpoints=[
        {"instructionReference": code[3]["address"]}, {"instructionReference": hex(at), "offset": 1, "condition": "j == 2"},
        {"instructionReference": "0x7"}, {"instructionReference": hex(at), "offset": 100000}, {}])["breakpoints"]
    check("breakpoints on instructions", [x["verified"] for x in b] == [True, True, False, False, False] and b[0]["line"] == 9 and "does not contain" in b[2]["message"], b)
    c.body("continue", threadId=1)
    s = c.event("stopped")
    check("a stop at the instruction", s["reason"] == "instruction breakpoint" and s["hitBreakpointIds"] == [b[0]["id"]] and top(c)["instructionPointerReference"] == code[3]["address"], s)
    c.body("setInstructionBreakpoints", breakpoints=[{"instructionReference": hex(at), "offset": 1, "condition": "j == 2"}])
    c.body("continue", threadId=1)
    c.event("stopped")
    f = top(c)
    check("a condition", int(f["instructionPointerReference"], 16) == at + 1 and variables(c, f, "Locals")["j"]["value"] == "2", f)
    c.body("setInstructionBreakpoints", breakpoints=[])
    c.body("continue", threadId=1)
    check("removed", c.event("exited").get("exitCode") == 0)
    end(c)


def memory():
    c, f = stopped_at(9)
    o = variables(c, f, "Arguments")["o"]["memoryReference"]
    r = c.ask("writeMemory", memoryReference=o, offset=4, data=base64.b64encode(b"\7\1\0\0\xff\xff\xff\xff").decode())
    check("writeMemory", r["success"] and r["body"]["bytesWritten"] == 8, r)
    check("it was written", c.body("evaluate", expression="o[1] + o[2]", frameId=f["id"])["result"] == "262")
    r = c.ask("writeMemory", memoryReference=o, offset=28, data=base64.b64encode(bytes(8)).decode())
    check("past the end", not r["success"] and c.body("evaluate", expression="o[7]", frameId=f["id"])["result"] == "7", r)
    r = c.ask("writeMemory", memoryReference=o, offset=28, data=base64.b64encode(bytes(8)).decode(), allowPartial=True)
    check("in part", r["body"]["bytesWritten"] == 4 and c.body("evaluate", expression="o[7]", frameId=f["id"])["result"] == "0", r)
    for args in ({}, {"memoryReference": o}, {"memoryReference": o, "data": "!!!!"}, {"memoryReference": "0x10", "data": "AAAA"}):
        check("refused", not c.ask("writeMemory", **args)["success"], args)
    c.body("stepBack", threadId=1)
    c.event("stopped")
    check("going back undoes it", c.body("evaluate", expression="o[1]", frameId=top(c)["id"])["result"] in ("1", "263"))
    end(c)


def modules():
    c, f = stopped_at(9)
    e = c.event("module")
    check("an event for the program", e["reason"] == "new" and e["module"]["name"] == "k", e)
    m = c.body("modules")
    check("modules", m["totalModules"] == 1 and m["modules"][0]["name"] == "k" and f["moduleId"] == m["modules"][0]["id"], (m, f))
    check("a part of them", c.body("modules", startModule=1)["modules"] == [] and len(c.body("modules", startModule=0, moduleCount=1)["modules"]) == 1)
    end(c)


def filters():
    c = Client()
    can = {x["filter"]: x for x in c.body("initialize", adapterID="cldbg")["exceptionBreakpointFilters"]}
    check("a filter for each kind", {"findings", "launch-end", "data-race", "out-of-bounds", "uninitialized-read"} <= set(can) and len(can) > 15, can)
    check("all findings by default", [k for k, v in can.items() if v.get("default")] == ["findings"])
    c.ask("launch", program="reduce.cl", args=REDUCE, cwd=kernels)
    c.event("initialized")
    b = c.body("setExceptionBreakpoints", filters=["out-of-bounds", "nosuch"], filterOptions=[{"filterId": "launch-end"}])["breakpoints"]
    check("an answer for each filter", [x["verified"] for x in b] == [True, False, True], b)
    c.body("configurationDone")
    s = c.event("stopped")
    check("no stop for another kind", "End of launch" in s.get("text", ""), s)
    end(c)
    for options, kind in ((dict(filters=["data-race"]), "data-race"), (dict(filters=[], filterOptions=[{"filterId": "data-race", "condition": "lid > 0"}]), "data-race"),
                          (dict(filters=[], filterOptions=[{"filterId": "findings", "condition": "lid >= 0"}]), "data-race")):
        c = Client()
        c.launch("reduce.cl", REDUCE)
        c.body("setExceptionBreakpoints", **options)
        c.body("configurationDone")
        s = c.event("stopped")
        check("a stop for this kind", s.get("reason") == "exception" and c.body("exceptionInfo", threadId=s["threadId"]).get("exceptionId") == kind, (options, s))
        end(c)
    c = Client()
    c.launch("reduce.cl", REDUCE)
    c.body("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "data-race", "condition": "lid < 0"}])
    c.body("configurationDone")
    check("the condition holds nowhere", not [e for e in c.events if e["event"] == "stopped"] and c.event("exited"))
    end(c)


def values():
    """Hexadecimal values; expressions of members and elements; names of frames."""
    c, f = stopped_at(9)
    hexed = variables(c, f, "Locals", format={"hex": True})
    check("hexadecimal", hexed["i"]["value"] == "0x0" and hexed["v"]["value"] == "{0, 2, 3, 4}", hexed)
    check("an expression in hexadecimal", c.body("evaluate", expression="n + 12", frameId=f["id"], format={"hex": True})["result"] == "0xf")
    check("a new value in hexadecimal", c.body("setExpression", expression="q", value="255", frameId=f["id"], format={"hex": True})["value"] == "0xff")
    v = variables(c, f, "Locals")["v"]
    o = variables(c, f, "Arguments")["o"]
    for x, want in ((v, "v[2]"), (o, "o[2]")):
        child = c.body("variables", variablesReference=x["variablesReference"], start=2, count=1)["variables"][0]
        check("an element's expression", child["evaluateName"] == want and c.body("evaluate", expression=want, frameId=f["id"])["result"] == child["value"], child)
    e = c.body("evaluate", expression="&o[4]", frameId=f["id"])
    child = c.body("variables", variablesReference=e["variablesReference"], start=1, count=1)["variables"][0]
    check("an element of a result", child["evaluateName"] == "(&o[4])[1]" and c.body("evaluate", expression="(&o[4])[1]", frameId=f["id"])["result"] == "5", child)
    name = top(c, format={"parameters": True, "parameterTypes": True, "parameterNames": True, "parameterValues": True, "line": True, "module": True, "hex": True})["name"]
    check("the frame's name", name.startswith("loop.cl!k(") and "int n=0x3" in name and name.endswith(" line 9"), name)
    check("names only", top(c, format={"parameters": True, "parameterNames": True})["name"] == "k(o, n, t)")
    end(c)
    c, f = stopped_at(6, "particles.cl", ["--global=4", "--local=4", "--arg=int[12]=0"])
    own = variables(c, f, "Locals")["own"]
    member = {"variablesReference": own["variablesReference"]}
    for name, want in (("[3]", "own[3]"), ("at", "own[3].at"), ("[1]", "own[3].at[1]")):
        member = {x["name"]: x for x in c.body("variables", variablesReference=member["variablesReference"])["variables"]}[name]
        check("a member's expression", member["evaluateName"] == want and c.body("evaluate", expression=want, frameId=f["id"])["result"] == member["value"], member)
    end(c)
    c = Client()
    c.launch("loop.cl", LOOP)
    c.body("setFunctionBreakpoints", breakpoints=[{"name": "twice", "condition": "a == 1"}])
    c.body("configurationDone")
    s = c.event("stopped")
    check("a function's reason", s["reason"] == "function breakpoint", s)
    end(c)
    c = Client()
    c.launch("loop.cl", LOOP)
    c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 11, "condition": "get_global_id(0) == 3"}])
    c.body("configurationDone")
    s = c.event("stopped")
    inner = []
    while len(inner) < 2 and top(c, s["threadId"])["line"] == 11:
        c.body("stepIn", threadId=s["threadId"], granularity="instruction")
        c.event("stopped")
        f = top(c, s["threadId"])
        refs = c.body("scopes", frameId=f["id"])["scopes"][0]["variablesReference"]
        inner = [x for x in c.body("variables", variablesReference=refs)["variables"] if x["name"] == "i"]
    check("a hidden variable has no expression", ["evaluateName" in x for x in inner] == [True, False], inner)
    end(c)


def console():
    """Expressions first; commands if they are no expression, or after a backtick; what works only on a terminal says so."""
    c, f = stopped_at(9)

    def ask(text, **more):
        return c.ask("evaluate", expression=text, context="repl", frameId=f["id"], **more)

    def says(text):
        r = ask(text)
        return r["body"]["result"] if r["success"] else r["message"]

    for text, want in (("n", "3"), (" n * 2", "6"), ("v.y + o[2]", "4"), ("get_local_id(0)", "0"), ("i = 7", "7"), ("i = 0", "0"), ("(float)n", "3")):
        check("an expression: " + text, says(text) == want, says(text))
    r = ask("v")["body"]
    check("opens to its elements", [x["value"] for x in c.body("variables", variablesReference=r["variablesReference"])["variables"]] == ["0", "2", "3", "4"], r)
    check("in hexadecimal", ask("n + 7", format={"hex": True})["body"]["result"] == "0xa")
    for text, want in (("print n", "= 3"), ("p/x n", "= 0x3"), ("`print n", "= 3"), ("x/2dw o", "o+0"), ("info workgroup", "Work-group"), ("bt", "#0")):
        check("a command: " + text, want in says(text), says(text))
    check("an unknown name", says("nosuch + 1").startswith('No symbol "nosuch"'), says("nosuch + 1"))
    check("a wrong expression", "outside" in says("o[99999]") or "bounds" in says("o[99999]"), says("o[99999]"))
    check("an expression that ends too early", "syntax" in says("n =") and "Undefined" not in says("n ="), says("n ="))
    check("after a backtick nothing is an expression", "Undefined command" in says("`v.y"), says("`v.y"))
    for text in ("quit", "run", "define twins", "if n", "kill", "detach", "while 1"):
        r = ask(text)
        check("only on a terminal: " + text, not r["success"] and "only at the prompt" in r["message"], r)
    check("a command of gdb", "cannot jump" in says("jump 5"), says("jump 5"))
    offers = lambda text: {x["label"] for x in c.body("completions", text=text, column=len(text) + 1)["targets"]}
    check("offers variables and commands", {"q", "quit"} <= offers("q") and "get_global_id(" in offers("o[get_g"), offers("q"))
    check("offers components, constants and functions", offers("print v.") >= {"x", "w", "lo"} and offers("v.l") == {"lo"} and "INT_MAX" in offers("print INT_") and "twice(" in offers("twi"), (offers("print v."), offers("v.l")))
    check("offers commands after a backtick", "quit" in offers("`q") and "q" not in offers("`q"))
    ask("display n")
    r = ask("next")
    check("a command that runs", r["success"] and c.event("stopped").get("reason") == "step" and top(c)["line"] == 10, (r, top(c)))
    check("displays are shown", "1: n = 3" in c.out, c.out)
    end(c)


def members():
    """Completion of members, and numbers of findings."""
    c, f = stopped_at(12, "padding.cl", ["--global=4", "--local=4", "--arg=uchar[1056]=0", "--arg=int[4]=0"])
    offers = lambda text: {x["label"] for x in c.body("completions", text=text, column=len(text) + 1)["targets"]}
    for text, want in (("p[i].", {"id", "pos", "tag", "more"}), ("print p->p", {"pos"}), ("(*p).i", {"id"}), ("q.pos.h", {"hi"}), ("p[i + 1].t", {"tag"}), ("nosuch.x", set())):
        check("members of " + text, offers(text) == want, (text, offers(text)))
    end(c)
    c, f = stopped_at(9, "reduce.cl", REDUCE)
    c.body("continue", threadId=1)
    check("a finding", c.event("stopped").get("reason") == "exception")
    offers = lambda text: {x["label"] for x in c.body("completions", text=text, column=len(text) + 1)["targets"]}
    check("numbers of findings", "1" in offers("explain ") and "1" in offers("info race ") and not offers("info divergence "), offers("explain "))
    end(c)


def data_breakpoints():
    """On expressions and in outer frames; those that are set stay when the list is sent again at another stop."""
    c, f = stopped_at(2)
    outer = c.body("stackTrace", threadId=1)["stackFrames"][1]
    d = c.body("dataBreakpointInfo", name="i", frameId=outer["id"])
    s = c.body("dataBreakpointInfo", name="o[0] + o[1]", frameId=outer["id"])
    check("an expression", s["dataId"] and s["accessTypes"] == ["write"], s)
    check("a constant is not watched", not c.body("dataBreakpointInfo", name="1 + 2", frameId=outer["id"])["dataId"])
    ids = [{"dataId": d["dataId"], "accessType": "write"}, {"dataId": s["dataId"], "accessType": "write"}]
    b = c.body("setDataBreakpoints", breakpoints=ids)["breakpoints"]
    check("both are set, in the frame of the caller", [x["verified"] for x in b] == [True, True], b)
    c.body("continue", threadId=1)
    stop = c.event("stopped")
    check("the sum changes", stop["reason"] == "data breakpoint" and stop["hitBreakpointIds"] == [b[1]["id"]] and top(c)["line"] == 9, stop)
    again = c.body("setDataBreakpoints", breakpoints=ids[1:])["breakpoints"]
    check("it stays", again[0]["verified"] and again[0]["id"] == b[1]["id"], again)
    c.body("continue", threadId=1)
    check("and stops again", c.event("stopped")["hitBreakpointIds"] == [b[1]["id"]])
    c.body("setDataBreakpoints", breakpoints=[])
    c.body("continue", threadId=1)
    check("all are removed", c.event("exited").get("exitCode") == 0)
    end(c)


def restart():
    c, f = stopped_at(9)
    c.events.clear()
    r = c.ask("restart", arguments={"program": "loop.cl", "args": LOOP[:-2] + ["--arg=local:int[4]"], "cwd": kernels})
    check("restart", r["success"], r)
    check("the threads go on", c.event("continued").get("allThreadsContinued"))
    c.event("initialized")
    b = c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 10}])["breakpoints"]
    c.body("configurationDone")
    s = c.event("stopped")
    check("it runs again", s.get("hitBreakpointIds") == [b[0]["id"]] and top(c)["line"] == 10, s)
    check("the program has not ended", not [e for e in c.events if e["event"] in ("exited", "terminated")], c.events)
    check("restart with the same arguments", c.ask("restart")["success"])
    c.event("initialized")
    waits = c.send("stackTrace", threadId=1)
    check("restart while it starts", c.ask("restart")["success"])
    c.event("initialized")
    c.body("configurationDone")
    check("it ends", c.event("exited").get("exitCode") == 0)
    c.event("terminated")
    check("what was asked in between is answered", waits in c.answers)
    check("restart after the end", c.ask("restart")["success"])
    c.event("initialized")
    c.body("configurationDone")
    check("it ends again", c.event("exited").get("exitCode") == 0)
    r = c.ask("restart", arguments={"program": "nosuch.cl", "cwd": kernels})
    check("a program that does not exist", not r["success"] and "nosuch.cl" in r["message"], r)
    end(c)
    c = Client(["run", "loop.cl"] + LOOP)
    c.body("initialize")
    c.ask("attach", token=c.token, stopOnEntry=True)
    c.body("configurationDone")
    c.event("stopped")
    c.event("initialized")
    check("restart of a program of the command line", c.ask("restart", arguments={"program": "/bin/false"})["success"])
    c.event("initialized")
    c.body("configurationDone")
    check("it is the same", c.event("exited").get("exitCode") == 0)
    end(c)


def long_way():
    """Progress while the kernel goes back, which can be canceled."""
    c = Client()
    c.body("initialize", adapterID="cldbg", supportsProgressReporting=True, supportsANSIStyling=True)
    early = c.send("setFunctionBreakpoints", breakpoints=[])
    check("a request that waits", c.ask("cancel", requestId=early)["success"] and c.answers.pop(early)["message"] == "cancelled")
    c.ask("launch", program="long.cl", args=["--global=1", "--local=1", "--arg=int[1]=0", "--arg=int=2000000000"], cwd=kernels)
    c.ask("setFunctionBreakpoints", breakpoints=[{"name": "spin"}])
    c.body("configurationDone")
    c.event("stopped")
    for line in ("set history-size 1", "delete"): # few states are kept
        c.ask("evaluate", expression=line, context="repl")
    check("colors", "\033[" in c.body("evaluate", expression="map", context="repl")["result"])
    c.body("stepIn", threadId=1)
    c.event("stopped")
    check("no progress of a short step", not [e for e in c.events if e["event"].startswith("progress")])
    c.body("continue", threadId=1)
    time.sleep(2)
    c.body("pause", threadId=1)
    c.event("stopped")
    c.ask("evaluate", expression="break 6 if i < 0", context="repl")
    c.body("reverseContinue", threadId=1)
    p = c.event("progressStart")
    check("progress begins", p.get("cancellable") and p["title"] == "Going back", p)
    check("another progress", c.ask("cancel", progressId="nosuch")["success"] and not [e for e in c.events if e["event"] == "stopped"])
    check("cancel", c.ask("cancel", progressId=p["progressId"])["success"])
    check("progress ends", c.event("progressEnd").get("progressId") == p["progressId"])
    s = c.event("stopped")
    check("it stops on the way", "Interrupted while going back" in s.get("cldbg", {}).get("text", ""), s)
    check("cancel without anything to cancel", c.ask("cancel")["success"])
    end(c)
    c = Client(["run", "loop.cl"] + LOOP)
    c.body("initialize", supportsProgressReporting=True)
    c.ask("attach", token=c.token, stopOnEntry=True)
    c.body("configurationDone")
    c.event("stopped")
    c.body("stepBack", threadId=1)
    check("progress over a port", c.event("progressStart").get("progressId"))
    end(c)


def functions():
    """A step into one of the calls of a line; a function from its beginning again."""
    program, args = "calls.cl", ["--global=4", "--local=2", "--arg=int[4]=iota"]
    c, f = stopped_at(12, program, args)
    targets = c.body("stepInTargets", frameId=f["id"])["targets"]
    check("the calls of the line", [x["label"] for x in targets] == ["twice", "twice", "sum"] and targets[0]["column"] != targets[1]["column"], targets)
    for k, (name, a) in enumerate((("twice", "1"), ("twice", "2"), ("sum", "2"))):
        if k:
            c.body("restartFrame", frameId=c.body("stackTrace", threadId=1)["stackFrames"][-1]["id"])
            check("the kernel from its beginning", c.event("stopped").get("reason") == "step" and top(c)["line"] == 11, top(c))
            c.body("next", threadId=1)
            c.event("stopped")
        check("step into " + name, c.ask("stepIn", threadId=1, targetId=targets[k]["id"])["success"])
        c.event("stopped")
        f = top(c)
        check("it is there", f["name"] == name and variables(c, f, "Arguments")["a"]["value"] == a, (k, f, variables(c, f, "Arguments")))
    c.body("stepOut", threadId=1)
    c.event("stopped")
    c.body("setFunctionBreakpoints", breakpoints=[{"name": "fourfold", "condition": "get_global_id(0) == 1"}])
    c.body("continue", threadId=1)
    s = c.event("stopped")
    thread = s["threadId"]
    c.body("setFunctionBreakpoints", breakpoints=[{"name": "twice"}])
    c.body("continue", threadId=thread)
    c.event("stopped")
    c.body("next", threadId=thread)
    c.event("stopped")
    frames = c.body("stackTrace", threadId=thread)["stackFrames"]
    check("two functions", [x["name"] for x in frames] == ["twice", "fourfold", "calls"], frames)
    c.body("restartFrame", frameId=frames[0]["id"])
    c.event("stopped")
    f = top(c, thread)
    check("the inner function again", f["name"] == "twice" and f["line"] == 3, f)
    c.body("restartFrame", frameId=f["id"])
    c.event("stopped")
    check("it is there already", top(c, thread)["line"] == 3 and top(c, thread)["name"] == "twice", top(c, thread))
    c.body("restartFrame", frameId=c.body("stackTrace", threadId=thread)["stackFrames"][1]["id"])
    c.event("stopped")
    f = top(c, thread)
    check("the outer function again", f["name"] == "fourfold" and f["line"] == 7, f)
    check("a step is refused", not c.ask("stepIn", threadId=1, targetId=10 ** 6)["success"])
    check("no frame", not c.ask("restartFrame", frameId=10 ** 6)["success"] and not c.ask("stepInTargets", frameId=10 ** 6)["success"])
    end(c)


def hit_counts():
    args = ["--global=1", "--local=1", "--arg=int[1]=0", "--arg=int=6", "--arg=local:int[1]"]
    for text, want in (("3", [2, 3, 4, 5]), (">= 5", [4, 5]), (">4", [4, 5]), ("== 2", [1]), ("%3", [2, 5]), ("% 2", [1, 3, 5])):
        c = Client()
        c.launch("loop.cl", args)
        c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 8, "hitCondition": text}])
        c.body("setExceptionBreakpoints", filters=[])
        c.body("configurationDone")
        seen = []
        while len(seen) < 9:
            while not any(e["event"] in ("stopped", "exited") for e in c.events):
                if not c.pump(20):
                    break
            if any(e["event"] == "exited" for e in c.events):
                break
            c.event("stopped")
            seen.append(int(c.body("evaluate", expression="j", frameId=top(c)["id"])["result"]))
            c.body("continue", threadId=1)
        check("hit count " + text, seen == want, seen)
        end(c)
    c, f = stopped_at(9)
    b = c.body("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 8, "hitCondition": text} for text in ("x", "< 3", "0", "3x", "===1")])["breakpoints"]
    check("a wrong hit count", not any(x["verified"] for x in b) and all("hit count" in x["message"] for x in b), b)
    end(c)


if __name__ == "__main__":
    for f in (announced, instructions, memory, modules, filters, values, console, members, data_breakpoints, restart, long_way, functions, hit_counts):
        f()
    sys.exit(result())
