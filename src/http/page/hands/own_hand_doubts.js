// Boxes in doubt: each as it was read, to be used as it is or written again.

import { drawn, element } from "../controls/element.js";

/** A box without its printed words, and its lines from its top, in mm, as the sheet prints them. */
const BOX = { width: 14.4, top: 4, height: 16, x: 10.2, baseline: 13.6 };

const copies = (count) => ["no other copy is good", "1 other copy is good"][count] ?? `${count} other copies are good`;

/** The ink of a box between the lines of the sheet. */
function picture({ ink, character }) {
  const line = (y) => drawn("line", { x1: 0, x2: BOX.width, y1: y, y2: y, class: "guide" });
  const shown = drawn("svg", { viewBox: `0 ${BOX.top} ${BOX.width} ${BOX.height}`, role: "img", "aria-label": `What was read for ${character}` });
  shown.append(line(BOX.x), line(BOX.baseline), drawn("path", { d: ink, class: "ink" }));
  return shown;
}

function card(doubt, keep) {
  const { page, row, box, character, doubts, kept, good_copies: good } = doubt;
  const use = element("button", { type: "button", class: "plain small", "aria-pressed": String(kept) }, "Use it");
  use.setAttribute("aria-label", `Use it: ${character} of page ${page}, row ${row}, box ${box}`);
  use.addEventListener("click", () => {
    const isKept = use.getAttribute("aria-pressed") !== "true";
    use.setAttribute("aria-pressed", String(isKept));
    keep([page, row, box], isKept);
  });
  return element("li", { class: good || kept ? "doubt" : "doubt needed" },
    picture(doubt),
    element("p", {}, element("b", {}, character), ` ${doubts.join(", ")}`),
    element("p", { class: "hint" }, `page ${page}, row ${row}, box ${box}; ${copies(good)}`),
    use);
}

/**
 * Shows the boxes in doubt, first those that are missed most. `keep` is told of a box that is to be used or not.
 * @param {HTMLElement} place
 */
export function showDoubts(place, doubts, keep) {
  const sorted = [...doubts].sort((one, other) => one.good_copies - other.good_copies);
  const focused = document.activeElement?.closest(".doubts") === place ? document.activeElement.getAttribute("aria-label") : "";
  place.replaceChildren(...sorted.map((doubt) => card(doubt, keep)));
  // A letter that was just kept stays the one with the focus.
  if (focused) [...place.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === focused)?.focus();
}
