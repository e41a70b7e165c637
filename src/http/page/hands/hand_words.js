// Words by which people look for a hand, beside its name and number.

/** Words for a kind of handwriting. */
const OF_STYLE = {
  print: "printed letters clear everyday note", cursive: "joined script letter personal love romantic", mixed: "everyday personal letter note natural",
  notes: "quick note memo list everyday scribble", school: "teacher lesson classroom neat copybook", marker: "poster bold sign felt shop chalk",
  child: "kid kids children young party birthday funny", architect: "drawing plan technical capitals", elegant: "wedding invitation calligraphy formal romantic festive card",
  caps: "capitals uppercase poster title",
};
/** Words for its care, from 1 (hasty) to 5 (tidy). */
const OF_NEATNESS = ["", "messy scrawl hasty wild doctor", "messy loose quick hasty", "easy relaxed", "neat clear", "neat tidy careful clear legible"];
const BUSINESS = ["print", "cursive", "mixed", "architect"];
const LIVELY = "lively real natural believable person thank you letter";

const named = (locale, code) => {
  try {
    return new Intl.DisplayNames([locale], { type: "language" }).of(code) ?? "";
  } catch {
    return "";
  }
};

/**
 * Everything that a search may find a hand by, in small letters.
 * @param {object} font as the service lists it
 * @param {string} described its style, slant and care, as the page says them
 */
export function wordsFor({ id, name, style, neatness, lively, strokes, scripts, languages = {} }, described) {
  const spoken = Object.keys(languages).flatMap((code) => [named("en", code), named(code, code)]);
  // Elegant and joined hands sign as people do.
  const signs = ["cursive", "elegant"].includes(style) && neatness <= 4 ? "signature name autograph" : "";
  const works = BUSINESS.includes(style) && neatness >= 4 ? "business professional office company" : "";
  return [id, name, described, OF_STYLE[style], OF_NEATNESS[neatness], lively && LIVELY, signs, works, strokes && "strokes plotter pen", ...scripts, ...spoken].filter(Boolean).join(" ").toLowerCase();
}

/** Whether every searched word is, or begins, one of the words. Accents need not be typed. */
export function isSaid(said, searched) {
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const words = plain(said).split(/[\s,()]+/);
  return plain(searched).split(/[\s,]+/).filter(Boolean).every((wanted) => words.some((word) => word.startsWith(wanted)));
}
