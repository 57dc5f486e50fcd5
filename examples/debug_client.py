#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the debugger of cldbg from Python: `cldbg -i --interpreter=json` (doc/DEBUGGER.md, "From a program").

    with Debugger(["run", "k.cl", "--global=64", "--arg=int[64]=0"]) as d:
        d.command("break 7 if i == 3")
        stop = d.resume("run")              # the event `stopped`, or `ended`
        print(stop["place"]["line"], d.value("print i")["value"])

`debug_client.py` by itself shows a data race in tutorial/group_sum.cl. The environment variable CLDBG names the command.
"""
import json
import os
import queue
import subprocess
import sys
import threading


class CommandError(Exception):
    """The debugger answered with an error; `answer` is the object."""

    def __init__(self, answer):
        super().__init__(answer["message"])
        self.answer = answer


class Ended(Exception):
    """The debugger has ended; nothing more will come."""


class Debugger:
    """A session. Answers and events are dictionaries, as in the documentation.

    `arguments` is the command line after `cldbg -i`: an app with its arguments, or `run` with a kernel. `on_event` is
    called with each event in the order of their arrival, in a thread of its own; `events` keeps them for wait().
    """

    def __init__(self, arguments, cldbg=None, on_event=None, **popen):
        command = [cldbg or os.environ.get("CLDBG", "cldbg"), "-i", "--interpreter=json", *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **popen)
        self.on_event = on_event
        self.events = queue.Queue()
        self.status = None       # of the app, after its end
        self._ids = 0
        self._answers = {}       # by id: a queue for the answer
        self._lock = threading.Lock()
        self._over = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # ---- requests
    def send(self, **request):
        """Sends a request and returns its id; answer() waits for what comes back."""
        with self._lock:
            if self._over:
                raise Ended()
            self._ids += 1
            self._answers[self._ids] = queue.Queue()
            line = json.dumps({"id": self._ids, **request}) + "\n"
            try:
                self.process.stdin.write(line.encode())
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                raise Ended() from None
            return self._ids

    def answer(self, number, timeout=None):
        """Waits for the answer to a request. Errors of the debugger raise CommandError."""
        answer = self._answers[number].get(timeout=timeout)
        del self._answers[number]
        if answer is None:
            raise Ended()
        if answer["type"] == "error":
            raise CommandError(answer)
        return answer

    def command(self, line, timeout=None):
        """Executes a command, as at the prompt, and returns its answer. The lines of a block are separated by newlines."""
        return self.answer(self.send(command=line), timeout)

    def text(self, line, timeout=None):
        """What the command prints."""
        return self.command(line, timeout)["output"]

    def value(self, line, timeout=None):
        """The structured result of the command; None if it has only text."""
        return self.command(line, timeout).get("value")

    def interrupt(self, timeout=None):
        """Stops the running kernel; the event `stopped` follows."""
        return self.answer(self.send(interrupt=True), timeout)

    # ---- events
    def wait(self, *types, timeout=None):
        """The next event of these types; earlier ones of other types are dropped."""
        while True:
            event = self.events.get(timeout=timeout)
            if event is None:
                self.events.put(None)
                raise Ended()
            if event["type"] in types:
                return event

    def resume(self, line="continue", timeout=None):
        """Executes a command that resumes the kernel, and waits for the event `stopped` or `ended`."""
        self.command(line, timeout)
        return self.wait("stopped", "ended", timeout=timeout)

    # ---- the session
    def close(self):
        """Ends the app and the debugger, and returns the debugger's exit status."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self._reader.join()
        return self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] in ("done", "error"):
                waiting = self._answers.get(message["id"])
                if waiting:
                    waiting.put(message)
                    continue
            if message["type"] == "ended":
                self.status = message["status"]
            if self.on_event:
                self.on_event(message)
            self.events.put(message)
        with self._lock:
            self._over = True
        self.events.put(None)
        for waiting in list(self._answers.values()):
            waiting.put(None)


# ---- the demonstration
def where(place):
    return f"{place['function']} at {place['file']}:{place['line']}:{place['column']}"


def show_event(event):
    """Output of the app, except the report of cldbg on standard error."""
    if event["type"] == "output" and event["category"] == "stdout":
        print(event["output"], end="")
    elif event["type"] == "launch":
        print(f"launch {event['launch']}: {event['kernel']}, global {event['global']}, local {event['local']}")


def demonstrate():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tutorial")
    kernel = ["run", "group_sum.cl", "--global=128", "--local=64", "--arg=float[128]=1", "--arg=float[2]=0", "--arg=local:float[64]"]
    with Debugger(kernel, cwd=folder, on_event=show_event) as d:
        stop = d.resume("run", timeout=120)
        if stop["type"] == "ended":
            sys.exit(f"no finding: the program ended with {stop['status']}")
        finding = stop["finding"]
        print(f"stopped for a finding: {finding['title']} [{finding['id']}]")
        for side in finding["sides"]:
            print(f"  {side['what']} by work-item {side['work_item']['global']}, {where(side['place'])}")
        for frame in d.value("backtrace"):
            arguments = ", ".join(f"{a['name']}={a['value']}" for a in frame["arguments"])
            print(f"#{frame['frame']} {where(frame['place'])} ({arguments})")
        stop = d.resume("next", timeout=120)
        print(f"after a step: {where(stop['place'])}")
        s = d.value("print s")
        print(f"s is {s['value']}, of type {s['type']}")
        for state in d.value("info threads"):
            print(f"{state['count']} work-item(s) from {state['first']['local']} on: {state['state']}")
        try:
            d.command("print nothing_like_it")
        except CommandError as e:
            print("an error:", str(e).split("\n", maxsplit=1)[0])
    print(f"ended with {d.status}")


if __name__ == "__main__":
    demonstrate()
