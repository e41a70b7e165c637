// What the service knows of hands of one's own: the sheet, pictures read, and hands saved.

import { Refusal, storedKey } from "../service.js";

const HANDS = "/api/v1/hands";
const MOST_TRIES = 5;

/**
 * What is read: files with pictures, the record of a hand, and what is said of it.
 * @typedef {{ pictures: File[], record?: string, said: object }} Order
 */

const pause = (seconds, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, seconds * 1000);
  signal?.addEventListener("abort", () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
});

/** The answer to a request. A service that is busy is asked again; a refusal is thrown. */
async function ask(path, { tell, ...options } = {}) {
  for (let tried = 1; ; tried += 1) {
    const answer = await fetch(path, { ...options, headers: { Authorization: `Bearer ${storedKey()}` } });
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    const seconds = Number(answer.headers.get("Retry-After")) || 0;
    if (!seconds || tried === MOST_TRIES) throw new Refusal(answer.status, said, seconds);
    tell?.(`${said.message} Trying again in ${seconds} s.`);
    await pause(seconds, options.signal);
  }
}

/** @param {Order} order */
function parts({ pictures, record, said }) {
  const form = new FormData();
  form.append("hand", new Blob([JSON.stringify(said)], { type: "application/json" }));
  for (const picture of pictures) form.append("pictures", picture, picture.name);
  if (record) form.append("record", new Blob([record], { type: "application/json" }));
  return form;
}

/** Whether the key may make hands. */
export const mayMakeHands = async () => Boolean((await (await ask("/api/v1/usage")).json()).makes_hands);

/** The sheet as a PDF. @param {{ joined: boolean, quick: boolean, letter: boolean }} form */
export const sheet = async (form) => (await ask(`${HANDS}/sheet.pdf?${new URLSearchParams(form)}`)).blob();

/** What is read in pictures. Nothing is kept. @param {Order} order */
export const readHand = async (order, options) => (await ask(`${HANDS}/read`, { ...options, method: "POST", body: parts(order) })).json();

/** Saves a hand. @param {Order} order */
export const saveHand = async (order, options) => (await ask(HANDS, { ...options, method: "POST", body: parts(order) })).json();

/** The saved hands of the key. */
export const savedHands = async () => (await ask(HANDS)).json();

/** A saved hand with its record. */
export const savedHand = async (id) => (await ask(`${HANDS}/${id}`)).json();

export const deleteHand = async (id) => (await ask(`${HANDS}/${id}`, { method: "DELETE" })).json();
