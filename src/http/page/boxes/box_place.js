// Where boxes are, in px at 300 DPI: dragged, held to lines of the page, and put in free places. No state.

/** Shortest side of a text box. */
export const LEAST = 60;

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const between = (least, value, most) => Math.max(least, Math.min(value, most));

/** The place and size of a box, without its other members. */
export const placeOf = ({ x, y, width, height }) => ({ x, y, width, height });

export const rounded = (box) => Object.fromEntries(Object.entries(box).map(([name, value]) => [name, Math.round(value)]));

/**
 * Where boxes may be.
 * @typedef {{ width: number, height: number, beyond?: number, least?: number }} Room the page, how far boxes may reach beyond
 *   its edges, and the shortest side of a box
 */

/** A start within the room; a box that is larger covers it. */
function startIn(start, extent, most, beyond) {
  const [first, last] = [0 - beyond, most + beyond - extent];
  return between(Math.min(first, last), start, Math.max(first, last));
}

/** A box moved as far as the page allows. */
const kept = (box, { width, height, beyond = 0 }) => ({ ...box, x: startIn(box.x, box.width, width, beyond), y: startIn(box.y, box.height, height, beyond) });

/**
 * A box after a drag of `right` and `down` at its middle (`move`) or at a corner (`nw` and so on). It stays on the page.
 * @param {Box} box
 * @param {Room} page
 */
export function dragged(box, kind, right, down, page) {
  if (kind === "move") return kept({ ...box, x: box.x + right, y: box.y + down }, page);
  const { beyond = 0, least = LEAST } = page;
  const side = (start, extent, by, isFirst, most) => {
    if (!isFirst) return [start, between(least, extent + by, Math.max(least, most + beyond - start))];
    const at = between(Math.min(0 - beyond, start), start + by, start + extent - least);
    return [at, start + extent - at];
  };
  const [x, width] = side(box.x, box.width, right, kind.includes("w"), page.width);
  const [y, height] = side(box.y, box.height, down, kind.includes("n"), page.height);
  return { x, y, width, height };
}

/**
 * A box that was sized at a corner, in the shape that it had: its larger change counts, or that of the side that a line holds.
 * It ends at the edge of the room.
 * @param {Box} box
 * @param {Box} from
 * @param {Room} page
 */
export function inShape(box, from, kind, guides, page) {
  const { beyond = 0, least = LEAST } = page;
  const [across, down] = [box.width / from.width, box.height / from.height];
  const isAcross = guides.x !== undefined || (guides.y === undefined && Math.abs(across - 1) >= Math.abs(down - 1));
  const [isWest, isNorth] = [kind.includes("w"), kind.includes("n")];
  const room = [isWest ? from.x + from.width + beyond : page.width + beyond - from.x, isNorth ? from.y + from.height + beyond : page.height + beyond - from.y];
  const most = Math.min(room[0] / from.width, room[1] / from.height);
  const by = between(least / Math.max(from.width, from.height), isAcross ? across : down, Math.max(1, most));
  const [width, height] = [from.width * by, from.height * by];
  return { x: isWest ? from.x + from.width - width : from.x, y: isNorth ? from.y + from.height - height : from.y, width, height };
}

/** The lines that boxes are held to: margins, the middle, and the edges and middles of other boxes. */
export function linesOf(page, margins, others) {
  const along = (start, extent, name) => others.flatMap((box) => [box[start], box[start] + box[extent] / 2, box[start] + box[extent]].map((at) => ({ at, of: name })));
  return {
    x: [{ at: page.width / 2 }, { at: margins.left }, { at: page.width - margins.right }, ...along("x", "width")],
    y: [{ at: page.height / 2 }, { at: margins.top }, { at: page.height - margins.bottom }, ...along("y", "height")],
  };
}

/** The parts of a side that a drag moves: 0 its start, 1 its end. */
const movingParts = (kind, first, last) => (kind === "move" ? [0, 0.5, 1] : [...(kind.includes(first) ? [0] : []), ...(kind.includes(last) ? [1] : [])]);

/** The nearest line to a moving part, and how far it is; undefined beyond `reach`. */
function nearest(start, extent, parts, lines, reach) {
  const found = parts.flatMap((part) => lines.map(({ at }) => ({ at, part, by: at - (start + extent * part) })))
    .sort((a, b) => Math.abs(a.by) - Math.abs(b.by))[0];
  return found && Math.abs(found.by) <= reach ? found : undefined;
}

/**
 * A dragged box, held to lines within `reach`, and the lines that hold it: `guides.x` of a vertical line.
 * @param {Box} box
 */
export function held(box, kind, lines, reach, least = LEAST) {
  const made = { ...box };
  const guides = {};
  for (const [start, extent, first, last] of [["x", "width", "w", "e"], ["y", "height", "n", "s"]]) {
    const found = nearest(box[start], box[extent], movingParts(kind, first, last), lines[start], reach);
    if (!found) continue;
    guides[start] = found.at;
    if (kind === "move") made[start] += found.by;
    else if (found.part === 0) {
      made[start] += found.by;
      made[extent] -= found.by;
    } else made[extent] += found.by;
    if (made[extent] < least) return { box, guides: {} };
  }
  return { box: made, guides };
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The free place for a box that is nearest to the wanted one, by steps; the wanted one where none is free. */
export function freePlace(wanted, taken, page, step) {
  const places = [wanted];
  for (let x = step; x + wanted.width < page.width; x += step) {
    for (let y = step; y + wanted.height < page.height; y += step) places.push({ ...wanted, x, y });
  }
  const far = (box) => Math.hypot(box.x - wanted.x, box.y - wanted.y);
  const free = places.filter((box) => !taken.some((other) => overlap(box, other))).sort((a, b) => far(a) - far(b));
  return free[0] ?? wanted;
}

/** A copy of a box beside it, on the page. */
export const beside = (box, step, page) => {
  const made = kept({ ...box, x: box.x + step, y: box.y + step }, page);
  return made.x === box.x && made.y === box.y ? kept({ ...box, x: box.x - step, y: box.y - step }, page) : made;
};
