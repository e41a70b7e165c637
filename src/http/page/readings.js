// The readings of a table that is neither UTF-8 nor UTF-16. The same bytes are other letters in other encodings, so the
// user chooses one by its cells. The service knows the encodings; it is sent the cells with letters beyond ASCII.

import { askAgain } from "./service.js";

const PATH = "/page/readings";
/** A cell without the spaces around it, in text whose characters are bytes. No encoding uses the bytes around cells for another character. */
const CELL = /[^,;\t\r\n"\f ](?:[^,;\t\r\n"]*[^,;\t\r\n"\f ])?/g;
const LETTER = /[\x80-\xff]/;
/** Bytes of JSON that are sent at once; the largest body has 256 KiB. A character takes up to two, a cell three more. */
const MOST_SENT = 200_000;
const bytesOf = (cell) => 2 * cell.length + 3;
const MOST_AT_ONCE = 8192;

/** Text whose characters are the bytes. */
function binaryOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += MOST_AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + MOST_AT_ONCE));
  return text;
}

/** Cells in groups that may be sent. */
function groupsOf(cells) {
  const groups = [[]];
  let sent = 0;
  for (const cell of cells) {
    if (sent && sent + bytesOf(cell) > MOST_SENT) {
      groups.push([]);
      sent = 0;
    }
    groups.at(-1).push(cell);
    sent += bytesOf(cell);
  }
  return groups;
}

const ask = async (body) => (await (await askAgain(PATH, { body })).json()).readings;

/** The readings as {encoding, sample, text}, the likeliest first; `text` gives the whole table. */
export async function readings(bytes) {
  const table = binaryOf(bytes);
  const [first, ...others] = groupsOf(new Set((table.match(CELL) ?? []).filter((cell) => LETTER.test(cell))));
  const found = await ask({ cells: first });
  return found.map(({ encoding, sample, cells }) => {
    const text = async () => {
      const said = new Map(first.map((cell, at) => [cell, cells[at]]));
      for (const group of others) {
        const [read] = await ask({ cells: group, encoding });
        if (!read) throw new Error(`The table is not in ${encoding}.`);
        group.forEach((cell, at) => said.set(cell, read.cells[at]));
      }
      return table.replace(CELL, (cell) => said.get(cell) ?? cell);
    };
    return { encoding, sample, text };
  });
}
