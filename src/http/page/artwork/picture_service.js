// The pictures of the key on the service: sent once, listed and deleted. The service keeps no names; this browser does, with
// a small picture of each.

import { notePicture } from "./pictures.js";
import { askAgain, patiently, refusalOf, storedKey, Unreachable } from "../service.js";

const ARTWORK = "/api/v1/artwork";
const NAMES = "longhand-pictures";
const SMALL_PX = 96;
const MOST_NAMES = 200;

/** @typedef {{ name: string, small?: string }} Known */

/** What this browser knows of pictures, by id. @returns {Record<string, Known>} */
function known() {
  try {
    const all = JSON.parse(localStorage.getItem(NAMES) ?? "{}");
    return typeof all === "object" && all !== null ? all : {};
  } catch {
    return {};
  }
}

function remember(id, name, small) {
  const others = Object.entries(known()).filter(([other]) => other !== id).slice(0, MOST_NAMES - 1);
  try {
    localStorage.setItem(NAMES, JSON.stringify({ [id]: { name, small }, ...Object.fromEntries(others) }));
  } catch {
    // The storage is full: the picture has no name here.
  }
}

/** The name of the file of a picture; undefined where another browser sent it. */
export const nameOfPicture = (id) => (typeof known()[id]?.name === "string" ? known()[id].name : undefined);

/** A small picture of a picture as a data URL; undefined if there is none. */
export const smallPicture = (id) => (/^data:image\/(png|jpeg);base64,/.test(known()[id]?.small) ? known()[id].small : undefined);

/** A small copy of a picture; undefined where the browser cannot show it. */
async function smallCopy(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    const by = Math.min(1, SMALL_PX / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.max(1, Math.round(side * by)));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** Sends a file once. `fetch` tells nothing of how far it is. */
const send = (file, tellPart) => new Promise((done, fail) => {
  const call = new XMLHttpRequest();
  call.open("POST", ARTWORK);
  call.responseType = "json";
  call.setRequestHeader("Authorization", `Bearer ${storedKey()}`);
  // The service sees by the file what it is.
  call.setRequestHeader("Content-Type", "application/octet-stream");
  call.upload.addEventListener("progress", ({ loaded, total }) => { if (total) tellPart(loaded / total); });
  call.addEventListener("load", () => {
    if (call.status === 200 && call.response) done(call.response);
    else fail(refusalOf(call.status, call.response ?? {}, call.getResponseHeader("Retry-After")));
  });
  call.addEventListener("error", () => fail(new Unreachable("The service does not answer.")));
  call.send(file);
});

/** Sends a picture; `tell` is told how far it is. Returns what the service says of it. */
export async function sendPicture(file, tell) {
  const tellPart = (part) => tell(part < 1 ? `Sending ${file.name}: ${Math.floor(part * 100)} %` : `${file.name} was sent and is being looked at …`);
  tell(`Sending ${file.name} …`);
  const [small, picture] = await Promise.all([smallCopy(file), patiently(() => send(file, tellPart), { tell })]);
  remember(picture.id, file.name, small);
  notePicture(picture);
  return picture;
}

/** { artwork, most, most_bytes } */
export const listPictures = async () => (await askAgain(ARTWORK)).json();
export const deletePicture = (id) => askAgain(`${ARTWORK}/${id}`, { method: "DELETE" });
