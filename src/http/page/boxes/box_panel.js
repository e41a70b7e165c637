// The controls of the chosen text box. Its fields have paths such as `blocks.x`, without a number.

import { $, element, idOf } from "../controls/element.js";
import { duplicateBox, ghostOf, leaveBox, removeBox } from "./boxes.js";
import { boxAlignments } from "../write/alignment.js";
import { choice, describedBy, field, fieldAround, follow, messagePlaces, segments, yesNo } from "../controls/controls.js";
import { fields } from "../state/fields.js";
import { pagePx } from "../state/papers.js";
import { inks } from "../write/pen.js";
import { change, choose, chosenBox, put, request, valueAt } from "../state/store.js";
import { largestFor } from "../state/suit.js";
import { tie } from "../controls/typing.js";
import { hintOf } from "../controls/wording.js";

const SAME = { none: "As the page" };
const SHOWN = ["text", "font_id", "text_color", "text_alignment", "vertical_alignment", "rotation", "keep_lines"];
const SIZES = [["small", "S"], ["medium", "M"], ["large", "L"], ["fill", "Fill"]];

function words() {
  const text = element("textarea", { id: "blocks-text", rows: 3, "aria-describedby": describedBy("blocks.text") });
  tie(text, () => "blocks.text", () => valueAt("blocks.text"));
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    leaveBox();
  });
  follow(() => {
    const box = request().blocks?.[chosenBox()];
    if (box) text.placeholder = ghostOf(box, pagePx());
  });
  return fieldAround("blocks.text", text, { label: "Words", hint: "" });
}

function hand(openHands) {
  const button = element("button", { type: "button", class: "hand-card", id: "blocks-font_id", "aria-describedby": describedBy("blocks.font_id") },
    element("span", { class: "specimen empty", id: "box-specimen", "data-specimen": 1 }),
    element("span", { class: "caption" }, element("span", { id: "box-hand-name" }), element("span", { class: "do" }, "Change")));
  button.addEventListener("click", openHands);
  return element("div", { class: "field", "data-field": "blocks.font_id" }, element("h3", {}, "Hand"), button,
    element("span", { hidden: true, id: "blocks-font_id-hint" }, "The hand of this text box"), ...messagePlaces("blocks.font_id"));
}

/** A field without a control of its own. */
function other(path) {
  switch (fields.get(path).kind) {
    case "choice": return fieldAround(path, choice(path, SAME));
    case "boolean": return fieldAround(path, yesNo(path, SAME.none));
    default: return field(path);
  }
}

function turn() {
  const path = "blocks.rotation";
  const { min, max } = fields.get(path);
  const slider = element("input", { id: idOf(path), type: "range", min, max, step: 0.5, "aria-describedby": describedBy(path) });
  const said = element("output", { for: idOf(path) });
  slider.addEventListener("input", () => put(path, Number(slider.value) || undefined));
  follow(() => {
    slider.value = valueAt(path) ?? 0;
    said.textContent = `${slider.value}°`;
  });
  return element("div", { class: "field slider line", "data-field": path }, element("label", { for: idOf(path) }, "Rotate"), said, slider,
    element("span", { hidden: true, id: `${idOf(path)}-hint` }, hintOf(path)), ...messagePlaces(path));
}

/** The largest size of the letters, in the hand of the box. */
function sizes() {
  const path = "blocks.max_auto_font_size";
  const group = segments("box-size", "Size", SIZES, {
    read: () => SIZES.map(([name]) => name).find((name) => largestFor(name) === (valueAt(path) ?? request().max_auto_font_size)) ?? "",
    write: (name) => change(path, (next) => {
      const block = next.request.blocks[chosenBox()];
      delete block.font_size;
      block.max_auto_font_size = largestFor(name);
    }),
  });
  group.classList.add("line");
  return group;
}

function keepLines() {
  const path = "blocks.keep_lines";
  const box = element("input", { id: idOf(path), type: "checkbox" });
  box.addEventListener("change", () => put(path, box.checked || undefined));
  follow(() => { box.checked = (valueAt(path) ?? request().keep_lines) === true; });
  return fieldAround(path, box, { label: "Keep given lines whole", hint: "" });
}

export function buildBoxPanel(openHands) {
  const panel = $("box-panel");
  const title = element("h2", {});
  const button = (text, act, kind, label) => {
    const made = element("button", { type: "button", class: kind, "aria-label": label, title: label }, text);
    made.addEventListener("click", act);
    return made;
  };
  const others = fields.get("blocks").members.filter((path) => !SHOWN.includes(fields.get(path).name));
  panel.append(
    element("div", { class: "box-head" }, button("‹ Page", () => choose(), "plain small", "Back to the page"), title, button("Duplicate", () => duplicateBox(), "plain small"), button("Remove", () => removeBox(), "plain small")),
    element("p", { class: "hint", id: "box-keys" }, "Drag the box or its corners; with Alt no line holds it. Arrow keys move it, with Shift they size it."),
    words(), hand(openHands),
    element("div", { class: "lines" }, inks("blocks.text_color"), sizes(),
      element("div", { class: "line", role: "group", "aria-label": "Alignment" }, element("span", { "aria-hidden": "true" }, "Lines"), element("div", { class: "size-row" }, ...boxAlignments())),
      turn()),
    keepLines(),
    element("details", { "data-group": "Box" }, element("summary", {}, "Exact place, size and lines"),
      element("div", { class: "grid" }, ...others.map(other))),
  );
  follow(() => {
    const number = chosenBox();
    panel.hidden = number === undefined;
    title.textContent = `Text box ${number + 1}`;
  });
}
