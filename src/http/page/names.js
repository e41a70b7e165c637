// Names of files, from the words that are in them.

const MOST_WORDS = 4;
const MOST_CHARACTERS = 40;

/** A plain name of the first words of a text, for any file system: "dear-ann-thank-you". */
export function nameOfWords(text) {
  const words = text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name = words.slice(0, MOST_WORDS).join("-");
  return [...name].slice(0, MOST_CHARACTERS).join("").replace(/-+$/, "") || "page";
}
