//! `GET /`: the studio: a page in the browser to write, choose and check one page of writing. It needs no build step
//! and no other server.
//!
//! Input: nothing. Output: HTML, CSS and JavaScript modules, embedded in the binary. The page makes its controls from
//! `/openapi.json`, so every field has the ranges that validate. It calls this service with the key that the user
//! enters, which stays in the tab. It has no inline code, so its content policy allows only what this service serves.
//!
//! `page.js` starts all parts, and `service.js` calls the service. The folders:
//! - `state`: `store.js` holds the request on the screen, with undo; every control reads and writes it there.
//!   `fields.js` knows what a request may hold, and `given.js` takes that of a page from a link, a file or storage.
//!   `sides.js` has the front and the back, `empty_boxes.js` the text boxes without words, which are in no request.
//!   `papers.js` and `paper_colors.js` know the papers; `suit.js` sets sizes that suit a hand, and `move_things.js`
//!   moves what lies on a paper that gets another size. `units.js` converts lengths, `seed.js` has new seeds.
//! - `controls`: `element.js` makes elements, `controls.js` controls, `typing.js` those of words, `tabs.js` the tabs.
//!   `labels.js` has what people call fields, `wording.js` puts messages of the service into these words, and
//!   `messages.js` shows them.
//! - `write`: the pen (`pen.js`, `pens.js`, `alignment.js`), the paper (`paper.js`, `paper_choice.js`) and all other
//!   fields (`more.js`).
//! - `hands`: the hands (`hands.js`, `hand_words.js`), two of them side by side (`compare.js`), and a hand made of
//!   pictures of a filled sheet: `own_hand.js`, its window `own_hand_panel.js`, its letters in doubt
//!   `own_hand_doubts.js`, its requests `own_hand_service.js`.
//! - `sheet`: `preview.js` keeps the picture up to date, `sheet.js` shows it to scale, `zoom.js` from close by,
//!   `page_steps.js` turns pages, `side_switch.js` the sheet, `words_at.js` leads from it to the words. `rules.js`
//!   draws the rules that no file has, `bleed.js` the bleed. `findings.js` tells what preflight finds.
//! - `boxes`: `movable.js` chooses, moves and sizes what lies on the sheet, by `box_place.js`. `boxes.js` has the text
//!   boxes, added by `new_boxes.js` and `signature.js`, with the controls of `box_panel.js`.
//! - `artwork`: `sheet_pictures.js` has the pictures on the sheet, whose places `pictures.js` knows, with the controls
//!   of `picture_panel.js`; `artwork_panel.js` adds them, and `picture_service.js` sends them.
//! - `files`: `files.js` makes them, named by `names.js` and told by `file_facts.js`, and `print.js` prints; `code.js`
//!   has the program for one, with the values as `quote.js` writes them, `link.js` a link, `client_link.js` one for
//!   people without a key; `my_pages.js` keeps pages.
//! - `merge`: `list.js` holds the list, whose cells `placeholders.js` puts into the words; the service reads, checks
//!   and makes it by jobs (`jobs.js`): `merge_panel.js` shows it, `merge_check.js` checks its rows, `merge_make.js`
//!   makes them.
//! - `shared`: `GET /shared`, the page behind a client link, for people without a key.

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
pub(super) static SHARED: StaticFile = StaticFile::embedded("", include_str!("shared/shared.html"));

/// The scripts and style sheets of this folder by their paths in it, which `build.rs` lists.
static FILES: LazyLock<Vec<StaticFile>> = LazyLock::new(|| {
    let files: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));
    files.iter().map(|(path, text)| StaticFile::embedded(path, text)).collect()
});

/// The papers that the page offers.
static PAPERS: LazyLock<StaticFile> = LazyLock::new(|| {
    let offered = json!({"papers": papers()});
    StaticFile::new("papers.json", "application/json; charset=utf-8", Cow::Owned(offered.to_string()))
});

/// Answers `GET /page/{path}`.
pub(super) fn part(path: &str, request: &HeaderMap) -> Option<Response> {
    if path == "papers.json" { Some(PAPERS.answer(request)) } else { find(&FILES, path, request) }
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
