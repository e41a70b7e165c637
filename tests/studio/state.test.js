// The page on the screen, its boxes, and what is sent of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const stored = new Map();
globalThis.sessionStorage = { setItem: (key, value) => stored.set(key, value), getItem: (key) => stored.get(key) ?? null, removeItem: (key) => stored.delete(key) };
const page = (name) => import(`../../src/http/page/${name}`);
const store = await page("state/store.js");
const { beside, dragged, freePlace, held, linesOf } = await page("boxes/box_place.js");
const { emptyBoxes, placeOnScreen, withWords } = await page("state/empty_boxes.js");
const { addressBox, senderBox } = await page("state/suit.js");
const { isEnvelope, isMail, pageSize, papers } = await page("state/papers.js");
const { pxOfMm } = await page("state/units.js");
const { readFields } = await page("state/fields.js");
const { readPage } = await page("state/given.js");
const { fileName, fileRequest } = await page("files/files.js");
const { outline } = await page("write/pens.js");

readFields(JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url))));
papers.push({ name: "card_5x7", width_mm: 127, height_mm: 177.8 }, { name: "envelope_10", width_mm: 104.775, height_mm: 241.3 }, { name: "postcard_6x9", width_mm: 152.4, height_mm: 228.6 });

const PAGE = { width: 1500, height: 2100 };
const BOX = { x: 100, y: 100, width: 300, height: 200 };

test("typed words are one step each, at any speed", () => {
  store.change("", (next) => { next.request = { text: "" }; next.look = {}; });
  store.put("text", "a", "type text 1");
  store.put("text", "ab", "type text 1");
  store.put("text", "ab c", "type text 2");
  store.undo();
  assert.equal(store.request().text, "ab");
  store.undo();
  assert.equal(store.request().text, "");
  store.redo();
  store.redo();
  assert.equal(store.request().text, "ab c");
});

test("steps outlast a reload", () => {
  store.keepSteps();
  const { done, undone } = store.storedSteps();
  assert.deepEqual([done.length, undone.length], [2, 0]);
  store.takeSteps(done, undone);
  store.undo();
  assert.equal(store.request().text, "ab");
  stored.set("longhand-steps", "{");
  assert.equal(store.storedSteps(), undefined);
});

test("empty boxes are in no request, and paths count them", () => {
  const blocks = [{ text: " " }, { text: "b" }, { text: "" }, { text: "d" }];
  assert.deepEqual(withWords({ text: "", blocks }), { blocks: [{ text: "b" }, { text: "d" }] });
  assert.deepEqual(withWords({ text: "a", blocks: [{ text: "" }] }), { text: "a" });
  assert.deepEqual(withWords({}), { text: "" });
  store.change("", (next) => { next.request = { blocks }; });
  assert.deepEqual(emptyBoxes(), [0, 2]);
  assert.deepEqual(["blocks.0.x", "blocks.1", "text"].map(placeOnScreen), ["blocks.1.x", "blocks.3", "text"]);
});

test("boxes stay on the page and keep their least size", () => {
  assert.deepEqual(dragged(BOX, "move", -500, 5000, PAGE), { ...BOX, x: 0, y: 1900 });
  assert.deepEqual(dragged(BOX, "se", -500, 20, PAGE), { ...BOX, width: 60, height: 220 });
  assert.deepEqual(dragged(BOX, "nw", -500, 500, PAGE), { x: 0, y: 240, width: 400, height: 60 });
  assert.deepEqual(beside(BOX, 59, PAGE), { ...BOX, x: 159, y: 159 });
  assert.deepEqual(beside({ ...BOX, x: 1200, y: 1900 }, 59, PAGE), { ...BOX, x: 1141, y: 1841 });
});

test("lines hold a box that is near, and none that is far", () => {
  const lines = linesOf(PAGE, { left: 150, right: 150, top: 150, bottom: 150 }, [{ x: 700, y: 900, width: 200, height: 100 }]);
  const middle = held({ ...BOX, x: 605 }, "move", lines, 10);
  assert.deepEqual([middle.box.x, middle.guides.x], [600, 750]);
  assert.deepEqual(held({ ...BOX, x: 500, y: 893 }, "move", lines, 10).box.y, 900);
  assert.deepEqual(held({ ...BOX, x: 300, y: 400 }, "move", lines, 10), { box: { ...BOX, x: 300, y: 400 }, guides: {} });
  const sized = held({ ...BOX, x: 400, width: 945 }, "se", lines, 10);
  assert.deepEqual([sized.box.x, sized.box.width], [400, 950], "its right side stands at the margin");
});

test("a new box lies on nothing, where there is room", () => {
  const taken = [{ x: 0, y: 0, width: 1500, height: 1000 }];
  const found = freePlace(BOX, taken, PAGE, 59);
  assert.ok(found.y >= 1000 && found.y < 1100);
  assert.deepEqual(freePlace(BOX, [{ x: 0, y: 0, ...PAGE }], PAGE, 59), BOX);
});

test("an address stands right of the middle in the lower half, above the codes of the post", () => {
  const envelope = { page_size: "envelope_10", orientation: "landscape" };
  const [{ width, height }, box, sender] = [pageSize(envelope), addressBox(envelope), senderBox(envelope)];
  assert.ok(box.x > pxOfMm(width) * 0.4 && box.y > pxOfMm(height) * 0.4);
  assert.ok(box.x + box.width < pxOfMm(width) && box.y + box.height <= pxOfMm(height - 15.9));
  assert.ok(box.keep_lines && sender.keep_lines && sender.x + sender.width < box.x);
  assert.deepEqual([isEnvelope(envelope), isMail({ page_size: "postcard_6x9" }), isMail({ page_size: "card_5x7" }), isMail({ ...envelope, mail_piece: "lob_letter" })], [true, true, false, false]);
});

test("a page from elsewhere has only what the fields allow", () => {
  const look = { size: "medium", letter: { text: "kept", evil: 1, blocks: [{ text: "a", x: 1, y: 1, width: 100, height: 100, evil: 1 }] } };
  const { page: taken, said } = readPage({ request: { text: "a", dpi: 301, evil: 1 }, look }, "It");
  assert.deepEqual(taken.request, { text: "a" });
  assert.deepEqual(taken.look.letter, { text: "kept", blocks: [{ text: "a", x: 1, y: 1, width: 100, height: 100 }] });
  assert.ok(said.includes("look.letter.evil"), said);
});

test("a file has the options of its kind alone", () => {
  const wanted = { text: "Dear Ann", pdf: { bleed_mm: 3 }, svg: { group_by: "word" } };
  assert.deepEqual(fileRequest("png", wanted), { text: "Dear Ann" });
  assert.deepEqual(fileRequest("pdfx", wanted), { text: "Dear Ann", output_format: "pdf", pdf: { bleed_mm: 3, standard: "pdfx1a" } });
  assert.deepEqual(fileRequest("strokes", wanted), { text: "Dear Ann", output_format: "svg", svg: { group_by: "word", paths: "strokes" } });
  assert.equal(fileName({ request: wanted }, "outlines"), "dear-ann-outlines.pdf");
  assert.equal(fileName({ request: { blocks: [{ text: "Ann" }] } }, "strokes"), "ann-strokes.svg");
});

test("a broad nib is thicker across than along", () => {
  const area = (pen) => {
    const points = outline(pen).slice(1, -1).split("L").map((point) => point.split(" ").map(Number));
    return Math.abs(points.reduce((sum, [x, y], at) => sum + x * points[(at + 1) % points.length][1] - points[(at + 1) % points.length][0] * y, 0)) / 2;
  };
  assert.ok(area({ half: 0.4, nib: 2.6 }) > 1.5 * area({ half: 0.7 }));
});
