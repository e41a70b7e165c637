// Writes a page: node page.mjs REQUEST.json OUT.png|OUT.pdf, with the key in LONGHAND_KEY. Node 18 or newer, no packages.

import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const SERVICE = process.env.LONGHAND_URL ?? "http://127.0.0.1:8080";
const TRIES = 5;

/** The service says no; `fields` says what is wrong with which field. */
class Refused extends Error {
  constructor({ error, message, details = [] }) {
    super(message);
    this.code = error;
    this.fields = Object.fromEntries(details.map(({ field, message: said }) => [field, said]));
  }
}

/** The file of a page. Waits where the service asks for patience; what cannot be mended by waiting is thrown. */
async function generate(request) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${SERVICE}/api/v1/generate`, {
      method: "POST",
      headers: { Authorization: `Bearer ${process.env.LONGHAND_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (answer.ok) {
      if (answer.headers.get("Content-Type") === "application/pdf") return Buffer.from(await answer.arrayBuffer());
      return Buffer.from((await answer.json()).image_base64, "base64");
    }
    const wait = answer.headers.get("Retry-After");
    if (wait === null || attempt === TRIES) throw new Refused(await answer.json());
    await setTimeout(Number(wait) * 1000 * 2 ** (attempt - 1));
  }
}

const [source, target] = process.argv.slice(2);
const page = JSON.parse(await readFile(source, "utf8"));
page.output_format = target.endsWith(".pdf") ? "pdf" : "png";
try {
  await writeFile(target, await generate(page));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`${error.code}: ${error.message}`);
  for (const [field, said] of Object.entries(error.fields)) console.error(`${field}: ${said}`);
  process.exitCode = 1;
}
