// The service, asked with the key of this tab.

const KEY = "longhand-key";
const MOST_TRIES = 4;

export const storedKey = () => sessionStorage.getItem(KEY) ?? "";
export const storeKey = (key) => sessionStorage.setItem(KEY, key);

/** What the service says is wrong: `details` name fields. */
export class Refusal extends Error {
  constructor(status, body, retryAfter) {
    super(body.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.error ?? "";
    this.details = body.details ?? [];
    this.retryAfter = retryAfter;
  }
}

/** There was no answer. */
export class Unreachable extends Error {}

/** The refusal that an answer is. */
export const refusalOf = (status, said, retryAfter) => new Refusal(status, said, Number(retryAfter) || 0);

/** The answer to a request by the key of this tab or another `token`; its body is JSON or a `form`. A refusal is thrown. */
async function ask(path, { body, form, method = body || form ? "POST" : "GET", headers = {}, token = storedKey(), signal }) {
  const all = { Authorization: `Bearer ${token}`, ...headers };
  if (body) all["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers: all, signal, body: form ?? (body && JSON.stringify(body)) });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Unreachable("The service does not answer.");
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw refusalOf(answer.status, said, answer.headers.get("Retry-After"));
}

/** Seconds until the same request may succeed; 0 where it will not. */
function secondsUntilNext(error, tried) {
  if (error instanceof Unreachable) return 2 ** (tried - 2);
  return error.retryAfter ?? 0;
}

/**
 * Asks by `work` up to four times where the service asks for patience or does not answer. `tell` is told each time what was
 * wrong and when the next try is.
 */
export async function patiently(work, { tell, signal } = {}) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = secondsUntilNext(error, tried);
      if (!seconds || tried === MOST_TRIES) throw error;
      tell?.(`${error.message} Trying again in ${seconds} s (${tried + 1} of ${MOST_TRIES}).`);
      await pause(seconds, signal);
    }
  }
}

/** As `ask`, but patiently. */
export const askAgain = (path, { tell, ...options } = {}) => patiently(() => ask(path, options), { tell, signal: options.signal });

const pause = (seconds, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, seconds * 1000);
  signal?.addEventListener("abort", () => {
    clearTimeout(timer);
    fail(signal.reason);
  });
});

/** The bytes of base64 text. */
export const decoded = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
