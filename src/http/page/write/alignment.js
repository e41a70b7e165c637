// Where lines stand, across and down: two rows of small pictures.

import { drawn, element } from "../controls/element.js";
import { follow, messagePlaces, setField, valueOf } from "../controls/controls.js";
import { put, request, valueAt } from "../state/store.js";

const LENGTHS = [12, 8, 14];
const ACROSS = [["left", "Left"], ["center", "Centre"], ["right", "Right"]];
const DOWN = [["top", "Top"], ["center", "Middle"], ["bottom", "Bottom"]];

/** Lines that begin or end together. */
const across = (value) => LENGTHS.map((width, at) => drawn("rect", { x: 1 + (value === "left" ? 0 : value === "center" ? (14 - width) / 2 : 14 - width), y: 3 + at * 4, width, height: 1.8, rx: 0.9 }));
/** Two lines on a page. */
const down = (value) => [drawn("rect", { x: 1.5, y: 1.5, width: 13, height: 13, rx: 1.5, class: "frame" }),
  ...[0, 3.4].map((by) => drawn("rect", { x: 4, y: { top: 3.6, center: 5.7, bottom: 8 }[value] + by, width: 8, height: 1.8, rx: 0.9 }))];

function choices(path, legend, options, picture, { read, write }) {
  const radios = options.map(([value, name]) => {
    const radio = element("input", { type: "radio", name: path, value, "aria-label": name });
    radio.addEventListener("change", () => write(value));
    return element("label", { class: "segment", title: name }, radio, element("span", {}, drawn("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, ...picture(value))));
  });
  const group = element("fieldset", { class: "segments icons field", "data-field": path }, element("legend", {}, legend), element("div", {}, ...radios), ...messagePlaces(path));
  follow(() => {
    const chosen = read();
    for (const radio of group.querySelectorAll("input")) radio.checked = radio.value === chosen;
  });
  return group;
}

/** Lines of the page begin at the left, where nothing else is said. */
const shown = (value) => (value === "start" || value === undefined ? "left" : value);

/** The alignment of the page. */
export const alignments = () => [
  choices("text_alignment", "Lines", ACROSS, across, { read: () => shown(valueOf("text_alignment")), write: (value) => setField("text_alignment", value === "left" ? null : value) }),
  choices("vertical_alignment", "On the page", DOWN, down, { read: () => valueOf("vertical_alignment"), write: (value) => setField("vertical_alignment", value) }),
];

/** The alignment of the chosen text box: that of the page, unless it has its own. */
export const boxAlignments = () => [["text_alignment", "Lines", ACROSS, across], ["vertical_alignment", "In the box", DOWN, down]].map(([name, legend, options, picture]) =>
  choices(`blocks.${name}`, legend, options, picture, {
    read: () => (name === "text_alignment" ? shown(valueAt(`blocks.${name}`) ?? request()[name]) : valueAt(`blocks.${name}`) ?? request()[name] ?? "top"),
    write: (value) => put(`blocks.${name}`, value),
  }));
