// The sides of a page, the pictures on it, and its rules.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.sessionStorage = { setItem: () => {}, getItem: () => null, removeItem: () => {} };
const page = (name) => import(`../../src/http/page/${name}`);
const store = await page("state/store.js");
const sides = await page("state/sides.js");
const pictures = await page("artwork/pictures.js");
const { readFields, fieldOf, pathOf } = await page("state/fields.js");
const { inShape, dragged, held, linesOf } = await page("boxes/box_place.js");
const { isBlank, placeOnScreen, withWords } = await page("state/empty_boxes.js");
const { mailPieces, papers } = await page("state/papers.js");
const { movePictures } = await page("state/move_things.js");
const { fileName, fileRequest, kind, sideOfFile } = await page("files/files.js");
const { ofAllRows, saidOfSides } = await page("merge/merge_check.js");
const { linkRequest } = await page("files/client_link.js");
const { readPage } = await page("state/given.js");
const { nameOf, ofError, ofWarnings, toldOnce } = await page("controls/messages.js");
const { Refusal } = await page("service.js");
const sheetPictures = await page("artwork/sheet_pictures.js");
const { pxOfMm } = await page("state/units.js");

readFields(JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url))));
papers.push({ name: "a5", width_mm: 148, height_mm: 210 }, { name: "card_5x7", width_mm: 127, height_mm: 177.8 }, { name: "letter", width_mm: 215.9, height_mm: 279.4 });
const piece = (name, width, height, others = {}) => ({ name, width_mm: width, height_mm: height, page_size: "postcard_us", orientation: "landscape", preset: "lob", ...others });
mailPieces.push(piece("lob_postcard_4x6_front", 152.4, 101.6), piece("lob_postcard_4x6_back", 152.4, 101.6), piece("lob_letter", 215.9, 279.4, { page_size: "letter", orientation: "portrait" }), piece("lob_letter_inside", 215.9, 279.4),
  piece("din5008_b", 210, 297, { page_size: "a4", orientation: "portrait" }));

const FRONT = { text: "Front", page_size: "card_5x7", font_id: 4, seed: 1, dpi: 300 };
const ID = "a".repeat(64);

function open(request = FRONT, look = {}) {
  store.change("", (next) => store.takePage(next, { request: structuredClone(request), look: structuredClone(look) }));
}

sides.startSides();

test("a back is written as the front, and each side keeps what is its own", () => {
  open({ ...FRONT, blocks: [{ text: "a", x: 0, y: 0, width: 100, height: 100 }], artwork: [{ id: ID }] }, { kind: "pdf", box: 0, room: 9 });
  sides.addSide();
  const { seed, ...written } = store.request();
  assert.deepEqual(written, { text: "", page_size: "card_5x7", font_id: 4, dpi: 300 });
  assert.ok(Number.isInteger(seed) && seed !== FRONT.seed, "its letters vary in their own way");
  assert.equal(store.otherSide().request.seed, FRONT.seed);
  assert.deepEqual(store.look(), { kind: "pdf", side: "back" });
  store.put("text", "Back");
  store.put("font_id", 9);
  sides.turnOver();
  assert.deepEqual([store.request().text, store.request().font_id, store.look().side, store.look().room], ["Front", 4, "front", 9]);
  sides.turnOver();
  assert.deepEqual([store.request().text, store.otherSide().request.text], ["Back", "Front"]);
  store.undo();
  store.undo();
  assert.equal(store.request().text, "", "undo goes to the side where something was changed");
  sides.removeAdded();
  assert.deepEqual([store.request().text, store.otherSide(), "side" in store.look()], ["Front", undefined, false]);
});

test("a back does not take the own size of the front", () => {
  open({ ...FRONT, font_size: 300 }, { size: "own" });
  sides.addSide();
  assert.deepEqual([store.request().font_size, store.look().size], [undefined, "medium"]);
  assert.equal(store.otherSide().request.font_size, 300);
});

test("the paper and the options of the file are one for both sides", () => {
  open({ ...FRONT, artwork: [{ id: ID, x_mm: 51, y_mm: 10, width_mm: 25 }] });
  sides.addSide();
  store.put("page_size", "a5");
  store.put("dpi", 600);
  assert.deepEqual([store.otherSide().request.page_size, store.otherSide().request.dpi], ["a5", 600]);
  assert.equal(store.otherSide().request.artwork[0].x_mm, Math.round(((51 + 12.5) * (148 / 127) - 12.5) * 10) / 10, "its middle keeps its part of the page");
  store.put("dpi", undefined);
  assert.equal("dpi" in store.otherSide().request, false);
  store.put("orientation", "landscape");
  assert.equal(store.otherSide().request.orientation, "landscape");
});

test("mail pieces have their sides", () => {
  open({ text: "Hi", mail_piece: "lob_postcard_4x6_front" });
  sides.addSide();
  assert.deepEqual([store.request().mail_piece, store.otherSide().request.mail_piece], ["lob_postcard_4x6_back", "lob_postcard_4x6_front"]);
  open({ text: "Address", mail_piece: "lob_postcard_4x6_back" });
  sides.addSide();
  assert.deepEqual([store.request().mail_piece, store.look().side], ["lob_postcard_4x6_front", "front"], "the front is added to a back");
  sides.removeAdded();
  assert.deepEqual([store.request(), store.otherSide(), store.look()], [{ text: "Address", mail_piece: "lob_postcard_4x6_back" }, undefined, {}], "the front goes, and not what was there before");
  store.undo();
  assert.deepEqual([store.request().mail_piece, store.look().side, sides.addedSide()], ["lob_postcard_4x6_front", "front", "front"]);
  open({ text: "Form", mail_piece: "din5008_b" });
  sides.addSide();
  assert.deepEqual([store.request().mail_piece, store.request().page_size], [undefined, "a4"], "a piece of one side has paper of its size behind it");
  assert.equal(sides.pieceBehind("lob_letter"), "lob_letter_inside");
  assert.equal(sides.pieceBehind("din5008_b"), undefined);
});

test("a file of two sides has what they share beside them", () => {
  const [front, back] = [{ ...FRONT, output_format: "pdf" }, { ...FRONT, output_format: "pdf", text: "Back", font_id: 9 }];
  assert.deepEqual(sides.bothSides(front, back, []), {
    page_size: "card_5x7", dpi: 300, output_format: "pdf",
    sides: [{ text: "Front", font_id: 4, seed: 1 }, { text: "Back", font_id: 9, seed: 1 }],
  });
  const mail = sides.bothSides({ text: "a", mail_piece: "din5008_b" }, { text: "b", page_size: "a4" });
  assert.deepEqual(mail.sides[1].pdf, { preset: "lob" }, "the options of the piece are those of both");
});

test("a PDF is made of both sides, other files of that on the screen", () => {
  open(FRONT, { kind: "pdf" });
  sides.addSide();
  assert.equal(fileRequest("pdf").text, "Front", "an empty back is not in the file");
  assert.deepEqual(sides.blankSides(), [1]);
  store.change("", (next) => { next.request.artwork = [{ id: ID }]; });
  assert.deepEqual(fileRequest("pdf").sides.map(({ text, artwork }) => [text, artwork?.length]), [["Front", undefined], [undefined, 1]]);
  assert.deepEqual(fileRequest("png").artwork, [{ id: ID }]);
  const made = { request: store.request(), look: store.look(), other: store.otherSide() };
  assert.deepEqual([fileName(made, "png"), fileName(made, "outlines")], ["front-back.png", "front-outlines.pdf"]);
  assert.ok(ofAllRows("pdf").sides.every((side) => !("seed" in side)), "rows have seeds of their own");
});

test("fields of a side are named by it", () => {
  open(FRONT);
  sides.addSide();
  assert.equal(pathOf("sides[1].blocks[0].x"), "sides.1.blocks.0.x");
  assert.equal(pathOf("sides[0].text_color.1"), "sides.0.text_color");
  assert.equal(fieldOf("sides.1.artwork.0.opacity").path, "artwork.opacity");
  assert.deepEqual(["sides.0.font_id", "sides.1.font_id", "sides.0.blocks.1.x", "artwork.1.opacity"].map(nameOf), ["Front, Hand", "Hand", "Front, Text box 2, X", "Picture 2, Opacity"]);
  store.change("", (next) => { next.other.request.blocks = [{ text: "" }, { text: "b" }]; });
  assert.equal(placeOnScreen("sides.0.blocks.0.x"), "sides.0.blocks.1.x");
});

test("a link shows both sides", () => {
  open({ ...FRONT, overflow: "paginate" });
  assert.deepEqual([linkRequest().text, "page" in linkRequest()], ["Front", false], "all pages of it");
  sides.addSide();
  assert.equal(linkRequest().text, "Front", "an empty back is not shown");
  store.put("text", "Back");
  const { sides: shown, output_format: format } = linkRequest();
  assert.deepEqual([shown.map(({ text }) => text), shown.some((side) => "page" in side), format], [["Front", "Back"], false, undefined]);
});

test("the kind of file that nobody chose can have all of the page", () => {
  open({ ...FRONT, text: "Front" });
  assert.equal(kind(), "png");
  store.put("overflow", "paginate");
  assert.equal(kind(), "pdf");
  open(FRONT);
  sides.addSide();
  assert.equal(kind(), "pdf");
  store.put("text", "Come and dance");
  assert.equal(fileName(store.wholePage()), "front.pdf", "and its name is that of the front");
  store.putLook("kind", "png");
  assert.equal(kind(), "png");
});

test("rows are checked on both sides, and what is wrong names the side", () => {
  open(FRONT, { kind: "png" });
  sides.addSide();
  store.put("text", "Back");
  assert.deepEqual(ofAllRows().sides.map(({ text }) => text), ["Front", "Back"], "one PDF of all rows has both");
  assert.deepEqual(saidOfSides([{ message: "sides[1].text: too long" }]), { said: "Back: Too long", path: "sides.1.text" });
  assert.deepEqual(saidOfSides([{ message: "a", field: "sides[0].text" }, { message: "b", field: "sides[0].text" }, { message: "a", field: "sides[1].text" }]).said, "A Front: B");
  store.putLook("form", "zip");
  assert.deepEqual(ofAllRows().sides.map(({ text }) => text), ["Front", "Back"], "and so have the files of a ZIP");
  store.put("text", "");
  assert.equal(ofAllRows().output_format, undefined, "but one side is a PNG, if that is chosen");
});

test("messages are of the side of which the file is", () => {
  open(FRONT, { kind: "pdf" });
  assert.equal(sideOfFile(), undefined, "the only side of a page");
  sides.addSide();
  assert.deepEqual([sideOfFile("pdf"), sideOfFile("png")], [0, 1], "an empty back is in no PDF");
  const refused = new Refusal(422, { details: [{ field: "blocks[0].x", message: "blocks[0].x: too far" }] });
  store.change("", (next) => { next.other.request.blocks = [{ text: "" }, { text: "b" }]; });
  assert.deepEqual(ofError(Object.assign(refused, { side: sideOfFile("pdf") })), [{ kind: "error", path: "sides.0.blocks.1.x", text: "Too far" }]);
  assert.deepEqual(ofWarnings([{ field: "sides[1].font_id", message: "b" }], 0), [{ kind: "warning", path: "sides.1.font_id", text: "B" }]);
  store.put("text", "Back");
  assert.equal(sideOfFile("pdf"), undefined, "both are in the file");
  assert.deepEqual([ofWarnings([{ field: "sides", message: "a" }], 1)[0].path, nameOf("sides")], ["sides", "Sheet"]);
  assert.deepEqual(sides.pathOnSide("", 1), "sides.1");
});

test("what is said of both sides is told once", () => {
  const about = (path, text = "a") => ({ kind: "warning", path, text });
  assert.deepEqual(toldOnce([about("sides.0.font_id"), about("sides.1.font_id"), about("sides.1.seed")]), [about("font_id"), about("sides.1.seed")]);
  assert.deepEqual(toldOnce([about("sides.0.font_id"), about("sides.0.font_id"), about("sides.1.font_id", "b")]), [about("sides.0.font_id"), about("sides.1.font_id", "b")]);
  assert.equal(toldOnce([about("sides.0.blocks.0.x"), about("sides.1.blocks.0.x")]).length, 2, "a text box is of its side");
});

test("a page with two sides outlasts a link, and a damaged side does not", () => {
  const { page: taken, said } = readPage({ request: FRONT, look: { side: "back", picture: 0 }, other: { request: { text: "b", evil: 1 }, look: { room: 3, evil: 1 } } }, "It");
  assert.deepEqual(taken.other, { request: { text: "b" }, look: { room: 3 } });
  assert.equal(taken.look.side, "back");
  assert.ok(said.includes("other.evil") && said.includes("look.evil"), said);
  const alone = readPage({ request: FRONT, look: { side: "back" }, other: 3 }, "It");
  assert.deepEqual([alone.page.other, alone.page.look], [undefined, {}]);
  assert.ok(alone.said.includes("other"));
});

test("artwork is enough for a page", () => {
  assert.deepEqual(withWords({ text: "", artwork: [{ id: ID }] }), { artwork: [{ id: ID }] });
  assert.deepEqual([isBlank({ text: " " }), isBlank({ text: "", artwork: [{ id: ID }] })], [true, false]);
});

test("a picture is where the request says, in the shape of its file", () => {
  pictures.takePictures([{ id: ID, kind: "png", width: 600, height: 300 }]);
  const sheet = { width: 1500, height: 2100 };
  assert.deepEqual(pictures.boxOfPicture({ id: ID }, sheet, 36), { x: -36, y: -36, width: 1572, height: 2172 });
  const logo = pictures.asLogo({ id: ID }, { width: 127, height: 177.8 });
  assert.deepEqual(logo, { id: ID, x_mm: 51, y_mm: 14.2, width_mm: 25 });
  const box = pictures.boxOfPicture(logo, sheet, 0);
  assert.deepEqual([box.width / box.height, Math.round(box.x)], [2, 602]);
  const moved = pictures.pictureAt(logo, { ...box, x: box.x + pxOfMm(1) });
  assert.deepEqual([moved.x_mm, "height_mm" in moved], [52, false]);
  assert.equal(pictures.pictureAt({ ...logo, height_mm: 9 }, box).height_mm, 12.5);
  assert.deepEqual(pictures.asBackground({ ...logo, fit: "contain", opacity: 0.5 }), { id: ID, opacity: 0.5 });
  assert.deepEqual(pictures.sizeOfPicture({ id: ID }), { width: 50.8, height: 25.4 }, "without a size it has 300 DPI");
  const drawing = "c".repeat(64);
  pictures.notePicture({ id: drawing, kind: "svg", width: 2400, height: 1200, width_mm: 60, height_mm: 30 });
  assert.deepEqual(pictures.sizeOfPicture({ id: drawing }), { width: 60, height: 30 }, "a drawing has its own size");
  assert.equal(pictures.isGone({ id: "b".repeat(64) }), true);
  assert.deepEqual([pictures.suitsPage({ width: 1500, height: 2100 }, { width: 127, height: 177.8 }), pictures.suitsPage({ width: 600, height: 300 }, { width: 127, height: 177.8 })], [true, false]);
  assert.deepEqual(pictures.reordered(["a", "b", "c"], 0, 9), ["b", "c", "a"]);
});

test("a page has no more pictures than the service takes, and one background at the bottom", () => {
  const logo = (number) => ({ id: String(number).repeat(64), x_mm: 1, y_mm: 1, width_mm: 9 });
  const placed = () => store.request().artwork.map(({ id, width_mm: width }) => [id[0], Boolean(width)]);
  open({ ...FRONT, artwork: [{ id: ID }, ...[1, 2, 3, 4, 5, 6, 7].map(logo)] }, { picture: 3 });
  assert.equal(sheetPictures.mostPictures(), 8);
  assert.deepEqual([sheetPictures.hasRoom(), sheetPictures.hasRoom(true)], [false, true], "a background takes the place of the one before");
  assert.equal(sheetPictures.addPicture("b".repeat(64)), false);
  assert.equal(sheetPictures.addPicture("b".repeat(64), { isBehind: true }), true);
  assert.deepEqual([placed().length, placed()[0]], [8, ["b", false]]);
  open({ ...FRONT, artwork: [logo(1), { id: ID }, logo(2)] }, { picture: 2 });
  sheetPictures.setBackground(true);
  assert.deepEqual([placed(), store.chosenPicture()], [[["2", false], ["1", true]], 0]);
  sheetPictures.setBackground(false);
  assert.deepEqual(placed(), [["2", true], ["1", true]]);
});

test("a picture lands on the side for which it was sent", () => {
  const logo = { id: "1".repeat(64), x_mm: 1, y_mm: 1, width_mm: 9 };
  open({ ...FRONT, artwork: [logo] }, { picture: 0 });
  const front = sides.sideOnScreen();
  assert.equal(sides.placeOf(front), "screen");
  sheetPictures.addUnseen("b".repeat(64), "screen", { isBehind: true });
  assert.deepEqual([store.request().artwork.length, store.chosenPicture()], [2, 1], "the same picture is chosen");
  sides.addSide();
  const back = sides.sideOnScreen();
  assert.deepEqual([front, back].map(sides.placeOf), ["other", "screen"]);
  sheetPictures.addUnseen(ID, "other");
  assert.deepEqual([store.request().artwork, store.otherSide().request.artwork.length], [undefined, 3]);
  sides.turnOver();
  assert.deepEqual([front, back].map(sides.placeOf), ["screen", "other"]);
  sides.removeAdded();
  assert.deepEqual([front, back].map(sides.placeOf), ["screen", undefined]);
  open();
  assert.equal(sides.placeOf(front), undefined, "another page is open");
  store.change("more", (next) => { next.request.text = "b"; });
  assert.equal(sides.placeOf(sides.sideOnScreen()), "screen");
});

test("a picture is gone only where the service has told so", () => {
  pictures.takePictures(undefined);
  pictures.notePicture({ id: ID, kind: "png", width: 600, height: 300 });
  assert.deepEqual([pictures.isGone({ id: "b".repeat(64) }), pictures.isGone({ id: ID }), pictures.shapeOf({ id: ID })], [false, false, 2]);
  pictures.takePictures([{ id: ID, kind: "png", width: 600, height: 300 }]);
  pictures.dropPicture(ID);
  assert.equal(pictures.isGone({ id: ID }), true);
});

test("a picture keeps its shape where it is sized, and may reach into the bleed", () => {
  const room = { width: 1500, height: 2100, beyond: 36, least: 24 };
  const from = { x: 100, y: 100, width: 400, height: 200 };
  assert.deepEqual(inShape({ ...from, width: 600, height: 210 }, from, "se", {}, room), { ...from, width: 600, height: 300 });
  const wide = inShape({ x: -400, y: 100, width: 900, height: 200 }, from, "nw", {}, room);
  assert.deepEqual([wide.x, wide.width / wide.height], [-36, 2]);
  assert.deepEqual(dragged(from, "move", -900, 0, room).x, -36);
  assert.deepEqual(dragged({ x: -100, y: -100, width: 1700, height: 2300 }, "move", 500, 0, room).x, -36, "a larger one covers the page");
  assert.deepEqual(dragged(from, "se", -900, -900, room), { ...from, width: 24, height: 24 });
  assert.equal(held({ ...from, width: 30 }, "se", linesOf(room, { left: 0, right: 0, top: 0, bottom: 0 }, []), 5, 24).box.width, 30);
});

test("pictures keep their part of another paper", () => {
  const wanted = { page_size: "a5", artwork: [{ id: ID }, { id: ID, x_mm: 0, y_mm: 0, width_mm: 10 }] };
  movePictures(wanted, { width: 74, height: 105 });
  assert.deepEqual(wanted.artwork, [{ id: ID }, { id: ID, x_mm: 5, y_mm: 0, width_mm: 10 }]);
});
