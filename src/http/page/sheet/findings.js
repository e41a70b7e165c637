// What preflight finds: in a list under the sheet, and drawn on it.

import { $, drawn, element, later } from "../controls/element.js";
import { emptyBoxes, isBlank, placeOnScreen } from "../state/empty_boxes.js";
import { pathOf } from "../state/fields.js";
import { goTo, isTold, nameOf, toldOnce } from "../controls/messages.js";
import { onPreview } from "./preview.js";
import { nameOfValue } from "../controls/labels.js";
import { mailPieces, nameOfPiece, useOfRequest } from "../state/papers.js";
import { pageOnSheet, pagesOfText } from "./page_steps.js";
import { askAgain } from "../service.js";
import { addedSide, blankSides, nameOfSide, pathOnSide, sideNumber, sideOf, SIDES } from "../state/sides.js";
import { change, request, valueAt, watch } from "../state/store.js";
import { noteBleed } from "./bleed.js";
import { factsOf } from "../files/file_facts.js";
import { extension, fileRequest, handsWithoutStrokes, kind, sideOfFile } from "../files/files.js";
import { inWords } from "../controls/wording.js";

/** Preflight shares the previews' limit, so it waits until nothing has changed for a while. */
const QUIET_MS = 500;
const SEVERITIES = { error: "Error:", warning: "Look:", info: "Remark:" };
const WORST = ["error", "warning", "info", "ok"];
const VERDICTS = { ok: "Ready to print", info: "Ready to print", warning: "Look before printing", error: "Not ready to print" };

let underWay = new AbortController();

const lowered = (words) => (/^[A-Z][a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words);

/** A finding in words: without a side where it is of the whole sheet. */
function inList({ severity, path, message, remedy }) {
  return { severity, path: placeOnScreen(path), said: inWords(message, path), does: remedy ? lowered(inWords(remedy, path)) : "" };
}

function entry({ severity, path, said, does }) {
  const { side } = sideOf(path);
  const link = element("a", { href: "#panels" }, nameOf(path));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  const of = side === undefined ? [] : [element("b", {}, `${nameOfSide(side)}: `)];
  return element("li", { class: severity }, element("b", {}, SEVERITIES[severity] ?? severity), " ", ...of, said, does && `: ${does}`, " (", link, ")");
}

/** Whether a letter is small because it has one page. */
const mayGoOn = () => Boolean(report?.findings.some(({ check: name }) => name === "x_height")) && valueAt("overflow") !== "paginate" && useOfRequest(request()) === "Letter";

/** Lets the words go on on more pages, which only a PDF has. */
const goOn = () => change("more pages", (next) => {
  next.request.overflow = "paginate";
  if (extension() !== "pdf") delete next.look.kind;
});

/** The findings of the page itself. */
const ownFindings = () => [
  ...handsWithoutStrokes().map((name) => ({ severity: "error", said: `${name} has no strokes for a plotter: `, path: "font_id", does: "choose another hand" })),
  ...(extension() === "pdf" ? blankSides() : []).map((side) => ({ severity: "warning", said: `The ${SIDES[side]} is empty and is not in the file: `, path: `sides.${side}.text`, does: SIDES[side] === addedSide() ? `write on it, or remove the ${SIDES[side]}` : "write on it" })),
  ...(mayGoOn() ? [{ severity: "warning", said: "The letters are small, so that all words are on one page: ", does: "let them go on on more pages", act: goOn }] : []),
  ...emptyBoxes().map((number) => ({ severity: "warning", said: `Text box ${number + 1} is empty and is not in the file: `, path: `blocks.${number}.text`, does: "write in it or remove it" })),
];

function ownEntry({ severity, said, path, does, act = () => goTo(path) }) {
  const link = element("a", { href: "#panels" }, does);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    act();
  });
  return element("li", { class: severity }, element("b", {}, SEVERITIES[severity]), " ", said, link);
}

/**
 * The last report; the page's own findings change without it. `sides` are the numbers of those in its file; undefined is
 * the only one of a page.
 */
let report;

/** Whether the file of the report has the side on the screen, with something on it. */
const hasSide = () => Boolean(report?.sides.includes(sideNumber())) && !isBlank(request());

/** The number of pages before those of the side on the screen: a file of both has the front's first. */
const pagesBefore = () => (sideNumber() === 1 && report.sides.length > 1 ? Math.max(0, (report.file?.pages?.length ?? 0) - pagesOfText()) : 0);

/** The box around all ink on the sheet, in mm, as the last report has it. */
export const inkBox = () => (hasSide() ? report.file?.pages?.[pagesBefore()]?.ink_box_mm : undefined);

/** Whether a finding is about the page on the sheet. */
function isOnSheet({ box_mm: box, path, page }) {
  const { side = sideNumber() } = sideOf(path);
  return box && hasSide() && side === sideNumber() && (page ?? 1) - pagesBefore() === pageOnSheet();
}

/** Takes a report of a file of these sides. */
function take({ findings, ...found }, sides) {
  const [side, ...others] = sides;
  const ofFile = (field) => pathOnSide(pathOf(field), others.length ? undefined : side);
  report = { ...found, sides, findings: findings.map((finding) => ({ ...finding, path: ofFile(finding.field) })) };
}

function showReport() {
  const { verdict: found, checked_against: against } = report;
  const own = ownFindings();
  const findings = toldOnce(report.findings.map(inList));
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
  $("found-boxes").replaceChildren(...report.findings.filter(isOnSheet).map(({ box_mm: box, severity, message }) =>
    drawn("rect", { x: box.x, y: box.y, width: box.width, height: box.height, class: `found ${severity}` }, drawn("title", {}, message))));
  noteBleed(report.file?.boxes_mm);
}

const check = later(async () => {
  underWay.abort();
  underWay = new AbortController();
  const body = fileRequest();
  const sides = body.sides ? [0, 1] : [sideOfFile()];
  if (!body.sides && isBlank(body)) {
    $("check").hidden = true;
    return;
  }
  try {
    take(await (await askAgain("/api/v1/preflight", { body, signal: underWay.signal })).json(), sides);
    showReport();
  } catch (error) {
    if (error.name === "AbortError") return;
    // The preview knows neither the other side nor the options of the file; what it says already is not told again.
    const findings = (error.details ?? []).map(({ field, message }) => ({ severity: "error", field, message }));
    take({ verdict: "error", findings }, sides);
    if (report.findings.map(inList).every(({ path, said }) => isTold({ path, text: said }))) $("check").hidden = true;
    else showReport();
  }
}, QUIET_MS);

export function startFindings() {
  $("verdict").addEventListener("click", (event) => { if ($("check").classList.contains("bare")) event.preventDefault(); });
  onPreview(() => {
    $("check").classList.add("old");
    $("found-boxes").replaceChildren();
    check();
  });
  let [own, checked, side] = ["", kind(), sideNumber()];
  watch(() => {
    const now = JSON.stringify(ownFindings());
    if (now !== own && report && !$("check").hidden) showReport();
    own = now;
    // What was found on another side is not on this one.
    if (side !== sideNumber()) $("found-boxes").replaceChildren();
    side = sideNumber();
    // Another kind of file is the same picture.
    if (checked !== kind()) check();
    checked = kind();
  });
}

