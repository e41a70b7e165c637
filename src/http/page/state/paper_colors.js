// Colours of paper to judge ink on. They are in no file.

import { look } from "./store.js";

const COLORS = [["white", "#ffffff"], ["ivory", "#fbf5e3"], ["cream", "#f3e6c4"], ["grey", "#dfe1e3"], ["kraft", "#cdab7d"], ["black", "#2b2a29"]];

export const paperColors = COLORS;
export const paperColorNames = COLORS.map(([name]) => name);
export const paperColor = () => COLORS.find(([name]) => name === look().paper)?.[1] ?? COLORS[0][1];

/** The member of a request that tells the colour of the paper, where the service takes one of those `known`. */
export function paperOf(known) {
  if (!known.has("paper_color") || paperColor() === COLORS[0][1]) return {};
  return { paper_color: [1, 3, 5].map((at) => parseInt(paperColor().slice(at, at + 2), 16)) };
}
