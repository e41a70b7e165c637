// The page behind a client link: asks for its picture with the link, which stands behind the # of the address.

import { $ } from "../controls/element.js";
import { Refusal, askAgain, decoded } from "../service.js";

let shown = 1;
let count = 1;
let picture;

/** Shows a page of the link. */
async function show(number) {
  const answer = await askAgain(`/api/v1/shared?page=${number}`, { token: link, headers: { Accept: "application/json" }, tell });
  const page = await answer.json();
  [shown, count] = [page.page, page.pages];
  URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" }));
  $("picture").src = picture;
  $("picture").alt = count > 1 ? `Handwriting, page ${shown} of ${count}` : "Handwriting";
  $("paper").hidden = false;
  $("about").hidden = false;
  $("page-steps").hidden = count < 2;
  $("page-count").textContent = `Page ${shown} of ${count}`;
  $("page-back").disabled = shown === 1;
  $("page-on").disabled = shown === count;
  scrollTo(0, 0);
  tell("");
}

/** The link, and the colour of its paper if it is no white one. */
const [link, ...others] = location.hash.slice(1).split("&");
const color = others.find((part) => /^paper=[0-9a-f]{6}$/.test(part))?.slice("paper=".length);

const tell = (text) => { $("status").textContent = text; };

async function tryToShow(number) {
  try {
    await show(number);
  } catch (error) {
    const isEnded = error instanceof Refusal && [401, 404].includes(error.status);
    tell(isEnded ? "This link has expired or is incomplete. Ask the sender for a new one." : `The page cannot be shown now. ${error.message}`);
  }
}

if (color) $("paper").style.background = `#${color}`;
$("page-back").addEventListener("click", () => tryToShow(shown - 1));
$("page-on").addEventListener("click", () => tryToShow(shown + 1));
// Another link in the same tab.
addEventListener("hashchange", () => location.reload());
await tryToShow(1);
