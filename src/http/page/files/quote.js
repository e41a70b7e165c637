// Values as they stand in programs: words of a POSIX shell, and literals of other languages.

/** What every shell and option reads as itself. */
const PLAIN = /^[\w./:,-]+$/;
/** Control characters but for the line feed: a terminal that a command is pasted into obeys some of them. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
/** What editors do not show, or show out of order. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

const octal = (byte) => `\\${byte.toString(8).padStart(3, "0")}`;
const escapedBytes = (character) => [...new TextEncoder().encode(character)].map(octal).join("");

const hasControls = (text) => CONTROL.test(text);

/** A word of the shell that is the format of `printf` for a text. */
const printfFormat = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("%", "%%").replace(/^-|[\u0000-\u001f\u007f-\u009f'!]/g, escapedBytes)}'`;

/** A text as one word of the shell. A text with control characters is one that `printf` makes, without NUL. */
export function shellQuoted(text) {
  if (hasControls(text)) return `"$(printf ${printfFormat(text.replaceAll("\0", ""))})"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same, without quotation marks where none are needed. */
const shellWord = (text) => (PLAIN.test(text) ? text : shellQuoted(text));

/** The name of a file as a word of the shell that no program takes for an option. */
export const fileWord = (name) => shellWord(name.startsWith("-") ? `./${name}` : name);

/** JSON, which is a literal of JavaScript. */
export const literal = (value, indent) => JSON.stringify(value, null, indent)
  .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const PYTHON_WORDS = { true: "True", false: "False", null: "None" };

/** A literal of Python: JSON but for three words, each of which has its own line. */
export const pythonLiteral = (value) => literal(value, 4)
  .replace(/^(\s*(?:"(?:[^"\\]|\\.)*": )?)(true|false|null)(,?)$/gm, (_, before, word, after) => before + PYTHON_WORDS[word] + after);

/** A literal of Rust: raw, with more # around it than a quotation mark within has. */
export function rustLiteral(text) {
  if (PLAIN.test(text)) return `"${text}"`;
  const longest = Math.max(0, ...[...text.matchAll(/"(#*)/g)].map(([, marks]) => marks.length + 1));
  const marks = "#".repeat(longest);
  return `r${marks}"${text}"${marks}`;
}
