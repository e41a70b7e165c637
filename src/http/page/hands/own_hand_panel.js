// The window in which one makes a hand of one's own: its elements.

import { element } from "../controls/element.js";

/** A part of the window with its heading. */
const part = (id, title, ...children) => element("section", { id, "aria-labelledby": `${id}-head` }, element("h3", { id: `${id}-head` }, title), ...children);

const check = (id, label) => element("label", { class: "check" }, element("input", { type: "checkbox", id }), ` ${label}`);

/** Makes the window and puts it on the page. */
export function buildPanel() {
  const print = part("own-print", "1 Print the sheet, and fill it",
    element("p", { class: "hint" }, "Three pages, about 15 minutes. Print at 100 %, on plain paper. Write as you always do, with a pen of 0.3 mm or more, blue or black; fill the small circle beside a letter that went wrong."),
    element("div", { class: "own-choices" }, check("own-joined", "My letters are joined"), check("own-quick", "Two pages, 9 minutes, no accents"), check("own-letter", "Letter paper")),
    element("p", {}, element("button", { type: "button", class: "plain", id: "own-sheet" }, "Download the sheet")));
  const drop = element("label", { class: "drop", for: "own-files" },
    element("b", {}, "Drop photographs or scans here"), element("span", {}, "or choose them"),
    element("input", { type: "file", id: "own-files", multiple: true, accept: "image/jpeg,image/png,application/pdf,.pdf", "aria-describedby": "own-files-hint" }));
  const pictures = part("own-pictures", "2 Take pictures",
    element("p", { class: "hint", id: "own-files-hint" }, "The whole page with its four black squares, from above, in even light; hold still. JPEG, PNG, or the PDF of a scanner. They are read here and kept nowhere."),
    drop, element("ul", { id: "own-list", class: "own-list", "aria-label": "Pictures" }));
  const doubts = part("own-letters", "3 Letters in doubt",
    element("p", { class: "hint", id: "own-letters-hint" }, "A letter in doubt is not used. Use it as it is, or write it again and add a picture of that page: the later picture counts."),
    element("ul", { id: "own-doubts", class: "doubts", "aria-label": "Letters in doubt" }),
    element("p", { id: "own-no-doubts", class: "hint", hidden: true }, "None: every letter was read without doubt."));
  doubts.hidden = true;
  const trial = part("own-try", "4 Try it, and save it",
    element("div", { class: "field" }, element("label", { for: "own-text" }, "Words to try"), element("textarea", { id: "own-text", rows: 3, maxlength: 600, spellcheck: "true" })),
    element("img", { id: "own-trial", alt: "The words in your hand", hidden: true }),
    element("p", { id: "own-figures", class: "hint" }),
    element("div", { class: "own-save" },
      element("div", { class: "field" }, element("label", { for: "own-name" }, "Name of the hand"), element("input", { id: "own-name", type: "text", maxlength: 64, autocomplete: "off" })),
      element("button", { type: "button", id: "own-save" }, "Save the hand")),
    element("p", { class: "hint" }, "A saved hand belongs to your key alone. Make only your own hand, or one with the consent of its writer: it is as personal as a signature."));
  trial.hidden = true;
  const saved = part("own-saved", "Saved hands", element("ul", { id: "own-kept", class: "own-list" }));
  saved.hidden = true;
  const panel = element("dialog", { id: "own-hand", "aria-labelledby": "own-head" },
    element("div", { class: "hands-bar" },
      element("h2", { id: "own-head" }, "Your hand"),
      element("p", { id: "own-status", role: "status" }),
      element("button", { type: "button", class: "plain", id: "own-done" }, "Close")),
    element("div", { id: "own-problem", class: "own-problem", role: "alert" }),
    element("div", { class: "own-parts" },
      saved, print, pictures, doubts, trial));
  document.body.append(panel);
  return panel;
}
