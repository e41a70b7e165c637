// Text boxes without words: on the screen they are ghosts, and no request has them.

import { look, otherSide, request } from "./store.js";

export const isEmpty = ({ text }) => !text?.trim();

/** A request without its empty text boxes, and without empty words beside boxes or pictures. */
export function withWords(wanted) {
  const { text, blocks = [], ...others } = wanted;
  const left = blocks.filter((box) => !isEmpty(box));
  const isNeeded = !left.length && !others.artwork;
  return { ...(text?.trim() || isNeeded ? { text: text ?? "" } : {}), ...others, ...(left.length && { blocks: left }) };
}

/** Whether nothing of a request is to be seen. */
export const isBlank = ({ text, blocks = [], artwork = [] }) => !text?.trim() && blocks.every(isEmpty) && !artwork.length;

/** The numbers of the empty boxes on the screen. */
export const emptyBoxes = () => (request().blocks ?? []).flatMap((box, number) => (isEmpty(box) ? [number] : []));

/** The boxes of a side, or of that on the screen. */
function boxesOf(side) {
  const isHere = side === undefined || !otherSide() || (look().side === "back") === (side === "1");
  return (isHere ? request() : otherSide().request).blocks ?? [];
}

/** The path of a field of a request that was sent, on the screen: empty boxes count there. */
export function placeOnScreen(path) {
  return path.replace(/^(?:sides\.(\d)\.)?blocks\.(\d+)/, (whole, side, sent) => {
    const numbers = boxesOf(side).flatMap((box, number) => (isEmpty(box) ? [] : [number]));
    return `${side === undefined ? "" : `sides.${side}.`}blocks.${numbers[sent] ?? sent}`;
  });
}
