// «Artwork»: pictures are added from files, by a drop on the sheet, or of those that the service keeps for the key.

import { $, element } from "../controls/element.js";
import { follow } from "../controls/controls.js";
import { pageSize } from "../state/papers.js";
import { deletePicture, listPictures, nameOfPicture, sendPicture, smallPicture } from "./picture_service.js";
import { dropPicture, isBackground, isGone, keptPictures, sizeOfPicture, suitsPage, takePictures } from "./pictures.js";
import { Refusal } from "../service.js";
import { addPicture, addUnseen, hasBackground, hasRoom, mostPictures, pictures, titleOf } from "./sheet_pictures.js";
import { sized } from "../files/file_facts.js";
import { capital } from "../controls/labels.js";
import { say, scrollToError } from "../controls/messages.js";
import { placeOf, SIDES, sideNumber, sideOnScreen } from "../state/sides.js";
import { choose, otherSide, request, showAgain } from "../state/store.js";
import { shownSize } from "../state/units.js";

/** Endings of files that are pictures. */
const ENDINGS = /\.(png|jpe?g|svg|pdf)$/i;

let isOffered = false;
let isSending = false;
/** The most that the service keeps for a key. */
let limits;

const tell = (text) => { $("artwork-said").textContent = text; };

function sayWrong(texts) {
  say("action", texts.map((text) => ({ kind: "error", path: "", text })));
  if (texts.length) scrollToError();
}

/** What is wrong with a picture, in words of people. */
function wordsOf(error, name) {
  if (!(error instanceof Refusal)) return `${name} was not added: ${error.message}`;
  if (error.status === 413) return `${name} was not added: it is too large.`;
  return `${name} was not added. ${capital(error.details[0]?.message ?? error.message)}.`;
}

/** Whether a file may be a picture for the sheet, and the service keeps such. */
export const isArtwork = (file) => isOffered && ENDINGS.test(file.name);

const saidOfMost = () => `a page has at most ${mostPictures()} pictures.`;

/** Watches whether people go on elsewhere while files are sent. */
function watchPeople() {
  const ended = new AbortController();
  let hasMovedOn = false;
  const note = () => { hasMovedOn = true; };
  for (const sign of ["keydown", "pointerdown"]) document.addEventListener(sign, note, { capture: true, signal: ended.signal });
  return { hasMovedOn: () => hasMovedOn, end: () => ended.abort() };
}

/**
 * Puts a picture on the side for which it was sent: as the background or not, or, where neither is said, as its shape
 * tells. It gets the focus if it `isAwaited`. Returns where it is, in words.
 */
function put(picture, side, isAwaited, { isBehind, at }) {
  const place = placeOf(side);
  if (!place) throw new Error(`the side that it was for is no longer there. “${$("artwork-kept").textContent}” has it.`);
  const isHere = place === "screen";
  const wanted = isHere ? request() : otherSide().request;
  const covers = isBehind ?? (suitsPage(picture, pageSize(wanted)) && !hasBackground(wanted));
  const how = { isBehind: covers, at };
  const isAdded = isHere && isAwaited ? addPicture(picture.id, how) : addUnseen(picture.id, place, how);
  if (!isAdded) throw new Error(saidOfMost());
  return isHere ? "the sheet" : `the ${SIDES[1 - sideNumber()]}`;
}

/** Sends files and puts them on the side that is on the screen now. */
async function addFiles(files, how) {
  if (isSending) return;
  const [side, people, wrong] = [sideOnScreen(), watchPeople(), []];
  sayWrong([]);
  isSending = true;
  showAgain();
  for (const file of files) {
    try {
      if (placeOf(side) === "screen" && !hasRoom(how.isBehind)) throw new Error(saidOfMost());
      const picture = await sendPicture(file, tell);
      tell(`${file.name} is on ${put(picture, side, !people.hasMovedOn(), how)}.`);
    } catch (error) {
      tell("");
      wrong.push(wordsOf(error, file.name));
      sayWrong(wrong);
    }
  }
  people.end();
  isSending = false;
  showAgain();
}

/** Adds files that were dropped at a point of the screen: a picture of the shape of the page is its background. */
export function dropArtwork(files, { clientX, clientY }) {
  const sheet = $("sheet").getBoundingClientRect();
  const [x, y] = [(clientX - sheet.left) / sheet.width, (clientY - sheet.top) / sheet.height];
  const page = pageSize(request());
  const isOn = [x, y].every((part) => part >= 0 && part <= 1);
  const at = isOn ? { x: x * page.width, y: y * page.height } : undefined;
  addFiles(files, { at });
}

function startPicker(button, input, isBehind) {
  $(button).addEventListener("click", () => $(input).click());
  $(input).addEventListener("change", () => {
    const [file] = $(input).files;
    $(input).value = "";
    if (file) addFiles([file], { isBehind });
  });
}

/** A small picture, or a sheet with the kind of the file. */
function small(id) {
  const data = smallPicture(id);
  const kind = keptPictures().get(id)?.kind ?? "";
  return element("span", { class: "small-picture", "aria-hidden": "true" }, data ? element("img", { src: data, alt: "" }) : kind.toUpperCase());
}

function saidOf(item) {
  if (isGone(item)) return "no longer there";
  if (isBackground(item)) return "covers the page";
  const { width, height } = sizeOfPicture(item);
  return shownSize({ width, height });
}

/** The pictures of the page, the topmost first. */
function entry(item, number) {
  const button = element("button", { type: "button", class: "plain kept picture-entry" }, small(item.id), element("b", { class: "cut" }, titleOf(item, number)),
    element("span", { class: isGone(item) ? "hint gone" : "hint" }, saidOf(item)));
  button.addEventListener("click", () => choose("picture", number));
  return element("li", {}, button);
}

let listed = "";

function show() {
  $("artwork").hidden = !isOffered && !pictures().length;
  $("artwork-adds").hidden = !isOffered;
  $("artwork-kept").hidden = !isOffered || !keptPictures().size;
  $("add-background").textContent = hasBackground() ? "Change the background…" : "Add a background…";
  $("add-background").disabled = isSending || !hasRoom(true);
  $("add-picture").disabled = isSending || !hasRoom();
  // The entries are made again where they differ, so that the focus stays.
  const now = JSON.stringify([pictures(), pictures().map((item) => [isGone(item), saidOf(item)])]);
  if (now === listed) return;
  listed = now;
  // What was said is of other pictures.
  if (!isSending) tell("");
  $("artwork-list").replaceChildren(...pictures().map(entry).reverse());
}

// The pictures of the key.

const told = (text) => { $("pictures-said").textContent = text; };

function use(id, isBehind) {
  if (!hasRoom(isBehind)) {
    told(`It was not added: ${saidOfMost()}`);
    return;
  }
  $("pictures-dialog").close();
  addPicture(id, { isBehind });
}

/** Deletes a picture at the second press: it cannot be put back. */
async function remove(button, id, name) {
  if (!button.classList.contains("sure")) {
    button.classList.add("sure");
    button.textContent = "Delete for good?";
    button.setAttribute("aria-label", `Delete for good? ${name}`);
    const isHere = [...pictures(), ...(otherSide()?.request.artwork ?? [])].some((item) => item.id === id);
    told(`${isHere ? "It is on this page. " : ""}Pages that show it cannot be made any more.`);
    return;
  }
  try {
    await deletePicture(id);
    dropPicture(id);
    told(`${name} was deleted.`);
    showKept();
    showAgain();
    ($("pictures-list").querySelector("button") ?? $("pictures-done")).focus();
  } catch (error) {
    told(error.message);
  }
}

function keptEntry({ id, kind, width, height }) {
  const name = nameOfPicture(id) ?? "From another browser";
  const made = (text, act, label) => {
    const button = element("button", { type: "button", class: "plain small", "aria-label": `${label}: ${name}` }, text);
    button.addEventListener("click", () => act(button));
    return button;
  };
  return element("li", {}, small(id), element("span", { class: "grow" }, element("b", { class: "cut" }, name), element("span", { class: "hint" }, `${kind.toUpperCase()}, ${width} × ${height} px`)),
    made("As background", () => use(id, true), "As background"), made("As picture", () => use(id, false), "As picture"), made("Delete", (button) => remove(button, id, name), "Delete"));
}

function showKept() {
  const all = [...keptPictures().values()];
  $("pictures-list").replaceChildren(...all.map(keptEntry));
  $("no-pictures").hidden = all.length > 0;
  const bytes = all.reduce((sum, picture) => sum + picture.bytes, 0);
  $("pictures-room").hidden = !limits;
  if (limits) $("pictures-room").textContent = `${all.length} of ${limits.most} pictures, ${sized(bytes)} of ${sized(limits.most_bytes)}`;
}

async function readKept() {
  const { artwork, ...most } = await listPictures();
  limits = most;
  takePictures(artwork);
  showAgain();
}

async function openKept() {
  told("");
  $("pictures-dialog").showModal();
  showKept();
  try {
    await readKept();
    showKept();
  } catch (error) {
    told(error.message);
  }
}

/** Offers artwork, where the key may keep it. */
export async function offerArtwork({ keeps_artwork: isAllowed }) {
  isOffered = Boolean(isAllowed);
  takePictures(undefined);
  limits = undefined;
  // The page works without the list: frames of pictures are squares then.
  if (isOffered) await readKept().catch(() => {});
  showAgain();
}

export function startArtwork() {
  startPicker("add-background", "background-file", true);
  startPicker("add-picture", "picture-file", false);
  $("artwork-kept").addEventListener("click", openKept);
  $("pictures-done").addEventListener("click", () => $("pictures-dialog").close());
  follow(show);
}
