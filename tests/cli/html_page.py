#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--report=html and `cldbg report`: one file without requests, hostile text stays text, and in Chromium (where it is
installed) no console errors, all links and keys work, pictures have the expected pixels, views are accessible, and large
reports are small and quick. AXE=FILE: axe.min.js of axe-core, which examines the views, too."""
import copy
import html as html_module
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checks import check, result

CLDBG = os.path.abspath("cli/cldbg")
if not os.path.exists("src/api/.libs/libcldbg.so"):
    print("skipped: the driver is not built")
    sys.exit(77)
tmp = tempfile.mkdtemp(prefix="cldbg-html-")
EVIL = "</script><script>document.title='HACKED'</script><!--<script><img src=x onerror=\"document.title='HACKED'\">"


def run(*args):
    return subprocess.run([CLDBG, *args], capture_output=True, text=True, cwd=tmp)


def path(name):
    return os.path.join(tmp, name)


class Scripts(html.parser.HTMLParser):
    """What a browser makes of the file: its elements, and the data."""

    def __init__(self):
        super().__init__()
        self.elements, self.data, self.inside = [], "", False

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag == "script" and dict(attrs).get("id") == "data"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def parsed(name):
    with open(path(name), encoding="utf-8") as f:
        text = f.read()
    p = Scripts()
    p.feed(text)
    return text, p


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def dom(name, hash_, dark=False):
    """The document after the program of the page has run, and what it logged."""
    url = "file://" + urllib.parse.quote(path(name)) + hash_
    p = subprocess.run([chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0", f"--user-data-dir={tmp}/profile",
                        f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--virtual-time-budget=3000", "--dump-dom", url],
                       capture_output=True, text=True, timeout=300)
    return p.stdout, [line for line in p.stderr.splitlines() if "CONSOLE" in line]


def screenshot(name, hash_, dark=False):
    """A picture of the page: its size, bytes of a pixel, and the filtered rows of the PNG. The program may take it before it has
    drawn all tiles of the page, unless each frame has to pass all stages of the compositor."""
    url, to = "file://" + urllib.parse.quote(path(name)) + hash_, path("shot.png")
    if os.path.exists(to):
        os.remove(to)
    subprocess.run([chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb", "--force-device-scale-factor=1",
                    "--run-all-compositor-stages-before-draw", f"--user-data-dir={tmp}/profile", f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--window-size=1000,800",
                    "--virtual-time-budget=3000", f"--screenshot={to}", url], capture_output=True, timeout=300, check=True)
    with open(to, "rb") as f:
        data = f.read()
    at, pixels = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if kind == b"IHDR":
            width, height = int.from_bytes(data[at + 8:at + 12], "big"), int.from_bytes(data[at + 12:at + 16], "big")
            channels = {2: 3, 6: 4}[data[at + 17]]
        elif kind == b"IDAT":
            pixels += data[at + 8:at + 8 + size]
        at += size + 12
    return width, height, channels, zlib.decompress(pixels)


def count_colors(shot):
    """Pixels by color "#rrggbb" (PNG specification, clause 9)."""
    width, height, channels, data = shot
    counts, stride = {}, channels * width
    above = bytes(stride)
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, up, corner = (row[i - channels], above[i], above[i - channels]) if i >= channels else (0, above[i], 0)
            p = left + up - corner
            nearest = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        above = row
        for i in range(0, stride, channels):
            color = "#" + row[i:i + 3].hex()
            counts[color] = counts.get(color, 0) + 1
    return counts


def examined(name, views, dark=False, keys=(), plant=""):
    """What accessibility.js says of these views of the page; where the keys lead that are pressed in the last one."""
    with open(path(name), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "accessibility.js"), encoding="utf-8") as f:
        program = f"window.wanted = {json.dumps({'views': views, 'keys': keys, 'plant': plant})};\n{f.read()}"
    if "AXE" in os.environ:
        with open(os.environ["AXE"], encoding="utf-8") as f:
            program = f.read().replace("</script", "<\\/script") + "\n" + program
    with open(path("examined.html"), "w", encoding="utf-8") as f:
        f.write(text.replace("</body>", f"<script>{program}</script></body>"))
    return json.loads(html_module.unescape(dom("examined.html", "", dark)[0].partition('<pre id="checked">')[2].partition("</pre>")[0]))


kernel = f"""// {EVIL}
kernel void k(global int *out, int n)
{{
    local int tmp[64];
    int l = get_local_id(0);
    if (l % 3 == 0 && n > 5)
        return;
    tmp[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % 64];
    out[l] = 1; // </script>
}}
"""
evil_name = "<img src=x onerror=alert(1)> & 'k'.cl"
with open(path(evil_name), "w", encoding="utf-8") as f:
    f.write(kernel)
r = run("run", evil_name, "--global=256", "--local=64", "--arg=int[200]=0", "--arg=int=6", "--report=html:r.html", "--report=json:r.json")
check("findings", r.returncode == 1, r.stderr)
check("no coverage in the closing line that nobody asked for", "coverage" not in r.stderr, r.stderr)
text, page = parsed("r.html")
page_text = text
check("a document", text.startswith("<!doctype html>"))
check("two scripts", sum(tag == "script" for tag, _ in page.elements) == 2, page.elements)
check("no reference to anything", not any("src" in a or "href" in a for _, a in page.elements) and "url(" not in text and "@import" not in text)
check("a policy without requests", "default-src 'none'" in text)
doc = json.loads(page.data)
check("the data has the hostile text", EVIL in list(doc["sources"].values())[0])
check("as escapes", "<" not in page.data)
check("findings of three kinds", {f["id"] for f in doc["findings"]} >= {"barrier-divergence", "out-of-bounds", "data-race"}, [f["id"] for f in doc["findings"]])
race = next(f for f in doc["findings"] if f["id"] == "data-race")
check("range and bytes as numbers", race["range"]["global"] == [256, 1, 1] and race["bytes"]["object"] == 800, race)
parts = next(f for f in doc["findings"] if f["id"] == "barrier-divergence")["parties"]
check("parties", [p["items"].split(",")[:2] for p in parts] == [["1-2", "4-5"], ["0", "3"]], parts)

with open(path("many.cl"), "w", encoding="utf-8") as f:
    f.write("kernel void k(global int *a)\n{\n    int l = get_local_id(0);\n" + "".join(f"    if (a[l] == {i * 5}) return;\n" for i in range(6)) +
            "    barrier(CLK_LOCAL_MEM_FENCE);\n    a[get_global_id(0)] = l;\n}\n")
run("run", "many.cl", "--global=64", "--local=64", "--arg=int[64]=iota", "--report=html:many.html")
branches = next(f for f in json.loads(parsed("many.html")[1].data)["findings"] if f["id"] == "barrier-divergence")["branches"]
check("all branches", sorted(b["yes"] for b in branches) == sorted(str(i * 5) for i in range(6)), branches)
branches = next(f for f in doc["findings"] if f["id"] == "barrier-divergence")["branches"]
check("branches", any(b["what"].startswith("condition `") and {b["yes"][:5], b["no"][:7]} == {"0,3,6", "1-2,4-5"} for b in branches), branches)

r = run("run", evil_name, "--global=256", "--local=64", "--arg=int[200]=0", "--arg=int=6", "--report=html:" + evil_name)
check("no other file is replaced", r.returncode == 2 and "was not written by cldbg" in r.stderr, r.stderr)
r = run("run", evil_name, "--global=256", "--local=64", "--arg=int[200]=0", "--arg=int=6", "--report=html:r.html")
check("an earlier report is", r.returncode == 1, r.stderr)

with open(path("writers.cl"), "w", encoding="utf-8") as f:
    f.write("""kernel void w(global int *out, global const int *in)
{
    local int t[5];
    int l = get_local_id(0), i = get_global_id(0);
    if (l < 3) t[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 1) t[0] = 8;
    if (l == 3 && t[l] > 5) out[i] = 1;
    out[i + 120001] = t[l % 3 + 5] + in[i];
}
""")
run("run", "writers.cl", "--global=8", "--local=4", "--arg=int[120007]=0", "--arg=int[3]=1", "--report=html:writers.html")
writers = [f for f in json.loads(parsed("writers.html")[1].data)["findings"] if "writers" in f]
check("four with writers", sorted((f["object"], f["writers"]["when"]) for f in writers) == [("in", "launch"), ("out", "launch"), ("t", "access"), ("t", "group")],
      [(f["title"], f.get("writers")) for f in writers])

# `cldbg report`
r = run("report", "r.json", "--to=html:again.html")
check("converts", r.returncode == 0 and json.loads(parsed("again.html")[1].data)["findings"] == doc["findings"], r.stderr)
r = run("report", "r.json", "r.json", "--to=sarif", "--to=lcov:two.info")
check("two, to sarif", r.returncode == 0 and len(json.loads(r.stdout)["runs"][0]["results"]) == len(doc["findings"]), r.stderr)
with open(path("two.info"), encoding="utf-8") as f:
    check("counts are added", "FNDA:512,k" in f.read())
for args, message in [(["report"], "no json report"), (["report", "r.json"], "--to=FORMAT is missing"), (["report", "r.json", "--to=pdf"], "not known"),
                      (["report", "r.html", "--to=html"], "not JSON"), (["report", "none.json", "--to=html"], "cannot be read"),
                      (["report", "r.json", "--to=html:/no/such/x.html"], "cannot be written")]:
    r = run(*args)
    check(" ".join(args), r.returncode == 2 and message in r.stderr, r.stderr)

# everything at once: costs, coverage, advice, timeline
with open(path("costs.cl"), "w", encoding="utf-8") as f:
    f.write("""kernel void costs(global const float *x, global float *y)
{
    local float t[32][32];
    int i = get_global_id(0), l = get_local_id(0);
    for (int k = 0; k < 32; k++) t[l][k] = x[i * 32 + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 4 == 0)
        for (int k = 0; k < 40; k++) y[i] += t[l][k % 32];
}
""")
r = run("run", "costs.cl", "--global=96", "--local=32", "--arg=float[3072]=1", "--arg=float[96]=0", "--report=html:costs.html", "--profile=p.json", "--coverage=c.info",
        "--advise", "--trace=costs.trace")
costs = json.loads(parsed("costs.html")[1].data)
check("costs", r.returncode == 0 and {"profile", "coverage", "advice", "trace"} <= costs.keys(), r.stderr)
r = run("run", "costs.cl", "--global=80", "--local=20", "--arg=float[3072]=1", "--arg=float[96]=0", "--report=html:part.html", "--profile=p.json")

# the timeline
r = run("run", evil_name, "--global=256", "--local=64", "--arg=int[200]=0", "--arg=int=6", "--report=html:traced.html", "--trace=traced.json")
traced = json.loads(parsed("traced.html")[1].data)
check("the page has the events of --trace", any(e["cat"] == "launch" and e["name"] == "k" for e in traced["trace"]["events"] if "cat" in e), r.stderr)
check("and only then", "trace" not in doc)


def event(ph, cat, name, tid, ts, **more):
    return {"ph": ph, "cat": cat, "name": name, "pid": 7, "tid": tid, "ts": ts, **more}


QUEUE = 1 << 24
events = [event("X", "command", "write buffer", QUEUE, 2000.5, dur=100.25, args={"queued": 1990.0, "submitted": 1995.0, "status": 0}),
          event("s", "dependency", "dependency", QUEUE, 2100.749, id=1), event("f", "dependency", "dependency", QUEUE + 1, 2200.0, id=1),
          event("X", "launch", "scale<b>", QUEUE + 1, 2210.0, dur=300), event("X", "command", "NDRange kernel", QUEUE + 1, 2200.0, dur=400, args={"queued": 2000.0, "submitted": 2001.0, "status": -5}),
          event("s", "host-race", "host-race", QUEUE, 2000.5, id=9), event("f", "host-race", "host-race", QUEUE + 1, 2200.0, id=9), event("i", "host-race", "a read of 'x'", 11, 2300.0), event("X", "build", "program 1", 11, 100.0, dur=1500), event("X", "command", "marker", QUEUE, 2150.0)]
timeline = copy.deepcopy(doc)
timeline["trace"] = {"dropped": 2, "events": events + [event("i", "api", "clFlush", 11, 3000.0 + i) for i in range(30000)]}
with open(path("timeline.json"), "w", encoding="utf-8") as f:
    json.dump(timeline, f)
r = run("report", "timeline.json", "--to=html:timeline.html")
kept = json.loads(parsed("timeline.html")[1].data)["trace"]
check("20000 events", len(kept["events"]) == 20000 and kept["dropped"] == 2 + 10 + 10000, (len(kept["events"]), kept["dropped"]))
with open(path("calls.json"), "w", encoding="utf-8") as f:
    json.dump({**timeline, "trace": {"dropped": 0, "events": timeline["trace"]["events"][10:] + events}}, f)
run("report", "calls.json", "--to=html:calls.html")
kept = json.loads(parsed("calls.html")[1].data)["trace"]
check("no command is left out for API calls", len(kept["events"]) == 20000 and kept["events"][-10:] == events and kept["dropped"] == 10010, (len(kept["events"]), kept["dropped"]))
timeline["trace"]["events"][0]["ts"] = "x"
with open(path("timeline.json"), "w", encoding="utf-8") as f:
    json.dump(timeline, f)
r = run("report", "timeline.json", "--to=html:bad.html")
check("a bad event", r.returncode == 2 and "trace.events" in r.stderr, r.stderr)

# 1,000 findings in a kernel of 5,000 lines
large = copy.deepcopy(doc)
large.pop("sources", None)
lines = "".join(f"    out[{i}] = (x + {i}) * 3 - out[{i} % 7]; /* line {i} */\n" for i in range(5000))
large["programs"] = {"program-1.cl": "kernel void big(global int *out, int x)\n{\n" + lines + "}\n"}
large["coverage"] = {"files": {"program-1.cl": {"name": "program-1.cl", "text": large["programs"]["program-1.cl"], "lines": {str(i): i % 50 for i in range(3, 5000)},
                                                "branches": {f"{i}:5:0": [i, 0, 0] for i in range(3, 5000, 10)}, "functions": {}, "barriers": {}, "loops": {}}}}
large["findings"] = []
for i in range(1000):
    f = copy.deepcopy(race)
    f["title"], f["identity"] = f"data race number {i}", f"{i:016x}"
    if i % 2:
        f["writers"] = {"when": "launch", "first": 704, "unit": 4, "elements": [{"by": "item", "group": e, "item": 63 - e} for e in range(24)]}
    for s in f["sides"]:
        s["place"].update(file="program-1.cl", line=3 + 4 * i, source=f"line {i}")
        s["place"].pop("path", None)
    large["findings"].append(f)
with open(path("large.json"), "w", encoding="utf-8") as f:
    json.dump(large, f)
r = run("report", "large.json", "--to=html:large.html")
check("a large report", r.returncode == 0, r.stderr)
check("is below 10 MB", os.path.getsize(path("large.html")) < 10_000_000, os.path.getsize(path("large.html")))

if chromium():
    def visit(name, hash_, dark=False):
        text, log = dom(name, hash_, dark)
        check(f"{name}{hash_}: no messages on the console", not log, log)
        check(f"{name}{hash_}: nothing was injected", "<title>cldbg report</title>" in text and "<img" not in re.sub(r"&lt;img", "", text.split("<script")[0]), "")
        return text
    seen, todo = {}, ["#summary"]
    while todo and len(seen) < 30:
        at = todo.pop()
        if at in seen:
            continue
        seen[at] = visit("r.html", at, dark=len(seen) % 2 == 1)
        main = seen[at].partition("<main")[2]
        check(f"{at} shows something", len(re.sub("<[^>]*>", "", main)) > 20, main[:200])
        check(f"{at}: no element to which the browser scrolls", not re.search(r'id="(summary|findings|source|kernels|timeline)"', seen[at]))
        check(f"{at}: sources are there", "is not in this report" not in main)
        todo += [x for x in re.findall(r'href="(#[^"]*)"', seen[at].replace("&amp;", "&")) if x not in seen and x != "#main"]
    check("several views", len(seen) > 8, list(seen))
    check("pictures", sum("<svg" in t for t in seen.values()) >= 3)
    tree = next(t for t in seen.values() if 'class="tree"' in t).partition('class="tree"')[2]
    tree = re.sub("<[^>]*>", "|", tree.partition("</figure>")[0])
    check("the tree of branches", re.search(r"condition `.*42 work-items: .*at the barrier.*22 work-items: .*returned", tree) or re.search(r"condition `.*22 work-items: .*returned.*42 work-items: .*at the barrier", tree), tree)
    at = next(i for i, f in enumerate(doc["findings"], 1) if f.get("between_work_groups"))
    check("how often work-groups race", f"<span>{doc['findings'][at - 1]['times']} times between work-groups</span>" in seen[f"#finding/{at}"], race)
    mixed = {"times": 7, "between_work_groups": 1, "work_groups": 3}
    with open(path("mixed.json"), "w", encoding="utf-8") as f:
        json.dump({**doc, "findings": [{**race, **mixed}, {**race, "times": 1, "between_work_groups": 0, "work_groups": 1}]}, f)
    run("report", "mixed.json", "--to=html:mixed.html")
    for i, said in enumerate(("6 times in 3 work-groups and 1 time between work-groups", "1 time in 1 work-group"), 1):
        check(f"the numbers of race {i}", f"<span>{said}</span>" in visit("mixed.html", f"#finding/{i}"), said)
    text = visit("many.html", "#finding/1")
    check("the tree of six branches", text.count('<li class="branch">') == 6, text.partition('class="tree"')[2][:2000])
    pages = {f"{f['object']} {f['writers']['when']}": visit("writers.html", f"#finding/{i + 1}") for i, f in
             enumerate(json.loads(parsed("writers.html")[1].data)["findings"]) if "writers" in f}

    def elements(page):
        """The titles of the elements' cells with their classes, and the legend."""
        part = pages[page].rpartition("<figure")[2].partition("</figure>")[0]
        cells = re.findall(r'<rect [^>]*class="(\w+)"[^>]*><title>element (\d+), bytes \d+ to \d+: ([^<]*)</title>', part)
        return [f"{number} {cls} {text}" for cls, number, text in cells], re.sub("<[^>]*>", "|", part.partition('class="legend"')[2])
    cells, legend = elements("t access")
    check("writers when it was read", cells == ["0 p0 work-item local (1,0,0) global (1,0,0)", "1 p0 work-item local (1,0,0) global (1,0,0)", "2 p1 work-item local (2,0,0) global (2,0,0)",
                                                "3 never never written", "4 never never written"], cells)
    check("their legend", "never written" in legend and "the bytes without a value" in legend and "local (2,0,0)" in legend, legend)
    check("at the end of the group", elements("t group")[0] == cells and "byte 20" in elements("t group")[1], elements("t group"))
    check("a buffer that is only read", elements("in launch")[0] == [f"{i} cell not written in this launch" for i in range(3)], elements("in launch"))
    cells, legend = elements("out launch")
    check("ids of five digits fit", len(cells) == 24 and cells[-1] == "120006 p5 work-item local (1,0,0) global (5,0,0)" and cells[0] == "119983 cell not written in this launch", cells)
    check("the text for readers of the screen", 'aria-label="Elements of \'out\' and their last writers, at the end of the launch. 119983 to 120000: not written in this launch; 120001: work-item local (0,0,0)'
          in pages["out launch"], "")
    at = next(k for k, t in seen.items() if 'class="tree"' in t)
    run("run", evil_name, "--global=256", "--local=64", "--arg=int[200]=0", "--arg=int=6", "--report=html:shot.html", "--report=json:shot.json")
    run("report", "shot.json", "--to=html:converted.html")
    check("a converted report has the same elements", dom("shot.html", at)[0] == dom("converted.html", at)[0])
    check("and the same pixels", screenshot("shot.html", at) == screenshot("converted.html", at))
    shot = screenshot("r.html", at, dark=True)
    check("the dark theme has others", shot[:3] == screenshot("r.html", at)[:3] and shot[3] != screenshot("r.html", at)[3])
    dark = re.findall(r"--(?:a|b): (#\w+)", page_text.partition("prefers-color-scheme: dark")[2])[:2]
    areas = [count_colors(shot).get(color, 0) for color in dark]
    check("areas of 42 and 22 work-items", min(areas) > 22 * 30 and abs(areas[0] / max(1, areas[1]) - 42 / 22) < 0.15, (dark, areas))
    check("no text of a picture without its figure", all(t.count("<figure") == t.count("<svg") for t in seen.values()))
    check("controls have names", all(re.search(r"aria-label=|>\w", x) for t in seen.values() for x in re.findall(r"<(?:input|select|button)[^>]*>", t)))
    text = visit("costs.html", "#source").partition("<main")[2]

    def margin(text):
        """By line: runs, outcomes of branches, cost, active work-items, lines, banks; as far as they are there."""
        rows = re.findall(r'<div class="ln[^>]*id="L(\d+)"[^>]*>(.*?)<span class="no"', text, re.S)
        return {int(n): [html_module.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r'<span class="(?:hits|ways|extra)[^>]*>(.*?)</span>(?=<span class="(?:hits|ways|extra)|$)', row)]
                for n, row in rows}
    rows = margin(text)
    # Columns of t and rows of x: 32 words of one bank, 32 cache lines; a quarter of the work-items reads 8 words of one bank, and 8 of a line of y.
    check("costs in the margin", rows[5][3:] == ["100 %", "32.0×", "32.0×"] and rows[8][3:] == ["25 %", "1.0×", "8.0×"], rows)
    shares = [float(row[2].rstrip(" %") or 0) for row in rows.values()]
    check("titles of the margin", 'title="32.0×' not in text and 'title="lines: cache-line transactions for each ideal one">32.0×' in text, "")
    check("shares of the cost", 95 <= sum(shares) <= 105 and max(shares) == shares[4], shares)
    check("advice in the margin", re.search(r'id="L5".*?bank-conflict', text, re.S) and "uncoalesced-access" in text)
    check("and on the first page", "waste" not in text and "bank-conflict" in visit("costs.html", "#summary").partition("Advice")[2])
    check("occupancy", re.search(r"Occupancy.*costs</td><td[^>]*>1</td><td[^>]*>32</td><td[^>]*>100.0 %", visit("costs.html", "#kernels")))
    rows = margin(visit("part.html", "#source").partition("<main")[2])
    check("groups of 20 have no inactive work-items", rows[5][3] == "100 %" and rows[8][3] == "25 %", rows)

    # accessibility
    for name, views in [("r.html", ["#summary", "#findings", "#finding/2", "#finding/3", "#source"]), ("costs.html", ["#summary", "#source", "#kernels"]),
                        ("many.html", ["#finding/1"]), ("writers.html", ["#finding/1", "#finding/2", "#finding/3", "#finding/4"]), ("timeline.html", ["#timeline"])]:
        for dark in (False, True):
            by = examined(name, views, dark)
            check(f"{name}, {'dark' if dark else 'light'}: accessible", not by["problems"] and by["contrasts"] > 20 * len(views), "\n".join(by["problems"]))
    problems = examined("costs.html", ["#kernels"], plant='<p style="color:#999">faint</p><ol><p>x</p></ol><h4>deep</h4><h1>second</h1><button></button><a>nowhere</a>'
                        '<span aria-label="x">y</span><input><div style="overflow:auto;height:9px">a<br>b</div><p id="main">again</p><b tabindex="3">z</b>'
                        '<figure><svg viewBox="0 0 40 10" width="40"><text x="20" y="8">too long</text></svg></figure>')["problems"]
    for rule in ("contrast of 2.", "a list has a child", "a level of headings", "exactly one h1", "no name: <button", "a link that the keyboard", "a name without a role",
                 "no name: <input", "the keyboard cannot scroll", "a second element with this id", "an own order of focus", "a text is cut off"):
        check(f"the check of accessibility finds: {rule}", any(rule in p for p in problems), problems)
    check("axe-core has run", "AXE" not in os.environ or any("axe-core, color-contrast" in p for p in problems), problems)
    keys = examined("r.html", ["#summary"], keys=["j", "j", "k", "/", "3", "Escape", "3", "4", "2", "1"])["visited"]
    check("the keys", keys == ["j #finding/1", "j #finding/2", "k #finding/1", "/ #finding/1 filter", "3 #finding/1 filter", "Escape #finding/1", "3 #source", "4 #kernels",
                               "2 #findings", "1 #summary"], keys)

    text = visit("timeline.html", "#timeline").partition("<main")[2]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", text)][1:]
    check("the commands of the timeline", [re.sub("<[^>]*>", "", row[1]) for row in rows] == ["write buffer", "marker", "scale&lt;b&gt;failed with -5"], rows)
    check("and their dependencies", [row[7] for row in rows] == ["–", "–", "1"], rows)
    check("a curve", text.count('class="dependency"') == 1)
    check("a race", text.count('class="dependency race"') == 1 and "1 and 3 race" in text)
    check("calls that share a pixel are one element", text.count("<rect") < 2000, text.count("<rect"))
    check("the events that are missing", "10\u202f012 events left out, API calls first" in text)
    text = visit("traced.html", "#timeline")
    check("a launch by `cldbg run`", ">k</a>" in text)
    check("the timeline is not scrolled under the head", 'id="timeline"' not in text and 'id="time-window"' in text)
    text = visit("large.html", "#finding/1000")
    check("the last finding", "data race number 999" in text)
    check("1,000 in the list", text.count("<li><a") >= 1000)
    text = visit("large.html", "#source/program-1.cl/4000")

    def seconds(name, hash_):
        begin = time.monotonic()
        dom(name, hash_)
        return time.monotonic() - begin
    more = min(seconds("large.html", "#finding/500") for _ in range(2)) - min(seconds("costs.html", "#kernels") for _ in range(2))
    check("opens in less than 2 s", more < 2, more)
    check("the sources do, too", min(seconds("large.html", "#source/program-1.cl/4000") for _ in range(2)) - min(seconds("costs.html", "#kernels") for _ in range(2)) < 5)
    check("5,000 lines", text.count('class="no"') > 5000 and 'id="L4000"' in text)
else:
    print("Chromium is not installed: the page was not opened")
shutil.rmtree(tmp)
sys.exit(result())
