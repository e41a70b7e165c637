// Links that reproduce the page: the request and how it is looked at, packed behind the # of the address, which browsers
// send to no server. A key behind the # moves into the tab, so that it is in no history; a link never holds one.

import { storeKey } from "../service.js";
import { wholePage } from "../state/store.js";

const MOST_BYTES = 1 << 20;

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function packed(value) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads no more than the longest page: few packed bytes can stand for very many. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const [parts, decoder] = [[], new TextDecoder("utf-8", { fatal: true })];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > MOST_BYTES) throw new Error("The link is too long.");
    parts.push(decoder.decode(part.value, { stream: true }));
  }
  return JSON.parse(parts.join("") + decoder.decode());
}

/** The address of this page as it is on the screen. */
export const linkHere = async () => `${location.origin}${location.pathname}#page=${await packed(wholePage())}`;

/** The page of the address, unchecked; undefined if it holds none, null if it is damaged. The address is bare afterwards. */
export async function takeAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (given.get("key")) storeKey(given.get("key"));
  try {
    return given.has("page") ? await unpacked(given.get("page")) : undefined;
  } catch {
    return null;
  }
}
