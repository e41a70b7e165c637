// The rules that the writing stands on, where the file has none: thin lines on the screen alone.

import { $, drawn } from "./element.js";
import { valueOf } from "./controls.js";
import { pageSize, rulings } from "./papers.js";
import { request } from "./store.js";
import { mmOfPx, pxOfMm } from "./units.js";

/** The rules of a ruling that are not drawn in the file: their heights in px, between the margins. */
export function ghostRules(ruling, { top, bottom }, height, { pitches, first_below_margin: below }) {
  const { pitch = pitches[ruling], first_baseline: first, draw: isDrawn } = typeof ruling === "object" && ruling !== null ? ruling : {};
  if (!pitch || isDrawn) return [];
  const start = first ?? top + below * pitch;
  const count = Math.max(0, Math.floor((height - bottom - start) / pitch) + 1);
  return Array.from({ length: count }, (_, number) => start + number * pitch).filter((at) => at >= top);
}

/** Draws them on the sheet. */
export function showRules() {
  const { width, height } = pageSize(request());
  const [top, bottom, left, right] = ["top", "bottom", "left", "right"].map((side) => valueOf(`margin_${side}`) ?? 0);
  const heights = rulings.pitches ? ghostRules(request().ruling, { top, bottom }, pxOfMm(height), rulings) : [];
  $("rules").replaceChildren(...heights.map((at) => drawn("line", { x1: mmOfPx(left), x2: width - mmOfPx(right), y1: mmOfPx(at), y2: mmOfPx(at), class: "rule" })));
  $("rules-said").hidden = !heights.length;
}
