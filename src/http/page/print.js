// «Print»: the page at its real size, as the browser prints it.

import { $ } from "./element.js";
import { act, fileRequest } from "./files.js";
import { ofWarnings, say } from "./messages.js";
import { pageSize } from "./papers.js";
import { askAgain, decoded } from "./service.js";
import { request, valueAt } from "./store.js";

let isSized = false;

/** Sets the size of the printed sheet: by rules in a style sheet of the page, as it has no code or style of its own. */
function setSize({ width, height }) {
  const [sheet] = document.styleSheets;
  if (isSized) sheet.deleteRule(0);
  sheet.insertRule(`@page { size: ${width}mm ${height}mm; margin: 0; }`, 0);
  isSized = true;
  Object.assign($("printed").style, { width: `${width}mm`, height: `${height}mm` });
}

async function print() {
  if (valueAt("overflow") === "paginate") throw new Error("The page may have several sheets: download a PDF, and print that.");
  const page = await (await askAgain("/api/v1/generate", { body: fileRequest("png") })).json();
  say("action", ofWarnings(page.warnings));
  const image = $("printed");
  const url = URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" }));
  image.src = url;
  await image.decode();
  setSize(pageSize(request()));
  addEventListener("afterprint", () => URL.revokeObjectURL(url), { once: true });
  $("said").textContent = "In the browser's dialog, choose “Actual size” or 100 %.";
  window.print();
}

export const startPrint = () => $("print").addEventListener("click", () => act($("print"), print));
