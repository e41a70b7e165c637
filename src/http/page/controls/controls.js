// Controls of fields, made from what the fields may hold. Each shows the value in the store and changes it there.

import { $, element, idOf } from "./element.js";
import { fields } from "../state/fields.js";
import { labelOf, nameOfValue } from "./labels.js";
import { put, valueAt, watch } from "../state/store.js";
import { lengthInPx, shownLength, unit } from "../state/units.js";
import { hintOf } from "./wording.js";

// Where the table speaks of JSON, the page speaks of what is on it.
const KEPT = "Where a line would wrap, the writing gets smaller instead.";
const HINTS = {
  seed: "The same number and words give the same page.", text_color: "", margin_left: "", margin_right: "", margin_top: "", margin_bottom: "",
  preset: "“Letter” is for writing that looks like a person's.", max_auto_font_size: "The largest that “Automatic” takes.", dpi: "Dots per inch.", on_finding: "“Refuse” makes no file of such a page, and charges nothing.", "ruling.pitch": "Distance of two rules: 7.1 mm on US college paper.",
  keep_lines: `${KEPT} Automatic: for an address only.`, "blocks.keep_lines": KEPT,
};

const shows = [];
watch(() => shows.forEach((show) => show()));

/** Calls `show` now and after every change. */
export function follow(show) {
  shows.push(show);
  show();
}

/** What a field is where the request leaves it out: the value of the preset, or the initial one. */
const unasked = (path) => fields.get("preset").sets[valueAt("preset")]?.[path] ?? fields.get(path)?.initial;

/** The value of a field, or what stands for it where the request leaves it out. */
export const valueOf = (path) => valueAt(path) ?? unasked(path);

/** Sets a field; what it is without being asked for is left out of the request. */
export function setField(path, value) {
  put(path, value === unasked(path) || value === null ? undefined : value);
}

/** The places for what is wrong with a field. */
export const messagePlaces = (path) => ["error", "warning"]
  .map((kind) => element("p", { class: kind, id: `${idOf(path)}-${kind}`, hidden: true }));

export const describedBy = (path) => ["hint", "error", "warning"].map((kind) => `${idOf(path)}-${kind}`).join(" ");

/** Label, control, hint, and the places for what is wrong. */
export function fieldAround(path, control, { label = labelOf(path), hint } = {}) {
  const id = idOf(path);
  const given = hint ?? HINTS[path];
  const isCheck = control.type === "checkbox";
  const unitShown = element("span", { class: "unit" });
  if (fields.get(path)?.isLength) follow(() => { unitShown.textContent = ` (${unit()})`; });
  const head = element("label", { for: id, class: isCheck ? "check" : null }, ...(isCheck ? [control] : []), element("span", {}, label, unitShown));
  const said = element("p", { class: "hint", id: `${id}-hint` }, given ?? "");
  if (given === undefined && fields.has(path)) follow(() => { said.textContent = hintOf(path, valueOf(path)); });
  return element("div", { class: "field", "data-field": path }, head, ...(isCheck ? [] : [control]), said, ...messagePlaces(path));
}

function checkbox(path) {
  const box = element("input", { id: idOf(path), type: "checkbox" });
  box.addEventListener("change", () => setField(path, box.checked));
  follow(() => { box.checked = valueOf(path) === true; });
  return box;
}

/** A choice; `names` are what people read instead of the values. */
export function choice(path, names = {}, offered = fields.get(path).choices) {
  const { isNullable } = fields.get(path);
  const options = offered.map((value) => element("option", { value }, names[value] ?? nameOfValue(value)));
  if (isNullable) options.unshift(element("option", { value: "" }, names.none ?? "None"));
  const select = element("select", { id: idOf(path) }, ...options);
  select.addEventListener("change", () => {
    const value = offered.find((known) => String(known) === select.value);
    setField(path, value ?? null);
  });
  follow(() => { select.value = valueOf(path) ?? ""; });
  return select;
}

/** Yes or no, or nothing, for which `none` stands. */
export const yesNo = (path, none = "Automatic") => choice(path, { none, true: "Yes", false: "No" }, [true, false]);

/** A number in its own unit or, if it is a length, in the chosen one. Nonsense is sent as it is: the service says why not. */
export function numberInput(path, attributes = {}) {
  const { isLength, isWhole, isNullable } = fields.get(path);
  const input = element("input", { id: idOf(path), type: "number", step: "any", inputmode: "decimal", ...attributes });
  const shown = () => {
    const value = valueOf(path);
    if (typeof value !== "number") return "";
    return isLength ? shownLength(value) : value;
  };
  if (isNullable) input.placeholder = "automatic";
  input.addEventListener("input", () => {
    const number = Number(input.value);
    if (input.value === "") setField(path, null);
    else if (isLength) setField(path, lengthInPx(number, isWhole));
    else setField(path, number);
  });
  input.addEventListener("change", () => { input.value = shown(); });
  follow(() => { if (document.activeElement !== input) input.value = shown(); });
  return input;
}

const hex = (channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
export const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
export const shownColor = (path) => hex(valueOf(path) ?? valueOf("text_color") ?? [0, 0, 0]);

export function colorInput(path) {
  const input = element("input", { id: idOf(path), type: "color" });
  input.addEventListener("input", () => put(path, rgb(input.value)));
  follow(() => { input.value = shownColor(path); });
  return input;
}

/** The control of any field that is no object. */
export function controlOf(path) {
  const { kind } = fields.get(path);
  switch (kind) {
    case "boolean": return fields.get(path).isNullable ? yesNo(path) : checkbox(path);
    case "choice": return choice(path);
    case "color": return colorInput(path);
    case "number": return numberInput(path);
    default: {
      const input = element("input", { id: idOf(path), type: "text" });
      input.addEventListener("input", () => setField(path, input.value));
      follow(() => { input.value = valueOf(path) ?? ""; });
      return input;
    }
  }
}

/** The whole field. */
export const field = (path, options) => fieldAround(path, controlOf(path), options);

/**
 * A slider that is off at 0 and else sets a strength, with a flag that says whether it is on. `words` name what its ends
 * look like.
 */
export function strengthSlider(flag, strength, { label, words: [none, some, much], most }) {
  const id = `${idOf(strength)}`;
  const slider = element("input", { id, type: "range", min: 0, max: most, step: 0.05, "aria-describedby": describedBy(strength) });
  const said = element("output", { for: id });
  slider.addEventListener("input", () => {
    const wanted = Number(slider.value);
    setField(flag, wanted > 0);
    setField(strength, wanted > 0 ? wanted : null);
  });
  follow(() => {
    const value = valueOf(flag) === true ? valueOf(strength) : 0;
    slider.value = value;
    said.textContent = value === 0 ? none : value < most * 0.6 ? some : much;
    slider.setAttribute("aria-valuetext", `${said.textContent}, ${value}`);
  });
  return element("div", { class: "field slider line", "data-field": strength },
    element("label", { for: id }, label), said, slider, ...messagePlaces(strength),
    element("span", { class: "hint", id: `${id}-hint`, hidden: true }, hintOf(strength)));
}

/** Radio buttons in a row; `read` tells the chosen value. */
export function segments(name, legend, options, { read, write }) {
  const made = options.map(([value, text]) => {
    const radio = element("input", { type: "radio", name, value });
    radio.addEventListener("change", () => write(value));
    return element("label", { class: "segment" }, radio, element("span", {}, text));
  });
  const group = element("fieldset", { class: "segments" }, element("legend", {}, legend), element("div", {}, ...made));
  follow(() => {
    const chosen = String(read());
    for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === chosen;
  });
  return group;
}

