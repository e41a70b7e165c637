// Text boxes without words: on the screen they are ghosts, and no request has them.

import { request } from "./store.js";

export const isEmpty = ({ text }) => !text?.trim();

/** A request without its empty text boxes, and without empty words beside boxes. */
export function withWords(wanted) {
  const { text, blocks = [], ...others } = wanted;
  const left = blocks.filter((box) => !isEmpty(box));
  if (!left.length) return { text: text ?? "", ...others };
  return { ...(text?.trim() && { text }), ...others, blocks: left };
}

/** The numbers of the empty boxes on the screen. */
export const emptyBoxes = () => (request().blocks ?? []).flatMap((box, number) => (isEmpty(box) ? [number] : []));

/** The path of a field of a request that was sent, on the screen: empty boxes count there. */
export function placeOnScreen(path) {
  return path.replace(/^blocks\.(\d+)/, (whole, sent) => {
    const numbers = (request().blocks ?? []).flatMap((box, number) => (isEmpty(box) ? [] : [number]));
    return `blocks.${numbers[sent] ?? sent}`;
  });
}
