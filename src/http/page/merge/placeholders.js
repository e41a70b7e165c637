// Texts with placeholders, such as `{name}` or `{gift|your kindness}`. The service checks them; the page fills in what the
// sheet shows of a row.

const PIECE = /\{\{|\}\}|\{([^{}\n]*)\}/g;
/** Spaces and characters that show nothing. */
const NOTHING = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * The text with the values of a row, by column. Where a value shows nothing, its default stands.
 * @param {string} text
 * @param {(name: string) => string | undefined} value
 */
export function filled(text, value) {
  return text.replace(PIECE, (piece, inside) => {
    if (inside === undefined) return piece[0];
    const [name, ...fallback] = inside.split("|");
    const found = value(name.trim());
    if (found === undefined) return piece;
    return NOTHING.test(found) ? fallback.join("|").trim() : found;
  });
}

/** The columns that a text names. */
export const namesIn = (text) => [...text.matchAll(PIECE)].flatMap(([, inside]) => (inside === undefined ? [] : [inside.split("|")[0].trim()]));
