// SPDX-License-Identifier: MIT
// The views, and which one the address names: #summary, #finding/N, #source/FILE/LINE, #kernels, #timeline.
"use strict";

const errors = findings.filter(isError).length, warnings = findings.length - errors;
const launches = kernels.reduce((n, k) => n + (k.launches || 0), 0), unchecked = kernels.reduce((n, k) => n + (k.unchecked || 0), 0);
const filter = { text: "", id: "" };

function coverageOf(file) {
  const lines = Object.values(file.lines || {}), branches = Object.values(file.branches || {}).flat(), functions = Object.values(file.functions || {}).map((f) => f[1]);
  const run = (list) => list.filter((n) => n > 0).length;
  return { lines: [run(lines), lines.length], branches: [run(branches), branches.length], functions: [run(functions), functions.length] };
}
const covered = Object.values(coverage).map(coverageOf).reduce((sum, c) => {
  for (const key of Object.keys(sum)) sum[key] = [sum[key][0] + c[key][0], sum[key][1] + c[key][1]];
  return sum;
}, { lines: [0, 0], branches: [0, 0], functions: [0, 0] });

function bar(label, part, of, cls, text) {
  const fill = h("i", {});
  fill.style.width = `${of ? (100 * part) / of : 0}%`;
  return h("div", { class: "bar-row" }, h("span", {}, label), h("div", { class: `bar ${cls}` }, fill), h("span", { class: "n" }, text));
}

function verdict() {
  const bad = errors > 0, warn = !bad && (warnings > 0 || !launches || unchecked === launches);
  const parts = [];
  if (errors) parts.push(plural(errors, "error"));
  if (warnings) parts.push(plural(warnings, "warning"));
  const title = !launches ? "No kernel was launched" : unchecked === launches ? "Nothing was checked" : parts.length ? parts.join(", ") : "No findings";
  const more = [`${plural(launches, "kernel launch", "kernel launches")} of ${plural(kernels.filter((k) => k.launches).length, "kernel")}`];
  if (unchecked) more.push(`${grouped(unchecked)} of them unchecked`);
  if (data.suppressed) more.push(`${plural(data.suppressed, "finding")} suppressed`);
  if (data.lost_launches) more.push(`${grouped(data.lost_launches)} kernel launches could not be kept, and are missing from this report`);
  if (data.left_out || data.unkept) more.push(`${grouped((data.left_out || 0) + (data.unkept || 0))} findings are missing from this report`);
  if (covered.lines[1]) more.push(`${percent(...covered.lines)} of the lines of kernels ran`);
  return h("section", { class: `verdict ${bad ? "bad" : warn ? "warn" : ""}` }, h("h1", {}, title), h("p", {}, more.join(" · ")));
}

function kindsCard() {
  const counts = new Map();
  for (const f of findings) counts.set(f.id, [(counts.get(f.id) || [0])[0] + 1, level(f)]);
  const list = [...counts].sort((a, b) => b[1][0] - a[1][0]), most = Math.max(1, ...list.map((l) => l[1][0]));
  return h("section", { class: "card" }, h("h2", {}, "Findings by kind"),
    list.length ? list.map(([id, [n, lv]]) => bar(h("a", { href: "#findings", "data-kind": id }, id), n, most, lv, grouped(n))) : h("p", { class: "empty" }, `${(data.checks || []).length} checks were on; none found anything.`));
}

function coverageCard() {
  const rows = Object.entries(coverage).map(([file, c]) => [file, coverageOf(c)]).sort((a, b) => a[1].lines[0] / a[1].lines[1] - b[1].lines[0] / b[1].lines[1]);
  return h("section", { class: "card" }, h("h2", {}, "Coverage", h("small", {}, "only what runs is checked")),
    rows.length ? [bar("lines", ...covered.lines, "cover", percent(...covered.lines).replace(/\.\d/, "")), bar("branches", ...covered.branches, "cover", percent(...covered.branches).replace(/\.\d/, "")),
      bar("functions", ...covered.functions, "cover", percent(...covered.functions).replace(/\.\d/, "")), scroll("coverage of files", h("table", { class: "plain" },
        h("thead", {}, h("tr", {}, h("th", {}, "file"), h("th", { class: "n" }, "lines"), h("th", { class: "n" }, "branches"))),
        h("tbody", {}, rows.slice(0, 200).map(([file, c]) => h("tr", {}, h("td", {}, h("a", { href: linkTo.line(file) }, nameOf(file))), h("td", { class: "n" }, percent(...c.lines)), h("td", { class: "n" }, percent(...c.branches)))))))]
      : h("p", { class: "empty" }, "not counted"));
}

function kernelTable() {
  const of = (k) => findings.filter((f) => f.kernel === k.name).length;
  return scroll("kernels", h("table", { class: "plain" },
    h("thead", {}, h("tr", {}, h("th", {}, "kernel"), ["launches", "time", "findings", "work-items", "instructions", "active lanes"].map((t) => h("th", { class: "n" }, t)))),
    h("tbody", {}, [...kernels].sort((a, b) => b.time_ns - a.time_ns).map((k) => {
      const s = k.statistics || {}, n = of(k);
      return h("tr", {}, h("td", { class: "mono" }, k.name), h("td", { class: "n" }, grouped(k.launches)), h("td", { class: "n" }, seconds(k.time_ns)),
        h("td", { class: "n" }, n ? h("span", { class: "badge error" }, n) : "–"), h("td", { class: "n" }, s.work_items ? short(s.work_items) : "–"),
        h("td", { class: "n" }, s.instructions ? short(s.instructions) : "–"), h("td", { class: "n" }, s.lane_slots ? percent(s.instructions, s.lane_slots) : "–"));
    }))));
}

function summaryView() {
  return [verdict(), h("div", { class: "grid" }, kindsCard(), coverageCard(),
    h("section", { class: "card wide" }, h("h2", {}, "Kernels", h("small", {}, "longest time first")), kernelTable()),
    findings.length ? h("section", { class: "card wide" }, h("h2", {}, "Findings", h("small", {}, findings.length > 8 ? `the first 8 of ${grouped(findings.length)}` : "")),
      h("ol", { class: "brief" }, findings.slice(0, 8).map((f, i) => h("li", {}, h("span", { class: `badge ${level(f)}` }, f.id), h("a", { href: linkTo.finding(i) }, f.title, h("span", { class: "muted" }, ` · ${placeText(f.sides[0] ? f.sides[0].place : {})}`)))))) : "", adviceCard())];
}

function adviceCard() {
  const all = data.advice || [];
  return all.length ? h("section", { class: "card wide" }, h("h2", {}, "Advice", h("small", {}, "about costs on the device model; never errors")),
    h("ol", { class: "brief" }, all.map((a) => h("li", {}, h("span", { class: "badge" }, a.id), h("a", { href: linkTo.line(keyOf(a), a.line) }, placeText(a)),
      ` ${a.text}${a.share ? `; ${Math.round(a.share)} % of the cost` : ""}. `, h("span", { class: "muted" }, a.help))))) : "";
}

/** How many work-groups a compute unit of the device model holds. */
function occupancyCard() {
  const model = (data.profile || {}).model || {}, rows = Object.entries((data.profile || {}).groups || {}).flatMap(([kernel, list]) => list.map((g) => [kernel, g]));
  const columns = ["launches", "work-items", "full lanes", "local bytes", "registers", "resident groups", "occupancy"];
  return rows.length && model.resident_waves ? h("section", { class: "card wide" }, h("h2", {}, "Occupancy", h("small", {}, `waves of ${model.simd_width}, ${model.resident_waves} at once`)),
    scroll("occupancy", h("table", { class: "plain" }, h("thead", {}, h("tr", {}, h("th", {}, "kernel"), columns.map((t) => h("th", { class: "n" }, t)), h("th", {}, "limited by"))),
      h("tbody", {}, rows.map(([kernel, g]) => h("tr", {}, h("td", { class: "mono" }, kernel),
        [g.launches, g.items, percent(g.items, g.waves * model.simd_width), g.local_bytes || 0, g.registers || 0, g.resident_groups || 0, percent(g.resident_waves || 0, model.resident_waves)].map((v) => h("td", { class: "n" }, v)),
        h("td", {}, g.limit))))))) : "";
}

// ---- findings
function shownFindings() {
  const text = filter.text.toLowerCase();
  return findings.map((f, i) => i).filter((i) => {
    const f = findings[i];
    return (!filter.id || f.id === filter.id) && (!text || `${f.title} ${f.kernel} ${f.id} ${f.sides.map((s) => placeText(s.place)).join(" ")}`.toLowerCase().includes(text));
  });
}

function listItem(i, at) {
  const f = findings[i];
  return h("li", {}, h("a", { href: linkTo.finding(i), "aria-current": i === at ? "true" : undefined, "data-i": i },
    h("span", { class: "title" }, h("i", { class: `dot ${level(f)}` }), f.title), h("span", { class: "where" }, `${f.id} · ${placeText(f.sides[0] ? f.sides[0].place : {})}`)));
}

function findingList(at) {
  const list = h("ol", {}), fill = () => list.replaceChildren(...shownFindings().map((i) => listItem(i, at)));
  const input = h("input", { type: "search", placeholder: "filter", "aria-label": "filter findings", value: filter.text, id: "filter" });
  const kinds = h("select", { "aria-label": "kind of finding" }, h("option", { value: "" }, "all kinds"),
    [...new Set(findings.map((f) => f.id))].sort().map((id) => h("option", { value: id, selected: id === filter.id }, id)));
  input.addEventListener("input", () => { filter.text = input.value; fill(); });
  kinds.addEventListener("change", () => { filter.id = kinds.value; fill(); });
  fill();
  return h("aside", { class: "list", "aria-label": "list of findings" }, h("div", { class: "tools" }, input, kinds), list);
}

function whoText(s) {
  return s.work_item ? `by work-item local ${triple(s.work_item.local)}, global ${triple(s.work_item.global)}, group ${triple(s.work_item.group)}` : "";
}

/** As the text report counts them: races between work-groups are in no work-group. */
function timesText(f) {
  const between = f.between_work_groups || 0, within = f.times - between;
  return [within > 0 && plural(within, "time") + (f.work_groups ? ` in ${plural(f.work_groups, "work-group")}` : ""),
    between > 0 && `${plural(between, "time")} between work-groups`].filter(Boolean).join(" and ");
}

function findingDetail(i) {
  const f = findings[i], picture = pictureOf(f), pair = f.sides.length > 1;
  const facts = [f.kernel && ["kernel ", h("code", {}, f.kernel)], f.launch && `launch ${f.launch}`, f.host, timesText(f),
    f.launches > 1 && `in ${plural(f.launches, "launch", "launches")}`, f.capture && ["repeat it: ", h("code", {}, `cldbg run ${f.capture}`)]];
  const sides = f.sides.map((s, k) => [excerpt(s.place, k % 2 ? "side-b" : "side-a", [pair ? h("span", { class: k % 2 ? "tag b" : "tag" }, "ABCD"[k]) : "", [h("b", {}, s.what), " ", whoText(s)]]),
    s.called_from.length ? h("p", { class: "muted" }, "called from ", s.called_from.map((p, n) => [n ? ", " : "", h("a", { href: linkTo.line(keyOf(p), p.line) }, placeText(p))])) : ""]);
  const order = shownFindings(), at = order.indexOf(i);
  return h("article", { class: "finding", id: "detail" },
    h("div", {}, h("h1", {}, f.title), h("div", { class: "facts" }, h("span", { class: `badge ${level(f)}` }, severity(f)), h("span", { class: "badge" }, f.id), f.known ? h("span", { class: "badge" }, "known") : "",
      facts.filter(Boolean).map((x) => h("span", {}, x)))),
    picture || "", sides, f.help ? h("p", { class: "help" }, h("b", {}, "How to fix it: "), f.help) : "",
    f.notes.length ? h("ul", { class: "notes" }, f.notes.map((n) => h("li", {}, n))) : "",
    h("nav", { class: "pager", "aria-label": "other findings" }, at > 0 ? h("a", { href: linkTo.finding(order[at - 1]), rel: "prev" }, "← previous") : h("span", {}),
      at >= 0 && at + 1 < order.length ? h("a", { href: linkTo.finding(order[at + 1]), rel: "next" }, "next →") : h("span", {})));
}

function findingView(i) {
  if (!findings.length) return [verdict()];
  const old = document.querySelector("aside.list");
  const list = old && old.isConnected ? old : findingList(i);
  for (const a of list.querySelectorAll("li a")) a.toggleAttribute("aria-current", false), Number(a.dataset.i) === i && a.setAttribute("aria-current", "true");
  return [h("div", { class: "split" }, list, findingDetail(i))];
}

// ---- sources
function sourceView(file, line) {
  const files = [...sources.keys()].sort();
  const name = file || files[0];
  if (!name || !sources.has(name)) return [h("p", { class: "empty" }, file ? `The source of ${file} is not in this report.` : "No source is in this report.")];
  const many = (f) => findings.filter((x) => x.sides.some((s) => keyOf(s.place) === f)).length;
  const list = h("aside", { class: "list", "aria-label": "files" }, h("ol", {}, files.map((f) => {
    const c = coverage[f] && coverageOf(coverage[f]), n = many(f);
    return h("li", {}, h("a", { href: linkTo.line(f), "aria-current": f === name ? "true" : undefined, title: f }, h("span", { class: "title mono" }, nameOf(f)),
      h("span", { class: "where" }, [n ? plural(n, "finding") : "", c ? `${percent(...c.lines)} of lines` : ""].filter(Boolean).join(" · "))));
  })));
  return [h("div", { class: "split" }, list, h("div", {}, h("h1", { class: "skip" }, nameOf(name)), sourceTable(name, line)))];
}

// ---- the page
const tabs = [["summary", "Summary"], ["findings", "Findings", findings.length], ["source", "Sources", sources.size], ["kernels", "Kernels", kernels.length],
  ...(data.trace ? [["timeline", "Timeline", commands.length]] : [])];
const route = () => location.hash.slice(1).split("/").map(decodeURIComponent);

function show() {
  const [view, a, b] = route(), main = document.querySelector("main");
  const at = Math.max(0, Math.min(findings.length - 1, Number(a || 1) - 1 || 0));
  const content = view === "finding" || view === "findings" ? findingView(view === "finding" ? at : shownFindings()[0] || 0)
    : view === "source" ? sourceView(a, Number(b))
    : view === "timeline" && data.trace ? timelineView()
    : view === "kernels" ? [h("h1", { class: "skip" }, "Kernels"), h("section", { class: "card" }, h("h2", {}, "Kernels"), kernelTable()), h("div", { class: "grid" }, occupancyCard())] : summaryView();
  main.replaceChildren(...content.flat(9).filter((x) => x instanceof Node));
  const tab = view === "finding" ? "findings" : tabs.some((t) => t[0] === view) ? view : "summary";
  for (const link of document.querySelectorAll("nav.tabs a")) {
    if (link.getAttribute("href") === `#${tab}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const target = view === "source" && b ? document.getElementById(`L${Number(b)}`) : null;
  if (target) target.scrollIntoView({ block: "center" });
  else window.scrollTo(0, 0);
  const current = document.querySelector('.list a[aria-current="true"]');
  if (current) current.scrollIntoView({ block: "nearest" });
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const step = { j: 1, n: 1, k: -1, p: -1 }[event.key], [view] = route();
  if (step && findings.length) {
    const order = shownFindings(), current = document.querySelector('.list a[aria-current="true"]');
    const at = view.startsWith("finding") && current ? order.indexOf(Number(current.dataset.i)) + step : 0;
    if (order[at] !== undefined) location.hash = linkTo.finding(order[at]);
  } else if (event.key === "/" && document.getElementById("filter")) {
    document.getElementById("filter").focus();
    event.preventDefault();
  } else if (tabs[Number(event.key) - 1]) location.hash = `#${tabs[Number(event.key) - 1][0]}`;
}

function begin() {
  const process = (data.processes || [])[0] || {}, more = (data.processes || []).length - 1;
  document.body.replaceChildren(h("a", { class: "skip", href: "#main" }, "skip to the content"),
    h("header", { class: "top" }, h("div", { class: "top-row" }, h("span", { class: "brand" }, "cldbg"), h("span", { class: "command mono", title: process.command }, process.command || "", more > 0 ? ` and ${more} more` : ""),
      h("span", { class: "stamp" }, process.started ? process.started.replace("T", " ").replace("Z", " UTC") : "")),
      h("nav", { class: "tabs", "aria-label": "views" }, tabs.map(([id, name, n]) => h("a", { href: `#${id}` }, name, n ? h("span", { class: "count" }, grouped(n)) : "")))),
    h("main", { id: "main", tabindex: -1 }),
    h("footer", {}, h("span", {}, `cldbg ${(data.tool || {}).version || ""}`), h("span", {}, h("kbd", {}, "j"), " ", h("kbd", {}, "k"), " next and previous finding"), h("span", {}, h("kbd", {}, "/"), " filter"), h("span", {}, h("kbd", {}, "1"), "–", h("kbd", {}, tabs.length), " views")));
  document.addEventListener("click", (e) => { const kind = e.target.dataset && e.target.dataset.kind; if (kind) filter.id = kind; });
  document.addEventListener("keydown", keys);
  window.addEventListener("hashchange", show);
  show();
}
begin();
