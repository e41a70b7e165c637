// New text boxes: plain ones, the address and the sender of mail, and the signature under a letter.

import { $ } from "./element.js";
import { addBlock, editWords, MOST } from "./boxes.js";
import { freePlace, LEAST, placeOf, rounded } from "./box_place.js";
import { follow } from "./controls.js";
import { inkBox } from "./findings.js";
import { written } from "./list.js";
import { isMail, mailPiece, pagePx } from "./papers.js";
import { previewRequest } from "./preview.js";
import { askAgain } from "./service.js";
import { change, request } from "./store.js";
import { addressBox, largestFor, senderBox, suit } from "./suit.js";
import { pxOfMm } from "./units.js";

/** Steps of the search for a free place, and the room above a signature, in px. */
const STEP = Math.round(pxOfMm(5));
const GAP = Math.round(pxOfMm(2));
const LONGEST_NAME = 24;
/** Height of a signature's box, which has room for any hand, and width of a letter, in sizes; its turn in degrees. */
const SIZES_HIGH = 3;
const SIZES_WIDE = 0.7;
const TURN = -2;

/** A place of `part` of the page with its upper left corner at `at` of it, off the zones of a mail piece, the ink and other boxes. */
function placeFor(part, at) {
  const page = pagePx();
  const wanted = { x: page.width * at[0], y: page.height * at[1], width: Math.max(LEAST, page.width * part[0]), height: Math.max(LEAST, page.height * part[1]) };
  const areas = [...(mailPiece(request())?.zones ?? []), inkBox()].filter(Boolean);
  const zones = areas.map((area) => Object.fromEntries(Object.entries(placeOf(area)).map(([name, mm]) => [name, pxOfMm(mm)])));
  return rounded(freePlace(wanted, [...zones, ...(request().blocks ?? [])], page, STEP));
}

/** The words of a new box are written next. */
const write = () => $("blocks-text").focus();

function addBox() {
  addBlock({ text: "", ...placeFor([0.4, 0.14], [0.3, 0.62]) });
  write();
}

/** Adds the address or the sender; the margins of a postcard leave room for it. */
function addMailBox(box) {
  const same = (request().blocks ?? []).findIndex(({ text, x, y }) => !text && x === box.x && y === box.y);
  if (same >= 0) {
    editWords(same);
    return;
  }
  addBlock({ text: "", ...box });
  change("", suit);
  write();
}

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

/** The end of the writing and the size of its letters, in px; a guess where the service does not tell. */
async function endOfWriting(rest) {
  const page = pagePx();
  const { blocks, ...wanted } = written({ ...request(), text: rest });
  try {
    const { file } = await (await askAgain("/api/v1/preflight", { body: previewRequest(wanted) })).json();
    const ink = file.pages[0].ink_box_mm;
    return { end: pxOfMm(ink.y + ink.height), size: file.calculated_font_size ?? request().font_size };
  } catch {
    return { end: page.height * 0.7, size: largestFor("medium") };
  }
}

/** Writes the name under its closing, on one line, in a box of its own; its hand is chosen next. */
async function sign(chooseHand) {
  const { name, rest } = signatureOf(request().text ?? "");
  const { end, size } = await endOfWriting(rest);
  const page = pagePx();
  const { margin_left: left = 0, margin_right: right = 0, margin_bottom: bottom = 0 } = request();
  const letters = Math.max(20, Math.round(size ?? largestFor("medium")));
  const height = Math.max(LEAST, letters * SIZES_HIGH);
  const lowest = page.height - Math.min(bottom, Math.round(page.height * 0.1)) - height;
  const y = Math.round(Math.min(end + GAP, lowest));
  const room = page.width - left - right;
  const width = Math.round(Math.min(room, Math.max(page.width * 0.3, ([...name].length + 2) * SIZES_WIDE * letters)));
  const beside = { center: 0.5, right: 1 }[request().text_alignment] ?? 0;
  const box = { x: Math.round(left + (room - width) * beside), y, width, height };
  const members = { keep_lines: true, vertical_alignment: "top", max_auto_font_size: letters, rotation: TURN };
  addBlock({ text: name, ...box, ...members }, (next) => {
    next.request.text = rest;
    if (y >= end) return;
    // A letter that fills the page makes room.
    next.request.margin_bottom = page.height - y;
    next.look.margins = "own";
  });
  if (name) chooseHand();
  else write();
}

/** `chooseHand` opens the choice of a hand for the chosen box. */
export function startNewBoxes(chooseHand) {
  $("add-box").addEventListener("click", addBox);
  $("add-address").addEventListener("click", () => addMailBox(addressBox(request())));
  $("add-sender").addEventListener("click", () => addMailBox(senderBox(request())));
  $("sign").addEventListener("click", () => sign(chooseHand));
  follow(() => {
    const isFull = (request().blocks ?? []).length >= MOST;
    for (const id of ["add-box", "add-address", "add-sender", "sign"]) $(id).disabled = isFull;
    for (const id of ["add-address", "add-sender"]) $(id).hidden = !isMail(request());
    $("sign").hidden = isMail(request());
  });
}
