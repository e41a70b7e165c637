// A hand of one's own: pictures of a filled sheet are read, letters in doubt kept or written again, and the hand saved.

import { $, element, later } from "../controls/element.js";
import { keepFile } from "../files/files.js";
import { readFonts, showWords } from "./hands.js";
import { showDoubts } from "./own_hand_doubts.js";
import { buildPanel } from "./own_hand_panel.js";
import { deleteHand, mayMakeHands, readHand, saveHand, savedHand, savedHands, sheet } from "./own_hand_service.js";
import { storedKey } from "../service.js";
import { chooseHand } from "../state/suit.js";

const PAUSE_MS = 900;
const WORDS = "Dear Ann,\n\nthank you for the flowers! They stand on my desk, and everyone who comes in asks who they are from.\n\nYours, Tom";

/** The pictures, in the order in which they were added. @type {File[]} */
let pictures = [];
/** The record of the saved hand that is mended. */
let base;
/** The hand that is replaced. */
let replaced;
/** Boxes that are used whatever is doubted, as JSON of page, row and box. */
const kept = new Set();
/** What was read last; `null` while nothing or other pictures were read. */
let report = null;
let reading;
let trialUrl = "";

const tell = (text) => { $("own-status").textContent = text; };

/** Says what is wrong; each text is a paragraph. */
const complain = (...texts) => $("own-problem").replaceChildren(...texts.map((text) => element("p", { class: "error" }, text)));

const saidOf = (error) => (error.details?.length ? error.details.map(({ message }) => message) : [error.message]);

/** What the service is asked to read: the record if it has one of these pictures, else the pictures. */
function order(recordOfAll) {
  const said = { text: $("own-text").value.trim() || WORDS };
  // Before the record of a saved hand is read, it knows its own.
  if (report || !base) said.keep = [...kept].map((box) => JSON.parse(box));
  const name = $("own-name").value.trim();
  if (name) said.name = name;
  return recordOfAll ? { pictures: [], record: recordOfAll, said } : { pictures, record: base, said };
}

/** Reads pictures, or their record again with other boxes or words. */
async function read(recordOfAll) {
  reading?.abort();
  reading = new AbortController();
  const { signal } = reading;
  complain();
  if (!pictures.length && !base) {
    report = null;
    show();
    tell("");
    return;
  }
  const count = pictures.length;
  tell(recordOfAll || !count ? "Writing…" : `Reading ${count} ${count === 1 ? "picture" : "pictures"}…`);
  try {
    const found = await readHand(order(recordOfAll), { signal, tell });
    // Of pictures that were read before, the record tells nothing more.
    report = { ...found, pictures: recordOfAll ? report?.pictures ?? [] : found.pictures };
    for (const { page, row, box, kept: isKept } of found.doubts) if (isKept) kept.add(JSON.stringify([page, row, box]));
    show();
    tell(report.problem ? "There is no hand yet." : "Your hand is ready to be saved.");
    if (report.problem) complain(report.problem.message);
  } catch (error) {
    if (signal.aborted) return;
    tell("");
    complain(...saidOf(error));
  }
}

const readSoon = later(() => read(report?.record ?? undefined), PAUSE_MS);

/** A box is to be used, or not. Without its record the pictures are read again. */
function keep(box, isKept) {
  if (isKept) kept.add(JSON.stringify(box));
  else kept.delete(JSON.stringify(box));
  readSoon();
}

function pictureItem(file) {
  const known = report?.pictures.filter(({ name }) => name === file.name || name.startsWith(`${file.name}, `)) ?? [];
  const lines = known.flatMap(({ page, refused, remarks }) => (refused
    ? [element("p", { class: "error" }, refused)]
    : [element("p", {}, `page ${page}: read`), ...remarks.map((remark) => element("p", { class: "hint" }, remark))]));
  const remove = element("button", { type: "button", class: "plain small", "aria-label": `Remove ${file.name}` }, "Remove");
  remove.addEventListener("click", () => {
    pictures = pictures.filter((other) => other !== file);
    $("own-files").focus();
    read();
  });
  return element("li", {}, element("div", {}, element("b", {}, file.name), ...lines), remove);
}

function show() {
  $("own-list").replaceChildren(...pictures.map(pictureItem));
  const doubts = report?.doubts ?? [];
  $("own-letters").hidden = !report || !(doubts.length || report.record);
  $("own-letters-hint").hidden = !doubts.length;
  $("own-no-doubts").hidden = doubts.length > 0;
  showDoubts($("own-doubts"), doubts, keep);
  $("own-try").hidden = !report?.record;
  URL.revokeObjectURL(trialUrl);
  trialUrl = report?.trial_svg ? URL.createObjectURL(new Blob([report.trial_svg], { type: "image/svg+xml" })) : "";
  $("own-trial").hidden = !trialUrl;
  if (trialUrl) $("own-trial").src = trialUrl;
  if (report?.trial_problem) complain(report.trial_problem);
  const figures = report?.figures;
  const joins = figures?.joins > 0.3 && figures.closed_joins < 0.7 ? " Many of your joins do not meet: write each letter with the strokes that lead into it and out of it." : "";
  $("own-figures").textContent = figures
    ? `${figures.written} characters written, ${figures.composed} composed; letters ${figures.x_height_mm.toFixed(1)} mm high, slant ${figures.slant_degrees.toFixed(0)}°.${joins}`
    : "";
}

/** Adds pictures. One of the name of another replaces it. */
function add(files) {
  const news = [...files];
  pictures = [...pictures.filter((old) => !news.some(({ name }) => name === old.name)), ...news];
  show();
  read();
}

async function save() {
  const name = $("own-name").value.trim();
  if (!name) {
    complain("Give the hand a name.");
    $("own-name").focus();
    return;
  }
  tell("Saving…");
  const wanted = order(report.record);
  if (replaced) wanted.said.font_id = replaced;
  const hand = await saveHand(wanted, { tell });
  await readFonts(tell);
  chooseHand(hand.font_id);
  showWords();
  forget();
  $("own-hand").close();
  if ($("hands-dialog").open) $("hands-dialog").close();
  document.querySelector("#status").textContent = `${hand.name} is saved as hand ${hand.font_id}, and chosen.`;
}

/** Begins anew. */
function forget() {
  reading?.abort();
  [pictures, base, replaced, report] = [[], undefined, undefined, null];
  kept.clear();
  $("own-files").value = "";
  $("own-name").value = "";
  complain();
  tell("");
  show();
}

async function mend({ font_id: id, name }) {
  forget();
  tell("Fetching…");
  base = (await savedHand(id)).record;
  replaced = id;
  $("own-name").value = name;
  await read();
}

function savedItem(hand) {
  const mended = element("button", { type: "button", class: "plain small", "aria-label": `Mend ${hand.name}` }, "Mend");
  mended.addEventListener("click", () => attempt(() => mend(hand)));
  const gone = element("button", { type: "button", class: "plain small", "aria-label": `Delete ${hand.name}` }, "Delete");
  gone.addEventListener("click", () => {
    if (!gone.dataset.asked) {
      gone.dataset.asked = "yes";
      gone.textContent = "Delete for good?";
      return;
    }
    attempt(async () => {
      await deleteHand(hand.font_id);
      await readFonts(tell);
      showWords();
      await showSaved();
      $("own-head").focus();
    });
  });
  gone.addEventListener("blur", () => { delete gone.dataset.asked; gone.textContent = "Delete"; });
  return element("li", {}, element("div", {}, element("b", {}, hand.name), ` ${hand.font_id}`), mended, gone);
}

async function showSaved() {
  const { hands } = await savedHands();
  $("own-saved").hidden = !hands.length;
  $("own-kept").replaceChildren(...hands.map(savedItem));
}

async function attempt(work) {
  complain();
  try {
    await work();
  } catch (error) {
    tell("");
    complain(...saidOf(error));
  }
}

function startDropping(panel) {
  const over = (event, is) => {
    event.preventDefault();
    // The page takes tables that are dropped on it.
    event.stopPropagation();
    panel.classList.toggle("dropping", is);
  };
  panel.addEventListener("dragover", (event) => over(event, true));
  panel.addEventListener("dragleave", (event) => over(event, false));
  panel.addEventListener("drop", (event) => {
    over(event, false);
    if (event.dataTransfer.files.length) add(event.dataTransfer.files);
  });
}

/** Offers hands of one's own beside the others, where the operator allows it. */
export async function startOwnHand() {
  if (!storedKey() || $("own-hand") || !(await mayMakeHands().catch(() => false)) || $("own-hand")) return;
  const panel = buildPanel();
  $("own-text").value = WORDS;
  $("own-head").tabIndex = -1;
  const open = element("button", { type: "button", class: "plain", id: "own-open" }, "Make your own");
  open.addEventListener("click", () => {
    panel.showModal();
    attempt(showSaved);
  });
  $("hands-done").before(open);
  $("own-done").addEventListener("click", () => panel.close());
  $("own-sheet").addEventListener("click", () => attempt(async () => {
    const form = { joined: $("own-joined").checked, quick: $("own-quick").checked, letter: $("own-letter").checked };
    keepFile(await sheet(form), "handwriting_sheet.pdf");
    tell("The sheet was downloaded. Print it at 100 %.");
  }));
  $("own-files").addEventListener("change", () => {
    if ($("own-files").files.length) add($("own-files").files);
    $("own-files").value = "";
  });
  $("own-text").addEventListener("input", readSoon);
  $("own-save").addEventListener("click", () => attempt(save));
  $("own-name").addEventListener("keydown", (event) => { if (event.key === "Enter") attempt(save); });
  startDropping(panel);
}
