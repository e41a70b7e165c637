// Words, names and messages of the studio's page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.sessionStorage = { setItem: () => {}, getItem: () => null, removeItem: () => {} };
const page = (name) => import(`../../src/http/page/${name}`);
const { filled, namesIn } = await page("merge/placeholders.js");
const { nameOfWords } = await page("files/names.js");
const { beginsStep, caretAfter } = await page("controls/typing.js");
const { isSaid, wordsFor } = await page("hands/hand_words.js");
const { isLike } = await page("write/paper_choice.js");
const { nameOf, nameOfPiece } = await page("state/papers.js");
const { unitsBefore, wordAt } = await page("sheet/words_at.js");
const { readFields } = await page("state/fields.js");
const { inWords } = await page("controls/wording.js");
const { signatureOf } = await page("boxes/signature.js");
const { change } = await page("state/store.js");

readFields(JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url))));

test("placeholders take the cells of a row, or their defaults", () => {
  const cells = { name: "Ann", gift: " " };
  const fill = (text) => filled(text, (name) => cells[name]);
  assert.equal(fill("Dear {name}, {gift|your kindness}! {{x}} {other}"), "Dear Ann, your kindness! {x} {other}");
  assert.equal(fill("{gift}"), "");
  assert.deepEqual(namesIn("{name} {{no}} {gift|a|b}"), ["name", "gift"]);
});

test("files are named by their first words", () => {
  assert.equal(nameOfWords("Dear Ann,\n\nthank you for the flowers"), "dear-ann-thank-you");
  assert.equal(nameOfWords("Grüße an O'Neil"), "grüße-an-o-neil");
  assert.equal(nameOfWords("../../etc/passwd"), "etc-passwd");
  assert.equal(nameOfWords("💌"), "page");
  assert.equal(nameOfWords("x".repeat(99)).length, 40);
});

test("a word is a step of undo, and so is a piece that is pasted", () => {
  const typed = (data, at) => ({ type: "insertText", data, at });
  assert.equal(beginsStep(undefined, typed("a", 1)), true);
  assert.equal(beginsStep(typed("a", 1), typed("b", 2)), false);
  assert.equal(beginsStep(typed("b", 2), typed(" ", 3)), false);
  assert.equal(beginsStep(typed(" ", 3), typed("c", 4)), true);
  assert.equal(beginsStep(typed("b", 2), typed("c", 9)), true, "elsewhere");
  assert.equal(beginsStep({ type: "insertFromPaste", data: null, at: 3 }, { type: "insertFromPaste", data: null, at: 6 }), true);
  assert.equal(beginsStep({ type: "deleteContentBackward", data: null, at: 3 }, { type: "deleteContentBackward", data: null, at: 2 }), false);
});

test("the caret stays where a text changes", () => {
  assert.equal(caretAfter("one big three", "one three"), 4);
  assert.equal(caretAfter("one three", "one big three"), 8);
  assert.equal(caretAfter("aaa", "aa"), 2);
  assert.equal(caretAfter("", "all"), 3);
});

test("hands are found by what they are for", () => {
  const font = { id: 66, name: "Alex Brush", style: "elegant", neatness: 5, lively: false, strokes: false, scripts: ["Latin-1"], languages: { fr: 100 } };
  const said = wordsFor(font, "elegant, steep, tidy");
  for (const searched of ["wedding", "66", "alex", "Français", "francais", "French", "invit"]) assert.ok(isSaid(said, searched), searched);
  for (const searched of ["messy", "child", "6 6 7", "Polish"]) assert.ok(!isSaid(said, searched), searched);
});

test("papers have names and sizes as people write them", () => {
  assert.equal(nameOfPiece("lob_postcard_4x6_back"), "Lob postcard 4 × 6, back");
  assert.equal(nameOfPiece("click2mail_postcard_425x6_front"), "Click2Mail postcard 4¼ × 6, front");
  assert.equal(nameOfPiece("usps_envelope_10_window"), "USPS envelope 10, window");
  assert.equal(nameOfPiece("din5008_b"), "DIN 5008 form B");
  assert.equal(nameOfPiece("envelope_dl_window"), "Envelope DL, window");
  assert.equal(nameOf("card_5x7"), "Card 5 × 7");
  assert.ok(isLike("Lob postcard 4 × 6, back", "lob 4x6") && isLike("Card 5 × 7", "5 x 7") && !isLike("Card 5 × 7", "5x8"));
});

test("the word under a click is found", () => {
  const places = [{ x: 10, y: 10, width: 30, height: 10, start: 0 }, { x: 50, y: 10, width: 30, height: 10, start: 4 }];
  assert.equal(wordAt(55, 15, places, 5).start, 4);
  assert.equal(wordAt(42, 15, places, 5).start, 0);
  assert.equal(wordAt(55, 40, places, 5), undefined);
  assert.equal(unitsBefore("a💌b", 2), 3);
});

test("messages speak of labels and in the unit of the page", () => {
  change("", (next) => { next.look.unit = "mm"; next.request.blocks = [{ text: "" }, { text: "a" }]; });
  assert.equal(inWords("Input should be less than or equal to 3000, got 4500", "margin_left"), "At most 254 mm.");
  assert.equal(inWords("Input should be greater than or equal to 0.5, got 0", "line_height_multiplier"), "At least 0.5.");
  assert.equal(inWords("the text does not fit; the largest font_size that fits is 300", "text"), "The text does not fit; the largest “Size of letters” that fits is 25.4 mm");
  assert.equal(inWords("text_color: [255, 255, 255] can hardly be seen", "text_color"), "This ink can hardly be seen");
  assert.equal(inWords("blocks[0]: its ink overlaps that of blocks[0]", "blocks[0]"), "Its ink overlaps that of text box 2");
  assert.equal(inWords("use overflow 'paginate'", "overflow"), "Use overflow “More pages (PDF)”");
  assert.equal(inWords("or use other svg.paths", "svg.paths"), "Or use other “Paths”");
  assert.equal(inWords("pdf.bleed_mm: 5 has no effect", "pdf.bleed_mm"), "“Bleed (mm)” 5 has no effect");
});

test("the name under a letter is its signature", () => {
  assert.deepEqual(signatureOf("Dear Ann,\n\nYours, Tom"), { name: "Tom", rest: "Dear Ann,\n\nYours," });
  assert.deepEqual(signatureOf("Dear Ann,\n\nYours sincerely,\nEleanor Whitfield\n"), { name: "Eleanor Whitfield", rest: "Dear Ann,\n\nYours sincerely," });
  for (const text of ["Dear Ann,\n\nSee you soon.", "Tom", "Dear Ann,\n\nYours,", "Dear {name},\n{from}"]) {
    assert.deepEqual(signatureOf(text), { name: "", rest: text });
  }
});

test("hints tell what the chosen value means, in the words of the page", async () => {
  const { hintOf } = await page("controls/wording.js");
  assert.equal(hintOf("overflow", "shrink"), "Text that does not fit at the chosen size. Use that size.");
  assert.equal(hintOf("svg.paths", "strokes"), "Centre lines in the order of writing, for pen plotters, in fonts with “Strokes”.");
  assert.equal(hintOf("margin_left"), "Left margin.");
});

test("a file is told by its sheet, its standard and its bytes", async () => {
  const { bleedOf, factsOf } = await page("files/file_facts.js");
  const box = (around) => ({ x: -around, y: -around, width: 127 + 2 * around, height: 177.8 + 2 * around });
  const press = { media: box(9.613), bleed: box(3.175), trim: box(0) };
  const said = factsOf({ boxes_mm: press, conformance: "PDF/X-1a:2001", output_condition: "gracol_2013", bytes: 511_933, effective_dpi: 300 });
  assert.equal(said, "A sheet of 146.2 × 197 mm with 3.2 mm of bleed and crop marks, to be cut to 127 × 177.8 mm · PDF/X-1a:2001 for GRACoL 2013 · 300 DPI · about 500 KiB");
  const plain = { media: box(0), bleed: box(0), trim: box(0) };
  assert.equal(factsOf({ boxes_mm: plain, conformance: null, bytes: 2_000_000, effective_dpi: null }), "127 × 177.8 mm · sharp at any size · about 1.9 MiB");
  assert.deepEqual([bleedOf(press), bleedOf(plain), bleedOf(null)], [3.175, 0, 0]);
});
