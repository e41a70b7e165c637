// «My pages»: pages that the browser keeps under their names, and pages as files of JSON.

import { $, element } from "../controls/element.js";
import { keepFile } from "./files.js";
import { readPage } from "../state/given.js";
import { nameOfWords, wordsOf } from "./names.js";
import { change, request, takePage, unchoose, wholePage } from "../state/store.js";
import { suit } from "../state/suit.js";
import { showTab } from "../controls/tabs.js";

const KEPT = "longhand-pages";
const MOST_NAME = 60;

/** @typedef {{ name: string, saved: string, page: { request: object, look: object } }} Kept */

/** The pages that the browser keeps; none if they are damaged. @returns {Kept[]} */
function kept() {
  try {
    const all = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return all.filter(({ name, page }) => typeof name === "string" && typeof page === "object");
  } catch {
    return [];
  }
}

/** Keeps pages; false if the storage is full. */
function keep(all) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
    return true;
  } catch {
    return false;
  }
}

const tell = (text) => { $("pages-said").textContent = text; };

/** What a page is called before a person names it: its first words. */
function firstWords() {
  const words = wordsOf(wholePage()).split(/\s+/).filter(Boolean).slice(0, 4).join(" ");
  return words.slice(0, MOST_NAME) || "A page";
}

/** Shows a page of a file or of the browser; takes of it what the fields allow. */
function open(given, source) {
  const { page, said } = readPage(given, source);
  if (!page) {
    tell(said);
    return false;
  }
  unchoose(page);
  change("open page", (next) => {
    takePage(next, page);
    suit(next);
  });
  tell(said || `${source} was opened. Undo goes back.`);
  return true;
}

function save() {
  const name = $("pages-name").value.trim().slice(0, MOST_NAME) || firstWords();
  const others = kept().filter((other) => other.name !== name);
  const isSaved = keep([{ name, saved: new Date().toISOString(), page: wholePage() }, ...others]);
  tell(isSaved ? `“${name}” is kept in this browser.` : "The browser has no room for more pages. Save it as a file, or delete others.");
  show();
}

function remove(name) {
  const all = kept();
  keep(all.filter((other) => other.name !== name));
  show();
  tell(`“${name}” was deleted. `);
  const back = element("button", { type: "button", class: "plain small" }, "Put it back");
  back.addEventListener("click", () => {
    keep(all);
    show();
    tell(`“${name}” is back.`);
    $("pages-name").focus();
  });
  $("pages-said").append(back);
  back.focus();
}

function entry({ name, saved, page }) {
  const button = element("button", { type: "button", class: "plain kept" }, element("b", {}, name), element("span", { class: "hint" }, `${new Date(saved).toLocaleString()}`));
  button.addEventListener("click", () => { if (open(page, `“${name}”`)) $("pages-dialog").close(); });
  const removal = element("button", { type: "button", class: "plain small", "aria-label": `Delete ${name}` }, "Delete");
  removal.addEventListener("click", () => remove(name));
  return element("li", {}, button, removal);
}

function show() {
  const all = kept();
  $("pages-list").replaceChildren(...all.map(entry));
  $("no-pages").hidden = all.length > 0;
}

/** Opens a page from a file of JSON. */
export async function openPageFile(file) {
  let given = null;
  try {
    given = JSON.parse(await file.text());
  } catch {
    // It is said to be damaged.
  }
  if (!open(given, file.name)) $("pages-dialog").showModal();
}

/** `firstPage` makes a new page. */
export function startMyPages(firstPage) {
  const dialog = $("pages-dialog");
  $("pages-button").addEventListener("click", () => {
    $("pages-name").value = firstWords();
    tell("");
    show();
    dialog.showModal();
    $("pages-name").select();
  });
  $("pages-done").addEventListener("click", () => dialog.close());
  $("pages-save").addEventListener("click", save);
  $("pages-name").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    save();
  });
  $("pages-new").addEventListener("click", () => {
    change("new page", (next) => {
      const made = firstPage();
      takePage(next, { request: { ...made.request, text: "" }, look: { ...made.look, unit: next.look.unit } });
      suit(next);
    });
    dialog.close();
    showTab("write");
    $("text").focus();
  });
  $("pages-out").addEventListener("click", () => {
    const name = `${nameOfWords($("pages-name").value || firstWords())}.json`;
    keepFile(new Blob([JSON.stringify(wholePage(), null, 2)], { type: "application/json" }), name);
    tell(`${name} was saved as a file.`);
  });
  $("pages-in").addEventListener("change", async () => {
    const [file] = $("pages-in").files;
    $("pages-in").value = "";
    if (!file) return;
    await openPageFile(file);
    if (!$("pages-said").textContent.includes("not opened")) dialog.close();
  });
}
