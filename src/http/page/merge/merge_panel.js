// «Merge»: a list dropped on the page, its columns in the words, and steps through its rows.

import { dropArtwork, isArtwork } from "../artwork/artwork_panel.js";
import { $, element } from "../controls/element.js";
import { follow } from "../controls/controls.js";
import { dropList, goToRow, merged, openList, rowAt, usedColumns } from "./list.js";
import { startMaking } from "./merge_make.js";
import { startChecks, wrongWith } from "./merge_check.js";
import { openPageFile } from "../files/my_pages.js";
import { chosenBox, put, valueAt } from "../state/store.js";
import { showTab } from "../controls/tabs.js";
import { tie } from "../controls/typing.js";
import { inWords } from "../controls/wording.js";

const EXAMPLE = new File(['name,gift\nAnn,the flowers\n"Marsh, E.",your advice\nZoë,everything\n'], "people.csv");
const EXAMPLE_WORDS = "Dear {name},\n\nthank you for {gift}! Come and see us soon.\n\nYours, Tom";

/** The file that is being read. */
let reading;

const counted = (count, one, several) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

function sayWrong(text) {
  $("merge-error").textContent = text;
  $("merge-error").hidden = !text;
}

/** Asks for the encoding of a file by what its cells say in each. */
function ask(file, found) {
  $("merge-ask").textContent = `${file.name} is not UTF-8. Which of these is right?`;
  $("merge-choices").replaceChildren(...found.map(({ encoding, sample }) => {
    const choice = element("button", { type: "button", class: "plain small" }, `${sample} (${encoding})`);
    choice.addEventListener("click", () => read(file, encoding));
    return choice;
  }));
  $("merge-readings").hidden = false;
}

async function read(file, encoding) {
  showTab("merge");
  sayWrong("");
  $("merge-readings").hidden = true;
  $("merge-reading").textContent = `Reading ${file.name} …`;
  reading = file;
  try {
    await openList(file, encoding);
  } catch (error) {
    if (reading !== file) return;
    const [found] = (error.details ?? []).flatMap(({ readings }) => (readings ? [readings] : []));
    if (found?.length && !encoding) ask(file, found);
    else sayWrong(error.status === 401 ? "Enter your key, and drop the file again." : inWords(error.details?.[0]?.message ?? error.message));
  } finally {
    if (reading === file) $("merge-reading").textContent = "";
  }
}

/** The words that columns go into: those of the page, or of the chosen text box. */
const path = () => (chosenBox() === undefined ? "text" : "blocks.text");

/** Puts a column where the caret is. */
function insert(name) {
  const words = $("merge-text");
  words.setRangeText(`{${name}}`, words.selectionStart, words.selectionEnd, "end");
  words.focus();
  put(path(), words.value);
}

function showWords() {
  $("merge-text-label").textContent = chosenBox() === undefined ? "Words" : `Words of text box ${chosenBox() + 1}`;
}

function chip(name, isUsed) {
  const made = element("button", { type: "button", class: `plain small chip${isUsed ? " used" : ""}`, title: `Put {${name}} into the words` }, `{${name}}`);
  made.addEventListener("click", () => insert(name));
  return made;
}

/** The columns; they are made again only when they change, so that the focus stays. */
function showColumns() {
  const [used, chips] = [usedColumns(), $("merge-columns")];
  const names = merged().columns;
  if (chips.dataset.names !== JSON.stringify(names)) chips.replaceChildren(...names.map((name) => chip(name, false)));
  chips.dataset.names = JSON.stringify(names);
  names.forEach((name, at) => chips.children[at].classList.toggle("used", used.has(name)));
}

function showSteps() {
  $("steps").hidden = !merged();
  if (!merged()) return;
  const [at, count] = [rowAt(), merged().count];
  if (document.activeElement !== $("step")) $("step").value = at;
  $("step-count").textContent = `of ${Math.max(count, at).toLocaleString("en")}`;
  $("step-back").disabled = at <= 1;
  $("step-on").disabled = at >= count;
  $("step-wrong").textContent = wrongWith(at);
}

/** Steps to a row; what the service says against it stands beside the steps. */
const step = (number, find) => goToRow(number, find).catch((error) => { $("step-wrong").textContent = error.message; });

function show() {
  $("merge-start").hidden = Boolean(merged());
  $("merging").hidden = !merged();
  showSteps();
  // Words without placeholders are one page, whatever the list.
  $("files-list").hidden = !merged() || !usedColumns().size;
  if (!merged()) return;
  showWords();
  showColumns();
  $("merge-name").textContent = `${merged().name}, ${counted(merged().count, "row", "rows")}`;
  $("files-list-said").textContent = `This is row ${rowAt()} alone of ${counted(merged().count, "row", "rows")}.`;
}

function startDrop() {
  const hasFile = (event) => [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  const end = () => document.body.classList.remove("dropping");
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) end(); });
  document.addEventListener("drop", (event) => {
    end();
    if (!hasFile(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file?.name.endsWith(".json")) openPageFile(file);
    else if (file && isArtwork(file)) dropArtwork([...event.dataTransfer.files].filter(isArtwork), event);
    else if (file) read(file);
  });
}

export function startMerge() {
  startDrop();
  $("table").addEventListener("change", () => { if ($("table").files[0]) read($("table").files[0]); });
  $("merge-example").addEventListener("click", () => {
    put("text", EXAMPLE_WORDS);
    read(EXAMPLE);
  });
  $("merge-end").addEventListener("click", () => {
    $("table").value = "";
    dropList();
    $("table").focus();
  });
  tie($("merge-text"), path, () => valueAt(path()));
  $("step-back").addEventListener("click", () => step(rowAt(), "before"));
  $("step-on").addEventListener("click", () => step(rowAt(), "next"));
  $("step").addEventListener("input", () => { if (Number($("step").value) >= 1) step(Math.floor($("step").value)); });
  $("files-make").addEventListener("click", () => {
    showTab("merge");
    $("make").focus();
    $("make").scrollIntoView({ block: "center" });
  });
  startChecks();
  startMaking();
  follow(show);
}
