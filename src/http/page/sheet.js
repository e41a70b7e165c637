// The sheet: its size on the screen, what is drawn over it, and a closer look at parts of it.

import { $, drawn, later } from "./element.js";
import { follow } from "./controls.js";
import { written } from "./list.js";
import { mailPiece, nameOf, nameOfPiece, pagePx, pageSize } from "./papers.js";
import { paperColor } from "./paper.js";
import { askPreview, onPreview, previewRequest } from "./preview.js";
import { request } from "./store.js";
import { shownSize } from "./units.js";

const AROUND_PX = 64;
/** Of a CSS pixel per pixel at 300 DPI. */
const SCALES = { fit: 0, 100: 1, 300: 3 };
const LEAST_REGION = 200;
/** The largest scale of the whole sheet: twice its size. */
const LARGEST_FIT = 2 * (96 / 300);

let zoom = "fit";
let closer = new AbortController();
let closerPicture;

const stage = () => $("stage");

/** CSS pixels per pixel at 300 DPI. */
export function scale() {
  const { width, height } = pagePx();
  if (zoom !== "fit") return SCALES[zoom];
  const room = { width: stage().clientWidth - AROUND_PX, height: stage().clientHeight - AROUND_PX };
  return Math.max(0.02, Math.min(LARGEST_FIT, room.width / width, room.height / height));
}

/** Gives the sheet its size, and draws what lies over it. */
function lay() {
  const { width, height } = pagePx();
  const by = scale();
  const sheet = $("sheet");
  sheet.style.width = `${width * by}px`;
  sheet.style.height = `${height * by}px`;
  sheet.style.backgroundColor = paperColor();
  const mm = pageSize(request());
  $("overlay").setAttribute("viewBox", `0 0 ${mm.width} ${mm.height}`);
  const name = request().mail_piece ? nameOfPiece(request().mail_piece) : nameOf(request().page_size ?? "a4");
  $("sheet-size").textContent = `${name}, ${shownSize(mm)}`;
  // A CSS inch is an inch, where the browser and the screen agree.
  $("sheet-scale").textContent = zoom === "fit" ? `${Math.round(by * (300 / 96) * 100)} % of real size` : "";
  drawZones();
  lookCloser();
}

function drawZones() {
  const piece = mailPiece(request());
  const { width, height } = pageSize(request());
  const box = ({ x, y, width: across, height: down }, kind) => drawn("rect", { x, y, width: across, height: down, class: kind });
  const zones = (piece?.zones ?? []).map((zone) => drawn("g", {}, box(zone, "zone"), drawn("text", { x: zone.x + 1.5, y: zone.y + 4.5 }, zone.name)));
  const safe = piece ? [box({ x: piece.safe_mm, y: piece.safe_mm, width: width - 2 * piece.safe_mm, height: height - 2 * piece.safe_mm }, "safe")] : [];
  $("zones").replaceChildren(...safe, ...zones);
}

/** The part of the page in view, in pixels at 300 DPI; at least as large as the service shows. */
function region() {
  const { width, height } = pagePx();
  const by = scale();
  const [sheet, view] = [$("sheet").getBoundingClientRect(), stage().getBoundingClientRect()];
  const along = (start, end, from, most) => {
    const extent = Math.min(most, Math.max(LEAST_REGION, Math.ceil((end - start) / by)));
    return { at: Math.round(Math.min(most - extent, Math.max(0, (start - from) / by))), extent };
  };
  const across = along(Math.max(view.left, sheet.left), Math.min(view.right, sheet.right), sheet.left, width);
  const down = along(Math.max(view.top, sheet.top), Math.min(view.bottom, sheet.bottom), sheet.top, height);
  return { x: across.at, y: down.at, width: across.extent, height: down.extent };
}

const lookCloser = later(async () => {
  closer.abort();
  if (zoom === "fit" || $("preview").hidden) return;
  closer = new AbortController();
  const part = region();
  const { width, height } = pagePx();
  try {
    const page = await askPreview({ ...previewRequest(written()), region: part }, closer.signal);
    URL.revokeObjectURL(closerPicture);
    closerPicture = page.url;
    const image = $("closer");
    image.src = closerPicture;
    const percent = (value, of) => `${(value / of) * 100}%`;
    image.style.left = percent(part.x, width);
    image.style.top = percent(part.y, height);
    image.style.width = percent(part.width, width);
    image.style.height = percent(part.height, height);
    image.hidden = false;
  } catch {
    // The preview of the whole page says what is wrong.
  }
}, 30);

/** Shows the sheet at a zoom; from the whole sheet, with `place` of it in the middle: the beginning of most texts. */
function chooseZoom(chosen, place = [0.4, 0.2]) {
  const view = stage();
  const middle = zoom === "fit" ? place : [(view.scrollLeft + view.clientWidth / 2) / view.scrollWidth, (view.scrollTop + view.clientHeight / 2) / view.scrollHeight];
  zoom = chosen;
  $("closer").hidden = true;
  view.classList.toggle("close", zoom !== "fit");
  lay();
  view.scrollLeft = middle[0] * view.scrollWidth - view.clientWidth / 2;
  view.scrollTop = middle[1] * view.scrollHeight - view.clientHeight / 2;
}

/** A double click looks closer where it is, and then at the whole sheet again. */
function startClicks() {
  // A press at a close zoom begins a drag of the stage, so that its clicks are those of the stage.
  stage().addEventListener("dblclick", (event) => {
    if (event.target.closest(".box")) return;
    const { left, top, width, height } = $("sheet").getBoundingClientRect();
    const chosen = zoom === "fit" ? "300" : "fit";
    document.querySelector(`input[name=zoom][value="${chosen}"]`).checked = true;
    chooseZoom(chosen, [(event.clientX - left) / width, (event.clientY - top) / height]);
  });
}

/** Drags the sheet like a map; the boxes on it are dragged by themselves. */
function startDragging() {
  const view = stage();
  view.addEventListener("pointerdown", (event) => {
    if (zoom === "fit" || event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".box")) return;
    event.preventDefault();
    view.focus();
    const from = { x: event.clientX + view.scrollLeft, y: event.clientY + view.scrollTop };
    view.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }) => view.scrollTo(from.x - clientX, from.y - clientY);
    view.addEventListener("pointermove", move);
    view.addEventListener("lostpointercapture", () => view.removeEventListener("pointermove", move), { once: true });
  });
}

export function startSheet() {
  for (const radio of document.querySelectorAll("input[name=zoom]")) radio.addEventListener("change", () => chooseZoom(radio.value));
  stage().addEventListener("scroll", lookCloser);
  new ResizeObserver(lay).observe(stage());
  startDragging();
  startClicks();
  follow(lay);
  onPreview(() => { if (zoom !== "fit") lookCloser(); });
}

