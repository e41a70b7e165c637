// The choice of a hand: one's own words in all of them, from one picture, with filters, favourites, and two side by side.

import { $, element } from "../controls/element.js";
import { chooseHand, chosenHand, fontOf, fonts } from "../state/suit.js";
import { follow } from "../controls/controls.js";
import { compared, showCompared, toggleCompared } from "./compare.js";
import { kind } from "../files/files.js";
import { isSaid, wordsFor } from "./hand_words.js";
import { writtenFirst } from "../merge/list.js";
import { askAgain } from "../service.js";
import { chosenBox, request } from "../state/store.js";

const FAVOURITES = "longhand-favourites";
const PLAIN_WORDS = "The quick brown fox";
const MOST_CHARACTERS = 32;
/** The boxes of the picture of words. */
const CELL = { width: 480, height: 120, columns: 3 };
const JOINED = ["cursive", "school", "elegant"];

let words = "";
let picture = "";
const favourites = new Set(keptFavourites());

/** The favourites that the browser keeps; none if they are damaged. */
function keptFavourites() {
  try {
    return [JSON.parse(localStorage.getItem(FAVOURITES))].flat().filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The first words of the text that fit a specimen. */
export function firstWords(text) {
  const line = text.split("\n").map((part) => part.replace(/\s+/g, " ").trim()).find(Boolean);
  if (!line) return PLAIN_WORDS;
  const cut = line.slice(0, MOST_CHARACTERS);
  return line.length > MOST_CHARACTERS && cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut;
}

/** The words of the page, or of the chosen text box. */
function chosenWords() {
  const { text, blocks } = request();
  return writtenFirst({ text: blocks?.[chosenBox()]?.text ?? text ?? "" }).text;
}

/** Shows the box of a hand in an element: the picture is a mask, so that the ink is the chosen one. */
function showSpecimen(place, id) {
  const at = fonts.findIndex((font) => font.id === id);
  const rows = Math.ceil(fonts.length / CELL.columns);
  const [column, row] = [at % CELL.columns, Math.floor(at / CELL.columns)];
  place.style.maskImage = picture ? `url(${picture})` : "none";
  place.style.maskSize = `${CELL.columns * 100}% ${rows * 100}%`;
  place.style.maskPosition = `${(column / (CELL.columns - 1)) * 100}% ${(row / Math.max(1, rows - 1)) * 100}%`;
  place.classList.toggle("empty", !picture);
}

/** Asks for the words in all hands, where the picture shows others; once for all. */
export async function showWords() {
  const wanted = firstWords(chosenWords());
  if (wanted === words || !fonts.length) return;
  words = wanted;
  const get = (text) => askAgain(`/api/v1/fonts/specimens.png?variation=true&text=${encodeURIComponent(text)}`);
  try {
    const answer = await get(wanted).catch((error) => {
      // Words that no hand can write.
      if (error.status !== 422 || wanted === PLAIN_WORDS) throw error;
      return get(PLAIN_WORDS);
    });
    if (words !== wanted) return;
    URL.revokeObjectURL(picture);
    picture = URL.createObjectURL(await answer.blob());
    for (const place of document.querySelectorAll("[data-specimen]")) showSpecimen(place, Number(place.dataset.specimen));
  } catch {
    // The names alone stay; the preview says what is wrong.
    words = "";
  }
}

const described = ({ style, slant, neatness }) => `${style}, ${slant}, ${["hasty", "loose", "easy", "neat", "tidy"][neatness - 1]}`;

function toggleFavourite(id, button) {
  if (favourites.has(id)) favourites.delete(id);
  else favourites.add(id);
  localStorage.setItem(FAVOURITES, JSON.stringify([...favourites]));
  button.setAttribute("aria-pressed", String(favourites.has(id)));
  button.textContent = favourites.has(id) ? "★" : "☆";
  filter();
}

function slip(font) {
  const { id, name } = font;
  const radio = element("input", { type: "radio", name: "font_id", value: id, "aria-label": `${id} ${name}, ${described(font)}` });
  radio.addEventListener("change", () => chooseHand(id));
  // A click of the pointer chooses for good; arrow keys go on choosing.
  const label = element("label", {}, radio, element("span", { class: "specimen empty", "data-specimen": id }));
  label.addEventListener("click", (event) => { if (event.detail > 0) $("hands-dialog").close(); });
  const star = element("button", { type: "button", class: "icon star", "aria-pressed": String(favourites.has(id)), "aria-label": `Favourite: ${name}`, title: "Favourite" }, favourites.has(id) ? "★" : "☆");
  star.addEventListener("click", () => toggleFavourite(id, star));
  const beside = element("button", { type: "button", class: "beside", "aria-pressed": "false", "aria-label": `Compare ${name}`, title: "Compare two side by side" }, "Compare");
  beside.addEventListener("click", () => toggleCompared(id));
  return element("div", { class: "hand", "data-id": id, "data-said": wordsFor(font, described(font)) }, label,
    element("div", { class: "caption" }, element("span", {}, element("b", {}, name), ` ${id} · ${described(font)}`), star, beside));
}

function isWanted({ id, style, neatness, scripts, strokes }) {
  const value = (name) => $(`hands-${name}`).value;
  const joins = JOINED.includes(style) ? "joined" : "print";
  return (!value("neatness") || (value("neatness") === "neat" ? neatness >= 4 : neatness <= 3))
    && (!value("joins") || value("joins") === joins || value("joins") === style)
    && (!value("script") || scripts.includes(value("script")))
    && (!$("hands-strokes").checked || strokes)
    && (!$("hands-favourites").checked || favourites.has(id));
}

function filter() {
  let shown = 0;
  for (const hand of document.querySelectorAll(".hand")) {
    hand.hidden = !isWanted(fontOf(Number(hand.dataset.id))) || !isSaid(hand.dataset.said, $("search").value);
    shown += hand.hidden ? 0 : 1;
  }
  $("found").textContent = `${shown} of ${fonts.length} hands`;
  $("no-hand").hidden = shown > 0;
  $("hands").hidden = shown === 0;
}

function showChosen() {
  for (const radio of document.querySelectorAll("input[name=font_id]")) radio.checked = Number(radio.value) === chosenHand();
  for (const hand of document.querySelectorAll(".hand")) {
    hand.querySelector(".beside").setAttribute("aria-pressed", String(compared().includes(Number(hand.dataset.id))));
  }
  showCard("hand-specimen", "hand-name", fontOf(request().font_id));
  showCard("box-specimen", "box-hand-name", fontOf(chosenHand()));
}

function showCard(specimen, name, font) {
  if (!font) return;
  $(specimen).dataset.specimen = font.id;
  showSpecimen($(specimen), font.id);
  $(name).textContent = `${font.name}, ${described(font)}`;
}

/** Reads the fonts; `tell` hears of waits. */
export async function readFonts(tell) {
  const answer = await (await askAgain("/api/v1/fonts", { tell })).json();
  fonts.splice(0, fonts.length, ...answer.fonts);
  // The picture of words has a box for each font.
  words = "";
  $("hands").replaceChildren(...fonts.map(slip));
  const offer = (select, values) => {
    const news = [...new Set(values)].filter((value) => ![...select.options].some((option) => option.value === value));
    select.append(...news.map((value) => element("option", { value }, value === "caps" ? "capitals" : value)));
  };
  offer($("hands-joins"), fonts.map(({ style }) => style));
  offer($("hands-script"), fonts.flatMap(({ scripts }) => scripts));
  filter();
  showChosen();
}

export function openHands() {
  // A file of strokes needs a hand that has them.
  $("hands-strokes").checked = kind() === "strokes";
  filter();
  $("hands-dialog").showModal();
  showWords();
  const chosen = document.querySelector("input[name=font_id]:checked");
  chosen?.focus();
  chosen?.closest(".hand").scrollIntoView({ block: "center" });
}

/** Whether white paper would hide an ink: its relative luminance (WCAG 2.2) is above a half. */
function isLight(ink) {
  const [red, green, blue] = ink.map((value) => ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

export function startHands() {
  $("hand-button").addEventListener("click", openHands);
  $("hands-dialog").addEventListener("close", () => {
    // A dialog that no button opened leaves the focus nowhere.
    if (document.activeElement === document.body) [...document.querySelectorAll(".hand-card")].find((card) => card.offsetParent)?.focus();
  });
  $("hands-done").addEventListener("click", () => $("hands-dialog").close());
  for (const control of document.querySelectorAll(".hands-filter input, .hands-filter select")) control.addEventListener("input", filter);
  $("search").addEventListener("keydown", (event) => {
    const first = document.querySelector(".hand:not([hidden]) input");
    if (event.key !== "Enter" || !first) return;
    event.preventDefault();
    first.click();
    $("hands-dialog").close();
  });
  $("hands").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.type !== "radio") return;
    // Else the button that gets the focus back would be pressed by the same key.
    event.preventDefault();
    $("hands-dialog").close();
  });
  follow(() => {
    showChosen();
    showCompared();
    const ink = request().text_color ?? [0, 0, 0];
    document.documentElement.style.setProperty("--pen", `rgb(${ink.join()})`);
    document.documentElement.classList.toggle("light-ink", isLight(ink));
  });
}

