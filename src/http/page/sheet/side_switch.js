// «Front | Back»: which side of the page is on the sheet.

import { $ } from "../controls/element.js";
import { follow, segments } from "../controls/controls.js";
import { addedSide, addSide, isBackOfMail, nameOfSide, removeAdded, SIDES, sideNumber, turnOver } from "../state/sides.js";
import { look, request } from "../state/store.js";
import { showTab } from "../controls/tabs.js";

function add() {
  addSide();
  showTab("write");
  $("text").focus();
}

function remove() {
  removeAdded();
  $("side-add").focus();
}

export function startSideSwitch() {
  const choice = segments("side", "Side", SIDES.map((side, number) => [side, nameOfSide(number)]), { read: () => look().side, write: turnOver });
  $("side-remove").before(choice);
  $("side-add").addEventListener("click", add);
  $("side-remove").addEventListener("click", remove);
  follow(() => {
    const isOne = sideNumber() === undefined;
    choice.hidden = $("side-remove").hidden = isOne;
    $("side-add").hidden = !isOne;
    $("side-remove").textContent = `Remove the ${addedSide()}`;
    $("side-add").textContent = isBackOfMail(request()) ? "Add a front" : "Add a back";
  });
}
