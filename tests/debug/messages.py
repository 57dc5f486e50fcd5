#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages of an editor gone mad, to `cldbg dap` with a kernel stopped: every request with arguments of the wrong kind, of
absurd values, too many or none; text that is no JSON, heads that lie about lengths. All requests that can be read are answered,
answers have the fields of the protocol, and the session is as usable as before. `messages.py SEED [MESSAGES]` tries others."""
import json, os, random, select, signal, subprocess, sys, tempfile, time

import protocol

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
messages = int(sys.argv[2]) if len(sys.argv) > 2 else 500
LOOP = ["--global=8", "--local=4", "--arg=int[8]=iota", "--arg=int=3", "--arg=local:int[4]"]
# (what goes on with the kernel, or ends the session, is left out)
REQUESTS = ["initialize", "setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints", "setDataBreakpoints", "dataBreakpointInfo", "configurationDone", "threads", "stackTrace",
            "scopes", "variables", "setVariable", "evaluate", "setExpression", "source", "loadedSources", "completions", "exceptionInfo", "readMemory", "writeMemory", "disassemble", "modules",
            "breakpointLocations", "gotoTargets", "goto", "stepInTargets", "cancel", "setInstructionBreakpoints", "locations", "attach", "pause", "nosuch", "", "a" * 3000]
KEYS = ["threadId", "frameId", "variablesReference", "expression", "context", "name", "value", "source", "breakpoints", "lines", "line", "column", "filters", "format", "start", "count",
        "memoryReference", "offset", "levels", "startFrame", "text", "dataId", "accessType", "condition", "hitCondition", "logMessage", "sourceReference", "filterOptions", "instructionOffset",
        "instructionCount", "resolveSymbols", "hex", "data", "endLine", "granularity", "instructionReference", "requestId", "progressId", "filterId", "allowPartial", "startModule", "moduleCount",
        "parameters", "parameterValues", "module"]


def value(depth=2):
    k = rng.randrange(12)
    if k < 3:
        return rng.choice([0, 1, 2, 3, 4, 5, 9, 17, 1001, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63 - 1, -2 ** 63, rng.randrange(3000)])
    if k < 6:
        return rng.choice(["i", "o[i]", "*o", "v.x", "1 +", "(" * 2000, "loop.cl", "/dev/zero", "\x00", "é\ud83d\ude00", "0x1000", "print o", "info locals", "break 9", "x/4w o", "step?", "hover", "repl", "watch",
                           "write", "".join(chr(rng.randint(1, 255)) for _ in range(rng.randrange(30))), "%s%n", "a" * 5000])
    if k == 6:
        return rng.choice([True, False, None, 1.5, 1e308, -0.0])
    if depth and k < 9:
        return [value(depth - 1) for _ in range(rng.choice([0, 1, 1, 2, 5, 50]))]
    if depth:
        return {rng.choice(KEYS): value(depth - 1) for _ in range(rng.randrange(5))}
    return 0


def sensible():
    """Arguments as an editor gives them, one of which may be anything."""
    source = {"path": os.path.join(kernels, "loop.cl"), "name": "loop.cl"}
    a = {"threadId": rng.randrange(6), "frameId": rng.choice([1, 2, 65, 1000, 0]), "variablesReference": rng.randrange(12), "expression": value(0), "context": rng.choice(["hover", "watch", "repl"]), "name": "i",
         "value": "3", "source": source, "breakpoints": [{"line": rng.randrange(40), "condition": value(0)}], "text": "print o[", "column": rng.randrange(12), "memoryReference": rng.choice(["o", "0x1000000000000", "0x100000002"]),
         "count": rng.randrange(99), "data": "AAEC", "instructionCount": 5, "format": {"hex": True, "parameters": True}, "filters": ["data-race", value(0)], "filterOptions": [{"filterId": "findings", "condition": value(0)}]}
    if rng.random() < 0.7:
        a[rng.choice(list(a))] = value()
    return a


def message():
    """(bytes, whether an answer must come)"""
    k = rng.random()
    seq = rng.randrange(1 << 20) + 100
    body = {"seq": seq, "type": "request", "command": rng.choice(REQUESTS), "arguments": sensible() if rng.random() < 0.5 else {rng.choice(KEYS): value() for _ in range(rng.randrange(6))}}
    # what would run, stop or end something is not this test's
    if body["command"] == "evaluate" and body["arguments"].get("context") == "repl" and body["arguments"].get("expression") not in ("print o", "info locals", "x/4w o", "i", "1 +"):
        body["arguments"]["expression"] = "print i"
    if k < 0.1:
        for key in rng.sample(list(body), rng.randint(1, 2)):
            body[key] = value()
        if body.get("command") in ("disconnect", "terminate"):
            body["command"] = "threads"
        seq = None
    elif k < 0.15:
        body = value()
        seq = None
    text = json.dumps(body).encode()
    if k > 0.95:
        text = bytes(b if rng.random() > 0.02 else rng.randrange(256) for b in text)
        seq = None
    return b"Content-Length: %d\r\n\r\n" % len(text) + text, seq


class Editor:
    def __init__(self, env):
        self.p = subprocess.Popen([cldbg, "dap"], env=env, cwd=kernels, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.buf, self.seq, self.seen, self.events = b"", 0, {}, []

    def send(self, data):
        while data:
            self.look(0)
            if select.select([], [self.p.stdin], [], 5)[1]:
                data = data[os.write(self.p.stdin.fileno(), data[:4096]):]

    def ask(self, command, **args):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": args}).encode()
        self.send(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        return self.seq

    def look(self, seconds):
        """What came meanwhile; False: nothing, or it is over."""
        if not select.select([self.p.stdout], [], [], seconds)[0]:
            return False
        data = os.read(self.p.stdout.fileno(), 1 << 16)
        self.buf += data
        while True:
            head, sep, rest = self.buf.partition(b"\r\n\r\n")
            if not sep or len(rest) < int(head.split(b":")[1]):
                return bool(data)
            n = int(head.split(b":")[1])
            m, self.buf = json.loads(rest[:n]), rest[n:]
            if m["type"] == "event":
                self.events.append(m["event"])
            elif "request_seq" in m:
                self.seen[json.dumps(m["request_seq"])] = m

    def answer(self, seq, seconds=60):
        end = time.time() + seconds
        while str(seq) not in self.seen and time.time() < end and self.look(end - time.time()):
            pass
        return self.seen.get(str(seq))


def main():
    with tempfile.TemporaryDirectory() as tmp:
        env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        e = Editor(env)
        e.ask("initialize", adapterID="cldbg")
        e.answer(e.ask("launch", program="run", args=["loop.cl"] + LOOP, cwd=kernels))
        e.ask("setBreakpoints", source={"path": os.path.join(kernels, "loop.cl")}, breakpoints=[{"line": 9}])
        e.ask("configurationDone")
        end = time.time() + 60
        while "stopped" not in e.events and time.time() < end and e.look(30):
            pass
        if "stopped" not in e.events:
            print("it does not stop at the breakpoint:", e.events)
            return 1
        for n in range(messages):
            data, seq = message()
            e.send(data)
            alive = e.ask("threads")
            a = e.answer(alive)
            if not a or not a.get("body", {}).get("threads"):
                print(f"after message {n} no answer to 'threads' ({e.p.poll()}): {a}\n{data[:2000]}")
                return 1
            if seq is not None and str(seq) not in e.seen:
                print(f"message {n} is not answered: {data[:2000]}")
                return 1
            wrong = seq is not None and protocol.wrong(e.seen[str(seq)])
            if wrong:
                print(f"the answer to message {n} is not of the protocol: {wrong}\n{data[:2000]}\n{e.seen[str(seq)]}")
                return 1
            e.seen.clear()
        e.send(rng.choice([b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: -5\r\n\r\n{}", b"\r\n\r\n", b"Content-Length: 5\r\n\r\n{{{{{"]))
        e.ask("threads") # may be taken for the rest of that
        if not (e.answer(e.ask("threads")) or {}).get("success"):
            print("a head that lies ends the session")
            return 1
        e.ask("disconnect", terminateDebuggee=True)
        try:
            status = e.p.wait(60)
        except subprocess.TimeoutExpired:
            e.p.kill()
            print("it does not end")
            return 1
        print(f"{messages} messages, ended with {status}")
        return 1 if status < 0 else 0


sys.exit(main())
