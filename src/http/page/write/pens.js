// Pens as pictures: a stroke of each, drawn from its width in each direction.

import { drawn, element } from "../controls/element.js";
import { fields } from "../state/fields.js";
import { follow, messagePlaces, setField, valueOf } from "../controls/controls.js";
import { nameOfValue } from "../controls/labels.js";

/** Half the width of a stroke in every direction, what a nib at its angle adds, and how dark it is. */
const PENS = {
  as_designed: { half: 1.3 },
  ballpoint: { half: 0.7, dark: 0.9 },
  gel: { half: 1 },
  felt: { half: 1.9, dark: 0.85 },
  fountain: { half: 0.6, nib: 1.2 },
  broad: { half: 0.4, nib: 2.6 },
  pencil: { half: 0.9, dark: 0.5, grain: "1.1 0.5" },
};
const NIB_ANGLE = (40 * Math.PI) / 180;
const SAMPLES = 60;
const [WIDTH, HEIGHT] = [30, 18];

/** A point of the stroke, and its direction: two loops that grow smaller. */
function along(t) {
  const turn = t * 4 * Math.PI;
  const at = (of) => ({ x: 3 + 21 * (of / (4 * Math.PI)) + 3 * (1 - Math.cos(of)) / 2, y: 9 - 6 * Math.sin(of) * (1 - of / (6 * Math.PI)) });
  const [here, next] = [at(turn), at(turn + 0.01)];
  return { ...here, angle: Math.atan2(next.y - here.y, next.x - here.x) };
}

/** The outline of the stroke of a pen. */
export function outline({ half, nib = 0 }) {
  const sides = [[], []];
  for (let sample = 0; sample <= SAMPLES; sample += 1) {
    const { x, y, angle } = along(sample / SAMPLES);
    const reach = half + nib * Math.abs(Math.sin(angle + NIB_ANGLE));
    const [across, down] = [-Math.sin(angle) * reach, Math.cos(angle) * reach];
    sides[0].push(`${(x + across).toFixed(2)} ${(y + down).toFixed(2)}`);
    sides[1].unshift(`${(x - across).toFixed(2)} ${(y - down).toFixed(2)}`);
  }
  return `M${[...sides[0], ...sides[1]].join("L")}Z`;
}

function picture(pen) {
  const { dark = 1, grain, ...shape } = PENS[pen] ?? PENS.as_designed;
  const stroke = drawn("path", { d: outline(shape), opacity: dark, "stroke-dasharray": grain, class: grain && "grain" });
  return drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" }, stroke);
}

/** The choice of what the page is written with. */
export function pens() {
  const path = "pen";
  const radios = fields.get(path).choices.map((value) => {
    const radio = element("input", { type: "radio", name: path, value, "aria-label": nameOfValue(value) });
    radio.addEventListener("change", () => setField(path, value));
    return element("label", { class: "pen", title: nameOfValue(value) }, radio, picture(value));
  });
  const named = element("output", {});
  const group = element("fieldset", { class: "line field", "data-field": path }, element("legend", {}, "Pen"),
    element("div", { class: "pens" }, ...radios), named, ...messagePlaces(path));
  follow(() => {
    for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === valueOf(path);
    named.textContent = nameOfValue(valueOf(path));
  });
  return group;
}
