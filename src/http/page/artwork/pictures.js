// Pictures under the writing: where they are on the page, and what the service knows of them. Lengths of a request are in mm,
// boxes on the sheet in px.

import { mmOfPx, pxOfMm } from "../state/units.js";

const PLACE = ["x_mm", "y_mm", "width_mm", "height_mm"];
const DPI = 300;
const MM_PER_INCH = 25.4;
/** A logo: its width, its part of a narrow page, and how far down it stands, as a part of the page. */
const LOGO = { mm: 25, most: 0.5, down: 0.08 };
/** How far the shape of a background may be from that of the page, and the least pixels for an inch of it. */
const LIKE_PAGE = 0.1;
const LEAST_DPI = 120;

/** What is known of the pictures of the key, by id: { kind, bytes, width, height }, and of a drawing { width_mm, height_mm }. */
let kept = new Map();
/** Whether the service has told of all that it keeps. */
let isComplete = false;

export const keptPictures = () => kept;

/** Takes the list of the service; undefined where it has not told. */
export function takePictures(list) {
  isComplete = list !== undefined;
  kept = new Map((list ?? []).map((picture) => [picture.id, picture]));
}

/** Takes note of a picture that was sent. */
export const notePicture = (picture) => { kept.set(picture.id, picture); };
export const dropPicture = (id) => { kept.delete(id); };

/** Whether the service has told that it does not keep a picture. */
export const isGone = ({ id }) => isComplete && !kept.has(id);

/** Width by height; a square where nobody knows. */
export function shapeOf({ id }) {
  const { width, height } = kept.get(id) ?? {};
  return width && height ? width / height : 1;
}

/** Whether a picture covers the page and its bleed. */
export const isBackground = (item) => PLACE.every((name) => (item[name] ?? null) === null);

/** Whether a picture has the shape of its file, as one length tells its size. */
export const keepsShape = (item) => (item.width_mm ?? null) === null || (item.height_mm ?? null) === null;

const tenths = (mm) => Math.round(mm * 10) / 10;

/** The size of a picture in mm, as the service takes it. */
export function sizeOfPicture(item) {
  const shape = shapeOf(item);
  const { width_mm: width, height_mm: height } = item;
  if (width) return { width, height: height || width / shape };
  if (height) return { width: height * shape, height };
  const { width: pixels = DPI, width_mm: own = (pixels / DPI) * MM_PER_INCH } = kept.get(item.id) ?? {};
  return { width: own, height: own / shape };
}

/** Where a picture is on a page in px, with this bleed in px. */
export function boxOfPicture(item, page, bleed) {
  if (isBackground(item)) return { x: -bleed, y: -bleed, width: page.width + 2 * bleed, height: page.height + 2 * bleed };
  const { width, height } = sizeOfPicture(item);
  return { x: pxOfMm(item.x_mm ?? 0), y: pxOfMm(item.y_mm ?? 0), width: pxOfMm(width), height: pxOfMm(height) };
}

/** A picture at another place, in tenths of a millimetre; one in the shape of its file stays so. */
export function pictureAt(item, box) {
  const made = { ...item, x_mm: tenths(mmOfPx(box.x)), y_mm: tenths(mmOfPx(box.y)), width_mm: tenths(mmOfPx(box.width)), height_mm: tenths(mmOfPx(box.height)) };
  if (keepsShape(item)) delete made.height_mm;
  return made;
}

/** A picture that covers the page. */
export function asBackground(item) {
  const made = { ...item };
  for (const name of [...PLACE, "fit"]) delete made[name];
  return made;
}

/** A picture as a logo in the upper middle of a page in mm, or around a point of it. */
export function asLogo(item, page, at) {
  const width = Math.min(LOGO.mm, page.width * LOGO.most, page.height * LOGO.most * shapeOf(item));
  const middle = at ?? { x: page.width / 2, y: page.height * LOGO.down + width / shapeOf(item) / 2 };
  return { ...asBackground(item), x_mm: tenths(middle.x - width / 2), y_mm: tenths(middle.y - width / shapeOf(item) / 2), width_mm: tenths(width) };
}

/** Whether a picture looks like a background for a page in mm: it has its shape, and enough pixels. */
export function suitsPage({ width, height }, page) {
  const likeness = width / height / (page.width / page.height);
  return Math.abs(likeness - 1) <= LIKE_PAGE && width / (page.width / MM_PER_INCH) >= LEAST_DPI;
}

/** A list of pictures with a background at the bottom, in the place of the one before. */
export const withBackground = (list, item) => [item, ...list.filter((other) => !isBackground(other))];

/** A list of pictures with that of a number at another place: 0 is the bottom. */
export function reordered(list, from, to) {
  const made = list.filter((_, at) => at !== from);
  made.splice(Math.max(0, Math.min(made.length, to)), 0, list[from]);
  return made;
}
