// Tabs (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/): arrow keys move between them.

import { $ } from "./element.js";

const tabs = () => [...document.querySelectorAll("[role=tab]")];
const listeners = [];

/** Calls `listener` with the name of a tab when it is shown. */
export const onTab = (listener) => listeners.push(listener);

export function showTab(name) {
  for (const tab of tabs()) {
    const isShown = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !isShown;
  }
  for (const listener of listeners) listener(name);
}

/** Shows the tab that an element is in. */
export function showTabOf(inside) {
  const panel = inside.closest("[role=tabpanel]");
  if (panel?.hidden) showTab(panel.dataset.panel);
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export function startTabs() {
  for (const tab of tabs()) tab.addEventListener("click", () => showTab(tab.dataset.tab));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const all = tabs();
    const at = all.indexOf(document.activeElement);
    const to = { Home: 0, End: all.length - 1 }[event.key] ?? (event.key in STEPS ? (at + STEPS[event.key] + all.length) % all.length : -1);
    if (at < 0 || to < 0) return;
    event.preventDefault();
    showTab(all[to].dataset.tab);
    all[to].focus();
  });
}
