// How close the sheet is looked at: by the buttons, the wheel with Ctrl, two fingers, keys, and a double click.

import { $ } from "../controls/element.js";
import { scale, zoomTo } from "./sheet.js";

/** CSS pixels per pixel at 300 DPI where the sheet has its real size: a CSS inch is an inch, where browser and screen agree. */
const REAL = 96 / 300;
/** Zooms of the buttons, in percent of the real size. */
const CLOSE = 300;
const PER_WHEEL = 0.0022;
const PER_KEY = 1.25;

/** Shows a zoom on the buttons, if they have it. */
function mark(chosen) {
  for (const radio of document.querySelectorAll("input[name=zoom]")) radio.checked = radio.value === String(chosen);
}

/** Zooms to "fit" or a percentage of the real size; `at` is the point on the screen that stays. */
function choose(chosen, at) {
  mark(chosen);
  zoomTo(chosen === "fit" ? "fit" : (chosen / 100) * REAL, at);
}

/** Zooms by a factor, at a point of the screen. */
function zoomBy(factor, at) {
  mark(undefined);
  zoomTo(scale() * factor, at);
}

const middle = () => {
  const { left, top, width, height } = $("stage").getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== $("stage")) return;
  const acts = { "+": () => zoomBy(PER_KEY, middle()), "=": () => zoomBy(PER_KEY, middle()), "-": () => zoomBy(1 / PER_KEY, middle()), 0: () => choose("fit"), 1: () => choose(100, middle()) };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  acts[event.key]();
}

/** Two fingers: the sheet is as much closer as they are farther apart. */
function startPinch(stage) {
  let from;
  const seen = ({ touches: [a, b] }) => ({ apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), at: { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 } });
  stage.addEventListener("touchstart", (event) => { from = event.touches.length === 2 ? { ...seen(event), scale: scale() } : undefined; }, { passive: true });
  stage.addEventListener("touchmove", (event) => {
    if (!from || event.touches.length !== 2) return;
    event.preventDefault();
    const { apart, at } = seen(event);
    mark(undefined);
    zoomTo((from.scale * apart) / from.apart, at);
  }, { passive: false });
  stage.addEventListener("touchend", () => { from = undefined; });
}

/** Drags the sheet like a map; the boxes on it are dragged by themselves. */
function startDragging(stage) {
  stage.addEventListener("pointerdown", (event) => {
    if (!stage.classList.contains("close") || event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".box")) return;
    event.preventDefault();
    stage.focus();
    const from = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    stage.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }) => stage.scrollTo(from.x - clientX, from.y - clientY);
    stage.addEventListener("pointermove", move);
    stage.addEventListener("lostpointercapture", () => stage.removeEventListener("pointermove", move), { once: true });
  });
}

export function startZoom() {
  const stage = $("stage");
  for (const radio of document.querySelectorAll("input[name=zoom]")) radio.addEventListener("change", () => choose(radio.value === "fit" ? "fit" : Number(radio.value)));
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(Math.exp(-event.deltaY * PER_WHEEL), { x: event.clientX, y: event.clientY });
  }, { passive: false });
  stage.addEventListener("dblclick", (event) => {
    if (event.target.closest(".box")) return;
    choose(stage.classList.contains("close") ? "fit" : CLOSE, { x: event.clientX, y: event.clientY });
  });
  stage.addEventListener("keydown", onKey);
  startPinch(stage);
  startDragging(stage);
}
