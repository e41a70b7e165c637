// The controls of the chosen text box. Its fields have paths such as `blocks.x`, without a number.

import { $, element, idOf } from "./element.js";
import { chooseBox, duplicateBox, ghostOf, leaveBox, removeBox } from "./boxes.js";
import { choice, describedBy, field, fieldAround, follow, messagePlaces, yesNo } from "./controls.js";
import { fields } from "./fields.js";
import { pagePx } from "./papers.js";
import { inks } from "./pen.js";
import { chosenBox, put, request, valueAt } from "./store.js";

const SAME = { none: "as the page" };
const SHOWN = ["text", "font_id", "text_color", "text_alignment", "rotation"];

function words() {
  const text = element("textarea", { id: "blocks-text", rows: 3, "aria-describedby": describedBy("blocks.text") });
  text.addEventListener("input", () => put("blocks.text", text.value));
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    leaveBox();
  });
  follow(() => {
    const box = request().blocks?.[chosenBox()];
    if (box) text.placeholder = ghostOf(box, pagePx());
  });
  follow(() => { if (text.value !== (valueAt("blocks.text") ?? "")) text.value = valueAt("blocks.text") ?? ""; });
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
  return element("div", { class: "field slider", "data-field": path }, element("label", { for: idOf(path) }, "Turn"), said, slider,
    element("span", { hidden: true, id: `${idOf(path)}-hint` }, fields.get(path).description), ...messagePlaces(path));
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
  const align = choice("blocks.text_alignment", SAME);
  panel.append(
    element("div", { class: "box-head" }, button("‹ Page", () => chooseBox(), "plain small", "Back to the page"), title, button("Duplicate", () => duplicateBox(), "plain small"), button("Remove", () => removeBox(), "plain small")),
    element("p", { class: "hint", id: "box-keys" }, "Drag the box on the sheet, or its corners; with Alt it is held to no line. Arrow keys move it, with Shift they size it. Ctrl+D copies it."),
    words(), hand(openHands), inks("blocks.text_color"),
    element("div", { class: "grid" }, fieldAround("blocks.text_alignment", align, { label: "Lines", hint: "" }), turn()),
    element("details", { "data-group": "Box" }, element("summary", {}, "Exact place, size and lines"),
      element("div", { class: "grid" }, ...others.map(other))),
  );
  follow(() => {
    const number = chosenBox();
    panel.hidden = number === undefined;
    $("page-panel").hidden = number !== undefined;
    title.textContent = `Text box ${number + 1}`;
  });
}
