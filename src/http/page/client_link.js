// A link that shows the sheet to people without a key: the service signs it, for some days.

import { $ } from "./element.js";
import { follow } from "./controls.js";
import { act, copy } from "./files.js";
import { written } from "./list.js";
import { paperColor } from "./paper_colors.js";
import { previewRequest } from "./preview.js";
import { askAgain } from "./service.js";
import { otherSide } from "./store.js";

async function share() {
  const { page, ...body } = previewRequest(written());
  const made = await (await askAgain(`/api/v1/links?days=${$("share-days").value}`, { body })).json();
  const link = $("link-text");
  link.value = `${location.origin}${made.path}&paper=${paperColor().slice(1)}`;
  link.hidden = false;
  const until = new Date(made.ends_at).toLocaleDateString(undefined, { dateStyle: "long" });
  await copy(link.value, `The link was copied. Everyone with the link sees this page, and nothing else, until ${until}.`, link);
}

/** Offers the link, where the operator allows it. */
export function offerClientLink({ makes_links: isAllowed }) {
  $("sharing").hidden = !isAllowed;
}

export function startClientLink() {
  $("share").addEventListener("click", () => act($("share"), share));
  follow(() => { $("share-said").textContent = `It shows ${otherSide() ? "the side on the screen" : "this page"} as a preview, to look at alone.`; });
}
