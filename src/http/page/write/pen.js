// The pen: how neatly it writes, what it is, its ink, and the size of the letters.

import { $, element, idOf } from "../controls/element.js";
import { alignments } from "./alignment.js";
import { colorInput, describedBy, follow, messagePlaces, numberInput, segments, strengthSlider, shownColor, rgb } from "../controls/controls.js";
import { pens } from "./pens.js";
import { put, request } from "../state/store.js";
import { chooseSize, size } from "../state/suit.js";
import { unit } from "../state/units.js";

const INKS = [
  ["Blue-black", "#1b2a4e"], ["Royal blue", "#2446a8"], ["Black", "#000000"], ["Sepia", "#5d3d26"],
  ["Burgundy", "#701a33"], ["Green", "#1e5640"], ["Violet", "#4c2d78"], ["Pencil", "#5c5f66"],
];
export const BLUE_BLACK = rgb(INKS[0][1]);

const SIZES = [["small", "S"], ["medium", "M"], ["large", "L"], ["fill", "Fill"], ["own", "Own"]];
export const sizeNames = SIZES.map(([name]) => name);
const SIZE_NAMES = { small: "small", medium: "medium", large: "large", fill: "as large as fits", own: "own size" };

function swatch(path, [name, color]) {
  const radio = element("input", { type: "radio", name: path === "text_color" ? "ink" : "box-ink", value: color, "aria-label": name });
  radio.addEventListener("change", () => put(path, rgb(color)));
  const dot = element("span", { class: "swatch" });
  dot.style.background = color;
  return element("label", { class: "ink", title: name }, radio, dot);
}

/** The ink of the page, or of a text box: that of the page unless it has its own. */
export function inks(path) {
  const own = colorInput(path);
  own.setAttribute("aria-label", "Any colour");
  own.setAttribute("aria-describedby", describedBy(path));
  own.title = "Any colour";
  const named = element("output", { for: idOf(path) });
  const group = element("fieldset", { class: "inks line field", "data-field": path },
    element("legend", {}, "Ink"), named,
    element("div", { class: "swatches" }, ...INKS.map((ink) => swatch(path, ink)), own), ...messagePlaces(path),
    element("span", { hidden: true, id: `${idOf(path)}-hint` }, "Ink colour"));
  follow(() => {
    const color = shownColor(path);
    const known = INKS.find(([, value]) => value === color);
    named.textContent = known?.[0] ?? color;
    for (const radio of group.querySelectorAll("input[type=radio]")) radio.checked = radio.value === color;
  });
  return group;
}

function sizes() {
  const group = segments("size", "Size", SIZES, { read: size, write: chooseSize });
  const named = element("output", {});
  const number = numberInput("font_size", { "aria-label": "Font size", "aria-describedby": describedBy("font_size") });
  const suffix = element("span", { class: "unit" });
  const own = element("label", { class: "own-size", hidden: true }, number, suffix);
  group.classList.add("field", "line");
  group.dataset.field = "font_size";
  group.querySelector("legend").after(named);
  for (const radio of group.querySelectorAll("input")) radio.setAttribute("aria-label", SIZE_NAMES[radio.value]);
  group.querySelector("div").append(own);
  group.append(...messagePlaces("font_size"), element("span", { hidden: true, id: "font_size-hint" }, "Font size"));
  follow(() => {
    own.hidden = typeof request().font_size !== "number";
    suffix.textContent = unit();
    named.textContent = SIZE_NAMES[size()];
  });
  return group;
}

export function buildPen() {
  $("pen").append(
    inks("text_color"),
    pens(),
    strengthSlider("enable_writer_variation", "writer_variation_strength", { label: "Neat – loose", words: ["printed", "neat", "loose"], most: 2 }),
    sizes(),
    element("div", { class: "line", role: "group", "aria-label": "Alignment" }, element("span", { "aria-hidden": "true" }, "Lines"), element("div", { class: "size-row" }, ...alignments())),
  );
}
