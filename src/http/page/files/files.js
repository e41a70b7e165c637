// The files to take away, and what is asked for each.

import { $, element } from "../controls/element.js";
import { segments } from "../controls/controls.js";
import { ofError, ofWarnings, onSide, say, scrollToError } from "../controls/messages.js";
import { askAgain, decoded } from "../service.js";
import { written, writtenBehind } from "../merge/list.js";
import { ofFiles } from "../state/fields.js";
import { paperOf } from "../state/paper_colors.js";
import { nameOfWords, wordsOf } from "./names.js";
import { blankSides, filledSide, ofFilledSides } from "../state/sides.js";
import { look, otherSide, putLook, request, watch } from "../state/store.js";
import { fontOf } from "../state/suit.js";

/** The kinds of file: the format, and what it sets. */
const KINDS = {
  png: { label: "PNG", said: "A picture with transparent paper.", format: "png" },
  pdf: { label: "PDF", said: "A PDF for office printers; the writing is a picture.", format: "pdf" },
  outlines: { label: "Outlines", said: "A PDF with the letters as paths, sharp at any size.", format: "pdf", pdf: { writing: "outlines" } },
  pdfx: { label: "PDF/X", said: "A PDF/X-1a in CMYK, for printing houses.", format: "pdf", pdf: { standard: "pdfx1a" } },
  svg: { label: "SVG", said: "The letters as paths, for the web and for cutters.", format: "svg" },
  strokes: { label: "Strokes", said: "An SVG of the lines of the pen, in the order of writing, for pen plotters.", format: "svg", svg: { paths: "strokes" } },
};

export const kinds = Object.keys(KINDS);
/** The kind that is chosen, or else one that can have all of the page. */
export const kind = () => look().kind ?? (otherSide() || request().overflow === "paginate" ? "pdf" : "png");

/** A side as it is asked for, for a kind of file. Options of other formats are left out. */
function ofKind(chosen, wanted) {
  const { format, pdf, svg } = KINDS[chosen];
  const made = JSON.parse(JSON.stringify(wanted));
  for (const other of ["pdf", "svg"]) if (other !== format) delete made[other];
  if (format !== "png") {
    made.output_format = format;
    delete made.png_format;
  }
  if (pdf) made.pdf = { ...made.pdf, ...pdf };
  if (svg) made.svg = { ...made.svg, ...svg };
  // What is said of light ink is of this paper.
  return { ...made, ...paperOf(ofFiles) };
}

const isPdf = (chosen) => KINDS[chosen].format === "pdf";

/**
 * The request for a file: of both sides of a page, if it is a PDF and there is something on them, or of that on the screen.
 * @param {object} [behind] the side that is not on the screen
 */
export function fileRequest(chosen = kind(), wanted = written(), behind = writtenBehind()) {
  return ofFilledSides(wanted, isPdf(chosen) ? behind : undefined, (side) => ofKind(chosen, side));
}

/** The number of the side that a file is of, where the page has two and the file has one of them. */
export const sideOfFile = (chosen = kind()) => filledSide(written(), isPdf(chosen) ? writtenBehind() : undefined);

/** What people call a kind of file. */
export const labelOfKind = (chosen = kind()) => KINDS[chosen].label;

export const extension = (chosen = kind()) => KINDS[chosen].format;

const tell = (text) => { $("said").textContent = text; };

/** Does what a button is for. The button keeps the focus, and does nothing more until it is done. */
export async function act(button, work) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  say("action", []);
  try {
    await work();
  } catch (error) {
    say("action", ofError(error));
    scrollToError();
    tell("That did not work: see what is wrong.");
  } finally {
    button.ariaDisabled = "false";
  }
}

/** Copies a text; where the browser does not let it, selects it in `source`. Says so in `place`. */
export async function copy(text, said, source, place = $("said")) {
  try {
    await navigator.clipboard.writeText(text);
    place.textContent = said;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    place.textContent = "The browser lets no page copy here. It is selected: press Ctrl+C.";
  }
}

/** Gives the browser a file to keep. */
export function keepFile(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The name of a file by its first words, and by its kind where that is not its ending: "dear-ann-thank-you-outlines.pdf". */
export function fileName(page, chosen = kind()) {
  const suffix = { outlines: "-outlines", pdfx: "-pdfx", strokes: "-strokes" }[chosen] ?? "";
  const side = page.other && extension(chosen) !== "pdf" ? `-${page.look.side}` : "";
  return `${nameOfWords(wordsOf(page))}${side}${suffix}.${extension(chosen)}`;
}

async function download() {
  const [body, side] = [fileRequest(), sideOfFile()];
  tell("Writing…");
  const answer = await onSide(side, () => askAgain("/api/v1/generate", { body, tell }));
  const behind = writtenBehind();
  const name = fileName({ request: written(), look: look(), other: behind && { request: behind } });
  let blob;
  let warnings;
  if (extension() === "png") {
    const page = await answer.json();
    blob = new Blob([decoded(page.image_base64)], { type: "image/png" });
    warnings = page.warnings;
  } else {
    blob = await answer.blob();
    warnings = JSON.parse(answer.headers.get("X-Warnings") ?? "[]");
  }
  say("action", ofWarnings(warnings, side));
  keepFile(blob, name);
  tell(`${name} was downloaded, ${Math.ceil(blob.size / 1024)} KiB.`);
}

/** What a button said is past once the file is another. */
function startForgetting() {
  let last = "";
  watch(() => {
    const now = JSON.stringify(fileRequest());
    if (now !== last) {
      say("action", []);
      tell("");
    }
    last = now;
  });
}

export function startFiles() {
  startForgetting();
  const choice = segments("kind", "File", Object.entries(KINDS).map(([name, { label }]) => [name, label]), { read: kind, write: (name) => putLook("kind", name) });
  $("kinds").append(choice);
  $("download").addEventListener("click", () => act($("download"), download));
}

/** The hands of the page that have no strokes, by name, where the file is to have them. */
export function handsWithoutStrokes() {
  if (kind() !== "strokes") return [];
  const { font_id: hand, text, blocks = [] } = written();
  const used = [...(text?.trim() || !blocks.length ? [hand] : []), ...blocks.map(({ font_id: own }) => own ?? hand)];
  return [...new Set(used)].map(fontOf).filter((font) => font && !font.strokes).map(({ name }) => name);
}

/** Which sides of a page are in the file, in words. */
function saidOfSides() {
  if (!otherSide()) return "";
  if (extension() !== "pdf") return ` It has the ${look().side} alone.`;
  return blankSides().length ? "" : " It has both sides.";
}

/** What the chosen kind of file is, in words. */
export function saidOfKind() {
  const isMail = kind() === "pdf" && written().mail_piece;
  return (isMail ? "A PDF by the rules of the mail piece; the writing is a picture." : KINDS[kind()].said) + saidOfSides();
}
