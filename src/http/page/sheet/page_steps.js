// The pages of a text that takes several: which of them is on the sheet.

import { $ } from "../controls/element.js";
import { ofPreviews } from "../state/fields.js";
import { onPreview, previewSoon } from "./preview.js";
import { sideNumber } from "../state/sides.js";
import { request, valueAt, watch } from "../state/store.js";

let shown = 1;
let count = 1;

/** Whether the text may take several pages, and the service shows them. */
const isPaged = () => ofPreviews.has("page") && valueAt("overflow") === "paginate";

/** The page that a preview is to show, as members of its request. */
export const pageAsked = () => (isPaged() ? { page: shown } : {});

/** The page on the sheet, from 1. */
export const pageOnSheet = () => (isPaged() ? shown : 1);

/** Whether a text box is on the page on the sheet: on the first one, or on the last. */
const hasBox = ({ page = "first" } = {}) => pageOnSheet() === (page === "last" ? pagesOfText() : 1);

/** Shows the page of a text box. */
export function showPageOf({ page = "first" }) {
  if (isPaged()) go(page === "last" ? count : 1);
}

const isOnPage = ({ pages = "all" } = {}) => pages === "all" || (pages === "first") === (pageOnSheet() === 1);

/** The pages of the side on the screen. */
export const pagesOfText = () => (isPaged() ? count : 1);

function show() {
  const several = isPaged() && count > 1;
  $("page-steps").hidden = !several;
  [...$("boxes").children].forEach((made, number) => { made.hidden = !hasBox(request().blocks?.[number]); });
  [...$("pictures").children].forEach((made, number) => { made.hidden = !isOnPage(request().artwork?.[number]); });
  if (!several) return;
  $("page-count").textContent = `Page ${shown} of ${count}`;
  $("page-back").disabled = shown === 1;
  $("page-on").disabled = shown === count;
}

function go(to) {
  shown = Math.min(Math.max(1, to), count);
  show();
  previewSoon();
}

export function startPageSteps() {
  $("page-back").addEventListener("click", () => go(shown - 1));
  $("page-on").addEventListener("click", () => go(shown + 1));
  onPreview(({ pages }) => {
    count = pages ?? 1;
    if (shown > count) go(count);
    else show();
  });
  let side = sideNumber();
  watch(() => {
    if (side !== sideNumber()) shown = 1;
    side = sideNumber();
    show();
  });
}
