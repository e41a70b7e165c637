// Lengths: the request has pixels at 300 DPI; people choose millimetres, inches or pixels.

import { look } from "./store.js";

const PX_PER_INCH = 300;
export const MM_PER_INCH = 25.4;

/** Pixels in one of each unit, and the decimals that are worth showing. */
const UNITS = {
  mm: { px: PX_PER_INCH / MM_PER_INCH, decimals: 1 },
  in: { px: PX_PER_INCH, decimals: 2 },
  px: { px: 1, decimals: 2 },
};

export const units = Object.keys(UNITS);
export const unit = () => look().unit ?? "mm";
const rounded = (value, decimals) => Number(value.toFixed(decimals));

/** Pixels at 300 DPI as a number in the chosen unit. */
export const shownLength = (px) => rounded(px / UNITS[unit()].px, UNITS[unit()].decimals);

/** A number in the chosen unit as pixels at 300 DPI. */
export const lengthInPx = (shown, isWhole) => {
  const px = shown * UNITS[unit()].px;
  return isWhole ? Math.round(px) : rounded(px, 3);
};

/** A size in millimetres in the chosen unit, with its name. */
export const shownSize = ({ width, height }) => `${shownLength(width * UNITS.mm.px)} × ${shownLength(height * UNITS.mm.px)} ${unit()}`;
export const pxOfMm = (mm) => mm * UNITS.mm.px;
export const mmOfPx = (px) => px / UNITS.mm.px;
