#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other users, browsers, senders of nonsense and clients without the token do not reach the app, and do not keep the right editor out;
an editor's commands touch no files; however cldbg ends, no socket is left. As root the other user is `nobody`."""
import json, os, random, re, select, signal, socket, stat, subprocess, sys, tempfile, time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
here = tempfile.TemporaryDirectory(prefix="cldbg-test-")
os.chmod(here.name, 0o755)  # the other user gets as far as the socket
tmp, runtime = os.path.join(here.name, "tmp"), os.path.join(here.name, "run")
os.mkdir(tmp)
os.mkdir(runtime, 0o700)
env = dict(os.environ, CLDBG_CACHE=os.path.join(here.name, "cache"), TMPDIR=tmp, XDG_RUNTIME_DIR=runtime)
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
LOOP = ["run", "loop.cl", "--global=8", "--local=4", "--arg=int[8]=iota", "--arg=int=3", "--arg=local:int[4]"]
rng = random.Random(1)


def message(command, seq=1, **args):
    body = json.dumps({"seq": seq, "type": "request", "command": command, "arguments": args}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def left(folder):
    return [x for x in os.listdir(folder) if x.startswith("cldbg")]


for sig in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):  # ignored under nohup or in the background of a shell, and then by cldbg, too
    signal.signal(sig, signal.SIG_DFL)


class Waiting:
    """cldbg that waits for an editor; where: the path, or (port, token)."""
    def __init__(self, *options, command=LOOP, **more):
        self.p = subprocess.Popen([cldbg, *options] + command, env=dict(env, **more), cwd=kernels, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        line = self.p.stderr.readline().decode()
        port, path = re.search(r'port (\d+);.*"token": "([0-9a-f]{32})"', line), re.search(r"editor at (/\S+)", line)
        self.where = (int(port[1]), port[2]) if port else path[1] if path else None
        if not self.where:
            raise SystemExit(f"it does not wait: {line}")

    def connect(self):
        if isinstance(self.where, tuple):
            return socket.create_connection(("127.0.0.1", self.where[0]), timeout=20)
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(20)
        s.connect(self.where)
        return s

    def end(self):
        self.p.kill()
        self.p.wait()
        return self.p.stderr.read().decode()


class Editor:
    def __init__(self, read, write):
        self.read, self.write, self.buf, self.seq, self.events = read, write, b"", 0, []

    def ask(self, command, **args):
        self.seq += 1
        self.write(message(command, self.seq, **args))
        return self.take(lambda m: m.get("request_seq") == self.seq)

    def event(self, name):
        for i, m in enumerate(self.events):
            if m["event"] == name:
                return self.events.pop(i)
        return self.take(lambda m: m.get("event") == name)

    def take(self, wanted):
        while True:
            head, sep, rest = self.buf.partition(b"\r\n\r\n")
            n = int(head.split(b":")[1]) if sep else 0
            if sep and len(rest) >= n:
                m, self.buf = json.loads(rest[:n]), rest[n:]
                if wanted(m):
                    return m
                if m["type"] == "event":
                    self.events.append(m)
                continue
            data = self.read()
            if not data:
                return {}
            self.buf += data

    def finish(self):
        """After `attach`: the kernel runs to its end."""
        self.event("initialized")
        self.ask("configurationDone")
        return self.event("exited").get("body", {}).get("exitCode")


def over(s):
    return Editor(lambda: s.recv(65536), s.sendall)


def reply(w, data):
    """What is answered before the connection is closed; None: it stays open."""
    got = b""
    with w.connect() as s:
        s.settimeout(3)
        try:
            s.sendall(data)
            while True:
                more = s.recv(65536)
                if not more:
                    return got
                got += more
        except ConnectionError:
            return got
        except socket.timeout:
            return None


NOBODY = """import socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(5)
name = sys.argv[1]
try:
    s.connect("\\0" + name[1:] if name[0] == "@" else name)
    s.sendall(bytes.fromhex(sys.argv[2]))
    print("got", s.recv(1000))
except OSError as e:
    print("error", e.errno)
"""


def as_nobody(path, data):
    return subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", NOBODY, path, data.hex()],
                          stdout=subprocess.PIPE, text=True, cwd="/").stdout.strip()


def unix_socket():
    w = Waiting("--dap")
    folder = os.path.dirname(w.where)
    check("in the runtime directory", os.path.dirname(folder) == runtime, w.where)
    check("modes", [stat.S_IMODE(os.stat(x).st_mode) for x in (folder, w.where)] == [0o700, 0o600])
    check("HTTP", reply(w, b"GET / HTTP/1.1\r\n\r\n") == b"")
    if not os.geteuid():
        check("another user does not get there", as_nobody(w.where, message("attach")) == "error 13")
        for x in (runtime, folder, w.where):
            os.chmod(x, 0o777)
        got = as_nobody(w.where, message("initialize") + message("attach", 2))
        check("another user is disconnected", got in ("got b''", "error 104", "error 32"), got)
        os.chmod(runtime, 0o700)
    relay = subprocess.Popen([cldbg, "dap"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    e = Editor(lambda: relay.stdout.read(65536), relay.stdin.write)
    check("initialize", e.ask("initialize").get("success"))
    check("attach needs a socket", "socket" in e.ask("attach").get("message", ""))
    check("attach to nothing", "no cldbg" in e.ask("attach", socket=w.where + "x").get("message", ""))
    check("attach through cldbg dap", e.ask("attach", socket=w.where).get("success"))
    check("it runs", e.finish() == 0)
    check("nothing stays when the editor is there", not left(runtime), left(runtime))
    e.ask("disconnect")
    check("both end", relay.wait(20) == 0 and w.p.wait(20) == 0)
    path = os.path.join(here.name, "s")
    w = Waiting("--dap-socket=" + path)
    r = subprocess.run([cldbg, "--dap-socket=" + path] + LOOP, env=env, cwd=kernels, stderr=subprocess.PIPE)
    check("a socket in use is not taken", r.returncode == 125 and b"in use" in r.stderr, r.stderr)
    w.end()
    check("one that was left is", stat.S_ISSOCK(os.stat(path).st_mode))
    w = Waiting("--dap-socket=" + path)
    os.kill(w.p.pid, signal.SIGTERM)
    check("and removed", w.p.wait(20) == -signal.SIGTERM and not os.path.exists(path))
    open(path, "w").close()
    r = subprocess.run([cldbg, "--dap-socket=" + path] + LOOP, env=env, cwd=kernels, stderr=subprocess.PIPE)
    check("a file is not replaced", r.returncode == 125 and os.path.isfile(path), r.stderr)


def port_and_token():
    w = Waiting("--dap-port=0", LANG="x")
    token = w.where[1]
    for first in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"OPTIONS / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\n" + message("attach", token=token), b"\r\n" + message("attach", token=token),
                  b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: 70000\r\n\r\n", b"Content-Length: -1\r\n\r\n{}", b"Content-Length: 5\r\n\r\n{{{{{", b"Content-Length: 2\r\n\r\n[]",
                  b"Content-Length: 3\r\nX: " + b"x" * 200000, b"\x16\x03\x01\x02\x00", bytes(range(256))):
        check("closed without an answer", reply(w, first) == b"", first[:60])
    for n in range(24):
        data = bytearray(message("initialize") + message("attach", 2, token=rng.choice([token[::-1], "x", None])))
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(20 if n % 2 else len(data))] = rng.randrange(256)
        with w.connect() as s:
            s.settimeout(0.2)
            try:
                s.sendall(data)
                check("damaged messages", b'"command":"attach","success":true' not in s.recv(65536))
            except OSError:
                pass
    for args in ({}, {"token": ""}, {"token": token[:-1]}, {"token": token + "0"}, {"token": token[:-1] + ("0" if token[-1] != "0" else "1")}, {"token": [token]}, {"token": 0}):
        got = reply(w, message("attach", **args))
        check("without the token", got is not None and b'"success":false' in got and token.encode() not in got, (args, got))
    check("launch without the token", b'"success":false' in (reply(w, message("launch", program="/bin/true")) or b""))
    with w.connect() as s:
        e = over(s)
        check("capabilities", e.ask("initialize").get("success"))
        for r in ("evaluate", "setBreakpoints", "configurationDone", "threads", "terminate", "nosuch"):
            check(r + " before the login", e.ask(r, expression="save breakpoints x", context="repl").get("success") is False)
        check("disconnect", e.ask("disconnect").get("success") and not s.recv(1))
    slow = [w.connect() for _ in range(20)]
    for i, s in enumerate(slow):
        s.sendall(b"Content-Length: 40\r\n\r\n{"[:i + 1])
    deaf = [w.connect() for _ in range(3)]  # they ask and never read
    for s in deaf:
        s.setblocking(False)
        try:
            for i in range(100000):
                s.send(message("initialize") * 100)
        except OSError:
            pass
    begun = time.time()
    s = w.connect()
    e = over(s)
    check("after slow ones", e.ask("initialize").get("success") and time.time() - begun < 8, time.time() - begun)
    check("the right one", e.ask("attach", token=token, env={"LD_PRELOAD": "/nonexistent.so", "CLDBG_OPTIONS": "--nosuch"}, cwd="/nonexistent", program="/bin/false").get("success"))
    check("its env and cwd are not the app's", e.finish() == 0)
    try:
        check("nobody else", not w.connect())
    except ConnectionError:
        pass
    e.ask("disconnect")
    check("it ends", w.p.wait(20) == 0)
    said = w.p.stderr.read().decode()
    check("few words on strangers", 1 <= said.count("a connection was closed") <= 5 and token not in said, said)


def guesses():
    """Sixteen a second, no more."""
    w = Waiting("--dap-port=0")
    begun, n = time.time(), 0
    while time.time() - begun < 2:
        reply(w, message("attach", token="0" * 32))
        n += 1
    check("guesses are slow", 4 <= n <= 64, n)
    w.end()


def files():
    """What COMMAND marks FILES is rejected of an editor, however it is put."""
    marked = re.findall(r'^COMMAND\(\s*\w+,\s+\w+,\s+"(\w+)",\s+"([^"]*)",\s+[A-Z| ]*FILES', open("src/debug/commands/command_rows.def").read(), re.M)
    check("commands that touch files", {"save", "source", "shell"} <= {name for name, _ in marked}, marked)
    target = os.path.join(here.name, "saved")
    commands = [f"{n} {target}" for row in marked for n in [row[0], row[0][:-1]] + row[1].split()]
    commands += [f"save breakpoints {target}", f" sav br {target}", f"workitem apply all save breakpoints {target}", f"!echo > {target}"]
    for allowed in (False, True):
        w = Waiting("--dap", *(["--dap-allow-files"] if allowed else []))
        with w.connect() as s:
            e = over(s)
            e.ask("attach", allowFiles=True, waitForRun=False, stopOnEntry=True, savedSession=[{"line": "break 9"}, {"line": f"save breakpoints {target}"}, {"number": 7, "line": f"save breakpoints {target}"}])
            e.event("initialized")
            e.ask("threads")  # answered after the agent took `attach`
            check("savedSession", os.path.exists(target) == allowed)
            e.ask("configurationDone")
            e.event("stopped")
            for c in commands if not allowed else [f"save breakpoints {target}"]:
                a = e.ask("evaluate", expression=c, context="repl")
                if allowed:
                    check("allowed", a.get("success") and open(target).read() == "break 9\n", a)
                else:
                    check("rejected: " + c, a.get("success") is False and ("--dap-allow-files" in a.get("message", "") or c.startswith("workitem")), a)
            for c in (f"save breakpoints {target}", f"{{save breakpoints {target}}}"):
                e.ask("setBreakpoints", source={"path": kernels + "/loop.cl"}, breakpoints=[{"line": 9, "condition": c, "logMessage": c}])
            e.ask("continue")
            check("no file", os.path.exists(target) == allowed)
        w.end()
    r = subprocess.run([cldbg, "-i", "--batch", "-x", "/dev/stdin"] + LOOP, env=env, cwd=kernels, input=f"break 9\nsave breakpoints {target}2\nrun\n".encode(), stdout=subprocess.PIPE)
    check("typed commands may", os.path.exists(target + "2"), r.stdout)


def agent_of(pid):
    """CLDBG_DEBUG of the child."""
    for _ in range(100):
        for child in open(f"/proc/{pid}/task/{pid}/children").read().split():
            m = re.search(rb"(?:^|\0)CLDBG_DEBUG=([^\0]+)", open(f"/proc/{child}/environ", "rb").read())
            if m:
                return m[1].decode()
        time.sleep(0.05)


def agents_socket():
    p = subprocess.Popen([cldbg, "-i", "sleep", "20"], env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    name = agent_of(p.pid)
    check("nothing in the file system", name and name[0] == "@" and not left(tmp), (name, left(tmp)))
    if not os.geteuid():
        got = as_nobody(name, b"")
        check("another user is no agent", got in ("got b''", "error 104", "error 32"), got)
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(5)
        s.connect("\0" + name[1:])
        check("(this user is taken for one)", over(s).take(lambda m: True).get("command") == "initialize")
    p.kill()
    p.wait()
    p.stdin.close()
    if os.geteuid():
        return
    listener = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
                                 "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0' + 'cldbg-test-%d')\ns.listen()\nprint(flush=True)\nprint(s.accept()[0].recv(100), flush=True)" % os.getpid()],
                                stdout=subprocess.PIPE, cwd="/")
    listener.stdout.readline()
    try:
        r = subprocess.run([cldbg] + LOOP, env=dict(env, CLDBG_DEBUG="@cldbg-test-%d" % os.getpid()), cwd=kernels, timeout=30, stdout=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        r = "timeout"
    check("another user does not debug", r == 0 and listener.stdout.readline() == b"b''\n", r)
    listener.stdout.close()
    listener.kill()
    listener.wait()


def ended_by_signals():
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        w = Waiting("--dap")
        os.kill(w.p.pid, sig)
        check("the signal ends it", w.p.wait(20) == -sig)
        check("nothing stays after signal %d" % sig, not left(runtime), left(runtime))
        w.p.stderr.close()
    old = Waiting("--dap", XDG_RUNTIME_DIR="")
    killed = Waiting("--dap", XDG_RUNTIME_DIR="")
    killed.end()
    w = Waiting("--dap", XDG_RUNTIME_DIR="")
    check("what a killed one left is removed, and no more", sorted(left(tmp)) == sorted(os.path.basename(os.path.dirname(x.where)) for x in (old, w)), left(tmp))
    for x in (old, w):
        os.kill(x.p.pid, signal.SIGTERM)
        x.p.wait(20)
        x.p.stderr.close()
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        p = subprocess.Popen([cldbg, "-i"] + LOOP, env=env, cwd=kernels, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        p.stdin.write(b"info program\n")
        p.stdin.flush()
        p.stdout.read(8)
        os.kill(p.pid, sig)
        p.communicate()
        check("nothing stays of -i", not left(tmp), left(tmp))


if os.geteuid():
    print("not root: no other user connects")
for f in (unix_socket, port_and_token, guesses, files, agents_socket, ended_by_signals):
    f()
sys.exit(result())
