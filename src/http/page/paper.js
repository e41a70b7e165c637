// The paper: pictures to scale by use, mail pieces with their zones, ruling, and paper colours to judge ink on.

import { $, drawn, element, idOf } from "./element.js";
import { describedBy, field, fieldAround, follow, messagePlaces, segments } from "./controls.js";
import { fields } from "./fields.js";
import { mailPiece, mailPieces, nameOf, nameOfPiece, pageSize, papers, useOf, uses } from "./papers.js";
import { suit } from "./suit.js";
import { change, look, put, putLook, request, valueAt } from "./store.js";

const MAIL = "Mail";
const PX_PER_MM = 0.2;
/** The highest drawing; larger papers make all of their use smaller. */
const HIGHEST = 48;
const COLORS = [["white", "#ffffff"], ["ivory", "#fbf5e3"], ["cream", "#f3e6c4"], ["grey", "#dfe1e3"], ["kraft", "#cdab7d"]];
const RULINGS = { none: "none", us_college: "US college", us_wide: "US wide", de_8mm: "8 mm" };

export const paperColors = COLORS.map(([name]) => name);
export const paperUses = [...uses, MAIL];
export const paperColor = () => COLORS.find(([name]) => name === look().paper)?.[1] ?? COLORS[0][1];

const chosenUse = () => look().use ?? (request().mail_piece ? MAIL : useOf(request().page_size ?? "a4"));

/** A drawing of a page with its zones. */
function drawing({ width, height }, perMm, zones = []) {
  const zone = (area) => drawn("rect", { x: area.x, y: area.y, width: area.width, height: area.height, class: "zone" });
  return drawn("svg", { viewBox: `-1 -1 ${width + 2} ${height + 2}`, width: width * perMm, height: height * perMm, "aria-hidden": "true" },
    drawn("rect", { width, height, class: "sheet" }), ...zones.map(zone));
}

function choosePaper(name) {
  change("page_size", (next) => {
    delete next.request.mail_piece;
    next.request.page_size = name;
    if (name === "custom") {
      // A size of one's own belongs to every use.
      next.look.use = chosenUse();
      next.request.custom_page ??= { width: 150, height: 100 };
    } else delete next.request.custom_page;
    suit(next);
  });
}

function chooseMailPiece(name) {
  change("mail_piece", (next) => {
    for (const set of ["page_size", "orientation", "custom_page"]) delete next.request[set];
    next.request.mail_piece = name;
    // Mail services take PDF.
    if (next.look.kind === "png") next.look.kind = "pdf";
    suit(next);
  });
}

function card(name, value, text, picture, isChosen, choose) {
  const radio = element("input", { type: "radio", name, value, checked: isChosen });
  radio.addEventListener("change", choose);
  return element("label", { class: "paper", title: text }, radio, picture, element("span", {}, text));
}

/** Pixels of a drawing for each millimetre of papers. */
const scaleOf = (sizes) => Math.min(PX_PER_MM, HIGHEST / Math.max(...sizes.map(({ height }) => height)));

function paperCards(use) {
  const { page_size: chosen = "a4", mail_piece: piece, orientation } = request();
  const used = papers.filter(({ name }) => useOf(name) === use);
  const perMm = scaleOf(used.map(({ name }) => pageSize({ page_size: name, orientation })));
  const made = used.map(({ name }) =>
    card("paper", name, nameOf(name), drawing(pageSize({ page_size: name, orientation }), perMm), !piece && chosen.toLowerCase() === name, () => choosePaper(name)));
  const own = card("paper", "custom", "Own size", drawn("svg", { width: 26, height: 26, viewBox: "0 0 26 26", "aria-hidden": "true" },
    drawn("path", { d: "M13 6v14M6 13h14", class: "plus" })), !piece && chosen === "custom", () => choosePaper("custom"));
  return [...made, own];
}

function mailCards() {
  const perMm = scaleOf(mailPieces.map(({ height_mm: height }) => ({ height })));
  return mailPieces.map((piece) => card("paper", piece.name, nameOfPiece(piece.name),
    drawing({ width: piece.width_mm, height: piece.height_mm }, perMm, piece.zones), request().mail_piece === piece.name, () => chooseMailPiece(piece.name)));
}

/** Scrolls the list, and nothing else, to the chosen paper. */
function showChosen(list) {
  const card = list.querySelector(":checked")?.parentElement;
  if (card) list.scrollLeft = card.offsetLeft - list.offsetLeft - (list.clientWidth - card.offsetWidth) / 2;
}

/** The papers of the chosen use. They are made again only when they change, so that the focus stays. */
function showPapers(list) {
  const use = chosenUse();
  const state = JSON.stringify([use, request().orientation, mailPieces.length]);
  if (list.dataset.state !== state) {
    list.dataset.state = state;
    list.replaceChildren(...(use === MAIL ? mailCards() : paperCards(use)));
    showChosen(list);
  }
  const chosen = request().mail_piece ?? (request().page_size ?? "a4").toLowerCase();
  for (const radio of list.querySelectorAll("input")) radio.checked = radio.value === chosen;
}

function orientation() {
  return segments("orientation", "Orientation", [["portrait", "Upright"], ["landscape", "Across"]], {
    read: () => request().orientation ?? "portrait",
    write: (value) => put("orientation", value === "portrait" ? undefined : value),
  });
}

function colors() {
  const radios = COLORS.map(([name, color]) => {
    const radio = element("input", { type: "radio", name: "paper-color", value: name, "aria-label": name });
    radio.addEventListener("change", () => putLook("paper", name));
    const dot = element("span", { class: "swatch" });
    dot.style.background = color;
    return element("label", { class: "ink", title: `${name} paper` }, radio, dot);
  });
  const group = element("fieldset", { class: "inks paper-colors" }, element("legend", {}, "Seen on"),
    element("div", { class: "swatches" }, ...radios), element("p", { class: "hint" }, "Never in the file."));
  follow(() => { for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === (look().paper ?? "white"); });
  return group;
}

/** A name, or «own» with the members of the object; two parts of the page. */
function ruling() {
  const select = element("select", { id: "ruling", "aria-describedby": describedBy("ruling") },
    ...Object.entries(RULINGS).map(([value, text]) => element("option", { value }, text)), element("option", { value: "own" }, "own …"));
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
  const list = element("div", { class: "papers", role: "radiogroup", "aria-label": "Papers, drawn to scale" });
  const use = segments("use", "Used as", paperUses.map((name) => [name, name]), { read: chosenUse, write: (name) => putLook("use", name) });
  const places = ["page_size", "mail_piece", "orientation"].map((path) =>
    element("div", { "data-field": path }, ...messagePlaces(path)));
  const said = element("p", { class: "hint", id: idOf("page_size-hint") });
  const turn = orientation();
  const [rules, ownRules] = ruling();
  $("paper-choice").append(use, list, said, ...places, customPage(), element("div", { class: "pair" }, turn, rules, colors()), ownRules);
  follow(() => {
    showPapers(list);
    const piece = mailPiece(request());
    turn.disabled = Boolean(request().mail_piece);
    said.hidden = !piece;
    if (piece) said.textContent = `${piece.zones.length ? "The writing keeps out of the red zones." : "All of it may be written on."}${piece.verified ? "" : " Its figures are not all certain."}`;
  });
}

