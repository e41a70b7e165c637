// Papers and mail pieces, and the size of the page that a request asks for.

import { request } from "./store.js";
import { MM_PER_INCH, pxOfMm, shownSize } from "./units.js";

const MM_OF = { mm: 1, in: MM_PER_INCH, px: MM_PER_INCH / 300 };

/** Papers as the service lists them, and mail pieces, which need a key. */
export const papers = [];
export const mailPieces = [];

/** What papers are for, by the beginning of their names. */
const USES = [
  ["Card", /^(card|square|a6$)/],
  ["Letter", /^(a[345]$|letter|legal|half)/],
  ["Postcard", /^postcard/],
  ["Envelope", /^(envelope|dl)/],
];
export const uses = USES.map(([use]) => use);
export const useOf = (name) => USES.find(([, names]) => names.test(name))?.[0] ?? "Letter";

/** A paper's name as people write it. */
export function nameOf(name) {
  const inches = { "425x6": "4¼ × 6 in" }[name.split("_")[1]];
  const words = name.replaceAll("_", " ").replace(/(\d+)x(\d+)/, "$1 × $2").replace(/\b(a\d|c\d(c\d)?|dl|us)\b/g, (word) => word.toUpperCase());
  const shown = inches ? `${words.split(" ")[0]} ${inches}` : words;
  return shown[0].toUpperCase() + shown.slice(1);
}

/** Beginnings of the names of mail pieces, and what people call them. */
const MAKERS = [["lob_", "Lob"], ["click2mail_", "Click2Mail"], ["usps_", "USPS"], ["din5008_", "DIN 5008 form"]];
const SIDES = { front: ", front", back: ", back", inside: ", inside page", window: ", window" };

/** A mail piece's name as people write it: "Lob postcard 4 × 6, back". */
export function nameOfPiece(name) {
  const [prefix, maker] = MAKERS.find(([start]) => name.startsWith(start)) ?? ["", ""];
  const parts = name.slice(prefix.length).split("_");
  const side = SIDES[parts.at(-1)];
  if (side) parts.pop();
  const words = parts.join(" ").replace("425x6", "4¼ × 6").replace(/(\d+)x(\d+)/, "$1 × $2").replace(/\b(a|b|dl|c5|c6c5)\b/g, (word) => word.toUpperCase());
  const whole = [maker, words].filter(Boolean).join(" ") + (side ?? "");
  return whole[0].toUpperCase() + whole.slice(1);
}

export const mailPiece = (wanted) => mailPieces.find(({ name }) => name === wanted.mail_piece);

/** The use of the paper of a request; mail pieces have none of these. */
export const useOfRequest = (wanted) => (wanted.mail_piece ? "" : useOf((wanted.page_size ?? "a4").toLowerCase()));

/** Papers that lie across, and on which an address stands, where no mail piece has its own rules. */
const MAIL_USES = ["Postcard", "Envelope"];
export const liesAcross = (use) => MAIL_USES.includes(use);
export const isMail = (wanted) => !wanted.mail_piece && MAIL_USES.includes(useOf((wanted.page_size ?? "a4").toLowerCase()));
export const isEnvelope = (wanted) => isMail(wanted) && useOf(wanted.page_size) === "Envelope";

/** A size in the unit that people choose. */
export const sizeOf = ({ width, height }) => shownSize({ width, height });

/** The size of the page as it is looked at, in millimetres. */
export function pageSize(wanted) {
  const piece = mailPiece(wanted);
  if (piece) return { width: piece.width_mm, height: piece.height_mm };
  const isAcross = wanted.orientation === "landscape";
  if (wanted.page_size === "custom") {
    const { width = 100, height = 100, unit = "mm" } = wanted.custom_page ?? {};
    const size = { width: width * MM_OF[unit], height: height * MM_OF[unit] };
    return isAcross && size.height > size.width ? { width: size.height, height: size.width } : size;
  }
  const paper = papers.find(({ name }) => name === (wanted.page_size ?? "a4").toLowerCase()) ?? papers[0];
  const sides = [paper.width_mm, paper.height_mm];
  const [width, height] = isAcross ? sides.reverse() : sides;
  return { width, height };
}

/** The size of the page on the screen, in pixels at 300 DPI. */
export function pagePx() {
  const { width, height } = pageSize(request());
  return { width: Math.round(pxOfMm(width)), height: Math.round(pxOfMm(height)) };
}
