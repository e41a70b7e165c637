// Text boxes on the sheet: chosen, dragged, sized, copied and removed, with the pointer or the keyboard.

import { $, drawn, element } from "./element.js";
import { beside, dragged, held, linesOf, placeOf, rounded } from "./box_place.js";
import { follow } from "./controls.js";
import { isEmpty } from "./empty_boxes.js";
import { pagePx } from "./papers.js";
import { keepScale, scale } from "./sheet.js";
import { change, chosenBox, request } from "./store.js";
import { mmOfPx, pxOfMm } from "./units.js";

/** A step of the keyboard, and of a copy, in px. */
const STEP = Math.round(pxOfMm(1));
const COPY_STEP = Math.round(pxOfMm(5));
/** How near a line holds a box, in CSS px. */
const REACH = 6;
export const MOST = 16;
const CORNERS = ["nw", "ne", "sw", "se"];

/** The box that was copied. */
let copied;

export const chooseBox = (number) => change("", (next) => {
  if (number === undefined) delete next.look.box;
  else next.look.box = number;
});

function place(number, box, step) {
  change(step, (next) => Object.assign(next.request.blocks[number], rounded(box)));
}

/** The words that stand in an empty box on the screen alone. */
export function ghostOf({ keep_lines: keepsLines, x, y, rotation }, page) {
  if (!keepsLines) return "Your words";
  // A signature rises.
  if (rotation) return "Your name";
  return x < page.width * 0.3 && y < page.height * 0.3 ? "Sender" : "Name\nStreet\nTown";
}

function linesAround(number) {
  const { margin_left: left = 0, margin_right: right = 0, margin_top: top = 0, margin_bottom: bottom = 0, blocks } = request();
  return linesOf(pagePx(), { left, right, top, bottom }, blocks.filter((_, other) => other !== number));
}

/** Draws the lines that hold a box while it is dragged. */
function showGuides({ x, y } = {}) {
  const { width, height } = pagePx();
  const line = (from, to) => drawn("line", { x1: mmOfPx(from[0]), y1: mmOfPx(from[1]), x2: mmOfPx(to[0]), y2: mmOfPx(to[1]), class: "guide" });
  $("guides").replaceChildren(...(x === undefined ? [] : [line([x, 0], [x, height])]), ...(y === undefined ? [] : [line([0, y], [width, y])]));
}

function startDrag(event, number) {
  if (event.button !== 0) return;
  event.preventDefault();
  const made = event.currentTarget;
  chooseBox(number);
  made.focus({ preventScroll: true });
  const kind = event.target.dataset.corner ?? "move";
  const from = placeOf(request().blocks[number]);
  const isTurned = Boolean(request().blocks[number].rotation);
  const lines = linesAround(number);
  const { clientX, clientY, timeStamp } = event;
  made.setPointerCapture(event.pointerId);
  keepScale(true);
  const move = (moved) => {
    const by = scale();
    const free = dragged(from, kind, (moved.clientX - clientX) / by, (moved.clientY - clientY) / by, pagePx());
    const { box, guides } = moved.altKey || (isTurned && kind !== "move") ? { box: free, guides: {} } : held(free, kind, lines, REACH / by);
    showGuides(guides);
    place(number, box, `drag ${timeStamp}`);
  };
  made.addEventListener("pointermove", move);
  made.addEventListener("lostpointercapture", () => {
    made.removeEventListener("pointermove", move);
    showGuides();
    keepScale(false);
  }, { once: true });
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

function onKey(event, number) {
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key in ARROWS) place(number, dragged(placeOf(request().blocks[number]), shiftKey ? "se" : "move", ...ARROWS[key], pagePx()), `keys ${number}`);
  else if (key === "Delete" || key === "Backspace") removeBox(number);
  else if (key === "Escape") leaveBox(number);
  else if (key === "Enter" || key === " ") editWords(number);
  else return;
  event.preventDefault();
}

/** Leaves a box; one without words is taken back. */
export function leaveBox(number = chosenBox()) {
  if (number !== undefined && isEmpty(request().blocks[number])) removeBox(number);
  else {
    chooseBox();
    focusBox(number);
  }
}

/** Gives the focus to a box on the sheet, or to the button that adds one. */
function focusBox(number) {
  const made = $("boxes").children[number];
  if (made) made.focus({ preventScroll: true });
  else $("add-box").focus();
  if (made) chooseBox();
}

export function editWords(number) {
  chooseBox(number);
  $("blocks-text").focus();
}

function boxElement(number) {
  const made = element("div", { class: "box", role: "button", tabindex: 0, "aria-describedby": "box-keys" },
    element("span", { class: "ghost", "aria-hidden": "true" }), ...CORNERS.map((corner) => element("span", { class: `corner ${corner}`, "data-corner": corner })));
  made.addEventListener("pointerdown", (event) => startDrag(event, number));
  made.addEventListener("dblclick", () => editWords(number));
  made.addEventListener("focus", () => chooseBox(number));
  made.addEventListener("keydown", (event) => onKey(event, number));
  return made;
}

function show() {
  const [layer, blocks, page] = [$("boxes"), request().blocks ?? [], pagePx()];
  while (layer.childElementCount > blocks.length) layer.lastChild.remove();
  while (layer.childElementCount < blocks.length) layer.append(boxElement(layer.childElementCount));
  blocks.forEach((box, number) => {
    const { text, x, y, width, height, rotation = 0 } = box;
    const made = layer.children[number];
    const percent = (value, of) => `${(value / of) * 100}%`;
    Object.assign(made.style, {
      left: percent(x, page.width), top: percent(y, page.height), width: percent(width, page.width), height: percent(height, page.height),
      transform: `rotate(${rotation}deg)`,
    });
    made.classList.toggle("vacant", isEmpty(box));
    made.querySelector(".ghost").textContent = isEmpty(box) ? ghostOf(box, page) : "";
    made.setAttribute("aria-label", `Text box ${number + 1}: ${text || "empty"}`);
    made.setAttribute("aria-pressed", String(number === chosenBox()));
  });
}

/** Adds a box behind the others and chooses it; `edit` changes the state in the same step. */
export function addBlock(block, edit = () => {}) {
  change("add box", (next) => {
    next.request.blocks = [...(next.request.blocks ?? []), block];
    next.look.box = next.request.blocks.length - 1;
    edit(next, next.look.box);
  });
}

const isFull = () => (request().blocks ?? []).length >= MOST;

function addCopy(box) {
  if (isFull()) return;
  const place = beside(placeOf(box), COPY_STEP, pagePx());
  addBlock({ ...box, ...rounded(place) });
  $("boxes").lastChild.focus({ preventScroll: true });
}

export const duplicateBox = (number = chosenBox()) => addCopy(request().blocks[number]);

export function removeBox(number = chosenBox()) {
  change("remove box", (next) => {
    next.request.blocks.splice(number, 1);
    if (!next.request.blocks.length) delete next.request.blocks;
    delete next.look.box;
  });
  focusBox(Math.min(number, (request().blocks ?? []).length - 1));
}

/** Copy, cut, paste and duplicate, where no words are being written. */
function onEdit(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const focused = document.activeElement;
  if (focused.closest("input, textarea, select, dialog") || String(getSelection())) return;
  const number = focused.closest(".box") ? chosenBox() : undefined;
  const key = event.key.toLowerCase();
  if (key === "v" && copied) addCopy(copied);
  else if (number === undefined) return;
  else if (key === "d") duplicateBox(number);
  else if (key === "c" || key === "x") {
    copied = request().blocks[number];
    if (key === "x") removeBox(number);
  } else return;
  event.preventDefault();
}

export function startBoxes() {
  document.addEventListener("keydown", onEdit);
  $("stage").addEventListener("pointerdown", (event) => { if (!event.target.closest(".box")) chooseBox(); });
  follow(show);
}
