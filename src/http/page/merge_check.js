// What preflight finds in the pages of all rows. It shares the previews' limit, so it slows down before that is used up.

import { askAgain } from "./service.js";
import { fileRequest, kind } from "./files.js";
import { merged, ofRow, written } from "./merge.js";
import { request } from "./store.js";

const FEW_LEFT = 150;
const THRIFTY_PAUSE_MS = 450;

let underWay = new AbortController();

async function checked(row, signal) {
  const { wrong } = ofRow(row);
  if (wrong) return { verdict: "error", said: wrong };
  try {
    const answer = await askAgain("/api/v1/preflight", { body: fileRequest(kind(), written(request(), row)), signal });
    const { verdict, findings } = await answer.json();
    const worst = findings.find(({ severity }) => severity === verdict);
    const left = Number(answer.headers.get("X-RateLimit-Remaining") ?? Infinity);
    if (left < FEW_LEFT) await new Promise((done) => { setTimeout(done, THRIFTY_PAUSE_MS); });
    return { verdict, said: ["error", "warning"].includes(verdict) ? worst.message : "" };
  } catch (error) {
    if (error.name === "AbortError" || error.status !== 422) throw error;
    return { verdict: "error", said: error.details[0]?.message ?? error.message };
  }
}

export const stopCheck = () => underWay.abort();

/** Checks all rows, in order; `tell` gets the results so far as a map from a row's place to {verdict, said}. */
export async function checkRows(tell) {
  stopCheck();
  underWay = new AbortController();
  const { signal } = underWay;
  const results = new Map();
  tell(results);
  for (const [at, row] of merged().rows.entries()) {
    const result = await checked(row, signal);
    if (signal.aborted) return;
    results.set(at, result);
    tell(results);
  }
}
