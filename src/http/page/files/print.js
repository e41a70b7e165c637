// «Print»: the page at its real size, both sides of it, as the browser prints it.

import { $, element } from "../controls/element.js";
import { isBlank } from "../state/empty_boxes.js";
import { act, fileRequest } from "./files.js";
import { written, writtenBehind } from "../merge/list.js";
import { ofWarnings, onSide, say } from "../controls/messages.js";
import { pageSize } from "../state/papers.js";
import { askAgain, decoded } from "../service.js";
import { inOrder, sideNumber } from "../state/sides.js";
import { request } from "../state/store.js";

let isSized = false;

/** Sets the size of the printed sheets: by a rule in a style sheet of the page, as it has no code or style of its own. */
function setSize({ width, height }) {
  const [sheet] = document.styleSheets;
  if (isSized) sheet.deleteRule(0);
  sheet.insertRule(`@page { size: ${width}mm ${height}mm; margin: 0; }`, 0);
  isSized = true;
  for (const image of $("printed").children) Object.assign(image.style, { width: `${width}mm`, height: `${height}mm` });
}

/** The sides that something is on, the front first, with their numbers where there are two. */
function sides() {
  const all = inOrder(written(), writtenBehind()).map((side, number) => ({ side, number: sideNumber() === undefined ? undefined : number }));
  const filled = all.filter(({ side }) => side && !isBlank(side));
  return filled.length ? filled : [{ side: written(), number: sideNumber() }];
}

/** The picture of a side, and what is said of it. */
async function made({ side, number }) {
  const answer = await onSide(number, () => askAgain("/api/v1/generate", { body: fileRequest("png", side) }));
  const { image_base64: image, warnings } = await answer.json();
  return { image, said: ofWarnings(warnings, number) };
}

async function print() {
  if (sides().some(({ side }) => side.overflow === "paginate")) throw new Error("The page may have several sheets: download a PDF, and print that.");
  const pages = [];
  for (const side of sides()) pages.push(await made(side));
  say("action", pages.flatMap(({ said }) => said));
  const images = pages.map(({ image }) => element("img", { alt: "", src: URL.createObjectURL(new Blob([decoded(image)], { type: "image/png" })) }));
  $("printed").replaceChildren(...images);
  await Promise.all(images.map((image) => image.decode()));
  setSize(pageSize(request()));
  addEventListener("afterprint", () => images.forEach(({ src }) => URL.revokeObjectURL(src)), { once: true });
  $("said").textContent = `In the browser's dialog, choose “Actual size” or 100 %${images.length > 1 ? ", and print on both sides" : ""}.`;
  window.print();
}

export const startPrint = () => $("print").addEventListener("click", () => act($("print"), print));
