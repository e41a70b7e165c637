// New text boxes: plain ones, the address and the sender of mail.

import { $ } from "../controls/element.js";
import { addBlock, editWords, MOST } from "./boxes.js";
import { freePlace, LEAST, placeOf, rounded } from "./box_place.js";
import { follow } from "../controls/controls.js";
import { inkBox } from "../sheet/findings.js";
import { pageOnSheet, showPageOf } from "../sheet/page_steps.js";
import { isMail, mailPiece, pagePx } from "../state/papers.js";
import { picturePlaces } from "../artwork/sheet_pictures.js";
import { change, request } from "../state/store.js";
import { addressBox, senderBox, suit } from "../state/suit.js";
import { pxOfMm } from "../state/units.js";

/** Steps of the search for a free place, in px. */
const STEP = Math.round(pxOfMm(5));

/** A place of `part` of the page with its upper left corner at `at` of it, off the zones of a mail piece, the ink, pictures and other boxes. */
function placeFor(part, at) {
  const page = pagePx();
  const wanted = { x: page.width * at[0], y: page.height * at[1], width: Math.max(LEAST, page.width * part[0]), height: Math.max(LEAST, page.height * part[1]) };
  const areas = [...(mailPiece(request())?.zones ?? []), inkBox()].filter(Boolean);
  const zones = areas.map((area) => Object.fromEntries(Object.entries(placeOf(area)).map(([name, mm]) => [name, pxOfMm(mm)])));
  return rounded(freePlace(wanted, [...zones, ...picturePlaces(), ...(request().blocks ?? [])], page, STEP));
}

/** The words of a new box are written next. */
const write = () => $("blocks-text").focus();

function addBox() {
  // A box of a long text is on its first page, or on its last.
  const page = pageOnSheet() > 1 ? { page: "last" } : {};
  addBlock({ text: "", ...placeFor([0.4, 0.14], [0.3, 0.62]), ...page });
  showPageOf(page);
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

export function startNewBoxes() {
  $("add-box").addEventListener("click", addBox);
  $("add-address").addEventListener("click", () => addMailBox(addressBox(request())));
  $("add-sender").addEventListener("click", () => addMailBox(senderBox(request())));
  follow(() => {
    const isFull = (request().blocks ?? []).length >= MOST;
    for (const id of ["add-box", "add-address", "add-sender", "sign"]) $(id).disabled = isFull;
    for (const id of ["add-address", "add-sender"]) $(id).hidden = !isMail(request());
    $("sign").hidden = isMail(request());
  });
}
