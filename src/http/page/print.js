// «Print»: the page at its real size, both sides of it, as the browser prints it.

import { $, element } from "./element.js";
import { isBlank } from "./empty_boxes.js";
import { act, fileRequest } from "./files.js";
import { written, writtenBehind } from "./list.js";
import { ofWarnings, say } from "./messages.js";
import { pageSize } from "./papers.js";
import { askAgain, decoded } from "./service.js";
import { inOrder } from "./sides.js";
import { request } from "./store.js";

let isSized = false;

/** Sets the size of the printed sheets: by a rule in a style sheet of the page, as it has no code or style of its own. */
function setSize({ width, height }) {
  const [sheet] = document.styleSheets;
  if (isSized) sheet.deleteRule(0);
  sheet.insertRule(`@page { size: ${width}mm ${height}mm; margin: 0; }`, 0);
  isSized = true;
  for (const image of $("printed").children) Object.assign(image.style, { width: `${width}mm`, height: `${height}mm` });
}

/** The sides that something is on, the front first. */
function sides() {
  const all = inOrder(written(), writtenBehind());
  const filled = all.filter((side) => side && !isBlank(side));
  return filled.length ? filled : [written()];
}

async function print() {
  if (sides().some(({ overflow }) => overflow === "paginate")) throw new Error("The page may have several sheets: download a PDF, and print that.");
  const pages = [];
  for (const side of sides()) pages.push(await (await askAgain("/api/v1/generate", { body: fileRequest("png", side) })).json());
  say("action", ofWarnings(pages.flatMap(({ warnings }) => warnings)));
  const images = pages.map((page) => element("img", { alt: "", src: URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" })) }));
  $("printed").replaceChildren(...images);
  await Promise.all(images.map((image) => image.decode()));
  setSize(pageSize(request()));
  addEventListener("afterprint", () => images.forEach(({ src }) => URL.revokeObjectURL(src)), { once: true });
  $("said").textContent = `In the browser's dialog, choose “Actual size” or 100 %${images.length > 1 ? ", and print on both sides" : ""}.`;
  window.print();
}

export const startPrint = () => $("print").addEventListener("click", () => act($("print"), print));
