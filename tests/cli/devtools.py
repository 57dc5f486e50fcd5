# SPDX-License-Identifier: MIT
"""Chromium's own reader of trace events, that of its DevTools: what it makes of a trace file. It knows nothing of cldbg."""
import json
import os
import shutil
import subprocess
import tempfile
import time

READ = """(async (text) => {
  const { TraceModel } = await import("devtools://devtools/bundled/models/trace/trace.js");
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(JSON.parse(text).traceEvents);
  const node = (n) => [n.entry.name, n.children.map(node)], tracks = [];
  for (const [pid, p] of model.parsedTrace(0).data.Renderer.processes)
    for (const [tid, t] of p.threads) tracks.push([pid, tid, t.name, t.tree ? [...t.tree.roots].map(node) : []]);
  return tracks;
})"""


class Browser:
    """Headless Chromium, controlled by messages of the DevTools protocol through pipes (its descriptors 3 and 4)."""

    def __init__(self, chromium):
        self.profile, self.rest, self.number = tempfile.mkdtemp(prefix="cldbg-chromium-"), b"", 0
        theirs, self.to = os.pipe()
        self.answers, ours = os.pipe()
        shell = f'exec "$@" 3<&{theirs} 4>&{ours}'
        self.process = subprocess.Popen(["bash", "-c", shell, "-", chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                                         f"--user-data-dir={self.profile}", "about:blank"], pass_fds=(theirs, ours), stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            while b"\0" not in self.rest:
                more = os.read(self.answers, 1 << 20)
                if not more:
                    raise OSError("Chromium has ended")
                self.rest += more
            one, _, self.rest = self.rest.partition(b"\0")
            answer = json.loads(one)
            if answer.get("id") == self.number:
                return answer.get("result", answer)

    def close(self):
        try:
            self.call("Browser.close")
        except OSError:
            pass
        self.process.wait(30)
        os.close(self.to)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)


def read_traces(files):
    """For each file its tracks by (pid, tid): (name, slices as a tree of [name, children]). None: Chromium or its DevTools are missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        return None
    browser = Browser(chromium)
    try:
        target = browser.call("Target.createTarget", url="devtools://devtools/bundled/devtools_app.html").get("targetId")
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True).get("sessionId")
        evaluate = lambda text: browser.call("Runtime.evaluate", session, expression=text, returnByValue=True, awaitPromise=True)
        for _ in range(100):
            if evaluate("location.protocol").get("result", {}).get("value") == "devtools:":
                break
            time.sleep(0.1)
        if evaluate('import("devtools://devtools/bundled/models/trace/trace.js").then(() => 1, () => 0)').get("result", {}).get("value") != 1:
            return None
        out = []
        for name in files:
            with open(name, encoding="utf-8") as f:
                answer = evaluate(f"{READ}({json.dumps(f.read())})")
            if "exceptionDetails" in answer:
                raise ValueError(f"{name}: Chromium cannot read it: {answer['exceptionDetails']}")
            out.append({(pid, tid): (title, tree) for pid, tid, title, tree in answer["result"]["value"]})
        return out
    finally:
        browser.close()
