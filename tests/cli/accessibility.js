// SPDX-License-Identifier: MIT
// What assistive technology and a keyboard need of the page, checked in the browser: the rules of WCAG 2.1 (A and AA) and
// of WAI-ARIA 1.2 that axe-core tests and that can apply to it. html_page.py puts this script at the end of a copy.
"use strict";
(() => {
  const problems = [], visited = [];
  let contrasts = 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length);
  const say = (rule, e) => problems.push(`${location.hash}: ${rule}${e ? `: ${e.outerHTML.slice(0, 160)}` : ""}`);
  const nameOf = (e) => (e.getAttribute("aria-label") || e.textContent || e.getAttribute("title") || "").trim();

  // ---- contrast (WCAG 1.4.3)
  /** [red, green, blue, alpha], each 0 to 1. */
  function parse(color) {
    const mixed = /^color\(srgb ([^)]*)\)/.exec(color), plain = /^rgba?\(([^)]*)\)/.exec(color);
    const v = (mixed || plain)[1].split(/[\s,/]+/).map(Number);
    return mixed ? [v[0], v[1], v[2], v[3] ?? 1] : [v[0] / 255, v[1] / 255, v[2] / 255, v[3] ?? 1];
  }
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  function background(e) {
    if (!e) return [1, 1, 1];
    const color = parse(getComputedStyle(e).backgroundColor);
    return color[3] === 1 ? color.slice(0, 3) : over(color, background(e.parentElement));
  }
  function luminance(color) {
    const [r, g, b] = color.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(e) {
    const style = getComputedStyle(e), below = background(e);
    const a = luminance(over(parse(e instanceof SVGElement ? style.fill : style.color), below)), b = luminance(below);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
  const isLarge = (style) => parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  function checkContrast() {
    for (const e of all("body *")) {
      const hasText = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
      if (!hasText || e.matches("script, style, title, option, .on-color")) continue; // on-color: text on a box of a picture
      contrasts++;
      const ratio = contrast(e);
      if (ratio < (isLarge(getComputedStyle(e)) ? 3 : 4.5)) say(`contrast of ${ratio.toFixed(2)}`, e);
    }
  }

  function checkPictures() {
    for (const picture of all("figure svg"))
      for (const e of picture.querySelectorAll("text")) {
        const at = e.getBoundingClientRect(), around = picture.getBoundingClientRect();
        if (at.left < around.left - 1 || at.right > around.right + 1 || at.top < around.top - 1 || at.bottom > around.bottom + 1) say("a text is cut off", e);
      }
  }

  function checkStructure() {
    const ids = new Set();
    for (const e of document.querySelectorAll("[id]")) ids.has(e.id) ? say("a second element with this id", e) : ids.add(e.id);
    const headings = all("h1, h2, h3, h4");
    if (headings.filter((e) => e.tagName === "H1").length !== 1) say("there is not exactly one h1");
    headings.forEach((e, i) => { if (i && Number(e.tagName[1]) > Number(headings[i - 1].tagName[1]) + 1) say("a level of headings is left out", e); });
    for (const e of document.querySelectorAll("ol > :not(li), ul > :not(li)")) say("a list has a child that is not an item", e);
    for (const e of document.querySelectorAll("li")) if (!/^[OU]L$/.test(e.parentElement.tagName)) say("an item without a list", e);
    for (const e of all("table")) if (!e.querySelector("thead th")) say("a table without headings", e);
    for (const e of all("th")) if (!nameOf(e)) say("an empty heading of a table", e);
    if (all("main").length !== 1) say("there is not exactly one main");
    for (const e of all("body > *")) if (!e.matches("header, main, footer, nav, a.skip, script")) say("outside the landmarks", e);
    const regions = new Set();
    for (const e of all("[role=region], aside, nav")) {
      const key = `${e.tagName} ${e.getAttribute("aria-label")}`;
      regions.has(key) ? say("a second region with this name", e) : regions.add(key);
    }
    if (!document.documentElement.lang || !document.title) say("no language or title");
    if (/user-scalable|maximum-scale/.test(document.querySelector("meta[name=viewport]").content)) say("cannot be enlarged");
  }

  function checkNamesAndFocus() {
    for (const e of all("a, button, input, select, [role=img], [role=region], aside, nav")) {
      const label = e.getAttribute("aria-label"), text = e.matches("a, button") ? e.textContent.trim() : "";
      if (!(e.matches("input, select, [role], aside, nav") ? label : nameOf(e))) say("no name", e);
      if (label && /\w/.test(text) && !label.toLowerCase().includes(text.toLowerCase())) say("the name lacks the text", e);
    }
    for (const e of document.querySelectorAll("[aria-label]"))
      if (/^(SPAN|DIV|I|P|B|CODE)$/i.test(e.tagName) && !e.hasAttribute("role")) say("a name without a role", e);
    for (const e of document.querySelectorAll("svg")) if (e.getAttribute("role") !== "img") say("a picture without a role", e);
    for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) say("an own order of focus", e);
    for (const e of all("a")) {
      const inText = [...e.parentElement.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && /\w/.test(n.data));
      if (inText && getComputedStyle(e).textDecorationLine !== "underline") say("only color tells that it is a link", e);
    }
    for (const e of document.querySelectorAll("a:not([href])")) say("a link that the keyboard does not reach", e);
    for (const e of all("body *")) {
      const style = getComputedStyle(e), scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (scrolls && (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) && e.tabIndex < 0 && !e.querySelector("a, button, input, select, [tabindex='0']"))
        say("the keyboard cannot scroll it", e);
    }
  }

  // ---- the views and the keys that the test names
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  async function press(key) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await wait(20);
    visited.push(`${key} ${location.hash} ${document.activeElement.id}`.trim());
  }
  (async () => {
    const { views, keys, plant } = window.wanted;
    for (const view of views) {
      location.hash = view;
      await wait(100);
      if (plant) document.querySelector("main").insertAdjacentHTML("beforeend", plant);
      checkContrast();
      checkStructure();
      checkPictures();
      checkNamesAndFocus();
      for (const rule of window.axe ? (await axe.run()).violations : []) say(`axe-core, ${rule.id}`, document.querySelector(rule.nodes[0].target[0]));
    }
    for (const key of keys) await press(key);
    const out = document.createElement("pre");
    out.id = "checked";
    out.textContent = JSON.stringify({ problems, contrasts, visited });
    document.body.append(out);
  })();
})();
