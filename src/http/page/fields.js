// What the request may hold, read from /openapi.json, which is made from the table that validates requests.

/** Every field by its path. Objects have `members`. */
export const fields = new Map();

const LENGTH = /\bpixels\b/;

function resolved(schema, schemas) {
  const named = (part) => (part.$ref ? schemas[part.$ref.split("/").at(-1)] : part);
  const parts = (schema.anyOf ?? [schema]).map(named);
  const found = (test) => parts.find(test);
  return {
    object: found((part) => part.type === "object"),
    list: found((part) => part.type === "array" && part.items?.$ref),
    choice: found((part) => part.enum),
    number: found((part) => [part.type].flat().some((type) => type === "integer" || type === "number")),
    own: named(schema),
  };
}

function kindOf(path, { object, list, choice, own, number }) {
  const types = [own.type].flat();
  if (object) return "object";
  if (list) return "list";
  if (choice && !number) return "choice";
  if (own.enum) return "choice";
  if (types.includes("boolean")) return "boolean";
  if (types.includes("array")) return "color";
  return number ? "number" : "text";
}

function add(path, schema, schemas) {
  const parts = resolved(schema, schemas);
  const kind = kindOf(path, parts);
  const { own, number = own, choice = own } = parts;
  const description = (schema.description ?? own.description ?? "").replaceAll("`", "");
  const isLength = kind === "number" && LENGTH.test(description);
  const members = kind === "object" ? Object.entries(parts.object.properties) : [];
  fields.set(path, {
    path,
    name: path.split(".").at(-1),
    kind,
    // The page shows lengths in the unit that people choose.
    description: isLength ? description.replace(/[ ,]+(in )?pixels( at 300 DPI)?( \([^)]*\))?/g, "") : description,
    initial: schema.default,
    choices: choice.enum?.filter((value) => value !== null),
    isNullable: [own.type].flat().includes("null") || (schema.anyOf ?? []).some(({ type }) => type === "null"),
    isWhole: [number.type].flat().includes("integer"),
    isLength,
    min: number.minimum,
    max: number.maximum,
    members: members.map(([name]) => `${path}.${name}`),
  });
  for (const [name, member] of members) add(`${path}.${name}`, member, schemas);
}

/** Reads the OpenAPI document. */
export function readFields({ components: { schemas } }) {
  for (const [path, schema] of Object.entries(schemas.GenerationRequest.properties)) add(path, schema, schemas);
}
