// A click on the writing goes to its words. The service tells where words are on the page that is shown.

import { $ } from "../controls/element.js";
import { editWords } from "../boxes/boxes.js";
import { placeOnScreen } from "../state/empty_boxes.js";
import { merged } from "../merge/list.js";
import { onPreview } from "./preview.js";
import { scale } from "./sheet.js";
import { showTabOf } from "../controls/tabs.js";

/** How far from a word a click still means it, in CSS px, and how far the pointer may move in a click. */
const NEAR = 10;
const STILL = 4;

/** @type {{ block: number | null, start: number, end: number, x: number, y: number, width: number, height: number }[]} */
let places = [];

/** The place that a point is in or near, the nearest first; undefined if none is near. */
export function wordAt(x, y, all, near) {
  const far = (place) => Math.hypot(Math.max(place.x - x, 0, x - place.x - place.width), Math.max(place.y - y, 0, y - place.y - place.height));
  const found = all.map((place) => ({ place, far: far(place) })).sort((a, b) => a.far - b.far)[0];
  return found && found.far <= near ? found.place : undefined;
}

/** The place of a character in a JavaScript text, from its place among Unicode characters. */
export const unitsBefore = (text, characters) => [...text].slice(0, characters).join("").length;

function goTo({ block, start, end }) {
  const isPage = block === null;
  if (!isPage) editWords(Number(placeOnScreen(`blocks.${block}`).slice("blocks.".length)));
  const area = $(isPage ? "text" : "blocks-text");
  showTabOf(area);
  area.focus();
  // The words of a row are not those in the field.
  if (merged()) return;
  area.setSelectionRange(unitsBefore(area.value, start), unitsBefore(area.value, end));
}

export function startWordsAt() {
  onPreview((page) => { places = page.places ?? []; });
  let pressed;
  $("stage").addEventListener("pointerdown", (event) => { pressed = event; });
  $("stage").addEventListener("click", (event) => {
    // The second click of a double click looks closer.
    if (!pressed || event.detail > 1 || event.target.closest(".box") || Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > STILL) return;
    const { left, top } = $("sheet").getBoundingClientRect();
    const by = scale();
    const found = wordAt((event.clientX - left) / by, (event.clientY - top) / by, places, NEAR / by);
    // The places are those of the last picture, which a sheet without words does not show.
    if (found && !$("preview").hidden) goTo(found);
  });
}
