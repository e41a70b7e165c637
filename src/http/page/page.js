// The page: reads what the service offers, builds the controls, and starts the parts.

import { $, later } from "./controls/element.js";
import { offerArtwork, startArtwork } from "./artwork/artwork_panel.js";
import { startBoxes } from "./boxes/boxes.js";
import { buildBoxPanel } from "./boxes/box_panel.js";
import { offerClientLink, startClientLink } from "./files/client_link.js";
import { describedBy, follow } from "./controls/controls.js";
import { program } from "./files/code.js";
import { readFields } from "./state/fields.js";
import { readPage } from "./state/given.js";
import { act, copy, fileRequest, handsWithoutStrokes, labelOfKind, saidOfKind, startFiles } from "./files/files.js";
import { startFindings } from "./sheet/findings.js";
import { openHands, readFonts, showWords, startHands } from "./hands/hands.js";
import { linkHere, takeAddress } from "./files/link.js";
import { showLink, startShownLink } from "./files/shown_link.js";
import { restoreList } from "./merge/list.js";
import { restoreJob } from "./merge/merge_make.js";
import { startMerge } from "./merge/merge_panel.js";
import { say, tellStatus } from "./controls/messages.js";
import { buildMore } from "./write/more.js";
import { startPageSteps } from "./sheet/page_steps.js";
import { buildPaper } from "./write/paper.js";
import { startSheetThings } from "./boxes/movable.js";
import { mailPieces, papers } from "./state/papers.js";
import { buildPicturePanel } from "./artwork/picture_panel.js";
import { startMyPages } from "./files/my_pages.js";
import { startNewBoxes } from "./boxes/new_boxes.js";
import { BLUE_BLACK, buildPen } from "./write/pen.js";
import { startOwnHand } from "./hands/own_hand.js";
import { startPrint } from "./files/print.js";
import { onPreview, previewFailed, previewNow, startPreview } from "./sheet/preview.js";
import { randomSeed } from "./state/seed.js";
import { askAgain, storeKey, storedKey } from "./service.js";
import { startSignature } from "./boxes/signature.js";
import { startSheet } from "./sheet/sheet.js";
import { startRules } from "./sheet/rules.js";
import { startPictures } from "./artwork/sheet_pictures.js";
import { startSideSwitch } from "./sheet/side_switch.js";
import { startSides } from "./state/sides.js";
import { canRedo, canUndo, change, chosenBox, chosenPicture, keepSteps, put, redo, request, storedDraft, storedSteps, takePage, takeSteps, undo, watch } from "./state/store.js";
import { noteSize, suitAll } from "./state/suit.js";
import { startTabs } from "./controls/tabs.js";
import { tie } from "./controls/typing.js";
import { startWordsAt } from "./sheet/words_at.js";
import { startZoom } from "./sheet/zoom.js";

const WORDS_PAUSE_MS = 3000;

/** A card that looks written. */
const firstPage = () => ({
  request: {
    text: "Dear Ann,\n\nthank you for the flowers! They stand on my desk, and everyone who comes in asks who they are from.\n\nCome and see them soon. There is tea, and the last of the plum cake.\n\nYours, Tom",
    page_size: "card_5x7",
    text_color: BLUE_BLACK,
    preset: "letter",
    vertical_alignment: "center",
    font_id: 4,
    seed: randomSeed(),
  },
  look: { size: "medium", pitch: "suits", margins: "suits", paper: "white", unit: /^en-(US|LR)|^my/.test(navigator.language) ? "in" : "mm" },
});

function startWords() {
  $("text").setAttribute("aria-describedby", describedBy("text"));
  tie($("text"), () => "text", () => request().text);
  $("dice").addEventListener("click", () => put("seed", randomSeed()));
  follow(() => { $("page-panel").hidden = chosenBox() !== undefined || chosenPicture() !== undefined; });
}

function startUndo() {
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  follow(() => {
    $("undo").disabled = !canUndo();
    $("redo").disabled = !canRedo();
  });
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key) || event.target.closest("dialog, .key")) return;
    event.preventDefault();
    if (key === "z" && !event.shiftKey) undo();
    else redo();
  });
  addEventListener("pagehide", keepSteps);
}

function startCode() {
  const language = () => document.querySelector("input[name=language]:checked").value;
  const show = () => {
    $("kind-said").textContent = saidOfKind();
    const lacking = handsWithoutStrokes();
    $("kind-wrong").hidden = !lacking.length;
    $("kind-wrong-said").textContent = `${lacking.join(" and ")} ${lacking.length === 1 ? "has" : "have"} no strokes.`;
    $("download").textContent = `Download ${labelOfKind()}`;
    $("code").textContent = program(language(), fileRequest());
  };
  for (const radio of document.querySelectorAll("input[name=language]")) radio.addEventListener("change", show);
  $("kind-hand").addEventListener("click", openHands);
  $("copy").addEventListener("click", () => act($("copy"), () => copy($("code").textContent, "The program was copied.", $("code"))));
  $("link").addEventListener("click", () => act($("link"), async () => showLink(await linkHere(), "The link was copied. It holds the page, but no key.")));
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
  const wrong = await restoreList();
  if (wrong) say("list", [{ kind: "warning", path: "", text: wrong }]);
  await previewNow();
  showWords();
  tellUsage();
  restoreJob();
  startOwnHand();
}

/** Says why there is a mark on the picture, if there is one, and offers what the key may do. The page works without this answer. */
async function tellUsage() {
  const usage = await askAgain("/api/v1/usage").then((answer) => answer.json()).catch(() => ({}));
  $("mark-said").hidden = !usage.preview_watermark;
  offerClientLink(usage);
  await offerArtwork(usage);
}

/** The steps of the tab, as far as they are pages. */
function restoreSteps() {
  const kept = storedSteps();
  const pages = (steps) => steps.flatMap((step) => readPage(step, "").page ?? []);
  if (kept) takeSteps(pages(kept.done), pages(kept.undone));
}

/** Opens the page of the link, or else the one that the tab kept, or else a new one, and says what is left out. */
function openPage(given) {
  const link = readPage(given, "The link");
  const draft = link.page ? { said: "" } : readPage(storedDraft(), "The page that this tab kept");
  change("", (next) => takePage(next, link.page ?? draft.page ?? firstPage()));
  if (!link.page && draft.page) restoreSteps();
  const said = [link.said, draft.said].filter(Boolean);
  say("opening", said.map((text) => ({ kind: "warning", path: "", text })));
  // What was left out matters until a person changes the page.
  watch(() => { if (canUndo()) for (const source of ["opening", "list"]) say(source, []); });
}

async function start() {
  const given = await takeAddress();
  $("key").value = storedKey();
  const read = async (path) => (await askAgain(path, { tell: tellStatus })).json();
  try {
    const [described, listed] = await Promise.all([read("/openapi.json"), read("/page/papers.json")]);
    readFields(described);
    papers.push(...listed.papers);
  } catch (error) {
    tellStatus(`${error.message} Load this page again.`);
    return;
  }
  startSides();
  openPage(given);
  startTabs();
  startWords();
  buildPen();
  buildPaper();
  buildMore();
  buildBoxPanel(openHands);
  buildPicturePanel();
  startHands();
  startSheet();
  startZoom();
  startPictures();
  startBoxes();
  startSheetThings();
  startSideSwitch();
  startNewBoxes();
  startArtwork();
  startSignature(openHands);
  startFiles();
  startPrint();
  startClientLink();
  startShownLink();
  startMyPages(firstPage);
  startCode();
  startMerge();
  startUndo();
  startPreview();
  startPageSteps();
  startFindings();
  startRules();
  startWordsAt();
  onPreview(noteSize);
  const words = later(showWords, WORDS_PAUSE_MS);
  onPreview(words);
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("key").addEventListener("change", () => { storeKey($("key").value.trim()); useKey(); });
  $("empty-key").addEventListener("click", () => $("key").focus());
  // A link to a page, or one with a key, that is opened in the same tab.
  addEventListener("hashchange", () => { if (/^#(key|page)=/.test(location.hash)) location.reload(); });
  await useKey();
}

start();

