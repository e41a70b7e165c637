// «Make all»: a job that makes a page for each row of the list, as one PDF or as a ZIP, and its download.

import { $, element } from "../controls/element.js";
import { follow, segments } from "../controls/controls.js";
import { act, keepFile, kind, labelOfKind } from "../files/files.js";
import { sized } from "../files/file_facts.js";
import { createJob, endJob, followJob, forgetJob, readJob, readResult, resumeJob } from "./jobs.js";
import { merged } from "./list.js";
import { canBeSame, fittingRows, form, kindOfAll, listRows, ofAllRows, optionsOfAll, wrongRows } from "./merge_check.js";
import { nameOfWords } from "../files/names.js";
import { look, putLook } from "../state/store.js";

/** The job of this tab, which outlasts a reload. */
const KEPT = "longhand-job";
export const FORMS = ["pdf", "zip"];

let underWay = new AbortController();
/** What the last job that has completed made. */
let made;

const number = (count) => count.toLocaleString("en");
const counted = (count, one, several) => `${number(count)} ${count === 1 ? one : several}`;

/** A key that names one attempt, so that an answer that is lost makes no second job. */
const attempt = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16)).join("-");

const tell = (text) => { $("make-state").textContent = text; };

const REASONS = { quota: "the quota is used up", key: "the key was revoked", disk: "the service cannot write its files", space: "the service has no space for more files" };

function showProgress({ id, state, rows, made: done, failed, seconds_left: left, reason }) {
  const isOpen = state === "running" || state === "paused";
  $("make-progress").hidden = !isOpen;
  $("make-progress").max = rows;
  $("make-progress").value = done + failed;
  $("make-stop").hidden = !isOpen;
  $("make-on").hidden = state !== "paused";
  $("make-stop").onclick = () => act($("make-stop"), () => stop(id));
  $("make-on").onclick = () => act($("make-on"), () => goOn(id));
  if (state === "paused") tell(`It waits: ${REASONS[reason] ?? reason}. ${number(done)} of ${number(rows)} are made.`);
  else if (state === "running") tell(`${number(done + failed)} of ${number(rows)} are made${left ? `, ${number(left)} s left` : ""}.`);
}

async function goOn(id) {
  await resumeJob(id);
  await see(id, true);
}

async function stop(id) {
  underWay.abort();
  await endJob(id);
  forgetKept();
  showProgress({ id, state: "cancelled", rows: 1, made: 0, failed: 0 });
  tell("It was cancelled.");
  $("make").focus();
}

function forgetKept() {
  sessionStorage.removeItem(KEPT);
}

/** Looks at a job to its end; then fetches what it made, if `isWanted`, and says what it could not make. */
async function see(id, isWanted) {
  underWay.abort();
  underWay = new AbortController();
  const job = await followJob(id, showProgress, underWay.signal);
  showProgress(job);
  if (job.state === "paused") return;
  const rows = await wrongRows(job);
  listRows($("make-rows"), rows, job.failed + job.warned);
  if (job.state !== "completed") {
    forgetKept();
    tell(job.state === "failed" ? "No row could be made:" : "It was cancelled.");
    return;
  }
  made = job;
  $("make-again").hidden = false;
  if (isWanted) await fetchResult();
  else tell(`${said(job)}.`);
}

const said = ({ made: done, failed, pages }) => `${counted(done, "row", "rows")} on ${counted(pages, "page", "pages")}${failed ? `; ${counted(failed, "row", "rows")} could not be made` : ""}`;

async function fetchResult() {
  tell("Fetching …");
  const blob = await readResult(made.id, tell);
  const name = `${nameOfWords(merged()?.name.replace(/\.\w+$/, "") ?? "pages")}.${blob.type.includes("zip") ? "zip" : "pdf"}`;
  keepFile(blob, name);
  tell(`${name} was downloaded, ${sized(blob.size)}: ${said(made)}.`);
}

async function make() {
  $("make-again").hidden = true;
  $("make-rows").replaceChildren();
  tell("Sending the list …");
  const old = sessionStorage.getItem(KEPT);
  const name = form() === "zip" ? $("make-names").value : "{row}";
  const wanted = { request: ofAllRows(), output: { form: form(), name }, ...optionsOfAll() };
  try {
    const job = await createJob(wanted, merged().file, { key: attempt(), tell });
    sessionStorage.setItem(KEPT, job.id);
    if (old) forgetJob(old);
    await see(job.id, true);
  } catch (error) {
    if (error.name === "AbortError") return;
    tell("Nothing was made: see what is wrong.");
    throw error;
  }
}

/** Names of files: the number of a row, alone or with a cell. */
function showNames() {
  const columns = merged()?.columns ?? [];
  const select = $("make-names");
  if (select.dataset.columns === JSON.stringify(columns)) return;
  select.dataset.columns = JSON.stringify(columns);
  const option = (value, text) => element("option", { value }, text);
  select.replaceChildren(option("{row}", "number of the row"), ...columns.map((name) => option(`{row}-{${name}}`, `number and ${name}`)));
}

function show() {
  if (!merged()) return;
  showNames();
  $("make-same").checked = look().same === true && canBeSame();
  $("make-same").disabled = !canBeSame();
  $("make-same-said").hidden = canBeSame();
  const isZip = form() === "zip";
  $("make-naming").hidden = !isZip;
  const [all, fitting] = [merged().count, fittingRows() ?? merged().count];
  $("make").textContent = fitting < all ? `Make the ${number(fitting)} of ${counted(all, "row", "rows")} that fit` : `Make all ${counted(all, "row", "rows")}`;
  $("make").disabled = fitting === 0;
  $("make-said").textContent = `${isZip ? "A file for each row" : "One file with all pages"}: ${labelOfKind(kindOfAll())}${kindOfAll() === kind() ? ", as chosen under Download" : ""}. Each page counts toward the quota.`;
}

/** Goes on with the job that this tab looked at before it was loaded again. */
export async function restoreJob() {
  const id = sessionStorage.getItem(KEPT);
  if (!id) return;
  try {
    await readJob(id);
    await see(id, false);
  } catch (error) {
    // It has expired, or it cannot be asked for now.
    if (error.status === 404) forgetKept();
  }
}

export function startMaking() {
  $("make-form").append(segments("form", "As", [["pdf", "One PDF"], ["zip", "ZIP of files"]], { read: form, write: (value) => putLook("form", value) }));
  $("make-same").addEventListener("change", () => putLook("same", $("make-same").checked || undefined));
  $("make").addEventListener("click", () => act($("make"), make));
  $("make-again").addEventListener("click", () => act($("make-again"), fetchResult));
  follow(show);
}
