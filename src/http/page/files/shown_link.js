// The link that was made last. It stands in the page as long as the page stays as it is: another page has another link.

import { $ } from "../controls/element.js";
import { copy } from "./files.js";
import { otherSide, request, watch } from "../state/store.js";

const pageNow = () => JSON.stringify([request(), otherSide()?.request]);

/** The page that the link is of. */
let shownFor;

/** Shows a link of the page and copies it. */
export async function showLink(address, said) {
  const link = $("link-text");
  link.value = address;
  link.hidden = false;
  shownFor = pageNow();
  await copy(address, said, link);
}

function forget() {
  shownFor = undefined;
  Object.assign($("link-text"), { value: "", hidden: true });
  $("said").textContent = "";
}

export const startShownLink = () => watch(() => { if (shownFor !== undefined && shownFor !== pageNow()) forget(); });
