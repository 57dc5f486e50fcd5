// SPDX-License-Identifier: MIT
// The timeline of --trace: a track for each host thread and each queue, drawn for a window of time. Boxes that would
// share a pixel are drawn as one, so the number of elements depends on the width, not on the number of events.
"use strict";

const FIRST_QUEUE = 1 << 24;
const TIMELINE = { label: 110, width: 1090, lane: 30, lanes: 8, rows: 100 };

/** Tracks with what happened on them, times in microseconds since the first event, and dependencies. */
function readTrace(events) {
  const tracks = new Map(), flows = new Map();
  const first = events.reduce((t, e) => (e.ph === "M" ? t : Math.min(t, (e.args && e.args.queued) || e.ts || 0)), Infinity);
  for (const e of events) {
    const ts = e.ts || 0, took = e.dur || 0;
    const key = `${e.pid}/${e.tid}`;
    if (!tracks.has(key)) tracks.set(key, { key, pid: e.pid, isQueue: e.tid >= FIRST_QUEUE, name: `thread ${e.tid}`, commands: [], spans: [], marks: [] });
    const track = tracks.get(key), item = { name: String(e.name), category: e.cat, track, at: ts - first, end: ts - first + took };
    if (e.ph === "M" && e.name === "thread_name" && e.args) track.name = String(e.args.name);
    else if (e.ph === "X" && e.cat === "command") {
      const { queued = ts, submitted = ts, status = 0 } = e.args || {};
      track.commands.push(Object.assign(item, { queued: queued - first, submitted: submitted - first, status, after: [], races: [] }));
    } else if (e.ph === "X") track.spans.push(item);
    else if (e.ph === "i") track.marks.push(item);
    else if (e.ph === "s" || e.ph === "f") {
      const id = `${e.pid}/${e.id}`;
      flows.set(id, { ...flows.get(id), category: e.cat, [e.ph]: { track, at: ts - first } });
    }
  }
  for (const track of tracks.values()) track.commands.sort((a, b) => a.at - b.at);
  for (const { category, s, f } of flows.values()) {
    const from = s && commandAt(s.track, s.at), to = f && commandAt(f.track, f.at);
    if (from && to) (category === "host-race" ? to.races : to.after).push(from);
  }
  const used = [...tracks.values()].filter((t) => t.commands.length + t.spans.length + t.marks.length).sort((a, b) => a.isQueue - b.isQueue);
  used.forEach(arrange);
  return used;
}

/** The last command that began at this time or before. */
function commandAt(track, at) {
  const list = track.commands;
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= at + 1e-6) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}

/** Commands that overlap, as those of an out-of-order queue, get different lanes. A launch belongs to its command. */
function arrange(track) {
  const free = [];
  for (const list of [track.commands, track.spans, track.marks]) list.sort((a, b) => a.at - b.at);
  for (const c of track.commands) {
    let lane = free.findIndex((end) => end <= c.at);
    if (lane < 0) lane = free.length < TIMELINE.lanes ? free.length : TIMELINE.lanes - 1;
    free[lane] = c.end;
    c.lane = lane;
  }
  track.lanes = Math.max(1, free.length);
  let next = 0;
  for (const launch of track.spans.filter((s) => s.category === "launch")) {
    while (next < track.commands.length && track.commands[next].end < launch.end) next++;
    const command = track.commands.slice(next, next + TIMELINE.lanes).find((c) => c.at <= launch.at && launch.end <= c.end && !c.launch);
    if (command) command.launch = launch;
  }
}

const tracks = readTrace((data.trace && data.trace.events) || []);
const commands = tracks.flatMap((t) => t.commands).sort((a, b) => a.at - b.at);
commands.forEach((c, i) => { c.number = i + 1; });

const commandName = (c) => (c.launch ? c.launch.name : c.name);
/** Microseconds. */
function duration(us) {
  const [n, unit] = Math.abs(us) < 1e3 ? [us, "µs"] : Math.abs(us) < 1e6 ? [us / 1e3, "ms"] : [us / 1e6, "s"];
  return `${Number(n.toPrecision(3))} ${unit}`;
}
function commandText(c) {
  return `${c.number}: ${commandName(c)}: queued at ${duration(c.queued)}, submitted after ${duration(c.submitted - c.queued)}, ` +
    `started after ${duration(c.at - c.queued)}, ran ${duration(c.end - c.at)}` + (c.status < 0 ? `, failed with ${c.status}` : "") + (c.races.length ? `, races with ${c.races.map((r) => r.number).join(", ")}` : "");
}
const commandClass = (c) => (c.status < 0 ? "hit" : c.launch || /kernel|task/.test(c.name) ? "a" : /marker|barrier/.test(c.name) ? "p2" : "b");

const wholeRun = () => ({ from: 0, to: Math.max(1, ...tracks.map((t) => Math.max(...[t.commands, t.spans, t.marks].map((l) => l.reduce((m, i) => Math.max(m, i.end), 0))))) });
function allCommands() {
  if (!commands.length) return wholeRun();
  const from = commands.reduce((m, c) => Math.min(m, c.queued), Infinity), to = commands.reduce((m, c) => Math.max(m, c.end), 0);
  return around(from, to, 0.03);
}
const around = (from, to, margin) => ({ from: from - (to - from + 0.01) * margin, to: to + (to - from + 0.01) * margin });
const timeWindow = { from: 0, to: 0 };

/** Items of one row by the pixels that they cover. */
function merged(items, x) {
  const out = [];
  for (const item of items.filter((i) => i.end >= timeWindow.from && i.at <= timeWindow.to)) {
    const from = x(item.at), to = Math.max(from + 1.5, x(item.end)), last = out[out.length - 1], small = to - from < 3;
    if (last && small && last.small && from <= last.to) {
      last.items.push(item);
      last.to = Math.max(last.to, to);
    } else out.push({ from, to, small, items: [item] });
  }
  return out;
}

/** A row of boxes, with their names where there is room. */
function boxes(items, x, y, height, classOf, nameOf, textOf) {
  return merged(items, x).map(({ from, to, items: list }) => {
    const width = to - from, name = list.length > 1 ? plural(list.length, "event") : nameOf(list[0]), letters = Math.floor((width - 8) / 6.3);
    const title = list.slice(0, 12).map(textOf).join("\n") + (list.length > 12 ? `\nand ${list.length - 12} more` : "");
    const element = svg("g", {}, box(from, y, width, height, classOf(list[0]), title),
      letters >= Math.min(4, name.length) ? words(from + 4, y + height / 2 + 4, name.length > letters ? `${name.slice(0, letters - 1)}…` : name, "on-color") : "");
    element.addEventListener("click", () => showWindow(around(list[0].at, list[list.length - 1].end, 1)));
    return element;
  });
}

function queueRows(track, x, top) {
  const out = [];
  for (let lane = 0; lane < track.lanes; lane++) {
    const y = top + lane * TIMELINE.lane, list = track.commands.filter((c) => c.lane === lane);
    for (const wait of merged(list.map((c) => ({ at: c.queued, end: c.at })), x)) out.push(box(wait.from, y + 20, wait.to - wait.from, 3, "waiting"));
    out.push(...boxes(list, x, y, 18, commandClass, commandName, commandText));
  }
  return out;
}

function threadRow(track, x, y) {
  const calls = track.marks.filter((m) => m.category !== "host-race"), races = track.marks.filter((m) => m.category === "host-race");
  return [boxes(track.spans, x, y, 18, () => "p2", (s) => s.name, (s) => `${s.category} ${s.name}: ${duration(s.end - s.at)}`),
    boxes(calls, x, y + 20, 6, () => "call", () => "", (m) => `${m.name} at ${duration(m.at)}`),
    boxes(races, x, y, 26, () => "hit", () => "", (m) => `host race: ${m.name}`)].flat();
}

function axis(x, height) {
  const span = timeWindow.to - timeWindow.from, power = 10 ** Math.floor(Math.log10(span / 6)), step = power * [1, 2, 5, 10].find((f) => power * f >= span / 8);
  const out = [];
  for (let k = Math.ceil(timeWindow.from / step); k * step <= timeWindow.to; k++)
    out.push(svg("path", { class: "tick", d: `M${x(k * step)} 18 V${height}` }), words(x(k * step), 12, duration(k * step), "num", "middle"));
  return out;
}

function drawTimeline() {
  const { label, width, lane } = TIMELINE, scale = (width - label - 10) / (timeWindow.to - timeWindow.from);
  const x = (t) => label + Math.max(-4, Math.min((t - timeWindow.from) * scale, width - label - 6));
  const parts = [], tops = new Map();
  let y = 30;
  const several = new Set(tracks.map((t) => t.pid)).size > 1;
  for (const t of tracks) {
    tops.set(t, y);
    parts.push(words(0, y + 13, several ? `${t.pid}: ${t.name}` : t.name, "small"));
    parts.push(...(t.isQueue ? queueRows(t, x, y) : threadRow(t, x, y)));
    y += (t.isQueue ? t.lanes : 1) * lane + 12;
    parts.push(svg("path", { class: "rule", d: `M0 ${y - 7} H${width}` }));
  }
  const middle = (c) => tops.get(c.track) + c.lane * lane + 9;
  const shown = commands.filter((c) => c.end >= timeWindow.from && c.at <= timeWindow.to).slice(0, 2000);
  const wire = (cls, title, x1, y1, x2, y2) => {
    const bend = Math.max(12, Math.abs(x2 - x1) / 2);
    return svg("path", { class: cls, d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }, svg("title", {}, title));
  };
  const wires = shown.flatMap((c) => [
    c.after.map((from) => wire("dependency", `${c.number} waits for ${from.number}`, x(from.end), middle(from), x(c.at), middle(c))),
    c.races.map((from) => wire("dependency race", `${from.number} and ${c.number} race`, x(from.at), middle(from), x(c.at), middle(c)))].flat());
  return svg("svg", { viewBox: `0 0 ${width} ${y}`, role: "img", "aria-label": "timeline of host threads and queues; the table below has the same commands" },
    axis(x, y), parts, wires);
}

function commandRow(c) {
  const go = h("a", { href: "#timeline", title: "show this command" }, commandName(c));
  go.addEventListener("click", (event) => { event.preventDefault(); showWindow(around(c.queued, c.end, 0.2)); });
  const n = (text) => h("td", { class: "n" }, text);
  return h("tr", {}, n(c.number), h("td", {}, go, c.status < 0 ? h("span", { class: "badge error" }, `failed with ${c.status}`) : ""), h("td", {}, c.track.name),
    n(duration(c.queued)), n(duration(c.submitted - c.queued)), n(duration(c.at - c.queued)), n(duration(c.end - c.at)), n(c.after.map((f) => f.number).join(", ") || "–"));
}

function commandTable() {
  const shown = commands.filter((c) => c.end >= timeWindow.from && c.queued <= timeWindow.to);
  return scroll("commands", h("h2", {}, "Commands in this window", h("small", {}, shown.length > TIMELINE.rows ? `the first ${TIMELINE.rows} of ${grouped(shown.length)}` : "")),
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, h("th", { class: "n" }, "number"), h("th", {}, "command"), h("th", {}, "queue"),
      ["queued at", "submitted after", "started after", "ran", "waits for"].map((t) => h("th", { class: "n" }, t)))),
    h("tbody", {}, shown.slice(0, TIMELINE.rows).map(commandRow))));
}

function showWindow(to, at = document.getElementById("time-window")) {
  Object.assign(timeWindow, to);
  if (at) at.replaceChildren(scroll("timeline", drawTimeline()), commandTable());
}

function timelineView() {
  const move = (share) => () => { const by = (timeWindow.to - timeWindow.from) * share; showWindow({ from: timeWindow.from + by, to: timeWindow.to + by }); };
  const zoom = (margin) => () => showWindow(around(timeWindow.from, timeWindow.to, margin));
  const button = (name, label, act) => { const b = h("button", { type: "button", "aria-label": label, title: label }, name); b.addEventListener("click", act); return b; };
  const dropped = data.trace.dropped, at = h("div", { id: "time-window" });
  const view = h("section", { class: "card timeline" }, h("div", { class: "tools" }, h("h1", {}, "Timeline"), button("+", "zoom in", zoom(-0.25)), button("−", "zoom out", zoom(0.5)),
    button("←", "earlier", move(-0.5)), button("→", "later", move(0.5)), button("all commands", "show all commands", () => showWindow(allCommands())),
    button("whole run", "show the whole run", () => showWindow(wholeRun()))),
    h("div", { class: "legend" }, [["a", "kernel"], ["b", "transfer"], ["p2", "build or marker"], ["waiting", "queued, not started"], ["call", "API call"], ["hit", "host race or failure"]].map(([cls, text]) =>
      h("span", {}, h("i", { class: `swatch ${cls}` }), text)), h("span", {}, "curve: a dependency, or in red a host race; click on a box to see it larger")),
    dropped ? h("p", { class: "empty" }, `${plural(dropped, "event")} left out, API calls first`) : "", at);
  if (!timeWindow.to) Object.assign(timeWindow, allCommands());
  showWindow(timeWindow, at);
  return [view];
}
