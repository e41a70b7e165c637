// What the page says about the request: at the fields, and beside the preview in a list that leads to the fields.

import { $, element, idOf } from "./element.js";
import { placeOnScreen } from "./empty_boxes.js";
import { fieldOf, pathOf } from "./fields.js";
import { labelOf } from "./labels.js";
import { Refusal } from "./service.js";
import { change, chosenBox, watch } from "./store.js";
import { showTabOf } from "./tabs.js";
import { inWords } from "./wording.js";

/** The messages of the opened page and list, of the last preview, and of the last thing that a button did. */
const said = { opening: [], list: [], preview: [], action: [] };
let visible = "[null]";

/** The messages of a page that was made. */
export const ofWarnings = (warnings) =>
  warnings.map(({ message, field = "" }) => ({ kind: "warning", path: placeOnScreen(pathOf(field)), text: inWords(message, field) }));

/** The messages of a request that failed. */
export function ofError(error) {
  const about = (path, text) => ({ kind: "error", path, text });
  if (!(error instanceof Refusal)) return [about("", error.message)];
  if (error.status === 401) return [about("key", error.message)];
  const details = error.details.map(({ field, message }) => about(placeOnScreen(pathOf(field)), inWords(message, field)));
  return details.length ? details : [about("", error.message)];
}

/** Says how it goes with the picture. */
export const tellStatus = (text) => { $("status").textContent = text; };

/** Replaces the messages of `source`, which is opening, list, preview or action. Those of the others stay. */
export function say(source, messages) {
  said[source] = messages;
  show();
}

function show() {
  const distinct = new Map([...said.opening, ...said.list, ...said.action, ...said.preview].map((message) => [JSON.stringify(message), message]));
  const wanted = JSON.stringify([chosenBox(), ...distinct.keys()]);
  if (wanted === visible) return;
  visible = wanted;
  for (const place of document.querySelectorAll("p.error[id], p.warning[id]")) place.hidden = true;
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  const listed = [];
  for (const message of distinct.values()) {
    const hasField = sayAtField(message);
    if (message.kind === "error" || !hasField) listed.push(entry(message, hasField));
  }
  $("problems").replaceChildren(...listed);
}

/** Brings an error into view: that of the field with the focus, or else the list of all. */
export function scrollToError() {
  const focused = document.activeElement?.closest(".field")?.querySelector("p.error:not([hidden])");
  (focused ?? $("problems")).scrollIntoView({ block: "nearest" });
}

// The fields of a text box are those of another one once that is chosen.
watch(show);

/** The path of the control that shows a field: those of the chosen text box have no number. */
const shownPath = (path) => path.replace(`blocks.${chosenBox()}`, "blocks");

/** False where the page has no such field, or shows that of another text box. */
function sayAtField({ kind, path: named, text }) {
  const path = shownPath(named);
  const place = $(`${idOf(path)}-${kind}`);
  if (!place) return false;
  place.textContent = place.hidden ? text : `${place.textContent} ${text}`;
  place.hidden = false;
  if (kind === "error") $(idOf(path))?.setAttribute("aria-invalid", "true");
  return true;
}

function entry({ kind, path, text }, hasField) {
  if (!hasField && !isOfBox(path)) return element("p", { class: kind }, kind === "error" && path ? `${nameOf(path)}: ${text}` : text);
  const link = element("a", { href: `#${idOf(path)}` }, nameOf(path));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  return element("p", { class: kind }, link, `: ${text}`);
}

const isOfBox = (path) => /^blocks\.\d+/.test(path);

/** What people call a field. */
export function nameOf(named) {
  const path = named.replace(/^blocks\.\d+/, "blocks");
  const label = path === "blocks" ? "" : fieldOf(path) ? labelOf(path) : path === "key" ? "API key" : path.replaceAll(/[._]/g, " ");
  return isOfBox(named) ? `Text box ${Number(named.split(".")[1]) + 1}${label && `, ${label}`}` : label;
}

/** Shows a field and gives it the focus. */
export function goTo(named) {
  if (isOfBox(named)) change("", (next) => { next.look.box = Number(named.split(".")[1]); });
  else if (chosenBox() !== undefined) change("", (next) => { delete next.look.box; });
  const shown = shownPath(named);
  const path = shown === "blocks" ? "blocks.text" : shown;
  const place = $(idOf(path)) ?? document.querySelector(`[data-field="${CSS.escape(path)}"]`) ?? $(`${idOf(path)}-error`)?.parentElement;
  if (!place) return;
  showTabOf(place);
  for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  const controls = "input, select, textarea, button";
  const control = place.matches(controls) ? place : place.querySelector(controls);
  control?.focus({ preventScroll: true });
  (place.closest(".field") ?? place).scrollIntoView({ block: "center" });
}
