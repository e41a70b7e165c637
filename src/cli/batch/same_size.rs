//! One automatic size for all rows: the largest at which every row fits.

use serde_json::Value;

use super::interrupt::Interrupt;
use super::renderer::{LayoutRenderer, valid_spec};
use super::rows::{Row, imply_seed};
use super::work;
use crate::catalogue::FontCatalogue;
use crate::cli::Failure;
use crate::mail_merge::{RowSize, RowWarning, SharedSize};
use crate::spec::{FontSize, Known};

/// Gives every row with an automatic size the smallest of their sizes. Rows without a seed get one that depends on the
/// row alone, so that letters that vary take the same space in the next run. Rows that do not fit at any size are left
/// as they are. Returns that size, if one fits.
///
/// # Errors
/// A row has two sides, no row has an automatic size, or a signal arrived.
pub(super) fn share(
    rows: &mut [Row],
    (catalogue, known): (&FontCatalogue, &Known),
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Option<SharedSize>, Failure> {
    for request in rows.iter().filter_map(|row| row.request.as_ref().ok()?.as_object()) {
        let refused = SharedSize::refuse_sides(request, "");
        refused.map_err(|problem| Failure::Usage(format!("--same-size: {problem}")))?;
    }
    let mut shared: Vec<&mut Row> = rows.iter_mut().filter(|row| is_automatic(row, known)).collect();
    if shared.is_empty() {
        let message = "--same-size: no row has an automatic size; leave font_size out, or say \"auto\"";
        return Err(Failure::Usage(message.to_owned()));
    }
    for row in &mut shared {
        let seed = crc32fast::hash(format!("{}:{}", row.number, row.text()).as_bytes());
        if let Ok(request) = &mut row.request {
            imply_seed(request, seed);
        }
    }
    let mut smallest: Option<SharedSize> = None;
    // A text that fits at one size may not at a smaller one, where its lines break elsewhere: until all agree.
    loop {
        let layout = LayoutRenderer { catalogue, known, common: None, largest: smallest.map(|size| size.px) };
        let left: Vec<&Row> = shared.iter().map(|row| &**row).collect();
        let mut sizes: Vec<RowSize> = Vec::new();
        work::make_all(&left, threads, &layout, interrupt, |entry, _| {
            let is_small = entry.warnings.iter().any(RowWarning::is_small_writing);
            sizes.extend(entry.calculated_font_size.map(|px| RowSize { px, row: entry.row, is_small }));
            Ok(())
        })?;
        if interrupt.was_signalled() {
            return Err(Failure::Interrupted("stopped before the first row; run it again".to_owned()));
        }
        let found = SharedSize::of(&sizes, smallest);
        if found.map(|size| size.px) == smallest.map(|size| size.px) {
            for row in shared.iter_mut().filter(|row| sizes.iter().any(|size| size.row == row.number)) {
                if let (Some(SharedSize { px, .. }), Some(members)) = (smallest, row.members()) {
                    members.insert("font_size".to_owned(), Value::from(px));
                    row.same_size = Some(px);
                }
            }
            return Ok(smallest);
        }
        smallest = found;
    }
}

fn is_automatic(row: &Row, known: &Known) -> bool {
    valid_spec(row, known).is_some_and(|spec| matches!(spec.font_size, FontSize::Auto { .. }))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;

    fn row(number: usize, request: Value) -> Row {
        Row::new(number, Ok(request), PathBuf::from("x.png"))
    }

    fn share_of(rows: &mut [Row]) -> Result<Option<SharedSize>, Failure> {
        let catalogue = FontCatalogue::load().unwrap();
        share(rows, (&catalogue, &Known::from(&catalogue.names())), 2, &Interrupt::default())
    }

    #[test]
    fn all_rows_get_the_size_of_the_longest() {
        let request = |text: &str| json!({"text": text, "page_size": "card_96x135", "enable_writer_variation": true});
        let long = "it was the best of times, it was the worst of times, ".repeat(4);
        let mut fixed = request("fixed");
        fixed["font_size"] = json!(50);
        let endless = "word ".repeat(1990);
        let texts = [request("short"), request(&long), request("a middling text"), fixed.clone(), request(&endless)];
        let mut rows: Vec<Row> = (1..).zip(texts).map(|(number, request)| row(number, request)).collect();
        rows.push(Row { request: Err("empty".to_owned()), ..row(6, json!(null)) });
        let mut again = rows.clone();
        let size = share_of(&mut rows).unwrap().unwrap();
        let SharedSize { px, row, of_others, is_small } = size;
        assert!(row == 2 && (12..120).contains(&px) && of_others > Some(px) && !is_small, "{size:?}");
        for number in [0, 1, 2] {
            let request = rows[number].request.as_ref().unwrap();
            assert_eq!((&request["font_size"], rows[number].same_size), (&json!(px), Some(px)));
            assert!(request["seed"].is_u64());
        }
        assert_eq!(rows[3].request, Ok(fixed), "a size that the row names stays");
        assert_eq!((rows[4].same_size, rows[5].same_size), (None, None));
        share_of(&mut again).unwrap();
        assert_eq!(rows, again, "the next run finds the same");
    }

    #[test]
    fn a_row_that_makes_all_writing_small_is_named_with_the_size_of_the_others() {
        let request = |text: &str| json!({"text": text, "page_size": "card_96x135"});
        let texts = [request("short"), request(&"word ".repeat(700))];
        let mut rows: Vec<Row> = (1..).zip(texts).map(|(number, request)| row(number, request)).collect();
        let size = share_of(&mut rows).unwrap().unwrap();
        assert!(size.is_small && size.of_others == Some(200), "{size:?}");
        let message = size.message();
        assert!(
            message.contains("small_writing") && message.ends_with("without row 2 it would be 200 px"),
            "{message}"
        );
    }

    #[test]
    fn pages_of_two_sides_share_no_size() {
        let sides = json!({"sides": [{"text": "a"}, {"text": "b"}]});
        let error = share_of(&mut [row(1, json!({"text": "x"})), row(2, sides)]).unwrap_err();
        let said = "--same-size: it is for pages of one side: leave it out, or sides";
        assert!(matches!(&error, Failure::Usage(message) if message == said), "{error}");
    }

    #[test]
    fn without_an_automatic_size_there_is_none_to_share() {
        let error = share_of(&mut [row(1, json!({"text": "x", "font_size": 40}))]).unwrap_err();
        assert!(matches!(&error, Failure::Usage(message) if message.contains("font_size")), "{error}");
    }
}
