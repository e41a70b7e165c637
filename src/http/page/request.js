// The form, made from the same table that validates requests (/openapi.json), and the request that it stands for.

const GROUPS = [
  ["Paper and margins", ["dpi", "generation_type", "margin_left", "margin_right", "margin_top", "margin_bottom"]],
  ["Lines and words", ["max_auto_font_size", "line_height_multiplier", "line_break_spacing", "word_spacing", "text_alignment", "vertical_alignment", "kerning", "overflow"]],
  ["Effects", [
    "enable_writer_variation", "writer_variation_strength",
    "enable_word_rotation", "word_rotation_range", "enable_natural_variation", "natural_variation_alpha", "natural_variation_sigma",
    "enable_random_indentation", "indentation_range", "enable_ink_flow", "ink_flow_intensity"]],
  ["PDF", ["pdf"]],
  ["SVG", ["svg"]],
];
const FIRST = ["text", "page_size", "orientation", "font_size", "text_color", "seed"];
const ELSEWHERE = ["font_id", "output_format"];
// Fields that the form does not offer.
const NOT_HERE = ["ruling", "blocks", "custom_page", "mail_piece", "on_finding"];
const EFFECT_OF = {
  word_rotation_range: "enable_word_rotation", natural_variation_alpha: "enable_natural_variation",
  natural_variation_sigma: "enable_natural_variation", indentation_range: "enable_random_indentation",
  ink_flow_intensity: "enable_ink_flow", writer_variation_strength: "enable_writer_variation",
};
// Effects that the page begins with.
const ON_HERE = ["enable_writer_variation"];
const LABELS = { dpi: "DPI", pdf: "PDF", svg: "SVG", font_size: "Size", text_color: "Ink", page_size: "Paper", overflow: "Text that does not fit" };

// Where the table speaks of JSON, the page speaks of what is on it.
const HINTS = {
  text_color: "", page_size: "", font_size: "", orientation: "", seed: "The same seed and text give the same page.",
  line_break_spacing: "Extra space between paragraphs in pixels; empty: half a line.",
};

export const idOf = (path) => path.replaceAll(".", "-");

/** An element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function labelOf(name) {
  const words = name.replace(/^enable_/, "").replaceAll("_", " ").replace(/\bmm\b/, "(mm)").replace(/\bicc\b/, "ICC");
  return LABELS[name] ?? words[0].toUpperCase() + words.slice(1);
}

/** Label, control, hint, and the places for what is wrong with it. */
function field(path, name, schema, control, options = {}) {
  const id = idOf(path);
  const hint = (HINTS[path] ?? schema.description ?? "").replaceAll("`", "");
  for (const input of [control, ...control.querySelectorAll("input, select, textarea")]) {
    if (input.matches("input, select, textarea")) input.setAttribute("aria-describedby", `${id}-hint ${id}-error ${id}-warning`);
  }
  const label = options.check
    ? element("label", { class: "check", for: id }, control, labelOf(name))
    : element("label", { for: id }, labelOf(name));
  return element("div", { class: "field", "data-field": path }, label, ...(options.check ? [] : [control]),
    element("p", { class: "hint", id: `${id}-hint` }, hint),
    element("p", { class: "error", id: `${id}-error`, hidden: true }),
    element("p", { class: "warning", id: `${id}-warning`, hidden: true }));
}

const typesOf = (schema) => [schema.type].flat();

function controlOf(path, name, schema) {
  const id = idOf(path);
  if (schema.enum) {
    const chosen = (value) => value === schema.default;
    return element("select", { id }, ...schema.enum.map((value) => element("option", { selected: chosen(value), value }, String(value))));
  }
  if (typesOf(schema).includes("boolean")) return element("input", { id, type: "checkbox", checked: schema.default === true || ON_HERE.includes(id) });
  const { minimum: min, maximum: max } = schema;
  const step = typesOf(schema).includes("integer") ? 1 : "any";
  const number = element("input", { id, type: "number", min, max, step, value: schema.default, inputmode: step === 1 ? "numeric" : "decimal" });
  if (!(name in EFFECT_OF)) return number;
  const slide = { type: "range", min, max, step: step === 1 ? 1 : 0.1, value: schema.default, "aria-label": `${labelOf(name)}, slider` };
  const range = element("input", slide);
  range.addEventListener("input", () => { number.value = range.value; });
  number.addEventListener("input", () => { range.value = number.value; });
  return element("div", { class: "row" }, range, number);
}

function special(path, name, schema, papers) {
  const id = idOf(path);
  switch (name) {
    case "text":
      return element("textarea", { id, rows: 7, spellcheck: "true" });
    case "text_color":
      return element("input", { id, type: "color", value: "#000000" });
    case "font_size": {
      const size = schema.anyOf[0];
      const auto = element("input", { id: "font_size_auto", type: "checkbox", checked: true });
      const number = element("input", { id, type: "number", min: size.minimum, max: size.maximum, value: 60, hidden: true });
      auto.addEventListener("change", () => { number.hidden = auto.checked; });
      return element("div", { class: "row" }, element("label", { class: "check" }, auto, "the largest that fits"), number);
    }
    case "seed": {
      const number = element("input", { id, type: "number", min: schema.minimum, max: schema.maximum, step: 1, value: randomSeed() });
      const dice = element("button", { type: "button", class: "plain", id: "dice" }, "⚄ Roll");
      dice.addEventListener("click", () => {
        number.value = randomSeed();
        number.dispatchEvent(new Event("input", { bubbles: true }));
      });
      return element("div", { class: "row" }, number, dice);
    }
    case "page_size": {
      const names = papers.map(({ name, label }) => element("option", { value: name, selected: name === "card_5x7" }, label));
      const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      drawing.setAttribute("viewBox", "-6 -6 432 432");
      drawing.setAttribute("aria-hidden", "true");
      drawing.id = "drawing";
      return element("div", { class: "paper-sizes" }, element("div", {}, element("select", { id }, ...names)), drawing);
    }
    default:
      return undefined;
  }
}

const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Draws the paper among all others, to scale: ISO A3 is as high as the drawing. */
export function drawPaper(papers, name, orientation) {
  const drawing = document.getElementById("drawing");
  const shape = ({ width_mm: width, height_mm: height }) => {
    const [w, h] = orientation === "landscape" ? [height, width] : [width, height];
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({ x: 0, y: 420 - h, width: w, height: h })) rect.setAttribute(key, value);
    return rect;
  };
  const chosen = papers.find((paper) => paper.name === name) ?? papers[0];
  const largest = papers.find((paper) => paper.name === "a3");
  drawing.replaceChildren(shape(largest), shape(papers.find((paper) => paper.name === "a4")), shape(chosen));
}

/** Builds the form into the page. */
export class RequestForm {
  constructor(document_, papers) {
    const schemas = document_.components.schemas;
    this.papers = papers;
    this.properties = Object.fromEntries(Object.entries(schemas.GenerationRequest.properties).filter(([name]) => !NOT_HERE.includes(name)));
    // The options of each format that has its own.
    this.options = { pdf: schemas.PdfOptions.properties, svg: schemas.SvgOptions.properties };
    const built = (name) => this.build(name, name, this.properties[name]);
    const first = document.getElementById("first");
    first.append(...FIRST.slice(0, 1).map(built), element("div", { class: "grid" }, ...FIRST.slice(1).map(built)));
    const grouped = new Set([...FIRST, ...ELSEWHERE, ...GROUPS.flatMap(([, names]) => names)]);
    const others = Object.keys(this.properties).filter((name) => !grouped.has(name));
    const groups = others.length ? [...GROUPS, ["More", others]] : GROUPS;
    for (const [title, names] of groups) {
      const inside = title === "Effects" ? this.effects(names) : names[0] in this.options ? this.optionFields(names[0]) : names.map(built);
      const body = element("div", { class: title === "Effects" ? "effects" : "grid" }, ...inside);
      const details = element("details", { "data-group": title }, element("summary", {}, title), body);
      document.getElementById("groups").append(details);
    }
  }

  build(path, name, schema) {
    const control = special(path, name, schema, this.papers) ?? controlOf(path, name, schema);
    return field(path, name, schema, control, { check: control.type === "checkbox" });
  }

  effects(names) {
    const flags = names.filter((name) => name.startsWith("enable_"));
    return flags.map((flag) => {
      const parameters = names.filter((name) => EFFECT_OF[name] === flag);
      const box = element("div", { class: "grid", hidden: !ON_HERE.includes(flag) }, ...parameters.map((name) => this.build(name, name, this.properties[name])));
      const made = element("div", { class: "effect" }, this.build(flag, flag, this.properties[flag]), box);
      made.querySelector(`#${flag}`).addEventListener("change", (event) => { box.hidden = !event.target.checked; });
      return made;
    });
  }

  optionFields(format) {
    return Object.entries(this.options[format]).map(([name, schema]) => this.build(`${format}.${name}`, name, schema));
  }

  /** The value of a control, or undefined where it stands for the default. */
  value(path, name, schema) {
    const input = document.getElementById(idOf(path));
    if (name === "font_size") return document.getElementById("font_size_auto").checked ? undefined : number(input.value);
    if (name === "text_color") {
      const color = [1, 3, 5].map((at) => parseInt(input.value.slice(at, at + 2), 16));
      return color.some(Boolean) ? color : undefined;
    }
    if (name in EFFECT_OF && !document.getElementById(EFFECT_OF[name]).checked) return undefined;
    let value = input.value;
    if (input.type === "checkbox") value = input.checked;
    else if (input.type === "number") value = value === "" ? undefined : number(value);
    else if (schema.enum && typeof schema.enum[0] === "number") value = Number(value);
    return value === schema.default ? undefined : value;
  }

  /** The request on the screen: what differs from the defaults. `format` is png, pdf or svg. */
  request(format) {
    const request = {};
    const put = (into, name, value) => { if (value !== undefined) into[name] = value; };
    for (const [name, schema] of Object.entries(this.properties)) {
      if (name === "font_id") put(request, name, chosenHand());
      else if (name in this.options) {
        const options = {};
        for (const [member, described] of Object.entries(this.options[name])) put(options, member, this.value(`${name}.${member}`, member, described));
        if (Object.keys(options).length && format === name) request[name] = options;
      } else if (name === "output_format") put(request, name, format === "png" ? undefined : format);
      else put(request, name, this.value(name, name, schema));
    }
    request.text ??= "";
    return request;
  }
}

function number(text) {
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}

function chosenHand() {
  const chosen = document.querySelector("input[name=font_id]:checked");
  return chosen && chosen.value !== "1" ? Number(chosen.value) : undefined;
}
