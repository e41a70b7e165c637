// Keeps the picture on the sheet up to date with the request.

import { $ } from "../controls/element.js";
import { isBlank } from "../state/empty_boxes.js";
import { ofPreviews } from "../state/fields.js";
import { written } from "../merge/list.js";
import { pageAsked } from "./page_steps.js";
import { paperOf } from "../state/paper_colors.js";
import { request, valueAt, watch } from "../state/store.js";
import { ofError, ofWarnings, say, scrollToError, tellStatus } from "../controls/messages.js";
import { askAgain, decoded, storedKey } from "../service.js";
import { sideNumber } from "../state/sides.js";

/** Waits after the last change, and where few requests of this minute are left. */
const PAUSE_MS = 25;
const THRIFTY_PAUSE_MS = 400;
const FEW_LEFT = 120;
const SLOW_MS = 300;

let underWay = new AbortController();
let timer;
let picture;
let left = Infinity;
/** Requests as JSON: of the last preview asked for, and of the one on the screen. */
let asked;
let shown;
const listeners = [];

/** Calls `listener` with each new preview and its request. */
export const onPreview = (listener) => listeners.push(listener);

/** What is asked of the preview: always a picture, of one page. */
export function previewRequest(wanted) {
  const page = JSON.parse(JSON.stringify(wanted));
  if (page.overflow === "paginate" && !ofPreviews.has("page")) page.overflow = "clip";
  delete page.output_format;
  return { ...page, ...pageAsked(), ...paperOf(ofPreviews) };
}

const now = () => JSON.stringify(previewRequest(written()));

/** Says whether the picture is of another request than the one on the screen. */
function markStale() {
  const isStale = Boolean(shown) && now() !== shown;
  $("sheet").classList.toggle("stale", isStale);
  $("stale").hidden = !isStale;
  return isStale;
}

/** One preview, with the same pixels in fewer bytes; `signal` calls it off. */
export async function askPreview(body, signal, tell) {
  const answer = await askAgain("/api/v1/preview", { body: { ...body, png_format: "indexed" }, signal, tell });
  left = Number(answer.headers.get("X-RateLimit-Remaining") ?? Infinity);
  const page = await answer.json();
  return { ...page, url: URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" })) };
}

/** How long to wait for the next change before a request. */
export const pause = () => (left < FEW_LEFT ? THRIFTY_PAUSE_MS : PAUSE_MS);

async function preview() {
  underWay.abort();
  if (!storedKey()) return;
  const mine = new AbortController();
  underWay = mine;
  const body = { ...previewRequest(written()), ...(ofPreviews.has("places") && { places: true }) };
  asked = now();
  const [mineAsked, side] = [asked, sideNumber()];
  $("again").hidden = true;
  if (isBlank(body)) {
    shown = mineAsked;
    showBlank();
    return;
  }
  $("sheet").setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { $("spinner").hidden = false; }, SLOW_MS);
  try {
    const page = await askPreview(body, mine.signal, tellStatus);
    show(page, body);
    shown = mineAsked;
    const isPaginated = valueAt("overflow") === "paginate";
    say("preview", ofWarnings(page.warnings.filter(({ type }) => !(isPaginated && type === "text_clipped")), side));
    markStale();
    for (const listener of listeners) listener(page, body);
  } catch (error) {
    if (error.name !== "AbortError") previewFailed(error, preview, side);
  } finally {
    clearTimeout(slow);
    if (underWay === mine) {
      $("spinner").hidden = true;
      $("sheet").setAttribute("aria-busy", "false");
    }
  }
}

/** Says why there is no preview of a side. What the service did not refuse for good can be tried again. */
export function previewFailed(error, again, side) {
  say("preview", ofError(error, side));
  $("check").hidden = true;
  scrollToError();
  tellStatus(markStale() ? "The picture is not up to date: see what is wrong." : "No preview: see what is wrong.");
  const isFinal = error.status < 429;
  $("again").hidden = isFinal;
  $("again").onclick = again;
  if (!isFinal) asked = undefined;
}

/** The sheet before there are words. */
function showBlank() {
  for (const id of ["preview", "closer", "check", "spinner"]) $(id).hidden = true;
  $("found-boxes").replaceChildren();
  $("empty").hidden = Boolean(request().blocks);
  $("sheet").setAttribute("aria-busy", "false");
  say("preview", []);
  markStale();
  tellStatus("There are no words yet.");
}

function show(page, body) {
  URL.revokeObjectURL(picture);
  picture = page.url;
  const image = $("preview");
  image.src = picture;
  const words = body.text ?? body.blocks?.map(({ text }) => text).join("\n");
  image.alt = words === undefined ? "Artwork without words" : `Handwriting: ${words}`;
  image.hidden = false;
  $("empty").hidden = true;
  const size = page.calculated_font_size ? `, letters ${page.calculated_font_size} px` : "";
  tellStatus(`${page.width} × ${page.height} px${size}, written in ${Math.round(page.processing_time_ms)} ms`);
}

/** Asks for a preview soon, if the request is not the one last asked for. */
export function previewSoon() {
  markStale();
  clearTimeout(timer);
  if (asked !== now()) timer = setTimeout(preview, pause());
}

/** Asks for a preview now. */
export function previewNow() {
  clearTimeout(timer);
  return preview();
}

export const startPreview = () => watch(previewSoon);

