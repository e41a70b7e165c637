// The bleed of the file around the sheet: how far a background reaches beyond the edge at which it is cut.

import { $, drawn } from "../controls/element.js";
import { bleedOf } from "../files/file_facts.js";
import { isBackground } from "../artwork/pictures.js";
import { pageSize } from "../state/papers.js";
import { request, showAgain } from "../state/store.js";
import { shownLength, unit, pxOfMm } from "../state/units.js";

/** The bleed that the last report of preflight tells, in mm. */
let bleed = 0;

export const bleedMm = () => bleed;

/** Takes the bleed of a report. */
export function noteBleed(boxes) {
  const before = bleed;
  bleed = bleedOf(boxes);
  showBleed();
  if (bleed !== before) showAgain();
}

/** Draws the bleed: a line, and under a background the part that is cut off. */
export function showBleed() {
  const { width, height } = pageSize(request());
  const has = bleed > 0;
  const hasBackground = has && (request().artwork ?? []).some(isBackground);
  $("bleed-said").hidden = !hasBackground;
  $("bleed-said").textContent = `Dashed: ${shownLength(pxOfMm(bleed))} ${unit()} of bleed, which the background fills and which is cut off.`;
  const around = { x: -bleed, y: -bleed, width: width + 2 * bleed, height: height + 2 * bleed };
  const band = `M${-bleed} ${-bleed}h${around.width}v${around.height}h${-around.width}zM0 0v${height}h${width}v${-height}z`;
  $("bleed").replaceChildren(
    ...(hasBackground ? [drawn("path", { d: band, class: "cut-off" })] : []),
    ...(has ? [drawn("rect", { ...around, class: "bleed" }, drawn("title", {}, "Bleed: what is cut off"))] : []),
  );
}
