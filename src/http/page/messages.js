// What the page says about the request: at the fields, and beside the preview in a list that leads to the fields.

import { Refusal } from "./service.js";
import { element, idOf } from "./request.js";

/** The field that each type of warning is about. Where it is null, the message begins with the field's name. */
const WARNED = {
  blocks_overlap: null,
  characters_omitted: "text",
  font_shrunk: "font_size",
  font_substituted: "font_id",
  hidden_text: "pdf.text_layer",
  invisible_ink: "text_color",
  line_wrapped: "text",
  mail_piece_unverified: "mail_piece",
  margins_raised: null,
  no_effect: null,
  nothing_to_write: "text",
  provider_refuses: null,
  small_writing: "text",
  text_clipped: "text",
  word_broken: "font_size",
  writing_as_image: "pdf.writing",
};

const $ = (id) => document.getElementById(id);

/** The messages of the last preview, and of the last thing that a button did. */
const said = { preview: [], action: [] };
let visible = "[]";

/** The messages of a page that was made. */
export const ofWarnings = (warnings) => warnings.map(({ type, message }) => {
  const named = /^([a-z_]+(?:\.[a-z_]+)?): /.exec(message)?.[1];
  return { kind: "warning", path: WARNED[type] ?? named ?? "", text: message };
});

/** The messages of a request that failed. */
export function ofError(error) {
  const about = (path, text) => ({ kind: "error", path, text });
  if (!(error instanceof Refusal)) return [about("", error.message)];
  if (error.status === 401) return [about("key", error.message)];
  const details = error.details.map(({ field, message }) => about(field.replace(/\.\d+$/, ""), message));
  return details.length ? details : [about("", error.message)];
}

/** Replaces the messages of `source`, which is preview or action. Those of the other stay. */
export function say(source, messages) {
  said[source] = messages;
  const distinct = new Map([...said.action, ...said.preview].map((message) => [JSON.stringify(message), message]));
  const wanted = JSON.stringify([...distinct.keys()]);
  if (wanted === visible) return;
  visible = wanted;
  for (const place of document.querySelectorAll("p.error[id], p.warning[id]")) place.hidden = true;
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  const listed = [];
  for (const message of distinct.values()) {
    const hasField = sayAtField(message);
    if (message.kind === "error" || !hasField) listed.push(entry(message, hasField));
  }
  $("problems").replaceChildren(...listed);
}

/** Brings an error into view: that of the field with the focus, or else the first. */
export function scrollToError() {
  const focused = document.activeElement?.closest(".field, .hands")?.querySelector("p.error:not([hidden])");
  const error = focused ?? document.querySelector("p.error[id]:not([hidden])") ?? $("problems");
  error.scrollIntoView({ block: "nearest" });
}

/** False where the page has no such field. */
function sayAtField({ kind, path, text }) {
  const place = $(`${idOf(path)}-${kind}`);
  if (!place) return false;
  place.textContent = place.hidden ? text : `${place.textContent} ${text}`;
  place.hidden = false;
  place.closest("details")?.setAttribute("open", "");
  if (kind === "error") $(idOf(path))?.setAttribute("aria-invalid", "true");
  return true;
}

function entry({ kind, path, text }, hasField) {
  if (!hasField) return element("p", { class: kind }, kind === "error" && path ? `${path}: ${text}` : text);
  const label = path === "font_id" ? "Hand" : document.querySelector(`label[for="${idOf(path)}"]`).textContent;
  const link = element("a", { href: `#${idOf(path)}` }, label);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(path);
  });
  return element("p", { class: kind }, link, `: ${text}`);
}

function goTo(path) {
  const place = $(`${idOf(path)}-error`).closest(".field, .hands");
  place.closest("details")?.setAttribute("open", "");
  const inputs = path === "font_id" ? "input:checked" : "input:not([hidden]), select, textarea";
  place.querySelector(inputs).focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
}
