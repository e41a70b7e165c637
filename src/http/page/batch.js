// The `longhand batch` command that makes the pages of all rows.

import { merged, unusedColumns } from "./merge.js";
import { fileWord, hasControls, literal, option, printfFormat, shellWord } from "./quote.js";

/** Objects whose members are flags of their own. */
const WITH_MEMBERS = ["pdf", "svg", "custom_page"];
/** The words are the template, each row has its own seed, and the name of the files says their format. */
const NO_FLAGS = ["text", "seed", "output_format"];

function flags(members, prefix = "") {
  return Object.entries(members).flatMap(([name, value]) => {
    if (NO_FLAGS.includes(name)) return [];
    const flag = `--${prefix}${name.replaceAll("_", "-")}`;
    if (WITH_MEMBERS.includes(name)) return flags(value, `${name.replaceAll("_", "-")}-`);
    if (value === true) return [shellWord(flag)];
    if (value === false) return [`${shellWord(flag)}=false`];
    const isColor = Array.isArray(value) && typeof value[0] === "number";
    const text = isColor ? value.join() : typeof value === "object" ? literal(value) : String(value);
    return [option(flag, text)];
  });
}

/** A line that ends a text and is not in it. */
function endOf(text) {
  let end = "TEXT";
  while (text.split("\n").includes(end)) end += "_";
  return end;
}

/** The command that writes the template. */
function templateCommand(text) {
  if (hasControls(text)) return `printf ${printfFormat(`${text}\n`)} > text.txt\n`;
  const end = endOf(text);
  return `cat > text.txt <<'${end}'\n${text}\n${end}\n`;
}

/** The command for a request whose words have placeholders; with `isServed`, this service makes the pages. */
export function batchCommand(wanted, extension, isServed) {
  const text = (wanted.text ?? "").replace(/[\r\n]+$/, "");
  const unused = unusedColumns();
  const lines = [
    `longhand batch --csv ${fileWord(merged().name)}${text && " --template text.txt"}`,
    ...(merged().encoding ? [option("--encoding", merged().encoding)] : []),
    ...(isServed ? [`${option("--server", location.origin)} --key "$LONGHAND_KEY"`] : []),
    ...flags(wanted),
    ...(unused.length ? [option("--ignore", unused.join())] : []),
    `-o ${shellWord(`pages/{row}.${extension}`)}`,
  ];
  return (text && templateCommand(text)) + lines.join(" \\\n  ");
}
