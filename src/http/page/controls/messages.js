// What the page says about the request: at the fields, and beside the preview in a list that leads to the fields.

import { $, element, idOf } from "./element.js";
import { placeOnScreen } from "../state/empty_boxes.js";
import { fieldOf, pathOf } from "../state/fields.js";
import { labelOf } from "./labels.js";
import { Refusal } from "../service.js";
import { nameOfSide, pathOnSide, sideNumber, sideOf, turnTo } from "../state/sides.js";
import { choose, chosenBox, chosenPicture, watch } from "../state/store.js";
import { showTabOf } from "./tabs.js";
import { inWords } from "./wording.js";

/** The messages of the opened page and list, of the last preview, and of the last thing that a button did. */
const said = { opening: [], list: [], preview: [], action: [] };
let visible = "[]";

/** What the service says of a field; `side` is the number of the side that a request was of, where the page has two. */
function told(kind, { message, field = "" }, side) {
  const path = pathOnSide(pathOf(field), side);
  return { kind, path: placeOnScreen(path), text: inWords(message, path) };
}

/** The messages of a file that was made, of one side or of both. */
export const ofWarnings = (warnings, side) => warnings.map((warning) => told("warning", warning, side));

/** The messages of a request that failed. */
export function ofError(error, side = error.side) {
  const about = (path, text) => ({ kind: "error", path, text });
  if (!(error instanceof Refusal)) return [about("", error.message)];
  if (error.status === 401) return [about("key", error.message)];
  const details = error.details.map((detail) => told("error", detail, side));
  return details.length ? details : [about("", error.message)];
}

/** Does work for a side of the page: what is wrong is wrong with that side. */
export async function onSide(side, work) {
  try {
    return await work();
  } catch (error) {
    throw Object.assign(error, { side });
  }
}

/**
 * Messages, of which those that say the same of both sides are one, without a side. A text box or a picture is of its side.
 * @template {{ path: string }} Message
 * @param {Message[]} messages
 */
export function toldOnce(messages) {
  const same = new Map();
  for (const message of messages) {
    const { path } = sideOf(message.path);
    const key = JSON.stringify({ ...message, path: /^(blocks|artwork)\./.test(path) ? message.path : path });
    same.set(key, [...(same.get(key) ?? []), message]);
  }
  return [...same.values()].map(([first, ...others]) =>
    (others.every(({ path }) => path === first.path) ? first : { ...first, path: sideOf(first.path).path }));
}

/** Says how it goes with the picture. */
export const tellStatus = (text) => { $("status").textContent = text; };

/** Replaces the messages of `source`, which is opening, list, preview or action. Those of the others stay. */
export function say(source, messages) {
  said[source] = messages;
  show();
}

/** Whether the page says already what a message says of a side, or of both. */
export function isTold({ path, text }) {
  const { side, path: place } = sideOf(path);
  return Object.values(said).flat().some((other) => {
    const at = sideOf(other.path);
    return other.text === text && at.path === place && (at.side ?? side) === (side ?? at.side);
  });
}

function show() {
  const all = toldOnce([...said.opening, ...said.list, ...said.action, ...said.preview]);
  const wanted = JSON.stringify(all.length ? [chosenBox(), chosenPicture(), sideNumber(), ...all] : []);
  if (wanted === visible) return;
  visible = wanted;
  for (const place of document.querySelectorAll("p.error[id], p.warning[id]")) place.hidden = true;
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  const listed = [];
  for (const message of all) {
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

/** A path without its side, if that is on the screen. */
function pathHere(named) {
  const { side, path } = sideOf(named);
  return side === undefined || side === (sideNumber() ?? side) ? path : named;
}

/** The path of the control that shows a field: those of the chosen text box or picture have no number. */
const shownPath = (named) => pathHere(named).replace(`blocks.${chosenBox()}`, "blocks").replace(`artwork.${chosenPicture()}`, "artwork");

/** False where the page has no such field, or shows that of another text box, picture or side. */
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
  if (!hasField && !thingOf(path)) return element("p", { class: kind }, kind === "error" && path ? `${nameOf(path)}: ${text}` : text);
  const link = element("a", { href: `#${idOf(path)}` }, nameOf(path));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  return element("p", { class: kind }, link, `: ${text}`);
}

/** What a path is of: a text box or a picture with its number, or another side; undefined for a field of this side. */
function thingOf(named) {
  const [, side, name, number] = /^(?:sides\.(\d)\.?)?(?:(blocks|artwork)\.(\d+))?/.exec(pathHere(named));
  return side || name ? { name, number: Number(number) } : undefined;
}

const THINGS = { blocks: ["box", "Text box"], artwork: ["picture", "Picture"] };

/** What people call a field. */
export function nameOf(named) {
  const { side, path: whole } = sideOf(pathHere(named));
  const { name, number } = thingOf(whole) ?? {};
  const path = whole.replace(/^(blocks|artwork)\.\d+\.?/, "");
  const label = path === "" ? "" : fieldOf(whole) || path === "sides" ? labelOf(path) : path === "key" ? "API key" : path.replaceAll(/[._]/g, " ");
  return [side !== undefined && nameOfSide(side), name && `${THINGS[name][1]} ${number + 1}`, label].filter(Boolean).join(", ");
}

/** Shows a field and gives it the focus. */
export function goTo(named) {
  const there = turnTo(named);
  const { name, number } = thingOf(there) ?? {};
  if (name) choose(THINGS[name][0], number);
  else choose();
  const shown = shownPath(there);
  const path = { blocks: "blocks.text", artwork: "artwork.fit", "": "text" }[shown] ?? shown;
  const place = $(idOf(path)) ?? document.querySelector(`[data-field="${CSS.escape(path)}"]`) ?? $(`${idOf(path)}-error`)?.parentElement;
  if (!place) return;
  showTabOf(place);
  for (let around = place.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  const controls = "input, select, textarea, button";
  const control = place.matches(controls) ? place : place.querySelector(controls);
  control?.focus({ preventScroll: true });
  (place.closest(".field") ?? place).scrollIntoView({ block: "center" });
}
