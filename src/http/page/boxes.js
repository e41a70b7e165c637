// Text boxes on the sheet: added, chosen, dragged and sized, with the pointer or the keyboard.

import { $, element } from "./element.js";
import { follow } from "./controls.js";
import { mailPiece, pagePx } from "./papers.js";
import { scale } from "./sheet.js";
import { change, chosenBox, request } from "./store.js";
import { largestFor } from "./suit.js";
import { pxOfMm } from "./units.js";

/** Shortest side of a box, and a step of the keyboard, in px. */
const LEAST = 60;
const STEP = Math.round(pxOfMm(1));
const MOST = 16;
const LONGEST_NAME = 24;
const CORNERS = ["nw", "ne", "sw", "se"];

const between = (least, value, most) => Math.max(least, Math.min(value, most));
const copyOf = (box) => (({ x, y, width, height }) => ({ x, y, width, height }))(box);

export const chooseBox = (number) => change("", (next) => {
  if (number === undefined) delete next.look.box;
  else next.look.box = number;
});

/** A box after a drag of `right` and `down` px at its middle (`move`) or a corner. It stays on the page. */
function dragged(box, kind, right, down) {
  const page = pagePx();
  if (kind === "move") {
    return { ...box, x: between(0, box.x + right, page.width - box.width), y: between(0, box.y + down, page.height - box.height) };
  }
  const side = (start, extent, by, isFirst, most) => {
    if (!isFirst) return [start, between(LEAST, extent + by, most - start)];
    const at = between(0, start + by, start + extent - LEAST);
    return [at, start + extent - at];
  };
  const [x, width] = side(box.x, box.width, right, kind.includes("w"), page.width);
  const [y, height] = side(box.y, box.height, down, kind.includes("n"), page.height);
  return { x, y, width, height };
}

function place(number, box, step) {
  const whole = Object.fromEntries(Object.entries(box).map(([name, value]) => [name, Math.round(value)]));
  change(step, (next) => Object.assign(next.request.blocks[number], whole));
}

function startDrag(event, number) {
  if (event.button !== 0) return;
  event.preventDefault();
  const made = event.currentTarget;
  chooseBox(number);
  made.focus({ preventScroll: true });
  const kind = event.target.dataset.corner ?? "move";
  const from = copyOf(request().blocks[number]);
  const { clientX, clientY, timeStamp } = event;
  made.setPointerCapture(event.pointerId);
  const move = (moved) => {
    const by = scale();
    place(number, dragged(from, kind, (moved.clientX - clientX) / by, (moved.clientY - clientY) / by), `drag ${timeStamp}`);
  };
  made.addEventListener("pointermove", move);
  made.addEventListener("lostpointercapture", () => made.removeEventListener("pointermove", move), { once: true });
}

const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

function onKey(event, number) {
  const { key, shiftKey } = event;
  if (key in ARROWS) place(number, dragged(copyOf(request().blocks[number]), shiftKey ? "se" : "move", ...ARROWS[key]), `keys ${number}`);
  else if (key === "Delete" || key === "Backspace") removeBox(number);
  else if (key === "Escape") chooseBox();
  else if (key === "Enter" || key === " ") editWords(number);
  else return;
  event.preventDefault();
}

function editWords(number) {
  chooseBox(number);
  $("blocks-text").focus();
}

function boxElement(number) {
  const made = element("div", { class: "box", role: "button", tabindex: 0, "aria-describedby": "box-keys" },
    ...CORNERS.map((corner) => element("span", { class: `corner ${corner}`, "data-corner": corner })));
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
  blocks.forEach(({ text, x, y, width, height, rotation = 0 }, number) => {
    const made = layer.children[number];
    const percent = (value, of) => `${(value / of) * 100}%`;
    Object.assign(made.style, {
      left: percent(x, page.width), top: percent(y, page.height), width: percent(width, page.width), height: percent(height, page.height),
      transform: `rotate(${rotation}deg)`,
    });
    made.setAttribute("aria-label", `Text box ${number + 1}: ${text}`);
    made.setAttribute("aria-pressed", String(number === chosenBox()));
  });
  for (const id of ["add-box", "sign"]) $(id).disabled = blocks.length >= MOST;
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The free place for a box that is nearest to the wanted one: off the zones of a mail piece and other boxes. */
function freePlace(wanted) {
  const page = pagePx();
  const zones = (mailPiece(request())?.zones ?? []).map((zone) => Object.fromEntries(Object.entries(copyOf(zone)).map(([name, mm]) => [name, pxOfMm(mm)])));
  const taken = [...zones, ...(request().blocks ?? [])];
  const places = [wanted];
  for (let x = STEP; x + wanted.width < page.width; x += 5 * STEP) {
    for (let y = STEP; y + wanted.height < page.height; y += 5 * STEP) places.push({ ...wanted, x, y });
  }
  const far = (box) => Math.hypot(box.x - wanted.x, box.y - wanted.y);
  const free = places.filter((box) => !taken.some((other) => overlap(box, other))).sort((a, b) => far(a) - far(b));
  return free[0] ?? wanted;
}

/** Adds a box with a text, `part` of the page wide and high, with its upper left corner at `at` of the page. */
function add(text, part, at, members, edit = () => {}) {
  const page = pagePx();
  const wanted = { x: page.width * at[0], y: page.height * at[1], width: Math.max(LEAST, page.width * part[0]), height: Math.max(LEAST, page.height * part[1]) };
  const box = Object.fromEntries(Object.entries(freePlace(wanted)).map(([name, value]) => [name, Math.round(value)]));
  change("add box", (next) => {
    edit(next.request);
    next.request.blocks = [...(next.request.blocks ?? []), { text, ...box, ...members }];
    next.look.box = next.request.blocks.length - 1;
  });
}

function addBox() {
  add("Your words", [0.4, 0.14], [0.3, 0.62], {});
  $("blocks-text").focus();
  $("blocks-text").select();
}

/** The name under a letter, and the letter without it. */
export function signatureOf(text) {
  const lines = text.trimEnd().split("\n");
  const last = lines.pop().trim();
  const [, before = "", name = last] = /^(.+,)\s+(.+)$/.exec(last) ?? [];
  const rest = [...lines, before].join("\n").trimEnd();
  if (!name || !rest || name.length > LONGEST_NAME || /[{}]/.test(name) || /[.!?]$/.test(name)) return { name: "Your name", rest: text };
  return { name, rest };
}

/** Writes the name under the text in a box of its own; its hand is chosen next. */
function sign(chooseHand) {
  const { name, rest } = signatureOf(request().text ?? "");
  const members = { text_alignment: "center", vertical_alignment: "center", max_auto_font_size: largestFor("large"), rotation: -3 };
  add(name, [0.42, 0.12], [0.5, 0.72], members, (wanted) => { wanted.text = rest; });
  chooseHand();
}

export function removeBox(number = chosenBox()) {
  change("remove box", (next) => {
    next.request.blocks.splice(number, 1);
    if (!next.request.blocks.length) delete next.request.blocks;
    delete next.look.box;
  });
}

/** `chooseHand` opens the choice of a hand for the chosen box. */
export function startBoxes(chooseHand) {
  $("add-box").addEventListener("click", addBox);
  $("sign").addEventListener("click", () => sign(chooseHand));
  $("stage").addEventListener("pointerdown", (event) => { if (!event.target.closest(".box")) chooseBox(); });
  follow(show);
}
