//! `GET /`: the studio: a page in the browser to write, choose and check one page of writing. It needs no build step
//! and no other server.
//!
//! Input: nothing. Output: HTML, CSS and JavaScript modules, embedded in the binary. The page makes its controls from
//! `/openapi.json`, so every field has the ranges that validate. It calls this service with the key that the user
//! enters, which stays in the tab. It has no inline code, so its content policy allows only what this service serves.
//!
//! `page.js` starts all parts. `store.js` holds the request on the screen, with undo; every control reads and writes it
//! there.
//! - Fields: `fields.js` knows what a request may hold, `labels.js` what people call it, `wording.js` puts messages of
//!   the service into these words, `controls.js` makes controls, `element.js` elements, `units.js` converts lengths.
//! - Controls: `typing.js` (words), `pen.js` with `pens.js` and `alignment.js`, `paper.js` with `papers.js`,
//!   `paper_choice.js` and `paper_colors.js`, `hands.js` with `hand_words.js` and `compare.js`, `more.js` (all other
//!   fields); `suit.js` sets sizes that suit a hand.
//! - Sheet: `preview.js` keeps the picture up to date, `sheet.js` shows it to scale, `zoom.js` from close by,
//!   `page_steps.js` turns pages, `words_at.js` leads from it to the words. `sides.js` has the front and the back, between
//!   which `side_switch.js` switches; `seed.js` has new seeds. `rules.js` draws the rules that no file has, `bleed.js` the bleed of the file.
//!   `findings.js` tells what preflight finds.
//! - On the sheet: `movable.js` chooses, moves and sizes what lies there, by `box_place.js`; `move_things.js` moves it
//!   where the paper gets another size. `boxes.js` has the text boxes, added by `new_boxes.js` and `signature.js`, with the
//!   controls of `box_panel.js`; those without words (`empty_boxes.js`) are in no request.
//! - Artwork: `sheet_pictures.js` has the pictures on the sheet, whose places `pictures.js` knows, with the controls of
//!   `picture_panel.js`; `artwork_panel.js` adds them, and `picture_service.js` sends them.
//! - Files: `files.js` makes them, named by `names.js` and told by `file_facts.js`, and `print.js` prints; `code.js`
//!   the program for one, with the values as `quote.js` writes them, `link.js` a link, `client_link.js` one for people without a key; `my_pages.js` keeps pages.
//!   `given.js` takes of a page from a link, a file or storage what the fields allow.
//! - Mail merge: `list.js` holds the list, whose cells `placeholders.js` puts into the words; the service reads, checks
//!   and makes it by jobs (`jobs.js`): `merge_panel.js` shows it, `merge_check.js` checks its rows, `merge_make.js`
//!   makes them.
//! - Own hand: `own_hand.js` makes a hand of pictures of a filled sheet: `own_hand_panel.js` has its window,
//!   `own_hand_doubts.js` the letters in doubt, `own_hand_service.js` its requests.
//!
//! `service.js` calls the service, `messages.js` shows errors and warnings, `tabs.js` the tabs.
//!
//! `GET /shared`: the page behind a client link, for people without a key: `shared.html`, `shared.css`, `shared.js`.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use super::responses::static_files::{StaticFile, find};
use crate::spec::PageSize;

/// The page.
pub(super) static PAGE: StaticFile = StaticFile::embedded("", include_str!("index.html"));

/// The path of the page that shows a link.
pub(super) const SHARED_PAGE: &str = "shared";

/// The page that shows a link, which stands behind the `#` of its address.
pub(super) static SHARED: StaticFile = StaticFile::embedded("", include_str!("shared.html"));

/// Embeds files of this folder.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        static FILES: [StaticFile; [$($name),+].len()] = [$(StaticFile::embedded($name, include_str!($name))),+];
    };
}

files!(
    "page.css",
    "artwork.css",
    "sheet.css",
    "panel.css",
    "hands.css",
    "own_hand.css",
    "alignment.js",
    "artwork_panel.js",
    "bleed.js",
    "box_panel.js",
    "box_place.js",
    "boxes.js",
    "client_link.js",
    "code.js",
    "compare.js",
    "controls.js",
    "element.js",
    "empty_boxes.js",
    "fields.js",
    "file_facts.js",
    "files.js",
    "findings.js",
    "given.js",
    "hand_words.js",
    "hands.js",
    "jobs.js",
    "labels.js",
    "link.js",
    "list.js",
    "merge_check.js",
    "merge_make.js",
    "merge_panel.js",
    "messages.js",
    "more.js",
    "movable.js",
    "move_things.js",
    "my_pages.js",
    "names.js",
    "new_boxes.js",
    "own_hand.js",
    "own_hand_doubts.js",
    "own_hand_panel.js",
    "own_hand_service.js",
    "page.js",
    "page_steps.js",
    "paper.js",
    "paper_choice.js",
    "paper_colors.js",
    "papers.js",
    "pen.js",
    "pens.js",
    "picture_panel.js",
    "picture_service.js",
    "pictures.js",
    "placeholders.js",
    "preview.js",
    "print.js",
    "quote.js",
    "rules.js",
    "seed.js",
    "service.js",
    "shared.css",
    "shared.js",
    "sheet.js",
    "sheet_pictures.js",
    "side_switch.js",
    "sides.js",
    "signature.js",
    "store.js",
    "suit.js",
    "tabs.js",
    "typing.js",
    "units.js",
    "wording.js",
    "words_at.js",
    "zoom.js",
);

/// The papers that the page offers.
static PAPERS: LazyLock<StaticFile> = LazyLock::new(|| {
    let offered = json!({"papers": papers()});
    StaticFile::new("papers.json", "application/json; charset=utf-8", Cow::Owned(offered.to_string()))
});

/// Answers `GET /page/{name}`.
pub(super) fn part(name: &str, request: &HeaderMap) -> Option<Response> {
    if name == "papers.json" { Some(PAPERS.answer(request)) } else { find(&FILES, name, request) }
}

/// Every paper with its upright size in millimetres; aliases are left out.
fn papers() -> Value {
    let own_names = PageSize::names().filter_map(|name| Some((name, PageSize::from_name(name)?)));
    let papers = own_names.filter(|(name, size)| size.name() == *name).map(|(name, size)| {
        let (mm, shown) = (size.portrait_mm(), name.replace('_', " "));
        let label = format!("{shown}, {:.0} × {:.0} mm", mm.width.get(), mm.height.get());
        json!({"name": name, "label": label, "width_mm": mm.width.get(), "height_mm": mm.height.get()})
    });
    papers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_is_offered_once() {
        let papers = papers();
        assert_eq!(papers.as_array().unwrap().len(), 26);
        assert_eq!(papers[0]["label"], "a3, 297 × 420 mm");
    }
}
