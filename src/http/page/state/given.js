// Pages from elsewhere: those of a link, and those that the tab has kept. Only fields and values that the field table
// knows are taken. The others are left out and named.

import { fields } from "./fields.js";
import { kinds } from "../files/files.js";
import { SIDES } from "./sides.js";
import { FORMS } from "../merge/merge_make.js";
import { paperColorNames } from "./paper_colors.js";
import { sizeNames } from "../write/pen.js";
import { units } from "./units.js";

const MOST_NAMED = 5;
const LONGEST_NAME = 40;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPlace = (value) => Number.isSafeInteger(value) && value >= 0;
const oneOf = (values) => (value) => values.includes(value);

/** What may be said of how a page is looked at. */
const LOOKS = new Map(Object.entries({
  size: oneOf(sizeNames), pitch: oneOf(["suits", "own"]), margins: oneOf(["suits", "own"]), paper: oneOf(paperColorNames),
  unit: oneOf(units), kind: oneOf(kinds), form: oneOf(FORMS), same: oneOf([true, false]), box: isPlace, picture: isPlace, side: oneOf(SIDES), added: oneOf(SIDES), signed: isPlace, signed_y: isPlace, room: isPlace, row: isPlace, table: isPlace,
}));

/** What is said of the sides of a page, once for both. */
const OF_PAGE = ["side", "added"];

/** The words that are set aside while the paper is an envelope, or is none: parts of a request. */
const ASIDE = ["letter", "envelope"];

/** Whether a value is one that the field may have by its type, and by its list of values if it has one. */
function isValue(value, { types, values, channels }) {
  if (values.some((known) => typeof known === typeof value)) return values.includes(value);
  switch (typeof value) {
    case "string": return types.includes("string");
    case "boolean": return types.includes("boolean");
    case "number": return Number.isFinite(value) && (types.includes("number") || (types.includes("integer") && Number.isInteger(value)));
    default: return Boolean(channels) && Array.isArray(value) && value.length === channels.count
      && value.every((channel) => Number.isInteger(channel) && channel >= channels.min && channel <= channels.max);
  }
}

/** The boxes of a list that the table knows. */
function knownList(given, field, place, left) {
  if (given.length > field.most) left.push(`${place} beyond the ${field.most}th`);
  return given.slice(0, field.most).flatMap((box, at) => {
    if (isObject(box)) return [knownMembers(box, field.path, `${place}.${at}`, left)];
    left.push(`${place}.${at}`);
    return [];
  });
}

/** A value as far as the table knows it; undefined if it is to be left out. */
function known(given, field, place, left) {
  const { kind, path, isNullable } = field;
  if (given === null && isNullable) return undefined;
  if (kind === "list" && Array.isArray(given)) {
    const boxes = knownList(given, field, place, left);
    return boxes.length ? boxes : undefined;
  }
  if (kind === "object" && isObject(given)) {
    const members = knownMembers(given, path, place, left);
    return Object.keys(members).length ? members : undefined;
  }
  if (isValue(given, field)) return given;
  left.push(place);
  return undefined;
}

/** The members of an object that the table knows below `path`, "" for the request. */
function knownMembers(given, path, place, left) {
  const made = {};
  for (const [name, value] of Object.entries(given)) {
    const at = place ? `${place}.${name}` : name;
    const field = name.includes(".") ? undefined : fields.get(path ? `${path}.${name}` : name);
    if (!field) left.push(at);
    else {
      const taken = known(value, field, at, left);
      if (taken !== undefined) made[name] = taken;
    }
  }
  return made;
}

function knownLook(given, left) {
  if (!isObject(given)) {
    left.push("look");
    return {};
  }
  const isKnown = ([name, value]) => LOOKS.get(name)?.(value) || (ASIDE.includes(name) && isObject(value));
  left.push(...Object.entries(given).filter((member) => !isKnown(member)).map(([name]) => `look.${name}`));
  const taken = Object.entries(given).filter(isKnown);
  return Object.fromEntries(taken.map(([name, value]) => [name, ASIDE.includes(name) ? knownMembers(value, "", `look.${name}`, left) : value]));
}

/** A side of a page: its request, and how it is looked at. */
const knownSide = ({ request: wanted, look = {} }, left, place = "") => ({ request: knownMembers(wanted, "", place.slice(0, -1), left), look: knownLook(look, left) });

/** Names that a stranger may have chosen: not too long, and without characters that do not show. */
function listed(names) {
  const shown = names.slice(0, MOST_NAMED).map((name) => {
    const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
    return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
  });
  const more = names.length - shown.length;
  return more ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/**
 * Reads a page that may be anything; undefined if there is none, null if it is damaged. `source` is what it comes from.
 * Returns `page`, if it holds one, and `said`: a sentence on what is wrong with it, or "".
 */
export function readPage(given, source) {
  if (given === undefined) return { said: "" };
  if (!isObject(given) || !isObject(given.request)) return { said: `${source} is damaged and was not opened.` };
  const left = Object.keys(given).filter((name) => !["request", "look", "other"].includes(name));
  const page = knownSide(given, left);
  if (isObject(given.other) && isObject(given.other.request)) {
    page.other = knownSide(given.other, left, "other.");
    for (const name of OF_PAGE) delete page.other.look[name];
    page.look.side ??= SIDES[0];
  } else {
    if ("other" in given) left.push("other");
    for (const name of OF_PAGE) delete page.look[name];
  }
  const said = left.length ? `${source} was opened without ${listed(left)}: there is no such field, or it cannot have that value.` : "";
  return { page, said };
}
