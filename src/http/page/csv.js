// Tables of spreadsheet programs, read as `longhand batch` reads them: RFC 4180, with any of four delimiters.

const DELIMITERS = [",", ";", "\t", "|"];
const COMPARED = 1000;

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark. Undefined if it is in neither. */
export function decodeText(bytes) {
  const [first, second] = bytes;
  const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be" }[`${first},${second}`];
  try {
    return new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The records of a table: arrays of cells. Empty lines are none. `open` is the line of a quote that is not closed, and
 * `torn` has the records in which text follows a closing quote.
 */
export function records(text, delimiter) {
  const [made, torn] = [[], new Set()];
  let [record, cell, isQuoted, wasQuoted, line, opened] = [[], "", false, false, 1, 0];
  const endCell = () => { record.push(cell); cell = ""; wasQuoted = false; };
  const endRecord = () => {
    const isEmptyLine = record.length === 0 && cell === "" && !wasQuoted;
    endCell();
    if (!isEmptyLine) made.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\n" || (character === "\r" && text[at + 1] !== "\n")) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') { cell += '"'; at += 1; } else isQuoted = false;
    } else if (character === '"' && cell === "" && !wasQuoted) [isQuoted, wasQuoted, opened] = [true, true, line];
    else if (character === delimiter) endCell();
    else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[at + 1] === "\n") { at += 1; line += 1; }
      endRecord();
    } else {
      if (wasQuoted && character.trim()) torn.add(record);
      cell += character;
    }
  }
  if (cell !== "" || record.length || wasQuoted) endRecord();
  return { made, torn, open: isQuoted ? opened : 0 };
}

/** The delimiter that gives the header several cells, and every record as many; the comma where none does. */
function recognised(text) {
  const parting = DELIMITERS.filter((delimiter) => records(text, delimiter).made[0]?.length > 1);
  const isEven = (delimiter) => {
    const [header, ...others] = records(text, delimiter).made;
    return others.slice(0, COMPARED).every((record) => record.length === header.length);
  };
  return parting.length > 1 ? parting.find(isEven) ?? parting[0] : parting[0] ?? ",";
}

/** A table: the names of its columns, and its records as {cells, wrong}. Columns without name and content do not exist, nor does a first one without name. */
export function readTable(text) {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  const body = declared ? text.slice(declared[0].length) : text;
  const { made: [header = [], ...others], torn, open } = records(body, declared?.[1] ?? recognised(body));
  if (open) throw new Error(`Line ${open + (declared ? 1 : 0)}: a quote is not closed, so that it takes all lines after it. End the cell by a quote.`);
  const isKept = (name, at) => name.trim() || (at > 0 && others.some((record) => record[at]?.trim()));
  const kept = [...header.keys()].filter((at) => isKept(header[at], at));
  const cellsOf = (record) => kept.map((at) => (record[at] ?? "").trim());
  const wrongWith = (record) => {
    if (torn.has(record)) return "has text after a closing quote";
    const isTooLong = record.slice(header.length).some((cell) => cell.trim()) || record.length > header.length && !others.every((other) => other.length === record.length);
    return isTooLong ? `has ${record.length} cells where the header has ${header.length}` : "";
  };
  return { columns: cellsOf(header), rows: others.map((record) => ({ cells: cellsOf(record), wrong: wrongWith(record) })) };
}
