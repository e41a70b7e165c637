// What a file will be, from preflight's report: its size on paper with bleed and marks, its standard, its bytes.

import { nameOfValue } from "../controls/labels.js";
import { shownLength, shownSize, unit, pxOfMm } from "../state/units.js";

const KIBIBYTE = 1024;

/** A number of bytes for people. */
export const sized = (bytes) => (bytes < KIBIBYTE ** 2 ? `${Math.ceil(bytes / KIBIBYTE)} KiB` : `${(bytes / KIBIBYTE ** 2).toFixed(1)} MiB`);

const isLarger = (a, b) => a.width - b.width > 0.01;

/** Bleed around the trim in mm; 0 where there is none. */
export const bleedOf = (boxes) => (boxes && isLarger(boxes.bleed, boxes.trim) ? boxes.trim.x - boxes.bleed.x : 0);

function ofSheet(boxes) {
  if (!boxes) return "";
  const { media, bleed, trim } = boxes;
  if (!isLarger(media, trim)) return shownSize(trim);
  const around = bleedOf(boxes);
  const marks = isLarger(media, bleed) ? "crop marks" : "";
  const parts = [around && `${shownLength(pxOfMm(around))} ${unit()} of bleed`, marks].filter(Boolean).join(" and ");
  return `A sheet of ${shownSize(media)} with ${parts}, to be cut to ${shownSize(trim)}`;
}

/**
 * Sentences about a file.
 * @param {object} file as preflight reports it
 */
export function factsOf({ boxes_mm: boxes, conformance, output_condition: condition, bytes, effective_dpi: dpi }) {
  const standard = conformance && `${conformance}${condition ? ` for ${nameOfValue(condition)}` : ""}`;
  return [ofSheet(boxes), standard, dpi ? `${dpi} DPI` : "sharp at any size", `about ${sized(bytes)}`].filter(Boolean).join(" · ");
}
