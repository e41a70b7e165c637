// What the service says, in the words and units of the page: labels instead of names of fields, lengths as they are shown.

import { placeOnScreen } from "../state/empty_boxes.js";
import { fieldOf, fields, pathOf } from "../state/fields.js";
import { capital, labelOf, nameOfValue } from "./labels.js";
import { pathOnSide, sideOf } from "../state/sides.js";
import { shownLength, unit } from "../state/units.js";

/** Names of fields that are no words, longest first. */
function fieldNames() {
  const names = [...fields.keys()].flatMap((path) => [path, path.split(".").at(-1)]);
  return [...new Set(names)].filter((name) => /[._]/.test(name)).sort((a, b) => b.length - a.length);
}

const escaped = (text) => text.replaceAll(".", "\\.");
/** A name with its label, its value in quotes, or a length behind it. */
const mention = () => new RegExp(`(?<![\\w.])(${fieldNames().map(escaped).join("|")})(?!\\w)(?: '([\\w.]+)')?(?:( that fits is| from| of)? (\\d+(?:\\.\\d+)?)(?: px)?(?![\\w.]))?`, "g");

const fieldNamed = (name) => fieldOf(name) ?? [...fields.values()].find((field) => field.name === name);
const length = (px) => `${shownLength(Number(px))} ${unit()}`;
const shown = (field, number) => (field?.isLength ? length(number) : Number(number).toLocaleString("en"));

/** Bounds of a value. */
const BOUNDS = [
  [/^Input should be less than or equal to (-?[\d.]+)(?:, got .*)?$/, "At most"],
  [/^Input should be greater than or equal to (-?[\d.]+)(?:, got .*)?$/, "At least"],
];

function mentioned(whole, name, value, between = "", number) {
  const field = fieldNamed(name);
  const label = `“${labelOf(name)}”`;
  if (value !== undefined) return `${label} “${nameOfValue(value)}”`;
  if (number === undefined) return label;
  return `${label}${between} ${shown(field, number)}`;
}

/** The field at the start of a message stands beside it; before a value, its label stays. */
function unprefixed(whole, name, next) {
  if (!fieldOf(pathOf(name.replace(/^request\./, "")))) return whole;
  return /[\d'"]/.test(next) ? `“${labelOf(name)}” ` : "";
}

/**
 * A message of the service for people.
 * @param {string} message
 * @param {string} [named] the field that it is about, as the service names it
 */
export function inWords(message, named = "") {
  const path = pathOf(named);
  const [field, { side }] = [fieldOf(path), sideOf(path)];
  for (const [pattern, words] of BOUNDS) {
    const bound = pattern.exec(message)?.[1];
    if (bound !== undefined) return `${words} ${shown(field, bound)}.`;
  }
  const plain = message
    .replace(/^((?:request\.)?(?:sides\[\d+\]\.)?[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)*): (?=(.))/, unprefixed)
    .replace(/^Both sides should have one resolution.*/, `Both sides should have one resolution: choose 600 as “${labelOf("dpi")}”, which pencil has for a printing house.`)
    .replace(/^no artwork of this key has this id.*/, "This picture is no longer there: add it again, or remove it.")
    .replace(/\bartwork\[(\d+)\](?:\.[a-z_]+)?/g, (_, number) => `picture ${Number(number) + 1}`)
    .replace(", or say table.allow_empty", "")
    .replace("or overflow 'paginate' in a PDF", "or let the words go on on more pages")
    .replace(/^\[\d+, \d+, \d+\] can/, "this ink can")
    .replace(/^(?:Input|String) should have at least 1 character.*/, "There are no words")
    .replace(/^Input should be /, "It should be ")
    .replace(/^String should have /, "It should have ")
    .replace(/\bblocks\[(\d+)\](?:\.[a-z_]+)?/g, (_, number) => `text box ${Number(sideOf(placeOnScreen(pathOnSide(`blocks.${number}`, side))).path.slice("blocks.".length)) + 1}`)
    .replace(/\(?\[(\d+), (\d+), (\d+)\]\)?/g, "that colour")
    .replace(mention(), mentioned)
    .replace(/'([a-z]+(?:_[a-z\d]+)*)'/g, (_, value) => `“${nameOfValue(value)}”`)
    .replace(/\b(\d+(?:\.\d+)?) px\b/g, (whole, px) => (unit() === "px" ? whole : length(px)));
  return capital(plain);
}

/** What stands under the control of a field: its description, and what its value means, in the words of the page. */
export function hintOf(path, value) {
  const { description, meanings } = fields.get(path);
  const named = (whole, name) => (fields.has(name) || fields.has(`blocks.${name}`) ? `“${labelOf(name)}”` : `“${nameOfValue(name)}”`);
  const said = [description, capital(meanings.get(String(value)))].filter(Boolean).join(" ");
  const plain = said.replace(/`([\w.]+)`/g, named).replaceAll("`", "").replaceAll("of the request", "of the page").replaceAll("in the request", "on the page").replaceAll("the block", "the box").replaceAll("whole block", "whole box");
  return capital(plain);
}
