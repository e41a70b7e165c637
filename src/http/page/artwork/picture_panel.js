// The controls of the chosen picture. Its fields have paths such as `artwork.opacity`, without a number.

import { $, element, idOf } from "../controls/element.js";
import { bleedMm } from "../sheet/bleed.js";
import { choice, describedBy, fieldAround, follow, messagePlaces, segments } from "../controls/controls.js";
import { labelOfKind } from "../files/files.js";
import { fields } from "../state/fields.js";
import { isBackground, isGone, keepsShape, shapeOf, sizeOfPicture } from "./pictures.js";
import { duplicatePicture, hasRoom, orderPicture, pictures, removePicture, setBackground, titleOf } from "./sheet_pictures.js";
import { change, choose, chosenPicture, put, valueAt } from "../state/store.js";
import { lengthInPx, mmOfPx, pxOfMm, shownLength, unit } from "../state/units.js";

const chosen = () => pictures()[chosenPicture()];

function button(text, act, attributes = {}) {
  const made = element("button", { type: "button", class: "plain small", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

function cover() {
  const group = segments("picture-cover", "Place", [["page", "Whole page"], ["own", "Own place"]], {
    read: () => (chosen() && isBackground(chosen()) ? "page" : "own"),
    write: (value) => setBackground(value === "page"),
  });
  group.classList.add("line");
  return group;
}

/** How the picture fills its box. Where it fills or stretches, the box has a height of its own. */
function fit() {
  const group = segments("picture-fit", "Fit", [["contain", "Whole"], ["cover", "Fill"], ["stretch", "Stretch"]], {
    read: () => chosen()?.fit ?? (chosen() && isBackground(chosen()) ? "cover" : "contain"),
    write: (value) => change("artwork.fit", (next) => {
      const item = next.request.artwork[chosenPicture()];
      const initial = isBackground(item) ? "cover" : "contain";
      if (value === initial) delete item.fit;
      else item.fit = value;
      if (isBackground(item)) return;
      if (value === "contain") delete item.height_mm;
      else item.height_mm ??= Math.round(sizeOfPicture(item).height * 10) / 10;
    }),
  });
  group.classList.add("line");
  group.id = idOf("artwork.fit");
  return group;
}

function opacity() {
  const path = "artwork.opacity";
  const { min, max } = fields.get(path);
  const slider = element("input", { id: idOf(path), type: "range", min, max, step: 0.05, "aria-describedby": describedBy(path) });
  const said = element("output", { for: idOf(path) });
  slider.addEventListener("input", () => put(path, Number(slider.value) === 1 ? undefined : Number(slider.value)));
  follow(() => {
    slider.value = valueAt(path) ?? 1;
    said.textContent = `${Math.round(slider.value * 100)} %`;
    slider.setAttribute("aria-valuetext", said.textContent);
  });
  return element("div", { class: "field slider line", "data-field": path }, element("label", { for: idOf(path) }, "Opacity"), said, slider,
    element("span", { hidden: true, id: `${idOf(path)}-hint` }, "How much of the paper does not show through"), ...messagePlaces(path));
}

/** What a length of a picture is in mm, where the request may leave it out. */
const LENGTHS = {
  x_mm: (item) => item.x_mm ?? 0, y_mm: (item) => item.y_mm ?? 0,
  width_mm: (item) => sizeOfPicture(item).width, height_mm: (item) => sizeOfPicture(item).height,
};

/** Sets a length in mm. In the shape of the file, the width follows from the height. */
function setLength(item, name, mm) {
  if (name === "height_mm" && keepsShape(item)) item.width_mm = Math.round(mm * shapeOf(item) * 100) / 100;
  else item[name] = mm;
  if (name.endsWith("th_mm") && item.height_mm && !item.width_mm) item.width_mm = sizeOfPicture(item).width;
}

/** A length in the chosen unit. */
function lengthField(name) {
  const path = `artwork.${name}`;
  const input = element("input", { id: idOf(path), type: "number", step: "any", inputmode: "decimal", "aria-describedby": describedBy(path) });
  const shown = () => (chosen() ? shownLength(pxOfMm(LENGTHS[name](chosen()))) : "");
  input.addEventListener("input", () => {
    if (input.value === "") return;
    const mm = Math.round(mmOfPx(lengthInPx(Number(input.value))) * 100) / 100;
    change(path, (next) => setLength(next.request.artwork[chosenPicture()], name, mm));
  });
  input.addEventListener("change", () => { input.value = shown(); });
  const made = fieldAround(path, input, { hint: "" });
  follow(() => {
    if (document.activeElement !== input) input.value = shown();
    made.querySelector(".unit").textContent = ` (${unit()})`;
  });
  return made;
}

function order() {
  const front = button("To front", () => orderPicture(pictures().length - 1));
  const on = button("Up", () => orderPicture(chosenPicture() + 1), { "aria-label": "One up" });
  const back = button("Down", () => orderPicture(chosenPicture() - 1), { "aria-label": "One down" });
  const end = button("To back", () => orderPicture(0));
  follow(() => {
    const [number, last] = [chosenPicture(), pictures().length - 1];
    for (const made of [front, on]) made.disabled = number === last;
    for (const made of [back, end]) made.disabled = number === 0;
  });
  const group = element("div", { class: "line order", role: "group", "aria-label": "Order of the pictures" }, element("span", { "aria-hidden": "true" }, "Order"), element("div", { class: "size-row" }, front, on, back, end));
  follow(() => { group.hidden = pictures().length < 2; });
  return group;
}

function pages() {
  const made = fieldAround("artwork.pages", choice("artwork.pages"), { hint: "" });
  follow(() => { made.hidden = valueAt("overflow") !== "paginate"; });
  return made;
}

/** What becomes of a background at the edge of the page. */
function edgeSaid() {
  const bleed = bleedMm();
  if (bleed) return `It reaches ${shownLength(pxOfMm(bleed))} ${unit()} beyond the edge of the page. That is cut off.`;
  return `It ends at the edge of the page: the file, ${labelOfKind()}, has no bleed. For a printing house, choose PDF/X under Download.`;
}

export function buildPicturePanel() {
  const title = element("h2", { class: "cut" });
  const gone = element("p", { class: "warning" }, "The service keeps this picture no longer: remove it here, and add it again.");
  const edge = element("p", { class: "hint" });
  const copy = button("Duplicate", () => duplicatePicture());
  const exact = element("details", { "data-group": "Picture" }, element("summary", {}, "Exact place and size"), element("div", { class: "grid" }, ...Object.keys(LENGTHS).map(lengthField)));
  const keys = element("p", { class: "hint", id: "picture-keys" }, "Drag the picture or its corners; with Alt no line holds it. Arrow keys move it, with Shift they size it.");
  $("picture-panel").append(
    element("div", { class: "box-head" }, button("‹ Page", () => choose(), { "aria-label": "Back to the page", title: "Back to the page" }), title, copy, button("Remove", () => removePicture())),
    keys, element("div", { "data-field": "artwork.id" }, gone, ...messagePlaces("artwork.id")),
    element("div", { class: "lines" }, cover(), fit(), opacity(), order(), pages()), edge, exact,
  );
  follow(() => {
    const item = chosen();
    $("picture-panel").hidden = !item;
    if (!item) return;
    const isBehind = isBackground(item);
    title.textContent = titleOf(item, chosenPicture());
    title.title = title.textContent;
    gone.hidden = !isGone(item);
    copy.hidden = isBehind;
    copy.disabled = !hasRoom();
    keys.hidden = exact.hidden = isBehind;
    edge.hidden = !isBehind;
    edge.textContent = edgeSaid();
  });
}
