// Mail merge: a table whose rows fill the placeholders of the words. The words stay as they are in the request.

import { readTable } from "./csv.js";
import { change, look, request } from "./store.js";
import { fillTemplate, readTemplate, showsNothing } from "./template.js";

const KEPT = "longhand-table";
const MOST_KEPT = 1_000_000;
const ROW = "row";

/** The name of the file, the encoding that the user chose, its columns, those of them in single quotes, and its rows as {number, cells, wrong}; null where nothing is merged. */
let table = null;
let tables = 0;

export const merged = () => table;

/** The columns in which all cells that say something are in single quotes. */
function quotedColumns(columns, rows) {
  const isQuoted = (cell) => /^'[^]*'$/.test(cell);
  const cellsAt = (at) => rows.map(({ cells }) => cells[at]).filter((cell) => cell && !showsNothing(cell));
  return columns.filter((_, at) => cellsAt(at).length && cellsAt(at).every(isQuoted));
}

/** Reads a table; its text is kept until the tab is closed, unless it is large. `encoding`: chosen by the user. */
export function setTable(name, text, encoding) {
  const { columns, rows } = readTable(text);
  const numbered = rows.map((row, at) => ({ number: at + 1, ...row })).filter(({ cells }) => !cells.every(showsNothing));
  if (!numbered.length) throw new Error(`${name} has no rows below its header.`);
  table = { name, encoding, columns, quoted: quotedColumns(columns, numbered), rows: numbered, digits: String(rows.length).length };
  tables += 1;
  if (text.length < MOST_KEPT) sessionStorage.setItem(KEPT, JSON.stringify({ name, text, encoding }));
  else sessionStorage.removeItem(KEPT);
  goToRow(0);
}

export function dropTable() {
  table = null;
  sessionStorage.removeItem(KEPT);
  goToRow(undefined);
}

/** Reads the table of this tab before it was reloaded. Returns a sentence on what is wrong with it, or "". */
export function restoreTable() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return "";
  try {
    const { name, text, encoding } = JSON.parse(kept);
    if (typeof name !== "string") throw new TypeError("no name");
    const at = look().row;
    setTable(name, text, encoding);
    goToRow(at);
    return "";
  } catch {
    sessionStorage.removeItem(KEPT);
    return "The table that this tab kept is damaged and was not opened.";
  }
}

/** Shows the row at this place, from 0. */
export function goToRow(at) {
  change("", (next) => {
    if (at === undefined) delete next.look.row;
    else next.look.row = Math.min(Math.max(0, at), table.rows.length - 1);
    next.look.table = table ? tables : undefined;
  });
}

/** The place of the shown row. */
export const rowAt = () => Math.min(look().row ?? 0, table.rows.length - 1);

/** The words of a request and of its text boxes. */
const textsOf = (wanted) => [wanted.text ?? "", ...(wanted.blocks ?? []).map(({ text }) => text ?? "")];

/** The texts of a row, and what is wrong with it: its record, or values that it lacks. */
export function ofRow({ number, cells, wrong }, wanted = request()) {
  const value = (name) => {
    const at = table.columns.indexOf(name);
    if (at < 0 && name === ROW) return String(number).padStart(table.digits, "0");
    return cells[at] ?? "";
  };
  const made = textsOf(wanted).map((text) => fillTemplate(text, value));
  const texts = made.map(({ filled }) => filled);
  if (wrong) return { texts, wrong };
  const lacking = [...new Set(made.flatMap((text) => text.lacking))];
  return { texts, wrong: lacking.length ? `lacks a value for ${braced(lacking)}` : "" };
}

/** A request with the texts of a row of the table; as it is where nothing is merged. */
export function written(wanted = request(), row = table?.rows[rowAt()]) {
  if (!table || textsOf(wanted).some((text) => readTemplate(text).error)) return wanted;
  const [text, ...others] = ofRow(row, wanted).texts;
  return { ...wanted, text, ...(wanted.blocks && { blocks: wanted.blocks.map((block, at) => ({ ...block, text: others[at] })) }) };
}

/** A request with the texts of the first row, which do not change from row to row. */
export const writtenFirst = (wanted = request()) => written(wanted, table?.rows[0]);

const braced = (names) => names.map((name) => `{${name}}`).join(", ");

const placeholders = () => textsOf(request()).flatMap((text) => readTemplate(text).placeholders);

/** Columns that the words do not use. */
export function unusedColumns() {
  const used = new Set(placeholders().map(({ name }) => name));
  return table.columns.filter((name) => !used.has(name));
}

/** What is wrong with the words or the table as a whole; empty if nothing is. */
export function wrongWithAll() {
  const [error] = textsOf(request()).map((text) => readTemplate(text).error).filter(Boolean);
  if (error) return error;
  if (table.columns.includes("")) return "A column with cells has no name in the header.";
  const twice = placeholders().find(({ name }) => table.columns.indexOf(name) !== table.columns.lastIndexOf(name));
  if (twice) return `Two columns are named "${twice.name}".`;
  const missing = placeholders().map(({ name }) => name).filter((name) => name !== ROW && !table.columns.includes(name));
  if (missing.length) return `There is no column for ${braced([...new Set(missing)])}.`;
  const quoted = table.quoted.filter((name) => placeholders().some((placeholder) => placeholder.name === name));
  if (quoted.length) return `All cells of ${braced(quoted)} are in single quotes, which would be written. Export the list with " as its quote.`;
  return placeholders().length ? "" : "The words use no column yet, so all pages are the same.";
}
