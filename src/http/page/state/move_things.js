// What lies on a page whose size changes: boxes and pictures keep their part of it.

import { dragged, rounded } from "../boxes/box_place.js";
import { isBackground } from "../artwork/pictures.js";
import { pageSize } from "./papers.js";
import { pxOfMm } from "./units.js";

/** How a page has grown across and down since it had the size `before`. */
function growth(wanted, before) {
  const after = pageSize(wanted);
  return [after.width / before.width, after.height / before.height];
}

const tenths = (mm) => Math.round(mm * 10) / 10;

/** Text boxes stay on the page. */
function moveBoxes({ request: wanted, look: looked }, before) {
  const [across, down] = growth(wanted, before);
  const { width, height } = pageSize(wanted);
  const page = { width: Math.floor(pxOfMm(width)), height: Math.floor(pxOfMm(height)) };
  const signature = wanted.blocks?.[looked.signed];
  const isFollowing = signature && signature.y === looked.signed_y;
  for (const block of wanted.blocks ?? []) {
    const box = { x: block.x * across, y: block.y * down, width: Math.min(block.width, page.width), height: Math.min(block.height, page.height) };
    Object.assign(block, rounded(dragged(box, "move", 0, 0, page)));
  }
  if (isFollowing) looked.signed_y = signature.y;
  delete looked.room;
}

/** Pictures keep their size, and the middle of each its part of the page; a background covers every page. */
export function movePictures(wanted, before) {
  const [across, down] = growth(wanted, before);
  for (const item of (wanted.artwork ?? []).filter((each) => !isBackground(each))) {
    const [width, height] = [item.width_mm ?? 0, item.height_mm ?? 0];
    item.x_mm = tenths(((item.x_mm ?? 0) + width / 2) * across - width / 2);
    item.y_mm = tenths(((item.y_mm ?? 0) + height / 2) * down - height / 2);
  }
}

/** Moves all of a side whose page had the size `before`, in mm. */
export function moveThings(side, before) {
  if (growth(side.request, before).every((by) => by === 1)) return;
  moveBoxes(side, before);
  movePictures(side.request, before);
}
