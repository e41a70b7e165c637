// A link that shows the sheet to people without a key: the service signs it, for some days.

import { $ } from "../controls/element.js";
import { follow } from "../controls/controls.js";
import { act } from "./files.js";
import { written, writtenBehind } from "../merge/list.js";
import { onSide } from "../controls/messages.js";
import { paperColor } from "../state/paper_colors.js";
import { previewRequest } from "../sheet/preview.js";
import { askAgain } from "../service.js";
import { showLink } from "./shown_link.js";
import { filledSide, ofFilledSides } from "../state/sides.js";

/** A side as a link shows it: all of its pages. */
function ofSide(wanted) {
  const { page, ...body } = previewRequest(wanted);
  return body;
}

/** What a link shows: the sides that something is on. */
export const linkRequest = () => ofFilledSides(written(), writtenBehind(), ofSide);

async function share() {
  const [body, side] = [linkRequest(), filledSide(written(), writtenBehind())];
  const made = await (await onSide(side, () => askAgain(`/api/v1/links?days=${$("share-days").value}`, { body }))).json();
  const until = new Date(made.ends_at).toLocaleDateString(undefined, { dateStyle: "long" });
  const said = `The link was copied. Everyone with the link sees this page, and nothing else, until ${until}.`;
  await showLink(`${location.origin}${made.path}&paper=${paperColor().slice(1)}`, said);
}

/** Offers the link, where the operator allows it. */
export function offerClientLink({ makes_links: isAllowed }) {
  $("sharing").hidden = !isAllowed;
}

export function startClientLink() {
  $("share").addEventListener("click", () => act($("share"), share));
  follow(() => { $("share-said").textContent = `It shows ${linkRequest().sides ? "both sides" : "this page"} as a preview, to look at alone.`; });
}
