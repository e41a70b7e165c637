//! Previews: the page of the same seed, small, with a mark that is neither missed nor taken out.

use longhand::pipeline::{Preview, PreviewMark, RenderedFile};
use serde_json::{Value, json};

use super::rendered::{render, render_marked, render_preview};

/// Alpha of an RGBA PNG, row by row, with its width.
pub(crate) fn alpha(png: &[u8]) -> (usize, Vec<f64>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width as usize, pixels.chunks_exact(4).map(|pixel| f64::from(pixel[3])).collect())
}

/// The page's alpha averaged over the area of each preview pixel.
fn shrunk(page: &RenderedFile, width: usize, height: usize) -> Vec<f64> {
    let (page_width, pixels) = alpha(&page.bytes);
    let page_height = pixels.len() / page_width;
    let range =
        |at: usize, small: usize, large: usize| at * large / small..((at + 1) * large).div_ceil(small).min(large);
    let mut shrunk = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (rows, columns) = (range(y, height, page_height), range(x, width, page_width));
            let count = (rows.len() * columns.len()) as f64;
            let cells = rows.flat_map(|row| columns.clone().map(move |column| row * page_width + column));
            shrunk.push(cells.map(|cell| pixels[cell]).sum::<f64>() / count);
        }
    }
    shrunk
}

fn letter(more: &Value) -> Value {
    let mut request = json!({
        "text": "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden was in full \
                 bloom, and Thomas has not stopped talking about the bees ever since!",
        "page_size": "a5", "seed": 7, "font_size": 90, "line_height_multiplier": 1.4,
    });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn a_preview_is_the_page_of_the_same_seed_made_small() {
    let with_effects =
        json!({"enable_natural_variation": true, "natural_variation_alpha": 40, "enable_ink_flow": true});
    for more in [json!({}), json!({"font_id": 12}), json!({"orientation": "landscape", "dpi": 600}), with_effects] {
        let request = letter(&more);
        let page = render(&request);
        let Preview { page: small, width, height, .. } = render_preview(&request);
        assert_eq!((small.width, small.height, small.seed), (page.width, page.height, page.seed));
        let (width, height) = (width as usize, height as usize);
        let (preview_width, marked) = alpha(&small.bytes);
        assert_eq!((preview_width, marked.len()), (width, width * height));
        let expected = shrunk(&page, width, height);

        let solid: Vec<usize> = (0..expected.len()).filter(|&at| expected[at] > 230.0).collect();
        let unmarked = solid.iter().filter(|&&at| marked[at] > 200.0).count();
        assert!(solid.len() > 1000, "{} solid pixels", solid.len());
        assert!(unmarked * 10 > solid.len() * 6, "{unmarked} of {} solid pixels are left", solid.len());
        let strays = (0..expected.len()).filter(|&at| expected[at] < 1.0 && marked[at] > 110.0).count();
        assert_eq!(strays, 0, "ink where the page has none");
    }
}

/// The part of the ink that the mark takes: of the solid pixels of the page, those that the preview shows pale.
fn taken(request: &Value) -> f64 {
    let page = render(request);
    let Preview { page: small, width, height, .. } = render_preview(request);
    let (_, marked) = alpha(&small.bytes);
    let expected = shrunk(&page, width as usize, height as usize);
    let solid = expected.iter().filter(|&&ink| ink > 230.0).count();
    let cut = (0..expected.len()).filter(|&at| expected[at] > 230.0 && marked[at] < 150.0).count();
    assert!(solid > 30, "{solid} solid pixels of {request}");
    cut as f64 / solid as f64
}

#[test]
fn the_mark_is_in_the_writing_and_between_it() {
    let request = letter(&json!({}));
    let page = render(&request);
    let Preview { page: small, width, height, .. } = render_preview(&request);
    let (_, marked) = alpha(&small.bytes);
    let expected = shrunk(&page, width as usize, height as usize);
    let added = (0..expected.len()).filter(|&at| expected[at] < 1.0 && marked[at] > 80.0).count();
    let taken = taken(&request);
    assert!(taken > 0.01, "{taken} of the ink is cut");
    assert!(added * 50 > expected.len(), "{added} of {} pixels are marked", expected.len());
}

#[test]
fn an_unmarked_preview_is_the_page_shrunk() {
    let request = letter(&json!({}));
    let page = render(&request);
    let Preview { page: small, width, height, .. } = render_marked(&request, PreviewMark::Nothing);
    let (_, unmarked) = alpha(&small.bytes);
    let expected = shrunk(&page, width as usize, height as usize);
    let added = (0..expected.len()).filter(|&at| expected[at] < 1.0 && unmarked[at] > 8.0).count();
    let solid: Vec<usize> = (0..expected.len()).filter(|&at| expected[at] > 230.0).collect();
    let cut = solid.iter().filter(|&&at| unmarked[at] < 150.0).count();
    assert_eq!(added, 0, "pixels with ink where the page has none");
    assert!(solid.len() > 1000 && cut == 0, "{cut} of {} solid pixels are cut", solid.len());
}

#[test]
fn the_mark_takes_no_more_than_six_per_cent_of_the_ink() {
    let words = "Thank you so much for the lovely afternoon last Sunday, and for the bees. ".repeat(12);
    let mut most: f64 = 0.0;
    for (text, page_size, font) in [
        ("Thanks!", "card_5x7", 1),
        ("Congratulations!", "card_5x7", 1),
        ("Happy birthday, dear Thomas", "postcard_us", 35),
        ("Merry Christmas and a happy New Year", "card_a2", 12),
        ("Ann Example\n12 Garden Lane\nSpringfield, IL 62701", "dl", 3),
        (&words, "a4", 1),
        (&words, "a4", 35),
        (&words, "letter", 51),
        (&words, "a5", 8),
        (&words, "a3", 7),
    ] {
        let request = json!({"text": text, "page_size": page_size, "font_id": font, "seed": 7});
        let taken = taken(&request);
        println!("{taken:.3} {page_size} {font} {text:.20}");
        most = most.max(taken);
    }
    assert!(most <= 0.06, "{most}");
}

/// Two blocks of other inks: one across the edge of the region that is shown, and one inside it.
fn signed() -> Value {
    json!({"enable_writer_variation": true, "blocks": [
        {"text": "Tom", "x": 800, "y": 300, "width": 300, "height": 200, "text_color": [20, 30, 140], "rotation": 9},
        {"text": "No. 27", "x": 400, "y": 400, "width": 300, "height": 200, "font_id": 3, "text_color": [180, 20, 30]},
    ]})
}

#[test]
fn a_region_shows_the_page_of_the_same_seed_from_nearby() {
    // 600 px become 1200 px: as at 600 DPI.
    let region = json!({"x": 300, "y": 290, "width": 600, "height": 450});
    let effects = json!({"enable_ink_flow": true, "ink_flow_intensity": 2, "enable_writer_variation": true,
                         "enable_word_rotation": true});
    for more in [
        json!({}),
        effects,
        json!({"enable_natural_variation": true, "natural_variation_alpha": 40}),
        json!({"enable_natural_variation": true, "natural_variation_alpha": 40, "natural_variation_sigma": 0}),
        json!({"enable_natural_variation": true, "natural_variation_alpha": 5, "natural_variation_sigma": 1}),
        signed(),
    ] {
        let mut fine = letter(&more);
        fine["dpi"] = json!(600);
        let (page_width, page) = alpha(&render(&fine).bytes);
        let mut close = letter(&more);
        close["region"] = region.clone();
        let Preview { page: small, width, height, .. } = render_preview(&close);
        assert_eq!((width, height, small.width, small.height), (1200, 900, 1748, 2480));
        let (_, part) = alpha(&small.bytes);
        let (mut same, mut ink) = (0_u32, 0_u32);
        for (at, shown) in part.iter().enumerate() {
            let of_page = page[(580 + at / 1200) * page_width + 600 + at % 1200];
            if of_page > 0.0 {
                ink += 1;
                same += u32::from((of_page - shown).abs() < 0.5);
            }
        }
        assert!(ink > 50_000, "{ink}");
        assert!(f64::from(same) > 0.85 * f64::from(ink), "{same} of {ink} inked pixels are the page's: {more}");
    }
}

#[test]
fn the_region_of_a_whole_page_is_its_preview() {
    for more in [json!({"enable_natural_variation": true}), signed()] {
        let whole = letter(&more);
        let mut region = whole.clone();
        region["region"] = json!({"x": 0, "y": 0, "width": 1748, "height": 2480});
        assert_eq!(render_preview(&whole), render_preview(&region), "{more}");
    }
}

#[test]
fn a_close_look_meets_the_mark_of_the_page_enlarged() {
    let nothing = json!({"text": " ", "page_size": "a5"});
    let Preview { page: whole, .. } = render_preview(&nothing);
    let (_, whole) = alpha(&whole.bytes);
    let mut close = nothing.clone();
    close["region"] = json!({"x": 437, "y": 620, "width": 437, "height": 437});
    let Preview { page: part, height, .. } = render_preview(&close);
    let (_, part) = alpha(&part.bytes);
    assert_eq!(height, 1200);
    // Four times the size of the preview: the mean of 4 × 4 px is a pixel of the preview.
    let (mut difference, mut marked) = (0.0, 0);
    for (row, column) in (2..290).flat_map(|row| (2..290).map(move |column| (row, column))) {
        let cells = (0..16).map(|cell| part[(4 * row + cell / 4) * 1200 + 4 * column + cell % 4]);
        let mean = cells.sum::<f64>() / 16.0;
        let of_page = whole[(426 + row) * 1200 + 300 + column];
        difference += (mean - of_page).abs();
        marked += usize::from(of_page > 60.0);
    }
    assert!(marked > 500, "{marked} pixels of the mark");
    assert!(difference / (marked as f64) < 30.0, "{} per marked pixel", difference / marked as f64);
}

#[test]
fn every_page_size_is_1200_px_wide_and_keeps_its_shape() {
    for (size, page_height) in
        [("a3", 4961.0 / 3508.0), ("square_5x5", 1.0), ("postcard_us", 1.5), ("dl", 2480.0 / 1169.0)]
    {
        let request = json!({"text": "Hello", "page_size": size, "font_size": 60});
        let Preview { width, height, .. } = render_preview(&request);
        assert_eq!((width, height), (1200, (1200.0_f64 * page_height).round() as u32), "{size}");
    }
}

#[test]
fn ink_that_white_paper_hides_is_shown_on_dark_paper_and_named() {
    let preview = |ink: [u8; 3]| {
        let page = render_preview(&letter(&json!({"text_color": ink}))).page;
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&page.bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let color = reader.next_frame(&mut pixels).unwrap().color_type;
        let kinds: Vec<&str> = page.warnings.iter().map(|warning| warning.kind.name()).collect();
        (color, pixels, kinds.join(","))
    };
    for ink in [[255, 255, 255], [250, 250, 240]] {
        let (color, pixels, kinds) = preview(ink);
        assert_eq!((color, kinds.as_str()), (png::ColorType::Rgb, "invisible_ink"));
        let count = |wanted: &dyn Fn(u8) -> bool| pixels.chunks_exact(3).filter(|pixel| wanted(pixel[0])).count();
        let (paper, mark, solid) =
            (count(&|red| red == 70), count(&|red| (100..170).contains(&red)), count(&|red| red > 240));
        assert!(paper * 10 > pixels.len() / 3 * 8, "{paper} pixels of paper");
        assert!(mark * 100 > paper && solid > 1000, "{mark} of the mark, {solid} of the ink");
    }
    let (color, _, kinds) = preview([20, 30, 120]);
    assert_eq!((color, kinds.as_str()), (png::ColorType::Rgba, ""));
}

#[test]
fn a_pdf_in_ink_that_white_paper_hides_says_so_and_a_png_does_not() {
    for (ink, output, expected) in
        [([255; 3], "pdf", true), ([252, 250, 250], "pdf", true), ([0; 3], "pdf", false), ([255; 3], "png", false)]
    {
        let page = render(&letter(&json!({"text_color": ink, "output_format": output})));
        let warned = page.warnings.iter().any(|warning| warning.kind.name() == "invisible_ink");
        assert_eq!(warned, expected, "{ink:?} {output}: {:?}", page.warnings);
    }
}

#[test]
fn a_preview_shows_any_page_and_the_last_beyond_it() {
    let sentences: Vec<String> = (1..=60).map(|number| format!("It was the best of times number {number}. ")).collect();
    let text = sentences.concat();
    let shown = |page: u32| {
        render_marked(&letter(&json!({"text": text, "overflow": "paginate", "page": page})), PreviewMark::Nothing)
    };
    let [first, second, beyond] = [1, 2, 999].map(shown);
    let pages = first.page.pages;
    assert!(pages > 2, "{pages}");
    assert_eq!([first.number, second.number, beyond.number], [1, 2, pages]);
    let [first, second, last] = [first, second, beyond].map(|preview| alpha(&preview.page.bytes).1);
    assert!(first != second && second != last && first != last);
    assert!([first, second, last].iter().all(|pixels| pixels.iter().any(|alpha| *alpha > 200.0)));
}

#[test]
fn a_preview_tells_where_its_words_are() {
    let text = "  Dear  Zo\u{65}\u{308},\n\nthank\tyou so much. \u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{1F600}bees";
    let block = json!({"text": "Tom Sawyer", "x": 300, "y": 1900, "width": 900, "height": 400});
    let request = letter(&json!({"text": text, "blocks": [block], "places": true, "enable_word_rotation": true}));
    let Preview { words, page, .. } = render_marked(&request, PreviewMark::Nothing);
    let given = |block: Option<usize>| block.map_or(text, |_| "Tom Sawyer").chars().collect::<Vec<char>>();
    let said: Vec<(Option<usize>, String)> =
        words.iter().map(|word| (word.block, given(word.block)[word.source.clone()].iter().collect())).collect();
    let of_text = ["Dear", "Zo\u{65}\u{308},", "thank", "you", "so", "much."];
    assert_eq!(said.iter().take(6).map(|(_, word)| word.as_str()).collect::<Vec<_>>(), of_text);
    assert_eq!(said[said.len() - 2..], ["Tom", "Sawyer"].map(|word| (Some(0), word.to_owned())));
    let area = |at: usize| words[at].ink;
    assert!(
        area(0).max.x < area(1).max.x && area(0).min.y < area(2).min.y && area(said.len() - 1).min.y.get() > 1800.0
    );
    assert!(words.iter().all(|word| word.ink.max.x.get() <= f64::from(page.width)));
    assert_eq!(render_marked(&letter(&json!({})), PreviewMark::Nothing).words, []);
}
