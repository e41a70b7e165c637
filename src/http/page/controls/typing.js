// Words that are typed: each word is one step of undo, and the caret stays where the change is.

import { follow } from "./controls.js";
import { put } from "../state/store.js";

const isSpace = (character) => !character || /\s/.test(character);

/**
 * Whether an input begins another step of undo than the one before: a word after a space, another kind of change, another
 * place, or a piece that was pasted.
 * @param {{ type: string, data: string | null, at: number } | undefined} before
 * @param {{ type: string, data: string | null, at: number }} now the kind of input, its letters, and the caret after it
 */
export function beginsStep(before, now) {
  if (!before || before.type !== now.type) return true;
  if (now.type === "insertText") return (isSpace(before.data) && !isSpace(now.data)) || now.at !== before.at + (now.data?.length ?? 0);
  return now.type !== "deleteContentBackward" && now.type !== "deleteContentForward";
}

/**
 * The caret after a text has become another: at the end of what differs.
 * @param {string} old
 * @param {string} now
 */
export function caretAfter(old, now) {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < most - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  return now.length - same;
}

let steps = 0;

/** Ties a text area to the field that `path` tells; `read` tells its value. */
export function tie(area, path, read) {
  let before;
  area.addEventListener("input", ({ inputType, data, isComposing }) => {
    const now = { type: isComposing ? "insertText" : inputType ?? "", data: data ?? null, at: area.selectionEnd };
    if (beginsStep(before, now)) steps += 1;
    before = now;
    put(path(), area.value, `type ${path()} ${steps}`);
  });
  area.addEventListener("blur", () => { before = undefined; });
  follow(() => {
    const value = read() ?? "";
    if (area.value === value) return;
    const caret = caretAfter(area.value, value);
    area.value = value;
    before = undefined;
    if (document.activeElement === area) area.setSelectionRange(caret, caret);
  });
}
