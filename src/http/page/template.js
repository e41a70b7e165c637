// Texts with placeholders, as `longhand batch` fills them: `{name}`, `{gift|your kindness}` with a default, `{{` for a brace.

const PIECE = /\{\{|\}\}|\{([^{}\n]*)\}|[{}]/g;
/** Spaces and characters that show nothing. */
const NOTHING = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

export const showsNothing = (text) => NOTHING.test(text);

/** The placeholders of a text, and what is wrong with it. */
export function readTemplate(text) {
  const placeholders = [];
  let error = "";
  for (const [piece, inside] of text.matchAll(PIECE)) {
    if (piece === "{" || piece === "}") error ||= `A "${piece}" stands alone; write "${piece}${piece}" for a brace.`;
    if (inside === undefined) continue;
    const [name, ...fallback] = inside.split("|");
    if (!name.trim()) error ||= "A placeholder has no name.";
    placeholders.push({ name: name.trim(), fallback: fallback.length ? fallback.join("|").trim() : undefined });
  }
  return { placeholders, error };
}

/** The text with the values that `value` tells by name; `lacking` are the names whose values show nothing. */
export function fillTemplate(text, value) {
  const lacking = new Set();
  const filled = text.replace(PIECE, (piece, inside) => {
    if (inside === undefined) return piece[0];
    const [name, ...fallback] = inside.split("|");
    const found = value(name.trim());
    if (!showsNothing(found)) return found;
    if (!fallback.length) lacking.add(name.trim());
    return fallback.length ? fallback.join("|").trim() : found;
  });
  return { filled, lacking: [...lacking] };
}
