// The readings of a table that is neither UTF-8 nor UTF-16. The same bytes are other letters in other encodings, so the
// user chooses one by its cells.

import { decodeText } from "./csv.js";

/** The likeliest first. */
const ENCODINGS = ["windows-1252", "windows-1250", "macintosh", "windows-1254", "windows-1257", "windows-1251", "koi8-r", "ibm866",
  "windows-1253", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "windows-1255", "windows-1256"];
/** Letters, and signs that names and sentences have. */
const WORDS = /^[\p{L}\p{M}\p{ASCII}’‘“”„«»¿¡–—…€°½ªº\u00A0]*$/u;
/** A Latin letter beside one of another script. */
const MIXED = /\p{sc=Latin}(?!\p{sc=Latin})\p{L}|(?!\p{sc=Latin})\p{L}\p{sc=Latin}/u;
const CELL_ENDS = /[,;\t\r\n"]/;
const FEWEST_CELLS = 3;

const couldBeWords = (cell) => WORDS.test(cell) && !MIXED.test(cell);
const wordsOf = (text) => [...new Set(text.split(CELL_ENDS).filter((cell) => /[^\p{ASCII}]/u.test(cell)))];

/** The different readings as {encoding, text, sample}; samples differ from each other. */
export function readings(bytes) {
  const found = [];
  for (const encoding of ENCODINGS) {
    const text = decodeText(bytes, encoding);
    if (text === undefined || found.some((other) => other.text === text)) continue;
    const cells = wordsOf(text);
    if (cells.every(couldBeWords)) found.push({ encoding, text, cells });
  }
  const told = new Set(Array(FEWEST_CELLS).keys());
  const isTold = (one, other) => [...told].some((at) => one.cells[at] !== other.cells[at]);
  found.forEach((one, number) => {
    for (const other of found.slice(0, number)) if (!isTold(one, other)) told.add(one.cells.findIndex((cell, at) => cell !== other.cells[at]));
  });
  return found.map(({ encoding, text, cells }) => ({ encoding, text, sample: [...told].map((at) => cells[at]).filter(Boolean).join(", ") }));
}
