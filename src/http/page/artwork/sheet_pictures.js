// Pictures on the sheet. The preview shows them; here are the frames by which they are chosen, moved and sized.

import { $ } from "../controls/element.js";
import { bleedMm } from "../sheet/bleed.js";
import { copyThing, focusThing, startMovable } from "../boxes/movable.js";
import { pagePx, pageSize } from "../state/papers.js";
import { nameOfPicture } from "./picture_service.js";
import { asBackground, asLogo, boxOfPicture, isBackground, keepsShape, pictureAt, reordered, withBackground } from "./pictures.js";
import { fields } from "../state/fields.js";
import { change, choose, chosenPicture, otherSide, request, unchoose } from "../state/store.js";
import { pxOfMm } from "../state/units.js";

/** Shortest side of a picture, and how far it may reach beyond the page where the file has no bleed, in mm. */
const LEAST_MM = 2;
const BEYOND_MM = 3;

export const pictures = () => request().artwork ?? [];
export const mostPictures = () => fields.get("artwork").most;
/** Whether a side, or that on the screen, has room for one more picture; a background takes the place of the one before. */
export function hasRoom(isBehind = false, { artwork = [] } = request()) {
  const others = artwork.filter((item) => !isBehind || !isBackground(item));
  return others.length < mostPictures();
}

/** What a picture is called. */
export const titleOf = (item, number) => nameOfPicture(item.id) ?? `Picture ${number + 1}`;

const beyond = () => pxOfMm(bleedMm() || BEYOND_MM);

/** @type {import("../boxes/movable.js").Kind} */
const PICTURES = {
  name: "picture",
  layer: "pictures",
  keys: "picture-keys",
  all: pictures,
  most: mostPictures,
  boxOf: (item) => boxOfPicture(item, pagePx(), pxOfMm(bleedMm())),
  room: () => ({ ...pagePx(), beyond: beyond(), least: pxOfMm(LEAST_MM) }),
  isFixed: isBackground,
  keepsShape,
  place: (number, box, step) => change(step, (next) => { next.request.artwork[number] = pictureAt(next.request.artwork[number], box); }),
  edit: editPicture,
  remove: removePicture,
  leave: leavePicture,
  addCopy: (item, place) => (place ? addItem(pictureAt(item, place)) : addItem(item, true)),
  shown: (item, number) => ({ label: `${isBackground(item) ? "Background" : "Picture"}: ${titleOf(item, number)}`, ghost: "" }),
  chosen: chosenPicture,
};

/** Where the pictures are that do not cover the page, in px. */
export const picturePlaces = () => pictures().filter((item) => !isBackground(item)).map(PICTURES.boxOf);

/** Goes to the controls of a picture. */
function editPicture(number) {
  choose("picture", number);
  document.querySelector("#picture-panel input:checked")?.focus();
}

function leavePicture(number = chosenPicture()) {
  choose();
  focusThing(PICTURES, number, "add-picture");
}

/** Adds a picture on top of the others, or a background below them in the place of the one before, in a draft of a side. */
function addTo({ request: wanted, look: looked }, item, isBehind) {
  const { artwork: before = [] } = wanted;
  wanted.artwork = isBehind ? withBackground(before, item) : [...before, item];
  // The picture that is chosen has another number then.
  if (before[looked.picture]) looked.picture = wanted.artwork.indexOf(before[looked.picture]);
}

/** Adds a picture to the side on the screen, and chooses it if it is no background. */
function addItem(item, isBehind = false) {
  change("add picture", (next) => {
    addTo(next, item, isBehind);
    unchoose(next);
    if (!isBehind) next.look.picture = next.request.artwork.length - 1;
  });
}

/**
 * Adds a picture by its id; a logo around a point of the page in mm, if there is one, gets the focus, so that keys move it.
 * False where the page has no room for it.
 */
export function addPicture(id, { isBehind = false, at } = {}) {
  if (!hasRoom(isBehind)) return false;
  const bare = asBackground({ id });
  addItem(isBehind ? bare : asLogo(bare, pageSize(request()), at), isBehind);
  if (!isBehind) $(PICTURES.layer).lastChild.focus({ preventScroll: true });
  return true;
}

/** Adds a picture as `addPicture` does, to the side at a `place`, and leaves alone what is chosen and has the focus. */
export function addUnseen(id, place, { isBehind = false, at } = {}) {
  const { request: side } = place === "screen" ? { request: request() } : otherSide();
  if (!hasRoom(isBehind, side)) return false;
  const bare = asBackground({ id });
  change("add picture", (next) => addTo(place === "screen" ? next : next.other, isBehind ? bare : asLogo(bare, pageSize(side), at), isBehind));
  return true;
}

export const hasBackground = ({ artwork = [] } = request()) => artwork.some(isBackground);
export const duplicatePicture = (number = chosenPicture()) => copyThing(PICTURES, pictures()[number]);

export function removePicture(number = chosenPicture()) {
  change("remove picture", (next) => {
    next.request.artwork.splice(number, 1);
    if (!next.request.artwork.length) delete next.request.artwork;
    unchoose(next);
  });
  focusThing(PICTURES, Math.min(number, pictures().length - 1), "add-picture");
}

/** Puts the chosen picture elsewhere among the others; 0 is the bottom. */
export function orderPicture(to) {
  const from = chosenPicture();
  change("order", (next) => {
    next.request.artwork = reordered(next.request.artwork, from, to);
    next.look.picture = Math.max(0, Math.min(pictures().length - 1, to));
  });
}

/** Makes the chosen picture the background, or gives it a place. */
export function setBackground(isBehind) {
  const number = chosenPicture();
  change("background", (next) => {
    const { artwork } = next.request;
    const [item] = artwork.splice(number, 1);
    if (isBehind) {
      next.request.artwork = withBackground(artwork, asBackground(item));
      next.look.picture = 0;
    } else artwork.splice(number, 0, asLogo(item, pageSize(next.request)));
  });
}

export const startPictures = () => startMovable(PICTURES);
