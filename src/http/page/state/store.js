// The page on the screen: its request, how it is looked at (`look`, which no file depends on), and its other side, if it
// has one. Every control reads and writes it here, so that undo, reload and links work for all of them.

const DRAFT = "longhand-draft";
const ONE_STEP_MS = 800;
const MOST_STEPS = 200;

let state = { request: {}, look: {} };
let undone = [];
let done = [];
let last = { step: "", at: 0 };
const watchers = [];
/** The page of each state: one that is opened in its place is another page. */
const pages = new WeakMap();

const copyOf = (value) => JSON.parse(JSON.stringify(value));

export const request = () => state.request;
export const look = () => state.look;
/** The side that is not on the screen, as { request, look }; undefined where the page has one side. */
export const otherSide = () => state.other;
/** Tells the page on the screen from others that are opened in its place. */
export const pageHere = () => pages.get(state);
/** All of the page, as it is kept and put into links. */
export const wholePage = () => copyOf(state);

/** The number of the chosen text box, or picture; undefined if there is none. */
export const chosenBox = () => (state.request.blocks?.[state.look.box] ? state.look.box : undefined);
export const chosenPicture = () => (state.request.artwork?.[state.look.picture] ? state.look.picture : undefined);

/** A path without number, such as `blocks.x`, is that of the chosen text box or picture. */
const whole = (path) => path.replace(/^blocks\.(?!\d)/, `blocks.${chosenBox()}.`).replace(/^artwork\.(?!\d)/, `artwork.${chosenPicture()}.`);

/** The value at a path such as `pdf.bleed_mm`; undefined where the request leaves it out. */
export const valueAt = (path, from = state.request) => whole(path).split(".").reduce((at, name) => at?.[name], from);

/** Puts a value at a path; undefined leaves it out, and an object that has no member is left out too. */
export function assign(into, path, value) {
  const [name, ...rest] = path.split(".");
  if (rest.length) {
    const member = typeof into[name] === "object" && into[name] !== null ? into[name] : {};
    assign(member, rest.join("."), value);
    value = Object.keys(member).length ? member : undefined;
  }
  if (value === undefined) delete into[name];
  else into[name] = value;
}

/** Calls `watcher` after every change. */
export const watch = (watcher) => watchers.push(watcher);

/** Calls the watchers: what they show can depend on more than the page. */
export function showAgain() {
  for (const watcher of watchers) watcher();
}

function tell() {
  sessionStorage.setItem(DRAFT, JSON.stringify(state));
  showAgain();
}

let settle = () => {};

/** `rule` gets every changed state, and may change it once more. */
export const settleBy = (rule) => { settle = rule; };

/**
 * Changes the page: `edit` gets a copy of the state. Changes of the same `step` in quick succession are one step of undo;
 * those of a step that begins with "type" at any speed. A change without a name is none.
 */
export function change(step, edit) {
  const next = copyOf(state);
  pages.set(next, pages.get(state));
  edit(next);
  settle(next);
  if (JSON.stringify(next) === JSON.stringify(state)) return;
  const now = performance.now();
  const goesOn = step === last.step && (step.startsWith("type ") || now - last.at < ONE_STEP_MS);
  if (step && !goesOn) {
    done = [...done, state].slice(-MOST_STEPS);
    undone = [];
  }
  if (step) last = { step, at: now };
  state = next;
  tell();
}

export const put = (path, value, step = whole(path)) => change(step, (next) => assign(next.request, whole(path), value));
export const putLook = (name, value) => change(`look.${name}`, (next) => { next.look[name] = value; });

/** Makes nothing on the sheet the chosen thing, in a draft of the state. */
export function unchoose({ look: looked }) {
  delete looked.box;
  delete looked.picture;
}

/** Chooses a text box (`box`) or a picture (`picture`) by its number, or nothing. */
export const choose = (kind, number) => change("", (next) => {
  unchoose(next);
  if (number !== undefined) next.look[kind] = number;
});

/** Puts a page in the place of this one, in a draft of the state. */
export function takePage(next, page) {
  delete next.other;
  Object.assign(next, page);
  pages.set(next, {});
}

export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

export function undo() {
  if (!canUndo()) return;
  undone = [...undone, state];
  state = done.at(-1);
  done = done.slice(0, -1);
  last = { step: "", at: 0 };
  tell();
}

export function redo() {
  if (!canRedo()) return;
  done = [...done, state];
  state = undone.at(-1);
  undone = undone.slice(0, -1);
  last = { step: "", at: 0 };
  tell();
}

/** Steps that outlast a reload, as far as the storage takes them. */
const MOST_KEPT = 60;
const STEPS = "longhand-steps";

export function keepSteps() {
  for (let most = MOST_KEPT; most >= 1; most = Math.floor(most / 4)) {
    try {
      sessionStorage.setItem(STEPS, JSON.stringify({ done: done.slice(-most), undone: undone.slice(-most) }));
      return;
    } catch {
      // The storage is full: fewer steps may fit.
    }
  }
}

/** The steps of this tab before it was reloaded, unchecked. */
export function storedSteps() {
  try {
    const { done: before, undone: after } = JSON.parse(sessionStorage.getItem(STEPS));
    return Array.isArray(before) && Array.isArray(after) ? { done: before, undone: after } : undefined;
  } catch {
    return undefined;
  }
}

/** Takes up steps of undo and redo again. */
export function takeSteps(before, after) {
  [done, undone] = [before, after];
}

/** The draft of this tab before it was reloaded, unchecked; undefined if there is none, null if it is no JSON. */
export function storedDraft() {
  try {
    const stored = sessionStorage.getItem(DRAFT);
    return stored === null ? undefined : JSON.parse(stored);
  } catch {
    return null;
  }
}
