// «More»: every field that the first screen does not show, in groups, with its unit.

import { $, element } from "../controls/element.js";
import { field, follow, segments } from "../controls/controls.js";
import { fields } from "../state/fields.js";
import { change, look, putLook } from "../state/store.js";
import { suit } from "../state/suit.js";
import { unit } from "../state/units.js";

const GROUPS = [
  ["Margins and position", ["margin_left", "margin_right", "margin_top", "margin_bottom", "overflow"]],
  ["Lines and words", ["keep_lines", "line_height_multiplier", "line_break_spacing", "word_spacing", "kerning", "max_auto_font_size", "seed"]],
  ["Effects", [
    "preset", "enable_writer_variation", "pen_width_mm", "pen_angle", "pen_strength", "enable_ink_flow", "ink_flow_intensity", "enable_word_rotation", "word_rotation_range", "enable_random_indentation", "indentation_range",
    "enable_natural_variation", "natural_variation_alpha", "natural_variation_sigma"]],
  ["File", ["dpi", "png_format", "on_finding"]],
  ["PDF", ["pdf"]],
  ["SVG", ["svg"]],
];

/** Fields that other parts of the page show, or none. */
const ELSEWHERE = [
  "text", "pen", "font_id", "font_size", "text_color", "writer_variation_strength", "page_size", "orientation",
  "custom_page", "mail_piece", "ruling", "output_format", "blocks", "artwork", "paper_color", "text_alignment", "vertical_alignment",
  // An address is a text box that keeps its lines.
  "generation_type",
];

/** Fields that the page sets to what suits the hand and the paper, until a person sets them. */
const SUITED = {
  line_height_multiplier: "pitch", max_auto_font_size: "size",
  margin_left: "margins", margin_right: "margins", margin_top: "margins", margin_bottom: "margins",
};

function one(path) {
  const made = field(path);
  if (path in SUITED) made.addEventListener("input", () => putLook(SUITED[path], "own"));
  return made;
}

function body(paths) {
  return paths.filter((path) => fields.has(path)).flatMap((path) => (fields.get(path).kind === "object" ? body(fields.get(path).members) : [one(path)]));
}

/** Goes back to what suits. */
function suited() {
  const names = ["pitch", "margins"];
  const box = element("input", { type: "checkbox", id: "suited" });
  box.addEventListener("change", () => change("suited", (next) => {
    for (const name of names) next.look[name] = box.checked ? "suits" : "own";
    suit(next);
  }));
  follow(() => { box.checked = names.every((name) => look()[name] === "suits"); });
  return element("label", { class: "check", for: "suited" }, box, "Margins and line height that suit paper and hand");
}

export function buildMore() {
  const known = [...fields.keys()].filter((path) => !path.includes("."));
  const named = new Set([...ELSEWHERE, ...GROUPS.flatMap(([, paths]) => paths)]);
  const others = known.filter((path) => !named.has(path));
  const groups = others.length ? [...GROUPS, ["Others", others]] : GROUPS;
  $("more").append(
    segments("unit", "Lengths in", [["mm", "mm"], ["in", "inches"], ["px", "px"]], { read: unit, write: (chosen) => putLook("unit", chosen) }),
    element("p", { class: "hint" }, "Pixels are at 300 DPI, as in a request."),
    suited(),
    ...groups.map(([title, paths]) => element("details", { "data-group": title, open: title === GROUPS[0][0] },
      element("summary", {}, title), element("div", { class: "grid" }, ...body(paths)))),
  );
}

