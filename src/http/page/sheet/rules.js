// The rules that the writing stands on, where the file has none: thin lines on the screen alone.

import { $, drawn } from "../controls/element.js";
import { mmOfPx } from "../state/units.js";
import { onPreview } from "./preview.js";

/** Draws those of the page on the sheet, as the service tells them, in px. */
function show({ heights, left, right } = { heights: [] }) {
  $("rules").replaceChildren(...heights.map((at) => drawn("line", { x1: mmOfPx(left), x2: mmOfPx(right), y1: mmOfPx(at), y2: mmOfPx(at), class: "rule" })));
  $("rules-said").hidden = !heights.length;
}

export const startRules = () => onPreview(({ hidden_rules: rules }) => show(rules));
