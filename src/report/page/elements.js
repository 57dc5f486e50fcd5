// SPDX-License-Identifier: MIT
// What all parts of the page use. Text from the report becomes text nodes only, so it is never markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function build(element, properties, children) {
  for (const [key, value] of Object.entries(properties || {}))
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  for (const child of children.flat(9))
    if (child !== undefined && child !== null && child !== false && child !== "")
      element.append(child instanceof Node ? child : String(child));
  return element;
}
const h = (name, properties, ...children) => build(document.createElement(name), properties, children);
const svg = (name, properties, ...children) => build(document.createElementNS(SVG, name), properties, children);

/** What may be wider than the page: it can be scrolled with the keyboard, too. */
const scroll = (label, ...children) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const plural = (n, one, many) => `${grouped(n)} ${n === 1 ? one : many || one + "s"}`;

function short(n) {
  const units = ["", "k", "M", "G", "T", "P"];
  let u = 0;
  let v = n;
  for (; v >= 999.5 && u < 5; u++) v /= 1000;
  return (u && v < 99.95 ? v.toFixed(v < 9.995 ? 2 : 1) : v.toFixed(0)) + units[u];
}
function seconds(ns) {
  const s = ns * 1e-9;
  return s < 1e-3 ? `${(s * 1e6).toFixed(0)} µs` : s < 1 ? `${(s * 1e3).toFixed(1)} ms` : `${s.toFixed(2)} s`;
}
/** Rounded down, so that 100 % is all. */
const percent = (part, of) => (of ? `${(Math.floor((part * 1000) / of) / 10).toFixed(1)} %` : "–");
const triple = (v) => `(${v.join(",")})`;

const findings = data.findings || [];
const kernels = data.kernels || [];
const coverage = (data.coverage && data.coverage.files) || {};
const profile = (data.profile && data.profile.files) || {};
const isError = (f) => f.severity === "error" && !f.possible;
const severity = (f) => (f.possible ? "possible" : f.severity);
const level = (f) => (isError(f) ? "error" : "warning");
const placeText = (p) => (p.file ? p.file + (p.line ? `:${p.line}` : "") : "unknown place");
const keyOf = (p) => (data.real_paths || {})[p.path] || p.path || p.file || "";

/** The files whose source is known, by path or name. */
const sources = new Map(Object.entries(data.sources || {}));
const nameOf = (file) => (coverage[file] && coverage[file].name) || file;

// ---- links within the page
const link = (...parts) => "#" + parts.map(encodeURIComponent).join("/");
const linkTo = {
  finding: (i) => link("finding", i + 1),
  line: (file, line) => (line ? link("source", file, line) : link("source", file)),
};

// ---- OpenCL C in color
const WORDS = new Set(("kernel __kernel global __global local __local constant __constant private __private generic __generic if else " +
  "for while do return break continue switch case default struct union enum typedef const volatile restrict static inline sizeof goto " +
  "read_only write_only read_write __attribute__ extern").split(" "));
const TYPE = /^(u?(char|short|int|long)(2|3|4|8|16)?|(float|double|half)(2|3|4|8|16)?|void|bool|size_t|ptrdiff_t|u?intptr_t|image\w+_t|sampler_t|event_t|atomic_\w+|unsigned|signed|u?int\d+_t)$/;
const TOKEN = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\b\d[\w.]*|\.\d\w*)|([A-Za-z_]\w*)|(^\s*#.*$)|(\s+|.)/g;

/** The tokens of a line: [text, class or ""]. `state.comment`: the line begins in a comment. */
function tokens(line, state) {
  const out = [];
  let rest = line;
  if (state.comment) {
    const end = rest.indexOf("*/");
    out.push([end < 0 ? rest : rest.slice(0, end + 2), "tok-c"]);
    if (end < 0) return out;
    state.comment = false;
    rest = rest.slice(end + 2);
  }
  if (/^\s*#/.test(rest)) return [...out, [rest, "tok-p"]];
  for (const m of rest.matchAll(TOKEN)) {
    if (m[1] && m[1].startsWith("/*") && !m[1].endsWith("*/")) state.comment = true;
    const kind = m[1] ? "tok-c" : m[2] ? "tok-s" : m[3] ? "tok-n" : m[4] ? (WORDS.has(m[4]) ? "tok-k" : TYPE.test(m[4]) ? "tok-t" : "") : "";
    const last = out[out.length - 1];
    if (last && last[1] === kind) last[0] += m[0];
    else out.push([m[0], kind]);
  }
  return out;
}

/** The line as elements; columns from..to (from 1, exclusive) are marked. */
function colored(line, state, from, to) {
  const out = [];
  let at = 1;
  for (const [text, kind] of tokens(line, state || {})) {
    const end = at + text.length;
    const cuts = [at, from, to, end].filter((c) => c >= at && c <= end).sort((x, y) => x - y);
    for (let i = 0; i + 1 < cuts.length; i++) {
      const part = text.slice(cuts[i] - at, cuts[i + 1] - at);
      if (!part) continue;
      const node = kind ? h("span", { class: kind }, part) : part;
      out.push(cuts[i] >= from && cuts[i] < to ? h("mark", {}, node) : node);
    }
    at = end;
  }
  return out;
}
