// «Merge»: a table dropped on the page, steps through its rows, what is wrong with them, and the command for them all.

import { $, element, later } from "./element.js";
import { batchCommand } from "./batch.js";
import { follow } from "./controls.js";
import { decodeText } from "./csv.js";
import { act, copy, extension, fileRequest } from "./files.js";
import { dropTable, goToRow, merged, ofRow, rowAt, setTable, unusedColumns, wrongWithAll } from "./merge.js";
import { readings } from "./readings.js";
import { checkRows, stopCheck } from "./merge_check.js";
import { chosenBox, put, request, valueAt } from "./store.js";
import { showTab } from "./tabs.js";

const QUIET_MS = 1200;
/** Rows that are checked without being asked for, and entries of the list. */
const MOST_CHECKED = 60;
const MOST_LISTED = 100;
const EXAMPLE = { name: "people.csv", text: 'name,gift\nAnn,the flowers\n"Marsh, E.",\nZoë,everything\n' };
const EXAMPLE_WORDS = "Dear {name},\n\nthank you for {gift}! Come and see us soon.\n\nYours, Tom";

let results = new Map();
let checkedFor = "";
/** The bytes of the file whose encoding is asked for. */
let asked;

const counted = (count, one, several) => `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
const sayWrong = (text) => {
  $("merge-error").textContent = text;
  $("merge-error").hidden = !text;
};

/** Asks for the encoding of a file by what its cells say in each. */
async function ask(name, bytes) {
  asked = bytes;
  let found;
  try {
    found = await readings(bytes);
  } catch (error) {
    const why = error.status === 401 ? "Enter your key, and drop the file again" : `${error.message} Drop the file again`;
    throw new Error(`${name} is not UTF-8. ${why}, or save it as CSV UTF-8.`);
  }
  if (asked !== bytes) return;
  if (!found.length) throw new Error(`${name} is not UTF-8 and in no encoding that is known here. Save it as CSV UTF-8.`);
  $("merge-ask").textContent = `${name} is not UTF-8. Which of these is right? If none is, save it as CSV UTF-8.`;
  $("merge-choices").replaceChildren(...found.map(({ encoding, sample, text }) => {
    const choice = element("button", { type: "button", class: "plain small" }, `${sample} (${encoding})`);
    choice.addEventListener("click", () => text().then((whole) => use(name, whole, encoding)).catch((error) => sayWrong(error.message)));
    return choice;
  }));
  $("merge-readings").hidden = false;
}

function use(name, text, encoding) {
  $("merge-readings").hidden = true;
  try {
    setTable(name, text, encoding);
  } catch (error) {
    sayWrong(error.message);
  }
}

async function read(file) {
  showTab("merge");
  sayWrong("");
  $("merge-readings").hidden = true;
  asked = undefined;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new Error(`${file.name} is a workbook. Save it as CSV, and drop that here.`);
    const text = decodeText(bytes);
    if (text === undefined) await ask(file.name, bytes);
    else use(file.name, text);
  } catch (error) {
    sayWrong(error.message);
  }
}

/** What is wrong with a row as far as it is known; empty if nothing is. */
const wrongWith = (at) => ofRow(merged().rows[at]).wrong || (results.get(at)?.verdict === "error" && results.get(at).said) || "";

function rowLink([at, { verdict, said }]) {
  const { number, cells } = merged().rows[at];
  const link = element("button", { type: "button", class: "plain small" }, `Row ${number}`);
  link.addEventListener("click", () => goToRow(at));
  return element("li", { class: verdict }, link, element("span", {}, element("b", {}, cells[0] ?? ""), ` ${said}`));
}

function showResults(found) {
  results = found;
  const [all, wrong] = [merged().rows.length, [...found].filter(([, { verdict }]) => verdict === "error")];
  const doubtful = [...found].filter(([, { verdict }]) => verdict === "warning");
  const parts = [counted(found.size - wrong.length, "row fits", "rows fit")];
  if (wrong.length) parts.push(counted(wrong.length, "row is not ready", "rows are not ready"));
  if (doubtful.length) parts.push(counted(doubtful.length, "should be looked at", "should be looked at"));
  if (found.size < all) parts.push(`${found.size.toLocaleString("en")} of ${all.toLocaleString("en")} checked`);
  $("merge-summary").textContent = parts.join(" · ");
  $("merge-rows").replaceChildren(...[...wrong, ...doubtful].slice(0, MOST_LISTED).map(rowLink));
  showSteps();
}

const check = () => checkRows(showResults).catch((error) => {
  if (error.name !== "AbortError") $("merge-summary").textContent = `The rows are not checked: ${error.message}`;
});

/** What the results depend on. */
const checkedNow = () => JSON.stringify([merged()?.name, merged()?.rows.length, { ...fileRequest(undefined, request()), seed: 0 }]);

const checkSoon = later(() => {
  if (!merged() || checkedFor === checkedNow()) return;
  checkedFor = checkedNow();
  if (merged().rows.length <= MOST_CHECKED) check();
}, QUIET_MS);

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
  const [words, text] = [$("merge-text"), valueAt(path()) ?? ""];
  if (words.value !== text) words.value = text;
  $("merge-text-label").textContent = chosenBox() === undefined ? "Words" : `Words of text box ${chosenBox() + 1}`;
}

function chip(name, isUsed) {
  const made = element("button", { type: "button", class: `plain small chip${isUsed ? " used" : ""}`, title: `Put {${name}} into the words` }, `{${name}}`);
  made.addEventListener("click", () => insert(name));
  return made;
}

function showSteps() {
  $("steps").hidden = !merged();
  if (!merged()) return;
  const [at, count] = [rowAt(), merged().rows.length];
  if (document.activeElement !== $("step")) $("step").value = at + 1;
  $("step").max = count;
  $("step-count").textContent = `of ${count.toLocaleString("en")}`;
  $("step-back").disabled = at === 0;
  $("step-on").disabled = at === count - 1;
  $("step-wrong").textContent = wrongWith(at);
}

function show() {
  $("merge-start").hidden = Boolean(merged());
  $("merging").hidden = !merged();
  showSteps();
  if (!merged()) return;
  showWords();
  const unused = unusedColumns();
  $("merge-name").textContent = `${merged().name}, ${counted(merged().rows.length, "row", "rows")}`;
  $("merge-columns").replaceChildren(...merged().columns.map((name) => chip(name, !unused.includes(name))));
  $("merge-wrong").textContent = wrongWithAll();
  $("merge-wrong").hidden = !wrongWithAll();
  $("merge-check").hidden = merged().rows.length <= MOST_CHECKED;
  $("batch").textContent = batchCommand(fileRequest(undefined, request()), extension(), $("batch-served").checked);
  if (checkedFor !== checkedNow()) {
    stopCheck();
    results = new Map();
    $("merge-summary").textContent = "";
    $("merge-rows").replaceChildren();
  }
  checkSoon();
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
    if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
  });
}

export function startMerge() {
  startDrop();
  $("table").addEventListener("change", () => { if ($("table").files[0]) read($("table").files[0]); });
  $("merge-example").addEventListener("click", () => {
    put("text", EXAMPLE_WORDS);
    setTable(EXAMPLE.name, EXAMPLE.text);
  });
  $("merge-end").addEventListener("click", () => {
    stopCheck();
    $("table").value = "";
    dropTable();
  });
  $("merge-text").addEventListener("input", () => put(path(), $("merge-text").value));
  $("merge-check").addEventListener("click", check);
  $("step-back").addEventListener("click", () => goToRow(rowAt() - 1));
  $("step-on").addEventListener("click", () => goToRow(rowAt() + 1));
  $("step").addEventListener("input", () => { if (Number($("step").value) >= 1) goToRow(Math.floor($("step").value) - 1); });
  $("batch-served").addEventListener("change", show);
  $("batch-copy").addEventListener("click", () => act($("batch-copy"), () => copy($("batch").textContent, "The command was copied.", $("batch"), $("batch-said"))));
  follow(show);
}
