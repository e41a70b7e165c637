// The check of all rows of a list: a job that makes nothing. The service lays each row out and says what is wrong with it.

import { $, element, later } from "../controls/element.js";
import { withWords } from "../state/empty_boxes.js";
import { pathOf } from "../state/fields.js";
import { extension, fileRequest, kind, sideOfFile } from "../files/files.js";
import { createJob, followJob, forgetJob, readRows } from "./jobs.js";
import { goToRow, merged, tableOf } from "./list.js";
import { toldOnce } from "../controls/messages.js";
import { blankSides, nameOfSide, pathOnSide, sideOf, turnTo } from "../state/sides.js";
import { look, otherSide, request, showAgain, watch } from "../state/store.js";
import { inWords } from "../controls/wording.js";

const QUIET_MS = 900;
/** Lists up to this size are checked without being asked for. */
const MOST_ROWS = 5000;
const MOST_BYTES = 1 << 20;
/** Entries of a list of rows. */
const MOST_LISTED = 100;

let underWay = new AbortController();
let checkedFor = "";
/** What is wrong with rows, by their numbers. */
let failed = new Map();
/** The job that has checked the rows. */
let checked;

export const wrongWith = (number) => failed.get(number) ?? "";

const withoutSeed = ({ seed, ...wanted }) => wanted;

/** What the rows become: `pdf`, which is one file, or `zip`. */
export const form = () => look().form ?? "pdf";
/** The kind of file of all rows: one PDF holds pages of a kind of PDF, and so does a sheet of two sides. */
export function kindOfAll() {
  const hasSides = Boolean(otherSide()) && !blankSides().length;
  return (form() === "pdf" || hasSides) && extension() !== "pdf" ? "pdf" : kind();
}

/** The request of all rows for a kind of file: each row gets a seed of its own. */
export function ofAllRows(chosen = kindOfAll()) {
  const [here, behind] = [request(), otherSide()?.request].map((side) => side && withoutSeed(withWords(side)));
  return fileRequest(chosen, here, behind);
}

/** Whether all rows can have one size: those of one side. */
export const canBeSame = () => !ofAllRows().sides;

/** What a job of all rows is told beside its request. */
export const optionsOfAll = () => ({ table: tableOf(), ...(look().same && canBeSame() && { same_size: true }) });

const number = (count) => count.toLocaleString("en");
const counted = (count, one, several) => `${number(count)} ${count === 1 ? one : several}`;

/** What is said of a row or of all, in words; a message that is about a side begins with its field. */
function told({ message, field = /^sides\[\d\][^:]*(?=: )/.exec(message)?.[0] ?? "" }) {
  const path = pathOnSide(pathOf(field.replace(/^request\./, "")), sideOfFile(kindOfAll()));
  return { path, text: inWords(message, path) };
}

/** The first thing that is said of each side, with the name of the side, or of both, and a path on the first of them. */
export function saidOfSides(messages) {
  const [all, sideAt] = [toldOnce(messages.map(told)), ({ path }) => sideOf(path).side];
  const firsts = all.filter((one, at) => all.findIndex((other) => sideAt(other) === sideAt(one)) === at);
  const words = firsts.map(({ path, text }) => [nameOfSide(sideOf(path).side), text].filter(Boolean).join(": "));
  return { said: words.join(" "), path: all[0]?.path ?? "" };
}

/** Rows and what is said of each, as {row, kind, said, path}. */
const entries = (rows, kindOf, messagesOf) => rows.map((row) => ({ row: row.row, kind: kindOf, ...saidOfSides(messagesOf(row)) }));
const failures = (rows) => entries(rows, "error", ({ error }) => error.message.split("\n").map((message) => ({ message })));
const doubts = (rows) => entries(rows, "warning", ({ warnings }) => warnings);

/** The rows of a job that failed, and those that were made with warnings; the first hundred of each. */
export async function wrongRows(job, signal) {
  const wrong = job.failed ? failures(await readRows(job.id, { state: "failed", limit: MOST_LISTED }, signal)) : [];
  const warned = job.warned ? doubts(await readRows(job.id, { state: "warned", limit: MOST_LISTED }, signal)) : [];
  return [...wrong, ...warned];
}

/** Entries that lead to their rows. */
export function listRows(place, rows, all) {
  const items = rows.map(({ row, kind: severity, said, path }) => {
    const link = element("button", { type: "button", class: "plain small" }, `Row ${number(row)}`);
    link.addEventListener("click", () => {
      turnTo(path);
      goToRow(row);
    });
    return element("li", { class: severity }, link, element("span", {}, said));
  });
  if (all > rows.length) items.push(element("li", {}, `and ${number(all - rows.length)} more`));
  place.replaceChildren(...items);
}

function sayWrong(text) {
  $("merge-wrong").textContent = text;
  $("merge-wrong").hidden = !text;
}

const sentence = (note) => `${inWords(note)}.`;

/** The number of rows that fit, if the rows as they are now were checked. */
export const fittingRows = () => checked?.made;

function showResult(job, rows) {
  checked = job;
  const parts = [counted(job.made, "row fits", "rows fit")];
  if (job.warned) parts[0] += `, ${number(job.warned)} of them to be looked at`;
  if (job.failed) parts.push(counted(job.failed, "row is not ready", "rows are not ready"));
  $("merge-summary").textContent = parts.join(" · ");
  sayWrong((job.notes ?? []).map(sentence).join(" "));
  failed = new Map(rows.filter(({ kind: severity }) => severity === "error").map(({ row, said }) => [row, said]));
  listRows($("merge-rows"), rows, job.failed + job.warned);
}

/** What the results depend on. */
const checkedNow = () => merged() && JSON.stringify([merged().id, ofAllRows(), optionsOfAll()]);

async function check() {
  stopCheck();
  underWay = new AbortController();
  const { signal } = underWay;
  checkedFor = checkedNow();
  $("merge-summary").textContent = "Checking …";
  let job;
  try {
    job = await createJob({ request: ofAllRows(), dry_run: true, ...optionsOfAll() }, merged().file, { signal });
    job = await followJob(job.id, (now) => {
      $("merge-summary").textContent = `Checking: ${number(now.made + now.failed)} of ${counted(now.rows, "row", "rows")}`;
    }, signal);
    const rows = await wrongRows(job, signal);
    if (!signal.aborted) showResult(job, rows);
  } catch (error) {
    if (signal.aborted) return;
    $("merge-summary").textContent = error.details?.length ? "No row is ready." : `The rows are not checked: ${error.message}`;
    sayWrong(saidOfSides(error.details ?? []).said);
  } finally {
    if (job) forgetJob(job.id);
    showAgain();
  }
}

function stopCheck() {
  underWay.abort();
  checked = undefined;
  checkedFor = "";
}

/** Results of other words say nothing any more. */
function forget() {
  stopCheck();
  failed = new Map();
  $("merge-summary").textContent = "";
  sayWrong("");
  $("merge-rows").replaceChildren();
}

/** Checks lists when they and the words have not changed for a while. Results of other words are forgotten before others look. */
export function startChecks() {
  const isSmall = () => merged()?.count <= MOST_ROWS && merged().file.size <= MOST_BYTES;
  const checkSoon = later(() => { if (isSmall() && checkedFor !== checkedNow()) check(); }, QUIET_MS);
  $("merge-check").addEventListener("click", check);
  watch(() => {
    $("merge-check").hidden = isSmall();
    if (checkedFor && checkedFor !== checkedNow()) forget();
    checkSoon();
  });
}
