// Jobs of the service: a request whose words have placeholders, and a list with a row for each page.

import { askAgain } from "../service.js";

const JOBS = "/api/v1/jobs";
/** Waits between two looks at a job: short ones at first. */
const LOOKS_MS = [150, 250, 400, 700, 1000];

const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/**
 * Creates a job. An uncertain list is refused; `readings` of the refusal's details lists its encodings.
 * @param {object} job the members of a job without rows
 * @param {File} file the list: CSV, XLSX or JSON Lines
 * @param {string} [key] the `Idempotency-Key`, by which a job that is sent again is made once
 */
export async function createJob(job, file, { key, signal, tell } = {}) {
  const form = new FormData();
  form.append("job", JSON.stringify(job));
  form.append("rows", file, file.name);
  return (await askAgain(JOBS, { form, signal, tell, headers: key && { "Idempotency-Key": key } })).json();
}

export const readJob = async (id, signal) => (await askAgain(`${JOBS}/${id}`, { signal })).json();

/** Looks at a job until it no longer runs; `see` gets each state of it. */
export async function followJob(id, see, signal) {
  for (let looks = 0; ; looks += 1) {
    const job = await readJob(id, signal);
    see(job);
    if (job.state !== "running") return job;
    await pause(LOOKS_MS[Math.min(looks, LOOKS_MS.length - 1)]);
    signal?.throwIfAborted();
  }
}

/** Rows of a job; `wanted` are the parameters of the call. */
export async function readRows(id, wanted, signal) {
  const answer = await askAgain(`${JOBS}/${id}/rows?${new URLSearchParams(wanted)}`, { signal });
  return (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Cancels a job that runs; deletes one that has ended. */
export const endJob = (id) => askAgain(`${JOBS}/${id}`, { method: "DELETE" });
export const resumeJob = async (id) => (await askAgain(`${JOBS}/${id}/resume`, { method: "POST" })).json();
/** The PDF or ZIP of a job that has completed. */
export const readResult = async (id, tell) => (await askAgain(`${JOBS}/${id}/result`, { tell })).blob();

/** Takes a job that is of no more use off the service. */
export async function forgetJob(id) {
  try {
    const job = await readJob(id);
    if (job.state === "running" || job.state === "paused") await endJob(id);
    await endJob(id);
  } catch {
    // It expires by itself.
  }
}
