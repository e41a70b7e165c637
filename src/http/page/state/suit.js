// Sizes and line heights that suit a hand: hands differ twofold in the height of their letters at one font size.

import { change, chosenBox, look, request, valueAt } from "./store.js";
import { rounded } from "../boxes/box_place.js";
import { isEnvelope, isMail, pageSize, papers } from "./papers.js";
import { pxOfMm } from "./units.js";

/** Heights of the letter x, in mm: what people write, smaller, and larger. */
const X_HEIGHTS = { small: 2, medium: 2.8, large: 4 };
const LARGEST = 400;
const SMALLEST = 20;

/** Distance of two lines as a multiple of the height of x; that of capitals alone is smaller. */
const PITCH = 3.3;
const PITCH_OF_CAPITALS = 2;

/** Margins as a part of the shorter side of the page, in mm. */
const MARGIN = { part: 0.1, least: 8, most: 20 };
const MARGINS = ["margin_left", "margin_right", "margin_top", "margin_bottom"];

const between = (least, value, most) => Math.min(most, Math.max(least, value));

/** The fonts as `GET /api/v1/fonts` lists them. */
export const fonts = [];
export const fontOf = (id) => fonts.find((font) => font.id === (id ?? 1));

/** The largest automatic size for a choice of size; undefined where the request says it. */
function largestSize(size, font) {
  if (size === "fill") return LARGEST;
  return font && X_HEIGHTS[size] && between(SMALLEST, Math.round(pxOfMm(X_HEIGHTS[size]) / font.x_height_em), LARGEST);
}

const lineHeight = ({ style, x_height_em: x }) => Number(between(0.9, x * (style === "caps" ? PITCH_OF_CAPITALS : PITCH), 2.2).toFixed(2));

function suitPaper(wanted, room = 0) {
  const { width, height } = pageSize(wanted);
  const margin = Math.round(pxOfMm(between(MARGIN.least, Math.min(width, height) * MARGIN.part, MARGIN.most)));
  for (const name of MARGINS) wanted[name] = margin;
  // Below the words stands a signature.
  wanted.margin_bottom = Math.max(margin, room);
  // The words of a postcard stand beside its address.
  const box = isMail(wanted) && !isEnvelope(wanted) && wanted.blocks?.find((block) => isAddress(block, pxOfMm(width)));
  if (box) wanted.margin_right = Math.round(pxOfMm(width)) - box.x + Math.round(pxOfMm(EDGE / 2));
}

/** Millimetres below an address that machines print on, and around boxes of mail. */
const CODES = 16;
const EDGE = 8;
/** Parts of the page: where an address begins, and how wide a sender is. */
const ADDRESS = { x: 0.47, y: 0.45 };
const SENDER = { width: 0.36, height: 0.26 };

/** The place of an address: right of the middle, in the lower half, above the codes of the post. */
export function addressBox(wanted) {
  const { width, height } = pageSize(wanted);
  const [x, y] = [width * ADDRESS.x, height * ADDRESS.y];
  const place = { x, y, width: width - x - EDGE, height: Math.max(EDGE, height - y - CODES) };
  return { ...inPx(place), keep_lines: true, text_alignment: "left", vertical_alignment: "top" };
}

/** The place of a sender: the upper left corner, in smaller letters. */
export function senderBox(wanted) {
  const { width, height } = pageSize(wanted);
  const place = { x: EDGE, y: EDGE, width: width * SENDER.width, height: height * SENDER.height };
  return { ...inPx(place), keep_lines: true, text_alignment: "left", vertical_alignment: "top", max_auto_font_size: largestSize("small", fontOf(wanted.font_id)) ?? SMALLEST * 3 };
}

const inPx = (box) => rounded(Object.fromEntries(Object.entries(box).map(([name, mm]) => [name, pxOfMm(mm)])));

/** Whether a box is where the address of a postcard is. */
const isAddress = ({ keep_lines: keepsLines, x }, width) => keepsLines === true && x >= width * 0.4;

/** Sets what suits the paper and the chosen hand, in a draft of the state. What a person has set stays. */
export function suit({ request: wanted, look: looked }) {
  if (looked.margins === "suits" && papers.length) suitPaper(wanted, looked.room);
  const font = fontOf(wanted.font_id);
  if (!font) return;
  const largest = largestSize(looked.size, font);
  if (largest) {
    delete wanted.font_size;
    wanted.max_auto_font_size = largest;
  }
  if (looked.pitch === "suits") wanted.line_height_multiplier = lineHeight(font);
}

/** The number of the hand of the page, or of the chosen text box. */
export const chosenHand = () => (chosenBox() === undefined ? undefined : valueAt("blocks.font_id")) ?? request().font_id ?? 1;

/** The largest automatic size for letters of a size in the chosen hand. */
export const largestFor = (wanted) => largestSize(wanted, fontOf(chosenHand()));

/** A text box in another hand, with letters as high as before. */
function suitBox(block, wanted, id) {
  // The hand may be one that the service has no longer.
  const before = fontOf(block.font_id ?? wanted.font_id) ?? fontOf(id);
  const size = block.max_auto_font_size ?? wanted.max_auto_font_size ?? LARGEST;
  block.font_id = id;
  block.max_auto_font_size = between(SMALLEST, Math.round((size * before.x_height_em) / fontOf(id).x_height_em), LARGEST);
  block.line_height_multiplier = lineHeight(fontOf(id));
}

/** Writes a draft of the state in a hand: the chosen text box, or the page. */
export function writeIn(id, next) {
  const block = next.request.blocks?.[next.look.box];
  if (block) {
    suitBox(block, next.request, id);
    return;
  }
  if (id === 1) delete next.request.font_id;
  else next.request.font_id = id;
  suit(next);
}

/** Chooses a hand, and what suits it. */
export const chooseHand = (id) => change("font_id", (next) => writeIn(id, next));

/** The size of the letters on the sheet, in px. */
let sizeInUse;
export const noteSize = ({ calculated_font_size: size }) => { sizeInUse = size ?? sizeInUse; };

/** Chooses a size: small, medium, large, fill, or own, which is that of the request. */
export const chooseSize = (size) => change("size", (next) => {
  next.look.size = size;
  if (size === "own") next.request.font_size ??= sizeInUse ?? Math.min(LARGEST, request().max_auto_font_size ?? 100);
  suit(next);
});

/** Once the fonts are known. */
export const suitAll = () => change("", suit);
export const size = () => look().size ?? "own";
