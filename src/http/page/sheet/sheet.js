// The sheet: its size on the screen, what is drawn over it, and a closer look at parts of it.

import { $, drawn, later } from "../controls/element.js";
import { follow } from "../controls/controls.js";
import { showBleed } from "./bleed.js";
import { written } from "../merge/list.js";
import { mailPiece, nameOf, nameOfPiece, pagePx, pageSize } from "../state/papers.js";
import { paperColor } from "../state/paper_colors.js";
import { askPreview, onPreview, previewRequest } from "./preview.js";
import { request } from "../state/store.js";
import { shownSize } from "../state/units.js";

const AROUND_PX = 64;
/** CSS pixels per pixel at 300 DPI: of the real size, and the bounds of a zoom. */
const REAL = 96 / 300;
const BOUNDS = [REAL / 4, 3];
const LEAST_REGION = 200;
/** The largest scale of the whole sheet: twice its size. */
const LARGEST_FIT = 2 * REAL;

/** "fit", or CSS pixels per pixel at 300 DPI. */
let zoom = "fit";
let closer = new AbortController();
let closerPicture;

const stage = () => $("stage");

/** The scale that is kept while something is dragged: messages under the sheet take of its room. */
let kept;

/** Keeps the scale as it is, or gives it up to the room again. */
export function keepScale(isKept) {
  kept = isKept ? scale() : undefined;
  if (!isKept) lay();
}

/** CSS pixels per pixel at 300 DPI. */
export function scale() {
  if (kept) return kept;
  const { width, height } = pagePx();
  if (zoom !== "fit") return zoom;
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
  $("sheet-scale").textContent = `${Math.round((by / REAL) * 100)} % of real size`;
  drawZones();
  showBleed();
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

/** Where most texts begin, as a part of the sheet. */
const BEGINNING = [0.4, 0.2];

/** Shows the sheet at a zoom. The point `at` of the screen stays where it is; without one, the beginning of the text is in the middle. */
export function zoomTo(wanted, at) {
  const view = stage();
  const [sheet, room] = [$("sheet").getBoundingClientRect(), view.getBoundingClientRect()];
  const center = { x: room.left + room.width / 2, y: room.top + room.height / 2 };
  const point = at ?? center;
  const part = at || zoom !== "fit" ? [(point.x - sheet.left) / sheet.width, (point.y - sheet.top) / sheet.height] : BEGINNING;
  zoom = wanted === "fit" ? "fit" : Math.min(BOUNDS[1], Math.max(BOUNDS[0], wanted));
  $("closer").hidden = true;
  view.classList.toggle("close", zoom !== "fit");
  lay();
  const now = $("sheet").getBoundingClientRect();
  view.scrollBy(now.left + part[0] * now.width - point.x, now.top + part[1] * now.height - point.y);
}

export function startSheet() {
  stage().addEventListener("scroll", lookCloser);
  new ResizeObserver(lay).observe(stage());
  follow(lay);
  onPreview(() => { if (zoom !== "fit") lookCloser(); });
}

