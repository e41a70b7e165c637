// The hands to choose from. A specimen is asked for when its card comes into view.

import { askAgain } from "./service.js";
import { element } from "./request.js";

const AT_A_TIME = 4;

const waiting = [];
let underWay = 0;

async function next() {
  if (underWay >= AT_A_TIME || waiting.length === 0) return;
  const card = waiting.shift();
  underWay += 1;
  try {
    const answer = await askAgain(`/api/v1/fonts/${card.dataset.id}/specimen.png`);
    const picture = element("img", { alt: "", src: URL.createObjectURL(await answer.blob()) });
    card.querySelector(".blank").replaceWith(picture);
  } catch {
    // The name alone stays; the key's field says what is wrong.
  } finally {
    underWay -= 1;
    next();
  }
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    waiting.push(target);
    next();
  }
}, { root: document.getElementById("hands"), rootMargin: "300px" });

function card({ id, name, style, slant, scripts }) {
  const described = [name, style, slant, ...scripts].join(" ").toLowerCase();
  const made = element("label", { class: "hand", "data-id": id, "data-said": described },
    element("input", { type: "radio", name: "font_id", value: id, checked: id === 1, "aria-describedby": "font_id-error font_id-warning" }),
    element("div", { class: "blank" }),
    element("span", {}, `${id} ${name}, ${style}`));
  seen.observe(made);
  return made;
}

function filter() {
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const hand of document.querySelectorAll(".hand")) {
    hand.hidden = !words.every((word) => hand.dataset.said.includes(word));
    shown += hand.hidden ? 0 : 1;
  }
  document.getElementById("found").textContent = `${shown} hands`;
}

/** Fills the list; whoever chose a hand before keeps it. `tell` hears of waits. */
export async function showHands(tell) {
  const { fonts } = await (await askAgain("/api/v1/fonts", { tell })).json();
  const list = document.getElementById("hands");
  if (list.childElementCount === fonts.length) return;
  list.replaceChildren(...fonts.map(card));
  filter();
}

document.getElementById("search").addEventListener("input", filter);
