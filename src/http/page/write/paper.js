// The paper: its kind, how it lies, ruling, and paper colours to judge ink on.

import { $, element, idOf } from "../controls/element.js";
import { editWords } from "../boxes/boxes.js";
import { describedBy, field, fieldAround, follow, messagePlaces, segments } from "../controls/controls.js";
import { isEmpty } from "../state/empty_boxes.js";
import { fields } from "../state/fields.js";
import { paperColors } from "../state/paper_colors.js";
import { chosenPicture, startPaperChoice } from "./paper_choice.js";
import { isEnvelope, liesAcross, mailPiece, nameOf, nameOfPiece, pageSize, sizeOf, useOfRequest } from "../state/papers.js";
import { addressBox, suit } from "../state/suit.js";
import { movePictures, moveThings } from "../state/move_things.js";
import { pairPiece } from "../state/sides.js";
import { change, look, put, putLook, request, unchoose, valueAt } from "../state/store.js";

const CARD = "Card";
const RULINGS = { none: "None", us_college: "US college", us_wide: "US wide", de_8mm: "8 mm" };

/** Papers of another use lie as that use does: postcards and envelopes across. */
function turnFor(wanted, before) {
  const use = useOfRequest(wanted);
  if (use === before || wanted.page_size === "custom") return;
  if (liesAcross(use)) wanted.orientation = "landscape";
  else delete wanted.orientation;
  // The words of a card stand in its middle.
  if (use === CARD) wanted.vertical_alignment ??= "center";
  else if (before === CARD && wanted.vertical_alignment === "center") delete wanted.vertical_alignment;
}

/** Words that are an address: a few short lines without a salutation. */
function isAddress(text) {
  const lines = text.trim().split("\n");
  return lines.length >= 2 && lines.length <= 6 && lines.every((line) => line.trim() && line.length <= 40) && !/,$/.test(lines[0].trim());
}

/** Sets the words aside as `aside`, and takes those that were set aside as `back`. */
function swap({ request: wanted, look: looked }, aside, back) {
  looked[aside] = { text: wanted.text ?? "", ...(wanted.blocks && { blocks: wanted.blocks }) };
  const taken = looked[back];
  delete looked[back];
  unchoose({ look: looked });
  delete wanted.blocks;
  wanted.text = "";
  Object.assign(wanted, taken);
}

/** An envelope bears an address in place of the words of a letter; each comes back with its paper. */
function addressFor(next, before) {
  const { request: wanted, look: looked } = next;
  const isNow = isEnvelope(wanted);
  if (isNow === (before === "Envelope")) return;
  if (!isNow) {
    if (looked.letter) swap(next, "envelope", "letter");
    return;
  }
  const text = wanted.text ?? "";
  const given = isAddress(text) && !wanted.blocks ? text.trim() : "";
  swap(next, "letter", "envelope");
  wanted.blocks ??= [{ text: given, ...addressBox(wanted) }];
}

function choosePaper(name) {
  change("page_size", (next) => {
    const size = pageSize(next.request);
    const before = useOfRequest(next.request);
    delete next.request.mail_piece;
    next.request.page_size = name;
    turnFor(next.request, before);
    if (name === "custom") {
      next.request.custom_page ??= { width: 150, height: 100 };
    } else delete next.request.custom_page;
    if ((useOfRequest(next.request) === "Envelope") === (before === "Envelope")) moveThings(next, size);
    else {
      movePictures(next.request, size);
      addressFor(next, before);
    }
    suit(next);
  });
}

function chooseMailPiece(name) {
  change("mail_piece", (next) => {
    const size = pageSize(next.request);
    for (const set of ["page_size", "orientation", "custom_page"]) delete next.request[set];
    next.request.mail_piece = name;
    moveThings(next, size);
    pairPiece(next);
    // Mail services take PDF.
    if ((next.look.kind ?? "png") === "png") next.look.kind = "pdf";
    suit(next);
  });
}

/** The address of a new envelope is written next. */
function writeAddress() {
  if (isEnvelope(request()) && request().blocks?.every(isEmpty)) editWords(0);
}

function orientation() {
  return segments("orientation", "Orientation", [["portrait", "Upright"], ["landscape", "Across"]], {
    read: () => (mailPiece(request()) ?? request()).orientation ?? "portrait",
    write: (value) => change("orientation", (next) => {
      const size = pageSize(next.request);
      if (value === "portrait") delete next.request.orientation;
      else next.request.orientation = value;
      moveThings(next, size);
      suit(next);
    }),
  });
}

function colors() {
  const radios = paperColors.map(([name, color]) => {
    const radio = element("input", { type: "radio", name: "paper-color", value: name, "aria-label": name });
    radio.addEventListener("change", () => putLook("paper", name));
    const dot = element("span", { class: "swatch" });
    dot.style.background = color;
    return element("label", { class: "ink", title: `${name} paper` }, radio, dot);
  });
  const group = element("fieldset", { class: "inks paper-colors", "data-field": "paper_color" }, element("legend", {}, "Colour"),
    element("div", { class: "swatches" }, ...radios), element("p", { class: "hint" }, "Not in the file."), ...messagePlaces("paper_color"));
  follow(() => { for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === (look().paper ?? "white"); });
  return group;
}

/** A name, or «own» with the members of the object; two parts of the page. */
function ruling() {
  const select = element("select", { id: "ruling", "aria-describedby": describedBy("ruling") },
    ...Object.entries(RULINGS).map(([value, text]) => element("option", { value }, text)), element("option", { value: "own" }, "Own …"));
  select.addEventListener("change", () => {
    const chosen = { none: undefined, own: { pitch: 94.488, draw: true } };
    put("ruling", select.value in chosen ? chosen[select.value] : select.value);
  });
  const own = element("div", { class: "grid" }, ...fields.get("ruling").members.map((path) => field(path)));
  follow(() => {
    const value = valueAt("ruling");
    own.hidden = typeof value !== "object";
    select.value = own.hidden ? value ?? "none" : "own";
  });
  return [fieldAround("ruling", select, { hint: "" }), own];
}

function customPage() {
  const box = element("div", { class: "grid" }, ...fields.get("custom_page").members.map((path) => field(path)), ...messagePlaces("custom_page"));
  follow(() => { box.hidden = request().page_size !== "custom"; });
  return box;
}

export function buildPaper() {
  const places = ["page_size", "mail_piece", "orientation"].map((path) =>
    element("div", { "data-field": path }, ...messagePlaces(path)));
  const said = element("p", { class: "hint", id: idOf("page_size-hint") });
  const turn = orientation();
  const [rules, ownRules] = ruling();
  startPaperChoice((name, isPiece) => (isPiece ? chooseMailPiece(name) : choosePaper(name)), writeAddress);
  $("paper-choice").append(said, ...places, customPage(), element("div", { class: "pair" }, turn, rules, colors()), element("p", { class: "hint", id: "rules-said", hidden: true }, "The lines are on the screen alone, not in the file. “Own …” can draw them."), ownRules);
  follow(() => {
    const chosen = request().mail_piece ? nameOfPiece(request().mail_piece) : nameOf(request().page_size ?? "a4");
    $("paper-name").textContent = chosen;
    $("paper-size").textContent = sizeOf(pageSize(request()));
    $("paper-picture").replaceChildren(chosenPicture());
    const piece = mailPiece(request());
    turn.disabled = Boolean(request().mail_piece);
    said.hidden = !piece;
    if (piece) said.textContent = `${piece.zones.length ? "The writing keeps out of the red zones." : "All of it may be written on."}${piece.verified ? "" : " Its figures are not all certain."}`;
  });
}

