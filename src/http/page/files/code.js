// The request on the screen as programs that can be run as they are, with the key in LONGHAND_KEY.

import { fileWord, literal, pythonLiteral, rustLiteral, shellQuoted } from "./quote.js";

function curl(request, address, file) {
  const lines = [
    `curl -sSf ${shellQuoted(address)}`,
    `-H "Authorization: Bearer $LONGHAND_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuoted(literal(request))}`,
  ];
  const call = lines.join(" \\\n  ");
  return "output_format" in request
    ? `${call} \\\n  -o ${fileWord(file)}`
    : `${call} \\\n  | sed 's/.*"image_base64":"\\([^"]*\\)".*/\\1/' | base64 -d > ${fileWord(file)}`;
}

function python(request, address, file) {
  const content = "output_format" in request ? "answer.read()" : `base64.b64decode(json.load(answer)["image_base64"])`;
  const imports = "output_format" in request ? ["json", "os"] : ["base64", "json", "os"];
  return [
    ...imports.map((name) => `import ${name}`),
    "import urllib.request",
    "",
    `page = ${pythonLiteral(request)}`,
    "call = urllib.request.Request(",
    `    ${literal(address)},`,
    "    data=json.dumps(page).encode(),",
    `    headers={"Authorization": f"Bearer {os.environ['LONGHAND_KEY']}", "Content-Type": "application/json"},`,
    ")",
    "with urllib.request.urlopen(call) as answer:",
    `    content = ${content}`,
    `with open(${literal(file)}, "wb") as file:`,
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
    `const page = ${literal(request, 2)};`,
    `const answer = await fetch(${literal(address)}, {`,
    `  method: "POST",`,
    "  headers: { Authorization: `Bearer ${process.env.LONGHAND_KEY}`, \"Content-Type\": \"application/json\" },",
    "  body: JSON.stringify(page),",
    "});",
    "if (!answer.ok) throw new Error(await answer.text());",
    `await writeFile(${literal(file)}, ${content});`,
  ].join("\n");
}

function rust(request, address, file) {
  const isFile = "output_format" in request;
  const lines = [
    `// cargo add ureq${isFile ? "" : " --features json && cargo add base64 serde_json"}`,
    `const PAGE: &str = ${rustLiteral(literal(request, 2))};`,
    "",
    "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    `    let key = std::env::var("LONGHAND_KEY")?;`,
    `    let mut answer = ureq::post(${rustLiteral(address)})`,
    `        .header("Authorization", format!("Bearer {key}"))`,
    `        .header("Content-Type", "application/json")`,
    "        .send(PAGE)?;",
    "    let body = answer.body_mut().with_config().limit(u64::MAX);",
  ];
  const content = isFile
    ? [`    std::fs::write(${rustLiteral(file)}, body.read_to_vec()?)?;`]
    : [
      "    let page: serde_json::Value = body.read_json()?;",
      `    let picture = page["image_base64"].as_str().ok_or("no picture")?;`,
      "    use base64::Engine as _;",
      `    std::fs::write(${rustLiteral(file)}, base64::engine::general_purpose::STANDARD.decode(picture)?)?;`,
    ];
  return [...lines, ...content, "    Ok(())", "}"].join("\n");
}

const LANGUAGES = { curl, python, javascript, rust };

/** A program in `language` that makes the page of `request`. */
export function program(language, request) {
  const file = `page.${request.output_format ?? "png"}`;
  return LANGUAGES[language](request, `${location.origin}/api/v1/generate`, file);
}
