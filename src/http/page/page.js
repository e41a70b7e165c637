// The page: watches the form, keeps the preview up to date, and does what its buttons say.

import { program } from "./code.js";
import { showHands } from "./hands.js";
import { ofError, ofWarnings, say, scrollToError } from "./messages.js";
import { RequestForm, drawPaper, element } from "./request.js";
import { askAgain, decoded, storeKey, storedKey, takeKeyFromAddress } from "./service.js";

const PAUSE_MS = 350;
const SLOW_MS = 300;
const MM_PER_PX = 25.4;

const $ = (id) => document.getElementById(id);
let form;
let underWay = new AbortController();
let timer;
let picture;
/** Requests as JSON: of the form when it last changed, of the last preview asked for, and of the one on the screen. */
let edited;
let asked;
let shown;

const tellPreview = (text) => { $("status").textContent = text; };
const tellAction = (text) => { $("said").textContent = text; };

const wanted = () => JSON.stringify(form.request("pdf"));

/** What is asked of the preview: always a picture, of the first page. */
function previewRequest() {
  const { output_format: _, ...request } = form.request("pdf");
  if (request.overflow === "paginate") request.overflow = "clip";
  return request;
}

/** Says whether the picture is of another request than the form's. */
function markStale() {
  const isStale = !$("preview").hidden && wanted() !== shown;
  $("sheet").classList.toggle("stale", isStale);
  $("stale").hidden = !isStale;
  return isStale;
}

async function preview() {
  underWay.abort();
  if (!storedKey()) {
    tellPreview("Enter an API key to see your text written.");
    return;
  }
  const mine = new AbortController();
  underWay = mine;
  const body = previewRequest();
  const request = wanted();
  asked = request;
  const paginated = $("overflow").value === "paginate";
  $("again").hidden = true;
  $("sheet").setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { $("spinner").hidden = false; }, SLOW_MS);
  try {
    const page = await (await askAgain("/api/v1/preview", { body, signal: mine.signal, tell: tellPreview })).json();
    showPicture(page);
    shown = request;
    say("preview", ofWarnings(page.warnings.filter(({ type }) => !(paginated && type === "text_clipped"))));
    markStale();
  } catch (error) {
    if (error.name !== "AbortError") previewFailed(error, preview);
  } finally {
    clearTimeout(slow);
    if (underWay === mine) {
      $("spinner").hidden = true;
      $("sheet").setAttribute("aria-busy", "false");
    }
  }
}

/** Says why there is no preview. What the service did not refuse for good can be tried again. */
function previewFailed(error, again) {
  say("preview", ofError(error));
  scrollToError();
  tellPreview(markStale() ? "The picture is not up to date: see what is wrong." : "No preview: see what is wrong.");
  const isFinal = error.status < 429;
  $("again").hidden = isFinal;
  $("again").onclick = again;
  if (!isFinal) asked = undefined;
}

function showPicture(page) {
  URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(new Blob([decoded(page.image_base64)], { type: "image/png" }));
  const image = $("preview");
  const dpi = Number($("dpi").value);
  const mm = [page.width, page.height].map((px) => Math.round((px / dpi) * MM_PER_PX));
  image.src = picture;
  image.width = page.preview_width;
  image.height = page.preview_height;
  // To scale with one another: the longer side of ISO A3 would fill the window's height and a half.
  image.style.width = `min(100%, ${(mm[0] / 420) * 150}vh)`;
  image.alt = `Handwriting: ${$("text").value}`;
  image.hidden = false;
  const size = page.calculated_font_size ? `, size ${page.calculated_font_size} px` : "";
  tellPreview(`${mm[0]} × ${mm[1]} mm, ${page.width} × ${page.height} px${size}, ${Math.round(page.processing_time_ms)} ms`);
}

/** Does what a button is for. The button keeps the focus, and does nothing more until it is done. */
async function act(button, work) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  say("action", []);
  try {
    await work();
  } catch (error) {
    say("action", ofError(error));
    scrollToError();
    tellAction("That did not work: see what is wrong.");
  } finally {
    button.ariaDisabled = "false";
  }
}

async function download(format, writing) {
  const body = form.request(format);
  if (writing) body.pdf = { ...body.pdf, writing };
  let name = `handwriting_${$("page_size").value}_${$("dpi").value}dpi.${format}`;
  tellAction("Writing…");
  const answer = await askAgain("/api/v1/generate", { body, tell: tellAction });
  let blob;
  let warnings;
  if (format !== "png") {
    blob = await answer.blob();
    warnings = JSON.parse(answer.headers.get("X-Warnings") ?? "[]");
    name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))?.[1] ?? name;
  } else {
    const page = await answer.json();
    blob = new Blob([decoded(page.image_base64)], { type: "image/png" });
    warnings = page.warnings;
  }
  say("action", ofWarnings(warnings));
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  tellAction(`${name} was downloaded, ${Math.ceil(blob.size / 1024)} KiB.`);
}

async function copy() {
  try {
    await navigator.clipboard.writeText($("code").textContent);
    tellAction("The program was copied.");
  } catch {
    getSelection().selectAllChildren($("code"));
    tellAction("The browser lets no page copy here. The program is selected: press Ctrl+C.");
  }
}

function showCode() {
  const language = document.querySelector("input[name=language]:checked").value;
  $("code").textContent = program(language, form.request($("format").value));
}

function changed() {
  drawPaper(form.papers, $("page_size").value, $("orientation").value);
  showCode();
  const request = wanted();
  if (edited !== request) say("action", []);
  edited = request;
  markStale();
  clearTimeout(timer);
  if (asked !== request) timer = setTimeout(preview, PAUSE_MS);
}

async function useKey() {
  $("again").hidden = true;
  try {
    if (storedKey()) await showHands(tellPreview);
    say("preview", []);
  } catch (error) {
    previewFailed(error, useKey);
    return;
  }
  preview();
}

async function start() {
  takeKeyFromAddress();
  $("key").value = storedKey();
  const read = async (path) => (await askAgain(path, { tell: tellPreview })).json();
  try {
    const [described, papers] = await Promise.all([read("/openapi.json"), read("/page/papers.json")]);
    form = new RequestForm(described, papers);
  } catch (error) {
    tellPreview(`${error.message} Load this page again.`);
    return;
  }
  $("text").value = "Dear Ann,\n\nthank you for the flowers!\nThey stand on my desk.";
  $("form").addEventListener("input", ({ target }) => { if (target.id !== "search") changed(); });
  $("form").addEventListener("change", ({ target }) => { if (target.id !== "search") changed(); });
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("key").addEventListener("change", () => { storeKey($("key").value.trim()); useKey(); });
  for (const button of document.querySelectorAll("button[data-format]")) {
    const { format, writing } = button.dataset;
    button.addEventListener("click", () => act(button, () => download(format, writing)));
  }
  for (const choice of document.querySelectorAll(".languages input, #format")) choice.addEventListener("change", showCode);
  $("copy").addEventListener("click", () => act($("copy"), copy));
  changed();
  clearTimeout(timer);
  useKey();
}

start();
