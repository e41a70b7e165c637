// Links that reproduce the page: the request and how it is looked at, packed behind the # of the address, which browsers
// send to no server. A key behind the # moves into the tab, so that it is in no history; a link never holds one.

import { storeKey } from "./service.js";
import { look, request } from "./store.js";

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function packed(value) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

/** The address of this page as it is on the screen. */
export const linkHere = async () => `${location.origin}${location.pathname}#page=${await packed({ request: request(), look: look() })}`;

/** The page of the address, if it holds one; null if not or if it is damaged. The address is bare afterwards. */
export async function takeAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (given.get("key")) storeKey(given.get("key"));
  try {
    return given.get("page") && await unpacked(given.get("page"));
  } catch {
    return null;
  }
}
