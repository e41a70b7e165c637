// Names of files, from the words that are in them.

const MOST_WORDS = 4;
const MOST_CHARACTERS = 40;

/** A plain name of the first words of a text, for any file system: "dear-ann-thank-you". */
export function nameOfWords(text) {
  const words = text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name = words.slice(0, MOST_WORDS).join("-");
  return [...name].slice(0, MOST_CHARACTERS).join("").replace(/-+$/, "") || "page";
}

/** The words of a request, and of its text boxes if it has none; "" where it has none at all. */
const wordsOfSide = ({ text, blocks = [] }) => text?.trim() || blocks.map(({ text: own }) => own ?? "").join(" ").trim();

/** The words by which a page is named: those of its front, or else of its back. */
export function wordsOf({ request, look = {}, other }) {
  const sides = [request, ...(other ? [other.request] : [])];
  if (look.side === "back") sides.reverse();
  return sides.map(wordsOfSide).find(Boolean) ?? "";
}
