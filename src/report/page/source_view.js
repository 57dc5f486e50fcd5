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
    rows.length ? h("div", { class: "lines", tabindex: 0, role: "region", "aria-label": `source ${cls.replace("-", " ")}, ${name}` }, rows) : "");
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
    out.push(h("span", { class: never ? "none" : missing ? "half" : "all", title: text, role: "img", "aria-label": text }, never ? "○" : missing ? "◐" : "●"));
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

/** Advice by file and line. */
const advised = new Map();
for (const a of data.advice || []) {
  const key = `${keyOf(a)}\n${a.line}`;
  advised.set(key, [...(advised.get(key) || []), a]);
}

/** Whole percents, or the first digit of less than one. */
const shareText = (p) => `${p < 0.0001 ? "0" : p < 0.95 ? Number(p.toPrecision(1)) : Math.round(p)} %`;

/** What the margin of a line shows of its cost (doc/DEVICE-MODEL.md): title, explanation, and the text of costs c. */
const COST_COLUMNS = [
  ["cost", "share of the cost of all kernels", (c) => (c.share ? shareText(100 * c.share) : "")],
  ["active", "active work-items, of those that the waves have", (c) => (c.instructions ? `${Math.round(100 * c.active)} %` : "")],
  ["lines", "cache-line transactions for each ideal one", (c) => (c.lines ? `${c.lines.toFixed(1)}×` : "")],
  ["banks", "bank cycles for each ideal one", (c) => (c.banks ? `${c.banks.toFixed(1)}×` : "")],
];
const rankOf = (c) => (c.issued_lanes || 0) / data.profile.model.simd_width + (c.transactions || 0) + (c.bank_cycles || 0);
const allCosts = Object.values(profile).flatMap((f) => Object.values(f.lines || {})).reduce((n, c) => n + rankOf(c), 0);

/** The costs of a line, as advice and `cldbg stats` see them. */
function costsOf(c) {
  const ratio = (n, ideal) => (ideal ? (n || 0) / ideal : 0);
  return { instructions: c.instructions, share: rankOf(c) / allCosts, active: ratio(c.instructions, (c.issued_lanes || 0) - (c.missing_lanes || 0)),
    lines: ratio(c.transactions, c.ideal_transactions), banks: ratio(c.bank_cycles, c.ideal_bank_cycles) };
}

/** `most`: the largest share of a line. */
function costCells(cost, most) {
  if (!cost) return COST_COLUMNS.map(() => h("span", { class: "extra" }));
  const c = costsOf(cost), low = { active: c.active < 0.6, lines: c.lines >= 2, banks: c.banks >= 2 };
  return COST_COLUMNS.map(([name, what, show], i) => {
    const text = show(c), cell = h("span", { class: i ? (low[name] ? "extra low" : "extra") : "extra share", title: text && `${name}: ${what}` }, text);
    if (!i) cell.style.setProperty("--h", (c.share / most).toFixed(3));
    return cell;
  });
}

function titleRow(hasCover, hasCost) {
  const title = (cls, name, text) => h("span", { class: cls, title: text }, name);
  return h("div", { class: "ln titles" }, hasCover ? [title("hits", "runs", "work-items that ran the line"), title("ways", "", "")] : "",
    hasCost ? COST_COLUMNS.map(([name, text]) => title("extra", name, text)) : "", title("no", "line", ""), h("span", {}));
}

function sourceTable(file, at) {
  const cover = coverage[file] || {}, cost = profile[file] || {}, hits = cover.lines || {};
  const most = Math.max(1, ...Object.values(hits)), branches = byLine(cover.branches), loops = byLine(cover.loops);
  const hasCover = Object.keys(hits).length > 0, costs = cost.lines || {}, hasCost = Object.keys(costs).length > 0;
  const mostCost = Math.max(...Object.values(costs).map((c) => costsOf(c).share));
  const state = {}, rows = linesOf(file).map((text, i) => {
    const n = i + 1, count = hits[n], ran = count > 0, here = found.get(`${file}\n${n}`);
    const row = h("div", { class: `ln${count === undefined ? "" : ran ? " ran" : " missed"}${n === at ? " on" : ""}`, id: `L${n}` });
    const trips = (loops.get(n) || []).map(([, t]) => `trips: none ${grouped(t[0])}, one ${grouped(t[1])}, more ${grouped(t[2])}`).join("\n");
    const title = count && [`${plural(count, "run")} of the line by work-items`, trips].filter(Boolean).join("\n");
    const shown = h("span", { class: "hits", title: title || undefined }, count === undefined ? "" : short(count) + (trips ? " ↻" : ""));
    if (ran) shown.style.setProperty("--h", (Math.log(count + 1) / Math.log(most + 1)).toFixed(3));
    if (hasCover) row.append(shown, h("span", { class: "ways" }, waysOf(branches.get(n) || [])));
    if (hasCost) row.append(...costCells(costs[n], mostCost));
    row.append(h("span", { class: "no" }, n), h("span", {}, colored(text, state)));
    for (const k of here || []) row.append(h("a", { class: `found ${level(findings[k])}`, href: linkTo.finding(k) }, findings[k].id));
    for (const a of advised.get(`${file}\n${n}`) || []) row.append(h("span", { class: "found advice", title: `${a.text}. ${a.help}` }, a.id));
    return row;
  });
  return h("div", { class: "code src" }, hasCover || hasCost ? sourceKey(hasCover, hasCost) : "",
    h("div", { class: "lines", tabindex: 0, role: "region", "aria-label": `source of ${nameOf(file)}` }, hasCover || hasCost ? titleRow(hasCover, hasCost) : "", rows));
}

function sourceKey(hasCover, hasCost) {
  return h("div", { class: "key" },
    hasCover ? [h("span", {}, "runs: work-items that ran the line, a stronger color is more"), h("span", {}, "↻ loop (trips: point at it)"),
      h("span", {}, "branches: ● all outcomes seen  ◐ some  ○ never reached")] : "",
    hasCost ? COST_COLUMNS.map(([name, text]) => h("span", {}, `${name}: ${text}`)) : "");
}
