// SPDX-License-Identifier: MIT
// Sources: an excerpt for each side of a finding, and whole files with a margin for each line.
"use strict";

const linesOf = (file) => (sources.get(file) || "").split("\n");

/** Some lines around the place, which is marked. */
function excerpt(place, cls, head) {
  const all = linesOf(keyOf(place)), known = sources.has(keyOf(place));
  const first = known ? Math.max(1, place.line - 4) : place.line, last = known ? Math.min(all.length, place.line + 3) : place.line;
  const state = {}, rows = [];
  for (let n = 1; known && n < first; n++) tokens(all[n - 1], state);
  for (let n = first; n <= last; n++) {
    const on = n === place.line, text = known ? all[n - 1] : place.source || "";
    rows.push(h("div", { class: on ? "ln on" : "ln" }, h("span", { class: "no" }, n),
      h("span", {}, colored(text, state, on ? place.start_column : undefined, on ? place.end_column : undefined))));
  }
  const name = placeText(place);
  return h("div", { class: `code ${cls}` },
    h("div", { class: "code-head" }, head[0], known ? h("a", { class: "mono", href: linkTo.line(keyOf(place), place.line) }, name) : h("span", { class: "mono" }, name),
      h("span", { class: "who" }, head[1])),
    rows.length ? h("div", { class: "lines", tabindex: 0, role: "region", "aria-label": `source ${name}` }, rows) : "");
}

/** Findings by file and line. */
const found = new Map();
findings.forEach((f, i) => f.sides.forEach((s) => {
  const key = `${keyOf(s.place)}\n${s.place.line}`;
  if (!found.has(key)) found.set(key, new Set());
  found.get(key).add(i);
}));

/** The branches of a line: what is known of their outcomes. */
function waysOf(branches) {
  const out = [];
  for (const [title, counts] of branches) {
    const missing = counts.filter((n) => !n).length;
    const text = `${title}: ${grouped(counts[0])} true, ${grouped(counts[1])} false` +
      (counts.length > 2 ? `; a group split in ${plural(counts[2], "launch", "launches")}` : "");
    const never = !counts[0] && !counts[1];
    out.push(h("span", { class: never ? "none" : missing ? "half" : "all", title: text, "aria-label": text }, never ? "○" : missing ? "◐" : "●"));
  }
  return out;
}

function byLine(object) {
  const out = new Map();
  for (const [key, value] of Object.entries(object || {})) {
    const line = Number(key.split(":")[0]);
    if (!out.has(line)) out.set(line, []);
    out.get(line).push([`column ${key.split(":")[1]}`, value]);
  }
  return out;
}

function sourceTable(file, at) {
  const cover = coverage[file] || {}, cost = profile[file] || {}, hits = cover.lines || {};
  const most = Math.max(1, ...Object.values(hits)), branches = byLine(cover.branches), loops = byLine(cover.loops);
  const hasCover = Object.keys(hits).length > 0, costs = cost.lines || {}, hasCost = Object.keys(costs).length > 0;
  const state = {}, rows = linesOf(file).map((text, i) => {
    const n = i + 1, count = hits[n], ran = count > 0, here = found.get(`${file}\n${n}`);
    const row = h("div", { class: `ln${count === undefined ? "" : ran ? " ran" : " missed"}${n === at ? " on" : ""}`, id: `L${n}` });
    if (ran) row.style.setProperty("--h", (Math.log(count + 1) / Math.log(most + 1)).toFixed(3));
    const trips = (loops.get(n) || []).map(([, t]) => `trips: none ${grouped(t[0])}, one ${grouped(t[1])}, more ${grouped(t[2])}`).join("\n");
    if (hasCover) row.append(h("span", { class: "hits", title: trips || undefined }, count === undefined ? "" : short(count) + (trips ? " ↻" : "")),
      h("span", { class: "ways" }, waysOf(branches.get(n) || [])));
    if (hasCost) row.append(...costCells(costs[n]));
    row.append(h("span", { class: "no" }, n), h("span", {}, colored(text, state)));
    for (const k of here || []) row.append(h("a", { class: `found ${level(findings[k])}`, href: linkTo.finding(k) }, findings[k].id));
    return row;
  });
  return h("div", { class: "code src" }, hasCover || hasCost ? sourceKey(hasCover, hasCost) : "",
    h("div", { class: "lines", tabindex: 0, role: "region", "aria-label": `source of ${nameOf(file)}` }, rows));
}

function sourceKey(hasCover, hasCost) {
  return h("div", { class: "key" },
    hasCover ? [h("span", {}, "count: work-items that ran the line, darker is more"), h("span", {}, "↻ loop (trips: point at it)"),
      h("span", {}, "branches: ● all outcomes seen  ◐ some  ○ never reached")] : "",
    hasCost ? h("span", {}, "then: active lanes, and transactions for each ideal one") : "");
}

/** Active lanes, and memory transactions against the ideal. */
function costCells(cost) {
  if (!cost) return [h("span", { class: "extra" }), h("span", { class: "extra" })];
  const active = cost.issued_lanes ? cost.instructions / cost.issued_lanes : 1, ideal = cost.ideal_transactions, ratio = ideal ? cost.transactions / ideal : 0;
  return [h("span", { class: active < 0.7 ? "extra low" : "extra", title: "active lanes" }, cost.instructions ? `${Math.round(active * 100)} %` : ""),
    h("span", { class: ratio > 1.5 ? "extra low" : "extra", title: "transactions for each ideal one" }, ratio ? `${ratio.toFixed(1)}×` : "")];
}
