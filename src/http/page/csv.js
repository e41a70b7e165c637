// Tables of spreadsheet programs, read as `longhand batch` reads them: RFC 4180, with any of four delimiters.

const DELIMITERS = [",", ";", "\t", "|"];
const COMPARED = 1000;

/** The text of a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252. */
export function decodeText(bytes) {
  const [first, second] = bytes;
  const utf16 = { "255,254": "utf-16le", "254,255": "utf-16be" }[`${first},${second}`];
  try {
    return new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The records of a table: arrays of cells. Empty lines are none. */
export function records(text, delimiter) {
  const made = [];
  let [record, cell, isQuoted, wasQuoted] = [[], "", false, false];
  const endCell = () => { record.push(cell); cell = ""; wasQuoted = false; };
  const endRecord = () => {
    const isEmptyLine = record.length === 0 && cell === "" && !wasQuoted;
    endCell();
    if (!isEmptyLine) made.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') { cell += '"'; at += 1; } else isQuoted = false;
    } else if (character === '"' && cell === "" && !wasQuoted) [isQuoted, wasQuoted] = [true, true];
    else if (character === delimiter) endCell();
    else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endRecord();
    } else cell += character;
  }
  if (cell !== "" || record.length || wasQuoted) endRecord();
  return made;
}

/** The delimiter that gives the header several cells, and every record as many; the comma where none does. */
function recognised(text) {
  const parting = DELIMITERS.filter((delimiter) => records(text, delimiter)[0]?.length > 1);
  const isEven = (delimiter) => {
    const [header, ...others] = records(text, delimiter);
    return others.slice(0, COMPARED).every((record) => record.length === header.length);
  };
  return parting.length > 1 ? parting.find(isEven) ?? parting[0] : parting[0] ?? ",";
}

/** A table: the names of its columns, and its records. */
export function readTable(text) {
  const declared = /^sep=(.)\r?\n/i.exec(text);
  const body = declared ? text.slice(declared[0].length) : text;
  const [header = [], ...others] = records(body, declared?.[1] ?? recognised(body));
  return { columns: header.map((name) => name.trim()), rows: others.map((record) => record.map((cell) => cell.trim())) };
}
