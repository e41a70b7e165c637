// The page: watches the form, keeps the preview up to date, and says at each field what is wrong with it.

import { program } from "./code.js";
import { showHands } from "./hands.js";
import { RequestForm, drawPaper, element, idOf } from "./request.js";
import { Refusal, ask, decoded, storeKey, storedKey, takeKeyFromAddress } from "./service.js";

const PAUSE_MS = 350;
const SLOW_MS = 300;
const MM_PER_PX = 25.4;
/** The field that a warning is about, by its type; others name theirs before a colon. */
const WARNED = {
  font_substituted: "font_id", characters_omitted: "text", text_clipped: "text", font_shrunk: "font_size",
  line_wrapped: "text", nothing_to_write: "text", word_broken: "font_size", small_writing: "text",
};

const $ = (id) => document.getElementById(id);
let form;
let underWay = new AbortController();
let timer;
let picture;

/** Says a message at a field; false where the page has no such field. */
function sayAt(path, kind, message) {
  const place = $(`${idOf(path)}-${kind}`);
  if (!place) return false;
  place.textContent = place.hidden ? message : `${place.textContent} ${message}`;
  place.hidden = false;
  place.closest("details")?.setAttribute("open", "");
  if (kind === "error") $(idOf(path))?.setAttribute("aria-invalid", "true");
  return true;
}

function forget(kinds) {
  for (const place of document.querySelectorAll(kinds.map((kind) => `p.${kind}`).join())) place.hidden = true;
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  $("problems").replaceChildren();
}

function showWarnings(warnings) {
  for (const { type, message } of warnings) {
    const named = /^([a-z_]+(?:\.[a-z_]+)?): /.exec(message)?.[1];
    if (!sayAt(WARNED[type] ?? named ?? "", "warning", message)) {
      $("problems").append(element("p", { class: "warning" }, message));
    }
  }
}

function showFailure(error) {
  forget(["error"]);
  if (!(error instanceof Refusal)) {
    $("problems").append(element("p", { class: "error" }, `The service does not answer: ${error.message}`));
  } else if (error.status === 401) {
    sayAt("key", "error", error.message);
  } else {
    const homeless = error.details.filter(({ field, message }) => !sayAt(field.replace(/\.\d+$/, ""), "error", message));
    for (const { field, message } of homeless) $("problems").append(element("p", { class: "error" }, `${field}: ${message}`));
    if (error.details.length === 0) $("problems").append(element("p", { class: "error" }, error.message));
  }
  $("status").textContent = "No preview: see what is wrong.";
}

/** What is asked of the preview: always a picture, of the first page. */
function previewRequest() {
  const { output_format: _, ...request } = form.request("pdf");
  if (request.overflow === "paginate") request.overflow = "clip";
  return request;
}

async function preview() {
  underWay.abort();
  if (!storedKey()) {
    $("status").textContent = "Enter an API key to see your text written.";
    return;
  }
  const mine = new AbortController();
  underWay = mine;
  $("sheet").setAttribute("aria-busy", "true");
  const slow = setTimeout(() => { $("spinner").hidden = false; }, SLOW_MS);
  try {
    const page = await (await ask("/api/v1/preview", { body: previewRequest(), signal: mine.signal })).json();
    forget(["error", "warning"]);
    showPicture(page);
    const paginated = form.request("png").overflow === "paginate";
    showWarnings(page.warnings.filter(({ type }) => !(paginated && type === "text_clipped")));
  } catch (error) {
    if (error.name === "AbortError") return;
    if (error.retryAfter) timer = setTimeout(preview, error.retryAfter * 1000);
    showFailure(error);
  } finally {
    clearTimeout(slow);
    if (underWay === mine) {
      $("spinner").hidden = true;
      $("sheet").setAttribute("aria-busy", "false");
    }
  }
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
  $("status").textContent = `${mm[0]} × ${mm[1]} mm, ${page.width} × ${page.height} px${size}, ${Math.round(page.processing_time_ms)} ms`;
}

async function download(format) {
  const button = $(format);
  button.disabled = true;
  try {
    const answer = await ask("/api/v1/generate", { body: form.request(format) });
    let blob;
    let warnings;
    let name = `handwriting_${$("page_size").value}_${$("dpi").value}dpi.${format}`;
    if (format !== "png") {
      blob = await answer.blob();
      warnings = JSON.parse(answer.headers.get("X-Warnings") ?? "[]");
      name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))?.[1] ?? name;
    } else {
      const page = await answer.json();
      blob = new Blob([decoded(page.image_base64)], { type: "image/png" });
      warnings = page.warnings;
    }
    forget(["error", "warning"]);
    showWarnings(warnings);
    const link = element("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    $("status").textContent = `${name} was downloaded, ${Math.ceil(blob.size / 1024)} KiB.`;
  } catch (error) {
    showFailure(error);
  } finally {
    button.disabled = false;
  }
}

function showCode() {
  const language = document.querySelector("input[name=language]:checked").value;
  $("code").textContent = program(language, form.request($("format").value));
}

function changed() {
  drawPaper(form.papers, $("page_size").value, $("orientation").value);
  showCode();
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE_MS);
}

async function useKey() {
  try {
    if (storedKey()) await showHands();
    $("key-error").hidden = true;
    $("key").removeAttribute("aria-invalid");
  } catch (error) {
    showFailure(error);
    return;
  }
  preview();
}

async function start() {
  takeKeyFromAddress();
  $("key").value = storedKey();
  const read = async (path) => (await fetch(path)).json();
  const [described, papers] = await Promise.all([read("/openapi.json"), read("/page/papers.json")]);
  form = new RequestForm(described, papers);
  $("text").value = "Dear Ann,\n\nthank you for the flowers!\nThey stand on my desk.";
  $("form").addEventListener("input", ({ target }) => { if (target.id !== "search") changed(); });
  $("form").addEventListener("change", ({ target }) => { if (target.id !== "search") changed(); });
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("key").addEventListener("change", () => { storeKey($("key").value.trim()); useKey(); });
  for (const format of ["png", "pdf", "svg"]) $(format).addEventListener("click", () => download(format));
  for (const choice of document.querySelectorAll(".languages input, #format")) choice.addEventListener("change", showCode);
  $("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText($("code").textContent);
    $("status").textContent = "The program was copied.";
  });
  changed();
  clearTimeout(timer);
  useKey();
}

start();
