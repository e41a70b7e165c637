// What the request may hold, read from /openapi.json, which is made from the table that validates requests.

/** Every field by its path. Objects have `members`; those of text boxes are `blocks.x` and so on. */
export const fields = new Map();

/** The path of what the service names: `blocks[2].width` is `blocks.2.width`, `text_color.1` is `text_color`. */
export const pathOf = (named) => named.replace(/\[(\d+)\]/g, ".$1").replace(/(?<!(?:^|\.)(?:blocks|artwork|sides))\.\d+$/, "");

/** The field at a path, which may have the number of a side, and of a text box or a picture. */
export const fieldOf = (path) => fields.get(path.replace(/^sides\.\d+\./, "").replace(/^(blocks|artwork)\.\d+/, "$1"));

/** The fields of requests for a preview, and for a file. */
export const [ofPreviews, ofFiles] = [new Set(), new Set()];

/** Members that come first, in this order. */
const ORDER = ["x", "y", "width", "height", "unit", "pitch", "first_baseline", "draw"];
const placeOf = ([name]) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

function resolved(schema, schemas) {
  const named = (part) => (part.$ref ? schemas[part.$ref.split("/").at(-1)] : part);
  const parts = (schema.anyOf ?? [schema]).map(named);
  const found = (test) => parts.find(test);
  return {
    object: found((part) => part.type === "object"),
    list: schema.items?.$ref && named(schema.items),
    choice: found((part) => part.enum),
    number: found((part) => [part.type].flat().some((type) => type === "integer" || type === "number")),
    own: named(schema),
    all: [named(schema), ...parts],
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

/** A description without what it says of each value, and that by value: "What is left. `cut`: cut it off." */
function meaningsIn(description) {
  const parts = description.split(/(?:^|\s)`([\w.]+)`: /);
  const values = parts.slice(1).flatMap((part, at, all) => (at % 2 === 0 ? [[part, all[at + 1].trim()]] : []));
  return [parts[0].trim(), new Map(values)];
}

function add(path, schema, schemas) {
  const parts = resolved(schema, schemas);
  const kind = kindOf(path, parts);
  const { own, all, number = own, choice = own } = parts;
  const name = path.split(".").at(-1);
  // On the page, null is an empty field.
  const description = (schema.description ?? own.description ?? "").replace(/ Null: 200\.| Null: none\./, "").replace("Null:", "Empty:").replace(" as [red, green, blue]", "");
  const [intro, meanings] = meaningsIn(description);
  const isLength = kind === "number" && schema["x-unit"] === "px";
  const members = Object.entries((parts.object ?? parts.list)?.properties ?? {}).sort((a, b) => placeOf(a) - placeOf(b));
  fields.set(path, {
    path,
    name,
    kind,
    // The page shows lengths in the unit that people choose.
    description: isLength ? intro.replace(/[ ,]+(in )?pixels( at 300 DPI)?( \([^)]*\))?/g, "") : intro,
    // What each value of a choice means.
    meanings,
    initial: schema.default,
    // What each value of a preset sets.
    sets: schema["x-sets"],
    choices: choice.enum?.filter((value) => value !== null),
    // What JSON may hold: types, values that are listed, numbers of a colour, boxes of a list.
    types: all.flatMap(({ type }) => type ?? []),
    values: all.flatMap((part) => part.enum ?? ("const" in part ? [part.const] : [])),
    channels: own.items?.type && { count: own.maxItems, min: own.items.minimum, max: own.items.maximum },
    most: own.maxItems,
    isNullable: [own.type].flat().includes("null") || (schema.anyOf ?? []).some(({ type }) => type === "null"),
    isWhole: [number.type].flat().includes("integer"),
    isLength,
    min: number.minimum,
    max: number.maximum,
    members: members.map(([member]) => `${path}.${member}`),
  });
  for (const [member, described] of members) add(`${path}.${member}`, described, schemas);
}

/** Reads the OpenAPI document. */
export function readFields({ components: { schemas } }) {
  for (const [schema, known] of [["PreviewRequest", ofPreviews], ["GenerationRequest", ofFiles]]) {
    for (const name of Object.keys(schemas[schema].properties)) known.add(name);
  }
  for (const [path, schema] of Object.entries(schemas.GenerationRequest.properties)) {
    // A side has the fields of a page.
    if (path !== "sides") add(path, schema, schemas);
  }
}
