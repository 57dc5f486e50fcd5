// SPDX-License-Identifier: MIT
// Pictures of findings: where in the NDRange, which bytes, and what the work-items of a group did.
"use strict";

const box = (x, y, w, height, cls, title) =>
  svg("rect", { x, y, width: w, height, rx: Math.min(3, w / 3), class: cls }, title ? svg("title", {}, title) : "");
const words = (x, y, text, cls, anchor) => svg("text", { x, y, class: cls, "text-anchor": anchor }, text);

/**
 * A grid of nx * ny cells at (x, y), at most `width` wide; marks: [{x, y, cls, title}]. What does not fit is left
 * out around the marks and said. Gives the elements, the size, and where each mark is.
 */
function cells(x, y, nx, ny, width, marks, caption) {
  const most = Math.max(8, Math.floor(width / 7));
  const shownX = Math.min(nx, most), shownY = Math.min(ny, 16);
  const far = marks.some((m) => m.x >= shownX || m.y >= shownY);
  const firstX = far ? window1(nx, shownX, marks.map((m) => m.x)) : 0;
  const firstY = far ? window1(ny, shownY, marks.map((m) => m.y)) : 0;
  const size = Math.max(7, Math.min(18, Math.floor(width / shownX)));
  const out = [words(x, y - 7, caption, "small")];
  const places = [];
  for (let j = 0; j < shownY; j++)
    for (let i = 0; i < shownX; i++) {
      const found = marks.filter((m) => m.x === firstX + i && m.y === firstY + j);
      out.push(box(x + i * size, y + j * size, size - 1.5, size - 1.5, found.length ? found[0].cls : "cell", found.map((m) => m.title).join(", ")));
      if (found.length > 1)
        out.push(box(x + i * size + (size - 1.5) / 2, y + j * size, (size - 1.5) / 2, size - 1.5, found[1].cls, found[1].title));
    }
  for (const m of marks) places.push([x + (m.x - firstX) * size + size / 2, y + (m.y - firstY) * size + size / 2]);
  const cut = shownX < nx || shownY < ny;
  if (cut) out.push(words(x, y + shownY * size + 13, `part of ${nx}${ny > 1 ? ` × ${ny}` : ""}`, "num"));
  return { out, width: shownX * size, height: shownY * size + (cut ? 16 : 0), places, size };
}
/** Where a window of n of all begins that shows the points, as far as it can. */
function window1(all, n, points) {
  const first = Math.min(...points), last = Math.max(...points);
  const want = last - first < n ? Math.floor((first + last - n) / 2) + 1 : first - 1;
  return Math.max(0, Math.min(all - n, want));
}

/** A group of one dimension is shown in rows. */
function shapeOf(local) {
  if (local[1] * local[2] > 1) return { nx: local[0], ny: local[1] * local[2], at: (l) => ({ x: l[0], y: l[1] + local[1] * l[2] }) };
  const row = local[0] <= 16 ? local[0] : local[0] <= 128 || local[0] % 32 ? 16 : 32;
  return { nx: row, ny: Math.ceil(local[0] / row), at: (l) => ({ x: l[0] % row, y: Math.floor(l[0] / row) }) };
}
function gridOf(range) {
  const n = range.global.map((g, k) => Math.ceil(g / Math.max(1, range.local[k])));
  return { nx: n[0], ny: n[1] * n[2], at: (g) => ({ x: g[0], y: g[1] + n[1] * g[2] }), n };
}

/** The groups of the launch, and the work-items in theirs: a column of grids. */
function whereInRange(f, sides, x, y) {
  const grid = gridOf(f.range), shape = shapeOf(f.range.local), out = [];
  const groups = cells(x, y, grid.nx, grid.ny, 250, sides.map((s, i) => ({ ...grid.at(s.work_item.group), cls: "ab"[i], title: `work-group ${triple(s.work_item.group)}` })),
    `work-groups: ${grid.n.filter((n, k) => k === 0 || n > 1).join(" × ")}`);
  out.push(...groups.out);
  let top = y + groups.height + 34;
  const same = sides.length < 2 || String(sides[0].work_item.group) === String(sides[1].work_item.group);
  const places = [];
  (same ? [sides] : sides.map((s) => [s])).forEach((list, k) => {
    const of = list.map((s) => ({ ...shape.at(s.work_item.local), cls: same ? "ab"[list.indexOf(s)] : "ab"[k], title: `work-item local ${triple(s.work_item.local)}` }));
    const g = cells(x, top, shape.nx, shape.ny, 250, of, `work-items of group ${triple(list[0].work_item.group)}`);
    out.push(...g.out);
    places.push(...g.places);
    top += g.height + 34;
  });
  return { out, places, height: top - y - 20 };
}

/** The object as a bar, and the bytes around those of the finding, one cell each. */
function bytesOf(f, x, y, width) {
  const b = f.bytes, out = [], object = b.object;
  const from = Math.min(b.first, 0), to = Math.max(b.first + b.count, object), all = to - from;
  const at = (byte) => x + ((byte - from) / all) * width;
  out.push(words(x, y - 7, `${f.object ? `'${f.object}'` : "the object"}: ${plural(object, "byte")}`, "small"));
  out.push(box(at(0), y, Math.max(2, at(object) - at(0)), 15, "cell"));
  out.push(box(Math.min(at(b.first), x + width - 4), y - 2, Math.max(4, at(b.first + b.count) - at(b.first)), 19, "hit"));
  const step = b.count > 8 ? Math.ceil(b.count / 8) : 1, shown = 28;
  const unit = b.count >= 4 && b.count % 4 === 0 && step === 1 ? 1 : step;
  const lead = Math.floor((shown - Math.min(shown, b.count / unit)) / 2);
  let begin = b.first - lead * unit;
  if (b.first >= 0 && b.first < object) begin = Math.max(0, Math.min(begin, Math.max(0, object - shown * unit)));
  const size = Math.floor(width / shown), top = y + 62, middle = [];
  out.push(svg("path", { class: "wire", d: `M${at(Math.max(from, begin))} ${y + 17} L${x} ${top - 6} M${Math.min(x + width, at(Math.min(to, begin + shown * unit)))} ${y + 17} L${x + shown * size} ${top - 6}` }));
  for (let i = 0; i < shown; i++) {
    const byte = begin + i * unit, hit = byte + unit > b.first && byte < b.first + b.count, outside = byte < 0 || byte >= object;
    out.push(box(x + i * size, top, size - 2, 24, hit ? "hit" : outside ? "frame" : "cell", `byte ${byte}${outside ? ", outside the object" : ""}`));
    if (hit) middle.push(x + i * size + size / 2 - 1);
    if (byte % (4 * unit) === 0 || byte === b.first) out.push(words(x + i * size, top + 37, String(byte), "num"));
  }
  const edge = (object - begin) / unit;
  if (edge > 0 && edge < shown)
    out.push(svg("path", { class: "barrier", d: `M${x + edge * size - 1} ${top - 8} V${top + 30}` }), words(x + edge * size + 4, top - 8, "end of the object", "small"));
  if (begin < 0) {
    const zero = -begin / unit;
    out.push(svg("path", { class: "barrier", d: `M${x + zero * size - 1} ${top - 8} V${top + 30}` }), words(x + zero * size - 5, top - 8, "begin of the object", "small", "end"));
  }
  return { out, hit: [middle.reduce((s, m) => s + m, 0) / Math.max(1, middle.length), top], height: 110 };
}

/** Two work-items beside each other between two barriers. */
function interval(f, sides, x, y, width) {
  const among = String(sides[0].work_item.group) === String(sides[1].work_item.group), out = [];
  const order = f.notes.find((n) => /barrier|work-groups|atomic/.test(n) && !n.startsWith("'") && !n.startsWith("also")) || "";
  const lane = (i, row) => {
    const s = sides[i], top = y + 22 + row * 40, mid = x + width * (i ? 0.55 : 0.3);
    out.push(svg("path", { class: `wire ${"ab"[i]}`, d: `M${x} ${top + 13} H${x + width}` }));
    out.push(box(mid - 20, top, 178, 26, "ab"[i]), words(mid - 12, top + 17, `${"AB"[i]}: ${s.what}`.slice(0, 27), "on-color"));
    out.push(words(x + 5, top + 8, triple(s.work_item.local), "num"));
  };
  out.push(words(x, y - 7, among ? "one barrier interval: the two may run in any order" : "two work-groups: the two may run in any order", "small"));
  out.push(svg("path", { class: "barrier", d: `M${x} ${y + 8} V${y + 100} M${x + width} ${y + 8} V${y + 100}` }));
  lane(0, 0);
  lane(1, 1);
  const last = /last one before them was at (\S+)/.exec(order);
  out.push(words(x, y + 115, !among ? "launch begins" : last ? `barrier at ${last[1]}` : "group begins, or a barrier", "small"));
  out.push(words(x + width, y + 115, among ? "next barrier, or end" : "launch ends", "small", "end"));
  return { out, height: 126, ends: [[x + width * 0.3 + 69, y + 48], [x + width * 0.55 + 69, y + 88]] };
}

const figure = (caption, width, height, parts, label, name = "picture") =>
  h("figure", { class: "picture" }, h("figcaption", {}, caption), scroll(name, svg("svg", { viewBox: `0 0 ${width} ${Math.ceil(height)}`, role: "img", "aria-label": label }, parts)));

function racePicture(f) {
  const sides = f.sides.slice(0, 2), where = whereInRange(f, sides, 4, 22), right = 310, parts = [...where.out];
  let height = where.height + 20;
  const time = interval(f, sides, right, 22, 470);
  parts.push(...time.out);
  if (f.bytes) {
    const bytes = bytesOf(f, right, 196, 470);
    const wires = time.ends.map(([x, y], i) => svg("path", { class: `wire ${"ab"[i]} faded`, d: `M${x} ${y} C${x} ${y + 90} ${bytes.hit[0]} ${bytes.hit[1] - 70} ${bytes.hit[0]} ${bytes.hit[1] - 2}` }));
    parts.unshift(...wires);
    parts.push(...bytes.out);
    height = Math.max(height, 196 + bytes.height);
  } else height = Math.max(height, 150);
  const who = (i) => h("b", {}, `${"AB"[i]}: ${sides[i].what}`);
  return figure([who(0), " and ", who(1), f.bytes ? ` touch the same ${plural(f.bytes.count, "byte")}; nothing orders them.` : ": nothing orders them."],
    800, height, parts, `${f.title}: work-items ${triple(sides[0].work_item.global)} and ${triple(sides[1].work_item.global)}`);
}

/** The ids of a work-item from linear numbers, as triples; groups at the end of the range may be smaller. */
function idsOf(range, group, item) {
  const n = gridOf(range).n, g = [group % n[0], Math.floor(group / n[0]) % n[1], Math.floor(group / n[0] / n[1])];
  const shape = range.local.map((l, k) => Math.min(l, range.global[k] - g[k] * l));
  const local = [item % shape[0], Math.floor(item / shape[0]) % shape[1], Math.floor(item / shape[0] / shape[1])];
  return { local, group: g, global: g.map((x, k) => range.offset[k] + x * range.local[k] + local[k]) };
}

const BY = { copy: "an async copy of the work-group", mixed: "more than one work-item, or one in part", before: "not written in this launch", never: "never written", unknown: "not known" };
const BY_CLASS = { never: "never", before: "cell", mixed: "mixed", copy: "mixed" };
const COLORS = 6;

/** Who wrote the elements last: runs of elements with one writer. `of` is the number of the writer's color, or undefined. */
function writerRuns(f) {
  const w = f.writers, runs = [], colors = new Map(), inGroup = w.when !== "launch";
  w.elements.forEach((e, i) => {
    const key = e.by === "item" ? `${e.group}/${e.item}` : e.by, last = runs[runs.length - 1];
    if (last && last.key === key) {
      last.n++;
      return;
    }
    const ids = e.by === "item" && idsOf(f.range, e.group, e.item), shown = ids && (inGroup ? ids.local : ids.global);
    if (ids && !colors.has(key)) colors.set(key, colors.size);
    runs.push({ key, at: i, n: 1, by: e.by, color: colors.get(key),
      id: ids && String(shown[1] || shown[2] ? shown.slice(0, shown[2] ? 3 : 2) : shown[0]),
      text: ids ? `work-item local ${triple(ids.local)} global ${triple(ids.global)}` : BY[e.by] });
  });
  return { runs, writers: colors.size, inGroup };
}

/** The cells of elements in rows, of which the last is full if the picture is of the end. Gives the place of any byte, too. */
function elementCells(f, runs) {
  const w = f.writers, per = 12, size = 32, height = 62, n = w.elements.length, parts = [];
  const shift = f.bytes.first >= f.bytes.object && n > per ? (per - (n % per)) % per : 0, rows = Math.ceil((n + shift) / per);
  const at = (byte) => { // past either end of the elements it continues in their row
    const i = (byte - w.first) / w.unit, k = Math.max(0, Math.min(n - 1, Math.floor(i))) + shift, row = Math.floor(k / per);
    return { x: 64 + (i + shift - row * per) * size, y: 26 + row * height };
  };
  for (const r of runs)
    for (let i = r.at; i < r.at + r.n; i++) {
      const byte = w.first + i * w.unit, p = at(byte);
      const cls = r.color === undefined ? BY_CLASS[r.by] || "frame" : `p${r.color % COLORS}`;
      parts.push(box(p.x, p.y, size - 2, 26, cls, `element ${byte / w.unit}, bytes ${byte} to ${byte + w.unit - 1}: ${r.text}`));
      if (r.id) parts.push(svg("text", { x: p.x + size / 2 - 1, y: p.y + 17, class: "on-color", "text-anchor": "middle",
        textLength: r.id.length > 4 && size - 6, lengthAdjust: "spacingAndGlyphs" }, r.id));
      if ((i + shift) % 4 === 0 || !i) parts.push(words(p.x, p.y + 39, String(byte / w.unit), "num"));
    }
  return { parts, at, size, width: 64 + (per + 4) * size, height: 26 + rows * height };
}

/** The elements around the end of the object, or around a value that was never written, in the colors of their last writers. */
function writersPicture(f) {
  const w = f.writers, b = f.bytes, { runs, writers, inGroup } = writerRuns(f), cells = elementCells(f, runs), { parts, at, size } = cells;
  const name = f.object ? `'${f.object}'` : "the object", inside = b.first >= 0 && b.first + b.count <= b.object, end = w.first + w.elements.length * w.unit;
  const edge = (p, text, anchor) => parts.push(svg("path", { class: "barrier", d: `M${p.x - 1} ${p.y - 8} V${p.y + 34}` }), words(p.x + (anchor ? -5 : 4), p.y - 9, text, "small", anchor));
  const last = at(end), first = at(w.first);
  if (end + w.unit > b.object) edge(last, inside ? "end" : "end of the object");
  if (w.first === 0) edge(first, "begin", "end");
  const far = !inside && (b.first < 0 ? b.first < -w.unit : b.first > end + 2 * w.unit);
  const p = far ? (b.first < 0 ? { x: 4, y: first.y } : { x: last.x + size, y: last.y }) : at(b.first);
  parts.push(svg("rect", { class: "target", x: p.x - 2, y: p.y - 2, width: far ? 30 : Math.max(8, (b.count / w.unit) * size), height: 30, rx: 3 }, svg("title", {}, `${f.sides[0].what}: byte ${b.first}`)));
  if (!inside) parts.push(words(p.x + 14, p.y + 17, far ? "…" : "✕", "small", "middle"));
  const when = { access: "when it was read", group: "at the end of the work-group", launch: "at the end of the launch" }[w.when];
  const range = (r) => [r.at, r.at + r.n - 1].slice(0, r.n > 1 ? 2 : 1).map((k) => w.first / w.unit + k).join(" to ");
  const picture = figure(["Elements of ", h("b", {}, name), ` (${plural(w.unit, "byte")} each), by the work-item that wrote them last, ${when}.`],
    cells.width, cells.height, parts, `Elements of ${name} and their last writers, ${when}. ${runs.map((r) => `${range(r)}: ${r.text}`).join("; ")}`, "last writers");
  const shown = picture.querySelector("svg").style, swatch = (cls, text) => h("span", {}, h("i", { class: `swatch ${cls}` }), text);
  shown.minWidth = "30rem";
  shown.maxWidth = `${cells.width}px`;
  const firsts = runs.filter((r, i) => r.color !== undefined && runs.findIndex((s) => s.key === r.key) === i);
  const other = [...new Set(runs.filter((r) => r.color === undefined).map((r) => r.by))];
  picture.append(h("div", { class: "legend" }, writers <= COLORS ? firsts.map((r) => swatch(`p${r.color}`, r.text))
    : h("span", {}, [...Array(COLORS).keys()].map((k) => h("i", { class: `swatch p${k}` })), ` a work-item each, by its ${inGroup ? "local" : "global"} id (colors repeat)`),
    other.map((by) => swatch(BY_CLASS[by] || "frame", BY[by])), swatch("target", inside ? "the bytes without a value" : `where the access went: byte ${b.first}`)));
  return picture;
}

function bytesPicture(f) {
  const side = f.sides[0], where = side.work_item && f.range ? whereInRange(f, [side], 4, 22) : { out: [], height: 0, places: [] };
  const right = where.height ? 310 : 4, bytes = bytesOf(f, right, 40, where.height ? 470 : 780), b = f.bytes;
  const end = b.first + b.count, where2 = b.first === b.object ? "just past the end" : b.first > b.object ? `${plural(b.first - b.object, "byte")} past the end`
    : b.first < 0 ? `${plural(-b.first, "byte")} before the begin` : end > b.object ? "across the end" : `at byte ${b.first}`;
  const what = f.id === "uninitialized-read" ? [h("b", {}, "The value"), ` is at byte ${b.first}`] : [h("b", {}, side.what), ` ${where2}`];
  const picture = figure([what, " of ", h("b", {}, f.object ? `'${f.object}'` : "the object"), ` (${plural(b.object, "byte")}).`],
    800, Math.max(where.height + 20, 40 + bytes.height), [...where.out, ...bytes.out], f.title);
  return f.writers && f.range ? h("div", { class: "pictures" }, picture, writersPicture(f)) : picture;
}

function ids(text) {
  const out = [];
  for (const part of text.split(",").filter(Boolean)) {
    const [from, to] = part.split("-").map(Number);
    for (let i = from; i <= (to === undefined ? from : to) && out.length < 70000; i++) out.push(i);
  }
  return out;
}

function partiesPicture(f) {
  const local = f.range.local, shape = shapeOf(local), party = new Map();
  f.parties.forEach((p, k) => ids(p.items).forEach((i) => party.set(i, k)));
  const size = Math.max(6, Math.min(22, Math.floor(760 / shape.nx))), rows = Math.min(shape.ny, 48), parts = [];
  const total = local[0] * local[1] * local[2];
  for (let i = 0; i < total; i++) {
    const l = [i % local[0], Math.floor(i / local[0]) % local[1], Math.floor(i / local[0] / local[1])], at = shape.at(l);
    if (at.y >= rows) break;
    const k = party.get(i);
    parts.push(box(20 + at.x * size, 18 + at.y * size, size - 1.5, size - 1.5, k === undefined ? "cell" : `p${k}`,
      `work-item ${triple(l)}${k === undefined ? "" : ": " + f.parties[k].where}`));
    if (!at.x && at.y % 4 === 0) parts.push(words(16, 28 + at.y * size, String(i), "num", "end"));
  }
  const picture = figure(["The work-items of ", h("b", {}, `group ${triple(f.sides[0].work_item ? f.sides[0].work_item.group : [0, 0, 0])}`), ", by where they are."],
    Math.max(340, 30 + shape.nx * size), 26 + rows * size, parts, f.title);
  picture.querySelector("svg").style.minWidth = "0";
  picture.querySelector("svg").style.maxWidth = `${Math.max(340, 30 + shape.nx * size)}px`;
  picture.append(h("div", { class: "legend" }, f.parties.map((p, k) => h("span", {}, h("i", { class: `swatch p${k}` }), `${plural(ids(p.items).length, "work-item")} ${p.where}`)),
    rows < shape.ny ? h("span", { class: "muted" }, `the first ${rows} rows of ${shape.ny}`) : ""));
  if ((f.branches || []).length) picture.append(branchTree(f, total));
  return picture;
}

/** "0–31, 40" */
function itemsText(items) {
  const runs = [];
  for (const i of items) {
    const last = runs[runs.length - 1];
    if (last && i === last[1] + 1) last[1] = i;
    else runs.push([i, i]);
  }
  return runs.slice(0, 6).map(([a, b]) => (a === b ? a : `${a}–${b}`)).join(", ") + (runs.length > 6 ? ", …" : "");
}

/** The branches as a tree: who went which way, and at the leaves where they are. The branch that most tested comes first. */
function branchTree(f, total) {
  const branches = f.branches.map((b) => ({ what: b.what, yes: new Set(ids(b.yes)), no: new Set(ids(b.no)) }))
    .sort((a, b) => b.yes.size + b.no.size - a.yes.size - a.no.size);
  const parties = f.parties.map((p, k) => ({ k, where: p.where, items: new Set(ids(p.items)) }));
  const side = (name, items, rest) => items.length > 0 && h("li", {}, h("b", {}, name), ` ${plural(items.length, "work-item")}: `, h("span", { class: "muted" }, itemsText(items)), below(items, rest));
  function below(items, left) {
    const at = left.findIndex((b) => items.some((i) => b.yes.has(i)) && items.some((i) => b.no.has(i)));
    if (at < 0)
      return h("ul", {}, parties.map((p) => [p, items.filter((i) => p.items.has(i)).length]).filter(([, n]) => n)
        .map(([p, n]) => h("li", { class: "leaf" }, h("i", { class: `swatch p${p.k}` }), `${n === items.length ? "all" : n} ${p.where}`)));
    const b = left[at], rest = left.filter((_, k) => k !== at);
    return h("ul", {}, h("li", { class: "branch" }, b.what, h("ul", {}, side("true", items.filter((i) => b.yes.has(i)), rest),
      side("false", items.filter((i) => b.no.has(i)), rest), side("not reached", items.filter((i) => !b.yes.has(i) && !b.no.has(i)), rest))));
  }
  return h("div", { class: "tree" }, h("p", { class: "muted" }, "Branches at which they diverged (linear local ids):"), below([...Array(Math.min(total, 70000)).keys()], branches));
}

/** The picture of a finding, or null: what is drawn is known exactly. */
function pictureOf(f) {
  if (f.parties && f.range) return partiesPicture(f);
  if (f.range && f.sides.length > 1 && f.sides[0].work_item && f.sides[1].work_item && /race|missing-fence/.test(f.id)) return racePicture(f);
  if (f.bytes && f.bytes.object) return bytesPicture(f);
  return null;
}
