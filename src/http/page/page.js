// The page: reads what the service offers, builds the controls, and starts the parts.

import { $, later } from "./element.js";
import { startBoxes } from "./boxes.js";
import { buildBoxPanel } from "./box_panel.js";
import { describedBy, follow } from "./controls.js";
import { program } from "./code.js";
import { readFields } from "./fields.js";
import { readPage } from "./given.js";
import { act, copy, extension, fileRequest, saidOfKind, startFiles } from "./files.js";
import { startFindings } from "./findings.js";
import { openHands, readFonts, showWords, startHands } from "./hands.js";
import { linkHere, takeAddress } from "./link.js";
import { restoreTable } from "./merge.js";
import { startMerge } from "./merge_panel.js";
import { say, tellStatus } from "./messages.js";
import { buildMore } from "./more.js";
import { buildPaper } from "./paper.js";
import { mailPieces, papers } from "./papers.js";
import { BLUE_BLACK, buildPen } from "./pen.js";
import { startOwnHand } from "./own_hand.js";
import { onPreview, previewFailed, previewNow, startPreview } from "./preview.js";
import { askAgain, storeKey, storedKey } from "./service.js";
import { startSheet } from "./sheet.js";
import { canRedo, canUndo, change, put, redo, request, storedDraft, undo, watch } from "./store.js";
import { suitAll } from "./suit.js";
import { startTabs } from "./tabs.js";

const WORDS_PAUSE_MS = 3000;

const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** A card that looks written. */
const firstPage = () => ({
  request: {
    text: "Dear Ann,\n\nthank you for the flowers! They stand on my desk, and everyone who comes in asks who they are from.\n\nCome and see them soon. There is tea, and the last of the plum cake.\n\nYours, Tom",
    page_size: "card_5x7",
    text_color: BLUE_BLACK,
    preset: "letter",
    font_id: 4,
    seed: randomSeed(),
  },
  look: { size: "medium", pitch: "suits", margins: "suits", paper: "white", unit: /^en-(US|LR)|^my/.test(navigator.language) ? "in" : "mm", kind: "png" },
});

function startWords() {
  const text = $("text");
  text.setAttribute("aria-describedby", describedBy("text"));
  text.addEventListener("input", () => put("text", text.value));
  follow(() => { if (text.value !== (request().text ?? "")) text.value = request().text ?? ""; });
  $("dice").addEventListener("click", () => put("seed", randomSeed()));
}

function startUndo() {
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  follow(() => {
    $("undo").disabled = !canUndo();
    $("redo").disabled = !canRedo();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "Z", "y"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "z") undo();
    else redo();
  });
}

function startCode() {
  const language = () => document.querySelector("input[name=language]:checked").value;
  const show = () => {
    $("kind-said").textContent = saidOfKind();
    $("download").textContent = `Download ${extension().toUpperCase()}`;
    $("code").textContent = program(language(), fileRequest());
  };
  for (const radio of document.querySelectorAll("input[name=language]")) radio.addEventListener("change", show);
  $("copy").addEventListener("click", () => act($("copy"), () => copy($("code").textContent, "The program was copied.", $("code"))));
  $("link").addEventListener("click", () => act($("link"), async () => {
    const link = $("link-text");
    link.value = await linkHere();
    link.hidden = false;
    await copy(link.value, "The link was copied. It holds the page, but no key.", link);
  }));
  follow(show);
}

/** Reads what needs a key, then shows the page. */
async function useKey() {
  $("again").hidden = true;
  $("empty-ask").hidden = Boolean(storedKey());
  $("empty").hidden = Boolean(storedKey()) || !$("preview").hidden;
  if (!storedKey()) {
    tellStatus("Enter an API key to see your words written.");
    return;
  }
  try {
    const list = askAgain("/api/v1/mail-pieces").then((answer) => answer.json());
    await readFonts(tellStatus);
    mailPieces.splice(0, mailPieces.length, ...(await list).mail_pieces);
    say("preview", []);
  } catch (error) {
    previewFailed(error, useKey);
    return;
  }
  suitAll();
  await previewNow();
  showWords();
  sayMark();
  startOwnHand();
}

/** Says why there is a mark on the picture, if there is one. The page works without this answer. */
async function sayMark() {
  const usage = await askAgain("/api/v1/usage").then((answer) => answer.json()).catch(() => ({}));
  $("mark-said").hidden = !usage.preview_watermark;
}

/** Opens the page of the link, or else the one that the tab kept, or else a new one, and says what is left out. */
function openPage(given) {
  const link = readPage(given, "The link");
  const draft = link.page ? { said: "" } : readPage(storedDraft(), "The page that this tab kept");
  change("", (next) => Object.assign(next, link.page ?? draft.page ?? firstPage()));
  const said = [link.said, draft.said, restoreTable()].filter(Boolean);
  say("opening", said.map((text) => ({ kind: "warning", path: "", text })));
  // What was left out matters until a person changes the page.
  watch(() => { if (canUndo()) say("opening", []); });
}

async function start() {
  const given = await takeAddress();
  $("key").value = storedKey();
  const read = async (path) => (await askAgain(path, { tell: tellStatus })).json();
  try {
    const [described, listed] = await Promise.all([read("/openapi.json"), read("/page/papers.json")]);
    readFields(described);
    papers.push(...listed);
  } catch (error) {
    tellStatus(`${error.message} Load this page again.`);
    return;
  }
  openPage(given);
  startTabs();
  startWords();
  buildPen();
  buildPaper();
  buildMore();
  buildBoxPanel(openHands);
  startHands();
  startSheet();
  startBoxes(openHands);
  startFiles();
  startCode();
  startMerge();
  startUndo();
  startPreview();
  startFindings();
  const words = later(showWords, WORDS_PAUSE_MS);
  onPreview(words);
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("key").addEventListener("change", () => { storeKey($("key").value.trim()); useKey(); });
  $("empty-key").addEventListener("click", () => $("key").focus());
  await useKey();
}

start();

