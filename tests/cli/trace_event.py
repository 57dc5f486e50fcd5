#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a file a trace in Chrome's "Trace Event Format", which Perfetto and Chrome read? SHAPES is the schema of that
document: the members of each phase and their types. Each event may have only these, and must have those that are not
optional. Then the rules by which Perfetto imports events (src/trace_processor/importers/json, slice_tracker.cc,
flow_tracker.cc): what it would drop or show wrongly is a breach. usage: trace_event.py FILE…; exit status 1 if a file has one."""
import copy
import json
import math
import sys

TEXT = lambda v: isinstance(v, str) and v != ""
TIME = lambda v: type(v) in (int, float) and math.isfinite(v) and 0 <= v < 2**53 / 1000  # exact to the nanosecond
ID = lambda v: type(v) is int and 0 <= v < 2**32
FLOW_ID = lambda v: type(v) is int and 0 <= v < 2**53 or TEXT(v)
ONE_OF = lambda *values: lambda v: v in values and isinstance(v, str)
ANY = lambda v: isinstance(v, dict)
# "?": optional. Other phases of the document: B E (nested pairs), b n e (async), C, N O D, P, v V, R, c, ( ): cldbg writes none.
COMMON = {"name": TEXT, "cat": TEXT, "ph": TEXT, "ts": TIME, "pid": ID, "tid": ID, "args?": ANY, "cname?": TEXT}
SHAPES = {
    "X": {**COMMON, "dur": TIME, "tts?": TIME, "tdur?": TIME},
    "i": {**COMMON, "s?": ONE_OF("g", "p", "t")},
    "s": {**COMMON, "id": FLOW_ID},
    "t": {**COMMON, "id": FLOW_ID},
    "f": {**COMMON, "id": FLOW_ID, "bp?": ONE_OF("e")},
    "M": {"name": TEXT, "ph": TEXT, "pid": ID, "tid": ID, "args": ANY, "ts?": TIME, "cat?": TEXT},
}
METADATA = {"process_name": ("name", TEXT), "thread_name": ("name", TEXT), "process_labels": ("labels", TEXT),
            "process_sort_index": ("sort_index", lambda v: type(v) is int), "thread_sort_index": ("sort_index", lambda v: type(v) is int)}
FILE = {"traceEvents": lambda v: isinstance(v, list), "displayTimeUnit?": ONE_OF("ms", "ns"), "otherData?": ANY, "systemTraceEvents?": TEXT,
        "powerTraceAsString?": TEXT, "controllerTraceDataKey?": TEXT, "stackFrames?": ANY, "samples?": lambda v: isinstance(v, list)}


def misshapen(what, value, shape):
    """Members that lack, are of another type, or that the document does not know."""
    if not isinstance(value, dict):
        return [f"{what} is not an object"]
    out = [f"{what} lacks {key}" for key in shape if not key.endswith("?") and key not in value]
    for key, member in value.items():
        fits = shape.get(key) or shape.get(key + "?")
        if not fits:
            out.append(f"{what} has {key}, which is not in the format")
        elif not fits(member):
            out.append(f"{what}: {key} is {member!r}")
    return out


def shape_breaches(doc):
    out = misshapen("the file", doc, FILE)
    for i, e in enumerate(doc["traceEvents"] if not out else []):
        what, phase = f"event {i}", e.get("ph") if isinstance(e, dict) else None
        if not isinstance(phase, str) or phase not in SHAPES:
            out.append(f"{what} has phase {phase!r}")
            continue
        wrong = misshapen(what, e, SHAPES[phase])
        if phase == "M" and not wrong:
            key, fits = METADATA.get(e["name"], (None, None))
            if not key:
                wrong = [f"{what} is metadata {e['name']!r}"]
            elif set(e["args"]) != {key} or not fits(e["args"][key]):
                wrong = [f"{what}: the arguments of {e['name']} are {e['args']}"]
        out += wrong
    return out


def import_breaches(events):
    """Slices of a track that do not nest; flows outside of slices, without an end, or backwards; names that come twice."""
    out, tracks, flows, names = [], {}, {}, set()
    ns = lambda us: int(us * 1000)
    for e in events:
        if e["ph"] == "M":
            key = (e["name"], e["pid"], e["tid"] if e["name"].startswith("thread") else 0)
            out += [f"a second name: {e}"] if key in names else []
            names.add(key)
    for e in sorted((e for e in events if e["ph"] != "M"), key=lambda e: ns(e["ts"])):
        at, stack = ns(e["ts"]), tracks.setdefault((e["pid"], e["tid"]), [])
        while stack and stack[-1] <= at:
            stack.pop()
        if e["ph"] == "X":
            if stack and stack[-1] < at + ns(e["dur"]):
                out.append(f"does not nest: {e}")
            stack.append(at + ns(e["dur"]))
        elif e["ph"] in "stf":
            key = (e["cat"], e["name"], e["id"])
            if not stack or e["ph"] == "f" and e.get("bp") != "e":
                out.append(f"a flow outside of a slice: {e}")
            if (e["ph"] == "s") == (key in flows):
                out.append(f"a flow that begins twice, or never: {e}")
            flows[key] = flows.get(key, "") + e["ph"]
    return out + [f"flow {key} is {phases}" for key, phases in flows.items() if phases.replace("t", "") != "sf"]


def breaches(doc):
    """What is wrong with a trace, as texts."""
    return shape_breaches(doc) or import_breaches(doc["traceEvents"])


def damaged(doc):
    """Copies of a good trace with one thing wrong: (what, copy). None may pass."""
    firsts = {}
    for i, e in enumerate(doc["traceEvents"]):
        firsts.setdefault(e["ph"] + (e["name"] if e["ph"] == "M" else ""), i)

    def broken(what, change):
        bad = copy.deepcopy(doc)
        change(bad)
        return what, bad
    for key, other in (("traceEvents", {}), ("displayTimeUnit", "us"), ("otherData", []), ("traceevents", [])):
        yield broken(f"the file's {key}", lambda d, k=key, v=other: d.update({k: v}))
    for phase, i in firsts.items():
        for key in list(doc["traceEvents"][i]):
            if key + "?" not in SHAPES[phase[0]]:
                yield broken(f"{phase} without {key}", lambda d, i=i, k=key: d["traceEvents"][i].pop(k))
            for other in (None, [], -1, True, "", float("nan"), 2.0**53):
                yield broken(f"{phase} with {key} {other}", lambda d, i=i, k=key, v=other: d["traceEvents"][i].update({k: v}))
        yield broken(f"{phase} with another member", lambda d, i=i: d["traceEvents"][i].update(color="red"))
        yield broken(f"{phase} with the phase B", lambda d, i=i: d["traceEvents"][i].update(ph="B"))
        yield broken(f"{phase} that is a text", lambda d, i=i: d["traceEvents"].__setitem__(i, "X"))
        if phase[0] in "sfM":
            yield broken(f"{phase} twice", lambda d, i=i: d["traceEvents"].append(copy.deepcopy(d["traceEvents"][i])))
        if phase[0] in "sf":
            yield broken(f"{phase} without its other end", lambda d, i=i: d["traceEvents"].pop(i))
            yield broken(f"{phase} before everything", lambda d, i=i: d["traceEvents"][i].update(ts=0))
        if phase[0] == "X":
            yield broken("overlapping slices", lambda d, i=i: d["traceEvents"].append({**d["traceEvents"][i], "ts": d["traceEvents"][i]["ts"] + d["traceEvents"][i]["dur"] / 2}))


if __name__ == "__main__":
    status = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as f:
            wrong = breaches(json.load(f))
        print("\n".join(f"{name}: {line}" for line in wrong) or f"{name}: valid")
        status |= bool(wrong)
    sys.exit(status)
