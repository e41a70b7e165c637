// What lies on the sheet and is chosen, dragged, sized, copied and removed, with the pointer or the keyboard: text boxes
// and pictures.

import { $, drawn, element } from "../controls/element.js";
import { beside, dragged, held, inShape, linesOf, placeOf } from "./box_place.js";
import { follow } from "../controls/controls.js";
import { pagePx } from "../state/papers.js";
import { keepScale, scale } from "../sheet/sheet.js";
import { choose, request } from "../state/store.js";
import { mmOfPx, pxOfMm } from "../state/units.js";

/** A step of the keyboard, and of a copy, in px. */
const STEP = Math.round(pxOfMm(1));
const COPY_STEP = Math.round(pxOfMm(5));
/** How near a line holds a thing, in CSS px. */
const REACH = 6;
const CORNERS = ["nw", "ne", "sw", "se"];

/**
 * A kind of things on the sheet, each by its number. Boxes are in px.
 * @typedef {object} Kind
 * @property {"box" | "picture"} name by which one is chosen
 * @property {string} layer id of the element that holds them
 * @property {string} keys id of what says how keys move them
 * @property {() => object[]} all
 * @property {() => number} most
 * @property {(thing: object) => import("./box_place.js").Box} boxOf
 * @property {() => import("./box_place.js").Room} room where they may be
 * @property {(thing: object) => boolean} isFixed whether it has no place of its own
 * @property {(thing: object) => boolean} keepsShape whether sizing keeps its shape
 * @property {(number: number, box: object, step: string) => void} place
 * @property {(number: number) => void} edit goes to its controls
 * @property {(number: number) => void} remove
 * @property {(number: number) => void} leave
 * @property {(thing: object, place?: object) => void} addCopy a fixed thing has no place
 * @property {(thing: object, number: number) => { label: string, ghost: string, turn?: number }} shown
 * @property {() => number | undefined} chosen
 */
/** @type {Kind[]} */
const kinds = [];
/** The thing that was copied, and its kind. */
let copied;

/** Lines of the page and of all things but one. */
function linesAround(kind, number) {
  const { margin_left: left = 0, margin_right: right = 0, margin_top: top = 0, margin_bottom: bottom = 0 } = request();
  const others = kinds.flatMap((other) => other.all().filter((thing, at) => !other.isFixed(thing) && !(other === kind && at === number)).map(other.boxOf));
  const lines = linesOf(pagePx(), { left, right, top, bottom }, others);
  const { beyond, width, height } = kind.room();
  if (beyond === undefined) return lines;
  const edges = (most) => [0, most, -beyond, most + beyond].map((at) => ({ at }));
  return { x: [...lines.x, ...edges(width)], y: [...lines.y, ...edges(height)] };
}

/** Draws the lines that hold a thing while it is dragged. */
function showGuides({ x, y } = {}) {
  const { width, height } = pagePx();
  const line = (from, to) => drawn("line", { x1: mmOfPx(from[0]), y1: mmOfPx(from[1]), x2: mmOfPx(to[0]), y2: mmOfPx(to[1]), class: "guide" });
  $("guides").replaceChildren(...(x === undefined ? [] : [line([x, 0], [x, height])]), ...(y === undefined ? [] : [line([0, y], [width, y])]));
}

/** A thing after a drag that began at `from`, and the lines that hold it. */
function after(kind, thing, from, part, [right, down], lines) {
  const room = kind.room();
  const free = dragged(from, part, right, down, room);
  const { box, guides } = lines ? held(free, part, lines.all, lines.reach, room.least) : { box: free, guides: {} };
  if (part === "move" || !kind.keepsShape(thing)) return { box, guides };
  // In its shape, one side alone can stand at a line.
  const one = guides.x === undefined ? guides : { x: guides.x };
  return { box: inShape(box, from, part, one, room), guides: one };
}

function startDrag(event, kind, number) {
  if (event.button !== 0) return;
  event.preventDefault();
  const made = event.currentTarget;
  choose(kind.name, number);
  made.focus({ preventScroll: true });
  const part = event.target.dataset.corner ?? "move";
  const thing = kind.all()[number];
  const from = placeOf(kind.boxOf(thing));
  const isTurned = Boolean(kind.shown(thing, number).turn);
  const lines = linesAround(kind, number);
  const { clientX, clientY, timeStamp } = event;
  made.setPointerCapture(event.pointerId);
  keepScale(true);
  const move = (moved) => {
    const by = scale();
    const isFree = moved.altKey || (isTurned && part !== "move");
    const { box, guides } = after(kind, thing, from, part, [(moved.clientX - clientX) / by, (moved.clientY - clientY) / by], isFree ? undefined : { all: lines, reach: REACH / by });
    showGuides(guides);
    kind.place(number, box, `drag ${timeStamp}`);
  };
  made.addEventListener("pointermove", move);
  made.addEventListener("lostpointercapture", () => {
    made.removeEventListener("pointermove", move);
    showGuides();
    keepScale(false);
  }, { once: true });
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

function step(kind, number, part, by) {
  const thing = kind.all()[number];
  if (kind.isFixed(thing)) return;
  const from = placeOf(kind.boxOf(thing));
  kind.place(number, after(kind, thing, from, part, by).box, `keys ${kind.name} ${number}`);
}

function onKey(event, kind, number) {
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key in ARROWS) step(kind, number, shiftKey ? "se" : "move", ARROWS[key]);
  else if (key === "Delete" || key === "Backspace") kind.remove(number);
  else if (key === "Escape") kind.leave(number);
  else if (key === "Enter" || key === " ") kind.edit(number);
  else return;
  event.preventDefault();
}

function thingElement(kind, number) {
  const made = element("div", { class: `box ${kind.name}`, role: "button", tabindex: 0, "aria-describedby": kind.keys },
    element("span", { class: "ghost", "aria-hidden": "true" }), ...CORNERS.map((corner) => element("span", { class: `corner ${corner}`, "data-corner": corner })));
  made.addEventListener("pointerdown", (event) => startDrag(event, kind, number));
  made.addEventListener("dblclick", () => kind.edit(number));
  made.addEventListener("focus", () => choose(kind.name, number));
  made.addEventListener("keydown", (event) => onKey(event, kind, number));
  return made;
}

/** @param {Kind} kind */
function show(kind) {
  const [layer, things, page] = [$(kind.layer), kind.all(), pagePx()];
  while (layer.childElementCount > things.length) layer.lastChild.remove();
  while (layer.childElementCount < things.length) layer.append(thingElement(kind, layer.childElementCount));
  things.forEach((thing, number) => {
    const { x, y, width, height } = kind.boxOf(thing);
    const { label, ghost, turn = 0 } = kind.shown(thing, number);
    const made = layer.children[number];
    const percent = (value, of) => `${(value / of) * 100}%`;
    Object.assign(made.style, {
      left: percent(x, page.width), top: percent(y, page.height), width: percent(width, page.width), height: percent(height, page.height),
      transform: `rotate(${turn}deg)`,
    });
    made.classList.toggle("vacant", Boolean(ghost));
    made.classList.toggle("fixed", kind.isFixed(thing));
    made.querySelector(".ghost").textContent = ghost;
    made.setAttribute("aria-label", label);
    made.setAttribute("aria-pressed", String(number === kind.chosen()));
  });
}

/** Gives the focus to a thing on the sheet, which is not chosen then, or to the button that adds one. */
export function focusThing(kind, number, button) {
  const made = $(kind.layer).children[number];
  if (made) made.focus({ preventScroll: true });
  else $(button).focus();
  if (made) choose();
}

/** Adds a copy of a thing, and gives it the focus. */
export function copyThing(kind, thing) {
  if (kind.all().length >= kind.most()) return;
  const place = kind.isFixed(thing) ? undefined : beside(placeOf(kind.boxOf(thing)), COPY_STEP, kind.room());
  kind.addCopy(thing, place);
  $(kind.layer).children[kind.chosen()]?.focus({ preventScroll: true });
}

/** Copy, cut, paste and duplicate, where no words are being written. */
function onEdit(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const focused = document.activeElement;
  if (focused.closest("input, textarea, select, dialog") || String(getSelection())) return;
  const kind = focused.closest(".box") && kinds.find(({ layer }) => focused.closest(`#${layer}`));
  const number = kind?.chosen();
  const key = event.key.toLowerCase();
  if (key === "v" && copied) copyThing(copied.kind, copied.thing);
  else if (number === undefined) return;
  else if (key === "d") copyThing(kind, kind.all()[number]);
  else if (key === "c" || key === "x") {
    copied = { kind, thing: kind.all()[number] };
    if (key === "x") kind.remove(number);
  } else return;
  event.preventDefault();
}

/** Shows a kind of things on the sheet. @param {Kind} kind */
export function startMovable(kind) {
  kinds.push(kind);
  follow(() => show(kind));
}

export function startSheetThings() {
  document.addEventListener("keydown", onEdit);
  $("stage").addEventListener("pointerdown", (event) => { if (!event.target.closest(".box")) choose(); });
}
