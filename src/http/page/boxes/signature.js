// The signature under a letter: a box on one line, in a hand of its own, that follows the end of the letter.

import { $, later } from "../controls/element.js";
import { addBlock } from "./boxes.js";
import { LEAST } from "./box_place.js";
import { merged, written } from "../merge/list.js";
import { pagePx } from "../state/papers.js";
import { showPageOf } from "../sheet/page_steps.js";
import { onPreview, previewRequest } from "../sheet/preview.js";
import { askAgain } from "../service.js";
import { change, look, request } from "../state/store.js";
import { largestFor } from "../state/suit.js";
import { pxOfMm } from "../state/units.js";

/** The room above a signature, in px. */
const GAP = Math.round(pxOfMm(2));
const LONGEST_NAME = 24;
/** Height of its box, which has room for any hand, and width of a letter, in sizes; its turn in degrees. */
const SIZES_HIGH = 3;
const SIZES_WIDE = 0.7;
const TURN = -2;
const QUIET_MS = 350;

/** What the place was found for. */
let placedFor = "";

/**
 * The name under a letter, and the letter without it; the name is "" where there is none.
 * @param {string} text
 */
export function signatureOf(text) {
  const lines = text.trimEnd().split("\n");
  const last = lines.pop().trim();
  const [, before = "", name = last] = /^(.+,)\s+(.+)$/.exec(last) ?? [];
  const rest = [...lines, before].join("\n").trimEnd();
  if (!name || !rest || name.length > LONGEST_NAME || /[{}]/.test(name) || /[.!?,]$/.test(name)) return { name: "", rest: text };
  return { name, rest };
}

/** The end of the writing on its last page, and the size of its letters, in px; a guess where the service does not tell. */
async function endOfWriting(text) {
  const { blocks, ...wanted } = written({ ...request(), text });
  const { page, ...body } = previewRequest(wanted);
  try {
    const { file } = await (await askAgain("/api/v1/preflight", { body: { ...body, output_format: "pdf" } })).json();
    const ink = file.pages.at(-1).ink_box_mm;
    return { end: pxOfMm(ink.y + ink.height), size: file.calculated_font_size ?? request().font_size };
  } catch {
    return { end: pagePx().height * 0.7, size: largestFor("medium") };
  }
}

/** Where a box of a height stands under the writing: in sight of the lower margin. */
function yUnder(end, height) {
  const page = pagePx();
  const margin = Math.min(request().margin_bottom ?? 0, Math.round(page.height * 0.1));
  return Math.max(0, Math.round(Math.min(end + GAP, page.height - margin - height)));
}

/** Puts the signature at a height, and remembers it, as long as nobody moves it. A letter that fills the page makes room. */
function put(next, number, y, end) {
  next.request.blocks[number].y = y;
  Object.assign(next.look, { signed: number, signed_y: y });
  if (y >= end) return;
  next.look.room = pagePx().height - y;
  next.request.margin_bottom = next.look.room;
}

const lettersNow = () => JSON.stringify({ ...request(), blocks: 0, seed: 0 });

async function sign(chooseHand) {
  const { name, rest } = signatureOf(request().text ?? "");
  const { end, size } = await endOfWriting(rest);
  const { margin_left: left = 0, margin_right: right = 0 } = request();
  const letters = Math.max(20, Math.round(size ?? largestFor("medium")));
  const height = Math.max(LEAST, letters * SIZES_HIGH);
  const page = pagePx();
  const room = page.width - left - right;
  const width = Math.round(Math.min(room, Math.max(page.width * 0.3, ([...name].length + 2) * SIZES_WIDE * letters)));
  const beside = { center: 0.5, right: 1 }[request().text_alignment] ?? 0;
  const y = yUnder(end, height);
  const box = { x: Math.round(left + (room - width) * beside), y, width, height };
  const members = { keep_lines: true, vertical_alignment: "top", max_auto_font_size: letters, rotation: TURN, page: "last" };
  addBlock({ text: name, ...box, ...members }, (next, number) => {
    next.request.text = rest;
    put(next, number, y, end);
  });
  placedFor = lettersNow();
  showPageOf(members);
  if (name) chooseHand();
  else $("blocks-text").focus();
}

/** Moves the signature under the letter that has changed. Rows of a list have one place for all. */
const follow = later(async () => {
  const { signed, signed_y: y } = look();
  const letters = lettersNow();
  const box = request().blocks?.[signed];
  if (!box || box.y !== y || letters === placedFor || merged() || !request().text?.trim()) return;
  placedFor = letters;
  const { end } = await endOfWriting(request().text);
  if (lettersNow() !== letters || request().blocks?.[signed]?.y !== y) return;
  change("", (next) => put(next, signed, yUnder(end, box.height), end));
}, QUIET_MS);

/** `chooseHand` opens the choice of a hand for the chosen box. */
export function startSignature(chooseHand) {
  $("sign").addEventListener("click", () => sign(chooseHand));
  onPreview(follow);
}
