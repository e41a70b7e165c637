// Elements made in scripts.

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** An HTML element. An attribute that is true is empty; one that is false, null or undefined is left out. */
export const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

/** An SVG element. */
export const drawn = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

export const $ = (id) => document.getElementById(id);

/** The id of the control of a field, from its path in the request. */
export const idOf = (path) => path.replaceAll(".", "-");

/** Calls `work` once, `pause` ms after the last call. */
export function later(work, pause) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), pause);
  };
}
