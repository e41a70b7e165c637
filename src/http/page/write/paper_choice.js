// The choice of a paper or a mail piece: pictures to scale in groups, with a search.

import { $, drawn, element } from "../controls/element.js";
import { mailPieces, nameOf, nameOfPiece, pageSize, papers, sizeOf, useOf, uses } from "../state/papers.js";
import { request } from "../state/store.js";

/** CSS px of a drawing for each millimetre, and its longest side. */
const PX_PER_MM = 0.22;
const LONGEST = 62;

/** Groups of mail pieces, by the beginnings of their names. */
const PIECES = [
  ["For Lob", /^lob_/], ["For Click2Mail", /^click2mail_/], ["Forms and windows", /./],
];
const GROUPS = { Card: "Cards", Letter: "Letters and sheets", Postcard: "Postcards", Envelope: "Envelopes" };
/** Words that people search by, beside names and sizes. */
const MEANS = { Card: "card greeting thank you invitation", Letter: "letter sheet page", Postcard: "postcard mail", Envelope: "envelope address cover" };

/** A drawing of a page with its zones. */
function drawing({ width, height }, zones = []) {
  const perMm = Math.min(PX_PER_MM, LONGEST / Math.max(width, height));
  const zone = (area) => drawn("rect", { x: area.x, y: area.y, width: area.width, height: area.height, class: "zone" });
  return drawn("svg", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width * perMm, height: height * perMm, "aria-hidden": "true" },
    drawn("rect", { width, height, class: "sheet" }), ...zones.map(zone));
}

const plus = () => drawn("svg", { width: 26, height: 26, viewBox: "0 0 26 26", "aria-hidden": "true" }, drawn("path", { d: "M13 6v14M6 13h14", class: "plus" }));

/** Everything that can be chosen: {group, value, name, size, picture, said}. */
function offers() {
  const ofPapers = uses.flatMap((use) => papers.filter(({ name }) => useOf(name) === use).map(({ name, width_mm: width, height_mm: height }) => {
    const across = use === "Postcard" || use === "Envelope" ? { width: height, height: width } : { width, height };
    return { group: GROUPS[use], value: name, name: nameOf(name), size: sizeOf(across), picture: () => drawing(across), said: MEANS[use], isPiece: false };
  }));
  const own = { group: GROUPS.Card, value: "custom", name: "Own size", size: "", picture: plus, said: "custom own other", isPiece: false };
  const ofPieces = mailPieces.map((piece) => ({
    group: PIECES.find(([, names]) => names.test(piece.name))[0], value: piece.name, name: nameOfPiece(piece.name),
    size: sizeOf({ width: piece.width_mm, height: piece.height_mm }), picture: () => drawing({ width: piece.width_mm, height: piece.height_mm }, piece.zones), said: `mail ${piece.provider}`, isPiece: true,
  }));
  const cards = ofPapers.filter(({ group }) => group === GROUPS.Card).length;
  return [...ofPapers.slice(0, cards), own, ...ofPapers.slice(cards), ...ofPieces];
}

/** A text for comparison: "4x6", "4 x 6" and "4 × 6" are the same. */
const plain = (text) => text.toLowerCase().replace(/\s*[x×]\s*/g, "×");

/** Whether every searched word is in what an offer says. */
export const isLike = (said, searched) => plain(searched).split(/[\s,]+/).filter(Boolean).every((word) => plain(said).includes(word));

function card({ value, name, size, picture, said, group, isPiece }, choose) {
  const radio = element("input", { type: "radio", name: "paper", value, "aria-label": `${name}${size && `, ${size}`}` });
  radio.addEventListener("change", () => choose(value, isPiece));
  const label = element("label", { class: "paper", title: name, "data-said": `${name} ${size} ${said} ${group}` }, radio,
    element("span", { class: "picture" }, picture()), element("span", {}, name), element("span", { class: "hint" }, size));
  // A click of the pointer chooses for good; arrow keys go on choosing.
  label.addEventListener("click", ({ detail }) => { if (detail > 0) $("paper-dialog").close("chosen"); });
  return label;
}

function filter() {
  for (const label of document.querySelectorAll("#papers .paper")) label.hidden = !isLike(label.dataset.said, $("paper-search").value);
  for (const group of document.querySelectorAll("#papers section")) group.hidden = !group.querySelector(".paper:not([hidden])");
  $("no-paper").hidden = Boolean(document.querySelector("#papers .paper:not([hidden])"));
}

/** Makes the cards again where mail pieces have come. */
function show(choose) {
  const place = $("papers");
  if (place.dataset.made !== String(mailPieces.length)) {
    place.dataset.made = String(mailPieces.length);
    const all = offers();
    const groups = [...new Set(all.map(({ group }) => group))];
    place.replaceChildren(...groups.map((group) => element("section", { "aria-label": group }, element("h3", {}, group),
      element("div", { class: "papers" }, ...all.filter((offer) => offer.group === group).map((offer) => card(offer, choose))))));
  }
  const chosen = request().mail_piece ?? (request().page_size ?? "a4").toLowerCase();
  for (const radio of place.querySelectorAll("input")) radio.checked = radio.value === chosen;
}

/** `choose` gets a name, and whether it is that of a mail piece; `chosen` is called after a choice by the pointer. */
export function startPaperChoice(choose, chosen) {
  const dialog = $("paper-dialog");
  $("paper-button").addEventListener("click", () => {
    show(choose);
    $("paper-search").value = "";
    filter();
    dialog.showModal();
    const radio = dialog.querySelector("input[name=paper]:checked");
    (radio ?? $("paper-search")).focus();
    radio?.parentElement.scrollIntoView({ block: "center" });
  });
  $("paper-search").addEventListener("input", filter);
  $("paper-search").addEventListener("keydown", (event) => {
    const first = dialog.querySelector(".paper:not([hidden]) input");
    if (event.key !== "Enter" || !first) return;
    event.preventDefault();
    first.click();
    dialog.close("chosen");
  });
  $("paper-done").addEventListener("click", () => dialog.close());
  $("papers").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Else the button that gets the focus back would be pressed by the same key.
    event.preventDefault();
    dialog.close("chosen");
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "chosen") chosen();
    dialog.returnValue = "";
  });
}

/** The picture of the chosen paper, for its button. */
export function chosenPicture() {
  const piece = mailPieces.find(({ name }) => name === request().mail_piece);
  return drawing(pageSize(request()), piece?.zones);
}
