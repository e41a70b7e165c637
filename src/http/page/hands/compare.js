// Two hands side by side: the page on the screen, written by both.

import { $, element } from "../controls/element.js";
import { chooseHand, fontOf, writeIn } from "../state/suit.js";
import { written } from "../merge/list.js";
import { previewRequest } from "../sheet/preview.js";
import { askAgain, decoded } from "../service.js";
import { look, request } from "../state/store.js";

let chosen = [];
let shown = "";

export const compared = () => chosen;

/** The page in another hand, in the size that suits it. */
function inHand(id) {
  const draft = JSON.parse(JSON.stringify({ request: request(), look: look() }));
  writeIn(id, draft);
  return previewRequest(written(draft.request));
}

async function picture(id) {
  const image = element("img", { alt: `The page in the hand ${fontOf(id).name}` });
  const use = element("button", { type: "button" }, `Use ${fontOf(id).name}`);
  use.addEventListener("click", () => {
    chooseHand(id);
    $("hands-dialog").close();
  });
  const figure = element("figure", {}, image, element("figcaption", {}, use));
  try {
    const page = await (await askAgain("/api/v1/preview", { body: inHand(id) })).json();
    image.src = URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" }));
  } catch (error) {
    image.replaceWith(element("p", { class: "error" }, error.message));
  }
  return figure;
}

/** Shows both, once two are chosen and whenever the page changes while they are in view. */
export async function showCompared() {
  const wanted = JSON.stringify([chosen, request()]);
  if (wanted === shown || !$("hands-dialog").open) return;
  shown = wanted;
  $("compared").hidden = chosen.length === 0;
  $("compared-hint").hidden = chosen.length !== 1;
  if (chosen.length < 2) {
    $("compared-pages").replaceChildren();
    return;
  }
  const pictures = await Promise.all(chosen.map(picture));
  if (wanted === shown) $("compared-pages").replaceChildren(...pictures);
}

/** Adds a hand or takes it away; a third one replaces the first. */
export function toggleCompared(id) {
  chosen = chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2);
  for (const hand of document.querySelectorAll(".hand")) {
    hand.querySelector(".beside").setAttribute("aria-pressed", String(chosen.includes(Number(hand.dataset.id))));
  }
  showCompared();
}
