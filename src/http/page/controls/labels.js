// What people call the fields of a request and their values.

/** Fields whose names are not what people call them. */
const LABELS = {
  text: "Words", font_id: "Hand", font_size: "Size of letters", text_color: "Ink", page_size: "Paper", mail_piece: "Mail piece", custom_page: "Own size",
  preset: "Preset", pen: "Written with", blocks: "Text boxes", sides: "Sheet", output_format: "Kind of file",
  dpi: "Resolution", pdf: "PDF", svg: "SVG", on_finding: "A page with an error in it", overflow: "Text that does not fit", paper_color: "Colour of the paper", png_format: "Pixels of a PNG",
  text_layer: "Text layer", icc_profile: "ICC profile", generation_type: "Kind of text", max_auto_font_size: "Largest automatic size",
  line_height_multiplier: "Line height (× size)", line_break_spacing: "Space between paragraphs", word_spacing: "Space between words",
  word_rotation_range: "Rotation up to (°)", natural_variation_alpha: "Deformation, alpha", enable_word_rotation: "Turn words",
  natural_variation_sigma: "Smoothness, sigma", writer_variation_strength: "Neat – loose", ink_flow_intensity: "Strength of ink flow",
  indentation_range: "Indentation up to", enable_random_indentation: "Indent lines at random", enable_natural_variation: "Deform letters",
  enable_writer_variation: "Vary letters as a writer does", enable_ink_flow: "Ink flow", kerning: "Kerning", seed: "Number of the variation",
  pen_width_mm: "Width of the pen (mm)", pen_angle: "Angle of the nib (°)", pen_strength: "How much the pen varies",
  keep_lines: "Keep given lines whole", stroke_width_mm: "Stroke width (mm)", bleed_mm: "Bleed (mm)", first_baseline: "First rule", draw: "Draw the rules",
  text_alignment: "Lines", vertical_alignment: "On the page", pitch: "Distance of rules", rotation: "Rotate", crop_marks: "Crop marks", marks: "Marks",
  artwork: "Artwork", id: "File", fit: "Fit", opacity: "Opacity", pages: "On which pages", x_mm: "From the left", y_mm: "From the top", width_mm: "Width", height_mm: "Height",
};

/** Values that people call otherwise. */
const VALUES = {
  as_designed: "Solid ink", contain: "Whole", cover: "Fill", stretch: "Stretch", all: "All pages", first: "The first", following: "Those after it", rgba: "RGBA", indexed: "Palette", png: "PNG", pdf: "PDF", svg: "SVG", start: "Start of the line", center: "Middle", error: "Say so", shrink: "Write smaller",
  clip: "Cut it off", paginate: "More pages (PDF)", pdfx1a: "PDF/X-1a", us: "US", eu: "Europe", pso_coated_v3: "PSO coated v3", gracol_2013: "GRACoL 2013", gracol_2006: "GRACoL 2006", iso_coated_v2: "ISO coated v2", lob: "Lob", click2mail: "Click2Mail", auto: "Automatic",
};

export const capital = (words) => (words ? words[0].toUpperCase() + words.slice(1) : "");

/** The name of a field, from its path. */
export function labelOf(path) {
  const name = path.split(".").at(-1);
  return Object.hasOwn(LABELS, name) ? LABELS[name] : capital(name.replace(/^enable_/, "").replaceAll("_", " "));
}

/** The name of a value of a choice. */
export const nameOfValue = (value) => (Object.hasOwn(VALUES, value) ? VALUES[value] : capital(String(value).replaceAll("_", " ")));
