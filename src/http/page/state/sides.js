// The two sides of a page: one is on the screen, and the store holds the other. The paper and the options of the file are one
// for both; all else is of its side.

import { isBlank } from "./empty_boxes.js";
import { moveThings } from "./move_things.js";
import { mailPieces, pageSize } from "./papers.js";
import { randomSeed } from "./seed.js";
import { change, look, otherSide, pageHere, request, settleBy, unchoose } from "./store.js";
import { suit } from "./suit.js";

/** Members of a request that are one for both sides: of the sheet, and of the file. */
const SHEET = ["page_size", "orientation", "custom_page"];
const FILE = ["dpi", "pdf", "svg", "png_format", "on_finding"];
/** Members that say what is on a side, and those that are never said for both: the back takes no seed from beside it. */
const CONTENT = ["text", "blocks", "artwork"];
const NEVER_SHARED = [...CONTENT, "seed"];
/** What of the look is of a side, and what of it a new side begins with. */
const LOOKS_OF_SIDE = ["size", "pitch", "margins", "signed", "signed_y", "room", "letter", "envelope", "box", "picture"];
const LOOKS_OF_NEW = ["size", "pitch", "margins"];
const SAME_MM = 0.05;

export const SIDES = ["front", "back"];
const NAMES = ["Front", "Back"];
export const nameOfSide = (number) => NAMES[number];

/** The number of the side on the screen: 0 is the front; undefined where the page has one side. */
export const sideNumber = () => (otherSide() ? Number(look().side === "back") : undefined);

const picked = (all, isWanted) => Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
const isOfSide = (name) => LOOKS_OF_SIDE.includes(name);

/** The page with its other side on the screen. */
function turned({ request: wanted, look: looked, other }) {
  const aside = { request: wanted, look: picked(looked, isOfSide) };
  unchoose(aside);
  const side = looked.side === "back" ? "front" : "back";
  return { request: other.request, look: { ...picked(looked, (name) => !isOfSide(name)), ...other.look, side }, other: aside };
}

export const turnOver = () => change("", (next) => Object.assign(next, turned(next)));

/** The mail piece of the other side; undefined if there is none. */
export function pieceBehind(name = "", pieces = mailPieces) {
  const pairs = [[/_front$/, "_back"], [/_back$/, "_front"], [/^lob_letter$/, "lob_letter_inside"], [/^lob_letter_inside$/, "lob_letter"]];
  const behind = pairs.filter(([end]) => end.test(name)).map(([end, other]) => name.replace(end, other))[0];
  return pieces.find((piece) => piece.name === behind)?.name;
}

/** Gives a side the sheet of another, in a draft: its mail piece, or else its paper. */
function takeSheet(side, from, piece) {
  for (const name of [...SHEET, "mail_piece"]) delete side.request[name];
  const source = mailPieces.find(({ name }) => name === from.mail_piece);
  if (piece) side.request.mail_piece = piece;
  else if (source) {
    side.request.page_size = source.page_size;
    if (source.orientation === "landscape") side.request.orientation = source.orientation;
  } else Object.assign(side.request, picked(from, (name) => SHEET.includes(name)));
}

/** The other side of a mail piece that was chosen is that of its pair, in a draft of the state. */
export function pairPiece({ request: wanted, other }) {
  const behind = pieceBehind(wanted.mail_piece);
  if (!other || !behind) return;
  const before = pageSize(other.request);
  takeSheet(other, wanted, behind);
  moveThings(other, before);
  suit(other);
}

const isKnown = ({ mail_piece: name }) => !name || mailPieces.some((piece) => piece.name === name);

/** Makes the paper and the options of the file those of the side on the screen, in a draft of the state. */
function shareSheet({ request: wanted, other }) {
  if (!other) return;
  for (const name of FILE) {
    if (name in wanted) other.request[name] = wanted[name];
    else delete other.request[name];
  }
  // Mail pieces are known once there is a key.
  if (![wanted, other.request].every(isKnown)) return;
  const [size, before] = [pageSize(wanted), pageSize(other.request)];
  if (["width", "height"].every((side) => Math.abs(size[side] - before[side]) < SAME_MM)) return;
  takeSheet(other, wanted, pieceBehind(wanted.mail_piece));
  moveThings(other, before);
  suit(other);
}

/** An empty side behind a page, written as that is, with a variation of its own. */
function sideBehind({ request: wanted, look: looked }) {
  const made = { request: picked(wanted, (name) => !CONTENT.includes(name)), look: picked(looked, (name) => LOOKS_OF_NEW.includes(name)) };
  made.request.text = "";
  if ("seed" in wanted) made.request.seed = randomSeed();
  // A size of its own suits the words of the front.
  if (typeof wanted.font_size === "number") {
    delete made.request.font_size;
    made.look.size = "medium";
  }
  if (wanted.mail_piece) takeSheet(made, wanted, pieceBehind(wanted.mail_piece));
  suit(made);
  return made;
}

/** Whether the side on the screen can be the back of a page alone, by its mail piece. */
export const isBackOfMail = ({ mail_piece: name = "" }) => name.endsWith("_back");

/** The side that was added to the other one: the back, or the front of a page that began as the back of a mail piece. */
export const addedSide = (looked = look()) => looked.added ?? "back";

/** Whether the side on the screen is the one that was added. */
const isAdded = () => Boolean(otherSide()) && look().side === addedSide();

/** The side on the screen, for work that ends later. */
export const sideOnScreen = () => ({ page: pageHere(), isAdded: isAdded() });

/** Where a side is that was on the screen: `screen` or `other`; undefined where it is gone, or another page is open. */
export function placeOf({ page, isAdded: wasAdded }) {
  if (page !== pageHere() || (wasAdded && !otherSide())) return undefined;
  return wasAdded === isAdded() ? "screen" : "other";
}

/** Adds the side that is missing and shows it. */
export const addSide = () => change("add side", (next) => {
  const isFrontMissing = isBackOfMail(next.request);
  next.other = sideBehind(next);
  next.look.side = isFrontMissing ? "back" : "front";
  if (isFrontMissing) next.look.added = "front";
  Object.assign(next, turned(next));
});

/** Removes the side that was added; the other one is on the screen then. */
export const removeAdded = () => change("remove side", (next) => {
  if (next.look.side === addedSide(next.look)) Object.assign(next, turned(next));
  delete next.other;
  delete next.look.side;
  delete next.look.added;
  unchoose(next);
});

/** The requests of the front and the back; the back is undefined where there is none. */
export function inOrder(here, behind) {
  return look().side === "back" && behind ? [behind, here] : [here, behind];
}

/** The options of the file of a side beside one for a mail piece, which sets their preset. */
function forMail(side, { mail_piece: name }, pieces) {
  const piece = pieces.find((known) => known.name === name);
  return piece && !side.mail_piece ? { ...side, pdf: { ...side.pdf, preset: piece.preset } } : side;
}

/** One request for a file of two sides. What both have in common stands beside `sides`. */
export function bothSides(one, other, pieces = mailPieces) {
  const [front, back] = [forMail(one, other, pieces), forMail(other, one, pieces)];
  const isShared = (name) => !NEVER_SHARED.includes(name) && JSON.stringify(front[name]) === JSON.stringify(back[name]);
  const own = (side) => picked(side, (name) => !isShared(name));
  return { ...picked(front, isShared), sides: [own(front), own(back)] };
}

/** The sides that something is on: `both`, that on the `screen` or the `other` one; that on the screen where there is nothing. */
function filled(here, behind) {
  if (!behind || isBlank(behind)) return "screen";
  return isBlank(here) ? "other" : "both";
}

/** A request of the sides that something is on; `ofSide` makes that of a side. */
export function ofFilledSides(here, behind, ofSide) {
  const which = filled(here, behind);
  if (which !== "both") return ofSide(which === "screen" ? here : behind);
  return bothSides(...inOrder(ofSide(here), ofSide(behind)));
}

/** The number of the side that such a request is of, where the page has two and something is on one of them. */
export function filledSide(here, behind) {
  const number = sideNumber();
  return number === undefined ? undefined : { screen: number, other: 1 - number }[filled(here, behind)];
}

/** The sides with nothing on them, by number: no file has them. */
export const blankSides = () => (otherSide() ? inOrder(request(), otherSide().request).flatMap((side, number) => (isBlank(side) ? [number] : [])) : []);

/** The number of the side that a path such as `sides.1.text` is of, and the path on that side. */
export function sideOf(path) {
  const [, number, rest] = /^sides\.(\d)\.?(.*)$/.exec(path) ?? [];
  return number === undefined ? { path } : { side: Number(number), path: rest };
}

/** A path with the number of its side; as it is where it has one, where `side` is undefined, and where it is of both sides. */
export function pathOnSide(path, side) {
  if (side === undefined || path === "sides" || sideOf(path).side !== undefined) return path;
  return path ? `sides.${side}.${path}` : `sides.${side}`;
}

/** Shows the side that a path is of. Returns the path on it. */
export function turnTo(named) {
  const { side, path } = sideOf(named);
  if (side !== undefined && sideNumber() !== undefined && side !== sideNumber()) turnOver();
  return path;
}

export const startSides = () => settleBy(shareSheet);
