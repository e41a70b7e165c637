// What preflight finds: in a list under the sheet, and drawn on it.

import { $, drawn, element, later } from "./element.js";
import { pathOf } from "./fields.js";
import { goTo, nameOf } from "./messages.js";
import { onPreview } from "./preview.js";
import { nameOfValue } from "./labels.js";
import { mailPieces, nameOfPiece } from "./papers.js";
import { askAgain } from "./service.js";
import { fileRequest } from "./files.js";
import { inWords } from "./wording.js";

/** Preflight shares the previews' limit, so it waits until nothing has changed for a while. */
const QUIET_MS = 500;
const SEVERITIES = { error: "Error:", warning: "Look:", info: "Remark:" };
const VERDICTS = { ok: "Ready to print", info: "Ready to print", warning: "Look before printing", error: "Not ready to print" };

let underWay = new AbortController();

const lowered = (words) => (/^[A-Z][a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words);

function entry({ severity, field, message, remedy }) {
  const link = element("a", { href: `#${field}` }, nameOf(pathOf(field)));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(pathOf(field));
  });
  return element("li", { class: severity }, element("b", {}, SEVERITIES[severity] ?? severity), " ", inWords(message, field), ": ", lowered(inWords(remedy, field)), " (", link, ")");
}

function show({ verdict, checked_against: against, findings }) {
  $("check").hidden = false;
  $("check").className = verdict;
  const counted = findings.length ? `, ${findings.length} ${findings.length === 1 ? "remark" : "remarks"}` : "";
  $("verdict").textContent = `${VERDICTS[verdict]}${against ? ` (${mailPieces.some(({ name }) => name === against) ? nameOfPiece(against) : nameOfValue(against)})` : ""}${counted}`;
  $("findings").replaceChildren(...findings.map(entry));
  $("found-boxes").replaceChildren(...findings.filter(({ box_mm: box, page }) => box && (page ?? 1) === 1).map(({ box_mm: box, severity, message }) =>
    drawn("rect", { x: box.x, y: box.y, width: box.width, height: box.height, class: `found ${severity}` }, drawn("title", {}, message))));
}

const check = later(async () => {
  underWay.abort();
  underWay = new AbortController();
  try {
    const body = fileRequest();
    show(await (await askAgain("/api/v1/preflight", { body, signal: underWay.signal })).json());
  } catch {
    $("check").hidden = true;
  }
}, QUIET_MS);

export const startFindings = () => onPreview(() => {
  $("check").classList.add("old");
  $("found-boxes").replaceChildren();
  check();
});

