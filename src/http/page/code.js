// The request on the screen as programs that can be run as they are, with the key in LONGHAND_KEY.

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// JSON with its letters beyond ASCII escaped is a literal in Python and JavaScript alike, but for three words.
const pythonLiteral = (value, indent) => JSON.stringify(value, null, 4)
  .replace(/^(\s*(?:"[^"]*": )?)(true|false|null)(,?)$/gm, (_, before, word, after) => before + { true: "True", false: "False", null: "None" }[word] + after)
  .replaceAll("\n", `\n${indent}`);

function curl(request, address, file) {
  const lines = [
    `curl -sSf ${shellQuoted(address)}`,
    `-H "Authorization: Bearer $LONGHAND_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuoted(JSON.stringify(request))}`,
  ];
  const call = lines.join(" \\\n  ");
  return "output_format" in request
    ? `${call} \\\n  -o ${file}`
    : `${call} \\\n  | sed 's/.*"image_base64":"\\([^"]*\\)".*/\\1/' | base64 -d > ${file}`;
}

function python(request, address, file) {
  const content = "output_format" in request ? "answer.read()" : `base64.b64decode(json.load(answer)["image_base64"])`;
  const imports = "output_format" in request ? ["json", "os"] : ["base64", "json", "os"];
  return [
    ...imports.map((name) => `import ${name}`),
    "import urllib.request",
    "",
    `page = ${pythonLiteral(request, "")}`,
    "call = urllib.request.Request(",
    `    ${JSON.stringify(address)},`,
    "    data=json.dumps(page).encode(),",
    `    headers={"Authorization": f"Bearer {os.environ['LONGHAND_KEY']}", "Content-Type": "application/json"},`,
    ")",
    "with urllib.request.urlopen(call) as answer:",
    `    content = ${content}`,
    `with open("${file}", "wb") as file:`,
    "    file.write(content)",
  ].join("\n");
}

function javascript(request, address, file) {
  const content = "output_format" in request
    ? "Buffer.from(await answer.arrayBuffer())"
    : `Buffer.from((await answer.json()).image_base64, "base64")`;
  return [
    `import { writeFile } from "node:fs/promises";`,
    "",
    `const page = ${JSON.stringify(request, null, 2)};`,
    `const answer = await fetch(${JSON.stringify(address)}, {`,
    `  method: "POST",`,
    "  headers: { Authorization: `Bearer ${process.env.LONGHAND_KEY}`, \"Content-Type\": \"application/json\" },",
    "  body: JSON.stringify(page),",
    "});",
    "if (!answer.ok) throw new Error(await answer.text());",
    `await writeFile("${file}", ${content});`,
  ].join("\n");
}

const LANGUAGES = { curl, python, javascript };

/** A program in `language` that makes the page of `request`. */
export function program(language, request) {
  const file = `page.${request.output_format ?? "png"}`;
  return LANGUAGES[language](request, `${location.origin}/api/v1/generate`, file);
}
