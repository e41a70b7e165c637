// What preflight finds: in a list under the sheet, and drawn on it.

import { $, drawn, element, later } from "./element.js";
import { emptyBoxes, placeOnScreen } from "./empty_boxes.js";
import { pathOf } from "./fields.js";
import { goTo, nameOf } from "./messages.js";
import { onPreview } from "./preview.js";
import { nameOfValue } from "./labels.js";
import { mailPieces, nameOfPiece } from "./papers.js";
import { pageOnSheet, pagesOfText } from "./page_steps.js";
import { askAgain } from "./service.js";
import { addedSide, blankSides, nameOfSide, sideNumber, sideOf, SIDES } from "./sides.js";
import { watch } from "./store.js";
import { noteBleed } from "./bleed.js";
import { factsOf } from "./file_facts.js";
import { extension, fileRequest, handsWithoutStrokes, kind } from "./files.js";
import { inWords } from "./wording.js";

/** Preflight shares the previews' limit, so it waits until nothing has changed for a while. */
const QUIET_MS = 500;
const SEVERITIES = { error: "Error:", warning: "Look:", info: "Remark:" };
const WORST = ["error", "warning", "info", "ok"];
const VERDICTS = { ok: "Ready to print", info: "Ready to print", warning: "Look before printing", error: "Not ready to print" };

let underWay = new AbortController();

const lowered = (words) => (/^[A-Z][a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words);

function entry({ severity, field, message, remedy }) {
  const path = placeOnScreen(pathOf(field));
  const { side, path: onSide } = sideOf(path);
  const link = element("a", { href: `#${field}` }, nameOf(side === sideNumber() ? onSide : path));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  const of = side === undefined ? [] : [element("b", {}, `${nameOfSide(side)}: `)];
  const does = remedy ? [": ", lowered(inWords(remedy, field))] : [];
  return element("li", { class: severity }, element("b", {}, SEVERITIES[severity] ?? severity), " ", ...of, inWords(message, field), ...does, " (", link, ")");
}

/** The findings of the page itself. */
const ownFindings = () => [
  ...handsWithoutStrokes().map((name) => ({ severity: "error", said: `${name} has no strokes for a plotter: `, path: "font_id", does: "choose another hand" })),
  ...(extension() === "pdf" ? blankSides() : []).map((side) => ({ severity: "warning", said: `The ${SIDES[side]} is empty and is not in the file: `, path: `sides.${side}.text`, does: SIDES[side] === addedSide() ? `write on it, or remove the ${SIDES[side]}` : "write on it" })),
  ...emptyBoxes().map((number) => ({ severity: "warning", said: `Text box ${number + 1} is empty and is not in the file: `, path: `blocks.${number}.text`, does: "write in it or remove it" })),
];

function ownEntry({ severity, said, path, does }) {
  const link = element("a", { href: "#panels" }, does);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  return element("li", { class: severity }, element("b", {}, SEVERITIES[severity]), " ", said, link);
}

/** The number of pages before those of the side on the screen: a file of both has the front's first. */
const pagesBefore = () => (sideNumber() === 1 && !blankSides().length && extension() === "pdf" ? Math.max(0, (report?.file?.pages?.length ?? 0) - pagesOfText()) : 0);

/** The box around all ink on the sheet, in mm, as the last report has it. */
export const inkBox = () => report?.file?.pages?.[pagesBefore()]?.ink_box_mm;

/** Whether a finding is about the page on the sheet. */
function isOnSheet({ box_mm: box, field, page }) {
  const { side = sideNumber() } = sideOf(pathOf(field));
  return box && side === sideNumber() && (page ?? 1) - pagesBefore() === pageOnSheet();
}

/** The last report; the page's own findings change without it. */
let report;

function show(found) {
  report = found;
  showReport();
}

function showReport() {
  const { verdict: found, checked_against: against, findings } = report;
  const own = ownFindings();
  const verdict = [found, ...own.map(({ severity }) => severity)].sort((a, b) => WORST.indexOf(a) - WORST.indexOf(b))[0];
  const count = findings.length + own.length;
  $("check").hidden = false;
  $("check").className = verdict;
  // Without remarks there is nothing to open.
  $("check").classList.toggle("bare", count === 0);
  if (count === 0) $("check").open = false;
  const counted = count ? `, ${count} ${count === 1 ? "remark" : "remarks"}` : "";
  $("verdict").textContent = `${VERDICTS[verdict]}${against ? ` (${mailPieces.some(({ name }) => name === against) ? nameOfPiece(against) : nameOfValue(against)})` : ""}${counted}`;
  $("file-said").textContent = report.file ? `${factsOf(report.file)}.` : "";
  $("findings").replaceChildren(...own.map(ownEntry), ...findings.map(entry));
  $("found-boxes").replaceChildren(...findings.filter(isOnSheet).map(({ box_mm: box, severity, message }) =>
    drawn("rect", { x: box.x, y: box.y, width: box.width, height: box.height, class: `found ${severity}` }, drawn("title", {}, message))));
  noteBleed(report.file?.boxes_mm);
}

const check = later(async () => {
  underWay.abort();
  underWay = new AbortController();
  try {
    const body = fileRequest();
    show(await (await askAgain("/api/v1/preflight", { body, signal: underWay.signal })).json());
  } catch (error) {
    // The preview shows one side: what is wrong with the other one is told here.
    const behind = (error.details ?? []).filter(({ field }) => (sideOf(pathOf(field)).side ?? sideNumber()) !== sideNumber());
    if (behind.length) show({ verdict: "error", findings: behind.map(({ field, message }) => ({ severity: "error", field, message })) });
    else $("check").hidden = true;
  }
}, QUIET_MS);

export function startFindings() {
  $("verdict").addEventListener("click", (event) => { if ($("check").classList.contains("bare")) event.preventDefault(); });
  onPreview(() => {
    $("check").classList.add("old");
    $("found-boxes").replaceChildren();
    check();
  });
  let [own, checked] = ["", kind()];
  watch(() => {
    const now = JSON.stringify(ownFindings());
    if (now !== own && report && !$("check").hidden) showReport();
    own = now;
    // Another kind of file is the same picture.
    if (checked !== kind()) check();
    checked = kind();
  });
}

