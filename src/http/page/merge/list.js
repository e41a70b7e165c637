// The list of a mail merge. The service reads it: a job that makes nothing holds its rows, and the page asks for those
// near the one on the sheet. The words stay as they are in the request.

import { withWords } from "../state/empty_boxes.js";
import { createJob, forgetJob, readJob, readRows } from "./jobs.js";
import { filled, namesIn } from "./placeholders.js";
import { decoded, storedKey } from "../service.js";
import { change, look, otherSide, request } from "../state/store.js";

const KEPT = "longhand-list";
/** Bytes of the largest list that outlasts a reload of the tab. */
const MOST_KEPT = 1 << 20;
/** Rows that are asked for at once. */
const WINDOW = 50;
const ROW = "row";

/**
 * @typedef {object} List
 * @property {string} name of its file
 * @property {File} file
 * @property {string} [encoding] that the user chose
 * @property {string} id of the job that holds its rows
 * @property {string[]} columns
 * @property {number} count of its rows
 * @property {Map<number, object>} cells of rows, by their numbers
 */
/** @type {List | null} */
let list = null;
/** When it was opened, by which its rows are told from those of another list. */
let opened = 0;
/** The last step that was asked for. */
let step;

export const merged = () => list;

/** How the service is to read the list. */
export const tableOf = ({ encoding } = list) => ({ ...(encoding && { encoding }) });

function keep() {
  const { name, file, encoding, id } = list;
  if (file.size > MOST_KEPT) {
    sessionStorage.removeItem(KEPT);
    return;
  }
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    if (list?.file !== file) return;
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ name, encoding, id, content: reader.result.split(",")[1] ?? "" }));
    } catch {
      // The storage is full.
      sessionStorage.removeItem(KEPT);
    }
  });
  reader.readAsDataURL(file);
}

async function take(made, file, encoding) {
  const old = list;
  list = { name: file.name, file, encoding, id: made.id, columns: made.columns ?? [], count: made.rows, cells: new Map() };
  opened = Date.now();
  if (old) forgetJob(old.id);
  keep();
}

/** Has the service read a list. A refusal of an uncertain list has `readings` in its details. */
export async function openList(file, encoding) {
  const made = await createJob({ request: { text: "a" }, dry_run: true, table: tableOf({ encoding }) }, file);
  await take(made, file, encoding);
  await goToRow(1);
}

export function dropList() {
  if (list) forgetJob(list.id);
  list = null;
  sessionStorage.removeItem(KEPT);
  change("", (next) => { delete next.look.row; delete next.look.table; });
}

/** Opens the list of this tab before it was loaded again. Returns a sentence on what is wrong with it, or "". */
export async function restoreList() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept || list || !storedKey()) return "";
  try {
    const { name, encoding, id, content } = JSON.parse(kept);
    if (typeof name !== "string" || typeof content !== "string") throw new TypeError("no list");
    const file = new File([decoded(content)], name);
    const at = look().row ?? 1;
    // The job may have expired.
    const made = await readJob(id).catch(() => createJob({ request: { text: "a" }, dry_run: true, table: tableOf({ encoding }) }, file));
    await take(made, file, encoding);
    await goToRow(at);
    return "";
  } catch {
    sessionStorage.removeItem(KEPT);
    return "The list that this tab kept is damaged and was not opened.";
  }
}

async function readAfter(number) {
  const { id, cells } = list;
  const rows = await readRows(id, { cells: true, after: Math.max(0, number), limit: WINDOW });
  for (const row of rows) cells.set(row.row, row.cells ?? {});
  return rows.map(({ row }) => row);
}

/** Rows are numbered from 1. Empty ones count and are left out. */
const FINDS = {
  at: async (number) => (list.cells.has(number) ? number : (await readAfter(number - 1))[0]),
  next: async (number) => (list.cells.has(number + 1) ? number + 1 : (await readAfter(number))[0]),
  before: async (number) => (list.cells.has(number - 1) ? number - 1 : (await readAfter(number - WINDOW)).filter((row) => row < number).at(-1)),
};

/** Shows a row as soon as its cells are there: that `at` a number, the `next` one or the one `before`. */
export async function goToRow(number, find = "at") {
  const mine = {};
  step = mine;
  const found = await FINDS[find](Math.max(number, 1));
  if (step !== mine || !list || found === undefined) return;
  change("", (next) => {
    next.look.row = found;
    next.look.table = opened;
  });
}

/** The number of the shown row. */
export const rowAt = () => look().row ?? 1;

/** The words of a request and of its text boxes. */
const textsOf = (wanted) => [wanted.text ?? "", ...(wanted.blocks ?? []).map(({ text }) => text ?? "")];

/** A request with the texts of a row; as it is where nothing is merged, or where the cells are not there yet. */
export function written(given = request(), at = list && rowAt()) {
  const wanted = withWords(given);
  const cells = list?.cells.get(at);
  if (!cells) return wanted;
  const digits = String(list.count).length;
  const value = (name) => (list.columns.includes(name) ? cells[name] ?? "" : name === ROW ? String(at).padStart(digits, "0") : undefined);
  const [text, ...others] = textsOf(wanted).map((words) => filled(words, value));
  return { ...wanted, ...("text" in wanted && { text }), ...(wanted.blocks && { blocks: wanted.blocks.map((block, number) => ({ ...block, text: others[number] })) }) };
}

/** The other side with the texts of the row; undefined where there is none. */
export const writtenBehind = () => otherSide() && written(otherSide().request);

/** A request with the texts of the first row, which do not change from row to row. */
export const writtenFirst = (wanted = request()) => written(wanted, list?.cells.keys().next().value);

/** The columns that the words use. */
export const usedColumns = () => new Set([request(), otherSide()?.request ?? {}].flatMap(textsOf).flatMap(namesIn));
