// The service, asked with the key of this tab.

const KEY = "longhand-key";

export const storedKey = () => sessionStorage.getItem(KEY) ?? "";
export const storeKey = (key) => sessionStorage.setItem(KEY, key);

/** A key behind the # of the address moves into the tab, so that it is in no history and no log. */
export function takeKeyFromAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    storeKey(key);
    history.replaceState(null, "", location.pathname);
  }
}

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

/** The answer to a request; a refusal is thrown. */
export async function ask(path, { body, signal } = {}) {
  const headers = { Authorization: `Bearer ${storedKey()}` };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, said, Number(answer.headers.get("Retry-After")) || 0);
}

/** As `ask`, but waits as often as the service asks for patience. */
export async function askPatiently(path) {
  for (;;) {
    try {
      return await ask(path);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.retryAfter) throw error;
      await new Promise((done) => setTimeout(done, error.retryAfter * 1000));
    }
  }
}

/** The bytes of base64 text. */
export const decoded = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
