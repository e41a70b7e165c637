// Text boxes on the sheet.

import { $ } from "../controls/element.js";
import { placeOf, rounded } from "./box_place.js";
import { isEmpty } from "../state/empty_boxes.js";
import { copyThing, focusThing, startMovable } from "./movable.js";
import { pagePx } from "../state/papers.js";
import { change, choose, chosenBox, request, unchoose } from "../state/store.js";

export const MOST = 16;

/** The words that stand in an empty box on the screen alone. */
export function ghostOf({ keep_lines: keepsLines, x, y, rotation }, page) {
  if (!keepsLines) return "Your words";
  // A signature rises.
  if (rotation) return "Your name";
  return x < page.width * 0.3 && y < page.height * 0.3 ? "Sender" : "Name\nStreet\nTown";
}

/** @type {import("./movable.js").Kind} */
const BOXES = {
  name: "box",
  layer: "boxes",
  keys: "box-keys",
  all: () => request().blocks ?? [],
  most: () => MOST,
  boxOf: placeOf,
  room: pagePx,
  isFixed: () => false,
  keepsShape: () => false,
  place: (number, box, step) => change(step, (next) => Object.assign(next.request.blocks[number], rounded(box))),
  edit: editWords,
  remove: removeBox,
  leave: leaveBox,
  addCopy: (box, place) => addBlock({ ...box, ...rounded(place) }),
  shown: (box, number) => ({ label: `Text box ${number + 1}: ${box.text || "empty"}`, ghost: isEmpty(box) ? ghostOf(box, pagePx()) : "", turn: box.rotation }),
  chosen: chosenBox,
};

/** Leaves a box; one without words is taken back. */
export function leaveBox(number = chosenBox()) {
  if (number !== undefined && isEmpty(request().blocks[number])) removeBox(number);
  else {
    choose();
    focusThing(BOXES, number, "add-box");
  }
}

export function editWords(number) {
  choose("box", number);
  $("blocks-text").focus();
}

/** Adds a box behind the others and chooses it; `edit` changes the state in the same step. */
export function addBlock(block, edit = () => {}) {
  change("add box", (next) => {
    next.request.blocks = [...(next.request.blocks ?? []), block];
    unchoose(next);
    next.look.box = next.request.blocks.length - 1;
    edit(next, next.look.box);
  });
}

export const duplicateBox = (number = chosenBox()) => copyThing(BOXES, request().blocks[number]);

export function removeBox(number = chosenBox()) {
  change("remove box", (next) => {
    next.request.blocks.splice(number, 1);
    if (!next.request.blocks.length) delete next.request.blocks;
    unchoose(next);
  });
  focusThing(BOXES, Math.min(number, (request().blocks ?? []).length - 1), "add-box");
}

export const startBoxes = () => startMovable(BOXES);
